"""Asks the reference evaluator about values that were read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gamespec.game.model import Expr, Game, Position, Value

if TYPE_CHECKING:
    from gamespec.game.evaluate import Evaluator

STEPS = 1 << 24
"""How many values may be visited for one expression over the data of a case: data may be long, and time is watched."""


def meaning(game: Game, expr: Expr, values: Mapping[str, Value]) -> Value:
    """The value of an expression of fields and input names, of which those that it uses must be given.

    Raises RuleFault where it has none.
    """
    position = tuple(values.get(field.name, 0) for field in game.states)
    return _evaluator(game, values).expr(expr, position)


def started(game: Game, values: Mapping[str, Value]) -> Position:
    """The position that `start` makes of the values read; raises RuleFault where it fails."""
    states = {field.name for field in game.states}
    return _evaluator(game, values).start({name: value for name, value in values.items() if name in states})


def _evaluator(game: Game, values: Mapping[str, Value]) -> Evaluator:
    from gamespec.game.evaluate import Evaluator

    givens = {field.name for field in game.givens}
    states = {field.name for field in game.states}
    return Evaluator(
        game,
        {name: value for name, value in values.items() if name in givens},
        {name: value for name, value in values.items() if name not in givens and name not in states},
        steps=STEPS,
    )
