"""Spec expressions as kernel expressions.

`Lowering` holds what the names of a spec stand for at one place of a kernel. Numbers become signed scalars,
conditions i1, names their positions (i32), sets words where their universe is small (see `kernel.collect`).
Whatever may fail and is not proved safe is checked, in evaluation order, by statements in front.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from gamespec.game import model
from gamespec.game.model import Game
from gamespec.game.total import Proofs
from gamespec.game.walk import within
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    Builder,
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
from gamespec.kernel.fold import fold
from gamespec.kernel.pattern import Part, constant_place, joined, parts_of, sum_of
from gamespec.kernel.shape import INSIDE, Shape, offset_type
from gamespec.source import Span
from gamespec.types import BoolType, IntType, ListType, NamesType, SetType, element_bounds, is_scalar

if TYPE_CHECKING:
    from gamespec.kernel.collect import Collections


Dims = tuple[tuple[model.Expr, model.Expr], ...]


SHORT = 8  # parts of a `let` that may be evaluated where it is not needed
CHAIN = 8  # conditions that are written one behind the other; more are joined two by two


class CannotLower(Exception):
    """A part of a rule that no kernel can hold; says why and where."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


class Lowering:
    """Turns typed expressions into kernel expressions at the place where the builder stands."""

    def __init__(
        self,
        builder: Builder,
        game: Game,
        proofs: Proofs,
        shapes: Mapping[str, Shape],
        names: Mapping[str, ir.Expr],
        stuck: Callable[[], ir.Expr],
        place: object,
        left_out: frozenset[str] = frozenset(),
    ) -> None:
        """`place` tells positions apart: values are remembered for the one where they were computed.

        `left_out` names passes (see `analysis.passes`).
        """
        from gamespec.kernel.collect import Collections

        self.b = builder
        self.game = game
        self.proofs = proofs
        self.shapes = shapes
        self.names = dict(names)
        self.stuck = stuck
        self.place = place
        self.left_out = left_out
        self.sets: Collections = Collections(self)

    @contextmanager
    def bound(self, name: str, value: ir.Expr) -> Iterator[None]:
        """Lets a name bound by `choose` or `for` stand for a value."""
        with self.seeing({**self.names, name: self.b.simple(name, value)}):
            yield

    @contextmanager
    def seeing(self, names: dict[str, ir.Expr]) -> Iterator[None]:
        """Lets exactly these names be known. Lets and what they are used in may bind the same name."""
        before, self.names = self.names, names
        try:
            yield
        finally:
            self.names = before

    # --- scalars -------------------------------------------------------------------------------------------

    def value(self, expr: model.Expr) -> ir.Expr:
        """The scalar value of a number, a condition or a name."""
        match expr:
            case model.Const(value):
                return self._constant(expr, value)
            case model.StateRef(name) | model.LocalRef(name) | model.GivenRef(name):
                return self.names[name]
            case model.LetRef(name):
                key = ("let", name, self.place)
                return self.b.recall(key) or self.b.remember(key, self.b.simple(name, self.value(self.game.lets[name])))
            case model.Stuck():
                key = ("stuck", "", self.place)
                return self.b.recall(key) or self.b.remember(key, self.stuck())
            case model.Neg(operand):
                of = self._type(expr)
                return binary("sub", const(0, of), self.value(operand), of)
            case model.Not(operand):
                return negate(self.value(operand))
            case model.Binary():
                return self._binary(expr)
            case model.Compare():
                return self._compare(expr)
            case model.Member(item, within):
                return self.sets.contains(within, self.b.simple("item", self.value(item)))
            case model.And(operands):
                return self._lazily(parts_of(self, operands, stop=False), stop=False)
            case model.Or(operands):
                return self._lazily(parts_of(self, operands, stop=True), stop=True)
            case model.If(condition, then, other):
                return self._choice(self._type(expr), condition, then, other)
            case model.Fold():
                return fold(self, expr)
            case model.Call(name):
                return self._call(expr, name)
            case model.Index(type=SetType()):
                return self.sets.word(expr)
            case model.Index():
                return self._index(expr)
            case model.Range() | model.SetOf() | model.SetComp() | model.Reach():
                return self.sets.word(expr)
            case model.InputRef(name) | model.AnswerRef(name):
                raise CannotLower(f"`{name}` is known to the input and output only", expr.span)
            case model.After():
                raise CannotLower("`after` is known to the output only", expr.span)
            case _:
                assert_never(expr)

    def condition(self, expr: model.Expr) -> ir.Expr:
        return self.value(expr)

    def _type(self, expr: model.Expr) -> ir.Type:
        match expr.type:
            case IntType(bounds):
                return signed_type(bounds)
            case BoolType():
                return ir.I1
            case NamesType():
                return ir.I32
            case SetType(of):
                return word_type(element_bounds(of).size)
            case _:
                raise CannotLower("a value of this type cannot be held in a kernel", expr.span)

    def _constant(self, expr: model.Const, value: model.Value) -> ir.Expr:
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if isinstance(value, int):
            return const(value, signed_type(Interval(value, value)))
        return self.sets.word(expr)

    def guarded(self, kind: str, span: Span, safe: Callable[[], ir.Expr]) -> None:
        """Emits a check unless the obligation of this kind at this place is proved."""
        if self.proofs.reason(kind, span) is None:
            self.b.fault_unless(safe(), kind, span)

    def _lazily(self, parts: list[Part], stop: bool) -> ir.Expr:
        """A conjunction (`stop` false) or disjunction: what stands to the right is evaluated only if needed."""
        plain = [parts[0].lower()]
        plain += (part.lower() for part in itertools.takewhile(lambda part: part.plain, parts[1:]))
        join = either if stop else both
        result = functools.reduce(join, plain) if len(plain) <= CHAIN else joined(plain, join)
        rest = parts[len(plain) :]
        if not rest:
            return result
        var = self.b.local("holds", result)
        with self.b.when(negate(var) if stop else var):
            self.b.assign(var, self._lazily(rest, stop))
        return var

    def under(self, conditions: Sequence[model.Expr], inner: Callable[[], None]) -> None:
        """Writes what happens where all conditions hold, each tested only where those before it do."""
        self._when_all(parts_of(self, conditions, stop=False), inner)

    def _when_all(self, parts: list[Part], inner: Callable[[], None]) -> None:
        if not parts:
            inner()
            return
        with self.b.when(parts[0].lower()):
            self._when_all(parts[1:], inner)

    def is_plain(self, expr: model.Expr) -> bool:
        """Whether nothing in the expression can fail, and little is lost where its value is not needed."""
        match expr:
            case model.Const(value):
                return isinstance(value, int)
            case model.StateRef() | model.GivenRef() | model.LocalRef():
                return True
            case model.LetRef(name):
                parts = list(itertools.islice(within(self.game.lets[name]), SHORT + 1))
                short = len(parts) <= SHORT and not any(isinstance(part, model.LetRef) for part in parts)
                return short and is_scalar(expr.type) and self.is_plain(self.game.lets[name])
            case model.Neg(operand) | model.Not(operand):
                return self.is_plain(operand)
            case model.Binary(op, left, right):
                simple = op in ("+", "-", "*") and isinstance(expr.type, IntType)
                divides = op in ("/", "%") and self.proofs.reason("divide", expr.span) is not None
                return (simple or divides) and self.is_plain(left) and self.is_plain(right)
            case model.Compare(_, left, right):
                scalar = not isinstance(left.type, SetType | ListType)
                return scalar and self.is_plain(left) and self.is_plain(right)
            case model.And(operands) | model.Or(operands):
                return all(map(self.is_plain, operands))
            case model.If(condition, then, other):
                return all(map(self.is_plain, (condition, then, other)))
            case model.Index(_, indices, dims) if is_scalar(expr.type):
                proved = self.proofs.reason("index", expr.span) is not None or constant_place(expr) is not None
                return proved and all(map(self.is_plain, (*indices, *itertools.chain(*dims))))
            case model.Member(model.StateRef() | model.LocalRef() | model.Const(), model.StateRef(type=SetType())):
                return True
            case _:
                return False

    def _choice(self, of: ir.Type, condition: model.Expr, then: model.Expr, other: model.Expr) -> ir.Expr:
        test = self.value(condition)
        if self.is_plain(then) and self.is_plain(other):
            return select(test, cast(self.value(then), of), cast(self.value(other), of))
        var = self.b.local("chosen", const(0, of))
        with self.b.when(test):
            self.b.assign(var, self.value(then))
        with self.b.otherwise():
            self.b.assign(var, self.value(other))
        return var

    def _binary(self, expr: model.Binary) -> ir.Expr:
        if isinstance(expr.type, SetType):
            return self.sets.word(expr)
        counted = sum_of(self, expr) if expr.op == "+" else None
        if counted is not None:
            return counted
        left, right = self.value(expr.left), self.value(expr.right)
        of = wider(wider(left.type, right.type), self._type(expr))
        match expr.op:
            case "+" | "-" | "*":
                return binary({"+": "add", "-": "sub", "*": "mul"}[expr.op], left, right, of)
            case "/" | "%":
                if self.proofs.reason("divide", expr.span) is None:
                    right = self.b.simple("divisor", right)
                    self.b.fault_unless(compare("ne", right, const(0, right.type)), "divide", expr.span)
                return binary("div" if expr.op == "/" else "mod", left, right, of)
            case "xor":
                return binary("xor", left, right, of)
            case "**":
                return self._power(expr, left, right, of)
            case op:
                raise CannotLower(f"`{op}` is not an operation on numbers", expr.span)

    def _power(self, expr: model.Binary, base: ir.Expr, exponent: ir.Expr, of: ir.Type) -> ir.Expr:
        if isinstance(expr.right, model.Const) and isinstance(expr.right.value, int) and 0 <= expr.right.value <= 16:
            base = self.b.simple("base", cast(base, of))
            product: ir.Expr = const(1, of)
            for _ in range(expr.right.value):
                product = base if product == const(1, of) else binary("mul", product, base, of)
            return product
        exponent = self.b.simple("exponent", exponent)
        self.guarded("power", expr.span, lambda: compare("ge", exponent, const(0, exponent.type)))
        base = self.b.simple("base", cast(base, of))
        result = self.b.local("power", const(1, of))
        with self.b.loop("i", const(1, exponent.type), exponent):
            self.b.assign(result, binary("mul", result, base, of))
        return result

    def _compare(self, expr: model.Compare) -> ir.Expr:
        if isinstance(expr.left.type, SetType | ListType):
            return self.sets.compare(expr)
        op = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[expr.op]
        return compare(op, self.value(expr.left), self.value(expr.right))

    def _call(self, expr: model.Call, name: str) -> ir.Expr:
        if isinstance(expr.type, SetType | ListType):
            return self.sets.word(expr)
        lower = LOWERED[name].value
        if lower is None:
            raise CannotLower(f"`{name}` has no kernel form here", expr.span)
        return lower(self, expr)

    def _index(self, expr: model.Index) -> ir.Expr:
        proved = self.proofs.reason("index", expr.span) is not None
        place = self.place_of(expr.indices, expr.dims, ("index", expr.span), proved)
        match expr.base:
            case model.StateRef(name):
                return self.cell(self.shapes[name], self.names[name], place)
            case model.GivenRef(name):
                of, place = self._type(expr), cast(place, ir.I64)
                if of == ir.I1:
                    return compare("ne", ir.Load(f"given.{name}", place, ir.U32, INSIDE), const(0, ir.U32))
                return ir.Load(f"given.{name}", place, of, INSIDE)
            case _:
                raise CannotLower("only fields can be indexed in a rule", expr.span)

    # --- arrays ----------------------------------------------------------------------------------------------

    def place_of(self, indices: Sequence[model.Expr], dims: Dims, kind: tuple[str, Span], proved: bool) -> ir.Expr:
        """The number of a cell, from 0, last index fastest; unless proved, it is tested that it is inside."""
        values = [self.value(index) for index in indices]
        ends = [(self.value(first), self.value(last)) for first, last in dims]
        known = self.b.recall(("place", *values, *ends))
        if known is not None:
            return known
        if not proved:
            values = [self.b.simple("index", value) for value in values]
            inside: ir.Expr = TRUE
            for value, (first, last) in zip(values, ends, strict=True):
                inside = both(inside, both(compare("ge", value, first), compare("le", value, last)))
            self.b.fault_unless(inside, *kind)
        of = ir.I32
        for number in (*values, *itertools.chain(*ends)):
            of = wider(of, number.type)
        place: ir.Expr = const(0, of)
        for position, (value, (first, last)) in enumerate(zip(values, ends, strict=True)):
            if position:
                place = binary("mul", place, add(sub(cast(last, of), cast(first, of)), 1), of)
            place = add(place, sub(cast(value, of), cast(first, of)))
        return place

    def know_place(self, cell: model.Index, place: ir.Expr) -> None:
        """Remembers the number of the cell with these indices, which is inside the array."""
        values = [self.value(index) for index in cell.indices]
        ends = [(self.value(first), self.value(last)) for first, last in cell.dims]
        self.b.remember(("place", *values, *ends), place)

    def count(self, field: model.Field) -> ir.Expr:
        """The number of cells that an array has in this case (i32)."""
        count: ir.Expr = const(1, ir.I32)
        for first, last in field.dims:
            lo, hi = self.value(first), self.value(last)
            of = wider(wider(lo.type, hi.type), ir.I32)
            size = add(sub(cast(hi, of), cast(lo, of)), 1)
            some = size if isinstance(size, ir.Const) else binary("max", size, const(0, of), of)
            count = binary("mul", count, cast(some, ir.I32), ir.I32)
        return count

    @contextmanager
    def each_place(self, field: model.Field) -> Iterator[ir.Var]:
        """A loop over the cells that a state array has in this case (its word may have room for more)."""
        with self.b.loop("i", const(0, ir.I32), sub(self.count(field), 1)) as place:
            yield place

    def cell(self, shape: Shape, word: ir.Expr, place: ir.Expr) -> ir.Expr:
        """The value of a cell of a state array; `place` counts from 0."""
        raw = binary("and", shr(word, self._bit(shape, word, place)), const(shape.cell_mask, word.type), word.type)
        if shape.is_bool:
            return compare("ne", raw, const(0, raw.type))
        of = offset_type(shape.bounds)
        return add(cast(raw, of), const(shape.lo, of), of)

    def with_cell(self, shape: Shape, word: ir.Expr, place: ir.Expr, value: ir.Expr) -> ir.Expr:
        """The word with one cell replaced by a value inside the cell's bounds."""
        bit = self.b.simple("offset", self._bit(shape, word, place))
        hole = shl(const(shape.cell_mask, word.type), bit)
        if value.type == ir.I1:
            raw = cast(value, word.type)
        else:
            of = wider(value.type, offset_type(shape.bounds))
            raw = cast(sub(cast(value, of), shape.lo), word.type)
        return binary("or", binary("andnot", word, hole, word.type), shl(raw, bit), word.type)

    def _bit(self, shape: Shape, word: ir.Expr, place: ir.Expr) -> ir.Expr:
        """The lowest bit of a cell, as a number of the word's type."""
        return cast(binary("mul", place, const(shape.cell_bits, place.type), place.type), word.type)
