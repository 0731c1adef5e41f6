"""The search through sums as words, at work: tables of classes, and questions about wholes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from gamespec.answers.ask import Ask
from gamespec.budget import Budget
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.plan.memory import give_back, taken
from gamespec.plan.plan import Kernel, Kernels, Plan
from gamespec.plan.search.memo import NAME
from gamespec.plan.search.seek import MemoSolver
from gamespec.plan.search.stack import Stack
from gamespec.plan.slot import KEYS
from gamespec.plan.sum.closure import Classes, NotClosed
from gamespec.plan.sum.genus import Genus, is_firm
from gamespec.plan.sum.multiset import FIRM, NO_VERDICT, Adding, Multisets, kernel_name
from gamespec.plan.thread import Team

if TYPE_CHECKING:
    from fractions import Fraction

MOST_WORTH = 1 << 60

Roots = tuple[int, tuple[int, ...]]
"""Whose turn it is, and the classes of the components."""


class Renamed(Mapping[str, Kernel]):
    """The kernels for words of one type under the names that a search calls them by."""

    def __init__(self, kernels: Kernels, key: ir.Type) -> None:
        self.kernels = kernels
        self.key = key

    def __getitem__(self, name: str) -> Kernel:
        return self.kernels[kernel_name(name.removeprefix(f"{NAME}."), self.key)]

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class PackedSearch(MemoSolver):
    """Answers for wholes of some classes, as long as no more parts come of one than there are slots.

    Raises NotClosed where no word is wide enough, LimitError where memory does not suffice.
    """

    def __init__(
        self,
        game: Game,
        plan: Plan,
        kernels: Kernels,
        budget: Budget,
        classes: Classes,
        slots: int,
        positions: int,
        adds: Adding,
    ) -> None:
        self.classes = classes
        self.slots = slots
        self.width = len(classes.sides).bit_length() + 1
        self.memo: Multisets = fitting(game, plan.ask, slots * self.width, adds)
        self.game = game
        self.plan = msgspec.structs.replace(plan, bid=msgspec.structs.replace(plan.bid, positions=positions))
        self.kernels = Renamed(kernels, self.memo.key)
        self.budget = budget
        self.givens = ()
        self.given_args = self._tables()
        self.team = Team(budget)
        self.cells = taken(self.budget, self.memo.layout.type, self._fewest(), "the table of the search")
        self.stack = Stack(self.memo, budget, self.team.at[0])

    def codes(self, wholes: Sequence[Roots]) -> list[int]:
        """The codes of wholes, which have to fit the slots."""
        keys = [self._packed(*whole) for whole in wholes]
        known = self._ask(list(dict.fromkeys(keys)), None)
        return [known[key] for key in keys]

    def fits(self, whole: Roots) -> bool:
        """Whether there are slots for all that may come of a whole."""
        return sum(self.classes.room[part] for part in whole[1]) <= self.slots

    def close(self) -> None:
        """Gives all memory back."""
        give_back(self.budget, self.cells)
        self.stack.close()

    def _packed(self, mover: int, parts: tuple[int, ...]) -> int:
        key = mover << self.memo.turn_bit
        for place, part in enumerate(sorted((part for part in parts if part), reverse=True)):
            key |= part << place * self.width
        return key

    def _tables(self) -> list[object]:
        sides = [self.classes.sides[number] for number in range(len(self.classes.sides))]
        movers, key, width = self.memo.movers, self.memo.key, self.width
        rows = [side for each in sides for side in (each or [None] * movers)]
        first, ends = [0], [0]
        parts: list[int] = []
        for side in rows:
            for option in () if side is None else side.options:
                parts += option
                ends.append(len(parts))
            first.append(len(ends) - 1)
        ones = sum(1 << place * width for place in range(self.slots))
        args: list[object] = [width, ones << width - 1]
        args += [_table(ir.U32, first), _table(ir.U32, ends), _table(ir.U32, parts)]
        args.append(_table(key, [ones * number for number in range(len(sides))]))
        if self.memo.verdicts:
            verdicts = [None if side is None else side.verdict for side in rows]
            args.append(_table(ir.U32, [NO_VERDICT if each is None else 3 * each[0] + each[1] for each in verdicts]))
        if self.memo.adding is not Adding.NOTHING:
            worth = self._worth()
            args += [_table(ir.I64, worth), len(worth)]
        return args

    def _worth(self) -> list[int]:
        """What is added for each class that has a value: Grundy values with FIRM, or numbers in a common unit."""
        if self.memo.adding is Adding.GENERA:
            genera = cast(Sequence[Genus], self.classes.values[1:])
            return [0, *(genus[0] | FIRM * is_firm(genus) for genus in genera)]
        numbers = cast("Sequence[Fraction]", self.classes.values[1:])
        unit = max((number.denominator for number in numbers), default=1)  # all are powers of two
        found = [int(number * unit) for number in numbers]
        if max(map(abs, found), default=0) * self.slots > MOST_WORTH:
            raise NotClosed
        return [0, *found]


def fitting(game: Game, ask: Ask, bits: int, adds: Adding) -> Multisets:
    """The search through the narrowest words with so many bits for slots. Raises NotClosed if there are none."""
    for key in KEYS:
        memo = Multisets(game, ask, key, adds)
        if bits <= memo.room:
            return memo
    raise NotClosed


def _table(cell: ir.Type, values: Sequence[int]) -> Buffer:
    table = allocate(cell, max(1, len(values)))
    table.from_ints(values)
    return table
