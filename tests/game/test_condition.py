"""Updates under a condition of their own: the same as with `else`, wherever that can be written."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.diagnostics import SpecError
from gamespec.game.arena import Single
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Position
from gamespec.game.sample import positions
from gamespec.source import Source
from gamespec.syntax.format import convert_source
from gamespec.syntax.read import read

FIELDS = """game g
players a, b
state n: 0..3
state free: bool
state at: {none, a, b}
state s: set of 1..3
state row, other_row: array[1..2] of {none, a, b}
move last by b when n == 1 do n = 0
move go choose k in 1..2 when n >= k do n -= k, """

PAIRS = [
    ("free = not free if n == k", "free = if n == k then not free else free"),
    ("at = mover if at == none", "at = if at == none then mover else at"),
    ("s |= {k} if free", "s = if free then s | {k} else s"),
    ("s -= {k, 3} if n > 1", "s = if n > 1 then s - {k, 3} else s"),
    ("s &= {k} if n > 1", "s = if n > 1 then s & {k} else s"),
    ("s = {} if n > 1 and free", "s = if n > 1 and free then {} else s"),
    ("row[k] = mover if free", "row[k] = if free then mover else row[k]"),
    ("row = none if n == 3", "row[i] = none for i in 1..2 if n == 3"),
    ("row = other_row if n == 3", "row[i] = other_row[i] for i in 1..2 if n == 3"),
    ("mover = mover if free", "mover = if free then mover else other"),
    ("mover = a if s == {}", "mover = if s == {} then a else other"),
    ("(free, at) = (true, b) if n == 2", "(free, at) = (n == 2 or free, if n == 2 then b else at)"),
    # what has no value is not looked at
    ("row[n] = mover if n in 1..2", "row[min(max(n, 1), 2)] = if n in 1..2 then mover else row[min(max(n, 1), 2)]"),
    ("free = 6 / (n - 3) == -3 if n < 3", "free = if n < 3 then 6 / (n - 3) == -3 else free"),
]


def game_of(update: str) -> Game:
    return gamespec.loads(f"{FIELDS}{update}\n")


def options(evaluator: Evaluator, position: Position) -> list[tuple[object, ...]]:
    return [(step.played, step.keeps, step.after) for step in Single(evaluator).steps(position)]


@pytest.mark.parametrize(("short", "long"), PAIRS)
def test_otherwise_nothing_changes(short: str, long: str) -> None:
    first, second = game_of(short), game_of(long)
    places = list(positions(first, {}, 200, 1))
    assert len(places) > 100
    changed = 0
    for place in places:
        found = options(Evaluator(first, {}), place)
        assert found == options(Evaluator(second, {}), place)
        changed += len(found)
    assert changed > 100


def test_a_cell_may_be_set_by_one_of_two_conditions() -> None:
    game = game_of("row[1] = a if free, row[1] = b if not free")
    for free in (False, True):
        place = (3, free, 0, frozenset[int](), (0, 0), (0, 0), 0)
        rows = {step.after[4] for step in Single(Evaluator(game, {})).steps(place)}
        assert rows == {(1 if free else 2, 0)}


def test_a_field_is_set_once() -> None:
    with pytest.raises(SpecError, match="`free` is set twice"):
        game_of("free = true if n > 1, free = false if n == 1")


def test_where_play_starts() -> None:
    rules = "state n, m: 0..9 move one when n > 0 do n -= 1 move two when m > 0 do m -= 1 "
    text = rules + 'start n = 2 if k > 1, m = 1 if k < 3 input cases until eof read k output line "{n}{m}"'
    assert gamespec.solve(gamespec.loads("game g " + text), "1 2 3", backend="python") == "01\n21\n20\n"


def test_both_spellings() -> None:
    source = Source("g", FIELDS + "free = true  if n>1,row[k] = a if free\n", "text")
    converted = convert_source(source, "yaml")
    assert "n -= k, free = true if n > 1, row[k] = a if free" in " ".join(converted.split())
    assert read(Source("g", converted, "yaml")) == read(source)
