"""Where the rules look at the digits of a field: what pass A5 can carry along."""

from __future__ import annotations

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.rules import rule_expressions
from gamespec.game.model import Call, Const, Expr, StateRef
from gamespec.game.walk import within
from gamespec.game.world import World


class DigitUse(msgspec.Struct, frozen=True):
    """`digits(field)` in a constant base."""

    field: str
    base: int
    evidence: Evidence


def digit_uses(world: World) -> tuple[DigitUse, ...]:
    """The digits of fields that the rules use, each field and base once."""
    found: dict[tuple[str, int], DigitUse] = {}
    for expr in rule_expressions(world.game):
        for part in within(expr, world.game.lets):
            use = _digits(part)
            if use is not None:
                found.setdefault((use.field, use.base), use)
    return tuple(found.values())


def _digits(expr: Expr) -> DigitUse | None:
    match expr:
        case Call(name="digits", args=(StateRef(name=name), *rest)):
            base = rest[0] if rest else None
            if base is None:
                return DigitUse(name, 10, Evidence(f"the rules look at the digits of {name}", expr.span))
            if isinstance(base, Const) and isinstance(base.value, int) and base.value >= 2:
                text = f"the rules look at the digits of {name} in base {base.value}"
                return DigitUse(name, base.value, Evidence(text, expr.span))
    return None
