"""The input clause, made ready for reading: what each item fills, and for whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from gamespec.game.model import (
    And,
    Bind,
    Cases,
    Compare,
    Const,
    Expr,
    Field,
    Form,
    Game,
    GivenRef,
    Input,
    InputRef,
    Level,
    ReadItem,
    ReadMany,
    ReadOne,
    ReadRows,
    StateRef,
)
from gamespec.game.walk import names_read
from gamespec.interval import Interval
from gamespec.types import ArrayType, BoolType, IntType, ListType, NamesType, SetType, Type

LARGEST = 10**18
UNDECLARED = IntType(Interval(0, LARGEST))


class Stage(msgspec.Struct, frozen=True):
    """One level of cases. `until_names` are those of its condition that the level itself reads; `stop` is the
    condition where it only compares them with numbers."""

    cases: Cases
    items: tuple[ReadItem, ...]
    until: Expr | None
    until_names: frozenset[str]
    stop: dict[str, int] | None
    each: Bind | None
    names: tuple[str, ...]


class Layout:
    """What an input clause reads.

    A name belongs to the case, or, when it is read in rows that make components, to one component. Rows make
    components if the game is a sum and they give a state field. Names that only rows of arrays have are forgotten.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.input = game.input or Input((Level(Cases.ONCE, ()),))
        self.fields: dict[str, Field] = {field.name: field for field in (*game.givens, *game.states)}
        self._states = {field.name for field in game.states}
        self.stages = tuple(self._stage(level) for level in self.input.levels)
        items = [item for stage in self.stages for item in stage.items]
        self.each_names = frozenset(stage.each.name for stage in self.stages if stage.each is not None)
        self.names = tuple(dict.fromkeys([*read_names(items), *self.each_names]))
        self.row_names = tuple(dict.fromkeys(self._row_names(items)))
        self.case_names = tuple(dict.fromkeys([*self._case_names(items), *self.each_names]))
        self.has_components = any(isinstance(item, ReadRows) and self.holds_components(item) for item in items)
        self.measured = frozenset(item.name for item in _many(items) if item.form in (Form.WORD, Form.LINE))
        started = {update.field for update in game.start}
        self.padded = self.measured - started  # rows of these may be shorter than declared
        self.has_lines = any(isinstance(item, ReadRows) and item.line for item in _rows(items)) or any(
            item.form is Form.LINE for item in _many(items)
        )
        self._bounds = {name: self._bounds_of(name) for name in self.names}
        self.alphabets = {item.name: item.alphabet for item in _words(items) if item.alphabet is not None}

    def _stage(self, level: Level) -> Stage:
        names = tuple(dict.fromkeys(read_names(level.items)))
        until = level.until
        used = frozenset(names_read(until, self.game.lets)) if until is not None else frozenset()
        singles = {item.name for item in level.items if isinstance(item, ReadOne)}
        stop = None if until is None else equalities(until)
        return Stage(level.cases, level.items, until, used & singles, stop, level.each, names)

    @property
    def depth(self) -> int:
        """How many levels of cases there are."""
        return len(self.stages)

    @property
    def singles(self) -> tuple[str, ...] | None:
        """The names read, when there is one level and every case has the same number of words."""
        if len(self.stages) > 1 or self.stages[0].each is not None:
            return None
        items = self.stages[0].items
        names = tuple(item.name for item in items if isinstance(item, ReadOne) and item.alphabet is None)
        return names if len(names) == len(items) else None

    def type_of(self, name: str) -> Type:
        """The declared type of a name; a whole number for a name that only the input has."""
        field = self.fields.get(name)
        return UNDECLARED if field is None else field.type

    def word_type(self, name: str) -> Type:
        """The type of one word of a name: of an element of a set, of a cell of an array."""
        return scalar_type(self.type_of(name))

    def holds(self, name: str, values: Sequence[Any]) -> bool:
        """True when what was read into a name lies within the bounds that hold for all cases."""
        bounds = self._bounds[name]
        return bounds is None or not values or bool(bounds.lo <= min(values) and max(values) <= bounds.hi)

    def _bounds_of(self, name: str) -> Interval | None:
        of = self.word_type(name)
        return of.bounds if isinstance(of, IntType) else None

    def sized(self, size: Expr) -> Iterable[str]:
        """The name that becomes what is found, where a size is one."""
        return size_names((size,))

    def declared(self, items: Iterable[ReadItem]) -> list[str]:
        """The names of fields that the items read."""
        return [name for name in read_names(items) if name in self.fields]

    def makes_components(self, rows: ReadRows) -> bool:
        """True for rows that are components: they give a state field, and not only a cell of an array each."""
        return self.game.sum and any(self._gives_state(item) for item in rows.items)

    def _gives_state(self, item: ReadItem) -> bool:
        match item:
            case ReadOne(name):
                return name in self._states and not isinstance(self.type_of(name), ArrayType)
            case ReadMany(name, counts, form):
                sizes = size_names(counts) if form in (Form.WORD, Form.LINE) else ()
                return not self._states.isdisjoint((name, *sizes))
            case ReadRows():
                return False

    def holds_components(self, rows: ReadRows) -> bool:
        """True for rows that make components, or hold rows that do."""
        if self.makes_components(rows):
            return True
        return any(isinstance(item, ReadRows) and self.holds_components(item) for item in rows.items)

    def _row_names(self, items: Iterable[ReadItem]) -> Iterator[str]:
        for item in items:
            if isinstance(item, ReadRows) and self.holds_components(item):
                yield from self.declared(item.items)

    def _case_names(self, items: Iterable[ReadItem]) -> Iterator[str]:
        for item in items:
            match item:
                case ReadRows(count=count, line=line):
                    if line:
                        yield from size_names((count,))
                    if not self.holds_components(item):
                        yield from self.declared(item.items)
                case ReadOne(name):
                    yield name
                case ReadMany(name, counts, form):
                    if form in (Form.WORD, Form.LINE):
                        yield from size_names(counts)
                    yield name


def equalities(condition: Expr) -> dict[str, int] | None:
    """`{"a": 0, "b": 0}` for `a == 0 and b == 0`; None for conditions of another form."""
    match condition:
        case Compare(
            op="==", left=InputRef(name=name) | GivenRef(name=name) | StateRef(name=name), right=Const(value=int(value))
        ):
            return {name: value}
        case And(operands=operands):
            found: dict[str, int] = {}
            for operand in operands:
                inner = equalities(operand)
                if inner is None or found.keys() & inner.keys():
                    return None
                found |= inner
            return found
        case _:
            return None


def read_names(items: Iterable[ReadItem]) -> Iterator[str]:
    """All names that the items may give a value: what they read, and the sizes of what the input does not count."""
    for item in items:
        match item:
            case ReadRows(inner, count, line):
                yield from read_names(inner)
                if line:
                    yield from size_names((count,))
            case ReadOne(name):
                yield name
            case ReadMany(name, counts, form):
                if form in (Form.WORD, Form.LINE):
                    yield from size_names(counts)
                yield name


def size_names(counts: Iterable[Expr]) -> Iterator[str]:
    """The names among sizes, which may become what is found."""
    for count in counts:
        if isinstance(count, InputRef | GivenRef | StateRef):
            yield count.name


def _words(items: Iterable[ReadItem]) -> Iterator[ReadOne | ReadMany]:
    for item in items:
        if isinstance(item, ReadRows):
            yield from _words(item.items)
        else:
            yield item


def _many(items: Iterable[ReadItem]) -> Iterator[ReadMany]:
    return (item for item in _words(items) if isinstance(item, ReadMany))


def _rows(items: Iterable[ReadItem]) -> Iterator[ReadRows]:
    for item in items:
        if isinstance(item, ReadRows):
            yield item
            yield from _rows(item.items)


def scalar_type(of: Type) -> Type:
    """The scalar type below sets and arrays."""
    while isinstance(of, SetType | ArrayType | ListType):
        of = of.of
    return of


def words_of(of: Type) -> tuple[str, ...]:
    """The words that a value of a scalar type may be written as; none for numbers."""
    match of:
        case BoolType():
            return ("true", "false", "1", "0")
        case NamesType(names):
            return names
        case _:
            return ()


def expected(of: Type) -> str:
    """What a word of a scalar type must be, for a message."""
    match of:
        case BoolType():
            return "`true` or `false` (or 1 or 0)"
        case NamesType(names):
            return "one of " + ", ".join(names)
        case IntType(bounds):
            return f"in {bounds.lo}..{bounds.hi}"
        case _:
            raise TypeError(f"{of} is not a scalar type")
