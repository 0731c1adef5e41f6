"""Rows whose entries are played one by one: each entry is solved as a component, and the values are added.

What an entry is worth comes from a closed form, a table or a search of its own game (see `analysis.entries`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate, chain, pairwise
from operator import xor

import msgspec

from gamespec.analysis.entries import Entries
from gamespec.analysis.facts import Facts
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import LOST, WON, Game, Value
from gamespec.kernel import ir
from gamespec.plan.choose import STRATEGIES, Strategy
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Option, Plan, Reason, Refusal, Solver, may_fail

NAME = "entries"


class EntriesSolver:
    """Answers for positions from the Grundy values of their entries."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.game = game
        self.ask = plan.ask
        self.entries, inner = _alone(facts)
        way, _ = _way(self.entries, inner, plan.ask)
        own = msgspec.structs.replace(plan, ask=_grundy(plan.ask))
        self.alone: Solver = way.solver(self.entries.game, inner, own, kernels, budget)

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        sizes = [len(row) for row in states[0]]  # type: ignore[arg-type]
        ends = [0, *accumulate(sizes)]
        values = self._of_entries(givens, states, sizes)
        totals = [reduce(xor, values[start:end], 0) for start, end in pairwise(ends)]
        return totals if self.ask.grundy else [WON if total else LOST for total in totals]

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        size = len(state[0])  # type: ignore[arg-type]
        values = self._of_entries([[given] for given in givens], [[row] for row in state], [size])
        total = reduce(xor, values, 0)
        first = self._first(givens)
        found = []
        for place, value in enumerate(values):
            at = first + place
            data = (*givens, at) if self.entries.indexed else givens
            for option in self.alone.options(data, [row[place] for row in state]):  # type: ignore[index]
                chosen = self.entries.chosen[option.move]
                choices = (*option.choices[:chosen], at, *option.choices[chosen:])
                after = total ^ value ^ option.value
                worth = after if self.ask.grundy else LOST if after else WON
                found.append(Option(option.move, choices, worth))
        return sorted(found, key=lambda option: (option.move, option.choices))

    def _of_entries(self, givens: Sequence[Column], states: Sequence[Column], sizes: Sequence[int]) -> Sequence[int]:
        """The Grundy values of all entries of some positions, one after the other."""
        repeated = [
            [given for given, size in zip(column, sizes, strict=True) for _ in range(size)] for column in givens
        ]
        if self.entries.indexed:
            firsts = map(self._first, zip(*givens, strict=True)) if givens else [self._first(())] * len(sizes)
            spans = (range(first, first + size) for first, size in zip(firsts, sizes, strict=True))
            repeated.append(list(chain.from_iterable(spans)))
        cells = [[cell for row in column for cell in row] for column in states]  # type: ignore[union-attr]
        return self.alone.values(repeated, cells) if cells[0] else []

    def _first(self, givens: Sequence[Value]) -> int:
        """The first index of a row."""
        lo, _ = self.game.states[0].dims[0]
        first = Evaluator(self.game, self.game.data(givens)).expr(lo, (0,) * len(self.game.states))
        assert isinstance(first, int)
        return first


WAYS = ("closed", "period", "table", "memo")


def _way(entries: Entries, inner: Facts, ask: Ask) -> tuple[Strategy, Bid | Refusal]:
    """The first strategy that can solve an entry, with its bid; the last one with its refusal if none can."""
    for name in WAYS:
        offer = STRATEGIES[name].bid(entries.game, inner, _grundy(ask))
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
    _, offer = _way(entries, inner, ask)
    if isinstance(offer, Refusal):
        return Refusal(NAME, offer.reason)
    why = Reason(entries.reason.text, entries.reason.span)
    return msgspec.structs.replace(offer, strategy=NAME, reasons=(why, *offer.reasons))


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    entries, inner = _alone(facts)
    way, _ = _way(entries, inner, ask)
    return way.lower(entries.game, inner, _grundy(ask))


def _alone(facts: Facts) -> tuple[Entries, Facts]:
    assert facts.entries is not None
    return facts.entries


def _grundy(ask: Ask) -> Ask:
    return Ask(grundy=True, moves=ask.moves)
