"""Symmetries: what is found, what must not be found, and what a permutation does to positions."""

from __future__ import annotations

import random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.permutation import Permutation
from gamespec.analysis.symmetry import symmetry, unproved
from gamespec.answers.ask import Ask
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Position
from gamespec.game.reference import Reference
from gamespec.plan.orbit import image, orbits
from gamespec.plan.search.memo import Memo

THREE = """
game three
players x, o
state board: array[1..3, 1..3] of {empty, x, o}
start board = empty
move mark choose r in 1..3, c in 1..3 when board[r, c] == empty do board[r, c] = mover
terminal
    mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
    draw when stuck
"""

DROP = """
game drop
players x, o
state board: array[1..4, 1..3] of {empty, x, o}
start board = empty
move drop choose c in 1..4 when board[c, 3] == empty
    do board[c, 1 + count(board[c, r] != empty for r in 1..3)] = mover
terminal mover loses when any(all(board[q] == other for q in line) for line in lines(board, 3))
"""

HEAPS = """
game heaps
state h: array[1..4] of 0..5
state t: array[1..4] of 0..1
start h = 2, t = 0
move take choose i in 1..4, k in 1..h[i] when t[i] == 0 do h[i] -= k
move turn choose i in 1..4 when h[i] > 1 and t[i] == 0 do t[i] = 1
"""

CIRCLE = """
game circle
state full: array[0..6] of bool
start full = true
move strike choose i in 0..6 when full[i] and full[(i + 1) % 7] do full[i] = false, full[(i + 1) % 7] = false
"""


def loaded(text: str) -> Game:
    return gamespec.loads(text)


@pytest.mark.parametrize(
    ("text", "orbit", "rows"),
    [(THREE, 8, ()), (DROP, 2, ()), (HEAPS, 1, ("h", "t")), (CIRCLE, 14, ())],
    ids=["board", "columns", "heaps", "circle"],
)
def test_groups(text: str, orbit: int, rows: tuple[str, ...]) -> None:
    found = symmetry(loaded(text))
    assert (found.orbit, found.rows) == (orbit, rows)
    assert found.reasons


@pytest.mark.parametrize(
    ("text", "old", "new", "orbit"),
    [
        (THREE, "when board[r, c] == empty", "when board[r, c] == empty and (r, c) != (1, 1)", 2),
        (THREE, "when board[r, c] == empty", "when board[r, c] == empty and r + c != 3", 2),
        (THREE, "when board[r, c] == empty", "when board[r, c] == empty and r != 1", 2),
        (THREE, "when board[r, c] == empty", "when board[r, c] == empty and (r != 2 or c != 2)", 8),
        (THREE, "draw when stuck", "mover wins when board[1, 2] == x", 2),
        (DROP, "choose c in 1..4 when", "choose c in 1..4 when c < 4 and", 1),
        (CIRCLE, "do full[i] = false, full[(i + 1) % 7] = false", "do full[i] = false", 7),
        (CIRCLE, "choose i in 0..6", "choose i in 0..5", 2),
    ],
)
def test_what_breaks_a_symmetry_is_seen(text: str, old: str, new: str, orbit: int) -> None:
    if "(r, c) !=" in new:
        new = new.replace("(r, c) != (1, 1)", "(r != 1 or c != 1)")
    changed = text.replace(old, new)
    assert changed != text
    assert symmetry(loaded(changed)).orbit == orbit


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("choose i in 1..4, k", "choose i in 1..3, k"),
        ("when t[i] == 0 do h", "when t[i] == 0 and k != i do h"),
        ("do t[i] = 1", "do t[5 - i] = 1"),
        ("h[i] > 1 and", "h[i] > 1 and h[1] > 0 and"),
    ],
)
def test_heaps_that_differ_are_not_sorted(old: str, new: str) -> None:
    changed = HEAPS.replace(old, new)
    assert changed != HEAPS
    assert symmetry(loaded(changed)).rows == ()


def moved(game: Game, element: Permutation, position: Position) -> Position:
    names = [field.name for field in game.states]
    values = dict(zip(names, position, strict=True))
    changed = {**values, **image(values, dict(element.images))}
    return tuple(changed[name] for name in names)


@pytest.mark.parametrize("text", [THREE, DROP, CIRCLE], ids=["board", "columns", "circle"])
def test_images_have_the_same_options_and_value(text: str) -> None:
    game = loaded(text)
    evaluator = Evaluator(game)
    reference = Reference(evaluator)
    draw = random.Random(1)
    elements = symmetry(game).elements
    position = evaluator.start({})
    for _ in range(25):
        element = draw.choice(elements)
        image = moved(game, element, position)
        assert evaluator.verdict(image) == evaluator.verdict(position)
        options = [played.results[0] for played in evaluator.moves(position)]
        assert {moved(game, element, option) for option in options} == {
            played.results[0] for played in evaluator.moves(image)
        }
        if evaluator.verdict(position) is not None or not options:
            position = evaluator.start({})
            continue
        if len(options) < 6:
            assert reference.outcome(image) == reference.outcome(position)
        position = draw.choice(options)


FIVE = """
game five
players black, white
state at: array[1..5] of {empty, black, white}
start at[1] = black, at[2] = black, at[3] = empty, at[4] = white, at[5] = white
move slide choose p in 1..5, t in 1..5
    when at[p] == mover and at[t] == empty and (p == 3 or t == 3 or abs(p - t) == 3 or p + t == 9)
    do at[p] = empty, at[t] = mover
endless draw
symmetry SWAP
"""


@pytest.mark.parametrize(
    ("swap", "orbit", "problem"),
    [
        ("at[1] = at[2], at[2] = at[1], at[4] = at[5], at[5] = at[4]", 2, None),
        ("at[1] = at[5], at[5] = at[1], at[2] = at[4], at[4] = at[2]", 1, "not the same"),
        ("at[1] = at[2]", 1, "same content"),
        ("at[1] = empty", 1, "which cell"),
    ],
)
def test_declared(swap: str, orbit: int, problem: str | None) -> None:
    game = loaded(FIVE.replace("SWAP", swap))
    assert symmetry(game).orbit == orbit
    found = [diagnostic.message for diagnostic in unproved(game)]
    assert len(found) == (problem is not None)
    assert problem is None or problem in found[0]


@pytest.mark.parametrize(
    ("cells", "said"), [(32, "all such positions are stored as one"), (33, "each order is stored by itself")]
)
def test_only_so_many_entries_are_said_to_be_sorted(cells: int, said: str) -> None:
    each = f"1..{cells}"
    take = f"move t choose i in {each}, j in {each} when i != j and v[i] > 0 and v[j] > 1 do v[i] -= 1, v[j] -= 1"
    game = gamespec.loads(f"game g state v: array[{each}] of 0..3 {take}")
    memo = Memo(game, analyse(game), Ask())
    assert bool(memo.keys.rows) is (cells <= 32)
    (reason,) = orbits(memo.facts.symmetry, memo.keys)
    assert reason.text.endswith(said)


def test_what_is_reached_is_said_not_to_be_written_out() -> None:
    text = """
        game joined
        state up: array[1..4] of bool
        let near(v) = {v - 1, v + 1}
        let ups = {v for v in 1..4 if up[v]}
        symmetry up[v] = up[5 - v] for v in 1..4
        move cut choose v in ups when size(reach({v}, near, ups)) > 1 do up[v] = false
    """
    (warning,) = unproved(gamespec.loads(text))
    assert warning.message.endswith("not used: what `reach` finds is not written out")
