"""Positions as numbers: mixed-radix indices of tables, packed keys of memo searches."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from gamespec.game.model import Field, Game, Value
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, shl, shr, signed_type, sub, word_type
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Rules, Words
from gamespec.kernel.prefix import SUMS, summed_givens, table_of
from gamespec.kernel.shape import SMALL, Shape, offset_type, shape_of
from gamespec.types import ArrayType, BoolType, SetType, element_bounds, is_scalar

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts


class GivenTable(msgspec.Struct, frozen=True):
    """A given that is held in memory, by `kind`: the `cells` of an array, the elements of a `set`, ascending, or an
    array of sets as `words` (bit `x - lo` for the element x) or as `rows`: the elements of all sets one after the
    other, and in a second table where each set starts, with the end as last entry. `sums` are those of the first
    cells of an array: none, one, two, and so on (see `kernel.prefix`)."""

    name: str
    cell: ir.Type
    kind: str
    lo: int = 0

    def params(self) -> tuple[ir.Scalar | ir.Table, ...]:
        if self.kind == SUMS:
            return (ir.Table(table_of(self.name), self.cell),)
        cells, count = ir.Table(f"given.{self.name}", self.cell), ir.Scalar(f"given.{self.name}.count", ir.I64)
        return (cells, count, ir.Table(f"given.{self.name}.starts", ir.U32)) if self.kind == "rows" else (cells, count)

    def args(self, value: Value) -> list[object]:
        """The arguments of a kernel for a value."""
        assert isinstance(value, frozenset | tuple)
        match self.kind:
            case "sums":
                return [_filled(self.cell, [0, *itertools.accumulate(int(cell) for cell in value)])]
            case "set":
                cells = sorted(value)
            case "words":
                cells = [sum(1 << (element - self.lo) for element in _elements(row)) for row in value]
            case "rows":
                cells = [element for row in value for element in sorted(_elements(row))]
            case _:
                cells = [int(cell) for cell in value]
        tables: list[object] = [_filled(self.cell, cells), len(cells)]
        if self.kind == "rows":
            tables.append(_filled(ir.U32, [0, *itertools.accumulate(len(_elements(row)) for row in value)]))
        return tables


def _elements(value: object) -> frozenset[int]:
    if isinstance(value, frozenset):
        return value
    raise TypeError(f"{value!r} is not a set")


def _filled(cell: ir.Type, cells: Sequence[int]) -> Buffer:
    buffer = allocate(cell, max(1, len(cells)))
    buffer.from_ints(cells)
    return buffer


class Givens(msgspec.Struct, frozen=True):
    """How the data of a case reach a kernel: scalars by value, arrays and large sets as tables."""

    scalars: tuple[Shape, ...]
    tables: tuple[GivenTable, ...]

    def params(self) -> tuple[ir.Scalar | ir.Table, ...]:
        found: list[ir.Scalar | ir.Table] = [ir.Scalar(f"given.{shape.name}", shape.type) for shape in self.scalars]
        for table in self.tables:
            found += table.params()
        return tuple(found)

    def names(self) -> dict[str, ir.Expr]:
        """What the names stand for at the beginning of a kernel."""
        found: dict[str, ir.Expr] = {shape.name: scalar(shape, f"given.{shape.name}") for shape in self.scalars}
        for table in self.tables:
            if table.kind == SUMS:
                found[f"{table.name}.{SUMS}"] = const(0)  # the table is there
            else:
                found[f"{table.name}.count"] = ir.Var(f"given.{table.name}.count", ir.I64)
        return found


def rules(b: Builder, game: Game, facts: Facts, shapes: Mapping[str, Shape], givens: Givens) -> Rules:
    """The rules of a game in a kernel to which the data of the case are passed as `givens` says."""
    return Rules(b, game, facts.proofs, with_scalars(shapes, givens), givens.names(), facts.disabled)


def with_scalars(shapes: Mapping[str, Shape], givens: Givens) -> dict[str, Shape]:
    """The shapes of all names that are scalars in a kernel."""
    return {**shapes, **{shape.name: shape for shape in givens.scalars}}


def scalar(shape: Shape, name: str) -> ir.Expr:
    """A field passed to a kernel by value under a name."""
    var = ir.Var(name, shape.type)
    return compare("ne", var, const(0, shape.type)) if shape.kind == "number" and shape.is_bool else var


def givens_of(game: Game) -> Givens:
    scalars, tables = [], []
    summed = summed_givens(game)
    for field in game.givens:
        of = field.type
        if is_scalar(of) or (isinstance(of, SetType) and element_bounds(of.of).size <= SMALL):
            scalars.append(shape_of(field))
        else:
            tables.append(_table(field))
        if field.name in summed:
            tables.append(GivenTable(field.name, ir.I64, SUMS))
    return Givens(tuple(scalars), tuple(tables))


def _table(field: Field) -> GivenTable:
    match field.type:
        case ArrayType(of=SetType(of=element)):
            bounds = element_bounds(element)
            if bounds.size <= SMALL:
                return GivenTable(field.name, word_type(bounds.size), "words", bounds.lo)
            return GivenTable(field.name, signed_type(bounds), "rows")
        case ArrayType(of=BoolType()):
            return GivenTable(field.name, ir.U8, "cells")
        case ArrayType(of=element):
            return GivenTable(field.name, signed_type(element_bounds(element)), "cells")
        case SetType(of=element):
            return GivenTable(field.name, signed_type(element_bounds(element)), "set")
        case of:
            raise TypeError(f"no table holds a {of}")


class Digit(msgspec.Struct, frozen=True):
    """One mixed-radix digit of a table's index: a number, a set, or one cell of an array.

    Its range at run time is `NAME.lo` and `NAME.size`, NAME being `name`; `up` false counts from the top.
    """

    name: str
    shape: Shape
    cell: int
    up: bool

    @property
    def limit(self) -> int:
        """The size at the declared limits; an array without cells has one digit, of one value."""
        if self.shape.kind == "array" and not self.shape.cells:
            return 1
        return 1 << self.shape.bits if self.shape.kind == "set" else self.shape.bounds.size

    @property
    def base(self) -> int:
        """What is taken off a number: nothing, unless it needs more than 64 bits."""
        return self.shape.lo if self.shape.kind == "number" and self.type == ir.I128 else 0

    @property
    def lowest(self) -> int:
        """The least value of the digit's content: numbers as they are, sets and cells as words from 0."""
        return self.shape.lo - self.base if self.shape.kind == "number" else 0

    @property
    def type(self) -> ir.Type:
        return self.shape.type

    def contents(self, bounds: Interval) -> tuple[int, int]:
        """The least and the largest content, when numbers, elements or cells lie in bounds inside the shape's."""
        if self.shape.kind == "set":
            return 0, (1 << max(0, bounds.hi - self.shape.lo + 1)) - 1
        base = self.base if self.shape.kind == "number" else self.shape.lo
        return bounds.lo - base, bounds.hi - base

    def lo(self) -> ir.Var:
        return ir.Var(f"{self.name}.lo", ir.I64)

    def size(self) -> ir.Var:
        return ir.Var(f"{self.name}.size", ir.I64)


class Box(msgspec.Struct, frozen=True):
    """The part of a table that is filled: for each digit its least content and how many values follow."""

    lows: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def cells(self) -> int:
        product = 1
        for size in self.sizes:
            product *= size
        return product

    def covers(self, other: Box) -> bool:
        return all(
            low <= low2 and low2 + size2 <= low + size
            for low, size, low2, size2 in zip(self.lows, self.sizes, other.lows, other.sizes, strict=True)
        )


class Indexing(msgspec.Struct, frozen=True):
    """The digits of a table's index, most significant first."""

    digits: tuple[Digit, ...]

    def params(self) -> tuple[ir.Scalar, ...]:
        return tuple(ir.Scalar(f"{digit.name}.{word}", ir.I64) for digit in self.digits for word in ("lo", "size"))

    def index(self, b: Builder, position: Words) -> ir.Expr:
        """The index (i64) of a position given as words."""
        index: ir.Expr = const(0)
        for digit in self.digits:
            content = self._content(digit, position[digit.shape.name])
            offset = sub(content, digit.lo(), ir.I64)
            if not digit.up:
                offset = sub(sub(digit.size(), 1), offset, ir.I64)
            index = add(binary("mul", index, digit.size(), ir.I64), offset) if index != const(0) else offset
        return index

    def _content(self, digit: Digit, word: ir.Expr) -> ir.Expr:
        if digit.shape.kind == "array":
            raw = shr(word, digit.cell * digit.shape.cell_bits)
            return cast(binary("and", raw, const((1 << digit.shape.cell_bits) - 1, word.type), word.type), ir.I64)
        return cast(sub(word, digit.base) if digit.base else word, ir.I64)

    def words(self, b: Builder, offsets: Sequence[ir.Expr]) -> Words:
        """The position with the given digits (i64)."""
        words: Words = {}
        for digit, offset in zip(self.digits, offsets, strict=True):
            content = add(digit.lo(), offset) if digit.up else sub(add(digit.lo(), sub(digit.size(), 1)), offset)
            if digit.shape.kind == "array":
                placed = shl(cast(content, digit.type), digit.cell * digit.shape.cell_bits)
                before = words.get(digit.shape.name)
                words[digit.shape.name] = placed if before is None else binary("or", before, placed, digit.type)
            elif digit.shape.kind == "number" and digit.shape.is_bool:
                words[digit.shape.name] = compare("ne", content, const(0))
            else:
                words[digit.shape.name] = add(cast(content, digit.type), digit.base)
        return {name: b.simple(name, word) for name, word in words.items()}

    # the same in Python

    def contents(self, state: Sequence[Value], order: Sequence[str]) -> list[int]:
        """The content of each digit at a position (values in the order of declaration, `order` their names)."""
        values = dict(zip(order, state, strict=True))
        found = []
        for digit in self.digits:
            word = digit.shape.word(values[digit.shape.name]) - digit.base
            if digit.shape.kind == "array":
                word = word >> (digit.cell * digit.shape.cell_bits) & ((1 << digit.shape.cell_bits) - 1)
            found.append(word)
        return found

    def number(self, contents: Sequence[int], box: Box) -> int:
        index = 0
        for digit, content, low, size in zip(self.digits, contents, box.lows, box.sizes, strict=True):
            index = index * size + (content - low if digit.up else low + size - 1 - content)
        return index

    def position(self, index: int, box: Box, order: Sequence[str]) -> tuple[Value, ...]:
        """The position at an index."""
        words: dict[str, int] = {}
        shapes: dict[str, Shape] = {}
        for digit, low, size in reversed(list(zip(self.digits, box.lows, box.sizes, strict=True))):
            index, offset = divmod(index, size)
            content = low + offset if digit.up else low + size - 1 - offset
            shapes[digit.shape.name] = digit.shape
            if digit.shape.kind == "array":
                content <<= digit.cell * digit.shape.cell_bits
            words[digit.shape.name] = words.get(digit.shape.name, 0) + content + digit.base
        return tuple(shapes[name].value(words[name]) for name in order)


def indexing(shapes: dict[str, Shape], fields: Sequence[tuple[str, int]]) -> Indexing:
    """Digits for fields in an order of significance, each with its direction."""
    digits: list[Digit] = []
    for name, direction in fields:
        shape = shapes[name]
        if shape.kind == "array":
            digits.extend(Digit(f"{name}.{cell}", shape, cell, direction > 0) for cell in range(max(1, shape.cells)))
        else:
            digits.append(Digit(name, shape, 0, direction > 0))
    return Indexing(tuple(digits))


class Packing(msgspec.Struct, frozen=True):
    """A position as a key: the fields' bits one after the other, the first field lowest."""

    shapes: tuple[Shape, ...]

    @property
    def bits(self) -> int:
        return sum(shape.bits for shape in self.shapes)

    def key(self, position: Words, of: ir.Type) -> ir.Expr:
        key: ir.Expr | None = None
        shift = 0
        for shape in self.shapes:
            word = position[shape.name]
            if shape.kind == "number" and not shape.is_bool:
                word = sub(cast(word, offset_type(shape.bounds)), shape.lo)
            part = shl(cast(word, of), shift)
            key = part if key is None else binary("or", key, part, of)
            shift += shape.bits
        return key if key is not None else const(0, of)

    def words(self, b: Builder, key: ir.Expr) -> Words:
        words: Words = {}
        shift = 0
        for shape in self.shapes:
            raw = shr(key, shift)
            if shift + shape.bits < key.type.bits:
                raw = binary("and", raw, const((1 << shape.bits) - 1, key.type), key.type)
            if shape.kind == "number" and shape.is_bool:
                words[shape.name] = b.simple(shape.name, compare("ne", raw, const(0, key.type)))
            elif shape.kind == "number":
                number = add(cast(raw, offset_type(shape.bounds)), shape.lo)
                words[shape.name] = b.simple(shape.name, cast(number, shape.type))
            else:
                words[shape.name] = b.simple(shape.name, cast(raw, shape.type))
            shift += shape.bits
        return words

    def number(self, state: Sequence[Value]) -> int:
        key, shift = 0, 0
        for shape, value in zip(self.shapes, state, strict=True):
            key |= shape.packed(value) << shift
            shift += shape.bits
        return key

    def position(self, key: int) -> tuple[Value, ...]:
        found = []
        for shape in self.shapes:
            found.append(shape.unpacked(key & ((1 << shape.bits) - 1)))
            key >>= shape.bits
        return tuple(found)
