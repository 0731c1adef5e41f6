"""A solver that asks the reference evaluator: for tests, and for games that are not worth a compiler."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gamespec.answers.ask import Ask, Option
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Position, Value
from gamespec.game.reference import DISTANCE, OUTCOME, SCORE, Reference
from gamespec.plan.plan import Column

MOST_REFERENCES = 1 << 8  # cases with different givens whose values are kept


class ReferenceSolver:
    """Answers by the definition; a `Solver` (see `gamespec.plan.plan`)."""

    def __init__(self, game: Game, ask: Ask) -> None:
        self.game = game
        self.ask = msgspec.structs.replace(ask, grundy=ask.grundy or game.sum, score=game.scored)
        self._references: dict[tuple[Value, ...], Reference] = {}

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """The number that `Ask` describes, one for each row of the columns."""
        found = []
        for row, state in enumerate(zip(*states, strict=True)):
            found.append(self._value(self._reference([column[row] for column in givens]), state))
        return found

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """All moves of one position; none where the game is over."""
        reference, position = self._reference(givens), tuple(state)
        if reference.evaluator.ending(position) is not None:
            return []
        if self.ask.grundy:
            return [
                Option(play.move, play.choices, reference.grundy_of_sum(play.results))
                for play in reference.evaluator.moves(position)
            ]
        worth = SCORE if self.ask.score else DISTANCE if self.ask.distance else OUTCOME
        steps = reference.arena.steps(position)
        return [
            Option(step.played.move, step.played.choices, worth.made(self._value(reference, step.after), step))
            for step in steps
        ]

    def _value(self, reference: Reference, position: Position) -> int:
        if self.ask.score:
            return reference.score(position)
        if self.ask.grundy:
            return reference.grundy(position)
        return reference.distance(position) if self.ask.distance else reference.outcome(position)

    def _reference(self, givens: Sequence[Value]) -> Reference:
        key = tuple(givens)
        if key not in self._references:
            if len(self._references) >= MOST_REFERENCES:
                self._references.clear()
            names = (field.name for field in self.game.givens)
            self._references[key] = Reference(Evaluator(self.game, dict(zip(names, key, strict=True))))
        return self._references[key]
