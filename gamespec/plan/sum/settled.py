"""Components whose values add up, though those of other components of the same game do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from gamespec.plan.sum.parts import Component, Components

V = TypeVar("V")


class Settled(Generic[V]):
    """The values of those components that have one, as all that play makes of them has."""

    def __init__(self, components: Components) -> None:
        self.components = components
        self._known: dict[int, V | None] = {}

    def outcome(self, mover: int, numbers: Sequence[int]) -> int | None:
        """LOST or WON for the player to move in these components; None unless all of them have values.

        Raises SpecError where a rule fails.
        """
        total = self.total(numbers)
        return None if total is None else self.decided(mover, total)

    def total(self, numbers: Iterable[int]) -> V | None:
        """The value of some components side by side; None unless each has one."""
        values = []
        for number in numbers:
            value = self.value(number)
            if value is None:
                return None
            values.append(value)
        return self.added(values)

    def value(self, number: int) -> V | None:
        """The value of a component, if it has one."""
        if number not in self._known:
            self._find(number)
        return self._known[number]

    def _find(self, root: int) -> None:
        """Values depth first, without recursion; a component that comes back has none."""
        waiting = [root]
        entered: set[int] = set()
        movers = (0, 1) if self.components.layout.game.partisan else (0,)
        while waiting:
            number = waiting[-1]
            if number in self._known:
                waiting.pop()
                continue
            sides = [self.components.at_turn(number, mover) for mover in movers]
            parts = {part for side in sides for choice in side.choices for part in choice.parts}
            if any(side.verdict is not None for side in sides) or any(
                self._known.get(part, self) is None or part in entered for part in parts
            ):
                self._known[number] = None
                continue
            unknown = [part for part in parts if part not in self._known]
            if unknown:
                entered.add(number)
                waiting += unknown
                continue
            entered.discard(number)
            self._known[number] = self.found([self._reached(side) for side in sides])

    def _reached(self, side: Component) -> list[V]:
        totals = [self.total(choice.parts) for choice in side.choices]
        return [total for total in totals if total is not None]

    # --- what a kind of values says ------------------------------------------------------------------------

    def added(self, values: Sequence[V]) -> V:
        """The value of components with these values."""
        raise NotImplementedError

    def found(self, options: Sequence[Sequence[V]]) -> V | None:
        """The value of a component, given those of what each player can make of it; None if it has none."""
        raise NotImplementedError

    def decided(self, mover: int, value: V) -> int:
        """The outcome of a sum with this value for the player to move."""
        raise NotImplementedError
