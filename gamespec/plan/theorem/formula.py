"""Values computed from the numbers of a position, without a table of positions: what closed forms and theorems share.

One kernel answers rows of positions, held as columns; another lists the options of one position, each with the value
of what it leaves. A subclass of `Formula` writes the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamespec.analysis.facts import Facts
from gamespec.budget import Budget
from gamespec.game.model import Game, Value
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, binary, cast, compare, const, either
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape, shape_of
from gamespec.plan.encode import givens_of, with_scalars
from gamespec.plan.fault import explain
from gamespec.plan.given import Rows, bound_givens
from gamespec.plan.listing import Listing, ordered
from gamespec.plan.plan import Ask, Column, Kernels, Plan
from gamespec.plan.plan import Option as Answer
from gamespec.plan.valuation import Kind, valuation
from gamespec.plan.watch import TABLE, polled, stop, watched
from gamespec.types import is_scalar

PIECE = 1 << 14  # positions a kernel call
WANTED = (ir.Scalar("every", ir.I64), ir.Scalar("wanted", ir.U128))
"""Whether all options are listed, and else the value that those leave that are."""


class Formula:
    """What the kernels and the solver of one game share.

    `tables` are further parameters of both kernels, behind those that all have: the solver gets their arguments from
    `prepared`, once for each set of givens.
    """

    name = "formula"
    tables: tuple[ir.Scalar | ir.Table, ...] = ()

    def __init__(self, game: Game, facts: Facts, ask: Ask, *, wide: bool = False) -> None:
        """`wide` rows are held in words only where moves are listed."""
        self.game = game
        self.valuation = valuation(game, facts, ask)
        self.facts = facts
        self.givens = givens_of(game)
        held = [field for field in game.states if ask.moves or not wide or is_scalar(field.type)]
        self.shapes: dict[str, Shape] = {field.name: shape_of(field) for field in held}
        self.columns = (*self.givens.scalars, *self.shapes.values())  # lists in the input are not asked for

    def value(self, b: Builder, rules: Rules, position: Words) -> ir.Expr:
        """The Grundy value of a position; where outcomes are asked, any number ≥ 0 that is 0 where the mover loses."""
        raise NotImplementedError

    def prepared(
        self, kernels: Kernels, givens: Sequence[Value], states: Sequence[Column], budget: Budget, at: Buffer
    ) -> tuple[object, ...]:
        """The arguments for `tables`, good for positions with these givens; `at` is what stops kernels."""
        return ()

    def room(self, columns: Mapping[str, Column]) -> int:
        """The bytes of what `loaded` allocates."""
        return len(next(iter(columns.values()))) * sum(shape.type.bits for shape in self.columns) // 8

    def loaded(self, columns: Mapping[str, Column]) -> list[Buffer]:
        """The tables of the kernel `answer` for the columns of all fields, by their names."""
        buffers = []
        for shape in self.columns:
            column = columns[shape.name]
            buffer = allocate(shape.type, len(column))
            buffer.from_ints(map(shape.word, column) if shape.kind != "number" else column)  # type: ignore[arg-type]
            buffers.append(buffer)
        return buffers

    def rules(self, b: Builder, names: dict[str, ir.Expr]) -> Rules:
        return Rules(
            b, self.game, self.facts.proofs, with_scalars(self.shapes, self.givens), names, self.facts.disabled
        )

    def kernels(self, ask: Ask) -> tuple[ir.Function, ...]:
        return (self.answer(), self.listing()) if ask.moves else (self.answer(),)

    def answer(self) -> ir.Function:
        """Writes the value of each row of the columns `NAME.column` to `answers`."""
        b = Builder()
        columns = [ir.Table(f"{shape.name}.column", shape.type) for shape in self.columns]
        own = (ir.Table("answers", ir.U128), TABLE)
        b.declare(*columns, *own, *self.tables, ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
        polled(b)
        with b.loop("row", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as row:
            b.before_fault = lambda: b.store("at", const(0), row, proof="the first cell")
            names: dict[str, ir.Expr] = {}
            for shape in self.columns:
                names[shape.name] = b.local(shape.name, ir.Load(f"{shape.name}.column", row, shape.type))
            rules = self.rules(b, names)
            position = {name: names[name] for name in self.shapes}
            b.store("answers", row, cast(self.value(b, rules, position), ir.U128))
        b.returns(0)
        return b.function(f"{self.name}.answer")

    def listing(self) -> ir.Function:
        """Lists the options of one position (see `plan.listing`): all, or those that leave the value `wanted`."""
        b = Builder()
        b.declare(TABLE, *self.givens.params(), *self.tables, *WANTED, *Listing.params(self.shapes))
        polled(b)
        rules = self.rules(b, self.givens.names())
        listing = Listing(b, self.game)
        words = listing.position(self.shapes)
        every, wanted = (ir.Var(scalar.name, scalar.type) for scalar in WANTED)

        def keep(value: ir.Expr) -> ir.Expr:
            return either(compare("ne", every, const(0)), compare("eq", cast(value, ir.U128), wanted))

        count = listing.write(rules, words, lambda option: self._look(b, rules, option), keep)
        b.returns(count)
        return b.function(f"{self.name}.options", hot=False)

    def _look(self, b: Builder, rules: Rules, option: Option) -> ir.Expr:
        if option.done is not None:
            return self.value(b, rules, option.result)
        total = b.local("total", const(0, ir.U128))
        option.each_result(lambda words: b.assign(total, binary("xor", total, self.value(b, rules, words), ir.U128)))
        return total


class FormulaSolver:
    """Computes values row by row; keeps nothing."""

    def __init__(self, formula: Formula, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.formula = formula
        self.game = formula.game
        self.plan = plan
        self.kernels = kernels
        self.budget = budget
        self.grundy = formula.valuation.kind is Kind.GRUNDY
        self.at = watched(budget)

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        if not self.formula.tables:
            return self._taken(givens, states, ())
        rows = Rows(givens, states)
        return rows.answer(self._prepared)

    def _prepared(self, data: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        tables = self.formula.prepared(self.kernels, data, states, self.budget, self.at)
        count = len(states[0])
        return self._taken([[value] * count for value in data], states, tables)

    def _taken(self, givens: Sequence[Column], states: Sequence[Column], tables: tuple[object, ...]) -> Sequence[int]:
        columns = [*givens, *states]
        count = len(states[0])
        if not count:
            return []
        names = (field.name for field in (*self.game.givens, *self.game.states))
        by_name = dict(zip(names, columns, strict=True))
        size = self.formula.room(by_name) + 16 * count
        self.budget.take(size, f"the columns of {count:,} positions")
        try:
            return self._values(count, columns, self.formula.loaded(by_name), tables)
        finally:
            self.budget.give_back(size)

    def _values(
        self, count: int, columns: Sequence[Column], buffers: list[Buffer], tables: tuple[object, ...]
    ) -> Sequence[int]:
        answers = allocate(ir.U128, count)
        name = f"{self.formula.name}.answer"
        for first in range(0, count, PIECE):
            last = min(count, first + PIECE) - 1
            while (status := self.kernels[name](*buffers, answers, self.at, *tables, first, last)) == ir.STOPPED:
                stop(self.at, self.budget)
            if status < 0:
                row = self.at[0]
                data = [column[row] for column in columns]
                split = len(columns) - len(self.game.states)
                position = tuple(data[split:])
                raise explain(self.plan.functions[name], status, self.game, data[:split], position)
            self.budget.tick(f"{self.plan.strategy}: {last + 1:,} of {count:,} positions")
        found = answers.to_list()
        return found if self.grundy else [int(value > 0) for value in found]

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Answer]:
        return self._listed(givens, state, None)

    def leaving(self, givens: Sequence[Value], state: Sequence[Value], value: int) -> list[Answer]:
        """The moves that leave a value."""
        return self._listed(givens, state, value)

    def _listed(self, givens: Sequence[Value], state: Sequence[Value], wanted: int | None) -> list[Answer]:
        formula = self.formula
        words = [shape.word(value) for shape, value in zip(formula.shapes.values(), state, strict=True)]
        tables: tuple[object, ...] = ()
        if formula.tables:
            tables = formula.prepared(self.kernels, givens, [[value] for value in state], self.budget, self.at)
        which = (1, 0) if wanted is None else (0, wanted)
        args = (self.at, *bound_givens(formula.givens, self.game, givens), *tables, *which, *words)
        status, found = Listing.read(self.kernels[f"{formula.name}.options"], args, self.game, self.at, self.budget)
        if status < 0:
            raise explain(self.plan.functions[f"{formula.name}.options"], status, self.game, givens, tuple(state))
        valuation = formula.valuation
        return [row.option(valuation, row.code if self.grundy else int(row.code > 0)) for row in ordered(found)]
