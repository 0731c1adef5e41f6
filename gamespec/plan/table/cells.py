"""How the codes of a table lie in memory: in cells of their own, or several to a word of 64 bits.

Outcomes need one bit, or two with draws. Positions are filled in the order of their numbers, so that the codes before
the one at hand stand in a local (`Recent`): a word is written, and never read to be changed, and what lies less than a
word back is not looked up at all.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import msgspec

from gamespec.kernel import ir
from gamespec.kernel.build import Builder, binary, cast, compare, const, select, shl, shr, sub
from gamespec.kernel.memory import Buffer
from gamespec.plan.valuation import Kind, Valuation

WORD = 64
LOOKUPS = 1 << 12  # positions from which it pays to copy a table before it is read
UNFOLDED = 1 << 24  # codes that are copied to a byte each

_VALUE = "value"


class Cells(msgspec.Struct, frozen=True):
    """The memory of codes. `width` bits each, 0 where each has a cell of its own."""

    cell: ir.Type
    word: ir.Type  # of a code in a kernel
    width: int = 0

    @property
    def table(self) -> ir.Table:
        return ir.Table(_VALUE, self.cell)

    @property
    def each(self) -> int:
        """Codes in a cell of memory."""
        return WORD // self.width if self.width else 1

    def length(self, codes: int) -> int:
        """The cells of memory that hold so many codes."""
        return -(-codes // self.each)

    def size(self, codes: int) -> int:
        """Bytes."""
        return self.length(codes) * self.cell.bits // 8

    # --- in kernels ------------------------------------------------------------------------------------------

    def look(self, index: ir.Expr, proof: str) -> ir.Expr:
        """The code of the position with an index (i64)."""
        if not self.width:
            return ir.Load(_VALUE, index, self.word, proof=proof)
        place, shift = self.split(index)
        bits = shr(ir.Load(_VALUE, place, ir.U64, proof=proof), shift)
        return cast(binary("and", bits, const(self.mask, ir.U64), ir.U64), self.word)

    def split(self, index: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """The word that holds a code, and the place (u64) of the code's lowest bit in it."""
        unsigned = cast(index, ir.U64)
        inside = binary("and", unsigned, const(self.each - 1, ir.U64), ir.U64)
        return shr(unsigned, self.each.bit_length() - 1), shl(inside, self.width.bit_length() - 1)

    @property
    def mask(self) -> int:
        return (1 << self.width) - 1

    # --- in Python -------------------------------------------------------------------------------------------

    def get(self, buffer: Buffer, index: int) -> int:
        if not self.width:
            return buffer.cells[index]
        place, inside = divmod(index, self.each)
        return buffer.cells[place] >> inside * self.width & self.mask

    def sequence(self, buffer: Buffer, codes: int, lookups: int) -> Sequence[int] | None:
        """All codes as a sequence that Python reads fast; None where they are too many to be copied for so few."""
        if not self.width:
            return buffer.copied() if lookups > LOOKUPS else buffer.to_list() if codes < lookups else None
        if lookups < LOOKUPS or codes > UNFOLDED:
            return None
        unfolded = [bytes(number >> at & self.mask for at in range(0, 8, self.width)) for number in range(256)]
        return b"".join(map(unfolded.__getitem__, array("Q", buffer.to_list()).tobytes()))


def cells_of(valuation: Valuation, *, packed: bool) -> Cells:
    """The memory for codes of a kind; `packed` where that is possible."""
    if packed and valuation.kind in (Kind.OUTCOME, Kind.DRAWS):
        return Cells(ir.U64, valuation.word, valuation.top.bit_length())
    return Cells(valuation.cell, valuation.word)


class Recent:
    """The codes in front of the position at hand, in a kernel that fills packed cells one after the other.

    The local `recent` (u64) holds those of the last `Cells.each` positions, the latest in the highest bits.
    """

    def __init__(self, b: Builder, cells: Cells, first: ir.Expr) -> None:
        """Begins at the index `first` (i64)."""
        self.b = b
        self.cells = cells
        first = b.simple("begin", first)
        word, shift = (b.simple(name, part) for name, part in zip(("word", "shift"), cells.split(first), strict=True))
        proof = "the loops stay inside the box"
        own = shl(ir.Load(_VALUE, word, ir.U64, proof=proof), sub(const(WORD, ir.U64), shift, ir.U64))
        before = ir.Load(_VALUE, sub(word, const(1, ir.U64), ir.U64), ir.U64, proof="there is a word in front")
        some = compare("gt", word, const(0, ir.U64))
        self.bits = b.local("recent", binary("or", own, select(some, shr(before, shift), const(0, ir.U64)), ir.U64))

    def at(self, distance: ir.Expr) -> ir.Expr:
        """The code of the position so far back (u64, 1..`Cells.each`)."""
        width = self.cells.width
        back = shl(distance, width.bit_length() - 1)
        place = binary("and", sub(const(0, ir.U64), back, ir.U64), const(WORD - 1, ir.U64), ir.U64)
        bits = shr(self.bits, place)
        return cast(binary("and", bits, const(self.cells.mask, ir.U64), ir.U64), self.cells.word)

    def put(self, index: ir.Expr, code: ir.Expr) -> None:
        """Writes the code of the position at hand, and goes on to the next."""
        b, width = self.b, self.cells.width
        highest = shl(cast(code, ir.U64), WORD - width)
        b.assign(self.bits, binary("or", shr(self.bits, width), highest, ir.U64))
        place, shift = self.cells.split(index)
        left = binary("xor", shift, const(WORD - width, ir.U64), ir.U64)
        b.store(_VALUE, cast(place, ir.I64), shr(self.bits, left), proof="the loops stay inside the box")

    def put_many(self, index: ir.Expr, codes: ir.Expr, count: int) -> None:
        """Writes the codes (u64, the first one lowest) of the next positions; the word behind theirs is overwritten."""
        b, bits = self.b, count * self.cells.width
        place, shift = (
            b.simple(name, part) for name, part in zip(("word", "shift"), self.cells.split(index), strict=True)
        )
        left = b.simple("left", sub(const(WORD, ir.U64), shift, ir.U64))
        proof = "there is a word more than the box needs"
        b.store(_VALUE, place, binary("or", shr(self.bits, left), shl(codes, shift), ir.U64), proof=proof)
        b.store(_VALUE, binary("add", place, const(1, ir.U64), ir.U64), shr(codes, left), proof=proof)
        b.assign(self.bits, binary("or", shr(self.bits, bits), shl(codes, WORD - bits), ir.U64))
