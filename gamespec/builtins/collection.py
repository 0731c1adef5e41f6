"""Builtins on sets, lists and arrays: `size`, `sum`, `count`, `any`, `all`, `closure`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from gamespec.builtins.entry import (
    CELLS,
    Builtin,
    BuiltinTypeError,
    TooLarge,
    Undefined,
    Value,
    collection,
    count_of,
    described,
    number,
    numbers_in,
    set_of,
    sizes,
    truths_in,
)
from gamespec.builtins.number import integers
from gamespec.interval import Interval
from gamespec.types import BOOL, IntType, SetType, Type

WORK = 4 * CELLS
"""The most additions that one closure may take."""

Elements = frozenset[int] | tuple[int, ...]


def _size_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    return IntType(sizes(collection(args, 0)))


def _size(args: Sequence[Value]) -> Value:
    return len(cast(Elements, args[0]))


SIZE = Builtin(
    name="size",
    signature="size(S)",
    doc="The number of elements of a set, a list or an array.",
    examples=(("size({4, 7, 4})", "2"), ("size(digits(4474))", "4"), ("size({})", "0"), ("size(5..1)", "0")),
    result=_size_result,
    evaluate=_size,
)


def _sum_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    of, bounds = collection(args, 0), numbers_in(args, 0)
    if bounds.empty:
        return IntType(Interval(0, 0))
    most = sizes(of).hi
    if not isinstance(of, SetType):
        return IntType(Interval(min(0, most * bounds.lo), max(0, most * bounds.hi)))
    return IntType(Interval(-_largest_sum(-bounds, most), _largest_sum(bounds, most)))


def _largest_sum(bounds: Interval, most: int) -> int:
    """The largest sum of at most `most` different positive numbers within bounds."""
    terms = max(0, min(most, bounds.hi - max(bounds.lo, 1) + 1))
    return terms * bounds.hi - terms * (terms - 1) // 2


def _sum(args: Sequence[Value]) -> Value:
    return sum(cast(Elements, args[0]))


SUM = Builtin(
    name="sum",
    signature="sum(S)",
    doc="The sum of the elements of a set, a list or an array; 0 if there are none.",
    examples=(("sum({1, 2, 3})", "6"), ("sum(digits(1122))", "6"), ("sum({})", "0")),
    result=_sum_result,
    evaluate=_sum,
)


def _count_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    return IntType(sizes(truths_in(args, 0)))


def _count(args: Sequence[Value]) -> Value:
    return sum(map(bool, cast(Elements, args[0])))


COUNT = Builtin(
    name="count",
    signature="count(A)",
    doc="How many cells of an array of bool are true. `count(COND for x in S)` counts the values of a condition.",
    examples=(("count(d > 1 for d in digits(1122))", "2"), ("count(x > 5 for x in {1, 2})", "0")),
    result=_count_result,
    evaluate=_count,
)


def _truth_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    truths_in(args, 0)
    return BOOL


def _any(args: Sequence[Value]) -> Value:
    return any(cast(Elements, args[0]))


def _all(args: Sequence[Value]) -> Value:
    return all(cast(Elements, args[0]))


ANY = Builtin(
    name="any",
    signature="any(A)",
    doc="Whether some cell of an array of bool is true; false if there are none. "
    "`any(COND for x in S)` asks the same of a condition.",
    examples=(("any(x > 1 for x in {1, 2})", "true"), ("any(x > 1 for x in {})", "false")),
    result=_truth_result,
    evaluate=_any,
)

ALL = Builtin(
    name="all",
    signature="all(A)",
    doc="Whether every cell of an array of bool is true; true if there are none. "
    "`all(COND for x in S)` asks the same of a condition.",
    examples=(("all(x > 1 for x in {1, 2})", "false"), ("all(x > 1 for x in {})", "true")),
    result=_truth_result,
    evaluate=_all,
)


def _closure_steps(args: Sequence[Type]) -> Interval:
    return number(args, 1) if isinstance(args[1], IntType) else numbers_in(args, 1)


def _closure_result(args: Sequence[Type]) -> Type:
    count_of(args, 3, 3)
    if not isinstance(args[0], SetType):
        raise BuiltinTypeError(f"needs a set here, not {described(args[0])}", 0)
    if not isinstance(args[1], IntType | SetType):
        raise BuiltinTypeError(f"needs a number or a set here, not {described(args[1])}", 1)
    start, steps, limit = numbers_in(args, 0), _closure_steps(args), number(args, 2)
    if start.empty:
        return set_of(0, -1)
    if steps.hi < 1 or start.lo + max(1, steps.lo) > limit.hi:
        return set_of(start.lo, start.hi)
    return set_of(start.lo, max(start.hi, limit.hi))


def _closure(args: Sequence[Value]) -> Value:
    start = cast(frozenset[int], args[0])
    steps = args[1] if isinstance(args[1], frozenset) else frozenset((cast(int, args[1]),))
    limit = cast(int, args[2])
    if any(step < 0 for step in steps):
        raise Undefined(f"adds numbers from 0 on, but gets {min(steps)}")
    ascending = sorted(integers(steps))
    closed = set(start)
    fresh = list(start)
    visits = 0
    while fresh:
        value = fresh.pop()
        for step in ascending:
            if value + step > limit:
                break
            visits += 1
            if value + step not in closed:
                closed.add(value + step)
                fresh.append(value + step)
        if len(closed) > CELLS or visits > WORK:
            raise TooLarge(f"has more than {CELLS:,} elements or takes too long to find")
    return frozenset(closed)


def _closure_may_fail(args: Sequence[Type]) -> bool:
    start, steps, limit = numbers_in(args, 0), _closure_steps(args), number(args, 2)
    elements = start.hull(Interval(start.hi, limit.hi)).size
    return steps.lo < 0 or elements > CELLS or elements * min(steps.size, CELLS) > WORK


CLOSURE = Builtin(
    name="closure",
    signature="closure(S, x, limit), closure(S, X, limit)",
    doc="The smallest set that holds S and, with every y in it, also y + x wherever that is at most the limit. "
    "With a set X, this holds for every x in X. Elements of S above the limit stay. "
    "The numbers added are not negative; adding 0 gives nothing new.",
    examples=(
        ("closure({2, 3}, 4, 12)", "{2, 3, 6, 7, 10, 11}"),
        ("closure({0}, {3, 5}, 11)", "{0, 3, 5, 6, 8, 9, 10, 11}"),
        ("closure({2} | {3}, 2, 9)", "{2, 3, 4, 5, 6, 7, 8, 9}"),
        ("closure({}, 2, 20)", "{}"),
        ("closure({1, 30}, 0, 20)", "{1, 30}"),
    ),
    result=_closure_result,
    evaluate=_closure,
    partial="a number added is negative, or the set is out of reach (more than 2 ** 20 elements)",
    may_fail=_closure_may_fail,
)

ENTRIES = (SIZE, SUM, COUNT, ANY, ALL, CLOSURE)
