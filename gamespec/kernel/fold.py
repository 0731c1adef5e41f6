"""Folds in kernels: `min max sum count any all gcd`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gamespec.game import model
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, TRUE, add, binary, cast, compare, const, either, negate, signed_type, wider
from gamespec.kernel.prefix import difference
from gamespec.kernel.sweep import fold_of
from gamespec.types import IntType, element_bounds

if TYPE_CHECKING:
    from gamespec.kernel.express import Lowering

Body = Callable[[ir.Expr], None]


def fold(k: Lowering, expr: model.Fold) -> ir.Expr:
    """A fold over a tail."""
    short = fold_of(k, expr) or difference(k, expr)
    if short is not None:
        return short
    return folded(k, expr.op, expr, lambda body: k.sets.tail(expr.tail, lambda: body(k.value(expr.item))))


def folded(k: Lowering, op: str, expr: model.Expr, walk: Callable[[Body], None]) -> ir.Expr:
    """Folds what `walk` shows to a body; `expr` gives type and place of the result."""
    if op in ("any", "all"):
        return _quantified(k, op == "any", walk)
    bounds = expr.type.bounds if isinstance(expr.type, IntType) else element_bounds(expr.type)
    of = signed_type(bounds.hull(Interval(0, 0)))
    result = k.b.local(op, const(0, of))
    if op in ("min", "max"):
        found = k.b.local("any", FALSE)

        def pick(value: ir.Expr) -> None:
            value = k.b.simple("value", value)
            better = compare("lt" if op == "min" else "gt", value, result)
            with k.b.when(either(negate(found), better)):
                k.b.assign(result, value)
                k.b.assign(found, TRUE)

        walk(pick)
        k.guarded("empty", expr.span, lambda: found)
        return result

    def take(value: ir.Expr) -> None:
        match op:
            case "sum":
                wide = wider(of, value.type)
                k.b.assign(result, add(cast(result, wide), cast(value, wide)))
            case "count":
                with k.b.when(value):
                    k.b.assign(result, add(result, 1))
            case _:
                take_gcd(k, result, value)

    walk(take)
    return result


def take_gcd(k: Lowering, result: ir.Var, value: ir.Expr) -> None:
    """Replaces `result` by the greatest common divisor of it and a value (Euclid)."""
    of = wider(result.type, value.type)
    left = k.b.local("left", ir.Unary("abs", cast(result, of), of))
    right = k.b.local("right", ir.Unary("abs", cast(value, of), of))
    with k.b.loop_while(compare("ne", right, const(0, of))):
        rest = k.b.local("rest", binary("mod", left, right, of))
        k.b.assign(left, right)
        k.b.assign(right, rest)
    k.b.assign(result, left)


def _quantified(k: Lowering, wanted: bool, walk: Callable[[Body], None]) -> ir.Expr:
    result = k.b.local("any" if wanted else "all", FALSE if wanted else TRUE)
    with k.b.labelled("search") as label:

        def look(value: ir.Expr) -> None:
            with k.b.when(value if wanted else negate(value)):
                k.b.assign(result, TRUE if wanted else FALSE)
                k.b.breaks(label)

        walk(look)
    return result
