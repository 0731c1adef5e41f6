"""Components of misère sums that behave like heaps of Nim, though not all components of the game do.

The genus of an impartial position is its Grundy value g with the same taken under misère play, m: m is 1 where nobody
can move, else the least number that is not the m of an option. A position is tame if its genus is (0, 1) or (1, 0),
which are called fickle, or (n, n), which is called firm, and if all that play reaches from it is tame.

A sum of tame components is tame; its g is the xor of theirs, and its m is the same if one of them is firm, else 1
less that (J. H. Conway, On Numbers and Games, chapter 12). So it is lost under misère play iff m is 0. By induction,
with x the xor of all g, and options being those of the sum:

    all fickle      A fickle option of a component changes its g, so x; a firm one has n > 1, as it differs in g and
                    in m. A component that can move has a fickle option: m is 0 or 1, so an option has m 1 or 0, and
                    a firm one with n > 1 has neither (0, 1 taken together with g: (0, 1) has no option of g 0 and
                    none of m 1, so one of m 0, which is (1, 0); likewise (1, 0) has one that is (0, 1)). The m of
                    the options are then x, and numbers above 1: the least that is missing is 1 - x. If nothing can
                    move, x is 0 and m is 1.
    one is firm     A move in that component leaves m(option) xor e, where e is the xor of the fickle ones; a move in
                    a fickle one leaves n xor the g of all fickle ones then. No option has x = n xor e, as neither an
                    m of the firm one's options is n, nor does a g stay as it is. Every v < x is reached: v xor e < n
                    in the firm one, or v xor e > n; then e is 1, n is even and v is n, which a fickle component of g
                    1 reaches by its option of g 0.
    several         Every option keeps a firm component, so that all is as for g, which is the theorem of Sprague and
                    Grundy.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.game.model import LOST, WON, Game
from gamespec.game.reference import mex
from gamespec.plan.sum.settled import Settled

Genus = tuple[int, int]

NOTHING: Genus = (0, 1)
"""The genus of a position without a move."""


class Genera(Settled[Genus]):
    """The genera of those components that are tame."""

    def added(self, values: Sequence[Genus]) -> Genus:
        total = 0
        for normal, _ in values:
            total ^= normal
        firm = any(is_firm(genus) for genus in values)
        return total, total if firm else 1 - total

    def found(self, options: Sequence[Sequence[Genus]]) -> Genus | None:
        (reached,) = options
        if not reached:
            return NOTHING
        genus = mex(normal for normal, _ in reached), mex(misere for _, misere in reached)
        return genus if is_firm(genus) or genus in ((0, 1), (1, 0)) else None

    def decided(self, mover: int, value: Genus) -> int:
        return WON if value[1] else LOST


def is_firm(genus: Genus) -> bool:
    """Whether a tame genus is the same under both conventions."""
    return genus[0] == genus[1]


def may_be_tame(game: Game) -> bool:
    """Whether components may be tame: impartial, under misère play, and only who is stuck decides."""
    return game.sum and game.misere and not game.partisan and not any(terminal.verdict for terminal in game.terminals)
