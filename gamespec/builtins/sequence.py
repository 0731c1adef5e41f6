"""Builtins that list numbers of a kind: `powers`, `squares`, `primes`, `divisors`."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from gamespec.builtins.entry import BITS, CELLS, Builtin, TooLarge, Undefined, Value, count_of, number, set_of
from gamespec.builtins.number import integers
from gamespec.types import Type

TOP_PRIME = 16_290_047
"""The prime number 2^20: no set of primes that fits `CELLS` reaches the next one."""

TOP_DIVIDED = 1 << 40
"""The largest number that is divided by trial."""


def _powers_result(args: Sequence[Type]) -> Type:
    count_of(args, 2, 2)
    base, limit = number(args, 0), number(args, 1)
    top = limit.hi
    if base.lo == base.hi and base.lo >= 1 and top >= 1:
        top = _largest_power(base.lo, min(top, 1 << BITS))
    return set_of(1, top if base.hi >= 1 else 0)


def _largest_power(base: int, limit: int) -> int:
    power = 1
    while base > 1 and power * base <= limit:
        power *= base
    return power


def _powers(args: Sequence[Value]) -> Value:
    base, limit = integers(args)
    if base < 1:
        raise Undefined(f"needs a base of at least 1, but gets {base}")
    found = [1] if limit >= 1 else []
    while found and base > 1 and found[-1] * base <= limit:
        found.append(found[-1] * base)
    return frozenset(found)


POWERS = Builtin(
    name="powers",
    signature="powers(b, limit)",
    doc="The set of 1, b, b², … up to the limit, which is in it if it is a power. 0 is not, 1 is (for a limit "
    "from 1); `powers(1, limit)` is {1}.",
    examples=(
        ("powers(2, 10)", "{1, 2, 4, 8}"),
        ("powers(3, 9)", "{1, 3, 9}"),
        ("powers(2, 0)", "{}"),
        ("powers(1, 5)", "{1}"),
        ("size(powers(2, 10 ** 30))", "100"),
    ),
    result=_powers_result,
    evaluate=_powers,
    partial="b is less than 1",
    may_fail=lambda args: number(args, 0).lo < 1,
    element_at_most=1,
)


def _squares_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    top = number(args, 0).hi
    return set_of(1, math.isqrt(top) ** 2 if top > 0 else 0)


def _squares(args: Sequence[Value]) -> Value:
    limit = cast(int, args[0])
    root = math.isqrt(limit) if limit > 0 else 0
    if root > CELLS:
        raise TooLarge(f"has {root:,} elements; a set may have {CELLS:,}")
    return frozenset(k * k for k in range(1, root + 1))


SQUARES = Builtin(
    name="squares",
    signature="squares(limit)",
    doc="The set of 1, 4, 9, … up to the limit. 0 is not in it.",
    examples=(("squares(10)", "{1, 4, 9}"), ("squares(16)", "{1, 4, 9, 16}"), ("squares(0)", "{}")),
    result=_squares_result,
    evaluate=_squares,
    partial="there are more than 2 ** 20 squares",
    may_fail=lambda args: number(args, 0).hi >= (CELLS + 1) ** 2,
    element_at_most=0,
)


@lru_cache(maxsize=8)
def _primes_below(top: int) -> tuple[int, ...]:
    sieve = bytearray([1]) * top
    sieve[:2] = bytes(min(2, top))
    for factor in range(2, math.isqrt(max(0, top - 1)) + 1):
        if sieve[factor]:
            sieve[factor * factor :: factor] = bytes(len(range(factor * factor, top, factor)))
    return tuple(value for value, prime in enumerate(sieve) if prime)


def _primes_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    return set_of(2, number(args, 0).hi)


def _primes(args: Sequence[Value]) -> Value:
    limit = cast(int, args[0])
    if limit < 2:
        return frozenset()
    if limit > TOP_PRIME:
        raise TooLarge(f"has more than {CELLS:,} elements")
    return frozenset(prime_numbers(limit))


def prime_numbers(limit: int) -> list[int]:
    """The primes up to a limit, ascending."""
    # A power of two, so that a game's many limits share few sieves.
    known = _primes_below(1 << max(limit, 0).bit_length())
    return list(known[: bisect_right(known, limit)])


PRIMES = Builtin(
    name="primes",
    signature="primes(limit)",
    doc="The set of the prime numbers up to the limit. 0 and 1 are not prime.",
    examples=(("primes(11)", "{2, 3, 5, 7, 11}"), ("primes(1)", "{}"), ("size(primes(1000))", "168")),
    result=_primes_result,
    evaluate=_primes,
    partial=f"the limit is above {TOP_PRIME}, the largest that leaves 2 ** 20 primes",
    may_fail=lambda args: number(args, 0).hi > TOP_PRIME,
    element_at_most=0,
)


def _divisors_result(args: Sequence[Type]) -> Type:
    count_of(args, 1, 1)
    return set_of(1, number(args, 0).hi)


def _divisors(args: Sequence[Value]) -> Value:
    value = cast(int, args[0])
    if value < 1:
        raise Undefined(f"lists the divisors of a number from 1, but gets {value}")
    if value > TOP_DIVIDED:
        raise TooLarge("is out of reach: numbers above 2 ** 40 are not divided")
    small = [1]
    rest, factor = value, 2
    while factor * factor <= rest:
        powers = [1]
        while rest % factor == 0:
            rest //= factor
            powers.append(powers[-1] * factor)
        if len(powers) > 1:
            small = [each * power for each in small for power in powers]
        factor += 1 if factor == 2 else 2
    if rest > 1:
        small += [each * rest for each in small]
    return frozenset(small)


DIVISORS = Builtin(
    name="divisors",
    signature="divisors(n)",
    doc="The set of the divisors of a number from 1, with 1 and the number itself. 0 has no such set.",
    examples=(("divisors(12)", "{1, 2, 3, 4, 6, 12}"), ("divisors(1)", "{1}"), ("divisors(7) - {7}", "{1}")),
    result=_divisors_result,
    evaluate=_divisors,
    partial="n is less than 1 or above 2 ** 40",
    may_fail=lambda args: number(args, 0).lo < 1 or number(args, 0).hi > TOP_DIVIDED,
    element_at_most=0,
)

ENTRIES = (POWERS, SQUARES, PRIMES, DIVISORS)
