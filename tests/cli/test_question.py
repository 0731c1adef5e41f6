"""Questions on the command line: what is written means what it means in a spec, and every answer can be asked."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

import gamespec
from gamespec.budget import Budget
from gamespec.cli.question import parsed_one
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.plan import watch
from gamespec.types import IntType
from tests.tool import gamespec as run
from tests.tool import spec

NIM = "game nim state n: 0..9 move take choose k in {1, 3} when k <= n do n -= k\n"


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    path = tmp_path / "nim.game"
    path.write_text(NIM, encoding="utf-8")
    return path


def test_best_moves(nim: Path) -> None:
    assert "1\n" in run("value", nim, "n=3", "--ask", "best_moves").out.replace(" ", "\n")
    rows = json.loads(run("table", nim, "n=0..3", "--ask", "best_moves,best_move", "--format", "json").out)
    assert [row["best_moves"] for row in rows] == ["", "1", "1", "1 3"]
    assert [row["best_move"] for row in rows] == ["", "1", "1", "1"]


def test_answers_in_words_stay_words(nim: Path) -> None:
    rows = json.loads(run("table", nim, "n=0..3", "--ask", "moves,count", "--format", "json").out)
    expected = [(0, "", 0), (1, "1", 1), (2, "", 0), (3, "1 3", 2)]
    assert [(row["n"], row["winning_moves"], row["winning_count"]) for row in rows] == expected


@pytest.mark.parametrize(("text", "value"), [("-2**2", -4), ("2**3", 8), ("-7", -7), ("10**18", 10**18), ("0**0", 1)])
def test_powers(text: str, value: int) -> None:
    assert parsed_one(text, IntType(Interval(-100, 100))) == value


def test_a_large_base_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^$"):
        parsed_one("1001**2", IntType(Interval(0, 10)))


def test_names_that_only_start_needs() -> None:
    ran = run("table", spec("chomp"))
    assert ran.code == 64
    assert "`height`" in ran.err or "`width`" in ran.err
    assert "GS9" not in ran.err


def test_cells_that_are_sets() -> None:
    ran = run("table", spec("dag_tokens"), "size=2", "next=[{1},{}]", "at=0..1")
    assert "GS9" not in ran.err


def test_help_can_be_pasted() -> None:
    ran = run("table", spec("toads_and_frogs"))
    assert ran.code != 0
    advised = ran.err.rpartition("as ")[2].split("\n")[0]
    assert "GS215" not in run("table", spec("toads_and_frogs"), advised.strip().strip("'")).err


def test_python_finds_what_the_verb_finds(tmp_path: Path) -> None:
    """Also a `plan` that cannot be followed, and play that comes back."""
    path = tmp_path / "round.game"
    path.write_text("game round state n: 0..4 move go do n = (n + 1) % 5\nplan table\n", encoding="utf-8")
    codes = {one.code for one in gamespec.check(str(path)) if one.severity == "error"}
    shown = run("check", path).err
    assert codes
    assert all(code in shown for code in codes)


def test_the_deadline_holds_in_a_forked_process() -> None:
    """The thread that sets stop cells does not come along."""
    watch.watched(Budget(seconds=100))
    child = os.fork()
    if child == 0:
        at = watch.watched(Budget(seconds=0.1))
        until = time.monotonic() + 20
        while not at[watch.STOP] and time.monotonic() < until:
            time.sleep(0.01)
        os._exit(0 if at[watch.STOP] else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_what_is_let_go_is_not_watched() -> None:
    kept = watch.watched(Budget())
    for _ in range(100):
        watch.watched(Budget())
    assert len(watch._watched) < 50
    assert kept.cell is ir.U64


def test_not_both(nim: Path) -> None:
    """A Grundy value does not tell how long play lasts: one number cannot be both."""
    ran = run("value", nim, "n=3", "--ask", "grundy,distance")
    assert ran.code == 64
    assert "distance beside grundy" in ran.err
