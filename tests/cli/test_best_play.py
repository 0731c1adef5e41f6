"""Games played over a pipe: who wins, how soon, and what is said where nobody can tell."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tests.cli.played import SPECS, WINNING


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


def test_every_move_of_a_perfect_play_is_one_of_the_best(play) -> None:
    """Positions of a play with hints: distances fall by one with every move."""
    shown = play("hexapawn", "--both", typed="go\n" * 6)
    found = re.findall(r"to move, (won|lost) in (\d+) with best play", shown)
    for (one, before), (other, after) in pairwise(found):
        assert (one != other, int(after)) == (True, int(before) - 1)
    assert found[0] == ("lost", "6")
    assert len(found) == 6


def test_a_theorem_tells_outcomes_at_once(play) -> None:
    SPECS["far"] = "game far\nstate n: 0..10**18\nmove take choose k in 1..min(3, n) do n -= k\n"
    shown = play("far", "n=999999999999999999", "--both")
    assert "The first player to move, won with best play:\n" in shown
    assert "  #3  3  won *\n" in shown


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
