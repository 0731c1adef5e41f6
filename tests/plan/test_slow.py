"""Windows that grow slowly (C1), against the definition, and those that do not."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Bid, Refusal
from gamespec.plan.theorem import closed

TOP = 300
SLOW = ["n / 2", "(n + 1) / 2", "n / 3 - 2", "2 * n / 3", "(3 * n + 1) / 4", "min(n / 2, 7)", "min(n, n / 2 + 3)",
        "max(n / 3, min(n, 4))", "n - n / 3", "n - (n + 2) / 3", "n / 2 / 2",
        "min(n / m, 40)", "min(n, m)"]  # fmt: skip
FAST = {"2 * (n / 3)": "grows by 0 or 1", "n % 7": "grows by 0 or 1", "n / 2 + n / 3": "grows by 0 or 1",
        "if n == 9 then 5 else n / 2": "grows by 0 or 1"}  # fmt: skip


def spec(most: str, top: int = TOP) -> str:
    return f"game g sum given m: 1..5 state n: 0..{top} move go choose k in 1..({most}) do n -= k"


@pytest.mark.parametrize("most", SLOW)
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_values(most: str, backend: str) -> None:
    game = gamespec.loads(spec(most))
    facts = analyse(game)
    ask = Ask(grundy=True, moves=True)
    assert isinstance(closed.bid(game, facts, ask), Bid)
    plan = choose(game, facts, ask, "closed")
    solver = make_solver(game, facts, plan, Budget(), lambda functions: compile(functions, backend, checked=True))
    table = [0]
    for n in range(1, TOP + 1):
        largest = eval(most.replace("/", "//"), {"n": n, "m": 3, "min": min, "max": max})
        window = set(table[n - max(0, largest) :])
        table.append(next(value for value in range(n + 1) if value not in window))
    assert list(solver.values([[3] * (TOP + 1)], [list(range(TOP + 1))])) == table
    options = solver.options((3,), (60,))
    assert [option.value for option in options] == [table[60 - option.choices[0]] for option in options]


@pytest.mark.parametrize("most", FAST)
def test_refused(most: str) -> None:
    """A jump of 2, or a fall, with a reason; the answers are right by a table."""
    game = gamespec.loads(spec(most))
    found = closed.bid(game, analyse(game), Ask(grundy=True))
    assert isinstance(found, Refusal)
    assert FAST[most] in found.reason.text


def test_a_huge_heap() -> None:
    game = gamespec.loads(
        "game half state n: 0..10**18 move go choose k in 1..n / 2 do n -= k input cases until eof read n "
        'output win "{grundy}" lose "lost"'
    )
    assert gamespec.solve(game, f"{10**18} {2**59 - 1} {2**59}") == f"{10**18 // 2}\nlost\n{2**58}\n"


def stretches(n: int, length: int) -> int:
    """The value where 1..n / length may be taken: within each stretch of one largest step by one division."""
    while most := n // length:
        rest = (n - most * length) % (most + 1)
        if not rest:
            return most
        n = most * length - (most + 1) + rest
    return 0


def test_steps_that_stay_the_same_for_long() -> None:
    game = gamespec.loads(
        "game g state n: 0..10**18 move go choose k in 1..n / 10**15 do n -= k input cases until eof read n "
        'output line "{grundy}"'
    )
    heaps = [10**18, 10**18 - 1, 123_456_789_012_345_678, 10**15 - 1, 10**15, 3 * 10**15 - 1, 77 * 10**16 + 5]
    answers = [stretches(n, 10**15) for n in heaps]
    assert gamespec.solve(game, " ".join(map(str, heaps)), seconds=30).split() == list(map(str, answers))


def test_a_chain_that_takes_too_long_is_stopped() -> None:
    game = gamespec.loads(
        "game g state n: 0..10**18 move go choose k in 1..n / 10**9 do n -= k input cases until eof read n "
        'output line "{grundy}"'
    )
    with pytest.raises(LimitError, match="time"):
        gamespec.solve(game, str(10**18 - 5), seconds=0.5)


def test_a_heap_of_one_more_than_the_least() -> None:
    game = gamespec.loads("game g sum state n: 3..99 move go choose k in 1..(n - 3) / 2 do n -= k")
    facts = analyse(game)
    plan = choose(game, facts, Ask(grundy=True), "closed")
    solver = make_solver(game, facts, plan, Budget(), compile)
    half = [0]
    for n in range(1, 97):
        window = set(half[n - n // 2 :])
        half.append(next(value for value in range(n + 1) if value not in window))
    assert list(solver.values([], [list(range(3, 100))])) == half
