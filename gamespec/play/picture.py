"""Positions as pictures: boards as grids, heaps as stones, all else by its value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import cast

from gamespec.answers.echo import echo, in_use
from gamespec.game.model import MOVER, Do, Field, Game, GivenRef, Position, Value
from gamespec.game.show import MOST_ELEMENTS, value_text, values_text
from gamespec.game.walk import names_read
from gamespec.play.ground import Ground, Place
from gamespec.play.screen import Line
from gamespec.run.layout import Layout
from gamespec.types import ArrayType, BoolType, IntType, NamesType, Type

WIDTH = 78
MOST_ROWS = 64
MOST_STONES = 24
MOST_BLOCKS = 4
BLANK = "."


class Picture:
    """Draws places. `wide`: for a terminal, where signs may be any characters."""

    def __init__(self, ground: Ground, *, wide: bool) -> None:
        self.ground = ground
        self.game = ground.game
        self.wide = wide
        layout = Layout(self.game)
        self.alphabets = layout.alphabets
        self.padded = {field.name for field in self.game.givens if len(field.dims) > 1} & layout.padded
        self.fields = [field for field in self.game.states if field.name != MOVER]
        self.heaps = heaps(self.game)
        self._label = max((len(f.name) for f in self.fields if len(f.dims) == 1), default=0)

    def given(self) -> str:
        """The data that stays the same, where it is not drawn with each component; empty for none."""
        fields = [field for field in self.game.givens if not (self.game.sum and len(self.ground.evaluators) > 1)]
        return self._data(0, fields) if fields and self.ground.evaluators else ""

    def legend(self) -> str:
        """What the signs of boards mean, as `. empty, b black, w white`, where a sign is not the name itself."""
        found: dict[str, None] = {}
        for field in self.fields:
            of = field.type.of if isinstance(field.type, ArrayType) else field.type
            signs = self.signs(field)
            if isinstance(of, NamesType) and signs is not None and isinstance(field.type, ArrayType):
                found |= {f"{s} {name}": None for s, name in zip(signs, of.names, strict=True) if s != name}
        return ", ".join(found)

    def lines(self, place: Place) -> list[Line]:
        """The position: one block for each component of a sum, numbered from 1."""
        if not self.game.sum:
            return [line for number, position in place for line in self._fields(number, position)]
        found: list[Line] = []
        ended = self._ended(place)
        for component, (number, position) in enumerate(place, 1):
            if component in ended:
                continue
            label = f"{component:>{len(str(len(place)))}}:  "
            block = list(self._fields(number, position))
            if len(self.ground.evaluators) > 1 and self.game.givens:
                own = [field for field in self.game.givens if field.component] or self.game.givens
                block.insert(0, [(self._data(number, own), "dim")])
            for row, line in enumerate(block):
                found.append([(label if row == 0 else " " * len(label), "dim"), *line])
        if ended:
            found.append([(f"{len(ended)} more without a move", "dim")])
        return found or [[("nothing is left", "dim")]]

    def _ended(self, place: Place) -> set[int]:
        """The components that need not be drawn: of many, those without a move for anybody."""
        if self.game.partisan or len(place) <= MOST_BLOCKS:
            return set()
        endings = (self.ground.evaluators[number].ending(position) for number, position in place)
        return {component for component, ending in enumerate(endings, 1) if ending is not None}

    def signs(self, field: Field) -> Sequence[str] | None:
        """A character for each value of a cell, None where they have no such characters.

        The characters that the input has for them; else a point for the first name, unless that is a player, and the
        first free letter of each other name.
        """
        of = field.type.of if isinstance(field.type, ArrayType) else field.type
        alphabet = self.alphabets.get(field.name, "")
        match of:
            case NamesType(names):
                count = len(names)
            case BoolType():
                count = 2
            case _:
                return None
        if len(alphabet) >= count and all(char.isprintable() and not char.isspace() for char in alphabet):
            return alphabet[:count]
        return (BLANK, "#") if isinstance(of, BoolType) else self._letters(names)

    def _letters(self, names: Sequence[str]) -> Sequence[str] | None:
        found: list[str] = []
        for name in names:
            free = (char for char in (name[0], name[0].swapcase(), *name) if char not in found)
            blank = not found and len(names) > 1 and name not in (self.game.players or ())
            sign = BLANK if blank else next(free, None)
            if sign is None:
                return None
            found.append(sign)
        return found

    # --- fields --------------------------------------------------------------------------------------------

    def _data(self, number: int, fields: Sequence[Field]) -> str:
        """The givens of a component: what the input has characters for is written in these, row by row, as on the
        command line; of measured words, what is in use."""
        evaluator = self.ground.evaluators[number]
        anywhere = (0,) * len(self.game.states)
        texts = []
        for field in fields:
            value = evaluator.givens[field.name]
            told = echo(self.game, GivenRef(type=field.type, name=field.name), evaluator.givens.keys())
            if not told.alphabet or not isinstance(value, tuple) or not value:
                texts.append(values_text([field], evaluator.givens, self.game))
                continue
            rows = told.text(value, [cast(int, evaluator.expr(size, anywhere)) for size in told.sizes]).split("\n")
            if field.name in self.padded:
                rows = [row.rstrip(told.alphabet[0]) for row in rows]
            texts.append(f"{field.name} = {'/'.join(rows)}")
        return ", ".join(texts)

    def _used(self, number: int, position: Position, field: Field) -> int | None:
        """How many cells of an array the other fields say are in use, as of a word as long as it was read; None for
        all of them."""
        size = in_use(self.game, field)
        if size is None:
            return None
        known = {each.name for each in (*self.game.givens, *self.game.states)}
        if not set(names_read(size, self.game.lets)) <= known:
            return None
        return max(0, cast(int, self.ground.evaluators[number].expr(size, position)))

    def _fields(self, number: int, position: Position) -> Iterator[Line]:
        plain: list[Line] = []
        head: Line = []
        for field, value in zip(self.game.states, position, strict=True):
            if field.name == MOVER:
                continue
            drawn = self._board(number, position, field, value)
            if drawn is None:
                plain.append(self._value(field, value))
            else:
                yield from drawn[drawn[0] == head :]  # the same indices once
                head = drawn[0] if len(drawn) == 2 else []
        yield from plain

    def _value(self, field: Field, value: Value) -> Line:
        line: Line = [(f"{field.name} = {value_text(value, field.type, 10 * MOST_ELEMENTS)}", "")]
        stones = self._stones(field, value)
        return [*line, ("  " + stones, "stone")] if stones else line

    def _stones(self, field: Field, value: Value) -> str:
        """A stone for each unit of a heap: of a number that moves only take from."""
        if isinstance(value, int) and 0 < value <= MOST_STONES and field.name in self.heaps:
            return ("●" if self.wide else "o") * value
        return ""

    def _board(self, number: int, position: Position, field: Field, value: Value) -> list[Line] | None:
        """An array as rows of cells with their indices, one grid below the other if it has more than two dimensions."""
        if not isinstance(field.type, ArrayType):
            return None
        evaluator = self.ground.evaluators[number]
        ends = [[cast(int, evaluator.expr(end, position)) for end in pair] for pair in field.dims]
        ranges = [range(lo, hi + 1) for lo, hi in ends]
        cells = cast(tuple[Value, ...], value)
        used = self._used(number, position, field)
        if used is not None:
            ranges, cells = [ranges[0][:used]], cells[:used]
            if not cells:
                return [[(f"{field.name} = []", "")]]
        if not cells or prod(map(len, ranges)) != len(cells):
            return None
        if len(ranges) == 1:
            if field.name in self.heaps:
                return self._heaps(field, cells, ranges[0])
            return self._grid(field, cells, [None], ranges[0])
        rows, columns = ranges[-2:]
        size = len(rows) * len(columns)
        if size == 0 or len(rows) > MOST_ROWS or len(cells) > MOST_ROWS * size:
            return None
        lines: list[Line] = []
        for start in range(0, len(cells), size):
            caption = self._caption(field, ranges[:-2], start // size)
            if caption:
                lines.append([(caption, "dim")])
            lines += self._grid(field, cells[start : start + size], list(rows), columns)
        return lines

    def _caption(self, field: Field, outer: Sequence[range], place: int) -> str:
        """The name of a board where there are several, and the indices of a layer."""
        indices: list[str] = []
        for indexes in reversed(outer):
            place, offset = divmod(place, len(indexes))
            indices.insert(0, str(indexes[offset]))
        if indices:
            return f"{field.name}[{', '.join(indices)}]"
        return field.name if len(self.fields) > 1 else ""

    def _heaps(self, field: Field, cells: Sequence[Value], indexes: range) -> list[Line]:
        if len(cells) > MOST_ROWS:
            return [[(f"{field.name} = {value_text(tuple(cells), field.type, 10 * MOST_ELEMENTS)}", "")]]  # type: ignore[arg-type]
        width = max(len(f"{field.name}[{index}]") for index in indexes)
        digits = max(len(str(cell)) for cell in cells)
        lines: list[Line] = []
        for index, cell in zip(indexes, cells, strict=True):
            name = f"{field.name}[{index}]"
            stones = self._stones(field, cell)
            lines.append([(f"{name:{width}} = {cell:>{digits}}", ""), (f"  {stones}" if stones else "", "stone")])
        return lines

    def _grid(self, field: Field, cells: Sequence[Value], rows: Sequence[int | None], columns: range) -> list[Line]:
        """Rows of cells below the indices of columns; wide ones in several parts."""
        of = cast(ArrayType, field.type).of
        signs = self.signs(field)
        texts = [cell_text(cell, of, signs) for cell in cells]
        labels = [field.name if row is None else str(row) for row in rows]
        left = max(self._label if rows == [None] else 0, *map(len, labels)) + 2
        width = 1 + max(*map(len, texts), len(str(columns[0])), len(str(columns[-1])))
        most = max(1, (WIDTH - left) // width)
        lines: list[Line] = []
        for start in range(0, len(columns), most):
            part = columns[start : start + most]
            lines.append([(" " * left + "".join(f"{index:>{width}}" for index in part), "dim")])
            for place, label in enumerate(labels):
                line: Line = [(f"{label:>{left}}", "dim")]
                first = place * len(columns) + start
                for text, cell in islice(zip(texts, cells, strict=True), first, first + len(part)):
                    line.append((" " * (width - len(text)), ""))
                    line.append((self._pretty(text), self._style(of, cell)))
                lines.append(line)
        return lines

    def _pretty(self, text: str) -> str:
        return "·" if self.wide and text == BLANK else text

    def _style(self, of: Type, cell: Value) -> str:
        """Cells of a player have that player's colour."""
        players = self.game.players or ()
        name = of.names[cast(int, cell)] if isinstance(of, NamesType) else ""
        return ("first", "second")[players.index(name)] if name in players else ""


def cell_text(cell: Value, of: Type, signs: Sequence[str] | None) -> str:
    """One cell: its sign, or its value."""
    return value_text(cell, of) if signs is None else signs[int(cast(int, cell))]


def heaps(game: Game) -> set[str]:
    """The numbers and rows of numbers that are heaps: moves only take from them, or (in a sum) divide them.

    None where moves change other numbers as well: then they are places rather than heaps.
    """
    numbers = [field for field in game.states if _is_number(field)]
    changes = [
        update
        for move in game.moves
        if isinstance(move.effect, Do)
        for update in move.effect.updates
        if update.field in {field.name for field in numbers}
    ]
    if any(update.op != "-=" for update in changes):
        return set()
    divided = game.sum and any(not isinstance(move.effect, Do) for move in game.moves)
    return {field.name for field in numbers} if divided else {update.field for update in changes}


def _is_number(field: Field) -> bool:
    of = field.type.of if isinstance(field.type, ArrayType) else field.type
    return isinstance(of, IntType) and of.bounds.lo >= 0
