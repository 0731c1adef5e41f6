"""Holds every strategy and back end against the definition of a game, also in how they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from gamespec.analysis.facts import Facts, analyse
from gamespec.analysis.passes import OPTIMISER, PASSES
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError, UsageError
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault
from gamespec.game.model import Game, Position, Value
from gamespec.game.sample import givens, positions
from gamespec.kernel.ir import Function
from gamespec.plan.choose import LAST, STRATEGIES, choose, make_solver
from gamespec.plan.plan import Ask, Bid, Kernels, Plan, Solver
from tests.random.truth import FAILS, TooManyPositions, Truth

POSITIONS = 60  # asked for each set of givens
REACHED = 2500
ALONE = 6  # positions that are asked one by one because their answer may be a failure
LISTED = 5


class Way(NamedTuple):
    """A way to run a plan."""

    backend: str
    checked: bool = False
    without: tuple[str, ...] = ()


WITHOUT: tuple[tuple[str, ...], ...] = ((), tuple(PASSES), *((name,) for name in PASSES))
"""Passes to leave out: none, all, each alone."""


class Case(NamedTuple):
    """Positions of a game under one set of data, and the truth about them."""

    data: tuple[Value, ...]
    positions: list[Position]
    truth: Truth


def cases(game: Game, count: int = 2, limit: int = POSITIONS) -> Iterator[Case]:
    """Sets of data with positions that the definition can answer for."""
    for data in givens(game, count, seed=1):
        evaluator = Evaluator(game, data, steps=1 << 14)
        try:
            found = list(positions(game, data, limit, seed=1))
            truth = Truth(evaluator, found, REACHED)
        except (TooManyPositions, RuleFault):  # or the bounds of a field have no value
            continue
        yield Case(tuple(data[field.name] for field in game.givens), found, truth)


def asks(game: Game) -> list[Ask]:
    """What may be asked of a game."""
    if game.sum:
        return [Ask(grundy=True, moves=True)]
    plain = not game.misere and not any(terminal.verdict for terminal in game.terminals)
    return [Ask(grundy=grundy, moves=True) for grundy in ([False, True] if plain else [False])]


def plans(game: Game, facts: Facts) -> list[Plan]:
    """A plan for each question and each strategy that does not refuse; the definition is what they are held against."""
    found = []
    for ask in asks(game):
        for name, strategy in STRATEGIES.items():
            if name not in LAST and isinstance(strategy.bid(game, facts, ask), Bid):
                with suppress(UsageError):  # no kernel can hold the rules
                    found.append(choose(game, facts, ask, name))
    return found


class Disagreement(AssertionError):
    """A solver's answer is not one that the definition allows."""


def agree(game: Game, number: int = 0, llvm: Callable[[int], bool] = lambda plan: True) -> int:
    """How many answers were compared; raises Disagreement.

    The python back end runs every plan, with all proofs checked; llvm, as compiling takes long, those plans that
    `llvm` says. `number` says which passes are left out: one of `WITHOUT`, round about.
    """
    without = WITHOUT[number % len(WITHOUT)]
    facts = analyse(game, without)
    known = list(cases(game))
    found = plans(game, facts)
    runs = [(plan, Way("python", True, without)) for plan in found]
    runs += [(plan, Way("llvm", False, without)) for place, plan in enumerate(found) if llvm(place)]
    compared = 0
    for plan, way in runs:

        def compiled(functions: Sequence[Function], way: Way = way) -> Kernels:
            return compile(functions, way.backend, way.checked, optimised=OPTIMISER not in way.without)

        solver = make_solver(game, facts, plan, Budget(1 << 28), compiled)
        for case in known:
            compared += Compare(game, plan, way, solver, case).run()
    return compared


class Compare:
    """One solver against the truth of one case."""

    def __init__(self, game: Game, plan: Plan, way: Way, solver: Solver, case: Case) -> None:
        self.game = game
        self.plan = plan
        self.way = way
        self.solver = solver
        self.case = case
        self.grundy = plan.ask.grundy or game.sum

    def run(self) -> int:
        allowed = {position: self.case.truth.allowed(position, self.grundy) for position in self.case.positions}
        sure = [position for position, values in allowed.items() if FAILS not in values]
        unsure = [position for position in allowed if FAILS in allowed[position]]
        self._values(sure, allowed)
        for position in unsure[:ALONE]:
            self._values([position], allowed)
        for position in [*sure[:: max(1, len(sure) // LISTED)], *unsure[:2]]:
            self._options(position)
        self._values(sure[:ALONE], allowed)  # a solver goes on after a failure
        return len(sure) + len(unsure)

    def _values(self, some: list[Position], allowed: Mapping[Position, set[int]]) -> None:
        if not some:
            return
        givens = [[value] * len(some) for value in self.case.data]
        states = [[position[place] for position in some] for place in range(len(self.game.states))]
        try:
            found = list(self.solver.values(givens, states))
        except SpecError as error:
            self._failed(error, some, any(FAILS in allowed[position] for position in some))
            return
        for position, value in zip(some, found, strict=True):
            if value not in allowed[position]:
                self._differ(f"at {position}: {value}, allowed are {allowed[position]}")

    def _failed(self, error: SpecError, some: Sequence[Position], may: bool) -> None:
        # A table fails as soon as a rule fails anywhere in it; the error shows where.
        if not may and self.plan.strategy != "table":
            self._differ(f"fails from {some[:3]}, where nothing is wrong: {error.diagnostics[0].message}")
        if not isinstance(error, RuleFault):
            self._differ(f"fails with another error: {error.diagnostics[0].message}")
        with suppress(RuleFault):  # what is required may fail, too
            if not self.case.truth.evaluator.holds(error.position):
                self._differ(f"fails at {error.position}, which is no position: {error.diagnostics[0].message}")

    def _options(self, position: Position) -> None:
        truth = self.case.truth
        plays = truth.plays.get(position, [])
        values = [truth.of_option(played, self.grundy) for played in plays]
        may = position in truth.faulty or any(FAILS in allowed for allowed in values)
        try:
            found = self.solver.options(self.case.data, position)
        except SpecError as error:
            self._failed(error, [position], may)
            return
        if position in truth.faulty:
            self._differ(f"lists options at {position}, where {truth.faulty[position].diagnostics[0].message}")
        if [(option.move, tuple(option.choices)) for option in found] != [(p.move, p.choices) for p in plays]:
            self._differ(f"options at {position}: {found}, not {[(p.move, p.choices) for p in plays]}")
        for option, played, allowed in zip(found, plays, values, strict=True):
            if option.value not in allowed:
                self._differ(f"option {played} at {position}: {option.value}, allowed are {allowed}")

    def _differ(self, text: str) -> None:
        asked = "Grundy value" if self.grundy else "outcome"
        raise Disagreement(
            f"{self.plan.strategy} on {self.way}, {asked}, data {self.case.data}: {text}\n{self.game.source.text}"
        )
