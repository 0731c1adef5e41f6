"""Lists of values that were read row by row, as sets and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from gamespec.game.model import Value
from gamespec.types import ArrayType, SetType, Type, as_kept

Raw = list[Any]
"""Values in the order read: numbers, or one such list for each row."""


def shape_of(raw: Raw, depth: int) -> tuple[int, ...] | None:
    """How many entries there are in each of `depth` dimensions; None if rows differ."""
    if depth == 1:
        return (len(raw),)
    shapes = {shape_of(row, depth - 1) for row in raw}
    if not raw:
        return (0,) * depth
    inner = shapes.pop()
    return None if shapes or inner is None else (len(raw), *inner)


def padded(raw: Raw, shape: Sequence[int], least: int) -> Raw:
    """Rows that were measured, each as long as the shape says; what no row is given has the least value."""
    if len(shape) == 1:
        return [*raw, *[least] * (shape[0] - len(raw))]
    return [padded(row, shape[1:], least) for row in raw]


def gathered(raw: Raw, of: Type) -> Value:
    """Values that were read one after another, as a set or an array."""
    match of:
        case SetType():
            return frozenset(flat(raw))
        case ArrayType(dims, SetType()):
            sets: Any = tuple(frozenset(flat(entry)) for entry in flat(raw, len(dims)))
            return cast(Value, sets)
        case ArrayType(dims, _):
            return cast(Value, as_kept(of, tuple(flat(raw, len(dims)))))
        case _:
            raise TypeError(f"{of} does not hold several values")


def flat(raw: Raw, depth: int | None = None) -> Iterable[Any]:
    """The entries of `depth` dimensions one after another; of all, without `depth`."""
    entries: Iterable[Any] = raw
    level = 1
    while (level < depth) if depth is not None else any(isinstance(entry, list) for entry in entries):
        entries = [inner for entry in entries for inner in entry]
        level += 1
    return entries
