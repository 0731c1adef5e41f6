"""Expressions over the data of cases as Python closures: several times as fast as the evaluator, for many cases.

The evaluator stays the definition: whatever a closure does not know, or where it fails, is asked there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import gcd
from typing import Any

from gamespec.budget import look
from gamespec.builtins import BUILTINS
from gamespec.builtins.entry import CELLS
from gamespec.diagnostics import LimitError
from gamespec.game import model
from gamespec.game.model import Expr, Game, Tail, Value
from gamespec.run.meaning import STEPS, meaning
from gamespec.types import ListType, SetType

Env = dict[str, Any]
Closure = Callable[[Env], Any]
"""From the values of names to that of an expression. Locals are set in the same dict: no two in one expression share
a name."""

WORK = "#work"
"""The name under which an environment counts the steps that may still be taken."""

CLOCKED = 1 << 15  # steps between two looks at the clock

NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "xor": operator.xor,
}
SETS: dict[str, Callable[[Any, Any], Any]] = {
    "|": operator.or_,
    "&": operator.and_,
    "-": operator.sub,
    "xor": operator.xor,
}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class TooLong(Exception):
    """Too many steps: the evaluator says where."""


class Unknown(Exception):
    """An expression that has no closure."""


def quick(game: Game, expr: Expr) -> Callable[[Mapping[str, Value]], Value]:
    """The value of an expression of fields and input names, like `meaning`, for many cases."""
    try:
        closure = Compiler(game).closure(expr)
    except (Unknown, RecursionError):
        return lambda values: meaning(game, expr, values)

    def value(values: Mapping[str, Value]) -> Value:
        try:
            found: Value = closure({**values, WORK: STEPS})
        except LimitError:
            raise
        except Exception:  # the evaluator says what is wrong
            return meaning(game, expr, values)
        return found

    return value


def quick_array(game: Game, field: model.Field, update: model.Update) -> Callable[[Mapping[str, Value]], Value] | None:
    """The array of which one `start a[i] = …` gives every cell, for many cases; None where there is no closure.

    The function raises where the evaluator has to say what is wrong, or what is in cells that are given no value.
    """
    compiler = Compiler(game)
    try:
        ends = [(compiler.closure(lo), compiler.closure(hi)) for lo, hi in field.dims]
        places = tuple(map(compiler.closure, update.indices or ()))
        one = compiler.closure(update.value)
        cells: dict[tuple[int, ...], Any] = {}

        def add(env: Env) -> bool:
            place = tuple(index(env) for index in places)
            if place in cells:
                raise Unknown
            cells[place] = one(env)
            return True

        walk = add if update.tail is None else compiler.loop(update.tail, add)
    except (Unknown, RecursionError):
        return None

    def value(values: Mapping[str, Value]) -> Value:
        env: Env = {**values, WORK: STEPS}
        runs = [range(lo(env), hi(env) + 1) for lo, hi in ends]
        cells.clear()
        walk(env)
        found = tuple(cells.pop(place) for place in product(*runs))
        if cells:
            raise IndexError
        return found

    return value


class Compiler:
    """Makes closures for one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lets: dict[str, Closure] = {}

    def closure(self, expr: Expr) -> Closure:
        """The closure of an expression. Raises Unknown."""
        match expr:
            case model.Const(value=value):
                return lambda env: value
            case model.StateRef(name=name) | model.GivenRef(name=name) | model.InputRef(name=name):
                return operator.itemgetter(name)
            case model.AnswerRef(name=name) | model.LocalRef(name=name):
                return operator.itemgetter(name)
            case model.LetRef(name=name):
                return self._let(name)
            case model.Neg(operand=operand):
                inner = self.closure(operand)
                return lambda env: -inner(env)
            case model.Not(operand=operand):
                inner = self.closure(operand)
                return lambda env: not inner(env)
            case model.Binary(op=op, left=left, right=right):
                if isinstance(left.type, SetType | ListType):
                    return _two(_known(SETS, op), self._set(left), self._set(right))
                return _two(_known(NUMBERS, op), self.closure(left), self.closure(right))
            case model.Compare(op=op, left=left, right=right):
                sets = isinstance(left.type, SetType | ListType) or isinstance(right.type, SetType | ListType)
                get = self._set if sets else self.closure
                return _two(COMPARED[op], get(left), get(right))
            case model.Member(item=item, within=model.Range(lo=lo, hi=hi)):
                one, least, most = self.closure(item), self.closure(lo), self.closure(hi)
                return lambda env: least(env) <= one(env) <= most(env)
            case model.Member(item=item, within=within):
                return _two(lambda member, whole: member in whole, self.closure(item), self.closure(within))
            case model.And(operands=operands):
                return _all(tuple(map(self.closure, operands)))
            case model.Or(operands=operands):
                return _any(tuple(map(self.closure, operands)))
            case model.If(condition=condition, then=then, other=other):
                test, yes, no = map(self.closure, (condition, then, other))
                return lambda env: yes(env) if test(env) else no(env)
            case model.Range(lo=lo, hi=hi):
                return _two(_range_set, self.closure(lo), self.closure(hi))
            case model.SetOf(items=items):
                each = tuple(map(self.closure, items))
                return lambda env: frozenset(one(env) for one in each)
            case model.SetComp(item=item, tail=tail):
                return self._comprehension(item, tail)
            case model.Fold(op=op, item=item, tail=tail):
                return self._fold(op, item, tail)
            case model.Index(base=base, indices=indices, dims=dims):
                return self._index(base, indices, dims)
            case model.Call(name=name, args=args):
                evaluate, given = BUILTINS[name].evaluate, tuple(map(self.closure, args))
                return lambda env: evaluate([arg(env) for arg in given])
            case _:
                raise Unknown

    def loop(self, tail: Tail, then: Callable[[Env], bool]) -> Callable[[Env], bool]:
        """Goes through a `for … if …`, as long as `then` says true."""
        inner = then
        if tail.condition is not None:
            test, last = self.closure(tail.condition), then
            inner = lambda env: last(env) if test(env) else True  # noqa: E731
        for bind in reversed(tail.binds):
            inner = self._bound(bind, inner)
        return inner

    def _bound(self, bind: model.Bind, inner: Callable[[Env], bool]) -> Callable[[Env], bool]:
        name, values = bind.name, self._elements(bind.within)

        def loop(env: Env) -> bool:
            for value in values(env):
                env[WORK] -= 1
                if not env[WORK] % CLOCKED:
                    look()
                if env[WORK] < 0:
                    raise TooLong
                env[name] = value
                if not inner(env):
                    return False
            return True

        return loop

    def _elements(self, expr: Expr) -> Callable[[Env], Iterable[int]]:
        while isinstance(expr, model.LetRef) and isinstance(self.game.lets[expr.name], model.Range):
            expr = self.game.lets[expr.name]
        if isinstance(expr, model.Range):
            lo, hi = self.closure(expr.lo), self.closure(expr.hi)
            return lambda env: range(lo(env), hi(env) + 1)
        return self.closure(expr)

    def size(self, expr: Expr) -> Callable[[Env], int]:
        """How many values a loop over a set or a list goes through."""
        values = self._elements(expr)

        def count(env: Env) -> int:
            found = values(env)
            return max(0, found.stop - found.start) if isinstance(found, range) else len(found)  # type: ignore[arg-type]

        return count

    def _let(self, name: str) -> Closure:
        if name not in self._lets:
            self._lets[name] = self.closure(self.game.lets[name])
        definition, key = self._lets[name], f"#{name}"

        def value(env: Env) -> Any:
            if key not in env:
                apart = dict(env)  # the names that it binds are its own
                found = definition(apart)
                env[WORK] = apart[WORK]
                env |= {each: kept for each, kept in apart.items() if each[0] == "#"}
                env[key] = found
            return env[key]

        return value

    def _set(self, expr: Expr) -> Closure:
        inner = self.closure(expr)
        return (lambda env: frozenset(inner(env))) if isinstance(expr.type, ListType) else inner

    def _comprehension(self, item: Expr, tail: Tail) -> Closure:
        one = self.closure(item)
        found: list[set[Any]] = []

        def add(env: Env) -> bool:
            found[-1].add(one(env))
            return True

        loop = self.loop(tail, add)

        def value(env: Env) -> frozenset[Any]:
            found.append(set())
            try:
                loop(env)
                return frozenset(found[-1])
            finally:
                found.pop()

        return value

    def _fold(self, op: str, item: Expr, tail: Tail) -> Closure:
        one = self.closure(item)
        if op in ("any", "all"):
            wanted = op == "all"
            loop = self.loop(tail, lambda env: bool(one(env)) is wanted)
            return lambda env: loop(env) is wanted
        found: list[list[Any]] = []

        def add(env: Env) -> bool:
            found[-1].append(one(env))
            return True

        collect = self.loop(tail, add)
        made: dict[str, Callable[[list[Any]], Any]] = {
            "sum": sum,
            "min": min,
            "max": max,
            "count": lambda values: sum(map(bool, values)),
            "gcd": lambda values: gcd(*values),
        }
        make = _known(made, op)

        def value(env: Env) -> Any:
            found.append([])
            try:
                collect(env)
                return make(found[-1])
            finally:
                found.pop()

        return value

    def _index(self, base: Expr, indices: Sequence[Expr], dims: Sequence[tuple[Expr, Expr]]) -> Closure:
        cells = self.closure(base)
        places = [
            (self.closure(at), self.closure(lo), self.closure(hi)) for at, (lo, hi) in zip(indices, dims, strict=True)
        ]

        def value(env: Env) -> Any:
            place = 0
            for at, lo, hi in places:
                index, first, last = at(env), lo(env), hi(env)
                if not first <= index <= last:
                    raise IndexError
                place = place * (last - first + 1) + index - first
            return cells(env)[place]

        return value


def _known(table: Mapping[str, Any], op: str) -> Any:
    if op not in table:
        raise Unknown
    return table[op]


def _two(function: Callable[[Any, Any], Any], left: Closure, right: Closure) -> Closure:
    return lambda env: function(left(env), right(env))


def _all(operands: Sequence[Closure]) -> Closure:
    def value(env: Env) -> bool:
        return all(operand(env) for operand in operands)

    return value


def _any(operands: Sequence[Closure]) -> Closure:
    def value(env: Env) -> bool:
        return any(operand(env) for operand in operands)

    return value


def _range_set(lo: int, hi: int) -> frozenset[int]:
    if hi - lo >= CELLS:
        raise TooLong
    return frozenset(range(lo, hi + 1))
