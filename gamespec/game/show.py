"""Values and positions as text, in the words of the spec."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import cast

from gamespec.game.model import Const, Field, Game, Position, Value
from gamespec.types import ArrayType, BoolType, ListType, NamesType, SetType, Type

MOST_ELEMENTS = 24
"""Longer sets and arrays are cut in the middle where a message shows them."""


def value_text(value: Value, of: Type, most: int | None = None, sizes: Sequence[int] | None = None) -> str:
    """A value as a spec would write it; an array as `[2, 0, 1]`, one of two dimensions row by row: `[[2, 0], [1, 3]]`.

    `most`: how many elements of a set or array are written before the rest is cut; None for all. `sizes`: the cells
    of each dimension, where they are not the same in all cases.
    """
    match of:
        case SetType(element):
            members = sorted(cast(frozenset[int], value))
            return "{" + _joined((value_text(member, element) for member in members), len(members), most) + "}"
        case ArrayType(dims, element) if len(dims) > 1:
            return _rows(cast(tuple[Value, ...], value), element, most, sizes or [dim.size for dim in dims])
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


def _rows(cells: tuple[Value, ...], element: Type, most: int | None, sizes: Sequence[int]) -> str:
    """The cells of an array of several dimensions, one bracket for each; in one where the sizes do not tell how."""
    texts = [value_text(cell, element, most) for cell in cells]
    if prod(sizes) != len(cells):
        return "[" + _joined(texts, len(texts), most) + "]"
    for size in reversed(sizes):
        groups = [texts[place : place + size] for place in range(0, len(texts), max(1, size))]
        texts = ["[" + _joined(group, len(group), most) + "]" for group in groups]
    return texts[0] if texts else "[]"


def number_text(value: int) -> str:
    """A number in decimal; one that no spec can have is described by its size."""
    return str(value) if value.bit_length() <= 1024 else f"a number of {value.bit_length()} bits"


def _joined(texts: Iterable[str], count: int, most: int | None) -> str:
    every = list(texts)
    if most is None or count <= most:
        return ", ".join(every)
    return ", ".join([*every[: most - 1], "…", every[-1]])


def values_text(fields: Iterable[Field], values: Mapping[str, Value], game: Game | None = None) -> str:
    """`n = 10, k = 3` for the fields that have a value."""
    return ", ".join(
        f"{field.name} = {value_text(values[field.name], field.type, MOST_ELEMENTS, _sizes(field, values, game))}"
        for field in fields
        if field.name in values
    )


def position_text(game: Game, position: Position, givens: Mapping[str, Value] | None = None) -> str:
    """`size = 4, stones = 2`: the givens, then the state fields."""
    values = dict(givens or {})
    values.update(zip((field.name for field in game.states), position, strict=True))
    return values_text((*game.givens, *game.states), values, game)


def _sizes(field: Field, values: Mapping[str, Value], game: Game | None) -> list[int] | None:
    """The cells of each dimension of a board whose bounds are not constant; None where its type says them."""
    if game is None or len(field.dims) < 2 or all(isinstance(end, Const) for pair in field.dims for end in pair):
        return None
    from gamespec.game.fault import RuleFault
    from gamespec.game.scene import Scene, Work

    position = tuple(values.get(state.name, 0) for state in game.states)
    scene = Scene(game, position, {given.name: values.get(given.name, 0) for given in game.givens}, Work(1 << 12))
    try:
        return [max(0, scene.number(hi, {}) - scene.number(lo, {}) + 1) for lo, hi in field.dims]
    except RuleFault:
        return None
