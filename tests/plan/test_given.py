"""Rows that share data, and equal rows, are asked together."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.game.model import Value
from gamespec.plan.given import MANY, Rows
from gamespec.plan.plan import Column


class Heavy(tuple[int, ...]):
    """Data that count how often they are hashed, which takes as long as there is data."""

    hashed = 0

    def __hash__(self) -> int:
        Heavy.hashed += 1
        return super().__hash__()


def test_data_that_rows_share_are_hashed_once() -> None:
    shared, alike, other = Heavy((1, 2)), Heavy((1, 2)), Heavy((3,))
    data: list[Value] = [shared, other, alike] * 1000
    asked: list[tuple[Value, ...]] = []

    def values(givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        asked.append(givens)
        return [value + len(givens[0]) for value in states[0]]  # type: ignore[arg-type]

    Heavy.hashed = 0
    found = Rows([data], [list(range(3000))]).answer(values)
    assert found == [row + (1 if row % 3 == 1 else 2) for row in range(3000)]
    assert len(asked) == 2
    assert Heavy.hashed < 10


def test_equal_rows_are_asked_once() -> None:
    asked: list[int] = []

    def values(givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        asked.append(len(states[0]))
        return [first * 10 + second for first, second in zip(*states, strict=True)]

    states: list[Column] = [[row % 5 for row in range(MANY)], [row % 2 for row in range(MANY)]]
    assert Rows([], states).answer(values) == [row % 5 * 10 + row % 2 for row in range(MANY)]
    assert Rows([[7] * MANY], states).answer(values) == [row % 5 * 10 + row % 2 for row in range(MANY)]
    assert asked == [10, 10]
    different: list[Column] = [list(range(MANY)), [0] * MANY]
    assert Rows([], different).answer(values) == [row * 10 for row in range(MANY)]
    assert asked == [10, 10, MANY]
