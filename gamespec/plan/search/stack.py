"""The stack of one thread's search, and what else its kernel keeps between calls."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer
from gamespec.plan.memory import Memory
from gamespec.plan.pace import next_piece
from gamespec.plan.search.kernel import ROOM, ROOT, STACK
from gamespec.plan.search.memo import Memo
from gamespec.plan.value import Mex

KEYS, PARENTS, SEEN = "keys", "parents", "seen"
FIRST_ROOM = 1 << 12
FIRST_FUEL = 1 << 12
CALL_SECONDS = 0.03  # what a kernel call aims at


class Stack:
    """Positions to be searched, the next one on top. Raises LimitError where there is no memory for it."""

    def __init__(self, memo: Memo, budget: Budget, at: Buffer) -> None:
        self.at = at
        self.fuel = FIRST_FUEL
        self.memory = Memory(budget)
        try:
            for name, cell in ((KEYS, memo.key), (PARENTS, ir.U64)):
                self.memory.take(name, cell, FIRST_ROOM, "the stack of the search")
            if memo.grundy and memo.most > Mex.LIMIT:
                self.memory.take(SEEN, ir.U32, min(memo.most, 1 << 20) + 2, "the marks for Grundy values")
        except LimitError:
            self.close()
            raise
        # What the search needs for one position at a time.
        self.scratch: list[object] = [] if memo.first is None else [*memo.first.args()]
        if SEEN in self.memory.buffers:
            self.scratch = [self.memory[SEEN], self.memory[SEEN].length]

    @property
    def keys(self) -> Buffer:
        return self.memory[KEYS]

    @property
    def parents(self) -> Buffer:
        """Of each entry the place of its parent, with marks."""
        return self.memory[PARENTS]

    @property
    def args(self) -> list[object]:
        """What kernels get for the stack."""
        return [self.keys, self.parents, self.keys.length, self.at]

    def begin(self, roots: Sequence[int], mark: int) -> None:
        """Puts the keys of roots on an empty stack, the first one on top, with marks."""
        self.need(len(roots) + ROOM)
        self.keys.from_ints(reversed(roots))
        self.parents.from_ints([ROOT | mark] * len(roots))
        self.at[STACK] = len(roots)

    def paced(self, spent: float) -> None:
        """Sets the fuel of the next kernel call by the seconds that the last one took."""
        self.fuel = next_piece(self.fuel, spent, CALL_SECONDS)

    def need(self, room: int) -> None:
        """Makes room for so many entries."""
        if room > self.keys.length:
            room = max(room, 2 * self.keys.length)
            for name in (PARENTS, KEYS):  # kernels are told the length of the keys: never more than there are parents
                self.memory.grow(name, room, f"a stack of the search with {room:,} entries")

    def close(self) -> None:
        """Gives its memory back."""
        self.memory.drop(KEYS, PARENTS, SEEN)
