"""Components that are numbers: their values add up, and the sign of the sum says who wins.

A position of a partisan game under normal play, of which every position that can be reached is a number, is worth the
simplest number between its options: greater than all that the player named first can reach in one move, less than all
that the other can reach (J. H. Conway, On Numbers and Games, chapters 0 and 8). A sum of numbers is won by the player
named first if it is positive, by the other if it is negative, and is lost for the player to move if it is 0. Where
some option of the first is not less than some option of the other, the position is no number, and nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamespec.game.model import LOST, WON, Game
from gamespec.plan.sum.settled import Settled

if TYPE_CHECKING:
    from fractions import Fraction


class Numbers(Settled["Fraction"]):
    """The values of those components that are numbers."""

    def added(self, values: Sequence[Fraction]) -> Fraction:
        from fractions import Fraction

        return sum(values, Fraction(0))

    def found(self, options: Sequence[Sequence[Fraction]]) -> Fraction | None:
        left, right = options
        return between(left, right)

    def decided(self, mover: int, value: Fraction) -> int:
        return WON if value and (value > 0) == (mover == 0) else LOST


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
