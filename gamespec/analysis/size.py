"""How many positions there are: the box around all of them."""

from __future__ import annotations

from math import comb, log10, prod

import msgspec

from gamespec.game.model import Field, Game
from gamespec.types import ArrayType, SetType, Type, element_bounds, is_scalar

MAX_BITS = 1 << 16  # numbers of positions are exact up to here
MOST_SORTED = 1 << 9  # cells of a sorted array that are counted; no kernel holds as many


class Size(msgspec.Struct, frozen=True):
    """The product of the sizes of the fields (of one component), over all values of the givens.

    `text` is the product as a person would write it.
    """

    positions: int
    text: str


def size(game: Game) -> Size:
    """How many positions there are at most, from the hull bounds of the fields."""
    positions = prod(_values(field.type) for field in game.states)
    words = [_text(field) for field in game.states]
    text = " * ".join(words)
    if len(words) > 1 or (words and not is_scalar(game.states[0].type)):
        text = f"{text} = {_number(positions)}"
    return Size(positions, text or "1")


def _values(of: Type) -> int:
    match of:
        case SetType(element):
            return 1 << max(0, element_bounds(element).size)
        case ArrayType(_, element, True):
            return _ascending(_values(element), min(_cells(of), MOST_SORTED))
        case ArrayType(_, element):
            values = _values(element)
            return int(values ** min(_cells(of), MAX_BITS // values.bit_length()))
        case _ if is_scalar(of):
            return max(1, element_bounds(of).size)
        case _:
            return 1


def _ascending(values: int, cells: int) -> int:
    """How many rows of so many cells ascend: multisets of values."""
    return comb(values + cells - 1, cells)


def _cells(of: ArrayType) -> int:
    cells = 1
    for bounds in of.dims:
        cells *= bounds.size
    return cells


def _text(field: Field) -> str:
    match field.type:
        case SetType(element):
            return f"2^{max(0, element_bounds(element).size)}"
        case ArrayType(_, element, True):
            return f"C({_values(element) + _cells(field.type) - 1:,}, {_cells(field.type):,})"
        case ArrayType(_, element):
            return f"{_number(_values(element))}^{_cells(field.type)}"
        case _:
            return _number(_values(field.type))


def _number(value: int) -> str:
    return f"{value:,}" if value < 10**15 else f"about 10^{round(log10(value))}"
