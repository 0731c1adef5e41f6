"""Search or table, decided by the positions asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamespec.analysis.facts import Facts
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.model import Game, Value
from gamespec.plan.demand import Compile, OnDemand
from gamespec.plan.keep import Fill, Tables
from gamespec.plan.plan import Column, Option, Plan
from gamespec.plan.search.seek import MemoSolver, OutOfFuel
from gamespec.plan.table import strategy as table

LEAST_FUEL = 1 << 10
BYTES_A_STEP = 32  # of a search, at least, where it goes deep
FREE_STEPS = 1 << 20  # whose memory does not count


class ProbeSolver:
    """Searches with as many steps as a fill would cost; what does not end within them, or within the memory, is
    answered by a table.

    Where the table does not fit the memory either, the search goes on as far as it comes.
    """

    def __init__(self, game: Game, facts: Facts, plan: Plan, budget: Budget, compile: Compile) -> None:
        self.game = game
        self.facts = facts
        self.plan = plan
        self.budget = budget
        self.kernels = OnDemand(plan.functions, compile)
        self.search = self._search()
        self.table: table.TableSolver | None = None

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        if self.table is not None:
            return self.table.values(givens, states)
        filled = table.Table(self.game, self.facts, self.plan.ask)
        cells = filled.box(states).cells
        most = max(FREE_STEPS, filled.cells.size(cells) // BYTES_A_STEP)  # fresh memory costs time, too
        try:
            return self.search.probe(givens, states, max(LEAST_FUEL, min(most, cells // self.plan.cells_a_step)))
        except OutOfFuel:
            return self._filled(givens, states)
        except LimitError:
            self.budget.check_time()
            self.search.close()
            self.search = self._search()
            return self._filled(givens, states)

    def _search(self) -> MemoSolver:
        return MemoSolver(self.game, self.facts, self.plan, self.kernels, self.budget)

    def _filled(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        try:
            self.table = table.TableSolver(self.game, self.facts, self.plan, self.kernels, self.budget)
            return self.table.values(givens, states)
        except LimitError:
            self.table = None
            return self.search.values(givens, states)

    def tables(self) -> Tables | None:
        tables = (self.table or self.search).tables()
        return tables and Tables((self.table is not None, tables.about), tables.buffers)

    def restore(self, about: Any, fill: Fill) -> None:
        fills, inner = about
        if not fills:
            self.search.restore(inner, fill)
            return
        made = table.TableSolver(self.game, self.facts, self.plan, self.kernels, self.budget)
        made.restore(inner, fill)
        self.table = made

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        return (self.table or self.search).options(givens, state)
