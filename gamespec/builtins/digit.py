"""Builtins on the digits of a number: `digits`."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.builtins.entry import Builtin, Undefined, Value, count_of, number
from gamespec.builtins.number import integers
from gamespec.interval import EMPTY, Interval
from gamespec.types import IntType, ListType, Type


def _base(args: Sequence[Type]) -> Interval:
    return number(args, 1) if len(args) > 1 else Interval(10, 10)


def _digits_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 2)
    value = number(args, 0).meet(Interval(0, number(args, 0).hi))
    base = _base(args).meet(Interval(2, _base(args).hi))
    if value.empty or base.empty:
        return ListType(IntType(EMPTY))
    if value.hi < base.lo:
        return ListType(IntType(value))
    return ListType(IntType(Interval(0, min(value.hi, base.hi - 1))))


def _digits(args: Sequence[Value]) -> Value:
    value, base = [*integers(args), 10][:2]
    if value < 0:
        raise Undefined(f"takes the digits of a number that is not negative, but gets {value}")
    if base < 2:
        raise Undefined(f"needs a base of at least 2, but gets {base}")
    found = [value % base]
    while value >= base:
        value //= base
        found.append(value % base)
    return tuple(reversed(found))


DIGITS = Builtin(
    name="digits",
    signature="digits(n), digits(n, base)",
    doc="The digits of a number from 0, most significant first, as a list: folds and `for` see every digit, "
    "set operators, `in` and `choose` take it as a set. The digits of 0 are one 0; the base is 10 if none is given.",
    examples=(
        ("sum(digits(9919))", "28"),
        ("digits(9919) - {1}", "{9}"),
        ("digits(6, 2) | {}", "{0, 1}"),
        ("digits(0) | {}", "{0}"),
        ("count(d == 9 for d in digits(9919))", "3"),
    ),
    result=_digits_result,
    evaluate=_digits,
    partial="n is negative, or base is less than 2",
    may_fail=lambda args: number(args, 0).lo < 0 or _base(args).lo < 2,
    element_at_most=0,
)

ENTRIES = (DIGITS,)
