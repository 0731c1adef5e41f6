"""A solver that asks the reference evaluator: for tests, and for games that are not worth a compiler."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from gamespec.answers.ask import Ask, Option
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Position, Value
from gamespec.game.reference import Reference
from gamespec.plan.plan import Column

MOST_REFERENCES = 1 << 8  # cases with different givens whose values are kept


class ReferenceSolver:
    """Answers by the definition; a `Solver` (see `gamespec.plan.plan`)."""

    def __init__(self, game: Game, ask: Ask) -> None:
        self.game = game
        self.grundy = ask.grundy or game.sum
        self._references: dict[tuple[Value, ...], Reference] = {}

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """Outcomes (1 won, 0 lost) or Grundy values, one for each row of the columns."""
        found = []
        for row, state in enumerate(zip(*states, strict=True)):
            found.append(self._value(self._reference([column[row] for column in givens]), state))
        return found

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """All moves of one position; none where the game is over."""
        reference, position = self._reference(givens), tuple(state)
        if reference.evaluator.verdict(position) is not None:
            return []
        options = []
        for play in reference.evaluator.moves(position):
            values = (self._value(reference, result) for result in play.results)
            value = reduce(xor, values, 0)  # a move of a game that is not a sum leaves one position
            options.append(Option(play.move, play.choices, value))
        return options

    def _value(self, reference: Reference, position: Position) -> int:
        return reference.grundy(position) if self.grundy else int(reference.won(position))

    def _reference(self, givens: Sequence[Value]) -> Reference:
        key = tuple(givens)
        if key not in self._references:
            if len(self._references) >= MOST_REFERENCES:
                self._references.clear()
            names = (field.name for field in self.game.givens)
            self._references[key] = Reference(Evaluator(self.game, dict(zip(names, key, strict=True))))
        return self._references[key]
