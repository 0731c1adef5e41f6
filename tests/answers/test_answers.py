"""What can be asked, and what is needed for it."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.answers.answer import Case
from gamespec.answers.ask import Ask, Option
from gamespec.answers.moves import WinningMove, move_text, winning_options
from gamespec.answers.table import ANSWERS, needed

PILE = "game pile state n: 0..9 move take choose k in 1..2 when k <= n do n -= k "


@pytest.mark.parametrize(
    ("output", "ask"),
    [
        ("", Ask()),
        ('output win "a" lose "b"', Ask()),
        ('output line "{case} {outcome} {n}"', Ask()),
        ('output line "{grundy}"', Ask(grundy=True)),
        ('output win "{winning_moves}" lose "b"', Ask(moves=True)),
        ('output line "{winning_count}" line "{grundy}"', Ask(grundy=True, moves=True)),
    ],
)
def test_only_what_is_printed_is_asked(output: str, ask: Ask) -> None:
    spec = PILE + "input read n " + output
    assert needed(gamespec.loads(spec)) == ask
    assert needed(gamespec.loads(spec + " sum")) == ask | Ask(grundy=True)


def test_every_answer_has_a_name_a_text_and_an_example_that_shows_it() -> None:
    for name, answer in ANSWERS.items():
        assert answer.name == name
        assert answer.doc
        assert f"{{{name}}}" in answer.example
        ending = "do n -= k gain k winner highest score" if answer.ask.score else "do n -= k"
        spec = PILE.replace("do n -= k", ending)
        gamespec.loads(spec + f'players x, o input read n output line "{answer.example}"')


def test_values_of_answers() -> None:
    game = gamespec.loads(PILE)
    moves = [WinningMove(1, Option(0, (1,), 0)), WinningMove(1, Option(0, (2,), 0))]
    case = Case(7, 3, 1, moves, 2, best=lambda: moves[1:])
    found = {name: answer.of(game, case) for name, answer in ANSWERS.items()}
    assert found == {
        "outcome": "win",
        "grundy": 3,
        "best_moves": "2",
        "best_move": "2",
        "score": 3,
        "total": 3,
        "distance": 1,
        "first": "",
        "winner": "",
        "winning_moves": "1 2",
        "winning_move": "1",
        "winning_count": 2,
        "case": 7,
        "query": 2,
    }
    assert ANSWERS["winning_move"].of(game, Case(1, 0, 0)) == ""
    assert ANSWERS["outcome"].of(game, Case(1, 0, 0)) == "lose"


def test_a_move_of_a_sum_wins_when_it_evens_out_the_others() -> None:
    options = [Option(0, (1,), 2), Option(0, (2,), 1), Option(1, (), 1)]
    assert winning_options(Ask(grundy=True), options, 1) == options[1:]
    assert winning_options(Ask(grundy=True), options) == []


def test_an_option_says_itself_whether_it_wins() -> None:
    options = [Option(0, (1,), 7), Option(0, (2,), 6), Option(1, (), 2)]
    assert winning_options(Ask(distance=True), options) == options[:1]
    assert winning_options(Ask(score=True), [Option(0, (), -3), Option(1, (), 2)]) == [Option(1, (), 2)]


def test_move_text() -> None:
    several = gamespec.loads(PILE + "move pass when n == 9 do n -= 1")
    assert move_text(several, WinningMove(3, Option(0, (2,), 0))) == "take:2"
    assert move_text(several, WinningMove(3, Option(1, (), 0))) == "pass"
    summed = gamespec.loads(PILE + "sum")
    assert move_text(summed, WinningMove(3, Option(0, (2,), 0))) == "3:2"
