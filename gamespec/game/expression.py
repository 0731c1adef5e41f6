"""Expressions of the rules as forms: what is not linear becomes an atom with bounds, laws and cases."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING

from gamespec.game.form import Form, atom, number
from gamespec.game.linear import Fact, Knowledge
from gamespec.game.model import (
    And,
    Binary,
    Bind,
    Call,
    Compare,
    Const,
    Expr,
    Field,
    Fold,
    GivenRef,
    If,
    Index,
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
    Tail,
    Update,
)
from gamespec.game.world import World, element_type, scalar_bounds
from gamespec.interval import Interval
from gamespec.types import IntType, SetType, Type, is_scalar

if TYPE_CHECKING:
    from gamespec.game.context import Context

MAX_CASES = 8  # alternatives of one disjunction
MAX_POWER = 4


class Expressions(Knowledge):
    """Reads expressions where some names are bound.

    `after` gives fields other values than the position has: the forms of numbers, cells that were set, or unknown
    values; `apart` are indices that are known not to be among the cells of `after`.
    """

    def __init__(self, world: World, parent: Expressions | None = None) -> None:
        super().__init__(world.atoms, parent)
        self.world = world
        self.names: dict[str, Form] = dict(parent.names) if parent else {}
        self.bound: int = parent.bound if parent else 0  # names bound inside comprehensions around this place
        self.after: After = parent.after if parent else {}
        self.apart: set[tuple[str, Hashable]] = parent.apart if parent else set()

    @abstractmethod
    def clean(self) -> Context:
        """A place with the same names, in which nothing is known."""

    @abstractmethod
    def empty(self) -> Context:
        """A place without names, in which nothing is known."""

    def form(self, expr: Expr) -> Form:
        """The number (or the truth, or the position of the name) that an expression stands for."""
        world = self.world
        if world.tired():
            return atom(self.atoms.fresh(scalar_bounds(expr.type)))
        world.nesting += 1
        try:
            return self._form(expr)
        finally:
            world.nesting -= 1

    def _form(self, expr: Expr) -> Form:
        match expr:
            case Const(value=bool() | int() as value):
                return number(int(value))
            case StateRef(name=name) if name in self.after:
                new = self.after[name]
                return new if isinstance(new, Form) else self._opaque(("after", new), expr)
            case StateRef(name=name) | GivenRef(name=name):
                return self._field(name)
            case LocalRef(name=name) if name in self.names:
                return self.names[name]
            case LetRef(name=name):
                if self.after:
                    return self.form(self.world.game.lets[name])
                if name not in self.world.lets:
                    self.world.lets[name] = self.empty().form(self.world.game.lets[name])
                return self.world.lets[name]
            case Neg(operand=operand):
                return -self.form(operand)
            case Binary(op="+", left=left, right=right):
                return self.form(left) + self.form(right)
            case Binary(op="-", left=left, right=right):
                return self.form(left) - self.form(right)
            case Binary(op="*", left=left, right=right):
                return self.form(left).product(self.form(right)) or self._opaque(self._structure(expr), expr)
            case Binary(op="/", left=left, right=right):
                return self._quotient(self.form(left), self.form(right))
            case Binary(op="%", left=left, right=right):
                dividend, divisor = self.form(left), self.form(right)
                whole = divisor.product(self._quotient(dividend, divisor))
                return dividend - whole if whole else self._opaque(self._structure(expr), expr)
            case Binary(op="**", left=left, right=Const(value=int() as power)) if 0 <= power <= MAX_POWER:
                result: Form | None = number(1)
                base = self.form(left)
                for _ in range(power):
                    result = result and result.product(base)
                return result or self._opaque(self._structure(expr), expr)
            case If():
                return self._choice(expr)
            case Call(name="min" | "max" | "abs", args=args) if is_scalar(args[0].type):
                return self._extreme(expr)
            case Call(name="min" | "max", args=(within,)):
                return self._element(expr, within)
            case Fold(op="min" | "max"):
                return self._element(expr, SetComp(item=expr.item, tail=expr.tail, type=SetType(expr.type)))
            case Index(base=StateRef(name=name) | GivenRef(name=name), indices=indices) if name not in self.after:
                return self.cell(name, tuple(map(self.form, indices)), self.world.text(expr))
            case Index(base=StateRef(name=name), indices=(index,)) if isinstance(self.after.get(name), Cells):
                found = self._changed_cell(self.after[name], self.form(index))
                return found or self._opaque(self._structure(expr), expr)
            case _:
                return self._opaque(self._structure(expr), expr)

    def identity(self, expr: Expr) -> int:
        """A number that equal expressions share, whatever their type; different ones never do."""
        world = self.world
        if world.tired():
            return self.atoms.fresh(Interval(0, 0))
        world.nesting += 1
        try:
            if is_scalar(expr.type):
                return self.atoms.intern(("form", self.form(expr).key))[0]
            if isinstance(expr, LetRef):
                if self.after:
                    return self.identity(world.game.lets[expr.name])
                if expr.name not in world.sets:
                    world.sets[expr.name] = self.empty().identity(world.game.lets[expr.name])
                return world.sets[expr.name]
            return self.atoms.intern(self._structure(expr))[0]
        finally:
            world.nesting -= 1

    def _structure(self, expr: Expr) -> Hashable:
        kind = type(expr).__name__
        match expr:
            case Const(value=value):
                return (kind, type(value).__name__, value)
            case StateRef(name=name) if name in self.after:
                new = self.after[name]
                if isinstance(new, Cells | SetAfter):
                    return ("after", new.serial)
                return ("after", new.key if isinstance(new, Form) else new)
            case StateRef(name=name) | GivenRef(name=name):
                return ("field", name)
            case LocalRef(name=name):
                return (kind, self.names[name].key) if name in self.names else (kind, object())
            case Neg(operand=operand) | Not(operand=operand):
                return (kind, self.identity(operand))
            case Binary(op=op, left=left, right=right) | Compare(op=op, left=left, right=right):
                return (kind, op, self.identity(left), self.identity(right))
            case Member(item=left, within=right) | Range(lo=left, hi=right):
                return (kind, self.identity(left), self.identity(right))
            case And(operands=several) | Or(operands=several) | SetOf(items=several):
                return (kind, *map(self.identity, several))
            case If(condition=condition, then=then, other=other):
                return (kind, self.identity(condition), self.identity(then), self.identity(other))
            case Call(name=name, args=args):
                return (kind, name, *map(self.identity, args))
            case Index(base=base, indices=indices):
                return (kind, self.identity(base), *map(self.identity, indices))
            case SetComp(item=item, tail=tail):
                return (kind, *self._bound_parts(item, tail))
            case Reach(start=start, name=name, step=step, within=within):
                steps = self._bound_parts(step, Tail((Bind(name, within),)))
                return (kind, self.identity(start), *steps)
            case Fold(op=op, item=item, tail=tail):
                return (kind, op, *self._bound_parts(item, tail))
            case _:
                return (kind, object())  # equal to nothing else

    def _bound_parts(self, item: Expr, tail: Tail) -> tuple[int, ...]:
        """The identity of a comprehension, whatever its names are called."""
        context = self.clean()
        parts = []
        for bind in tail.binds:
            parts.append(context.identity(bind.within))
            bounds = scalar_bounds(element_type(bind.within.type))
            context.names[bind.name] = atom(self.atoms.intern(("bound", context.bound, bounds), bounds)[0])
            context.bound += 1
        if tail.condition is not None:
            parts.append(context.identity(tail.condition))
        return (*parts, context.identity(item))

    def _opaque(self, key: Hashable, expr: Expr) -> Form:
        return atom(self.atoms.intern(("value", key), scalar_bounds(expr.type))[0])

    def _field(self, name: str) -> Form:
        field = self.world.fields[name]
        index, new = self.atoms.intern(("field", name), scalar_bounds(field.type))
        if new:
            self.atoms.define(index, exact_bounds(self.empty(), atom(index), field, name))
        return atom(index)

    def cell(self, name: str, indices: tuple[Form, ...], text: str = "") -> Form:
        """A cell of an array before the move."""
        field = self.world.fields[name]
        key = ("cell", name, *(index.key for index in indices))
        number, new = self.atoms.intern(key, scalar_bounds(element_type(field.type)))
        if new:
            self.atoms.define(number, exact_bounds(self.empty(), atom(number), field, text or name))
        return atom(number)

    def _changed_cell(self, cells: object, index: Form) -> Form | None:
        """A cell of an array after the move, where it can be told whether it was set."""
        assert isinstance(cells, Cells)
        lo, hi = cells.ends
        if (cells.name, index.key) in self.apart:
            return self.cell(cells.name, (index,))
        if self.prove(index - lo) is not None and self.prove(hi - index) is not None:
            return cells.value(index)
        if self.prove((lo - index).plus(-1)) is not None or self.prove((index - hi).plus(-1)) is not None:
            return self.cell(cells.name, (index,))
        return None

    def _quotient(self, dividend: Form, divisor: Form) -> Form:
        if not dividend.terms and not divisor.terms and divisor.constant:
            return number(dividend.constant // divisor.constant)
        clean = self.empty()
        by = clean.bounds(divisor)
        index, new = self.atoms.intern(("/", dividend.key, divisor.key), clean.bounds(dividend).floordiv(by))
        if new:
            whole = divisor.product(atom(index))
            if whole is not None and by.lo >= 0:  # not 0 where there is a quotient
                self.atoms.define(index, (Fact(dividend - whole), Fact(whole + divisor - dividend.plus(1))))
        return atom(index)

    def _choice(self, expr: If) -> Form:
        index, new = self.atoms.intern(("value", self._structure(expr)), scalar_bounds(expr.type))
        if new:
            branches = []
            for truth, branch in ((True, expr.then), (False, expr.other)):
                clean = self.clean()
                clean.assume(expr.condition, truth)
                if clean.void:
                    continue
                clean.learn_equal(atom(index), clean.form(branch), "")
                branches.append(tuple(clean.facts))
            self.atoms.define(index, (), tuple(branches))
        return atom(index)

    def _extreme(self, expr: Call) -> Form:
        """`min(a, b)`, `max(a, b)`, `abs(a)`"""
        forms = [self.form(arg) for arg in expr.args]
        if expr.name == "abs":
            forms.append(-forms[0])
        sign = -1 if expr.name == "min" else 1
        forms = sorted({form.key: form for form in forms}.values(), key=lambda form: str(form.key))
        if len(forms) == 1:
            return forms[0]
        keys = tuple(form.key for form in forms)
        name = "min" if expr.name == "min" else "max"
        index, new = self.atoms.intern((name, keys), scalar_bounds(expr.type))
        if new:
            own = atom(index)
            laws = [Fact((own - form).times(sign)) for form in forms]
            other = self.atoms.ids.get(("min" if name == "max" else "max", keys))
            if other is not None and len(forms) == 2:
                rest = own + atom(other) - forms[0] - forms[1]
                both = (Fact(rest), Fact(-rest))
                laws += both
                self.atoms.define(other, (*self.atoms.facts[other], *both), self.atoms.cases[other])
            cases = tuple(
                (Fact(own - form), Fact(form - own), *(Fact((form - o).times(sign)) for o in forms if o is not form))
                for form in forms
            )
            self.atoms.define(index, laws, cases if len(forms) <= MAX_CASES else ())
        return atom(index)

    def _element(self, expr: Expr, within: Expr) -> Form:
        """The least or the largest element of a set: at least an element of it."""
        index, new = self.atoms.intern(("value", self._structure(expr)), scalar_bounds(expr.type))
        if new:
            clean = self.clean()
            clean.learn_member(atom(index), within, "")
            cases = clean.cases[0] if clean.cases else ()
            self.atoms.define(index, clean.facts, cases)
        return atom(index)


class Cells:
    """An array after a move that set the cells `ends[0]..ends[1]`: `bound` is the name of the tail that runs over
    them, or None where they are one. `before` knows what held, and the names, where the move was made."""

    def __init__(
        self, name: str, update: Update, before: Expressions, ends: tuple[Form, Form], bound: str | None
    ) -> None:
        self.name = name
        self.update = update
        self.before = before
        self.ends = ends
        self.bound = bound
        self.serial = before.atoms.intern(("after", object()))[0]

    def value(self, index: Form) -> Form:
        """The new value of a cell that was set."""
        context = self.before.clean()
        if self.bound is not None:
            context.names[self.bound] = index
        value = context.form(self.update.value)
        match self.update.op:
            case "+=":
                return context.cell(self.name, (index,)) + value
            case "-=":
                return context.cell(self.name, (index,)) - value
            case _:
                return value


class SetAfter:
    """A set after a move: `value` is what it becomes, in terms of the position before."""

    def __init__(self, value: Expr, before: Expressions) -> None:
        self.value = value
        self.before = before
        self.serial = before.atoms.intern(("after", object()))[0]


After = dict[str, Form | int | Cells | SetAfter]


def exact_bounds(context: Expressions, form: Form, field: Field, why: str) -> list[Fact]:
    """The exact bounds of a field, of the elements of a set, of the cells of an array, where they are no constants."""
    of: Type = field.type
    while not is_scalar(of):
        inner = element_type(of)
        if inner is None:
            return []
        of = inner
    if not isinstance(of, IntType):
        return []
    text = context.world.text
    facts = []
    if field.lo is not None and not isinstance(field.lo, Const):
        facts.append(Fact(form - context.form(field.lo), f"{text(field.lo)} <= {why}"))
    if field.hi is not None and not isinstance(field.hi, Const):
        facts.append(Fact(context.form(field.hi) - form, f"{why} <= {text(field.hi)}"))
    return facts
