"""All that play makes of some components of a sum, as classes of components that are the same game.

Two components are the same game if the same verdicts end them, or each player can leave the same parts in both, up to
parts that are the same games in turn: no convention tells them apart. Components in which nobody can move are class 0,
and are left out everywhere. The classes whose values add up (see `plan.sum.settled`) have the lowest numbers.

Where only who is stuck decides, and players have moves of their own, components that are equal under normal play are
one class (see `plan.sum.canonical`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from gamespec.plan.sum.parts import PIECE, Components

MOST_COMPONENTS = 1 << 16
MOST_OPTIONS = 1 << 20  # with their parts

Parts = tuple[int, ...]
"""Numbers of classes, ascending: a multiset."""


NOTHING = object()
"""The value of a class in which nobody can move."""


class NotClosed(Exception):
    """Components come back, or are too many to be looked at beforehand."""


class Side(msgspec.Struct, frozen=True):
    """What a class is for a player: the verdict that ends the whole, or the parts that moves leave, each once."""

    verdict: tuple[int, int] | None
    options: tuple[Parts, ...]


class Classes(msgspec.Struct, frozen=True):
    """Classes by their numbers: for each player what it is, and the value that adds up, if it has one. `of` gives the
    class of a component. `room` is how many parts may come of a class, `length` how many moves may be made in all."""

    of: dict[int, int]
    sides: list[tuple[Side, ...]]
    values: list[object]
    room: list[int]
    length: list[int]

    @property
    def settled(self) -> int:
        """Classes with lower numbers have values that add up."""
        return len(self.values)


def classes(
    components: Components,
    roots: Iterable[int],
    value: Callable[[int], object | None],
    movers: Sequence[int],
) -> Classes:
    """The classes of all that play makes of some components; `value` is that of a component, if it has one.

    Raises NotClosed where they come back or are too many, SpecError where a rule fails at one of them.
    """
    kinds: dict[tuple[Side, ...], int] = {(): 0}
    values: list[object | None] = [NOTHING]
    of: dict[int, int] = {}
    for number in parts_first(components, roots, movers):
        sides = []
        for mover in movers:
            here = components.at_turn(number, mover)
            options = {tuple(sorted(of[part] for part in choice.parts if of[part])) for choice in here.choices}
            sides.append(Side(here.verdict, tuple(sorted(options))))
        is_inert = not any(side.options or side.verdict is not None for side in sides)
        key = () if is_inert else tuple(sides)
        if key not in kinds:
            kinds[key] = len(kinds)
            values.append(value(number))
        of[number] = kinds[key]
    return numbered(of, list(kinds), values)


def numbered(of: dict[int, int], kinds: list[tuple[Side, ...]], values: Sequence[object | None]) -> Classes:
    """The classes in their final order: those that add up first, else parts before what they come of, as given."""
    order = sorted(range(len(kinds)), key=lambda kind: (values[kind] is None, kind))
    new = {old: place for place, old in enumerate(order)}
    renamed = [
        tuple(
            Side(side.verdict, tuple(tuple(sorted(new[part] for part in parts)) for parts in side.options))
            for side in kinds[old]
        )
        for old in order
    ]
    room, length = [0] * len(kinds), [0] * len(kinds)
    for old in range(1, len(kinds)):
        options = [parts for side in renamed[new[old]] for parts in side.options]
        room[new[old]] = max(1, *(sum(room[part] for part in parts) for parts in options), 1)
        length[new[old]] = 1 + max((sum(length[part] for part in parts) for parts in options), default=0)
    numbers = {number: new[kind] for number, kind in of.items()}
    settled = [value for value in (values[old] for old in order) if value is not None]
    return Classes(numbers, renamed, settled, room, length)


def parts_first(components: Components, roots: Iterable[int], movers: Sequence[int]) -> list[int]:
    """All components that are reached, each behind those that moves make of it."""
    finished: dict[int, bool] = {}
    order: list[int] = []
    waiting = list(roots)
    options = 0
    while waiting:
        number = waiting[-1]
        if number in finished:
            waiting.pop()
            if not finished[number]:
                finished[number] = True
                order.append(number)
            continue
        finished[number] = False
        choices = [choice for mover in movers for choice in components.at_turn(number, mover).choices]
        options += sum(1 + len(choice.parts) for choice in choices)
        for part in {part for choice in choices for part in choice.parts}:
            if part not in finished:
                waiting.append(part)
            elif not finished[part]:  # it is on the way to this one
                raise NotClosed
        if len(finished) > MOST_COMPONENTS or options > MOST_OPTIONS or components.budget.free < PIECE:
            raise NotClosed
    return order


def most_sums(found: Classes, roots: Sequence[int], limit: int) -> int:
    """A bound on how many sums play makes of one: its components, by their classes; at most `limit`.

    No move makes the parts that may come of a sum more, and every move makes the moves that may be made in it fewer,
    so the sums are among the multisets of classes that weigh no more than it does, for either weight. They are counted
    by weight, as are the partitions of a number into parts of several colours.
    """
    bounds = [limit]
    for weights in (found.room, found.length):
        most = sum(weights[root] for root in roots)
        if most > MOST_WEIGHT:
            continue
        counts = [1] + [0] * most
        for weight in weights[1:]:
            for total in range(weight, most + 1):
                counts[total] = min(limit, counts[total] + counts[total - weight])
        bounds.append(min(limit, sum(counts)))
    return min(bounds)


MOST_WEIGHT = 1 << 12
