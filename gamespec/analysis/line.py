"""Conditions of a rule with the numbers of a case: sums of multiples of names, and what is added to them."""

from __future__ import annotations

import msgspec

from gamespec.analysis.affine import Affine
from gamespec.game.model import Expr, GivenRef
from gamespec.source import Span


class Line(msgspec.Struct, frozen=True):
    """A condition with numbers: the sum of multiples of names and `rest` is at least 0, not 0, in or not in a set, or
    leaves one of some remainders.

    `data` are the terms in `rest` that may have other values in other cases, with what they are multiplied by.
    """

    kind: str
    names: dict[str, int]
    rest: int
    span: Span
    of: Expr | None = None
    data: dict[str, int] = {}
    modulus: int = 1
    remainders: frozenset[int] = frozenset()

    def replaced(self, name: str, by: dict[str, int], rest: int, data: dict[str, int]) -> Line:
        """The condition with a sum in place of a name."""
        factor = self.names.get(name, 0)
        if not factor:
            return self
        names = plus({other: c for other, c in self.names.items() if other != name}, by, factor)
        data = plus(self.data, data, factor)
        return msgspec.structs.replace(self, names=names, rest=self.rest + factor * rest, data=data)


def plus(one: dict[str, int], other: dict[str, int], factor: int) -> dict[str, int]:
    """The sum of one and a multiple of the other, without what is multiplied by 0."""
    both = dict(one)
    for name, c in other.items():
        both[name] = both.get(name, 0) + factor * c
    return {name: c for name, c in both.items() if c}


def data_of(form: Affine) -> dict[str, int]:
    """The terms of a form that are fixed during play: a given by its name, else by where it is written."""
    found: dict[str, int] = {}
    for factor, expr in form.fixed:
        name = expr.name if isinstance(expr, GivenRef) else f"{expr.span.start}..{expr.span.end}"
        found = plus(found, {name: factor}, 1)
    return found


class Rest(msgspec.Struct, frozen=True):
    """What is added to multiples of names: a number in this case, and its terms that other cases may change."""

    number: int
    data: dict[str, int]
