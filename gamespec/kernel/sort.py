"""Sorted arrays: the cells of a word in ascending order, so that positions that differ in their order only are one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from gamespec.game import model
from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, TRUE, binary, both, cast, compare, const, shl, shr, sub
from gamespec.types import ArrayType

if TYPE_CHECKING:
    from gamespec.kernel.express import Lowering
    from gamespec.kernel.shape import Shape

NETWORK = 8  # cells that are sorted without a branch


def is_ordered(field: model.Field) -> bool:
    return isinstance(field.type, ArrayType) and field.type.ordered


def sorted_word(k: Lowering, field: model.Field, word: ir.Expr) -> ir.Expr:
    """The array with its cells sorted: those that it has in this case."""
    count = k.count(field)
    if isinstance(count, ir.Const) and count.value <= NETWORK:
        return _by_network(k, k.shapes[field.name], word, count.value)
    return _by_insertion(k, k.shapes[field.name], word, count)


def is_sorted(k: Lowering, field: model.Field, word: ir.Expr) -> ir.Expr:
    """Whether no cell is less than the one before."""
    shape, count = k.shapes[field.name], k.count(field)
    if isinstance(count, ir.Const) and count.value <= NETWORK:
        cells = [_raw(shape, word, const(place, ir.I32)) for place in range(count.value)]
        holds: ir.Expr = TRUE
        for before, after in pairwise(cells):
            holds = both(holds, compare("le", before, after))
        return holds
    found = k.b.local("sorted", TRUE)
    with k.b.labelled("search") as label, k.b.loop("i", const(1, ir.I32), sub(count, 1)) as place:
        falls = compare("gt", _raw(shape, word, sub(place, 1)), _raw(shape, word, place))
        with k.b.when(falls):
            k.b.assign(found, FALSE)
            k.b.breaks(label)
    return found


def _raw(shape: Shape, word: ir.Expr, place: ir.Expr) -> ir.Expr:
    """A cell as a number from 0, in the type of the word."""
    bit = cast(binary("mul", place, const(shape.cell_bits, ir.I32), ir.I32), word.type)
    return binary("and", shr(word, bit), const(shape.cell_mask, word.type), word.type)


def _by_network(k: Lowering, shape: Shape, word: ir.Expr, count: int) -> ir.Expr:
    word = k.b.simple("unsorted", word)
    of = word.type
    cells = [k.b.simple("cell", _raw(shape, word, const(place, ir.I32))) for place in range(count)]
    for low, high in network(count):
        less, more = (binary(op, cells[low], cells[high], of) for op in ("min", "max"))
        cells[low], cells[high] = k.b.simple("less", less), k.b.simple("more", more)
    result: ir.Expr = const(0, of)
    for place, cell in enumerate(cells):
        result = binary("or", result, shl(cell, place * shape.cell_bits), of)
    return k.b.simple(shape.name, result)


def network(count: int) -> Iterator[tuple[int, int]]:
    """Places to compare and exchange, in order: Batcher's merge exchange (Knuth, TAOCP 5.2.2, algorithm M)."""
    top = 1 << max(0, (count - 1).bit_length() - 1)
    step = top
    while step:
        far, rest, gap = top, 0, step
        while True:
            for low in range(count - gap):
                if low & step == rest:
                    yield low, low + gap
            if far == step:
                break
            gap, far, rest = far - step, far // 2, step
        step //= 2


def _by_insertion(k: Lowering, shape: Shape, word: ir.Expr, count: ir.Expr) -> ir.Expr:
    """Insertion, as all but a cell or two are sorted already: each cell moves down past larger ones."""
    b = k.b
    result = b.local(shape.name, word)
    of = result.type
    with b.loop("i", const(1, ir.I32), sub(count, 1)) as last:
        place = b.local("place", last)
        going = b.local("going", TRUE)
        with b.loop_while(going):
            before = b.local("before", _raw(shape, result, sub(place, 1)))
            cell = b.local("cell", _raw(shape, result, place))
            b.assign(going, compare("gt", before, cell))
            with b.when(going):
                differ = b.local("differ", binary("xor", before, cell, of))
                bit = b.local("bit", cast(binary("mul", place, const(shape.cell_bits, ir.I32), ir.I32), of))
                lower = sub(bit, shape.cell_bits)
                b.assign(result, binary("xor", result, binary("or", shl(differ, bit), shl(differ, lower), of), of))
                b.assign(place, sub(place, 1))
                b.assign(going, compare("gt", place, const(0, ir.I32)))
    return result
