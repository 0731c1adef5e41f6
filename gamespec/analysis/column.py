"""Rules of one large number beside small fields: a column of positions for each number, each like those before it.

Of the large number the rules see what `analysis.numeral` says (remainders, and small numbers that it is compared with),
and they lower it by bounded steps or leave it as it is. `gamespec.plan.table.column` makes use of it.
"""

from __future__ import annotations

from math import prod

import msgspec

from gamespec.analysis.numeral import FURTHEST, MOST_MODULUS, MOST_SETTLED, NoNumeral, Other, Reader
from gamespec.game.model import Const, Do, Field, Game, Move, Update
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.types import IntType, element_bounds, is_scalar

LARGE = 1 << 20
MOST_BESIDE = 1 << 10  # positions of a column


class Columns(msgspec.Struct, frozen=True):
    """The large `field`, and what the rules read of it.

    A column is that of a number n: the positions of all other fields, `size` of them. From `settled` on, moves and ends
    of a column are decided by n % modulus; they lead to columns n - furthest..n.
    """

    field: str
    bounds: Interval
    size: int
    modulus: int
    settled: int
    furthest: int
    span: Span


def columns(game: Game) -> Columns | NoNumeral:
    """The columns of a game, or why it has none."""
    large = [each for each in game.states if isinstance(each.type, IntType) and each.type.bounds.size > LARGE]
    if len(large) != 1 or len(game.states) < 2:
        return NoNumeral("not one large number beside small fields", game.states[-1].span)
    try:
        return _Reading(game, large[0]).found()
    except Other as other:
        return other.found


class _Reading:
    """Reads all rules once."""

    def __init__(self, game: Game, field: Field) -> None:
        self.game = game
        self.field = field
        self.others = [each for each in game.states if each is not field]
        self.reader = Reader(game, field, frozenset(each.name for each in self.others))

    def found(self) -> Columns:
        game, field, reader = self.game, self.field, self.reader
        assert isinstance(field.type, IntType)
        bounds = field.type.bounds
        for each in game.states:
            if not is_scalar(each.type) or not _is_fixed(each) or (each is field and bounds.lo < 0):
                raise Other(f"{each.name} is not a number in fixed limits", each.span)
        size = prod(element_bounds(each.type).size for each in self.others)
        if size > MOST_BESIDE:
            raise Other(f"beside {field.name} there are {size:,} positions", field.span)
        if game.requires:
            raise Other("what `require` says of a position is not looked into", game.requires[0].span)
        for terminal in game.terminals:
            reader.read(terminal.condition)
        furthest = max([1, *map(self._furthest, game.moves)])
        span = game.moves[0].span if game.moves else field.span
        if reader.base or reader.modulus > MOST_MODULUS or reader.settled > MOST_SETTLED or furthest > FURTHEST:
            raise Other("the moves see digits or large numbers, or go far", span)
        settled = max(reader.settled, bounds.lo + furthest)
        return Columns(field.name, bounds, size, reader.modulus, settled, furthest, span)

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
