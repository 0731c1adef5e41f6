"""What is printed, byte for byte."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.diagnostics import SpecError
from gamespec.game.model import Choice, Game, Output
from tests.run.judge import judged, printed

PILE = """
game pile
state n: 0..100
move take choose k in {1, 3} when k <= n do n -= k
input cases until eof read n, m
"""


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        ('win "W" lose "L"', ["L", "W", "L"]),
        ('lose "L" win "W"', ["L", "W", "L"]),
        ('win "" lose "L"', ["L", "", "L"]),
        (
            'line "{case}: {n}/{m}" win "yes" lose "no" line ""',
            ["1: 0/7", "no", "", "2: 1/-7", "yes", "", "3: 2/70", "no", ""],
        ),
        ('win "{n} wins" lose "{m} loses" win "a" lose "b"', ["7 loses", "b", "1 wins", "a", "70 loses", "b"]),
        ('line "{outcome} {grundy} {winning_count}"', ["lose 0 0", "win 1 1", "lose 0 0"]),
        (
            'line "[{n:4d}] [{m:<4d}] [{m:^5d}] [{m:04d}]"',
            ["[   0] [7   ] [  7  ] [0007]", "[   1] [-7  ] [ -7  ] [-007]", "[   2] [70  ] [ 70  ] [0070]"],
        ),
        (
            'line "{{{n}}} {n + m * 2} {n < m} {if n == 1 then m else 5}"',
            ["{0} 14 true 5", "{1} -13 false -7", "{2} 142 true 5"],
        ),
        ('line "{m / (n + 1)} {max(n, m)}"', ["7 7", "-4 1", "23 70"]),
        ('line "a\\nb"', ["a", "b"] * 3),
        ('line "\u00e9{winning_moves}\u00e9"', ["\u00e9\u00e9", "\u00e91\u00e9", "\u00e9\u00e9"]),
    ],
)
def test_output(output: str, lines: list[str]) -> None:
    spec = PILE.replace("game pile", "game pile given m: -1000..1000") + "output " + output
    assert printed(spec, "0 7  1 -7  2 70") == "".join(f"{line}\n" for line in lines)


def test_without_an_output_clause() -> None:
    assert printed(PILE, "0 7 1 7") == "lose\nwin\n"


def test_documented_number_game() -> None:
    spec = """
    game number_game
    param top = 20
    state open: set of 2..top
    let struck = (2..top) - open
    move strike choose x in open do open -= closure({x} | struck, x, top)
    input cases until k == 0 read k, open[k]
    output line "Test Case #{case}"
           win "The winning moves are: {winning_moves}"
           lose "There's no winning move."
           line ""
    """
    assert printed(spec, "2 2 5\n2 2 3\n5 2 3 4 5 6\n0\n") == (
        "Test Case #1\nThe winning moves are: 2\n\n"
        "Test Case #2\nThere's no winning move.\n\n"
        "Test Case #3\nThe winning moves are: 4 5 6\n\n"
    )


def test_documented_stone_game() -> None:
    spec = """
    game stone_game
    sum
    given size: 0..1_000_000
    state stones: 0..size
    move add
        choose k in 1..min(stones * stones, size - stones)
        do stones += k
    input cases until n == 0 read n, [size, stones] * n
    output line "Case {case}:" win "Yes" lose "No"
    """
    assert printed(spec, "2\n2 0\n3 3\n2\n6 2\n6 3\n1\n6 3\n0\n") == "Case 1:\nNo\nCase 2:\nYes\nCase 3:\nYes\n"


@pytest.mark.parametrize(
    ("start", "moves", "answer"),
    [
        (6, "move take choose k in 1..3 when k <= n do n -= k", "2"),
        (6, "move one when n >= 1 do n -= 1 move two when n >= 2 do n -= 2 move three when n >= 3 do n -= 3", "two"),
        (6, "move a choose k in {1, 3} when k <= n do n -= k move b when n >= 2 do n -= 2", "b"),
        (2, "move b when n >= 2 do n -= 2 move a choose k in 1..3 when k <= n do n -= k", "b a:2"),
        (2, "move only when n >= 2 do n -= 2", "only"),
        (3, "move two choose k in 1..2, j in 0..1 when k + j <= n do n -= k + j", "2,1"),
        (5, "move two choose k in 1..2, j in 0..1 when k + j <= n do n -= k + j", "1,0"),
        (4, "move two choose k in 1..2, j in 0..1 when k + j <= n do n -= k + j", ""),
        (6, "move two choose k in 1..2, j in 0..1 when k + j <= n do n -= k + j", "1,1 2,0"),
        (5, "move go choose k in 1..2, sure in {false, true} when k <= n and (sure or k == 1) do n -= k", "2,true"),
    ],
)
def test_winning_moves(start: int, moves: str, answer: str) -> None:
    output = 'output line "{winning_moves}|{winning_move}"'
    spec = f"game g state n: 0..100 {moves} input cases until eof read n {output}"
    assert printed(spec, str(start)) == f"{answer}|{answer.partition(' ')[0]}\n"


def test_winning_moves_of_names() -> None:
    spec = """
    game g
    state last: {none, left, right}
    move go choose to in {left, right} when last == none do last = to
    input cases once read last
    output line "{winning_moves} {last}"
    """
    assert printed(spec, "none") == "left right none\n"
    assert printed(spec, "left") == " left\n"


def test_winning_moves_of_a_sum_name_the_component() -> None:
    spec = """
    game g
    sum
    state n: 0..20
    move take choose k in 1..n do n -= k
    move split choose a in 1..n - 1 into (a), (n - a)
    input cases until eof read m, [n] * m
    output line "{winning_count}: {winning_moves}"
    """
    # Lasker's Nim: heaps of 1, 2, 3, 4 are worth 1, 2, 4, 3
    assert printed(spec, "3 1 2 4\n2 2 2\n2 3 1") == "0: \n0: \n1: 1:take:2\n"
    assert printed(spec, "1 2  2 2 1") == "2: 1:take:2 1:split:1\n1: 1:take:1\n"


def test_misere_moves() -> None:
    spec = """
    game g
    state n: 0..20
    move take choose k in 1..3 when k <= n do n -= k
    winner stuck player
    input cases until eof read n
    output win "{winning_moves}" lose "lost"
    """
    assert printed(spec, "0 1 2 3 4 5") == "\nlost\n1\n2\n3\nlost\n"


def test_equal_choices_are_one_move_and_equal_results_are_two() -> None:
    spec = """
    game g
    state n: 0..9
    move take choose k in {1, 1, 2} when n == 3 do n = 0
    input cases until eof read n
    output line "{winning_count} {winning_moves}"
    """
    assert printed(spec, "3") == "2 1 2\n"


def test_an_outcome_without_a_text() -> None:
    game = gamespec.loads(PILE + 'output win "W" lose "L"')
    (choice,) = game.output.entries
    assert isinstance(choice, Choice)
    poor = _with_output(game, Choice({"win": choice.texts["win"]}, choice.span))
    assert judged(poor, "1 1 3 1").out == "W\nW\n"
    done = judged(poor, "1 1 2 1")
    assert done.fault is not None
    assert done.fault.code == "GS213"
    assert done.message == "case 2 is lost for the player to move, and the output says nothing for that"
    assert SpecError.exit_code == 1


def _with_output(game: Game, *output: Choice) -> Game:
    import msgspec

    return msgspec.structs.replace(game, output=Output(output))
