"""Values as a user writes and reads them."""

from __future__ import annotations

from gamespec.game.model import Value
from gamespec.types import ArrayType, BoolType, ListType, NamesType, SetType, Type


def scalar_text(of: Type, value: int) -> str:
    """A number, `true` or `false`, or a name."""
    match of:
        case BoolType():
            return "true" if value else "false"
        case NamesType(names):
            return names[value]
        case _:
            return str(value)


def value_text(of: Type, value: Value) -> str:
    """A value of any type: `7`, `red`, `{2, 5}`, `[1, 2, 3]`."""
    match of:
        case SetType(element):
            assert isinstance(value, frozenset)
            return "{" + ", ".join(scalar_text(element, item) for item in sorted(value)) + "}"
        case ArrayType(_, element) | ListType(element):
            assert isinstance(value, tuple)
            return "[" + ", ".join(value_text(element, item) for item in value) + "]"
        case _:
            assert isinstance(value, int)
            return scalar_text(of, value)
