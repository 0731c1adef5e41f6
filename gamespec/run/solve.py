"""Answers an input: blocks of cases are read, solved together, and printed in order."""

from __future__ import annotations

import time
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, BinaryIO

from gamespec.answers.answer import Case
from gamespec.answers.ask import Option
from gamespec.answers.moves import WinningMove
from gamespec.answers.table import needed
from gamespec.budget import Budget, watched
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.model import DRAWN, MOVER, WON, Choice, Game
from gamespec.plan.plan import Column, Solver
from gamespec.run import problems
from gamespec.run.block import Block
from gamespec.run.read import Reader, Report
from gamespec.run.tell import Teller
from gamespec.run.total import Totals
from gamespec.run.write import CLASSES, Answered, Writer

if TYPE_CHECKING:
    from gamespec.run.bulk import Compile, Lines

PATIENCE = 20.0  # seconds for finding a case that cannot be answered, or
TIMES = 3  # times what was spent until it was met
MOST_OPTIONS = 1 << 16  # positions of a block whose moves are remembered


def solve(
    game: Game,
    solver: Solver,
    stdin: BinaryIO,
    stdout: BinaryIO,
    budget: Budget,
    *,
    report: Report = lambda _: None,
    compile: Compile | None = None,
) -> None:
    """Reads cases from `stdin` and writes what the output clause says for each, flushed after every block.

    `report` gets warnings about the input; `compile` makes kernels that read and print large inputs.
    Raises InputError for a fault of the input, SpecError where a rule fails at a position that was met, and LimitError
    where memory does not suffice, when all whole cases before are answered; LimitError where the time is over.
    """
    _check_input(game)
    writer = Writer(game)
    with watched(budget):
        reader = Reader(game, stdin, budget, report, compile)
        for block in reader.blocks():
            started = time.monotonic()
            try:
                told = _told(game, solver, writer, block)
            except (SpecError, LimitError):
                budget.check_time()  # a run whose time is over ends at once
                patience = max(PATIENCE, TIMES * (time.monotonic() - started))
                before = _before_fault(game, solver, writer, block, patience)
                budget.rest()
                if before is not None:
                    _print(*before, reader, stdout)
                raise
            budget.rest()
            _print(told, block, reader, stdout)
            budget.check_time()


def _told(game: Game, solver: Solver, writer: Writer, block: Block) -> str | list[Lines]:
    """The text of a block, or the lines of its different cases. Raises SpecError and LimitError."""
    answered = answers(game, solver, block)
    return writer.text(answered) if block.repeats is None else list(writer.lines(answered))


def _print(told: str | list[Lines], block: Block, reader: Reader, stdout: BinaryIO) -> None:
    if isinstance(told, str):
        stdout.write(told.encode())
    else:
        assert reader.bulk is not None
        assert block.repeats is not None
        reader.bulk.print(told, block.repeats, block.first, stdout)
    stdout.flush()


def _before_fault(
    game: Game, solver: Solver, writer: Writer, block: Block, patience: float
) -> tuple[str | list[Lines], Block] | None:
    """What is printed for the cases of a block before the first one that cannot be answered, and these cases, as far
    as they are found within so many seconds.

    More and more cases from the first on are tried, then what is left is halved.
    """
    answered, fails = 0, block.count
    found = None
    end = time.monotonic() + patience
    while fails - answered > 1 and time.monotonic() < end:
        middle = min((answered + fails) // 2, 2 * answered + 1)
        some = block.upto(middle)
        try:
            found = _told(game, solver, copy(writer), some), some
            answered = middle
        except (SpecError, LimitError):
            fails = middle
    return found


def answers(game: Game, solver: Solver, block: Block) -> Answered:
    """The answers of a block."""
    ask = needed(game)
    turns = block.turns() if game.partisan else ()
    if asks_both(game):
        sizes = None if block.sizes is None else [*block.sizes, *block.sizes]
        givens = [[*column, *column] for column in block.givens]
        states: list[Column] = [[*column, *column] for column in block.states]
        states[-1] = [*block.states[-1], *(1 - mover for mover in block.states[-1])]
        totals = Totals(game, ask, solver, givens, states, sizes)
        outcomes = totals.outcomes()
        classes: Sequence[int] = _classes(game, block, turns, outcomes)
        outcomes = outcomes[: block.count]
    else:
        totals = Totals(game, ask, solver, block.givens, block.states, block.sizes)
        outcomes, classes = totals.outcomes(), ()
    if not ask.moves:
        return Answered(block, totals.values, outcomes, _no_moves, classes, turns, ask=ask)
    moves = Moves(game, block, totals, outcomes, turns)
    return Answered(block, totals.values, outcomes, moves.of, classes, turns, moves.best, ask)


def asks_both(game: Game) -> bool:
    """Whether the output says who wins when either player starts."""
    entries = game.output.entries
    return any(isinstance(entry, Choice) and not entry.texts.keys().isdisjoint(CLASSES) for entry in entries)


def _classes(game: Game, block: Block, turns: Sequence[int], outcomes: Sequence[int]) -> list[int]:
    """For each case a number of CLASSES. `outcomes` are those of all cases, then of all with the other player first."""
    found = []
    for row in range(block.count):
        pair = outcomes[row], outcomes[row + block.count]
        if DRAWN in pair:
            entry = next(each for each in game.output.entries if isinstance(each, Choice) and "win" not in each.texts)
            turn = turns[row] if pair[0] == DRAWN else 1 - turns[row]
            who = game.players[turn] if game.players else ""
            number, word = block.number(row)[0], next(iter(entry.texts))
            drawn = problems.DRAWN_CLASS.at(entry.span, case=number, who=who, word=word)
            raise SpecError(drawn, source=game.source)
        first, second = pair if turns[row] == 0 else pair[::-1]
        found.append((first == WON) + 2 * (second == WON))
    return found


def _check_input(game: Game) -> None:
    """Raises SpecError if there is no input clause and `start` leaves a field without a value."""
    if game.input is None and not game.components:
        started = {update.field for update in game.start} | {MOVER}
        missing = [field for field in (*game.givens, *game.states) if field.name not in started]
        if missing:
            found = problems.NO_INPUT.at(missing[0].span, names=f"`{missing[0].name}`")
            raise SpecError(found, source=game.source)


class Moves:
    """The winning moves of the cases of a block, in the order that the output asks for."""

    def __init__(self, game: Game, block: Block, totals: Totals, outcomes: Sequence[int], turns: Sequence[int]) -> None:
        self.game = game
        self.block = block
        self.totals = totals
        self.outcomes = outcomes
        self.turns = turns
        self._teller = Teller(game, block)
        self._options: dict[tuple[Any, ...], list[Option]] = {}
        self._last: tuple[int, list[WinningMove]] = (-1, [])

    def of(self, case: int) -> list[WinningMove]:
        """The winning moves of a case, counted from 0 in its block."""
        if self._last[0] != case:
            self._last = case, self._ordered(case, self.totals.moves(case, self._options_of))
        return self._last[1]

    def best(self, case: int) -> list[WinningMove]:
        """The best moves of a case."""
        return self._ordered(case, self.totals.best(case, self._options_of))

    def _ordered(self, case: int, moves: list[WinningMove]) -> list[WinningMove]:
        order = self.game.output.order
        if not order or len(moves) < 2:
            return moves
        number, query = self.block.number(case)
        turn = self.turns[case] if self.turns else 0
        here = Case(number, self.totals.values[case], self.outcomes[case], moves, query, turn, ask=self.totals.ask)
        return self._teller.sorted(order, case, here, moves)

    def _options_of(self, row: int) -> list[Option]:
        givens = tuple(column[row] for column in self.block.givens)
        state = tuple(column[row] for column in self.block.states)
        options = self._options.get((givens, state))
        if options is None:
            if len(self._options) >= MOST_OPTIONS:
                self._options.clear()
            options = self._options[givens, state] = self.totals.solver.options(givens, state)
        return options


def _no_moves(_: int) -> Sequence[WinningMove]:
    return ()
