"""Operations that have a value only sometimes, met in the order of evaluation.

Every expression of the rules is walked with what is known where it is evaluated: operands of `and` and `or` know
those before them, branches of `if` the condition, the body of a `for` what the sets say of its names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from gamespec.builtins import BUILTINS
from gamespec.game.context import Context
from gamespec.game.form import Form, number
from gamespec.game.holds import all_of, different, nonempty
from gamespec.game.linear import Whys
from gamespec.game.model import (
    After,
    And,
    AnswerRef,
    Binary,
    Bind,
    Call,
    Compare,
    Const,
    Expr,
    Fold,
    GivenRef,
    If,
    Index,
    InputRef,
    LetRef,
    LocalRef,
    Member,
    Neg,
    Not,
    Or,
    Range,
    Reach,
    SetComp,
    SetOf,
    StateRef,
    Stuck,
    Tail,
)
from gamespec.game.world import World
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.types import IntType, Type, is_scalar

MAX_VISITS = 20_000
MAX_NESTING = 150

Place = tuple[str, int, int]


class Ledger:
    """Obligations by kind and place, with the reasons why each holds wherever it arises; None where it may not."""

    def __init__(self) -> None:
        self.reasons: dict[Place, Whys | None] = {}
        self.spans: dict[Place, Span] = {}
        self.visits = MAX_VISITS
        self.complete = True

    def note(self, kind: str, span: Span, found: Whys | None) -> None:
        """Keeps the weakest answer of all occurrences."""
        place = (kind, span.start, span.end)
        self.spans[place] = span
        if place in self.reasons:
            before = self.reasons[place]
            found = None if before is None or found is None else tuple(dict.fromkeys((*before, *found)))
        self.reasons[place] = found

    @property
    def proved(self) -> bool:
        """Whether nothing noted so far can fail."""
        return self.complete and None not in self.reasons.values()

    def take(self, other: Ledger) -> None:
        """Adds what another ledger has noted."""
        for place, found in other.reasons.items():
            self.note(place[0], other.spans[place], found)
        self.visits -= MAX_VISITS - other.visits
        self.complete = self.complete and other.complete


class Walk:
    """Walks expressions and notes their partial operations."""

    def __init__(self, world: World, ledger: Ledger) -> None:
        self.world = world
        self.ledger = ledger
        self.nesting = 0

    def all(self, exprs: Iterable[Expr], context: Context) -> None:
        for expr in exprs:
            self.expr(expr, context)

    def expr(self, expr: Expr, context: Context) -> None:
        """Notes what may fail in an expression; nothing where it is never evaluated."""
        self.ledger.visits -= 1
        if self.ledger.visits < 0 or self.nesting > MAX_NESTING:
            self.ledger.complete = False
            return
        self.nesting += 1
        self._expr(expr, context)
        self.nesting -= 1

    def _expr(self, expr: Expr, context: Context) -> None:
        match expr:
            case Const() | StateRef() | GivenRef() | LocalRef() | InputRef() | AnswerRef() | Stuck():
                pass
            case LetRef(name=name):
                self.expr(self.world.game.lets[name], context)
            case Neg(operand=operand) | Not(operand=operand) | After(operand=operand):
                self.expr(operand, context)
            case Binary(left=left, right=right):
                self.all((left, right), context)
                self._binary(expr, context)
            case Compare(left=left, right=right) | Member(item=left, within=right) | Range(lo=left, hi=right):
                self.all((left, right), context)
            case And(operands=operands) | Or(operands=operands):
                inner = context.child()
                for operand in operands:
                    self.expr(operand, inner)
                    inner.assume(operand, isinstance(expr, And))
            case If(condition=condition, then=then, other=other):
                self.expr(condition, context)
                for truth, branch in ((True, then), (False, other)):
                    inner = context.child()
                    inner.assume(condition, truth)
                    self.expr(branch, inner)
            case SetOf(items=items):
                self.all(items, context)
            case SetComp(item=item, tail=tail):
                self.expr(item, self.tail(tail, context))
            case Fold(op=op, item=item, tail=tail):
                self.expr(item, self.tail(tail, context))
                if op in {"min", "max"}:
                    found = nonempty(context, SetComp(item=item, tail=tail, type=expr.type))
                    self.ledger.note("empty", expr.span, found)
            case Call(args=args):
                self.all(args, context)
                self._call(expr, context)
            case Reach(start=start, step=step, within=within):
                self.all((start, within), context)
                inner = context.child()
                inner.bind(Bind(expr.name, within))
                self.expr(step, inner)
            case Index(base=base, indices=indices, dims=dims):
                self.all((base, *indices, *(end for pair in dims for end in pair)), context)
                self.ledger.note("index", expr.span, within_dims(context, indices, dims))
            case _:
                assert_never(expr)

    def tail(self, tail: Tail | None, context: Context) -> Context:
        """Walks a `for … if …` and returns what is known inside."""
        inner = context.child()
        if tail is not None:
            for bind in tail.binds:
                self.expr(bind.within, inner)
                inner.bind(bind)
            if tail.condition is not None:
                self.expr(tail.condition, inner)
                inner.assume(tail.condition)
        return inner

    def _binary(self, expr: Binary, context: Context) -> None:
        if not is_scalar(expr.right.type):
            return
        if expr.op in {"/", "%"}:
            self.ledger.note("divide", expr.span, different(context, context.form(expr.right), number(0)))
        elif expr.op == "**":
            self.ledger.note("power", expr.span, context.prove(context.form(expr.right)))

    def _call(self, expr: Call, context: Context) -> None:
        entry = BUILTINS[expr.name]
        if entry.partial is None:
            return
        if expr.name in {"min", "max"}:
            if len(expr.args) == 1:
                self.ledger.note("empty", expr.span, nonempty(context, expr.args[0]))
            return
        types: list[Type] = []
        reasons: list[Whys | None] = []
        for arg in expr.args:
            if not isinstance(arg.type, IntType):
                types.append(arg.type)
                continue
            bounds, why = _tightened(context, context.form(arg), arg.type.bounds)
            types.append(IntType(bounds))
            reasons.append(why)
        fails = not context.void and entry.may_fail(types)
        self.ledger.note("call", expr.span, None if fails else all_of(reasons))


def _tightened(context: Context, form: Form, bounds: Interval) -> tuple[Interval, Whys]:
    """Bounds of a number where a builtin gets it: at least 0, 1 or 2 where that can be proved."""
    bounds = bounds.meet(context.bounds(form))
    reasons: Whys = tuple(why for atom in sorted(form.atoms) for why in context.because.get(atom, ()))
    for least in (0, 1, 2):
        if bounds.lo < least:
            found = context.prove(form.plus(-least))
            if found is None:
                break
            bounds, reasons = Interval(least, bounds.hi), found
    return bounds, reasons


def within_dims(context: Context, indices: tuple[Expr, ...], dims: tuple[tuple[Expr, Expr], ...]) -> Whys | None:
    """Whether all indices are inside an array."""
    found: list[Whys | None] = []
    for index, (lo, hi) in zip(indices, dims, strict=True):
        form = context.form(index)
        found += [context.prove(form - context.form(lo)), context.prove(context.form(hi) - form)]
    return all_of(found)
