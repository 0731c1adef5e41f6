"""Membership in sets that are held in memory: their elements are ascending, so half of them fall away at each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, add, cast, compare, either, select, shr

if TYPE_CHECKING:
    from gamespec.kernel.build import Builder

PROOF = "between the first and the last element"


def among(b: Builder, table: str, of: ir.Type, part: tuple[ir.Expr, ir.Expr], item: ir.Expr) -> ir.Expr:
    """Whether `item` is among the cells `part[0]..part[1] - 1` (i64) of a table, which have type `of` and ascend."""
    found = b.local("found", FALSE)
    first, behind = (b.local(name, cast(at, ir.U64)) for name, at in zip(("first", "behind"), part, strict=True))
    with b.loop_while(compare("lt", first, behind)):
        middle = b.local("middle", shr(add(first, behind), 1))
        cell = b.local("x", ir.Load(table, middle, of, PROOF))
        b.assign(found, either(found, compare("eq", cell, item)))
        less = b.local("less", compare("lt", cell, item))
        b.assign(first, select(less, add(middle, 1), first))
        b.assign(behind, select(less, behind, middle))
    return found
