"""Bounds of the language's arithmetic: the intervals that decide widths."""

from __future__ import annotations

from gamespec.interval import EMPTY, Interval

BITS = 127
MOST = (1 << BITS) - 1
WIDEST = Interval(-MOST, MOST)


def fits(bounds: Interval) -> bool:
    """Whether every number of an interval has at most 127 bits beside its sign."""
    return WIDEST.covers(bounds)


def bits(bounds: Interval) -> int:
    """The bits of the widest number of an interval, without its sign."""
    return max(abs(bounds.lo), abs(bounds.hi)).bit_length()


def arithmetic(op: str, left: Interval, right: Interval) -> Interval:
    """Bounds of `left op right` over all operands for which it has a value.

    A power that is certainly wider than 127 bits comes back as the power of two just too wide for them, so that
    `10 ** 10 ** 10` costs nothing.
    """
    if left.empty or right.empty:
        return EMPTY
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left.floordiv(right)
        case "%":
            return left.mod(right)
        case "xor":
            return left.xor(right) if left.size > 1 or right.size > 1 else _point(left.lo ^ right.lo)
        case "**":
            return _power(left, right)
        case _:
            raise AssertionError(op)


def negative(bounds: Interval) -> Interval:
    return EMPTY if bounds.empty else -bounds


def total(item: Interval, most: int) -> Interval:
    """Bounds of a sum of at most `most` numbers, which may be none."""
    if item.empty or most == 0:
        return _point(0)
    return Interval(min(0, most * item.lo), max(0, most * item.hi))


def common_divisor(item: Interval) -> Interval:
    """Bounds of the greatest common divisor of some numbers; of none it is 0."""
    return _point(0) if item.empty else Interval(0, item.abs().hi)


def _power(base: Interval, exponent: Interval) -> Interval:
    exponent = exponent.meet(Interval(0, exponent.hi))
    if exponent.empty:
        return EMPTY
    widest = base.abs().hi
    if widest > 1 and (widest.bit_length() - 1) * exponent.hi > BITS:
        return Interval(-MOST - 1 if base.lo < 0 else 0, MOST + 1)
    # The ends, their neighbours of the other parity, and the numbers around 0 hold every extreme.
    bases = {base.lo, base.hi} | {b for b in (-1, 0, 1) if b in base}
    exponents = {e for e in (0, 1, exponent.lo, exponent.lo + 1, exponent.hi - 1, exponent.hi) if e in exponent}
    values = [_small_power(b, e) for b in bases for e in exponents]
    return Interval(min(values), max(values))


def _small_power(base: int, exponent: int) -> int:
    result: int = base ** (exponent if abs(base) > 1 else min(exponent, 2 + exponent % 2))
    return result


def _point(value: int) -> Interval:
    return Interval(value, value)
