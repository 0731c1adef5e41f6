"""A case that cannot be answered: all cases before it are, whatever was read together."""

from __future__ import annotations

import io

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.table import needed
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.plan.choose import choose, make_solver
from gamespec.run.solve import solve

FAULTY = """game faulty
state n: 0..1000
move take choose k in 1..min(3, n) when 100 / (n - 7) >= -100 do n -= k
input cases until eof read n
output win "W" lose "L"
"""
JOINED = FAULTY.replace("until eof", "count").replace("output", 'output joined " "')
ROWS = FAULTY.replace("game faulty\n", "game faulty\nsum\n").replace("read n\n", "read m, [n] * m\n")
UNSAID = """game unsaid
state board: array[1..2] of {empty, x}
players a, b
move set choose i in 1..2 when board[i] == empty do board[i] = x
terminal
    draw when stuck and mover == a
    mover loses when stuck
input cases until eof read mover, board[2] as chars ".x"
output win "W" lose "L"
"""


def answered(text: str, typed: str, plan: str | None = None, memory: int = 1 << 30) -> tuple[str, Exception]:
    """What is printed, and what is raised then."""
    game = gamespec.loads(text)
    facts = analyse(game)
    budget, out = Budget(memory), io.BytesIO()
    solver = make_solver(game, facts, choose(game, facts, needed(game), plan, budget), budget, compile)
    with pytest.raises((SpecError, LimitError)) as raised:
        solve(game, solver, io.BytesIO(typed.encode()), out, budget, compile=compile)
    return out.getvalue().decode(), raised.value


@pytest.mark.parametrize("plan", ["memo", "table", "retrograde", None])
@pytest.mark.parametrize("before", [0, 1, 2, 5, 6])
def test_cases_before_a_rule_that_fails(plan: str | None, before: int) -> None:
    some = ["5", "0", "3", "6", "4", "1"][:before]
    printed, error = answered(FAULTY, "\n".join([*some, "17", "2", "30", "5"]), plan)
    assert printed == "".join({"0": "L\n", "4": "L\n"}.get(n, "W\n") for n in some)
    assert "n = 7" in str(error)


def test_joined_answers_and_rows_of_heaps() -> None:
    assert answered(JOINED, "4\n3\n4\n17\n6\n")[0] == "W L"
    assert answered(ROWS, "2 3 3\n1 2\n3 1 2 6\n2 5 17\n1 3\n")[0] == "L\nW\nW\n"


def test_large_inputs_of_equal_cases() -> None:
    cases = [str(number % 7) for number in range(70_000)]
    printed, _ = answered(FAULTY, "\n".join([*cases, "20", "3"]))
    assert printed == "".join("L\n" if number % 7 in (0, 4) else "W\n" for number in range(70_000))


def test_outcomes_that_the_output_leaves_out() -> None:
    printed, error = answered(UNSAID, "b ..\nb .x\na ..\nb ..\n")
    assert printed.count("\n") in (1, 2)
    assert "draw" in str(error)


def test_memory_for_what_comes_first() -> None:
    text = "game far\nstate n: 0..10**7\nmove take choose k in {1, n / 3} when k in 1..n do n -= k\n"
    text += 'input cases until eof read n\noutput line "{grundy}"\nplan memo\n'
    printed, error = answered(text, "1\n2\n0\n9000000\n1\n", memory=2_000_000)
    assert printed == "1\n0\n0\n"
    assert isinstance(error, LimitError)
