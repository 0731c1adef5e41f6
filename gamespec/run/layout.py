"""The input clause, made ready for reading: what each item fills, and for whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gamespec.game.model import (
    And,
    Cases,
    Compare,
    Const,
    Expr,
    Field,
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


class Layout:
    """What an input clause reads.

    A name belongs to the case, or, when it is read in rows that make components, to one component. Rows make
    components if the game is a sum and they give a state field.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        (self.input,) = (game.input or Input((Level(Cases.ONCE, ()),))).levels
        self.fields: dict[str, Field] = {field.name: field for field in (*game.givens, *game.states)}
        self.names = tuple(dict.fromkeys(read_names(self.input.items)))
        self._states = {field.name for field in game.states}
        self.row_names = tuple(dict.fromkeys(self._row_names(self.input.items)))
        self.case_names = tuple(dict.fromkeys(self._case_names(self.input.items)))
        self.has_components = any(
            isinstance(item, ReadRows) and self.holds_components(item) for item in self.input.items
        )
        until = self.input.until
        self.until_names = frozenset(names_read(until, game.lets)) if until is not None else frozenset()
        self.stop = None if until is None else equalities(until)
        self._bounds = {name: self._bounds_of(name) for name in self.names}

    @property
    def singles(self) -> tuple[str, ...] | None:
        """The names read, when every case has the same number of words."""
        names = tuple(item.name for item in self.input.items if isinstance(item, ReadOne))
        return names if len(names) == len(self.input.items) else None

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
            case ReadMany(name):
                return name in self._states
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
                case ReadRows():
                    if not self.holds_components(item):
                        yield from self.declared(item.items)
                case ReadOne(name) | ReadMany(name):
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
    """All names that the items read."""
    for item in items:
        match item:
            case ReadRows(inner):
                yield from read_names(inner)
            case ReadOne(name) | ReadMany(name):
                yield name


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
