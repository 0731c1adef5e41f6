"""Misère sums of subtraction games by their values under normal play, whatever finds these."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Value
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Bid, Refusal, WholeSolver
from gamespec.plan.sum import tame

TAKEN = {
    "nim": ("", "k in 1..n", [()]),
    "up to a given number": ("given m: 1..4", "k in 1..min(m, n)", [(1,), (3,)]),
    "all but some": ("", "k in (1..n) - {2, 3}", [()]),
    "powers": ("", "k in powers(2, n)", [()]),
    "a given set": ("given s: set of 1..5", "k in s when k <= n", [(frozenset({2, 5}),), (frozenset({3}),)]),
}

OTHER = {
    "not the last one": "choose k in 1..n when k < n do n -= k",
    "from five on": "choose k in 1..min(2, n) when n >= 5 do n -= k",
    "an end before": "choose k in 1..n do n -= k terminal n == 3",
    "a split": "choose a in 0..n - 1 into (a), (n - 1 - a)",
    "half": "choose k in 1..n / 2 do n -= k",
}


def spec(given: str, move: str, top: int = 7) -> str:
    read = "" if given else 'input read h, [n] * h output line "{outcome}"'
    return f"game g sum {given} state n: 0..{top} move go {move} winner stuck player {read}"


@pytest.mark.parametrize("name", TAKEN)
def test_subtraction_games(name: str) -> None:
    given, taken, data = TAKEN[name]
    game = gamespec.loads(spec(given, f"choose {taken} do n -= k"))
    facts = analyse(game)
    assert isinstance(tame.bid(game, facts, Ask()), Bid)
    for givens in data:
        heaps = list(combinations_with_replacement(range(8), 3))
        assert found(game, givens, heaps) == by_definition(game, givens, heaps)


def by_definition(game: gamespec.Game, givens: tuple[Value, ...], heaps: list[tuple[int, ...]]) -> list[int]:
    """Who is stuck wins: the outcome of each sum from those of all sums that a move leaves."""
    evaluator = Evaluator(game, game.data(givens))
    after = [[int(move.results[0][0]) for move in evaluator.moves((n,))] for n in range(8)]  # type: ignore[arg-type]

    @cache
    def wins(heap: tuple[int, ...]) -> bool:
        options = [(*heap[:place], left, *heap[place + 1 :]) for place, n in enumerate(heap) for left in after[n]]
        return not options or not all(wins(tuple(sorted(option))) for option in options)

    return [int(wins(heap)) for heap in heaps]


def found(game: gamespec.Game, givens: tuple[Value, ...], heaps: list[tuple[int, ...]]) -> list[int]:
    """What the strategy says."""
    facts = analyse(game)
    plan = choose(game, facts, Ask(), "tame")
    solver = make_solver(game, facts, plan, Budget(), compile)
    assert isinstance(solver, WholeSolver)
    column = [n for heap in heaps for n in heap]
    return list(solver.sums([[value] * len(column) for value in givens], [column], [3] * len(heaps)))


@pytest.mark.parametrize("name", OTHER)
def test_other_games_are_refused(name: str) -> None:
    game = gamespec.loads(spec("", OTHER[name]))
    assert isinstance(tame.bid(game, analyse(game), Ask()), Refusal)


def test_heaps_beyond_any_table() -> None:
    game = gamespec.loads(spec("", "choose k in 1..n do n -= k", 10**18))
    assert gamespec.solve(game, "2 1000000000000000000 1000000000000000000") == "lose\n"
    assert gamespec.solve(game, "3 1 1 1") == "lose\n"
    assert gamespec.solve(game, "1 999999999999999999") == "win\n"
