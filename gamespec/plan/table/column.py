"""Columns that come again: large numbers beside small fields, at any size.

From `settled` on, the moves with a large number n are decided by n % modulus and the other fields, and lead to numbers
n - furthest..n (`analysis.column`). A column is all that have the same n; with one large number, once as many columns
as `furthest` come again at n + p, p a multiple of the modulus, all that follow do (S. W. Golomb's argument for
subtraction sets, with columns in the place of values). With several, all positions up to some limits are looked at. Let
those of each number come again from `since` on after p, at least `furthest` times up to its limit, whatever the others
are. Say that a position with larger numbers has the value of the one with each of them lowered by multiples of its p
to less than since + p. Then the values of its options are those of a position within the limits, to which the same
moves belong, and so is its own: it is the value, as play ends. The same holds for two numbers where positions come
again with both of them, or with the larger one far from the other (`Diagonal`): a move changes the smaller one, and how
far they are apart, by no more than `furthest`, and the limits hold twice that beyond what comes again. Positions of
large numbers have the values, and the moves, of those of small ones, which the same spec with small limits answers by
whatever plan it has.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import islice, product
from math import lcm, prod
from typing import NamedTuple, cast

from gamespec.analysis.column import Axis, Columns, columns
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
SIZES = (1 << 12, 1 << 16, 1 << 19)  # positions among which that is looked for, but for numbers not yet settled
MOST_POSITIONS = 1 << 20
PIECE = 1 << 14  # positions between two looks at the clock
BYTES = 16  # of a position while columns are compared
MOST_NUMBERS = 1 << 15  # of one field


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
    fields = " and ".join(axis.field for axis in found.axes)
    furthest = max(axis.furthest for axis in found.axes)
    text = (
        f"beside {fields} there are {found.size:,} positions, and moves lower no number by more than {furthest}: "
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


class Axes(NamedTuple):
    """From which number on columns come again, and after how many, for each large number; so do those that moves lead
    to."""

    ends: tuple[tuple[int, int], ...]

    def lowered(self, columns: Sequence[Sequence[int]]) -> list[list[int]]:
        return [
            [_folded(number, since, period) for number in column]
            for column, (since, period) in zip(columns, self.ends, strict=True)
        ]


class Diagonal(NamedTuple):
    """Positions of two large numbers, counted from the lowest ones, come again after `period`, with those that moves
    lead to: with both where both are `since` or more, with the larger one where it is that far from the other."""

    lows: tuple[int, int]
    since: int
    period: int

    def lowered(self, columns: Sequence[Sequence[int]]) -> list[list[int]]:
        (low, other_low), pairs = self.lows, []
        for number, other in zip(*columns, strict=True):
            one, two = number - low, other - other_low
            less, more = min(one, two), max(one, two) - min(one, two)
            less, more = _folded(less, self.since, self.period), _folded(more, self.since, self.period)
            pairs.append((low + less + more * (one > two), other_low + less + more * (one <= two)))
        return [list(column) for column in zip(*pairs, strict=True)]


class Again(NamedTuple):
    """How positions come again, and what answers for those that all others come down to."""

    solver: Solver
    way: Axes | Diagonal


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
        names = [field.name for field in game.states]
        self._places = [names.index(axis.field) for axis in found.axes]
        self._inner: dict[tuple[int, ...], Solver] = {}
        self._again: dict[tuple[Value, ...], Again | None] = {}

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        return Rows(givens, states).answer(self._values)

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        again = self._found(tuple(givens))
        if again is None:
            return self._declared().options(givens, state)
        (lowered,) = zip(*self._lowered(again, [[value] for value in state]), strict=True)
        return again.solver.options(givens, lowered)

    def _values(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        again = self._found(givens)
        data = [[value] * len(states[0]) for value in givens]
        if again is None:
            return self._declared().values(data, states)
        return again.solver.values(data, self._lowered(again, states))

    def _lowered(self, again: Again, states: Sequence[Column]) -> list[Column]:
        """Positions of small numbers that have the same values and moves."""
        lowered = list(states)
        large = [cast("Sequence[int]", states[place]) for place in self._places]
        for place, column in zip(self._places, again.way.lowered(large), strict=True):
            lowered[place] = column
        return lowered

    def _found(self, givens: tuple[Value, ...]) -> Again | None:
        if givens not in self._again:
            self._again[givens] = self._search(givens)
        return self._again[givens]

    def _search(self, givens: tuple[Value, ...]) -> Again | None:
        """Looks for columns that come again, among more and more positions."""
        axes, beside = self.columns.axes, self.columns.size
        for size in SIZES:
            each = min(MOST_NUMBERS, int((size / beside) ** (1 / len(axes))))
            tops = tuple(axis.settled + each for axis in axes)
            cells = beside * prod(top - axis.bounds.lo + 1 for axis, top in zip(axes, tops, strict=True))
            if any(top > axis.bounds.hi for axis, top in zip(axes, tops, strict=True)) or cells > MOST_POSITIONS:
                break
            if BYTES * cells > self.budget.free // 2:
                break
            self.budget.take(BYTES * cells, "the columns that are compared")
            try:
                values = self._all(givens, tops)
                way = self._axes(values, tops) or self._diagonal(values, tops)
            finally:
                self.budget.give_back(BYTES * cells)
            if way is not None:
                return Again(self._small(tops), way)
        return None

    def _all(self, givens: tuple[Value, ...], tops: tuple[int, ...]) -> array[int]:
        """The values of all positions up to some numbers; the last of the other fields counts fastest."""
        names = [field.name for field in self.game.states]
        limits = {axis.field: range(axis.bounds.lo, top + 1) for axis, top in zip(self.columns.axes, tops, strict=True)}
        for field in self.game.states:
            if field.name not in limits:
                limits[field.name] = range((of := element_bounds(field.type)).lo, of.hi + 1)
        positions, solver, found = product(*limits.values()), self._small(tops), array("i")
        while some := list(islice(positions, PIECE)):
            columns: dict[str, Column] = dict(zip(limits, zip(*some, strict=True), strict=True))
            found.extend(solver.values([[value] * len(some) for value in givens], [columns[name] for name in names]))
            self.budget.tick(f"columns: {len(found):,} positions")
        return found

    def _axes(self, values: array[int], tops: tuple[int, ...]) -> Axes | None:
        """How columns come again, whatever the other numbers are."""
        content, behind, ends = values.tobytes(), len(values) * values.itemsize, []
        for axis, top in zip(self.columns.axes, tops, strict=True):
            count = top - axis.bounds.lo + 1
            width = behind // count
            known: dict[bytes, int] = {}
            columns = (
                b"".join(content[start : start + width] for start in range(number * width, len(content), behind))
                for number in range(count)
            )
            end = _end(axis, [known.setdefault(column, len(known)) for column in columns])
            if end is None:
                return None
            ends.append(end)
            behind = width
        return Axes(tuple(ends))

    def _diagonal(self, values: array[int], tops: tuple[int, ...]) -> Diagonal | None:
        """How positions of two numbers come again that depend on which of them is the larger one."""
        if len(tops) != 2:
            return None
        one, two = self.columns.axes
        content, width = values.tobytes(), self.columns.size * values.itemsize
        count, other_count = (top - axis.bounds.lo + 1 for axis, top in zip((one, two), tops, strict=True))
        row = other_count * width
        rows = [content[at : at + row] for at in range(0, len(content), row)]
        least = min(count, other_count)
        since = max(one.settled - one.bounds.lo, two.settled - two.bounds.lo, least // 4)
        furthest, step = max(one.furthest, two.furthest), lcm(one.modulus, two.modulus)
        for period in range(step, (least - 2 * (since + furthest)) // 2, step):
            if _repeats(rows, width, since, period):
                return Diagonal((one.bounds.lo, two.bounds.lo), since + furthest, period)
        return None

    def _declared(self) -> Solver:
        return self._small(tuple(axis.bounds.hi for axis in self.columns.axes))

    def _small(self, tops: tuple[int, ...]) -> Solver:
        """The solver of the same spec with these limits, without the pass."""
        if tops not in self._inner:
            limits = {
                axis.field: Interval(axis.bounds.lo, top) for axis, top in zip(self.columns.axes, tops, strict=True)
            }
            declared = all(limits[axis.field] == axis.bounds for axis in self.columns.axes)
            game = self.game if declared else narrowed(self.game, limits)
            facts = analyse(game, self._disabled)
            plan = choose(game, facts, self.ask, budget=self.budget)
            name = "upto_" + "_".join(map(str, tops))
            self._inner[tops] = make_solver(game, facts, plan, self.budget, named(self._compile, name))
        return self._inner[tops]


def _end(axis: Axis, ids: list[int]) -> tuple[int, int] | None:
    """From which number on, and after how many, columns come again, and with them those that moves lead to; None
    where they do not as often as moves go back."""
    low, settled = axis.bounds.lo, axis.settled - axis.bounds.lo
    for period in range(axis.modulus, len(ids) - settled, axis.modulus):
        number = len(ids)
        while number - 1 - period >= settled and ids[number - 1] == ids[number - 1 - period]:
            number -= 1
        if len(ids) - number >= axis.furthest:
            return low + number - period + axis.furthest, period
    return None


def _repeats(rows: list[bytes], width: int, since: int, period: int) -> bool:
    """Whether all positions in some rows come again after `period` as in a `Diagonal`."""
    back, start = period * width, (since + period) * width
    for number, row in enumerate(rows):
        if row[number * width + start :] != row[number * width + start - back : len(row) - back]:
            return False
        if number >= since + period:
            before, most = rows[number - period], number * width - start + width
            if row[:most] != before[:most] or row[start:] != before[start - back : len(row) - back]:
                return False
    return True


def _folded(number: int, since: int, period: int) -> int:
    return number if number < since else since + (number - since) % period
