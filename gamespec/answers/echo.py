"""How sets and arrays are printed: in the characters they were read in, else value by value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import cast

import msgspec

from gamespec.game.model import (
    After,
    Binary,
    Const,
    Expr,
    Field,
    Form,
    Game,
    GivenRef,
    ReadItem,
    ReadMany,
    ReadOne,
    ReadRows,
    StateRef,
    Value,
)
from gamespec.game.show import value_text
from gamespec.game.walk import names_read, through_lets
from gamespec.interval import Interval
from gamespec.types import ArrayType, IntType, ListType, SetType, Type, element_bounds

WHOLE = IntType(Interval(-(10**18), 10**18))


class Echo(msgspec.Struct, frozen=True):
    """The way in which the values of an expression are printed.

    `alphabet` has a character for each value of the cells, or is "". `sizes` are expressions: of an array of one
    dimension how many cells are in use, of one of more how long a row is; empty where the value itself says that.
    """

    of: Type
    alphabet: str = ""
    sizes: tuple[Expr, ...] = ()

    def text(self, value: Value, sizes: Sequence[int] = ()) -> str:
        """A value in words, with the values of `sizes`: rows of a board on lines of their own."""
        match self.of:
            case SetType(element):
                return " ".join(value_text(member, element) for member in sorted(cast(frozenset[int], value)))
            case ListType(element):
                return " ".join(value_text(cell, element) for cell in cast(tuple[Value, ...], value))
            case ArrayType(dims, element):
                cells = cast(tuple[Value, ...], value)
                if len(dims) == 1:
                    return self._row(cells[: max(0, sizes[0])] if sizes else cells, element)
                width = max(1, sizes[0] if sizes else dims[-1].size)
                rows = (cells[place : place + width] for place in range(0, len(cells), width))
                return "\n".join(self._row(row, element) for row in rows)
            case _:
                return value_text(value, self.of)

    def _row(self, cells: Sequence[Value], element: Type) -> str:
        if not self.alphabet:
            return " ".join(value_text(cell, element) for cell in cells)
        least = element_bounds(element).lo
        return "".join(self.alphabet[int(cast(int, cell)) - least] for cell in cells)


def echo(game: Game, expr: Expr, known: Set[str] | None = None) -> Echo:
    """How an expression is printed where the names `known` have values (None: all that the game has)."""
    inner = through_lets(expr.operand if isinstance(expr, After) else expr, game.lets)
    if not isinstance(inner, StateRef | GivenRef) or not isinstance(inner.type, ArrayType):
        return Echo(expr.type)
    field = next(field for field in (*game.givens, *game.states) if field.name == inner.name)
    item, size = next(_items(game, field), (None, None))
    sizes = (_row_length(field) if len(field.dims) > 1 else size,)
    kept = tuple(
        size for size in sizes if size is not None and (known is None or set(names_read(size, game.lets)) <= known)
    )
    if isinstance(expr, After):
        kept = tuple(After(type=size.type, operand=size, span=size.span) for size in kept)
    alphabet = (item.alphabet or "") if item is not None else ""
    if alphabet and len(alphabet) < element_bounds(inner.type.of).size:  # some values have no character
        alphabet = ""
    return Echo(expr.type, alphabet, kept)


def in_use(game: Game, field: Field) -> Expr | None:
    """How many of the cells of an array of one dimension the input gives a value, where it may be fewer than all."""
    return next(_items(game, field), (None, None))[1] if len(field.dims) == 1 else None


def _row_length(field: Field) -> Expr | None:
    """The length of a row of a board, where the bounds of its columns are not the same in all cases."""
    lo, hi = field.dims[-1]
    if isinstance(lo, Const) and isinstance(hi, Const):
        return None
    one = Const(type=IntType(Interval(1, 1)), value=1)
    return Binary(type=WHOLE, op="+", left=Binary(type=WHOLE, op="-", left=hi, right=lo), right=one)


def _items(game: Game, field: Field) -> Iterator[tuple[ReadOne | ReadMany, Expr | None]]:
    """What reads a field, and how many cells of it the input says."""

    def among(items: Sequence[ReadItem], rows: Expr | None) -> Iterator[tuple[ReadOne | ReadMany, Expr | None]]:
        for item in items:
            match item:
                case ReadRows(inner, count, line):
                    yield from among(inner, count if line else None)
                case ReadOne(name) if name == field.name:
                    yield item, rows
                case ReadMany(name, counts, form) if name == field.name:
                    measured = form in (Form.WORD, Form.LINE) and len(counts) == 1
                    yield item, counts[0] if measured else None
                case _:
                    pass

    for level in game.input.levels if game.input is not None else ():
        yield from among(level.items, None)
