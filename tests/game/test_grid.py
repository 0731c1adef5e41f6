"""Boards: lines of cells, indices that are cells, arrays that are gone through."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from gamespec.game import model
from gamespec.game.check import check
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.game.walk import within
from gamespec.source import Source
from gamespec.syntax.read import read

BOARD = "state b: array[1..3, 0..3] of 0..2 state row: array[2..6] of 0..2 state cube: array[0..2, 0..2, 0..2] of bool "
Cells = dict[tuple[int, ...], int]


def game_of(text: str) -> Game:
    source = Source("g", f"game g {text}", "text")
    return check(read(source), source, {})


def value_of(expression: str, board: Cells, row: tuple[int, ...] = (0,) * 5) -> Value:
    """The value of an expression where the cells of the board and of the row are these."""
    game = game_of(f"{BOARD} let it = {expression} move go do row[2] = 0")
    cells = tuple(board.get(cell, 0) for cell in product(range(1, 4), range(4)))
    cube = tuple(bool(board.get(cell, 0)) for cell in product(range(3), repeat=3))
    return Evaluator(game).expr(game.lets["it"], (cells, row, cube))


def in_line(cells: Cells, k: int, sizes: list[range]) -> bool:
    """Whether k cells in a row, column or diagonal are set, by looking from every cell in every direction."""
    for start in product(*sizes):
        for step in product((-1, 0, 1), repeat=len(sizes)):
            if any(step):
                line = [tuple(at + i * by for at, by in zip(start, step, strict=True)) for i in range(k)]
                if all(cells.get(cell, 0) for cell in line):
                    return True
    return False


@pytest.mark.parametrize(
    ("array", "k", "count"),
    [
        ("b", 3, 3 * 2 + 4 + 2 * 2),
        ("b", 4, 3),
        ("b", 5, 0),
        ("b", 1, 12),
        ("row", 2, 4),
        ("row", 5, 1),
        ("cube", 3, 49),
    ],
)
def test_number_of_lines(array: str, k: int, count: int) -> None:
    assert value_of(f"sum(1 for line in lines({array}, {k}))", {}) == count


def test_lines_are_all_lines() -> None:
    sizes = [range(1, 4), range(4)]
    for cells in product((0, 1), repeat=12):
        if sum(cells) != 3:
            continue
        board: Cells = dict(zip(product(*sizes), cells, strict=True))
        asked = "any(all(b[q] == 1 for q in line) for line in lines(b, 3))"
        assert value_of(asked, board) == in_line(board, 3, sizes)


FOLDS: dict[str, Callable[[Cells], int]] = {
    "count(b[q] > 0 for line in lines(b, 4) for q in line)": lambda b: sum(v > 0 for v in b.values()),
    "sum(b[q] for line in lines(b, 1) for q in line)": lambda b: sum(b.values()),
    "sum(b[q] for line in lines(b, 1) for q in line if b[q] > 1)": lambda b: sum(v for v in b.values() if v > 1),
    "max(b[q] for line in lines(b, 1) for q in line)": lambda b: max(b.values()),
    "min(b[q] for line in lines(b, 1) for q in line)": lambda b: min(b.values()),
    "max(sum(b[q] for q in line) for line in lines(b, 4))": lambda b: max(
        sum(b[r, c] for c in range(4)) for r in range(1, 4)
    ),
    "size({b[q] for line in lines(b, 1) for q in line if b[q] > 0})": lambda b: len({v for v in b.values() if v > 0}),
    "count(b[q] == i for line in lines(b, 1) for q in line for i in 1..2)": lambda b: sum(v > 0 for v in b.values()),
    "count(b[q] == i for i in 1..2 for line in lines(b, 1) for q in line)": lambda b: sum(v > 0 for v in b.values()),
    "gcd(2 * b[q] for line in lines(b, 1) for q in line)": lambda b: (
        2 if 1 in b.values() else 4 if 2 in b.values() else 0
    ),
    "count(x == 2 for x in b)": lambda b: sum(v == 2 for v in b.values()),
    "sum(x * y for x in b for y in b)": lambda b: sum(b.values()) ** 2,
}


@pytest.mark.parametrize("fold", FOLDS)
def test_folds(fold: str) -> None:
    cells = list(product(range(1, 4), range(4)))
    for seed in range(40):
        board = {cell: seed * 7919 // (3**place) % 3 for place, cell in enumerate(cells)}
        assert value_of(fold, board) == FOLDS[fold](board), board


def test_folds_with_conditions_over_lines() -> None:
    board = {(1, 0): 1, (1, 1): 1, (2, 2): 2}
    assert value_of("any(b[q] == 2 for line in lines(b, 1) for q in line if b[q] != 1)", board) is True
    assert value_of("all(b[q] > 0 for line in lines(b, 1) for q in line if b[q] != 0)", board) is True
    assert value_of("all(b[q] > 1 for line in lines(b, 1) for q in line if b[q] != 0)", board) is False


def test_lines_by_name_and_in_functions() -> None:
    text = (
        "let threes = lines(b, 3) let full(line, v) = all(b[q] == v for q in line) "
        "let it = any(full(line, 2) for line in threes)"
    )
    game = game_of(f"{BOARD} {text} move go do row[2] = 0")
    assert "threes" not in game.lets
    cells = tuple(2 if r == c else 0 for r in range(1, 4) for c in range(4))
    assert Evaluator(game).expr(game.lets["it"], (cells, (0,) * 5, (False,) * 27)) is True


def test_nothing_of_the_lists_is_left() -> None:
    game = game_of(BOARD + "move go do row[2] = 0 terminal any(all(b[q] == 1 for q in line) for line in lines(b, 3))")
    for part in within(game.terminals[0].condition):
        assert not (isinstance(part, model.Const) and isinstance(part.value, tuple))
        assert not isinstance(part, model.Fold)
        if isinstance(part, model.Index):
            assert all(isinstance(index, model.Const) for index in part.indices)


def test_start_fills_a_board() -> None:
    game = game_of("given n: 1..3 state b: array[0..n, 1..n] of 0..9 start b = 4 move go do b[0, 1] = 0")
    assert Evaluator(game, {"n": 2}).start({}) == ((4,) * 6,)


def test_sorted_arrays_are_kept_sorted() -> None:
    game = game_of(
        "state h: sorted array[1..3] of 0..9 start h[i] = 4 - i for i in 1..3 move go choose k in 1..3 do h[k] = 9 - k"
    )
    evaluator = Evaluator(game)
    start = evaluator.start({})
    assert start == ((1, 2, 3),)
    assert [played.results for played in evaluator.moves(start)] == [(((2, 3, 8),),), (((1, 3, 7),),), (((1, 2, 6),),)]
    assert evaluator.holds(((1, 2, 2),))
    assert not evaluator.holds(((2, 1, 2),))
    assert evaluator.start({"h": (5, 0, 3)}) == ((0, 3, 5),)


def test_graphs() -> None:
    game = game_of("given g: array[0..2] of set of 0..2 state at: 0..2 move go choose v in g[at] - {0} do at = v")
    evaluator = Evaluator(game, {"g": (frozenset({0, 1, 2}), frozenset(), frozenset({1}))})
    assert [played.results[0] for played in evaluator.moves((0,))] == [(1,), (2,)]


def test_reach() -> None:
    text = (
        "given near: array[0..5] of set of 0..5 state up: set of 0..5 let back(v) = {u for u in 0..5 if v in near[u]} "
        "let forth = reach({0, 3}, near, up) let home = reach({5} & up, back, up) move go do up = forth | home"
    )
    game = game_of(text)
    evaluator = Evaluator(game, {"near": tuple(map(frozenset, ({1, 2}, {0}, {4}, {5}, {3}, {0})))})
    everything = frozenset(range(6))
    assert evaluator.expr(game.lets["forth"], (everything,)) == everything
    assert evaluator.expr(game.lets["forth"], (everything - {4},)) == {0, 1, 2, 3, 5}
    assert evaluator.expr(game.lets["forth"], (everything - {0, 4},)) == {3, 5}
    assert evaluator.expr(game.lets["home"], (everything - {2},)) == {3, 4, 5}
    assert evaluator.expr(game.lets["home"], (everything - {5},)) == frozenset()


def test_components_of_the_data() -> None:
    game = game_of(
        "sum given k: 0..9 given at: 0..20 given hs: set of 0..9 state n: 0..20 "
        "start into (h, at = 3) for h in hs if h > 1, (k, at = 2 * k) "
        "move chip when n > 0 do n -= 1 input read k, hs[k]"
    )
    assert [given.component for given in game.givens] == [False, True, False]
    found = Evaluator(game, {"k": 4, "hs": frozenset({1, 3, 5})}).components({})
    assert found == [((3,), {"at": 3}), ((5,), {"at": 3}), ((4,), {"at": 8})]
