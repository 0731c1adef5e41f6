"""How the value of an expression goes as one state field grows: the monotonicity behind C4."""

from __future__ import annotations

from gamespec.game.context import Context
from gamespec.game.model import Binary, Call, Expr, If, LetRef, Neg, StateRef
from gamespec.game.walk import children, names_read
from gamespec.game.world import World
from gamespec.interval import Interval
from gamespec.types import IntType

CONST, UP, DOWN = 0, 1, -1


class Direction:
    """Directions of expressions as the field `name` grows and everything else stays.

    UP means never falls, DOWN never rises, CONST does not change, None that nothing is known.
    """

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.context = Context(world)
        self._known: dict[str, int | None] = {}  # of what a `let` names

    def of(self, expr: Expr, depth: int = 0) -> int | None:
        if self.name not in names_read(expr, self.world.game.lets):
            return CONST
        if depth > 40:
            return None
        match expr:
            case StateRef():
                return UP
            case LetRef(name=name):
                if name not in self._known:
                    self._known[name] = self.of(self.world.game.lets[name], depth + 1)
                return self._known[name]
            case Neg(operand=operand):
                return _flip(self.of(operand, depth + 1))
            case Binary(op=op, left=left, right=right):
                return self._binary(op, left, right, self.of(left, depth + 1), self.of(right, depth + 1))
            case Call(name="min" | "max", args=args) if len(args) > 1:
                return _together([self.of(arg, depth + 1) for arg in args])
            case Call(name="abs", args=(arg,)):
                bounds, way = self._bounds(arg), self.of(arg, depth + 1)
                return way if bounds.lo >= 0 else _flip(way) if bounds.hi <= 0 else None
            case If(condition=condition, then=then, other=other):
                if self.of(condition, depth + 1) != CONST:
                    return None
                return _together([self.of(then, depth + 1), self.of(other, depth + 1)])
            case _:
                return None

    def culprit(self, expr: Expr, wanted: int) -> Expr:
        """The innermost number that spoils a direction, for messages."""
        while isinstance(expr, LetRef) or self._grows_with_parts(expr):
            if isinstance(expr, LetRef):
                expr = self.world.game.lets[expr.name]
                continue
            inner = [part for part in children(expr) if self.of(part) not in {CONST, wanted}]
            if len(inner) != 1 or not isinstance(inner[0].type, IntType):
                break
            expr = inner[0]
        return expr

    def _grows_with_parts(self, expr: Expr) -> bool:
        match expr:
            case Binary(op="+" | "*"):
                return True
            case Call(name="min" | "max", args=args):
                return len(args) > 1
            case _:
                return False

    def _bounds(self, expr: Expr) -> Interval:
        return self.context.bounds(self.context.form(expr))

    def _binary(self, op: str, left: Expr, right: Expr, a: int | None, b: int | None) -> int | None:
        if a is None or b is None:
            return None
        match op:
            case "+":
                return _together([a, b])
            case "-":
                return _together([a, -b])
            case "*":
                if b == CONST:
                    return _scaled(a, self._bounds(right))
                if a == CONST:
                    return _scaled(b, self._bounds(left))
                positive = self._bounds(left).lo >= 0 and self._bounds(right).lo >= 0
                return _together([a, b]) if positive else None
            case "/":
                divisor = self._bounds(right)
                if divisor.lo <= 0:
                    return None
                if b == CONST:
                    return a
                return _together([a, -b]) if self._bounds(left).lo >= 0 else None
            case "**":
                if self._bounds(left).lo >= 1 or (b == CONST and self._bounds(left).lo >= 0):
                    return _together([a, b])
                return None
            case _:
                return None


def _flip(way: int | None) -> int | None:
    return None if way is None else -way


def _together(ways: list[int | None]) -> int | None:
    """The direction of what grows with each of several parts."""
    if None in ways or (UP in ways and DOWN in ways):
        return None
    return UP if UP in ways else DOWN if DOWN in ways else CONST


def _scaled(way: int, by: Interval) -> int | None:
    return way if by.lo >= 0 else -way if by.hi <= 0 else None
