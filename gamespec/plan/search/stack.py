"""The stack of one thread's search, and what else its kernel keeps between calls."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.budget import Budget
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.plan.search.kernel import ROOM, ROOT, STACK
from gamespec.plan.search.memo import Memo
from gamespec.plan.value import Mex

FIRST_ROOM = 1 << 12
FIRST_FUEL = 1 << 12
CALL_SECONDS = 0.03  # what a kernel call aims at


class Stack:
    """Positions to be searched, the next one on top. Raises LimitError where there is no memory for it."""

    def __init__(self, memo: Memo, budget: Budget, at: Buffer) -> None:
        self.budget = budget
        self.at = at
        self.fuel = FIRST_FUEL
        self.keys = self._take(memo.key, FIRST_ROOM)
        self.parents = self._take(ir.U64, FIRST_ROOM)
        self.seen: Buffer | None = None
        if memo.grundy and memo.most > Mex.LIMIT:
            self.seen = self._take(ir.U32, min(memo.most, 1 << 20) + 2)
        self.first = [] if memo.first is None else memo.first.args()

    @property
    def args(self) -> list[object]:
        """What kernels get for the stack."""
        return [self.keys, self.parents, self.keys.length, self.at]

    @property
    def scratch(self) -> list[object]:
        """What the search gets for one position at a time."""
        return [*self.first] if self.seen is None else [self.seen, self.seen.length]

    def begin(self, roots: Sequence[int], mark: int) -> None:
        """Puts the keys of roots on an empty stack, the first one on top, with marks."""
        self.need(len(roots) + ROOM)
        self.keys.from_ints(reversed(roots))
        self.parents.from_ints([ROOT | mark] * len(roots))
        self.at[STACK] = len(roots)

    def paced(self, spent: float) -> None:
        """Sets the fuel of the next kernel call by the seconds that the last one took."""
        self.fuel = max(1, min(4 * self.fuel, int(self.fuel * CALL_SECONDS / max(spent, 1e-6))))

    def need(self, room: int) -> None:
        """Makes room for so many entries."""
        if room <= self.keys.length:
            return
        room = max(room, 2 * self.keys.length)
        self.keys = self._grown(self.keys, room)
        self.parents = self._grown(self.parents, room)

    def close(self) -> None:
        """Gives its memory back."""
        for buffer in (self.keys, self.parents, self.seen):
            if buffer is not None:
                self._release(buffer)

    def _grown(self, old: Buffer, room: int) -> Buffer:
        new = self._take(old.cell, room)
        new.copy(old)
        self._release(old)
        return new

    def _take(self, cell: ir.Type, length: int) -> Buffer:
        self.budget.take(length * cell.bits // 8, f"a stack of the search with {length:,} entries")
        return allocate(cell, length)

    def _release(self, buffer: Buffer) -> None:
        self.budget.give_back(buffer.size)
        buffer.release()
