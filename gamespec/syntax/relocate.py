"""Moves the spans of nodes that were parsed from a text of its own to their places in the source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from gamespec.source import Span


def relocated(value: Any, place: Callable[[Span], Span]) -> Any:
    """A copy of a node, or of a tuple of them, with `place` applied to every span in it."""
    if isinstance(value, Span):
        return place(value)
    if isinstance(value, tuple):
        return tuple(relocated(item, place) for item in value)
    if isinstance(value, msgspec.Struct):
        changed = {name: relocated(getattr(value, name), place) for name in value.__struct_fields__}
        return type(value)(**changed)
    return value
