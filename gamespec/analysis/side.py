"""Moves of a number that lead to numbers side by side: all between those of the least and the largest choice."""

from __future__ import annotations

import msgspec

from gamespec.analysis.change import scalar_change
from gamespec.game.legal import move_context, playing_context, position_context
from gamespec.game.model import (
    Binary,
    Compare,
    Const,
    Do,
    Expr,
    Field,
    Game,
    GivenRef,
    LocalRef,
    Move,
    Range,
    StateRef,
)
from gamespec.game.walk import names_read, through_lets
from gamespec.game.world import World
from gamespec.types import IntType

_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


class Side(msgspec.Struct, frozen=True):
    """The numbers that a move leads to: those for the least and the largest choice, with all between them.

    `limits` are comparisons of the choice, on the left, with something else. A move without a choice leads to one.
    """

    move: Move
    rising: bool = True  # a larger choice leads to a larger number
    within: Range | None = None
    limits: tuple[tuple[str, Expr], ...] = ()


def side_by_side(game: Game) -> list[Side] | None:
    """What the moves of a game of one number lead to; None where some do not lead to numbers side by side."""
    if len(game.states) != 1 or not isinstance(game.states[0].type, IntType):
        return None
    world = World(game)
    found = [_side(world, game.states[0], move) for move in game.moves]
    return None if None in found else [each for each in found if each is not None]


def _side(world: World, field: Field, move: Move) -> Side | None:
    if not isinstance(move.effect, Do) or move.effect.gain is not None or len(move.choices) > 1:
        return None
    context = move_context(playing_context(world, position_context(world)), move)
    change = scalar_change(context, field, move.effect.updates)
    if change is None or {update.field for update in move.effect.updates} != {field.name}:
        return None
    if not move.choices:
        return Side(move)
    (bind,) = move.choices
    within, chosen = through_lets(bind.within, world.game.lets), context.names[bind.name]
    if not isinstance(within, Range):
        return None
    names = (field.name, *(given.name for given in world.game.givens))
    plain = {context.atoms.ids.get(("field", name)) for name in names}  # any other atom may depend on the choice
    rising = [sign > 0 for sign in (1, -1) if (change - chosen.times(sign)).atoms <= plain]
    limits = [_limit(world.game, guard, bind.name) for guard in move.guards[1]]
    if not rising or not all(limits):
        return None
    return Side(move, rising[0], within, tuple(limit for limit in limits if limit is not None))


def _limit(game: Game, guard: Expr, name: str) -> tuple[str, Expr] | None:
    """A guard as a comparison of the choice with what does not depend on it and can always be worked out."""
    if not isinstance(guard, Compare) or guard.op not in _TURNED:
        return None
    for op, own, other in ((guard.op, guard.left, guard.right), (_TURNED[guard.op], guard.right, guard.left)):
        if isinstance(own, LocalRef) and own.name == name and name not in names_read(other, game.lets):
            return (op, other) if _is_simple(other) else None
    return None


def _is_simple(expr: Expr) -> bool:
    match expr:
        case Const() | StateRef() | GivenRef():
            return isinstance(expr.type, IntType)
        case Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_simple(left) and _is_simple(right)
        case _:
            return False
