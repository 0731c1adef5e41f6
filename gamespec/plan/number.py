"""Components that are numbers: their values add up, and the sign of the sum says who wins.

A position of a partisan game under normal play, of which every position that can be reached is a number, is worth the
simplest number between its options: greater than all that the player named first can reach in one move, less than all
that the other can reach (J. H. Conway, On Numbers and Games, chapters 0 and 8). A sum of numbers is won by the player
named first if it is positive, by the other if it is negative, and is lost for the player to move if it is 0. Where
some option of the first is not less than some option of the other, the position is no number, and nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gamespec.game.model import LOST, WON, Game
from gamespec.plan.parts import Components

if TYPE_CHECKING:
    from fractions import Fraction


class Numbers:
    """The values of those components that are numbers."""

    def __init__(self, components: Components) -> None:
        self.components = components
        self._known: dict[int, Fraction | None] = {}

    def outcome(self, mover: int, numbers: Sequence[int]) -> int | None:
        """LOST or WON for the player to move in these components; None unless all of them are numbers.

        Raises SpecError where a rule fails.
        """
        total = self.total(numbers)
        if total is None:
            return None
        return WON if total and (total > 0) == (mover == 0) else LOST

    def total(self, numbers: Iterable[int]) -> Fraction | None:
        """The sum of the values of some components; None unless all are numbers."""
        from fractions import Fraction

        total = Fraction(0)
        for number in numbers:
            if number not in self._known:
                self._find(number)
            value = self._known[number]
            if value is None:
                return None
            total += value
        return total

    def _find(self, root: int) -> None:
        """Values depth first, without recursion; a component that comes back is no number."""
        waiting = [root]
        entered: set[int] = set()
        while waiting:
            number = waiting[-1]
            if number in self._known:
                waiting.pop()
                continue
            sides = [self.components.at_turn(number, mover) for mover in (0, 1)]
            parts = {part for side in sides for choice in side.choices for part in choice.parts}
            if any(side.verdict is not None for side in sides) or any(
                self._known.get(part, 0) is None or part in entered for part in parts
            ):
                self._known[number] = None
                continue
            unknown = [part for part in parts if part not in self._known]
            if unknown:
                entered.add(number)
                waiting += unknown
                continue
            entered.discard(number)
            left, right = ([self.total(choice.parts) for choice in side.choices] for side in sides)
            self._known[number] = between([v for v in left if v is not None], [v for v in right if v is not None])


def between(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction | None:
    """The simplest number that is greater than all of `left` and less than all of `right`; None if there is none."""
    from fractions import Fraction

    low, high = max(left, default=None), min(right, default=None)
    if low is not None and high is not None and low >= high:
        return None
    if (low is None or low < 0) and (high is None or high > 0):
        return Fraction(0)
    if low is None or low < 0:
        assert high is not None
        mirrored = between([-high], [] if low is None else [-low])
        return None if mirrored is None else -mirrored
    step = Fraction(1)
    while True:
        candidate = (low // step + 1) * step
        if high is None or candidate < high:
            return candidate
        step /= 2


def adds_up(game: Game) -> bool:
    """Whether components may be numbers: each player has moves of their own, and only who is stuck decides."""
    return game.sum and game.partisan and not game.misere and not any(terminal.verdict for terminal in game.terminals)
