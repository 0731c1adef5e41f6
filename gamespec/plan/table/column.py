"""Columns that come again: one large number beside small fields, at any size.

From `settled` on a column is decided by the `furthest` columns before it and n % modulus (`analysis.column`): the moves
that stay in it lead to positions whose values are decided by these as well, for no position repeats. So once as many
columns as that have come again at n + p, p a multiple of the modulus, all that follow come again, too (S. W. Golomb's
argument for subtraction sets, with columns in the place of values). Positions of large numbers then have the values,
and the moves, of those of small ones, which the same spec with a small limit answers by whatever plan it has.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, cast

from gamespec.analysis.column import Columns, columns
from gamespec.analysis.facts import Facts, analyse
from gamespec.analysis.numeral import NoNumeral
from gamespec.answers.ask import Ask, interacts
from gamespec.budget import Budget
from gamespec.game.limit import narrowed
from gamespec.game.model import Game, Value
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.demand import Compile, named
from gamespec.plan.given import Rows
from gamespec.plan.plan import Bid, Column, Option, Plan, Reason, Refusal, Solver, may_fail
from gamespec.types import element_bounds

NAME = "columns"

NANOSECONDS = 1e9  # finding that columns come again
SIZES = (1 << 9, 1 << 12, 1 << 15)  # numbers up to which that is looked for
MOST_POSITIONS = 1 << 21


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if interacts(game) or game.scored or ask.distance:
        return Refusal(NAME, Reason("only outcomes and Grundy values of single positions come again"))
    if facts.order is None and facts.finite is None:
        return Refusal(NAME, Reason("not proved that play ends"))
    if (reason := may_fail(facts)) is not None:
        return Refusal(NAME, reason)
    found = columns_of(game, facts)
    if isinstance(found, NoNumeral):
        return Refusal(NAME, Reason(found.reason, found.span))
    text = (
        f"beside {found.field} there are {found.size:,} positions, and moves lower it by at most {found.furthest}: "
        "once so many columns come again, all do; as without this plan where they do not"
    )
    return Bid(NAME, NANOSECONDS, 1 << 20, (Reason(text, found.span),))


def lower(_game: Game, _facts: Facts, _ask: Ask) -> tuple[ir.Function, ...]:
    return ()


def columns_of(game: Game, facts: Facts) -> Columns | NoNumeral:
    """The columns of a game, looked for when they are first asked for."""
    if NAME not in facts.found:
        facts.found[NAME] = columns(game)
    return cast("Columns | NoNumeral", facts.found[NAME])


class Again(NamedTuple):
    """Columns from `since` on come again after `period`; `solver` answers for those up to `since + period`."""

    solver: Solver
    since: int
    period: int


class ColumnSolver:
    """Keeps what comes again for each set of givens."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, budget: Budget, compile: Compile) -> None:
        found = columns_of(game, facts)
        assert isinstance(found, Columns)
        self.columns = found
        self.game = game
        self.ask = plan.ask
        self.budget = budget
        self._compile = compile
        self._disabled = facts.disabled | {NAME}
        self._place = next(place for place, field in enumerate(game.states) if field.name == found.field)
        self._inner: dict[int, Solver] = {}
        self._again: dict[tuple[Value, ...], Again | None] = {}

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        return Rows(givens, states).answer(self._values)

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        again = self._found(tuple(givens))
        if again is None:
            return self._small(self.columns.bounds.hi).options(givens, state)
        number = self._lowered(again, cast(int, state[self._place]))
        return again.solver.options(givens, (*state[: self._place], number, *state[self._place + 1 :]))

    def _values(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        again = self._found(givens)
        data = [[value] * len(states[0]) for value in givens]
        if again is None:
            return self._small(self.columns.bounds.hi).values(data, states)
        numbers = [self._lowered(again, number) for number in cast("Sequence[int]", states[self._place])]
        return again.solver.values(data, [*states[: self._place], numbers, *states[self._place + 1 :]])

    def _lowered(self, again: Again, number: int) -> int:
        """A small number of which the positions have the same values and moves."""
        return number if number < again.since else again.since + (number - again.since) % again.period

    def _found(self, givens: tuple[Value, ...]) -> Again | None:
        if givens not in self._again:
            self._again[givens] = self._search(givens)
        return self._again[givens]

    def _search(self, givens: tuple[Value, ...]) -> Again | None:
        """Looks for columns that come again, among more and more of them."""
        settled, furthest, low = self.columns.settled, self.columns.furthest, self.columns.bounds.lo
        for size in SIZES:
            top = settled + size
            if top > self.columns.bounds.hi or (top - low + 1) * self.columns.size > MOST_POSITIONS:
                break
            self.budget.tick(f"columns: looking at {top:,} of them")
            values = self._all(givens, top)
            width = self.columns.size * values.itemsize
            content = values.tobytes()
            seen: dict[tuple[int, bytes], int] = {}
            for number in range(settled, top + 1):
                window = content[(number - furthest - low) * width : (number - low) * width]
                since = seen.setdefault((number % self.columns.modulus, window), number)
                if since < number:
                    return Again(self._small(top), since, number - since)
        return None

    def _all(self, givens: tuple[Value, ...], top: int) -> array[int]:
        """The values of all positions up to a number, column by column."""
        others = [element_bounds(field.type) for field in self.game.states if field.name != self.columns.field]
        beside = list(product(*(range(bounds.lo, bounds.hi + 1) for bounds in others)))
        numbers = range(self.columns.bounds.lo, top + 1)
        states: list[Column] = [[position[place] for position in beside] * len(numbers) for place in range(len(others))]
        states.insert(self._place, [number for number in numbers for _ in beside])
        data = [[value] * len(states[0]) for value in givens]
        return array("i", self._small(top).values(data, states))

    def _small(self, top: int) -> Solver:
        """The solver of the same spec with this limit, without the pass."""
        if top not in self._inner:
            game = self.game
            if top < self.columns.bounds.hi:
                game = narrowed(game, {self.columns.field: Interval(self.columns.bounds.lo, top)})
            facts = analyse(game, self._disabled)
            plan = choose(game, facts, self.ask, budget=self.budget)
            self._inner[top] = make_solver(game, facts, plan, self.budget, named(self._compile, f"upto_{top}"))
        return self._inner[top]
