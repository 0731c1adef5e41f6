"""Players that change places: what is found, and what must not be."""

from __future__ import annotations

import random

import pytest

import gamespec
from gamespec.analysis.facts import SWAP, SYMMETRY, analyse
from gamespec.analysis.swap import swap
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import MOVER, Game, Position
from gamespec.game.reference import Reference
from gamespec.game.sample import positions
from gamespec.kernel.shape import shape_of
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.orbit import Keys

SLIDE = """
game slide
players x, o
state board: array[1..2, 1..3] of {empty, x, o}
state last: {nobody, x, o}
start board = empty, last = nobody
move place choose r in 1..2, c in 1..3 when board[r, c] == empty and last != mover
    do board[r, c] = mover, last = mover
move push choose c in 1..2, r in 1..2
    when board[r, c] == mover and board[r, c + 1] != mover do board[r, c + 1] = board[r, c], board[r, c] = empty
terminal mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
endless draw
"""

FACING = """
game facing
players white, black
state board: array[1..3, 1..3] of {empty, white, black}
let ahead = if mover == white then 1 else -1
start board[r, c] = if r == 1 then white else if r == 3 then black else empty for r in 1..3 for c in 1..3
move step choose r in 1..3, c in 1..3
    when board[r, c] == mover and r + ahead in 1..3 and board[r + ahead, c] != mover
    do board[r, c] = empty, board[r + ahead, c] = mover
move back choose r in 1..3, c in 1..3
    when board[r, c] == mover and r - ahead in 1..3 and board[r - ahead, c] == empty
    do board[r, c] = empty, board[r - ahead, c] = mover
endless draw
"""


@pytest.mark.parametrize(
    ("text", "images"), [(SLIDE, ()), (FACING, ("board",))], ids=["as they stand", "with a reversal"]
)
def test_players_that_change_places(text: str, images: tuple[str, ...]) -> None:
    found = swap(gamespec.loads(text))
    assert found is not None
    assert tuple(name for name, _ in found.images) == images
    assert "may change places" in found.reason.text


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (SLIDE, "move push", "move push by x"),
        (SLIDE, "endless draw", "endless x wins"),
        (SLIDE, "mover loses when", "x wins when"),
        (SLIDE, "board[r, c] == empty and last", "board[r, c] < 2 and last"),
        (SLIDE, "== empty and last", "!= x and last"),
        (SLIDE, "last = mover\n", "last = x\n"),
        (SLIDE, "do board[r, c] = mover, last", "do board[r, c] = if r == 1 then x else mover, last"),
        (FACING, "move back", "move back by white"),
        (FACING, "r + ahead in 1..3 and", "r + ahead in 1..3 and (mover == white or r < 3) and"),
    ],
)
def test_players_that_may_not(text: str, old: str, new: str) -> None:
    changed = text.replace(old, new)
    assert changed != text
    try:
        game = gamespec.loads(changed)
    except gamespec.SpecError:
        pytest.skip("not a game")
    assert swap(game) is None


def test_a_board_copied_from_data_is_not_reflected() -> None:
    sealed = "state seal: array[1..3, 1..3] of 0..1\nstate board:"
    text = FACING.replace("state board:", "given plan: array[1..3, 1..3] of 0..1\n" + sealed)
    text = text.replace("start board[r, c]", "start seal = 0, board[r, c]")
    text = text.replace("board[r - ahead, c] == empty", "board[r - ahead, c] == empty and seal[r, c] == 0")
    assert swap(gamespec.loads(text)) is not None
    assert swap(gamespec.loads(text.replace("c] = mover\nendless", "c] = mover, seal = plan\nendless"))) is None


@pytest.mark.parametrize("text", [SLIDE, FACING], ids=["as they stand", "with a reversal"])
def test_a_key_is_that_of_an_equal_position(text: str) -> None:
    game = gamespec.loads(text)
    facts = analyse(game)
    assert facts.swap is not None
    keys = Keys({field.name: shape_of(field) for field in game.states}, facts.symmetry, facts.swap)
    some = sample(game, 300)
    reference = Reference(Evaluator(game))
    assert game.states[-1].name == MOVER
    stored = {position: keys.position(keys.number(position)) for position in some}
    assert all(image[-1] == 0 for image in stored.values())
    for position, image in [*stored.items()][:15]:  # from some of them play reaches very many
        assert reference.outcome(position) == reference.outcome(image)
    assert len(set(stored.values())) < len(some)


@pytest.mark.parametrize("text", [SLIDE, FACING], ids=["as they stand", "with a reversal"])
def test_answers_are_the_same_with_and_without(text: str) -> None:
    game = gamespec.loads(text)
    some = sample(game, 300)
    answers = []
    for left_out in ((), (SWAP,), (SWAP, SYMMETRY)):
        facts = analyse(game, left_out)
        ask = Ask(distance=True, moves=True)
        solver = make_solver(game, facts, choose(game, facts, ask, "retrograde"), Budget(), compile)
        columns = [[position[place] for position in some] for place in range(len(game.states))]
        answers.append((list(solver.values([], columns)), [solver.options((), position) for position in some[:20]]))
    assert answers[0] == answers[1] == answers[2]


def sample(game: Game, count: int) -> list[Position]:
    found = sorted(positions(game, {}, count, seed=3))
    random.Random(1).shuffle(found)
    return found
