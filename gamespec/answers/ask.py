"""What a solver is asked for, and what it says about one move."""

from __future__ import annotations

import msgspec


class Ask(msgspec.Struct, frozen=True):
    """What the output needs: Grundy values or outcomes only; the list of winning moves or not."""

    grundy: bool = False
    moves: bool = False

    def __or__(self, other: Ask) -> Ask:
        """What serves both."""
        return Ask(self.grundy or other.grundy, self.moves or other.moves)


class Option(msgspec.Struct, frozen=True):
    """One move of one position: the rule's number, the values chosen, and the value of what it leaves
    (outcome 0 lost or 1 won for the player to move there, or the Grundy value)."""

    move: int
    choices: tuple[int, ...]
    value: int
