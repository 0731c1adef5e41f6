"""What is played on: positions of one game or of a sum, the legal moves there, and what ends the play."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import cast

import msgspec

from gamespec.answers.ask import Option
from gamespec.answers.moves import WinningMove, move_text
from gamespec.budget import Budget
from gamespec.game.arena import Component, first_verdict, turn
from gamespec.game.evaluate import Evaluator, LimitedEvaluator, Played
from gamespec.game.model import Game, Position, Terminal, Value

Place = tuple[Component, ...]
"""The components, in the order in which they are numbered; a game that is not a sum has one."""


class Way(msgspec.Struct, frozen=True):
    """A legal move: the component it is made in (from 0), how it is written, and where it leads."""

    component: int
    played: Played
    text: str
    after: Place

    @property
    def option(self) -> tuple[int, tuple[int, ...]]:
        """The rule and what is chosen."""
        return self.played.move, self.played.choices


class Over(msgspec.Struct, frozen=True):
    """The game is over: the outcome for the player to move, and the condition that says so (None: no move is left)."""

    outcome: int
    terminal: Terminal | None


class Timed(LimitedEvaluator):
    """An evaluator that keeps to the time of a budget."""

    budget: Budget | None = None

    def moves(self, position: Position) -> list[Played]:
        if self.budget is not None:
            self.budget.check_time()
        return super().moves(position)


class Ground:
    """A game with the data of each component that play starts from, and who moves first where it has none.

    Every question raises RuleFault where a rule fails.
    """

    def __init__(
        self, game: Game, givens: Sequence[Mapping[str, Value]], states: Sequence[Position], first: int = 0
    ) -> None:
        self.game = game
        self.first = first
        self.evaluators: list[Timed] = []
        start = []
        for data, state in zip(givens, states, strict=True):
            known = [number for number, one in enumerate(self.evaluators) if one.givens == data]
            if not known:
                self.evaluators.append(Timed(game, data))
            start.append((known[0] if known else len(self.evaluators) - 1, state))
        self.start: Place = tuple(start)

    @cached_property
    def any(self) -> Evaluator:
        """An evaluator, also of a sum that has no components."""
        return self.evaluators[0] if self.evaluators else Timed(self.game)

    def turn(self, place: Place, before: int | None) -> int:
        """Whose turn it is: 0 for the player named first, or for the one who began. `before`: whose it was, if there
        were moves."""
        if self.game.partisan and place:
            return turn(self.game, place[0][1])
        return self.first if before is None else 1 - before

    def over(self, place: Place) -> Over | None:
        """Whether the game is over; in a sum by a verdict in one component, or when none has a move left.

        Outcomes of verdicts for a named player need whose turn it is, which a partisan game keeps in the position.
        """
        here = self.turn(place, None)
        endings = [self.evaluators[number].ending(position) for number, position in place]
        first = first_verdict(self.game, endings)
        if first is not None and first.verdict is not None:
            return Over(first.verdict.outcome(here), first.terminal)
        if None in endings:
            return None
        only = endings[0] if endings and not self.game.sum else None
        return Over(self.any.convention.outcome(here), None if only is None else only.terminal)

    def ways(self, place: Place) -> list[Way]:
        """All legal moves: component by component, rules in file order, choices ascending."""
        if self.over(place) is not None:
            return []
        found = []
        for component, (number, position) in enumerate(place):
            evaluator = self.evaluators[number]
            if self.game.sum and evaluator.ending(position) is not None:
                continue
            others = [self._passed_on(each) for each in place]
            for played in evaluator.moves(position):
                left = [(number, result) for result in played.results]
                after = (*others[:component], *left, *others[component + 1 :])
                found.append(Way(component, played, self._text(component, played), after))
        return found

    def _passed_on(self, component: Component) -> Component:
        """A component of a sum after a move in another one: of the position, only the player to move changes."""
        number, position = component
        if not self.game.partisan:
            return component
        return number, (*position[:-1], 1 - int(cast(int, position[-1])))

    def _text(self, component: int, played: Played) -> str:
        return move_text(self.game, WinningMove(component + 1, Option(played.move, played.choices, 0)))

    def limit(self, budget: Budget | None) -> None:
        """Makes the evaluators keep to the time of a budget, counted from now, or (None) to none."""
        if budget is not None and budget.seconds is not None:
            budget.deadline = time.monotonic() + budget.seconds
        for evaluator in self.evaluators:
            evaluator.budget = budget

    def givens(self, number: int) -> tuple[Value, ...]:
        """The data of the components with this number, in the order of declaration."""
        return tuple(self.evaluators[number].givens[field.name] for field in self.game.givens)
