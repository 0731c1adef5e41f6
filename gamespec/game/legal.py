"""What is known where a rule is evaluated: at a position, in play, and where a move is made."""

from __future__ import annotations

from gamespec.game.context import Context
from gamespec.game.model import Expr, Move, Stuck
from gamespec.game.walk import within
from gamespec.game.world import World


def position_context(world: World) -> Context:
    """At any position: fields lie within their bounds (a law of their atoms), every `require` holds."""
    context = Context(world)
    for condition in world.game.requires:
        context.assume(condition)
    return context


def playing_context(world: World, position: Context) -> Context:
    """Where moves are looked for: no `terminal` condition that stands before the first `stuck` holds."""
    context = position.child()
    for terminal in world.game.terminals:
        if asks_stuck(world, terminal.condition):
            break
        context.assume(terminal.condition, False)
    return context


def move_context(playing: Context, move: Move) -> Context:
    """Where a move is made: its guards hold, its names are bound."""
    context = playing.child()
    for stage, guards in enumerate(move.guards):
        for guard in guards:
            context.assume(guard)
        if stage < len(move.choices):
            context.bind(move.choices[stage])
    return context


def asks_stuck(world: World, condition: Expr) -> bool:
    """Whether a condition may look for moves itself."""
    return any(isinstance(part, Stuck) for part in within(condition, world.game.lets))
