"""Counting what a solver has solved: how many positions have which worth, and which position is the first of those.

Kernels go through all that is kept, so that counting costs a small part of solving.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol, runtime_checkable

from gamespec.budget import Budget
from gamespec.game.model import DRAWN, LOST, MOVER, WON
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, select, shr
from gamespec.kernel.memory import allocate
from gamespec.plan.demand import Compile, OnDemand
from gamespec.plan.encode import Packing
from gamespec.plan.memory import give_back, taken
from gamespec.plan.valuation import Kind, Valuation

PIECE = 1 << 24  # entries between two looks at the clock
COUNTED = "there is a cell for every worth up to the highest"
FIXED = "a fixed cell"


class Roll(Protocol):
    """What a solver keeps, entry by entry, as kernels read it; an entry may hold nothing."""

    @property
    def valuation(self) -> Valuation:
        """What codes mean."""
        ...

    @property
    def packing(self) -> Packing:
        """What keys mean."""
        ...

    @property
    def key(self) -> ir.Type: ...

    @property
    def length(self) -> int:
        """The number of entries."""
        ...

    def params(self) -> Sequence[ir.Scalar | ir.Table]: ...

    def args(self) -> Sequence[object]: ...

    def code(self, b: Builder, entry: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Whether an entry holds a position (i1), and the code of that (u64)."""
        ...

    def position(self, b: Builder, entry: ir.Expr) -> ir.Expr:
        """The key of the position that an entry holds."""
        ...


@runtime_checkable
class Keeping(Protocol):
    """A solver whose positions can be counted."""

    def roll(self) -> Roll:
        """The positions that were solved with the last givens; to be read before the next question."""
        ...


class Group(NamedTuple):
    """Positions that are worth the same and have the same player to move (always 0 in an impartial game).

    `worth` is the code of the solver; where that is a score, the outcome.
    """

    worth: int
    turn: int


class Tally:
    """Counts the positions of a roll."""

    def __init__(self, roll: Roll, compile: Compile, budget: Budget) -> None:
        self.roll = roll
        self.budget = budget
        self.mover = next((shape for shape in roll.packing.shapes if shape.name == MOVER), None)
        self.kernels = OnDemand({each.name: each for each in (self._most(), self._count(), self._least())}, compile)

    def counts(self) -> dict[Group, int]:
        """How many positions there are of each group that has any."""
        turns = 1 if self.mover is None else 2
        highest = self._highest()
        counts = taken(self.budget, ir.U64, turns * (highest + 1), f"the numbers of positions up to {highest:,}")
        try:
            self._go_through("count", counts)
            return {Group(*divmod(place, turns)): count for place, count in enumerate(counts.to_list()) if count}
        finally:
            give_back(self.budget, counts)

    def first(self, worth: int) -> int:
        """The least key of those with this worth, of which there are some."""
        least = allocate(self.roll.key, 1)
        least[0] = (1 << self.roll.key.bits) - 1
        self._go_through("least", least, worth)
        return least[0]

    def _highest(self) -> int:
        if self.roll.valuation.scores:
            return DRAWN
        most = allocate(ir.U64, 1)
        self._go_through("most", most)
        return most[0]

    def _go_through(self, name: str, *args: object) -> None:
        length = self.roll.length
        for first in range(0, length, PIECE):
            last = min(length, first + PIECE) - 1
            self.kernels[f"roll.{name}"](*self.roll.args(), *args, first, last)
            self.budget.tick(f"counting: {first:,} of {length:,} entries")

    # --- kernels -------------------------------------------------------------------------------------------

    def _most(self) -> ir.Function:
        """The highest worth."""
        b = self._begun(ir.Table("most", ir.U64))
        most = b.local("highest", ir.Load("most", const(0), ir.U64, FIXED))
        with self._each(b) as (_, worth):
            b.assign(most, binary("max", most, worth, ir.U64))
        b.store("most", const(0), most, FIXED)
        return self._done(b, "most")

    def _count(self) -> ir.Function:
        """Adds one to the cell of each position's group."""
        b = self._begun(ir.Table("counts", ir.U64))
        with self._each(b) as (entry, worth):
            place = cast(worth, ir.I64)
            if self.mover is not None:
                turn = shr(self.roll.position(b, entry), self.roll.packing.bits - self.mover.bits)
                place = add(binary("mul", place, const(2), ir.I64), cast(turn, ir.I64))
            place = b.local("group", place)
            b.store("counts", place, add(ir.Load("counts", place, ir.U64, COUNTED), 1), COUNTED)
        return self._done(b, "count")

    def _least(self) -> ir.Function:
        """The least key of those with a worth."""
        key = self.roll.key
        b = self._begun(ir.Table("least", key), ir.Scalar("wanted", ir.U64))
        least = b.local("lowest", ir.Load("least", const(0), key, FIXED))
        with self._each(b) as (entry, worth), b.when(compare("eq", worth, ir.Var("wanted", ir.U64))):
            b.assign(least, binary("min", least, self.roll.position(b, entry), key))
        b.store("least", const(0), least, FIXED)
        return self._done(b, "least")

    def _begun(self, *own: ir.Scalar | ir.Table) -> Builder:
        b = Builder()
        b.declare(*self.roll.params(), *own, ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
        return b

    @contextmanager
    def _each(self, b: Builder) -> Iterator[tuple[ir.Expr, ir.Expr]]:
        """Each entry that holds a position, with its worth (u64)."""
        with b.loop("entry", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as entry:
            there, code = self.roll.code(b, entry)
            with b.when(there):
                yield entry, b.local("worth", self._worth(code))

    def _worth(self, code: ir.Expr) -> ir.Expr:
        valuation = self.roll.valuation
        if valuation.kind is not Kind.SCORE:
            return code
        nought = const(-valuation.lowest, ir.U64)
        decided = select(compare("gt", code, nought), const(WON, ir.U64), const(LOST, ir.U64))
        return select(compare("eq", code, nought), const(DRAWN, ir.U64), decided)

    def _done(self, b: Builder, name: str) -> ir.Function:
        b.returns(0)
        return b.function(f"roll.{name}", hot=False)
