"""Closures give what the evaluator gives, also where it has no value."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.diagnostics import GamespecError
from gamespec.game.model import Value
from gamespec.run.meaning import meaning, started
from gamespec.run.quick import Compiler, quick, quick_array

DECLARED = """
game g
players x, o
given n: 1..6
given v: array[1..6] of -9..9
given b: array[1..2, 1..3] of {gap, x, o}
given s: set of 0..9
state m: -9..9
let big = {i for i in 1..n if v[i] > 2}
let twice(a) = a + a
move still when 1 == 2 do nothing
start m = 0
output line "{EXPR}"
"""
VALUES: dict[str, Value] = {
    "n": 4,
    "v": (3, -2, 5, 0, 9, 1),
    "b": (0, 1, 2, 1, 1, 0),
    "s": frozenset({1, 3, 8}),
    "m": 2,
}
EXPRS = [
    "n * 2 - v[2] / 3 % 4 xor 5",
    "-m + twice(v[n])",
    "if v[1] > v[2] and not (n in s) then 1 else 2",
    "if n in 2..5 or 7 / (m - 2) > 1 then 1 else 2",
    "sum(v[i] for i in 1..n) + max(v[i] for i in 1..n if v[i] < 4)",
    "min(v[i] * j for i in 1..n for j in s if i != j) + gcd(v[i] for i in 1..n)",
    "count(b[r, c] == x for r in 1..2 for c in 1..3) + size(big)",
    "size(s | {n, m} - big) + size((1..n) & s) + size(s xor big)",
    "if any(v[i] == 5 for i in big) and all(i <= 6 for i in big) then size({i + j for i in s for j in big}) else 0",
    "sum(sum(j for j in big if j != i) for i in big) + sum(digits(n * 37))",
    "if big == {1, 3} and s >= {1, 8} then 1 else 0",
    "if b[2, 2] == o then 1 else 0",
    "n / (m - 2)",
    "v[n + 9]",
    "min(i for i in 1..n if i > 7)",
    pytest.param(
        "sum(i * j * k for i in 1..2000 for j in 1..2000 for k in 1..2000)",
        marks=pytest.mark.slow,  # half a minute
    ),
]


@pytest.mark.parametrize("text", EXPRS)
def test_closures_agree_with_the_evaluator(text: str) -> None:
    game = gamespec.loads(DECLARED.replace("EXPR", text))
    (entry,) = game.output.entries
    (hole,) = next(iter(entry.texts.values())) if hasattr(entry, "texts") else entry.text  # type: ignore[union-attr]
    assert not isinstance(hole, str)
    assert hole.expr is not None
    Compiler(game).closure(hole.expr)
    try:
        wanted: object = meaning(game, hole.expr, VALUES)
    except GamespecError as fault:
        wanted = fault.diagnostics[0].message
    value = quick(game, hole.expr)
    for _ in range(2):
        try:
            found: object = value(VALUES)
        except GamespecError as fault:
            found = fault.diagnostics[0].message
        assert found == wanted


def test_what_takes_too_many_steps_is_left_to_the_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says that, where it finds the same; here it may take more steps."""
    monkeypatch.setattr("gamespec.run.quick.STEPS", 1 << 10)
    game = gamespec.loads(DECLARED.replace("EXPR", "sum(i * j * k for i in 1..20 for j in 1..20 for k in 1..20)"))
    asked: list[object] = []
    monkeypatch.setattr("gamespec.run.quick.meaning", lambda *args: (asked.append(args), meaning(*args))[1])
    (entry,) = game.output.entries
    (hole,) = next(iter(entry.texts.values())) if hasattr(entry, "texts") else entry.text  # type: ignore[union-attr]
    assert not isinstance(hole, str)
    assert hole.expr is not None
    assert quick(game, hole.expr)(VALUES) == 210**3
    assert asked


START = [
    "start a[c] = count(v[i] == c for i in 1..n) for c in 0..3",
    "start a[c] = v[n - c] for c in 0..3",
    "start a[3 - c] = if c in s then c else 9 for c in s | {0, 1, 2, 3}",
    "start a[c] = c for c in 0..4 if c != 4",
    "start a[c] = 1 for c in 1..3",  # a[0] keeps its least value: for the evaluator
    "start a[c] = d for c in 0..3 for d in 0..3 if d == (c + 1) % 4",
]


@pytest.mark.parametrize("start", START)
def test_arrays_of_start(start: str) -> None:
    game = gamespec.loads(f"""game g given n: 4..5 given v: array[1..n] of 0..9 given s: set of 0..3
        state a: array[0..3] of 0..9 move m when a[0] > 0 do a[0] = 0 input read n, v[n], k, s[k] {start}
        output line "{{a}}" """)
    (update,) = game.start
    make = quick_array(game, game.states[0], update)
    assert make is not None
    for n in (4, 5):
        values: dict[str, Value] = {"n": n, "v": tuple(range(2, 2 + n)), "s": frozenset({1, 3})}
        expected = started(game, values)[0]
        if "1..3" in start:
            with pytest.raises(KeyError):
                make(values)
        else:
            assert make(values) == expected
        assert isinstance(expected, tuple)
        given = f"{n} {' '.join(str(cell) for cell in range(2, 2 + n))} 2 1 3"
        assert gamespec.solve(game, given) == f"{' '.join(map(str, expected))}\n"


@pytest.mark.parametrize("start", ["a[c] = 1 for c in 0..4", "a[c / 2] = 1 for c in 0..7", "a[c] = 10 for c in 0..3"])
def test_faults_of_start_are_for_the_evaluator(start: str) -> None:
    game = gamespec.loads(f"""game g given n: 0..9 state a: array[0..3] of 0..9 move m when a[0] > 0 do a[0] = 0
        input read n start {start.replace("1 for", "n / n for")} output line "{{a}}" """)
    with pytest.raises(GamespecError):
        gamespec.solve(game, "0" if "10" not in start else "1")


def test_data_may_be_long() -> None:
    game = gamespec.loads("""game g given k: 1..2000 state n: 0..10 ** 7 move m when n > 0 do n -= 1
        input read k start n = sum(j % 2 for i in 1..k for j in 1..k) output line "{n}" """)
    assert gamespec.solve(game, "1100") == f"{1100 * 550}\n"
