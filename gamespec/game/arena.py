"""What a reference solves: one game, or a disjunctive sum of components, as positions with steps between them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar, cast

import msgspec

from gamespec.game.evaluate import Ending, Evaluator, Played
from gamespec.game.model import MOVER, Game, Position, Terminal

P = TypeVar("P", bound=Hashable)

Component = tuple[int, Position]
"""One component of a sum: the number of its evaluator (its data), and where it stands."""

Whole = tuple[Component, ...]
"""All components of a sum, sorted: their order means nothing."""


class Step(msgspec.Struct, Generic[P], frozen=True):
    """A move with the position it leads to; `component` is the place of the one it is made in.

    `keeps`: the same player moves again.
    """

    after: P
    played: Played
    keeps: bool = False
    component: int = 0


class Arena(Protocol[P]):
    """Positions and moves of whatever is played."""

    game: Game

    def turn(self, position: P) -> int:
        """Whose turn it is: 0 for the player named first, always in an impartial game."""
        ...

    def ended(self, position: P) -> int | None:
        """The outcome for the player to move where the game is over; None where it goes on."""
        ...

    def steps(self, position: P) -> list[Step[P]]:
        """The moves of a position where the game goes on."""
        ...


class Single:
    """One game that is not a sum, under one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.game = evaluator.game

    def turn(self, position: Position) -> int:
        return turn(self.game, position)

    def ended(self, position: Position) -> int | None:
        verdict = self.evaluator.verdict(position)
        return None if verdict is None else verdict.outcome(self.turn(position))

    def steps(self, position: Position) -> list[Step[Position]]:
        partisan, here = self.game.partisan, self.turn(position)
        return [
            Step(played.results[0], played, partisan and self.turn(played.results[0]) == here)
            for played in self.evaluator.moves(position)
        ]


class Sum:
    """A disjunctive sum: whoever is to move does so in one component, and all components have the same mover.

    A component that is over by a bare `terminal` has no moves any more; a verdict in one ends the whole, and of
    several verdicts the one that stands first in the file decides. The whole is over when no component has a move for
    the player whose turn it is, and then `winner` decides.
    """

    def __init__(self, evaluators: Sequence[Evaluator]) -> None:
        self.evaluators = evaluators
        self.game = evaluators[0].game

    def whole(self, components: Sequence[Component]) -> Whole:
        """The position of these components; they have the same mover."""
        return tuple(sorted(components, key=_sorting))

    def turn(self, position: Whole) -> int:
        return turn(self.game, position[0][1]) if position else 0

    def ended(self, position: Whole) -> int | None:
        here = self.turn(position)
        endings = [self.evaluators[number].ending(place) for number, place in position]
        first = first_verdict(self.game, endings)
        if first is not None and first.verdict is not None:
            return first.verdict.outcome(here)
        return None if None in endings else self.evaluators[0].convention.outcome(here)

    def steps(self, position: Whole) -> list[Step[Whole]]:
        found = []
        for component, (number, place) in enumerate(position):
            evaluator = self.evaluators[number]
            if evaluator.ending(place) is not None:
                continue
            for played in evaluator.moves(place):
                after = [*position[:component], *position[component + 1 :]]
                if self.game.partisan:
                    after = [(each, (*at[:-1], 1 - int(cast(int, at[-1])))) for each, at in after]
                after += [(number, result) for result in played.results]
                found.append(Step(self.whole(after), played, component=component))
        return found


def first_verdict(game: Game, endings: Iterable[Ending | None]) -> Ending | None:
    """Of the endings of components one whose verdict ends the whole: the one that stands first in the file."""
    verdicts = [ending for ending in endings if ending is not None and ending.verdict is not None]
    return min(verdicts, key=lambda ending: game.terminals.index(cast(Terminal, ending.terminal)), default=None)


def turn(game: Game, position: Position) -> int:
    """Whose turn it is at a position of a game or a component."""
    return int(cast(int, position[-1])) if game.states[-1].name == MOVER else 0


def _sorting(component: Component) -> tuple[object, ...]:
    """A key for any position: sets are compared as sorted tuples."""
    number, place = component
    return (number, tuple(tuple(sorted(value)) if isinstance(value, frozenset) else value for value in place))
