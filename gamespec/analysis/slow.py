"""Windows that grow slowly: the closed form C1, recognised from the rule.

From n one may go to n − f(n)..n − 1, down to the least n, where f grows by 0 or 1 from each n to the next. Then the
value of n is f(n) if f grew at n, and else that of n − f(n) − 1 (L. Levine, Fractal sequences and restricted Nim,
Ars Combinatoria 80, 2006, math/0409408). Proof by induction: the values of the window of n and that of n itself are
the numbers 0..f(n), each once. At the least n, where the window is empty, this is so. If f grew at n, the window of n
is that of n − 1 with n − 1 added, so its values are 0..f(n) − 1, and the value of n is f(n). If not, it is the window
of n − 1 with n − 1 added and n − f(n) − 1 left out, so of 0..f(n) only the value of n − f(n) − 1 is missing.

A function that may jump by 2, or fall, is refused with its place.
"""

from __future__ import annotations

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.window import (
    NoWindow,
    Refused,
    never_fails,
    nothing_else,
    only_field_and_move,
    step,
    steps_from_one,
)
from gamespec.game.context import Context
from gamespec.game.model import Binary, Call, Const, Expr, LetRef, StateRef
from gamespec.game.total import Proofs
from gamespec.game.walk import children, names_read
from gamespec.game.world import World
from gamespec.interval import Interval
from gamespec.types import IntType

DEEP = 40
UPWARDS = "the moves go up"


class Slow(msgspec.Struct, frozen=True):
    """A game of one field whose moves take 1..f of it; `most` is f, an expression of the field, which grows slowly."""

    field: str
    most: Expr
    evidence: Evidence


def slow(world: World, proofs: Proofs) -> Slow | NoWindow:
    """The slowly growing window that a game's rule is, or why it is none."""
    try:
        return _slow(world, proofs)
    except Refused as refused:
        return refused.refusal


def _slow(world: World, proofs: Proofs) -> Slow:
    field, move = only_field_and_move(world)
    nothing_else(world, field, move)
    within = steps_from_one(world, move)
    if step(world, field, move) > 0:
        raise Refused(UPWARDS, move.span)
    if not isinstance(field.lo, Const):
        raise Refused(f"the least {field.name} is not a fixed number", field.span)
    growth = Growth(world, field.name)
    if not growth.slow(within.hi):
        place = growth.culprit(within.hi)
        text = f"it is not proved that {world.text(place)} grows by 0 or 1 as {field.name} does by 1"
        raise Refused(text, place.span)
    never_fails(proofs)
    text = f"{world.text(within.hi)} grows by 0 or 1 as {field.name} does by 1"
    return Slow(field.name, within.hi, Evidence(text, within.hi.span))


class Growth:
    """Which expressions grow by 0 or 1 when the field `name` grows by 1 and everything else stays."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.context = Context(world)
        self._known: dict[str, bool] = {}  # of what a `let` names

    def fixed(self, expr: Expr) -> bool:
        return self.name not in names_read(expr, self.world.game.lets)

    def slow(self, expr: Expr, depth: int = 0) -> bool:
        """Whether it is proved: of sums with fixed numbers, of `min` and `max`, of what is left of the field, and of
        fractions a·n / d, rounded down, with 0 ≤ a ≤ d."""
        if self.fixed(expr):
            return True
        if depth > DEEP:
            return False
        match expr:
            case StateRef():
                return True
            case LetRef(name=name):
                if name not in self._known:
                    self._known[name] = self.slow(self.world.game.lets[name], depth + 1)
                return self._known[name]
            case Call(name="min" | "max", args=args) if len(args) > 1:
                return all(self.slow(arg, depth + 1) for arg in args)
            case Binary(op="+", left=left, right=right) if self.fixed(left) or self.fixed(right):
                return self.slow(left, depth + 1) and self.slow(right, depth + 1)
            case Binary(op="-", left=left, right=right) if self.fixed(right) or isinstance(left, StateRef):
                return self.slow(left, depth + 1) and self.slow(right, depth + 1)
            case Binary(op="/", left=left, right=right) if self.fixed(right):
                least = self._bounds(right).lo
                return least >= 1 and (self.slow(left, depth + 1) or self._slope(left) in range(least + 1))
            case _:
                return False

    def culprit(self, expr: Expr) -> Expr:
        """The innermost number that grows too fast, for messages."""
        while True:
            if isinstance(expr, LetRef):
                expr = self.world.game.lets[expr.name]
                continue
            inner = [part for part in children(expr) if not self.slow(part)]
            if not (isinstance(expr, Call) and expr.name in ("min", "max") and len(inner) == 1):
                return expr
            expr = inner[0]

    def _bounds(self, expr: Expr) -> Interval:
        if isinstance(expr, Const) and isinstance(expr.value, int):
            return Interval(expr.value, expr.value)
        return self.context.bounds(self.context.form(expr))

    def _slope(self, expr: Expr) -> int:
        """By how much a linear expression grows; −1 if it is not linear, or falls."""
        context = Context(self.world)
        own = context.form(StateRef(name=self.name, type=IntType(Interval(0, 1)))).atom
        form = context.form(expr)
        return form.terms.get((own,), 0) if own is not None and form.terms.keys() <= {(own,)} else -1
