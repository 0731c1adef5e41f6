"""Which moves a search looks at first, and what it does when memory is full: what is found stays the same."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.ends import weights
from gamespec.analysis.facts import FIRST, SYMMETRY, analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.evaluate import Evaluator
from gamespec.game.reference import Reference
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.search import seek
from gamespec.plan.search.kernel import COUNT
from gamespec.plan.search.seek import MemoSolver
from tests.tool import spec

PUSH = """
game push
players x, o
state board: array[1..3, 1..3] of {empty, x, o}
start board = empty
move mark choose r in 1..3, c in 1..3 when board[r, c] == empty do board[r, c] = mover
move again by x choose r in 1..3, c in 1..3 when board[r, c] == empty and r == c and board[2, 2] == o
    do board[r, c] = mover, mover = mover
terminal
    mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
    mover wins when any(all(board[q] == mover for q in line) for line in lines(board, 3))
    VERDICT when stuck
"""


def test_cells_of_many_lines_weigh_more() -> None:
    game = gamespec.load(str(spec("tic_tac_toe")))
    assert weights(game)["board"] == (3, 2, 3, 2, 4, 2, 3, 2, 3)
    assert weights(gamespec.load(str(spec("clobber")))) == {}


@pytest.mark.parametrize("verdict", ["draw", "o wins"])
def test_outcomes_stay_the_same(verdict: str) -> None:
    """With a move that keeps the turn, with and without draws."""
    game = gamespec.loads(PUSH.replace("VERDICT", verdict))
    evaluator = Evaluator(game)
    reference = Reference(evaluator)
    some, waiting = set(), [evaluator.start({"board": (1, 0, 2, 0, 0, 0, 0, 0, 0)})]
    while waiting and len(some) < 150:
        position = waiting.pop(0)
        if position not in some:
            some.add(position)
            waiting += [] if evaluator.ending(position) else [move.results[0] for move in evaluator.moves(position)]
    ordered = sorted(some)
    expected = [reference.outcome(position) for position in ordered]
    for left_out in ((), (FIRST,), (SYMMETRY,)):
        facts = analyse(game, left_out)
        plan = choose(game, facts, Ask(), "memo")
        solver = make_solver(game, facts, plan, Budget(), lambda some: compile(some, checked=True))
        assert list(solver.values([], list(zip(*ordered, strict=True)))) == expected


def test_replies_that_may_fail_are_told() -> None:
    """What a reply chooses from is checked before any reply is known."""
    text = PUSH.replace("VERDICT", "draw").replace(
        "choose r in 1..3, c in 1..3 when board[r, c] == empty do",
        "choose r in 1..3, c in 1..3, d in {c, 9 / c} when board[r, c] == empty and board[r, d] != o do",
    )
    game = gamespec.loads(text)
    facts = analyse(game)
    solver = make_solver(game, facts, choose(game, facts, Ask(), "memo"), Budget(), lambda f: compile(f, checked=True))
    with pytest.raises(SpecError, match="board"):
        solver.values([], [[(1, 0, 2, 0, 0, 0, 0, 0, 0)], [0]])


def test_fewer_positions_are_searched() -> None:
    found = []
    for left_out in ((), (FIRST,)):
        game = gamespec.load(str(spec("connect_four")), {"wide": 5, "high": 5})
        facts = analyse(game, left_out)
        solver = make_solver(game, facts, choose(game, facts, Ask(), "memo"), Budget(), compile)
        assert isinstance(solver, MemoSolver)
        start = Evaluator(game).start({})
        found.append((list(solver.values([], [[value] for value in start])), solver.at[COUNT]))
        told = any("come first" in reason.text for reason in solver.plan.bid.reasons)
        assert told is (FIRST not in left_out)
    assert found[0][0] == found[1][0]
    assert found[0][1] < found[1][1] * 0.3


def test_what_is_known_is_forgotten_when_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seek, "FIRST_CELLS", 1 << 9)
    game = gamespec.load(str(spec("connect_four")))
    facts = analyse(game)
    start = [[value] for value in Evaluator(game).start({})]
    plan = choose(game, facts, Ask(), "memo")
    rounds = {}
    for memory in (1 << 24, 90_000):
        solver = make_solver(game, facts, plan, Budget(memory), compile)
        assert isinstance(solver, MemoSolver)
        assert list(solver.values([], start)) == [2]
        rounds[memory] = solver.rounds
        stored = sum(cell > 0 for cell in solver.cells.to_list())
        assert stored == solver.at[COUNT] < solver.cells.length
    assert rounds[1 << 24] == 0 < rounds[90_000]
    distances = choose(game, facts, Ask(distance=True), "memo")
    with pytest.raises(LimitError):  # all options are needed again
        make_solver(game, facts, distances, Budget(90_000), compile).values([], start)
