"""What a strategy offers, and the plan that comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import Ask, Option
from gamespec.game.model import Value
from gamespec.kernel.ir import Function
from gamespec.source import Span

__all__ = [
    "Ask",
    "Bid",
    "Column",
    "Kernel",
    "Kernels",
    "LeavingSolver",
    "Option",
    "Plan",
    "Reason",
    "Refusal",
    "Solver",
    "WholeSolver",
    "may_fail",
]

Column = Sequence[Value]  # one value for each position asked


class Reason(msgspec.Struct, frozen=True):
    """One sentence of evidence with its place in the spec."""

    text: str
    span: Span | None = None


class Bid(msgspec.Struct, frozen=True):
    """A strategy can do it. `cost` in nanoseconds and `memory` in bytes for all positions at the declared limits;
    `least` bytes are needed whatever is asked. A `cost` of infinity is not known yet. `positions` is how many that
    are, 0 where it does not matter. `proviso` says under which condition the cost is right, and what holds otherwise.
    """

    strategy: str
    cost: float
    memory: int
    reasons: tuple[Reason, ...] = ()
    least: int = 0
    positions: int = 0
    proviso: str = ""


class Refusal(msgspec.Struct, frozen=True):
    """A strategy cannot do it, and why."""

    strategy: str
    reason: Reason


class Plan(msgspec.Struct, frozen=True):
    """How to solve a game: kernels by name, and all that `explain` tells.

    `cells_a_step` is for `probe`: cells of a table that are filled in the time of one step of a search.
    """

    strategy: str
    ask: Ask
    functions: dict[str, Function]
    bid: Bid
    others: tuple[Bid | Refusal, ...] = ()
    passes: tuple[Reason, ...] = ()
    cells_a_step: int = 1


def may_fail(facts: Facts) -> Reason | None:
    """Why a rule may fail while it is played, for strategies whose kernels could not say at which position."""
    for kind, span in facts.proofs.unproved:
        return Reason(f"not proved that the rules never fail ({kind})", span)
    return None if facts.proofs.complete else Reason("not proved that the rules never fail: they are too long")


class Solver(Protocol):
    """Compiled kernels with their memory: answers many positions at once."""

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """The numbers that `gamespec.answers.ask.Ask` describes, one for each row of the columns (one column a field).

        Raises SpecError where a rule fails at a position that
        was met, LimitError where memory or time do not suffice.
        """
        ...

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """All moves of one position, in the order of the file and ascending choices, without repetitions."""
        ...


@runtime_checkable
class WholeSolver(Solver, Protocol):
    """A solver for sums whose components interact (`gamespec.answers.ask.interacts`): all of a case are asked together.

    `values` and `options` take each component as a sum of its own.
    """

    def sums(self, givens: Sequence[Column], states: Sequence[Column], sizes: Sequence[int]) -> Sequence[int]:
        """The value of each case, which has so many components: consecutive rows of the columns."""
        ...

    def sum_options(self, givens: Sequence[Column], states: Sequence[Column]) -> list[tuple[int, Option]]:
        """The moves of one case, whose components are the rows: each with the number of its component, from 1, and
        worth what it is worth in the whole."""
        ...


@runtime_checkable
class LeavingSolver(Solver, Protocol):
    """A solver that finds the moves to a value without a list of all moves, of which there may be very many."""

    def leaving(self, givens: Sequence[Value], state: Sequence[Value], value: int) -> list[Option]:
        """The moves of one position (of one component) that leave one of this Grundy value."""
        ...


Kernel = Callable[..., int]
Kernels = Mapping[str, Kernel]
