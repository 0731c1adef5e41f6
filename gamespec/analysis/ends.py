"""How often the ends of the game ask for a cell: moves that change cells of many lines are likely to decide early."""

from __future__ import annotations

from itertools import product

from gamespec.analysis.ground import Term, TooManyTerms, ground
from gamespec.game.model import Game
from gamespec.types import ArrayType

Weights = dict[str, tuple[int, ...]]
"""For each array, of each of its cells in how many alternatives of `terminal` conditions it occurs."""


def weights(game: Game) -> Weights:
    """The weights of cells; none where the rules are too large to be written out, or all cells weigh the same."""
    arrays = [field for field in game.states if isinstance(field.type, ArrayType)]
    if not arrays or not game.terminals:
        return {}
    try:
        ends = [term for term, _ in ground(game).terminals]
    except TooManyTerms:
        return {}
    counts: dict[Term, int] = {}
    for end in ends:
        for part in end[1:] if isinstance(end, tuple) and end[0] == "or" else (end,):
            for cell in _cells(part):
                counts[cell] = counts.get(cell, 0) + 1
    found = {}
    for field in arrays:
        assert isinstance(field.type, ArrayType)
        cells = product(*(range(dim.lo, dim.hi + 1) for dim in field.type.dims))
        found[field.name] = tuple(counts.get(("cell", field.name, at), 0) for at in cells)
    return found if len({weight for row in found.values() for weight in row}) > 1 else {}


def _cells(term: Term) -> set[Term]:
    """The cells in a term."""
    found, waiting = set(), [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            if part[:1] == ("cell",):
                found.add(part)
            else:
                waiting += part
    return found
