"""Cells of a board at constant places, compared all at once instead of one by one.

A state array is one word, so `board[1] == x and board[4] == x and board[7] == x` is a mask and a comparison. Where
the value is known only while playing, or many such lines are asked about (what `any(all(board[q] == x for q in line)
for line in lines(board, 3))` becomes), a second word is made first: its lowest bit of every cell says whether the
cell holds the value (the *hits*). Lines that are the same up to where they begin are then found together: with the
steps s, t, … from a line's first cell to its others, `hits & hits >> s & hits >> t & …` has a bit at the beginning of
every such line that is full. Counting cells, or lines, is counting these bits.

Comparisons are put together only where nothing that may fail stands between them, so that rules fail as written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from gamespec.analysis.passes import LINES
from gamespec.game import model
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    Builder,
    add,
    binary,
    cast,
    compare,
    const,
    either,
    select,
    shr,
    signed_type,
    sub,
)
from gamespec.kernel.shape import Shape
from gamespec.types import BoolType, IntType, element_bounds, is_scalar

if TYPE_CHECKING:
    from gamespec.kernel.express import Lowering

MULTIPLIED = 128  # bits of the widest word that a product repeats a value in


class Part(NamedTuple):
    """An operand of a conjunction or disjunction; a plain one may be evaluated at any time."""

    plain: bool
    lower: Callable[[], ir.Expr]


class Test(NamedTuple):
    """Whether the cell at a place of a state array holds a value (or, with `equal` false, another one)."""

    array: str
    value: ir.Expr
    place: int
    equal: bool


class Line(NamedTuple):
    """Whether all cells at some places of a state array hold a value."""

    array: str
    value: ir.Expr
    places: tuple[int, ...]


# --- what a condition is -----------------------------------------------------------------------------------


def test_of(k: Lowering, expr: model.Expr) -> Test | None:
    """The condition as a test of one cell, if it is one."""
    match expr:
        case model.Not(operand):
            inner = test_of(k, operand)
            return None if inner is None else inner._replace(equal=not inner.equal)
        case model.Compare("==" | "!=" as op, model.Index(base=model.StateRef(array)) as cell, value):
            return _test(k, array, cell, value, op == "==")
        case model.Compare("==" | "!=" as op, value, model.Index(base=model.StateRef(array)) as cell):
            return _test(k, array, cell, value, op == "==")
        case model.Index(base=model.StateRef(array), type=BoolType()):
            place = constant_place(expr)
            return None if place is None else Test(array, const(1, ir.I32), place, True)
        case _:
            return None


def _test(k: Lowering, array: str, cell: model.Index, value: model.Expr, equal: bool) -> Test | None:
    place = constant_place(cell)
    number = None if place is None else value_in(k, array, value)
    return None if place is None or number is None else Test(array, number, place, equal)


def value_in(k: Lowering, array: str, value: model.Expr) -> ir.Expr | None:
    """A value that cells are compared with, in their numbers; None where it may be none of theirs or fail."""
    if not is_scalar(value.type) or not k.is_plain(value):
        return None
    if isinstance(value, model.LetRef):
        value = k.game.lets[value.name]
    if not isinstance(value, model.Const) and not k.shapes[array].bounds.covers(element_bounds(value.type)):
        return None
    number = k.value(value)
    return cast(number, ir.I32) if number.type == ir.I1 else number


def constant_place(cell: model.Index) -> int | None:
    """The number of a cell whose indices and whose array's bounds are constants, inside of it."""
    place = 0
    for index, (first, last) in zip(cell.indices, cell.dims, strict=True):
        match index, first, last:
            case model.Const(int(at)), model.Const(int(lo)), model.Const(int(hi)) if lo <= at <= hi:
                place = place * (hi - lo + 1) + at - lo
            case _:
                return None
    return place


def line_of(k: Lowering, expr: model.Expr) -> Line | None:
    """The condition as a test of several cells of one array for one value, if it is one."""
    match expr:
        case model.And(operands):
            tests = [test_of(k, operand) for operand in operands]
        case _:
            tests = [test_of(k, expr)]
    first = tests[0]
    if first is None or not all(t and t.equal and t[:2] == first[:2] for t in tests):
        return None
    return Line(first.array, first.value, tuple(sorted({test.place for test in tests if test})))


# --- words -------------------------------------------------------------------------------------------------


def mask_of(shape: Shape, places: Iterable[int]) -> int:
    """The lowest bits of some cells."""
    return sum(1 << (place * shape.cell_bits) for place in places)


def hits(k: Lowering, array: str, value: ir.Expr) -> ir.Expr:
    """The word with the lowest bit of every cell that holds the value."""
    key = ("hits", array, value, k.place)
    return k.b.recall(key) or k.b.remember(key, k.b.simple("hits", _hits(k, array, value)))


def _hits(k: Lowering, array: str, value: ir.Expr) -> ir.Expr:
    shape, word = k.shapes[array], k.names[array]
    of = word.type
    repeated = _repeated(shape, value, of)
    if repeated is None:
        return const(0, of)
    return _alike(k.b, shape, binary("xor", word, repeated, of))


def cells_equal(b: Builder, shape: Shape, word: ir.Expr, content: int) -> ir.Expr:
    """The word with the lowest bit of every cell of an array that has this content, counted from 0."""
    ones = mask_of(shape, range(shape.cells))
    return _alike(b, shape, binary("xor", word, const(content * ones, word.type), word.type))


def _alike(b: Builder, shape: Shape, differ: ir.Expr) -> ir.Expr:
    """The lowest bit of every cell that is 0."""
    differ = b.simple("differ", differ)
    folded = 1  # bits of a cell that its lowest bit stands for
    while folded < shape.cell_bits:
        step = min(folded, shape.cell_bits - folded)
        differ = b.simple("differ", binary("or", differ, shr(differ, step), differ.type))
        folded += step
    return binary("andnot", const(mask_of(shape, range(shape.cells)), differ.type), differ, differ.type)


def _repeated(shape: Shape, value: ir.Expr, of: ir.Type) -> ir.Expr | None:
    """The word with the value in every cell; None where no cell can hold it."""
    ones = mask_of(shape, range(shape.cells))
    match value:
        case ir.Const(number):
            return const((number - shape.lo) * ones, of) if number in shape.bounds else None
        case ir.Select(condition, ir.Const(one), ir.Const(other)) if one in shape.bounds and other in shape.bounds:
            return select(condition, const((one - shape.lo) * ones, of), const((other - shape.lo) * ones, of))
    wide = signed_type(shape.bounds.hull(Interval(0, shape.bounds.size)))
    raw = cast(sub(cast(value, wide) if value.type.bits < wide.bits else value, shape.lo), of)
    if of.bits <= MULTIPLIED:
        return binary("mul", raw, const(ones, of), of)
    filled, result = 1, raw
    while filled < shape.cells:
        result = binary("or", result, binary("shl", result, const(filled * shape.cell_bits, of), of), of)
        filled *= 2
    return result if filled == shape.cells else binary("and", result, const((1 << shape.bits) - 1, of), of)


# --- lines -------------------------------------------------------------------------------------------------


def full_lines(k: Lowering, array: str, value: ir.Expr, lines: Sequence[tuple[int, ...]]) -> list[ir.Expr]:
    """Words with a bit for every line that is full, for different lines."""
    shape = k.shapes[array]
    word = hits(k, array, value)
    alike: dict[tuple[int, ...], list[int]] = {}
    for places in lines:
        alike.setdefault(tuple(place - places[0] for place in places), []).append(places[0])
    words: list[ir.Expr] = []
    for steps, starts in alike.items():
        full = _full(k, shape, word, steps)
        words.append(binary("and", full, const(mask_of(shape, starts), word.type), word.type))
    return words


def _full(k: Lowering, shape: Shape, word: ir.Expr, steps: tuple[int, ...]) -> ir.Expr:
    """The cells where a line with these steps begins that is full; equal steps are taken two by two."""
    width, of = shape.cell_bits, word.type
    gaps = {after - before for before, after in pairwise(steps)}
    if len(gaps) == 1:
        (gap,) = gaps
        length = 1
        while length < len(steps):
            more = min(length, len(steps) - length)
            word = k.b.simple("full", binary("and", word, shr(word, more * gap * width), of))
            length += more
        return word
    result = word
    for step in steps[1:]:
        result = binary("and", result, shr(word, step * width), of)
    return result


def nearly_full(k: Lowering, condition: model.Expr, least: int) -> ir.Expr | None:
    """How many lines of a disjunction, of at least so many cells, are full but for one cell, or full (u32).

    None where it has no such lines. Cells whose hits a line lacks are counted while it is gone along: `all` says that
    there were none so far, `but_one` that there was one at most.
    """
    lines: dict[tuple[str, ir.Expr], list[tuple[int, ...]]] = {}
    for operand in condition.operands if isinstance(condition, model.Or) else (condition,):
        line = line_of(k, operand)
        if line is not None and len(line.places) >= least:
            lines.setdefault(line[:2], []).append(line.places)
    total: ir.Expr | None = None
    for (array, value), some in lines.items():
        for word in _along(k, array, value, some):
            count = cast(ir.Unary("popcount", word, word.type), ir.U32)
            total = count if total is None else add(total, count, ir.U32)
    return total


def _along(k: Lowering, array: str, value: ir.Expr, lines: Sequence[tuple[int, ...]]) -> list[ir.Expr]:
    shape = k.shapes[array]
    word = hits(k, array, value)
    of = word.type
    alike: dict[tuple[int, ...], list[int]] = {}
    for places in dict.fromkeys(lines):
        alike.setdefault(tuple(place - places[0] for place in places), []).append(places[0])
    found: list[ir.Expr] = []
    for steps, starts in alike.items():
        complete: ir.Expr = word
        but_one: ir.Expr = const((1 << of.bits) - 1, of)
        for step in steps[1:]:
            hit = k.b.simple("hit", shr(word, step * shape.cell_bits))
            but_one = k.b.simple("but_one", binary("or", complete, binary("and", but_one, hit, of), of))
            complete = k.b.simple("complete", binary("and", complete, hit, of))
        found.append(k.b.simple("near", binary("and", but_one, const(mask_of(shape, starts), of), of)))
    return found


# --- conjunctions, disjunctions, sums ------------------------------------------------------------------------


def parts_of(k: Lowering, operands: Sequence[model.Expr], stop: bool) -> list[Part]:
    """The operands of a conjunction (`stop` false) or disjunction, those side by side that may be put together."""
    connective = model.Or if stop else model.And
    flat: list[model.Expr] = []
    waiting = list(reversed(operands))
    while waiting:
        operand = waiting.pop()
        if isinstance(operand, connective):
            waiting += reversed(operand.operands)
        else:
            flat.append(operand)
    parts: list[Part] = []
    run: list[model.Expr] = []
    for operand in flat:
        if k.is_plain(operand):
            run.append(operand)
            continue
        parts += _together(k, run, stop)
        run = []
        parts.append(Part(False, partial(k.value, operand)))
    return parts + _together(k, run, stop)


def _together(k: Lowering, run: list[model.Expr], stop: bool) -> list[Part]:
    """Plain operands, with the tests among them put together; the order of plain ones does not matter."""
    if len(run) < 2 or LINES in k.left_out:
        return [Part(True, partial(k.value, operand)) for operand in run]
    return (_any if stop else _all)(k, run)


def _all(k: Lowering, run: list[model.Expr]) -> list[Part]:
    fixed: dict[str, list[Test]] = {}
    tests: dict[tuple[str, ir.Expr, bool], list[int]] = {}
    rest: dict[tuple[str, ir.Expr, bool, int], model.Expr] = {}
    parts: list[Part] = []
    for operand in run:
        test = test_of(k, operand)
        if test is None:
            parts.append(Part(True, partial(k.value, operand)))
        elif test.equal and isinstance(test.value, ir.Const):
            fixed.setdefault(test.array, []).append(test)
            rest[test.array, test.value, True, test.place] = operand
        else:
            tests.setdefault((test.array, test.value, test.equal), []).append(test.place)
            rest[test.array, test.value, test.equal, test.place] = operand
    for array, group in fixed.items():
        if len(set(group)) == 1:
            alone = rest[array, group[0].value, True, group[0].place]
            parts.append(Part(True, partial(k.value, alone)))
        else:
            parts.append(Part(True, partial(_matches, k, array, group)))
    for (array, value, equal), places in tests.items():
        if len(set(places)) == 1:
            alone = rest[array, value, equal, places[0]]
            parts.append(Part(True, partial(k.value, alone)))
        else:
            parts.append(Part(True, _masked(k, array, value, places, "eq", equal)))
    return parts


def _matches(k: Lowering, array: str, tests: list[Test]) -> ir.Expr:
    """Whether cells hold the constants that are asked for."""
    shape, word = k.shapes[array], k.names[array]
    wanted: dict[int, int] = {}
    for test in tests:
        assert isinstance(test.value, ir.Const)
        if test.value.value not in shape.bounds or wanted.setdefault(test.place, test.value.value) != test.value.value:
            return FALSE
    mask = mask_of(shape, wanted) * shape.cell_mask
    cells = sum((value - shape.lo) << (place * shape.cell_bits) for place, value in wanted.items())
    of = word.type
    return compare("eq", binary("and", word, const(mask, of), of), const(cells, of))


def _masked(
    k: Lowering, array: str, value: ir.Expr, places: Iterable[int], op: str, equal: bool
) -> Callable[[], ir.Expr]:
    """Compares the hits at some places with all of them (`equal`) or none."""

    def lower() -> ir.Expr:
        word = hits(k, array, value)
        mask = const(mask_of(k.shapes[array], set(places)), word.type)
        return compare(op, binary("and", word, mask, word.type), mask if equal else const(0, word.type))

    return lower


def _any(k: Lowering, run: list[model.Expr]) -> list[Part]:
    lines: dict[tuple[str, ir.Expr], list[tuple[int, ...]]] = {}
    others: dict[tuple[str, ir.Expr], list[int]] = {}
    alone: dict[tuple[str, ir.Expr, bool], model.Expr] = {}
    parts: list[Part] = []
    for operand in run:
        line, test = line_of(k, operand), test_of(k, operand)
        if line is not None:
            lines.setdefault(line[:2], []).append(line.places)
            alone[line.array, line.value, True] = operand
        elif test is not None:
            others.setdefault(test[:2], []).append(test.place)
            alone[test.array, test.value, False] = operand
        else:
            parts.append(Part(True, partial(k.value, operand)))
    for (array, value), places in others.items():
        if len(places) == 1:
            single = alone[array, value, False]
            parts.append(Part(True, partial(k.value, single)))
        else:
            parts.append(Part(True, _masked(k, array, value, places, "ne", True)))
    for (array, value), some in lines.items():
        if len(some) == 1:
            single = alone[array, value, True]
            parts.append(Part(True, partial(k.value, single)))
        else:
            parts.append(Part(True, partial(_some, k, array, value, some)))
    return parts


def _some(k: Lowering, array: str, value: ir.Expr, lines: Sequence[tuple[int, ...]]) -> ir.Expr:
    """Whether some line is full."""
    words = full_lines(k, array, value, list(dict.fromkeys(lines)))
    union = words[0]
    for word in words[1:]:
        union = binary("or", union, word, union.type)
    return compare("ne", union, const(0, union.type))


def sum_of(k: Lowering, expr: model.Binary) -> ir.Expr | None:
    """A sum in which several cells, or lines, are counted; None for any other one."""
    if LINES in k.left_out:
        return None
    leaves: list[model.Expr] = []
    waiting: list[model.Expr] = [expr]
    while waiting:
        leaf = waiting.pop()
        if isinstance(leaf, model.Binary) and leaf.op == "+" and isinstance(leaf.type, IntType):
            waiting += leaf.right, leaf.left
        else:
            leaves.append(leaf)
    counted: dict[tuple[str, ir.Expr], list[tuple[int, ...]]] = {}
    rest: list[model.Expr] = []
    for leaf in leaves:
        line = line_of(k, leaf.condition) if _is_count(leaf) else None  # type: ignore[union-attr]
        if line is None or line.places in counted.get(line[:2], ()):
            rest.append(leaf)
        else:
            counted.setdefault(line[:2], []).append(line.places)
    if len(leaves) - len(rest) < 2:
        return None
    bounds = Interval(0, len(leaves))
    for leaf in rest:
        assert isinstance(leaf.type, IntType)
        bounds = bounds + leaf.type.bounds.hull(Interval(0, 0))
    of = signed_type(bounds)
    total: ir.Expr = const(0, of)
    for (array, value), lines in counted.items():
        for word in full_lines(k, array, value, lines):
            total = add(total, cast(ir.Unary("popcount", word, word.type), of), of)
    for leaf in rest:
        total = add(total, cast(k.value(leaf), of), of)
    return total


def _is_count(expr: model.Expr) -> bool:
    """Whether an expression is 1 where a condition holds, else 0."""
    match expr:
        case model.If(_, model.Const(1), model.Const(0)):
            return isinstance(expr.type, IntType)
        case _:
            return False


def joined(parts: list[ir.Expr], join: Callable[[ir.Expr, ir.Expr], ir.Expr] = either) -> ir.Expr:
    """Many plain conditions, joined two by two, so that they do not nest deeply."""
    while len(parts) > 1:
        pairs = [join(one, two) for one, two in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(parts) - len(parts) % 2 :]
    return parts[0]
