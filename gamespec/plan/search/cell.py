"""The cells of a search's table: what is known of a position, in fewer bits than the position takes.

A position is mixed by a function that can be undone, the highest bits of the result are the slot where its cell is
looked for first, and the cell holds only the others (J. G. Cleary, "Compact hash tables using bidirectional linear
probing", IEEE Transactions on Computers 33, 1984; called quotienting). A cell that stands further on says how far. From
the lowest bits up a cell consists of

    state | the bits of the mixed word that the slot does not tell | the bits above the 64th of the key | distance

and is 0 where there is none: the state of a position is not.

Several threads may search with one table. A cell is one machine word then, and it is written only where it still holds
what was found there (`offer`), so that nothing is lost, and no lock is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gamespec.kernel import ir
from gamespec.kernel.build import TRUE, Builder, add, binary, both, cast, compare, const, shl, shr, sub, word_type
from gamespec.kernel.memory import Buffer
from gamespec.plan.slot import HASHED, home, mixed, mixed_of, next_slot, shift_of, unmixed

CELLS = "cells"
DISTANCE_BITS = 8  # a cell that is 255 slots away from its own means that the table is too small
WORD = 64  # bits that a machine reads and writes in one step
MOST_LEAST = 20  # bits of the size of a table that is worth its memory for narrower cells

NEW, FULL = 1, 2  # what `offer` says

_WORDS = (ir.U32, ir.U64, ir.U128, ir.U256, ir.U512)


class Mixed(NamedTuple):
    """A key as it stands in the table: the mixed word, and the bits of the key above the 64th, if there may be any."""

    word: ir.Expr
    above: ir.Expr | None


class Place(NamedTuple):
    """Where a key stands or would go: the slot, the cell of the key there without a state, and what is there.

    `cell` is 0 if the key is not in the table.
    """

    slot: ir.Var
    tag: ir.Var
    cell: ir.Var


class Layout:
    """The layout for keys and states of so many bits. Raises OverflowError if no word has room for them.

    `least` is the binary logarithm of the length of the smallest table. `shared` says whether several threads may use
    one: they may if it is wished and a cell is a machine word.
    """

    def __init__(self, key_bits: int, state_bits: int, shared: bool = False) -> None:
        self.state_bits = state_bits
        self.state_word = word_type(state_bits)
        self.spare = max(0, 64 - key_bits)
        for of in _WORDS:
            room = of.bits - state_bits - DISTANCE_BITS
            self.least = max(0, key_bits - room)
            if room >= 0 and self.least <= MOST_LEAST:
                break
        else:
            raise OverflowError(f"a key of {key_bits} bits and a state of {state_bits} do not fit a cell")
        self.type = of
        self.shared = shared and of.bits <= WORD
        self.above_bits = max(0, key_bits - 64)
        self.rest_bits = max(0, min(key_bits, 64) - self.least)
        self.above_at = state_bits + self.rest_bits
        self.distance_at = self.above_at + self.above_bits
        self.step = const(1 << self.distance_at, of)
        self.furthest = const((1 << of.bits) - (1 << self.distance_at), of)

    # --- in kernels ----------------------------------------------------------------------------------------

    def params(self) -> tuple[ir.Scalar | ir.Table, ...]:
        """The table; `shift` is 64 less the bits of its size."""
        return ir.Table(CELLS, self.type, self.shared), ir.Scalar("mask", ir.U64), ir.Scalar("shift", ir.U64)

    def prefetch(self, b: Builder, key: ir.Expr) -> None:
        b.prefetch(CELLS, home(self._mixed(b, key).word), HASHED)

    def find(self, b: Builder, key: ir.Expr) -> Place:
        return self._seek(b, self._mixed(b, key))

    def put(self, b: Builder, place: Place, state: ir.Expr) -> None:
        b.store(CELLS, place.slot, binary("or", place.tag, cast(state, self.type), self.type), HASHED)

    def offer(self, b: Builder, place: Place, state: ir.Var, join: Callable[[ir.Var, str], None]) -> ir.Var:
        """Like `put`, where other threads may have written since the place was found; what happened (u8).

        `join(known, done)` is called with the state that the key has by then: it may change `state`, or break to
        `done` where there is nothing to add. The result is NEW if the key was not in the table, FULL if it is not
        written as there is no room, else 0.
        """
        happened = b.local("happened", const(0, ir.U8))
        with b.labelled("done") as done, b.loop_while(TRUE):
            join(self.state(b, place.cell), done)
            with b.when(both(compare("eq", place.cell, const(0, self.type)), self.too_far(place))):
                b.assign(happened, const(FULL, ir.U8))
                b.breaks(done)
            with b.labelled("again") as again:
                full = binary("or", place.tag, cast(state, self.type), self.type)
                with b.replace_or(CELLS, place.slot, place.cell, full, HASHED):
                    b.assign(place.cell, self.cell(place.slot))
                    self._go_on(b, place)
                    b.breaks(again)
                with b.when(compare("eq", place.cell, const(0, self.type))):
                    b.assign(happened, const(NEW, ir.U8))
                b.breaks(done)
        return happened

    def state(self, b: Builder, cell: ir.Expr) -> ir.Var:
        """The state that a cell holds, 0 if it is empty."""
        return b.local("state", cast(self._bits(cell, 0, self.state_bits), self.state_word))

    def too_far(self, place: Place) -> ir.Expr:
        """Whether no cell may be put at a place, as the table is too small (i1)."""
        return compare("ge", place.tag, self.furthest)

    def moved(self, b: Builder, slot: ir.Expr, cell: ir.Expr, mask: ir.Expr, shift: ir.Expr) -> Place:
        """Where the key of a cell, found at a slot of a table with another size, stands in this one."""
        return self._seek(b, self._of_cell(b, slot, cell, mask, shift))

    def key(self, b: Builder, slot: ir.Expr, cell: ir.Expr, of: ir.Type) -> ir.Expr:
        """The key of a cell, found at a slot."""
        word, above = self._of_cell(b, slot, cell, ir.Var("mask", ir.U64), ir.Var("shift", ir.U64))
        return shr(unmixed(word, above, of), self.spare)

    def _of_cell(self, b: Builder, slot: ir.Expr, cell: ir.Expr, mask: ir.Expr, shift: ir.Expr) -> Mixed:
        """The mixed key of a cell, found at a slot of a table with this size."""
        distance = cast(shr(cell, self.distance_at), ir.U64)
        own = binary("and", sub(slot, distance), mask, ir.U64)
        rest = cast(self._bits(cell, self.state_bits, self.rest_bits), ir.U64)
        word = binary("or", shl(own, shift), shl(rest, self.spare), ir.U64)
        above = self._bits(cell, self.above_at, self.above_bits) if self.above_bits else None
        return Mixed(b.local("mixed", word), above)

    def _seek(self, b: Builder, key: Mixed) -> Place:
        slot = b.local("slot", home(key.word))
        tag = b.local("tag", self._tag(key))
        place = Place(slot, tag, b.local("cell", self.cell(slot)))
        self._go_on(b, place)
        return place

    def _go_on(self, b: Builder, place: Place) -> None:
        """Moves a place on until its key or an empty cell is there, or no cell may be so far from its own slot."""
        slot, tag, cell = place
        with b.labelled("found") as found, b.loop_while(compare("ne", cell, const(0, self.type))):
            same = compare("eq", shr(binary("xor", cell, tag, self.type), self.state_bits), const(0, self.type))
            with b.when(same):
                b.breaks(found)
            with b.when(compare("ge", tag, self.furthest)):
                b.assign(cell, const(0, self.type))
                b.breaks(found)
            b.assign(slot, next_slot(slot))
            b.assign(tag, add(tag, self.step))
            b.assign(cell, self.cell(slot))

    def _mixed(self, b: Builder, key: ir.Expr) -> Mixed:
        key = b.simple("key", key)
        word = b.local("mixed", mixed(shl(key, self.spare)))
        return Mixed(word, cast(shr(key, 64), self.type) if self.above_bits else None)

    def _tag(self, key: Mixed) -> ir.Expr:
        """The cell of a key at its own slot, without a state."""
        told = sub(shl(const(1, ir.U64), ir.Var("shift", ir.U64)), 1)
        rest = shl(cast(shr(binary("and", key.word, told, ir.U64), self.spare), self.type), self.state_bits)
        return rest if key.above is None else binary("or", rest, shl(key.above, self.above_at), self.type)

    def cell(self, slot: ir.Expr) -> ir.Expr:
        """What stands in a slot."""
        return ir.Load(CELLS, slot, self.type, HASHED)

    def _bits(self, cell: ir.Expr, low: int, count: int) -> ir.Expr:
        return binary("and", shr(cell, low), const((1 << count) - 1, self.type), self.type)

    # --- in Python -----------------------------------------------------------------------------------------

    def args(self, cells: Buffer) -> tuple[Buffer, int, int]:
        """What kernels get for `params`."""
        return cells, cells.length - 1, shift_of(cells.length)

    def look_up(self, cells: Buffer, key: int, of: ir.Type) -> int:
        """The state of a key, 0 if it is not in the table."""
        _, mask, shift = self.args(cells)
        word = mixed_of(key << self.spare, of)
        slot = word >> shift
        rest = (word & (1 << shift) - 1) >> self.spare
        tag = rest | key >> 64 << self.rest_bits
        while (found := cells.cells[slot]) and found >> self.state_bits != tag:
            slot = slot + 1 & mask
            tag += 1 << self.distance_at - self.state_bits
        return found & (1 << self.state_bits) - 1
