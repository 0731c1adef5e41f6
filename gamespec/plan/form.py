"""What a table may do beyond one cell for each position, one look for each option: each can be switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gamespec.analysis.numeral import NoNumeral, Numeral, numeral
from gamespec.game.model import Binary, Do, Expr, Game, Move, StateRef
from gamespec.interval import Interval
from gamespec.types import IntType

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts

NUMERAL = "numeral"
PACKED, BLOCKS = "packed", "blocks"

FORMS = {
    PACKED: "outcomes take a bit of memory each (two with draws), and the latest are kept in a register",
    BLOCKS: "numbers that begin alike are filled in at once where the values before them are alike",
}
"""What `--no-NAME` leaves out, and what it does."""


def numeral_of(game: Game, facts: Facts) -> Numeral | NoNumeral:
    """What the rules read of a number, looked for when it is first asked for."""
    if NUMERAL not in facts.found:
        facts.found[NUMERAL] = numeral(game)
    return cast("Numeral | NoNumeral", facts.found[NUMERAL])


def steps(game: Game) -> dict[int, Interval] | None:
    """By how much each move (by its number) lowers the only field, a number; moves that do something else are left
    out. None where a position is not one number."""
    if len(game.states) != 1 or not isinstance(game.states[0].type, IntType):
        return None
    found = {}
    for number, move in enumerate(game.moves):
        step = _step(game, move)
        if step is not None:
            found[number] = step
    return found


def _step(game: Game, move: Move) -> Interval | None:
    if not isinstance(move.effect, Do) or len(move.effect.updates) != 1:
        return None
    (update,) = move.effect.updates
    if update.indices is not None or update.tail is not None or not isinstance(update.value.type, IntType):
        return None
    match update.op:
        case "-=":
            return update.value.type.bounds
        case "+=":
            return -update.value.type.bounds
        case "=":
            return _less(game, update.value)
        case _:
            return None


def _less(game: Game, expr: Expr) -> Interval | None:
    """What is subtracted from the field in an expression that does nothing else."""
    total = Interval(0, 0)
    while isinstance(expr, Binary) and expr.op in ("+", "-") and isinstance(expr.right.type, IntType):
        total = total + (expr.right.type.bounds if expr.op == "-" else -expr.right.type.bounds)
        expr = expr.left
    return total if isinstance(expr, StateRef) and expr.name == game.states[0].name else None
