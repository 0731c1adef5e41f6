"""Kernels come quickly at first; one that runs for long is replaced by a better one, between two calls."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.kernel.ir import Function
from gamespec.kernel.problems import TOO_LARGE
from gamespec.plan import demand
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.demand import OnDemand, settle
from gamespec.plan.plan import Kernels

HEAP = "game heap state n: 0..5000 move take choose k in 1..3 when k <= n and k != n % 7 do n -= k"


@pytest.mark.parametrize("strategy", ["table", "memo"])
def test_what_runs_for_long_is_compiled_again(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demand, "WORTH_MORE", 0)
    game = gamespec.loads(HEAP)
    facts = analyse(game)
    plan = choose(game, facts, Ask(), strategy)
    compiled: list[tuple[str, bool]] = []

    def noted(functions: Sequence[Function]) -> Kernels:
        compiled.extend((function.name, function.hot) for function in functions)
        return compile(functions)

    solver = make_solver(game, facts, plan, Budget(), noted)
    expected = [solver.values([], [[n]])[0] for n in range(0, 5000, 17)]
    settle()
    (hot,) = [name for name, is_hot in compiled if is_hot]
    assert compiled.index((hot, False)) < compiled.index((hot, True))
    assert [solver.values([], [[n]])[0] for n in range(0, 5000, 17)] == expected
    assert compiled.count((hot, True)) == 1


def test_the_process_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a worker, which no process waits for, has called the kernel."""
    monkeypatch.setattr(demand, "WORTH_MORE", 0)
    daemons: list[bool] = []

    def made(functions: Sequence[Function]) -> Kernels:
        if functions[0].hot:
            daemons.append(threading.current_thread().daemon)
        return {functions[0].name: lambda *_: 7}

    kernels = OnDemand({"f": Function("f", (), ())}, made)
    worker = threading.Thread(target=kernels["f"], daemon=True)
    worker.start()
    worker.join()
    settle()
    assert daemons == [False]


def test_a_kernel_that_cannot_be_made_better_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demand, "WORTH_MORE", 0)

    def made(functions: Sequence[Function]) -> Kernels:
        if functions[0].hot:
            raise LimitError(TOO_LARGE.at(None, nodes=2, limit=1))
        return {functions[0].name: lambda *_: 7}

    kernels = OnDemand({"f": Function("f", (), ())}, made)
    assert kernels["f"]() == 7
    settle()
    assert kernels["f"]() == 7


def test_what_runs_briefly_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demand, "WORTH_MORE", 1e9)
    compiled: list[bool] = []

    def made(functions: Sequence[Function]) -> Kernels:
        compiled.append(functions[0].hot)
        return {functions[0].name: lambda *_: 7}

    kernels = OnDemand({"f": Function("f", (), ())}, made)
    assert [kernels["f"]() for _ in range(3)] == [7, 7, 7]
    assert compiled == [False]
