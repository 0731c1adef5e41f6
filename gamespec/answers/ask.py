"""What a solver is asked for, and what it says about one move."""

from __future__ import annotations

import msgspec

from gamespec.answers.pair import score_of
from gamespec.game.model import DRAWN, LOST, WON, Game


class Ask(msgspec.Struct, frozen=True):
    """What the output needs of a position besides its outcome.

    `grundy`: its Grundy value. `moves`: the value of each of its moves. `distance`: how long play lasts when the
    winner hurries and the loser delays. `score`: the best difference (games with `winner highest score`). `total`: with
    it, what the mover gains (see `gamespec.game.reference.TOTAL`).

    A solver says it with one number. With `score`, that is the difference of the gains still to come, the mover's
    minus the opponent's; with `total` that and the mover's gains as a pair (see `gamespec.answers.pair`); with `grundy`
    (always in an impartial sum) the Grundy value; with `distance` three times the distance (0 for a draw) plus the
    outcome; else the outcome.
    """

    grundy: bool = False
    moves: bool = False
    distance: bool = False
    score: bool = False
    total: bool = False

    def __or__(self, other: Ask) -> Ask:
        """What serves both."""
        return Ask(
            self.grundy or other.grundy,
            self.moves or other.moves,
            self.distance or other.distance,
            self.score or other.score,
            self.total or other.total,
        )

    def outcome(self, value: int) -> int:
        """The outcome that a solver's number means."""
        if self.score:
            score = self.score_of(value)
            return DRAWN if score == 0 else WON if score > 0 else LOST
        if self.grundy:
            if value < 0:  # ∞(K), see `gamespec.answers.nim`: won iff 0 is in K
                return WON if ~value & 1 else DRAWN
            return WON if value else LOST
        return value % 3

    def score_of(self, value: int) -> int:
        """The best difference in a solver's number."""
        return score_of(value) if self.total else value


def interacts(game: Game) -> bool:
    """Whether the components of a sum have no values that could be added: only the whole sum has one."""
    return game.sum and (game.partisan or game.misere or any(terminal.verdict for terminal in game.terminals))


def always(game: Game) -> Ask:
    """What a solver says whatever is asked: the Grundy value of a component, the score where there is one."""
    return Ask(grundy=game.sum and not interacts(game), score=game.scored)


class Option(msgspec.Struct, frozen=True):
    """One move of one position: the rule's number, the values chosen, and its value.

    With `Ask.grundy` the value is that of what the move leaves; otherwise it is what the move is worth to the player
    who makes it, in the numbers of `Ask`: an outcome of WON is a winning move, a distance counts from before the
    move, a score includes its gain.
    """

    move: int
    choices: tuple[int, ...]
    value: int
