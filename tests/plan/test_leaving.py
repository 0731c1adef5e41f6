"""Moves to a value without a list of all moves, against that list."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.model import Value
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import LeavingSolver

RULES: dict[str, tuple[str, list[tuple[Value, ...]]]] = {
    "nim": ("sum state n: 0..30 move go choose k in 1..n do n -= k", [()]),
    "a floor": ("sum state n: 3..30 move go choose k in 1..n - 3 do n -= k", [()]),
    "a fixed step": ("sum given m: 0..9 state n: 0..30 move go choose k in 1..min(m, n) do n -= k", [(0,), (1,), (4,)]),
    "upwards": ("sum given s: 0..30 state n: 0..s move go choose k in 1..min(5, s - n) do n += k", [(7,), (30,)]),
    "squares": ("sum given s: 0..30 state n: 0..s move go choose k in 1..min(n * n, s - n) do n += k", [(9,), (30,)]),
    "half": ("sum state n: 0..30 move go choose k in 1..n / 2 do n -= k", [()]),
    "who wins": ("state n: 0..30 move go choose k in 1..min(4, n) do n -= k", [()]),
}


@pytest.mark.parametrize("name", RULES)
def test_leaving(name: str) -> None:
    rules, data = RULES[name]
    game = gamespec.loads(f"game g {rules}")
    facts = analyse(game)
    ask = Ask(grundy=game.sum, moves=True)
    solver = make_solver(game, facts, choose(game, facts, ask, "closed"), Budget(), compile)
    assert isinstance(solver, LeavingSolver)
    least = game.states[0].type.bounds.lo  # type: ignore[union-attr]
    for givens in data:
        last = int(givens[0]) if "s: 0..30" in rules else 30  # type: ignore[arg-type]
        for n in range(least, last + 1):
            options = solver.options(givens, (n,))
            for value in range(12) if game.sum else (0,):
                wanted = value if game.sum else 1
                expected = [option for option in options if option.value == wanted]
                assert solver.leaving(givens, (n,), value) == expected, (givens, n, value)


def test_a_huge_heap() -> None:
    game = gamespec.loads(
        "game nim sum state n: 0..10**18 move take choose k in 1..n do n -= k input read h, [n] * h "
        'output line "{winning_count}: {winning_moves}"'
    )
    assert gamespec.solve(game, f"3 {10**18} 5 1") == f"1: 1:{10**18 - 4}\n"
