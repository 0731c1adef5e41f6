"""Rules of all kinds in kernels, on both back ends, as the evaluator understands them."""

from __future__ import annotations

import pytest

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
}


@pytest.mark.parametrize("name", SPECS)
def test_kernels_agree(name: str) -> None:
    text, kinds = SPECS[name]
    assert set(kinds.split()) <= agree(game_of(text), count=15 if name == "wide" else 60).keys()
