"""What is said of the pace of a run counts the run only."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.backends.program import compile
from gamespec.budget import OVER_MEMORY, Budget
from gamespec.diagnostics import LimitError
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.pace import out_of_reach
from gamespec.plan.plan import Ask
from gamespec.plan.sum import whole

GAME = """
game kept
sum
state n: 0..12
move one when n > 0 into (n - 1)
move split choose k in 1..n - 2 into (k), (n - 1 - k)
winner stuck player
"""


@pytest.mark.parametrize("slow", [False, True])
def test_time_before_a_question_is_not_its_own(monkeypatch: pytest.MonkeyPatch, slow: bool) -> None:
    monkeypatch.setattr(whole, "BATCH", 0)
    game = gamespec.loads(GAME)
    facts, ask, budget = analyse(game), Ask(), Budget()
    said: list[str] = []
    budget.notice = said.append
    solver = make_solver(game, facts, choose(game, facts, ask, "sum"), budget, lambda some: compile(some, "python"))
    assert isinstance(solver, whole.WholeSolver)
    solver.pace.started -= 1000  # the caller did something else
    if slow:
        monkeypatch.setattr("gamespec.plan.pace.LONG", 0)
    solver.values([], [[9, 8]])
    assert bool(said) is slow


def test_where_more_memory_may_not_do() -> None:
    game = gamespec.loads(
        "game deep state n, m: 0..10**18 "
        "move one choose k in 1..3 when k <= n and n != m + 2 do n -= k move two choose k in 1..3 when k <= m do m -= k"
    )
    facts, ask, budget = analyse(game), Ask(), Budget(2 << 20)
    solver = make_solver(game, facts, choose(game, facts, ask, "memo"), budget, compile)
    with pytest.raises(LimitError) as limit:
        solver.values([], [[200_000], [200_000]])
    (found,) = limit.value.diagnostics
    assert "--memory" in found.helps[0].message
    assert "`gamespec explain` tells why" in found.helps[1].message
    some = LimitError(OVER_MEMORY.at(None, what="a table", needed="9 GB", free="1 GB", limit="4 GB"))
    assert out_of_reach(some, 10**6, 10**8) is some
    assert out_of_reach(some, 10**6, 10**12) is not some
