"""How a field is held in a kernel: every value of a state field is one scalar.

A number is itself. A set over lo..hi is a word with bit `x - lo` for each element x. An array is a word of cells,
the first cell lowest and the last index fastest, each `value - lo` of its element type in as many bits as the element
bounds need. Where the data of a case make an array shorter than declared, the cells that it has stand side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from gamespec.game.model import Field, Value
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import signed_type, word_type
from gamespec.types import ArrayType, BoolType, SetType, element_bounds, is_scalar

WIDEST = 512  # bits of the widest word
WIDEST_NUMBER = 127  # bits of the widest number, above the lowest one of its range
SMALL = 128  # elements of the largest universe over which every set is held as a word; up to WIDEST, state sets are
INSIDE = "the index is inside the array"  # the proof of a load from a given array


class Shape(msgspec.Struct, frozen=True):
    """`kind` is `number`, `set` or `array`. `bounds` are those of the number, of the elements, of the cells.

    `bits` is the width of the whole when packed (numbers from `bounds.lo`); `cells` the most cells of an array, each
    `cell_bits` wide. `is_bool` tells that numbers, or cells, are conditions.
    """

    name: str
    kind: str
    bounds: Interval
    bits: int
    type: ir.Type
    cells: int = 1
    cell_bits: int = 0
    is_bool: bool = False

    @property
    def lo(self) -> int:
        return self.bounds.lo

    @property
    def cell_mask(self) -> int:
        return (1 << self.cell_bits) - 1

    def word(self, value: Value) -> int:
        """The scalar that a kernel is given for a value."""
        match self.kind:
            case "number":
                return int(value)  # type: ignore[arg-type]
            case "set":
                return sum(1 << (element - self.lo) for element in _items(value))
            case _:
                return sum((cell - self.lo) << (i * self.cell_bits) for i, cell in enumerate(_items(value)))

    def value(self, word: int) -> Value:
        """The value that a scalar of a kernel stands for."""
        match self.kind:
            case "number":
                return bool(word) if self.is_bool else word
            case "set":
                return frozenset(self.lo + i for i in range(self.bits) if word >> i & 1)
            case _:
                cells = (word >> (i * self.cell_bits) & self.cell_mask for i in range(self.cells))
                return tuple(bool(cell) if self.is_bool else self.lo + cell for cell in cells)

    def packed(self, value: Value) -> int:
        """The value as a number of `bits` bits."""
        word = self.word(value)
        return word - self.lo if self.kind == "number" else word

    def unpacked(self, number: int) -> Value:
        return self.value(number + self.lo if self.kind == "number" else number)

    @property
    def digits(self) -> tuple[int, ...]:
        """The sizes of the mixed-radix digits that number all values, most significant first."""
        if self.kind == "number":
            return (self.bounds.size,)
        return (1 << self.bits,) if self.kind == "set" else (self.bounds.size,) * self.cells


def _items(value: Value) -> Iterable[int]:
    if isinstance(value, frozenset | tuple):
        return value
    raise TypeError(f"{value!r} is neither a set nor an array")


class TooWide(Exception):
    """A state field needs more bits than a word has; carries the field, the bits needed and how many there are."""

    def __init__(self, field: Field, bits: int, most: int = WIDEST - 2) -> None:
        super().__init__(field.name)
        self.field = field
        self.bits = bits
        self.most = most


def shape_of(field: Field) -> Shape:
    """The shape of a state field or of a given that is held as a scalar; raises TooWide."""
    of = field.type
    if is_scalar(of):
        bounds = element_bounds(of)
        bits = max(1, (bounds.size - 1).bit_length())
        if bits > WIDEST_NUMBER:
            raise TooWide(field, bits, WIDEST_NUMBER)
        return Shape(field.name, "number", bounds, bits, signed_type(bounds), is_bool=isinstance(of, BoolType))
    if isinstance(of, SetType):
        bounds = element_bounds(of.of)
        if bounds.size > WIDEST:
            raise TooWide(field, bounds.size)
        return Shape(field.name, "set", bounds, max(1, bounds.size), word_type(bounds.size))
    if isinstance(of, ArrayType) and is_scalar(of.of):
        bounds = element_bounds(of.of)
        cell_bits = max(1, (bounds.size - 1).bit_length())
        cells = math.prod(dim.size for dim in of.dims)
        bits = cell_bits * cells
        if bits > WIDEST:
            raise TooWide(field, bits)
        is_bool = isinstance(of.of, BoolType)
        return Shape(field.name, "array", bounds, max(1, bits), word_type(bits), cells, cell_bits, is_bool)
    raise TypeError(f"no field has the type {of}")


def offset_type(bounds: Interval) -> ir.Type:
    """The type that holds the numbers of the bounds and their distances from the lowest."""
    return signed_type(bounds.hull(Interval(0, bounds.size)))
