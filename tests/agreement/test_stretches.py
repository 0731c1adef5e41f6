"""Sums over stretches of given numbers: the answers of the definition."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.passes import STRETCHES
from gamespec.diagnostics import SpecError
from gamespec.kernel.prefix import summed_givens
from gamespec.plan.encode import givens_of
from tests.random.agree import WITHOUT, agree

ENDS = """game ends given n: 1..4 given v: array[1..n] of -3..3 state lo: 1..n + 1 state hi: 0..n require lo <= hi + 1
let rest = sum(v[i] for i in lo..hi)
move left when lo <= hi do lo += 1 gain rest - v[lo]
move right when lo <= hi do hi -= 1 gain sum(v[i] for i in lo..hi - 1)
winner highest score input read n, v[n] start lo = 1, hi = n output line "{score}"
"""
BOARD = """game board given w: 1..3 given a: array[0..2, 0..w] of 0..2 state r: 0..2 state c: 0..w
move along when c > 0 choose k in 1..c when sum(a[r, j] for j in c - k..c) % 2 == 1 do c -= k
move down when r > 0 and sum(a[i, c] for i in 0..r) > 1 do r -= 1
terminal mover wins when sum(a[2 - r, j] for j in c + 1..w) == 4
"""
ROW = """game row given n: 1..4 given v: array[1..n] of -2..3 state lo: 1..n + 1 state hi: 0..n require lo <= hi + 1
let rest = sum(v[i] for i in lo..hi)
move left choose k in 1..hi - lo + 1 when rest > sum(v[i] for i in lo + k..hi) do lo += k
move right when lo <= hi and rest % 2 == 0 do hi -= 1
"""
PARTS = """game parts sum given v: array[0..5] of -1..2 state lo: 0..5 state n: 0..6 require lo + n <= 6
let run = 0..n - 1 let weight(k) = sum(v[i] for i in lo..lo + k - 1)
move cut choose k in 1..n when weight(k) >= 1 into (lo, k - 1) for each in 1..weight(k), (lo + k - 1, n - k)
"""


@pytest.mark.parametrize("text", [ROW, BOARD, PARTS])
def test_agrees(text: str) -> None:
    game = gamespec.loads(text)
    assert agree(game, llvm=lambda place: place == 0) > 50
    assert agree(game, WITHOUT.index((STRETCHES,)), llvm=lambda place: False) > 20


def test_which_are_known() -> None:
    assert summed_givens(gamespec.loads(ENDS)) == {"v"}
    tables = [table.kind for table in givens_of(gamespec.loads(BOARD)).tables]
    assert tables == ["cells", "sums"]
    wide = ENDS.replace("-3..3", "0..10 ** 30")
    assert not summed_givens(gamespec.loads(wide))
    column = BOARD.replace("move along", "move aside").replace("sum(a[r, j] for j in c - k..c) % 2 == 1", "k == 1")
    assert not summed_givens(gamespec.loads(column.replace("sum(a[2 - r, j] for j in c + 1..w) == 4", "c == 9")))
    squares = ENDS.replace("sum(v[i] for", "sum(v[i] * v[i] for")
    assert not summed_givens(gamespec.loads(squares))


def test_long_stretches_of_a_score() -> None:
    game = gamespec.loads(ENDS.replace("1..4", "1..200"))
    numbers = [place * place % 7 - 3 for place in range(150)]
    best = {(lo, lo): 0 for lo in range(151)}
    for size in range(1, 151):
        for lo in range(151 - size):
            hi, inside = lo + size, sum(numbers[lo : lo + size])
            left, right = inside - numbers[lo] - best[lo + 1, hi], inside - numbers[hi - 1] - best[lo, hi - 1]
            best[lo, hi] = max(left, right)
    for backend in ("llvm", "python"):
        given = f"150 {' '.join(map(str, numbers))}"
        assert gamespec.solve(game, given, backend=backend) == f"{best[0, 150]}\n"


def test_a_stretch_that_leaves_the_array() -> None:
    game = gamespec.loads("""game over given v: array[1..3] of 0..9 state n: 0..5
        move take choose k in 1..n when sum(v[i] for i in 1..n) > k do n -= k
        input read v[3], n output win "W" lose "L" """)
    assert gamespec.solve(game, "1 0 1 3") == "W\n"
    with pytest.raises(SpecError) as caught:
        gamespec.solve(game, "1 0 1 4")
    assert "outside the array" in str(caught.value)
    assert "i = 4" in str(caught.value)
