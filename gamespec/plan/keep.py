"""Solved tables that outlive a run: what a solver hands over, and takes back in another run of the same plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gamespec.budget import Budget
from gamespec.kernel.ir import Type
from gamespec.kernel.memory import Buffer
from gamespec.plan.memory import give_back, taken

Fill = Callable[[Buffer], None]
"""Writes all cells of the next buffer."""


class Tables(NamedTuple):
    """What is kept: plain values that say what the buffers hold, and the buffers."""

    about: Any
    buffers: Sequence[Buffer]


@runtime_checkable
class Keeper(Protocol):
    """A solver whose tables can be kept."""

    def tables(self) -> Tables | None:
        """What was solved so far; None if that is nothing."""
        ...

    def restore(self, about: Any, fill: Fill) -> None:
        """Takes tables back, of which `fill` fills the buffers in the order in which `tables` lists them.

        To be called before any position is asked. Raises LimitError where memory does not suffice, and what `fill`
        raises; the solver can be used then too.
        """
        ...


def restored(budget: Budget, cell: Type, length: int, fill: Fill) -> Buffer:
    """A buffer that was kept. Raises LimitError, and what `fill` raises."""
    buffer = taken(budget, cell, length, "a table that was kept")
    try:
        fill(buffer)
    except BaseException:
        give_back(budget, buffer)
        raise
    return buffer
