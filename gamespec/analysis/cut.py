"""Heap games in normal form: every move takes a number k from one heap and leaves at most two heaps.

Octal games (Guy and Smith 1956) are of this kind, and so are subtraction games, Grundy's game and Lasker's Nim.
A rule holds for all sizes, also beyond what a spec declares: only so a period means something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from math import gcd, isqrt

import msgspec

from gamespec.builtins.sequence import prime_numbers

MOST_LISTED = 1 << 20  # numbers of a set that are written out
SHOWN = 8  # numbers of a set in a sentence


class TooManyNumbers(Exception):
    """A set has more numbers than are written out."""


REMAINDERS = "remainders"


class Family(msgspec.Struct, frozen=True):
    """An infinite set of numbers: the powers of `base`, the squares from 1, the primes, or those with one of some
    `remainders` by a `modulus`, ascending."""

    kind: str
    base: int = 0
    modulus: int = 0
    remainders: tuple[int, ...] = ()

    @classmethod
    def of_remainders(cls, modulus: int, remainders: Set[int]) -> Family:
        """The numbers with some remainders, by the least modulus that tells them."""
        for least in range(1, modulus + 1):
            if modulus % least == 0:
                seen = {remainder % least for remainder in remainders}
                if len(seen) * (modulus // least) == len(remainders):
                    return cls(REMAINDERS, modulus=least, remainders=tuple(sorted(seen)))
        raise AssertionError("a number divides itself")

    def holds(self, k: int) -> bool:
        """Whether a number has one of the remainders."""
        return k % self.modulus in self.remainders

    def upto(self, limit: int) -> list[int]:
        """Its numbers up to a limit, ascending. Raises TooManyNumbers."""
        match self.kind:
            case "powers":
                found = [1] if limit >= 1 else []
                while found and self.base > 1 and found[-1] * self.base <= limit:
                    found.append(found[-1] * self.base)
                return found
            case "squares":
                if isqrt(max(limit, 0)) > MOST_LISTED:
                    raise TooManyNumbers
                return [k * k for k in range(1, isqrt(max(limit, 0)) + 1)]
            case "remainders":
                if limit > MOST_LISTED:
                    raise TooManyNumbers
                return list(filter(self.holds, range(limit + 1)))
            case _:
                if limit > 16 * MOST_LISTED:
                    raise TooManyNumbers
                return prime_numbers(limit)

    def residues(self, modulus: int) -> set[int]:
        """Remainders that include those of all its numbers above the modulus."""
        match self.kind:
            case "powers":
                found, power = set(), 1 % modulus
                while power not in found:
                    found.add(power)
                    power = power * self.base % modulus
                return found
            case "squares":
                return {k * k % modulus for k in range(modulus)}
            case "remainders":
                common = gcd(modulus, self.modulus)
                seen = {remainder % common for remainder in self.remainders}
                return {r for r in range(modulus) if r % common in seen}
            case _:
                # A prime above the modulus has no factor in common with it.
                return {r for r in range(modulus) if gcd(r, modulus) == 1}

    def __str__(self) -> str:
        if self.kind == REMAINDERS:
            return f"({', '.join(map(str, self.remainders))} modulo {self.modulus})"
        return f"powers of {self.base}" if self.kind == "powers" else self.kind


EVERY = Family(REMAINDERS, modulus=1, remainders=(0,))
"""All numbers."""


class Taken(msgspec.Struct, frozen=True):
    """The numbers from `low` to `high` (None: without end), only those of `values` or `family` if there are such,
    and none of `without`."""

    low: int = 0
    high: int | None = None
    values: tuple[int, ...] | None = None
    family: Family | None = None
    without: tuple[int, ...] = ()

    @property
    def finite(self) -> bool:
        return self.high is not None or self.values is not None or (self.family is not None and self.family.base == 1)

    @property
    def interval(self) -> bool:
        """Whether no number between the ends is missing."""
        return self.values is None and self.family is None and not self.without

    def upto(self, limit: int) -> Sequence[int]:
        """Its numbers up to a limit, ascending. Raises TooManyNumbers."""
        top = limit if self.high is None else min(limit, self.high)
        if self.values is not None:
            numbers: Sequence[int] = self.values
        elif self.family is not None:
            numbers = self.family.upto(top)
        elif top - self.low >= MOST_LISTED:
            raise TooManyNumbers
        else:
            numbers = range(self.low, top + 1)
        without = set(self.without)
        return [k for k in numbers if self.low <= k <= top and k not in without]

    @property
    def largest(self) -> int:
        """A number that no other of a finite set exceeds; at least 0."""
        if self.values is not None:
            last = max(self.values, default=0)
            return last if self.high is None else min(last, self.high)
        return 1 if self.high is None else max(0, self.high)

    def __str__(self) -> str:
        if self.values is not None:
            numbers = self.upto(self.largest)
            return _braces(numbers)
        if self.family is not None:
            text = str(self.family)
        elif self.high is not None:
            text = str(self.low) if self.low == self.high else f"{self.low}..{self.high}"
        else:
            text = "any number" if self.low <= 1 else f"{self.low} or more"
        return f"{text} but {_braces(self.without)}" if self.without else text


def _braces(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:SHOWN]))
    return f"{{{shown}, …, {numbers[-1]}}}" if len(numbers) > SHOWN else f"{{{shown}}}"


class Cut(msgspec.Struct, frozen=True):
    """One kind of move: from a heap of n, `since` ≤ n ≤ `until`, take k of `taken` and leave n − k in `parts` heaps
    (0, 1 or 2) of at least `least` each; two of them of different sizes if `unequal`.

    With no parts, whatever is there is taken, and `taken` means nothing.
    """

    parts: int
    taken: Taken = Taken()
    least: int = 0
    unequal: bool = False
    since: int = 0
    until: int | None = None

    def holds(self, n: int) -> bool:
        return self.since <= n and (self.until is None or n <= self.until)

    def __str__(self) -> str:
        match self.parts:
            case 0:
                text = "take all"
            case 1:
                text = f"take {self.taken}" + (f" and leave at least {self.least}" if self.least else "")
            case _:
                took = "" if self.taken == NOTHING else f"take {self.taken} and "
                unequal = "unequal " if self.unequal else ""
                text = f"{took}leave two {unequal}heaps of at least {self.least}"
        if self.since > self.least * self.parts + self.taken.low:
            text += f", from {self.since} on"
        return text if self.until is None else f"{text}, up to {self.until}"


NOTHING = Taken(0, 0)


class HeapRule(msgspec.Struct, frozen=True):
    """All moves from heaps of `lowest` and more; from sizes within `over` there are none."""

    lowest: int
    cuts: tuple[Cut, ...]
    over: tuple[tuple[int, int], ...] = ()

    def is_over(self, n: int) -> bool:
        return n < self.lowest or any(low <= n <= high for low, high in self.over)

    def options(self, n: int) -> Iterator[tuple[int, ...]]:
        """The heaps that each move leaves: the definition of the rule, also where that takes long."""
        if self.is_over(n):
            return
        for cut in self.cuts:
            if not cut.holds(n):
                continue
            if cut.parts == 0:
                yield ()
                continue
            for k in cut.taken.upto(n - cut.parts * cut.least):
                if cut.parts == 1:
                    yield (n - k,)
                    continue
                rest = n - k
                for small in range(cut.least, (rest - cut.unequal) // 2 + 1):
                    yield small, rest - small

    def count(self, n: int) -> int:
        """A bound on the number of options of a heap that costs no time."""
        total = 0
        for cut in self.cuts:
            if cut.holds(n) and not self.is_over(n):
                taken = 1 if cut.parts == 0 else _size(cut.taken, n)
                total += taken * (n // 2 + 1 if cut.parts == 2 else 1)
        return total

    @property
    def uniform(self) -> int:
        """The least size from which on the same moves hold for all heaps."""
        ends = [0, self.lowest, *(high + 1 for _, high in self.over)]
        for cut in self.cuts:
            ends.append(cut.since if cut.until is None else cut.until + 1)
        return max(ends)

    @property
    def lasting(self) -> tuple[Cut, ...]:
        """The moves of all heaps from `uniform` on."""
        return tuple(cut for cut in self.cuts if cut.until is None)

    @property
    def finite(self) -> bool:
        """Whether only finitely many numbers may be taken in the long run."""
        return all(cut.taken.finite or cut.parts == 0 for cut in self.lasting)

    @property
    def splits(self) -> bool:
        return any(cut.parts == 2 for cut in self.cuts)

    @property
    def unequal(self) -> bool:
        return any(cut.unequal for cut in self.lasting)

    @property
    def largest(self) -> int:
        """The most that a move takes in the long run, where that is bounded."""
        return max((cut.taken.largest for cut in self.lasting if cut.parts), default=0)

    @property
    def least(self) -> int:
        """The least size that every part of a move may have."""
        return max((cut.least for cut in self.lasting), default=0)

    @property
    def plain(self) -> bool:
        """Whether the moves are the same for all sizes from 0 on, as far as there is enough to take."""
        return (
            self.lowest == 0
            and not self.over
            and all(cut.since <= cut.parts * cut.least + cut.taken.low and cut.until is None for cut in self.cuts)
        )

    def __str__(self) -> str:
        code = octal_code(self)
        if code is not None:
            return f"octal game {code}"
        sets = _subtraction_text(self)
        if sets is not None:
            return sets
        text = "; ".join(map(str, self.cuts)) or "no move"
        return f"{text}; over at {', '.join(f'{low}..{high}' for low, high in self.over)}" if self.over else text


def _size(taken: Taken, n: int) -> int:
    if taken.values is not None:
        return len(taken.values)
    if taken.family is not None:
        match taken.family.kind:
            case "powers":
                return n.bit_length()
            case "squares":
                return isqrt(n)
            case _:
                return n
    return max(0, (n if taken.high is None else min(n, taken.high)) - taken.low + 1)


MOST_DIGITS = 24


def octal_code(rule: HeapRule) -> str | None:
    """The code of an octal game with splits, as `0.77`; None for other rules."""
    ends = [cut for cut in rule.cuts if cut.parts == 0 and cut.until is not None]
    others = HeapRule(rule.lowest, tuple(cut for cut in rule.cuts if cut not in ends), rule.over)
    last = max([others.largest, *(cut.until or 0 for cut in ends)])
    if not (others.plain and rule.splits and rule.finite and last <= MOST_DIGITS):
        return None
    digits = [0] * (last + 1)
    for cut in ends:
        for k in range(cut.since, last + 1):
            digits[k] |= cut.holds(k)
    for cut in others.cuts:
        if cut.unequal or cut.least > 1 or cut.parts == 0:
            return None
        # With heaps that may be empty, two parts may also be one, or none.
        bits = {(1, 0): 3, (1, 1): 2, (2, 0): 7, (2, 1): 4}[cut.parts, cut.least]
        for k in cut.taken.upto(MOST_DIGITS):
            digits[k] |= bits
    if digits[0] & 3:
        return None
    return f"{digits[0]}." + "".join(map(str, digits[1:]))


def same_rule(one: HeapRule, other: HeapRule) -> bool:
    """Whether two rules are seen to be the same, also where their moves are written in other parts."""
    code = octal_code(one)
    return one == other or (code is not None and code == octal_code(other))


def _subtraction_text(rule: HeapRule) -> str | None:
    if not rule.plain or any(cut.parts != 1 or cut.least for cut in rule.cuts) or not rule.cuts:
        return None
    if len(rule.cuts) == 1 and not rule.cuts[0].taken.finite:
        taken = rule.cuts[0].taken
        if taken.family is None and taken.low == 1 and taken.without:
            return f"all-but subtraction: any number but {_braces(taken.without)}"
        return f"subtraction set {taken}" if taken.family is not None else f"take {taken}"
    if len(rule.cuts) == 1 and rule.cuts[0].taken.interval:
        return f"subtraction set {rule.cuts[0].taken}"
    if rule.finite and rule.largest < MOST_LISTED:
        return f"subtraction set {_braces(subtraction_set(rule))}"
    return f"subtraction set {' | '.join(str(cut.taken) for cut in rule.cuts)}"


def subtraction_set(rule: HeapRule) -> list[int]:
    """All numbers that may be taken, ascending, where they are finitely many. Raises TooManyNumbers."""
    return sorted({k for cut in rule.lasting if cut.parts for k in cut.taken.upto(cut.taken.largest)})
