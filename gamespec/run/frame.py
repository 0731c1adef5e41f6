"""Expressions over many rows at once: whole columns by `map`, without a Python step for each row."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

import msgspec

from gamespec.game.model import (
    After,
    And,
    AnswerRef,
    Binary,
    Compare,
    Const,
    Expr,
    Game,
    GivenRef,
    If,
    InputRef,
    LetRef,
    Member,
    Neg,
    Not,
    Or,
    StateRef,
    Stuck,
    Value,
)
from gamespec.game.walk import within
from gamespec.run.quick import quick

ALWAYS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "xor": operator.xor,
    "|": operator.or_,
    "&": operator.and_,
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
REFERENCES = StateRef | GivenRef | InputRef | AnswerRef | After | Stuck  # what differs from row to row
BY_CONSTANT: dict[str, Callable[[Any, Any], Any]] = {"/": operator.floordiv, "%": operator.mod}


class Same(msgspec.Struct, frozen=True):
    """A column in which every row holds the same value."""

    value: Any


class Frame:
    """Rows of values of names; `columns[name][row]`.

    Expressions of arithmetic, comparison and logic that cannot fail are evaluated a column at a time; all others
    by the reference evaluator, row by row, in order.
    """

    def __init__(self, game: Game, columns: dict[str, Sequence[Any]], size: int) -> None:
        self.game = game
        self.columns = columns
        self.size = size
        self._lets: dict[str, Same | Sequence[Any]] = {}

    def column(self, expr: Expr) -> Same | Sequence[Any]:
        """The values of an expression on every row."""
        if self._is_total(expr):
            return self._column(expr)
        if self.size and not any(isinstance(part, REFERENCES) for part in within(expr, self.game.lets)):
            return Same(quick(self.game, expr)({}))
        return list(self._row_by_row(expr))

    def first(self, condition: Expr, wanted: bool = True) -> int | None:
        """The first row on which a condition has the truth value wanted; later rows are not evaluated, unless that
        cannot fail."""
        if not self._is_total(condition):
            return next((row for row, value in enumerate(self._row_by_row(condition)) if value == wanted), None)
        return first_of(self._column(condition), wanted, self.size)

    def row(self, row: int) -> dict[str, Value]:
        """The values of one row."""
        return {name: column[row] for name, column in self.columns.items()}

    def cut(self, size: int) -> None:
        """Leaves the first rows only."""
        self.size = size
        self.columns = {name: column[:size] for name, column in self.columns.items()}
        self._lets.clear()

    def _row_by_row(self, expr: Expr) -> Iterator[Value]:
        return map(quick(self.game, expr), map(self.row, range(self.size)))

    def _is_total(self, expr: Expr) -> bool:
        return all(_cannot_fail(part) for part in within(expr, self.game.lets))

    def _column(self, expr: Expr) -> Same | Sequence[Any]:
        match expr:
            case Const(value=value):
                return Same(value)
            case StateRef(name=name) | GivenRef(name=name) | InputRef(name=name):
                return self.columns[name]
            case LetRef(name=name):
                if name not in self._lets:
                    self._lets[name] = self._column(self.game.lets[name])
                return self._lets[name]
            case Neg(operand=operand):
                return mapped(operator.neg, self._column(operand))
            case Not(operand=operand):
                return mapped(operator.not_, self._column(operand))
            case Binary(op=op, left=left, right=right) | Compare(op=op, left=left, right=right):
                function = ALWAYS.get(op) or BY_CONSTANT[op]
                return mapped(function, self._column(left), self._column(right))
            case Member(item=item, within=whole):
                return mapped(operator.contains, self._column(whole), self._column(item))
            case And(operands=operands):
                return mapped(lambda *values: all(values), *map(self._column, operands))
            case Or(operands=operands):
                return mapped(lambda *values: any(values), *map(self._column, operands))
            case If(condition=condition, then=then, other=other):
                three = map(self._column, (condition, then, other))
                return mapped(lambda test, yes, no: yes if test else no, *three)
            case _:
                raise TypeError(f"{type(expr).__name__} is not evaluated by columns")


def _cannot_fail(expr: Expr) -> bool:
    match expr:
        case Const() | StateRef() | GivenRef() | InputRef() | LetRef():
            return True
        case Neg() | Not() | Compare() | Member() | And() | Or() | If():
            return True
        case Binary(op=op, right=right):
            return op in ALWAYS or (op in BY_CONSTANT and isinstance(right, Const) and right.value != 0)
        case _:
            return False


def mapped(function: Callable[..., Any], *columns: Same | Sequence[Any]) -> Same | Sequence[Any]:
    """The column of the function's values; `Same` if all columns are."""
    if all(isinstance(column, Same) for column in columns):
        return Same(function(*(column.value for column in columns if isinstance(column, Same))))
    return list(map(function, *map(values_of, columns)))


def values_of(column: Same | Sequence[Any]) -> Iterable[Any]:
    """The values, row by row, without end for `Same`."""
    return repeat(column.value) if isinstance(column, Same) else column


def first_of(column: Same | Sequence[Any], wanted: bool, size: int) -> int | None:
    """The first of `size` rows that holds the truth value wanted."""
    if isinstance(column, Same):
        return 0 if size and column.value == wanted else None
    try:
        return column.index(wanted)
    except ValueError:
        return None
