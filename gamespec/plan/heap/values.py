"""The values of heaps of one rule: by a law, from a table that grows until a theorem proves a period, or as words."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from typing import cast

from gamespec.analysis.cut import MOST_LISTED, HeapRule, TooManyNumbers
from gamespec.budget import Budget
from gamespec.diagnostics import Diagnostic, LimitError
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.plan.heap import kernel
from gamespec.plan.heap.law import FINITE, OCTAL, UNEQUAL, Law, Theorem, law_of
from gamespec.plan.heap.word import Words, words_of
from gamespec.plan.memory import give_back, taken
from gamespec.plan.pace import Pace, next_piece
from gamespec.plan.plan import Kernels
from gamespec.plan.problems import NO_PERIOD, VALUES_TOO_LARGE

FIRST = 1 << 10  # heaps of the first table
A_STEP = 16  # heaps of a table that take as long as one step with words that repeat
SPARSE_FROM = 1 << 11  # heaps from which a mask is looked for
SPARSE_SHARE = 4  # one heap in so many may be rare
MOST_HEAPS = 1 << 26  # a table whose length nobody asked for
MOST_WORK = 5 * 10**9  # pairs of parts that are looked at in such a table
TELLING = 1 << 16  # heaps from which the pace so far says something, as the first ones have no mask
CHANCE = 64  # values that may agree by chance
CHUNK_SECONDS = 0.05
NEVER = 1 << 62
BYTES = 2  # a value


def needed(rule: HeapRule, preperiod: int, period: int) -> int:
    """How many values prove that a period goes on for ever (see `plan.heap.law`)."""
    start = max(preperiod, rule.least)
    if not rule.splits:
        return max(start, rule.uniform - rule.largest) + period + rule.largest
    start = max(start, rule.uniform, 1)
    return 2 * start + (4 if rule.unequal else 2) * period + rule.largest


def theorem_of(rule: HeapRule) -> Theorem:
    """The theorem behind `needed`."""
    return FINITE if not rule.splits else UNEQUAL if rule.unequal else OCTAL


class HeapValues:
    """Values of heaps, as far as they were asked for; `law` when there is one for all."""

    def __init__(
        self,
        rule: HeapRule,
        kernels: Kernels,
        budget: Budget,
        name: str = "n",
        *,
        fast: bool = True,
        sparse: bool = True,
    ) -> None:
        """Not `fast`: all values by the definition; not `sparse`: those that no law knows."""
        self.rule = rule
        self.kernels = kernels
        self.budget = budget
        self.name = name
        self.sparse = fast and sparse
        self.law: Law | None = law_of(rule) if fast else None
        self.known = 0  # heaps of which the value is in the table
        self.values: Buffer = allocate(ir.U16, 0)
        self.rare = 0
        self.mask = 0
        self.work = 0
        self._wanted = 0  # a number of heaps that would prove a period that was seen
        self._lists: list[Buffer] = []
        self._seen: Buffer | None = None
        self._rows: list[object] | None = None

    def upto(self, top: int) -> None:
        """Makes the values of all heaps up to `top` known, by a law if there is one.

        Raises LimitError where memory or time do not suffice, or no period is found for a heap that is too large.
        """
        while self.law is None and self.known <= top:
            if self.known and self._by_words(top):
                return
            if top >= MOST_HEAPS and (self.known >= MOST_HEAPS or self.work > MOST_WORK or not self.rule.finite):
                raise LimitError(self._none_found(top))
            grown = self._next(top)
            self.fill(grown)
            if self.rule.finite and grown <= top:
                self._look_for_period()

    def prove(self) -> Law | None:
        """The law, looked for as far as `MOST_HEAPS` and `MOST_WORK` go; None if none is found."""
        while self.law is None and self.rule.finite and self.known < MOST_HEAPS and self.work <= MOST_WORK:
            self.fill(self._next(NEVER))
            self._look_for_period()
        return self.law

    def value(self, n: int) -> int:
        """The Grundy value of a heap that `upto` made known."""
        if self.law is not None:
            return self.law.value(n)
        if n < self.known:
            return self.values[n]
        assert self._words is not None
        return self._words.value(n)

    def several(self, column: Sequence[int]) -> list[int]:
        """The values of many heaps that are known."""
        if self.law is None and max(column, default=0) < self.known:
            cells = self.values.cells
            return [cells[n] for n in column]
        return list(map(self.value, column))

    def tabled(self, n: int) -> bool:
        """Whether the values of heaps up to `n`, which are known, come from a table, and a period if there is a law."""
        return not self.law.formula if self.law is not None else n < self.known

    def head(self) -> Buffer:
        """The values of the first heaps of a law that has no formula, as a table."""
        assert self.law is not None
        length = self.law.preperiod + self.law.period
        if self.known < length:
            old = self.values
            self.values = taken(self.budget, ir.U16, length, f"the values of {length:,} heaps")
            self.values.from_ints(self.law.head)
            give_back(self.budget, old)
            self.known = length
        return self.values

    def release(self) -> None:
        """Gives the memory back."""
        give_back(self.budget, self.values)

    def _by_words(self, top: int) -> bool:
        """Whether the values up to `top` are known as words that repeat, after little more work than the table took."""
        return self._words is not None and self._words.upto(top, self.known // A_STEP)

    @cached_property
    def _words(self) -> Words | None:
        return words_of(self.rule, self.budget.check_time)

    # --- the table -----------------------------------------------------------------------------------------

    def _next(self, top: int) -> int:
        """How many heaps to know next: the next power of two, or as many as prove a period that was seen."""
        grown = FIRST
        while grown <= self.known:
            grown *= 2
        if self.known < self._wanted < 2 * grown:
            grown = self._wanted
        return min(grown, top + 1)

    def fill(self, count: int) -> None:
        """Makes the values of the first `count` heaps known. Raises LimitError."""
        if count <= self.known:
            return
        self._grow(count)
        rows = self._rows or self.rows(count)
        if all(cut.taken.finite and cut.taken.largest < count for cut in self.rule.cuts if cut.parts):
            self._rows = rows  # larger heaps have the same moves
        singles, pairs = cast(int, rows[1]), cast(int, rows[4])
        most = kernel.LIMIT if pairs else min(kernel.LIMIT, singles + 1)  # no value is larger
        if self._seen is None or self._seen.length <= most:
            self._seen = allocate(ir.U32, most + 1)
        pace = Pace(self.budget)
        while self.known < count:
            stage = count
            if self.sparse and pairs:
                # A mask is chosen anew whenever the table has doubled.
                self._choose_mask(rows)
                stage = min(count, max(SPARSE_FROM, 2 * self.known))
            self._stage(stage, rows, pace, count)

    def _grow(self, count: int) -> None:
        size = max(count, min(2 * self.values.length, MOST_HEAPS)) if self.values.length else count
        if size <= self.values.length:
            return
        old = self.values
        self.values = taken(self.budget, ir.U16, size, f"the values of {size:,} heaps")
        self.values.copy(old)
        give_back(self.budget, old)

    def rows(self, count: int) -> list[object]:
        """The rule as arguments of the kernels, as far as heaps below `count` need it. Raises LimitError."""
        rule = self.rule
        singles: list[tuple[int, ...]] = []
        pairs: list[tuple[int, ...]] = []
        nones: list[tuple[int, ...]] = []
        try:
            for cut in rule.cuts:
                until = NEVER if cut.until is None else cut.until
                if cut.parts == 0:
                    nones.append((cut.since, until))
                    continue
                for k in cut.taken.upto(min(count, cut.taken.largest) if cut.taken.finite else count):
                    if cut.parts == 1:
                        singles.append((k, cut.least, cut.since, until))
                    else:
                        pairs.append((k, cut.least, int(cut.unequal), cut.since, until, 0, 0, 0))
        except TooManyNumbers:
            raise LimitError(self._none_found(count, f"more than {MOST_LISTED:,} numbers may be taken")) from None
        singles.sort(key=lambda row: (row[3] != NEVER, row))
        lasting = sum(row[3] == NEVER for row in singles)
        clear = NEVER
        if rule.finite:
            clear = max(rule.uniform, max((row[0] + row[1] for row in singles[:lasting]), default=0))
        over = [(0, rule.lowest - 1), *rule.over]
        return [
            *_table(singles, kernel.SINGLE),
            lasting,
            *_table(pairs, kernel.PAIR),
            *_table(nones, kernel.RANGE),
            *_table(over, kernel.RANGE),
            clear,
        ]

    def _stage(self, upto: int, rows: list[object], pace: Pace, count: int) -> None:
        """Fills in pieces that take about `CHUNK_SECONDS` each."""
        piece = 1 << 10
        singles, pairs = cast(int, rows[1]), cast(int, rows[4])
        while self.known < upto:
            last = min(upto, self.known + piece) - 1
            started = time.perf_counter()
            begun = self.known
            if self.rare:
                self._sparse(rows, last)
            else:
                self._checked(self.kernels[kernel.FILL](self.values, self._seen, *rows, self.known, last))
                self.known = last + 1
            filled = self.known - begun
            self.work += filled * (singles + pairs * (self.rare or begun // 2 + 1))
            self.budget.tick(f"heaps: {self.known:,} of {count:,}")
            if self.known >= TELLING:
                pace.of_all(self.known, count, count * BYTES, "a table")
            piece = next_piece(piece, time.perf_counter() - started, CHUNK_SECONDS)

    def _sparse(self, rows: list[object], last: int) -> None:
        rare, state = self._lists
        status = self.kernels[kernel.SPARSE](
            self.values, self._seen, *rows, rare, rare.length, state, self.mask, self.known, last
        )
        self._checked(status)
        self.rare = state[kernel.COUNT]
        self.known = last + 1
        if status == kernel.FULL:
            self.known = state[kernel.STOOD]
            if self.rare * SPARSE_SHARE > self.known:
                self.rare = 0
                return
            self._room(2 * self.rare)

    def _checked(self, status: int) -> None:
        if status == kernel.TOO_LARGE:
            raise LimitError(VALUES_TOO_LARGE.at(None, limit=f"{kernel.LIMIT:,}"))

    # --- sparse space --------------------------------------------------------------------------------------

    def _choose_mask(self, rows: list[object]) -> None:
        """The mask with the fewest rare values so far; none where too many are rare."""
        self.rare = 0
        pairs, count = cast(Buffer, rows[3]), cast(int, rows[4])
        for pointer in (kernel.LOW, kernel.HIGH, kernel.MIDDLE):
            for row in range(count):
                pairs[row * kernel.PAIR + pointer] = 0
        if self.known < SPARSE_FROM:
            return
        counts = allocate(ir.U32, kernel.LIMIT)
        largest = self.kernels[kernel.TALLY](self.values, counts, 0, self.known - 1)
        mask, rare = fewest_rare(counts.to_list(0, largest + 1))
        if rare * SPARSE_SHARE > self.known or rare == 0:
            return
        self.mask = mask
        self._lists = []
        self._room(2 * rare + 64)
        listed, state = self._lists
        self.rare = self.kernels[kernel.GATHER](self.values, listed, mask, 0, self.known - 1)
        state[kernel.COUNT] = self.rare

    def _room(self, size: int) -> None:
        """A list of rare sizes and values with more room, and the cells that count them."""
        old = self._lists
        self._lists = [allocate(ir.U64, size), allocate(ir.I64, kernel.CELLS)]
        if not old:
            self._lists[1][kernel.SOON] = kernel.LEAST_SOON
        for before, now in zip(old, self._lists, strict=False):
            now.copy(before)

    # --- periods -------------------------------------------------------------------------------------------

    def _look_for_period(self) -> None:
        """Proves a period, or notes how many values would prove one that was seen."""
        self._wanted = 0
        for share in (2, 4, 8):
            length = self.known // share
            if length < 2:
                return
            border = taken(self.budget, ir.U32, length, f"the search for a period of {length:,} values")
            first = self.known - length
            period = self.kernels[kernel.PERIOD](self.values, border, first, length)
            give_back(self.budget, border)
            if period > length - CHANCE:
                continue
            preperiod = self.kernels[kernel.EXTEND](self.values, period, self.known)
            wanted = needed(self.rule, preperiod, period)
            if wanted <= self.known:
                head = self.values.to_list(0, preperiod + period)
                self.law = Law(theorem_of(self.rule), preperiod, period, 0, head, checked=self.known)
                return
            if wanted < 2 * self.known and (not self._wanted or wanted < self._wanted):
                self._wanted = wanted

    def _none_found(self, top: int, why: str = "") -> Diagnostic:
        tried = why or f"none was found among the first {self.known:,} values"
        return NO_PERIOD.at(None, rule=str(self.rule), name=self.name, top=f"{top:,}", tried=tried)


def _table(rows: Sequence[Sequence[int]], width: int) -> tuple[Buffer, int]:
    table = allocate(ir.I64, max(1, len(rows) * width))
    table.from_ints(cell for row in rows for cell in row)
    return table, len(rows)


def fewest_rare(counts: Sequence[int]) -> tuple[int, int]:
    """The mask for which the fewest of the values counted have an even number of bits in common with it, and how many.

    By the Walsh-Hadamard transform of the counts: its entry at a mask is the number of rare values less that of the
    common ones.
    """
    size = 1 << (len(counts) - 1).bit_length()
    sums = [*counts[:size], *[0] * (size - len(counts))]
    half = 1
    while half < size:
        for start in range(0, size, 2 * half):
            for place in range(start, start + half):
                one, other = sums[place], sums[place + half]
                sums[place], sums[place + half] = one + other, one - other
        half *= 2
    if size == 1:
        return 0, sums[0]
    mask = min(range(1, size), key=sums.__getitem__)
    return mask, (sums[0] + sums[mask]) // 2
