"""Orders of the positions that every move lowers: the rank functions of A11.

A lexicographic order is built greedily, which is complete for the given columns (Alias et al. 2010): take a field
that no remaining move raises and that some remaining move lowers; those moves are done, the others go on under the
assumption that the field stays. If fields alone do not do it, sums of fields with small weights are tried; they
prove that play ends, but are no order of table cells.
"""

from __future__ import annotations

from itertools import product
from math import prod

import msgspec

from gamespec.analysis.change import Change, Outcome
from gamespec.analysis.evidence import Evidence, Order
from gamespec.analysis.pieces import ranked_pieces
from gamespec.game.form import ZERO, Form
from gamespec.game.linear import Whys
from gamespec.game.model import MOVER, Field
from gamespec.game.world import World
from gamespec.types import ArrayType, NamesType, SetType, element_bounds, is_scalar

MAX_WEIGHT = 3
MAX_RANKS = 160  # weighted sums tried
MOST_TRIED = 12  # where only the length of a play is asked


class Falls(msgspec.Struct, frozen=True):
    """What was found: an order, or only the evidence that play ends; `missing` says why there is no order."""

    order: Order | None
    missing: Evidence
    finite: Evidence | None
    monotone: dict[str, int]
    longest: int | None = None  # a bound on the moves of a play, where a rank gives one


class Rank(msgspec.Struct, frozen=True):
    """A weighted sum that every move lowers; `span` is the difference of its largest and least value."""

    text: str
    span: int


def falls(world: World, outcomes: list[Outcome]) -> Falls:
    """Looks for an order of the positions, for a rank, and for fields that go one way only."""
    states = world.game.states
    monotone = {field.name: way for field in states if (way := _way(outcomes, field)) is not None}
    chosen, evidence, left = _lexicographic(outcomes, states)
    if not left:
        rest = tuple((field.name, 1) for field in states if field.name not in dict(chosen))
        order = Order((*chosen, *rest), tuple(evidence))
        longest = _span(world.game.state(chosen[0][0])) if len(chosen) == 1 else None
        if longest is None or not is_scalar(world.game.state(chosen[0][0]).type):
            shorter = _weighted(outcomes, states, MOST_TRIED)
            longest = longest if shorter is None else shorter.span
        return Falls(order, Evidence("there is an order"), _follows(order, chosen), monotone, longest)
    blocked = left[0]
    missing = Evidence(f"no order of the fields was found that move {blocked.name} always lowers", blocked.span)
    rank = _weighted(left, states)
    if rank is None:
        return Falls(None, missing, ranked_pieces(world, left), monotone)
    text = f"no position repeats: every move lowers {rank.text}"
    if chosen:
        text += f", or else {', '.join(_signed(name, way) for name, way in chosen)} before that"
    longest = None if chosen else rank.span
    return Falls(None, missing, Evidence(text, blocked.span), monotone, longest)


def _span(field: Field) -> int | None:
    """The most that a field, the size of a set or the sum of an array can fall by."""
    match field.type:
        case SetType(of):
            return element_bounds(of).size
        case ArrayType(dims, of):
            cells = prod(bounds.size for bounds in dims)
            return cells * (element_bounds(of).size - 1) if is_scalar(of) else None
        case of:
            return element_bounds(of).size - 1


def _follows(order: Order, chosen: tuple[tuple[str, int], ...]) -> Evidence:
    if not chosen:
        return Evidence("no position repeats: there is no move that leaves a position")
    names = ", then ".join(_signed(name, way) for name, way in chosen)
    plural = "is a rank" if len(chosen) == 1 else "rank the positions"
    return Evidence(f"no position repeats: {names} {plural}", order.reasons[0].span if order.reasons else None)


def _signed(name: str, way: int) -> str:
    return name if way > 0 else f"-{name}"


def _way(outcomes: list[Outcome], field: Field) -> int | None:
    """−1: no move raises the field, or a cell of it; +1: none lowers it; 0: none changes it; None: unknown."""
    if not is_scalar(field.type) and not isinstance(field.type, SetType | ArrayType):
        return None
    never_rises = all(Change(outcome, field, 1).everywhere() is not None for outcome in outcomes)
    never_falls = all(Change(outcome, field, -1).everywhere() is not None for outcome in outcomes)
    if never_rises and never_falls:
        return 0
    return -1 if never_rises else 1 if never_falls else None


def _lexicographic(
    outcomes: list[Outcome], states: tuple[Field, ...]
) -> tuple[tuple[tuple[str, int], ...], list[Evidence], list[Outcome]]:
    """Columns, why each was taken, and the outcomes that no column lowers."""
    left = list(outcomes)
    chosen: dict[str, int] = {}
    evidence: list[Evidence] = []
    while left:
        column = _next_column(left, [field for field in states if field.name not in chosen])
        if column is None:
            break
        field, way, done = column
        chosen[field.name] = way
        evidence += [Evidence(_sentence(outcome, field, way), outcome.span) for outcome in done]
        left = [_unchanged(outcome, field) for outcome in left if outcome not in done]
    return tuple(chosen.items()), evidence, left


def _next_column(left: list[Outcome], fields: list[Field]) -> tuple[Field, int, list[Outcome]] | None:
    """A field that no outcome moves the wrong way and the most outcomes move the right way."""
    best: tuple[Field, int, list[Outcome]] | None = None
    for field in fields:
        for way in (1, -1):
            if all(field.name not in outcome.changes for outcome in left):
                continue
            done = []
            for outcome in left:
                change = Change(outcome, field, way)
                if change.strict() is not None:
                    done.append(outcome)
                elif change.weak() is None:
                    break
            else:
                if len(done) == len(left):
                    return field, way, done
                helps = bool(done) or any(_assumes(outcome, field) for outcome in left)
                if helps and (best is None or len(done) > len(best[2])):
                    best = field, way, done
    return best


def _assumes(outcome: Outcome, field: Field) -> bool:
    """Whether it says something that an outcome leaves a field as it is."""
    amount = Change(outcome, field, 1).amount() if is_scalar(field.type) else None
    return amount is not None and bool(amount.terms)


def _unchanged(outcome: Outcome, field: Field) -> Outcome:
    """The outcome where it leaves the field as it is: only that is of interest for what stands behind the field."""
    amount = Change(outcome, field, 1).amount() if _assumes(outcome, field) else None
    if amount is None:
        return outcome
    context = outcome.context.child()
    context.learn_equal(amount, ZERO, f"{field.name} stays")
    return Outcome(outcome.name, context, outcome.changes, outcome.span, outcome.part)


def _sentence(outcome: Outcome, field: Field, way: int) -> str:
    """`take lowers n by 1..9`"""
    verb = "lowers" if way > 0 else "raises"
    subject = f"each part of {outcome.name}" if outcome.part else f"move {outcome.name}"
    amount = Change(outcome, field, way).amount() if is_scalar(field.type) else None
    if amount is None or isinstance(field.type, NamesType):
        verb = {"lowers": "takes from", "raises": "adds to"}[verb] if isinstance(field.type, SetType) else verb
        return f"{subject} {verb} {field.name}"
    bounds = outcome.context.bounds(amount)
    lo = max(1, bounds.lo)
    by = str(lo) if bounds.hi <= lo else f"{lo}..{bounds.hi}"
    return f"{subject} {verb} {field.name} by {by}"


def _weighted(left: list[Outcome], states: tuple[Field, ...], most: int = MAX_RANKS) -> Rank | None:
    """A sum of weighted fields that every outcome lowers; at most so many are tried."""
    changed = [field for field in states if any(field.name in outcome.changes for outcome in left)]
    fields = [field for field in changed if field.name != MOVER]
    if len(fields) < 2 and not any(isinstance(field.type, ArrayType | SetType) for field in fields):
        return None
    amounts: dict[tuple[str, int, int], Form | None] = {}
    for field, way, (place, outcome) in product(fields, (1, -1), enumerate(left)):
        amounts[field.name, way, place] = Change(outcome, field, way).amount()
    alone = [isinstance(field.type, ArrayType | SetType) for field in fields]
    for weights in _weights(len(fields))[:most]:
        if sum(map(bool, weights)) == 1 and not any(w and a for w, a in zip(weights, alone, strict=True)):
            continue  # a single field was tried before
        if all(_lowered(weights, fields, amounts, place, outcome) is not None for place, outcome in enumerate(left)):
            spans = [_span(field) or 0 for field in fields]
            span = sum(abs(weight) * span for weight, span in zip(weights, spans, strict=True))
            return Rank(_rank_text(weights, fields), span)
    return None


def _weights(count: int) -> list[tuple[int, ...]]:
    """Vectors of weights, plain ones first."""
    if count > 3:
        plain = [tuple([1] * count), tuple([-1] * count)]
        return plain + [tuple(1 if i in pair else 0 for i in range(count)) for pair in product(range(count), repeat=2)]
    every = [w for w in product(range(-MAX_WEIGHT, MAX_WEIGHT + 1), repeat=count) if any(w)]
    return sorted(every, key=lambda w: (sum(map(abs, w)), -sum(w)))[:MAX_RANKS]


def _lowered(
    weights: tuple[int, ...],
    fields: list[Field],
    amounts: dict[tuple[str, int, int], Form | None],
    place: int,
    outcome: Outcome,
) -> Whys | None:
    total = ZERO
    for weight, field in zip(weights, fields, strict=True):
        if weight:
            amount = amounts[field.name, 1 if weight > 0 else -1, place]
            if amount is None:
                return None
            total = total + amount.times(abs(weight))
    return outcome.context.prove(total.plus(-1))


def _rank_text(weights: tuple[int, ...], fields: list[Field]) -> str:
    words = []
    for weight, field in zip(weights, fields, strict=True):
        if not weight:
            continue
        name = field.name
        if isinstance(field.type, SetType):
            name = f"size({name})"
        elif isinstance(field.type, ArrayType):
            name = f"sum({name})"
        sign = "-" if weight < 0 else "+"
        words.append(f"{sign} {name}" if abs(weight) == 1 else f"{sign} {abs(weight)} * {name}")
    text = " ".join(words)
    return text.removeprefix("+ ") if text.startswith("+") else "-" + text.removeprefix("- ")
