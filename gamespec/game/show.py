"""Values and positions as text, in the words of the spec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from gamespec.game.model import Field, Game, Position, Value
from gamespec.types import ArrayType, BoolType, ListType, NamesType, SetType, Type

MOST_ELEMENTS = 24
"""Longer sets and arrays are cut in the middle where a message shows them."""


def value_text(value: Value, of: Type, most: int | None = None) -> str:
    """A value as a spec would write it; an array as `[2, 0, 1]`.

    `most`: how many elements of a set or array are written before the rest is cut; None for all.
    """
    match of:
        case SetType(element):
            members = sorted(cast(frozenset[int], value))
            return "{" + _joined((value_text(member, element) for member in members), len(members), most) + "}"
        case ArrayType(_, element):
            cells = cast(tuple[Value, ...], value)
            return "[" + _joined((value_text(cell, element, most) for cell in cells), len(cells), most) + "]"
        case ListType(element):
            cells = cast(tuple[Value, ...], value)
            return "[" + _joined((value_text(cell, element) for cell in cells), len(cells), most) + "]"
        case NamesType(names):
            return names[cast(int, value)]
        case BoolType():
            return "true" if value else "false"
        case _:
            return number_text(cast(int, value))


def number_text(value: int) -> str:
    """A number in decimal; one that no spec can have is described by its size."""
    return str(value) if value.bit_length() <= 1024 else f"a number of {value.bit_length()} bits"


def _joined(texts: Iterable[str], count: int, most: int | None) -> str:
    every = list(texts)
    if most is None or count <= most:
        return ", ".join(every)
    return ", ".join([*every[: most - 1], "…", every[-1]])


def values_text(fields: Iterable[Field], values: Mapping[str, Value]) -> str:
    """`n = 10, k = 3` for the fields that have a value."""
    return ", ".join(
        f"{field.name} = {value_text(values[field.name], field.type, MOST_ELEMENTS)}"
        for field in fields
        if field.name in values
    )


def position_text(game: Game, position: Position, givens: Mapping[str, Value] | None = None) -> str:
    """`size = 4, stones = 2`: the givens, then the state fields."""
    values = dict(givens or {})
    values.update(zip((field.name for field in game.states), position, strict=True))
    return values_text((*game.givens, *game.states), values)
