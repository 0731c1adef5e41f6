"""Checked games, facts and kernels as plain values, and back.

A value is taken apart into a list of parts, each after those that it is made of: what occurs in several places is
kept once. Parts name the classes they belong to, which must be nodes, named tuples or enumerations of this package;
nothing else is ever made of them, and nothing is called but their constructors.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from enum import Enum
from importlib import import_module
from typing import Any

import msgspec

_CONSTANT, _TUPLE, _LIST, _DICT, _SET, _RANGE, _ENUM, _OUTSIDE = range(-8, 0)
_PLAIN = (type(None), bool, int, float, str, bytes)
_PACKAGE = __name__.partition(".")[0] + "."


class Unkept(Exception):
    """A value that cannot be taken apart, or bytes that make none."""


def frozen(value: object, outside: Sequence[object] = ()) -> bytes:
    """The bytes of a value; objects of `outside`, wherever they occur, are left out. Raises Unkept."""
    freezer = _Freezer(outside)
    try:
        freezer.place(value)
        return marshal.dumps((tuple(freezer.names), freezer.parts))
    except (RecursionError, ValueError) as error:
        raise Unkept(str(error)) from error


def thawed(data: bytes, outside: Sequence[object] = ()) -> Any:
    """The value of these bytes, with the objects of `outside` in their places. Raises Unkept."""
    try:
        names, parts = marshal.loads(data)
        classes = [_class_of(name) for name in names]
        fields = [_fields_of(each) for each in classes]
        values: list[Any] = []
        for kind, *places in parts:
            if kind >= 0:
                made = [values[place] for place in places]
                given = fields[kind]
                values.append(
                    classes[kind](*made) if given is None else classes[kind](**dict(zip(given, made, strict=True)))
                )
            elif kind == _CONSTANT:
                values.append(places[0])
            elif kind == _OUTSIDE:
                values.append(outside[places[0]])
            elif kind == _ENUM:
                values.append(classes[places[0]][places[1]])
            else:
                values.append(_collection(kind, [values[place] for place in places]))
        return values[-1]
    except (EOFError, ValueError, TypeError, LookupError, AttributeError, ImportError) as error:
        raise Unkept(str(error)) from error


def _collection(kind: int, values: list[Any]) -> Any:
    if kind == _TUPLE:
        return tuple(values)
    if kind == _LIST:
        return values
    if kind == _DICT:
        return dict(zip(values[::2], values[1::2], strict=True))
    if kind == _SET:
        return frozenset(values)
    if kind == _RANGE:
        return range(*values)
    raise Unkept(f"a part of kind {kind}")


def _class_of(name: str) -> Any:
    module, _, inner = name.partition(":")
    if not module.startswith(_PACKAGE):
        raise Unkept(f"the class {name}")
    found = getattr(import_module(module), inner)
    if not _is_ours(found):
        raise Unkept(f"the class {name}")
    return found


def _is_ours(of: Any) -> bool:
    if not isinstance(of, type) or not of.__module__.startswith(_PACKAGE):
        return False
    return issubclass(of, msgspec.Struct | Enum) or (issubclass(of, tuple) and hasattr(of, "_fields"))


def _fields_of(of: Any) -> tuple[str, ...] | None:
    """The fields of a node; None for what is made of values in their order."""
    return of.__struct_fields__ if issubclass(of, msgspec.Struct) else None


class _Freezer:
    """Takes values apart: `parts` with the place of each value among them, and the names of classes."""

    def __init__(self, outside: Sequence[object]) -> None:
        self.parts: list[tuple[Any, ...]] = []
        self.names: dict[str, int] = {}
        self._seen: dict[int, tuple[int, object]] = {}  # by identity, with the value, so that it keeps its identity
        self._same: dict[tuple[Any, ...], int] = {}
        for number, value in enumerate(outside):
            self._seen[id(value)] = self._add((_OUTSIDE, number)), value

    def place(self, value: Any) -> int:
        """The number of the part that is this value."""
        known = self._seen.get(id(value))
        if known is None:
            known = self._seen[id(value)] = self._add(self._part(value)), value
        return known[0]

    def _add(self, part: tuple[Any, ...]) -> int:
        key = (type(part[1]), repr(part[1])) if part[0] == _CONSTANT else part
        place = self._same.get(key)
        if place is None:
            place = self._same[key] = len(self.parts)
            self.parts.append(part)
        return place

    def _part(self, value: Any) -> tuple[Any, ...]:
        of = type(value)
        if of in _PLAIN:
            return (_CONSTANT, value)
        if of is tuple:
            return (_TUPLE, *map(self.place, value))
        if of is list:
            return (_LIST, *map(self.place, value))
        if of is frozenset:
            return (_SET, *map(self.place, value))
        if of is range:
            return (_RANGE, *map(self.place, (value.start, value.stop, value.step)))
        if of is dict:
            return (_DICT, *(self.place(each) for pair in value.items() for each in pair))
        if not _is_ours(of):
            raise Unkept(f"a value of {of.__module__}.{of.__qualname__}")
        name = self.names.setdefault(f"{of.__module__}:{of.__qualname__}", len(self.names))
        if isinstance(value, Enum):
            return (_ENUM, name, value.name)
        if isinstance(value, msgspec.Struct):
            return (name, *(self.place(getattr(value, field)) for field in value.__struct_fields__))
        return (name, *map(self.place, value))
