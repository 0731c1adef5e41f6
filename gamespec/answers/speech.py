"""What the texts of the output speak of: answers, the position asked about, or a winning move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamespec.answers.echo import echo
from gamespec.game.model import (
    MOVER,
    After,
    AnswerRef,
    Choice,
    Entry,
    Expr,
    Fold,
    Form,
    Game,
    GivenRef,
    Hole,
    Line,
    LocalRef,
    ReadItem,
    ReadMany,
    ReadOne,
    ReadRows,
    SetComp,
    StateRef,
    Template,
    Winning,
)
from gamespec.game.walk import within
from gamespec.types import ArrayType

OF_MOVES = ("move", "component")
"""Names that mean the winning move itself."""


def templates(entry: Entry) -> list[Template]:
    """The texts of one line of the output."""
    match entry:
        case Line(text) | Winning(text):
            return [text]
        case Choice(texts):
            return list(texts.values())


def holes(game: Game) -> Iterator[Hole]:
    """Everything that stands in braces."""
    for entry in game.output.entries:
        for template in templates(entry):
            yield from (piece for piece in template if isinstance(piece, Hole))


def spoken(game: Game) -> Iterator[Expr]:
    """All expressions of the output, with those that say how much of an array is printed."""
    for hole in holes(game):
        yield from expressions(hole)
        if hole.expr is not None:
            yield from echo(game, hole.expr).sizes
    yield from game.output.order


def expressions(hole: Hole) -> Iterable[Expr]:
    """The expressions of a hole."""
    return (() if hole.expr is None else (hole.expr,)) + (hole.values or ())


def answer_names(game: Game, hole: Hole) -> set[str]:
    """The answers that a hole mentions."""
    found = {hole.answer} if hole.answer is not None else set()
    for expr in expressions(hole):
        found |= {part.name for part in within(expr, game.lets) if isinstance(part, AnswerRef)}
    return found


def about_move(game: Game, hole: Hole) -> bool:
    """Whether a hole means the first winning move, or the component in which it is made."""
    return hole.expr is not None and speaks_of_move(game, hole.expr)


def speaks_of_move(game: Game, expr: Expr) -> bool:
    """Whether an expression has a value only where a move is told."""
    parts = list(within(expr, game.lets))
    bound = {bind.name for part in parts if isinstance(part, Fold | SetComp) for bind in part.tail.binds}
    apart = has_components(game)
    for part in parts:
        match part:
            case After():
                return True
            case LocalRef(name=name) if name not in bound:
                return True
            case AnswerRef(name=name) if name in OF_MOVES:
                return True
            case StateRef(name=name) if apart and name != MOVER:
                return True
            case GivenRef(name=name) if apart and game.given(name).component:
                return True
            case _:
                pass
    return False


def has_components(game: Game) -> bool:
    """Whether a case has several components, or none, instead of one position."""
    levels = game.input.levels if game.input is not None else ()
    return bool(game.components) or any(_gives_components(game, item) for level in levels for item in level.items)


def _gives_components(game: Game, item: ReadItem) -> bool:
    if not isinstance(item, ReadRows) or not game.sum:
        return False
    states = {field.name: field.type for field in game.states}
    for inner in item.items:
        match inner:
            case ReadOne(name) if name in states and not isinstance(states[name], ArrayType):
                return True
            case ReadMany(name) if name in states:
                return True
            case ReadMany(_, (StateRef(),), Form.WORD | Form.LINE):
                return True
            case ReadRows() if _gives_components(game, inner):
                return True
            case _:
                pass
    return False
