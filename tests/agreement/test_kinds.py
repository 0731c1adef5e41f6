"""Outcomes with draws, distances, scores, extra turns and endless play: every strategy against the definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from textwrap import dedent

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.game.reference import Reference
from gamespec.kernel.ir import Function
from gamespec.plan import backward
from gamespec.plan.choose import STRATEGIES, choose, make_solver
from gamespec.plan.plan import Ask, Bid, Kernels
from gamespec.run.reference import options, value
from tests.agreement.kinds import FINITE, LOOPY

GIVENS = 3
POSITIONS = 120


def asks(game: Game) -> Iterator[Ask]:
    if game.scored:
        yield Ask(score=True, moves=True)
        return
    yield Ask(moves=True)
    yield Ask(distance=True, moves=True)
    if not (game.partisan or game.misere or any(terminal.verdict for terminal in game.terminals)):
        yield Ask(grundy=True, moves=True)


def givens(game: Game) -> Iterator[dict[str, Value]]:
    """Data for cases; a graph has few edges from each node, and none from some."""
    random = Random(5)
    for data in sample.givens(game, GIVENS, 3):
        if "next" in data:
            for most in (1, 2, 3):
                rows = tuple(frozenset(random.sample(range(10), random.randint(0, most))) for _ in range(10))
                yield {**data, "next": rows}  # type: ignore[dict-item]
        else:
            yield data


def compare(game: Game, backend: str) -> set[str]:
    """Which strategies were compared."""
    facts = analyse(game)
    cases = []
    for data in givens(game):
        reference = Reference(Evaluator(game, data))
        cases.append((data, reference, list(sample.positions(game, data, POSITIONS, 3))))
    met = set()

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, backend, checked=True)

    for ask in asks(game):
        for name, strategy in STRATEGIES.items():
            if not isinstance(strategy.bid(game, facts, ask), Bid):
                continue
            met.add(name)
            solver = make_solver(game, facts, choose(game, facts, ask, name), Budget(1 << 28), compiled)
            for data, reference, places in cases:
                given = [data[field.name] for field in game.givens]
                for some in (places[:3], places):
                    states = [[place[column] for place in some] for column in range(len(game.states))]
                    found = solver.values([[each] * len(some) for each in given], states)
                    for place, answer in zip(some, found, strict=True):
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


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("backend", ["python", "llvm"])
@pytest.mark.parametrize("name", LOOPY)
def test_play_that_may_come_back(name: str, backend: str, dense: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both numberings: of the positions that play reaches, and of all that are declared."""
    covered: list[object] = []
    cover = backward.BackwardSolver._cover
    monkeypatch.setattr(backward.BackwardSolver, "_cover", lambda self, box: (covered.append(box), cover(self, box)))
    if dense:
        monkeypatch.setattr(backward, "LEAST_FUEL", 0)
        monkeypatch.setattr(backward, "FIRST_CELLS", 4)
        monkeypatch.setattr(backward, "DENSITY", 1 << 20)
    game = gamespec.loads(dedent(LOOPY[name]))
    assert compare(game, backend) == {"retrograde"}
    assert bool(covered) == dense
