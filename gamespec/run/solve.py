"""Answers an input: blocks of cases are read, solved together, and printed in order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import xor
from typing import Any, BinaryIO

from gamespec.answers.ask import Ask
from gamespec.answers.moves import WinningMove, winning_options
from gamespec.answers.table import needed
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError
from gamespec.game.model import MOVER, WON, Game
from gamespec.plan.plan import Option, Solver
from gamespec.run.block import Block
from gamespec.run.problems import NO_INPUT
from gamespec.run.read import Reader, Report
from gamespec.run.write import Answered, Writer

MOST_OPTIONS = 1 << 16  # positions of a block whose moves are remembered


def solve(
    game: Game, solver: Solver, stdin: BinaryIO, stdout: BinaryIO, budget: Budget, *, report: Report = lambda _: None
) -> None:
    """Reads cases from `stdin` and writes what the output clause says for each, flushed after every block.

    `report` gets warnings about the input. Raises InputError when all whole cases before the fault are answered,
    SpecError where a rule fails at a position that was met, LimitError where memory or time do not suffice.
    """
    _check_input(game)
    writer = Writer(game)
    ask = needed(game)
    for block in Reader(game, stdin, budget, report).blocks():
        rows = solver.values(block.givens, block.states) if len(block.states[0]) else []
        answered = Answered(
            block, case_values(block, rows), _Moves(solver, block, rows, ask).of if ask.moves else _no_moves
        )
        text = writer.text(answered).encode()
        budget.rest()
        stdout.write(text)
        stdout.flush()
        budget.check_time()


def _check_input(game: Game) -> None:
    """Raises SpecError if there is no input clause and `start` leaves a field without a value."""
    if game.input is None:
        started = {MOVER, *(update.field for update in game.start)}
        if game.components:
            started |= {field.name for field in game.states} | {given.name for given in game.givens if given.component}
        missing = [field for field in (*game.givens, *game.states) if field.name not in started]
        if missing:
            raise SpecError(NO_INPUT.at(missing[0].span, names=f"`{missing[0].name}`"), source=game.source)


def case_values(block: Block, rows: Sequence[int]) -> Sequence[int]:
    """The value of each case: of its only component, or the xor over its components (0 for none)."""
    if block.sizes is None:
        return rows
    totals = [0, *accumulate(rows, xor)]
    ends = [0, *block.ends()]
    return [totals[start] ^ totals[end] for start, end in pairwise(ends)]


class _Moves:
    """The winning moves of the cases of a block."""

    def __init__(self, solver: Solver, block: Block, rows: Sequence[int], ask: Ask) -> None:
        self.solver = solver
        self.ask = ask
        self.block = block
        self.rows = rows
        self.values = case_values(block, rows)
        self.ends = [0, *block.ends()]
        self._options: dict[tuple[Any, ...], list[Option]] = {}

    def of(self, case: int) -> list[WinningMove]:
        """The winning moves of a case, counted from 0 in its block: component by component, in the order of each."""
        total = self.values[case]
        if self.ask.outcome(total) != WON:
            return []
        if self.block.sizes is None:
            return [WinningMove(1, option) for option in winning_options(self.ask, self._options_of(case))]
        start, end = self.ends[case], self.ends[case + 1]
        return [
            WinningMove(number, option)
            for number, row in enumerate(range(start, end), 1)
            for option in winning_options(self.ask, self._options_of(row), total ^ self.rows[row])
        ]

    def _options_of(self, row: int) -> list[Option]:
        givens = tuple(column[row] for column in self.block.givens)
        state = tuple(column[row] for column in self.block.states)
        options = self._options.get((givens, state))
        if options is None:
            if len(self._options) >= MOST_OPTIONS:
                self._options.clear()
            options = self._options[givens, state] = self.solver.options(givens, state)
        return options


def _no_moves(_: int) -> Sequence[WinningMove]:
    return ()
