"""`{best_moves}`: the moves that keep what a position is worth."""

from __future__ import annotations

import pytest

import gamespec

ENDS = """
game ends
given n: 0..9
given v: array[1..n] of -99..99
state lo: 1..n + 1
state hi: 0..n
require lo <= hi + 1
start lo = 1, hi = n
move left when lo <= hi do lo += 1 gain v[lo]
move right when lo <= hi do hi -= 1 gain v[hi]
winner highest score
input cases until eof read n, v[n]
output line "{score}: {best_moves} first {best_move}."
"""

BOARD = """
game board
players x, o
state cell: array[1..3, 1..3] of {empty, x, o}
let marks(p) = count(cell[r, c] == p for r in 1..3 for c in 1..3)
start mover = if marks(x) == marks(o) then x else o
move mark choose r in 1..3, c in 1..3 when cell[r, c] == empty do cell[r, c] = mover
terminal
    mover loses when any(all(cell[q] == other for q in line) for line in lines(cell, 3))
    draw when stuck
input cases until eof read cell[3, 3] as chars ".xo"
output line "OUTPUT"
"""

TAKE = """
game take
state n: 0..9
move take choose k in {1, 5} when k <= n do n -= k
input cases until eof read n
output line "OUTPUT"
"""

HEAPS = """
game heaps
sum
state n: 0..9
CONVENTION
move take choose k in 1..n do n -= k
input cases until eof read k, [n] * k
output line "{outcome}: {best_moves}"
"""


@pytest.mark.parametrize(
    ("text", "given", "printed"),
    [
        (ENDS, "3 1 5 1\n2 3 9\n0\n", "-3: left right first left.\n6: right first right.\n0:  first .\n"),
        (BOARD.replace("OUTPUT", "{best_moves}"), "x.o\n.x.\n..o\n", "2,3\n"),
        (BOARD.replace("OUTPUT", "{outcome}: {best_moves: c, r}"), "xx.\noo.\n...\n", "win: 3 1\n"),
        (TAKE.replace("OUTPUT", "{best_moves}"), "5\n4\n", "1 5\n1\n"),
        (TAKE.replace("OUTPUT", "{distance}: {best_moves}"), "5\n4\n", "1: 5\n4: 1\n"),
        (HEAPS.replace("CONVENTION", ""), "2 3 5\n2 2 2\n0\n", "win: 2:2\nlose: 1:1 1:2 2:1 2:2\nlose: \n"),
        (HEAPS.replace("CONVENTION", "winner stuck player"), "2 1 1\n1 1\n", "win: 1:1 2:1\nlose: 1:1\n"),
    ],
)
def test_best_moves(text: str, given: str, printed: str) -> None:
    assert gamespec.solve(gamespec.loads(text), given) == printed
