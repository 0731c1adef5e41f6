"""Builtins in kernels: one entry each, beside its meaning in `gamespec.builtins`.

A builtin with a number or a condition as its value has `value`. One with a set or list has `each` (a loop over its
elements), `word` (the elements as bits over a universe; None where this call has no such form), or both, and may
have a `contains` that is quicker than a search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from gamespec.game import model
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    add,
    binary,
    both,
    cast,
    compare,
    const,
    negate,
    select,
    shl,
    shr,
    signed_type,
    sub,
    wider,
    word_type,
)
from gamespec.kernel.fold import folded, take_gcd
from gamespec.kernel.shape import SMALL, WIDEST
from gamespec.types import ArrayType, IntType, ListType, SetType

if TYPE_CHECKING:
    from gamespec.kernel.express import Lowering

Body = Callable[[ir.Expr], None]


class Lowered(msgspec.Struct, frozen=True):
    """How one builtin is written into a kernel (see the module)."""

    value: Callable[[Lowering, model.Call], ir.Expr] | None = None
    each: Callable[[Lowering, model.Call, Body], None] | None = None
    word: Callable[[Lowering, model.Call, Interval], ir.Expr | None] | None = None
    contains: Callable[[Lowering, model.Call, ir.Expr], ir.Expr] | None = None


def _over_elements(k: Lowering, call: model.Call) -> bool:
    return len(call.args) == 1 and isinstance(call.args[0].type, SetType | ListType | ArrayType)


def _folded(k: Lowering, call: model.Call) -> ir.Expr:
    """`sum(S)`, `any(A)`, …: a fold over the elements."""
    walk = k.sets.each_distinct if call.name in ("sum", "count") else k.sets.each
    return folded(k, call.name, call, lambda body: walk(call.args[0], body))


def _extreme(k: Lowering, call: model.Call) -> ir.Expr:
    if not _over_elements(k, call):
        values = [k.value(arg) for arg in call.args]
        of = values[0].type
        for value in values:
            of = wider(of, value.type)
        result = cast(values[0], of)
        for value in values[1:]:
            result = binary(call.name, result, cast(value, of), of)
        return result
    elements = call.args[0]
    is_word = not isinstance(elements.type, ArrayType) and k.sets.universe(elements).size <= WIDEST
    if not is_word or not (k.sets.is_small(elements) or _has_word(elements)):
        return _folded(k, call)
    word = k.b.simple("set", k.sets.word(elements))
    k.guarded("empty", call.span, lambda: compare("ne", word, const(0, word.type)))
    universe = k.sets.universe(elements)
    of = signed_type(universe.hull(Interval(0, word.type.bits)))
    place = ir.Unary("low" if call.name == "min" else "high", word, word.type)
    return add(cast(place, of), universe.lo)


def _has_word(expr: model.Expr) -> bool:
    return isinstance(expr, model.Call) and LOWERED[expr.name].word is not None


def _abs(k: Lowering, call: model.Call) -> ir.Expr:
    operand = k.value(call.args[0])
    return ir.Unary("abs", operand, operand.type)


def _gcd(k: Lowering, call: model.Call) -> ir.Expr:
    if _over_elements(k, call):
        return _folded(k, call)
    values = [k.value(arg) for arg in call.args]
    of = values[0].type
    for value in values:
        of = wider(of, value.type)
    result = k.b.local("gcd", ir.Unary("abs", cast(values[0], of), of))
    for value in values[1:]:
        take_gcd(k, result, value)
    return result


def _popcount(k: Lowering, call: model.Call) -> ir.Expr:
    operand = k.b.simple("n", k.value(call.args[0]))
    k.guarded("call", call.span, lambda: compare("ge", operand, const(0, operand.type)))
    word = cast(operand, word_type(operand.type.bits))
    return cast(ir.Unary("popcount", word, word.type), ir.I32)


def _bit(k: Lowering, call: model.Call) -> ir.Expr:
    number, place = k.value(call.args[0]), k.b.simple("place", k.value(call.args[1]))
    k.guarded("call", call.span, lambda: compare("ge", place, const(0, place.type)))
    top = const(number.type.bits - 1, place.type)
    shift = select(compare("lt", place, top), place, top)
    word = cast(number, word_type(number.type.bits))
    # The highest bit of the word is the sign, which stands for all higher digits.
    bit = binary("and", shr(word, cast(shift, word.type)), const(1, word.type), word.type)
    return cast(bit, ir.I32)


def _size(k: Lowering, call: model.Call) -> ir.Expr:
    elements = call.args[0]
    if not isinstance(elements.type, ListType | ArrayType):
        if isinstance(elements, model.Range):
            lo, hi = k.value(elements.lo), k.value(elements.hi)
            of = wider(wider(lo.type, hi.type), signed_type(_bounds(call)))
            return binary("max", const(0, of), add(sub(cast(hi, of), cast(lo, of)), 1), of)
        if k.sets.universe(elements).size <= SMALL or k.sets.is_small(elements):
            word = k.sets.word(elements)
            return cast(ir.Unary("popcount", word, word.type), ir.I32)
    of = signed_type(_bounds(call))
    count = k.b.local("size", const(0, of))
    k.sets.each_distinct(elements, lambda element: k.b.assign(count, add(count, 1)))
    return count


def _bounds(call: model.Call) -> Interval:
    assert isinstance(call.type, IntType)
    return call.type.bounds


# --- digits ------------------------------------------------------------------------------------------------


def _digits_args(k: Lowering, call: model.Call) -> tuple[ir.Expr, ir.Expr]:
    number = k.b.simple("n", k.value(call.args[0]))
    base = k.b.simple("base", k.value(call.args[1])) if len(call.args) > 1 else const(10, ir.I32)
    of = wider(number.type, base.type)
    number, base = cast(number, of), cast(base, of)
    k.guarded("call", call.span, lambda: both(compare("ge", number, const(0, of)), compare("ge", base, const(2, of))))
    return number, base


def _each_digit(k: Lowering, call: model.Call, body: Body) -> None:
    number, base = _digits_args(k, call)
    rest = k.b.local("rest", number)
    more = k.b.local("more", TRUE)
    with k.b.loop_while(more):
        digit = k.b.local("digit", binary("mod", rest, base, rest.type))
        k.b.assign(rest, binary("div", rest, base, rest.type))
        k.b.assign(more, compare("ne", rest, const(0, rest.type)))
        body(digit)


def _digit_word(k: Lowering, call: model.Call, universe: Interval) -> ir.Expr | None:
    base = call.args[1] if len(call.args) > 1 else None
    number = 10 if base is None else base.value if isinstance(base, model.Const) else None
    if not isinstance(number, int) or not 2 <= number <= 64 or universe.lo != 0:
        return None
    operand, _ = _digits_args(k, call)
    return ir.DigitSet(operand, number, word_type(number))


# --- sequences ---------------------------------------------------------------------------------------------


def _each_power(k: Lowering, call: model.Call, body: Body) -> None:
    base, limit = k.b.simple("base", k.value(call.args[0])), k.b.simple("limit", k.value(call.args[1]))
    k.guarded("call", call.span, lambda: compare("ge", base, const(1, base.type)))
    if isinstance(base, ir.Const) and base.value < 1:
        return
    of = wider(wider(base.type, limit.type), signed_type(k.sets.universe(call)))
    base, limit = cast(base, of), cast(limit, of)
    power = k.b.local("power", const(1, of))
    last = k.b.local("last", binary("div", limit, base, of))
    more = k.b.local("more", compare("le", power, limit))
    with k.b.loop_while(more):
        element = k.b.local("x", power)
        k.b.assign(more, both(compare("le", power, last), compare("gt", base, const(1, of))))
        with k.b.when(more):
            k.b.assign(power, binary("mul", power, base, of))
        body(element)


def _each_square(k: Lowering, call: model.Call, body: Body) -> None:
    limit = k.b.simple("limit", k.value(call.args[0]))
    k.guarded("call", call.span, lambda: compare("lt", limit, const(((1 << 20) + 1) ** 2, ir.I64)))
    of = wider(limit.type, ir.I64)
    square, step = k.b.local("square", const(1, of)), k.b.local("step", const(3, of))
    with k.b.loop_while(compare("le", square, cast(limit, of))):
        element = k.b.local("x", square)
        k.b.assign(square, add(square, step))
        k.b.assign(step, add(step, 2))
        body(element)


def _is_square(k: Lowering, call: model.Call, item: ir.Expr) -> ir.Expr:
    limit = k.b.simple("limit", k.value(call.args[0]))
    k.guarded("call", call.span, lambda: compare("lt", limit, const(((1 << 20) + 1) ** 2, ir.I64)))
    found = k.b.local("found", FALSE)
    with k.b.when(both(compare("ge", item, const(1, item.type)), compare("le", item, limit))):
        root, step = k.b.local("root", const(0, ir.I64)), k.b.local("step", const(1 << 20, ir.I64))
        wide = cast(item, ir.I64)
        with k.b.loop_while(compare("gt", step, const(0))):
            larger = k.b.local("larger", add(root, step))
            with k.b.when(compare("le", binary("mul", larger, larger, ir.I64), wide)):
                k.b.assign(root, larger)
            k.b.assign(step, binary("div", step, const(2), ir.I64))
        k.b.assign(found, compare("eq", binary("mul", root, root, ir.I64), wide))
    return found


def _each_prime(k: Lowering, call: model.Call, body: Body) -> None:
    limit = k.b.simple("limit", k.value(call.args[0]))
    k.guarded("call", call.span, lambda: compare("le", limit, const(16_290_047)))
    of = wider(limit.type, ir.I32)
    if k.b.sieve is not None and k.b.sieve.covers(call.args[0]):
        k.b.sieve.each_prime(k.b, cast(limit, of), body)
        return
    with k.b.loop("x", const(2, of), cast(limit, of)) as candidate, k.b.when(_has_no_factor(k, candidate)):
        body(candidate)


def _is_prime(k: Lowering, call: model.Call, item: ir.Expr) -> ir.Expr:
    limit = k.b.simple("limit", k.value(call.args[0]))
    k.guarded("call", call.span, lambda: compare("le", limit, const(16_290_047)))
    found = k.b.local("found", FALSE)
    with k.b.when(both(compare("ge", item, const(2, item.type)), compare("le", item, limit))):
        if k.b.sieve is not None and k.b.sieve.covers(call.args[0]):
            k.b.assign(found, k.b.sieve.is_prime(item))
        else:
            k.b.assign(found, _has_no_factor(k, item))
    return found


def _has_no_factor(k: Lowering, number: ir.Expr) -> ir.Expr:
    """Whether a number from 2 is prime, by trial division."""
    of = number.type
    prime, factor = k.b.local("prime", TRUE), k.b.local("factor", const(2, of))
    going = both(prime, compare("le", factor, binary("div", number, factor, of)))
    with k.b.loop_while(going):
        with k.b.when(compare("eq", binary("mod", number, factor, of), const(0, of))):
            k.b.assign(prime, FALSE)
        k.b.assign(factor, add(factor, 1))
    return prime


def _divided(k: Lowering, call: model.Call) -> ir.Expr:
    number = k.b.simple("n", k.value(call.args[0]))
    k.guarded(
        "call",
        call.span,
        lambda: both(compare("ge", number, const(1, number.type)), compare("le", number, const(1 << 40))),
    )
    return number


def _each_divisor(k: Lowering, call: model.Call, body: Body) -> None:
    number = _divided(k, call)
    if k.b.sieve is not None and k.b.sieve.covers(call.args[0]):
        k.b.sieve.each_divisor(k.b, number, body)
        return
    of = number.type
    factor, side = k.b.local("factor", const(1, of)), k.b.local("side", const(0, ir.I32))
    zero = const(0, ir.I32)
    with k.b.loop_while(compare("le", factor, binary("div", number, factor, of))):
        other = k.b.local("other", binary("div", number, factor, of))
        divides = compare("eq", binary("mul", other, factor, of), number)
        second = compare("eq", side, const(1, ir.I32))
        shown = both(divides, negate(both(second, compare("eq", other, factor))))
        element = k.b.local("x", select(second, other, factor))
        wanted = k.b.local("wanted", shown)
        # Each factor is looked at twice, once for itself and once for its partner, so that the body stands once.
        again = both(divides, compare("eq", side, zero))
        next_side = k.b.local("next", select(again, const(1, ir.I32), zero))
        with k.b.when(compare("eq", next_side, zero)):
            k.b.assign(factor, add(factor, 1))
        k.b.assign(side, next_side)
        with k.b.when(wanted):
            body(element)


def _is_divisor(k: Lowering, call: model.Call, item: ir.Expr) -> ir.Expr:
    number = _divided(k, call)
    found = k.b.local("found", FALSE)
    of = wider(number.type, item.type)
    with k.b.when(compare("ge", item, const(1, item.type))):
        rest = binary("mod", cast(number, of), cast(item, of), of)
        k.b.assign(found, compare("eq", rest, const(0, of)))
    return found


# --- closure -----------------------------------------------------------------------------------------------


def _closure_word(k: Lowering, call: model.Call, universe: Interval) -> ir.Expr | None:
    """Closed under each number in turn, by shifts that double: adding x, then 2x, then 4x, … reaches every
    multiple; a set closed under x stays so when it is closed under y, because sums commute."""
    start, step, limit = call.args
    of = word_type(universe.size)
    word = k.b.local("closed", k.sets.word_in(start, universe))
    top = k.b.simple("limit", k.value(limit))
    wide = signed_type(Interval(0, 1 << 20).hull(universe))
    above = sub(cast(top, wider(wide, top.type)), universe.lo)
    above = k.b.simple("above", above)
    # Bits up to the limit; elements of S beyond it stay as they are.
    kept = select(
        compare("lt", above, const(0, above.type)),
        const(0, of),
        shr(const((1 << of.bits) - 1, of), cast(sub(const(of.bits - 1, above.type), above), of)),
    )
    full = compare("ge", above, const(of.bits - 1, above.type))
    mask = k.b.local("mask", select(full, const((1 << of.bits) - 1, of), kept))

    def close(x: ir.Expr) -> None:
        x = k.b.simple("x", x)
        k.guarded("call", call.span, lambda: compare("ge", x, const(0, x.type)))
        wide_step = wider(x.type, ir.I64)
        shift = k.b.local("shift", cast(x, wide_step))
        inside = both(compare("gt", shift, const(0, wide_step)), compare("le", shift, const(universe.size, wide_step)))
        with k.b.loop_while(inside):
            moved = shl(word, cast(shift, of))
            k.b.assign(word, binary("or", word, binary("and", moved, mask, of), of))
            k.b.assign(shift, add(shift, shift))

    if isinstance(step.type, SetType):
        k.sets.each(step, close)
    else:
        close(k.value(step))
    return word


LOWERED: dict[str, Lowered] = {
    "abs": Lowered(value=_abs),
    "min": Lowered(value=_extreme),
    "max": Lowered(value=_extreme),
    "gcd": Lowered(value=_gcd),
    "popcount": Lowered(value=_popcount),
    "bit": Lowered(value=_bit),
    "size": Lowered(value=_size),
    "sum": Lowered(value=_folded),
    "count": Lowered(value=_folded),
    "any": Lowered(value=_folded),
    "all": Lowered(value=_folded),
    "digits": Lowered(each=_each_digit, word=_digit_word),
    "powers": Lowered(each=_each_power),
    "squares": Lowered(each=_each_square, contains=_is_square),
    "primes": Lowered(each=_each_prime, contains=_is_prime),
    "divisors": Lowered(each=_each_divisor, contains=_is_divisor),
    "closure": Lowered(word=_closure_word),
}
