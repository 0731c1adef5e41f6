"""Heaps of all sizes: their values follow a law that a theorem gives, or a period that was found and proved.

The rule is recognised in normal form (`analysis.heap`), never by its name. Values come from the law; where there is
none yet, from a table that grows until a theorem proves a period, or as far as the heaps asked (`plan.heap.values`).

Under misère play a heap of a subtraction game is lost exactly where its value under normal play is 1 (Ferguson 1974;
see `plan.sum.tame`, which is about sums of them).
"""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.analysis.cut import HeapRule
from gamespec.analysis.facts import Facts
from gamespec.analysis.heap import Heap
from gamespec.analysis.passes import SPARSE
from gamespec.answers.ask import interacts
from gamespec.budget import Budget, time_text
from gamespec.diagnostics import LimitError
from gamespec.game.evaluate import Evaluator, TooMuchWork
from gamespec.game.model import Game, Value
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, select, sub
from gamespec.kernel.moves import Option, Words
from gamespec.kernel.shape import shape_of
from gamespec.plan.encode import givens_of, rules
from gamespec.plan.fault import explain
from gamespec.plan.given import Rows, bound_givens
from gamespec.plan.heap import kernel as heap_kernel
from gamespec.plan.heap.law import law_of
from gamespec.plan.heap.values import MOST_HEAPS, MOST_WORK, HeapValues, theorem_of
from gamespec.plan.listing import Listing, ordered
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Plan, Reason, Refusal, may_fail
from gamespec.plan.plan import Option as Answer
from gamespec.plan.problems import TOO_MANY_MOVES
from gamespec.plan.valuation import Kind, valuation
from gamespec.plan.watch import TABLE, polled, watched
from gamespec.types import IntType

NAME = "period"

NANOSECONDS_A_LAW = 1e4
NANOSECONDS_A_SEARCH = 3e5
NANOSECONDS_A_SPLIT = 5e6
NANOSECONDS_A_PAIR = 3.0
MOST_LISTED = 1 << 22  # moves of one position
MOST_RULES = 64  # rules whose values are kept
LARGEST = 1 << 62

LAW = tuple(ir.Scalar(name, ir.I64) for name in ("law.known", "law.first", "law.period", "law.saltus"))


class Period:
    """What the kernels and the solver of one game share."""

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        assert isinstance(facts.heap, Heap)
        self.game = game
        self.facts = facts
        self.heap = facts.heap
        self.valuation = valuation(game, facts, ask)
        self.grundy = self.valuation.kind is Kind.GRUNDY
        self.shapes = {field.name: shape_of(field) for field in game.states}
        self.givens = givens_of(game)

    def listing(self) -> ir.Function:
        """Lists the options of one heap, each with the Grundy value of what it leaves (see `plan.listing`)."""
        b = Builder()
        b.declare(heap_kernel.VALUE, TABLE, *LAW, *self.givens.params(), *Listing.params(self.shapes))
        polled(b)
        here = rules(b, self.game, self.facts, self.shapes, self.givens)
        listing = Listing(b, self.game)
        words = listing.position(self.shapes)
        count = listing.write(here, words, lambda option: self._look(b, option))
        b.returns(count)
        return b.function(f"{NAME}.options", hot=False)

    def _look(self, b: Builder, option: Option) -> ir.Expr:
        values: list[ir.Expr] = []
        option.each_result(lambda words: values.append(self._value(b, words)))
        total: ir.Expr = const(0, ir.U64)
        for value in values:
            total = binary("xor", total, value, ir.U64)
        return b.simple("left", total)

    def _value(self, b: Builder, words: Words) -> ir.Expr:
        """The value of a heap: from the table, or the one of the same place in the first period and what it grew by."""
        known, first, period, saltus = (ir.Var(scalar.name, ir.I64) for scalar in LAW)
        n = b.simple("n", cast(words[self.heap.field], ir.I64))
        beyond = b.local("beyond", sub(n, first))
        inside = compare("lt", n, known)
        folded = add(first, binary("mod", beyond, period, ir.I64))
        place = b.local("place", select(inside, n, folded))
        value = ir.Load(heap_kernel.VALUE.name, place, ir.U64)
        turns = select(inside, const(0), binary("div", beyond, period, ir.I64))
        return b.local("value", add(value, cast(binary("mul", turns, saltus, ir.I64), ir.U64)))


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    found = facts.heap
    if not isinstance(found, Heap):
        reason = Reason("a position is not one heap") if found is None else Reason(found.reason, found.span)
        return Refusal(NAME, reason)
    if game.partisan or game.scored or interacts(game) or game.endless is not None:
        return Refusal(NAME, Reason("values of heaps are for impartial games under normal play"))
    if game.misere and not found.subtracts:
        text = "under misère play values decide only where every move takes a number of a fixed set"
        return Refusal(NAME, Reason(text, game.winner_span))
    if ask.distance and not ask.grundy and not game.sum:
        return Refusal(NAME, Reason("values say who wins, not how long it takes"))
    if (failing := may_fail(facts)) is not None:
        return Refusal(NAME, failing)
    if facts.finite is None:
        return Refusal(NAME, Reason("not proved that every play ends"))
    if sizes_of(game).hi >= LARGEST:
        return Refusal(NAME, Reason("heaps may be larger than 2^62", game.states[0].span))
    lowest = sizes_of(game).lo
    if lowest > sizes_of(game).size and (found.fixed is None or law_of(found.fixed) is None):
        text = f"values are made from 0 on, and these heaps begin with {lowest:,}: a table of them is smaller"
        return Refusal(NAME, Reason(text, game.states[0].span))
    why, cost = _prospect(found)
    if why is None:
        return Refusal(NAME, Reason(f"no theorem gives a period ({found.fixed})", found.span))
    if game.misere:
        why += "; lost where that is 1, as the player who is stuck wins"
    return Bid(NAME, cost, 0, (Reason(why, found.span),), proviso=_proviso(found, sizes_of(game).hi))


def sizes_of(game: Game) -> Interval:
    """The sizes that a heap may have."""
    of = game.states[0].type
    assert isinstance(of, IntType)
    return of.bounds


def _prospect(found: Heap) -> tuple[str | None, float]:
    """What will give the values, None if nothing will, and about how long that takes."""
    rule = found.fixed
    if rule is None:
        cost = NANOSECONDS_A_SPLIT if any(len(effect.parts) > 1 for effect in found.effects) else NANOSECONDS_A_SEARCH
        return f"{found.evidence.text}; a law or a proved period gives the values", cost
    if rule.finite:
        law = law_of(rule)
        theorem = theorem_of(rule) if law is None else law.theorem
        what = f"{rule}; {theorem.name}: {theorem.statement}"
        cost = NANOSECONDS_A_LAW if law is not None else NANOSECONDS_A_SPLIT if rule.splits else NANOSECONDS_A_SEARCH
        return what, cost
    law = law_of(rule)
    if law is None:
        return None, 0
    return f"{rule}; {law.theorem.name}: {law.theorem.statement}", NANOSECONDS_A_LAW


def _proviso(found: Heap, highest: int) -> str:
    """What the cost depends on where no theorem gives the values beforehand."""
    rule = found.fixed
    if rule is not None and law_of(rule) is not None:
        return ""
    if highest < MOST_HEAPS:
        return "if a period is found early; else all values up to the largest heap asked are made"
    work = time_text(MOST_WORK * NANOSECONDS_A_PAIR)
    return (
        "if a period is found early, or few numbers give values that are words over and over; else values are made up "
        f"to {MOST_HEAPS:,} heaps or {MOST_WORK:,} moves ({work}), and larger heaps are refused"
    )


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    own = (Period(game, facts, ask).listing(),) if ask.moves else ()
    return (*heap_kernel.functions(), *own)


class PeriodSolver:
    """Values of heaps of each rule that the data of the cases give."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.period = Period(game, facts, plan.ask)
        self.game = game
        self.plan = plan
        self.kernels = kernels
        self.budget = budget
        self.at = watched(budget)
        self.rules: dict[tuple[Value, ...], HeapRule] = {}
        self.known: dict[HeapRule, HeapValues] = {}

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        fixed = self.period.heap.fixed
        found = self._values((), states) if fixed is not None else Rows(givens, states).answer(self._values)
        return found if self.period.grundy else list(map(self._outcome, found))

    def _outcome(self, value: int) -> int:
        """Whether a heap with this Grundy value is won."""
        return int(value != 1) if self.game.misere else int(value > 0)

    def _values(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        column: Sequence[int] = states[0]  # type: ignore[assignment]
        if not len(column):
            return []
        heaps = self._heaps(givens)
        heaps.upto(max(column))
        return heaps.several(column)

    def _heaps(self, givens: tuple[Value, ...]) -> HeapValues:
        """The values for the data of a case; those of rules that have not been asked for long are given up."""
        rule = self.period.heap.fixed
        if rule is None:
            rule = self.rules.get(givens)
        if rule is None:
            if len(self.rules) >= MOST_RULES:
                self.rules.clear()
            rule = self.rules[givens] = self.period.heap.rule(givens)
        found = self.known.get(rule)
        if found is None:
            if len(self.known) >= MOST_RULES:
                self.known.pop(next(iter(self.known))).release()
            found = self.known[rule] = HeapValues(
                rule, self.kernels, self.budget, self.period.heap.field, sparse=SPARSE not in self.period.facts.disabled
            )
        return found

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Answer]:
        heaps = self._heaps(tuple(givens))
        n = state[0]
        assert isinstance(n, int)
        heaps.upto(n)
        count = heaps.rule.count(n)
        if count > MOST_LISTED:
            what = f"{self.period.heap.field} = {n:,}"
            raise LimitError(TOO_MANY_MOVES.at(None, what=what, count=f"{count:,}", most=f"{MOST_LISTED:,}"))
        if not heaps.tabled(n):
            return self._by_definition(heaps, givens, n)
        words = [shape.word(value) for shape, value in zip(self.period.shapes.values(), state, strict=True)]
        args = (*self._law(heaps), *bound_givens(self.period.givens, self.game, givens), *words)
        name = f"{NAME}.options"
        status, found = Listing.read(self.kernels[name], args, self.game, self.at, self.budget)
        if status < 0:
            raise explain(self.plan.functions[name], status, self.game, givens, tuple(state))
        return [self._answer(row.move, row.choices, row.code) for row in ordered(found)]

    def _answer(self, move: int, choices: tuple[int, ...], value: int) -> Answer:
        worth = self.period.valuation.worth(value if self.period.grundy else self._outcome(value), False, 0)
        return Answer(move, choices, worth)

    def _law(self, heaps: HeapValues) -> list[object]:
        """The arguments of the listing kernel: a table of values, and how they go on."""
        law = heaps.law
        if law is None:
            return [heaps.values, self.at, heaps.known, 0, 1, 0]
        head = heaps.head()
        return [head, self.at, law.preperiod + law.period, law.preperiod, law.period, law.saltus]

    def _by_definition(self, heaps: HeapValues, givens: Sequence[Value], n: int) -> list[Answer]:
        """The moves of a heap whose values are in no table, listed by the definition."""
        evaluator = Evaluator(self.game, self.game.data(givens), steps=MOST_LISTED)
        try:
            moves = evaluator.moves((n,))
        except TooMuchWork as error:
            raise LimitError(*error.diagnostics) from error
        once = {(move.move, move.choices): move for move in moves}
        return [
            self._answer(*key, heaps.value(once[key].results[0][0]))  # type: ignore[arg-type]
            for key in sorted(once)
        ]


__all__ = ["NAME", "PeriodSolver", "bid", "lower"]
