"""Rows under rules that are the same everywhere: components may be moved to the front of the row.

Every rule, its choices made, is to be found again at each place of the row where its cells fit, and what data of the
case say of it is only that these cells are there. If every rule wants all of its cells (`analysis.split`), then the
moves of a component are those whose cells are all in it, wherever it stands.
"""

from __future__ import annotations

from typing import Any

from gamespec.analysis.ground import GroundGame, GroundMove, Term, meaning, total
from gamespec.game.model import Field, Game
from gamespec.types import ArrayType, SetType, element_bounds


class _Uneven(Exception):
    """A rule is not the same everywhere, or not provably."""


def same_everywhere(game: Game, form: GroundGame) -> bool:
    """Whether the rules of a game, whose ground form is given, are the same everywhere in its only field, a row."""
    if len(game.states) != 1:
        return False
    (field,) = game.states
    try:
        row = _Row(game, field)
        offsets: dict[GroundMove, set[int]] = {}
        for move, _ in form.moves:
            pattern, offset = row.placed(move)
            offsets.setdefault(pattern, set()).add(offset)
        return all(places == set(range(row.size - row.span(pattern))) for pattern, places in offsets.items())
    except _Uneven:
        return False


class _Row:
    """The cells of an array of one dimension, or the elements of a set."""

    def __init__(self, game: Game, field: Field) -> None:
        of = field.type
        self.name = field.name
        self.end: Term = None  # of an array, where data of the case make it shorter
        if isinstance(of, ArrayType) and len(of.dims) == 1:
            self.first, self.size = of.dims[0].lo, of.dims[0].size
            self.end = meaning(game, field.dims[0][1])
        elif isinstance(of, SetType):
            bounds = element_bounds(of.of)
            self.first, self.size = bounds.lo, bounds.size
        else:
            raise _Uneven

    def placed(self, move: GroundMove) -> tuple[GroundMove, int]:
        """A rule at the front of the row, and how far from there it stands."""
        data = [guard for guard in move.guards if _asks_data(guard)]
        guards = move.guards.difference(data)
        cells = self._cells((guards, move.effect))
        if not cells or not all(self._says_what_is_there(guard, max(cells)) for guard in data):
            raise _Uneven
        offset = min(cells) - self.first
        moved = self._moved((guards, move.effect), offset)
        return GroundMove(moved[0], moved[1], move.gain), offset

    def span(self, pattern: GroundMove) -> int:
        """How far the last cell of a rule at the front of the row is from the first one."""
        return max(self._cells((pattern.guards, pattern.effect))) - self.first

    def _says_what_is_there(self, guard: Term, last: int) -> bool:
        """Whether a condition holds for all data under which the array reaches to `last`."""
        match guard:
            case ("<=" | "<" as op, int(place), end) if self.end is not None:
                beyond = total([end, ("*", -1, self.end)])
                return isinstance(beyond, int) and place + (op == "<") - beyond <= last
            case _:
                return False

    def _cells(self, term: Any) -> set[int]:
        match term:
            case ("cell", str(), (int(place),)) | ("in", int(place), ("field", str())):
                return {place}
            case ("update", ("field", str()), _, frozenset() as elements, _):
                return set(elements)
            case ("given" | "field" | "cell", *_):
                raise _Uneven
            case tuple() | frozenset():
                return set().union(*map(self._cells, term))
            case _:
                return set()

    def _moved(self, term: Any, offset: int) -> Any:
        match term:
            case ("cell", name, (int(place),)):
                return ("cell", name, (place - offset,))
            case ("in", int(place), ("field", name)):
                return ("in", place - offset, ("field", name))
            case ("update", ("field", name), op, frozenset() as elements, condition):
                return ("update", ("field", name), op, frozenset(each - offset for each in elements), condition)
            case tuple():
                return tuple(self._moved(part, offset) for part in term)
            case frozenset():
                return frozenset(self._moved(part, offset) for part in term)
            case _:
                return term


def _asks_data(term: Any) -> bool:
    if not isinstance(term, tuple | frozenset):
        return False
    return (isinstance(term, tuple) and term[:1] == ("given",)) or any(map(_asks_data, term))
