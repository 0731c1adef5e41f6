"""Subtraction games: every move takes a number of a fixed set from one field."""

from __future__ import annotations

import msgspec

from gamespec.analysis.change import scalar_change
from gamespec.analysis.evidence import Evidence
from gamespec.game.context import Context
from gamespec.game.form import Form
from gamespec.game.legal import move_context, playing_context, position_context
from gamespec.game.model import Call, Compare, Const, Do, Expr, Field, GivenRef, Move, Range, SetOf, StateRef
from gamespec.game.walk import through_lets
from gamespec.game.world import World
from gamespec.types import IntType

MAX_VALUES = 4096


class Subtraction(msgspec.Struct, frozen=True):
    """`values` are the numbers that may be taken, ascending, where they are known before play; None where they
    are a given, or those of a kind (powers, squares, …) up to the field itself."""

    field: str
    values: tuple[int, ...] | None
    evidence: Evidence


def subtraction(world: World) -> Subtraction | None:
    """The subtraction game that the rules are, if they are one."""
    game = world.game
    if len(game.states) != 1 or not isinstance(game.states[0].type, IntType):
        return None
    field = game.states[0]
    playing = playing_context(world, position_context(world))
    values: set[int] | None = set()
    words = []
    for move in game.moves:
        if not isinstance(move.effect, Do):
            return None
        context = move_context(playing, move)
        taken = _taken(world, context, field, move)
        if taken is None:
            return None
        own, word = taken
        values = None if own is None or values is None else values | own
        words.append(word)
    known = None if values is None else tuple(sorted(values))
    span = game.moves[0].choices[0].within.span if game.moves[0].choices else game.moves[0].span
    text = f"every move subtracts one of {', '.join(words)} from {field.name}"
    return Subtraction(field.name, known, Evidence(text, span))


def _taken(world: World, context: Context, field: Field, move: Move) -> tuple[set[int] | None, str] | None:
    """The numbers that one move may take, and their name; only `k <= n` may rule some of them out."""
    assert isinstance(move.effect, Do)
    change = scalar_change(context, field, move.effect.updates)
    if change is None or len(move.choices) > 1:
        return None
    own = context.form(StateRef(name=field.name, type=field.type))
    if not move.choices:
        if change.terms or change.constant >= 0 or not _only_enough(move, context, own + change):
            return None
        return {-change.constant}, str(-change.constant)
    bind = move.choices[0]
    chosen = context.names[bind.name]
    if change.key != (-chosen).key or not _only_enough(move, context, own - chosen):
        return None
    return _fixed(world, field, bind.within)


def _only_enough(move: Move, context: Context, left: Form) -> bool:
    """Whether the guards say no more than that what is left is not negative."""
    for guard in (guard for guards in move.guards for guard in guards):
        if not isinstance(guard, Compare) or not isinstance(guard.left.type, IntType):
            return False
        difference = context.form(guard.left) - context.form(guard.right)
        match guard.op:
            case ">=":
                same = difference.key == left.key
            case ">":
                same = difference.plus(-1).key == left.key
            case "<=":
                same = (-difference).key == left.key
            case "<":
                same = (-difference).plus(-1).key == left.key
            case _:
                same = False
        if not same:
            return False
    return True


def _fixed(world: World, field: Field, within: Expr) -> tuple[set[int] | None, str] | None:
    within = through_lets(within, world.game.lets)
    text = world.text(within)
    match within:
        case Const(value=frozenset() as values):
            return {int(value) for value in values}, text
        case SetOf(items=items) if all(isinstance(item, Const) for item in items):
            return {int(item.value) for item in items if isinstance(item, Const) and isinstance(item.value, int)}, text
        case Range(lo=Const(value=int() as lo), hi=Const(value=int() as hi)):
            return (set(range(lo, hi + 1)) if hi - lo < MAX_VALUES else None), text
        case Range(lo=Const(value=1), hi=StateRef(name=field.name)):
            return None, text
        case GivenRef():
            return None, text
        case (
            Call(name="powers", args=(Const(), StateRef(name=name)))
            | Call(name="squares" | "primes", args=(StateRef(name=name),))
        ) if name == field.name:
            return None, text
        case _:
            return None
