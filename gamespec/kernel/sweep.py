"""Tests of a cell for every value of bound names: `count(board[r, c] != empty for r in 1..6)`, or
`choose r in 1..8, c in 1..8 when board[r, c] == mover`.

Where the names run over constant ranges and each is an index of the cell, the cells lie at constant distances from
the first one. The hits of the value (see `kernel.pattern`), moved down to the first cell and cut to these distances,
answer a fold at once; and a choice goes from one bit to the next instead of looking at every cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from gamespec.analysis.passes import SWEEP
from gamespec.game import model
from gamespec.game.walk import names_read
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import add, binary, cast, compare, const, shr, signed_type, sub
from gamespec.kernel.pattern import hits, mask_of, value_in
from gamespec.types import BoolType, IntType

if TYPE_CHECKING:
    from gamespec.kernel.express import Lowering

FEW = 3  # cells that are looked at one by one


class Name(NamedTuple):
    """A bound name that runs over lo..lo + size - 1; the next value lies `stride` cells further."""

    name: str
    lo: int
    size: int
    stride: int


class Sweep(NamedTuple):
    """Whether a cell holds a value (or, with `equal` false, another one), for all values of some names."""

    array: str
    value: ir.Expr
    equal: bool
    first: ir.Expr
    names: tuple[Name, ...]
    cell: model.Index

    @property
    def places(self) -> list[int]:
        """The distances of the cells from the first one."""
        steps = [[place * name.stride for place in range(name.size)] for name in self.names]
        return [sum(each) for each in product(*steps)]

    @property
    def ascends(self) -> bool:
        """Whether later cells belong to later values, the first name counting most."""
        places = self.places
        return places == sorted(places)


def sweep_of(k: Lowering, binds: Sequence[model.Bind], test: model.Expr) -> Sweep | None:
    """The test of a cell for all values of the names, if it is one."""
    match test:
        case model.Not(operand):
            inner = sweep_of(k, binds, operand)
            return None if inner is None else inner._replace(equal=not inner.equal)
        case model.Compare("==" | "!=" as op, model.Index() as cell, value):
            return _sweep(k, binds, cell, value, op == "==")
        case model.Compare("==" | "!=" as op, value, model.Index() as cell):
            return _sweep(k, binds, cell, value, op == "==")
        case model.Index(type=BoolType()):
            return _sweep(k, binds, test, model.Const(type=test.type, value=True), True)
        case _:
            return None


def _sweep(k: Lowering, binds: Sequence[model.Bind], cell: model.Index, value: model.Expr, equal: bool) -> Sweep | None:
    if SWEEP in k.left_out or not isinstance(cell.base, model.StateRef) or not k.is_plain(cell):
        return None
    ranges = {bind.name: _range(bind) for bind in binds}
    if len(ranges) < len(binds) or names_read(value, k.game.lets) & ranges.keys():
        return None
    strides = _strides(cell)
    if strides is None:
        return None
    names: dict[str, Name] = {}
    first: ir.Expr = const(0, ir.I32)
    for index, (lowest, _), stride in zip(cell.indices, cell.dims, strides, strict=True):
        bound, start = _bound_index(index, ranges)
        if bound is None:
            if names_read(index, k.game.lets) & ranges.keys():
                return None
            at = k.value(index)
        else:
            run = ranges[bound]
            if run is None or bound in names:
                return None
            names[bound] = Name(bound, run.lo, run.size, stride)
            at = const(run.lo + start, signed_type(Interval(run.lo + start, run.lo + start)))
        assert isinstance(lowest, model.Const)
        place = sub(at, int(lowest.value))  # type: ignore[arg-type]
        place = binary("mul", place, const(stride, place.type), place.type)
        of = ir.I32 if place.type.bits <= 32 else place.type
        first = binary("add", cast(first, of), cast(place, of), of)
    number = value_in(k, cell.base.name, value)
    if number is None or len(names) < len(binds):
        return None
    sweep = Sweep(cell.base.name, number, equal, first, tuple(names[bind.name] for bind in binds), cell)
    return sweep if len(sweep.places) > FEW else None


def _range(bind: model.Bind) -> Interval | None:
    match bind.within:
        case model.Range(model.Const(int(lo)), model.Const(int(hi))) if lo <= hi < lo + 1024:
            return Interval(lo, hi)
        case _:
            return None


def _strides(cell: model.Index) -> list[int] | None:
    """How far the next cell of each dimension lies; None where that is not constant."""
    strides, stride = [], 1
    for ends in reversed(cell.dims):
        match ends:
            case model.Const(int(lo)), model.Const(int(hi)):
                strides.append(stride)
                stride *= max(0, hi - lo + 1)
            case _:
                return None
    return strides[::-1]


def _bound_index(index: model.Expr, ranges: dict[str, Interval | None]) -> tuple[str | None, int]:
    """The bound name that an index is, and a number that is added to it."""
    match index:
        case model.LocalRef(name) if name in ranges:
            return name, 0
        case model.Binary("+", model.LocalRef(name), model.Const(int(more))) if name in ranges:
            return name, more
        case model.Binary("-", model.LocalRef(name), model.Const(int(less))) if name in ranges:
            return name, -less
        case _:
            return None, 0


def _word(k: Lowering, sweep: Sweep) -> ir.Expr:
    """A bit for each cell that passes, at its distance from the first one."""
    shape = k.shapes[sweep.array]
    word = hits(k, sweep.array, sweep.value)
    mask = const(mask_of(shape, sweep.places), word.type)
    bit = binary("mul", sweep.first, const(shape.cell_bits, sweep.first.type), sweep.first.type)
    moved = shr(word, cast(bit, word.type))
    return binary("and", moved, mask, word.type) if sweep.equal else binary("andnot", mask, moved, word.type)


def fold_of(k: Lowering, expr: model.Fold) -> ir.Expr | None:
    """`count`, `any` or `all` over a sweep; None for any other fold."""
    if expr.op not in ("count", "any", "all") or expr.tail.condition is not None:
        return None
    sweep = sweep_of(k, expr.tail.binds, expr.item)
    if sweep is None:
        return None
    if expr.op == "all":
        word = _word(k, sweep._replace(equal=not sweep.equal))
        return compare("eq", word, const(0, word.type))
    word = _word(k, sweep)
    if expr.op == "any":
        return compare("ne", word, const(0, word.type))
    assert isinstance(expr.type, IntType)
    return cast(ir.Unary("popcount", word, word.type), signed_type(expr.type.bounds.hull(Interval(0, 0))))


def walk(k: Lowering, sweep: Sweep, body: Callable[[], None]) -> None:
    """Writes the body for every cell that passes, with the names bound, in ascending order of the cells."""
    shape = k.shapes[sweep.array]
    word = _word(k, sweep)

    def found(bit: ir.Expr) -> None:
        place = rest = k.b.simple("place", binary("div", cast(bit, ir.U32), const(shape.cell_bits, ir.U32), ir.U32))
        with ExitStack() as bound:
            for position, name in enumerate(sweep.names):
                last = position == len(sweep.names) - 1
                steps = binary("div", rest, const(name.stride, ir.U32), ir.U32)
                if not last:
                    rest = k.b.simple("rest", binary("mod", rest, const(name.stride, ir.U32), ir.U32))
                of = signed_type(Interval(name.lo, name.lo + name.size))
                value = binary("add", cast(steps, of), const(name.lo, of), of)
                bound.enter_context(k.bound(name.name, value))
            k.know_place(sweep.cell, add(sweep.first, cast(place, sweep.first.type)))
            body()

    k.sets.each_bit(word, Interval(0, shape.bits - 1), found)


def chosen(k: Lowering, binds: Sequence[model.Bind], guards: Sequence[model.Expr]) -> tuple[Sweep, int] | None:
    """A sweep among the tests that follow the choice of some names, and its place among them.

    Nothing that may fail is tested before it, and its cells come in the order in which the names are chosen.
    """
    for place, guard in enumerate(guards):
        if not k.is_plain(guard):
            return None
        sweep = sweep_of(k, binds, guard)
        if sweep is not None and sweep.ascends:
            return sweep, place
    return None
