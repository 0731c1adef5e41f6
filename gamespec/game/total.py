"""Totality: every operation of the rules that can fail, and the proofs that it does not.

What is not proved is checked while running; `faults` looks for a position where it fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamespec.game.context import Context
from gamespec.game.kept import Kept, Total
from gamespec.game.legal import asks_stuck
from gamespec.game.model import Game
from gamespec.game.partial import Ledger, Walk
from gamespec.game.proof import KINDS, Proofs
from gamespec.game.world import World

if TYPE_CHECKING:
    from gamespec.diagnostics import Diagnostic

__all__ = ["KINDS", "Proofs", "faults", "prove"]


def prove(game: Game, world: World | None = None) -> Proofs:
    """Walks the rules in the order of evaluation and proves what can be proved of their partial operations."""
    world = world or World(game)
    ledger = Ledger()
    walk = Walk(world, ledger)
    context = Context(world)
    for field in (*game.givens, *game.states):
        ends = [end for end in (field.lo, field.hi) if end is not None]
        walk.all((*ends, *(end for pair in field.dims for end in pair)), context)
    total = Total(ledger.proved, [])
    for condition in game.requires:
        own = Ledger()
        Walk(world, own).expr(condition, context)
        ledger.take(own)
        if not own.proved:
            total.partial.append(condition)
        context.assume(condition)
    playing: Context | None = None
    position = context.child()
    for terminal in game.terminals:
        walk.expr(terminal.condition, position)
        if playing is None and asks_stuck(world, terminal.condition):
            playing = position.child()
        position.assume(terminal.condition, False)
    playing = playing or position
    kept = Kept(world, ledger, walk, total)
    for move in game.moves:
        inner = playing.child()
        for stage, guards in enumerate(move.guards):
            for guard in guards:
                walk.expr(guard, inner)
                inner.assume(guard)
            if stage < len(move.choices):
                walk.expr(move.choices[stage].within, inner)
                inner.bind(move.choices[stage])
        kept.move(move, inner)
    return Proofs(ledger.reasons, ledger.spans, ledger.complete)


def faults(game: Game, proofs: Proofs | None = None, limit: int = 2000, *, every: bool = False) -> list[Diagnostic]:
    """What is not proved: an error where one of `limit` positions, or of all, shows a fault, else a note (see
    `game.probe`)."""
    from gamespec.game.probe import probe

    return probe(game, proofs or prove(game), limit, every=every)
