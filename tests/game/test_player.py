"""Players: whose turn it is, who may move, players as names of cells, verdicts, gains."""

from __future__ import annotations

import pytest

from gamespec.game import model
from gamespec.game.check import check
from gamespec.game.evaluate import Ending, Evaluator
from gamespec.game.model import Game, Verdict
from gamespec.game.show import position_text
from gamespec.source import Source
from gamespec.syntax.read import read
from gamespec.types import NamesType

TAKE = "state n: 0..9 move take choose k in 1..n do n -= k"


def game_of(text: str) -> Game:
    source = Source("g", f"game g {text}", "text")
    return check(read(source), source, {})


def after(text: str) -> list[str]:
    """What the moves of the start position lead to."""
    game = game_of(text)
    evaluator = Evaluator(game)
    plays = evaluator.moves(evaluator.start({}))
    return [position_text(game, result) for played in plays for result in played.results]


@pytest.mark.parametrize(
    "clauses",
    [
        "move other_take by b when n > 3 do n = 0",
        "terminal a wins when n == 1",
        "terminal n == (if mover == a then 0 else 1)",
        "let k1 = if other == a then 0 else 1",
        "start n = 3, mover = b",
        "endless a wins",
        "input read n, mover",
        "input read n queries cases for mover in {a, b}",
    ],
)
def test_partisan(clauses: str) -> None:
    game = game_of(f"players a, b {TAKE} {clauses}")
    assert game.partisan
    assert game.states[-1] == model.Field("mover", NamesType(("a", "b")))


@pytest.mark.parametrize("clauses", ["", "terminal mover loses when n == 0", "endless draw", "winner stuck player"])
def test_impartial(clauses: str) -> None:
    game = game_of(f"players a, b {TAKE} {clauses}")
    assert not game.partisan
    assert [field.name for field in game.states] == ["n"]


def test_the_turn_passes() -> None:
    text = "players a, b state n: 0..9 start n = 2 move take by a when n > 0 do n -= 1 move give by b do n = 0"
    assert after(text) == ["n = 1, mover = b"]
    assert after(text.replace("start n = 2", "start n = 2, mover = b")) == ["n = 0, mover = a"]


def test_another_turn() -> None:
    text = (
        "players a, b state n: 0..9 start n = 2 "
        "move take choose k in 1..n do n -= k, mover = if k == 1 then mover else other"
    )
    assert after(text) == ["n = 1, mover = a", "n = 0, mover = b"]


def test_parts_pass_the_turn() -> None:
    text = "players a, b sum state n: 0..9 start n = 3 move split by a choose k in 1..n / 2 into (k), (n - k)"
    assert after(text) == ["n = 1, mover = b", "n = 2, mover = b"]


def test_players_as_names_of_cells() -> None:
    text = (
        "players x, o state cells: array[1..2] of {empty, o, x} state last: player start cells = empty, last = o "
        "move put choose i in 1..2 when cells[i] not in {mover, other} do cells[i] = mover, last = other"
    )
    assert after(text) == ["cells = [x, empty], last = o, mover = o", "cells = [empty, x], last = o, mover = o"]
    assert after(text.replace("last = o ", "last = o, mover = o "))[0] == "cells = [o, empty], last = x, mover = x"


def test_sets_of_players() -> None:
    text = (
        "players x, o state c: {empty, x, o} state s: set of 0..1 start c = empty let both = {x, o} "
        "move put when c not in both and mover in both and {c} != {mover} and ({mover} | {empty}) & {c} == {c} "
        "do c = mover"
    )
    assert after(text) == ["c = x, s = {}, mover = o"]


@pytest.mark.parametrize(
    ("verdict", "wanted"),
    [
        ("a wins", Verdict.FIRST_WINS),
        ("b loses", Verdict.FIRST_WINS),
        ("b wins", Verdict.SECOND_WINS),
        ("a loses", Verdict.SECOND_WINS),
        ("mover wins", Verdict.MOVER_WINS),
        ("other loses", Verdict.MOVER_WINS),
        ("other wins", Verdict.MOVER_LOSES),
        ("draw", Verdict.DRAW),
    ],
)
def test_verdicts(verdict: str, wanted: Verdict) -> None:
    game = game_of(f"players a, b {TAKE} terminal {verdict} when n == 3")
    position = (3, 0) if game.partisan else (3,)
    ending = Evaluator(game).ending(position)
    assert isinstance(ending, Ending)
    assert ending.verdict is wanted


@pytest.mark.parametrize(
    ("verdict", "wanted"), [("draw", Verdict.DRAW), ("a wins", Verdict.FIRST_WINS), ("a loses", Verdict.SECOND_WINS)]
)
def test_endless(verdict: str, wanted: Verdict) -> None:
    assert game_of(f"players a, b {TAKE} endless {verdict}").endless is wanted


def test_gains() -> None:
    game = game_of("state n: 0..9 start n = 4 move take choose k in 1..n do n -= k gain 2 * k - n winner highest score")
    assert game.scored
    evaluator = Evaluator(game)
    assert [played.gain for played in evaluator.moves(evaluator.start({}))] == [-2, 0, 2, 4]
