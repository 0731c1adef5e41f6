"""All expressions of a game's rules."""

from __future__ import annotations

from collections.abc import Iterator

from gamespec.game.model import Do, Expr, Game
from gamespec.game.walk import tail_parts


def rule_expressions(game: Game) -> Iterator[Expr]:
    """What play evaluates: bounds of fields, `require`, `terminal`, guards, choices and effects, without lets."""
    for field in (*game.givens, *game.states):
        yield from (end for end in (field.lo, field.hi) if end is not None)
        yield from (end for pair in field.dims for end in pair)
    yield from game.requires
    yield from (terminal.condition for terminal in game.terminals)
    for move in game.moves:
        for guards in move.guards:
            yield from guards
        yield from (bind.within for bind in move.choices)
        if isinstance(move.effect, Do):
            if move.effect.gain is not None:
                yield move.effect.gain
            for update in move.effect.updates:
                yield from update.indices or ()
                yield update.value
                yield from tail_parts(update.tail) if update.tail else ()
        else:
            for part in move.effect.parts:
                yield from part.args
                yield from tail_parts(part.tail) if part.tail else ()
