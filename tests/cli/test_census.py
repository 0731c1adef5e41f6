"""`gamespec census`: what it prints, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import shlex

import pytest

import gamespec
from gamespec.diagnostics import UsageError
from tests.tool import ROOT, spec
from tests.tool import gamespec as run

PONG = """\
positions         56
won               8
drawn             44
lost              4
won_by_black      6
won_by_white      6
outcome           draw
distance          0
longest           1
longest_outcome   win
longest_position  'at=[white,black,black,white,empty]' mover=black
"""


def test_text() -> None:
    assert run("census", spec("pong_hau_ki")).out == PONG


def test_the_example_of_the_page() -> None:
    page = (ROOT / "gamespec" / "cli" / "page" / "census.md").read_text(encoding="utf-8")
    block = page[page.index("    $ ") :].partition("\n\n")[0]
    command, *lines = [line.removeprefix("    ") for line in block.splitlines()]
    assert command == "$ gamespec census specs/dodgem.game"
    assert run("census", spec("dodgem")).out.splitlines() == lines


def test_distances_and_a_board() -> None:
    ran = run("census", spec("tic_tac_toe"), "board=xx./oo./...", "--distances")
    assert ran.code == 0, ran.err
    facts, board, table = ran.out.split("\n\n")
    assert "outcome           win" in facts.splitlines()
    assert board.splitlines()[0].split() == ["1", "2", "3"]
    rows = [line.split() for line in table.splitlines()]
    assert rows[0] == ["distance", "won", "lost"]
    found = dict(line.split(maxsplit=1) for line in facts.splitlines())
    counts = [list(map(int, row)) for row in rows[1:]]
    assert sum(row[1] for row in counts) == int(found["won"])
    assert sum(row[2] for row in counts) == int(found["lost"])
    assert counts[-1][0] == int(found["longest"])


@pytest.mark.parametrize("name", ["pong_hau_ki", "dodgem", "connect_four"])
def test_the_longest_position_can_be_pasted(name: str) -> None:
    small = ["-D", "high=2", "-D", "wide=4"] if name == "clobber" else []
    found = json.loads(run("census", spec(name), *small, "--format", "json").out)
    again = json.loads(run("census", spec(name), *small, *found["longest_position"], "--format", "json").out)
    assert (again["distance"], again["outcome"]) == (found["longest"], found["longest_outcome"])
    asked = run("value", spec(name), *small, *found["longest_position"], "--ask", "outcome,distance").out.split()
    assert asked[1::2] == [found["longest_outcome"], str(found["longest"])]


def test_csv() -> None:
    (row,) = csv.DictReader(io.StringIO(run("census", spec("pong_hau_ki"), "--format", "csv").out))
    assert (row["positions"], row["drawn"], row["winner"]) == ("56", "44", "")
    assert shlex.split(row["longest_position"]) == ["at=[white,black,black,white,empty]", "mover=black"]
    ran = run("census", spec("pong_hau_ki"), "--format", "csv", "--distances")
    assert ran.out == "distance,won,lost\n0,0,4\n1,8,0\n"


def test_json_of_a_game_without_wins() -> None:
    ran = run("census", spec("tic_tac_toe"), "board=xox/xoo/o.x", "mover=x", "--format", "json", "--distances")
    found = json.loads(ran.out)
    assert (found["positions"], found["drawn"], found["longest_position"]) == (2, 2, None)
    assert found["distances"] == []


def test_scores() -> None:
    ran = run("census", spec("dots_and_boxes"))
    assert "score       2" in ran.out.splitlines()
    assert "distance" not in ran.out
    refused = run("census", spec("dots_and_boxes"), "--distances")
    assert refused.code == 64
    assert "scores decide" in refused.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nim", "n=3"], 64, "GS413"),
        (["nim"], 64, "GS413"),
        (["tic_tac_toe"], 64, "GS214"),
        (["tic_tac_toe", "board=xx"], 2, "GS215"),
        (["cow_digit", "n=99999999999"], 2, "GS215"),
        (["cow_digit", "n=0..5"], 64, "error"),
        (["cow_digit", "m=5"], 64, "error"),
        (["connect_four", "-D", "deep=3"], 64, "GS197"),
        (["connect_four", "--memory", "1MB"], 3, "GS301"),
        (["connect_four", "-D", "wide=7", "-D", "high=6", "--time", "300ms"], 3, "GS302"),
    ],
)
def test_refusals(arguments: list[str], code: int, message: str) -> None:
    ran = run("census", spec(arguments[0]), *arguments[1:])
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert "GS9" not in ran.err


def test_from_python() -> None:
    found = gamespec.census(gamespec.load(str(spec("tic_tac_toe"))), "board=.../.../...")
    assert isinstance(found, gamespec.Census)
    assert (found.positions, found.won, found.drawn, found.lost) == (5478, 2836, 1068, 1574)
    with pytest.raises(UsageError):
        gamespec.census(gamespec.load(str(spec("nim"))), "n=3")
