"""Obligations of rules: proved where they hold, refused where a position shows a fault."""

from __future__ import annotations

import pytest

from gamespec.game import sample
from gamespec.game.check import check
from gamespec.game.total import Proofs, faults, prove
from gamespec.source import Source, Span
from gamespec.syntax.read import read

Case = tuple[str, set[tuple[str, str]]]  # a game, and what is not proved: kind and beginning of its text


def proofs_of(text: str, name: str = "g") -> tuple[Proofs, Source]:
    source = Source(name, f"game {name} {text}", "text")
    return prove(check(read(source), source, {})), source


def unproved(text: str) -> set[tuple[str, str]]:
    proofs, source = proofs_of(text)
    return {(kind, source.slice(span)) for kind, span in proofs.unproved}


COW = "state n: 0..1_000_000 let ds = digits(n) - {0} move take choose d in {min(ds), max(ds)} do n -= d"

PROVED = {
    "cow_digit_by_terminal": COW + " terminal n == 0",
    "cow_digit_by_guard": COW.replace(" do", " when n > 0 do"),
    "cow_digit_by_another_guard": COW.replace(" do", " when not n == 0 do"),
    "power_cards": "state n: 0..1000 move take choose k in powers(2, n) do n -= k",
    "squares": "state n: 0..1000 move take choose k in squares(n) do n -= k",
    "primes": "state n: 0..1000 move take choose k in primes(n) do n = n - k",
    "divisors": "state n: 1..1000 move take choose d in divisors(n) - {n} do n -= d",
    "stone_game": "given s: 0..99 state c: 0..s move add choose k in 1..min(c * c, s - c) do c += k",
    "given_set": "given t: set of 1..50 state n: 0..99 move take choose k in t when k <= n do n -= k",
    "constant_set": "state n: 0..99 move take choose k in {1, 3, 4} when n >= k do n -= k",
    "grundy": "sum state n: 0..99 move split choose a in 1..(n - 1) / 2 into (a), (n - a)",
    "kayles": "sum state n: 0..99 move two choose l in 0..n - 2 into (l), (n - 2 - l)",
    "treblecross": "sum state n: 0..99 move put choose i in 1..n into (max(i - 3, 0)), (max(n - i - 2, 0))",
    "shatter": "sum state n: 1..99 move shatter when n > 1 into (1) for i in 1..n",
    "wythoff": "state a, b: 0..99 move both choose k in 1..min(a, b) do a -= k, b -= k",
    "euclid": (
        "state a, b: 0..99 let small = min(a, b) let large = max(a, b) move sub when small > 0 "
        "choose k in 1..large / small do a = small, b = large - k * small"
    ),
    "euclid_in_two_moves": (
        "state a, b: 0..99 move x when a > 0 choose k in 1..b / a do b -= k * a "
        "move y when b > 0 choose k in 1..a / b do a -= k * b"
    ),
    "row_ends": (
        "given n: 0..50 state lo: 1..n + 1 state hi: 0..n require lo <= hi + 1 "
        "move left when lo <= hi do lo += 1 move right when lo <= hi do hi -= 1"
    ),
    "chomp": (
        "state r: array[1..5] of 0..8 move bite choose i in 1..5, c in 1..r[i] do r[j] = min(r[j], c - 1) for j in i..5"
    ),
    "heaps": "given n: 1..5 state h: array[1..n] of 0..9 move eat choose i in 1..n, k in 1..h[i] do h[i] -= k",
    "two_cells": (
        "state h: array[1..5] of 0..9 move eat choose i in 1..4, j in i + 1..5 when h[i] > 0 and h[j] > 0 "
        "do h[i] -= 1, h[j] -= 1"
    ),
    "neighbour": (
        "given n: 1..9 state h: array[1..n] of 0..9 move m choose i in 1..n when i < n and h[i + 1] > 0 do h[i] = 0"
    ),
    "number_game": (
        "param top = 20 state open: set of 2..top let struck = (2..top) - open "
        "move strike choose x in open do open -= closure({x} | struck, x, top)"
    ),
    "set_slides": "state s: set of 0..9 move m choose x in s, y in 0..x - 1 do s = s - {x} | {y}",
    "set_gets": "state s: set of 0..9 move m choose x in s when x > 0 do s |= {x - 1}",
    "branch": "state n: 0..99 move m choose k in 1..(if n > 3 then 100 / n else 2) when k <= n do n -= k",
    "short_circuit": "state n: 0..99 move m when n == 0 or 60 / n < 7 do n = 0",
    "quantified": "state s: set of 0..9 move m choose x in s when all(100 / y > x for y in s if y > 0) do s -= {x}",
    "least_of_what_there_is": "state s: set of 0..9 move m when s != {} do s -= {min(s)}",
    "size": "state s: set of 0..9 move m when size(s) > 2 do s -= {max(s)}",
    "fold": "state s: set of 0..9 move m choose x in s do s -= {min(y for y in s)}",
    "powers": "state n: 0..9 move m choose k in 1..2 ** n when k <= n do n -= k",
    "mod": "state n: 0..99 move m when n % 7 > 2 do n -= n % 7",
    "abs": "state a, b: 0..99 move m when a != b do a = abs(a - b) - 1",
    "dependent": "state a: 0..9 state b: 0..a move m when b < a do a -= 1",
    "dependent_both": "state a: 0..9 state b: 0..a move m when a > 0 do a -= 1, b = 0",
    "require_kept": "state a, b: 0..9 require a + b <= 9 move m choose k in 1..a do a -= k, b += k",
    "bar_of_chocolate": (
        "state r: array[1..5] of 0..8 require all(r[i] >= r[i + 1] for i in 1..4) "
        "move bite choose i in 1..5, c in 1..r[i] do r[j] = min(r[j], c - 1) for j in i..5"
    ),
    "coins_in_a_row": (
        "given n: 1..6 state at: array[1..n] of 1..16 require all(at[i] < at[i + 1] for i in 1..n - 1) "
        "move slide choose i in 1..n, to in (if i == 1 then 1 else at[i - 1] + 1)..at[i] - 1 do at[i] = to"
    ),
    "names": "state c: {red, green} move m when c == red do c = green",
    "cells_of_a_board": (
        "state h: array[0..8] of 0..2 move m choose r in 0..2, c in 0..2 when h[3 * r + c] > 0 do h[3 * r + c] -= 1"
    ),
    "boards": (
        "players x, o state b: array[1..3, 1..4] of {empty, x, o} "
        "move m choose r in 1..3, c in 1..4 when b[r, c] == empty do b[r, c] = mover "
        "terminal mover loses when any(all(b[q] == other for q in line) for line in lines(b, 3)) draw when stuck"
    ),
    "board_neighbours": (
        "given n: 1..9 state b: array[1..n, 0..n] of 0..2 "
        "move m choose r in 1..n, c in 0..n when r < n and c > 0 and b[r + 1, c - 1] > 0 "
        "do b[r, c] = 0, b[r + 1, c] = 1"
    ),
    "columns_of_a_board": (
        "state b: array[1..3, 1..3] of 0..2 move m choose c in 1..3 do b[r, c] = 0 for r in 1..3, b[r, d] = 1 "
        "for r in 1..3 for d in 1..3 if d != c"
    ),
    "pieces_stay_apart": (
        "players a, b state one, two: set of 0..8 require one & two == {} let free(q) = q not in one and q not in two "
        "move step by a choose c in one when c < 8 and free(c + 1) do one = one - {c} | {c + 1} "
        "move slide by b choose c in two when c > 2 and free(c - 3) do two -= {c}, two |= {c - 3} "
        "move off choose c in one do one -= {c} move swap do one = two, two = one"
    ),
    "pieces_stay_inside": (
        "state all, some: set of 0..8 require some <= all move add choose c in all - some do some |= {c} "
        "move drop choose c in all do all -= {c}, some -= {c} move both when 3 not in all do all |= {3}, some |= {3}"
    ),
    "graph": (
        "players cat, mouse given n: 3..9 given near: array[0..n - 1] of set of 0..n - 1 state at: 0..n - 1 "
        "move run choose v in near[at] - {0} do at = v"
    ),
    "gain": (
        "given n: 0..9 given v: array[1..n] of -9..9 state lo: 1..n + 1 move m when lo <= n do lo += 1 gain v[lo] "
        "winner highest score"
    ),
    "extra_turn": "players a, b state n: 0..9 move m by a when n > 0 do n -= 1, mover = if n > 3 then mover else other",
    "cells_that_hold_other_values": (
        "players x, o state b: array[1..3, 1..3] of {x, empty, o} "
        "move m choose r in 1..3, c in 1..3, s in 1..3, t in 1..3 "
        "when b[r, c] == mover and b[s, t] == other do b[r, c] = empty, b[s, t] = mover "
        "move n choose r in 1..3, c in 1..3, s in 1..3 when b[r, c] == mover and b[s, c] == empty "
        "do b[r, c] = empty, b[s, c] = mover"
    ),
    "sorted_bounds": "state h: sorted array[1..4] of 0..9 move m choose i in 1..4, k in 1..h[i] do h[i] -= k",
}

REFUSED: dict[str, Case] = {
    "pieces_meet": (
        "players a, b state one, two: set of 0..8 require one & two == {} "
        "move step by a choose c in one when c < 8 do one = one - {c} | {c + 1}",
        {("require", "move step by a choose c in one when c < 8 do one = one - {c} | {c + 1}")},
    ),
    "cells_that_may_be_one": (
        "players x, o state b: array[1..9] of {x, empty, o} move m choose r in 1..9, s in 1..9 "
        "when b[r] == mover and (b[s] == other or b[s] == mover) do b[r] = empty, b[s] = mover",
        {
            (
                "clash",
                "move m choose r in 1..9, s in 1..9 "
                "when b[r] == mover and (b[s] == other or b[s] == mover) do b[r] = empty, b[s] = mover",
            )
        },
    ),
    "pieces_of_another_name": (
        "state one, two: set of 0..3 require all(c not in two for c in one) "
        "move step choose c in 0..3 when c not in one do two |= {c}, one |= {3 - c}",
        {("require", "move step choose c in 0..3 when c not in one do two |= {c}, one |= {3 - c}")},
    ),
    "pieces_leave_the_set_around": (
        "state all, some: set of 0..8 require some <= all move drop choose c in all do all -= {c}",
        {("require", "move drop choose c in all do all -= {c}")},
    ),
    "sorting_moves_cells": (
        "state h: sorted array[1..3] of 0..9 require all(h[i] >= 3 for i in 1..2) "
        "move m choose i in 1..2 do h[i] = 4, h[3] = 0 move n do h[3] = 1",
        {
            ("require", "move m choose i in 1..2 do h[i] = 4, h[3] = 0"),
            ("require", "move n do h[3] = 1"),
        },
    ),
    "beside_a_board": (
        "state b: array[1..3, 1..3] of 0..2 move m choose r in 1..3, c in 1..3 when b[r, c + 1] > 0 do b[r - 1, c] = 0",
        {("index", "b[r, c + 1]"), ("range", "b[r - 1, c] = 0")},
    ),
    "gain": (
        "given n: 0..9 given v: array[1..n] of -9..9 state lo: 1..n + 1 move m when lo <= n do lo += 1 gain v[lo + 1] "
        "winner highest score",
        {("index", "v[lo + 1]")},
    ),
    "cow_digit": (COW, {("empty", "min(ds)"), ("empty", "max(ds)")}),
    "terminal_after_stuck": (
        COW + " terminal stuck and n > 3 terminal n == 0",
        {("empty", "min(ds)"), ("empty", "max(ds)")},
    ),
    "below": ("state n: 0..99 move m choose k in 1..3 do n -= k", {("range", "n -= k")}),
    "off_by_one": ("state n: 1..99 move m choose k in 1..n do n -= k", {("range", "n -= k")}),
    "above": ("given s: 0..99 state c: 0..s move add choose k in 1..c do c += k", {("range", "c += k")}),
    "row_ends": (
        "given n: 0..50 state lo: 1..n + 1 state hi: 0..n require lo <= hi + 1 move left do lo += 1",
        {("range", "lo += 1"), ("require", "move left do lo += 1")},
    ),
    "bar_bitten_upwards": (
        "state r: array[1..5] of 0..8 require all(r[i] >= r[i + 1] for i in 1..4) "
        "move bite choose i in 1..5, c in 1..r[i] do r[j] = min(r[j], c - 1) for j in 1..i - 1",
        {
            (
                "require",
                "move bite choose i in 1..5, c in 1..r[i] do r[j] = min(r[j], c - 1) for j in 1..i - 1",
            )
        },
    ),
    "coins_meet": (
        "state at: array[1..4] of 1..9 require all(at[i] < at[i + 1] for i in 1..3) "
        "move slide choose i in 2..4, to in at[i - 1]..at[i] - 1 do at[i] = to",
        {("require", "move slide choose i in 2..4, to in at[i - 1]..at[i] - 1 do at[i] = to")},
    ),
    "divide": ("state n: 0..9 move m when 9 / n > 2 do n = 0", {("divide", "9 / n")}),
    "too_late": ("state n: 0..9 move m when 9 % n > 2 and n > 0 do n = 0", {("divide", "9 % n")}),
    "index": (
        "state h: array[1..5] of 0..9 move m choose i in 1..5 when h[i + 1] > 0 do h[i] = 0",
        {("index", "h[i + 1]")},
    ),
    "index_of_update": (
        "state h: array[1..5] of 0..9 move m choose i in 1..5 when h[i] > 0 do h[i - 1] = 0",
        {("range", "h[i - 1] = 0")},
    ),
    "twice": (
        "state h: array[1..5] of 0..9 move m choose i in 1..5, j in 1..5 do h[i] = 0, h[j] = 1",
        {("clash", "move m choose i in 1..5, j in 1..5 do h[i] = 0, h[j] = 1")},
    ),
    "tail_meets_itself": (
        "state h: array[0..5] of 0..9 move m do h[i / 2] = 0 for i in 0..5",
        {("clash", "move m do h[i / 2] = 0 for i in 0..5")},
    ),
    "adds_up": (
        "state h: array[1..5] of 0..9 "
        "move m choose i in 1..5, j in 1..5 when h[i] > 0 and h[j] > 0 do h[i] -= 1, h[j] -= 1",
        {
            ("range", "h[i] -= 1"),
            ("range", "h[j] -= 1"),
            ("clash", "move m choose i in 1..5, j in 1..5 when h[i] > 0 and h[j] > 0 do h[i] -= 1, h[j] -= 1"),
        },
    ),
    "part": ("sum state n: 0..99 move split choose a in 1..n into (a), (n - a - 1)", {("part", "(n - a - 1)")}),
    "part_above": ("sum state n: 0..99 move twice when n > 0 into (2 * n)", {("part", "(2 * n)")}),
    "dependent": (
        "state a: 0..9 state b: 0..a move m when a > 0 do a -= 1",
        {("depend", "move m when a > 0 do a -= 1")},
    ),
    "element": ("state s: set of 0..9 move m choose x in s do s |= {x + 1}", {("range", "s |= {x + 1}")}),
    "digits": ("state n: 0..99 move m choose d in digits(n - 1) when d < n do n -= 1", {("call", "digits(n - 1)")}),
    "least": ("state s: set of 0..9 move m when min(s) > 2 do s = {}", {("empty", "min(s)")}),
    "fold": (
        "state s: set of 0..9 move m choose x in s when max(y for y in s if y < x) > 0 do s = {}",
        {("empty", "max(y for y in s if y < x)")},
    ),
    "let_in_two_places": (
        "state n: 0..9 let q = 9 / n move a when n > 0 and q > 2 do n -= 1 move b when q > 3 do n = 0",
        {("divide", "9 / n")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_proved(name: str) -> None:
    assert unproved(PROVED[name]) == set()


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, wanted = REFUSED[name]
    assert unproved(text) == wanted


@pytest.mark.parametrize("name", REFUSED)
def test_faults_are_shown_where_there_are_any(name: str) -> None:
    source = Source("g", f"game g {REFUSED[name][0]}", "text")
    found = faults(check(read(source), source, {}))
    assert found
    assert all(one.severity == "error" for one in found), found


def test_reasons_are_sentences() -> None:
    proofs, source = proofs_of("state n: 0..99 move m choose k in 1..9 when k <= n do n -= k")
    at = source.text.index("n -= k")
    reason = proofs.reason("range", Span(at, at + 6))
    assert reason == "the new value stays in its range: k <= n"
    assert proofs.reason("range", Span(1, 2)) is None
    assert proofs.unproved == []


def test_a_note_where_no_fault_is_met() -> None:
    text = "game g state n: 0..6 move m choose k in 0..6 when popcount(n xor k) < 3 do n = n xor k"
    source = Source("g", text, "text")
    game = check(read(source), source, {})
    (found,) = faults(game)
    assert found.severity == "note"
    assert found.code == "GS170"
    assert found.span is not None
    assert source.slice(found.span).startswith("n = n xor k")


@pytest.mark.parametrize(
    "text",
    [
        "state n: 0..9 move m when " + " and ".join(["n > 0"] * 900) + " do n -= 1",
        "state n: 0..9 move m when " + "(" * 90 + "n" + " + 1)" * 90 + " > 0 do n = 0",
        "state n: 0..9 "
        + " ".join(f"let a{i} = a{i + 1} + a{i + 1}" for i in range(25))
        + " let a25 = n move m when a0 > 0 do n = 0",
        "state n: 0..9 " + " ".join(f"move m{i} choose k in 1..min(n, {i}) do n -= k" for i in range(300)),
        "state n: 0..9 move m choose "
        + ", ".join(f"k{i} in 0..n" for i in range(12))
        + " when "
        + " and ".join(f"k{i} * k{i + 1} != n" for i in range(11))
        + " do n = k0 * k1 - k2 * k3 + k4",
    ],
    ids=["wide", "deep", "doubling", "many_moves", "products"],
)
def test_large_rules_do_not_stall_the_prover(text: str) -> None:
    import time

    source = Source("g", f"game g {text}", "text")
    game = check(read(source), source, {})
    start = time.process_time()
    prove(game)
    assert time.process_time() - start < 2


def test_one_note_for_each_kind_of_doubt() -> None:
    text = "game g state n: 0..6 " + "".join(
        f"move m{k} when popcount(n xor {k}) < 3 do n = n xor {k} " for k in range(1, 7)
    )
    (found,) = faults(check(read(Source("g", text, "text")), Source("g", text, "text"), {}))
    assert found.message.startswith("it is not proved at ")
    assert " places that the new value stays in its range" in found.message
    assert [note.message for note in found.notes] == ["and here"] * 3


def test_every_position_is_looked_at_where_that_is_asked() -> None:
    rare = "game g state n: 0..3000 move m when n > 0 do n = if n % 997 == 331 and n % 3 == 1 then 3001 else n - 1"
    proved = "game g state n: 0..6 move m choose k in 0..6 when popcount(n xor k) < 3 do n = n xor k"
    for text, few, every in ((rare, ["note"], ["error"]), (proved, ["note"], [])):
        game = check(read(Source("g", text, "text")), Source("g", text, "text"), {})
        assert [found.severity for found in faults(game, limit=100)] == few, text
        assert [found.severity for found in faults(game, every=True)] == every


def test_too_many_positions_are_not_all_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "EVERY", 40)
    text = "game g state n, m: 0..6 move take choose k in 0..6 when popcount(n xor k) < 3 do n = n xor k"
    game = check(read(Source("g", text, "text")), Source("g", text, "text"), {})
    assert [found.code for found in faults(game, every=True)] == ["GS609", "GS170"]
