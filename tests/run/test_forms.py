"""What the forms of reading make of an input: characters, words, lines, rows of anything, cases within cases."""

from __future__ import annotations

import io

import pytest

import gamespec
from gamespec.budget import Budget
from gamespec.diagnostics import GamespecError
from gamespec.run.read import Reader

Columns = dict[str, list[object]]

WORD = "given n: 1..5 state c: array[1..n] of {gap, L, R, x}"
DIGITS = "state len: 0..6 state d: array[1..6] of 0..9"
LINES = "given a: array[1..2, 1..3] of 2..9 state x: 0..9"
BOARD = "state b: array[1..3, 1..3] of {gap, x, o}"
GRID = "given n, m: 1..9 state b: array[1..n, 1..m] of 0..9"
GRAPH = "given n: 1..9 given g: array[0..n - 1] of set of 0..n - 1 state v: 0..n - 1"
STALKS = "sum state h: 0..4 state e: array[1..4] of {L, R}"
RING = "given n: 2..9 state at: 1..n"
SIDE = "given s: {lt, gt} given n: 0..9 state x: 0..9"


def read(declared: str, clause: str, text: str) -> tuple[Columns, list[tuple[int, int]], str]:
    """Columns of all fields, the numbers of cases within cases, and the message of the fault that ended the input."""
    spec = f'game g {declared} move still when 1 == 2 do nothing input {clause} output win "w" lose "l"'
    columns: Columns = {}
    numbers: list[tuple[int, int]] = []
    message = ""
    try:
        for block in Reader(gamespec.loads(spec), io.BytesIO(text.encode()), Budget()).blocks():
            for name, column in block.columns.items():
                columns.setdefault(name, []).extend(column)
            numbers += block.numbers or []
    except GamespecError as error:
        assert error.exit_code == 2
        (found,) = error.diagnostics
        message = found.message
    return columns, numbers, message


def sets(*members: set[int]) -> tuple[frozenset[int], ...]:
    return tuple(map(frozenset, members))


FORMS = {
    "a word is measured": (
        (WORD, 'cases until eof read c[n] as word ".LRx"', ".L\nRx.\n\n...."),
        {"n": [2, 3, 4], "c": [(0, 1), (2, 3, 0), (0, 0, 0, 0)]},
    ),
    "a word by a param": (
        ("param n = 3 state c: array[1..n] of bool", 'cases until eof read c[n] as word ".x"', "x.x .xx"),
        {"c": [(True, False, True), (False, True, True)]},
    ),
    "a word by a name of the input": (
        ("state d: array[1..3] of 0..9 ", 'cases until eof read d[k] as digits', "07\n123"),
        {"d": [(0, 7, 0), (1, 2, 3)]},
    ),
    "a word by a known size": (
        ("given n: 1..3 state c: array[1..n] of bool", "cases count read n, c[n] as digits", "2 2 01 1 1"),
        {"n": [2, 1], "c": [(False, True), (True,)]},
    ),
    "cells beyond a word are least": (
        (DIGITS, 'cases until eof read d[len] as word "0123456789"', "0\n123456\n20"),
        {"len": [1, 6, 2], "d": [(0, 0, 0, 0, 0, 0), (1, 2, 3, 4, 5, 6), (2, 0, 0, 0, 0, 0)]},
    ),
    "cells beyond a word are started": (
        (f"{DIGITS} start d[i] = i for i in 1..6", "cases until eof read d[len] as digits", "00"),
        {"len": [2], "d": [(0, 0, 3, 4, 5, 6)]},
    ),
    "letters that are names": (
        ("state c: array[1..2] of {L, R}", "cases once read c[2] as word", "RL"),
        {"c": [(1, 0)]},
    ),
    "characters with white space and without": (
        (BOARD, 'cases count read b[3, 3] as chars ".xo"', "2 ... xo. \n ..x\n........x"),
        {"b": [(0, 0, 0, 1, 2, 0, 0, 0, 1), (0, 0, 0, 0, 0, 0, 0, 0, 1)]},
    ),
    "one character": (
        (SIDE, 'cases count read s as chars "<>", n, x', "2 <5 3 > 4 4"),
        {"s": [0, 1], "n": [5, 4], "x": [3, 4]},
    ),
    "cases that share a word": (
        ("state x: 0..3", 'cases until eof read x as chars "abcd"', "ab\ndc"),
        {"x": [0, 1, 3, 2]},
    ),
    "until a character": (
        (SIDE, 'cases until s == gt read s as chars "<>", n, x', "<5 3 <4 4 >"),
        {"s": [0, 0], "n": [5, 4], "x": [3, 4]},
    ),
    "until a word": (
        ("given tag: {go, stop} state x: 0..9", "cases until tag == stop read tag, x", "go 4 go 5 stop"),
        {"tag": [0, 0], "x": [4, 5]},
    ),
    "until a number outside the range": (
        ("given n: 1..9 state x: 0..9", "cases until n == 0 read n, x", "4 4 0"),
        {"n": [4], "x": [4]},
    ),
    "a table": (
        (GRID, "cases count read n, m, b[n, m]", "2 2 3 1 2 3 4 5 6 1 1 0"),
        {"n": [2, 1], "m": [3, 1], "b": [(1, 2, 3, 4, 5, 6), (0,)]},
    ),
    "rows are lines of a table": (
        (GRID, "cases count read n, m, [b[m]] * n", "2 2 3 1 2 3 4 5 6 1 1 0"),
        {"n": [2, 1], "m": [3, 1], "b": [(1, 2, 3, 4, 5, 6), (0,)]},
    ),
    "rows of words": (
        (BOARD, 'cases once read [b[k] as word ".xo"] * 3', "..x xxo ooo"),
        {"b": [(0, 0, 1, 1, 1, 2, 2, 2, 2)]},
    ),
    "rows of words of other lengths": (
        (BOARD, 'cases once read [b[k] as word ".xo"] * 3', "x xxo oo"),
        {"b": [(1, 0, 0, 1, 1, 2, 2, 2, 0)]},
    ),
    "rows of lines of other lengths": (
        (LINES, "cases until eof read x, [a[k] as line] * 2", "1\n4\n5 6 7\n2\n\n8 9"),
        {"a": [(4, 2, 2, 5, 6, 7), (2, 2, 2, 8, 9, 2)], "x": [1, 2]},
    ),
    "rows in rows": (
        (GRID, "cases once read n, m, [k, [b] * k] * n", "2 3 3 1 2 3 3 4 5 6"),
        {"n": [2], "m": [3], "b": [(1, 2, 3, 4, 5, 6)]},
    ),
    "rows are sets": (
        (GRAPH, "cases once read n, [d, g[d]] * n, v", "3 2 1 2 0 1 0 2"),
        {"n": [3], "g": [sets({1, 2}, set(), {0})], "v": [2]},
    ),
    "lines are sets": (
        (GRAPH, "cases until eof read n, [g[d] as line] * n, v", "3\n1 2\n\n0\n1\n1\n\n0\n"),
        {"n": [3, 1], "g": [sets({1, 2}, set(), {0}), sets(set())], "v": [1, 0]},
    ),
    "the rest of a line": (
        ("given a: array[1..3] of 0..9 state x: 0..9", "cases until eof read x, a[k] as line", "1 2 3\n\n4\n5 6"),
        {"a": [(2, 3, 0), (0, 0, 0), (6, 0, 0)], "x": [1, 4, 5]},
    ),
    "columns": (
        ("given u, v: array[1..2] of 0..9 state x: 0..9", "cases once read n, [u, v] * n, x", "2 1 2 3 4 5"),
        {"u": [(1, 3)], "v": [(2, 4)], "x": [5]},
    ),
    "components on a line": (
        ("sum state n: 0..99", "cases until eof read [n] * k as line", "1 2 3\n\n4\n5 6\n"),
        {"n": [1, 2, 3, 4, 5, 6]},
    ),
    "components by words": (
        (STALKS, 'cases count read k, [e[h] as word "LR"] * k', "1 2 LRL R"),
        {"h": [3, 1], "e": [(0, 1, 0, 0), (1, 0, 0, 0)]},
    ),
    "components in rows of rows": (
        ("sum given s: 1..9 state n: 0..99", "cases once read m, [s, k, [n] * k] * m", "2 3 2 10 20 4 1 30"),
        {"s": [3, 3, 4], "n": [10, 20, 30]},
    ),
    "no rows": ((GRID, "cases once read n, m, [b[m]] * n", "1 1 0"), {"n": [1], "m": [1], "b": [(0,)]}),
}  # fmt: skip

LEVELS = {
    "queries until": (
        (GRAPH, "cases until eof read n, [d, g[d]] * n queries cases until v == -1 read v", "2 1 1 0 0 1 -1 1 0 0 -1"),
        {"n": [2, 2, 1], "g": [sets({1}, set())] * 2 + [sets(set())], "v": [0, 1, 0]},
        [(1, 1), (1, 2), (2, 1)],
    ),
    "queries of sums": (
        (
            "sum given s: set of 1..9 state n: 0..99",
            "cases until k == 0 read k, s[k] queries cases count read l, [n] * l",
            "1 2 2 2 5 12 0 1 3 1 1 4 0",
        ),
        {"s": [frozenset({2})] * 2 + [frozenset({3})], "n": [5, 12, 4]},
        [(1, 1), (1, 2), (2, 1)],
    ),
    "for every value": (
        (RING, "read n queries cases for at in 2..n", "5"),
        {"n": [5, 5, 5, 5], "at": [2, 3, 4, 5]},
        [(1, 1), (1, 2), (1, 3), (1, 4)],
    ),
    "as many as were announced": (
        (RING, "cases count read n, q queries cases for i in 1..q read at", "2  5 3 2 4 1  2 1 2"),
        {"n": [5, 5, 5, 2], "at": [2, 4, 1, 2]},
        [(1, 1), (1, 2), (1, 3), (2, 1)],
    ),
    "three levels": (
        (RING, "cases count read n queries cases for at in {1, 2} queries cases count read k", "1 2 2 7 8 1 9"),
        {"n": [2, 2, 2], "at": [1, 1, 2]},
        [(1, 1), (1, 2), (1, 1)],
    ),
    "for values at once": ((RING, "cases for at in 1..2 read n", "5 6"), {"n": [5, 6], "at": [1, 2]}, []),
    "no queries": (
        (RING, "cases count read n queries cases count read at", "2 3 0 4 1 2"), {"n": [4], "at": [2]}, [(2, 1)],
    ),
}  # fmt: skip

FAULTS = {
    "case 4, line 3: 6 values are given for `c`, which has at most 5 entries": (
        WORD, 'cases until eof read c[n] as word ".LRx"', ".L\nRx. .\n......",
    ),
    "case 2, line 2: `z` in `Rz.` stands for no value of `c`; these do: .LRx": (
        WORD, 'cases until eof read c[n] as word ".LRx"', ".L\nRz.",
    ),
    "case 1, line 1: the word holds 3 values of `c`, and not 2": (
        WORD, 'cases until eof read n, c[n] as word ".LRx"', "2 ...",
    ),
    "case 1: the input ends on line 1, where a value of `c` should follow": (
        WORD, 'cases once read n, c[n] as word ".LRx"', "2",
    ),
    "case 1: the input ends on line 2, where 3 more values, the next of them a value of `b`, should follow": (
        BOARD, 'cases once read b[3, 3] as chars ".xo"', "xxx\n...",
    ),
    "case 1, line 1: `b` is given 2 by 3 values; it has 3 by 3": (
        BOARD, 'cases once read b[2, 3] as chars ".xo"', "xxx...",
    ),
    "case 1, line 1: `b` is given rows of 2 and 3 values; it has 2 by 3": (
        GRID, "cases once read n, m, [k, b[k]] * n", "2 3 3 1 2 3 2 4 5",
    ),
    "case 1, line 1: a value of `g` is 3; it must be in 0..2": (
        GRAPH, "cases once read n, [d, g[d]] * n queries cases until v == -1 read v", "3 1 3 0 0 1",
    ),
    "case 1, query 2, line 2: `v` is 3; it must be in 0..2": (
        GRAPH, "cases once read n, [d, g[d]] * n queries cases until v == -1 read v", "3 0 0 0\n1 3",
    ),
    "case 1: 2 cases are announced in it, and the input ends on line 1 after 1": (
        RING, "read n queries cases count read at", "3 2 1",
    ),
    "case 1: the input ends, where the number of cases in it should follow": (
        RING, "read n queries cases count read at", "3",
    ),
    "case 1, line 1: `x` is not a number of cases: a count from 0 to 10^18": (
        RING, "read n queries cases count read at", "3 x",
    ),
    "case 1, query 2: `cases for` asks about `at` = 6; it must be in 1..5": (
        RING, "read n queries cases for at in 5..6", "5",
    ),
    "case 1, query 3: the input ends on line 1, where `at` should follow": (
        RING, "read n, q queries cases for i in 1..q read at", "5 3 2 4",
    ),
    "case 2, line 1: `ho` is not a value of `tag`": (
        "given tag: {go, stop} state x: 0..9", "cases until tag == stop read tag, x", "go 4 ho 5",
    ),
    "case 1, line 1: the 3 words left on the line cannot be divided into rows of 2": (
        "sum given s: 1..9 state n: 0..99", "cases until eof read [s, n] * k as line", "1 2 3",
    ),
    "case 1, line 2: the line holds 1 row, and not 2": (
        "sum state n: 0..99", "cases until eof read k, [n] * k as line", "2\n1",
    ),
    "case 1, line 1: this case takes nothing from the input, so the cases would never end": (
        "given a: array[1..3] of 0..9 state x: 0..9 start x = 1", "cases until eof read a[0]", "1",
    ),
    "case 1: with this input `n` is 1; it must be in 2..5": (
        "given n: 2..5 given a: array[0..n] of 0..9 state x: 0..9", "cases once read x, a[n] as line", "3 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_form(name: str) -> None:
    (declared, clause, text), columns = FORMS[name]
    found, _, message = read(declared, clause, text)
    assert not message
    assert found == columns


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name: str) -> None:
    (declared, clause, text), columns, numbers = LEVELS[name]
    assert read(declared, clause, text) == (columns, numbers, "")


@pytest.mark.parametrize("message", FAULTS)
def test_fault(message: str) -> None:
    assert read(*FAULTS[message])[2] == message
