"""Whether the rules stay the same when the contents of cells and fields change places.

The rules are written out (`analysis.ground`), every cell and field in them is replaced by the one that its content
goes to, and what comes out must be the rules again: the same moves, ends and requirements.

Where an array is named as a whole it is replaced by the one that all its cells go to. What such a term says of single
cells is only the same if all arrays that it is compared with, or copied from, are permuted alike; builtins do not
depend on the order of the cells.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

import msgspec

from gamespec.analysis.ground import GroundGame, GroundMove, Term, renormalised
from gamespec.builtins import BUILTINS
from gamespec.game.model import Game
from gamespec.types import ArrayType

Indices = tuple[Term, ...]


class Went(msgspec.Struct, frozen=True):
    """Where the content of a field goes.

    `cell` tells where that of a cell goes, or None if that is not known; `to` is the field that holds the content of
    all cells afterwards (None: several do), and `order` what their order becomes (None: the same), equal for equal
    orders.
    """

    cell: Callable[[Indices], tuple[str, Indices] | None]
    to: str | None
    order: Hashable = None


def respects(game: Game, form: GroundGame, went: Mapping[str, Went]) -> bool:
    """Whether the rules are the same when the contents of fields go where `went` says; others stay."""
    mapping = _Mapping(game, went)
    try:
        if tuple((mapping.term(term), verdict) for term, verdict in form.terminals) != form.terminals:
            return False
        if frozenset(map(mapping.term, form.requires)) != form.requires:
            return False
        images = set()
        for move, count in form.moves:
            image = mapping.move(move), count
            if image not in form.moves:
                return False
            images.add(image)
        return len(images) == len(form.moves)
    except _Unmoved:
        return False


class _Unmoved(Exception):
    """A term has no image that is known."""


class _Mapping:
    """Replaces cells and fields by their images."""

    def __init__(self, game: Game, went: Mapping[str, Went]) -> None:
        self.went = went
        self.names = tuple(field.name for field in game.states)
        fields = (*game.givens, *game.states)
        self._dims = {field.name: field.type.dims for field in fields if isinstance(field.type, ArrayType)}
        self._orders: dict[Hashable, Hashable] = {}  # of arrays named as a whole, by their bounds
        self._known: dict[Term, Term] = {}

    def move(self, move: GroundMove) -> GroundMove:
        effect = frozenset((self._change(change), count) for change, count in move.effect)
        return GroundMove(frozenset(map(self.term, move.guards)), effect, self.term(move.gain))

    def _change(self, change: Term) -> Term:
        """An update, or a component that a move leaves: a value for each state field, then for givens of its own."""
        if change[0] != "part":
            return self.term(change)
        _, args, condition = change
        made = list(map(self.term, args))
        for place, name in enumerate(self.names):
            if name in self._dims:
                self._keep_order(name)
            if name in self.went:
                to = self.went[name].to
                if to is None:
                    raise _Unmoved
                made[self.names.index(to)] = self.term(args[place])
        return ("part", tuple(made), self.term(condition))

    def term(self, term: Term) -> Term:
        if not isinstance(term, tuple):
            return term
        if term not in self._known:
            self._known[term] = self._image(term)
        return self._known[term]

    def _image(self, term: tuple[Term, ...]) -> Term:
        match term:
            case ("cell", str(name), (*indices,)):
                at = tuple(map(self.term, indices))
                if name not in self.went:
                    return ("cell", name, at)
                found = self.went[name].cell(at)
                if found is None:
                    raise _Unmoved
                return ("cell", *found)
            case ("field", str(name)):
                if name in self._dims:
                    self._keep_order(name)
                return self._whole(name)
            case ("given", str(name)) if name in self._dims:
                self._keep_order(name)
                return term
            case ("in", item, ("field", str(name))):
                return renormalised(("in", self.term(item), self._whole(name)))
            case (str(builtin), ("field", str(name))) if builtin in BUILTINS:
                return (builtin, self._whole(name))
            case ("at", base, _) if self._has_array(base):
                raise _Unmoved  # a cell of an array that is not named
            case _:
                return renormalised(tuple(map(self.term, term)))

    def _has_array(self, term: Term) -> bool:
        if not isinstance(term, tuple):
            return False
        return (term[:1] == ("field",) and term[1] in self._dims) or any(map(self._has_array, term))

    def _whole(self, name: str) -> Term:
        """A field, whatever the order of its cells."""
        to = self.went[name].to if name in self.went else name
        if to is None:
            raise _Unmoved
        return ("field", to)

    def _keep_order(self, name: str) -> None:
        """Notes that an array is used in the order of its cells, beside others with its bounds."""
        order = self.went[name].order if name in self.went else None
        if self._orders.setdefault(self._dims[name], order) != order:
            raise _Unmoved
