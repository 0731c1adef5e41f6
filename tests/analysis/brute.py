"""Facts held against the reference evaluator, position by position."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from gamespec.analysis.facts import Facts, analyse
from gamespec.diagnostics import Diagnostic
from gamespec.game.check import check
from gamespec.game.evaluate import Evaluator, Played
from gamespec.game.fault import RuleFault, TooMuchWork
from gamespec.game.model import Field, Game, Move, Position, Value
from gamespec.game.sample import givens, positions
from gamespec.source import Source, Span
from gamespec.syntax.read import read
from gamespec.types import ArrayType

KINDS = {
    "GS150": {"empty"},
    "GS151": {"call", "power"},
    "GS152": {"divide"},
    "GS153": {"index", "range"},
    "GS154": {"range", "depend", "part"},
    "GS155": {"range", "depend", "part"},
    "GS156": {"range", "depend", "part"},
    "GS157": {"require"},
    "GS158": {"clash"},
}
"""Which obligations speak of a fault of the evaluator."""


def game_of(text: str, name: str = "drawn") -> Game:
    source = Source(name, text, "text")
    return check(read(source), source, {})


def facts_of(text: str, name: str = "drawn") -> Facts:
    return analyse(game_of(text, name))


def disproofs(game: Game, facts: Facts, limit: int = 150, cases: int = 3) -> list[str]:
    """What the evaluator shows to be false of the facts, at some positions; empty if all is well."""
    found = []
    for data in givens(game, cases):
        evaluator = Evaluator(game, data, steps=1 << 14)
        leads: dict[Position, set[Position]] = {}
        for position in positions(game, data, limit):
            try:
                if evaluator.verdict(position) is not None:
                    continue
                plays = evaluator.moves(position)
            except TooMuchWork:
                continue
            except RuleFault as fault:
                if _proved(facts, fault.diagnostics[0], fault.move):
                    found.append(f"proved, but {fault}")
                continue
            for played, after in _results(plays):
                leads.setdefault(position, set()).add(after)
                found += _against_order(game, facts, position, after, played)
        if facts.finite is not None and _circular(leads):
            found.append(f"said to end, but a position comes back, under {data}")
    return found


def _circular(leads: dict[Position, set[Position]]) -> bool:
    try:
        tuple(TopologicalSorter(leads).static_order())
    except CycleError:
        return True
    return False


def _proved(facts: Facts, shown: Diagnostic, move: Move | None) -> bool:
    """Whether a fault was proved impossible: by place where an obligation has the same, else by kind and move."""
    kinds = KINDS.get(shown.code, set())
    if "range" not in kinds:
        here = [facts.proofs.reason(k, shown.span) for k in kinds if shown.span and _known(facts, k, shown.span)]
        if here:
            return None not in here
    open_here = {kind for kind, span in facts.proofs.unproved if move is None or _inside(span, move.span)}
    return bool(kinds) and not kinds & open_here


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _known(facts: Facts, kind: str, span: Span) -> bool:
    return (kind, span.start, span.end) in facts.proofs.reasons


def _results(plays: list[Played]) -> Iterator[tuple[Played, Position]]:
    for played in plays:
        for after in played.results:
            yield played, after


def _against_order(game: Game, facts: Facts, before: Position, after: Position, played: Played) -> list[str]:
    ranks = {
        field.name: (_rank(field, old), _rank(field, new))
        for field, old, new in zip(game.states, before, after, strict=True)
    }
    where = f"{before} → {after} by {game.moves[played.move].name} {played.choices}"
    found = []
    if facts.order is not None:
        old = [way * ranks[name][0] for name, way in facts.order.fields]
        new = [way * ranks[name][1] for name, way in facts.order.fields]
        if not new < old:
            found.append(f"the order {facts.order.fields} does not fall: {where}")
    if facts.finite is not None and before == after:
        found.append(f"said to end, but stays: {where}")
    for field, old_value, new_value in zip(game.states, before, after, strict=True):
        way = facts.monotone.get(field.name)
        if way is None:
            continue
        cells = isinstance(field.type, ArrayType) and isinstance(old_value, tuple) and isinstance(new_value, tuple)
        pairs = list(zip(old_value, new_value, strict=True)) if cells else [ranks[field.name]]
        if any((way <= 0 and high > low) or (way >= 0 and high < low) for low, high in pairs):
            found.append(f"{field.name} is not monotone {way}: {where}")
    return found


def _rank(field: Field, value: Value) -> int:
    """The number by which an order compares a field."""
    if isinstance(value, frozenset):
        return sum(1 << element for element in value)
    if isinstance(field.type, ArrayType) and isinstance(value, tuple):
        total = 0
        for cell in value:
            total = total * 1024 + int(cell)
        return total
    assert isinstance(value, int)
    return value
