"""Tables of one number whose moves lead to windows, numbers side by side, that slide as the table is filled (C3).

From one number to the next, few enter a window and few leave it. So its ends are moved, instead of looking at all that
is in it: for outcomes, the lost ones inside are counted; for Grundy values, how often each value is there, and the
values that are nowhere are bits of words, of which further levels of words tell which are not 0 (the mex is the first
bit). However the ends move, the counts are right; they move little where both ends never fall, as in windows like
n/3..n/2, or max(0, n - f)..n - 1.

A kernel's call may be repeated after it was stopped: all it knows stands in tables, and ends move in both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from gamespec.analysis.facts import Facts
from gamespec.game.model import LOST, WON, Do, Game
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    Builder,
    add,
    binary,
    cast,
    compare,
    const,
    either,
    select,
    shl,
    shr,
    sub,
)
from gamespec.plan.encode import Indexing
from gamespec.plan.plan import may_fail
from gamespec.plan.table.cells import Cells
from gamespec.plan.valuation import Kind, Valuation

if TYPE_CHECKING:
    from gamespec.analysis.side import Side
    from gamespec.kernel.express import Lowering
    from gamespec.kernel.moves import Rules, Words

FEW = 8  # options that are looked at as quickly
LEVELS = 4  # of words of bits
MOST_VALUES = 64**LEVELS

CELLS = 3  # of the table of ends for each window: its first number, the one behind it, how many in it are lost
FIRST, BEHIND, LOSSES = range(CELLS)

ENDS, COUNTS, FREE = ir.Table("ends", ir.I64), ir.Table("counts", ir.U32), ir.Table("free", ir.U64)
LEVEL = tuple(ir.Scalar(f"level.{number}", ir.I64) for number in range(1, LEVELS))  # the first word of each

OWN = "each window has its cells"
BELOW = "a window holds numbers below that of the position"
VALUES = "a value is below the number of positions, and there is a cell for each"


class Slide:
    """How one game is filled."""

    def __init__(self, windows: Sequence[Side], cells: Cells, indexing: Indexing, misere: bool, grundy: bool) -> None:
        self.windows = windows
        self.cells = cells
        self.indexing = indexing
        self.misere = misere
        self.grundy = grundy

    @property
    def params(self) -> tuple[ir.Scalar | ir.Table, ...]:
        return (ENDS, COUNTS, FREE, *LEVEL) if self.grundy else (ENDS,)

    def value(self, b: Builder, rules: Rules, words: Words, index: ir.Expr) -> ir.Expr:
        """The code of a position, which has the index."""
        won, stuck = b.local("won", FALSE), b.local("stuck", TRUE)
        for number, window in enumerate(self.windows):
            place = CELLS * number
            first, behind = b.local("first", const(0)), b.local("behind", const(0))
            if self.grundy:
                empty = self._end(place + BEHIND)
                b.assign(first, empty)
                b.assign(behind, empty)

            def found(
                ends: tuple[ir.Expr, ir.Expr], place: int = place, first: ir.Var = first, behind: ir.Var = behind
            ) -> None:
                low = binary("min", binary("max", ends[0], const(0), ir.I64), index, ir.I64)
                b.assign(first, low)
                high = binary("min", add(ends[1], 1), index, ir.I64)
                b.assign(behind, binary("max", high, first, ir.I64))

                if not self.grundy:
                    losses = self._slide(b, place, first, behind)
                    b.assign(won, either(won, compare("gt", losses, const(0))))
                    b.assign(stuck, select(compare("gt", behind, first), FALSE, stuck))

            k = rules.at(words)
            with b.when(TRUE):
                k.under(window.move.guards[0], partial(self._ends, b, rules, k, words, window, found))
            if self.grundy:
                self._slide(b, place, first, behind)
        if self.grundy:
            return self._mex(b)
        if self.misere:
            won = b.local("wins", either(won, stuck))
        return select(won, const(WON, self.cells.word), const(LOST, self.cells.word))

    def _ends(
        self,
        b: Builder,
        rules: Rules,
        k: Lowering,
        words: Words,
        window: Side,
        found: Callable[[tuple[ir.Expr, ir.Expr]], None],
    ) -> None:
        """Writes `found` with the indices of the first and last number of a window."""
        move = window.move
        assert isinstance(move.effect, Do)

        def index() -> ir.Expr:
            assert isinstance(move.effect, Do)
            return b.local("to", self.indexing.index(b, rules.updates.updated(k, words, move, move.effect.updates)))

        if window.within is None:
            to = index()
            found((to, to))
        else:
            low = b.local("least", cast(k.value(window.within.lo), ir.I64))
            high = b.local("most", cast(k.value(window.within.hi), ir.I64))
            for op, limit in window.limits:
                value = cast(k.value(limit), ir.I64)
                if op in ("<=", "<"):
                    b.assign(high, binary("min", high, sub(value, 1) if op == "<" else value, ir.I64))
                else:
                    b.assign(low, binary("max", low, add(value, 1) if op == ">" else value, ir.I64))
            ends = []
            for chosen in (low, high):
                with k.bound(move.choices[0].name, chosen):
                    ends.append(index())
            found((ends[0], ends[1]) if window.rising is self.indexing.digits[0].up else (ends[1], ends[0]))

    # --- the counts ----------------------------------------------------------------------------------------

    def _end(self, place: int) -> ir.Expr:
        return ir.Load(ENDS.name, const(place), ir.I64, OWN)

    def _slide(self, b: Builder, place: int, first: ir.Expr, behind: ir.Expr) -> ir.Var:
        """Moves the ends of a window, new numbers first; how many lost ones are in it then."""
        low, high = b.local("low", self._end(place + FIRST)), b.local("high", self._end(place + BEHIND))
        losses = b.local("losses", self._end(place + LOSSES))
        with b.loop_while(compare("gt", low, first)):
            b.assign(low, sub(low, 1))
            self._passes(b, low, losses, enters=True)
        with b.loop_while(compare("lt", high, behind)):
            self._passes(b, high, losses, enters=True)
            b.assign(high, add(high, 1))
        with b.loop_while(compare("lt", low, first)):
            self._passes(b, low, losses, enters=False)
            b.assign(low, add(low, 1))
        with b.loop_while(compare("gt", high, behind)):
            b.assign(high, sub(high, 1))
            self._passes(b, high, losses, enters=False)
        for cell, value in ((FIRST, low), (BEHIND, high), (LOSSES, losses)):
            b.store(ENDS.name, const(place + cell), value, OWN)
        return losses

    def _lost(self, number: ir.Expr) -> ir.Expr:
        code = self.cells.look(number, BELOW)
        return select(compare("eq", code, const(LOST, code.type)), const(1), const(0))

    def _passes(self, b: Builder, number: ir.Expr, losses: ir.Var, *, enters: bool) -> None:
        """Counts a number that enters a window, or one that leaves it."""
        change = add if enters else sub
        if not self.grundy:
            b.assign(losses, change(losses, self._lost(number)))
            return
        value = b.local("value", cast(self.cells.look(number, BELOW), ir.U64))
        before = b.local("before", ir.Load(COUNTS.name, value, ir.U32, VALUES))
        after = b.local("after", change(before, 1))
        b.store(COUNTS.name, value, after, VALUES)
        with b.when(compare("eq", before if enters else after, const(0, ir.U32))):
            self._flip(b, value, 0, appears=enters)

    def _flip(self, b: Builder, place: ir.Expr, level: int, *, appears: bool) -> None:
        """Clears the bit of a value that appears, or sets that of one that is gone, and so for words above."""
        word = self._word(b, shr(place, 6), level)
        bits = b.local("bits", ir.Load(FREE.name, word, ir.U64, VALUES))
        bit = shl(const(1, ir.U64), binary("and", place, const(63, ir.U64), ir.U64))
        after = b.local("after", binary("xor", bits, bit, ir.U64))
        b.store(FREE.name, word, after, VALUES)
        if level + 1 < LEVELS:
            with b.when(compare("eq", after if appears else bits, const(0, ir.U64))):
                self._flip(b, b.local("above", shr(place, 6)), level + 1, appears=appears)

    def _word(self, b: Builder, number: ir.Expr, level: int) -> ir.Var:
        number = cast(number, ir.I64)
        return b.local("word", number if level == 0 else add(number, ir.Var(LEVEL[level - 1].name, ir.I64)))

    def _mex(self, b: Builder) -> ir.Expr:
        """The least value that is nowhere: there is one, as there are more cells than positions."""
        place: ir.Expr = const(0, ir.U64)
        for level in reversed(range(LEVELS)):
            bits = ir.Load(FREE.name, self._word(b, place, level), ir.U64, VALUES)
            low = ir.Unary("low", bits, ir.U64)
            place = b.local("place", binary("or", shl(place, 6), low, ir.U64))
        return cast(place, ir.U32)


def levels_of(values: int) -> list[int]:
    """The words of each level for so many values."""
    sizes = []
    for _ in range(LEVELS):
        values = -(-values // 64)
        sizes.append(values)
    return sizes


def slide_of(
    game: Game, facts: Facts, kept: Valuation, cells: Cells, indexing: Indexing, most: int, positions: int
) -> Slide | None:
    """Sliding windows, where every move of a game of one number leads to one, and some are large."""
    if kept.kind not in (Kind.OUTCOME, Kind.GRUNDY) or cells.width or most <= FEW:
        return None
    grundy = kept.kind is Kind.GRUNDY
    if may_fail(facts) is not None:
        return None
    if grundy and (game.misere or min(kept.top, positions) + 2 > MOST_VALUES):
        return None
    windows = facts.sides
    return None if windows is None else Slide(windows, cells, indexing, game.misere, grundy)
