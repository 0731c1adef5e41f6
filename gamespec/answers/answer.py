"""One thing that can be asked, with all that must be known about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from gamespec.answers.ask import Ask
from gamespec.answers.moves import WinningMove
from gamespec.game.model import Game


class Case(msgspec.Struct, frozen=True):
    """One case, answered: its number from 1, its value (1 won and 0 lost for the player to move, or the Grundy
    value), and its winning moves where an answer asked for them."""

    number: int
    value: int
    moves: Sequence[WinningMove] = ()


class Answer(msgspec.Struct, frozen=True):
    """What stands in braces in the output, or after `--ask`.

    `ask` is what the solver must find out; `of` makes the value that is printed: a whole number, or a text.
    `example` is an output line that shows it.
    """

    name: str
    doc: str
    example: str
    ask: Ask
    of: Callable[[Game, Case], int | str]
