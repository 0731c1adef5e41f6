"""The parts of typed expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, assert_never

import msgspec

from gamespec.game import model
from gamespec.game.model import Expr, Tail

N = TypeVar("N", bound=msgspec.Struct)

WORDS = ("type", "span", "name", "op", "value")
"""The fields of a node that hold no other node."""


def children(expression: Expr) -> Iterator[Expr]:
    """The expressions directly inside one, in the order written; the definition of a `let` is not inside."""
    match expression:
        case model.Const() | model.StateRef() | model.GivenRef() | model.LocalRef():
            pass
        case model.InputRef() | model.AnswerRef() | model.LetRef() | model.Stuck():
            pass
        case model.Neg(operand=operand) | model.Not(operand=operand) | model.After(operand=operand):
            yield operand
        case model.Binary(left=left, right=right) | model.Compare(left=left, right=right):
            yield left
            yield right
        case model.Member(item=item, within=within):
            yield item
            yield within
        case model.And(operands=operands) | model.Or(operands=operands):
            yield from operands
        case model.If(condition=condition, then=then, other=other):
            yield condition
            yield then
            yield other
        case model.Range(lo=lo, hi=hi):
            yield lo
            yield hi
        case model.SetOf(items=items):
            yield from items
        case model.SetComp(item=item, tail=tail) | model.Fold(item=item, tail=tail):
            yield item
            yield from tail_parts(tail)
        case model.Call(args=args):
            yield from args
        case model.Reach(start=start, step=step, within=within):
            yield start
            yield within
            yield step
        case model.Index(base=base, indices=indices, dims=dims):
            yield base
            yield from indices
            for lo, hi in dims:
                yield lo
                yield hi
        case _:
            assert_never(expression)


def tail_parts(tail: Tail) -> Iterator[Expr]:
    """The sets and the condition of a tail."""
    for bind in tail.binds:
        yield bind.within
    if tail.condition is not None:
        yield tail.condition


def within(expression: Expr, lets: dict[str, Expr] | None = None) -> Iterator[Expr]:
    """The expression and everything inside it, outermost first; with `lets`, each definition used once as well."""
    waiting = [expression]
    seen: set[str] = set()
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(list(children(current))))
        if lets is not None and isinstance(current, model.LetRef) and current.name not in seen:
            seen.add(current.name)
            waiting.append(lets[current.name])


def map_parts(node: N, change: Callable[[Any], Any]) -> N:
    """An expression, a bind or a tail with `change` of each of its parts, which are nodes or tuples of them."""
    parts = {name: change(getattr(node, name)) for name in node.__struct_fields__ if name not in WORDS}
    return msgspec.structs.replace(node, **parts)


def through_lets(expression: Expr, lets: Mapping[str, Expr]) -> Expr:
    """The expression that a name of a `let` stands for, or the expression itself."""
    while isinstance(expression, model.LetRef):
        expression = lets[expression.name]
    return expression


def names_read(expression: Expr, lets: dict[str, Expr]) -> set[str]:
    """The fields, givens, input names and bound names that an expression depends on, through every `let`."""
    return {
        part.name
        for part in within(expression, lets)
        if isinstance(part, model.StateRef | model.GivenRef | model.LocalRef | model.InputRef)
    }
