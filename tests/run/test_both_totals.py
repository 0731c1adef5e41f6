"""`{total}`: what each side collects under best play."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.answers.pair import paired, score_of, total_of
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.evaluate import Evaluator
from gamespec.game.reference import Reference
from gamespec.kernel.ir import U64, U128
from gamespec.plan.valuation import valuation
from tests.tool import gamespec as gamespec_command

TIES = """
game ties "From 5 every move has the score 1: 1 - 0, 3 - 2, and 4 - 4 + 1, as at 3 the score 4 - 1 is as good as 3 - 0."
state at: 0..5
move x when at == 5 do at = 0 gain 1
move y when at == 5 do at = 2 gain 3
move z when at == 5 do at = 3 gain 4
move near when at == 3 do at = 0 gain 3
move far when at == 3 do at = 1 gain 4
move last when at in {1, 2} do at = 0 gain at
winner highest score
input cases until eof read at
output line "{score}: {total} to {total: other}, {best_moves}"
"""

ROW = """
game row
players red, blue
given n: 1..9
given v: array[1..n] of -9..9
state lo: 1..n + 1
state hi: 0..n
require lo <= hi + 1
start lo = 1, hi = n
move left when lo <= hi do lo += 1 gain v[lo]
move right when lo <= hi do hi -= 1 gain v[hi]
winner highest score
input cases until eof read mover, n, v[n]
output line "OUTPUT"
"""


@pytest.mark.parametrize("plan", ["table", "memo"])
def test_of_moves_with_one_score_the_one_that_brings_more_is_made(plan: str) -> None:
    game = gamespec.loads(TIES + f"plan {plan}")
    expected = "1: 5 to 4, z\n3: 4 to 1, far\n2: 2 to 0, last\n0: 0 to 0, \n"
    assert gamespec.solve(game, "5 3 2 0") == expected


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ("{total} {total: other} {total: mover}", "17 8 17|8 -3 8"),
        ("red {total: red}, blue {total: blue}", "red 17, blue 8|red -3, blue 8"),
        ("{total:4}|{total - score:<4d}|", "  17|8   ||   8|-3  |"),
        ("{if score > 0 then total else 0} {winner}", None),
        ("{score} {first}", "9 red|11 blue"),
    ],
)
def test_sides(output: str, printed: str | None) -> None:
    if printed is None:
        with pytest.raises(SpecError, match="winner"):
            gamespec.loads(ROW.replace("OUTPUT", output))
        return
    game = gamespec.loads(ROW.replace("OUTPUT", output))
    first, second = gamespec.solve(game, "red 6 8 0 3 9 0 5 blue 4 -1 3 -2 5").splitlines()
    assert f"{first}|{second}" == printed


def test_a_field_may_have_the_name() -> None:
    rules = "state total: 0..9 move take when total > 0 do total -= 1"
    game = gamespec.loads(f'game pile {rules} input read total output line "{{total:3}}"')
    assert gamespec.solve(game, "7") == "  7\n"


@pytest.mark.parametrize(("width", "cell"), [(10**5, U64), (10**15, U128)])
def test_wide_totals_do_not_wrap(width: int, cell: object) -> None:
    """The two numbers share a word of 64 or of 128 bits; the definition knows no width."""
    text = ROW.replace("-9..9", f"-{width}..{width}").replace("OUTPUT", "{total} {total: other} {best_moves}")
    game = gamespec.loads(text)
    assert valuation(game, analyse(game), Ask(score=True, total=True)).cell == cell
    random = Random(width)
    for plan in ("table", "memo"):
        solved = gamespec.loads(text + f"plan {plan}")
        row = tuple(random.choice([-width, width, random.randint(-width, width)]) for _ in range(9))
        score, total = Reference(Evaluator(game, {"n": 9, "v": row})).total((1, 9, 0))
        assert gamespec.solve(solved, f"red 9 {' '.join(map(str, row))}").startswith(f"{total} {total - score} ")


def test_pairs_are_ordered_by_the_score_and_then_the_total() -> None:
    most = 1 << 62
    sides = [(score, total) for score in (-most, -1, 0, 3) for total in (-most, -2, 0, 1, most)]
    pairs = [paired(*side) for side in sides]
    assert pairs == sorted(pairs)
    assert [(score_of(pair), total_of(pair)) for pair in pairs] == sides


@pytest.mark.parametrize("text", ["{total}", "{total: other}"])
def test_no_total_without_scores(text: str) -> None:
    with pytest.raises(SpecError, match="no `total` in this game"):
        gamespec.loads(f'game pile state n: 0..9 move take when n > 0 do n -= 1 input read n output line "{text}"')


def test_gains_that_no_kernel_holds() -> None:
    game = gamespec.loads(ROW.replace("-9..9", "0..10**20").replace("OUTPUT", "{total} {total: other}"))
    assert gamespec.solve(game, f"red 9{f' {10**18}' * 9}") == f"{5 * 10**18} {4 * 10**18}\n"
    with pytest.raises(LimitError, match="63 bits"):
        gamespec.solve(game, f"red 9{f' {10**19}' * 9}")


@pytest.mark.parametrize("verb", ["value", "table", "verify"])
def test_on_the_command_line(verb: str, tmp_path: Path) -> None:
    spec = tmp_path / "ties.game"
    spec.write_text(TIES)
    arguments = {"value": ["at=5", "--ask", "score,total"], "table": ["at=3,5", "--ask", "total"], "verify": []}
    run = gamespec_command(verb, spec, *arguments[verb])
    expected = {"value": "score  1\ntotal  5\n", "table": "at  total\n 3      4\n 5      5\n"}
    assert run.out == expected.get(verb, "ties: 6 positions compared, no answers differ\n"), run.err
