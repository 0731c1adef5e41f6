"""What the verbs print."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import gamespec
from gamespec.cli.main import run
from gamespec.source import Source
from gamespec.syntax.read import read

SPECS = Path(__file__).parents[2] / "specs"

COINS = """\
game coins "Take one, two or four coins."
given most: 1..4
state n: 0..60
require n != 13
move take choose k in {1, 2, 4} when k <= min(n, most) and n - k != 13 do n -= k
input cases until eof read most, n
output win "take {winning_moves}" lose "lost"
test "2 3 2 4" gives "lost\\ntake 1\\n"
"""

HEAPS = """\
game heaps
sum
state n: 0..100
move take choose k in 1..n do n -= k
input cases until eof read count, [n] * count
output line "{grundy}"
test "3 3 4 5" gives "2\\n"
"""

WORLD = """\
game world
state open: set of 1..4
state light: {red, green}
state last: bool
start light = red, last = false
move pick choose x in open do open -= {x}, light = green, last = true
output win "W" lose "L"
"""

FAULTY = """\
game faulty
state n: 0..9
move take choose k in {min(digits(n) - {0})} do n -= k
input cases until eof read n
output win "W" lose "L"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("coins", COINS), ("heaps", HEAPS), ("world", WORLD), ("faulty", FAULTY)):
        (tmp_path / f"{name}.game").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Ran:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def do(folder: Path, capsys: pytest.CaptureFixture[str]):
    def call(*arguments: str) -> Ran:
        status = run(arguments)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return call


# --- check, test -------------------------------------------------------------------------------------------


def test_check_of_a_fine_spec(do) -> None:
    ran = do("check", "heaps.game")
    assert (ran.status, ran.out, ran.err) == (0, "heaps.game: fine\n", "")


def test_check_shows_where_a_rule_fails(do) -> None:
    ran = do("check", "faulty.game")
    assert ran.status == 1
    assert "has nothing to choose from when n = 0" in ran.err
    assert "faulty.game:3:24" in ran.err
    assert "help: " in ran.err


def test_check_of_a_folder_goes_on_after_an_error(do, folder: Path) -> None:
    (folder / "aaa.game").write_bytes(b"game aaa \xff")
    ran = do("check", ".")
    assert ran.status == 1
    assert "./coins.game: fine" in ran.out
    assert "5 specs, 2 with errors" in ran.out
    assert "0xff" in ran.err


def test_check_as_json(do) -> None:
    ran = do("check", "faulty.game", "heaps.game", "--format", "json")
    assert (ran.status, ran.out) == (1, "")
    found = [json.loads(line) for line in ran.err.splitlines()]
    assert [one["path"] for one in found] == ["faulty.game"]
    assert found[0]["place"]["line"] == 3


def test_check_as_github_annotations(do) -> None:
    ran = do("check", "faulty.game", "--format", "github")
    assert ran.err.startswith("::error title=GS")
    assert "file=faulty.game,line=3," in ran.err


def test_tests_pass(do) -> None:
    ran = do("test", "coins.game", "heaps.game", "world.game")
    assert ran.status == 0
    assert ran.out.splitlines() == [
        "coins.game: 1 of 1 passed",
        "heaps.game: 1 of 1 passed",
        "world.game: no tests",
        "2 passed, 0 failed",
    ]


def test_a_failing_test_shows_the_difference(do, folder: Path) -> None:
    (folder / "coins.game").write_text(COINS.replace("lost\\ntake 1\\n", "lost\\ntake 2\\n\\n\\n"))
    ran = do("test", "coins.game", "--backend", "python")
    assert ran.status == 1
    assert "test 1 of coins fails" in ran.err
    assert "-take 2" in ran.err
    assert "+take 1" in ran.err
    assert "0 passed, 1 failed" in ran.out


def test_a_test_with_a_wrong_input_fails(do, folder: Path) -> None:
    (folder / "coins.game").write_text(COINS.replace('"2 3 2 4"', '"2 3 2 99"'))
    ran = do("test", "coins.game", "--backend", "python")
    assert ran.status == 1
    assert "99" in ran.err


# --- fmt, convert ------------------------------------------------------------------------------------------


def test_fmt_check_and_rewrite(do, folder: Path) -> None:
    loose = COINS.replace("state n:", "state   n :")
    (folder / "coins.game").write_text(loose)
    assert do("fmt", "--check", "coins.game").status == 1
    shown = do("fmt", "--diff", "coins.game")
    assert "-state   n : 0..60\n+state n: 0..60\n" in shown.out
    assert (folder / "coins.game").read_text() == loose
    assert do("fmt", "coins.game").status == 0
    assert (folder / "coins.game").read_text() == COINS
    assert do("fmt", "--check", "coins.game").status == 0
    assert do("test", "coins.game", "--backend", "python").status == 0


def test_fmt_leaves_a_wrong_spec_alone(do, folder: Path) -> None:
    (folder / "wrong.game").write_text("game wrong\nmove move")
    ran = do("fmt", "wrong.game")
    assert ran.status == 1
    assert (folder / "wrong.game").read_text() == "game wrong\nmove move"


def test_convert_there_and_back(do, folder: Path) -> None:
    yaml = do("convert", "coins.game")
    assert yaml.status == 0
    assert yaml.out.startswith("game: coins\n")
    assert do("convert", "coins.game", "-o", "coins.yaml").out == ""
    assert (folder / "coins.yaml").read_text() == yaml.out
    text = do("convert", "coins.yaml").out
    assert read(Source("coins.game", text)) == read(Source("coins.game", COINS))
    assert do("convert", "coins.yaml", "--to", "yaml").out == yaml.out


# --- value, table ------------------------------------------------------------------------------------------


def test_value(do) -> None:
    ran = do("value", "coins.game", "most=2", "n=4")
    assert ran.out == "outcome        win\nwinning_moves  1\n"
    assert do("value", "coins.game", "most=2", "n=4", "--ask", "grundy").out == "1\n"
    ran = do("value", "coins.game", "most=2", "n=4", "--ask", "outcome,count", "--format", "json")
    assert json.loads(ran.out) == {"outcome": "win", "winning_count": 1}


def test_value_of_a_sum(do) -> None:
    assert do("value", "heaps.game", "n=3", "n=4", "n=5", "--ask", "grundy,moves").out == (
        "grundy         2\nwinning_moves  1:2\n"
    )
    assert do("value", "heaps.game", "n=7", "n=7", "--ask", "outcome").out == "lose\n"


def test_who_is_to_move_in_a_sum_without_components(do, folder: Path) -> None:
    spec = "game e\nplayers blue, red\nsum\nstate h: 0..8\nstart into (n) for n in 1..top - 1\n"
    spec += 'move m choose d in 1..2 when d <= h do h -= d\ninput read mover, top\noutput line "{winner}"'
    (folder / "e.game").write_text(spec)
    for mover, winner in (("red", "blue"), ("blue", "red")):
        assert do("value", "e.game", f"mover={mover}", "top=1", "--ask", "winner").out == f"{winner}\n"
        assert f"{winner} wins after 0 moves" in do("play", "e.game", f"mover={mover}", "top=1", "--auto").out


def test_value_without_input_uses_start(do) -> None:
    assert do("value", "world.game", "open={1,3..4}", "--ask", "outcome").out == "win\n"
    assert do("value", "world.game", "open={}", "light=green", "last=true", "--ask", "outcome").out == "lose\n"


@pytest.mark.parametrize(
    ("values", "status", "words"),
    [
        (["n=4"], 64, "no value for `most`"),
        (["most=2", "m=4"], 64, "no field `m`"),
        (["most=2", "n=many"], 64, "`many` is not a value"),
        (["most=2", "n=61"], 2, "in 0..60"),
        (["most=2", "n=13"], 2, "`require` forbids"),
        (["most=2", "n=3", "n=4"], 64, "not a sum"),
        (["most"], 64, "NAME=VALUE"),
        (["most=2", "n=4", "--ask", "grunty"], 64, "did you mean `grundy`?"),
    ],
)
def test_value_of_what_is_no_position(do, values: list[str], status: int, words: str) -> None:
    ran = do("value", "coins.game", *values)
    assert (ran.status, ran.out) == (status, "")
    assert words in ran.err


def test_no_grundy_values_in_misere_play(do, folder: Path) -> None:
    (folder / "m.game").write_text("game m\nstate n: 0..9\nmove t choose k in 1..n do n -= k\nwinner stuck player")
    ran = do("value", "m.game", "n=3", "--ask", "grundy")
    assert ran.status == 64
    assert "no Grundy value" in ran.err


def test_table_as_text(do) -> None:
    ran = do("table", "coins.game", "most=2", "n=0..4,12..14", "--ask", "outcome,moves")
    assert ran.out.splitlines() == [
        "most   n  outcome  winning_moves",
        "   2   0  lose",
        "   2   1  win      1",
        "   2   2  win      2",
        "   2   3  lose",
        "   2   4  win      1",
        "   2  12  lose",
        "   2  14  win      2",
    ]


def test_table_as_csv(do) -> None:
    ran = do("table", "coins.game", "--where", "most=1..2", "--where", "n=3", "--format", "csv", "--ask", "grundy")
    assert list(csv.reader(io.StringIO(ran.out))) == [["most", "n", "grundy"], ["1", "3", "1"], ["2", "3", "0"]]


def test_table_as_json(do) -> None:
    ran = do("table", "world.game", "open={1,2}", "--format", "json")
    assert json.loads(ran.out) == [{"open": "{1, 2}", "light": "red", "last": "false", "outcome": "lose"}]
    assert json.loads(do("table", "coins.game", "n=13", "--format", "json").out) == []


def test_table_as_b_file(do) -> None:
    ran = do("table", "heaps.game", "n=0..3", "--ask", "grundy", "--format", "b-file")
    assert ran.out == "# heaps: grundy\n0 0\n1 1\n2 2\n3 3\n"
    ran = do("table", "coins.game", "--ask", "grundy", "--format", "b-file")
    assert ran.status == 64
    assert "most, n vary" in ran.err
    ran = do("table", "world.game", "open={1,2}", "--format", "b-file", "--ask", "outcome")
    assert (ran.status, ran.out) == (64, "")
    assert "index must be a number" in ran.err
    ran = do("table", "heaps.game", "n=3", "--format", "b-file", "--ask", "moves")
    assert (ran.status, ran.out) == (64, "")
    assert "ask for grundy" in ran.err


def test_table_says_what_it_leaves_out(do) -> None:
    ran = do("table", "coins.game", "most=2", "n=12..14,99", "--format", "csv")
    assert ran.status == 0
    assert ran.out.splitlines() == ["most,n,outcome", "2,12,lose", "2,14,win"]
    assert "no position with n = 13, n = 99: left out" in ran.err
    assert not do("table", "coins.game", "most=2", "n=0..3").err


def test_a_set_that_the_shell_took_apart(do) -> None:
    ran = do("value", "world.game", "open=1", "open=2", "light=red", "last=false")
    assert ran.status == 64
    assert "`open` has one value" in ran.err
    assert "'open={1,2}'" in ran.err


def test_table_of_too_many(do) -> None:
    ran = do("table", str(SPECS / "euclid.yaml"))
    assert ran.status == 64
    assert "too many" in ran.err


# --- verify ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["coins.game", "heaps.game", "world.game"])
def test_verify(do, spec: str) -> None:
    ran = do("verify", spec, "--positions", "60", "--backend", "python")
    assert ran.status == 0, ran.err
    assert "no answers differ" in ran.out


@pytest.mark.parametrize("sum_clause", ["", "sum\n"])
def test_verify_leaves_out_play_that_comes_back(do, folder: Path, sum_clause: str) -> None:
    """Random graphs have circles; the cases that the spec is for have none."""
    data = "given n: 1..5\ngiven next: array[1..n] of set of 1..n\nstate at: 1..n\n"
    rules = "move slide choose to in next[at] do at = to\noutput win 'W' lose 'L'\n".replace("'", '"')
    (folder / "slide.game").write_text(f"game slide\n{sum_clause}{data}{rules}")
    ran = do("verify", "slide.game", "--positions", "200", "--backend", "python")
    assert ran.status == 0, ran.err
    assert "no answers differ" in ran.out
    assert not ran.out.startswith("slide: no positions")


def test_verify_finds_a_wrong_plan(do, monkeypatch: pytest.MonkeyPatch) -> None:
    from gamespec.answers.ask import Ask
    from gamespec.cli.session import Session
    from gamespec.plan.definition import ReferenceSolver

    class Wrong(ReferenceSolver):
        def values(self, givens, states):
            return [1 - value for value in super().values(givens, states)]

    monkeypatch.setattr(Session, "solver", lambda self, game, ask, budget: Wrong(game, Ask()))
    ran = do("verify", "world.game", "--positions", "20")
    assert ran.status == 1
    assert "differs from the definition" in ran.err


@pytest.mark.parametrize("convention", ["", "winner stuck player\n"])
def test_verify_finds_wrong_sums(do, folder: Path, monkeypatch: pytest.MonkeyPatch, convention: str) -> None:
    """Components are right one by one; what is made of several of them is not."""
    from gamespec.cli.session import Session
    from gamespec.plan.definition import ReferenceSolver
    from gamespec.run.total import Totals

    rules = "state n: 0..9\nmove take choose k in 1..2 when k <= n do n -= k\n"
    (folder / "s.game").write_text(f'game s\nsum\n{rules}{convention}input read m, [n] * m\noutput win "W" lose "L"\n')
    assert " sums compared, no answers differ" in do("verify", "s.game", "--backend", "python").out
    monkeypatch.setattr(Session, "solver", lambda self, game, ask, budget: ReferenceSolver(game, ask))
    right = Totals.outcomes
    monkeypatch.setattr(Totals, "outcomes", lambda self: [1 - outcome for outcome in right(self)])
    ran = do("verify", "s.game")
    assert ran.status == 1
    assert "at no components the plan's outcome" in ran.err
    assert " + n = " in ran.err


def test_verify_asks_positions_alone(do, monkeypatch: pytest.MonkeyPatch) -> None:
    from gamespec.cli.session import Session
    from gamespec.plan.definition import ReferenceSolver

    class Wrong(ReferenceSolver):
        def values(self, givens, states):
            return [value + (len(states[0]) == 1) for value in super().values(givens, states)]

    monkeypatch.setattr(Session, "solver", lambda self, game, ask, budget: Wrong(game, ask))
    ran = do("verify", "world.game", "--positions", "20")
    assert ran.status == 1
    assert "value, asked alone, differs" in ran.err


# --- explain -----------------------------------------------------------------------------------------------

TITLES = ["game", "facts", "checks", "plan", "passes", "refused", "override"]


@pytest.mark.parametrize("spec", ["cow_digit", "power_cards", "number_game", "stone_game"])
def test_explain_has_its_parts(do, spec: str) -> None:
    ran = do("explain", str(SPECS / f"{spec}.yaml"))
    assert ran.status == 0, ran.err
    assert [line[:11].strip() for line in ran.out.splitlines() if line[:1] != " "] == TITLES
    assert f"{spec}.yaml:" in ran.out
    assert "--plan " in ran.out


def test_explain_names_the_plan_and_the_way_to_another(do) -> None:
    ran = do("explain", str(SPECS / "cow_digit.yaml"), "--plan", "memo", "--no-digits")
    assert "plan       memo" in ran.out
    assert "table" in ran.out.partition("refused")[2]
    assert "plan: table" in ran.out
    assert "digits: left out" in ran.out


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("tree", "Tree"),
        ("game", "Game"),
        ("facts", "proofs"),
        ("plan", "kernels: "),
        ("kernel", "i64"),
        ("llvm", "define "),
        ("python", "def "),
    ],
)
def test_every_stage_prints(do, stage: str, words: str) -> None:
    ran = do("explain", "coins.game", "--show", stage)
    assert ran.status == 0, ran.err
    assert words in ran.out


@pytest.mark.parametrize(("plan", "words"), [("tabel", "did you mean"), ("closed", "cannot")])
def test_plans_that_cannot_be_honoured(do, folder: Path, plan: str, words: str) -> None:
    ran = do("solve", "coins.game", "--plan", plan, "coins.game")
    assert ran.status == 64
    assert words in ran.err
    (folder / "coins.game").write_text(COINS + f"plan {plan}\n")
    assert do("solve", "coins.game", "coins.game").status == 1


# --- the public API ----------------------------------------------------------------------------------------


def test_public_functions(folder: Path) -> None:
    game = gamespec.load("coins.game")
    assert gamespec.solve(game, "2 3 2 4", backend="python") == "lost\ntake 1\n"
    assert gamespec.plan_for(game, hint="memo").strategy == "memo"
    assert [one.code for one in gamespec.check("heaps.game")] == []
    assert [one.severity for one in gamespec.check("faulty.game")] == ["error"]
    assert isinstance(game, gamespec.Game)
    with pytest.raises(gamespec.InputError):
        gamespec.solve(game, "2 99", backend="python")
    with pytest.raises(gamespec.SpecError):
        gamespec.loads("game g")
    with pytest.raises(gamespec.UsageError):
        gamespec.load("missing.game")
    with pytest.raises(AttributeError):
        gamespec.nothing  # noqa: B018


def test_params(folder: Path) -> None:
    game = gamespec.loads(
        "game g\nparam top = 3\nstate n: 0..top\nmove t choose k in 1..n do n -= k", params={"top": 7}
    )
    assert game.params == {"top": 7}


@pytest.mark.parametrize(
    ("rules", "output", "said"),
    [
        ("", 'win "w" lose "l"', "needs win/lose only"),
        ("endless draw", 'win "w" lose "l" draw "d"', "needs win/lose/draw only"),
        ("", 'line "{distance + 1}"', "needs win/lose, and how soon: the distances"),
        (
            "",
            'win "{winning_moves}" lose "" order k * distance',
            "needs win/lose, and how soon: the distances, and the value",
        ),
        (
            "winner highest score",
            'line "{if score > 0 then 1 else 0}"',
            "needs win/lose/draw, and by how much: the scores",
        ),
    ],
)
def test_explain_says_what_the_output_needs(do, tmp_path: Path, rules: str, output: str, said: str) -> None:
    gain = " gain k" if "score" in rules else ""
    path = tmp_path / "g.game"
    moves = f"state n: 0..9 move take choose k in 1..2 when k <= n do n -= k{gain}"
    path.write_text(f"game g {moves} {rules} input read n output {output}")
    out = do("explain", str(path)).out
    assert said in " ".join(out.split())


def test_check_of_all_positions(do, tmp_path: Path) -> None:
    path = tmp_path / "g.game"
    move = "move m choose k in 0..6 when popcount(n xor k) < 3 and n xor k != n and done < 3 do n = n xor k, done += 1"
    path.write_text(f'game g state n: 0..6 state done: 0..3 {move} input read n, done output win "" lose ""')
    assert "fine, 1 remark" in do("check", str(path)).out
    assert do("check", "--all", str(path)).out == f"{path}: fine\n"
    path.write_text(f"game g state n: 0..6 {move.replace(' and done < 3', '').replace(', done += 1', '')} input read n")
    assert "a position can come back" in do("check", "--all", str(path)).err
    path.write_text(path.read_text().replace("0..6", "0..100000"))
    assert do("check", "--all", "--time", "100ms", str(path)).status == 3


def test_check_says_that_there_are_too_many_positions(do, tmp_path: Path) -> None:
    path = tmp_path / "g.game"
    moves = "move up when n % 3 == 1 do n = n * 7 % (10**9 + 1) move down when n > 2 do n -= 1"
    path.write_text(f"game g state n: 0..10**9 {moves} input read n")
    assert "GS609" not in do("check", str(path)).err
    found = do("check", "--all", str(path)).err
    assert found.count("GS609") == 1
    assert found.count("GS180") == 1
