"""Games built straight from the model, so that the evaluator is tested without the reader and the checker."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.game import model
from gamespec.game.model import Bind, Do, Expr, Field, Game, Into, Move, Tail, Terminal, Update, Value
from gamespec.interval import Interval
from gamespec.source import NOWHERE, Source
from gamespec.types import BOOL, ArrayType, IntType, ListType, SetType, Type

NUMBER = IntType(Interval(-(10**9), 10**9))
NUMBERS = SetType(NUMBER)
LIST = ListType(NUMBER)


def con(value: Value) -> Expr:
    of: Type = NUMBERS if isinstance(value, frozenset) else NUMBER
    return model.Const(value=value, type=of)


def state(name: str, of: Type = NUMBER) -> Expr:
    return model.StateRef(name=name, type=of)


def given(name: str, of: Type = NUMBER) -> Expr:
    return model.GivenRef(name=name, type=of)


def local(name: str) -> Expr:
    return model.LocalRef(name=name, type=NUMBER)


def let(name: str, of: Type = NUMBER) -> Expr:
    return model.LetRef(name=name, type=of)


def binary(op: str, left: Expr, right: Expr) -> Expr:
    of = NUMBERS if isinstance(left.type, SetType | ListType) else NUMBER
    return model.Binary(op=op, left=left, right=right, type=of)


def compare(op: str, left: Expr, right: Expr) -> Expr:
    return model.Compare(op=op, left=left, right=right, type=BOOL)


def span(lo: Expr, hi: Expr) -> Expr:
    return model.Range(lo=lo, hi=hi, type=NUMBERS)


def set_of(*items: Expr) -> Expr:
    return model.SetOf(items=items, type=NUMBERS)


def call(name: str, *args: Expr, of: Type = NUMBER) -> Expr:
    return model.Call(name=name, args=args, type=of)


def fold(op: str, item: Expr, *binds: Bind, condition: Expr | None = None) -> Expr:
    return model.Fold(op=op, item=item, tail=Tail(binds, condition), type=NUMBER)


def cell(base: Expr, index: Expr, lo: Expr, hi: Expr) -> Expr:
    return model.Index(base=base, indices=(index,), dims=((lo, hi),), type=NUMBER)


def field(name: str, lo: Expr, hi: Expr) -> Field:
    return Field(name, NUMBER, lo, hi)


def set_field(name: str, lo: int, hi: int) -> Field:
    return Field(name, SetType(IntType(Interval(lo, hi))), con(lo), con(hi))


def array_field(name: str, first: Expr, last: Expr, lo: int, hi: int) -> Field:
    of = ArrayType((Interval(0, 99),), IntType(Interval(lo, hi)))
    return Field(name, of, con(lo), con(hi), ((first, last),))


def update(name: str, op: str, value: Expr, index: Expr | None = None, tail: Tail | None = None) -> Update:
    return Update(name, None if index is None else (index,), op, value, tail)


def move(
    name: str,
    effect: Sequence[Update] | Into,
    choices: Sequence[Bind] = (),
    guards: Sequence[Sequence[Expr]] | None = None,
) -> Move:
    sorted_guards = tuple(map(tuple, guards)) if guards else ((),) * (len(choices) + 1)
    return Move(name, tuple(choices), sorted_guards, effect if isinstance(effect, Into) else Do(tuple(effect)))


def game(
    states: Sequence[Field],
    moves: Sequence[Move],
    *,
    givens: Sequence[Field] = (),
    lets: dict[str, Expr] | None = None,
    requires: Sequence[Expr] = (),
    terminals: Sequence[Terminal] = (),
    start: Sequence[Update] = (),
    disjunctive: bool = False,
    misere: bool = False,
) -> Game:
    return Game(
        name="handmade",
        source=Source("handmade.game", ""),
        about="",
        origin="",
        rules="",
        params={},
        givens=tuple(givens),
        states=tuple(states),
        requires=tuple(requires),
        lets=lets or {},
        sum=disjunctive,
        start=tuple(start),
        moves=tuple(moves),
        terminals=tuple(terminals),
        misere=misere,
        winner_span=NOWHERE,
        input=None,
        output=(),
        plan=None,
        plan_span=NOWHERE,
        tests=(),
    )
