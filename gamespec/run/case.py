"""Reads cases: the definition of how an input is understood.

Whatever does not fit is reported at its first word. `gamespec.run.read` takes a short way for inputs whose cases
all have the same number of words, and comes back here whenever something is odd.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn, cast

import msgspec

from gamespec.game.model import Expr, Form, ReadItem, ReadMany, ReadOne, ReadRows, Value
from gamespec.run.fault import Fault
from gamespec.run.layout import Layout, Stage
from gamespec.run.meaning import meaning
from gamespec.run.shape import Raw, gathered, padded, shape_of
from gamespec.run.size import Size, size_of
from gamespec.run.token import Tokens
from gamespec.types import ArrayType, BoolType, NamesType, Type, element_bounds

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

    def copy(self) -> Found:
        """What the cases within a case begin with."""
        return Found(dict(self.case), {name: list(column) for name, column in self.rows.items()}, self.components)


class CaseReader:
    """Reads cases, one after another, from a window of words."""

    def __init__(self, layout: Layout, tokens: Tokens) -> None:
        self.layout = layout
        self.tokens = tokens
        self.fault = Fault(layout, tokens)
        self.converts = {name: self.convert(layout.word_type(name)) for name in layout.names}
        self.values_of = {name: self._characters_of(name, text) for name, text in layout.alphabets.items()}
        self._found = Found({}, {})
        self._component: int | None = None  # the component that is being read
        self._singles: dict[str, int] = {}  # where the names of `until` stand
        self._text = (-1, "")  # the word that was taken apart last: its number and its characters

    def read(self, stage: Stage, case: str, outer: Found | None = None, *, mark: bool = False) -> Found:
        """The case of one level that begins at the next word, with what is known from the levels around it.

        Raises Ended, or InputError at the first word that does not fit. With `mark`, `fault.marks` tells afterwards
        where each value stands.
        """
        self.fault.case = case
        self.fault.marks = {} if mark else None
        self._component = None
        self._found = found = Found({}, {name: [] for name in self.layout.row_names}) if outer is None else outer.copy()
        self.tokens.skip_blank_lines()
        for item in stage.items:
            if isinstance(item, ReadOne) and item.name in stage.until_names:
                self._singles[item.name] = self.tokens.at
                found.case[item.name] = self._one(item, checked=False)
                self._test_until(stage, found.case)
            else:
                self._item(item, found.case, item is stage.items[0])
        return found

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

    def _characters_of(self, name: str, alphabet: str) -> dict[str, int]:
        """The values that characters stand for."""
        of = self.layout.word_type(name)
        least = element_bounds(of).lo
        number = bool if isinstance(of, BoolType) else int
        return {char: number(least + place) for place, char in enumerate(alphabet)}

    def _test_until(self, stage: Stage, values: Values) -> None:
        """The condition is tested as soon as its names are read, and before their ranges are."""
        if stage.until is None or not stage.until_names <= values.keys():
            return
        if stage.stop is not None:
            holds = all(values[name] == value for name, value in stage.stop.items())
        else:
            holds = bool(meaning(self.layout.game, stage.until, values))
        if holds:
            raise Ended
        for name in stage.until_names - self.layout.alphabets.keys():
            if not self.layout.holds(name, [values[name]]):
                self.fault.check_word(name, self._singles[name])

    # --- items ---------------------------------------------------------------------------------------------

    def _item(self, item: ReadItem, scope: Values, fresh: bool) -> None:
        """Reads an item of the case or of a row whose values stand in `scope`; `fresh` tells that it is the first."""
        match item:
            case ReadOne(name):
                scope[name] = self._one(item)
            case ReadMany(name):
                raw = self._many(item, scope, fresh)
                scope[name] = self._shaped(name, raw, scope)
            case ReadRows(items):
                if self.layout.makes_components(item):
                    self._components(item, scope, fresh)
                elif self.layout.holds_components(item):
                    for _ in range(self._row_count(item, scope, fresh)):
                        self._row(items, dict(scope))
                else:
                    for name, raw in self._entries(item, scope, fresh).items():
                        scope[name] = self._shaped(name, raw, scope)

    def _row(self, items: Sequence[ReadItem], row: Values) -> Values:
        for item in items:
            self._item(item, row, item is items[0])
        return row

    def _one(self, item: ReadOne, checked: bool = True) -> Value:
        if item.alphabet is not None:
            return self._characters(item.name, 1)[0]
        ((value,),) = self._grid([item.name], 1, checked)
        return value

    def _many(self, item: ReadMany, scope: Values, fresh: bool) -> Raw:
        """The values of an item, as a list of lists for each size after the first."""
        name = item.name
        match item.form:
            case Form.WORD:
                count = len(self._word(name))
                self._measure(item, count, scope)
                self.fault.check_length(item, count)
                values = self._characters(name, count)
            case Form.LINE:
                count = self._left_on_line(item.counts[0], scope, fresh)
                self._measure(item, count, scope)
                self.fault.check_length(item, count)
                (values,) = self._grid([name], count)
            case Form.WORDS | Form.CHARS:
                sizes = [self._count(item, size, scope) for size in item.counts]
                count = self.fault.check_sizes(item, sizes)
                if item.form is Form.CHARS:
                    values = self._characters(name, count)
                else:
                    (values,) = self._grid([name], count)
                return _folded(values, sizes[1:])
        return values

    def _components(self, rows: ReadRows, scope: Values, fresh: bool) -> None:
        found = self._found
        number = self._row_count(rows, scope, fresh)
        names = flat_names(rows.items)
        if names is not None:
            columns: dict[str, list[int]] = dict(zip(names, self._grid(names, number, per_row=True), strict=True))
            for name, column in found.rows.items():
                column.extend(columns[name] if name in columns else [scope[name]] * number)
            found.components += number
            return
        for _ in range(number):
            self._component = found.components
            row = self._row(rows.items, dict(scope))
            for name, column in found.rows.items():
                column.append(row[name])
            found.components += 1
        self._component = None

    def _entries(self, rows: ReadRows, scope: Values, fresh: bool, inner: bool = False) -> dict[str, Raw]:
        """Row i gives the i-th entry of each array; a name that only the input has is known within its row."""
        number = self._row_count(rows, scope, fresh)
        if not inner:
            self.fault.check_length(rows, number)
        names = flat_names(rows.items)
        if names is not None:
            columns = zip(names, self._grid(names, number), strict=True)
            return {name: column for name, column in columns if name in self.layout.fields}
        entries: dict[str, Raw] = {name: [] for name in self.layout.declared(rows.items)}
        for _ in range(number):
            row, first = dict(scope), True
            for item in rows.items:
                match item:
                    case ReadOne(name):
                        row[name] = self._one(item)
                        if name in entries:
                            entries[name].append(row[name])
                    case ReadMany(name):
                        entries[name].append(self._many(item, row, first))
                    case ReadRows():
                        for name, raw in self._entries(item, row, first, inner=True).items():
                            entries[name].append(raw)
                first = False
        return entries

    def _shaped(self, name: str, raw: Raw, scope: Values) -> Value:
        """What was read as a value of the declared type. Stops where its sizes are not those declared."""
        of = self.layout.type_of(name)
        if isinstance(of, ArrayType) and len(of.dims) > 1:
            wanted = self._dims(name, scope)
            if wanted is not None and name in self.layout.padded:
                raw = padded(raw, wanted, self._least(name, scope))
            shape = shape_of(raw, len(of.dims))
            if shape is None or (wanted is not None and shape != wanted and (any(shape) or all(wanted))):
                self.fault.wrong_shape(name, raw, shape, wanted)
        return gathered(raw, of)

    def _least(self, name: str, scope: Values) -> int:
        """The least value that a cell of an array may hold in this case."""
        field = self.layout.fields[name]
        return 0 if field.lo is None else cast(int, meaning(self.layout.game, field.lo, scope))

    def _dims(self, name: str, scope: Values) -> tuple[int, ...] | None:
        """The sizes of an array; None while the data that decide them are not read."""
        sizes = [size_of(pair, self.layout.game, scope) for pair in self.layout.fields[name].dims]
        return None if None in sizes else tuple(size for size in sizes if size is not None)

    # --- how many ------------------------------------------------------------------------------------------

    def _count(self, item: ReadMany | ReadRows, size: Expr, scope: Values) -> int:
        count = self._known(size, scope)
        assert count is not None, "the checker has seen that sizes are read before"
        if count < 0:
            self.fault.negative_count(item, size, count)
        return count

    def _row_count(self, rows: ReadRows, scope: Values, fresh: bool) -> int:
        """How many rows there are, from the line if it tells."""
        if not rows.line:
            count = self._count(rows, rows.count, scope)
        else:
            words, width = self._left_on_line(rows.count, scope, fresh), len(rows.items)
            count = words // width
            if words % width:
                self.fault.ragged_line(rows, words, width)
            self._measure(rows, count, scope)
        return count

    def _left_on_line(self, size: Expr, scope: Values, fresh: bool) -> int:
        """How many words are left on the line. Where some must come and none is left, the next line is meant."""
        return self.tokens.line_end(fresh or bool(self._known(size, scope))) - self.tokens.at

    def _measure(self, item: ReadMany | ReadRows, count: int, scope: Values) -> None:
        """The size of what was found, which its name gets if it has no value yet."""
        size = item.counts[0] if isinstance(item, ReadMany) else item.count
        wanted = self._known(size, scope)
        if wanted is None:
            for name in self.layout.sized(size):
                scope[name] = count
        elif wanted != count:
            self.fault.wrong_count(item, count, wanted)

    def _known(self, size: Size, scope: Values) -> int | None:
        """The value of a size; None for a name that has none yet."""
        return size_of(size, self.layout.game, scope)

    # --- words and characters ------------------------------------------------------------------------------

    def _grid(self, names: Sequence[str], number: int, checked: bool = True, per_row: bool = False) -> list[list[int]]:
        """A column for each name, from that many rows of words.

        `checked`: values must lie within their declared type. `per_row`: each row is a component of its own.
        """
        tokens, width = self.tokens, len(names)
        start, end = tokens.at, tokens.at + number * width
        while len(tokens.words) < end and tokens.fill():
            pass
        words, first = tokens.words, start
        if tokens.inside and start < min(end, len(words)):
            rest = self._characters_left()[tokens.inside :].encode()
            words, first = [rest, *words[start + 1 : end]], 0
        columns = []
        try:
            if len(tokens.words) < end:
                raise ValueError
            for place, name in enumerate(names):
                column = self.converts[name](words[first + place : first + end - start : width])
                if checked and column and not self.layout.holds(name, column):
                    raise ValueError
                columns.append(column)
        except (ValueError, KeyError):
            self._first_fault(names, range(start, end), checked)
        tokens.at = end
        if end > start:
            tokens.inside = 0
        if self.fault.marks is not None:
            for index in range(start, end):
                row, place = divmod(index - start, width)
                self._mark(names[place], index, self._found.components + row if per_row else self._component)
        return columns

    def _first_fault(self, names: Sequence[str], places: range, checked: bool) -> NoReturn:
        end = min(places.stop, len(self.tokens.words))
        for index in range(places.start, end):
            self.fault.check_word(names[(index - places.start) % len(names)], index, checked)
        self.fault.too_few(names[(end - places.start) % len(names)], places.stop - end)

    def _word(self, name: str) -> str:
        """What is left of the next word."""
        if self.tokens.at == len(self.tokens.words) and not self.tokens.fill():
            self.fault.too_few(name, 1)
        return self._characters_left()[self.tokens.inside :]

    def _characters_left(self) -> str:
        """The characters of the word that is read, which may be a long one that is taken apart bit by bit."""
        tokens = self.tokens
        number = tokens.base + tokens.at
        if self._text[0] != number:
            self._text = (number, tokens.words[tokens.at].decode("utf-8", "replace"))
        return self._text[1]

    def _characters(self, name: str, number: int) -> list[int]:
        """The values of that many characters; white space between them does not count."""
        tokens, values = self.tokens, self.values_of[name]
        found: list[int] = []
        while len(found) < number:
            if tokens.at == len(tokens.words) and not tokens.fill():
                self.fault.too_few(name, number - len(found))
            text = self._characters_left()
            end = min(len(text), tokens.inside + number - len(found))
            piece = text[tokens.inside : end]
            try:
                found += map(values.__getitem__, piece)
            except KeyError:
                char = next(char for char in piece if char not in values)
                self.fault.strange_character(name, tokens.at, char)
            if self.fault.marks is not None:
                self._mark(name, tokens.at, self._component)
            tokens.inside = end
            if end == len(text):
                tokens.at, tokens.inside = tokens.at + 1, 0
        return found

    def _mark(self, name: str, index: int, component: int | None) -> None:
        assert self.fault.marks is not None
        self.fault.marks.setdefault((name, component), []).append(index)


def flat_names(items: Sequence[ReadItem]) -> list[str] | None:
    """The names, when every item of a row is one word and no name comes twice."""
    names = [item.name for item in items if isinstance(item, ReadOne) and item.alphabet is None]
    return names if len(names) == len(items) and len(set(names)) == len(names) else None


def _folded(values: list[int], sizes: Sequence[int]) -> Raw:
    """A flat list as rows of the given sizes, the last one fastest."""
    folded: Raw = values
    for size in reversed(sizes):
        folded = [folded[at : at + size] for at in range(0, len(folded), size)] if size else []
    return folded
