"""Answers by the definition: the reference evaluator is asked, position by position, in Python.

It is what all strategies are compared with. As a strategy of its own it is the last one, for positions that no kernel
holds (thousands of bits), and what `--plan definition` wishes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import Ask, Option, always, interacts
from gamespec.answers.nim import infinite, nim_sum
from gamespec.answers.pair import HALF, paired
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.arena import Component
from gamespec.game.evaluate import Evaluator, LimitedEvaluator, Played
from gamespec.game.loopy import LoopyValue
from gamespec.game.model import Game, Position, Value
from gamespec.game.reference import DISTANCE, OUTCOME, SCORE, TOTAL, Reference, SumReference
from gamespec.game.scene import Scene
from gamespec.kernel.ir import Function
from gamespec.plan.plan import Bid, Column, Kernels, Plan, Reason
from gamespec.plan.problems import OVER_DEFINITION, OVER_TOTAL

NAME = "definition"

MOST_REFERENCES = 1 << 8  # cases with different givens whose values are kept
MOST_BYTES = 1 << 27  # of the moves of a case, where this is the plan: some 200,000 moves
BYTES_A_MOVE, BYTES_A_CELL = 512, 16
NANOSECONDS_A_MOVE = 30_000.0


def asked(game: Game, ask: Ask) -> Ask:
    """The question with what a game needs anyway: components their Grundy values, scores their difference."""
    return ask | always(game)


def value(reference: Reference, ask: Ask, position: Position) -> int:
    """The number that `Ask` describes."""
    if interacts(reference.game):
        return value_of_sum(reference, ask, [position])
    if ask.total:
        return _paired(*reference.total(position))
    if ask.score:
        return reference.score(position)
    if ask.grundy:
        return number(reference.loopy(position)) if reference.game.endless else reference.grundy(position)
    return reference.distance(position) if ask.distance else reference.outcome(position)


def _paired(score: int, total: int) -> int:
    if not -HALF < total < HALF:
        raise LimitError(OVER_TOTAL.at(None))
    return paired(score, total)


def options(reference: Reference, ask: Ask, position: Position) -> list[Option]:
    """All moves of a position, each with the number that `Option` describes; none where the game is over."""
    evaluator = reference.evaluator
    if interacts(reference.game):
        return [option for _, option in options_of_sum(SumReference([evaluator]), ask, [(0, position)])]
    if evaluator.ending(position) is not None:
        return []
    if ask.grundy:
        return [
            Option(play.move, play.choices, nim_sum(value(reference, ask, left) for left in play.results))
            for play in evaluator.moves(position)
        ]
    steps = reference.arena.steps(position)
    if ask.total:
        totals = [(step.played, TOTAL.made(reference.total(step.after), step)) for step in steps]
        return [Option(played.move, played.choices, _paired(*made)) for played, made in totals]
    worth = SCORE if ask.score else DISTANCE if ask.distance else OUTCOME
    return [
        Option(step.played.move, step.played.choices, worth.made(value(reference, ask, step.after), step))
        for step in steps
    ]


def value_of_sum(reference: Reference, ask: Ask, positions: Sequence[Position]) -> int:
    """The number of components that interact and have the same data."""
    whole = SumReference([reference.evaluator], reference.limit)
    at = whole.sum.whole([(0, position) for position in positions])
    return whole.distance(at) if ask.distance else whole.outcome(at)


def options_of_sum(reference: SumReference, ask: Ask, components: Sequence[Component]) -> list[tuple[int, Option]]:
    """The moves of a sum whose components interact, each with the number of its component, from 1."""
    at = tuple(components)
    if reference.sum.ended(reference.sum.whole(at)) is not None:
        return []
    worth, asked_of = (DISTANCE, reference.distance) if ask.distance else (OUTCOME, reference.outcome)
    return [
        (step.component + 1, Option(step.played.move, step.played.choices, worth.made(asked_of(step.after), step)))
        for step in reference.sum.steps(at)
    ]


class ReferenceSolver:
    """A `Solver` (see `gamespec.plan.plan`)."""

    most = MOST_REFERENCES

    def __init__(self, game: Game, ask: Ask) -> None:
        self.game = game
        self.ask = asked(game, ask)
        self._references: dict[tuple[Value, ...], Reference] = {}

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """The number that `Ask` describes, one for each row of the columns."""
        found = []
        for row, state in enumerate(zip(*states, strict=True)):
            found.append(value(self._reference([column[row] for column in givens]), self.ask, state))
        return found

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """All moves of one position; none where the game is over."""
        return options(self._reference(givens), self.ask, tuple(state))

    def reached(self, givens: Sequence[Value], state: Position) -> Iterator[tuple[Position, int]]:
        """All positions that play from one reaches, each with the number that `Ask` describes; not in a sum."""
        reference = self._reference(givens)
        over, moves = reference.graph(state)
        for position in (*over, *moves):
            yield position, value(reference, self.ask, position)

    def sums(self, givens: Sequence[Column], states: Sequence[Column], sizes: Sequence[int]) -> Sequence[int]:
        """The value of each case of a sum whose components interact; it has so many rows."""
        found, first = [], 0
        for size in sizes:
            reference, at = self._whole(givens, states, range(first, first + size))
            whole = reference.sum.whole(at)
            found.append(reference.distance(whole) if self.ask.distance else reference.outcome(whole))
            first += size
        return found

    def sum_options(self, givens: Sequence[Column], states: Sequence[Column]) -> list[tuple[int, Option]]:
        """The moves of one case of such a sum."""
        reference, at = self._whole(givens, states, range(len(states[0])))
        return options_of_sum(reference, self.ask, at)

    def _whole(
        self, givens: Sequence[Column], states: Sequence[Column], rows: range
    ) -> tuple[SumReference, list[Component]]:
        """A reference for the data of these rows, and the components that they are."""
        data = [tuple(column[row] for column in givens) for row in rows]
        different = list(dict.fromkeys(data)) or [()]
        evaluators = [self._evaluator(self.game.data(each) if each else {}) for each in different]
        at = [(different.index(each), tuple(c[row] for c in states)) for each, row in zip(data, rows, strict=True)]
        return SumReference(evaluators), at

    def _reference(self, givens: Sequence[Value]) -> Reference:
        key = tuple(givens)
        if key not in self._references:
            if len(self._references) >= self.most:
                self._references.clear()
            self._references[key] = Reference(self._evaluator(self.game.data(key)))
        return self._references[key]

    def _evaluator(self, data: Mapping[str, Value]) -> Evaluator:
        return Evaluator(self.game, data)


def number(value: LoopyValue) -> int:
    """A Smith value as one number (see `gamespec.answers.nim`)."""
    return value if isinstance(value, int) else infinite(value)


class DefinitionSolver(ReferenceSolver):
    """The solver of this strategy: it looks at so many moves as fit the memory given."""

    most = 1

    def __init__(self, game: Game, _facts: Facts, plan: Plan, _kernels: Kernels, budget: Budget) -> None:
        super().__init__(game, plan.ask)
        self.budget = budget

    def _evaluator(self, data: Mapping[str, Value]) -> Evaluator:
        return _Bounded(self.game, data, self.budget)


class _Bounded(LimitedEvaluator):
    """Counts what the moves take that were looked at; raises LimitError."""

    def __init__(self, game: Game, data: Mapping[str, Value], budget: Budget) -> None:
        super().__init__(game, data)
        self.budget = budget
        self.left = min(MOST_BYTES, budget.memory // 2)

    def _each_move(self, scene: Scene) -> Iterator[Played]:
        for played in super()._each_move(scene):
            self.budget.check_time()
            cells = sum(len(value) for after in played.results for value in after if isinstance(value, Sized))
            self.left -= BYTES_A_MOVE + BYTES_A_CELL * cells
            if self.left < 0:
                raise LimitError(OVER_DEFINITION.at(None))
            yield played


def bid(_game: Game, facts: Facts, _ask: Ask) -> Bid:
    positions = min(facts.size.positions, 1 << 200)
    text = "by the definition, position by position, in Python; small positions only"
    return Bid(NAME, positions * NANOSECONDS_A_MOVE, positions * BYTES_A_MOVE, (Reason(text),), 0, positions)


def lower(_game: Game, _facts: Facts, _ask: Ask) -> tuple[Function, ...]:
    return ()
