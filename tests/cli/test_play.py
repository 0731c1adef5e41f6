"""Games played over a pipe: what is drawn, what may be typed, and who wins."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from gamespec.cli.main import run
from gamespec.play.screen import Terminal

NOUGHTS = """\
game noughts "Three in a row."
rules "Players mark empty squares in turn."
players x, o
state board: array[1..3, 1..3] of {empty, x, o}
let marks(p) = count(board[r, c] == p for r in 1..3 for c in 1..3)
start mover = if marks(x) == marks(o) then x else o
move mark choose r in 1..3, c in 1..3 when board[r, c] == empty do board[r, c] = mover
terminal
    mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
    draw when stuck
input cases until eof read board[3, 3] as chars ".xo"
"""

HEXAPAWN = """\
game hexapawn
players white, black
state board: array[1..3, 1..3] of {empty, white, black}
let ahead = if mover == white then 1 else -1
start board[r, c] = (if r == 1 then white else if r == 3 then black else empty) for r in 1..3 for c in 1..3
move step
    choose r in 1..3, c in 1..3
    when board[r, c] == mover and r + ahead in 1..3 and board[r + ahead, c] == empty
    do board[r, c] = empty, board[r + ahead, c] = mover
move take
    choose r in 1..3, c in 1..3, d in {c - 1, c + 1}
    when board[r, c] == mover and r + ahead in 1..3 and d in 1..3 and board[r + ahead, d] == other
    do board[r, c] = empty, board[r + ahead, d] = mover
terminal
    white wins when any(board[3, c] == white for c in 1..3)
    black wins when any(board[1, c] == black for c in 1..3)
"""

HEAPS = "game heaps\nsum\nstate n: 0..100\nmove take choose k in 1..n do n -= k\n"

PILES = """\
game piles
given most: 1..9
state box: array[1..3] of 0..9
move take choose i in 1..3, k in 1..min(most, box[i]) do box[i] -= k
winner stuck player
"""

WORDS = """\
game words
given m: 0..6
given pattern: array[1..6] of {L, R}
state length: 0..6
state cells: array[1..6] of {gap, left, right}
move drop when length > 0 do length -= 1
input read pattern[m] as word "LR", cells[length] as word ".lr"
"""

LIST = """\
game list
given n: 1..9
given words: array[1..n, 1..4] of {end, a, b, c}
state length: 0..4
state left: set of 1..n
start length = 0, left = 1..n
move say
    choose letter in {a, b, c}
    when length < 4 and any(words[i, length + 1] == letter for i in left)
    do left = {i for i in left if words[i, length + 1] == letter}, length += 1
input read n, [words[k] as word "_abc"] * n
"""

COINS = "game coins\nstate n: 0..60\nmove take choose k in {1, 3, 4} when k <= n do n -= k\n"

ROW = """\
game row
given v: array[1..4] of 0..99
state lo: 1..5
state hi: 0..4
start lo = 1, hi = 4
move left when lo <= hi do lo += 1 gain v[lo]
move right when lo <= hi do hi -= 1 gain v[hi]
winner highest score
"""

WALK = """\
game walk
players a, b
state at: array[0..4] of {empty, a, b}
start at[i] = (if i == 0 then a else if i == 4 then b else empty) for i in 0..4
move go choose i in 0..4, j in {i - 1, i + 1} when at[i] == mover and j in 0..4 and at[j] == empty
    do at[i] = empty, at[j] = mover
ENDLESS
"""

PACE = """\
game pace
players a, b
state at: 0..3
move step choose d in {at - 1, at + 1} when d in 0..3 do at = d
endless VERDICT
"""

SPLIT = """\
game split
sum
state n: 0..20
start into (1), (5)
move take choose k in 1..min(2, n), a in 0..n - k into (a), (n - k - a)
winner stuck player
"""

STRINGS = """\
game strings
players blue, red
sum
state height: 0..5
given edge: array[1..5] of {blue, red}
move cut choose i in 1..height when edge[i] == mover do height = i - 1
input cases count read k, [height, edge[5]] * k
"""

LOOPS = """\
game loops
sum
state at: 0..6
let back = if at == 4 then {3, 2} else if at == 3 then {4} else if at == 6 then {5, 3} else {at - 1}
let on = if at == 0 then {} else back
move step choose d in on do at = d
endless draw
"""

HUGE = """\
game huge
players x, o
state board: array[1..7, 1..6] of {empty, x, o}
start board = empty
move drop choose c in 1..7, r in 1..6
    when board[c, r] == empty and (r == 1 or board[c, r - 1] != empty)
    do board[c, r] = mover
terminal
    mover loses when any(all(board[q] == other for q in line) for line in lines(board, 4))
    draw when stuck
"""

WINNING = ("x", "x", "x", "empty", "o", "o", "empty")

SPECS = {
    "noughts": NOUGHTS,
    "hexapawn": HEXAPAWN,
    "heaps": HEAPS,
    "piles": PILES,
    "coins": COINS,
    "row": ROW,
    "walk": WALK.replace("ENDLESS", "endless draw"),
    "pace": PACE.replace("VERDICT", "draw"),
    "chase": PACE.replace("VERDICT", "b wins"),
    "loop": WALK.replace("ENDLESS", ""),
    "split": SPLIT,
    "strings": STRINGS,
    "loops": LOOPS,
    "huge": HUGE,
    "words": WORDS,
    "list": LIST,
}


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Plays a game with some words of the command line, and lines typed; returns what is printed."""
    monkeypatch.chdir(tmp_path)

    def call(name: str, *words: str, typed: str = "", status: int = 0) -> str:
        Path(f"{name}.game").write_text(SPECS[name])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode(errors="surrogateescape"))))
        code = run(["play", f"{name}.game", *words])
        captured = capsys.readouterr()
        assert code == status, captured.err
        return captured.err if status else captured.out

    return call


def grid(text: str) -> str:
    """A drawing without the spaces that make it wide."""
    return "\n".join(line.strip() for line in text.splitlines())


# --- what is shown -----------------------------------------------------------------------------------------


def test_a_board_is_a_grid_with_indices_and_marked_moves(play) -> None:
    assert play("noughts", "board=x.o/.o./..x", "--both") == (
        "noughts: Three in a row.\n"
        ". empty\n"
        "You move for both. `help` lists the commands.\n"
        "\n"
        "    1 2 3\n"
        "  1 x . o\n"
        "  2 . o .\n"
        "  3 . . x\n"
        "x to move, won in 3 with best play:\n"
        "  1  1,2  lost in 2\n"
        "  2  2,1  lost in 2\n"
        "  3  2,3  lost in 2\n"
        "  4  3,1  won in 3 *\n"
        "  5  3,2  lost in 2\n"
        "> \n"
    )


def test_boards_row_by_row_are_the_same(play) -> None:
    rows = "board=[[x,empty,o],[empty,o,empty],[empty,empty,x]]"
    assert play("noughts", rows) == play("noughts", "board=x.o/.o./..x")


def test_letters_stand_for_names(play) -> None:
    shown = play("hexapawn")
    assert ". empty, w white, b black\n" in shown
    assert "    1 2 3\n  1 w w w\n  2 . . .\n  3 b b b\n" in shown


def test_components_are_numbered_heaps_of_stones(play) -> None:
    shown = play("heaps", "n=3", "n=0", "n=5")
    assert "1:  n = 3  ooo\n2:  n = 0\n3:  n = 5  ooooo\n" in shown
    assert re.search(r"^ +5  3:2  won, leaves 0 \*$", shown, re.MULTILINE)
    assert re.search(r"^ +1  1:1  lost, leaves 7$", shown, re.MULTILINE)


def test_rows_of_heaps_and_givens(play) -> None:
    shown = play("piles", "most=2", "box=[1,0,3]")
    assert "most = 2\n" in shown
    assert "box[1] = 1  o\nbox[2] = 0\nbox[3] = 3  ooo\n" in shown


def test_a_row_of_names_has_its_indices(play) -> None:
    assert "     0 1 2 3 4\n  at a . . . b\n" in play("walk")


def test_only_what_is_in_use_of_measured_words_is_shown(play) -> None:
    shown = play("words", "length=2", "cells=lr....", "m=3", "pattern=LRLLLL", typed="drop\n")
    assert "m = 3, pattern = LRL\n" in shown
    lines = [line.split() for line in shown.splitlines()]
    assert [pair for pair in pairwise(lines) if "cells" in pair[1]] == [
        (["1", "2"], ["cells", "l", "r"]),
        (["1"], ["cells", "l"]),
        ([], ["cells", "=", "[]"]),
    ]


def test_tables_of_words_are_written_row_by_row(play) -> None:
    shown = play("list", "n=3", "words=ab/b/cab", typed="")
    assert "n = 3, words = ab/b/cab\n" in shown
    assert "  1  a  " in shown


def test_scores_are_marked_with_differences_and_counted(play) -> None:
    shown = play("row", "v=[3,9,1,2]", "--both", typed="right\nauto\n")
    assert "The first player to move, best difference +7:\n  1  left   -5\n  2  right  +7 *\n" in shown
    assert "score: the first player 2, the second player 0\n" in shown
    assert "The first player wins after 4 moves, 11 to 4.\n" in shown
    assert "lo = 1\n" in shown  # places, no heaps


def test_long_lists_are_cut(play) -> None:
    shown = play("heaps", "n=50", typed="moves\n")
    first, second = shown.split("> moves\n")
    assert first.endswith("… and 10 more; `moves` lists all\n")
    assert re.search(r"^ +50  1:50  won, leaves 0 \*$", second, re.MULTILINE)


# --- who wins ----------------------------------------------------------------------------------------------


def test_perfect_play_draws_at_noughts_and_crosses(play) -> None:
    shown = play("noughts", "--auto")
    assert shown.endswith("A draw after 9 moves.\nx has no move.\n") or shown.endswith("o has no move.\n")
    assert "> " not in shown


def test_the_second_player_wins_hexapawn(play) -> None:
    end = "black wins after 6 moves.\nany(board[1, c] == black for c in 1..3)  (line 16 of the spec)\n"
    assert play("hexapawn", "--auto").endswith(end)


@pytest.mark.parametrize(
    ("heaps", "winner"), [("3 4 5", "first"), ("1 2 3", "second"), ("7", "first"), ("2 2", "second")]
)
def test_heaps_end_as_their_sum_says(play, heaps: str, winner: str) -> None:
    shown = play("heaps", *(f"n={n}" for n in heaps.split()), "--auto", "--seed", "7")
    assert f"The {winner} player wins after" in shown


def test_the_winner_hurries_and_the_loser_delays(play) -> None:
    shown = play("coins", "n=20", "--both")
    plies = int(re.search(r"won in (\d+) with best play", shown)[1])  # type: ignore[index]
    assert f"wins after {plies} moves." in play("coins", "n=20", "--auto")


@pytest.mark.parametrize("side", ["x", "o", "first", "second"])
def test_the_computer_answers_for_the_other_side(play, side: str) -> None:
    shown = play("noughts", "--as", side, typed="1\n")
    you = {"first": "x", "second": "o"}.get(side, side)
    other = "xo".replace(you, "")
    assert f"You are {you}." in shown
    plays = re.findall(r"^([xo]) plays", shown, re.MULTILINE)
    assert plays == ([you, other] if you == "x" else [other, you, other])
    assert shown.count(f"{you} to move") == 2


def test_first_is_who_moves_first_from_the_position(play) -> None:
    assert "You are o." in play("noughts", "board=x../.../...", "--as", "first")
    assert "You are black." in play("hexapawn", "mover=black")


def test_seeds_choose_among_equally_good_moves(play) -> None:
    plays = {play("noughts", "--auto", "--seed", str(seed)) for seed in range(5)}
    assert len(plays) > 1
    assert all("A draw after 9 moves." in shown for shown in plays)
    assert play("noughts", "--auto", "--seed", "3") == play("noughts", "--auto", "--seed", "3")


def test_misere_piles(play) -> None:
    shown = play("piles", "most=9", "box=[1,2,3]", "--auto")
    assert "The second player wins" in shown
    assert shown.endswith("The second player has no move.\n")


def test_a_misere_sum_is_played_as_a_whole(play) -> None:
    """Misère Kayles with heaps of one and of five: lost, though no sum of values says so."""
    shown = play("split", "--both", typed="go\n" * 5)
    assert re.findall(r"to move, (.*) with best play", shown) == [
        "lost in 5",
        "won in 4",
        "lost in 3",
        "won in 2",
        "lost in 1",
    ]
    assert "more without a move\n" in shown
    assert "wins after 5 moves.\nThe second player has no move.\n" in shown


def test_strings_of_two_players(play) -> None:
    edges = ["edge=[blue,red,blue,blue,blue]", "edge=[red,blue,red,red,red]"]
    shown = play("strings", "height=2", "height=3", *edges, "--auto")
    assert "2:  edge = [red, blue, red, red, red]\n    height = 3\n" in shown
    assert "red wins after 4 moves.\nblue has no move.\n" in shown


def test_the_winner_of_a_sum_with_loops_comes_nearer_to_the_end(play) -> None:
    shown = play("loops", "at=6", "at=2", "--both", typed="go\n" * 7)
    assert re.findall(r"to move, (won|lost) in (\d)", shown) == [
        ("won" if plies % 2 else "lost", str(plies)) for plies in range(7, 0, -1)
    ]


# --- what is typed -----------------------------------------------------------------------------------------


def test_moves_by_number_by_text_and_in_words(play) -> None:
    for typed in ("1", "step:1,1", "step 1 1", "step 1,1"):
        assert "white plays step:1,1\n" in play("hexapawn", "--both", typed=f"{typed}\n")
    for typed in ("5", "2:2", "2 2", "2 take 2"):
        assert "The first player plays 2:2\n" in play("heaps", "n=3", "n=4", "--both", typed=f"{typed}\n")


def test_a_number_is_the_move_that_is_written_so(play) -> None:
    shown = play("coins", "n=9", "--both", typed="3\n#3\n2\n")
    assert "  #2  3  " in shown
    assert re.findall(r"plays (\d)", shown) == ["3", "4"]
    assert "`2` is no move here; `moves` lists all moves, `help` the commands.\n" in shown


def test_undo_takes_back_the_answer_too_and_redo_makes_it_again(play) -> None:
    shown = play("noughts", typed="5\n1\nundo\nredo\nundo\nundo\nundo\nredo\nredo\nredo\n")
    boards = re.findall(r"    1 2 3\n  1 (.*)\n  2 (.*)\n  3 (.*)\nx to move", shown)
    start, one, two = boards[0], boards[1], boards[2]
    assert start == (". . .",) * 3
    assert boards == [start, one, two, one, two, one, start, one, two]
    assert shown.count("There is nothing to take back.\n") == 1
    assert shown.count("Nothing was taken back.\n") == 1


def test_a_new_move_forgets_what_was_taken_back(play) -> None:
    shown = play("noughts", "--both", typed="1\nundo\n2\nredo\nundo\n")
    assert re.findall(r"x plays (.*)", shown) == ["1,1", "1,2"]
    assert "Nothing was taken back.\n" in shown


def test_undo_after_the_end(play) -> None:
    shown = play("coins", "n=1", typed="1\nmoves\nundo\n")
    assert "The first player wins after 1 move.\nThe second player has no move.\n" in shown
    assert "The game is over; `undo`, `new` or `quit`.\n" in shown
    assert shown.count("The first player to move") == 2


def test_hints(play) -> None:
    shown = play("noughts", "board=x.o/.o./..x", "--both", typed="hints off\nhint\nmoves\nhints on\n")
    off, on = shown.split("> moves\n")
    assert "Hints are off.\n> hint\n3,1: won in 3\n" in off
    assert "  1  1,2\n" in on
    assert "lost" not in on.split("> hints on")[0]
    assert "lost in 2" in on.split("> hints on")[1]


def test_go_new_show_rules_help(play) -> None:
    shown = play("coins", "n=4", "--both", typed="go\nnew\nshow\nrules\nhelp\nquit\n1\n")
    assert "The first player plays 4\n" in shown
    assert shown.count("n = 4  oooo\n") == 3
    assert "The spec does not tell the rules in words.\n" in shown
    assert "take back your last move" in shown
    assert shown.endswith("> quit\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("99", "There is no move number 99; the list has 9."),
        ("0", "There is no move number 0; the list has 9."),
        ("9,9", "`9,9` is no move here; `moves` lists all moves, `help` the commands."),
        ("hnit", "`hnit` is no move here; did you mean `hint`?"),
        ("\x1b[2J", "`␛[2J` is no move here; `moves` lists all moves, `help` the commands."),
        ("\udcff", "`�` is no move here; `moves` lists all moves, `help` the commands."),
        ("x" * 9000, "`" + "x" * 59 + "…` is no move here; `moves` lists all moves, `help` the commands."),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(play, typed: str, said: str) -> None:
    shown = play("noughts", "--both", typed=f"{typed}\n5\n")
    assert f"{said}\n> 5\nx plays 2,2\n" in shown


def test_words_that_mean_several_moves(play) -> None:
    shown = play("hexapawn", "--both", typed="1,2\n2 1\n1 1\n")
    assert "white plays step:1,2\n" in shown  # only `step` fits
    assert "`2 1` is no move here" in shown


def test_a_command_that_is_a_move_too(play) -> None:
    SPECS["named"] = "game named\nstate n: 0..9\nmove undo do n -= 1 when n > 0\n".replace(
        "do n -= 1 when n > 0", "when n > 0 do n -= 1"
    )
    shown = play("named", "n=3", "--both", typed="undo\n/undo\n/undo\nhelp\n")
    assert shown.count("The first player plays undo\n") == 1
    assert "There is nothing to take back.\n" in shown
    assert "/undo" in shown


@pytest.mark.parametrize("typed", ["", "\n\n", "5", "5\nundo"])
def test_the_end_of_the_input_ends_quietly(play, typed: str) -> None:
    assert play("noughts", "--both", typed=typed).endswith("\n> \n") or typed


def test_no_control_codes_over_a_pipe(play) -> None:
    shown = play("noughts", typed="5\nauto\nhelp\n")
    assert all(char.isprintable() or char == "\n" for char in shown)


# --- play that may not end, and games that are too large -----------------------------------------------------


def test_repeated_positions_are_told(play) -> None:
    shown = play("walk", "--both", typed="go 0 1\ngo 4 3\ngo 1 0\ngo 3 4\ngo 0 1\n")
    assert shown.count("This is the start again.\n") == 1
    assert shown.count("This position was there before, after move 1.\n") == 1


def test_the_winner_comes_nearer_to_the_end_where_play_may_come_back(play) -> None:
    shown = play("walk", "--both", typed="go\n" * 5)
    assert re.findall(r"to move, (.*) with best play", shown) == [
        "won in 5",
        "lost in 4",
        "won in 3",
        "lost in 2",
        "won in 1",
    ]
    assert shown.endswith("a wins after 5 moves.\nb has no move.\n> \n")


@pytest.mark.parametrize(
    ("name", "mark", "said"),
    [
        ("pace", "drawn", "Play goes on for ever: a draw."),
        ("chase", "lost", "Play goes on for ever: b wins."),
    ],
)
def test_endless_play_ends_when_nobody_types(play, name: str, mark: str, said: str) -> None:
    shown = play(name, "at=1", "--as", "a", typed="auto\n")
    assert f"a to move, {mark} with best play:\n  #1  0  {mark}\n  #2  2  {mark}\n" in shown
    assert shown.endswith(f"{said}\n> \n")


def test_no_hints_where_play_comes_back_and_nothing_says_what_that_means(play) -> None:
    shown = play("loop", "--both", typed="1\nauto\n")
    assert shown.count("No hints: a position can come back") == 1
    assert "a to move:\n  1  0,1\n" in shown
    assert shown.endswith("Play may go on for ever; the spec does not say what that means.\n> \n")


def test_no_hints_where_a_game_is_too_large(play) -> None:
    shown = play("huge", "--time", "50ms", typed="1\n4,1\nundo\n")
    assert shown.count("No hints: the time given (0.05 s) is over; `hints on` tries again.\n") == 1
    assert "x to move:\n  1  1,1\n  2  2,1\n" in shown
    assert shown.count("o plays") == 2


def test_the_computer_wins_at_once_and_hinders_a_win_without_values(play) -> None:
    three = (  # columns whose lowest cell is taken so
        "board=[" + ",".join(["[" + ",".join([cell] + ["empty"] * 5) + "]" for cell in WINNING]) + "]"
    )
    assert "x plays 4,1\n" in play("huge", three, "mover=x", "--as", "o", "--time", "50ms")
    assert "o plays 4,1\n" in play("huge", three, "mover=o", "--as", "x", "--time", "50ms")


def test_over_memory_means_no_hints(play) -> None:
    shown = play("huge", "--memory", "200kB", "--both", "--time", "20s", typed="1\n")
    assert shown.count("No hints: ") == 1
    assert "o to move:\n" in shown


# --- wrong command lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words", "status", "said"),
    [
        ("noughts", ["--as", "z"], 64, "nobody in noughts is called `z`"),
        ("noughts", ["--as", "x", "--both"], 64, "exclude one another"),
        ("coins", [], 64, "the position gives no value for `n`"),
        ("coins", ["n=61"], 2, "61"),
        ("coins", ["n=3", "--plan", "nonsense"], 64, "nonsense"),
        ("noughts", ["board=x.o"], 2, "9 values"),
    ],
)
def test_wrong_command_lines(play, name: str, words: list[str], status: int, said: str) -> None:
    assert said in play(name, *words, status=status)


def test_names_of_the_input_that_start_uses(play) -> None:
    SPECS["bar"] = (
        "game bar\nstate row: array[1..3] of 0..4\nstart row[r] = if r <= height then width else 0 for r in 1..3\n"
        "move bite choose r in 1..3, c in 1..row[r] do row[i] = min(row[i], c - 1) for i in r..3\nwinner stuck player\n"
        'input cases until eof read height, width\noutput win "{winning_move}" lose "lost"\n'
    )
    assert "gives no value for `height`, `width`" in play("bar", status=64)
    assert "     1 2 3\n  row 4 4 0\n" in play("bar", "height=2", "width=4")
    assert "     1 2 3\n  row 2 1 0\n" in play("bar", "row=[2,1,0]")


def test_every_move_of_a_perfect_play_is_one_of_the_best(play) -> None:
    """Positions of a play with hints: distances fall by one with every move."""
    shown = play("hexapawn", "--both", typed="go\n" * 6)
    found = re.findall(r"to move, (won|lost) in (\d+) with best play", shown)
    for (one, before), (other, after) in pairwise(found):
        assert (one != other, int(after)) == (True, int(before) - 1)
    assert found[0] == ("lost", "6")
    assert len(found) == 6


def test_the_example_of_the_readme(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    text = (root / "README.md").read_text(encoding="utf-8")
    found = re.search(r"    \$ printf '(.*)\\n' \| gamespec (play .*)\n((?:    .*\n|\n)*?) +…\n", text)
    assert found is not None
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{found[1]}\n".encode())))
    assert run(found[2].split()) == 0
    assert capsys.readouterr().out.startswith(re.sub(r"^    ", "", found[3], flags=re.MULTILINE))


def test_a_theorem_tells_outcomes_at_once(play) -> None:
    SPECS["far"] = "game far\nstate n: 0..10**18\nmove take choose k in 1..min(3, n) do n -= k\n"
    shown = play("far", "n=999999999999999999", "--both")
    assert "The first player to move, won with best play:\n" in shown
    assert "  #3  3  won *\n" in shown


# --- on a terminal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("installed", [True, False])
def test_a_terminal_shows_what_a_pipe_shows(
    installed: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if installed:
        pytest.importorskip("rich")
    else:
        monkeypatch.setitem(sys.modules, "rich.console", None)
    terminal = Terminal()
    assert (terminal.console is not None) == installed
    terminal.show([("  1", "dim"), (" x", "first"), (" [bold]\x1b[2J", "")])
    assert capsys.readouterr().out == "  1 x [bold]␛[2J\n"


def test_commands_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter([" undo ", "\x1b[A", None])

    def read(prompt: str) -> str:
        text = next(typed)
        if text is None:
            raise EOFError
        return text

    monkeypatch.setattr("builtins.input", read)
    terminal = Terminal()
    assert [terminal.ask(), terminal.ask(), terminal.ask()] == ["undo", "␛[A", None]


def test_a_pipe_needs_no_rich(tmp_path: Path) -> None:
    path = tmp_path / "coins.game"
    path.write_text(COINS)
    script = (
        "import sys\nfrom gamespec.cli.main import run\n"
        f"assert run(['play', {str(path)!r}, 'n=9']) == 0\nassert 'rich' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], input=b"3\n", capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert b"> 3\n" in done.stdout
