"""Smith values: what Grundy values become when play may come back.

C. A. B. Smith, "Graphs and composite games", J. Combinatorial Theory 1 (1966); A. S. Fraenkel and Y. Perl (1975).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from gamespec.game.model import Game, Into, Move

P = TypeVar("P", bound=Hashable)

LoopyValue = int | frozenset[int]
"""A number, as a Grundy value; or ∞(K), given as the set K of the numbers that its options have."""


def loopy_values(over: Iterable[P], options: Mapping[P, Sequence[P]]) -> dict[P, LoopyValue]:
    """The values of positions that are `over` (0) and of those with options, under normal play.

    A position gets the number m once m is the least number that no option has, and every option without a number
    below m has itself an option with the number m; the numbers are given in ascending order.
    """
    numbers: dict[P, int] = dict.fromkeys(over, 0)
    for m in range(max(map(len, options.values()), default=0) + 1):
        while True:
            found = [
                position
                for position in options
                if position not in numbers and _is_number(position, m, numbers, options)
            ]
            if not found:
                break
            numbers[found[0]] = m
    values: dict[P, LoopyValue] = dict(numbers)
    for position, after in options.items():
        if position not in numbers:
            values[position] = frozenset(numbers[option] for option in after if option in numbers)
    return values


def _is_number(position: P, m: int, numbers: Mapping[P, int], options: Mapping[P, Sequence[P]]) -> bool:
    have = {numbers[option] for option in options[position] if option in numbers}
    if m in have or not have >= set(range(m)):
        return False
    return all(
        numbers.get(option, m) < m or any(numbers.get(reply) == m for reply in options.get(option, ()))
        for option in options[position]
    )


def breaking(game: Game) -> Move | None:
    """The first rule that may leave several components, or none, which have no Smith value together."""
    for move in game.moves:
        if isinstance(move.effect, Into) and (len(move.effect.parts) != 1 or move.effect.parts[0].tail is not None):
            return move
    return None
