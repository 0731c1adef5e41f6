"""The clock is looked at while texts are made, however long a single one takes."""

from __future__ import annotations

import io

import pytest

import gamespec
from gamespec.answers.table import needed
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.plan.definition import ReferenceSolver
from gamespec.run.solve import solve
from gamespec.run.write import Answered, Writer

LONG = "sum(a * b for a in 1..1000 for b in 1..1000 if a * b % 7 == 1 and a / b < 3)"


MOVES = "k in 1..70, l in 1..70"


@pytest.mark.parametrize(
    ("choice", "output"),
    [
        ("k in 1..2", f'line "{{{LONG}}}"'),
        ("k in 1..2", f'line "{{after({LONG})}}"'),
        (MOVES, 'line "{winning_moves}"'),
        (MOVES, 'line "{best_moves}"'),
        (MOVES, 'line "{winning_moves: k}"'),
        (MOVES, 'winning "{l}"'),
    ],
)
def test_the_clock_is_looked_at(choice: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = f"state n: 0..9 move take choose {choice} when n > 0 do n = 0"
    game = gamespec.loads(f"game g {rules} input read n output {output}")
    budget = Budget(seconds=60)
    text = Writer.text

    def late(writer: Writer, answered: Answered) -> str:
        budget.deadline = 0.0  # the time is over when the text is begun
        return text(writer, answered)

    monkeypatch.setattr(Writer, "text", late)
    out = io.BytesIO()
    with pytest.raises(LimitError, match="the time given"):
        solve(game, ReferenceSolver(game, needed(game)), io.BytesIO(b"1"), out, budget)
    assert out.getvalue() == b""
