"""Whole columns say what the reference evaluator says row by row."""

from __future__ import annotations

import random

import pytest

import gamespec
from gamespec.run.frame import Frame, values_of
from gamespec.run.meaning import meaning

FORMS = [
    "a + b * 2 - (-c)",
    "(a xor b) + a % 3 + b / 4 - a % -5",
    "a < b and b <= c",
    "a == b or not (b > c) or a != 1",
    "if a < b then a else c",
    "a < b < c",
    "colour == red",
    "if flag then 1 else 0",
    "b / (c + 40)",
    "max(a, b, c)",
    "a in {1, 2, b}",
    "a in s",
    "s | {a + 10}",
    "s - {1} == {}",
    "size(s & {1, 2, 3})",
    "twice + twice * a",
    "sum(x for x in s if x > a)",
    "7",
    "1 < 2",
    "{}",
    "{2, 3} | (5..6)",
]


@pytest.mark.parametrize("form", FORMS)
def test_columns(form: str) -> None:
    game = gamespec.loads(f"""
        game frame
        given s: set of 0..9
        given colour: {{red, blue}}
        given flag: bool
        state a, b, c: -20..20
        let twice = a * 2
        let form = {form}
        move down when a > 0 do a -= 1
    """)
    choose = random.Random(form)
    size = 200
    columns = {name: [choose.randint(-20, 20) for _ in range(size)] for name in "abc"}
    columns["s"] = [frozenset(choose.sample(range(10), choose.randint(0, 5))) for _ in range(size)]  # type: ignore[misc]
    columns["colour"] = [choose.randint(0, 1) for _ in range(size)]
    columns["flag"] = [choose.random() < 0.5 for _ in range(size)]
    frame = Frame(game, dict(columns), size)
    expr = game.lets["form"]
    by_rows = [meaning(game, expr, frame.row(row)) for row in range(size)]
    found = [value for value, _ in zip(values_of(frame.column(expr)), range(size), strict=False)]
    assert found == by_rows
    if all(isinstance(value, bool) for value in by_rows):
        for wanted in (True, False):
            assert frame.first(expr, wanted) == (by_rows.index(wanted) if wanted in by_rows else None)
