"""What is true of a game, each fact with its evidence, and the order in which the analyses run."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec

from gamespec.analysis.evidence import Evidence, Order
from gamespec.analysis.passes import ENTRIES, FIRST, HEAP, INVERSE, SLIDE, SPLIT, SWAP, SYMMETRY, known
from gamespec.game.model import Game, Into, Verdict
from gamespec.types import IntType, is_scalar

if TYPE_CHECKING:
    from gamespec.analysis.digit import DigitUse
    from gamespec.analysis.ends import Weights
    from gamespec.analysis.entries import Entries
    from gamespec.analysis.heap import Heap, NoHeap
    from gamespec.analysis.inverse import Relation
    from gamespec.analysis.permutation import Swap, Symmetry
    from gamespec.analysis.side import Side
    from gamespec.analysis.size import Size
    from gamespec.analysis.slow import Slow
    from gamespec.analysis.split import Split
    from gamespec.analysis.subtraction import Subtraction
    from gamespec.analysis.window import NoWindow, Window
    from gamespec.game.total import Proofs

__all__ = ["Evidence", "Facts", "analyse"]

T = TypeVar("T")


class Facts(msgspec.Struct, frozen=True):
    """`finite` says why no position repeats; None: not known, the search watches for repetitions.

    `no_order` says why there is no lexicographic order of the fields, where `order` is None.
    `monotone` has −1 for a field that no move raises, +1 for one that none lowers, 0 for one that never changes; of an
    array, in any cell.
    `kind` tells who may move and who wins, `sum` how components arise (None: the game is not a sum),
    `endless` what play means that never ends. `longest` bounds the moves of a play, where a rank says it.
    `disabled` names passes to leave out (see `analysis.passes`). `found` keeps what was looked for on demand.
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
    endless: Evidence | None
    longest: int | None = None
    game: Game | None = None
    disabled: frozenset[str] = frozenset()
    found: dict[str, Any] = {}

    @property
    def symmetry(self) -> Symmetry:
        """The permutations of cells and fields that the rules respect, looked for when they are first asked for."""
        from gamespec.analysis.permutation import Symmetry, may_have

        if self.game is None or not may_have(self.game):
            return Symmetry()
        from gamespec.analysis.symmetry import symmetry

        return self._on_demand(SYMMETRY, symmetry) or Symmetry()

    @property
    def swap(self) -> Swap | None:
        """How the players change places, looked for on demand.

        Only where it is not proved that play ends: elsewhere the position mostly tells whose turn it is, so that an
        image is never met.
        """
        if self.game is None or self.finite is not None or self.order is not None or not self.game.partisan:
            return None
        from gamespec.analysis.swap import commutes, swap

        found = self._on_demand(SWAP, swap)
        return found if found is not None and commutes(found, self.symmetry.elements) else None

    @property
    def inverse(self) -> tuple[Relation, ...] | str:
        """The moves read backwards, or why they cannot be; looked for on demand, where play may come back."""
        if self.finite is not None or self.order is not None:
            return "play ends"
        from gamespec.analysis.inverse import read_backwards

        return self._on_demand(INVERSE, read_backwards) or "inverse moves are left out"

    @property
    def weights(self) -> Weights:
        """How often the ends of the game ask for a cell, looked for on demand."""
        from gamespec.analysis.ends import weights

        return self._on_demand(FIRST, weights) or {}

    @property
    def split(self) -> Split | None:
        """How positions fall apart into components of a sum, looked for on demand."""
        if self.game is None or any(is_scalar(field.type) for field in self.game.states):
            return None
        from gamespec.analysis.split import split

        return self._on_demand(SPLIT, split)

    @property
    def entries(self) -> tuple[Entries, Facts] | None:
        """The game of one entry, with the facts about it, where positions are rows of entries, looked for on demand."""
        return self._on_demand(ENTRIES, lambda game: _alone(game, self.disabled))

    @property
    def heap(self) -> Heap | NoHeap | None:
        """The heap game that the rules are, or why they are none, looked for on demand."""
        if self.game is None or len(self.game.states) != 1 or not isinstance(self.game.states[0].type, IntType):
            return None
        from gamespec.analysis.heap import heap

        found: Any = self._on_demand(HEAP, heap)
        return cast("Heap | NoHeap | None", found)

    @property
    def slow(self) -> Slow | NoWindow:
        """The slowly growing window that the rules are, or why they are none, looked for when it is first asked for."""
        from gamespec.analysis.slow import slow
        from gamespec.game.world import World

        if "slow" not in self.found:
            assert self.game is not None
            self.found["slow"] = slow(World(self.game), self.proofs)
        found: Slow | NoWindow = self.found["slow"]
        return found

    @property
    def sides(self) -> list[Side] | None:
        """The numbers side by side that the moves of a number lead to, looked for on demand."""
        from gamespec.analysis.side import side_by_side

        return self._on_demand(SLIDE, side_by_side)

    def _on_demand(self, name: str, look: Callable[[Game], T | None]) -> T | None:
        if self.game is None or name in self.disabled:
            return None
        if name not in self.found:
            self.found[name] = look(self.game)
        kept: T | None = self.found[name]
        return kept

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        """All facts in the order in which a person wants to read them."""
        from gamespec.analysis.window import Window

        found = [self.kind]
        if self.sum is not None:
            found.append(self.sum)
        if self.order is not None:
            found += self.order.reasons
        if self.finite is not None:
            found.append(self.finite)
        elif self.endless is not None:
            found.append(self.endless)
        else:
            found.append(Evidence("not proved that play ends: repetitions are watched for while running"))
        if self.order is None and self.finite is not None:
            found.append(self.no_order)
        if isinstance(self.window, Window):
            found += self.window.reasons
        if self.subtraction is not None:
            found.append(self.subtraction.evidence)
        found += [use.evidence for use in self.digits]
        return tuple(found)


def analyse(game: Game, disabled: Collection[str] = ()) -> Facts:
    """All facts about a checked game, for solving it without the passes named in `disabled`.

    Raises UsageError for a name that no pass has.
    """
    from gamespec.analysis.change import outcomes
    from gamespec.analysis.digit import digit_uses
    from gamespec.analysis.order import falls
    from gamespec.analysis.size import size
    from gamespec.analysis.subtraction import subtraction
    from gamespec.analysis.window import window
    from gamespec.game.total import prove
    from gamespec.game.world import World

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
        endless=_endless(game),
        longest=found.longest,
        game=game,
        disabled=known(disabled),
    )


def _alone(game: Game, disabled: Collection[str]) -> tuple[Entries, Facts] | None:
    from gamespec.analysis.entries import entries

    found = entries(game)
    return None if found is None else (found, analyse(found.game, disabled))


def _kind(game: Game) -> Evidence:
    who = "partisan" if game.partisan else "impartial"
    verdicts = [terminal for terminal in game.terminals if terminal.verdict]
    if game.scored:
        return Evidence(f"{who}, and the larger sum of gains wins", game.winner_span)
    if verdicts:
        return Evidence(f"{who}, and terminal positions name the winner", verdicts[0].span)
    if game.misere:
        return Evidence(f"{who}, misère play: the player who is stuck wins", game.winner_span)
    return Evidence(f"{who}, normal play: whoever made the last move wins")


def _endless(game: Game) -> Evidence | None:
    match game.endless:
        case None:
            return None
        case Verdict.DRAW:
            return Evidence("play that never ends is a draw", game.endless_span)
        case verdict:
            assert game.players is not None
            winner = game.players[verdict is Verdict.SECOND_WINS]
            return Evidence(f"play that never ends is won by {winner}", game.endless_span)


def _sum(game: Game) -> Evidence | None:
    if not game.sum:
        return None
    splits = [move for move in game.moves if isinstance(move.effect, Into)]
    if splits:
        return Evidence(f"a sum of components; {splits[0].name} splits one into several", splits[0].span)
    return Evidence("a sum of components: a move changes one of them")
