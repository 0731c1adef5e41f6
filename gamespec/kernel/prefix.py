"""Sums over stretches of given numbers: `sum(v[i] for i in lo..hi)` is the difference of two sums of first cells.

These sums are made once for each set of givens, so a stretch costs two loads, however long it is. On a board, the
last index runs; stretches of a column are added cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamespec.analysis.passes import STRETCHES
from gamespec.analysis.rules import rule_expressions
from gamespec.game import model
from gamespec.game.model import Game
from gamespec.game.walk import children, names_read, through_lets
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import add, cast, compare, const, signed_type, sub
from gamespec.kernel.shape import INSIDE
from gamespec.types import ArrayType, IntType

if TYPE_CHECKING:
    from gamespec.kernel.express import Lowering

SUMS = "sums"  # the name of a given with this ending stands for its sums in kernels that have them
MOST = 1 << 62  # bound of a sum from the first cell on, and of how far two of them may differ


def table_of(name: str) -> str:
    """The table of the sums of a given: cell i holds the sum of its first i cells."""
    return f"given.{name}.{SUMS}"


def summed_givens(game: Game) -> frozenset[str]:
    """The givens of which some rule adds up stretches."""
    return frozenset(
        base.name for expr in (*rule_expressions(game), *game.lets.values()) for base in _bases(game, expr)
    )


def difference(k: Lowering, expr: model.Fold) -> ir.Expr | None:
    """A sum over a stretch as a difference; None if it is no such sum, or the kernel has no sums of that given."""
    cell = None if STRETCHES in k.left_out else _stretch(k.game, expr)
    if cell is None or not isinstance(cell.base, model.GivenRef) or f"{cell.base.name}.{SUMS}" not in k.names:
        return None
    (bind,), table = expr.tail.binds, table_of(cell.base.name)
    run = _range(k.game, bind.within)
    assert run is not None
    first, last = k.b.simple("first", k.value(run.lo)), k.b.simple("last", k.value(run.hi))
    bounds = expr.type.bounds if isinstance(expr.type, IntType) else Interval(0, 0)
    of = signed_type(bounds.hull(Interval(0, 0)))
    result = k.b.local("sum", const(0, of))
    with k.b.when(compare("le", first, last)):
        ends = []
        for index in (first, last):
            with k.bound(bind.name, index):
                proved = k.proofs.reason("index", cell.span) is not None
                place = cast(k.place_of(cell.indices, cell.dims, ("index", cell.span), proved), ir.I64)
                ends.append(k.b.simple("place", place))
        before = ir.Load(table, ends[0], ir.I64, INSIDE)
        behind = ir.Load(table, add(ends[1], 1), ir.I64, INSIDE)
        k.b.assign(result, cast(sub(behind, before), of))
    return result


def _stretch(game: Game, expr: model.Expr) -> model.Index | None:
    """The cell of which an expression is a sum over a stretch."""
    match expr:
        case model.Fold(op="sum", item=model.Index(base=model.GivenRef() as base, indices=indices) as cell, tail=tail):
            pass
        case _:
            return None
    if len(tail.binds) != 1 or tail.condition is not None or not isinstance(cell.type, IntType):
        return None
    (bind,) = tail.binds
    *others, last = indices
    runs = isinstance(last, model.LocalRef) and last.name == bind.name and _range(game, bind.within) is not None
    fixed = not any(bind.name in names_read(index, game.lets) for index in others)
    return cell if runs and fixed and _fits(base.type, cell.type.bounds) else None


def _range(game: Game, expr: model.Expr) -> model.Range | None:
    expr = through_lets(expr, game.lets)
    return expr if isinstance(expr, model.Range) else None


def _fits(of: object, bounds: Interval) -> bool:
    if not isinstance(of, ArrayType):
        return False
    cells = 1
    for dim in of.dims:
        cells *= dim.size
    return cells * max(abs(bounds.lo), abs(bounds.hi), 1) < MOST


def _bases(game: Game, expr: model.Expr) -> Iterator[model.GivenRef]:
    waiting = [expr]
    while waiting:
        current = waiting.pop()
        cell = _stretch(game, current)
        if cell is not None and isinstance(cell.base, model.GivenRef):
            yield cell.base
        waiting += children(current)
