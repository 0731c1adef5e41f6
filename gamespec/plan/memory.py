"""The memory of a solver that grows: buffers that count against the memory of the run."""

from __future__ import annotations

from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate


class Memory:
    """Buffers by name, within a budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.buffers: dict[str, Buffer] = {}

    def __getitem__(self, name: str) -> Buffer:
        return self.buffers[name]

    def take(self, name: str, cell: ir.Type, length: int, what: str) -> Buffer:
        self.budget.take(length * cell.bits // 8, what)
        try:
            self.buffers[name] = allocate(cell, length)
        except LimitError:
            self.budget.give_back(length * cell.bits // 8)
            raise
        return self.buffers[name]

    def grow(self, name: str, length: int, what: str) -> None:
        """A longer buffer that begins with the cells of the old one."""
        old = self.buffers[name]
        new = self.take(name, old.cell, length, what)
        new.copy(old)
        self._release(old)

    def drop(self, *names: str) -> None:
        for name in names:
            if name in self.buffers:
                self._release(self.buffers.pop(name))

    def _release(self, buffer: Buffer) -> None:
        self.budget.give_back(buffer.size)
        buffer.release()
