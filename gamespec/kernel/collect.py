"""Sets and lists in kernels.

A set is never built where walking it suffices: `each` writes a loop over its elements, `contains` a test, and
`word` a bit word, for sets whose universe (the bounds of the element type) is small. Sets over a small universe are
walked through their word, others element by element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gamespec.game import model
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.bisect import among
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    add,
    binary,
    both,
    cast,
    compare,
    const,
    either,
    negate,
    select,
    shl,
    shr,
    signed_type,
    sub,
    wider,
    word_type,
)
from gamespec.kernel.call import LOWERED
from gamespec.kernel.shape import INSIDE, SMALL, WIDEST
from gamespec.kernel.sweep import chosen, walk
from gamespec.types import ArrayType, BoolType, IntType, ListType, SetType, Type, element_bounds

if TYPE_CHECKING:
    from gamespec.kernel.express import Lowering

Body = Callable[[ir.Expr], None]

TWICE = 2  # a literal with so few items repeats the code of its loop's body


class Collections:
    """The part of a lowering that deals with several values at once."""

    def __init__(self, lowering: Lowering) -> None:
        self.k = lowering
        self._copies = 1
        self._small: dict[str, bool] = {}  # of the sets that a `let` names

    # --- universes -----------------------------------------------------------------------------------------

    def universe(self, expr: model.Expr) -> Interval:
        """The bounds of the elements."""
        of = expr.type
        if isinstance(of, SetType | ListType | ArrayType):
            return element_bounds(of.of)
        raise self._cannot("this is not a set", expr)

    def is_small(self, expr: model.Expr) -> bool:
        """Whether the set is best held as a word: always over a small universe, over a wide one where a state set
        is part of it."""
        size = self.universe(expr).size
        if size > WIDEST:
            return False
        match expr:
            case model.StateRef():
                return size <= SMALL or isinstance(expr.type, SetType)
            case model.Const() | model.SetOf() | model.SetComp() | model.Index():
                return size <= SMALL
            case model.GivenRef(name):
                return name in self.k.shapes
            case model.Reach():
                return True
            case model.LetRef(name):
                if name not in self._small:
                    self._small[name] = self.is_small(self.k.game.lets[name])
                return self._small[name]
            case model.Binary(_, left, right):
                return self.is_small(left) or self.is_small(right)
            case model.If(_, then, other):
                return self.is_small(then) or self.is_small(other)
            case model.Call(name):
                lowered = LOWERED[name]
                return lowered.word is not None and (size <= SMALL or lowered.each is None)
            case _:
                return False

    # --- words ---------------------------------------------------------------------------------------------

    def word(self, expr: model.Expr) -> ir.Expr:
        """The set as a word with bit `x - lo` for every element, `lo` the lower bound of its universe."""
        return self.word_in(expr, self.universe(expr))

    def word_in(self, expr: model.Expr, universe: Interval) -> ir.Expr:
        """The elements inside `universe` as a word over it; bits above the universe mean nothing."""
        if universe.size > WIDEST:
            raise self._cannot(f"a set with {universe.size} possible elements does not fit a word", expr)
        own = self.universe(expr)
        if isinstance(expr, model.Range) and own.size > universe.size and not universe.empty:
            lo, hi = self.k.value(expr.lo), self.k.value(expr.hi)
            first, last = number(universe.lo), number(universe.hi)
            lo = binary("max", lo, first, wider(lo.type, first.type))
            return self.span_word(lo, binary("min", hi, last, wider(hi.type, last.type)), universe)
        if own.size > SMALL and not self.is_small(expr):
            return self._gathered(expr, universe)
        return self._moved(self._own_word(expr, own), own, universe)

    def _moved(self, word: ir.Expr, own: Interval, universe: Interval) -> ir.Expr:
        """A word over one universe as a word over another; what does not fit is dropped."""
        if own.empty or universe.empty:
            return const(0, word_type(universe.size))
        of = word_type(universe.size)
        wide = wider(word.type, of)
        shift = own.lo - universe.lo
        moved = cast(word, wide)
        if abs(shift) >= wide.bits:
            return const(0, of)
        moved = shl(moved, shift) if shift >= 0 else shr(moved, -shift)
        return cast(moved, of)

    def _own_word(self, expr: model.Expr, own: Interval) -> ir.Expr:
        k, of = self.k, word_type(own.size)
        match expr:
            case model.Const(value) if isinstance(value, frozenset | tuple):
                return const(sum(1 << (x - own.lo) for x in set(value)), of)
            case model.StateRef(name) | model.GivenRef(name) if name in k.shapes:
                shape = k.shapes[name]
                if shape.kind == "set":
                    return self._moved(k.names[name], shape.bounds, own)
                return self._gathered(expr, own)
            case model.LetRef(name):
                key = ("word", name, k.place)
                known = k.b.recall(key)
                return known or k.b.remember(key, k.b.simple(name, self._own_word(k.game.lets[name], own)))
            case model.Index(base=model.GivenRef(name), type=SetType()):
                row = element_bounds(k.game.given(name).type.of.of)  # type: ignore[union-attr]
                word = ir.Load(f"given.{name}", self._row(expr), word_type(row.size), INSIDE)
                return self._moved(word, row, own)
            case model.Range(lo, hi):
                return self.span_word(k.value(lo), k.value(hi), own)
            case model.Reach():
                return self._reached(expr, own)
            case model.Binary(op, left, right):
                first, second = self.word_in(left, own), self.word_in(right, own)
                name = {"|": "or", "&": "and", "-": "andnot", "xor": "xor"}[op]
                return binary(name, first, second, of)
            case model.If(condition, then, other):
                var = k.b.local("set", const(0, of))
                with k.b.when(k.value(condition)):
                    k.b.assign(var, self.word_in(then, own))
                with k.b.otherwise():
                    k.b.assign(var, self.word_in(other, own))
                return var
            case model.Call(name):
                own_word = LOWERED[name].word
                if own_word is not None:
                    found = own_word(k, expr, own)
                    if found is not None:
                        return cast(found, of)
                return self._gathered(expr, own)
            case _:
                return self._gathered(expr, own)

    def _reached(self, expr: model.Reach, own: Interval) -> ir.Expr:
        """The word of all that is reached, found layer by layer."""
        k, of = self.k, word_type(own.size)
        inside = k.b.simple("within", self.word_in(expr.within, own))
        found = k.b.local("reached", binary("and", self.word_in(expr.start, own), inside, of))
        fresh = k.b.local("fresh", found)
        with k.b.loop_while(compare("ne", fresh, const(0, of))):
            layer = k.b.local("layer", fresh)
            k.b.assign(fresh, const(0, of))

            def step(element: ir.Expr) -> None:
                with k.bound(expr.name, element):
                    word = binary("and", self.word_in(expr.step, own), inside, of)
                    new = k.b.simple("new", binary("andnot", word, found, of))
                    k.b.assign(found, binary("or", found, new, of))
                    k.b.assign(fresh, binary("or", fresh, new, of))

            self.each_bit(layer, own, step)
        return found

    def span_word(self, lo: ir.Expr, hi: ir.Expr, universe: Interval) -> ir.Expr:
        """The word of lo..hi, whose elements lie in the universe."""
        k, of = self.k, word_type(universe.size)
        if isinstance(lo, ir.Const) and isinstance(hi, ir.Const):
            count = max(0, hi.value - lo.value + 1)
            return const(((1 << count) - 1) << (lo.value - universe.lo) if count else 0, of)
        lo, hi = k.b.simple("lo", lo), k.b.simple("hi", hi)
        wide = wider(signed_type(universe.hull(Interval(-WIDEST, WIDEST))), wider(lo.type, hi.type))
        unused = cast(add(sub(cast(lo, wide), cast(hi, wide)), of.bits - 1), of)
        ones = shr(const((1 << of.bits) - 1, of), unused)
        placed = shl(ones, cast(sub(cast(lo, wide), universe.lo), of))
        return select(compare("le", lo, hi), placed, const(0, of))

    def _gathered(self, expr: model.Expr, universe: Interval) -> ir.Expr:
        """The word found by walking the elements."""
        k, of = self.k, word_type(universe.size)
        word = k.b.local("set", const(0, of))
        inside = universe.covers(self.universe(expr))

        def take(element: ir.Expr) -> None:
            wide = wider(element.type, signed_type(universe.hull(Interval(-WIDEST, WIDEST))))
            offset = sub(cast(element, wide), universe.lo)
            bit = shl(const(1, of), cast(offset, of))
            if inside:
                k.b.assign(word, binary("or", word, bit, of))
            else:
                element = k.b.simple("element", element)
                fits = both(compare("ge", element, number(universe.lo)), compare("le", element, number(universe.hi)))
                with k.b.when(fits):
                    k.b.assign(word, binary("or", word, bit, of))

        self.each(expr, take, through_word=False)
        return word

    # --- membership and comparison ---------------------------------------------------------------------------

    def contains(self, expr: model.Expr, item: ir.Expr) -> ir.Expr:
        """Whether `item` (a constant or a variable) is an element."""
        k = self.k
        k.b.spend()
        match expr:
            case model.Range(lo, hi):
                return both(compare("ge", item, k.value(lo)), compare("le", item, k.value(hi)))
            case model.SetOf(items):
                found: ir.Expr = FALSE
                for other in items:
                    found = either(found, compare("eq", item, k.value(other)))
                return found
        if self.is_small(expr):
            universe = self.universe(expr)
            word = self.word(expr)
            wide = wider(item.type, signed_type(universe.hull(Interval(-WIDEST, WIDEST))))
            offset = sub(cast(item, wide), universe.lo)
            bit = binary("and", shr(word, cast(offset, word.type)), const(1, word.type), word.type)
            inside = both(compare("ge", item, number(universe.lo)), compare("le", item, number(universe.hi)))
            return both(inside, compare("ne", bit, const(0, word.type)))
        match expr:
            case model.LetRef(name):
                return self.contains(k.game.lets[name], item)
            case model.Binary(op, left, right):
                first, second = self.contains(left, item), self.contains(right, item)
                match op:
                    case "|":
                        return either(first, second)
                    case "&":
                        return both(first, second)
                    case "-":
                        return both(first, negate(second))
                    case _:
                        return compare("ne", first, second)
            case model.Call(name) if LOWERED[name].contains is not None:
                test = LOWERED[name].contains
                assert test is not None
                return test(k, expr, item)
            case model.GivenRef(name) if isinstance(expr.type, SetType):
                whole = const(0), k.names[f"{name}.count"]
                return among(k.b, f"given.{name}", signed_type(self.universe(expr)), whole, item)
            case model.Index(base=model.GivenRef(name)):
                return among(k.b, f"given.{name}", signed_type(self.universe(expr)), self._part(expr, name), item)
        var = k.b.local("found", FALSE)
        with k.b.labelled("search") as label:

            def look(element: ir.Expr) -> None:
                with k.b.when(compare("eq", element, item)):
                    k.b.assign(var, TRUE)
                    k.b.breaks(label)

            self.each(expr, look)
        return var

    def compare(self, expr: model.Compare) -> ir.Expr:
        """Equality and inclusion of sets."""
        universe = self.universe(expr.left).hull(self.universe(expr.right))
        if universe.empty:
            return TRUE if expr.op in ("==", "<=", ">=") else FALSE
        wide = universe.size <= WIDEST and (self.is_small(expr.left) or self.is_small(expr.right))
        if universe.size > SMALL and not wide:
            return self._compare_large(expr)
        of = word_type(universe.size)
        left = self.k.b.simple("left", self.word_in(expr.left, universe))
        right = self.k.b.simple("right", self.word_in(expr.right, universe))
        zero = const(0, of)
        no_more = compare("eq", binary("andnot", left, right, of), zero)
        no_less = compare("eq", binary("andnot", right, left, of), zero)
        match expr.op:
            case "==":
                return compare("eq", left, right)
            case "!=":
                return compare("ne", left, right)
            case "<=":
                return no_more
            case ">=":
                return no_less
            case "<":
                return both(no_more, compare("ne", left, right))
            case _:
                return both(no_less, compare("ne", left, right))

    def _compare_large(self, expr: model.Compare) -> ir.Expr:
        no_more, no_less = self._within(expr.left, expr.right), self._within(expr.right, expr.left)
        match expr.op:
            case "==":
                return both(no_more, no_less)
            case "!=":
                return negate(both(no_more, no_less))
            case "<=":
                return no_more
            case ">=":
                return no_less
            case "<":
                return both(no_more, negate(no_less))
            case _:
                return both(no_less, negate(no_more))

    def _within(self, left: model.Expr, right: model.Expr) -> ir.Expr:
        k = self.k
        var = k.b.local("within", TRUE)
        with k.b.labelled("search") as label:

            def look(element: ir.Expr) -> None:
                with k.b.when(negate(self.contains(right, k.b.simple("element", element)))):
                    k.b.assign(var, FALSE)
                    k.b.breaks(label)

            self.each(left, look)
        return var

    # --- walking -------------------------------------------------------------------------------------------

    def each(self, expr: model.Expr, body: Body, through_word: bool = True) -> None:
        """Writes a loop over the elements: of a set in any order, perhaps with repetitions (see `is_distinct`)."""
        k = self.k
        k.b.spend()
        if through_word and not isinstance(expr.type, ListType | ArrayType) and self.is_small(expr):
            if self._is_short_literal(expr):
                self._each_item(expr.items, body)  # type: ignore[union-attr]
            else:
                self.each_bit(self.word(expr), self.universe(expr), body)
            return
        match expr:
            case model.Const(value) if isinstance(value, frozenset | tuple):
                items = sorted(value) if isinstance(value, frozenset) else value
                self._each_item(tuple(model.Const(x, type=_number_type(x), span=expr.span) for x in items), body)
            case model.LetRef(name):
                self.each(k.game.lets[name], body, through_word)
            case model.Range(lo, hi):
                first, last = k.value(lo), k.value(hi)
                of = wider(first.type, last.type)
                with k.b.loop("x", cast(first, of), cast(last, of), expr.span, _most(lo, hi)) as var:
                    body(var)
            case model.SetOf(items):
                self._each_item(items, body)
            case model.SetComp(item, tail):
                outer = k.names

                def shown() -> None:
                    element = k.value(item)
                    with k.seeing(outer):
                        body(element)

                self.tail(tail, shown)
            case model.If(condition, then, other):
                with k.b.when(k.value(condition)):
                    self.each(then, body, through_word)
                with k.b.otherwise():
                    self.each(other, body, through_word)
            case model.Binary(op, left, right):
                self._each_combined(op, left, right, body)
            case model.Call(name) if LOWERED[name].each is not None:
                walk = LOWERED[name].each
                assert walk is not None
                walk(k, expr, body)
            case model.Call(name) if LOWERED[name].word is not None and self.universe(expr).size <= WIDEST:
                self.each_bit(self.word(expr), self.universe(expr), body)
            case model.StateRef(name) | model.GivenRef(name):
                self._each_of_field(expr, name, body)
            case model.Index(base=model.GivenRef(name)):
                self._each_of_row(expr, name, body)
            case _:
                raise self._cannot("this set cannot be walked in a kernel", expr)

    def _is_short_literal(self, expr: model.Expr) -> bool:
        return isinstance(expr, model.SetOf) and len(expr.items) <= TWICE and self._copies * len(expr.items) <= 4

    def _each_item(self, items: tuple[model.Expr, ...], body: Body) -> None:
        """A literal: its body once an item if they are few, else a loop that picks the item by number."""
        k = self.k
        if len(items) <= 1 or (len(items) <= TWICE and self._copies * len(items) <= 4):
            values = [k.b.simple("item", k.value(item)) for item in items]
            self._copies *= max(1, len(items))
            for value in values:
                with k.b.when(TRUE):
                    body(value)
            self._copies //= max(1, len(items))
            return
        values = [k.b.simple("item", k.value(item)) for item in items]
        of = values[0].type
        for value in values:
            of = wider(of, value.type)
        with k.b.loop("pick", const(0, ir.I32), const(len(values) - 1, ir.I32)) as pick:
            picked = cast(values[-1], of)
            for position in range(len(values) - 2, -1, -1):
                picked = select(compare("eq", pick, const(position, ir.I32)), cast(values[position], of), picked)
            body(k.b.local("item", picked))

    def each_bit(self, word: ir.Expr, universe: Interval, body: Body) -> None:
        """Walks the ones of a word in ascending order; those of a wide word 64 at a time."""
        k = self.k
        of = signed_type(universe.hull(Interval(0, WIDEST)))

        def walk(word: ir.Expr, lowest: ir.Expr) -> None:
            rest = k.b.local("rest", word)
            with k.b.loop_while(compare("ne", rest, const(0, word.type))):
                low = ir.Unary("low", rest, word.type)
                element = k.b.local("x", add(cast(low, of), lowest))
                k.b.assign(rest, binary("and", rest, sub(rest, 1), word.type))
                body(element)

        if word.type.bits <= SMALL:
            walk(word, const(universe.lo, of))
            return
        word = k.b.simple("word", word)
        with k.b.loop("part", const(0, of), const((universe.size - 1) // 64, of)) as part:
            shift = k.b.local("shift", binary("mul", part, const(64, of), of))
            walk(cast(shr(word, cast(shift, word.type)), ir.U64), add(shift, universe.lo))

    def _each_combined(self, op: str, left: model.Expr, right: model.Expr, body: Body) -> None:
        k = self.k

        def walk(source: model.Expr, other: model.Expr, wanted: bool) -> None:
            def filtered(element: ir.Expr) -> None:
                element = k.b.simple("x", element)
                inside = self.contains(other, element)
                with k.b.when(inside if wanted else negate(inside)):
                    body(element)

            self.each(source, filtered)

        match op:
            case "&":
                walk(left, right, True)
            case "-":
                walk(left, right, False)
            case "|":
                self.each(left, body)
                walk(right, left, False)
            case _:
                walk(left, right, False)
                walk(right, left, False)

    def _each_of_field(self, expr: model.Expr, name: str, body: Body) -> None:
        k = self.k
        shape = k.shapes.get(name)
        if shape is not None and shape.kind == "set":
            self.each_bit(self.word(expr), self.universe(expr), body)
        elif shape is not None and shape.kind == "array":
            with k.each_place(k.game.state(name)) as place:
                body(k.cell(shape, k.names[name], place))
        else:
            count = k.names[f"{name}.count"]
            is_bool = isinstance(expr.type, ArrayType) and isinstance(expr.type.of, BoolType)
            of = ir.U32 if is_bool else signed_type(self.universe(expr))
            with k.b.loop("i", const(0), sub(count, 1)) as i:
                cell = ir.Load(f"given.{name}", i, of, proof="below the number of elements")
                body(k.b.local("x", compare("ne", cell, const(0, of)) if is_bool else cell))

    def _row(self, expr: model.Index) -> ir.Expr:
        """Which row of a given array of sets is meant (i64)."""
        proved = self.k.proofs.reason("index", expr.span) is not None
        return cast(self.k.place_of(expr.indices, expr.dims, ("index", expr.span), proved), ir.I64)

    def _part(self, expr: model.Index, name: str) -> tuple[ir.Expr, ir.Expr]:
        """Where the elements of a set of a given array stand in the table of all: the first place, and that behind."""
        row = self.k.b.simple("row", self._row(expr))
        first, behind = (ir.Load(f"given.{name}.starts", at, ir.I64, INSIDE) for at in (row, add(row, 1)))
        return first, behind

    def _each_of_row(self, expr: model.Index, name: str, body: Body) -> None:
        """Walks a set of a given array: its word, or its part of the table of all elements."""
        k, universe = self.k, self.universe(expr)
        if universe.size <= SMALL:
            self.each_bit(self.word(expr), universe, body)
            return
        first, behind = self._part(expr, name)
        with k.b.loop("i", first, sub(behind, 1)) as i:
            body(k.b.local("x", ir.Load(f"given.{name}", i, signed_type(universe), "between the starts of two rows")))

    def tail(self, tail: model.Tail, body: Callable[[], None], binds: tuple[model.Bind, ...] | None = None) -> None:
        """Writes the loops of `for … if …` around a body."""
        k = self.k
        rest = tail.binds if binds is None else binds
        if binds is None and tail.condition is not None:
            both_hold = tail.condition.operands if isinstance(tail.condition, model.And) else (tail.condition,)
            swept = chosen(k, tail.binds, both_hold)
            if swept is not None:
                sweep, used = swept
                rest_holds = (*both_hold[:used], *both_hold[used + 1 :])
                walk(k, sweep, lambda: k.under(rest_holds, body))
                return
        if not rest:
            if tail.condition is None:
                body()
            else:
                k.under((tail.condition,), body)
            return

        def bound(element: ir.Expr) -> None:
            with k.bound(rest[0].name, element):
                self.tail(tail, body, rest[1:])

        self.each_distinct(rest[0].within, bound)

    def each_distinct(self, expr: model.Expr, body: Body) -> None:
        """Like `each`, every element of a set once (a list shows every entry)."""
        if isinstance(expr.type, ListType | ArrayType) or self.is_distinct(expr):
            self.each(expr, body)
        elif self.universe(expr).size <= WIDEST:
            self.each_bit(self.word(expr), self.universe(expr), body)
        else:
            raise self._cannot("this set may list an element twice and is too large to hold", expr)

    def is_distinct(self, expr: model.Expr) -> bool:
        """Whether `each` shows no element twice."""
        self.k.b.spend()
        if isinstance(expr, model.SetOf):
            return len(expr.items) <= 1
        if self.is_small(expr):
            return True
        match expr:
            case model.SetComp():
                return False
            case model.LetRef(name):
                return self.is_distinct(self.k.game.lets[name])
            case model.Binary("&" | "-", left, _):
                return self.is_distinct(left)
            case model.Binary(_, left, right):
                return self.is_distinct(left) and self.is_distinct(right)
            case model.If(_, then, other):
                return self.is_distinct(then) and self.is_distinct(other)
            case model.Call():
                return not isinstance(expr.type, ListType)
            case _:
                return True

    def _cannot(self, reason: str, expr: model.Expr) -> Exception:
        from gamespec.kernel.express import CannotLower

        return CannotLower(reason, expr.span)


def number(value: int) -> ir.Const:
    return const(value, signed_type(Interval(value, value)))


def _number_type(value: int) -> Type:
    return IntType(Interval(value, value))


def _most(lo: model.Expr, hi: model.Expr) -> int | None:
    """How many numbers a range has at most."""
    if not isinstance(lo.type, IntType) or not isinstance(hi.type, IntType):
        return None
    return max(1, hi.type.bounds.hi - lo.type.bounds.lo + 1)
