"""What a table may do beyond one cell for each position, one look for each option."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gamespec.analysis.numeral import NoNumeral, Numeral, numeral
from gamespec.analysis.passes import SIEVE
from gamespec.analysis.rules import rule_expressions
from gamespec.game.model import Binary, Call, Do, Expr, Game, Move, StateRef
from gamespec.game.walk import within
from gamespec.interval import Interval
from gamespec.kernel.sieve import LIMIT, Sieve
from gamespec.types import IntType

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts

NUMERAL = "numeral"


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


def sieved(game: Game, facts: Facts) -> Sieve | None:
    """The sieve for a game whose rules look at the divisors of a field, or at the primes up to one."""
    if SIEVE in facts.disabled:
        return None
    found = set()
    for expr in rule_expressions(game):
        for part in within(expr, game.lets):
            match part:
                case Call(name="divisors" | "primes", args=(StateRef(name=name, type=IntType(bounds=bounds)),)):
                    if bounds.lo >= 0 and bounds.hi < LIMIT:
                        found.add(name)
    return Sieve(frozenset(found)) if found else None
