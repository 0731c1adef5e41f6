"""What is known at one place of a rule, in the terms of the rule: conditions and choices become facts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from gamespec.builtins import BUILTINS
from gamespec.game.expression import MAX_CASES, After, Expressions, exact_bounds
from gamespec.game.form import Form, atom, number
from gamespec.game.linear import Fact
from gamespec.game.model import (
    And,
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
    LetRef,
    LocalRef,
    Member,
    Not,
    Or,
    Range,
    Reach,
    SetComp,
    SetOf,
    StateRef,
    Tail,
)
from gamespec.game.world import World, element_type, is_empty, scalar_bounds
from gamespec.interval import Interval
from gamespec.types import SetType, is_scalar

MAX_UNIVERSALS = 8

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Context(Expressions):
    """Names that are bound, facts that hold, sets that are known to hold (or not to hold) a number.

    `universals` are conditions that hold for all values of one name, `unequal` differences that are not 0,
    `apart_sets` pairs of sets without a common element, `inside` pairs of which the second holds the first.
    """

    def __init__(self, world: World, parent: Context | None = None) -> None:
        super().__init__(world, parent)
        self.members: list[tuple[Form, int]] = list(parent.members) if parent else []
        self.outside: list[tuple[Form, int]] = list(parent.outside) if parent else []
        self.universals: list[tuple[Tail, Expr, dict[str, Form]]] = list(parent.universals) if parent else []
        self.unequal: set[Hashable] = set(parent.unequal) if parent else set()
        self.apart_sets: set[tuple[int, int]] = set(parent.apart_sets) if parent else set()
        self.inside: set[tuple[int, int]] = set(parent.inside) if parent else set()

    def child(self) -> Context:
        return Context(self.world, self)

    def clean(self) -> Context:
        """A context with the same names, in which nothing is known."""
        context = Context(self.world)
        context.names, context.after, context.bound = dict(self.names), self.after, self.bound
        return context

    def empty(self) -> Context:
        return Context(self.world)

    def moved(self, after: After) -> Context:
        """This context, with the fields of `after` read as their new values."""
        context = self.child()
        context.after = after
        return context

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
        if difference.terms:
            self.unequal |= {difference.key, (-difference).key}
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
        if self.world.tired():
            return
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
            case Reach(within=around):
                self.learn_member(form, around, why)
            case Call(name=name, args=args):
                limit = BUILTINS[name].element_at_most
                if limit is not None and limit < len(args):
                    self.learn(self.form(args[limit]) - form, why)
            case StateRef(name=name) | GivenRef(name=name) | Index(base=StateRef(name=name) | GivenRef(name=name)):
                if name not in self.after:
                    for fact in exact_bounds(self, form, self.world.fields[name], why):
                        self.learn(fact.form, fact.why)
            case _:
                pass

    def learn_outside(self, form: Form, within: Expr, why: str) -> None:
        """A number that is not an element of a set."""
        if self.world.tired():
            return
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
        self.unequal, self.apart_sets, self.inside = inner.unequal, inner.apart_sets, inner.inside
        self.void = self.void or inner.void

    def assume(self, condition: Expr, truth: bool = True) -> None:
        """Learns that a condition holds, or that it does not; nothing where all the work for a game is done."""
        if self.world.tired():
            return
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
            if empty is not None and op == "==":
                self._nothing_in(empty)
            elif op in {"==", "<=", ">="}:
                one, other = self.identity(left), self.identity(right)
                self.inside |= (
                    {(one, other)} if op == "<=" else {(other, one)} if op == ">=" else {(one, other), (other, one)}
                )
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

    def _nothing_in(self, within: Expr) -> None:
        """A set is empty: of an intersection, the two are apart; of a difference, one lies in the other."""
        match within:
            case LetRef(name=name):
                self._nothing_in(self.world.game.lets[name])
            case Binary(op="&", left=left, right=right):
                one, other = self.identity(left), self.identity(right)
                self.apart_sets |= {(one, other), (other, one)}
            case Binary(op="-", left=left, right=right):
                self.inside.add((self.identity(left), self.identity(right)))
            case Binary(op="|", left=left, right=right):
                self._nothing_in(left)
                self._nothing_in(right)
            case _:
                pass

    def size(self, within: Expr) -> Form:
        """The number of elements of a set."""
        most = scalar_bounds(element_type(within.type)).size if isinstance(within.type, SetType) else 1 << 20
        return atom(self.atoms.intern(("value", ("Call", "size", self.identity(within))), Interval(0, most))[0])


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
