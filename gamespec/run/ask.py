"""Positions that are named on a command line instead of read from an input.

A value is written as in a spec: `13`, `1_000`, `10**18`, `red`, `true`, `{2, 5}`, `2..20` for a set, `[1, 2, 3]` for an
array. Where several positions are asked, a number may also be `0..100` or `3,5,8`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NoReturn

import msgspec

from gamespec.diagnostics import InputError, UsageError
from gamespec.game.model import Field, Game, Value
from gamespec.game.show import MOST_ELEMENTS, values_text
from gamespec.game.walk import names_read
from gamespec.game.words import nearest
from gamespec.run import problems
from gamespec.run.complete import Breach, complete
from gamespec.run.layout import Layout, expected, scalar_type, words_of
from gamespec.run.meaning import meaning
from gamespec.types import ArrayType, BoolType, IntType, NamesType, SetType, Type, is_scalar

_NUMBER = re.compile(r"([+-]?[0-9](?:_?[0-9])*)(?:\*\*([0-9]{1,3}))?")
_RANGE = re.compile(r"(.+?)\.\.(.+)")
MOST_DIGITS = 60
MOST_SET = 1 << 20  # values of a range that is written as a set


class Asked(msgspec.Struct, frozen=True):
    """One position (of a sum: one component) with its data, in the order of declaration."""

    givens: tuple[Value, ...]
    state: tuple[Value, ...]


def position(game: Game, texts: Mapping[str, str]) -> Asked:
    """The position with these values; `start` gives the fields that are left out, if it can without an input.

    Raises UsageError for a name that is no field or a field without a value, InputError for a value that the spec
    does not allow.
    """
    fields = _fields(game, texts)
    values = {name: value_from_text(game, fields[name], text) for name, text in texts.items()}
    missing = [name for name in fields if name not in values]
    unstarted = [name for name in missing if not _is_started(game, name, values)]
    if unstarted:
        example = " ".join(f"{name}={_example(fields[name])}" for name in unstarted)
        raise UsageError(problems.NO_VALUE.at(None, names=", ".join(unstarted), example=example), source=game.source)
    frame, breach = complete(Layout(game), {name: [value] for name, value in values.items()}, 1)
    if breach is not None:
        _refuse(game, breach)
    return _asked(game, frame.row(0))


def positions(game: Game, texts: Mapping[str, str] | None = None) -> Iterator[Asked]:
    """All positions that the spec allows and that have these values, lexicographically in the order of declaration.

    Numbers, names and truth values may be given as a range or a list; fields that are left out take every value.
    They are made one by one, so the caller may stop. Raises as `position` does, but leaves out what `require`
    forbids, and values of a range that lie outside the declaration.
    """
    texts = texts or {}
    fields = _fields(game, texts)
    chosen = {name: _values_from_text(game, fields[name], text) for name, text in texts.items()}
    for values in _combinations(game, list(fields.values()), chosen, {}):
        if all(meaning(game, condition, values) for condition in game.requires):
            yield _asked(game, values)


def value_from_text(game: Game, field: Field, text: str) -> Value:
    """A value of a field's type; raises InputError. The bounds that depend on other fields are not checked."""
    value = _parse(field.type, text)
    if value is None:
        _bad(game, field, text)
    return value


def _fields(game: Game, texts: Iterable[str]) -> dict[str, Field]:
    fields = {field.name: field for field in (*game.givens, *game.states)}
    for name in texts:
        if name not in fields:
            near = nearest(name, fields)
            hint = f"; did you mean `{near}`?" if near else ""
            found = problems.NO_SUCH_FIELD.at(None, game=game.name, name=name, near=hint, names=", ".join(fields))
            raise UsageError(found, source=game.source)
    return fields


def _asked(game: Game, values: Mapping[str, Value]) -> Asked:
    return Asked(tuple(values[field.name] for field in game.givens), tuple(values[field.name] for field in game.states))


def _is_started(game: Game, name: str, values: Mapping[str, Value]) -> bool:
    """True if `start` gives the field, from nothing but values that are known."""
    updates = [update for update in game.start if update.field == name]
    used = {used for update in updates for used in names_read(update.value, game.lets)}
    local = {bind.name for update in updates if update.tail for bind in update.tail.binds}
    return bool(updates) and used - local <= values.keys()


def _refuse(game: Game, breach: Breach) -> NoReturn:
    fields = [*game.givens, *game.states]
    if breach.require is not None:
        shown = values_text(fields, breach.values)
        raise InputError(problems.NOT_A_POSITION.at(breach.require.span, position=shown), source=game.source)
    field = next(field for field in fields if field.name == breach.name)
    text = values_text([field], breach.values).partition(" = ")[2]
    if breach.is_length:
        _bad(game, field, text, f"an array of {max(0, breach.hi - breach.lo + 1)} values")
    _bad(game, field, text, _wanted(field.type, f"{breach.lo}..{breach.hi}"))


def _bad(game: Game, field: Field, text: str, wanted: str = "") -> NoReturn:
    shown = text if len(text) <= 60 else text[:59] + "…"
    words = {"what": field.name, "text": shown, "expected": wanted or _wanted(field.type)}
    raise InputError(problems.BAD_VALUE.at(field.span, notes=(), helps=(), **words), source=game.source)


def _wanted(of: Type, bounds: str = "") -> str:
    scalar = scalar_type(of)
    each = f"in {bounds}" if bounds else expected(scalar)
    if is_scalar(of):
        return each
    example = "like `{2, 5}`" if isinstance(of, SetType) else "like `[1, 2, 3]`"
    return f"{'a set' if isinstance(of, SetType) else 'an array'} {example}, each value {each}"


def _example(field: Field) -> str:
    match field.type:
        case IntType(bounds):
            return str(min(max(bounds.lo, 3), bounds.hi))
        case NamesType(names):
            return names[0]
        case BoolType():
            return "true"
        case SetType(of):
            return f"{{{scalar_type(of).bounds.lo}}}" if isinstance(of, IntType) else "{}"
        case _:
            return "[…]"


# --- reading texts -----------------------------------------------------------------------------------------


def _parse(of: Type, text: str) -> Value | None:
    """The value, or None for a text that is no value of this type."""
    text = text.strip()
    match of:
        case SetType(element):
            return _parse_set(element, text)
        case ArrayType(dims, element):
            parts = _split(text, "[", "]")
            values = None if parts is None else [_parse(element, part) for part in parts]
            if values is None or len(dims) > 1 or None in values:
                return None
            return tuple(values)  # type: ignore[arg-type]
        case IntType(bounds):
            number = _number(text)
            return number if number is not None and number in bounds else None
        case BoolType():
            return {"true": True, "false": False, "1": True, "0": False}.get(text)
        case _:
            words = words_of(of)
            return words.index(text) if text in words else None


def _parse_set(element: Type, text: str) -> Value | None:
    parts = _split(text, "{", "}")
    found: set[int] = set()
    for part in [text] if parts is None else parts:
        numbers = _range(part, element)
        if numbers is None:
            return None
        found.update(numbers)
    return frozenset(found)


def _split(text: str, left: str, right: str) -> list[str] | None:
    """The parts between the brackets, cut at commas outside of any brackets."""
    if not (len(text) >= 2 and text[0] == left and text[-1] == right):
        return None
    parts, depth = [""], 0
    for character in text[1:-1]:
        depth += (character in "[{") - (character in "]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [] if parts == [""] or not "".join(parts).strip() else parts


def _range(text: str, of: Type) -> Sequence[int] | None:
    """The values of `lo..hi`, or of a single value."""
    match = _RANGE.fullmatch(text.strip())
    if match is None or not isinstance(of, IntType):
        value = _parse(of, text)
        return None if value is None else [value]  # type: ignore[list-item]
    lo, hi = _number(match[1].strip()), _number(match[2].strip())
    if lo is None or hi is None:
        return None
    lo, hi = max(lo, of.bounds.lo), min(hi, of.bounds.hi)
    return range(lo, hi + 1)


def _number(text: str) -> int | None:
    match = _NUMBER.fullmatch(text)
    if match is None or len(match[1]) > MOST_DIGITS:
        return None
    base, power = int(match[1]), int(match[2] or 1)
    if abs(base) > 1 and power * abs(base).bit_length() > 256:
        return None
    return -((-base) ** power) if base < 0 else int(base**power)


def _values_from_text(game: Game, field: Field, text: str) -> Sequence[Value]:
    """The values that a range, a list or a single value stands for."""
    if not is_scalar(field.type):
        return [value_from_text(game, field, text)]
    found: list[Sequence[int]] = []
    for part in text.split(","):
        numbers = _range(part, field.type)
        if numbers is None:
            _bad(game, field, part.strip())
        found.append(numbers)
    return found[0] if len(found) == 1 else [number for numbers in found for number in numbers]


# --- all positions -----------------------------------------------------------------------------------------


def _combinations(
    game: Game, fields: Sequence[Field], chosen: Mapping[str, Sequence[Value]], values: dict[str, Value]
) -> Iterator[dict[str, Value]]:
    if not fields:
        yield dict(values)
        return
    field, rest = fields[0], fields[1:]
    for value in _candidates(game, field, chosen.get(field.name), values):
        values[field.name] = value
        yield from _combinations(game, rest, chosen, values)
        del values[field.name]


def _candidates(
    game: Game, field: Field, chosen: Sequence[Value] | None, values: Mapping[str, Value]
) -> Iterable[Value]:
    """The values of a field, given those of the fields before it."""
    if chosen is not None:
        columns = {name: [value] for name, value in values.items()}
        return (value for value in chosen if _fits(game, field, value, columns))
    return _all_values(field.type, _cell_values(game, field, values), _cells(game, field, values))


def _fits(game: Game, field: Field, value: Value, columns: Mapping[str, list[Value]]) -> bool:
    values = {name: column[0] for name, column in columns.items()}
    cells = _cells(game, field, values)
    if isinstance(value, tuple) and len(value) != cells:
        return False
    allowed = _cell_values(game, field, values)
    return all(number in allowed for number in _numbers(value))


def _numbers(value: Value) -> Iterable[int]:
    if not isinstance(value, frozenset | tuple):
        return [value]
    return (number for item in value for number in _numbers(item))


def _cell_values(game: Game, field: Field, values: Mapping[str, Value]) -> Sequence[int]:
    match scalar_type(field.type):
        case BoolType():
            return (False, True)
        case NamesType(names):
            return range(len(names))
        case _:
            assert field.lo is not None
            assert field.hi is not None
            lo, hi = meaning(game, field.lo, values), meaning(game, field.hi, values)
            assert isinstance(lo, int)
            assert isinstance(hi, int)
            return range(lo, hi + 1)


def _cells(game: Game, field: Field, values: Mapping[str, Value]) -> int:
    cells = 1
    for lo, hi in field.dims:
        first, last = meaning(game, lo, values), meaning(game, hi, values)
        assert isinstance(first, int)
        assert isinstance(last, int)
        cells *= max(0, last - first + 1)
    return cells


def _all_values(of: Type, numbers: Sequence[int], cells: int) -> Iterable[Value]:
    """Every value of a type: sets in the order of the numbers that their bits make, arrays lexicographically."""
    match of:
        case SetType():
            return (
                frozenset(number for place, number in enumerate(numbers) if mask >> place & 1)
                for mask in range(1 << len(numbers))
            )
        case ArrayType(_, element, ordered):
            every = list(_all_values(element, numbers, 1)) if not is_scalar(element) else numbers
            rows = product(every, repeat=cells)
            return (row for row in rows if not ordered or list(row) == sorted(row))  # type: ignore[type-var]
        case _:
            return numbers


__all__ = ["MOST_ELEMENTS", "Asked", "position", "positions", "value_from_text"]
