"""What a symmetry is: permutations of the cells of arrays."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from gamespec.analysis.evidence import Evidence

Images = Mapping[str, tuple[int, ...]]
"""For each array that a permutation moves: the cell (counted from 0) whose content goes to cell 0, 1, …"""

Key = tuple[tuple[str, tuple[int, ...]], ...]
"""The same as a tuple, sorted by name."""


class Permutation(msgspec.Struct, frozen=True):
    """Cells of arrays, permuted together; `images` as in Images, sorted by name."""

    name: str
    images: Key


class Swap(msgspec.Struct, frozen=True):
    """How the players change places: the two values that stand for them in each field that holds players, and the
    permutation of cells, its own inverse, that goes with it."""

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
