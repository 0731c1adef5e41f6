"""Rules of large numbers beside small fields: positions with one of the numbers are like those with smaller ones.

Of each large number the rules see what `analysis.numeral` says (remainders, and small numbers that it is compared
with), whatever the other fields hold, and they lower it by bounded steps or leave it as it is.
`gamespec.plan.table.column` makes use of it.
"""

from __future__ import annotations

from math import prod

import msgspec

from gamespec.analysis.numeral import FURTHEST, MOST_MODULUS, MOST_SETTLED, NoNumeral, Other, Reader
from gamespec.game.model import Const, Do, Field, Game, Move, Update
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.types import IntType, element_bounds, is_scalar

LARGE = 1 << 12
MOST_LARGE = 4  # numbers
MOST_BESIDE = 1 << 10  # positions of the other fields


class Axis(msgspec.Struct, frozen=True):
    """A large number, and what the rules read of it.

    From `settled` on, moves and ends are decided by its remainder by `modulus` and the other fields; moves lower it by
    0..furthest.
    """

    field: str
    bounds: Interval
    modulus: int
    settled: int
    furthest: int


class Columns(msgspec.Struct, frozen=True):
    """The large numbers; beside them the other fields have `size` positions."""

    axes: tuple[Axis, ...]
    size: int
    span: Span


def columns(game: Game) -> Columns | NoNumeral:
    """The columns of a game, or why it has none."""
    large = [each for each in game.states if isinstance(each.type, IntType) and each.type.bounds.size > LARGE]
    if not 1 <= len(large) <= MOST_LARGE or len(game.states) < 2:
        return NoNumeral("not large numbers with other fields beside them", game.states[-1].span)
    for each in game.states:
        if not is_scalar(each.type) or not _is_fixed(each) or (each in large and element_bounds(each.type).lo < 0):
            return NoNumeral(f"{each.name} is not a number in fixed limits", each.span)
    size = prod(element_bounds(each.type).size for each in game.states if each not in large)
    if size > MOST_BESIDE:
        return NoNumeral(f"beside {large[0].name} there are {size:,} positions", large[0].span)
    if game.requires:
        return NoNumeral("what `require` says of a position is not looked into", game.requires[0].span)
    try:
        axes = tuple(_Reading(game, each).found() for each in large)
    except Other as other:
        return other.found
    return Columns(axes, size, game.moves[0].span if game.moves else large[0].span)


class _Reading:
    """Reads all rules once, for one of the large numbers."""

    def __init__(self, game: Game, field: Field) -> None:
        self.game = game
        self.field = field
        self.reader = Reader(game, field, frozenset(each.name for each in game.states if each is not field))

    def found(self) -> Axis:
        game, field, reader = self.game, self.field, self.reader
        for terminal in game.terminals:
            reader.read(terminal.condition)
        furthest = max([1, *map(self._furthest, game.moves)])
        if reader.base or reader.modulus > MOST_MODULUS or reader.settled > MOST_SETTLED or furthest > FURTHEST:
            span = game.moves[0].span if game.moves else field.span
            raise Other("the moves see digits or large numbers, or go far", span)
        bounds = element_bounds(field.type)
        return Axis(field.name, bounds, reader.modulus, max(reader.settled, bounds.lo + furthest), furthest)

    def _furthest(self, move: Move) -> int:
        """How far a move lowers the number at most."""
        reader, effect = self.reader, move.effect
        reader.read_conditions(move)
        if not isinstance(effect, Do) or effect.gain is not None:
            raise Other(f"{move.name} does more than change fields", move.span)
        far = 0
        for update in effect.updates:
            if update.tail is not None:
                if update.tail.binds or update.tail.condition is None:
                    raise Other(f"{move.name} changes fields in more ways than one", update.span)
                reader.read(update.tail.condition)
            far += self._step(update)
        return far

    def _step(self, update: Update) -> int:
        """How far an update lowers the number at most; 0 for those of other fields."""
        reader = self.reader
        if update.field != self.field.name:
            reader.read(update.value)
            return 0
        taken = reader.taken(update)
        if taken is None or any(element_bounds(amount.type).lo < 0 for amount in taken):
            raise Other(f"a move may do something else than lower {self.field.name}", update.span)
        return sum(map(reader.highest, taken))


def _is_fixed(field: Field) -> bool:
    return all(end is None or isinstance(end, Const) for end in (field.lo, field.hi))
