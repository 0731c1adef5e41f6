"""Closed forms: Grundy values computed without a table.

C4, windows with a ceiling. A component counts c up to a ceiling s; a move adds 1..m(c), m non-decreasing, but
not beyond s. If c + m(c) ≥ s, the value is s − c. Otherwise let t be the largest number with t + m(t) < s: the value
at t is 0, and below t it is that of the same game with ceiling t. Proof by induction: for d > t the value is s − d.
From c < t with c + m(c) < t nothing reaches beyond t. Otherwise the options c+1..t give every value below t − c, and
an option d > t is worth s − d ≥ s − c − m(c) > t − c, because m(c) ≤ m(t) < s − t; so the mex is t − c, as in the
smaller game. Each t is found by bisection, as t + m(t) is strictly increasing. Downward windows with a floor are the
mirror image. Where m does not depend on c, the barriers are m + 1 apart, and the value is (s − c) mod (m + 1).

C1, windows that grow slowly (`analysis.slow`). From n one may take 1..f(n), and f grows by 0 or 1 from each n to the
next: the value is f(n) if f grew at n, else that of n − f(n) − 1. For f = n / k these are about k·ln n steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.analysis.facts import Facts
from gamespec.analysis.slow import UPWARDS, Slow
from gamespec.analysis.window import NoWindow, Window
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Expr, Game, StateRef, Value
from gamespec.kernel import ir
from gamespec.kernel.build import TRUE, Builder, add, binary, cast, compare, const, negate, sub, wider
from gamespec.kernel.moves import Rules, Words
from gamespec.plan.encode import givens_of
from gamespec.plan.plan import Ask, Bid, Kernels, Option, Plan, Reason, Refusal
from gamespec.plan.theorem.formula import Formula, FormulaSolver

NAME = "closed"

NANOSECONDS = 1e3  # a position


class Closed(Formula):
    """What the kernels and the solver of one game share."""

    name = NAME

    def __init__(self, game: Game, facts: Facts, window: Window, ask: Ask) -> None:
        super().__init__(game, facts, ask)
        self.window = window

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
        apart, turns = b.local("apart", const(-1, wide)), b.local("turns", const(1, wide))
        with b.loop_while(going):
            if b.poll:
                b.poll()
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
                # Barriers as far apart as before: many at once, if the lowest of them is just as far from the next one.
                below = b.local("below", sub(ceiling, low))
                same = b.local("same", compare("eq", below, apart))
                b.assign(apart, below)
                b.assign(turns, doubled(b, same, turns, sub(ceiling, now), apart))
                far = b.local("far", sub(ceiling, binary("mul", turns, apart, wide)))
                with b.when(compare("gt", turns, const(1, wide))):
                    after, end = b.local("after", add(far, 1)), b.local("end", add(far, apart))
                    with b.when(negate(self.reaches(b, rules, after, of, end))):
                        b.assign(turns, const(1, wide))
                        b.assign(far, low)
                b.assign(ceiling, far)
                b.assign(going, compare("ne", ceiling, now))
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


class Slowly(Formula):
    """Values under a window that grows slowly, by a chain of ever smaller positions."""

    name = NAME

    def __init__(self, game: Game, facts: Facts, window: Slow, ask: Ask) -> None:
        super().__init__(game, facts, ask)
        self.window = window

    def value(self, b: Builder, rules: Rules, position: Words) -> ir.Expr:
        """The largest step at the first position of the chain at which it grew; 0 at the least position."""
        shape = self.shapes[self.window.field]
        now = b.local("now", position[self.window.field])
        value = b.local("value", const(0, now.type))
        least = const(shape.bounds.lo, now.type)
        going = b.local("going", compare("gt", now, least))
        last, turns = b.local("last", const(0, now.type)), b.local("turns", const(1, now.type))
        with b.loop_while(going):
            if b.poll:
                b.poll()
            most = self.most(b, rules, now)
            before = self.most(b, rules, b.local("before", sub(now, 1)))
            with b.when(compare("ne", most, before)):
                b.assign(value, most)
                b.assign(going, ir.Const(0, ir.I1))
            with b.otherwise():
                # The same largest step as before: many at once, as long as it stays the same.
                same = b.local("same", compare("eq", most, last))
                b.assign(last, most)
                step = b.local("step", add(most, 1))
                b.assign(turns, doubled(b, same, turns, sub(now, least), step))
                far = b.local("far", sub(now, binary("mul", turns, step, now.type)))
                several = compare("gt", turns, const(1, now.type))
                with b.when(several), b.when(compare("ne", self.most(b, rules, far), most)):
                    b.assign(turns, const(1, now.type))
                    b.assign(far, sub(now, step))
                b.assign(now, far)
                b.assign(going, compare("gt", now, least))
        return value

    def most(self, b: Builder, rules: Rules, at: ir.Expr) -> ir.Expr:
        """The largest step from a position, at least 0."""
        size = rules.at({self.window.field: at}).value(self.window.most)
        wide = wider(size.type, at.type)
        return b.simple("most", cast(binary("max", cast(size, wide), const(0, wide), wide), at.type))


def doubled(b: Builder, same: ir.Expr, turns: ir.Var, room: ir.Expr, step: ir.Expr) -> ir.Expr:
    """Twice as many turns where they are the `same` as before and so many steps are within the room, else 1."""
    of = turns.type
    found = b.local("doubled", const(1, of))
    with b.when(same):
        half = binary("div", binary("div", room, step, of), const(2, of), of)
        with b.when(compare("le", turns, half)):
            b.assign(found, add(turns, turns))
    return found


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    window = facts.window if isinstance(facts.window, Window) else facts.slow
    if isinstance(window, NoWindow):
        told = facts.window if window.reason == UPWARDS else window
        assert isinstance(told, NoWindow)
        return Refusal(NAME, Reason(told.reason, told.span))
    if game.partisan or game.misere or game.scored or any(terminal.verdict for terminal in game.terminals):
        return Refusal(NAME, Reason("closed forms are proved for impartial games under normal play"))
    if ask.distance and not ask.grundy and not game.sum:
        return Refusal(NAME, Reason("closed forms say who wins, not how long it takes"))
    if givens_of(game).tables:
        return Refusal(NAME, Reason("closed forms are computed from numbers, not from lists in the input"))
    if isinstance(window, Slow):
        text = (
            f"C1, windows that grow slowly: {window.evidence.text}; the value comes from a chain of smaller positions"
        )
        return Bid(NAME, NANOSECONDS, 0, (Reason(text, window.evidence.span),))
    text = (
        f"C4, windows with a ceiling: {window.reasons[0].text}, and the largest step is monotone in `{window.field}`; "
        f"the value comes from {'one division' if window.constant else 'a chain of bisections'}, without a table"
    )
    return Bid(NAME, NANOSECONDS, 0, (Reason(text, window.span),))


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    return _formula(game, facts, ask).kernels(ask)


def _formula(game: Game, facts: Facts, ask: Ask) -> Closed | Slowly:
    if isinstance(facts.window, Window):
        return Closed(game, facts, facts.window, ask)
    assert isinstance(facts.slow, Slow)
    return Slowly(game, facts, facts.slow, ask)


class ClosedSolver(FormulaSolver):
    """Computes values row by row; keeps nothing."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        super().__init__(_formula(game, facts, plan.ask), plan, kernels, budget)
        self.window = facts.window

    def leaving(self, givens: Sequence[Value], state: Sequence[Value], value: int) -> list[Option]:
        """The moves that leave a value; where the largest step is fixed, each value within reach is left by one."""
        if not isinstance(self.window, Window) or not self.window.constant:
            return super().leaving(givens, state, value)
        evaluator = Evaluator(self.game, self.game.data(givens))
        position = tuple(state)
        now, end, *steps = (
            int(evaluator.expr(expr, position))  # type: ignore[arg-type]
            for expr in (self._own(), self.window.ceiling, *self.window.steps)
        )
        left = abs(end - now)
        most = min([left, *steps])
        taken = (left - value) % (most + 1) if steps else left - value
        if not 1 <= taken <= most or not 0 <= value <= most:
            return []  # values are remainders modulo the largest step and one
        kept = self.formula.valuation.worth(value if self.grundy else int(value > 0), False, 0)
        return [Option(0, (taken,), kept)]

    def _own(self) -> Expr:
        field = self.game.states[0]
        return StateRef(name=field.name, type=field.type)
