"""What a solver says of components, put together to what holds of their sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from operator import xor
from typing import Any, cast

from gamespec.answers.ask import Ask, Option, interacts
from gamespec.answers.moves import WinningMove, winning_options
from gamespec.answers.nim import nim_sum
from gamespec.game.model import DRAWN, WON, Game
from gamespec.plan.plan import Column, LeavingSolver, Solver, WholeSolver

Options = Callable[[int], list[Option]]
"""The moves of the component in a row."""


class Totals:
    """The values of the cases of one question: `values` are those of the cases, `rows` those of their components.

    `sizes` are the numbers of components, or None where each case is one position. `rows` are empty where components
    interact, and only the whole has a value.
    """

    def __init__(
        self,
        game: Game,
        ask: Ask,
        solver: Solver,
        givens: Sequence[Column],
        states: Sequence[Column],
        sizes: Sequence[int] | None,
    ) -> None:
        self.game, self.ask, self.solver = game, ask, solver
        self.givens, self.states = givens, states
        self.whole = sizes is not None and interacts(game)
        self.ends = None if sizes is None else [0, *accumulate(sizes)]
        self.rows: Sequence[int] = ()
        self.values: Sequence[int]
        self._leaving = solver if isinstance(solver, LeavingSolver) else None  # asked once: it takes long
        if self.whole:
            self.values = cast(WholeSolver, solver).sums(givens, states, sizes or ()) if sizes else ()
        else:
            self.rows = solver.values(givens, states) if len(states[0]) else ()
            self.values = self.rows if self.ends is None else self._added(self.ends)

    def _added(self, ends: Sequence[int]) -> Sequence[int]:
        if self.game.endless is None:
            totals = [0, *accumulate(self.rows, xor)]
            return [totals[start] ^ totals[end] for start, end in pairwise(ends)]
        return [nim_sum(self.rows[start:end]) for start, end in pairwise(ends)]

    def outcomes(self) -> Sequence[int]:
        """The outcome of each case."""
        ask = self.ask
        if not (ask.score or ask.distance or ask.grundy):
            return self.values
        if ask.grundy and self.game.endless is None:
            return list(map(bool, self.values))
        return list(map(ask.outcome, self.values))

    def moves(self, case: int, options: Options) -> list[WinningMove]:
        """The winning moves of a case: component by component, in the order of each."""
        total = self.values[case]
        if self.ask.outcome(total) != WON:
            return []
        if self.ends is None:
            return [WinningMove(1, option) for option in self._to(case, 0, options)]
        start, end = self.ends[case], self.ends[case + 1]
        if self.whole:
            return self._whole_moves(start, end)
        found: list[WinningMove] = []
        known: dict[tuple[Sequence[object], ...], Sequence[Option]] = {}
        own = [column for given, column in zip(self.game.givens, self.givens, strict=True) if given.component]
        for row in range(start, end):
            alike = tuple(column[row] for column in own), tuple(column[row] for column in self.states)
            if alike not in known:
                known[alike] = self._to(row, self._others(case, row), options)
            found += [WinningMove(row - start + 1, option) for option in known[alike]]
        return found

    def _to(self, row: int, others: int, options: Options) -> Sequence[Option]:
        """The moves of a component that leave it with the value of the others."""
        if self._leaving is not None:
            state = [column[row] for column in self.states]
            return self._leaving.leaving([column[row] for column in self.givens], state, others)
        return winning_options(self.ask, options(row), others)

    def best(self, case: int, options: Options) -> list[WinningMove]:
        """The moves that keep what a case is worth, in the order of `moves`."""
        total = self.values[case]
        if self.ends is None:
            found = options(case)
            if self.ask.grundy:
                return self.moves(case, options) or [WinningMove(1, option) for option in found]
            return [WinningMove(1, option) for option in found if option.value == total]
        start, end = self.ends[case], self.ends[case + 1]
        if self.whole:
            return [WinningMove(*each) for each in self._sum_options(start, end) if each[1].value == total]
        every = [WinningMove(row - start + 1, option) for row in range(start, end) for option in options(row)]
        if self.ask.outcome(total) != DRAWN:
            return self.moves(case, options) or every
        return [move for move in every if self._kept(case, start + move.component - 1, move.option.value)]

    def _kept(self, case: int, row: int, value: int) -> bool:
        """Whether a move that leaves a component with a value leaves a draw."""
        return self.ask.outcome(nim_sum([self._others(case, row), value])) == DRAWN

    def _others(self, case: int, row: int) -> int:
        """The value of the components of a case beside one."""
        if self.game.endless is None:
            return self.values[case] ^ self.rows[row]
        assert self.ends is not None
        start, end = self.ends[case], self.ends[case + 1]
        return nim_sum(self.rows[other] for other in range(start, end) if other != row)

    def _whole_moves(self, start: int, end: int) -> list[WinningMove]:
        found = self._sum_options(start, end)
        return [WinningMove(number, option) for number, option in found if self.ask.outcome(option.value) == WON]

    def _sum_options(self, start: int, end: int) -> Sequence[tuple[int, Option]]:
        parts: Any = ([column[start:end] for column in columns] for columns in (self.givens, self.states))
        return cast(WholeSolver, self.solver).sum_options(*parts)
