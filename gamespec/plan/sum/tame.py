"""Misère sums of subtraction games: normal-play values decide (theorem B9).

If some component has a Grundy value above 1, a sum is won exactly where the xor of the values is not 0, as under
normal play; otherwise it is lost exactly where the xor is 1. This holds for sums of subtraction games, each with a
fixed set of numbers that may be taken, finite or not, from any heap that has so many: by Ferguson's pairing (G(n) = 1
iff G(n − s) = 0 for the least s of the set) a position of values 0 and 1 can be answered as in misère Nim, and one
with a value above 1 can move to whichever of the two it wants (T. S. Ferguson, On sums of graph games with last player
losing, Int. J. Game Theory 3, 1974; tame games in Winning Ways, chapter 13). For other games the rule is wrong as often
as not, so it is used nowhere else. The values come from a closed form, a proved period, a table or a search.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.facts import Facts
from gamespec.analysis.heap import Heap
from gamespec.budget import Budget
from gamespec.game.model import LOST, WON, Game, Value
from gamespec.kernel import ir
from gamespec.plan.choose import CLOSED, MEMO, PERIOD, STRATEGIES, TABLE, Strategy
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Option, Plan, Reason, Refusal, Solver

NAME = "tame"
WAYS = (CLOSED, PERIOD, TABLE)


def outcome(values: Sequence[int]) -> int:
    """The outcome of a misère sum of subtraction games with these Grundy values."""
    total = 0
    for value in values:
        total ^= value
    wins = total != 0 if max(values, default=0) > 1 else total == 0
    return WON if wins else LOST


class TameSolver:
    """Answers for all components of a case from the Grundy values of each under normal play."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        inner = msgspec.structs.replace(plan, ask=_normal_ask(plan.ask))
        way, _ = _way(game, facts, plan.ask)
        self.normal: Solver = way.solver(_normal(game), facts, inner, kernels, budget)

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """The outcome of each component as a sum of its own."""
        return [outcome([value]) for value in self.normal.values(givens, states)]

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """The moves of a component that is a sum of its own."""
        found = self.sum_options([[value] for value in givens], [[value] for value in state])
        return [option for _, option in found]

    def sums(self, givens: Sequence[Column], states: Sequence[Column], sizes: Sequence[int]) -> Sequence[int]:
        """The outcome of each case, which has so many rows of the columns."""
        values = self.normal.values(givens, states) if states[0] else ()
        found, first = [], 0
        for size in sizes:
            found.append(outcome(values[first : first + size]))
            first += size
        return found

    def sum_options(self, givens: Sequence[Column], states: Sequence[Column]) -> list[tuple[int, Option]]:
        """The moves of one case, whose components are the rows, each with the number of its component from 1."""
        values = list(self.normal.values(givens, states)) if states[0] else []
        found = []
        for row in range(len(values)):
            others = values[:row] + values[row + 1 :]
            moves = self.normal.options([column[row] for column in givens], [column[row] for column in states])
            for move in moves:
                worth = WON if outcome([*others, move.value]) == LOST else LOST
                found.append((row + 1, Option(move.move, move.choices, worth)))
        return found


def _normal(game: Game) -> Game:
    """The same rules under normal play."""
    return msgspec.structs.replace(game, misere=False)


def _normal_ask(ask: Ask) -> Ask:
    return Ask(grundy=True, moves=ask.moves)


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if not (game.sum and game.misere) or game.partisan or game.scored:
        return Refusal(NAME, Reason("the game is not an impartial sum under misère play"))
    if game.terminals:
        return Refusal(NAME, Reason("a condition ends play before moves run out", game.terminals[0].span))
    taken = _subtraction(facts)
    if taken is None or facts.finite is None:
        text = "only sums of subtraction games are proved to follow the rule of misère Nim; it is wrong for many others"
        return Refusal(NAME, Reason(text, game.winner_span))
    if ask.distance:
        return Refusal(NAME, Reason("values say who wins, not how long it takes"))
    _, inner = _way(game, facts, ask)
    if isinstance(inner, Refusal):
        return Refusal(NAME, inner.reason)
    why = Reason(f"B9, misère sums of subtraction games: {taken.text}; normal-play values decide", taken.span)
    return msgspec.structs.replace(inner, strategy=NAME, reasons=(why, *inner.reasons))


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    way, _ = _way(game, facts, ask)
    return way.lower(_normal(game), facts, _normal_ask(ask))


def _subtraction(facts: Facts) -> Evidence | None:
    """Why every move takes a number of a fixed set, if it does."""
    if facts.subtraction is not None:
        return facts.subtraction.evidence
    found = facts.heap
    return found.evidence if isinstance(found, Heap) and found.subtracts else None


def _way(game: Game, facts: Facts, ask: Ask) -> tuple[Strategy, Bid | Refusal]:
    """How to find the values under normal play: the cheapest of `WAYS`, else a search, with its bid or refusal."""
    offers = [(STRATEGIES[name], STRATEGIES[name].bid(_normal(game), facts, _normal_ask(ask))) for name in WAYS]
    bids = [(way, offer) for way, offer in offers if isinstance(offer, Bid)]
    if bids:
        return min(bids, key=lambda pair: pair[1].cost)
    return STRATEGIES[MEMO], STRATEGIES[MEMO].bid(_normal(game), facts, _normal_ask(ask))
