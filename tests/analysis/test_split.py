"""Positions that fall apart: where it is proved, where it must not be, and the values that come of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import reduce
from operator import xor

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.split import split
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.game.reference import Reference
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.definition import options, value
from gamespec.plan.plan import Solver

PINS = """
game pins
state up: array[1..9] of bool
start up = true
move one choose i in 1..9 when up[i] do up[i] = false
move two choose i in 1..8 when up[i] and up[i + 1] do up[i] = false, up[i + 1] = false
"""

SIGNS = """
game signs
state s: array[1..8] of {plus, minus, gone}
start s = plus
move flip choose i in 1..7 when s[i] == plus and s[i + 1] != gone do s[i] = minus, s[i + 1] = gone
move drop choose i in 2..7 when s[i] == minus and s[i - 1] == minus and s[i + 1] == minus do s[i] = gone
"""

BOARD = """
game board
state free: array[1..3, 1..4] of bool
start free = true
move lay choose r in 1..3, c in 1..3 when free[r, c] and free[r, c + 1] do free[r, c] = false, free[r, c + 1] = false
move stand choose r in 1..2, c in 1..4 when free[r, c] and free[r + 1, c] do free[r, c] = false, free[r + 1, c] = false
"""

PAIRS = """
game pairs
state up: set of 1..9
start up = 1..9
move hit choose p in up when p + 1 in up do up -= {p, p + 1}
move skip choose p in up when p + 2 in up do up -= {p}
"""

MIRROR = PINS.replace("up[i] = false, up[i + 1] = false", "up[i] = false, up[9 - i] = false")

# Dawson's chess: what stands beside is taken away whatever it is.
NEIGHBOURS = """
game neighbours
state up: set of 1..9
start up = 1..9
move hit choose p in up do up -= {p - 1, p, p + 1}
"""

EITHER = NEIGHBOURS.replace("in up do", "in up when p + 1 in up or p - 1 in up do")

SPREAD = """
game spread
state s: array[1..9] of {plus, minus, gone}
start s = plus
move burn choose i in 2..8 when s[i] == plus do s[i - 1] = gone, s[i] = gone, s[i + 1] = gone
move turn choose i in 2..8 when s[i] == plus and (s[i - 1] == minus or s[i + 1] != minus) do s[i] = minus
move drop choose i in {1, 9} when s[i] != gone do s[i] = gone
"""

ALL = {
    "pins": PINS,
    "signs": SIGNS,
    "board": BOARD,
    "pairs": PAIRS,
    "mirror": MIRROR,
    "neighbours": NEIGHBOURS,
    "either": EITHER,
    "spread": SPREAD,
}


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize("grundy", [True, False])
def test_values(text: str, backend: str, grundy: bool) -> None:
    game = gamespec.loads(text)
    facts = analyse(game)
    assert facts.split is not None
    budget, ask = Budget(), Ask(grundy=grundy, moves=True)
    plan = choose(game, facts, ask, hint="memo", budget=budget)
    solver = make_solver(game, facts, plan, budget, lambda functions: compile(functions, backend))
    reference = Reference(Evaluator(game))
    draw = random.Random(5)
    positions = [_drawn(game, draw) for _ in range(30)]
    values = solver.values([], [list(column) for column in zip(*positions, strict=True)])
    truth = [reference.grundy(p) if grundy else reference.outcome(p) for p in positions]
    assert list(values) == truth
    for position in positions[:8]:
        options = [(option.move, option.choices, option.value) for option in solver.options([], position)]
        plays = reference.evaluator.moves(position)
        values = [reference.grundy(play.results[0]) for play in plays]
        worth = values if grundy else [int(value == 0) for value in values]
        assert options == [(p.move, p.choices, value) for p, value in zip(plays, worth, strict=True)]


ROW = """
game row
given n: 1..9
given m: 1..3
given open: array[1..n] of bool
state s: array[1..n] of {plus, minus}
move flip choose i in 1..n - 1 when s[i] == plus and s[i + 1] == plus and open[i] do s[i] = minus, s[i + 1] = minus
move drop choose i in 1..n when s[i] == plus and i % m == 0 do s[i] = minus
"""

ROWS = """
game rows
given r: 1..3
given top: 1..3
state s: array[1..r, 1..3] of 0..2
move lay choose i in 1..r, j in 1..2 when s[i, j] > 0 and s[i, j + 1] > 0 do s[i, j] = 0, s[i, j + 1] = 0
move cut choose i in 1..r - 1, j in 1..3 when s[i, j] == 2 and s[i + 1, j] < top do s[i, j] = 1, s[i + 1, j] = 0
"""


@pytest.mark.parametrize("text", [ROW, ROW.replace("{plus, minus}", "{minus, plus}"), ROWS])
@pytest.mark.parametrize("grundy", [True, False])
def test_arrays_that_are_shorter_than_declared(text: str, grundy: bool) -> None:
    game = gamespec.loads(text)
    assert split(game) is not None
    ask = Ask(grundy=grundy, moves=True)
    solver = _solver(game, ask)
    for given, reference, positions in _agreed(game, solver, ask, each=12):
        for position in positions:
            assert solver.options(given, position) == options(reference, ask, position)


EVEN = {  # whether a component may stand at the front of the row
    "pins": (PINS, True),
    "pairs": (PAIRS, True),
    "row": (
        ROW.replace(" and open[i]", "").replace(" and i % m == 0", "").replace("{plus, minus}", "{minus, plus}"),
        True,
    ),
    "three": (
        "state s: array[0..5] of 0..4 "
        "move a choose i in 0..3 when s[i] > 1 and s[i + 2] in {1, 3} do s[i] = 0, s[i + 2] = 0",
        True,
    ),
    "as data say": (ROW.replace("{plus, minus}", "{minus, plus}"), False),
    "not at the end": (PINS.replace("choose i in 1..8", "choose i in 1..7"), False),
    "not at the front": (PINS.replace("choose i in 1..8", "choose i in 2..8"), False),
    "every other one": (PINS.replace("when up[i] do", "when up[i] and i % 2 == 0 do"), False),
    "what is not there counts": (ROW.replace(" and open[i]", "").replace(" and i % m == 0", ""), False),
    "not as far as there are": (
        ROW.replace(" and open[i]", "").replace("i % m == 0", "i <= n - m").replace("{plus, minus}", "{minus, plus}"),
        False,
    ),
    "touched": (NEIGHBOURS, False),
    "a board": (BOARD, False),
}


@pytest.mark.parametrize("name", EVEN)
def test_components_at_the_front(name: str) -> None:
    text, movable = EVEN[name]
    game = gamespec.loads(text if text.strip().startswith("game") else f"game even {text}")
    found = split(game)
    assert found is not None
    assert found.movable is movable
    ask = Ask(grundy=True, moves=True)
    assert len(list(_agreed(game, _solver(game, ask), ask, each=40))) > 0


def _agreed(
    game: Game, solver: Solver, ask: Ask, each: int
) -> Iterator[tuple[list[Value], Reference, list[tuple[Value, ...]]]]:
    """Data of some cases, with so many positions of each, whose values are those of the definition."""
    for data in sample.givens(game, 12, seed=5):
        reference = Reference(Evaluator(game, data))
        given = [data[field.name] for field in game.givens]
        positions = list(sample.positions(game, data, each, seed=6))
        states = [list(column) for column in zip(*positions, strict=True)]
        values = list(solver.values([[one] * len(positions) for one in given], states))
        assert values == [value(reference, ask, position) for position in positions]
        yield given, reference, positions


def _solver(game: Game, ask: Ask) -> Solver:
    facts, budget = analyse(game), Budget()
    return make_solver(game, facts, choose(game, facts, ask, hint="memo", budget=budget), budget, compile)


def test_a_word_of_any_length() -> None:
    """The rule as one writes it, at its limits: without parts, a word of 60 signs is out of reach."""
    text = ROW.replace("given m: 1..3", "").replace("given open: array[1..n] of bool", "").replace(" and open[i]", "")
    text = text[: text.index("move drop")].replace("1..9", "1..60")
    text += 'input cases until eof read s[n] as word "+-" output line "{grundy}"'
    assert gamespec.solve(gamespec.loads(text), f"{'+' * 60}\n{'+' * 34}-{'+' * 4}\n-\n") == "2\n6\n0\n"


def test_a_row_of_300_pins() -> None:
    text = """
game kayles
given n: 1..300
state up: array[1..n] of bool
move one choose i in 1..n when up[i] do up[i] = false
move two choose i in 1..n - 1 when up[i] and up[i + 1] do up[i] = false, up[i + 1] = false
input cases until eof read n, up[n] as word "XI"
output line "{grundy}"
"""
    rows = [(17, 150, 40), (71, 72, 73), (300,), (5, 12, 100, 96, 71)]
    cases = ["X".join("I" * row for row in case) for case in rows]
    values = gamespec.solve(gamespec.loads(text), "\n".join(f"{len(case)} {case}" for case in cases))
    last = [
        4,
        1,
        2,
        8,
        1,
        4,
        7,
        2,
        1,
        8,
        2,
        7,
    ]  # of 72, 73, …, 83 pins, which come again (R. K. Guy and C. A. B. Smith, 1956)
    first = {5: 4, 12: 4, 17: 4, 40: 1, 71: 7}
    worth = [[first.get(row) or last[row % 12] for row in case] for case in rows]
    assert values.split() == [str(reduce(xor, case)) for case in worth]


def _drawn(game: Game, draw: random.Random) -> tuple[Value, ...]:
    (value,) = Evaluator(game).start({})
    if isinstance(value, frozenset):
        return (frozenset(element for element in value if draw.random() < 0.8),)
    assert isinstance(value, tuple)
    if isinstance(value[0], bool):
        return (tuple(draw.random() < 0.8 for _ in value),)
    return (tuple(draw.choice((0, 0, 0, 1, 1, 2)) for _ in value),)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (PINS, "start up", "winner stuck player start up"),
        (PINS, "start up", "terminal not up[1] start up"),
        (PINS, "start up", "require up[9] start up"),
        (PINS, "when up[i] do", "when up[i] and count(up[j] for j in 1..9) > 2 do"),
        (PINS, "when up[i] do", "when up[i] or up[9] do"),
        (NEIGHBOURS, "p + 1}", "p + 1} move put choose p in 1..9 when p not in up and 5 in up do up |= {p}"),
        (NEIGHBOURS, "in up do", "in 2..8 when p - 1 in up or p + 1 in up do"),
        (PINS, "up[i] = false\n", "up[i] = up[9]\n"),
        (ROWS, "1..3] of", "1..r] of"),
        (ROWS, "s[i, j] = 1", "s[i, j] = min(top, 1)"),
        (ROW, "s[i + 1] == plus and", "s[1 + (i + m) % n] == plus and"),
        (SIGNS, "s[i] == minus and", "s[i] != plus and"),
        (PAIRS, "when p + 1 in up", "when p + 1 not in up"),
    ],
)
def test_what_keeps_positions_whole(text: str, old: str, new: str) -> None:
    changed = text.replace(old, new)
    assert changed != text
    assert split(gamespec.loads(changed)) is None


def test_a_long_row_takes_no_time() -> None:
    """Kayles on 60 pins in one array: 2^60 positions, of which a few thousand are looked at."""
    text = PINS.replace("1..9", "1..60").replace("1..8", "1..59") + 'output line "{grundy}"'
    assert gamespec.solve(gamespec.loads(text), "") == "4\n"


def test_a_row_from_which_neighbours_are_taken() -> None:
    """Dawson's chess, 0.137: Guy and Smith (1956) have period 34 from a row of 52 on."""
    text = NEIGHBOURS.replace("1..9", "1..60") + 'input cases until eof read k, up[k] output line "{grundy}"'
    cases = "".join(f"{n} {' '.join(map(str, range(1, n + 1)))}\n" for n in (9, 16, 26, 60))
    known = [0, 1]
    for n in range(2, 61):
        options = {known[max(p - 1, 0)] ^ known[max(n - p - 2, 0)] for p in range(n)}
        known.append(min(set(range(len(options) + 1)) - options))
    assert gamespec.solve(gamespec.loads(text), cases).split() == [str(known[n]) for n in (9, 16, 26, 60)]
