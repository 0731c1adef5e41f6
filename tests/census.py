"""Counts the positions that a solver keeps, by outcome: all that play from one position reaches."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import DEFAULT_MEMORY, Budget
from gamespec.cli.question import given_values, table_columns
from gamespec.game.model import DRAWN, LOST, WON, Game
from gamespec.kernel.ir import Function
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Column, Kernels
from gamespec.plan.retrograde.backward import BackwardSolver
from gamespec.plan.roll import Tally
from gamespec.plan.search.kernel import COUNT
from gamespec.plan.search.seek import MemoSolver
from tests.tool import spec


class Peak(Budget):
    """Remembers the most bytes that were in use at a time."""

    peak = 0

    def take(self, size: int, what: str) -> None:
        super().take(size, what)
        self.peak = max(self.peak, self.used)


class Census(NamedTuple):
    """The answer, and what the solver keeps. Seconds are the clock's: `planning` from the file to the plan,
    then `compiling` and `solving`; `peak` is the most bytes that tables took at a time."""

    outcome: int
    distance: int
    positions: int
    outcomes: Mapping[int, int]
    strategy: str
    planning: float
    compiling: float
    solving: float
    peak: int

    @property
    def won_drawn_lost(self) -> tuple[int, int, int]:
        """For the player to move."""
        return self.outcomes[WON], self.outcomes[DRAWN], self.outcomes[LOST]


def census(
    name: str,
    *position: str,
    params: Mapping[str, object] | None = None,
    distance: bool = True,
    symmetry: bool = True,
    strategy: str | None = None,
    memory: int = DEFAULT_MEMORY,
    counted: bool = True,
    threads: int = 0,
) -> Census:
    """Solves a shipped spec from a position (`board=x.o/...`, else its start) and counts what the solver keeps.

    With distances every position that play reaches is solved; without, a search leaves out what cannot matter.
    """
    begun = time.perf_counter()
    game = gamespec.load(str(spec(name)), params)
    left_out = () if symmetry else ("symmetry", "swap")
    facts = analyse(game, left_out)
    ask = Ask(distance=distance)
    budget = Peak(memory, threads=threads)
    plan = choose(game, facts, ask, hint=strategy, budget=budget)
    compiling = 0.0

    def compiled(functions: Sequence[Function]) -> Kernels:
        nonlocal compiling
        start = time.perf_counter()
        kernels = compile(functions)
        compiling += time.perf_counter() - start
        return kernels

    solver = make_solver(game, facts, plan, budget, compiled)
    planned = time.perf_counter()
    (value,) = solver.values(*_columns(game, position))
    solved = time.perf_counter()
    spent = planned - begun, compiling, solved - planned - compiling
    peak = budget.peak
    if isinstance(solver, MemoSolver):
        positions, valuation = solver.at[COUNT], solver.memo.valuation
    elif isinstance(solver, BackwardSolver):
        positions, valuation = solver.count, solver.graph.valuation
    else:
        raise TypeError(f"{plan.strategy} does not say what it keeps")
    outcomes: Counter[int] = Counter()
    for group, number in Tally(solver.roll(), compile, budget).counts().items() if counted else ():
        outcomes[ask.outcome(valuation.values([group.worth])[0])] += number
    return Census(ask.outcome(value), value // 3, positions, outcomes, plan.strategy, *spent, peak)


def _columns(game: Game, position: tuple[str, ...]) -> tuple[list[Column], list[Column]]:
    columns = table_columns(game, given_values(game, position), 1)
    return [columns[field.name] for field in game.givens], [columns[field.name] for field in game.states]
