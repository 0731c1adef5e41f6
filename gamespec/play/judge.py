"""What moves are worth: by the plan's solver, by the definition of the game, or not known."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Sequence
from math import inf
from typing import Protocol, TypeVar, cast

import msgspec

from gamespec.answers.ask import Ask, interacts
from gamespec.answers.nim import finite_options, nim_sum
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.arena import Step, Whole
from gamespec.game.model import DRAWN, LOST, WON, Verdict
from gamespec.game.reference import DISTANCE, POSITIONS, RANK, SCORE, Reference, SumReference, Values, flipped
from gamespec.plan.plan import Column, Solver, WholeSolver
from gamespec.play.ground import Ground, Place, Way

P = TypeVar("P", bound=Hashable)

POSITION_BYTES = 2000  # of memory, about what the definition needs to keep a position


class Mark(msgspec.Struct, frozen=True):
    """What a move is worth to the player who makes it.

    `plies`: how long play lasts, this move included, when the winner hurries and the loser delays; None where that
    is not known, in a draw, and where play that never ends decides. `score`: the best difference from here on.
    `leaves`: the Grundy value of what the move leaves (see `gamespec.answers.nim` for negative ones).
    """

    outcome: int
    plies: int | None = None
    score: int | None = None
    leaves: int | None = None

    @property
    def liking(self) -> tuple[float, float]:
        """Higher is better for the player who moves."""
        if self.score is not None:
            return self.score, 0
        length = inf if self.plies is None else self.plies
        return RANK[self.outcome], -length if self.outcome == WON else length if self.outcome == LOST else 0

    @property
    def text(self) -> str:
        """`won in 5`, `drawn`, `+3`, `lost, leaves 2`."""
        if self.score is not None:
            return f"{self.score:+d}" if self.score else "0"
        words = ("lost", "won", "drawn")[self.outcome]
        if self.leaves is not None:
            leaves = str(self.leaves)
            if self.leaves < 0:
                leaves = "∞{" + ", ".join(map(str, finite_options(self.leaves))) + "}"
            return f"{words}, leaves {leaves}"
        return words if self.plies is None or self.outcome == DRAWN else f"{words} in {self.plies}"


class Judge(Protocol):
    """Marks all moves of a place; raises SpecError or LimitError where it cannot."""

    def marks(self, place: Place, ways: Sequence[Way]) -> list[Mark]: ...


def marked(ground: Ground, ask: Ask, way: Way, value: int) -> Mark:
    """The mark of a move that is worth a number of `Ask`."""
    if ask.score:
        return Mark(ask.outcome(value), score=value)
    outcome = ask.outcome(value)
    if not ask.distance or outcome == DRAWN:
        return Mark(outcome)
    plies = value // 3
    forever = ground.game.endless not in (None, Verdict.DRAW) and plies <= 1 and ground.over(way.after) is None
    return Mark(outcome, None if forever else plies)


class PlanJudge:
    """Asks a solver: of the only component, of all by their Grundy values, or of the whole where they interact."""

    def __init__(self, ground: Ground, solver: Solver, ask: Ask) -> None:
        self.ground = ground
        self.solver = solver
        self.ask = ask

    def marks(self, place: Place, ways: Sequence[Way]) -> list[Mark]:
        if interacts(self.ground.game):
            return self._whole(cast(WholeSolver, self.solver), place, ways)
        values = []
        for number, position in place:
            options = self.solver.options(self.ground.givens(number), position)
            values.append({(option.move, option.choices): option.value for option in options})
        if not self.ask.grundy:
            return [marked(self.ground, self.ask, way, values[0][way.option]) for way in ways]
        standing = self.solver.values(*self._columns(place))
        found = []
        for way in ways:
            others = (value for component, value in enumerate(standing) if component != way.component)
            left = nim_sum([values[way.component][way.option], *others])
            found.append(Mark(flipped(self.ask.outcome(left)), leaves=left))
        return found

    def _whole(self, solver: WholeSolver, place: Place, ways: Sequence[Way]) -> list[Mark]:
        values = {
            (component - 1, option.move, option.choices): option.value
            for component, option in solver.sum_options(*self._columns(place))
        }
        return [marked(self.ground, self.ask, way, values[way.component, *way.option]) for way in ways]

    def _columns(self, place: Place) -> tuple[list[Column], list[Column]]:
        """The givens and the state fields, one row a component."""
        data = [self.ground.givens(number) for number, _ in place]
        givens: list[Column] = list(zip(*data, strict=True))
        return givens, list(zip(*(position for _, position in place), strict=True))


class DefinitionJudge:
    """Values by the definition, also of sums whose components have no values of their own."""

    def __init__(self, ground: Ground, memory: int) -> None:
        self.ground = ground
        self.ask = Ask(distance=True, score=ground.game.scored)
        limit = min(POSITIONS, max(1, memory // POSITION_BYTES))
        self.whole = SumReference(ground.evaluators, limit) if ground.game.sum else None
        self.single = [Reference(evaluator, limit) for evaluator in ground.evaluators] if self.whole is None else []

    def marks(self, place: Place, ways: Sequence[Way]) -> list[Mark]:
        if self.whole is not None:
            wholes = {(step.component, step.played.move, step.played.choices): step for step in self._steps(place)}
            return [self._mark(self.whole, way, wholes[way.component, *way.option]) for way in ways]
        ((number, position),) = place
        values = self.single[number]
        steps = {(step.played.move, step.played.choices): step for step in values.arena.steps(position)}
        return [self._mark(values, way, steps[way.option]) for way in ways]

    def _steps(self, place: Place) -> list[Step[Whole]]:
        return [] if self.whole is None else self.whole.sum.steps(place)

    def _mark(self, values: Values[P], way: Way, step: Step[P]) -> Mark:
        if self.ask.score:
            value = SCORE.made(values.score(step.after), step)
        else:
            value = DISTANCE.made(values.distance(step.after), step)
        return marked(self.ground, self.ask, way, value)


class Attempt(msgspec.Struct, frozen=True):
    """A way to find values: how a judge is made within a budget; `patient`: worth trying when another met a limit."""

    make: Callable[[Budget], Judge]
    patient: bool = False


class Oracle:
    """Marks moves as long as it can; `silence` says in a sentence why it cannot.

    What one attempt cannot do is left to the next. `budget` makes a fresh budget, whose time counts for every place.
    """

    def __init__(self, ground: Ground, attempts: Sequence[Attempt], budget: Callable[[], Budget]) -> None:
        self.ground = ground
        self.attempts = attempts
        self.new_budget = budget
        self.silence = ""
        self._left: list[Attempt] = list(attempts)
        self._judge: Judge | None = None
        self._budget = budget()
        self._known: dict[Place, list[Mark]] = {}

    def again(self) -> None:
        """Tries once more what could not be done."""
        if self.silence:
            self.silence, self._left = "", list(self.attempts)

    def marks(self, place: Place, ways: Sequence[Way]) -> list[Mark] | None:
        """A mark for each way, None where they cannot be found."""
        if place in self._known:
            return self._known[place]
        while self._left:
            try:
                found = self._asked(place, ways)
            except (SpecError, LimitError, MemoryError) as error:
                self._judge = None
                gc.collect()
                del self._left[0]
                if isinstance(error, SpecError):
                    self.silence = error.diagnostics[0].message
                else:
                    self._left = [attempt for attempt in self._left if attempt.patient]
                    self.silence = (
                        error.diagnostics[0].message if isinstance(error, LimitError) else "there is no memory left"
                    )
                continue
            finally:
                self._budget.rest()
                self.ground.limit(None)
            self.silence = ""
            self._known = {place: found}
            return found
        return None

    def _asked(self, place: Place, ways: Sequence[Way]) -> list[Mark]:
        if self._judge is None:
            self._budget = self.new_budget()
            self.ground.limit(self._budget)
            self._judge = self._left[0].make(self._budget)
        self.ground.limit(self._budget)
        return self._judge.marks(place, ways)
