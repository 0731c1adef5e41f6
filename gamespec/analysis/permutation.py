"""What a symmetry is: permutations of the contents of fields and of cells of arrays."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.game.model import MOVER, Game
from gamespec.types import ArrayType

Place = tuple[str, int]
"""A cell of an array, counted from 0, or a field that is no array, with the number 0."""

Row = tuple[Place, ...]
"""For one field: the places whose contents go to its cell 0, 1, …"""

Images = Mapping[str, Row]
"""The rows of the fields that a permutation changes."""

Key = tuple[tuple[str, Row], ...]
"""The same as a tuple, sorted by name."""


def product(one: Images, other: Images) -> dict[str, Row]:
    """First one permutation, then the other; fields that stay as they are may be left out of either."""
    made = {}
    for name in one.keys() | other.keys():
        row = other[name] if name in other else tuple((name, cell) for cell in range(len(one[name])))
        made[name] = tuple(one[source][cell] if source in one else (source, cell) for source, cell in row)
    return made


def key(images: Images) -> Key:
    """The key of a permutation, without the fields that stay as they are."""
    return tuple(
        (name, images[name])
        for name in sorted(images)
        if any(place != (name, cell) for cell, place in enumerate(images[name]))
    )


class Permutation(msgspec.Struct, frozen=True):
    """Contents that change places together. Fields between which they do have the same type and bounds."""

    name: str
    images: Key


class Swap(msgspec.Struct, frozen=True):
    """How the players change places: the two values that stand for them in each field that holds players, and the
    permutation of cells within arrays, its own inverse, that goes with it."""

    pairs: tuple[tuple[str, tuple[int, int]], ...]
    images: Key
    reason: Evidence


class Symmetry(msgspec.Struct, frozen=True):
    """What the rules respect.

    `elements` are all permutations of a group except the one that changes nothing. `rows`, where not empty, are
    arrays whose entries may be put into any order, together.
    """

    elements: tuple[Permutation, ...] = ()
    rows: tuple[str, ...] = ()
    reasons: tuple[Evidence, ...] = ()

    @property
    def orbit(self) -> int:
        """The most positions that are stored as one, not counting orders of entries."""
        return len(self.elements) + 1


def may_have(game: Game) -> bool:
    """Whether there are cells, or fields of the same type, that could change places."""
    types = [field.type for field in game.states if field.name != MOVER]
    return any(isinstance(of, ArrayType) for of in types) or len(set(types)) < len(types)
