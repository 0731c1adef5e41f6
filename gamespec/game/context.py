"""What is known at one place of a rule, in the terms of the rule: expressions become forms, conditions facts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from gamespec.builtins import BUILTINS
from gamespec.game.form import Form, atom, number
from gamespec.game.linear import WORK, Atoms, Fact, Knowledge
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
    Game,
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
    SetComp,
    SetOf,
    StateRef,
    Tail,
    Update,
)
from gamespec.interval import Interval
from gamespec.types import ArrayType, IntType, ListType, SetType, Type, element_bounds, is_scalar

MAX_CASES = 8  # alternatives of one disjunction
MAX_NESTING = 60  # expressions inside each other, lets looked through
MAX_STEPS = 40_000  # expressions translated for one game
MAX_POWER = 4
MAX_UNIVERSALS = 8

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class World:
    """What the contexts of one game share."""

    def __init__(self, game: Game, work: int = WORK) -> None:
        self.game = game
        self.atoms = Atoms(work)
        self.fields: dict[str, Field] = {f.name: f for f in (*game.givens, *game.states)}
        self.lets: dict[str, Form] = {}
        self.sets: dict[str, int] = {}
        self.nesting = 0
        self.steps = MAX_STEPS

    def text(self, expr: Expr, width: int = 60) -> str:
        """The expression as the user wrote it, on one line."""
        written = " ".join(self.game.source.slice(expr.span).split())
        return written if len(written) <= width else written[: width - 1] + "…"

    @property
    def exhausted(self) -> bool:
        return self.steps <= 0 or self.nesting >= MAX_NESTING


class Context(Knowledge):
    """Names that are bound, facts that hold, sets that are known to hold (or not to hold) a number.

    `after` gives fields other values than the position has: the forms of numbers, cells that were set, or unknown
    values. `universals` are conditions that hold for all values of one name, `apart` indices that are known not to
    be among the cells of `after`.
    """

    def __init__(self, world: World, parent: Context | None = None) -> None:
        super().__init__(world.atoms, parent)
        self.world = world
        self.names: dict[str, Form] = dict(parent.names) if parent else {}
        self.bound: int = parent.bound if parent else 0  # names bound inside comprehensions around this place
        self.after: After = parent.after if parent else {}
        self.apart: set[tuple[str, Hashable]] = parent.apart if parent else set()
        self.universals: list[tuple[Tail, Expr, dict[str, Form]]] = list(parent.universals) if parent else []
        self.members: list[tuple[Form, int]] = list(parent.members) if parent else []
        self.outside: list[tuple[Form, int]] = list(parent.outside) if parent else []

    def child(self) -> Context:
        return Context(self.world, self)

    def clean(self) -> Context:
        """A context with the same names, in which nothing is known."""
        context = Context(self.world)
        context.names, context.after, context.bound = dict(self.names), self.after, self.bound
        return context

    def moved(self, after: After) -> Context:
        """This context, with the fields of `after` read as their new values."""
        context = self.child()
        context.after = after
        return context

    # --- expressions ---------------------------------------------------------------------------------------

    def form(self, expr: Expr) -> Form:
        """The number (or the truth, or the position of the name) that an expression stands for."""
        world = self.world
        world.steps -= 1
        if world.exhausted:
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
                    self.world.lets[name] = Context(self.world).form(self.world.game.lets[name])
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
        world.steps -= 1
        if world.exhausted:
            return self.atoms.fresh(Interval(0, 0))
        world.nesting += 1
        try:
            if is_scalar(expr.type):
                return self.atoms.intern(("form", self.form(expr).key))[0]
            if isinstance(expr, LetRef):
                if self.after:
                    return self.identity(world.game.lets[expr.name])
                if expr.name not in world.sets:
                    world.sets[expr.name] = Context(world).identity(world.game.lets[expr.name])
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
                return ("after", new.key if isinstance(new, Form) else new.serial if isinstance(new, Cells) else new)
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
        index, new = self.atoms.intern(("field", name), element_bounds(field.type))
        if new:
            self.atoms.define(index, _within(Context(self.world), atom(index), field, name))
        return atom(index)

    def cell(self, name: str, indices: tuple[Form, ...], text: str = "") -> Form:
        """A cell of an array before the move."""
        field = self.world.fields[name]
        key = ("cell", name, *(index.key for index in indices))
        number, new = self.atoms.intern(key, scalar_bounds(element_type(field.type)))
        if new:
            self.atoms.define(number, _within(Context(self.world), atom(number), field, text or name))
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
        clean = Context(self.world)
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

    # --- learning ------------------------------------------------------------------------------------------

    def bind(self, bind: Bind) -> Form:
        """A name for an element of a set: what the set says about its elements is learnt."""
        of = element_type(bind.within.type)
        bounds = scalar_bounds(of)
        self.void = self.void or bounds.empty
        form = atom(self.atoms.fresh(bounds))
        why = f"{bind.name} in {self.world.text(bind.within)}"
        if of is not None and is_scalar(of):
            self.learn_member(form, bind.within, why)
        self.names[bind.name] = form
        return form

    def enter(self, tail: Tail | None) -> Context:
        """A context inside a `for … if …`."""
        context = self.child()
        if tail is not None:
            for bind in tail.binds:
                context.bind(bind)
            if tail.condition is not None:
                context.assume(tail.condition)
        return context

    def learn(self, form: Form, why: str) -> None:
        """Adds `form ≥ 0`; of `min(a, b) - x ≥ 0` also `a - x ≥ 0` and `b - x ≥ 0` (and likewise for max)."""
        super().learn(form, why)
        for monomial, coefficient in form.terms.items():
            if len(monomial) == 1:
                for law in self.atoms.facts[monomial[0]]:
                    if law.why == "" and law.form.terms.get(monomial) == (-1 if coefficient > 0 else 1):
                        super().learn(form + law.form.times(abs(coefficient)), why)

    def learn_unequal(self, left: Form, right: Form, why: str) -> None:
        difference = left - right
        if self.prove(difference, 0) is not None:
            self.learn(difference.plus(-1), why)
        elif self.prove(-difference, 0) is not None:
            self.learn((-difference).plus(-1), why)
        else:
            self.learn_cases(((Fact(difference.plus(-1), why),), (Fact((-difference).plus(-1), why),)))

    def learn_one_of(self, branches: Iterable[Callable[[Context], None]]) -> None:
        """At least one of the branches teaches the truth."""
        cases = []
        for branch in branches:
            context = self.child()
            known = len(context.facts)
            branch(context)
            if not context.void:
                cases.append(tuple(context.facts[known:]))
        if not cases:
            self.void = True
        elif len(cases) <= MAX_CASES and all(cases):
            self.learn_cases(tuple(cases))

    def learn_member(self, form: Form, within: Expr, why: str) -> None:
        """A number that is an element of a set or a list."""
        bounds = scalar_bounds(element_type(within.type))
        if not bounds.empty:
            self.narrow(form, bounds, why)
        if isinstance(within.type, SetType):
            self.members.append((form, self.identity(within)))
        match within:
            case LetRef(name=name):
                self.learn_member(form, self.world.game.lets[name], why)
            case Range(lo=lo, hi=hi):
                self.learn(form - self.form(lo), why)
                self.learn(self.form(hi) - form, why)
            case Const(value=frozenset() as values) if len(values) <= MAX_CASES:
                self.learn_one_of([_equality(form, number(int(value)), why) for value in sorted(values)])
            case SetOf(items=items) if len(items) <= MAX_CASES:
                self.learn_one_of([_equality(form, self.form(item), why) for item in items])
            case Binary(op="|" | "xor", left=left, right=right):
                self.learn_one_of([_membership(form, left, why), _membership(form, right, why)])
            case Binary(op="&", left=left, right=right):
                self.learn_member(form, left, why)
                self.learn_member(form, right, why)
            case Binary(op="-", left=left, right=right):
                self.learn_member(form, left, why)
                self.learn_outside(form, right, why)
            case SetComp(item=item, tail=tail):
                inner = self.enter(tail)
                inner.learn_equal(form, inner.form(item), why)
                self.take_over(inner)
            case If():
                self.learn_one_of([_either(within, truth, _membership_of(form, why)) for truth in (True, False)])
            case Call(name=name, args=args):
                limit = BUILTINS[name].element_at_most
                if limit is not None and limit < len(args):
                    self.learn(self.form(args[limit]) - form, why)
            case StateRef(name=name) | GivenRef(name=name) | Index(base=StateRef(name=name) | GivenRef(name=name)):
                if name not in self.after:
                    for fact in _within(self, form, self.world.fields[name], why):
                        self.learn(fact.form, fact.why)
            case _:
                pass

    def learn_outside(self, form: Form, within: Expr, why: str) -> None:
        """A number that is not an element of a set."""
        self.outside.append((form, self.identity(within)))
        match within:
            case LetRef(name=name):
                self.learn_outside(form, self.world.game.lets[name], why)
            case Const(value=frozenset() as values) if len(values) <= MAX_CASES:
                for value in sorted(values):
                    self.learn_unequal(form, number(int(value)), why)
            case SetOf(items=items) if len(items) <= MAX_CASES:
                for item in items:
                    self.learn_unequal(form, self.form(item), why)
            case Range(lo=lo, hi=hi):
                below, above = self.form(lo) - form, form - self.form(hi)
                self.learn_cases(((Fact(below.plus(-1), why),), (Fact(above.plus(-1), why),)))
            case Binary(op="|", left=left, right=right):
                self.learn_outside(form, left, why)
                self.learn_outside(form, right, why)
            case _:
                pass

    def take_over(self, inner: Context) -> None:
        """Learns all that a context inside this one knows; its names are forgotten."""
        for fact in inner.facts[len(self.facts) :]:
            super().learn(fact.form, fact.why)
        self.cases = inner.cases
        self.members, self.outside = inner.members, inner.outside
        self.void = self.void or inner.void

    def assume(self, condition: Expr, truth: bool = True) -> None:
        """Learns that a condition holds, or that it does not."""
        why = self.world.text(condition)
        why = why if truth or not why else f"not {why}"
        match condition:
            case Const(value=value):
                self.void = self.void or bool(value) is not truth
            case Not(operand=operand):
                self.assume(operand, not truth)
            case LetRef(name=name):
                self.assume(self.world.game.lets[name], truth)
            case And(operands=operands) | Or(operands=operands):
                if isinstance(condition, And) is truth:
                    for operand in operands:
                        self.assume(operand, truth)
                elif len(operands) <= MAX_CASES:
                    self.learn_one_of([_assumption(operand, truth) for operand in operands])
            case Compare(op=op, left=left, right=right):
                self._compare(op if truth else OPPOSITE[op], left, right, why)
            case Member(item=item, within=within):
                if is_scalar(item.type):
                    (self.learn_member if truth else self.learn_outside)(self.form(item), within, why)
            case Fold(op="any" | "all" as op, item=item, tail=tail):
                if (op == "any") is truth:
                    inner = self.enter(tail)
                    inner.assume(item, truth)
                    self.take_over(inner)
                elif truth and not self.after and len(tail.binds) == 1 and len(self.universals) < MAX_UNIVERSALS:
                    self.universals.append((tail, item, dict(self.names)))
            case If():
                self.learn_one_of([_either(condition, answer, _assuming(truth)) for answer in (True, False)])
            case StateRef() | GivenRef() | LocalRef() | Index():
                form = self.form(condition)
                self.learn(form.plus(-1) if truth else -form, why)
            case _:
                pass

    def _compare(self, op: str, left: Expr, right: Expr, why: str) -> None:
        if not is_scalar(left.type) or not is_scalar(right.type):
            empty = right if is_empty(left) else left if is_empty(right) else None
            if empty is not None and op in {"==", "!="}:
                size = self.size(empty)
                self.learn(size.plus(-1) if op == "!=" else -size, why)
            return
        a, b = self.form(left), self.form(right)
        match op:
            case "==":
                self.learn_equal(a, b, why)
            case "!=":
                self.learn_unequal(a, b, why)
            case "<=" | "<":
                self.learn((b - a).plus(-int(op == "<")), why)
            case _:
                self.learn((a - b).plus(-int(op == ">")), why)

    def size(self, within: Expr) -> Form:
        """The number of elements of a set."""
        most = scalar_bounds(element_type(within.type)).size if isinstance(within.type, SetType) else 1 << 20
        return atom(self.atoms.intern(("value", ("Call", "size", self.identity(within))), Interval(0, most))[0])


class Cells:
    """An array after a move that set the cells `ends[0]..ends[1]`: `bound` is the name of the tail that runs over
    them, or None where they are one. `before` knows what held, and the names, where the move was made."""

    def __init__(self, name: str, update: Update, before: Context, ends: tuple[Form, Form], bound: str | None) -> None:
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


After = dict[str, Form | int | Cells]


def element_type(of: Type) -> Type | None:
    """The type of the elements of a set or a list, or of the cells of an array."""
    match of:
        case SetType(element) | ListType(element) | ArrayType(_, element):
            return element
        case _:
            return None


def scalar_bounds(of: Type | None) -> Interval:
    return element_bounds(of) if of is not None and is_scalar(of) else Interval(0, 0)


def is_empty(expr: Expr) -> bool:
    """Whether an expression is `{}`."""
    return (isinstance(expr, SetOf) and not expr.items) or (isinstance(expr, Const) and expr.value == frozenset())


Teacher = Callable[[Context], None]


def _equality(left: Form, right: Form, why: str) -> Teacher:
    return lambda context: context.learn_equal(left, right, why)


def _membership(form: Form, within: Expr, why: str) -> Teacher:
    return lambda context: context.learn_member(form, within, why)


def _membership_of(form: Form, why: str) -> Callable[[Context, Expr], None]:
    return lambda context, within: context.learn_member(form, within, why)


def _assumption(condition: Expr, truth: bool) -> Teacher:
    return lambda context: context.assume(condition, truth)


def _assuming(truth: bool) -> Callable[[Context, Expr], None]:
    return lambda context, condition: context.assume(condition, truth)


def _either(expr: If, answer: bool, teach: Callable[[Context, Expr], None]) -> Teacher:
    """What an `if` teaches where its condition is true (or false)."""

    def learn(context: Context) -> None:
        context.assume(expr.condition, answer)
        teach(context, expr.then if answer else expr.other)

    return learn


def _within(context: Context, form: Form, field: Field, why: str) -> list[Fact]:
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
