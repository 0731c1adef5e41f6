"""Builtins on whole numbers: `abs`, `min`, `max`, `gcd`, `popcount`, `bit`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from gamespec.builtins.entry import (
    BITS,
    Builtin,
    BuiltinTypeError,
    NothingToChoose,
    Undefined,
    Value,
    count_of,
    number,
    numbers_in,
)
from gamespec.interval import EMPTY, Interval
from gamespec.types import IntType, Type


def integers(values: Iterable[Value]) -> list[int]:
    """The values as numbers, which the type rule has made sure of."""
    return [cast(int, value) for value in values]


def _all_numbers(args: Sequence[Type]) -> list[Interval]:
    return [number(args, index) for index in range(len(args))]


def _operands(args: Sequence[Value]) -> list[int]:
    """The numbers a call speaks of: its arguments, or the elements of its only one."""
    first = args[0]
    return integers(first if len(args) == 1 and isinstance(first, frozenset | tuple) else args)


def _only_collection(args: Sequence[Type]) -> bool:
    return len(args) == 1 and not isinstance(args[0], IntType)


def _abs_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    return IntType(number(args, 0).abs())


def _abs(args: Sequence[Value]) -> Value:
    return abs(cast(int, args[0]))


ABS = Builtin(
    name="abs",
    signature="abs(a)",
    doc="The distance of a number from 0.",
    examples=(("abs(-3)", "3"), ("abs(0)", "0")),
    result=_abs_result,
    evaluate=_abs,
)


def _extreme_result(pick: Callable[[Iterable[int]], int]) -> Callable[[Sequence[Type]], Type]:
    def result(args: Sequence[Type]) -> Type:
        count_of(args, 1)
        if _only_collection(args):
            return IntType(numbers_in(args, 0))
        if len(args) == 1:
            raise BuiltinTypeError("needs several numbers, or one set, list or array", 0)
        bounds = _all_numbers(args)
        if any(each.empty for each in bounds):
            return IntType(EMPTY)
        return IntType(Interval(pick(each.lo for each in bounds), pick(each.hi for each in bounds)))

    return result


def _extreme(pick: Callable[[Iterable[int]], int]) -> Callable[[Sequence[Value]], Value]:
    def evaluate(args: Sequence[Value]) -> Value:
        operands = _operands(args)
        if not operands:
            raise NothingToChoose
        return pick(operands)

    return evaluate


MIN = Builtin(
    name="min",
    signature="min(a, b, …), min(S)",
    doc="The least of several numbers, or of the elements of a set, a list or an array.",
    examples=(("min(3, 1, 2)", "1"), ("min({5, 7})", "5"), ("min(digits(907))", "0")),
    result=_extreme_result(min),
    evaluate=_extreme(min),
    partial="there is no element",
    may_fail=_only_collection,
)

MAX = Builtin(
    name="max",
    signature="max(a, b, …), max(S)",
    doc="The largest of several numbers, or of the elements of a set, a list or an array.",
    examples=(("max(3, 1, 2)", "3"), ("max({5, 7})", "7"), ("max(digits(907))", "9")),
    result=_extreme_result(max),
    evaluate=_extreme(max),
    partial="there is no element",
    may_fail=_only_collection,
)


def _gcd_result(args: Sequence[Type]) -> Type:
    count_of(args, 1)
    if _only_collection(args):
        return IntType(Interval(0, max(0, numbers_in(args, 0).abs().hi)))
    bounds = [each.abs() for each in _all_numbers(args)]
    if any(each.empty for each in bounds):
        return IntType(EMPTY)
    never_zero = [each.hi for each in bounds if each.lo > 0]
    if never_zero:
        return IntType(Interval(1, min(never_zero)))
    return IntType(Interval(0, max(each.hi for each in bounds)))


def _gcd(args: Sequence[Value]) -> Value:
    return math.gcd(*_operands(args))


GCD = Builtin(
    name="gcd",
    signature="gcd(a, b, …), gcd(S)",
    doc="The greatest common divisor of numbers, or of the elements of a set, a list or an array. "
    "It is never negative; `gcd(a, 0)` is `abs(a)`, and the gcd of no numbers is 0.",
    examples=(("gcd(12, 18)", "6"), ("gcd(-4, 0)", "4"), ("gcd(0, 0)", "0"), ("gcd({8, 12, 20})", "4")),
    result=_gcd_result,
    evaluate=_gcd,
)


def _popcount_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    bounds = number(args, 0).meet(Interval(0, (1 << BITS) - 1))
    if bounds.empty:
        return IntType(EMPTY)
    if bounds.size == 1:
        ones = bounds.lo.bit_count()
        return IntType(Interval(ones, ones))
    # All numbers below 2^k - 1 have fewer than k ones.
    return IntType(Interval(int(bounds.lo > 0), (bounds.hi + 1).bit_length() - 1))


def _popcount(args: Sequence[Value]) -> Value:
    value = cast(int, args[0])
    if value < 0:
        raise Undefined(f"counts the ones of a number that is not negative, but gets {value}")
    return value.bit_count()


POPCOUNT = Builtin(
    name="popcount",
    signature="popcount(n)",
    doc="How many ones the binary digits of a number from 0 have.",
    examples=(("popcount(0)", "0"), ("popcount(7)", "3"), ("popcount(8)", "1")),
    result=_popcount_result,
    evaluate=_popcount,
    partial="n is negative",
    may_fail=lambda args: number(args, 0).lo < 0,
)


def _bit_result(args: Sequence[Type]) -> Type:
    count_of(args, 2, 2)
    _all_numbers(args)
    return IntType(Interval(0, 1))


def _bit(args: Sequence[Value]) -> Value:
    value, place = integers(args)
    if place < 0:
        raise Undefined(f"numbers the binary digits from 0, but is asked for digit {place}")
    return value >> min(place, BITS + 1) & 1


BIT = Builtin(
    name="bit",
    signature="bit(n, i)",
    doc="The binary digit of weight 2 ** i, 0 or 1. Negative numbers are seen as in two's complement: "
    "all their high digits are 1.",
    examples=(("bit(5, 0)", "1"), ("bit(5, 1)", "0"), ("bit(5, 2)", "1"), ("bit(-1, 100)", "1")),
    result=_bit_result,
    evaluate=_bit,
    partial="i is negative",
    may_fail=lambda args: number(args, 1).lo < 0,
)

ENTRIES = (ABS, MIN, MAX, GCD, POPCOUNT, BIT)
