"""What is known of the values of heaps of all sizes: theorems with their preconditions, and the laws they give.

A law is a rule for the value of any heap; `law_of` finds those that need no table. Where values are compared, G(n) is
the Grundy value of a heap of n, and S the set of numbers that may be taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from typing import NamedTuple

import msgspec

from gamespec.analysis.cut import EVERY, REMAINDERS, Cut, Family, HeapRule, Taken, TooManyNumbers, subtraction_set
from gamespec.answers.nim import nim_sum
from gamespec.game.reference import mex


class Theorem(NamedTuple):
    """`code` as in the certificates; `source` where it is proved; `statement` with all that it supposes."""

    code: str
    name: str
    statement: str
    source: str


INTERVAL = Theorem(
    "interval",
    "intervals",
    "S = {a, …, b}: G(n) = floor((n mod (a + b)) / a)",
    "E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 4",
)
TWO = Theorem(
    "two",
    "two numbers",
    "S = {a, b}, a < b: G is purely periodic with period 2a if b is an odd multiple of a, else a + b",
    "B. Benesh and others, Integers 20 (2020) G5",
)
MULTIPLES = Theorem(
    "multiples",
    "multiples",
    "S = d·S': G(n) is the value of floor(n / d) for S'",
    "E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 4",
)
FINITE = Theorem(
    "finite",
    "finite subtraction sets",
    "only the last max(S) values count: if G(n + p) = G(n) for max(S) sizes n in a row from n0 on, then for all n ≥ n0",
    "S. W. Golomb, A mathematical investigation of games of take-away, J. Comb. Theory 1 (1966)",
)
ADJOINED = Theorem(
    "adjoined",
    "numbers that change nothing",
    "S contains a finite T of which the values G have period p from 0 on, and for each other s of S no n has "
    "G(n - s) = G(n), which depends on s mod p alone: then S has the values of T",
    "E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 4 (adjoining options)",
)
ALL_BUT = Theorem(
    "all-but",
    "all numbers but finitely many",
    "any k but finitely many may be taken: when the last max(X) values and the older values that occurred, both seen "
    "from the least value that did not, are at n + p what they were at n, then G(m + p) = G(m) + s for all m ≥ n",
    "A. Siegel's thesis on finite excluded subtraction sets; arXiv 1201.3299",
)
REMAINDER = Theorem(
    "remainder",
    "all numbers with some remainders, but finitely many",
    "any k with one of some remainders mod q but finitely many may be taken: when n mod q, the last values, as far as "
    "a k may be missing, and for each remainder the older values that such heaps can leave, seen from the least value "
    "that one of these sets lacks, are at n + p what they were at n, then G(m + p) = G(m) + s for all m ≥ n",
    "as for all numbers but finitely many, with such a set of older values for each remainder",
)
OCTAL = Theorem(
    "octal",
    "octal games",
    "at most t is taken and at most two parts are left: if G(n + p) = G(n) for n0 ≤ n < 2·n0 + p + t, then for all "
    "n ≥ n0",
    "R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Cambridge Phil. Soc. 52 (1956)",
)
UNEQUAL = Theorem(
    "unequal",
    "heaps split into unequal parts",
    "as for octal games, but where the parts must differ: if G(n + p) = G(n) for n0 ≤ n < 2·n0 + 3p + t, then for all "
    "n ≥ n0; the p that is added to a part may be taken from the other one where both would be equal",
    "after Guy and Smith (1956); P. M. Grundy's game is of this kind",
)
LASKER = Theorem(
    "lasker",
    "Lasker's Nim",
    "take any number, or split into two heaps: G(4k + 1) = 4k + 1, G(4k + 2) = 4k + 2, G(4k + 3) = 4k + 4, "
    "G(4k + 4) = 4k + 3",
    "E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 4",
)

_ALL = (INTERVAL, TWO, MULTIPLES, FINITE, ADJOINED, ALL_BUT, REMAINDER, OCTAL, UNEQUAL, LASKER)
THEOREMS = {theorem.code: theorem for theorem in _ALL}

MOST_PERIOD = 1 << 12  # of a finite part of an infinite set
MOST_FIRST = 12  # numbers of an infinite set that are tried as its finite part
MOST_STEPS = 1 << 14  # of a search for a state that comes again
MOST_EXCLUDED = 1 << 10
MOST_APART = 1 << 9  # values that are kept beside those that all are below


class Law(msgspec.Struct, frozen=True):
    """Values of heaps of all sizes.

    `head` has the values below `preperiod + period`; beyond, G(n + period) = G(n) + saltus. With `formula`, the head
    is empty and the values come from the numbers of the formula. Sizes are divided by `scale` before anything else.
    `checked` values were computed for the proof.
    """

    theorem: Theorem
    preperiod: int
    period: int
    saltus: int = 0
    head: Sequence[int] = ()
    scale: int = 1
    formula: tuple[int, ...] = ()
    checked: int = 0
    note: str = ""

    def value(self, n: int) -> int:
        """The Grundy value of a heap of n ≥ 0."""
        n //= self.scale
        if self.formula:
            return _by_formula(self.theorem, self.formula, n % self.period)
        if n < self.preperiod + self.period:
            return self.head[n]
        turns, rest = divmod(n - self.preperiod, self.period)
        return self.head[self.preperiod + rest] + turns * self.saltus


def _by_formula(theorem: Theorem, numbers: tuple[int, ...], rest: int) -> int:
    a, b = numbers
    if theorem is INTERVAL:
        return rest // a
    if rest < b:
        return rest // a % 2
    return 1 + (rest - a) // a % 2


def law_of(rule: HeapRule) -> Law | None:
    """The law of a rule that a theorem gives without a table of values, or after a small one."""
    if rule.splits:
        return _lasker(rule)
    if not rule.finite:
        return _adjoined(rule) or _endless(rule)
    return _interval(rule) or _two(rule)


def _lasker(rule: HeapRule) -> Law | None:
    if rule.plain and set(rule.cuts) == {Cut(1, Taken(1)), Cut(2, Taken(0, 0), 1)}:
        return Law(LASKER, 1, 4, 4, (0, 1, 2, 4, 3))
    return None


def is_pure(rule: HeapRule) -> bool:
    """Whether some numbers may be taken from any heap that is large enough, and that is all."""
    return rule.plain and bool(rule.cuts) and all(cut.parts == 1 and cut.least == 0 for cut in rule.cuts)


def _interval(rule: HeapRule) -> Law | None:
    if not is_pure(rule) or len(rule.cuts) != 1 or not rule.cuts[0].taken.interval:
        return None
    taken = rule.cuts[0].taken
    a, b = taken.low, taken.largest
    if a == b:
        return Law(INTERVAL, 0, 2, scale=a, formula=(1, 1))
    return Law(INTERVAL, 0, a + b, formula=(a, b))


def _two(rule: HeapRule) -> Law | None:
    if not is_pure(rule):
        return None
    try:
        numbers = subtraction_set(rule)
    except TooManyNumbers:
        return None
    if not numbers:
        return None
    scale = gcd(*numbers)
    numbers = [number // scale for number in numbers]
    note = f"{MULTIPLES.statement}, d = {scale}" if scale > 1 else ""
    a, b = numbers[0], numbers[-1]
    if len(numbers) == b - a + 1:
        return Law(INTERVAL, 0, a + b, formula=(a, b), scale=scale, note=note)
    if len(numbers) != 2:
        return None
    if b % a == 0 and b // a % 2:
        return Law(TWO, 0, 2 * a, formula=(a, 2 * a), scale=scale, note=note)
    return Law(TWO, 0, a + b, formula=(a, b), scale=scale, note=note)


# --- infinite sets ------------------------------------------------------------------------------------------


def pure_period(numbers: Sequence[int]) -> list[int] | None:
    """One period of the values of a subtraction set, where they have a period from 0 on of at most `MOST_PERIOD`."""
    top = max(numbers)
    values: list[int] = []
    for n in range(2 * MOST_PERIOD + top):
        values.append(mex(values[n - k] for k in numbers if k <= n))
        # The last `top` values are those of 0..top - 1: by the theorem on finite sets they come again for ever.
        period = n + 1 - top
        if 0 < period <= MOST_PERIOD and values[period:] == values[:top]:
            return values[:period]
    return None


def _adjoined(rule: HeapRule) -> Law | None:
    """Infinite sets whose numbers, beyond the first few, never lead to a heap of the same value."""
    if not is_pure(rule):
        return None
    for size in range(1, MOST_FIRST + 1):
        known = _first(rule, size)
        if known is None:
            return None
        values = pure_period(known)
        if values is None:
            continue
        period = len(values)
        bad = {r for r in range(period) if any(values[n] == values[n - r] for n in range(period))}
        if not _others(rule, known[-1], period) & bad:
            shown = ", ".join(map(str, known))
            note = f"T = {{{shown}}}; the other numbers leave {_listed(_others(rule, known[-1], period))} mod {period}"
            return Law(ADJOINED, 0, period, 0, values, checked=period + known[-1], note=note)
    return None


def _listed(numbers: set[int]) -> str:
    ordered = sorted(numbers)
    return ", ".join(map(str, ordered[:8])) + (", …" if len(ordered) > 8 else "")


def _first(rule: HeapRule, size: int) -> list[int] | None:
    """The least numbers that may be taken."""
    limit = 1 << 12
    try:
        numbers = sorted({k for cut in rule.cuts for k in cut.taken.upto(limit)})
    except TooManyNumbers:
        return None
    return numbers[:size] if len(numbers) >= size else None


def _others(rule: HeapRule, last: int, modulus: int) -> set[int]:
    """Remainders that include those of all numbers above `last`."""
    found: set[int] = set()
    for cut in rule.cuts:
        taken = cut.taken
        if taken.finite:
            found |= {k % modulus for k in taken.upto(taken.largest) if k > last}
        elif taken.family is None:
            return set(range(modulus))
        else:
            without = set(taken.without)
            small = (k for k in taken.family.upto(modulus) if k > last and k >= taken.low and k not in without)
            found |= {k % modulus for k in small} | taken.family.residues(modulus)
    return found


# --- all numbers, or all with some remainders, but some -------------------------------------------------------


def _endless(rule: HeapRule) -> Law | None:
    """The state of the recursion, seen from the least value that is missing somewhere, until it comes again.

    The state at n is compared with one that is kept, which moves on at powers of two (R. P. Brent 1980).
    """
    endless = [cut for cut in rule.lasting if cut.parts == 1 and not cut.taken.finite]
    others = [cut for cut in rule.lasting if cut.parts == 1 and cut.taken.finite]
    families = [cut.taken.family or EVERY for cut in endless]
    if any(family.kind != REMAINDERS for family in families) or len({cut.least for cut in endless}) > 1:
        return None
    modulus = lcm(*(family.modulus for family in families))
    reach = max((max(cut.taken.low, *(cut.taken.without or (0,))) for cut in endless), default=0)
    reach = max(reach, *(cut.taken.largest for cut in others), 0) if others else reach
    start = max(rule.uniform, reach + max(cut.least for cut in rule.lasting) + 1)
    if max(modulus, reach) > MOST_EXCLUDED or start > MOST_STEPS:
        return None
    near = {k for cut in (*endless, *others) for k in cut.taken.upto(reach) if k > 0}
    far = [k for k in range(modulus) if any(family.holds(k) for family in families)]
    values = small_values(rule, start)
    # By remainder of a size: the values of the heaps that a move of more than `reach` leaves.
    old = [_Seen() for _ in range(modulus)]

    def grow(n: int) -> None:
        for k in far:
            old[(n + k) % modulus].add(values[n])

    for n in range(endless[0].least, start - reach):
        grow(n)
    if any(cut.parts == 0 for cut in rule.lasting):
        for each in old:
            each.add(0)
    kept: tuple[object, ...] | None = None
    at = base_then = 0
    for n in range(start, start + MOST_STEPS):
        base = min(seen.unused for seen in old)
        if sum(seen.apart for seen in old) > MOST_APART:
            return None
        window = tuple(max(-1, value - base) for value in values[n - reach : n]) if reach else ()
        state = (n % modulus, window, *(seen.above(base) for seen in old))
        if state == kept:
            period, saltus = n - at, base - base_then
            while at > rule.lowest and values[at - 1 + period] == values[at - 1] + saltus:
                at -= 1
            theorem = ALL_BUT if modulus == 1 else REMAINDER
            return Law(theorem, at, period, saltus, tuple(values[: at + period]), checked=n)
        if kept is None or (n - start + 1) & (n - start) == 0:
            kept, at, base_then = state, n, base
        taken = {values[n - k] for k in near}
        seen = old[n % modulus]
        value = seen.unused
        while value in taken or value in seen:
            value += 1
        values.append(value)
        grow(n - reach)
    return None


class _Seen:
    """A set of values of which all below `unused` are in it."""

    def __init__(self) -> None:
        self.unused = 0
        self._larger: set[int] = set()

    def __contains__(self, value: int) -> bool:
        return value < self.unused or value in self._larger

    def add(self, value: int) -> None:
        if value >= self.unused:
            self._larger.add(value)
        while self.unused in self._larger:
            self._larger.remove(self.unused)
            self.unused += 1

    @property
    def apart(self) -> int:
        """How many of its values are above `unused`."""
        return len(self._larger)

    def above(self, base: int) -> tuple[int, frozenset[int]]:
        """What is in it from a value on that is not above `unused`."""
        return self.unused - base, frozenset(value - base for value in self._larger)


def small_values(rule: HeapRule, count: int) -> list[int]:
    """The values of the heaps below a size, by the definition; 0 below the least heap."""
    values: list[int] = []
    for n in range(count):
        values.append(mex(nim_sum(values[part] for part in parts) for parts in rule.options(n)))
    return values


__all__ = ["THEOREMS", "Family", "Law", "Theorem", "is_pure", "law_of", "pure_period", "small_values"]
