"""The definitions that a fault goes through, with their values at the position, as notes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from gamespec.diagnostics import Note
from gamespec.game import model
from gamespec.game.model import Bind, Expr, Value
from gamespec.game.show import MOST_ELEMENTS, value_text
from gamespec.game.walk import children, names_read, within
from gamespec.source import Span
from gamespec.types import is_scalar

if TYPE_CHECKING:
    from gamespec.game.scene import Scene

MOST = 3
"""The most definitions that one fault shows."""

LONGEST = 60
"""The longest explanation, in characters, that stands before the value of a definition."""

Bound = Mapping[str, Value]


class Trace:
    """Collects notes on definitions, those first that were met first, each definition once."""

    def __init__(self) -> None:
        self.notes: dict[int, Note] = {}

    def through(self, scene: Scene, parts: Iterable[Expr], bound: Bound, *, after: bool = False) -> None:
        """Adds the definitions that the parts use at a position; `after` says that it is the one after the move.

        What stands in the parts comes before what their definitions use. A branch that is not taken there is left
        out, and so is what has no value.
        """
        for part in parts:
            for inner in _passed(scene, part, bound):
                if len(self.notes) >= MOST:
                    return
                found = _definition(scene, inner, bound)
                if found is None or found[1].start in self.notes:
                    continue
                name, span = found
                value = _known(scene, inner, bound)
                if value is None:
                    continue
                text = f"{name} is {value_text(value, inner.type, MOST_ELEMENTS)}"
                if isinstance(inner, model.LetRef):
                    text = _because(scene, scene.game.lets[inner.name]) + text
                if after and any(field.name in names_read(inner, scene.game.lets) for field in scene.game.states):
                    text += " after the move"
                self.notes[span.start] = Note(text, span if span.end else None)


def _passed(scene: Scene, part: Expr, bound: Bound) -> Iterator[Expr]:
    """What is evaluated for a part in the order written; what stands in a definition comes after all that uses it."""
    later = deque([part])
    seen: set[str] = set()
    while later:
        waiting = [later.popleft()]
        while waiting:
            current = waiting.pop()
            yield current
            if isinstance(current, model.LetRef):
                if current.name not in seen:
                    seen.add(current.name)
                    later.append(scene.game.lets[current.name])
            elif _function(scene, current) is not None:
                later += _evaluated(scene, current, bound)
            else:
                waiting += reversed(_evaluated(scene, current, bound))


def _evaluated(scene: Scene, expression: Expr, bound: Bound) -> list[Expr]:
    """The parts of an expression, without the branch of an `if` that is not taken."""
    if isinstance(expression, model.If):
        taken = _known(scene, expression.condition, bound)
        if taken is not None:
            return [expression.condition, expression.then if taken else expression.other]
    return list(children(expression))


def _function(scene: Scene, expression: Expr) -> str | None:
    """The function whose body an expression is: a call that was written out."""
    return next((name for name, each in scene.game.functions.items() if _same(each.span, expression.span)), None)


def _definition(scene: Scene, expression: Expr, bound: Bound) -> tuple[str, Span] | None:
    """What is defined if the expression is a let, or a call of a function written out: how it is called, and where."""
    if isinstance(expression, model.LetRef):
        return expression.name, scene.game.lets[expression.name].span
    name = _function(scene, expression)
    if name is None:
        return None
    function = scene.game.functions[name]
    return f"{name}({_argument(scene, function, expression, bound)})", function.span


def _argument(scene: Scene, function: model.Function, body: Expr, bound: Bound) -> str:
    """The value of the argument of a call: what the body mentions from outside; `…` for several."""
    found: dict[str | int, Expr] = {}
    own = {bind.name for part in within(body) for bind in _binds(part)}
    waiting = list(children(body))
    while waiting and len(function.params) == 1:
        current = waiting.pop()
        if isinstance(current, model.LocalRef):
            if current.name not in own:
                found[current.name] = current
        elif current.span.start >= function.span.start and current.span.end <= function.span.end:
            waiting.extend(children(current))
        elif _function(scene, current) is None:
            found[id(current)] = current
    if len(found) != 1:
        return "…"
    (argument,) = found.values()
    value = _known(scene, argument, bound)
    return "…" if value is None else value_text(value, argument.type, MOST_ELEMENTS)


def _because(scene: Scene, definition: Expr) -> str:
    """`digits(0) is {0}, so `: the first builtin on numbers inside a definition, where it says more than the value."""
    for inner in within(definition):
        if not isinstance(inner, model.Call) or inner is definition:
            continue
        if not all(is_scalar(arg.type) for arg in inner.args) or not names_read(inner, scene.game.lets):
            continue
        values = [_known(scene, arg, {}) for arg in inner.args]
        value = _known(scene, inner, {})
        if value is None or None in values:
            continue
        args = ", ".join(
            value_text(given, arg.type) for given, arg in zip(values, inner.args, strict=True) if given is not None
        )
        text = f"{inner.name}({args}) is {value_text(value, inner.type, MOST_ELEMENTS)}, so "
        return text if len(text) <= LONGEST else ""
    return ""


def _known(scene: Scene, expression: Expr, bound: Bound) -> Value | None:
    """The value of an expression at a position; None if it has none, or depends on a name that is not bound there."""
    parts = list(within(expression))
    own = {bind.name for part in parts for bind in _binds(part)}
    if any(isinstance(part, model.LocalRef) and part.name not in own and part.name not in bound for part in parts):
        return None
    return scene.known(expression, bound)


def _binds(expression: Expr) -> tuple[Bind, ...]:
    if isinstance(expression, model.Reach):
        return (Bind(expression.name, expression.within),)
    return expression.tail.binds if isinstance(expression, model.Fold | model.SetComp) else ()


def _same(one: Span, other: Span) -> bool:
    """Whether two spans cover the same text; spans are equal to each other anywhere."""
    return one.start == other.start and one.end == other.end and one.end > 0
