"""The last strategy: the definition itself, for positions that no kernel holds."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.table import needed
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.plan.choose import choose, make_solver

WIDE = """game wide
given n: 1..1000
state man: sorted array[1..n] of 1..10_000
move shift
    choose i in 1..n, to in (if i == 1 then 1 else man[i - 1] + 1)..man[i] - 1
    do man[i] = to
winner stuck player
input cases count read n, man[n]
output win "W {winning_count}" lose "L"
"""
HEAPS = """game heaps
sum
state n: 0..9
move take choose k in 1..2 when k <= n do n -= k
winner stuck player
input cases count read m, [n] * m
output win "W {winning_moves}" lose "L"
"""


def never(*_: object) -> dict[str, object]:
    raise AssertionError("nothing is compiled")


def test_wide_positions_are_answered_and_too_many_moves_refused() -> None:
    game = gamespec.loads(WIDE)
    # One man at 2, or at 3: misère play of one heap of one, or of two. Neighbours that do not touch are heaps, too.
    assert gamespec.solve(game, "4\n1 1\n1 2\n1 3\n2 2 4\n", hint="definition") == "W 0\nL\nW 1\nL\n"
    with pytest.raises(LimitError) as caught:
        gamespec.solve(game, "1\n3 100 2000 9000\n", hint="definition", memory=1 << 20)
    assert caught.value.diagnostics[0].code == "GS403"


def test_one_long_row_takes_no_more_memory_than_is_given() -> None:
    """A single position here has more moves, each of as many cells, than fit."""
    game = gamespec.loads(WIDE)
    with pytest.raises(LimitError) as caught:
        gamespec.solve(game, "1\n1000 " + " ".join(str(2 * man) for man in range(1, 1001)) + "\n", memory=1 << 22)
    assert caught.value.diagnostics[0].code == "GS403"


def test_what_was_answered_before_is_kept() -> None:
    game = gamespec.loads(WIDE)
    budget = Budget(1 << 20)
    facts = analyse(game)
    solver = make_solver(game, facts, choose(game, facts, needed(game), "definition"), budget, never)
    with pytest.raises(LimitError):
        solver.values([[3]], [[(100, 2000, 9000)]])
    assert list(solver.values([[1]], [[(2,)]])) == [0]


def test_it_is_taken_where_nothing_can_be_narrowed() -> None:
    game = gamespec.loads(
        "game fixed state a: array[1..600] of bool move flip choose i in 1..600 when a[i] and not a[601 - i] "
        "do a[i] = false input read a[600] as chars '.x'".replace("'", '"')
    )
    assert choose(game, analyse(game), needed(game)).strategy == "definition"
    assert gamespec.solve(game, "x" + "." * 597 + "x" * 2 + "\n") == "win\n"


def test_it_can_be_wished_for() -> None:
    game = gamespec.loads(HEAPS)
    typed = "4\n1 1\n2 1 1\n3 2 2 1\n0\n"
    facts = analyse(game)
    assert choose(game, facts, needed(game), "definition").strategy == "definition"
    assert gamespec.solve(game, typed, hint="definition") == gamespec.solve(game, typed)
