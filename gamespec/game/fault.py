"""Faults that a rule shows at a position, as diagnostics in the user's own names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from gamespec.diagnostics import Diagnostic, Help, Kind, Note, SpecError
from gamespec.game import model, problems
from gamespec.game.model import Expr, Field, Game, Move, Position, Update, Value
from gamespec.game.show import MOST_ELEMENTS, number_text, value_text
from gamespec.game.walk import within
from gamespec.source import Span
from gamespec.types import IntType, SetType, Type

if TYPE_CHECKING:
    from gamespec.game.scene import Scene
    from gamespec.game.trace import Trace

Bound = Mapping[str, Value]


class RuleFault(SpecError):
    """A rule fails at a position: `position` is the one before the move, `move` the rule that was tried."""

    def __init__(self, diagnostic: Diagnostic, game: Game, position: Position | None, move: Move | None = None) -> None:
        super().__init__(diagnostic, source=game.source)
        self.position = position
        self.move = move


class TooMuchWork(RuleFault):
    """A position takes more steps than the evaluator was given; nothing is said about the rule."""


class ComesBack(RuleFault):
    """A play returns to a position, and the spec does not say what that means."""


class Misfit(RuleFault):
    """A move leads outside the declared ranges or what is required."""


# --- in an expression --------------------------------------------------------------------------------------


def nothing_to_choose(scene: Scene, expression: Expr, bound: Bound) -> RuleFault:
    """`min` or `max` of no values."""
    guard = None
    if isinstance(expression, model.Call) and isinstance(expression.args[0].type, SetType):
        text = text_of(scene.game, expression.args[0])
        guard = None if text is None else f"{text} != {{}}"
    return _in_expression(problems.NOTHING_TO_CHOOSE, scene, expression, bound, guard)


def undefined(scene: Scene, expression: Expr, bound: Bound, reason: str) -> RuleFault:
    """A builtin or a power without a value; `reason` is a verb phrase."""
    return _in_expression(problems.UNDEFINED, scene, expression, bound, None, reason=reason)


def division_by_zero(scene: Scene, expression: model.Binary, bound: Bound) -> RuleFault:
    divisor = text_of(scene.game, expression.right)
    guard = None if divisor is None else f"{_compared(divisor, expression.right)} != 0"
    return _in_expression(problems.DIVISION_BY_ZERO, scene, expression, bound, guard, divisor=divisor or "the divisor")


def outside_array(
    scene: Scene, expression: Expr | Update, index: Expr, dims: tuple[Expr, Expr], bound: Bound
) -> RuleFault:
    """An index that is not within `dims`, in an expression or on the left of an update."""
    lo, hi = (scene.number(end, {}) for end in dims)
    found = scene.number(index, bound)
    text, low, high = text_of(scene.game, index), text_of(scene.game, dims[0]), text_of(scene.game, dims[1])
    guard = None
    always = isinstance(index, model.Const) and all(isinstance(end, model.Const) for end in dims)
    if text and low and high and not always:
        text = _compared(text, index)
        guard = f"{text} >= {low}" if found < lo else f"{text} <= {high}"
    if isinstance(expression, Update):
        parts: Sequence[Expr] = (index,)
        shown = f"{expression.field}[{text}]" if text else expression.field
        span = index.span if index.span.end else expression.span
    else:
        parts, shown, span = (expression,), text_of(scene.game, expression) or "an index", expression.span
    words = {"expr": shown, "index": number_text(found), "lo": lo, "hi": hi}
    return _fault(problems.OUTSIDE_ARRAY, scene, parts, bound, span=span, guard=guard, words=words)


def number_too_large(scene: Scene, expression: Expr, bound: Bound) -> RuleFault:
    return _in_expression(problems.NUMBER_TOO_LARGE, scene, expression, bound, None)


def set_too_large(scene: Scene, expression: Expr, bound: Bound, size: int) -> RuleFault:
    shown = f"{size:,}" if size.bit_length() <= 256 else "far too many"
    return _in_expression(problems.SET_TOO_LARGE, scene, expression, bound, None, size=shown)


def too_much_work(scene: Scene, expression: Expr, bound: Bound, limit: int) -> RuleFault:
    diagnostic = _diagnostic(
        problems.TOO_MUCH_WORK,
        scene,
        (expression,),
        bound,
        span=expression.span,
        words={"expr": text_of(scene.game, expression) or "a set", "limit": f"{limit:,}"},
    )
    return TooMuchWork(diagnostic, scene.game, scene.position, scene.move)


# --- in a move ---------------------------------------------------------------------------------------------


class Change(msgspec.Struct, frozen=True):
    """What a move does to one field: by an update, or (None) by a component that it leaves."""

    field: Field
    update: Update | None
    span: Span
    bound: Bound


def leaves_range(scene: Scene, change: Change, cell: str, value: int, bounds: tuple[int, int]) -> RuleFault:
    """A cell got a number outside its declared range, `bounds`."""
    guard = None if change.update is None else _range_guard(scene.game, change.field, change.update, value < bounds[0])
    words = {"cell": cell, "value": number_text(value), "lo": bounds[0], "hi": bounds[1]}
    return _in_change(problems.LEAVES_RANGE, scene, change, guard, words)


def leaves_set(scene: Scene, change: Change, cell: str, value: int, bounds: tuple[int, int]) -> RuleFault:
    """A set got an element outside its declared range, `bounds`."""
    words = {"cell": cell, "value": number_text(value), "lo": bounds[0], "hi": bounds[1]}
    return _in_change(problems.LEAVES_SET, scene, change, None, words)


def wrong_length(scene: Scene, change: Change, found: int, cells: int) -> RuleFault:
    """A whole array got another number of cells."""
    words = {"cell": change.field.name, "found": found, "cells": cells}
    return _in_change(problems.WRONG_LENGTH, scene, change, None, words)


def breaks_require(scene: Scene, condition: Expr, span: Span, bound: Bound, after: Scene) -> RuleFault:
    """A move leads to a position that `require` excludes; the example shows the position before and after it."""
    text = text_of(scene.game, condition) or "…"
    parts = [*_everything(scene.game, (condition,)), *_choices_of(scene.move)]
    shown = after.when((condition,), {}).removeprefix(" when ") or "the same"
    trace = _trace()
    trace.through(after, _broken(after, condition), {}, after=True)
    _trace_move(trace, scene, _new_values(scene, None, span), bound)
    notes = [*([Note("required here", condition.span)] if condition.span.end else ()), *trace.notes.values()]
    words = {"doer": _doer(scene), "condition": text, "after": shown}
    diagnostic = _diagnostic(problems.BREAKS_REQUIRE, scene, parts, bound, span=span, notes=notes, words=words)
    return Misfit(diagnostic, scene.game, scene.position, scene.move)


def set_twice(scene: Scene, update: Update, cell: str, bound: Bound) -> RuleFault:
    parts = [*(update.indices or ()), *_choices_of(scene.move)]
    diagnostic = _diagnostic(
        problems.CELL_SET_TWICE, scene, parts, bound, span=update.span, words={"doer": _doer(scene), "cell": cell}
    )
    return Misfit(diagnostic, scene.game, scene.position, scene.move)


def _in_change(kind: Kind, scene: Scene, change: Change, guard: str | None, words: Mapping[str, object]) -> RuleFault:
    parts = _parts(scene.game, change.field, change.update, scene.move)
    trace = _trace()
    _trace_move(trace, scene, _new_values(scene, change.update, change.span), change.bound)
    words = {"doer": _doer(scene), **words}
    diagnostic = _diagnostic(
        kind, scene, parts, change.bound, span=change.span, guard=guard, notes=trace.notes.values(), words=words
    )
    return Misfit(diagnostic, scene.game, scene.position, scene.move)


def _trace() -> Trace:
    """An empty trace; its module is read only where there is a fault to show."""
    from gamespec.game.trace import Trace

    return Trace()


def _new_values(scene: Scene, update: Update | None, span: Span) -> list[Expr]:
    """What a move makes: by one update, or (None) by all of them, or the part of `into` at this place."""
    effect = scene.move.effect if scene.move else None
    match effect:
        case _ if update is not None:
            return [*(update.indices or ()), update.value]
        case model.Do(updates=updates):
            return [expression for each in updates for expression in (*(each.indices or ()), each.value)]
        case model.Into(parts=parts):
            return [arg for part in parts if part.span.start == span.start for arg in part.args]
        case _:
            return []


def _trace_move(trace: Trace, scene: Scene, made: Sequence[Expr], bound: Bound) -> None:
    """Adds what the new values go through, then where choices in them come from, then the guards.

    Where definitions were found before the guards, only guards that use one of those in the new values are added.
    """
    trace.through(scene, made, bound)
    if scene.move is None:
        return
    inner = [each for part in made for each in within(part, scene.game.lets)]
    chosen = {each.name for each in inner if isinstance(each, model.LocalRef)}
    trace.through(scene, [choice.within for choice in scene.move.choices if choice.name in chosen], bound)
    used = {each.name for each in inner if isinstance(each, model.LetRef)}

    guards = [guard for stage in scene.move.guards for guard in stage]
    if trace.notes:
        guards = [guard for guard in guards if used & {e.name for e in within(guard) if isinstance(e, model.LetRef)}]
    trace.through(scene, guards, bound)


def _broken(scene: Scene, condition: Expr) -> list[Expr]:
    """The first operand of the `and`s of a condition that is false."""
    if isinstance(condition, model.And):
        return next((_broken(scene, each) for each in condition.operands if not scene.known(each, {})), [])
    return [condition]


def _doer(scene: Scene) -> str:
    """What brings a new position about, as a message calls it."""
    return f"move `{scene.move.name}`" if scene.move else "`start`"


def _parts(game: Game, field: Field, update: Update | None, move: Move | None) -> list[Expr]:
    """What the new value of a field depends on: it is shown in the example."""
    if update is None:
        return [*(model.StateRef(name=each.name, type=each.type) for each in game.states), *_choices_of(move)]
    old = () if update.op == "=" else (model.StateRef(name=field.name, type=field.type),)
    return [*old, *(update.indices or ()), update.value]


def _choices_of(move: Move | None) -> Iterable[Expr]:
    """References to everything that a move chooses."""
    for choice in move.choices if move else ():
        element = getattr(choice.within.type, "of", None)
        if element is not None:
            yield model.LocalRef(name=choice.name, type=cast(Type, element))


def _everything(game: Game, parts: Iterable[Expr]) -> Iterable[Expr]:
    """The parts themselves, and every state field: the position before a move is shown whole."""
    yield from (model.StateRef(name=field.name, type=field.type) for field in game.states)
    yield from parts


def _range_guard(game: Game, field: Field, update: Update, below: bool) -> str | None:
    """The condition that keeps an update of a number within its declaration, or None if no text can say it."""
    if update.indices is not None or not isinstance(field.type, IntType):
        return None
    end = field.lo if below else field.hi
    value, bound = text_of(game, update.value), None if end is None else text_of(game, end)
    if value is None or bound is None:
        return None
    compare = ">=" if below else "<="
    match update.op:
        case "=":
            return f"{_compared(value, update.value)} {compare} {bound}"
        case "-=" if below and bound == "0":
            return f"{_compared(value, update.value)} <= {field.name}"
        case "-=":
            return f"{field.name} - {_operand(value, update.value)} {compare} {bound}"
        case "+=":
            return f"{field.name} + {_compared(value, update.value)} {compare} {bound}"
        case _:
            return None


# --- texts -------------------------------------------------------------------------------------------------


def text_of(game: Game, expression: Expr) -> str | None:
    """The source text of an expression on one line; a constant without a place is written out; else None."""
    if expression.span.end > expression.span.start:
        return " ".join(game.source.slice(expression.span).split())
    if isinstance(expression, model.Const):
        return value_text(expression.value, expression.type)
    return None


def _compared(text: str, expression: Expr) -> str:
    """The text, in parentheses where a comparison around it would tear it apart."""
    loose = model.If | model.And | model.Or | model.Not | model.Compare | model.Member | model.Range
    return f"({text})" if isinstance(expression, loose) else text


def _operand(text: str, expression: Expr) -> str:
    """The text, in parentheses where a sum around it would tear it apart."""
    return f"({text})" if isinstance(expression, model.Binary) else _compared(text, expression)


def when_text(scene: Scene, parts: Iterable[Expr], bound: Bound) -> str:
    """` when n = 10, k = 3`: what the parts depend on; empty if they depend on nothing."""
    types: dict[str, Type] = {}
    for part in parts:
        for inner in within(part, scene.game.lets):
            if isinstance(inner, model.StateRef | model.GivenRef | model.InputRef | model.LocalRef):
                types.setdefault(inner.name, inner.type)
    order = [field.name for field in (*scene.game.givens, *scene.game.states)]
    order += [name for name in types if name not in order and name in scene.values]
    order += [name for name in bound if name not in scene.values]
    texts = []
    for name in order:
        if name in types and (name in scene.values or name in bound):
            value = scene.values[name] if name in scene.values else bound[name]
            texts.append(f"{name} = {value_text(value, types[name], MOST_ELEMENTS)}")
    return f" when {', '.join(texts)}" if texts else ""


def _in_expression(
    kind: Kind, scene: Scene, expression: Expr, bound: Bound, guard: str | None, **words: object
) -> RuleFault:
    shown = text_of(scene.game, expression) or "an expression"
    return _fault(kind, scene, (expression,), bound, span=expression.span, guard=guard, words={"expr": shown, **words})


def _fault(
    kind: Kind,
    scene: Scene,
    parts: Sequence[Expr],
    bound: Bound,
    *,
    span: Span,
    guard: str | None,
    words: Mapping[str, object],
) -> RuleFault:
    trace = _trace()
    if scene.explains:
        trace.through(scene, parts, bound)
        guard = _edge_guard(scene, parts, bound) or guard
    notes = trace.notes.values()
    diagnostic = _diagnostic(kind, scene, parts, bound, span=span, guard=guard, notes=notes, words=words)
    return RuleFault(diagnostic, scene.game, scene.position, scene.move)


def _diagnostic(
    kind: Kind,
    scene: Scene,
    parts: Sequence[Expr],
    bound: Bound,
    *,
    span: Span,
    guard: str | None = None,
    notes: Iterable[Note] = (),
    words: Mapping[str, object],
) -> Diagnostic:
    if span.end == 0 and scene.move is not None:
        span = scene.move.span
    helps: tuple[Help, ...] = ()
    if guard is not None and scene.move is not None and _may_guard(scene, parts, bound):
        helps = (Help("rule it out with a guard:", "when", guard),)
    return kind.at(span, notes=notes, helps=helps, when=when_text(scene, parts, bound), **words)


def _may_guard(scene: Scene, parts: Sequence[Expr], bound: Bound) -> bool:
    """Whether `when` can see all that the parts depend on: a name of a `for` is out of its sight."""
    chosen = {choice.name for choice in scene.move.choices} if scene.move else set()
    used = {inner.name for part in parts for inner in within(part) if isinstance(inner, model.LocalRef)}
    return used & set(bound) <= chosen


def _edge_guard(scene: Scene, parts: Sequence[Expr], bound: Bound) -> str | None:
    """`n > 0` if the parts depend on the one number n, it is as small as declared, and the next larger one is fine."""
    refs = {
        inner.name: inner
        for part in parts
        for inner in within(part, scene.game.lets)
        if isinstance(inner, model.StateRef | model.GivenRef)
        or (isinstance(inner, model.LocalRef) and inner.name in bound)
    }
    if len(refs) != 1:
        return None
    ref = next(iter(refs.values()))
    if not isinstance(ref, model.StateRef) or not isinstance(ref.type, IntType):
        return None
    field = scene.game.state(ref.name)
    value = cast(int, scene.values[ref.name])
    for end, step, sign in ((field.lo, 1, ">"), (field.hi, -1, "<")):
        if end is not None and scene.number(end, {}) == value and scene.works(parts, ref.name, value + step):
            return f"{ref.name} {sign} {value}"
    return None
