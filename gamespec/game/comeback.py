"""Plays that come back to a position, as messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import chain, pairwise

from gamespec.diagnostics import counted
from gamespec.game import problems
from gamespec.game.evaluate import Evaluator, Played
from gamespec.game.fault import ComesBack, RuleFault
from gamespec.game.model import Game, Position
from gamespec.game.show import position_text

SEARCHED = 20_000
"""How many positions are searched for the shortest play that comes back."""

SEARCH_STEPS = 1 << 17
"""How many steps the evaluator may take for this, and to find one move of such a play."""

SHOWN = 6
"""How many moves of such a play a message shows."""


def repeating(evaluator: Evaluator, position: Position, path: Sequence[Position]) -> ComesBack:
    """The fault of a position that is met again; `path` leads from the start to the move back to it."""
    start = path.index(position)
    return coming_back(evaluator, path[start : start + SHOWN], path[-1], len(path) - start)


def coming_back(evaluator: Evaluator, first: Sequence[Position], last: Position, moves: int) -> ComesBack:
    """The fault of a position that is met again after some moves.

    `first` are the positions where the first moves are made, the repeated one in front: all of them, or SHOWN.
    `last` is where the last move is made. No others are asked for, as such a play may be very long.
    """
    game, givens = evaluator.game, evaluator.givens
    quick = Evaluator(game, givens, steps=SEARCH_STEPS)
    position = first[0]
    shorter = _way_back(quick, position)
    if shorter:
        first, last, moves = shorter[:SHOWN], shorter[-1], len(shorter)
    steps = [*pairwise(first), (last, position)]
    left_out = moves > SHOWN
    if left_out:
        steps[SHOWN - 2 : -1] = []
    words, made = [position_text(game, position, givens)], None
    for before, after in steps:
        made = _move_between(quick, before, after)
        how = "" if made is None else f"{_move_text(game, made)}: "
        words.append(how + position_text(game, after))
    if left_out:
        words.insert(-1, f"… ({counted(moves, 'move')}) …")
    move = None if made is None else game.moves[made.move]
    span, name = (move.span, move.name) if move else (None, "")
    diagnostic = problems.REPEATS.at(span, play=" → ".join(words), move=name)
    return ComesBack(diagnostic, game, position, move)


def _way_back(evaluator: Evaluator, position: Position) -> list[Position]:
    """The positions of a shortest play from a position to itself, none if it was not found soon."""
    came: dict[Position, Position] = {}
    queue = deque([position])
    while queue and len(came) < SEARCHED and evaluator.worked < SEARCH_STEPS:
        current = queue.popleft()
        try:
            over = evaluator.verdict(current) is not None
            plays = [] if over else evaluator.moves(current)
        except RuleFault:  # too much work, or another fault than the one to be told
            continue
        for after in chain.from_iterable(played.results for played in plays):
            if after == position:
                play = [current]
                while current != position:
                    current = came[current]
                    play.append(current)
                return play[::-1]
            if after not in came:
                came[after] = current
                queue.append(after)
    return []


def _move_between(evaluator: Evaluator, before: Position, after: Position) -> Played | None:
    """A move from one position to the other, None if the position is too wide to look for it."""
    try:
        return next((played for played in evaluator.moves(before) if after in played.results), None)
    except RuleFault:
        return None


def _move_text(game: Game, played: Played) -> str:
    return " ".join([game.moves[played.move].name, *map(str, played.choices)])
