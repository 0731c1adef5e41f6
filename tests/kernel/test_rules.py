"""Rules of all kinds in kernels, on both back ends, as the evaluator understands them."""

from __future__ import annotations

from itertools import product

import pytest

from gamespec.kernel.sort import NETWORK, network
from tests.kernel.rules import agree, game_of

SPECS = {
    "grid": (
        """\
game test
players x, o
state board: array[1..3, 1..2] of {empty, x, o}
terminal x wins when board[1, 1] == x and board[2, 1] == x and board[3, 1] == x
terminal mover wins when board[1, 2] == o
terminal draw when stuck
move put
  choose r in 1..3, c in 1..2
  when board[r, c] == empty
  do board[r, c] = mover
move swap by o
  choose c in 1..2
  when board[1, c] != empty and board[3, c] == x
  do board[1, c] = board[3, c], board[3, c] = board[1, c], mover = mover
""",
        "moves won lost",
    ),
    "short_grid": (
        """\
game test
given w: 1..3
given h: 1..3
given hole: array[1..h, 0..w] of bool
state board: array[1..h, 0..w] of 0..2
move put
  choose r in 1..h, c in 0..w
  when board[r, c] < 2 and not hole[r, c]
  do board[r, c] += 1
move clear
  choose r in 1..h
  when sum(board[r, c] for c in 0..w) > 3
  do board[r, c] = 0 for c in 0..w
""",
        "moves lost",
    ),
    "first_index": (
        """\
game test
given a: 1..4
state p: array[a..5] of 0..2
state at: 0..6
move m
  choose i in a..5
  when p[i] > 0
  do p[i] -= 1, at = i
move jump
  when p[at] == 1
  do p[at] = 0
""",
        "moves fails",
    ),
    "scores": (
        """\
game test
players one, two
state n: 0..10
state who: player
state flag: array[0..2] of bool
winner highest score
move take
  choose k in 1..min(3, n)
  do n -= k, flag[k - 1] = n > 3, who = other, mover = if k == 2 then mover else other gain k
move pass_ by one
  when who == two and flag[n % 3]
  do mover = one, n -= 1 gain 0 - n
""",
        "moves fails",
    ),
    "rows": (
        """\
game test
given n: 1..6
given next: array[0..n] of set of 0..6
given far: array[0..n] of set of 0..300
state at: 0..6
state seen: set of 0..6
move go
  choose y in next[at] - seen
  do at = y, seen |= next[at]
move back
  choose y in far[at]
  when y <= n and y in far[y] and size(far[at] - far[y]) < 3
  do at = y
move set_
  when seen == next[at] or 3 in next[max(at - 1, 0)]
  do seen = next[at] & seen, at = 0
""",
        "moves fails lost",
    ),
    "given_sets": (
        """\
game test
given s: set of -40..60
given t: array[0..2] of set of 0..90
state at: -40..90
terminal mover wins when all(x in s for x in at..at + 2)
move go
  choose x in at - 20..at + 20
  when x in s
  do at = x
move both_
  choose i in 0..2, x in (0..90) & t[i] - s
  do at = x
move edge
  choose i in 0..2, x in {-40, -1, 0, 59, 60, 90}
  when x in s or x in t[i] and at not in s
  do at = x
""",
        "moves won",
    ),
    "wide": (
        """\
game test
given n: 1..400
state s: set of 1..400
state t: set of 0..200
state top: 0..400
terminal mover wins when size(s) == 0 or max(s) < 10
move take
  choose x in s
  when x % 97 < 5 and x in s and x - 1 not in s
  do s -= {x} | {y for y in s if y % x == 0}, t = s & (0..60)
move add
  choose x in t & s
  when top < x and not (s <= t)
  do s |= x..min(x + 3, 400), top = x, t -= (0..n)
move other_
  when min(s) > 3 and t == s or sum(t) > 300
  do s = closure(s, 7, 390), t = {} 
move pick
  choose x in (5..n) - s - t
  when x % 31 == 0 
  do s = (s xor t) | {x}, top = size(s - t)
""",
        "moves fails won",
    ),
    "three_in_a_row": (
        """\
game test
players x, o
state board: array[1..3, 1..3] of {empty, x, o}
terminal mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
terminal draw when stuck
move mark
  choose r in 1..3, c in 1..3
  when board[r, c] == empty
  do board[r, c] = mover
""",
        "moves lost drawn",
    ),
    "gravity": (
        """\
game test
players x, o
state board: array[1..4, 1..5] of {empty, x, o}
terminal mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
terminal draw when all(board[q] != empty for line in lines(board, 1) for q in line)
move drop
  choose c in 1..5
  when board[4, c] == empty
  do board[1 + count(board[r, c] != empty for r in 1..4), c] = mover
""",
        "moves lost drawn",
    ),
    "cells_together": (
        """\
game test
players x, o
given n: 0..3
state board: array[0..2, 0..3] of -1..2
state flags: array[1..6] of bool
state k: 0..9
terminal x wins when sum(1 for line in lines(board, 2) for q in line if board[q] == n - 1) > 34 + k
terminal o wins when count(all(board[q] == 2 for q in line) for line in lines(board, 3)) > 1
  or k > 7 and flags[1] and flags[3] and not flags[5]
terminal draw when not flags[2] and not flags[4] and k < 4
  and (board[0, 0] == 1 and board[1, 1] == 2 or board[0, 1] == k - 3 or board[0, 2] == 0 or 5 == board[0, 3])
move a
  when board[0, 0] == 1 and board[0, 1] != 2 and board[1, 1] != 2 and k > 2 and (flags[2] or flags[3] or not flags[6])
  do k = k / 2 + count(board[q] == 0 for line in lines(board, 3) for q in line) % 5
move b
  choose r in 0..2, c in 0..3
  when board[r, c] < k - 4 and (board[0, 0] != 7 and board[0, 0] != -1 or board[2, 2] == 1 and board[2, 2] == 2)
  do board[r, c] += 1, flags[r + c + 1] = any(board[q] == n for line in lines(board, 3) for q in line)
""",
        "moves lost won drawn",
    ),
    "wide_board": (
        """\
game test
players x, o
state board: array[1..8, 1..8] of 0..3
state n: 0..3
terminal mover loses when any(all(board[q] == n for q in line) for line in lines(board, 4))
terminal x wins when count(board[q] == (if mover == x then 1 else 2) for line in lines(board, 1) for q in line) > 17
move mark
  choose r in 1..8, c in 1..8
  when board[r, c] == 0 and r * c % 7 < 2
  do board[r, c] = if mover == x then 1 else 2, n = (n + 1) % 4
""",
        "moves lost won",
    ),
    "sorted": (
        """\
game test
state p: sorted array[1..5] of 0..6
state q: array[1..5] of 0..6
move take
  choose i in 1..5, k in 1..p[i]
  do p[i] -= k
move swap when q[1] < p[1]
  do p = q, q = p
move set_ 
  choose i in 1..4
  when q[i] > p[i]
  do p[i] = q[5], p[i + 1] += 1
""",
        "moves fails",
    ),
    "sorted_short": (
        """\
game test
given n: 1..12
state p: sorted array[0..n] of -2..2
state f: sorted array[1..3] of bool
state w: sorted array[1..20] of 0..30
move take
  choose i in 0..n
  when p[i] > -2
  do p[i] -= p[0] + 3
move all_ 
  choose i in 1..20
  when w[i] > 3 and w[i] < 10
  do w[i] = 29 - w[i], f[i % 3 + 1] = not f[1]
move fill when w[20] < 4 
  do w[i] = w[21 - i] for i in 1..20
""",
        "moves fails",
    ),
    "sweeps": (
        """\
game test
players x, o
given n: -1..3
state board: array[0..4, 1..5] of -1..2
state flags: array[1..6, 0..1] of bool
state k: 0..6
terminal mover wins when all(board[r, 2] >= 0 for r in 0..4) and count(board[4, c] == n for c in 1..5) > 1
terminal x wins when any(board[r, c + 1] == 2 for r in 1..4 for c in 1..4)
  and count(board[r, c] == k - 4 for r in 0..3 for c in 2..4) > 6
terminal o wins when all(flags[i, 1] for i in 1..6) or not any(flags[i, 0] for i in 2..6) and k > 4
move down
  choose r in 0..3, c in 1..5
  when board[r + 1, c] == k - 3 and k > 0
  do board[r, c] = -1, k -= 1
move up
  choose c in 1..5, r in 0..4
  when k < 6 and board[r, c] != 0 and board[r, c] != 2
  do board[r, c] += 1
move flip
  choose i in 1..6, j in 0..1, r in 0..4
  when flags[i, j] and board[r, min(i, 5)] != n
  do flags[i, j] = i == k, k = count(not flags[t, j] for t in 1..6)
move count_
  choose s in 0..3
  when sum(r + c for r in 0..4 for c in 1..5 if board[r, c] == s - 1 and r != c) % 4 == s
  do k = size({r for r in 0..4 if board[r, 2] != 1}), flags[s + 1, 0] = not flags[s + 1, 0]
""",
        "moves won lost",
    ),
    "wide_sweeps": (
        """\
game test
players x, o
state board: array[1..9, 1..9] of {empty, x, o, wall}
state at: 1..9
terminal mover loses when all(board[at, c] != empty for c in 1..9)
  or count(board[r, c] == other for r in 4..6 for c in 1..9) > 8
move mark
  choose r in 2..9, c in 1..9
  when board[r, c] == empty and (r + c) % 7 == 0
  do board[r, c] = mover, at = c
move step
  choose c in 1..9
  when board[at, c] == other and any(board[r, c] == wall for r in 1..9)
  do board[at, c] = mover, at = 1 + count(board[r, c] == empty for r in 2..9)
""",
        "moves lost",
    ),
}
SLOW = {"wide": 6, "sweeps": 20}  # positions asked of games that take the evaluator long


@pytest.mark.parametrize("name", SPECS)
def test_kernels_agree(name: str) -> None:
    text, kinds = SPECS[name]
    assert set(kinds.split()) <= agree(game_of(text), count=SLOW.get(name, 60)).keys()


@pytest.mark.parametrize("count", range(NETWORK + 3))
def test_networks_sort(count: int) -> None:
    """A network that sorts all rows of zeros and ones sorts everything (Knuth, TAOCP 5.3.4, theorem Z)."""
    for row in product((0, 1), repeat=count):
        cells = list(row)
        for low, high in network(count):
            cells[low], cells[high] = sorted((cells[low], cells[high]))
        assert cells == sorted(row)
