"""The data of cases: rows that share them are answered together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamespec.game.model import Game, Value
from gamespec.plan.encode import Givens
from gamespec.plan.plan import Column

Group = tuple[tuple[Value, ...], Sequence[Column]]  # a set of givens, and the columns of the positions asked with it
Answer = Callable[[tuple[Value, ...], Sequence[Column]], Sequence[int]]
Prepare = Callable[[Sequence[Group]], None]

TOGETHER = 32  # groups that are prepared at a time


class Rows:
    """Positions in columns, to be answered one set of givens at a time."""

    def __init__(self, givens: Sequence[Column], states: Sequence[Column]) -> None:
        self.givens = givens
        self.states = states

    def answer(self, values: Answer, prepare: Prepare | None = None) -> Sequence[int]:
        """Calls `values(givens, state columns)` once for each different set of givens; answers in row order.

        `prepare` is told of some groups before they are asked, if there are several, after the first one.
        """
        if not self.states[0]:
            return []
        if not self.givens:
            return values((), self.states)
        groups: dict[tuple[Value, ...], list[int]] = {}
        for row, data in enumerate(zip(*self.givens, strict=True)):
            groups.setdefault(data, []).append(row)
        if len(groups) == 1:
            return values(next(iter(groups)), self.states)
        answers = [0] * len(self.states[0])
        waiting = list(groups.items())
        first = 1
        for start in (0, *range(1, len(waiting), TOGETHER)):
            some = waiting[start : start + first]
            columns = [[list(map(column.__getitem__, members)) for column in self.states] for _, members in some]
            if prepare is not None and len(some) > 1:
                prepare([(data, own) for (data, _), own in zip(some, columns, strict=True)])
            for (data, members), own in zip(some, columns, strict=True):
                for row, value in zip(members, values(data, own), strict=True):
                    answers[row] = value
            first = TOGETHER
        return answers


def bound_givens(givens: Givens, game: Game, data: Sequence[Value]) -> list[object]:
    """The arguments of a kernel for one set of givens."""
    values = game.data(data)
    args: list[object] = [shape.word(values[shape.name]) for shape in givens.scalars]
    for table in givens.tables:
        args += table.args(values[table.name])
    return args
