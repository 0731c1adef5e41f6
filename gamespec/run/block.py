"""Cases that are read, planned and answered together."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, MutableSequence, Sequence, Set
from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from gamespec.answers.speech import spoken
from gamespec.game.model import MOVER, Game
from gamespec.game.walk import names_read
from gamespec.types import IntType, Type

if TYPE_CHECKING:
    from gamespec.run.bulk import Repeats, Run

WORD = range(-(1 << 63), 1 << 63)


class Block:
    """Positions in columns: one column for each given and each state field, one row a component.

    With `repeats`, a row stands for all cases that are the same, and `count` are the different ones; `cases` are all.
    `first` is the number of the first case; where cases lie within cases, `numbers` are those of the outermost and of
    the innermost one of each. `breaks` are the places where groups of cases end: the cases under one piece of data.
    `sizes` the number of components of each case (None: one each), and
    `names` holds a column for each name that the output mentions, one row a case; where cases have components, `known`
    are the fields that belong to the case. Who is to move belongs to it always, as it may have no components.
    """

    def __init__(
        self, game: Game, types: Mapping[str, Type], first: int, has_components: bool, known: Set[str] = frozenset()
    ) -> None:
        self.first = first
        self.count = 0
        self.numbers: list[tuple[int, int]] | None = None
        self.breaks: list[int] = []
        self.repeats: Repeats | None = None
        self.sizes: list[int] | None = [] if has_components else None
        self.columns = {field.name: column_for(field.type) for field in (*game.givens, *game.states)}
        printed = printed_names(game) & types.keys()
        if has_components:
            printed -= self.columns.keys() - known
            printed |= {MOVER} & self.columns.keys()
        self.names = {name: column_for(types[name]) for name in printed}
        self._givens = [field.name for field in game.givens]
        self._states = [field.name for field in game.states]

    @property
    def givens(self) -> list[Sequence[Any]]:
        return [self.columns[name] for name in self._givens]

    @property
    def states(self) -> list[Sequence[Any]]:
        return [self.columns[name] for name in self._states]

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return self.count if self.repeats is None else len(self.repeats.which)

    def add_run(self, run: Run, columns: Mapping[str, Sequence[Any]]) -> None:
        """Appends cases of which some are the same; `columns` has a value for each of those that differ."""
        assert self.repeats is not None
        count = len(run.firsts)
        self.add(count, None, columns, run.columns)
        self.repeats.add(run)

    def add(
        self,
        count: int,
        sizes: Sequence[int] | None,
        columns: Mapping[str, Sequence[Any]],
        names: Mapping[str, Sequence[Any]],
    ) -> None:
        """Appends so many cases; `columns` and `names` may hold more names than are kept."""
        self.count += count
        if self.sizes is not None and sizes is not None:
            self.sizes += sizes
        for name, column in self.columns.items():
            column.extend(columns[name])
        for name, column in self.names.items():
            column.extend(names[name] if name in names else columns[name])

    def upto(self, count: int) -> Block:
        """The first cases, at least one and not all (with `repeats`, of the different ones)."""
        rows = self.ends()[count - 1]
        cut = copy(self)
        cut.count = count
        cut.columns = {name: column[:rows] for name, column in self.columns.items()}
        cut.names = {name: column[:count] for name, column in self.names.items()}
        cut.breaks = [place for place in self.breaks if place <= count]
        if self.sizes is not None:
            cut.sizes = self.sizes[:count]
        if self.numbers is not None:
            cut.numbers = self.numbers[:count]
        if self.repeats is not None:
            cut.repeats = self.repeats.before(count)
        return cut

    def turns(self) -> Sequence[int]:
        """Who is to move in each case: 0 for the player named first, and where nobody has a turn."""
        if MOVER not in self.columns:
            return [0] * self.count
        return self.columns[MOVER] if self.sizes is None else self.names[MOVER]

    def number(self, row: int) -> tuple[int, int]:
        """The numbers of a case: of the outermost one, and of the innermost one under the same data."""
        if self.repeats is not None:
            return (self.first + self.repeats.firsts[row],) * 2
        return (self.first + row,) * 2 if self.numbers is None else self.numbers[row]

    def ends(self) -> Sequence[int]:
        """For each case the row behind its last component."""
        return range(1, self.count + 1) if self.sizes is None else list(accumulate(self.sizes))


def column_for(of: Type) -> MutableSequence[Any]:
    """An empty column: of 64-bit words where every value fits one."""
    if isinstance(of, IntType) and of.bounds.lo in WORD and of.bounds.hi in WORD:
        return array("q")
    return []


def printed_names(game: Game) -> set[str]:
    """The names that the output mentions: of the input, of fields, and those that a `for` binds."""
    return {name for expr in spoken(game) for name in names_read(expr, game.lets)}
