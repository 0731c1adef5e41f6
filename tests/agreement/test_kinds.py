"""Outcomes with draws, distances, scores, extra turns and endless play: every strategy against the definition."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random
from textwrap import dedent

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.game.reference import Reference
from gamespec.kernel.ir import Function
from gamespec.plan.choose import LAST, STRATEGIES, choose, make_solver
from gamespec.plan.definition import options, value
from gamespec.plan.plan import Ask, Bid, Kernels
from gamespec.plan.retrograde import backward
from gamespec.plan.retrograde.backward import BackwardSolver
from tests.agreement.kinds import FINITE, LOOPY

GIVENS = 3
POSITIONS = 120


def asks(game: Game) -> Iterator[Ask]:
    if game.sum:
        yield Ask(grundy=True, moves=True)
        return
    if game.scored:
        yield Ask(score=True, moves=True)
        yield Ask(score=True, total=True, moves=True)
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


def compare(game: Game, backend: str, disabled: Collection[str] = ()) -> set[str]:
    """Which strategies were compared, where some analyses are not made."""
    facts = analyse(game, disabled)
    cases = []
    for data in givens(game):
        reference = Reference(Evaluator(game, data))
        cases.append((data, reference, list(sample.positions(game, data, POSITIONS, 3))))
    met = set()

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, backend, checked=True)

    for ask in asks(game):
        for name, strategy in STRATEGIES.items():
            if name in LAST or not isinstance(strategy.bid(game, facts, ask), Bid):
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


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("skipped", [(), ("inverse",)], ids=["backwards", "stored"])
@pytest.mark.parametrize("backend", ["python", "llvm"])
@pytest.mark.parametrize("name", LOOPY)
def test_play_that_may_come_back(
    name: str, backend: str, skipped: tuple[str, ...], declared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both numberings, of the positions that play reaches and of all that are declared; moves stored or not."""
    whole: list[str] = []
    for way in ("_cover", "_survey"):
        number = getattr(BackwardSolver, way)
        monkeypatch.setattr(
            BackwardSolver, way, lambda self, *args, way=way, number=number: (whole.append(way), number(self, *args))
        )
    if declared:
        monkeypatch.setattr(backward, "LEAST_FUEL", 0)
        monkeypatch.setattr(backward, "FIRST_CELLS", 4)
        monkeypatch.setattr(backward, "DENSITY", 1 << 20)
    game = gamespec.loads(dedent(LOOPY[name]))
    assert compare(game, backend, skipped) == {"retrograde"}
    assert not whole or declared
    if skipped and declared:
        assert set(whole) == {"_cover"}


def around(size: int) -> Game:
    """Two pieces on a ring of places."""
    return gamespec.loads(f"""
        game around
        players a, b
        state p: 0..{size}
        state q: 0..{size}
        move go by a choose k in 1..4 do p = (p + k) % {size + 1}
        move follow by b choose k in 1..3 do q = (q + k) % {size + 1}
        terminal a wins when p == q
        endless b wins
    """)


def test_memory_is_bounded() -> None:
    """The error says what is lacking, and all memory is given back."""
    game = around(400)
    facts, ask, budget = analyse(game), Ask(), Budget(1 << 20)
    plan = choose(game, facts, ask)
    assert plan.strategy == "retrograde"
    solver = make_solver(game, facts, plan, budget, lambda functions: compile(functions, "llvm"))
    with pytest.raises(LimitError, match=r"a graph of .* needs .* of memory; .* of the 1.05 MB given are left"):
        solver.values([], [[1], [5], [0]])
    assert budget.used == 0


def test_time_is_bounded() -> None:
    game = around(400)
    facts, budget = analyse(game), Budget(seconds=0.0)
    solver = make_solver(game, facts, choose(game, facts, Ask()), budget, lambda functions: compile(functions, "llvm"))
    with pytest.raises(LimitError, match="the time given"):
        solver.values([], [[1], [5], [0]])


def test_known_positions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second question with the same data is answered from what is there."""
    game = around(20)
    facts = analyse(game)
    calls = []
    solve = backward.BackwardSolver._solve
    monkeypatch.setattr(backward.BackwardSolver, "_solve", lambda self, *args: (calls.append(1), solve(self, *args)))
    ask = Ask(moves=True)
    solver = make_solver(game, facts, choose(game, facts, ask), Budget(), lambda functions: compile(functions, "llvm"))
    first = solver.values([], [[1, 2], [5, 5], [0, 0]])
    again = solver.values([], [[2, 7], [5, 3], [0, 1]])
    assert again[0] == first[1]
    assert solver.options([], (3, 9, 1))
    assert len(calls) == 1
