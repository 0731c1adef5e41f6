"""Spec expressions as kernel expressions.

`Lowering` holds what the names of a spec stand for at one place of a kernel. Numbers become signed scalars,
conditions i1, names their positions (i32), sets words where their universe is small (see `kernel.collect`).
Whatever may fail and is not proved safe is checked, in evaluation order, by statements in front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, assert_never

from gamespec.game import model
from gamespec.game.model import Game
from gamespec.game.total import Proofs
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
from gamespec.kernel.shape import WIDEST, Shape, offset_type
from gamespec.source import Span
from gamespec.types import BoolType, IntType, ListType, NamesType, SetType, element_bounds

if TYPE_CHECKING:
    from gamespec.kernel.collect import Collections


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
    ) -> None:
        """`place` tells positions apart: values are remembered for the one where they were computed."""
        from gamespec.kernel.collect import Collections

        self.b = builder
        self.game = game
        self.proofs = proofs
        self.shapes = shapes
        self.names = dict(names)
        self.stuck = stuck
        self.place = place
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
                return self._lazily(operands, stop=False)
            case model.Or(operands):
                return self._lazily(operands, stop=True)
            case model.If(condition, then, other):
                return self._choice(self._type(expr), condition, then, other)
            case model.Fold():
                return self.sets.fold(expr)
            case model.Call(name):
                return self._call(expr, name)
            case model.Index(base, indices, dims):
                return self._index(expr, base, indices, dims)
            case model.Range() | model.SetOf() | model.SetComp():
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

    def _lazily(self, operands: tuple[model.Expr, ...], stop: bool) -> ir.Expr:
        """A conjunction (`stop` false) or disjunction: what stands to the right is evaluated only if needed."""
        result = self.value(operands[0])
        for position, operand in enumerate(operands[1:], 1):
            if self._is_plain(operand):
                right = self.value(operand)
                result = either(result, right) if stop else both(result, right)
                continue
            var = self.b.local("holds", result)
            with self.b.when(negate(var) if stop else var):
                rest = operands[position:]
                self.b.assign(var, self._lazily(rest, stop) if len(rest) > 1 else self.value(operand))
            return var
        return result

    def _is_plain(self, expr: model.Expr) -> bool:
        """Whether lowering the expression emits no statement, so that it may be evaluated at any time."""
        match expr:
            case model.Const(value):
                return isinstance(value, int)
            case model.StateRef() | model.GivenRef() | model.LocalRef():
                return True
            case model.Neg(operand) | model.Not(operand):
                return self._is_plain(operand)
            case model.Binary(op, left, right):
                simple = op in ("+", "-", "*") and isinstance(expr.type, IntType)
                divides = op in ("/", "%") and self.proofs.reason("divide", expr.span) is not None
                return (simple or divides) and self._is_plain(left) and self._is_plain(right)
            case model.Compare(_, left, right):
                scalar = not isinstance(left.type, SetType | ListType)
                return scalar and self._is_plain(left) and self._is_plain(right)
            case model.And(operands) | model.Or(operands):
                return all(map(self._is_plain, operands))
            case model.Index(_, indices, ((first, _),)):
                proved = self.proofs.reason("index", expr.span) is not None
                return proved and self._is_plain(first) and all(map(self._is_plain, indices))
            case model.Member(model.StateRef() | model.LocalRef() | model.Const(), model.StateRef(type=SetType())):
                return True
            case _:
                return False

    def _choice(self, of: ir.Type, condition: model.Expr, then: model.Expr, other: model.Expr) -> ir.Expr:
        test = self.value(condition)
        if self._is_plain(then) and self._is_plain(other):
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

    def _index(
        self,
        expr: model.Index,
        base: model.Expr,
        indices: tuple[model.Expr, ...],
        dims: tuple[tuple[model.Expr, model.Expr], ...],
    ) -> ir.Expr:
        index = self.value(indices[0])
        first, last = dims[0]
        if self.proofs.reason("index", expr.span) is None:
            index = self.b.simple("index", index)
            inside = both(compare("ge", index, self.value(first)), compare("le", index, self.value(last)))
            self.b.fault_unless(inside, "index", expr.span)
        match base:
            case model.StateRef(name):
                return self.cell(self.shapes[name], self.names[name], index)
            case model.GivenRef(name):
                offset = sub(cast(index, ir.I64), cast(self.value(first), ir.I64))
                of = self._type(expr)
                reason = "the index is inside the array"
                if of == ir.I1:
                    return compare("ne", ir.Load(f"given.{name}", offset, ir.U32, reason), const(0, ir.U32))
                return ir.Load(f"given.{name}", offset, of, reason)
            case _:
                raise CannotLower("only fields can be indexed in a rule", expr.span)

    # --- arrays as words -----------------------------------------------------------------------------------

    @contextmanager
    def each_index(self, name: str) -> Iterator[ir.Var]:
        """A loop over the indices that a state array has in this case (its word may have room for more)."""
        first, last = (self.value(end) for end in self.game.state(name).dims[0])
        of = wider(first.type, last.type)
        with self.b.loop("i", cast(first, of), cast(last, of)) as index:
            yield index

    def cell(self, shape: Shape, word: ir.Expr, index: ir.Expr) -> ir.Expr:
        """The value of a cell; `index` is the spec's index."""
        offset = self.cell_offset(shape, word.type, index)
        raw = binary("and", shr(word, offset), const((1 << shape.cell_bits) - 1, word.type), word.type)
        if shape.is_bool:
            return compare("ne", raw, const(0, raw.type))
        of = offset_type(shape.bounds)
        return add(cast(raw, of), const(shape.lo, of), of)

    def cell_offset(self, shape: Shape, of: ir.Type, index: ir.Expr) -> ir.Expr:
        """The lowest bit of a cell in its word."""
        wide = signed_type(Interval(-WIDEST, WIDEST).hull(Interval(shape.first, shape.first + shape.cells)))
        wide = wider(wide, index.type)
        relative = sub(cast(index, wide), const(shape.first, wide), wide)
        return cast(binary("mul", relative, const(shape.cell_bits, wide), wide), of)

    def with_cell(self, shape: Shape, word: ir.Expr, index: ir.Expr, value: ir.Expr) -> ir.Expr:
        """The word with one cell replaced by a value inside the cell's bounds."""
        offset = self.b.simple("offset", self.cell_offset(shape, word.type, index))
        hole = shl(const((1 << shape.cell_bits) - 1, word.type), offset)
        if value.type == ir.I1:
            raw = cast(value, word.type)
        else:
            of = wider(value.type, offset_type(shape.bounds))
            raw = cast(sub(cast(value, of), shape.lo), word.type)
        return binary("or", binary("andnot", word, hole, word.type), shl(raw, offset), word.type)
