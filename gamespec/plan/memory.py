"""The memory of a solver that grows: buffers that count against the memory of the run."""

from __future__ import annotations

from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate


def taken(budget: Budget, cell: ir.Type, length: int, what: str) -> Buffer:
    """A buffer of so many cells for `what`, which counts against a budget. Raises LimitError."""
    size = length * cell.bits // 8
    budget.take(size, what)
    try:
        return allocate(cell, length)
    except LimitError:
        budget.give_back(size)
        raise


def give_back(budget: Budget, buffer: Buffer) -> None:
    """Gives the memory of a buffer back, which nothing may use any more."""
    budget.give_back(buffer.size)
    buffer.release()


class Memory:
    """Buffers by name, within a budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.buffers: dict[str, Buffer] = {}

    def __getitem__(self, name: str) -> Buffer:
        return self.buffers[name]

    def take(self, name: str, cell: ir.Type, length: int, what: str) -> Buffer:
        self.buffers[name] = taken(self.budget, cell, length, what)
        return self.buffers[name]

    def grow(self, name: str, length: int, what: str) -> None:
        """A longer buffer that begins with the cells of the old one."""
        old = self.buffers[name]
        new = self.take(name, old.cell, length, what)
        new.copy(old)
        give_back(self.budget, old)

    def drop(self, *names: str) -> None:
        for name in names:
            if name in self.buffers:
                give_back(self.budget, self.buffers.pop(name))
