"""Where an expression stands, and which names have a value there."""

from __future__ import annotations

from enum import Enum

import msgspec

from gamespec.game import model


class Place(Enum):
    """Where an expression stands; the value says which names have a value there."""

    CONSTANT = "a param is a constant: it may use numbers and other params"
    FIELD = "the bounds of a field may use params, givens and state fields declared before it"
    GIVEN = "the bounds of a given, and those of an array's index, may use params and givens"
    RULE = "a rule may use params, givens, state fields and lets"
    START = "`start` may use params and what the input reads"
    INPUT = "a size in `input` may use params and what is read before it"
    UNTIL = "`until` may use params and single values that are read outside rows"
    OUTPUT = "a text may use what is one value for the whole case"


class Scope(msgspec.Struct, frozen=True):
    """What an expression may mention.

    `locals` are names bound by `choose`, `for` or as arguments of a function, with what they stand for;
    `taken` the names of the typed local variables around here, those of callers among them.
    `known` are the fields and input names that have a value here; None: every field.
    `stuck` tells whether `stuck` may stand here, `moved` whether `after(…)` may.
    """

    place: Place
    locals: dict[str, model.Expr] = {}
    taken: frozenset[str] = frozenset()
    known: frozenset[str] | None = None
    stuck: bool = False
    moved: bool = False

    def bind(self, name: str, meaning: model.Expr, variable: str) -> Scope:
        """The scope with one more local name, and the variable that is made for it."""
        locals_, taken = {**self.locals, name: meaning}, self.taken | {variable}
        return Scope(self.place, locals_, taken, self.known, self.stuck, self.moved)

    def within(self, meanings: dict[str, model.Expr]) -> Scope:
        """The scope of a function's body: the same place, other local names."""
        return Scope(self.place, meanings, self.taken, self.known, self.stuck, self.moved)


RULE = Scope(Place.RULE)
CONSTANT = Scope(Place.CONSTANT, known=frozenset())
