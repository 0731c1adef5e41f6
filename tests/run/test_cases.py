"""Every kind of input: which cases are read, and what is in them."""

from __future__ import annotations

import pytest

from tests.run.judge import judged, printed

ODD = """
state n: 0..1000
move take choose k in 1..2 when n >= k do n -= k
"""
LINE = 'output line "{n}"'


def one_pile(cases: str, read: str = "n", output: str = LINE) -> str:
    return f"game pile {ODD} input {cases} read {read} {output}"


# --- how many cases ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cases", "text", "answers"),
    [
        ("cases once", "7", "7\n"),
        ("cases once", "  7  \n\n ", "7\n"),
        ("", "7\n", "7\n"),
        ("cases count", "3 1 2 3", "1\n2\n3\n"),
        ("cases count", "0\n", ""),
        ("cases count", "\n2\r\n5\r\n\r\n6", "5\n6\n"),
        ("cases until eof", "", ""),
        ("cases until eof", " \n\n", ""),
        ("cases until eof", "1\n2\n\n3", "1\n2\n3\n"),
        ("cases until n == 0", "1 2 0", "1\n2\n"),
        ("cases until n == 0", "0", ""),
        ("cases until n == 0", "5", "5\n"),  # the end of the input ends it as well
        ("cases until n == 0", "", ""),
        ("cases until n > 5 * 2 - 1", "9 3 10", "9\n3\n"),
        ("cases until n in {4, 6}", "1 6", "1\n"),
        ("cases until n == -1", "3 -1", "3\n"),  # outside the range of n, and not an error
        ("cases until n == 2000", "3 2000", "3\n"),
    ],
)
def test_number_of_cases(cases: str, text: str, answers: str) -> None:
    done = judged(one_pile(cases), text)
    assert (done.out, done.fault, done.warnings) == (answers, None, [])


@pytest.mark.parametrize("text", ["\ufeff2 5 6", "2\t5\v6\f", "+2 +5 006"])
def test_words_are_separated_by_any_white_space(text: str) -> None:
    if text.startswith("+"):
        text = text[1:]
    assert printed(one_pile("cases count"), text) == "5\n6\n"


def test_two_names_end_it_together() -> None:
    spec = one_pile("cases until n == 0 and m == 0", "n, m", 'output line "{n} {m}"')
    assert printed(spec, "0 1  2 0  0 0") == "0 1\n2 0\n"


def test_the_condition_is_tested_as_soon_as_its_names_are_read() -> None:
    spec = one_pile("cases until n == 0", "n, m", 'output line "{m}"')
    assert judged(spec, "1 7  2 8  0") == ("7\n8\n", None, [])
    assert judged(spec, "1 7  2 8  0 9").warnings == [
        "line 1: `9` and what follows stand after the last case and are not read"
    ]


def test_after_the_last_case_nothing_is_read() -> None:
    for cases, text in (("cases once", "5\nmore\n"), ("cases count", "1 5\nmore"), ("cases until n == 0", "5 0\nmore")):
        done = judged(one_pile(cases), text)
        assert (done.out, done.fault) == ("5\n", None)
        assert done.warnings == ["line 2: `more` and what follows stand after the last case and are not read"]


def test_nothing_is_read_without_an_input_clause() -> None:
    spec = f'game pile {ODD} start n = 4 output win "win" lose "lose"'
    assert judged(spec, "") == ("win\n", None, [])
    assert judged(spec, "5").warnings


# --- what is in a case -------------------------------------------------------------------------------------

SEVERAL = """
game several
given fast: bool
given shade: {red, green, blue}
state n: 0..9
move take when n > 0 do n -= 1
input cases until eof read shade, n, fast
output line "{shade} {n} {fast}"
"""


def test_names_and_truth_values() -> None:
    assert printed(SEVERAL, "red 1 true green 2 0 blue 3 false blue 4 1") == (
        "red 1 true\ngreen 2 false\nblue 3 false\nblue 4 true\n"
    )


def test_a_set_is_read_in_any_order_with_repetitions() -> None:
    spec = """
    game strike
    state open: set of 2..9
    move strike choose x in open do open -= {x}
    input cases until k == 0 read k, open[k]
    output line "{k} {size(open)} {min(open)}"
    """
    assert printed(spec, "4 9 2 2 5   1 7 0") == "4 3 2\n1 1 7\n"


def test_an_array_is_read_in_order() -> None:
    spec = """
    game heaps
    given n: 1..4
    state heap: array[1..n] of 0..9
    move take choose i in 1..n, k in 1..heap[i] do heap[i] -= k
    input cases count read n, heap[n]
    output line "{n}: {heap[1]} {heap[n]}"
    """
    assert printed(spec, "2\n3 7 8 9\n1\n5") == "3: 7 9\n1: 5 5\n"


def test_a_size_may_be_computed() -> None:
    spec = """
    game heaps
    state heap: array[1..3] of 0..9
    move take choose i in 1..3, k in 1..heap[i] do heap[i] -= k
    input cases until eof read m, heap[m / 2 + 1]
    output line "{heap[1]}{heap[2]}{heap[3]}"
    """
    assert printed(spec, "4 1 2 3  5 4 5 6") == "123\n456\n"


def test_rows_fill_arrays() -> None:
    spec = """
    game rows
    given n: 1..4
    given a: array[1..n] of 0..9
    given b: array[1..n] of 0..9
    state m: 0..9
    move take when m > 0 do m -= 1
    input cases until eof read n, [a, skipped, b] * n, m
    output line "{sum(a[i] for i in 1..n)} {b[1]} {b[n]} {m}"
    """
    assert printed(spec, "3  1 100 2  3 100 4  5 100 6  7") == "9 2 6 7\n"


NIM = """
game nim
sum
state n: 0..1000
move take choose k in 1..n do n -= k
input cases until eof read heaps, [n] * heaps
output line "{heaps} {grundy}"
"""


def test_rows_are_components() -> None:
    assert printed(NIM, "3 1 2 3  2 4 9  1 5") == "3 0\n2 13\n1 5\n"


def test_the_empty_sum_is_lost() -> None:
    assert printed(NIM, "0  1 6  0") == "0 0\n1 6\n0 0\n"


def test_a_sum_whose_fields_stand_outside_rows_has_one_component() -> None:
    spec = NIM.replace("heaps, [n] * heaps", "n").replace("{heaps}", "{n}")
    assert printed(spec, "3 4") == "3 3\n4 4\n"


def test_givens_of_the_case_and_of_the_component() -> None:
    spec = """
    game both
    sum
    given least: 1..9
    given most: 1..9
    state n: 0..20
    move take choose k in least..most when k <= n do n -= k
    input cases count read least, m, [most, n] * m
    output line "{least} {winning_moves}"
    """
    assert printed(spec, "2\n1 2  3 5  1 2\n2 1  3 7") == "1 1:1 2:1\n2 1:2\n"


def test_start_fills_what_is_not_read() -> None:
    spec = """
    game filled
    state lo: 0..10
    state hi: 0..30
    state row: array[1..3] of 0..9
    state left: set of 1..5
    state flag: bool
    start lo = 2, hi = width * 2 + 1, row[r] = (if r <= width then r else 0) for r in 1..3,
          left = 1..width, flag = width > 2
    move take when lo > 0 do lo -= 1
    input cases until eof read width
    output line "{lo} {hi} {row[1]}{row[2]}{row[3]} {size(left)} {flag}"
    """
    assert printed(spec, "0 2 3") == "2 1 000 0 false\n2 5 120 2 false\n2 7 123 3 true\n"


def test_read_beats_start() -> None:
    spec = f'game pile {ODD} start n = 4 input cases count read n output line "{{n}}"'
    assert printed(spec, "2 5 6") == "5\n6\n"


def test_start_fills_components() -> None:
    spec = """
    game filled
    sum
    given size: 0..9
    state n: 0..9
    start n = size
    state back: 0..9
    move take choose k in 1..n do n -= k
    input cases until eof read m, [size, back] * m
    output line "{grundy}"
    """
    assert printed(spec, "2 5 1 6 2  1 4 0") == "3\n4\n"


def test_numbers_up_to_127_bits() -> None:
    spec = """
    game wide
    state n: -(2 ** 126)..2 ** 126
    move no when n == 3 do n -= 1
    input cases until eof read n
    output line "{n}"
    """
    numbers = [2**126, -(2**126), 2**64, 2**63, -(2**63), 0]
    assert printed(spec, " ".join(map(str, numbers))) == "".join(f"{number}\n" for number in numbers)


def test_a_case_may_be_longer_than_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamespec.run.token.PIECE", 4)
    monkeypatch.setattr("gamespec.run.token.SMALLEST_PIECE", 4)
    assert printed(NIM, "3 1 2 3  2 40 90  1 5") == "3 0\n2 114\n1 5\n"
    assert printed(one_pile("cases until eof"), "11 222 333 1 2 3 999") == "11\n222\n333\n1\n2\n3\n999\n"
    assert printed(SEVERAL, "red 1 true green 2 0") == "red 1 true\ngreen 2 false\n"


def test_no_input_clause() -> None:
    """Without `input` only a spec whose `start` gives every field has something to answer."""
    rule = "move take choose k in {1, 3} when k <= n do n -= k\n"
    done = judged(f"game g\nstate n: 0..9\n{rule}", "5\n")
    assert done.message == "the spec has no `input`, so nothing says how `n` is read"
    assert not done.out
    assert printed(f'game g\nstate n: 0..9\nstart n = 5\n{rule}output line "{{outcome}}"', "") == "win\n"


RED_STARTS = """
game red_starts
players blue, red
sum
state h: 0..8
{start}move m by blue choose d in 1..2 when d <= h do h -= d
input cases until eof read {read}
output win "W {{winner}} {{first}}" lose "L {{winner}} {{first}}"
"""


@pytest.mark.parametrize(
    ("start", "read", "text", "movers"),
    [
        ("", "mover, k, [h] * k", "red 0  blue 0  red 2 0 0  blue 1 0", "red blue red blue"),
        ("start mover = red\n", "k, [h] * k", "0  2 0 0", "red red"),
        ("start mover = if who == 1 then red else blue\n", "who, k, [h] * k", "1 0  0 0  1 1 0", "red blue red"),
        ("start into (n) for n in 1..top - 1\n", "mover, top", "red 0  blue 0", "red blue"),
    ],
)
def test_who_is_to_move_where_there_are_no_components(start: str, read: str, text: str, movers: str) -> None:
    others = {"red": "blue", "blue": "red"}
    lost = "".join(f"L {others[mover]} {mover}\n" for mover in movers.split())
    assert printed(RED_STARTS.format(start=start, read=read), text) == lost
