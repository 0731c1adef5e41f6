"""From what was read to positions: `start` fills what is missing, and every position is checked."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import prod
from typing import Any, cast

import msgspec

from gamespec.diagnostics import LimitError
from gamespec.game.model import MOVER, Expr, Field, GivenRef, InputRef, Position, StateRef, Update, Value
from gamespec.game.walk import tail_parts, within
from gamespec.run.frame import Frame, Same, mapped, values_of
from gamespec.run.layout import Layout
from gamespec.run.meaning import meaning, started
from gamespec.run.quick import quick_array
from gamespec.types import ArrayType, IntType, SetType, Type, as_kept, is_scalar

MOST_STARTS = 1 << 12  # positions made by `start` that are remembered


class Breach(msgspec.Struct, frozen=True):
    """The first position (by `row`) that the spec does not allow.

    With `name`, a value of that name lies outside `lo..hi`, or, with `is_length`, an array has not `hi - lo + 1`
    entries. With `require`, that condition does not hold. `values` are those of the position.
    """

    row: int
    values: dict[str, Value]
    name: str = ""
    require: Expr | None = None
    lo: int = 0
    hi: int = 0
    is_length: bool = False


def complete(layout: Layout, columns: dict[str, Sequence[Any]], size: int) -> tuple[Frame, Breach | None]:
    """A frame with a column for every given and state field, and the first breach.

    `columns` holds the names read, one row a position; rows from that of the breach on are left out of the frame.
    """
    return _Completion(layout, columns, size).run()


def early_breach(layout: Layout, values: Mapping[str, Value]) -> Breach | None:
    """What is not allowed of the data of an outer level, as far as it can be told before the cases within it."""
    known: dict[str, Sequence[Any]] = {name: [value] for name, value in values.items() if name in layout.fields}
    return _Completion(layout, known, 1).check(partly=True)


class _Completion:
    """`frame` holds the rows that are allowed so far, all of one game."""

    def __init__(self, layout: Layout, columns: dict[str, Sequence[Any]], size: int) -> None:
        self.layout = layout
        self.frame = Frame(layout.game, dict(columns), size)
        self.breach: Breach | None = None
        self._inside: set[str] = set()  # names whose values, in all rows that are left, lie within their type

    def run(self) -> tuple[Frame, Breach | None]:
        read = set(self.frame.columns)
        for name in read:
            self._check_hull(name)
        missing = [field for name, field in self.layout.fields.items() if name not in read]
        if missing and any(self.layout.fields[name].dims for name in read & self.layout.fields.keys()):
            self.check(partly=True)  # `start` may look into what was read
        self.frame.columns.update(self._started(missing))
        for name in self.layout.measured & read:
            self._fill(self.layout.fields[name])
        return self.frame, self.check()

    def check(self, partly: bool = False) -> Breach | None:
        """The first breach; the frame is cut in front of it. `partly`: of what has a value already."""

        def known(*exprs: Expr | None) -> bool:
            lets = self.layout.game.lets
            return not partly or all(
                part.name in self.frame.columns
                for expr in exprs
                if expr is not None
                for part in within(expr, lets)
                if isinstance(part, StateRef | GivenRef | InputRef)
            )

        for field in self.layout.fields.values():
            ends = [end for pair in field.dims for end in pair]
            there = not partly or field.name in self.frame.columns
            if there and known(*ends):
                self._check_lengths(field, shorter=partly and field.name in self.layout.measured)
            if there and known(field.lo, field.hi):
                self._check_bounds(field)
        for condition in self.layout.game.requires:
            if known(condition):
                row = self.frame.first(condition, wanted=False)
                if row is not None:
                    self._found(row, "", require=condition)
        return self.breach

    def _found(
        self, row: int, name: str, lo: int = 0, hi: int = 0, *, is_length: bool = False, require: Expr | None = None
    ) -> None:
        """Later checks look at the rows before this one only, so the last breach found is the first there is."""
        self.breach = Breach(row, self.frame.row(row), name, require, lo, hi, is_length)
        self.frame.cut(row)

    def _started(self, missing: list[Field]) -> dict[str, Sequence[Any]]:
        """Columns for fields that were not read: numbers by the column, what is larger by the reference evaluator."""
        columns: dict[str, Sequence[Any]] = {}
        larger = []
        for field in missing:
            updates = [update for update in self.layout.game.start if update.field == field.name]
            if field.name == MOVER and not updates:
                columns[field.name] = [0] * self.frame.size
                continue
            plain = len(updates) == 1 and updates[0].tail is None and updates[0].op == "="
            if plain and self._is_read(updates[0].value) and (is_scalar(field.type) or isinstance(field.type, SetType)):
                column = islice(values_of(self.frame.column(updates[0].value)), self.frame.size)
                columns[field.name] = list(column if is_scalar(field.type) else map(frozenset, column))
            elif (arrays := self._arrays(field, updates)) is not None:
                columns[field.name] = arrays
            else:
                larger.append(field)
        if larger:
            place = {field.name: number for number, field in enumerate(self.layout.game.states)}
            positions = self._started_by_rows()
            for field in larger:
                columns[field.name] = [position[place[field.name]] for position in positions]
        return columns

    def _is_read(self, expr: Expr) -> bool:
        """Whether all state fields that an expression uses were read; others have their least value in `start`."""
        parts = within(expr, self.layout.game.lets)
        return all(part.name in self.frame.columns for part in parts if isinstance(part, StateRef))

    def _arrays(self, field: Field, updates: Sequence[Update]) -> list[Value] | None:
        """A column of arrays of which `start` gives each cell; None where that is for the evaluator."""
        if len(updates) != 1 or not isinstance(field.type, ArrayType) or field.type.ordered:
            return None
        (update,) = updates
        tail = () if update.tail is None else tail_parts(update.tail)
        parts = (*(end for pair in field.dims for end in pair), *(update.indices or ()), update.value, *tail)
        if update.indices is None or update.op != "=" or not all(map(self._is_read, parts)):
            return None
        make = quick_array(self.layout.game, field, update)
        if make is None:
            return None
        try:
            return [make(self.frame.row(row)) for row in range(self.frame.size)]
        except LimitError:
            raise
        except Exception:  # the evaluator says what is wrong
            return None

    def _started_by_rows(self) -> list[Position]:
        known: dict[tuple[Value, ...], Position] = {}
        positions = []
        for row in range(self.frame.size):
            values = self.frame.row(row)
            key = tuple(values.values())
            if key not in known:
                if len(known) >= MOST_STARTS:
                    known.clear()
                known[key] = started(self.layout.game, values)
            positions.append(known[key])
        return positions

    def _check_hull(self, name: str) -> None:
        """Bounds that hold for all cases, of a name whose values are numbers."""
        self._inside.add(name)
        column, of = self.frame.columns[name], self.layout.type_of(name)
        if isinstance(of, IntType) and column:
            bounds = of.bounds
            if min(column) < bounds.lo or max(column) > bounds.hi:
                row = next(row for row, value in enumerate(column) if value not in bounds)
                self._found(row, name, bounds.lo, bounds.hi)

    def _cells(self, field: Field) -> Iterable[int]:
        """How many cells an array has, row by row."""
        sizes: list[Iterable[int]] = []
        for lo, hi in field.dims:
            ends = self.frame.column(lo), self.frame.column(hi)
            sizes.append(values_of(mapped(lambda first, last: max(0, last - first + 1), *ends)))
        return sizes[0] if len(sizes) == 1 else map(prod, zip(*sizes, strict=False))

    def _check_lengths(self, field: Field, shorter: bool) -> None:
        if not field.dims:
            return
        for row, (value, cells) in enumerate(zip(self.frame.columns[field.name], self._cells(field), strict=False)):
            if len(value) > cells or (len(value) < cells and not shorter):
                self._found(row, field.name, 1, cells, is_length=True)
                break

    def _fill(self, field: Field) -> None:
        """Arrays of which a word or a line gives the first cells only keep what `start` says in the others."""
        if not field.dims:
            return
        column = list(self.frame.columns[field.name])
        place = [each.name for each in self.layout.game.states + self.layout.game.givens].index(field.name)
        for row, (value, cells) in enumerate(zip(column, self._cells(field), strict=False)):
            if len(value) < cells:
                values, whole = self.frame.row(row), cast(Any, ())
                del values[field.name]
                if place < len(self.layout.game.states):
                    whole = started(self.layout.game, values)[place]
                else:
                    whole = (self._least(field, values),) * cells
                column[row] = as_kept(field.type, (*value, *whole[len(value) :]))
        self.frame.columns[field.name] = column

    def _least(self, field: Field, values: dict[str, Value]) -> Value:
        """The least value of a cell of a given array."""
        assert isinstance(field.type, ArrayType)
        if isinstance(field.type.of, SetType):
            return frozenset()
        return 0 if field.lo is None else meaning(self.layout.game, field.lo, values)

    def _check_bounds(self, field: Field) -> None:
        if field.lo is None or field.hi is None:
            return
        column = self.frame.columns[field.name]
        los, his = self.frame.column(field.lo), self.frame.column(field.hi)
        if not column or (field.name in self._inside and _covered(field.type, los, his)):
            return
        if (
            isinstance(field.type, IntType)
            and not _any(operator.gt, los, column)
            and not _any(operator.lt, his, column)
        ):
            return
        seen: tuple[int, int, int] | None = None
        for row, (value, lo, hi) in enumerate(zip(column, values_of(los), values_of(his), strict=False)):
            now = id(value), lo, hi  # cases under the same data share it
            if now != seen and not _within(field.type, value, lo, hi):
                self._found(row, field.name, lo, hi)
                return
            seen = now


def _covered(of: Type, los: Same | Sequence[Any], his: Same | Sequence[Any]) -> bool:
    """Whether bounds are the same in all rows, and hold for every number of a type."""
    return (
        isinstance(of, IntType)
        and isinstance(los, Same)
        and isinstance(his, Same)
        and bool(los.value <= of.bounds.lo and of.bounds.hi <= his.value)
    )


def _any(test: Any, limits: Same | Sequence[Any], column: Sequence[Any]) -> bool:
    """True when `test(limit, value)` holds in some row."""
    if isinstance(limits, Same):
        extreme = min(column) if test is operator.gt else max(column)
        return bool(test(limits.value, extreme))
    return any(map(test, limits, column))


def _within(of: Type, value: Value, lo: int, hi: int) -> bool:
    """True when every number of the value lies in `lo..hi`."""
    match of:
        case SetType() | ArrayType():
            assert isinstance(value, frozenset | tuple)
            if isinstance(of.of, SetType | ArrayType):
                return all(_within(of.of, item, lo, hi) for item in value)
            return not value or (lo <= min(value) and max(value) <= hi)
        case _:
            assert isinstance(value, int)
            return lo <= value <= hi
