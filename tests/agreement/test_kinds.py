"""Outcomes with draws, distances, scores, extra turns and endless play: every strategy against the definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import dedent

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game
from gamespec.game.reference import Reference
from gamespec.kernel.ir import Function
from gamespec.plan.choose import STRATEGIES, choose, make_solver
from gamespec.plan.plan import Ask, Bid, Kernels
from gamespec.run.reference import options, value
from tests.agreement.kinds import FINITE

GIVENS = 2
POSITIONS = 120


def asks(game: Game) -> Iterator[Ask]:
    if game.scored:
        yield Ask(score=True, moves=True)
        return
    yield Ask(moves=True)
    yield Ask(distance=True, moves=True)


def compare(game: Game, backend: str) -> set[str]:
    """Which strategies were compared."""
    facts = analyse(game)
    cases = []
    for data in sample.givens(game, GIVENS, 3):
        reference = Reference(Evaluator(game, data))
        cases.append((data, reference, list(sample.positions(game, data, POSITIONS, 3))))
    met = set()
    for ask in asks(game):
        for name, strategy in STRATEGIES.items():
            if not isinstance(strategy.bid(game, facts, ask), Bid):
                continue
            met.add(name)

            def compiled(functions: Sequence[Function]) -> Kernels:
                return compile(functions, backend, True)

            solver = make_solver(game, facts, choose(game, facts, ask, name), Budget(1 << 28), compiled)
            for data, reference, places in cases:
                given = [data[field.name] for field in game.givens]
                states = [[place[column] for place in places] for column in range(len(game.states))]
                found = solver.values([[each] * len(places) for each in given], states)
                for place, answer in zip(places, found, strict=True):
                    assert answer == value(reference, ask, place), f"{name}, {ask} at {place} under {data}"
                for place in places[:: 1 + len(places) // 15]:
                    expected = options(reference, ask, place)
                    assert solver.options(given, place) == expected, f"{name}, {ask}, moves at {place} under {data}"
    return met


@pytest.mark.parametrize("backend", ["python", "llvm"])
@pytest.mark.parametrize("name", FINITE)
def test_play_that_ends(name: str, backend: str) -> None:
    game = gamespec.loads(dedent(FINITE[name]))
    assert compare(game, backend) >= {"memo"} | ({"table"} if analyse(game).order else set())
