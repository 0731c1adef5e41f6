"""Searches by several threads: the same values as by one, however small the table, and an end when told to stop."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import islice
from textwrap import dedent

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.game.reference import Reference
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.definition import value
from gamespec.plan.plan import Plan
from gamespec.plan.search import cell, kernel, seek, stack
from gamespec.plan.search.seek import MemoSolver
from tests.agreement.kinds import FINITE
from tests.agreement.test_kinds import asks, givens
from tests.tool import spec

MANY = 400
BOARDS = {
    "tic_tac_toe": {},
    "connect_four": {"wide": 3, "high": 3},
    "clobber": {"high": 2, "wide": 4},
    "cram": {"w": 3, "h": 3},
}


def restless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads join at once, return often and look round often; a table is too small as soon as two keys meet."""
    monkeypatch.setattr(seek, "WORTH_A_THREAD", 0)
    monkeypatch.setattr(seek, "FIRST_CELLS", 1 << 6)
    monkeypatch.setattr(cell, "DISTANCE_BITS", 2)
    monkeypatch.setattr(stack, "FIRST_FUEL", 8)
    monkeypatch.setattr(stack, "CALL_SECONDS", 2e-4)
    monkeypatch.setattr(kernel, "LOOK_ROUND", 4)


def made(game: Game, ask: Ask, backend: str, budget: Budget, skipped: Sequence[str] = ()) -> MemoSolver:
    facts = analyse(game, skipped)
    plan: Plan = choose(game, facts, ask, "memo")
    solver = make_solver(game, facts, plan, budget, lambda functions: compile(functions, backend, checked=True))
    assert isinstance(solver, MemoSolver)
    return solver


def reached(game: Game, data: dict[str, Value]) -> list[tuple[Value, ...]]:
    """Some positions that play from the start leads to, the start first."""
    evaluator = Evaluator(game, data)
    found = dict.fromkeys([evaluator.start({})])
    waiting = list(found)
    while waiting and len(found) < MANY:
        position = waiting.pop()
        if not evaluator.ending(position):
            new = [after for move in evaluator.moves(position) for after in move.results if after not in found]
            found |= dict.fromkeys(new)
            waiting += new
    return list(found)


@functools.cache
def referee(name: str) -> Reference:
    return Reference(Evaluator(gamespec.load(str(spec(name)), BOARDS[name]), {}))


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize("name", BOARDS)
def test_boards(name: str, backend: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    restless(monkeypatch)
    game = gamespec.load(str(spec(name)), BOARDS[name])
    positions = reached(game, {})
    reference = referee(name)
    for ask in [Ask(), Ask(distance=True), *([Ask(grundy=True)] if name == "cram" else [])]:
        solver = made(game, ask, backend, Budget(threads=threads), ["symmetry", "split"])
        assert solver._may_share()
        columns = [list(column) for column in zip(*positions, strict=True)]
        assert list(solver.values([], columns)) == [value(reference, ask, position) for position in positions]


@pytest.mark.parametrize("name", FINITE)
def test_kinds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    restless(monkeypatch)
    game = gamespec.loads(dedent(FINITE[name]))
    for data in islice(givens(game), 2):
        reference = Reference(Evaluator(game, data))
        positions = list(islice(gamespec.game.sample.positions(game, data, 60, 3), 60))
        for ask in asks(game):
            solver = made(game, ask, "llvm", Budget(1 << 28, threads=2))
            given = [[data[field.name]] * len(positions) for field in game.givens]
            columns = [[position[place] for position in positions] for place in range(len(game.states))]
            assert list(solver.values(given, columns)) == [value(reference, ask, each) for each in positions]


FAILS = """
    game fails
    players a, b
    state n: 0..200
    state m: 0..9
    move one choose k in 1..3 when k <= n do n -= k, m = (m + 7 / (n - 100) + k) % 10
    move two when n > 4 do n -= 5
    terminal mover loses when n < 3
"""


@pytest.mark.parametrize("distance", [False, True])
def test_the_same_fault(distance: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    restless(monkeypatch)
    game = gamespec.loads(FAILS)
    said = []
    for threads in (1, 2, 2, 2):
        solver = made(game, Ask(distance=distance), "llvm", Budget(threads=threads))
        assert solver._may_share() == (distance and threads > 1)
        with pytest.raises(SpecError) as error:
            solver.values([], [[200], [0]])
        said.append(str(error.value))
        assert solver.values([], [[99], [0]]) is not None  # other questions are answered
    assert len(set(said)) == 1


def test_time(monkeypatch: pytest.MonkeyPatch) -> None:
    restless(monkeypatch)
    game = gamespec.load(str(spec("connect_four")), {"wide": 6, "high": 6})
    solver = made(game, Ask(distance=True), "llvm", Budget(1 << 30, seconds=1, threads=2))
    start = Evaluator(game, {}).start({})
    with pytest.raises(LimitError, match="time given"):
        solver.values([], [[each] for each in start])


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all options count, nothing is forgotten."""
    restless(monkeypatch)
    game = gamespec.load(str(spec("connect_four")), {"wide": 6, "high": 6})
    budget = Budget(1 << 24, threads=2)
    solver = made(game, Ask(distance=True), "llvm", budget)
    used = budget.used
    start = Evaluator(game, {}).start({})
    with pytest.raises(LimitError, match="needs"):
        solver.values([], [[each] for each in start])
    assert budget.used >= used
    assert budget.used <= 1 << 24


@pytest.mark.parametrize("threads", [1, 2])
def test_what_was_forgotten_is_found_again(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many positions asked at once, the first are forgotten while the others are searched."""
    monkeypatch.setattr(seek, "FIRST_CELLS", 1 << 10)
    monkeypatch.setattr(seek, "LATER_CELLS", 1 << 10)
    monkeypatch.setattr(seek, "WORTH_A_THREAD", 0)
    monkeypatch.setattr(seek, "MOST_ROUNDS", 1 << 20)
    game = gamespec.load(str(spec("connect_four")), {"wide": 4, "high": 4})
    positions = reached(game, {})
    columns = [list(column) for column in zip(*positions, strict=True)]
    expected = made(game, Ask(), "llvm", Budget()).values([], columns)
    budget = Budget(threads=threads)
    solver = made(game, Ask(), "llvm", budget)
    monkeypatch.setattr(solver, "_grow_table", lambda: budget.take(1 << 60, "a larger table"))
    assert list(solver.values([], columns)) == list(expected)
    assert solver.rounds > 0
