"""Reads one case: the definition of how an input is understood.

Whatever does not fit is reported at its first word. `gamespec.run.read` takes a short way for inputs whose cases
all have the same number of words, and comes back here whenever something is odd.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import msgspec

from gamespec.game.model import Const, Expr, GivenRef, InputRef, ReadItem, ReadMany, ReadOne, ReadRows, StateRef, Value
from gamespec.run.fault import Fault
from gamespec.run.layout import Layout
from gamespec.run.meaning import meaning
from gamespec.run.token import Tokens
from gamespec.types import ArrayType, BoolType, NamesType, SetType, Type

Values = dict[str, Value]
Columns = dict[str, list[Value]]
Convert = Callable[[Sequence[bytes]], list[int]]

TRUTH = {b"true": True, b"false": False, b"1": True, b"0": False}


class Ended(Exception):
    """The condition of `cases until` holds: nothing of this case is used."""


class Found(msgspec.Struct):
    """What one case holds: values of names of the case, and a column for each name of its components."""

    case: Values
    rows: Columns
    components: int = 0


class CaseReader:
    """Reads cases, one after another, from a window of words."""

    def __init__(self, layout: Layout, tokens: Tokens) -> None:
        self.layout = layout
        self.tokens = tokens
        self.fault = Fault(layout, tokens)
        self.converts = {name: self.convert(layout.word_type(name)) for name in layout.names}
        self._found = Found({}, {})
        self._component: int | None = None  # the component that is being read
        self._singles: dict[str, int] = {}  # where the names of `until` stand

    def read(self, number: int, *, mark: bool = False) -> Found:
        """The case that begins at the next word.

        Raises Ended, or InputError at the first word that does not fit. With `mark`, `fault.marks` tells afterwards
        where each value stands.
        """
        self.fault.case = number
        self.fault.marks = {} if mark else None
        self._component = None
        self._found = Found({}, {name: [] for name in self.layout.row_names})
        values = self._found.case
        for item in self.layout.input.items:
            if isinstance(item, ReadOne) and item.name in self.layout.until_names:
                self._singles[item.name] = self.tokens.at
                ((values[item.name],),) = self._grid([item.name], 1, checked=False)
                self._test_until(values)
            else:
                self._item(item, values)
        return self._found

    def convert(self, of: Type) -> Convert:
        """From words to values of a scalar type; raises ValueError or KeyError where one does not fit."""
        match of:
            case BoolType():
                return lambda words: list(map(TRUTH.__getitem__, words))
            case NamesType(names):
                number_of = {name.encode(): number for number, name in enumerate(names)}.__getitem__
                return lambda words: list(map(number_of, words))
            case _:
                return self._numbers

    def _numbers(self, words: Sequence[bytes]) -> list[int]:
        if self.tokens.underscores and any(b"_" in word for word in words):
            raise ValueError
        return list(map(int, words))

    def _test_until(self, values: Values) -> None:
        """The condition is tested as soon as its names are read, and before their ranges are."""
        layout = self.layout
        if layout.input.until is None or not layout.until_names <= values.keys():
            return
        if layout.stop is not None:
            holds = all(values[name] == value for name, value in layout.stop.items())
        else:
            holds = bool(meaning(layout.game, layout.input.until, values))
        if holds:
            raise Ended
        for name in layout.until_names:
            if not layout.holds(name, [values[name]]):
                self.fault.check_word(name, self._singles[name])

    def _item(self, item: ReadItem, scope: Values) -> None:
        match item:
            case ReadOne(name):
                ((scope[name],),) = self._grid([name], 1)
            case ReadMany(name, (count,)):
                number = self._count(item, count, scope)
                (values,) = self._grid([name], number)
                scope[name] = gathered(values, self.layout.type_of(name))
            case ReadRows(items, count):
                number = self._count(item, count, scope)
                if self.layout.makes_components(item):
                    self._components(items, number, scope)
                elif self.layout.holds_components(item):
                    for _ in range(number):
                        self._row(items, scope)
                else:
                    self._arrays(items, number, scope)

    def _row(self, items: Sequence[ReadItem], scope: Values) -> Values:
        row = dict(scope)
        for item in items:
            self._item(item, row)
        return row

    def _components(self, items: Sequence[ReadItem], number: int, scope: Values) -> None:
        found = self._found
        names = flat_names(items)
        if names is not None:
            columns: dict[str, list[int]] = dict(zip(names, self._grid(names, number, per_row=True), strict=True))
            for name, column in found.rows.items():
                column.extend(columns[name] if name in columns else [scope[name]] * number)
            found.components += number
            return
        for _ in range(number):
            self._component = found.components
            row = self._row(items, scope)
            for name, column in found.rows.items():
                column.append(row[name])
            found.components += 1
        self._component = None

    def _arrays(self, items: Sequence[ReadItem], number: int, scope: Values) -> None:
        """Row i gives the i-th entry of each array; a name that only the input has is known within its row."""
        names = flat_names(items)
        columns: Columns
        if names is not None:
            columns = {name: list(column) for name, column in zip(names, self._grid(names, number), strict=True)}
        else:
            columns = {name: [] for name in self.layout.declared(items)}
            for _ in range(number):
                row = self._entries(items, scope)
                for name, column in columns.items():
                    column.append(row[name])
        for name in self.layout.declared(items):
            scope[name] = tuple(columns[name])  # type: ignore[arg-type]

    def _entries(self, items: Sequence[ReadItem], scope: Values) -> Values:
        """One row of entries of arrays."""
        row = dict(scope)
        for item in items:
            if isinstance(item, ReadMany):
                of = self.layout.type_of(item.name)
                (values,) = self._grid([item.name], self._count(item, item.counts[0], row))
                row[item.name] = gathered(values, of.of if isinstance(of, ArrayType) else of)
            else:
                self._item(item, row)
        return row

    def _count(self, item: ReadMany | ReadRows, expr: Expr, scope: Values) -> int:
        match expr:
            case Const(value=value):
                count = value
            case InputRef(name=name) | GivenRef(name=name) | StateRef(name=name):
                count = scope[name]
            case _:
                count = meaning(self.layout.game, expr, scope)
        assert isinstance(count, int)
        if count < 0:
            self.fault.negative_count(item, count)
        self.fault.check_length(item, count)
        return count

    def _grid(self, names: Sequence[str], number: int, checked: bool = True, per_row: bool = False) -> list[list[int]]:
        """A column for each name, from that many rows of words.

        `checked`: values must lie within their declared type. `per_row`: each row is a component of its own.
        """
        tokens, width = self.tokens, len(names)
        start, end = tokens.at, tokens.at + number * width
        while len(tokens.words) < end and tokens.fill():
            pass
        columns = []
        try:
            if len(tokens.words) < end:
                raise ValueError
            for place, name in enumerate(names):
                column = self.converts[name](tokens.words[start + place : end : width])
                if checked and column and not self.layout.holds(name, column):
                    raise ValueError
                columns.append(column)
        except (ValueError, KeyError):
            self._first_fault(names, range(start, end), checked)
        tokens.at = end
        if self.fault.marks is not None:
            for index in range(start, end):
                row, place = divmod(index - start, width)
                component = self._found.components + row if per_row else self._component
                self.fault.marks.setdefault((names[place], component), []).append(index)
        return columns

    def _first_fault(self, names: Sequence[str], places: range, checked: bool) -> NoReturn:
        end = min(places.stop, len(self.tokens.words))
        for index in range(places.start, end):
            self.fault.check_word(names[(index - places.start) % len(names)], index, checked)
        self.fault.too_few(names[(end - places.start) % len(names)], places.stop - end)


def flat_names(items: Sequence[ReadItem]) -> list[str] | None:
    """The names, when every item of a row is one word and no name comes twice."""
    names = [item.name for item in items if isinstance(item, ReadOne)]
    return names if len(names) == len(items) and len(set(names)) == len(names) else None


def gathered(values: list[int], of: Type) -> Value:
    """Values that were read one after another, as a set or an array."""
    match of:
        case SetType():
            return frozenset(values)
        case ArrayType(_, _, ordered):
            return tuple(sorted(values) if ordered else values)
        case _:
            raise TypeError(f"{of} does not hold several values")
