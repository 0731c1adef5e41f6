"""Prints the stages that are records: trees, games and facts, indented, without places."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec

from gamespec.interval import Interval
from gamespec.source import Source, Span

WIDTH = 110


def dump(value: Any) -> str:
    """A record over as many lines as it needs; what stands inside another thing is indented."""
    return "\n".join(_lines(value, ""))


def _lines(value: Any, margin: str) -> Iterator[str]:
    short = flat(value)
    if len(margin) + len(short) <= WIDTH or not _parts(value):
        yield margin + short
        return
    inner = margin + "  "
    if isinstance(value, msgspec.Struct):
        yield f"{margin}{type(value).__name__}"
    for name, part in _parts(value):
        whole = f"{name}: {flat(part)}" if name else flat(part)
        if len(inner) + len(whole) <= WIDTH or not _parts(part):
            yield inner + whole
        elif name and isinstance(part, tuple | list):
            yield f"{inner}{name}:"
            for item in part:
                yield from _lines(item, inner + "  ")
        elif name:
            first, *rest = _lines(part, inner)
            yield f"{inner}{name}: {first.strip()}"
            yield from rest
        else:
            yield from _lines(part, inner)


def _parts(value: Any) -> list[tuple[str, Any]]:
    """The named or unnamed parts of a record or collection."""
    match value:
        case Interval() | Enum():
            return []
        case msgspec.Struct():
            defaults = _defaults(type(value))
            fields = [(name, getattr(value, name)) for name in value.__struct_fields__]
            return [
                (name, part)
                for name, part in fields
                if not isinstance(part, Span | Source) and not (name in defaults and part == defaults[name])
            ]
        case dict():
            return [(str(name), part) for name, part in value.items()]
        case tuple() | list():
            return [("", part) for part in value]
    return []


def _defaults(of: type[msgspec.Struct]) -> dict[str, Any]:
    names, values = of.__struct_fields__, of.__struct_defaults__
    return dict(zip(names[len(names) - len(values) :], values, strict=True))


def flat(value: Any) -> str:
    """A record on one line."""
    match value:
        case Interval(lo, hi):
            return f"{lo}..{hi}"
        case Enum():
            return str(value.value)
        case msgspec.Struct():
            inner = ", ".join(f"{name}={flat(part)}" for name, part in _parts(value))
            return f"{type(value).__name__}({inner})"
        case dict():
            return "{" + ", ".join(f"{name}: {flat(part)}" for name, part in value.items()) + "}"
        case tuple() | list():
            return "[" + ", ".join(map(flat, value)) + "]"
        case frozenset():
            return "{" + ", ".join(map(flat, sorted(value))) + "}"
        case bool() | None:
            return str(value).lower()
        case _:
            return repr(value)
