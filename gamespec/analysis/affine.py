"""Rules as systems of linear conditions: what a move chooses, and what it leaves, in numbers of one state field.

A rule is taken apart into ways, of which each is a conjunction: `min`, `max`, `or` and unions make several. All are
linear in the field and the chosen names; whatever is fixed during play (givens, and expressions of them) is kept as it
is and evaluated when the data of a case are known. Nothing here depends on declared bounds, so what is found holds for
positions of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from math import lcm
from typing import TypeVar

import msgspec

from gamespec.game.evaluate import Evaluator
from gamespec.game.model import (
    And,
    Binary,
    Call,
    Compare,
    Const,
    Do,
    Expr,
    Game,
    If,
    InputRef,
    LetRef,
    LocalRef,
    Member,
    Move,
    Neg,
    Not,
    Or,
    Range,
    SetComp,
    SetOf,
    StateRef,
    Tail,
    Value,
)
from gamespec.game.walk import children, names_read, through_lets, within
from gamespec.source import Span
from gamespec.types import IntType, SetType

MOST_WAYS = 64
MOST_STEPS = 4096
MOST_MODULUS = 1 << 10  # of a condition on remainders
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

T = TypeVar("T")

Evaluate = Callable[[Expr], Value]


class NotLinear(Exception):
    """A rule is not of this kind: why, and where."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


class Affine(msgspec.Struct, frozen=True):
    """A sum of multiples of the field and of chosen names, of terms that are fixed during play, and a number."""

    names: dict[str, int]
    fixed: tuple[tuple[int, Expr], ...] = ()
    constant: int = 0

    def __add__(self, other: Affine) -> Affine:
        names = dict(self.names)
        for name, coefficient in other.names.items():
            names[name] = names.get(name, 0) + coefficient
        names = {name: coefficient for name, coefficient in names.items() if coefficient}
        return Affine(names, self.fixed + other.fixed, self.constant + other.constant)

    def times(self, factor: int) -> Affine:
        if not factor:
            return Affine({})
        names = {name: factor * coefficient for name, coefficient in self.names.items()}
        return Affine(names, tuple((factor * c, expr) for c, expr in self.fixed), factor * self.constant)

    def __sub__(self, other: Affine) -> Affine:
        return self + other.times(-1)

    def plus(self, number: int) -> Affine:
        return Affine(self.names, self.fixed, self.constant + number)

    def rest(self, evaluate: Evaluate) -> int:
        """What is added to the multiples of names."""
        total = self.constant
        for factor, expr in self.fixed:
            value = evaluate(expr)
            assert isinstance(value, int)
            total += factor * value
        return total


class Condition(msgspec.Struct, frozen=True):
    """`kind` "ge": the form is at least 0; "ne": it is not 0; "in", "out": it is (not) in the set `of`; "mod": its
    remainder by `modulus` is one of `remainders`."""

    kind: str
    form: Affine
    span: Span
    of: Expr | None = None
    modulus: int = 1
    remainders: frozenset[int] = frozenset()


Way = tuple[Condition, ...]
Valued = tuple[Way, Affine]


class Effect(msgspec.Struct, frozen=True):
    """One way of a move: its conditions, and the numbers that it leaves."""

    move: str
    conditions: Way
    parts: tuple[Affine, ...]
    span: Span


class Reader:
    """Takes the rules of a game of one number apart. Everything raises NotLinear."""

    def __init__(self, game: Game, field: str) -> None:
        self.game = game
        self.field = field
        self.chosen: set[str] = set()
        self._elements: dict[str, Affine] = {}  # what the names are that a set is made with
        self._steps = 0

    def effects(self, move: Move) -> list[Effect]:
        """All ways of a move."""
        self.chosen = {bind.name for bind in move.choices}
        ways: list[Way] = [()]
        for depth, guards in enumerate(move.guards):
            for guard in guards:
                ways = self._both(ways, self.condition(guard, True))
            if depth < len(move.choices):
                bind = move.choices[depth]
                ways = self._both(ways, self.member(Affine({bind.name: 1}), bind.within, True))
        found: list[Effect] = []
        for left, parts in self._left(move):
            found += [Effect(move.name, way, parts, move.span) for way in self._both(ways, [left])]
        return found

    def _left(self, move: Move) -> Iterator[tuple[Way, tuple[Affine, ...]]]:
        """What a move leaves: conditions with one number for each part."""
        own = Affine({self.field: 1})
        several: list[list[Valued]] = []
        if isinstance(move.effect, Do):
            if move.effect.gain is not None:
                raise NotLinear("a move gains something", move.span)
            updates = move.effect.updates
            if len(updates) != 1 or updates[0].indices is not None or updates[0].tail is not None:
                raise NotLinear(f"move {move.name} does not change one number once", move.span)
            update, sign = updates[0], {"=": 0, "+=": 1, "-=": -1}.get(updates[0].op)
            if sign is None:
                raise NotLinear(f"move {move.name} does not change a number", update.span)
            values = self.values(update.value)
            several = [values if not sign else [(way, own + value.times(sign)) for way, value in values]]
        else:
            for part in move.effect.parts:
                if part.tail is not None or len(part.args) != 1:
                    raise NotLinear("the number of parts depends on the position", part.span)
                several.append(self.values(part.args[0]))
        for combination in self._limited(product(*several)):
            yield tuple(c for way, _ in combination for c in way), tuple(value for _, value in combination)

    # --- values --------------------------------------------------------------------------------------------

    def is_fixed(self, expr: Expr) -> bool:
        """Whether an expression has the same value during the whole play."""
        if any(isinstance(part, InputRef) for part in within(expr, self.game.lets)):
            return False
        return not names_read(expr, self.game.lets) & {self.field, *self.chosen, *self._elements}

    def affine(self, expr: Expr) -> Affine:
        """A number as one linear form."""
        found = self.values(expr)
        if len(found) != 1 or found[0][0]:
            raise NotLinear("is not linear", expr.span)
        return found[0][1]

    def values(self, expr: Expr) -> list[Valued]:
        """A number as linear forms, each under its conditions; one of these always holds."""
        self._step(expr)
        match expr:
            case Const(value=int() as value):
                return [((), Affine({}, (), int(value)))]
            case LetRef(name=name) if not self.is_fixed(expr):
                return self.values(self.game.lets[name])
            case _ if self.is_fixed(expr):
                if not isinstance(expr.type, IntType):
                    raise NotLinear("is not a number", expr.span)
                return [((), Affine({}, ((1, expr),)))]
            case LocalRef(name=name) if name in self._elements:
                return [((), self._elements[name])]
            case StateRef(name=name) | LocalRef(name=name) if isinstance(expr.type, IntType):
                return [((), Affine({name: 1}))]
            case Neg(operand=operand):
                return [(way, value.times(-1)) for way, value in self.values(operand)]
            case Binary(op="+" | "-" as op, left=left, right=right):
                sign = 1 if op == "+" else -1
                pairs = self._limited(product(self.values(left), self.values(right)))
                return [((*one, *two), a + b.times(sign)) for (one, a), (two, b) in pairs]
            case Binary(op="*", left=Const(value=int() as factor), right=operand):
                return [(way, value.times(factor)) for way, value in self.values(operand)]
            case Binary(op="*", left=operand, right=Const(value=int() as factor)):
                return [(way, value.times(factor)) for way, value in self.values(operand)]
            case Call(name="min" | "max" as name, args=args) if len(args) > 1:
                return self._extreme(name, [self.values(arg) for arg in args], expr.span)
            case If(condition=condition, then=then, other=other):
                found: list[Valued] = []
                for truth, branch in ((True, then), (False, other)):
                    for way in self.condition(condition, truth):
                        found += [((*way, *inner), value) for inner, value in self.values(branch)]
                return found
            case _:
                raise NotLinear("a number is not linear in the field and what is chosen", expr.span)

    def _extreme(self, name: str, args: list[list[Valued]], span: Span) -> list[Valued]:
        """Of `min` and `max` each argument, where it is the one that counts."""
        found: list[Valued] = []
        for combination in self._limited(product(*args)):
            ways = tuple(c for way, _ in combination for c in way)
            values = [value for _, value in combination]
            for value in values:
                sign = 1 if name == "max" else -1
                beats = tuple(
                    Condition("ge", (value - other).times(sign), span) for other in values if other is not value
                )
                found.append(((*ways, *beats), value))
        return found

    # --- conditions ----------------------------------------------------------------------------------------

    def condition(self, expr: Expr, truth: bool) -> list[Way]:
        """The ways in which a condition holds (or does not)."""
        self._step(expr)
        match expr:
            case Const(value=value):
                return [()] if bool(value) is truth else []
            case Not(operand=operand):
                return self.condition(operand, not truth)
            case LetRef(name=name):
                return self.condition(self.game.lets[name], truth)
            case And(operands=operands) | Or(operands=operands):
                if isinstance(expr, And) is truth:
                    ways: list[Way] = [()]
                    for operand in operands:
                        ways = self._both(ways, self.condition(operand, truth))
                    return ways
                return self._any([self.condition(operand, truth) for operand in operands])
            case Compare() | Member() if (found := self._by_remainder(expr, truth)) is not None:
                return [(found,)]
            case Compare(op=op, left=left, right=right) if isinstance(left.type, IntType):
                return self.compare(op if truth else OPPOSITE[op], left, right, expr.span)
            case Member(item=item, within=of) if isinstance(item.type, IntType):
                return self.member(self.affine(item), of, truth)
            case _:
                raise NotLinear("a condition is not about numbers", expr.span)

    def _by_remainder(self, expr: Expr, truth: bool) -> Condition | None:
        """A condition that sees of one number only remainders (`k % 3 != 0`, `gcd(k, 6) == 1`); None for others."""
        names = names_read(expr, self.game.lets)
        name = next(iter(names)) if len(names) == 1 else ""
        modulus = _period(expr, name, self.game.lets) if name in {self.field, *self.chosen, *self._elements} else None
        if modulus is None:
            return None
        evaluator = Evaluator(self.game)
        # The name is the only field, or a chosen one: whatever it is, it has this value.
        holds = [evaluator.expr(expr, (remainder,), {name: remainder}) for remainder in range(modulus)]
        form = self._elements.get(name, Affine({name: 1}))
        remainders = frozenset(remainder for remainder, value in enumerate(holds) if bool(value) is truth)
        return Condition("mod", form, expr.span, modulus=modulus, remainders=remainders)

    def compare(self, op: str, left: Expr, right: Expr, span: Span) -> list[Way]:
        match op:
            case "==":
                return self._both(self.compare("<=", left, right, span), self.compare(">=", left, right, span))
            case "!=":
                return [
                    (*one, *two, Condition("ne", a - b, span))
                    for (one, a), (two, b) in product(self.values(left), self.values(right))
                ]
            case ">" | ">=":
                return self.compare("<" if op == ">" else "<=", right, left, span)
            case _:
                pass
        strict = int(op == "<")
        try:
            smaller = self.affine(left)
        except NotLinear:
            larger = self.affine(right)
            return self._at_least(larger.plus(-strict), left, span)
        return self._at_most(smaller.plus(strict), right, span)

    def _at_most(self, form: Affine, expr: Expr, span: Span) -> list[Way]:
        """form ≤ expr"""
        expr = through_lets(expr, self.game.lets)
        match expr:
            case Call(name="min", args=args) if len(args) > 1:
                return self._all([self._at_most(form, arg, span) for arg in args])
            case Call(name="max", args=args) if len(args) > 1:
                return self._any([self._at_most(form, arg, span) for arg in args])
            case Binary(op="/", left=left, right=Const(value=int() as by)) if by > 0 and not self.is_fixed(expr):
                return self._at_most(form.times(by), left, span)
            case _:
                return [(*way, Condition("ge", value - form, span)) for way, value in self.values(expr)]

    def _at_least(self, form: Affine, expr: Expr, span: Span) -> list[Way]:
        """form ≥ expr"""
        expr = through_lets(expr, self.game.lets)
        match expr:
            case Call(name="max", args=args) if len(args) > 1:
                return self._all([self._at_least(form, arg, span) for arg in args])
            case Call(name="min", args=args) if len(args) > 1:
                return self._any([self._at_least(form, arg, span) for arg in args])
            case Binary(op="/", left=left, right=Const(value=int() as by)) if by > 0 and not self.is_fixed(expr):
                return self._at_least(form.times(by).plus(by - 1), left, span)
            case _:
                return [(*way, Condition("ge", form - value, span)) for way, value in self.values(expr)]

    def member(self, form: Affine, of: Expr, truth: bool) -> list[Way]:
        """The ways in which a number is (or is not) in a set."""
        self._step(of)
        of = through_lets(of, self.game.lets)
        if not isinstance(of.type, SetType):
            raise NotLinear("what is chosen from is not a set of numbers", of.span)
        match of:
            case Range(lo=lo, hi=hi):
                if truth:
                    return self._both(self._at_least(form, lo, of.span), self._at_most(form, hi, of.span))
                below = through_lets(lo, self.game.lets), through_lets(hi, self.game.lets)
                return self._any([self._below(form, below[0], of.span), self._above(form, below[1], of.span)])
            case Binary(op="|", left=left, right=right):
                both = [self.member(form, left, truth), self.member(form, right, truth)]
                return self._any(both) if truth else self._all(both)
            case Binary(op="&", left=left, right=right):
                both = [self.member(form, left, truth), self.member(form, right, truth)]
                return self._all(both) if truth else self._any(both)
            case Binary(op="-", left=left, right=right):
                both = [self.member(form, left, truth), self.member(form, right, not truth)]
                return self._all(both) if truth else self._any(both)
            case SetOf(items=items) if not self.is_fixed(of):
                if truth:
                    return self._any([self._equal(form, item) for item in items])
                unequal = [Condition("ne", form - self.affine(item), item.span) for item in items]
                return self._all([[(condition,)] for condition in unequal])
            case SetComp(item=LocalRef(name=name), tail=Tail(binds=(bind,), condition=condition)) if (
                truth and bind.name == name and not self.is_fixed(of)
            ):
                self._elements[name] = form
                inside = self.member(form, bind.within, True)
                return inside if condition is None else self._both(inside, self.condition(condition, True))
            case Call(name="powers" | "squares" | "primes", args=args) if not self.is_fixed(of):
                *base, limit = args
                if not truth or not all(map(self.is_fixed, base)):
                    raise NotLinear("the set depends on the position", of.span)
                numbers: list[Way] = [(Condition("in", form, of.span, of),)]
                return self._both(numbers, self._at_most(form, limit, of.span))
            case _ if self.is_fixed(of):
                return [(Condition("in" if truth else "out", form, of.span, of),)]
            case _:
                raise NotLinear("the set depends on the position", of.span)

    def _equal(self, form: Affine, item: Expr) -> list[Way]:
        return self._both(self._at_most(form, item, item.span), self._at_least(form, item, item.span))

    def _below(self, form: Affine, end: Expr, span: Span) -> list[Way]:
        return self._at_most(form.plus(1), end, span)

    def _above(self, form: Affine, end: Expr, span: Span) -> list[Way]:
        return self._at_least(form.plus(-1), end, span)

    # --- ways ----------------------------------------------------------------------------------------------

    def _both(self, one: list[Way], other: list[Way]) -> list[Way]:
        return [(*a, *b) for a, b in self._limited(product(one, other))]

    def _all(self, several: list[list[Way]]) -> list[Way]:
        ways: list[Way] = [()]
        for each in several:
            ways = self._both(ways, each)
        return ways

    def _any(self, several: list[list[Way]]) -> list[Way]:
        return self._limited(way for ways in several for way in ways)

    def _limited(self, items: Iterable[T]) -> list[T]:
        found = []
        for item in items:
            found.append(item)
            if len(found) > MOST_WAYS:
                raise NotLinear("the rules fall into too many cases")
        return found

    def _step(self, expr: Expr) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise NotLinear("the rules are too long", expr.span)


def family_of(expr: Expr) -> bool:
    """Whether an expression is one of the infinite families of numbers, cut off at a limit."""
    return isinstance(expr, Call) and expr.name in ("powers", "squares", "primes")


def _period(expr: Expr, name: str, lets: Mapping[str, Expr]) -> int | None:
    """A number that the value of an expression does not change by when it is added to a name that it reads.

    None where there is none, or it is larger than `MOST_MODULUS`.
    """
    match expr:
        case Binary(op="%", left=number, right=by) | Call(name="gcd", args=(number, by)) if isinstance(
            by := through_lets(by, lets), Const
        ) and _is_polynomial(number, name, lets):
            return by.value if isinstance(by.value, int) and 0 < by.value <= MOST_MODULUS else None
        case LocalRef(name=other) | StateRef(name=other):
            return 1 if other != name else None
        case LetRef(name=other):
            return _period(lets[other], name, lets)
        case (
            Const() | Neg() | Not() | Binary() | Compare() | Member() | And() | Or() | If() | Range() | SetOf() | Call()
        ):
            period = 1
            for part in children(expr):
                inner = _period(part, name, lets)
                period = 0 if inner is None else lcm(period, inner)
                if not 0 < period <= MOST_MODULUS:
                    return None
            return period
        case _:
            return None


def _is_polynomial(expr: Expr, name: str, lets: Mapping[str, Expr]) -> bool:
    """Whether an expression is made of a name and numbers by adding and multiplying."""
    match expr:
        case Const() | LocalRef() | StateRef():
            return True
        case Neg(operand=operand):
            return _is_polynomial(operand, name, lets)
        case Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_polynomial(left, name, lets) and _is_polynomial(right, name, lets)
        case LetRef(name=other):
            return _is_polynomial(lets[other], name, lets)
        case _:
            return False
