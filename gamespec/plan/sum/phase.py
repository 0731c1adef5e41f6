"""Components with a phase: the one that is played by itself is solved as a game of its own, and the openings that come
before it by their moves (see `analysis.phase`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from gamespec.analysis.facts import Facts, analyse
from gamespec.analysis.phase import Phases, phases
from gamespec.answers.nim import nim_sum
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Position, Value
from gamespec.game.reference import mex
from gamespec.kernel import ir
from gamespec.plan.given import Rows
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Option, Plan, Reason, Refusal, may_fail
from gamespec.plan.value import most_options

NAME = "phase"
FEW = 1 << 12  # moves of an opening, which are made one by one
NANOSECONDS = 50e3  # an option


def found(game: Game, facts: Facts) -> tuple[Phases, Facts, dict[Ask, Plan]] | None:
    """The phases, what is known of the one played by itself, and its plans, looked for once."""
    if NAME not in facts.found:
        known = phases(game)
        facts.found[NAME] = None if known is None else (known, analyse(known.game, facts.disabled), {})
    result: tuple[Phases, Facts, dict[Ask, Plan]] | None = facts.found[NAME]
    return result


def _plan(game: Game, facts: Facts, ask: Ask) -> Plan:
    """The plan for the phase that is played by itself."""
    from gamespec.plan.choose import choose

    known = found(game, facts)
    assert known is not None
    own, inner, plans = known
    ask = Ask(grundy=True, moves=ask.moves)
    if ask not in plans:
        plans[ask] = choose(own.game, inner, ask)
    return plans[ask]


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    known = found(game, facts)
    if known is None:
        return Refusal(NAME, Reason("no field of a component is a phase"))
    own, inner, _ = known
    if (reason := may_fail(facts) or may_fail(inner)) is not None:
        return Refusal(NAME, reason)
    most = most_options(msgspec.structs.replace(game, moves=tuple(game.moves[number] for number in own.openings)))
    if most > FEW:
        return Refusal(NAME, Reason(f"an opening may have more than {FEW:,} moves", own.reason.span))
    plan = _plan(game, facts, ask)
    why = Reason(own.reason.text, own.reason.span)
    cost = plan.bid.cost + most * NANOSECONDS
    return msgspec.structs.replace(plan.bid, strategy=NAME, cost=cost, reasons=(why, *plan.bid.reasons))


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    return tuple(_plan(game, facts, ask).functions.values())


class PhaseSolver:
    """Answers for one phase by its own solver, for openings by the mex of what their moves leave."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        from gamespec.plan.choose import make_solver

        known = found(game, facts)
        assert known is not None
        self.game = game
        self.budget = budget
        self.own, inner, _ = known
        alone = _plan(game, facts, plan.ask)
        self.alone = make_solver(
            self.own.game, inner, alone, budget, lambda functions: {f.name: kernels[f.name] for f in functions}
        )

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        return Rows(givens, states).answer(self._values)

    def _values(self, data: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        positions: list[Position] = list(zip(*states, strict=True))
        known = self._known(data, positions)
        return [known[position] for position in positions]

    def _known(self, data: Sequence[Value], positions: Iterable[Position]) -> dict[Position, int]:
        """The values of some positions and of all that their openings lead to."""
        evaluator = Evaluator(self.game, self.game.data(data))
        own: set[Position] = set()
        openings: dict[Position, list[tuple[Position, ...]]] = {}
        waiting = list(dict.fromkeys(positions))
        while waiting:
            position = waiting.pop()
            if position in openings or position in own:
                continue
            if position[self.own.place] == self.own.own:
                own.add(position)
                continue
            openings[position] = [play.results for play in evaluator.moves(position)]
            waiting += (part for results in openings[position] for part in results)
            self.budget.tick(f"openings: {len(openings):,} positions")
        known = self._alone(data, list(own))
        for position in openings:
            self._open(position, openings, known)
        return known

    def _alone(self, data: Sequence[Value], positions: list[Position]) -> dict[Position, int]:
        if not positions:
            return {}
        rest = [position[: self.own.place] + position[self.own.place + 1 :] for position in positions]
        columns = [list(column) for column in zip(*rest, strict=True)]
        values = self.alone.values([[value] * len(positions) for value in data], columns)
        return dict(zip(positions, values, strict=True))

    def _open(
        self, position: Position, openings: dict[Position, list[tuple[Position, ...]]], known: dict[Position, int]
    ) -> int:
        """The value of an opening; there are no more openings inside each other than phases."""
        if position in known:
            return known[position]
        seen = {nim_sum(self._open(part, openings, known) for part in results) for results in openings[position]}
        value = known[position] = mex(seen)
        return value

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        if state[self.own.place] == self.own.own:
            rest = [value for place, value in enumerate(state) if place != self.own.place]
            listed = self.alone.options(givens, rest)
            return [msgspec.structs.replace(each, move=self.own.moves[each.move]) for each in listed]
        plays = Evaluator(self.game, self.game.data(givens)).moves(tuple(state))
        known = self._known(givens, [part for play in plays for part in play.results])
        return [Option(play.move, play.choices, nim_sum(known[part] for part in play.results)) for play in plays]
