"""What is known of a whole game while its rules are proved, and the bounds of its types."""

from __future__ import annotations

from gamespec.game.form import Form
from gamespec.game.linear import WORK, Atoms
from gamespec.game.model import Const, Expr, Field, Game, SetOf
from gamespec.interval import Interval
from gamespec.types import ArrayType, ListType, SetType, Type, element_bounds, is_scalar

MAX_NESTING = 60  # expressions inside each other, lets looked through
MAX_STEPS = 60_000  # expressions translated, and conditions learnt, for one game


class World:
    """What the contexts of one game share."""

    def __init__(self, game: Game, work: int = WORK) -> None:
        self.game = game
        self.atoms = Atoms(work)
        self.fields: dict[str, Field] = {f.name: f for f in (*game.givens, *game.states)}
        self.lets: dict[str, Form] = {}
        self.sets: dict[str, int] = {}
        self.nesting = 0
        self.steps = MAX_STEPS

    def text(self, expr: Expr, width: int = 60) -> str:
        """The expression as the user wrote it, on one line."""
        written = " ".join(self.game.source.slice(expr.span).split())
        return written if len(written) <= width else written[: width - 1] + "…"

    def tired(self) -> bool:
        """Counts one more step; whether there were too many, or they are too deep inside each other."""
        self.steps -= 1
        return self.steps <= 0 or self.nesting >= MAX_NESTING


def element_type(of: Type) -> Type | None:
    """The type of the elements of a set or a list, or of the cells of an array."""
    match of:
        case SetType(element) | ListType(element) | ArrayType(_, element):
            return element
        case _:
            return None


def scalar_bounds(of: Type | None) -> Interval:
    return element_bounds(of) if of is not None and is_scalar(of) else Interval(0, 0)


def is_empty(expr: Expr) -> bool:
    """Whether an expression is `{}`."""
    return (isinstance(expr, SetOf) and not expr.items) or (isinstance(expr, Const) and expr.value == frozenset())
