"""Closed forms: Grundy values computed without a table.

C4, windows with a ceiling. A component counts c up to a ceiling s; a move adds 1..m(c), m non-decreasing, but
not beyond s. If c + m(c) ≥ s, the value is s − c. Otherwise let t be the largest number with t + m(t) < s: the value
at t is 0, and below t it is that of the same game with ceiling t. Proof by induction: for d > t the value is s − d.
From c < t with c + m(c) < t nothing reaches beyond t. Otherwise the options c+1..t give every value below t − c, and
an option d > t is worth s − d ≥ s − c − m(c) > t − c, because m(c) ≤ m(t) < s − t; so the mex is t − c, as in the
smaller game. Each t is found by bisection, as t + m(t) is strictly increasing. Downward windows with a floor are the
mirror image. Where m does not depend on c, the barriers are m + 1 apart, and the value is (s − c) mod (m + 1).
"""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.analysis.facts import Facts
from gamespec.analysis.window import Window
from gamespec.budget import Budget
from gamespec.game.model import Game, Value
from gamespec.kernel import ir
from gamespec.kernel.build import TRUE, Builder, add, binary, cast, compare, const, sub, wider
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape, shape_of
from gamespec.plan.encode import givens_of, with_scalars
from gamespec.plan.fault import explain
from gamespec.plan.given import bound_givens
from gamespec.plan.listing import Listing, ordered
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Plan, Reason, Refusal
from gamespec.plan.plan import Option as Answer
from gamespec.plan.valuation import Kind, valuation
from gamespec.plan.watch import TABLE, polled, watched

NAME = "closed"

NANOSECONDS = 1e3  # a position
PIECE = 1 << 14  # positions a kernel call


class Closed:
    """What the kernels and the solver of one game share."""

    def __init__(self, game: Game, facts: Facts, window: Window, ask: Ask) -> None:
        self.game = game
        self.valuation = valuation(game, facts, ask)
        self.facts = facts
        self.window = window
        self.givens = givens_of(game)
        self.shapes: dict[str, Shape] = {field.name: shape_of(field) for field in game.states}
        self.columns = (*self.givens.scalars, *self.shapes.values())

    def rules(self, b: Builder, names: dict[str, ir.Expr]) -> Rules:
        return Rules(b, self.game, self.facts.proofs, with_scalars(self.shapes, self.givens), names)

    def answer(self) -> ir.Function:
        """Writes the value of each row of the columns `NAME.column` to `answers`."""
        b = Builder()
        columns = [ir.Table(f"{shape.name}.column", shape.type) for shape in self.columns]
        own = (ir.Table("answers", ir.U128), TABLE)
        b.declare(*columns, *own, ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
        with b.loop("row", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as row:
            b.before_fault = lambda: b.store("at", const(0), row, proof="the first cell")
            names: dict[str, ir.Expr] = {}
            for shape in self.columns:
                names[shape.name] = b.local(shape.name, ir.Load(f"{shape.name}.column", row, shape.type))
            rules = self.rules(b, names)
            field = self.window.field
            b.store("answers", row, cast(self.value(b, rules, {field: names[field]}), ir.U128))
        b.returns(0)
        return b.function(f"{NAME}.answer")

    def value(self, b: Builder, rules: Rules, position: Words) -> ir.Expr:
        """The Grundy value of a position: by the chain of barriers, or at once where m is fixed.

        Where moves go down to a floor, everything is counted with the sign turned.
        """
        field, of = self.window.field, self.shapes[self.window.field].type
        now = b.simple("c", position[field])
        ceiling = rules.at(position).value(self.window.ceiling)
        wide = wider(now.type, ceiling.type)
        now = b.local("c", self.turned(cast(now, wide)))
        ceiling = b.local("ceiling", self.turned(cast(ceiling, wide)))
        if self.window.constant:
            return self.remainder(b, rules, position, sub(ceiling, now))
        value = b.local("value", const(0, wide))
        going = b.local("going", TRUE)
        with b.loop_while(going):
            with b.when(self.reaches(b, rules, now, of, ceiling)):
                b.assign(value, sub(ceiling, now))
                b.assign(going, ir.Const(0, ir.I1))
            with b.otherwise():
                # The barrier lies in low..high, and low is always below it or at it.
                low, high = b.local("low", now), b.local("high", sub(ceiling, 1))
                with b.loop_while(compare("lt", low, high)):
                    gap = binary("div", sub(high, low), const(2, wide), wide)
                    middle = b.local("middle", sub(high, gap))
                    with b.when(self.reaches(b, rules, middle, of, ceiling)):
                        b.assign(high, sub(middle, 1))
                    with b.otherwise():
                        b.assign(low, middle)
                b.assign(ceiling, low)
                b.assign(going, compare("ne", low, now))
        return value

    def turned(self, number: ir.Expr) -> ir.Expr:
        """A number of the rule as the chain counts, or back."""
        return number if self.window.direction > 0 else sub(ir.Const(0, number.type), number)

    def remainder(self, b: Builder, rules: Rules, position: Words, left: ir.Expr) -> ir.Expr:
        """Where every move takes 1..m of what is left: left mod (m + 1); without a bound m, all that is left."""
        if not self.window.steps:
            return left
        most: ir.Expr | None = None
        for step in self.window.steps:
            size = rules.at(position).value(step)
            most = size if most is None else binary("min", cast(most, wider(most.type, size.type)), size, size.type)
        assert most is not None
        wide = wider(wider(most.type, left.type), ir.I64)
        left = b.simple("left", cast(left, wide))
        least = binary("max", binary("min", cast(most, wide), left, wide), const(0, wide), wide)
        return binary("mod", left, add(b.simple("most", least), 1), wide)

    def reaches(self, b: Builder, rules: Rules, at: ir.Expr, of: ir.Type, ceiling: ir.Expr) -> ir.Expr:
        """Whether a move from `at` may reach the ceiling: at + m(at) ≥ ceiling."""
        at = b.simple("at", at)
        result: ir.Expr = TRUE
        for step in self.window.steps:
            size = rules.at({self.window.field: cast(self.turned(at), of)}).value(step)
            wide = wider(size.type, ceiling.type)
            room = sub(cast(ceiling, wide), cast(at, wide))
            test = compare("ge", cast(size, wide), room)
            result = test if result == TRUE else binary("and", result, test, ir.I1)
        return b.simple("reaches", result)

    def listing(self) -> ir.Function:
        """Lists the options of one position (see `plan.listing`)."""
        b = Builder()
        b.declare(TABLE, *self.givens.params(), *Listing.params(self.shapes))
        polled(b)
        rules = self.rules(b, self.givens.names())
        listing = Listing(b, self.game)
        words = listing.position(self.shapes)
        count = listing.write(rules, words, lambda option: self._look(b, rules, option))
        b.returns(count)
        return b.function(f"{NAME}.options", hot=False)

    def _look(self, b: Builder, rules: Rules, option: Option) -> ir.Expr:
        return cast(self.value(b, rules, option.result), ir.U64)


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    window = facts.window
    if not isinstance(window, Window):
        return Refusal(NAME, Reason(window.reason, window.span))
    if game.partisan or game.misere or game.scored or any(terminal.verdict for terminal in game.terminals):
        return Refusal(NAME, Reason("closed forms are proved for impartial games under normal play"))
    if ask.distance and not ask.grundy and not game.sum:
        return Refusal(NAME, Reason("closed forms say who wins, not how long it takes"))
    if givens_of(game).tables:
        return Refusal(NAME, Reason("closed forms are computed from numbers, not from lists in the input"))
    text = (
        f"C4, windows with a ceiling: {window.reasons[0].text}, and the largest step is monotone in `{window.field}`; "
        f"the value comes from {'one division' if window.constant else 'a chain of bisections'}, without a table"
    )
    return Bid(NAME, NANOSECONDS, 0, (Reason(text, window.span),))


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    assert isinstance(facts.window, Window)
    closed = Closed(game, facts, facts.window, ask)
    return (closed.answer(), closed.listing()) if ask.moves else (closed.answer(),)


class ClosedSolver:
    """Computes values row by row; keeps nothing."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        assert isinstance(facts.window, Window)
        self.closed = Closed(game, facts, facts.window, plan.ask)
        self.game = game
        self.plan = plan
        self.kernels = kernels
        self.budget = budget
        self.grundy = self.closed.valuation.kind is Kind.GRUNDY
        self.at = watched(budget)

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        count = len(states[0])
        columns = [*givens, *states]
        cells = [shape.type for shape in self.closed.columns]
        size = count * (sum(cell.bits for cell in cells) + 128) // 8
        self.budget.take(size, f"the columns of {count:,} positions")
        try:
            return self._values(count, columns, cells)
        finally:
            self.budget.give_back(size)

    def _values(self, count: int, columns: Sequence[Column], cells: Sequence[ir.Type]) -> Sequence[int]:
        buffers: list[Buffer] = []
        for column, shape, cell in zip(columns, self.closed.columns, cells, strict=True):
            buffer = allocate(cell, count)
            buffer.from_ints(map(shape.word, column) if shape.kind != "number" else column)  # type: ignore[arg-type]
            buffers.append(buffer)
        answers = allocate(ir.U128, count)
        for first in range(0, count, PIECE):
            last = min(count, first + PIECE) - 1
            status = self.kernels[f"{NAME}.answer"](*buffers, answers, self.at, first, last)
            if status < 0:
                row = self.at[0]
                data = [column[row] for column in columns]
                split = len(columns) - len(self.game.states)
                position = tuple(data[split:])
                raise explain(self.plan.functions[f"{NAME}.answer"], status, self.game, data[:split], position)
            self.budget.tick(f"closed form: {last + 1:,} of {count:,} positions")
        found = answers.to_list()
        return found if self.grundy else [int(value > 0) for value in found]

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Answer]:
        words = [shape.word(value) for shape, value in zip(self.closed.shapes.values(), state, strict=True)]
        args = (self.at, *bound_givens(self.closed.givens, self.game, givens), *words)
        status, found = Listing.read(self.kernels[f"{NAME}.options"], args, self.game, self.at, self.budget)
        if status < 0:
            raise explain(self.plan.functions[f"{NAME}.options"], status, self.game, givens, tuple(state))
        valuation = self.closed.valuation
        return [row.option(valuation, row.code if self.grundy else int(row.code > 0)) for row in ordered(found)]
