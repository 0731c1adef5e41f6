"""What random games have found: each fault with the answer that is right."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.diagnostics import SpecError
from tests.random.agree import agree

GAMES = {
    # A let in `require` was remembered from the position before the move.
    "require_by_let": "state n: 0..9 state m: 0..30 let t = n * m require t <= 20 "
    "move one when t > 0 do n -= 1, m += 3",
    # What stands behind `and` was computed before its guard: here a division by zero, there a cell out of reach.
    "divided_behind_and": "given v: array[0..9] of 0..5 state a: 0..9 state b: 0..3 "
    "move one when a == 3 or (b != 0 and v[a / b] > 1) do a = max(a - 1, 0), b = max(b - 1, 0)",
    "cell_in_a_cell": "given v: array[0..3] of 0..3 state a: 0..5 state b: 0..3 "
    "move one choose k in 1..a when a == 5 or (b < 3 and v[v[b + 1]] > 2) do a -= k",
    "member_behind_and": "state s: set of 0..4 state a: 0..4 state b: 0..2 "
    "move one choose x in s when a == 3 or (b > 0 and a / b in s) do s -= {x}, a = a / 2",
    # A table had no room for numbers beyond 64 bits.
    "wide_numbers": "state a: 10 ** 20..10 ** 20 + 4 state b: 0..3 "
    "move one choose k in 1..a - 10 ** 20 do a -= k move two when b > 0 do b -= 1",
    "constant_out_of_reach": "state a: 10 ** 20..10 ** 20 + 4 state b: set of 0..3 "
    "move one choose x in b do b -= {x}, a = 5 ** 3 move two choose x in b & {1} do b -= {x}",
    # Powers of 0, closures below 0.
    "no_powers": "state a: 2..9 move one choose p in powers(0, a), k in 1..a - 2 do a -= k "
    "move two when a > 2 do a -= 1",
    "closure_below_zero": "state a: set of -2..4 state b: -2..3 "
    "move one choose x in a & closure(b..4, 2, 6) do a -= {x} move two when b > -2 do b -= 1, a = closure(a, 3, 4)",
    # A cell that a move leaves alone left bounds that the move lowered.
    "cells_left_alone": "state a: 0..8 state b: array[0..1] of 0..a "
    "move one choose i in 0..1, k in 1..b[i] when b[i] > 0 do b[i] = b[i] - k, a -= a % 2",
    # What moves lead to was looked at to see whether a position is stuck.
    "stuck_before_results": "state b: bool state d: 2..9 require d != 2 move one when b do b = false, d = 2 "
    "move two choose k in 1..d do d -= k terminal mover loses when d == 5 or stuck terminal d == 4",
    # Whether a requirement has a value at all counts as well; so do bounds.
    "require_without_value": "state a: -2..3 state b: 0..3 require popcount(a) < 3 "
    "move one when a > -2 and b > 0 do a -= 1, b -= 1",
    "bound_without_value": "state a: 0..3 state b: 0..max(3, 6 / (a + 1)) "
    "move one when a > 0 and b > 0 do a -= 1, b -= 1",
    "parts_and_bounds": "sum state a: 0..3 state b: 0..a move one when a > 0 into (a - 1, min(b, a - 1)), (a - 1, 0)",
    "nothing_left": "sum state a: 0..5 state b: bool move one when b into nothing move two choose k in 1..a do a -= k",
}


@pytest.mark.parametrize("name", GAMES)
def test_found(name: str) -> None:
    game = gamespec.loads(f"game drawn {GAMES[name]}")
    assert agree(game) > 10


def answers(text: str, field: str, *numbers: int) -> list[str]:
    game = gamespec.loads(f"game drawn {text} input cases until eof read {field}")
    return gamespec.solve(game, "\n".join(map(str, numbers))).split()


def test_a_requirement_reads_the_position_after_the_move() -> None:
    with pytest.raises(SpecError, match=r"move `one` breaks `require t <= 20` when n = 4, m = 4"):
        answers(f"{GAMES['require_by_let']} start m = 1", "n", 5)


def test_a_division_behind_its_guard() -> None:
    rule = "state a: 0..9 state b: 0..3 move one when a == 1 or (b != 0 and a % (a / b + 1) > 0) do a = 0, b = 0"
    assert answers(f"{rule} start b = 0", "a", 0, 1, 2, 5) == ["lose", "win", "lose", "lose"]


def test_numbers_beyond_64_bits_in_a_table() -> None:
    rule = "state a: 10 ** 20..10 ** 20 + 50 move take choose k in 1..min(3, a - 10 ** 20) do a -= k plan table"
    wanted = [("lose", "win", "win", "win")[n % 4] for n in range(51)]
    assert answers(rule, "a", *range(10**20, 10**20 + 51)) == wanted


def test_a_cell_left_alone_leaves_its_bounds() -> None:
    rule = GAMES["cells_left_alone"]
    game = gamespec.loads(f"game drawn {rule} input cases until eof read a, b[2]")
    with pytest.raises(SpecError, match=r"move `one` makes b\[1\] = 1, which is outside 0..0 when b = \[1, 1\]"):
        gamespec.solve(game, "1 1 1")
