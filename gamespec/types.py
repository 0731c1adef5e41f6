"""The types of values in the language, with the bounds that decide widths."""

from __future__ import annotations

from typing import Any

import msgspec

from gamespec.interval import Interval


class IntType(msgspec.Struct, frozen=True):
    """Whole numbers; every value of the expression lies within `bounds`."""

    bounds: Interval


class BoolType(msgspec.Struct, frozen=True):
    """`false` and `true`"""


class NamesType(msgspec.Struct, frozen=True):
    """One of several names, in the order declared. Values are positions in `names`, from 0."""

    names: tuple[str, ...]


class SetType(msgspec.Struct, frozen=True):
    """A set whose elements are of type `of`; empty sets have an element type with empty bounds."""

    of: Type


class ListType(msgspec.Struct, frozen=True):
    """A list (`digits(n)`): folds and `for` see every element; set operators, `in` and `choose` take it as a set."""

    of: Type


class ArrayType(msgspec.Struct, frozen=True):
    """An array; `dims` bounds the index of each dimension over all cases."""

    dims: tuple[Interval, ...]
    of: Type
    ordered: bool = False


class TupleType(msgspec.Struct, frozen=True):
    """Several values at once (`(r, c)`)."""

    items: tuple[Type, ...]


Type = IntType | BoolType | NamesType | SetType | ListType | ArrayType | TupleType

BOOL = BoolType()


def element_bounds(of: Type) -> Interval:
    """The numbers that stand for the values of a scalar type: themselves, 0 and 1, or positions of names."""
    match of:
        case IntType(bounds):
            return bounds
        case BoolType():
            return Interval(0, 1)
        case NamesType(names):
            return Interval(0, len(names) - 1)
        case _:
            raise TypeError(f"{of} is not a scalar type")


def is_scalar(of: Type) -> bool:
    return isinstance(of, IntType | BoolType | NamesType)


def as_kept(of: Type, value: Any) -> Any:
    """A value of a type as positions keep it: the cells of a sorted array ascend."""
    return tuple(sorted(value)) if isinstance(of, ArrayType) and of.ordered else value
