"""One thing that can be asked, with all that must be known about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from gamespec.answers.ask import Ask
from gamespec.answers.moves import WinningMove
from gamespec.answers.pair import total_of
from gamespec.game.model import Game


class Case(msgspec.Struct, frozen=True):
    """One case, answered: its number from 1, what the solver says of it (see `Ask`) and the outcome that this means,
    and its winning moves where an answer asked for them.

    `query` is its number among the cases under the same data, `turn` who is to move: 0 for the player named first;
    `best` finds the moves that keep what the position is worth. `ask` is what the solver was asked for.
    """

    number: int
    value: int
    outcome: int
    moves: Sequence[WinningMove] = ()
    query: int = 1
    turn: int = 0
    best: Callable[[], Sequence[WinningMove]] = tuple
    ask: Ask = Ask()

    @property
    def score(self) -> int:
        """The best difference."""
        return self.ask.score_of(self.value)

    @property
    def total(self) -> int:
        """What the player to move gains, where that was asked."""
        return total_of(self.value)


class Answer(msgspec.Struct, frozen=True):
    """What stands in braces in the output, or after `--ask`.

    `ask` is what the solver must find out; `number` makes the number that stands for the answer in an expression,
    `text` what is printed for it, where that is not the number. `example` is an output line that shows it.
    """

    name: str
    doc: str
    example: str
    ask: Ask
    number: Callable[[Case], int] | None = None
    text: Callable[[Game, Case], int | str] | None = None

    def of(self, game: Game, case: Case) -> int | str:
        """What is printed."""
        if self.text is not None:
            return self.text(game, case)
        assert self.number is not None
        return self.number(case)
