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
MANY = 256  # rows from which equal ones are looked for


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
        values = _once(values)
        if not self.givens:
            return values((), self.states)
        groups = self._groups()
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

    def _groups(self) -> dict[tuple[Value, ...], list[int]]:
        """The rows of each different set of givens. Data that rows share are compared once, not row by row."""
        marks = [
            list(map(id, column)) if isinstance(column[0], tuple | frozenset) else column for column in self.givens
        ]
        same: dict[tuple[Value, ...], list[int]] = {}
        for row, mark in enumerate(zip(*marks, strict=True)):
            same.setdefault(mark, []).append(row)
        groups: dict[tuple[Value, ...], list[int]] = {}
        for rows in same.values():
            groups.setdefault(tuple(column[rows[0]] for column in self.givens), []).extend(rows)
        return groups


def _once(values: Answer) -> Answer:
    """The same answers; of many rows, equal ones are asked once if at least every other row is one of them."""

    def answer(data: tuple[Value, ...], columns: Sequence[Column]) -> Sequence[int]:
        count = len(columns[0])
        if count < MANY:
            return values(data, columns)
        different: dict[tuple[Value, ...], int] = {}
        places = [different.setdefault(row, len(different)) for row in zip(*columns, strict=True)]
        if 2 * len(different) > count:
            return values(data, columns)
        found = values(data, [list(column) for column in zip(*different, strict=True)])
        return list(map(found.__getitem__, places))

    return answer


def bound_givens(givens: Givens, game: Game, data: Sequence[Value]) -> list[object]:
    """The arguments of a kernel for one set of givens."""
    values = game.data(data)
    args: list[object] = [shape.word(values[shape.name]) for shape in givens.scalars]
    for table in givens.tables:
        args += table.args(values[table.name])
    return args
