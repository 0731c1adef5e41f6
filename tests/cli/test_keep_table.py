"""Tables that `solve --keep-table` keeps: later runs answer from them, and nothing else changes."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gamespec.cli.main import run
from gamespec.plan.retrograde.backward import BackwardSolver
from gamespec.plan.search.seek import MemoSolver
from gamespec.plan.table.strategy import TableSolver
from gamespec.run.store import TABLES

HEAPS = """game heaps
given most: 1..3
state n: 0..50_000
move take choose k in 1..most when k <= n do n -= k
input cases until eof read most, n
output win "{winning_move}" lose "lost"
"""
TURNS = """game turns
players a, b
state at: 0..30
move on choose k in 1..2 when at + k <= 30 do at += k
move back by b when at > 3 do at -= 3
terminal mover loses when at == 30
endless draw
input cases until eof read at, mover
output win "{mover} in {distance}" lose "lost in {distance}" draw "draw"
"""

Tool = Callable[..., tuple[int, str, str]]


@pytest.fixture
def solve(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Tool:
    """Solves a spec with words of the command line and an input: exit status, standard output, standard error."""
    monkeypatch.setenv("GAMESPEC_CACHE", str(tmp_path / "kept"))

    def call(text: str, typed: str, *words: str) -> tuple[int, str, str]:
        path = tmp_path / f"{text.split()[1]}.game"
        path.write_text(text)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        status = run(["solve", str(path), *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes each time that something is solved, not answered from what is known."""
    noted: list[str] = []
    for solver, name in ((TableSolver, "_fill"), (MemoSolver, "_search"), (BackwardSolver, "_solve")):
        method = getattr(solver, name)

        def note(self: object, *args: object, method: Callable[..., object] = method, **named: object) -> object:
            noted.append(type(self).__name__)
            return method(self, *args, **named)

        monkeypatch.setattr(solver, name, note)
    return noted


@pytest.mark.parametrize(
    ("text", "plan", "first", "second"),
    [
        (HEAPS, "table", "3 49\n2 48\n", "3 49\n3 17\n2 48\n"),
        (TURNS, "retrograde", "0 a\n29 b\n", "0 a\n5 b\n29 b\n12 a\n"),
    ],
)
def test_a_later_run_solves_nothing(
    solve: Tool, solved: list[str], text: str, plan: str, first: str, second: str
) -> None:
    expected = solve(text, second, "--no-cache", "--plan", plan)
    assert solve(text, first, "--plan", plan, "--keep-table")[0] == 0
    solved.clear()
    assert solve(text, second, "--plan", plan, "--keep-table") == expected
    assert solved == []
    assert solve(text, second, "--plan", plan) == expected  # without the option nothing is taken
    assert solved != []


def test_a_search_goes_on_from_what_is_kept(solve: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    search = MemoSolver._search

    def noted(self: MemoSolver, *args: Any) -> None:
        before = self.at[1]
        search(self, *args)
        counts.append(self.at[1] - before)

    monkeypatch.setattr(MemoSolver, "_search", noted)
    expected = solve(HEAPS, "3 900\n", "--no-cache", "--plan", "memo")
    assert sum(counts) > 0
    solve(HEAPS, "3 800\n", "--plan", "memo", "--keep-table")
    counts.clear()
    assert solve(HEAPS, "3 900\n", "--plan", "memo", "--keep-table") == expected
    assert 0 < sum(counts) <= 100
    counts.clear()
    assert solve(HEAPS, "3 900\n", "--plan", "memo", "--keep-table") == expected
    assert sum(counts) == 0


def test_damage_means_solving_again(solve: Tool, solved: list[str], tmp_path: Path) -> None:
    expected = solve(HEAPS, "3 49\n", "--plan", "table", "--keep-table")
    (file,) = (tmp_path / "kept" / "tables").glob("*.kept")
    data = file.read_bytes()
    for place in (20, 60, 80, len(data) // 2, len(data) - 1):
        for damaged in (data[:place], data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]):
            file.write_bytes(damaged)
            solved.clear()
            assert solve(HEAPS, "3 49\n", "--plan", "table", "--keep-table") == expected
            assert solved != []


def test_the_cache_lists_and_clears_tables(solve: Tool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solve(HEAPS, "3 49\n", "--plan", "table", "--keep-table")
    assert run(["cache"]) == 0
    assert "heaps (table)" in capsys.readouterr().out
    assert run(["cache", "clear"]) == 0
    assert "removed 2 entries" in capsys.readouterr().out
    assert not list((tmp_path / "kept").rglob("*.kept"))


def test_what_cannot_be_kept_is_told(solve: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no table is kept: there is no cache" in solve(HEAPS, "3 49\n", "--no-cache", "--keep-table")[2]
    closed = HEAPS.replace("given most: 1..3\n", "").replace("1..most", "1..3").replace("read most, n", "read n")
    assert "no table is kept: this plan solves no table" in solve(closed, "49\n", "--plan", "period", "--keep-table")[2]
    monkeypatch.setattr("gamespec.run.tabled.TABLES", TABLES._replace(entry=100))
    assert "it takes more than" in solve(HEAPS, "3 9000\n", "--plan", "table", "--keep-table")[2]


def test_an_answer_that_failed_keeps_nothing(solve: Tool, tmp_path: Path) -> None:
    assert solve(HEAPS, "3 49\n3 x\n", "--plan", "table", "--keep-table")[0] == 2
    assert not (tmp_path / "kept" / "tables").exists()
