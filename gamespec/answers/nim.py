"""Values of impartial games as numbers, also of those whose play may come back.

A Grundy value is itself. The value ∞(K) of a loopy component (K are the Grundy values of those options that have
one: Smith 1966, Fraenkel and Perl 1975) is the negative number `~mask`, bit k of the mask for each k in K.
"""

from __future__ import annotations

from collections.abc import Iterable


def infinite(options: Iterable[int]) -> int:
    """The number of ∞(K)."""
    mask = 0
    for value in options:
        mask |= 1 << value
    return ~mask


def finite_options(value: int) -> list[int]:
    """K of a negative number, ascending."""
    mask = ~value
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def nim_sum(values: Iterable[int]) -> int:
    """The value of components side by side: numbers by xor, n + ∞(K) = ∞(n xor K), and ∞ + ∞ = ∞ of nothing."""
    number, loops = 0, []
    for value in values:
        if value < 0:
            loops.append(value)
        else:
            number ^= value
    if not loops:
        return number
    return infinite(number ^ option for option in finite_options(loops[0])) if len(loops) == 1 else ~0
