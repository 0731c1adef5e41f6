"""Theorems about rows of numbers, of any length: cells are read one by one, a row is never held in a word.

Only the kernel that lists the moves of one position holds it in words, as all such kernels do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate, chain

from gamespec.analysis.facts import Facts
from gamespec.analysis.match import NoMatch, Place
from gamespec.game.form import Form
from gamespec.game.model import Const, Field, Game
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, cast, sub
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Rules, Words
from gamespec.plan.plan import Ask, Column
from gamespec.plan.theorem.formula import Formula
from gamespec.plan.watch import TABLE
from gamespec.types import ArrayType, IntType, is_scalar

MOST = 1 << 56  # of a cell, so that sums of cells fit

Cell = Callable[[ir.Expr], ir.Expr]
"""The cell (i64) at a place (i64) counted from 0."""


class RowFormula(Formula):
    """The formula of a game of one row of numbers, with or without other numbers."""

    name = "theorem"

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        super().__init__(game, facts, ask, wide=True)
        (self.row,) = (field for field in game.states if not is_scalar(field.type))
        self.others = [field for field in game.states if is_scalar(field.type)]

    def row_value(self, b: Builder, cell: Cell, count: ir.Expr, others: dict[str, ir.Expr]) -> ir.Expr:
        """The value of a row of so many cells (i64), the other numbers being `others` (i64)."""
        raise NotImplementedError

    def value(self, b: Builder, rules: Rules, position: Words) -> ir.Expr:
        word, shape = position[self.row.name], self.shapes[self.row.name]
        k = rules.at(position)

        def cell(place: ir.Expr) -> ir.Expr:
            return b.local("cell", cast(k.cell(shape, word, place), ir.I64))

        count = b.local("cells", cast(k.count(self.row), ir.I64))
        others = {field.name: cast(position[field.name], ir.I64) for field in self.others}
        return cast(self.row_value(b, cell, count, others), ir.U128)

    def answer(self) -> ir.Function:
        """Writes the value of each row; `starts` says where it begins among the `cells`, with the end as last entry."""
        b = Builder()
        columns = [ir.Table(f"{field.name}.column", ir.I64) for field in self.others]
        b.declare(ir.Table("cells", ir.I64), ir.Table("starts", ir.I64), *columns)
        b.declare(ir.Table("answers", ir.U128), TABLE, ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
        with b.loop("row", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as row:
            start = b.local("start", ir.Load("starts", row, ir.I64))
            end = b.local("end", ir.Load("starts", add(row, 1), ir.I64))

            def cell(place: ir.Expr) -> ir.Expr:
                return b.local("cell", ir.Load("cells", add(start, place), ir.I64))

            others: dict[str, ir.Expr] = {
                field.name: b.local(field.name, ir.Load(f"{field.name}.column", row, ir.I64)) for field in self.others
            }
            value = self.row_value(b, cell, b.local("cells", sub(end, start)), others)
            b.store("answers", row, cast(value, ir.U128))
        b.returns(0)
        return b.function(f"{self.name}.answer")

    def room(self, columns: Mapping[str, Column]) -> int:
        rows = columns[self.row.name]
        return 8 * (sum(map(len, rows)) + (1 + len(self.others)) * (len(rows) + 1))  # type: ignore[arg-type]

    def loaded(self, columns: Mapping[str, Column]) -> list[Buffer]:
        rows = columns[self.row.name]
        sizes = [len(row) for row in rows]  # type: ignore[arg-type]
        cells = allocate(ir.I64, max(1, sum(sizes)))
        cells.from_ints(chain.from_iterable(rows))  # type: ignore[arg-type]
        starts = allocate(ir.I64, len(rows) + 1)
        starts.from_ints(accumulate(sizes, initial=0))
        buffers = [cells, starts]
        for field in self.others:
            buffer = allocate(ir.I64, len(rows))
            buffer.from_ints(columns[field.name])  # type: ignore[arg-type]
            buffers.append(buffer)
        return buffers


def is_row(game: Game, others: int) -> bool:
    """Whether a position is one row of numbers and so many other numbers."""
    rows = [field for field in game.states if isinstance(field.type, ArrayType)]
    numbers = [field for field in game.states if isinstance(field.type, IntType)]
    return (
        len(rows) == 1
        and len(numbers) == others
        and len(game.states) == 1 + others
        and len(rows[0].type.dims) == 1  # type: ignore[union-attr]
        and isinstance(rows[0].type.of, IntType)  # type: ignore[union-attr]
        and not game.sum
    )


def ends(place: Place, row: Field) -> tuple[Form, Form]:
    """The first and the last index of a row."""
    ((first, last),) = row.dims
    return place.context.form(first), place.context.form(last)


def limits(row: Field) -> tuple[int, int]:
    """The least and the largest number that a cell may hold, where that does not depend on the case."""
    match row.lo, row.hi:
        case Const(value=int() as lo), Const(value=int() as hi) if max(abs(lo), abs(hi)) < MOST:
            return lo, hi
        case _:
            raise NoMatch(f"the limits of {row.name} are not fixed", row.span)


def first_index(row: Field) -> int:
    """The first index of a row, where that does not depend on the case."""
    ((first, _),) = row.dims
    if isinstance(first, Const) and isinstance(first.value, int):
        return first.value
    raise NoMatch(f"the first index of {row.name} is not fixed", row.span)
