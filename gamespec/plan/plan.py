"""What a strategy offers, and the plan that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from gamespec.answers.ask import Ask, Option
from gamespec.budget import Budget
from gamespec.game.model import Value
from gamespec.kernel.ir import Function
from gamespec.source import Span

__all__ = [
    "Ask",
    "Bid",
    "Column",
    "Kernel",
    "Kernels",
    "MakeSolver",
    "Option",
    "Plan",
    "Reason",
    "Refusal",
    "Solver",
]

Column = Sequence[Value]  # one value for each position asked


class Reason(msgspec.Struct, frozen=True):
    """One sentence of evidence with its place in the spec."""

    text: str
    span: Span | None = None


class Bid(msgspec.Struct, frozen=True):
    """A strategy can do it. `cost` in nanoseconds and `memory` in bytes for all positions at the declared limits;
    `least` bytes are needed whatever is asked."""

    strategy: str
    cost: float
    memory: int
    reasons: tuple[Reason, ...] = ()
    least: int = 0


class Refusal(msgspec.Struct, frozen=True):
    """A strategy cannot do it, and why."""

    strategy: str
    reason: Reason


class Plan(msgspec.Struct, frozen=True):
    """How to solve a game: kernels by name, and all that `explain` tells."""

    strategy: str
    ask: Ask
    functions: dict[str, Function]
    bid: Bid
    others: tuple[Bid | Refusal, ...] = ()
    passes: tuple[Reason, ...] = ()


class Solver(Protocol):
    """Compiled kernels with their memory: answers many positions at once."""

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """Outcomes (1 won, 0 lost) or Grundy values, one for each row of the columns (one column a field).

        A component of a sum always has a Grundy value. Raises SpecError where a rule fails at a position that
        was met, LimitError where memory or time do not suffice.
        """
        ...

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """All moves of one position, in the order of the file and ascending choices, without repetitions."""
        ...


Kernel = Callable[..., int]
Kernels = Mapping[str, Kernel]
MakeSolver = Callable[[Plan, Kernels, Budget], Solver]
