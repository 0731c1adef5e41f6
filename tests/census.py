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
from gamespec.kernel.memory import Buffer
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Column, Kernels
from gamespec.plan.retrograde.backward import BackwardSolver
from gamespec.plan.search.kernel import COUNT, KNOWN
from gamespec.plan.search.seek import MemoSolver
from tests.tool import spec

PIECE = 1 << 20  # cells read at a time


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
    codes: Counter[int] = Counter()
    positions = 0
    if isinstance(solver, MemoSolver):
        low = (1 << solver.memo.layout.state_bits) - 1
        positions = solver.at[COUNT]
        codes = _tally(solver.cells, solver.cells.length, low, KNOWN) if counted else codes
        decode = solver.memo.valuation.values
    elif isinstance(solver, BackwardSolver):
        positions = solver.count
        codes = _tally(solver.memory["value"], solver.count, -1, 1) if counted else codes
        decode = solver.graph.valuation.values
    else:
        raise TypeError(f"{plan.strategy} does not say what it keeps")
    outcomes: Counter[int] = Counter()
    for code, number in codes.items():
        outcomes[ask.outcome(decode([code])[0])] += number
    spent = planned - begun, compiling, solved - planned - compiling
    return Census(ask.outcome(value), value // 3, positions, outcomes, plan.strategy, *spent, budget.peak)


def _columns(game: Game, position: tuple[str, ...]) -> tuple[list[Column], list[Column]]:
    columns = table_columns(game, given_values(game, position), 1)
    return [columns[field.name] for field in game.givens], [columns[field.name] for field in game.states]


def _tally(cells: Buffer, length: int, low: int, unset: int) -> Counter[int]:
    """How often each code occurs in the low bits of those cells that are not 0."""
    codes: Counter[int] = Counter()
    for first in range(0, length, PIECE):
        codes.update(cell & low for cell in cells.to_list(first, min(length, first + PIECE)) if cell)
    return Counter({cell - unset: number for cell, number in codes.items()})
