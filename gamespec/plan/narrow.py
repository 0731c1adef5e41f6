"""Planned for what is asked, instead of for all that the spec allows.

At the limits of a problem (arrays of 10^5 numbers up to 10^9) no kernel holds a position, while the cases at hand are
often small. The same spec with limits that just cover them has the same positions and moves, and a plan of its own.
Only play that raises a number may leave such limits: then they are raised, up to the declared ones. What no kernel can
do within them either is left to the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from typing import TypeVar, cast

from gamespec.analysis.facts import Facts, analyse
from gamespec.answers.ask import Ask, Option
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError, UsageError
from gamespec.game.fault import Misfit
from gamespec.game.limit import declared, narrowed, seen
from gamespec.game.model import Game, Value
from gamespec.interval import EMPTY, Interval
from gamespec.kernel.ir import Function
from gamespec.kernel.shape import WIDEST, TooWide, shape_of
from gamespec.plan.choose import DEFINITION, MEMO, PROBE, TABLE, choose, make_solver
from gamespec.plan.definition import DefinitionSolver
from gamespec.plan.demand import Compile, named
from gamespec.plan.plan import Bid, Column, Plan, Reason, Refusal, WholeSolver, may_fail
from gamespec.types import ArrayType, element_bounds

NAME = "narrow"
LEAST = 4  # bits of the narrowest numbers of a position: less saves nothing, and makes more plans
RAISED = 4  # bits more for numbers that were too narrow

T = TypeVar("T")
Limits = tuple[Interval, ...]  # of the declared ones that are the same always, in their order


def bid(game: Game, _facts: Facts, _ask: Ask) -> Bid | Refusal:
    if not declared(game):
        return Refusal(NAME, Reason("no limit is declared that the positions asked could be below"))
    text = "for the limits of what is read, as soon as it is; by the definition where these are too wide, too"
    return Bid(NAME, inf, 0, (Reason(text),))


def lower(_game: Game, _facts: Facts, _ask: Ask) -> tuple[Function, ...]:
    return ()


class NarrowSolver:
    """A `WholeSolver` (see `gamespec.plan.plan`)."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, budget: Budget, compile: Compile) -> None:
        self.game = game
        self.declared = declared(game)
        self._changing = {field.name for field in game.states}
        self._disabled = facts.disabled
        self._ask = plan.ask
        self._budget = budget
        self._compile = compile
        self._definition = DefinitionSolver(game, facts, plan, {}, budget)
        self._least: Limits = (EMPTY,) * len(self.declared)  # narrower ones were left by play
        self._solvers: dict[Limits, WholeSolver | None] = {}  # None: no kernel can do it

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """The number that `Ask` describes, one for each row of the columns."""
        found = [0] * len(states[0])
        for some in self._alike(givens, states):
            rows = _rows(givens, some), _rows(states, some)
            values = self._asked(*rows, lambda solver, rows=rows: solver.values(*rows))  # type: ignore[misc]
            for row, value in zip(some, values, strict=True):
                found[row] = value
        return found

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """All moves of one position; none where the game is over."""
        columns = [[value] for value in givens], [[value] for value in state]
        return self._asked(*columns, lambda solver: solver.options(givens, state))

    def sums(self, givens: Sequence[Column], states: Sequence[Column], sizes: Sequence[int]) -> Sequence[int]:
        """The value of each case of a sum whose components interact; it has so many rows."""
        return self._asked(givens, states, lambda solver: solver.sums(givens, states, sizes))

    def sum_options(self, givens: Sequence[Column], states: Sequence[Column]) -> list[tuple[int, Option]]:
        """The moves of one case of such a sum."""
        return self._asked(givens, states, lambda solver: solver.sum_options(givens, states))

    def _alike(self, givens: Sequence[Column], states: Sequence[Column]) -> Iterator[list[int]]:
        """The rows in groups, each within limits for which there is a kernel, or (the last ones) without one."""
        bits = [_bits(self.game, state) for state in zip(*states, strict=True)]
        left = sorted((row for row in range(len(bits)) if bits[row] <= WIDEST), key=bits.__getitem__)
        while left:
            some = left
            while len(some) > 1 and self._solver(self._limits(_rows(givens, some), _rows(states, some))) is None:
                some = some[: len(some) // 2]
            yield some
            left = left[len(some) :]
        if wide := [row for row in range(len(bits)) if bits[row] > WIDEST]:
            yield wide

    def _asked(self, givens: Sequence[Column], states: Sequence[Column], act: Callable[[WholeSolver], T]) -> T:
        """What a solver says whose limits hold for some positions and for what play reaches from them."""
        limits = self._limits(givens, states)
        while (solver := self._solver(limits)) is not None:
            try:
                return act(solver)
            except Misfit:
                raised = self._raised(limits)
                if raised == limits:
                    raise
                limits = raised
                if self._solver(limits) is not None:
                    self._least = limits
        return act(self._definition)

    # --- limits ------------------------------------------------------------------------------------------------

    def _limits(self, givens: Sequence[Column], states: Sequence[Column]) -> Limits:
        """Limits that hold for some positions; there are few different ones."""
        fields = (*self.game.givens, *self.game.states)
        columns = {field.name: column for field, column in zip(fields, (*givens, *states), strict=True)}
        found = []
        for (name, most), least in zip(self.declared.items(), self._least, strict=True):
            here = seen(columns[name]).hull(least)
            up = _filled if name in self._changing else _stepped
            found.append(_around(Interval(most.lo, most.lo) if here.empty else here, most, up))
        return tuple(found)

    def _raised(self, limits: Limits) -> Limits:
        """Wider limits of all numbers that change."""
        return tuple(
            _around(each, most, lambda end: _filled(end << RAISED)) if name in self._changing else each
            for each, (name, most) in zip(limits, self.declared.items(), strict=True)
        )

    def _solver(self, limits: Limits) -> WholeSolver | None:
        """A solver of a spec with these limits, or wider ones; None where no kernel can do it."""
        for other, solver in self._solvers.items():
            if solver is not None and all(a.covers(b) for a, b in zip(other, limits, strict=True)):
                return solver
        if limits not in self._solvers:
            self._solvers[limits] = self._made(limits)
        return self._solvers[limits]

    def _made(self, limits: Limits) -> WholeSolver | None:
        try:
            game = narrowed(self.game, dict(zip(self.declared, limits, strict=True)))
            for field in game.states:
                shape_of(field)
        except (SpecError, TooWide):
            return None
        facts = analyse(game, self._disabled)
        plan = choose(game, facts, self._ask, budget=self._budget, last=(DEFINITION,))
        if plan.strategy in (TABLE, PROBE) and may_fail(facts) is not None:
            # A table would also try moves from its edges, which play need not reach.
            with suppress(UsageError):
                plan = choose(game, facts, self._ask, MEMO, self._budget)
        if plan.strategy == DEFINITION:
            return None
        prefix = "_".join(f"{each.lo}_{each.hi}".replace("-", "m") for each in limits)
        return cast(WholeSolver, make_solver(game, facts, plan, self._budget, named(self._compile, prefix)))


def _rows(columns: Sequence[Column], some: Sequence[int]) -> list[Column]:
    return [[column[row] for row in some] for column in columns]


def _bits(game: Game, state: Sequence[Value]) -> int:
    """The least bits of the arrays of a position."""
    return sum(
        len(value) * max(1, (seen(value).hi - element_bounds(field.type.of).lo).bit_length())
        for field, value in zip(game.states, state, strict=True)
        if isinstance(field.type, ArrayType) and isinstance(value, tuple)
    )


def _around(each: Interval, most: Interval, up: Callable[[int], int]) -> Interval:
    """Limits around others, as far from 0 as `up` says."""
    return Interval(-up(-each.lo), up(each.hi)).meet(most)


def _stepped(end: int) -> int:
    """An end for numbers that do not change, such as how long an array is: at most a third farther out."""
    step = 1 << max(0, end.bit_length() - 2)
    return max(0, -(-end // step) * step)


def _filled(end: int) -> int:
    """An end for numbers that change: all of their bits are used."""
    return (1 << max(LEAST, end.bit_length() if end > 0 else 0)) - 1
