"""A table filled block by block: what came of one is looked up where the same is met again.

Where moves see only which digits a number has, its remainder, and numbers not far below it (`analysis.numeral`), the
codes of a block of numbers with the same beginning depend on the digits and the remainder of the beginning and on the
last codes in front (the *window*). The table `blocks` keeps, for each of these, the codes of the block and a mark that
they are known; a number is looked at only where they are not. `plan.table.automaton` does the same with blocks of all
sizes and without a table, which takes longer to set up.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.numeral import Numeral
from gamespec.analysis.passes import BLOCKS
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, Builder, add, binary, both, cast, cell_type, compare, const, shl, shr, sub
from gamespec.plan.table.cells import WORD, Cells, Recent
from gamespec.plan.table.form import numeral_of

MOST_BITS = 20  # of a number of a block's beginning and window
LENGTH = 32  # numbers in a block where their digits do not matter

_BLOCKS = "blocks"


class Blocks(msgspec.Struct, frozen=True):
    """The shape of the blocks of one game."""

    numeral: Numeral
    width: int  # bits of a code

    @property
    def length(self) -> int:
        """Numbers in a block."""
        return self.numeral.base or LENGTH // self.width

    @property
    def window(self) -> int:
        """Bits of a window."""
        return self.numeral.furthest * self.width

    @property
    def count(self) -> int:
        """Beginnings and windows that are told apart."""
        return self.numeral.modulus << (self.numeral.base + self.window)

    @property
    def bits(self) -> int:
        """Bits of the codes of a block; the next one says that they are known."""
        return self.length * self.width

    @property
    def table(self) -> ir.Table:
        return ir.Table(_BLOCKS, cell_type((1 << self.bits + 1) - 1))

    def fill(self, b: Builder, recent: Recent, low: ir.Expr, cell: Callable[[ir.Expr], None]) -> None:
        """Fills the cells `first..last`; `low` (i64) is the number of the first cell of the table, `cell` writes what
        finds a code and puts it."""
        length = self.length
        first, last = (b.local(name, add(low, ir.Var(name, ir.I64))) for name in ("first", "last"))
        whole = const(length)
        lowest = b.local("lowest", binary("max", first, const(self.numeral.settled), ir.I64))
        window = b.local("window", shr(recent.bits, WORD - self.window))
        ends = (binary("div", first, whole, ir.I64), binary("div", last, whole, ir.I64))
        with b.loop("top", *ends) as top:
            start = b.local("start", binary("mul", top, whole, ir.I64))
            end = b.local("end", add(start, length - 1))
            slot, known = b.local("slot", const(0)), b.local("known", const(0, ir.U64))
            regular = b.local("regular", both(compare("ge", start, lowest), compare("le", end, last)))
            with b.when(regular):
                b.assign(slot, self.slot(window, top, start))
                b.assign(known, ir.Load(_BLOCKS, slot, ir.U64, proof="a beginning and a window"))
            again = b.local("again", FALSE)
            b.assign(again, compare("ne", known, const(0, ir.U64)))
            with b.when(again):
                codes = binary("and", known, const((1 << self.bits) - 1, ir.U64), ir.U64)
                recent.put_many(sub(start, low), b.local("codes", codes), length)
                b.assign(window, self.behind(recent, known))
            with b.otherwise():
                begin, stop = binary("max", start, first, ir.I64), binary("min", end, last, ir.I64)
                with b.loop("offset", sub(begin, low), sub(stop, low)) as offset:
                    cell(offset)
                b.assign(window, shr(recent.bits, WORD - self.window))
                with b.when(regular):
                    codes = shr(recent.bits, WORD - self.bits)
                    b.store(
                        _BLOCKS,
                        slot,
                        binary("or", codes, const(1 << self.bits, ir.U64), ir.U64),
                        proof="a beginning and a window",
                    )

    def behind(self, recent: Recent, known: ir.Expr) -> ir.Expr:
        """The window behind a block: of its own codes where they are enough, which is known sooner."""
        if self.window > self.bits:
            return shr(recent.bits, WORD - self.window)
        last = shr(known, self.bits - self.window)
        return binary("and", last, const((1 << self.window) - 1, ir.U64), ir.U64)

    def slot(self, window: ir.Expr, top: ir.Expr, start: ir.Expr) -> ir.Expr:
        """The number (i64) of the beginning `top` and a window."""
        slot = window
        if self.numeral.base:
            word = ir.U32 if self.numeral.base <= ir.U32.bits else ir.U64
            digits = cast(ir.DigitSet(top, self.numeral.base, word), ir.U64)
            slot = binary("or", shl(digits, self.window), slot, ir.U64)
        place = cast(slot, ir.I64)
        if self.numeral.modulus == 1:
            return place
        rest = binary("mod", start, const(self.numeral.modulus), ir.I64)
        return add(binary("mul", place, const(self.numeral.modulus), ir.I64), rest)


def blocks_of(game: Game, facts: Facts, cells: Cells) -> Blocks | None:
    """The blocks of a game whose table is filled upwards, where it has some that are worth keeping."""
    if not cells.width or game.givens or BLOCKS in facts.disabled or facts.proofs.unproved:
        return None
    found = numeral_of(game, facts)
    if not isinstance(found, Numeral) or found.furthest > cells.each:
        return None
    blocks = Blocks(found, cells.width)
    fits = blocks.count <= 1 << MOST_BITS and blocks.bits < WORD
    return blocks if fits and worth(blocks) else None


def worth(blocks: Blocks) -> bool:
    """Whether there are many more numbers than beginnings."""
    return blocks.numeral.bounds.size > LENGTH * blocks.count >> blocks.window
