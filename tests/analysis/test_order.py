"""Orders, ranks and monotone fields."""

from __future__ import annotations

import pytest

from tests.analysis.brute import facts_of

CASES = {
    "one_field": ("state n: 0..99 move take choose k in 1..n do n -= k", (("n", 1),)),
    "rising": ("given s: 0..9 state c: 0..s move add choose k in 1..s - c do c += k", (("c", -1),)),
    "assigned": ("state n: 0..99 move half when n > 0 do n = n / 2", (("n", 1),)),
    "two_heaps": (
        "state a, b: 0..9 move one choose k in 1..a do a -= k move two choose k in 1..b do b -= k",
        (("a", 1), ("b", 1)),
    ),
    "second_field_refilled": (
        "state a, b: 0..9 move both when a > 0 choose x in 0..9 do a -= 1, b = x move less when b > 0 do b -= 1",
        (("a", 1), ("b", 1)),
    ),
    "given_the_first_stays": (
        "state y: 0..20 state m: 0..11 move next when y < 20 do y += (m + 1) / 12, m = (m + 1) % 12",
        (("y", -1), ("m", -1)),
    ),
    "set_loses": ("state s: set of 0..9 move strike choose x in s do s -= {x}", (("s", 1),)),
    "set_moves_down": (
        "state s: set of 0..9 move slide choose x in s, y in 0..x - 1 when y not in s do s = s - {x} | {y}",
        (("s", 1),),
    ),
    "set_grows": ("state s: set of 0..9 move fill choose x in (0..9) - s do s |= {x}", (("s", -1),)),
    "set_turned": (
        "state s: set of 0..9 move turn choose x in s, y in 0..x - 1 do s = s xor {x, y}",
        (("s", 1),),
    ),
    "cells_cut": (
        "state r: array[1..4] of 0..5 "
        "move bite choose i in 1..4, c in 1..r[i] do r[j] = min(r[j], c - 1) for j in i..4",
        (("r", 1),),
    ),
    "later_cells_free": (
        "state r: array[1..4] of 0..5 move push choose i in 1..3, v in 0..5 when r[i] > 0 do r[i] -= 1, r[i + 1] = v",
        (("r", 1),),
    ),
    "parts": ("sum state n: 0..99 move split choose a in 1..n - 1 into (a), (n - a)", (("n", 1),)),
    "into_nothing": ("sum state n: 0..9 move gone into nothing", (("n", 1),)),
    "flag": ("state f: bool state n: 0..9 move off when f do f = false move less when n > 0 do n -= 1", None),
    "greedy_needs_guard": ("state n: 0..9 move stay choose k in 0..n do n -= k", ()),
    "up_and_down": ("state n: 0..9 move up when n < 9 do n += 1 move down when n > 0 do n -= 1", ()),
    "set_kept": ("state s: set of 0..9 move strike choose x in 0..9 do s -= {x}", ()),
    "earlier_cells_free": (
        "state r: array[1..4] of 0..5 move push choose i in 2..4, v in 0..5 when r[i] > 0 do r[i] -= 1, r[i - 1] = v",
        (),
    ),
    "sorting_moves_cells": (
        "state h: sorted array[1..3] of 0..9 move m choose i in 1..2 when h[i] < 9 do h[i] += 1, h[3] = 0",
        (),
    ),
    "sorted_cells_fall": (
        "state h: sorted array[1..3] of 0..9 move m choose i in 1..3, k in 1..h[i] do h[i] -= k",
        (("h", 1),),
    ),
    "what_is_reached": (
        "given near: array[0..5] of set of 0..5 state up: set of 0..5 "
        "move cut choose c in up - {0} do up = reach({0}, near, up - {c})",
        (("up", 1),),
    ),
    "sylver_coinage": (
        "state open: set of 2..20 move name choose x in open do open -= closure({0} | (2..20) - open, {x}, 20)",
        (("open", 1),),
    ),
    "swap": ("state a, b: 0..9 move swap when a > 0 do a = b, b = a - 1", ()),
}


@pytest.mark.parametrize("name", CASES)
def test_order(name: str) -> None:
    text, wanted = CASES[name]
    facts = facts_of(f"game {name} {text}", name)
    if wanted is None:
        assert facts.order is not None
        assert facts.finite is not None
    elif wanted:
        assert facts.order is not None, facts.no_order
        assert facts.order.fields == wanted
        assert facts.finite is not None
        assert facts.order.reasons or "nothing" in name
    else:
        assert facts.order is None
        assert facts.no_order.span is not None


def test_weighted_rank_is_no_order() -> None:
    facts = facts_of(
        "game knights state x, y: 1..9 move a when x > 2 and y < 9 do x -= 2, y += 1 "
        "move b when y > 2 and x < 9 do y -= 2, x += 1",
        "knights",
    )
    assert facts.order is None
    assert facts.finite is not None
    assert facts.finite.text == "no position repeats: every move lowers x + y"


def test_weights() -> None:
    facts = facts_of(
        "game trade state x, y: 0..9 move a when x > 0 and y < 9 do x -= 1, y += 1 "
        "move b when y > 2 and x < 9 do y -= 3, x += 1",
        "trade",
    )
    assert facts.order is None
    assert facts.finite is not None
    assert facts.finite.text == "no position repeats: every move lowers 2 * x + y"


def test_swap_is_finite_by_the_sum() -> None:
    facts = facts_of("game swap state a, b: 0..9 move swap when a > 0 do a = b, b = a - 1", "swap")
    assert facts.finite is not None
    assert facts.finite.text.endswith("a + b")


def test_monotone() -> None:
    facts = facts_of(
        "game ways state a, b, c: 0..9 state s: set of 0..5 "
        "move one choose x in s when a > 0 and b < 9 do a -= 1, b += 1, s -= {x} move two when c < 9 do c = 9 - c",
        "ways",
    )
    assert facts.monotone == {"a": -1, "b": 1, "s": -1}


def test_array_that_falls_as_a_number_only() -> None:
    """A cell behind the one that falls may rise, so the array has an order, and a table of it has all its contents."""
    facts = facts_of(
        "game odometer state s, t: array[1..3] of 0..9 "
        "move carry when s[1] > 0 do s[1] -= 1, s[3] = 9 move count choose i in 1..3 when s[i] > 0 do s[i] -= 1 "
        "move use choose i in 1..3 when t[i] > 2 do t[i] -= 3",
        "odometer",
    )
    assert facts.order is not None
    assert facts.monotone == {"t": -1}


def test_unchanged_field() -> None:
    assert facts_of("game z state w, h: 1..9 move cut choose a in 1..w - 1 do w = a", "z").monotone["h"] == 0


def test_evidence_speaks_the_user_s_names() -> None:
    facts = facts_of("game heap state stones: 0..99 move take choose k in 1..min(9, stones) do stones -= k", "heap")
    assert facts.order is not None
    assert [reason.text for reason in facts.order.reasons] == ["move take lowers stones by 1..9"]
    assert facts.finite is not None
    assert facts.finite.text == "no position repeats: stones is a rank"


PIECES = {
    "pawns": (
        "players up, down state b: array[1..4, 1..3] of {up, empty, down} let ahead = if mover == up then 1 else -1 "
        "move push choose r in 1..4, c in 1..3 "
        "when b[r, c] == mover and 1 <= r + ahead <= 4 and b[r + ahead, c] == empty "
        "do b[r, c] = empty, b[r + ahead, c] = mover "
        "move take choose r in 1..4, c in 1..3, d in {c - 1, c + 1} & (1..3) "
        "when b[r, c] == mover and 1 <= r + ahead <= 4 and b[r + ahead, d] == other "
        "do b[r, c] = empty, b[r + ahead, d] = mover"
    ),
    "frogs": (
        "players toad, frog state row: array[1..5] of {empty, toad, frog} "
        "move step by toad choose i in 1..4 when row[i] == toad and row[i + 1] == empty "
        "do row[i] = empty, row[i + 1] = toad "
        "move hop by frog choose i in 3..5 when row[i] == frog and row[i - 1] == toad and row[i - 2] == empty "
        "do row[i - 2] = frog, row[i] = empty"
    ),
}
NOT_PIECES = {
    "pawns_step_aside": PIECES["pawns"] + (
        " move aside choose r in 1..4, c in 1..3, d in 1..3 when b[r, c] == mover and b[r, d] == empty "
        "do b[r, c] = empty, b[r, d] = mover"
    ),
    "frogs_go_back": PIECES["frogs"] + (
        " move back by toad choose i in 2..5 when row[i] == toad and row[i - 1] == empty "
        "do row[i] = empty, row[i - 1] = toad"
    ),
    "sorted_pieces": (
        "players toad, frog state row: sorted array[1..5] of {empty, toad, frog} "
        "move step by toad choose i in 1..4 when row[i] == toad and row[i + 1] == frog "
        "do row[i] = empty, row[i + 1] = toad "
        "move hop by frog choose i in 2..5 when row[i] == toad and row[i - 1] == empty "
        "do row[i] = frog, row[i - 1] = toad"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PIECES)
def test_ranked_pieces(name: str) -> None:
    facts = facts_of(f"game drawn {PIECES[name]}")
    assert facts.order is None
    assert facts.finite is not None
    assert " < empty < " in facts.finite.text


@pytest.mark.parametrize("name", NOT_PIECES)
def test_pieces_that_come_back(name: str) -> None:
    assert facts_of(f"game drawn {NOT_PIECES[name]}").finite is None
