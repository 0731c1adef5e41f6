"""What a kernel's status says, when it is not an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamespec.diagnostics import Kind, SpecError
from gamespec.game.model import Game, Position, Value
from gamespec.kernel import ir
from gamespec.plan.problems import FAILS_AMONG_MANY

if TYPE_CHECKING:
    from gamespec.game.evaluate import Evaluator

UNEXPLAINED = Kind(
    "GS902",
    "a kernel stopped ({what}) at {position}, where the reference evaluator finds nothing wrong",
    help="this is a fault of gamespec; please report it together with the spec",
)


STEPS = 1 << 18
"""What the evaluator may go through to find a failing choice again."""

_FAILS = {
    "call": "a function has no value",
    "clash": "a move sets a cell twice",
    "depend": "a move leaves a declared range",
    "divide": "a rule divides by zero",
    "empty": "there is nothing to choose from",
    "index": "an index lies outside its array",
    "part": "a move leaves a declared range",
    "power": "an exponent is negative",
    "range": "a move leaves a declared range",
    "require": "a move breaks what is required",
}


class KernelFault(Exception):
    """A kernel contradicts the reference evaluator: an internal error."""


def fitted(evaluator: Evaluator, position: Position) -> Position:
    """The position with its arrays as long as they are in this case; a kernel's words have room for the longest."""
    values = list(position)
    for place, field in enumerate(evaluator.game.states):
        value = values[place]
        if isinstance(value, tuple) and field.dims:
            cells = 1
            for ends in field.dims:
                first, last = (evaluator.expr(end, position) for end in ends)
                assert isinstance(first, int)
                assert isinstance(last, int)
                cells *= max(0, last - first + 1)
            values[place] = value[:cells]
    return tuple(values)


def explain(function: ir.Function, status: int, game: Game, givens: Sequence[Value], position: Position) -> Exception:
    """The error behind a negative status of a kernel that stood at a position: a rule that fails there.

    The reference evaluator finds it again and says what fails.
    """
    from gamespec.game.evaluate import Evaluator
    from gamespec.game.fault import RuleFault, TooMuchWork
    from gamespec.game.show import position_text

    what = "outside a table" if status == ir.TABLE_FAULT else function.sites[-status - 1].kind
    evaluator = Evaluator(game, game.data(givens), steps=STEPS)
    position = fitted(evaluator, position)
    try:
        evaluator.holds(position)
        evaluator.verdict(position)
        evaluator.moves(position)
    except TooMuchWork:
        text = position_text(game, position, evaluator.givens)
        span = None if status == ir.TABLE_FAULT else function.sites[-status - 1].span
        fault = FAILS_AMONG_MANY.at(span, what=_FAILS.get(what, "a rule fails"), position=text)
        return RuleFault(fault, game, position)
    except SpecError as error:
        return error
    text = position_text(game, position)
    return KernelFault(UNEXPLAINED.at(None, what=what, position=text).message)
