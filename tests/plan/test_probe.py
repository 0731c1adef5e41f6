"""How long a search may take before a table is filled instead."""

from __future__ import annotations

import msgspec
import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.model import LOST, WON
from gamespec.kernel import ir
from gamespec.kernel.build import const
from gamespec.kernel.walk import effort, size
from gamespec.plan import probe
from gamespec.plan.choose import MOST_CELLS_A_STEP, PROBE, TABLE, choose, make_solver
from gamespec.plan.plan import Ask
from gamespec.plan.probe import LEAST_FUEL, ProbeSolver
from gamespec.plan.search.kernel import COUNT

CONNECTION = """
game connection
players red, blue
state board: array[0..8] of {empty, red, blue}
let near(p) = {q for q in 0..8 if abs(q / 3 - p / 3) <= 1 and abs(q % 3 - p % 3) <= 1}
let reds = {p for p in 0..8 if board[p] == red}
let blues = {p for p in 0..8 if board[p] == blue}
move place choose p in 0..8 when board[p] == empty do board[p] = mover
terminal
    red wins when 6 in reach({2}, near, reds)
    blue wins when 8 in reach({0}, near, blues)
    draw when stuck
"""
TWO = "move two choose k in 1..min(3, m) do m -= k\n"
SUBTRACTION = f"""
game subtraction
state n, m: 0..3000
move one choose k in 1..min(3, n) do n -= k
{TWO}"""


def test_what_stands_in_a_loop_counts_as_often_as_it_runs() -> None:
    var, total = ir.Var("i", ir.I64), ir.Var("t", ir.I64)
    body: ir.Block = (ir.Set(total, ir.Binary("add", total, var, ir.I64)),)  # a statement and three expressions

    def looped(lo: ir.Expr, hi: ir.Expr, block: ir.Block) -> ir.Function:
        return ir.Function("f", (), (ir.For(var, lo, hi, block),))

    two, six, none = const(2, ir.I64), const(6, ir.I64), const(1, ir.I64)
    assert effort(looped(two, six, body)) == 3 + 5 * 4
    assert effort(looped(two, six, (ir.For(var, two, six, body),))) == 3 + 5 * (3 + 5 * 4)
    assert effort(looped(two, none, body)) == 3
    assert effort(looped(two, total, body)) == size(looped(two, total, body)) == 3 + 4


def test_a_large_kernel_makes_a_search_worth_more_steps() -> None:
    light = gamespec.plan_for(gamespec.loads(SUBTRACTION), PROBE)
    heavy = gamespec.plan_for(gamespec.loads(CONNECTION), PROBE)
    assert MOST_CELLS_A_STEP >= light.cells_a_step >= 8 * heavy.cells_a_step >= 8
    assert effort(heavy.functions[f"{TABLE}.fill"]) > 8 * effort(light.functions[f"{TABLE}.fill"])


def test_a_search_that_is_shorter_than_a_fill_is_not_cut_short() -> None:
    game = gamespec.loads(CONNECTION)
    facts, ask, budget = analyse(game), Ask(distance=True), Budget()
    plan = choose(game, facts, ask, PROBE)
    solver = make_solver(game, facts, plan, budget, compile)
    assert isinstance(solver, ProbeSolver)
    empty = [[(0,) * 9], [0]]
    solver.values([], empty)
    assert solver.table is None  # which has 2 * 3^9 cells, of which play reaches a fourth
    known = solver.search.at[COUNT]
    assert known > LEAST_FUEL


def test_a_search_for_which_there_is_no_memory_is_left_to_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "FREE_STEPS", 1 << 40)
    game = gamespec.loads(SUBTRACTION.replace("3000", "30_000_000").replace("state n, m", "state n").replace(TWO, ""))
    facts, ask, budget = analyse(game), Ask(), Budget(64 << 20)
    plan = msgspec.structs.replace(choose(game, facts, ask, PROBE), cells_a_step=1)
    solver = make_solver(game, facts, plan, budget, compile)
    assert list(solver.values([], [[29_999_999, 29_999_996]])) == [WON, LOST]
    assert isinstance(solver, ProbeSolver)
    assert solver.table is not None
    assert budget.used < 16 << 20
