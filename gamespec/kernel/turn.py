"""Whose turn it is: what a move does to `mover`, and what a verdict means for the player to move."""

from __future__ import annotations

from collections.abc import Mapping

from gamespec.game import model
from gamespec.game.model import MOVER, Game, Verdict
from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, TRUE, compare, const, select


def outcome_of(game: Game, verdict: Verdict | None, position: Mapping[str, ir.Expr]) -> ir.Expr:
    """The outcome (u32) for the player to move where a condition with this verdict ends the game.

    Without a verdict `winner` decides; a score that is counted while playing is 0 from there on.
    """
    if verdict is None:
        verdict = Verdict.DRAW if game.scored else Verdict.MOVER_WINS if game.misere else Verdict.MOVER_LOSES
    first, second = (const(verdict.outcome(turn), ir.U32) for turn in (0, 1))
    if first == second:
        return first
    mover = position[MOVER]
    return select(compare("eq", mover, const(0, mover.type)), first, second)


def keeps_turn(
    game: Game, move: model.Move, before: Mapping[str, ir.Expr], after: Mapping[str, ir.Expr] | None
) -> ir.Expr:
    """Whether the player who made a move also makes the next (i1); `after` is None for a move into components.

    Constant where the rule itself says so: it is asked what becomes of each player whom the guards let move.
    """
    if after is None or not game.partisan:
        return FALSE
    nexts = {mover: _mover_after(move, mover) for mover in (0, 1) if _may_move(move, mover)}
    if None not in nexts.values():
        kept = {mover == then for mover, then in nexts.items()}
        if len(kept) <= 1:
            return TRUE if True in kept else FALSE
    return compare("eq", after[MOVER], before[MOVER])


def _may_move(move: model.Move, mover: int) -> bool:
    return all(_decide(guard, mover) is not False for guards in move.guards for guard in guards)


def _mover_after(move: model.Move, mover: int) -> model.Value | None:
    """Whose turn it is after the move of a player; None if that depends on the position."""
    assert isinstance(move.effect, model.Do)
    own = [update for update in move.effect.updates if update.field == MOVER]
    if not own:
        return mover
    if len(own) > 1 or own[0].op != "=" or own[0].tail is not None:
        return None
    return _decide(own[0].value, mover)


def _decide(expr: model.Expr, mover: int) -> model.Value | None:
    """The value of an expression where it depends on the player to move only; else None."""
    match expr:
        case model.Const(value=value):
            return value
        case model.StateRef(name=name) if name == MOVER:
            return mover
        case model.Not(operand=operand):
            found = _decide(operand, mover)
            return None if found is None else not found
        case model.Compare(op="==" | "!=" as op, left=left, right=right):
            first, second = _decide(left, mover), _decide(right, mover)
            if first is None or second is None:
                return None
            return (first == second) is (op == "==")
        case model.If(condition=condition, then=then, other=other):
            test = _decide(condition, mover)
            if test is None:
                return None
            return _decide(then if test else other, mover)
        case _:
            return None
