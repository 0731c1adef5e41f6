"""Prints the answers of a block, a column of texts at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from typing import Any

import msgspec

from gamespec.answers.answer import Case
from gamespec.answers.moves import WinningMove
from gamespec.answers.table import ANSWERS
from gamespec.diagnostics import SpecError
from gamespec.game.model import Choice, Entry, Game, Hole, Line, Template, Winning
from gamespec.game.show import value_text
from gamespec.run import problems
from gamespec.run.block import Block
from gamespec.run.frame import Frame, values_of
from gamespec.types import IntType


class Answered(msgspec.Struct, frozen=True):
    """A block with its answers: the value of each case, and its winning moves if the output needs them."""

    block: Block
    values: Sequence[int]
    moves: Callable[[int], Sequence[WinningMove]]


class Writer:
    """Turns answered blocks into the lines that the output clause describes."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def text(self, answered: Answered) -> str:
        """The lines of all cases of the block, each with its line end.

        Raises SpecError where a case has an outcome for which the output says nothing.
        """
        count = answered.block.count
        if not count:
            return ""
        lines = [self._lines(entry, answered, count) for entry in self.game.output.entries]
        each = lines[0] if len(lines) == 1 else chain.from_iterable(zip(*lines, strict=True))
        return "\n".join(chain(each, [""]))

    def _lines(self, entry: Entry, answered: Answered, count: int) -> Iterable[str]:
        """One line for every case."""
        match entry:
            case Line(text):
                constant = _constant(text)
                return repeat(constant, count) if constant is not None else self._texts(text, answered, range(count))
            case Choice(texts):
                return self._chosen(texts.get("win"), texts.get("lose"), entry, answered)
            case Winning():
                raise NotImplementedError

    def _chosen(self, win: Template | None, lose: Template | None, entry: Choice, answered: Answered) -> Iterable[str]:
        won = list(map(bool, answered.values))
        for text, outcome in ((win, True), (lose, False)):
            if text is None and outcome in won:
                number = answered.block.first + won.index(outcome)
                words = {"outcome": "won" if outcome else "lost", "word": "win" if outcome else "lose"}
                found = problems.NO_WORD.at(entry.span, notes=(), helps=(), case=number, **words)
                raise SpecError(found, source=self.game.source)
        constants = tuple("" if text is None else _constant(text) for text in (lose, win))
        if None not in constants:
            return map(constants.__getitem__, won)  # type: ignore[arg-type]
        both = (lose or (), win or ())
        texts = [
            iter(self._texts(both[outcome], answered, [row for row, value in enumerate(won) if value == outcome]))
            for outcome in (False, True)
        ]
        return (next(texts[value]) for value in won)

    def _texts(self, template: Template, answered: Answered, rows: Sequence[int]) -> Iterable[str]:
        """The text of each of these cases."""
        pieces: list[Iterable[str]] = []
        for piece in template:
            if isinstance(piece, str):
                pieces.append(repeat(piece))
            else:
                pieces.append(self._hole(piece, answered, rows))
        if len(pieces) == 1:
            return pieces[0]
        return map("".join, zip(*pieces, strict=False)) if rows else []

    def _hole(self, hole: Hole, answered: Answered, rows: Sequence[int]) -> Iterable[str]:
        if hole.answer is not None:
            return map(_formatter(hole), self._answers(hole.answer, answered, rows))
        assert hole.expr is not None
        block = answered.block
        names: dict[str, Sequence[Any]] = {name: _selected(column, rows) for name, column in block.names.items()}
        column = Frame(self.game, names, len(rows)).column(hole.expr)
        values = (value for value, _ in zip(values_of(column), rows, strict=False))
        of = hole.expr.type
        if isinstance(of, IntType):
            return map(_formatter(hole), values)
        return map(_formatter(hole), (value_text(value, of) for value in values))

    def _answers(self, name: str, answered: Answered, rows: Sequence[int]) -> Iterable[int | str]:
        answer = ANSWERS[name]
        first, values = answered.block.first, answered.values
        if not answer.ask.moves:
            return (answer.of(self.game, Case(first + row, values[row])) for row in rows)
        return (answer.of(self.game, Case(first + row, values[row], answered.moves(row))) for row in rows)


def _constant(template: Template) -> str | None:
    """The text of a template without holes."""
    return "".join(template) if all(isinstance(piece, str) for piece in template) else None  # type: ignore[arg-type]


def _selected(column: Sequence[Any], rows: Sequence[int]) -> Sequence[Any]:
    return column if len(rows) == len(column) else [column[row] for row in rows]


def _formatter(hole: Hole) -> Callable[[int | str], str]:
    """Numbers stand at the right of their width and words at the left, as in Python, unless the hole says otherwise."""
    if not hole.width:
        return str
    zero = "0" if hole.zero else ""

    def padded(value: int | str) -> str:
        if isinstance(value, str):
            return f"{value:{hole.align or '<'}{hole.width}}"
        return f"{value:{hole.align}{zero}{hole.width}d}"

    return padded
