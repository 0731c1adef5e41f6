"""Depth, memory, time, and the choice between strategies."""

from __future__ import annotations

import random

import pytest

from tests.judge.test_programs import DRAWS
from tests.tool import gamespec, solve, spec

DEEP = """game deep
state n: 0..1_000_000
move down when n > 0 do n -= 1
plan memo
input cases until eof read n
output win "win" lose "lose"
"""


def test_memo_search_a_million_positions_deep(tmp_path) -> None:
    path = tmp_path / "deep.game"
    path.write_text(DEEP)
    assert solve(path, "1000000\n999999\n") == "lose\nwin\n"


@pytest.mark.parametrize("name", ["cow_digit", "euclid", "wythoff"])
def test_memory_option_ends_with_3(name: str) -> None:
    """A sentence says what is missing; the smallest bound that is read is too small for any of these."""
    text = {"cow_digit": "1\n1000000\n", "euclid": "999999 616161\n0 0\n", "wythoff": "200 200\n"}[name]
    run = gamespec("solve", spec(name), "--no-theorem", "--memory", "1kB", stdin=text)
    assert run.code == 3, run.err
    assert "memory" in run.err
    assert run.out == ""


def test_memory_option_stops_a_growing_search() -> None:
    opening = f"43 {' '.join(map(str, range(2, 45)))}\n0\n"
    run = gamespec("solve", spec("number_game"), "-D", "top=44", "--memory", "50MB", stdin=opening, measure=True)
    assert run.code == 3, run.err
    assert "50 MB" in run.err
    assert "--memory" in run.err
    assert run.memory < 300e6


def test_time_option() -> None:
    opening = f"43 {' '.join(map(str, range(2, 45)))}\n0\n"
    run = gamespec("solve", spec("number_game"), "-D", "top=44", "--time", "300ms", stdin=opening)
    assert run.code == 3, run.err
    assert "0.3 s" in run.err
    assert run.seconds < 3


@pytest.mark.parametrize("name", DRAWS)
def test_plans_agree(name: str) -> None:
    """Wherever a plan can be had it gives the answers of the plan chosen; where not, a sentence says why.

    A plan that can be had and takes too long is ended by `--time`, as a user would.
    """
    text = DRAWS[name](random.Random(7))
    expected = solve(name, text)
    plans = 0
    for plan in ("memo", "table", "retrograde"):
        run = gamespec("solve", spec(name), "--plan", plan, "--time", "4s", stdin=text)
        if run.code == 64:
            assert plan in run.err
        elif run.code == 3:
            assert "--time" in run.err or "memory" in run.err
        else:
            assert (run.code, run.out) == (0, expected), run.err
            plans += 1
    assert plans


def test_a_million_cases() -> None:
    rng = random.Random(8)
    numbers = [rng.randint(1, 1000) for _ in range(1_000_000)]
    run = gamespec("solve", spec("power_cards"), stdin="".join(f"{n}\n" for n in numbers), measure=True)
    print(f"1,000,000 cases of one number: {run.seconds:.2f} s, {run.memory / 1e6:.0f} MB")
    assert run.out == "".join("Kiki\n" if n % 3 else "Cici\n" for n in numbers)
    assert run.memory < 400e6
