"""Limits that a spec declares as plain numbers, and the same spec with smaller ones.

A spec is often written for the limits of a problem (`given n: 1..10**5`), and asked about much smaller cases: what is
known of numbers, widths and proofs, all follows from these limits.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from gamespec.game.model import Const, Game, Value
from gamespec.interval import EMPTY, Interval
from gamespec.syntax import tree
from gamespec.types import ArrayType, IntType, SetType, Type


def declared(game: Game) -> dict[str, Interval]:
    """The limits of the numbers, elements or cells of each given and state field whose ends are the same always."""
    return {
        field.name: limits
        for field in (*game.givens, *game.states)
        if (limits := _numbers(field.type)) is not None and isinstance(field.lo, Const) and isinstance(field.hi, Const)
    }


def seen(values: Collection[Value]) -> Interval:
    """The least interval around some values: numbers, or what sets and arrays hold."""
    found = EMPTY
    numbers = [value for value in values if isinstance(value, int)]
    if numbers:
        found = Interval(min(numbers), max(numbers))
    for value in values if len(numbers) < len(values) else ():
        if not isinstance(value, int):
            found = found.hull(seen(value))
    return found


def narrowed(game: Game, limits: Mapping[str, Interval]) -> Game:
    """The game of the same spec with these limits in the place of those of `declared`, and no clause `plan`.

    Raises SpecError where the checker finds fault with it.
    """
    from gamespec.game.check import check
    from gamespec.syntax.read import read

    spec = read(game.source)
    fields = {
        clause: tuple(_narrowed(field, limits.get(field.name)) for field in getattr(spec, clause))
        for clause in ("givens", "states")
    }
    params = {name: str(value) for name, value in game.params.items()}
    return check(msgspec.structs.replace(spec, plan=None, **fields), game.source, params)


def _numbers(of: Type) -> Interval | None:
    match of:
        case IntType(bounds):
            return bounds
        case SetType(of=inner) | ArrayType(of=inner):
            return _numbers(inner)
        case _:
            return None


def _narrowed(field: tree.Field, limits: Interval | None) -> tree.Field:
    return field if limits is None else msgspec.structs.replace(field, type=_with_limits(field.type, limits))


def _with_limits(of: tree.Type, limits: Interval) -> tree.Type:
    match of:
        case tree.Range(lo=lo, hi=hi):
            return msgspec.structs.replace(of, lo=_number(limits.lo, lo), hi=_number(limits.hi, hi))
        case tree.SetType(of=inner) | tree.ArrayType(of=inner):
            return msgspec.structs.replace(of, of=_with_limits(inner, limits))
        case _:
            return of


def _number(value: int, old: tree.Expr) -> tree.Expr:
    digits = tree.Int(abs(value), span=old.span)
    return digits if value >= 0 else tree.Neg(digits, span=old.span)
