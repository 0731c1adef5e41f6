"""Arrays whose entries are played one by one: a position is the disjunctive sum of its entries.

A move must choose one index, and read and change the arrays of the position at this index only. Then a component is
what the arrays hold at one index, and the index belongs to its data. So rows of heaps need no `sum`: the Grundy value
of a position is the xor of those of its entries (Sprague and Grundy), and under misère play what holds for sums does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.game import model
from gamespec.game.model import Expr, Field, Game, Move, Update
from gamespec.game.walk import map_parts, names_read
from gamespec.source import Span
from gamespec.types import BOOL, ArrayType, IntType, Type, is_scalar


class Entries(msgspec.Struct, frozen=True):
    """The game that is played in one entry.

    `game` is a sum whose components are single entries; if `indexed`, its last given is where an entry stands.
    `chosen` has for each rule the place of the index among its choices.
    """

    game: Game
    indexed: bool
    chosen: tuple[int, ...]
    reason: Evidence


class _Joined(Exception):
    """Entries are not independent, or not provably."""


def entries(game: Game) -> Entries | None:
    """The game of one entry; None where a move may touch several, or something else decides."""
    if game.sum or game.partisan or game.scored or game.endless is not None:
        return None
    if game.terminals or game.requires or not all(map(_is_row, game.states)):
        return None
    (first, last) = game.states[0].dims[0]
    if any(field.dims != game.states[0].dims for field in game.states):
        return None
    index = _fresh(game)
    try:
        made = [_Entry(game, index).move(move) for move in game.moves]
    except _Joined:
        return None
    of = game.states[0].type
    assert isinstance(of, ArrayType)
    indexed = any(_mentions(move, index) for move, _ in made)
    where = Field(index, IntType(of.dims[0]), first, last, span=game.states[0].span, component=True)
    names = " and ".join(field.name for field in game.states)
    alone = msgspec.structs.replace(
        game,
        sum=True,
        givens=(*game.givens, where) if indexed else game.givens,
        states=tuple(_cell(field) for field in game.states),
        moves=tuple(move for move, _ in made),
        start=(),
        input=None,
        output=model.Output(()),
        tests=(),
        plan=None,
    )
    text = f"every move touches one entry of {names}: the entries are the components of a sum"
    return Entries(alone, indexed, tuple(place for _, place in made), Evidence(text, game.moves[0].span))


def _is_row(field: Field) -> bool:
    of = field.type
    return isinstance(of, ArrayType) and len(of.dims) == 1 and not of.ordered and is_scalar(of.of)


def _cell(field: Field) -> Field:
    assert isinstance(field.type, ArrayType)
    return Field(field.name, field.type.of, field.lo, field.hi, span=field.span)


def _fresh(game: Game) -> str:
    names = {field.name for field in (*game.givens, *game.states)} | set(game.lets) | set(game.params)
    name = "entry"
    while name in names:
        name += "_"
    return name


def _mentions(move: Move, given: str) -> bool:
    waiting: list[Any] = [move.choices, move.guards, move.effect]
    while waiting:
        node = waiting.pop()
        if isinstance(node, model.GivenRef) and node.name == given:
            return True
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, msgspec.Struct) and not isinstance(node, Type | Span):
            waiting.extend(getattr(node, name) for name in node.__struct_fields__)
    return False


class _Entry:
    """Writes the rules of one entry."""

    def __init__(self, game: Game, index: str) -> None:
        self.game = game
        self.index = index
        self.arrays = {field.name: field for field in game.states}

    def move(self, move: Move) -> tuple[Move, int]:
        """The rule in one entry, and the place of the index among its choices."""
        if not isinstance(move.effect, model.Do):
            raise _Joined
        place = self._place(move)
        bind = move.choices[place]
        if names_read(bind.within, self.game.lets) & self.arrays.keys():
            raise _Joined

        def changed(expr: Expr) -> Expr | None:
            match expr:
                case model.Index(base=model.StateRef(name=name), indices=(model.LocalRef(name=local),)):
                    if name in self.arrays and local == bind.name:
                        return model.StateRef(type=_cell(self.arrays[name]).type, name=name, span=expr.span)
                case model.LocalRef(name=name) if name == bind.name:
                    return model.GivenRef(type=expr.type, name=self.index, span=expr.span)
                case model.StateRef():
                    raise _Joined
                case model.LetRef(name=name) if names_read(expr, self.game.lets) & self.arrays.keys():
                    raise _Joined
                case _:
                    pass
            return None

        guards = [list(self._replaced(each, changed)) for each in move.guards]
        guards[place : place + 2] = [guards[place] + guards[place + 1]]
        if not self._is_whole(bind.within):
            item = model.GivenRef(type=_index_type(self.game), name=self.index, span=bind.span)
            inside = model.Member(type=BOOL, item=item, within=bind.within, span=bind.span)
            guards[place].insert(0, inside)
        choices = self._replaced(move.choices[:place] + move.choices[place + 1 :], changed)
        updates = tuple(self._update(update, changed) for update in move.effect.updates)
        effect = model.Do(updates)
        return Move(move.name, choices, tuple(map(tuple, guards)), effect, move.span), place

    def _place(self, move: Move) -> int:
        """The choice that is the index of every update."""
        assert isinstance(move.effect, model.Do)
        used = set()
        for update in move.effect.updates:
            match update.indices:
                case (model.LocalRef(name=name),) if update.tail is None:
                    used.add(name)
                case _:
                    raise _Joined
        names = [choice.name for choice in move.choices]
        if len(used) != 1 or not used <= set(names):
            raise _Joined
        return names.index(used.pop())

    def _update(self, update: Update, changed: Callable[[Expr], Expr | None]) -> Update:
        value = self._replaced(update.value, changed)
        return Update(update.field, None, update.op, value, None, update.span)

    def _is_whole(self, within: Expr) -> bool:
        """Whether the index is chosen from all there are."""
        first, last = self.game.states[0].dims[0]
        return isinstance(within, model.Range) and (within.lo, within.hi) == (first, last)

    def _replaced(self, node: Any, changed: Callable[[Expr], Expr | None]) -> Any:
        if isinstance(node, tuple):
            return tuple(self._replaced(each, changed) for each in node)
        if isinstance(node, model.Typed):
            new = changed(cast(Expr, node))
            if new is not None:
                return new
        if isinstance(node, model.Typed | model.Bind | model.Tail):
            return map_parts(node, lambda part: self._replaced(part, changed))
        return node


def _index_type(game: Game) -> IntType:
    of = game.states[0].type
    assert isinstance(of, ArrayType)
    return IntType(of.dims[0])
