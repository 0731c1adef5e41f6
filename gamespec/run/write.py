"""Prints the answers of a block, a column of texts at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from typing import Any

import msgspec

from gamespec.answers.answer import Case
from gamespec.answers.ask import Ask
from gamespec.answers.echo import echo
from gamespec.answers.moves import WinningMove
from gamespec.answers.speech import about_move, answer_names
from gamespec.answers.table import ANSWERS, WORDS
from gamespec.budget import timed
from gamespec.diagnostics import SpecError
from gamespec.game.model import MOVER, Choice, Entry, Game, Hole, Line, Template, Winning
from gamespec.run import problems
from gamespec.run.block import Block
from gamespec.run.frame import Frame, values_of
from gamespec.run.tell import Teller, formatter
from gamespec.types import IntType

MARKED = "\0"
"""What stands in the text for cases that are the same in the place of the number of each."""

CLASSES = ("previous", "left", "right", "next")
"""Who wins when either starts, by a number: 1 if the player named first wins as the starter, plus 2 if the other
one does."""
MEANING = {"lose": "lost for the player to move", "win": "won for the player to move", "draw": "drawn"} | {
    "left": "won by the player named first, whoever starts",
    "right": "won by the player named second, whoever starts",
    "next": "won by whoever starts",
    "previous": "won by whoever does not start",
}


class Answered(msgspec.Struct, frozen=True):
    """A block with its answers, case by case: the number of the solver, the outcome that it means, the winning moves
    if the output needs them, where it asks for that which of CLASSES the case is in, in partisan games who is to move,
    the best moves if the output needs them, and what the solver was asked for."""

    block: Block
    values: Sequence[int]
    outcomes: Sequence[int]
    moves: Callable[[int], Sequence[WinningMove]]
    classes: Sequence[int] = ()
    turns: Sequence[int] = ()
    best: Callable[[int], Sequence[WinningMove]] = lambda case: ()
    ask: Ask = Ask()


class Writer:
    """Turns answered blocks into the lines that the output clause describes."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.output = game.output
        self._open = False  # a line of joined answers is not ended yet

    def text(self, answered: Answered) -> str:
        """The lines of all cases of the block, each with its line end; joined answers end where their group does.

        Raises SpecError where a case has an outcome for which the output says nothing.
        """
        block = answered.block
        if not block.count:
            return self._joined([], block) if self.output.joined is not None else ""
        columns = [self._lines(entry, answered, block.count) for entry in self.output.entries]
        if not columns:
            return ""
        if any(isinstance(entry, Winning) for entry in self.output.entries):
            columns = [self._several(columns)]
        if self.output.joined is not None:
            return self._joined(columns, block)
        each = columns[0] if len(columns) == 1 else chain.from_iterable(zip(*columns, strict=True))
        lines: Iterable[Any] = each
        if any(isinstance(entry, Winning) for entry in self.output.entries):
            lines = (line for line in each if line is not None)
        return "\n".join(chain(lines, [""]))

    def lines(self, answered: Answered) -> Iterable[str | tuple[str | None, ...] | None]:
        """The line, or lines, of each different case of a block with cases that are the same, MARKED for the number of
        a case.

        Raises SpecError where a case has an outcome for which the output says nothing.
        """
        count = answered.block.count
        columns = [self._lines(entry, answered, count) for entry in self.output.entries]
        return columns[0] if len(columns) == 1 else zip(*columns, strict=True)

    def _several(self, columns: list[Iterable[str | None]]) -> Iterable[str | None]:
        """One text a case, of its lines; None for none."""
        for lines in zip(*columns, strict=True):
            kept = [line for line in lines if line is not None]
            yield "\n".join(kept) if kept else None

    def _joined(self, columns: list[Iterable[str | None]], block: Block) -> str:
        """The answers with the text of `joined` between those of a group."""
        between = self.output.joined or ""
        rows = zip(*columns, strict=True) if columns else iter(())
        pieces: list[str] = []
        ends = iter(block.breaks)
        end = next(ends, None)
        for place in range(block.count + 1):
            while end == place:
                pieces.append("\n")
                self._open = False
                end = next(ends, None)
            if place == block.count:
                break
            lines = [line for line in next(rows) if line is not None]
            if self._open and lines:
                pieces.append(between)
            pieces.append(between.join(lines))
            self._open = self._open or bool(lines)
        return "".join(pieces)

    def _lines(self, entry: Entry, answered: Answered, count: int) -> Iterable[str | None]:
        """One line for every case; for winning moves none or several."""
        match entry:
            case Line(text):
                constant = _constant(text)
                return repeat(constant, count) if constant is not None else self._texts(text, answered, range(count))
            case Choice(texts):
                if next(iter(texts)) in CLASSES:
                    return self._chosen(entry, CLASSES, answered.classes, answered)
                return self._chosen(entry, WORDS, answered.outcomes, answered)
            case Winning():
                return self._winning(entry, answered, count)

    def _chosen(
        self, entry: Choice, words: Sequence[str], keys: Sequence[int], answered: Answered
    ) -> Iterable[str | None]:
        """The text for the number of each case, which counts the words."""
        texts = [entry.texts.get(word) for word in words]
        for number, text in enumerate(texts):
            if text is None and number in keys:
                word = words[number]
                shown, _ = answered.block.number(keys.index(number))
                found = problems.NO_WORD.at(entry.span, case=shown, outcome=MEANING[word], word=word)
                raise SpecError(found, source=self.game.source)
        constants = ["" if text is None else _constant(text) for text in texts]
        if None not in constants:
            return map(constants.__getitem__, keys)
        made = [
            iter(self._texts(text or (), answered, [row for row, key in enumerate(keys) if key == number]))
            for number, text in enumerate(texts)
        ]
        return (next(made[key]) for key in keys)

    def _winning(self, entry: Winning, answered: Answered, count: int) -> Iterator[str | None]:
        teller = Teller(self.game, answered.block)
        for row in range(count):
            case = self._case(answered, row, moves=True)
            lines = [teller.text(entry.text, row, case, move) for move in timed(case.moves)]
            if entry.distinct:
                lines = list(dict.fromkeys(lines))
            yield "\n".join(lines) if lines else None

    def _texts(self, template: Template, answered: Answered, rows: Sequence[int]) -> Iterable[str]:
        """The text of each of these cases."""
        pieces: list[Iterable[str]] = [] if template else [repeat("")]
        for piece in template:
            if isinstance(piece, str):
                pieces.append(repeat(piece))
            else:
                pieces.append(self._hole(piece, answered, rows))
        if len(pieces) == 1:
            return (text for text, _ in zip(pieces[0], rows, strict=False))
        return map("".join, zip(*pieces, strict=False)) if rows else []

    def _hole(self, hole: Hole, answered: Answered, rows: Sequence[int]) -> Iterable[str]:
        if hole.values is not None or about_move(self.game, hole):
            teller = Teller(self.game, answered.block)
            return (teller.hole(hole, row, self._case(answered, row, moves=True)) for row in rows)
        if hole.answer == "case" and answered.block.repeats is not None:
            return repeat(MARKED, len(rows))
        if hole.answer is not None:
            return map(formatter(hole), self._answers(hole.answer, answered, rows))
        assert hole.expr is not None
        block = answered.block
        names: dict[str, Sequence[Any]] = {name: _selected(column, rows) for name, column in block.names.items()}
        for name in answer_names(self.game, hole):
            names[name] = self._numbers(name, answered, rows)
        if MOVER in names:
            names[MOVER] = _selected(answered.turns, rows)
        told = echo(self.game, hole.expr, names.keys())
        frame = Frame(self.game, names, len(rows))
        columns = [values_of(frame.column(expr)) for expr in (hole.expr, *told.sizes)]
        values = (value for value, *_ in zip(columns[0], rows, strict=False))
        if isinstance(told.of, IntType):
            return map(formatter(hole), values)
        if told.sizes:
            return (formatter(hole)(told.text(value, sizes)) for _, value, *sizes in zip(rows, *columns, strict=False))
        return (formatter(hole)(told.text(value)) for value in values)

    def _answers(self, name: str, answered: Answered, rows: Sequence[int]) -> Iterable[int | str]:
        answer = ANSWERS[name]
        return (answer.of(self.game, self._case(answered, row, moves=answer.ask.moves)) for row in rows)

    def _numbers(self, name: str, answered: Answered, rows: Sequence[int]) -> list[int]:
        answer = ANSWERS[name]
        assert answer.number is not None
        return [answer.number(self._case(answered, row, moves=answer.ask.moves)) for row in rows]

    def _case(self, answered: Answered, row: int, *, moves: bool) -> Case:
        number, query = answered.block.number(row)
        made = answered.moves(row) if moves else ()
        turn = answered.turns[row] if answered.turns else 0
        best = partial(answered.best, row)
        return Case(number, answered.values[row], answered.outcomes[row], made, query, turn, best, answered.ask)


def _constant(template: Template) -> str | None:
    """The text of a template without holes."""
    return "".join(template) if all(isinstance(piece, str) for piece in template) else None  # type: ignore[arg-type]


def _selected(column: Sequence[Any], rows: Sequence[int]) -> Sequence[Any]:
    return column if len(rows) == len(column) else [column[row] for row in rows]
