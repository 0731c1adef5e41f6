"""One play: where it stands, how it came there, and what may be taken back or made again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable

import msgspec

from gamespec.game.model import DRAWN, LOST, WON
from gamespec.play.ground import Ground, Over, Place, Way


class Stand(msgspec.Struct, frozen=True):
    """A moment of a play: the place, whose turn it is, and both players' gains so far."""

    place: Place
    turn: int
    gains: tuple[int, int] = (0, 0)


class Match:
    """The moments of a play; `now` is the one shown, those after it were taken back."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.stands = [Stand(ground.start, ground.turn(ground.start, None))]
        self.now = 0
        self._when: dict[Hashable, list[int]] = {self._key(ground.start): [0]}
        self._look()

    def _look(self) -> None:
        """Finds what may be done now. Raises RuleFault where a rule fails."""
        self.over: Over | None = self.ground.over(self.here.place)
        self.ways: list[Way] = self.ground.ways(self.here.place)

    @property
    def here(self) -> Stand:
        return self.stands[self.now]

    def make(self, way: Way) -> None:
        """Makes a move; what was taken back is forgotten."""
        here = self.here
        gains = list(here.gains)
        gains[here.turn] += way.played.gain
        turn = self.ground.turn(way.after, here.turn)
        while len(self.stands) > self.now + 1:
            self._when[self._key(self.stands.pop().place)].pop()
        self.now += 1
        self.stands.append(Stand(way.after, turn, (gains[0], gains[1])))
        self._when.setdefault(self._key(way.after), []).append(self.now)
        self._look()

    def back(self, turns: Collection[int]) -> bool:
        """Goes back to the last moment when one of these players was to move; False if there is none."""
        return self._go(range(self.now - 1, -1, -1), turns)

    def forth(self, turns: Collection[int]) -> bool:
        """Goes to the next moment when one of these players was to move, or to the last; False if there is none."""
        later = range(self.now + 1, len(self.stands))
        return self._go(later, turns) or self._go(later[-1:], (0, 1))

    def _go(self, numbers: range, turns: Collection[int]) -> bool:
        found = next((number for number in numbers if self.stands[number].turn in turns), None)
        if found is None:
            return False
        self.now = found
        self._look()
        return True

    def earlier(self) -> list[int]:
        """After how many moves the position was there before."""
        return [number for number in self._when[self._key(self.here.place)] if number < self.now]

    def was_at(self, place: Place) -> bool:
        """Whether the play was at a place, or is there."""
        return any(number <= self.now for number in self._when.get(self._key(place), ()))

    def _key(self, place: Place) -> Hashable:
        """The same for places that differ only in the order of their components."""
        return frozenset(Counter(place).items()) if self.ground.game.sum else place

    def winner(self) -> int | None:
        """Who has won a play that is over: 0, 1, or None for nobody."""
        here = self.here
        assert self.over is not None
        outcome = self.over.outcome
        if self.ground.game.scored and outcome == DRAWN:
            first, second = here.gains
            return None if first == second else int(second > first)
        return {WON: here.turn, LOST: 1 - here.turn}.get(outcome)
