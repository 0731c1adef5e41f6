"""Whether a position can come back: looked for where no rank was found."""

from __future__ import annotations

import time
from collections import deque
from math import inf

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.problems import MAY_REPEAT
from gamespec.budget import look
from gamespec.diagnostics import Diagnostic, Help
from gamespec.game.comeback import repeating
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault
from gamespec.game.model import Game, Position
from gamespec.game.probe import NOT_ALL, places
from gamespec.game.problems import ENDLESS_IDLE
from gamespec.game.sample import EVERY, TooMany, everywhere
from gamespec.types import ArrayType, SetType

LIMIT = 3000  # positions that are left by all their moves
SECONDS = 0.8


def repetitions(game: Game, facts: Facts, limit: int = LIMIT, *, every: bool = False) -> list[Diagnostic]:
    """Nothing where play is proved to end, or the spec says what endless play means (a note where it need not).

    Else an error with a shortest play back to a position (a warning where a graph is read, which may have none), or
    a note.

    Looks at up to `limit` positions and what they lead to, for about a second; with `every` at all positions, and where
    play comes back from none of them there is nothing to say.
    """
    if game.endless is not None:
        return [] if facts.finite is None else [ENDLESS_IDLE.at(game.endless_span, reason=facts.finite.text)]
    if facts.finite is not None:
        return []
    deadline = time.monotonic() + SECONDS if not every else inf
    limit = limit if not every else EVERY
    known: dict[Evaluator, set[Position]] = {}
    whole = every
    try:
        for evaluator, start in everywhere(game) if every else places(game, limit, SECONDS):
            done = known.setdefault(evaluator, set())
            if start not in done:
                fault = _search(evaluator, start, done, limit - len(done), deadline)
                if fault is not None:
                    return [_promised(fault) if _is_graph_game(game) else fault]
            if len(done) >= limit or time.monotonic() > deadline:
                whole = False
                break
    except TooMany:
        some = repetitions(game, facts)
        doubtful = any(one.code == MAY_REPEAT.code for one in some)
        return [NOT_ALL.at(None, limit=f"{EVERY:,}"), *some] if doubtful else some
    except RuleFault:  # the bounds of a field have no value
        whole = False
    return [] if whole else [MAY_REPEAT.at(facts.no_order.span)]


def _is_graph_game(game: Game) -> bool:
    """Whether the data says where moves lead: then it is for the input to have no circle."""
    return any(isinstance(given.type, ArrayType) and isinstance(given.type.of, SetType) for given in game.givens)


def _promised(fault: Diagnostic) -> Diagnostic:
    helps = (Help("fine where the input promises that there is no circle; `endless` says what one means"),)
    message = fault.message.replace("a position can come back", "with such data a position can come back", 1)
    return msgspec.structs.replace(fault, severity="warning", message=message, helps=helps)


def _search(
    evaluator: Evaluator, start: Position, done: set[Position], limit: int, deadline: float
) -> Diagnostic | None:
    """Depth first, with the path; positions of `done` cannot lead back to themselves."""
    path: dict[Position, deque[Position]] = {start: _options(evaluator, start)}
    while path and limit > 0 and time.monotonic() < deadline:
        position = next(reversed(path))
        if not path[position]:
            done.add(position)
            del path[position]
            limit -= 1
            continue
        look()
        option = path[position].popleft()
        if option in path:
            return repeating(evaluator, option, list(path)).diagnostics[0]
        if option not in done:
            path[option] = _options(evaluator, option)
    return None


def _options(evaluator: Evaluator, position: Position) -> deque[Position]:
    try:
        if evaluator.verdict(position) is not None:
            return deque()
        played = evaluator.moves(position)
    except RuleFault:
        return deque()
    return deque(dict.fromkeys(after for move in played for after in move.results))
