"""What an entry of the theorems says: what was found in the rules, and the formula that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.facts import Facts
from gamespec.analysis.match import NoMatch, Rules
from gamespec.game.model import Field, Game
from gamespec.game.world import element_type
from gamespec.interval import Interval
from gamespec.plan.plan import Ask
from gamespec.plan.theorem.formula import Formula
from gamespec.types import IntType, element_bounds

MOST_SQUARED = 1 << 62
"""Numbers up to which a sum of five products of two of them, and of their neighbours, fits 127 bits."""


class Recipe(msgspec.Struct, frozen=True):
    """What a formula is made of: plain data, so that it can be kept for later runs."""

    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        raise NotImplementedError


class Found(msgspec.Struct, frozen=True):
    """A game that a theorem solves. `grundy` tells whether it gives Grundy values, or outcomes only.

    `statement` is what it answers, `source` where it is proved, `reasons` what was proved of the rules.
    """

    name: str
    grundy: bool
    statement: str
    source: str
    reasons: tuple[Evidence, ...]
    recipe: Recipe


class Theorem(NamedTuple):
    """An entry: `fits` says cheaply where it may be worth looking, `recognise` proves it or raises NoMatch."""

    name: str
    fits: Callable[[Game], bool]
    recognise: Callable[[Rules], Found]


def numbers(game: Game, count: int) -> bool:
    """Whether a position is so many numbers, and a move leaves one position."""
    return len(game.states) == count and all(isinstance(field.type, IntType) for field in game.states)


def bounds(field: Field) -> Interval:
    """The declared limits of a number, or of the cells of an array."""
    return element_bounds(element_type(field.type) or field.type)


def squarable(fields: list[Field]) -> None:
    """Refuses numbers whose squares are too wide to be compared exactly."""
    for field in fields:
        if max(map(abs, (bounds(field).lo, bounds(field).hi))) >= MOST_SQUARED:
            raise NoMatch(f"{field.name} may be too large for products of 127 bits", field.span)
