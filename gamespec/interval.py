"""Integer intervals and their arithmetic."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class Interval(msgspec.Struct, frozen=True):
    """The integers from `lo` to `hi`, both included; empty when `lo > hi`."""

    lo: int
    hi: int

    @property
    def empty(self) -> bool:
        return self.lo > self.hi

    @property
    def size(self) -> int:
        return max(0, self.hi - self.lo + 1)

    def __contains__(self, value: int) -> bool:
        return self.lo <= value <= self.hi

    def covers(self, other: Interval) -> bool:
        return other.empty or (self.lo <= other.lo and other.hi <= self.hi)

    def hull(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        if self.empty:
            return other
        if other.empty:
            return self
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def meet(self, other: Interval) -> Interval:
        return Interval(max(self.lo, other.lo), min(self.hi, other.hi))

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.lo + other.lo, self.hi + other.hi)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.lo - other.hi, self.hi - other.lo)

    def __mul__(self, other: Interval) -> Interval:
        return _corners(self, other, lambda a, b: a * b)

    def floordiv(self, other: Interval) -> Interval:
        """Bounds of `a // b` over all `b` in the other interval but 0."""
        return _over_divisors(other, lambda part: _corners(self, part, lambda a, b: a // b))

    def mod(self, other: Interval) -> Interval:
        """Bounds of `a % b` (the sign of the divisor) over all `b` in the other interval but 0."""

        def part_bounds(part: Interval) -> Interval:
            if part.lo > 0:
                if self.lo >= 0 and self.hi < part.lo:
                    return self
                return Interval(0, min(part.hi - 1, self.hi) if self.lo >= 0 else part.hi - 1)
            return Interval(part.lo + 1, 0)

        return _over_divisors(other, part_bounds)

    def abs(self) -> Interval:
        if self.lo >= 0:
            return self
        return -self if self.hi <= 0 else Interval(0, max(-self.lo, self.hi))

    def xor(self, other: Interval) -> Interval:
        """Bounds of the bitwise exclusive or."""
        both = self.hull(other)
        if both.lo >= 0:
            return Interval(0, (1 << both.hi.bit_length()) - 1)
        top = 1 << max(both.lo.bit_length(), both.hi.bit_length())
        return Interval(-top, top - 1)


def _corners(a: Interval, b: Interval, op: Callable[[int, int], int]) -> Interval:
    if a.empty or b.empty:
        return EMPTY
    values = [op(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return Interval(min(values), max(values))


def _over_divisors(b: Interval, bounds: Callable[[Interval], Interval]) -> Interval:
    positive, negative = b.meet(Interval(1, b.hi)), b.meet(Interval(b.lo, -1))
    result = EMPTY
    for part in (negative, positive):
        if not part.empty:
            result = result.hull(bounds(part))
    return result


EMPTY = Interval(0, -1)
