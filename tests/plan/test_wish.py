"""Plans that are wished for by name."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.diagnostics import UsageError
from gamespec.plan.choose import PROBE

GAME = """
game two
state a: 0..9
state b: 0..9
move t choose k in 1..2 when k <= a do a -= k
move u choose k in 1..3 when k <= b do b -= k
PLAN
input cases until eof read a, b
output win "W" lose "L"
"""
CASES, ANSWERS = "3 4  3 5  0 0  9 8", "L\nW\nL\nL\n"


def test_search_or_table_by_its_name() -> None:
    hinted = gamespec.loads(GAME.replace("PLAN", ""))
    declared = gamespec.loads(GAME.replace("PLAN", "plan probe"))
    assert gamespec.plan_for(hinted, PROBE).strategy == gamespec.plan_for(declared).strategy == PROBE
    assert gamespec.solve(hinted, CASES, hint=PROBE, backend="python") == ANSWERS
    assert gamespec.solve(declared, CASES, backend="python") == ANSWERS


def test_a_probe_needs_both() -> None:
    circle = "game circle state n: 0..4 move go do n = (n + 1) % 5 endless draw"
    with pytest.raises(UsageError, match="`probe` cannot solve this game"):
        gamespec.plan_for(gamespec.loads(circle), PROBE)


def test_names_that_are_no_plans() -> None:
    with pytest.raises(UsageError) as raised:
        gamespec.plan_for(gamespec.loads(GAME.replace("PLAN", "")), "prob")
    assert "`probe`" in str(raised.value.diagnostics[0].helps)
