"""Sizes that stand in the input clause and in the types of arrays, for one case."""

from __future__ import annotations

from collections.abc import Mapping

from gamespec.game.model import Const, Expr, Game, GivenRef, InputRef, StateRef, Value
from gamespec.game.walk import within
from gamespec.run.meaning import meaning

Size = Expr | tuple[Expr, Expr]
"""A number, or the first and the last index of a dimension."""


def size_of(size: Size, game: Game, values: Mapping[str, Value]) -> int | None:
    """How many that is; None if a name in it has no value yet. A dimension is never below 0."""
    if isinstance(size, tuple):
        first, last = (size_of(end, game, values) for end in size)
        return None if first is None or last is None else max(0, last - first + 1)
    match size:
        case Const(value=value):
            number = value
        case InputRef(name=name) | GivenRef(name=name) | StateRef(name=name):
            if name not in values:
                return None
            number = values[name]
        case _:
            parts = within(size, game.lets)
            if any(isinstance(part, InputRef | GivenRef | StateRef) and part.name not in values for part in parts):
                return None
            number = meaning(game, size, values)
    assert isinstance(number, int)
    return number
