"""Rules that read a number only through its digits, its remainders and small numbers that it is compared with.

From some number on, the moves then depend on which digits there are and on the remainder, both of which are carried
from digit to digit; and they go back by no more than a fixed distance. `gamespec.plan.table.automaton` makes use of it.
"""

from __future__ import annotations

from collections.abc import Set
from math import lcm

import msgspec

from gamespec.game.model import (
    Binary,
    Call,
    Compare,
    Const,
    Do,
    Expr,
    Field,
    Fold,
    Game,
    If,
    LetRef,
    Member,
    Move,
    Neg,
    Range,
    SetComp,
    StateRef,
    Stuck,
    Tail,
    Update,
)
from gamespec.game.walk import children, names_read
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.types import ArrayType, IntType, ListType, SetType, element_bounds, is_scalar

MOST_SETTLED = 1 << 12  # numbers at which comparisons may still turn out one way or the other
MOST_MODULUS = 1 << 10
FURTHEST = 1 << 9  # how far a move may go back
MOST_BASE = 64

EVERY = ("min", "max", "any", "all", "gcd")  # what they say of a list does not depend on how often an element is there


class Numeral(msgspec.Struct, frozen=True):
    """The one field, and what its rules read of it.

    `base` of the digits (0: they are not read), the `modulus` of which remainders are taken (1: none is). Comparisons
    come out the same for all numbers from `settled` on. Every move lowers the number by 1..`furthest`.
    """

    field: str
    bounds: Interval
    base: int
    modulus: int
    settled: int
    furthest: int
    span: Span


class NoNumeral(msgspec.Struct, frozen=True):
    """Why the rules are not of this kind."""

    reason: str
    span: Span | None = None


class Other(Exception):
    """The rules are not of this kind; `found` says why."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.found = NoNumeral(reason, span)


def numeral(game: Game) -> Numeral | NoNumeral:
    """What the rules read of the only field, if it is a number that they lower by a bounded distance."""
    if len(game.states) != 1 or not isinstance(game.states[0].type, IntType):
        return NoNumeral("a position is not a single number", game.states[-1].span)
    try:
        return Reader(game, game.states[0]).found()
    except Other as other:
        return other.found


class Reader:
    """Walks all rules once and gathers what they read of a field; those `beside` it they may read as they like."""

    def __init__(self, game: Game, field: Field, beside: Set[str] = frozenset()) -> None:
        self.game = game
        self.field = field
        self.beside = beside
        self.base = 0
        self.modulus = 1
        self.settled = 0
        self.seen: set[tuple[str, bool]] = set()
        self.seen_parts: set[str] = set()

    def found(self) -> Numeral:
        game, field = self.game, self.field
        assert isinstance(field.type, IntType)
        if field.type.bounds.lo < 0 or not isinstance(field.lo, Const) or not isinstance(field.hi, Const):
            raise Other(f"{field.name} may be negative, or its range depends on the case", field.span)
        if game.requires:
            raise Other("what `require` says of a position is not looked into", game.requires[0].span)
        for terminal in game.terminals:
            self.read(terminal.condition)
        furthest = max([1, *map(self.furthest, game.moves)])  # 1 also where there is never a move
        if furthest > FURTHEST:
            raise Other(f"a move may lower {field.name} by {furthest:,}", game.moves[0].span)
        if self.settled > MOST_SETTLED:
            raise Other(f"{field.name} is compared with numbers up to {self.settled:,}", game.moves[0].span)
        span = game.moves[0].span if game.moves else field.span
        settled = max(self.settled, field.type.bounds.lo + furthest)
        return Numeral(field.name, field.type.bounds, self.base, self.modulus, settled, furthest, span)

    def furthest(self, move: Move) -> int:
        """How far a move goes back at most; reads all that it says."""
        self.read_conditions(move)
        if not isinstance(move.effect, Do) or move.effect.gain is not None or len(move.effect.updates) != 1:
            raise Other(f"{move.name} does more than lower {self.field.name}", move.span)
        update = move.effect.updates[0]
        taken = self.taken(update) if update.tail is None else None
        if taken is None:
            raise Other(f"a move does not subtract from {self.field.name}", update.span)
        if any(element_bounds(amount.type).lo < 0 for amount in taken):
            raise Other(f"a move may raise {self.field.name}", update.span)
        return sum(self.highest(amount) for amount in taken)

    def read_conditions(self, move: Move) -> None:
        """Gathers what is read when it is told which moves a rule allows."""
        for guards in move.guards:
            for guard in guards:
                self.read(guard)
        for bind in move.choices:
            self.read(bind.within, as_set=True)

    def taken(self, update: Update) -> list[Expr] | None:
        """What an update subtracts from the number; None where it does something else."""
        match update:
            case Update(op="-=", indices=None, value=value):
                return [value]
            case Update(op="=", indices=None, value=value):
                return self.less(value)
            case _:
                return None

    def is_field(self, expr: Expr) -> bool:
        return isinstance(expr, StateRef) and expr.name == self.field.name

    def less(self, expr: Expr) -> list[Expr] | None:
        """What is subtracted from the number, where the expression says nothing else."""
        taken: list[Expr] = []
        while isinstance(expr, Binary) and expr.op == "-" and isinstance(expr.type, IntType):
            taken.append(expr.right)
            expr = expr.left
        return taken if self.is_field(expr) else None

    def highest(self, expr: Expr) -> int:
        """The largest number, or element, that an expression has; reads it."""
        within = isinstance(expr.type, SetType | ListType | ArrayType)
        of = expr.type.of if isinstance(expr.type, SetType | ListType | ArrayType) else expr.type
        if not is_scalar(of):
            raise Other("what a number is compared with is not looked into", expr.span)
        self.read(expr, as_set=within)
        bounds = element_bounds(of)
        return -1 if bounds.empty else bounds.hi

    def settle(self, taken: list[Expr], expr: Expr) -> None:
        """The number less some others is compared with an expression: beyond their sum it says the same every time."""
        self.settled = max(self.settled, sum(map(self.highest, [*taken, expr])) + 1)

    def read(self, expr: Expr, *, as_set: bool = False) -> None:
        """Gathers what an expression reads; `as_set` where it does not matter how often an element is there.

        Raises Other where it depends on more than digits, remainders and comparisons.
        """
        match expr:
            case StateRef(name=name):
                if name not in self.beside:
                    raise Other(f"the rules use {name} itself, not only its digits or remainders", expr.span)
            case Stuck():
                pass  # as the moves say
            case LetRef(name=name):
                if (name, as_set) not in self.seen:
                    self.seen.add((name, as_set))
                    self.read(self.game.lets[name], as_set=as_set)
            case Call(name="digits", args=(number, *rest)) if self.is_field(number):
                self.digits(expr, rest[0] if rest else None, as_set=as_set)
            case Binary(op="%", left=left, right=right) if self.reads_field(left):
                self.remainder(left, right)
            case Call(name="gcd", args=args) if (by := self.known_divisor(args)) is not None:
                for arg in args:
                    self.remainder(arg, by)
            case Compare(left=left, right=right) if (taken := self.less(left)) is not None:
                self.settle(taken, right)
            case Compare(left=left, right=right) if (taken := self.less(right)) is not None:
                self.settle(taken, left)
            case Member(item=item, within=within):
                if self.is_field(item):
                    self.settle([], within)
                elif isinstance(within, Range) and self.is_field(within.hi):
                    self.settle([], item)
                    self.read(within.lo)
                else:
                    self.read(item)
                    self.read(within, as_set=True)
            case Call(name="min", args=args) if len(args) > 1 and any(map(self.is_field, args)):
                others = [self.highest(arg) for arg in args if not self.is_field(arg)]
                if not others:
                    self.read(args[0])
                self.settled = max(self.settled, min(others) + 1)
            case Call(name=name, args=(only,)) if name in EVERY and not is_scalar(only.type):
                self.read(only, as_set=True)
            case Binary(left=left, right=right) if isinstance(expr.type, SetType):
                self.read(left, as_set=True)
                self.read(right, as_set=True)
            case Fold(op=op, item=item, tail=tail):
                self.read(item)
                self.tail(tail, as_set=op in EVERY)
            case SetComp(item=item, tail=tail):
                self.read(item)
                self.tail(tail, as_set=True)
            case If(condition=condition, then=then, other=other):
                self.read(condition)
                self.read(then, as_set=as_set)
                self.read(other, as_set=as_set)
            case _:
                for child in children(expr):
                    self.read(child)

    def reads_field(self, expr: Expr) -> bool:
        return self.field.name in names_read(expr, self.game.lets)

    def known_divisor(self, args: tuple[Expr, ...]) -> Expr | None:
        """Of numbers of which some are read from the field, one that is not, and is never 0: their greatest common
        divisor is told by what the others leave when they are divided by it."""
        others = [arg for arg in args if not self.reads_field(arg)]
        apart = [arg for arg in others if isinstance(arg.type, IntType) and 0 not in arg.type.bounds]
        return apart[0] if apart and len(others) < len(args) else None

    def remainder(self, number: Expr, by: Expr) -> None:
        """Reads what a number leaves when it is divided: sums, differences and products are told by their parts'."""
        self.read(by)
        assert isinstance(by.type, IntType)
        bounds = by.type.bounds
        if bounds.size > MOST_MODULUS:
            raise Other("what a number is divided by is not one of a few numbers", by.span)
        self.modulus = lcm(self.modulus, *(abs(value) or 1 for value in range(bounds.lo, bounds.hi + 1)))
        if self.modulus > MOST_MODULUS:
            raise Other(f"remainders by {self.modulus:,} are too many", by.span)
        self.parts(number)

    def parts(self, number: Expr) -> None:
        """Reads a number of which only the remainder counts."""
        match number:
            case StateRef() if self.is_field(number):
                pass  # its remainder is what is read
            case Neg(operand=operand):
                self.parts(operand)
            case Binary(op="+" | "-" | "*", left=left, right=right):
                self.parts(left)
                self.parts(right)
            case LetRef(name=name):
                if name not in self.seen_parts:
                    self.seen_parts.add(name)
                    self.parts(self.game.lets[name])
            case _:
                self.read(number)

    def tail(self, tail: Tail, *, as_set: bool) -> None:
        for bind in tail.binds:
            self.read(bind.within, as_set=as_set)
        if tail.condition is not None:
            self.read(tail.condition)

    def digits(self, expr: Expr, base: Expr | None, *, as_set: bool) -> None:
        number = 10 if base is None else base.value if isinstance(base, Const) else None
        if not isinstance(number, int) or not 2 <= number <= MOST_BASE or self.base not in (0, number):
            raise Other("digits in several bases, or in one that is not fixed", expr.span)
        if not as_set:
            raise Other("it matters how often a digit is there", expr.span)
        self.base = number
