"""Output of games with players, draws and scores; winning moves in words of one's own; joined answers; components."""

from __future__ import annotations

import gamespec
from tests.run.judge import judged, printed

RACE = """
game race
players x, o
state n: 0..9
move step by x choose k in {1, 2} when k <= n do n -= k
move leap by o choose k in {1, 3} when k <= n do n -= k
"""
DRAWN = """
game drawn
players x, o
state n: 0..9
move take choose k in {1, 3} when k <= n do n -= k
terminal draw when n == 2
input cases until eof read mover, n
"""
DATES = """
game dates
state m: 0..9
state d: 0..9
move month when m > 0 do m -= 1
move day choose k in 1..2 when k <= d do d -= k
input cases until eof read m, d
"""
ENDS = """
game ends
given n: 1..9
given v: array[1..n] of 0..99
state lo: 1..n + 1
state hi: 0..n
start lo = 1, hi = n
move left  when lo <= hi do lo += 1 gain v[lo]
move right when lo <= hi do hi -= 1 gain v[hi]
winner highest score
input cases until eof read n, v[n]
"""


def test_outcomes_of_games_with_draws() -> None:
    words = 'output win "{mover} wins" lose "{other} wins" draw "draw" line "{outcome}"'
    assert printed(DRAWN + words, "x 0 o 1 x 2 o 3 o 4 x 5") == (
        "o wins\nlose\no wins\nwin\ndraw\ndraw\no wins\nwin\nx wins\nlose\nx wins\nwin\n"
    )


def test_the_winner_as_a_value() -> None:
    text = "{if outcome == draw then 0 else if winner == x then 1 else 2}"
    assert printed(DRAWN + f'output line "{text} {{first}}"', "x 0 o 0 x 2 x 1") == "2 x\n1 o\n0 x\n1 x\n"
    behind = DRAWN + 'output win "{winner}." lose "{winner}" draw "-"'
    assert printed(behind, "x 0 o 0 x 2 x 1") == "o\nx\n-\nx.\n"


def test_an_outcome_without_a_text_is_a_fault_where_it_occurs() -> None:
    done = judged(DRAWN + 'output win "w" lose "l"', "x 1 x 2")
    assert done.message == "case 2 is drawn, and the output says nothing for that"


def test_outcome_classes() -> None:
    words = 'input cases until eof read n output left "L" right "R" next "N" previous "P"'
    game = gamespec.loads(RACE + words)
    expected = {0: "P", 1: "N", 2: "L", 3: "R"}
    found = printed(game, " ".join(map(str, expected)))
    assert found.split() == [klass(n) for n in expected]


def klass(n: int) -> str:
    def wins(who: int, n: int) -> bool:
        steps = ((1, 2), (1, 3))[who]
        return any(k <= n and not wins(1 - who, n - k) for k in steps)

    return {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[wins(0, n), wins(1, n)]


def test_the_mover_does_not_change_the_class() -> None:
    words = 'input cases until eof read mover, n output left "L" right "R" next "N" previous "P" line "{mover}"'
    text = " ".join(f"{who} {n}" for n in range(10) for who in "xo")
    lines = printed(RACE + words, text).split()
    assert lines == [word for n in range(10) for who in "xo" for word in (klass(n), who)]


def test_scores() -> None:
    words = 'output line "{score} {(sum(v[i] for i in 1..n) + score) / 2}" win "+" lose "-" draw "="'
    assert printed(ENDS + words, "4 10 80 90 30 2 5 5 3 1 9 1") == "10 110\n+\n0 5\n=\n-7 2\n-\n"


def test_distances() -> None:
    lines = printed(DRAWN + 'output line "{outcome} {distance:3d}"', "x 0 x 1 x 2 x 4")
    assert lines == "lose   0\nwin   1\ndraw   0\nlose   2\n"


def test_winning_moves_in_words_of_ones_own() -> None:
    spec = DATES + 'output win "{move} to {after(m)}.{after(d)}" lose "none" line "{winning_moves: after(m), after(d)}"'
    assert printed(spec, "1 0 0 0 1 1 0 2") == "month to 0.0\n0 0\nnone\n\nnone\n\nday to 0.0\n0 0\n"


def test_values_of_winning_moves_with_a_comma_or_a_blank() -> None:
    text = "{winning_moves: m,d} {winning_moves: m, max(d,m)} {winning_moves: m,d,m + d, d}"
    rules = "game g state n: 0..9 move take choose m in 1..2, d in 3..4 when n > 0 and m + d > 4 do n = 0 "
    assert (
        printed(rules + f'input read n output line "{text}"', "5")
        == "1,4 2,3 2,4 1 4 2 3 2 4 1,4,5 4 2,3,5 3 2,4,6 4\n"
    )


def test_a_line_for_every_winning_move() -> None:
    spec = DATES + 'output line "{winning_count}" winning "{after(m) + after(d)} {move}"'
    plain = printed(spec, "3 2 0 0")
    distinct = printed(spec + ' winning "{after(m) + after(d) - after(d) - after(m)}" distinct', "3 2 0 0")
    assert plain.splitlines()[-1] == "0"
    assert int(plain.splitlines()[0]) == len(plain.splitlines()) - 2
    assert distinct.count("0\n") == 2


def test_order_decides_which_comes_first() -> None:
    rules = "game g state n: 0..9 move take choose k in 1..3 when n > 0 do n = 0 "
    spec = rules + 'input read n output line "{k}: {winning_moves: k}"'
    assert printed(spec, "5") == "1: 1 2 3\n"
    assert printed(spec + " order -k", "5") == "3: 3 2 1\n"
    assert printed(spec + " order k % 2, -k", "5") == "2: 2 3 1\n"


def test_names_of_moves_are_values_in_texts() -> None:
    """Also where they are compared with, as `{move}` has them; another meaning in a text goes first."""
    spec = DATES + 'output winning "{if move == month then 0 else k}" order if move in {day} then 0 else 1, after(d)'
    assert printed(spec, "2 1  1 2") == "1\n0\n1\n"
    assert printed(spec.replace("then 0 else 1,", "then 1 else 0,"), "2 1") == "0\n1\n"
    assert printed(DATES + 'output win "{move == day} {day} {move}" lose "-"', "0 1  1 0  0 3") == (
        "true day day\nfalse day month\n-\n"
    )


def test_order_among_equal_components() -> None:
    spec = (
        "game heaps sum given step: 1..9 state n: 0..99 move take choose k in 1..n / step do n -= k * step "
        'input cases until eof read m, [step, n] * m output winning "{component} {k} {step}" order '
    )
    heaps = "5 1 2 1 4 2 8 1 2 1 4"
    assert printed(spec + "-k, component", heaps) == "2 4 1\n3 4 2\n5 4 1\n"
    assert printed(spec + "-component", heaps) == "5 4 1\n3 4 2\n2 4 1\n"
    assert printed(spec + "-step", heaps) == "3 4 2\n2 4 1\n5 4 1\n"


def test_a_name_that_the_winning_move_does_not_choose() -> None:
    done = judged(DATES + 'output win "{k}" lose ""', "1 0")
    assert done.message == "case 1: the winning move is `month`, which chooses no `k`"


def test_components_in_texts() -> None:
    spec = """
    game heaps
    sum
    state n: 0..99
    move take choose k in 1..n do n -= k
    input cases until eof read h, [n] * h
    output win "{component}: {k} of {n}, {after(n)} stay" lose "{component}{k}" order -k
    """
    assert printed(spec, "2 3 5 2 1 1 3 1 2 4") == "2: 2 of 5, 3 stay\n\n3: 1 of 4, 3 stay\n"


def test_joined_answers() -> None:
    spec = "game g given a: 0..9 state n: 0..9 move take choose k in 1..2 when k <= n do n -= k input"
    levels = " cases until a == 9 read a queries cases count read n"
    words = ' output joined "-" win "W{query}" lose "L{case}"'
    assert printed(spec + levels + words, "1 3 0 1 3 2 0 3 1 5 9") == "L1-W2-L1\n\nW1\n"
    every = " cases until eof read a, n"
    assert printed(spec + every + ' output joined "" win "W" lose "L"', "0 1 0 3 0 5") == "WLW\n"
    assert printed(spec + every + ' output joined "" win "W" lose "L"', "") == ""
    done = judged(spec + levels + words, "1 3 0 1 x")
    assert done.out == "L1-W2\n"
    assert done.message == "case 1, query 3, line 1: `x` is not a whole number; `n` must be in 0..9"


def test_numbers_of_cases_and_queries() -> None:
    spec = """
    game g
    given a: 0..9
    state n: 0..9
    move take choose k in 1..2 when k <= n do n -= k
    input cases count read a queries cases for n in a..a + 1
    output line "{case}.{query} {a} {n}"
    """
    assert printed(spec, "2 3 5") == "1.1 3 3\n1.2 3 4\n2.1 5 5\n2.2 5 6\n"


PINS = """
game pins
sum
given n: 1..20
given pin: array[1..n] of {up, gap}
state row: 0..9
start into (min({n + 1} | {j for j in i..n if pin[j] == gap}) - i)
    for i in 1..n if pin[i] == up and (i == 1 or pin[i - 1] == gap)
move one choose i in 0..row - 1 into (i), (row - 1 - i)
move two choose i in 0..row - 2 into (i), (row - 2 - i)
input cases until eof read pin[n] as word "IX"
output win "WIN {winning_count}" lose "LOSE"
"""


def test_components_from_the_data() -> None:
    assert printed(PINS, "IXXI XIIX IIXII IIIII XXX") == "LOSE\nWIN 1\nLOSE\nWIN 1\nLOSE\n"


def test_components_that_do_not_exist() -> None:
    done = judged(PINS, "I IIIIIIIIII")
    assert done.out == "WIN 1\n"
    assert done.message == "case 2: with this input `start` makes `row` 10; it must be in 0..9"


def test_a_spec_without_input() -> None:
    spec = "game g players x, o state n: 0..9 start n = 4 move take by x do n = 0 move put by o when n > 5 do n = 0"
    assert printed(spec + ' output line "{winner}"', "") == "x\n"
    into = "game g sum state n: 0..9 start into (3), (5) move take choose k in 1..n do n -= k"
    assert printed(into + ' output line "{grundy}"', "") == "6\n"


def test_answers_in_the_keys_of_order() -> None:
    rules = "game g state n: 0..9 move take choose k in 1..4 when k <= n do n = if n > 4 then 0 else n - k "
    spec = rules + 'input cases until eof read n output line "{winning_moves}" order if distance > 2 then k else -k'
    assert printed(spec, "9 8 3") == "4 3 2 1\n4 3 2 1\n3\n"
    keyed = spec.replace("distance > 2", "distance + 2 > 2")
    assert printed(keyed, "9 8 3") == "1 2 3 4\n1 2 3 4\n3\n"
