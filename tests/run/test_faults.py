"""Inputs that do not fit: the message names case, line and word, and what was answered before is printed."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import gamespec
from gamespec.diagnostics import InputError
from gamespec.game.model import Game
from tests.run.judge import judged

PILE = gamespec.loads("""
game pile
state n: 1..1000
move take when n > 1 do n -= 1
input cases count read n
output line "{n}"
""")

PAIR = gamespec.loads("""
game pair
given top: 0..50
state n: 0..top
require n != 13
require n + top != 7
move take when n > 0 and n != 14 and n + top != 8 do n -= 1
input cases until n == 0 and top == 0 read top, n
output line "{n}"
""")

STRIKE = gamespec.loads("""
game strike
given top: 2..20
state open: set of 2..top
move strike choose x in open do open -= {x}
input cases until eof read top, k, open[k - 1]
output line "{size(open)}"
""")

HEAPS = gamespec.loads("""
game heaps
given n: 1..4
given colour: {red, blue}
state heap: array[0..n - 1] of 0..9
require heap[0] <= 8
move take choose i in 0..n - 1, k in 1..heap[i] do heap[i] -= k
input cases until eof read m, n, heap[m], colour
output line "{colour}"
""")

BOXES = gamespec.loads("""
game boxes
sum
given size: 0..1000
given sealed: bool
state stones: 0..size
require stones != 99
move add choose k in 1..size - stones when stones + k != 99 do stones += k
input cases until n == -1 read n, [size, stones, sealed] * n
output line "{grundy}"
""")

ROWS = gamespec.loads("""
game rows
given n: 1..3
given v: array[1..n] of 0..9
state m: 0..9
move take when m > 0 do m -= 1
input cases count read n, rows, [v] * rows, m
output line "{m}"
""")

STARTED = gamespec.loads("""
game started
state n: 0..9
start n = a - b
move take when n > 0 do n -= 1
input cases count read a, b
output line "{n}"
""")


class Fault(NamedTuple):
    game: Game
    text: str
    answered: str
    code: str
    message: str


FAULTS = {
    "word": Fault(
        PILE, "3\n9\nten\n10\n", "9\n", "GS202", "case 2, line 3: `ten` is not a whole number; `n` must be in 1..1000"
    ),
    "underscore": Fault(
        PILE, "2\n9\n1_0\n", "9\n", "GS202", "case 2, line 3: `1_0` is not a whole number; `n` must be in 1..1000"
    ),
    "fraction": Fault(
        PILE, "1\n1.5", "", "GS202", "case 1, line 2: `1.5` is not a whole number; `n` must be in 1..1000"
    ),
    "no text": Fault(
        PILE,
        "1\n\udcff\x00",
        "",
        "GS202",
        "case 1, line 2: `\ufffd\ufffd` is not a whole number; `n` must be in 1..1000",
    ),
    "unicode digits": Fault(
        PILE, "1\n\u0663\n", "", "GS202", "case 1, line 2: `\u0663` is not a whole number; `n` must be in 1..1000"
    ),
    "too large": Fault(PILE, "3 9 8 1001", "9\n8\n", "GS204", "case 3, line 1: `n` is 1001; it must be in 1..1000"),
    "too small": Fault(PILE, "3 9 0 8", "9\n", "GS204", "case 2, line 1: `n` is 0; it must be in 1..1000"),
    "no 64 bits": Fault(
        PILE,
        "3 9 18446744073709551617 8",
        "9\n",
        "GS204",
        "case 2, line 1: `n` is 18446744073709551617; it must be in 1..1000",
    ),
    "5000 digits": Fault(
        PILE, "2 9 " + "7" * 5000, "9\n", "GS204", f"case 2, line 1: `n` is {'7' * 40}…; it must be in 1..1000"
    ),
    "first of two": Fault(PILE, "3\n1001\nten\n0", "", "GS204", "case 1, line 2: `n` is 1001; it must be in 1..1000"),
    "fewer cases": Fault(
        PILE, "3\n9\n10\n", "9\n10\n", "GS206", "the input announces 3 cases, and ends on line 3 after 2"
    ),
    "no count": Fault(PILE, " \n", "", "GS211", "the input is empty; it should begin with the number of cases"),
    "count is a word": Fault(
        PILE, "\nmany\n", "", "GS212", "line 2: `many` is not a number of cases: a count from 0 to 10^18"
    ),
    "count is negative": Fault(
        PILE, "-1\n", "", "GS212", "line 1: `-1` is not a number of cases: a count from 0 to 10^18"
    ),
    "count is too large": Fault(
        PILE, "9" * 19, "", "GS212", f"line 1: `{'9' * 19}` is not a number of cases: a count from 0 to 10^18"
    ),
    "bound of another value": Fault(
        PAIR, "5 5\n4\n6\n3 3", "5\n", "GS204", "case 2, line 3: `n` is 6; it must be in 0..4"
    ),
    "end inside a case": Fault(
        PAIR, "5 5\n4\n", "5\n", "GS201", "case 2: the input ends on line 2, where `n` should follow"
    ),
    "require": Fault(
        PAIR,
        "20 20\n\n20\n13\n 3 3",
        "20\n",
        "GS205",
        "case 2, line 4: the input gives a position that `require` forbids: n = 13",
    ),
    "second require": Fault(
        PAIR, "6 1", "", "GS205", "case 1, line 1: the input gives a position that `require` forbids: top = 6, n = 1"
    ),
    "range before require": Fault(PAIR, "9 13", "", "GS204", "case 1, line 1: `n` is 13; it must be in 0..9"),
    "condition not met by one of two": Fault(
        PAIR, "0 0 0", "", "", "line 1: `0` and what follows stand after the last case and are not read"
    ),
    "element": Fault(
        STRIKE, "9 3 4\n9\n9 3\n5\n21", "2\n", "GS204", "case 2, line 5: a value of `open` is 21; it must be in 2..20"
    ),
    "element of this case": Fault(
        STRIKE, "9 4 4 9\n10", "", "GS204", "case 1, line 2: a value of `open` is 10; it must be in 2..9"
    ),
    "negative count": Fault(STRIKE, "9 1\n9 0\n", "0\n", "GS207", "case 2, line 2: -1 values of `open` cannot be read"),
    "too few values": Fault(
        STRIKE,
        "9 5\n4\n9\n",
        "",
        "GS201",
        "case 1: the input ends on line 3, where 2 more values, the next of them a value of `open`, should follow",
    ),
    "a word among too few values": Fault(
        STRIKE,
        "9 5\n4\nx\n",
        "",
        "GS202",
        "case 1, line 3: `x` is not a whole number; a value of `open` must be in 2..20",
    ),
    "not a name": Fault(
        HEAPS, "1 1 3 red\n1 1 3 green", "red\n", "GS203", "case 2, line 2: `green` is not a value of `colour`"
    ),
    "short array": Fault(
        HEAPS,
        "1 1 3 red\n2\n3 4 5 red",
        "red\n",
        "GS208",
        "case 2, line 3: 2 values are given for `heap`, which has 3 entries",
    ),
    "long array": Fault(
        HEAPS, "2 1 3 4 red", "", "GS208", "case 1, line 1: 2 values are given for `heap`, which has 1 entry"
    ),
    "longer than any": Fault(
        HEAPS, "9 1 3 4 red", "", "GS208", "case 1, line 1: 9 values are given for `heap`, which has at most 4 entries"
    ),
    "cell": Fault(HEAPS, "2 2 3\n10 red", "", "GS204", "case 1, line 2: a value of `heap` is 10; it must be in 0..9"),
    "require of a cell": Fault(
        HEAPS,
        "2 2\n9\n1 red",
        "",
        "GS205",
        "case 1, line 3: the input gives a position that `require` forbids: n = 2, heap = [9, 1]",
    ),
    "component": Fault(
        BOXES,
        "2\n5 5 0\n5 4 1\n2\n9 9 true\n9\n10 true",
        "1\n",
        "GS204",
        "case 2, line 7: `stones` is 10; it must be in 0..9",
    ),
    "truth value": Fault(BOXES, "1\n5 5 2\n", "", "GS203", "case 1, line 2: `2` is not a value of `sealed`"),
    "component required": Fault(
        BOXES,
        "1 5 5 0\n2\n5 5 0\n100 99 0\n",
        "0\n",
        "GS205",
        "case 2, line 4: the input gives a position that `require` forbids: stones = 99",
    ),
    "rows below zero": Fault(
        BOXES, "0 -2", "0\n", "GS204", "case 2, line 1: `n` is -2; it must be in 0..1000000000000000000"
    ),
    "end inside rows": Fault(
        BOXES,
        "0\n2\n5 5 0\n5\n",
        "0\n",
        "GS201",
        "case 2: the input ends on line 4, where 2 more values, the next of them `stones`, should follow",
    ),
    "rows without end": Fault(
        BOXES,
        "1000000000000000000 5 5 0 5",
        "",
        "GS201",
        "case 1: the input ends on line 1, where 2999999999999999996 more values, the next of them `stones`,"
        " should follow",
    ),
    "count of rows out of range": Fault(
        BOXES,
        "2000000000000000000 5 5 0 5",
        "",
        "GS204",
        "case 1, line 1: `n` is 2000000000000000000; it must be in 0..1000000000000000000",
    ),
    "rows of an array": Fault(
        ROWS, "1\n3\n2\n5\n6\n1\n", "", "GS208", "case 1, line 4: 2 values are given for `v`, which has 3 entries"
    ),
    "cell in a row": Fault(
        ROWS, "1\n3\n3\n5\n66\n1\n", "", "GS204", "case 1, line 5: a value of `v` is 66; it must be in 0..9"
    ),
    "start out of range": Fault(
        STARTED, "2\n9 1\n1 2\n", "8\n", "GS210", "case 2: with this input `start` makes `n` -1; it must be in 0..9"
    ),
    "input name out of range": Fault(
        STARTED, "2\n9 1\n1 -2\n", "8\n", "GS204", "case 2, line 3: `b` is -2; it must be in 0..1000000000000000000"
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str) -> None:
    fault = FAULTS[name]
    done = judged(fault.game, fault.text)
    assert done.out == fault.answered
    if done.fault is None:
        assert not fault.code
        assert done.warnings == [fault.message]
    else:
        assert (done.fault.code, done.fault.message) == (fault.code, fault.message)


def test_the_declaration_is_shown() -> None:
    for game, text, place in ((PAIR, "4 6", "n: 0..top"), (PAIR, "6 1", "n + top != 7"), (PAIR, "51 1", "top: 0..50")):
        found = judged(game, text).fault
        assert found is not None
        assert found.span is not None
        assert game.source.slice(found.span) in place


def test_the_line_is_right_far_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "20000\n" + "7\n\n" * 9000 + "x\n"
    for piece in (1 << 20, 1 << 12):
        monkeypatch.setattr("gamespec.run.token.PIECE", piece)
        done = judged(PILE, text)
        assert done.out == "7\n" * 9000
        assert done.message.startswith("case 9001, line 18002: `x`")


def test_a_case_that_needs_too_much_memory() -> None:
    done = judged(STRIKE, "9 3 4 9 9 100000000 " + "4 " * 200_000, memory=1_000_000)
    assert done.fault is not None
    assert done.fault.code == "GS301"
    assert done.out == "2\n"


def test_a_line_that_is_too_long_is_named() -> None:
    """A case that is read once more for its message begins on its own line."""
    spec = "game long given n: 1..3 given v: array[1..n] of 0..9 state x: 0..3 start x = n move m when x > 0 do x -= 1 "
    spec += 'input cases until eof read k, v[n] as line output win "w" lose "l"'
    game = gamespec.loads(spec)
    with pytest.raises(InputError, match=r"case 2, line 3: 5 values are given for `v`"):
        gamespec.solve(game, "1 2 3\n\n1 4 5 6 7 8\n")
    with pytest.raises(InputError, match=r"case 1: .*`n` is 0"):
        gamespec.solve(game, "1\n2 3\n")
