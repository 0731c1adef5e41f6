"""Looks for a position at which a rule that is not proved fails."""

from __future__ import annotations

import time
from collections.abc import Iterator

from gamespec.diagnostics import Diagnostic, Kind, Note, counted
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault, TooMuchWork
from gamespec.game.model import Game, Position
from gamespec.game.sample import TooMany, everywhere, givens, positions
from gamespec.game.total import KINDS, Proofs
from gamespec.source import Span

SECONDS = 0.8
CASES = 12  # sets of givens looked at
STEPS = 1 << 14  # work at one position
SHOWN = 4  # places of one kind

NOT_PROVED = Kind(
    "GS170",
    "it is not proved{places} that {what}; this is checked while running",
    label="no fault at {count|position}",
    severity="note",
)
NOT_ALL = Kind(
    "GS609",
    "there are more than {limit} positions, and not all of them were looked at",
    severity="note",
)
NOT_WALKED = Kind(
    "GS171",
    "the rules are too large to be proved, so every operation is checked while running",
    severity="note",
)


def probe(game: Game, proofs: Proofs, limit: int, *, every: bool = False) -> list[Diagnostic]:
    """The faults found at up to `limit` positions (corners first), or a note for each kind of obligation not proved.

    Looks for at most about a second; with `every` at all positions, as long as it takes, and what holds at all of them
    needs no note. A position that takes too much work says nothing.
    """
    if proofs.complete and not proofs.unproved:
        return []
    found: dict[tuple[str, int], Diagnostic] = {}
    seen, whole = 0, every
    try:
        for evaluator, position in everywhere(game) if every else places(game, limit):
            seen += 1
            try:
                fault = _fault(evaluator, position)
            except TooMuchWork:
                whole = False
                continue
            if fault is not None:
                found.setdefault((fault.code, fault.span.start if fault.span else 0), fault)
    except TooMany:
        return list(found.values()) or [NOT_ALL.at(None, limit=f"{sample.EVERY:,}"), *probe(game, proofs, limit)]
    except RuleFault:  # the bounds of a field have no value
        whole = False
    if found or whole:
        return list(found.values())
    if not proofs.complete:
        return [NOT_WALKED.at(None)]
    kinds: dict[str, list[Span]] = {}
    for kind, span in proofs.unproved:
        kinds.setdefault(kind, []).append(span)
    return [_doubt(kind, spans, seen) for kind, spans in kinds.items()]


def _doubt(kind: str, spans: list[Span], seen: int) -> Diagnostic:
    """The note on what is not proved, at one place or at several."""
    places = "" if len(spans) == 1 else f" at {counted(len(spans), 'place')}"
    notes = [Note("and here", span) for span in spans[1:SHOWN]]
    return NOT_PROVED.at(spans[0], notes=notes, places=places, what=KINDS[kind], count=f"{seen:,}")


def places(game: Game, limit: int, seconds: float = SECONDS) -> Iterator[tuple[Evaluator, Position]]:
    """Up to `limit` positions, spread over several sets of givens, for a bounded time."""
    deadline = time.monotonic() + seconds
    count = 0
    try:
        for data in givens(game, CASES):
            evaluator = Evaluator(game, data, steps=STEPS)
            for position in positions(game, data, max(1, limit // CASES) if game.givens else limit):
                yield evaluator, position
                count += 1
                if count >= limit or time.monotonic() > deadline:
                    return
    except RuleFault:
        return  # the bounds of a field have no value


def _fault(evaluator: Evaluator, position: Position) -> Diagnostic | None:
    try:
        if evaluator.verdict(position) is None:
            evaluator.moves(position)
    except TooMuchWork:
        raise
    except RuleFault as fault:
        return fault.diagnostics[0]
    return None
