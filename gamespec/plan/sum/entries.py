"""Rows whose entries are played one by one: each entry is solved as a component, and the values are added.

What an entry is worth comes from a closed form, a table or a search of its own game (see `analysis.entries`). Under
misère play the entries are a sum of subtraction games (`plan.sum.tame`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import accumulate, chain, pairwise
from operator import xor

import msgspec

from gamespec.analysis.entries import Entries
from gamespec.analysis.facts import Facts
from gamespec.analysis.passes import TAME
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import LOST, WON, Game, Value
from gamespec.kernel import ir
from gamespec.plan.choose import CLOSED, MEMO, PERIOD, STRATEGIES, TABLE, Strategy
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Option, Plan, Reason, Refusal, Solver, WholeSolver, may_fail

NAME = "entries"


class EntriesSolver:
    """Answers for positions from the Grundy values of their entries."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.game = game
        self.ask = plan.ask
        self.entries, inner = _alone(facts)
        way, _ = _way(self.entries, inner, plan.ask)
        own = msgspec.structs.replace(plan, ask=_own_ask(game, plan.ask))
        self.alone: Solver = way.solver(self.entries.game, inner, own, kernels, budget)

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        sizes = [len(row) for row in states[0]]  # type: ignore[arg-type]
        columns = self._columns(givens, states, sizes)
        if isinstance(self.alone, WholeSolver):
            return self.alone.sums(*columns, sizes)
        values = self._values(*columns)
        totals = [reduce(xor, values[start:end], 0) for start, end in pairwise([0, *accumulate(sizes)])]
        return totals if self.ask.grundy else [WON if total else LOST for total in totals]

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        size = len(state[0])  # type: ignore[arg-type]
        columns = self._columns([[given] for given in givens], [[row] for row in state], [size])
        first = self._first(givens)
        found = []
        for place, option in self._options(*columns):
            chosen = self.entries.chosen[option.move]
            choices = (*option.choices[:chosen], first + place, *option.choices[chosen:])
            found.append(Option(option.move, choices, option.value))
        return sorted(found, key=lambda option: (option.move, option.choices))

    def _options(self, givens: list[Column], states: list[Column]) -> Iterator[tuple[int, Option]]:
        """The moves of a position whose entries are the rows of the columns, each with the row, from 0."""
        if isinstance(self.alone, WholeSolver):
            yield from ((row - 1, move) for row, move in self.alone.sum_options(givens, states))
            return
        values = self._values(givens, states)
        total = reduce(xor, values, 0)
        for place, value in enumerate(values):
            for option in self.alone.options(
                [column[place] for column in givens], [column[place] for column in states]
            ):
                after = total ^ value ^ option.value
                worth = after if self.ask.grundy else LOST if after else WON
                yield place, Option(option.move, option.choices, worth)

    def _values(self, givens: list[Column], states: list[Column]) -> Sequence[int]:
        """The Grundy values of entries."""
        return self.alone.values(givens, states) if states[0] else []

    def _columns(
        self, givens: Sequence[Column], states: Sequence[Column], sizes: Sequence[int]
    ) -> tuple[list[Column], list[Column]]:
        """All entries of some positions, one after the other."""
        repeated: list[Column] = [
            [given for given, size in zip(column, sizes, strict=True) for _ in range(size)] for column in givens
        ]
        if self.entries.indexed:
            firsts = map(self._first, zip(*givens, strict=True)) if givens else [self._first(())] * len(sizes)
            spans = (range(first, first + size) for first, size in zip(firsts, sizes, strict=True))
            repeated.append(list(chain.from_iterable(spans)))
        return repeated, [[cell for row in column for cell in row] for column in states]  # type: ignore[union-attr]

    def _first(self, givens: Sequence[Value]) -> int:
        """The first index of a row."""
        lo, _ = self.game.states[0].dims[0]
        first = Evaluator(self.game, self.game.data(givens)).expr(lo, (0,) * len(self.game.states))
        assert isinstance(first, int)
        return first


WAYS, MISERE_WAYS = (CLOSED, PERIOD, TABLE, MEMO), (TAME,)


def _way(entries: Entries, inner: Facts, ask: Ask) -> tuple[Strategy, Bid | Refusal]:
    """The first strategy that can solve an entry, with its bid; the last one with its refusal if none can."""
    for name in MISERE_WAYS if entries.game.misere else WAYS:
        offer = STRATEGIES[name].bid(entries.game, inner, _own_ask(entries.game, ask))
        if isinstance(offer, Bid):
            break
    return STRATEGIES[name], offer


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    found = facts.entries
    if found is None:
        return Refusal(NAME, Reason("a position is not a row of entries that are played one by one"))
    if ask.distance:
        return Refusal(NAME, Reason("values say who wins, not how long it takes"))
    entries, inner = found
    if (reason := may_fail(inner)) is not None:
        return Refusal(NAME, reason)
    if game.misere and TAME in facts.disabled:
        return Refusal(NAME, Reason("the pass tame is left out, and under misère play values do not add up"))
    _, offer = _way(entries, inner, ask)
    if isinstance(offer, Refusal):
        return Refusal(NAME, offer.reason)
    why = Reason(entries.reason.text, entries.reason.span)
    return msgspec.structs.replace(offer, strategy=NAME, reasons=(why, *offer.reasons))


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    entries, inner = _alone(facts)
    way, _ = _way(entries, inner, ask)
    return way.lower(entries.game, inner, _own_ask(game, ask))


def _alone(facts: Facts) -> tuple[Entries, Facts]:
    assert facts.entries is not None
    return facts.entries


def _own_ask(game: Game, ask: Ask) -> Ask:
    """What is asked of an entry."""
    return Ask(moves=ask.moves) if game.misere else Ask(grundy=True, moves=ask.moves)
