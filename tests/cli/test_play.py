"""Games played over a pipe: what is drawn, what may be typed, and what a terminal shows."""

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
from tests.cli.played import COINS, SPECS


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


def test_positions_of_a_spec_at_the_limits_of_a_problem(play) -> None:
    shown = play("pairs", "n=3", "a=[2,1,1]")
    assert "#1  1  won in 1\n" in shown
    assert "#2  2  won in 1\n" in shown


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


def test_the_example_of_the_readme(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    text = (root / "README.md").read_text(encoding="utf-8")
    found = re.search(r"    \$ printf '(.*)\\n' \| gamespec (play .*)\n((?:    .*\n|\n)*?) +…\n", text)
    assert found is not None
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{found[1]}\n".encode())))
    assert run(found[2].split()) == 0
    assert capsys.readouterr().out.startswith(re.sub(r"^    ", "", found[3], flags=re.MULTILINE))


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
