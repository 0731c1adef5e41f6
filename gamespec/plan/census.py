"""A census: all positions that play from one position reaches, solved and counted.

It needs a solver that visits each of them once, and nothing else. A search whose questions take all options of a
position into account (distances, scores) is one, where play ends; the retrograde analysis is one where it may come
back. What lets them store fewer positions, or number more, is left out (`APART`). Positions that no kernel holds are
counted by the definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from gamespec.analysis.facts import Facts, analyse
from gamespec.analysis.passes import SPLIT, SURVEY, SWAP, SYMMETRY
from gamespec.answers.ask import Ask
from gamespec.budget import Budget
from gamespec.diagnostics import UsageError
from gamespec.game.arena import turn
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import DRAWN, LOST, WON, Game, Position, Value
from gamespec.plan.choose import DEFINITION, MEMO, RETROGRADE, STRATEGIES, choose, make_solver, offered
from gamespec.plan.definition import DefinitionSolver
from gamespec.plan.demand import Compile
from gamespec.plan.fault import fitted
from gamespec.plan.plan import Bid, Plan, Solver
from gamespec.plan.problems import NO_CENSUS
from gamespec.plan.roll import Group, Keeping, Tally

APART = (SYMMETRY, SWAP, SPLIT, SURVEY)
"""Passes with which a solver keeps fewer positions than play reaches, or more."""


class Length(msgspec.Struct, frozen=True):
    """How many positions are won, and lost, by play that lasts so many moves."""

    distance: int
    won: int
    lost: int


class Census(msgspec.Struct, frozen=True):
    """What was found. Outcomes are those for the player to move.

    `outcome`, `distance` and `score` are those of the position asked, `winner` is the number of the player who wins
    there. Distances are 0 where the game is over or drawn, and for wins that only endless play gives; where scores
    decide there are none. `won_by` says how many positions each player wins, of a game that tells them apart.
    `longest` is the greatest distance, `longest_position` a position that has it, the first one by its packed key, and
    `longest_outcome` the outcome there; None where no position is won or lost.
    """

    outcome: int
    winner: int | None
    distance: int | None
    score: int | None
    positions: int
    won: int
    drawn: int
    lost: int
    won_by: tuple[int, int] | None
    longest: int | None = None
    longest_outcome: int | None = None
    longest_position: Position | None = None
    lengths: tuple[Length, ...] = ()


def asked(game: Game) -> Ask:
    """The question whose answer takes all options of every position into account."""
    return Ask(score=True) if game.scored else Ask(distance=True)


def census(game: Game, givens: Sequence[Value], state: Position, budget: Budget, compile: Compile) -> Census:
    """Counts the positions that play from `state` reaches, itself among them.

    Raises UsageError where there is no way to do it, SpecError where a rule fails at one of the positions or play
    comes back without `endless`, LimitError where memory or time do not suffice.
    """
    facts, plan = planned(game, budget)
    solver = make_solver(game, facts, plan, budget, compile)
    (value,) = solver.values([[value] for value in givens], [[value] for value in state])
    counts, first = _counted(game, solver, givens, state, budget, compile)
    return _census(game, value, state, counts, first)


def refuse_sum(game: Game) -> None:
    """Raises UsageError for a sum."""
    if game.sum:
        reason = "it is a sum, and a census is of one game whose positions have no parts side by side"
        raise UsageError(NO_CENSUS.at(None, game=game.name, reason=reason))


def planned(game: Game, budget: Budget) -> tuple[Facts, Plan]:
    """The plan that visits all positions that are reached, and no other. Raises UsageError."""
    refuse_sum(game)
    facts = analyse(game, APART)
    ask = asked(game)
    offers = [offered(STRATEGIES[name], game, facts, ask) for name in (MEMO, RETROGRADE)]
    for offer in offers:
        if isinstance(offer, Bid):
            try:
                return facts, choose(game, facts, ask, offer.strategy, budget)
            except UsageError:  # no kernel can be written
                continue
    return facts, choose(game, facts, ask, DEFINITION, budget)


def _counted(
    game: Game, solver: Solver, givens: Sequence[Value], state: Position, budget: Budget, compile: Compile
) -> tuple[Mapping[Group, int], Callable[[int], Position]]:
    """How many positions each group has, and what finds the first position with a worth."""
    if isinstance(solver, Keeping):
        roll = solver.roll()
        tally = Tally(roll, compile, budget)
        evaluator = Evaluator(game, game.data(givens))
        return tally.counts(), lambda worth: fitted(evaluator, roll.packing.position(tally.first(worth)))
    assert isinstance(solver, DefinitionSolver)
    counts: Counter[Group] = Counter()
    firsts: dict[int, Position] = {}
    for position, value in solver.reached(givens, state):
        worth = solver.ask.outcome(value) if solver.ask.score else value
        counts[Group(worth, turn(game, position))] += 1
        firsts.setdefault(worth, position)
    return counts, firsts.__getitem__


def _census(
    game: Game, value: int, state: Position, counts: Mapping[Group, int], first: Callable[[int], Position]
) -> Census:
    ask, here = asked(game), turn(game, state)
    outcome = ask.outcome(value)
    outcomes: Counter[int] = Counter()
    won_by = [0, 0]
    lengths: dict[int, list[int]] = {}
    for group, count in counts.items():
        distance, each = divmod(group.worth, 3)
        outcomes[each] += count
        if each != DRAWN:
            won_by[group.turn if each == WON else 1 - group.turn] += count
            lengths.setdefault(distance, [0, 0])[each] += count
    found = Census(
        outcome=outcome,
        winner=None if outcome == DRAWN else here if outcome == WON else 1 - here,
        distance=None if game.scored else value // 3,
        score=ask.score_of(value) if game.scored else None,
        positions=outcomes.total(),
        won=outcomes[WON],
        drawn=outcomes[DRAWN],
        lost=outcomes[LOST],
        won_by=(won_by[0], won_by[1]) if game.partisan else None,
    )
    if game.scored or not lengths:
        return found
    longest = max(group.worth for group in counts if group.worth % 3 != DRAWN)
    return msgspec.structs.replace(
        found,
        longest=longest // 3,
        longest_outcome=longest % 3,
        longest_position=first(longest),
        lengths=tuple(Length(each, *reversed(lengths[each])) for each in sorted(lengths)),
    )
