"""A position as somebody would give it on the command line: `n=13`, `board=x.o/.../... mover=x`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import cast

from gamespec.answers.echo import echo
from gamespec.cli.question import given_values
from gamespec.diagnostics import UsageError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Field, Game, GivenRef, Position, StateRef, Value
from gamespec.game.show import value_text


def position_arguments(game: Game, givens: Sequence[Value], position: Position) -> list[str]:
    """NAME=VALUE for each field; read back, they are this position."""
    evaluator = Evaluator(game, game.data(givens))
    found = []
    for field, value in zip((*game.givens, *game.states), (*givens, *position), strict=True):
        texts = [f"{field.name}={text}" for text in _spellings(evaluator, field, value, position)]
        found.append(next((text for text in texts if _says(game, text, field, value)), texts[-1]))
    return found


def quoted(arguments: Sequence[str]) -> str:
    """Arguments on one line, to be pasted into a shell."""
    return " ".join(map(shlex.quote, arguments))


def _spellings(evaluator: Evaluator, field: Field, value: Value, position: Position) -> Iterator[str]:
    """A board in the characters that the input has for it, if it has; and as in a spec."""
    game = evaluator.game
    ref = (StateRef if field in game.states else GivenRef)(type=field.type, name=field.name)
    told = echo(game, ref, {each.name for each in (*game.givens, *game.states)})
    if told.alphabet and isinstance(value, tuple):
        sizes = [cast(int, evaluator.expr(size, position)) for size in told.sizes]
        yield told.text(value, sizes).replace("\n", "/")
    yield value_text(value, field.type).replace(" ", "")


def _says(game: Game, text: str, field: Field, value: Value) -> bool:
    try:
        return given_values(game, [text])[field.name] == [value]
    except UsageError:
        return False
