"""The cells of a sorted array ascend in every position, wherever its values come from."""

from __future__ import annotations

import pytest

import gamespec
from tests.tool import gamespec as run

SPEC = """game nim
state s: sorted array[1..4] of 0..7
start s = 0
move take choose i in 1..4, k in 1..3 when k <= s[i] do s[i] -= k
input read s[k] as line
output win "win {winning_moves}" lose "lose"
"""


@pytest.mark.parametrize("hint", ["table", "memo", "definition", None])
@pytest.mark.parametrize("line", ["3 1", "1 3", "0 3 0 1", "3 3", "2 1 3", "7 7 1 7"])
def test_measured_rows(line: str, hint: str | None) -> None:
    """What is read, with what `start` puts behind it."""
    game = gamespec.loads(SPEC)
    ordered = sorted([*map(int, line.split()), 0, 0, 0, 0], reverse=True)[:4][::-1]
    expected = gamespec.solve(game, " ".join(map(str, ordered)) + "\n", hint="definition")
    assert gamespec.solve(game, line + "\n", hint=hint) == expected


@pytest.mark.parametrize("verb", ["value", "table"])
def test_on_the_command_line(verb: str, tmp_path: object) -> None:
    path = f"{tmp_path}/nim.game"
    with open(path, "w", encoding="utf-8") as file:
        file.write(SPEC)
    shown = run(verb, path, "s=[3,0,1,0]", "--ask", "outcome,moves", "--format", "json").out
    assert shown == run(verb, path, "s=[0,0,1,3]", "--ask", "outcome,moves", "--format", "json").out
    assert "win" in shown
