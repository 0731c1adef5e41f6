"""Sets, words and boards in the output: printed as they were read."""

from __future__ import annotations

import pytest

from tests.run.judge import printed

RULES = """
game g
given m: 1..3
given grid: array[1..2, 0..m] of 0..9
given word: array[1..8] of {L, R}
state len: 0..6
state ds: array[1..6] of 3..9
state board: array[1..2, 1..3] of {empty, x, o}
state s: set of 1..9
move take choose i in s do s -= {i}, len = max(len, 1) - 1, board[1, 1] = x
input cases until eof
    read m, grid[2, m + 1], word[n] as word "lr", ds[len] as digits, board[2, 3] as chars ".xo", k, s[k]
"""
ONE = "1  5 6 7 8  lrl  345  x.o ...  3 9 1 9  "
OTHER = "2  1 2 3 4 5 6  r  6  ..x oox  1 3  "


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("{word}", "lrl", "r"),
        ("{word:5}|{word:>4}|", "lrl  | lrl|", "r    |   r|"),
        ("{ds}", "345", "6"),
        ("{s}", "1 9", "3"),
        ("{s | {4}}", "1 4 9", "3 4"),
        ("{digits(70)} { {y * y for y in s} }", "7 0 1 81", "7 0 9"),
        ("{board}", "x.o\n...", "..x\noox"),
        ("{grid}", "5 6\n7 8", "1 2 3\n4 5 6"),
        ("{i}: {after(s)} {after(ds)}", ":  ", "3:  "),
        ("{after(board)}", "", "x.x\noox"),
    ],
)
def test_echo(text: str, one: str, other: str) -> None:
    assert printed(f'{RULES} output line "{text}"', ONE + OTHER) == f"{one}\n{other}\n"


def test_values_without_a_character_are_named() -> None:
    rules = "game g state b: array[1..3] of {none, x, o} state w: array[1..4] of 1..9 move t when b[1] == x do b[1] = o"
    spec = rules + ' input read b[3] as chars ".x", w[k] as word "123" output line "{b} {after(b)} {w}"'
    assert printed(spec, "x.x 213") == "x none x o none x 2 1 3\n"


def test_words_of_components() -> None:
    spec = """
    game g sum
    state height: 0..6
    state edge: array[1..6] of {L, R}
    move cut choose i in 1..height do height = i - 1
    input cases until eof read k, [edge[height] as word "lr"] * k
    output win "{component}:{edge} {after(edge)}" lose ""
    """
    assert printed(spec, "2 lrl l  2 rl lr") == "1:lrl l\n\n"


def test_values_that_are_no_numbers_take_a_width() -> None:
    spec = """
    game g players one, two
    state n: 0..9
    state c: {red, green}
    given flag: bool
    move take choose k in 1..2 when k <= n do n -= k, mover = if mover == one then two else one
    input cases until eof read n, c, flag
    output line "{c:6}|{flag:>6}|{mover:^7}|{outcome:5}|{winner:<4}|{move:>5}|"
    """
    assert (
        printed(spec, "4 red true  3 green 0")
        == "red   |  true|  one  |win  |one | take|\ngreen | false|  one  |lose |two |     |\n"
    )


def test_an_empty_text_beside_one_with_braces() -> None:
    spec = 'game g state n: 0..9 move take when n > 0 do n -= 1 input cases until eof read n output win "{n}" lose ""'
    assert printed(spec, "3 2 1") == "3\n\n1\n"
