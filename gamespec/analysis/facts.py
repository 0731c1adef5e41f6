"""What is true of a game, each fact with its evidence, and the order in which the analyses run."""

from __future__ import annotations

import msgspec

from gamespec.analysis.change import outcomes
from gamespec.analysis.digit import DigitUse, digit_uses
from gamespec.analysis.evidence import Evidence
from gamespec.analysis.order import Order, falls
from gamespec.analysis.size import Size, size
from gamespec.analysis.subtraction import Subtraction, subtraction
from gamespec.analysis.window import NoWindow, Window, window
from gamespec.game.model import Game, Into
from gamespec.game.total import Proofs, prove
from gamespec.game.world import World

__all__ = ["Evidence", "Facts", "analyse"]


class Facts(msgspec.Struct, frozen=True):
    """`finite` says why no position repeats; None: not known, the search watches for repetitions.

    `no_order` says why there is no lexicographic order of the fields, where `order` is None.
    `monotone` has −1 for a field that no move raises, +1 for one that none lowers, 0 for one that never changes.
    `kind` tells who may move and who wins, `sum` how components arise (None: the game is not a sum).
    """

    proofs: Proofs
    size: Size
    order: Order | None
    no_order: Evidence
    finite: Evidence | None
    monotone: dict[str, int]
    window: Window | NoWindow
    subtraction: Subtraction | None
    digits: tuple[DigitUse, ...]
    kind: Evidence
    sum: Evidence | None

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        """All facts in the order in which a person wants to read them."""
        found = [self.kind]
        if self.sum is not None:
            found.append(self.sum)
        if self.order is not None:
            found += self.order.reasons
        found.append(self.finite or Evidence("not proved that play ends: repetitions are watched for while running"))
        if self.order is None and self.finite is not None:
            found.append(self.no_order)
        if isinstance(self.window, Window):
            found += self.window.reasons
        if self.subtraction is not None:
            found.append(self.subtraction.evidence)
        found += [use.evidence for use in self.digits]
        return tuple(found)


def analyse(game: Game) -> Facts:
    """All facts about a checked game."""
    world = World(game)
    proofs = prove(game, world)
    effects = outcomes(world)
    found = falls(world, effects)
    return Facts(
        proofs=proofs,
        size=size(game),
        order=found.order,
        no_order=found.missing,
        finite=found.finite,
        monotone=found.monotone,
        window=window(world, proofs),
        subtraction=subtraction(world),
        digits=digit_uses(world),
        kind=_kind(game),
        sum=_sum(game),
    )


def _kind(game: Game) -> Evidence:
    if any(terminal.verdict for terminal in game.terminals):
        return Evidence("impartial, and terminal positions name the winner", game.terminals[0].span)
    if game.misere:
        return Evidence("impartial, misère play: the player who is stuck wins", game.winner_span)
    return Evidence("impartial, normal play: whoever made the last move wins")


def _sum(game: Game) -> Evidence | None:
    if not game.sum:
        return None
    splits = [move for move in game.moves if isinstance(move.effect, Into)]
    if splits:
        return Evidence(f"a sum of components; {splits[0].name} splits one into several", splits[0].span)
    return Evidence("a sum of components: a move changes one of them")
