"""Sums of numbers: their values, and outcomes against playing the whole sum."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Value
from gamespec.game.reference import SumReference
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.sum.number import Numbers, between
from gamespec.plan.sum.whole import WholeSolver
from tests.tool import ROOT

COL = """
game col
players blue, red
sum
given n: 1..6
state point: array[1..6] of {plain, blue, red}
move paint choose p in 1..n
    when point[p] == plain and (p == 1 or point[p - 1] != mover) and (p == n or point[p + 1] != mover)
    do point[p] = mover
"""

CUTS = """
game cuts
players left, right
sum
state a, b: 0..5
move stand by left choose k in 1..a - 1 into (k, b), (a - k, b)
move lay by right choose k in 1..b - 1 into (a, k), (a, b - k)
"""


@pytest.mark.parametrize(
    ("left", "right", "value"),
    [
        ([], [], 0),
        ([0], [], 1),
        ([], [0], -1),
        ([0], [1], Fraction(1, 2)),
        ([Fraction(1, 2)], [1], Fraction(3, 4)),
        ([Fraction(-5, 2)], [3], 0),
        ([Fraction(5, 2)], [9], 3),
        ([-9], [Fraction(-9, 4)], -3),
        ([Fraction(1, 4)], [Fraction(3, 8)], Fraction(5, 16)),
        ([0], [0], None),
        ([1], [-1], None),
        ([-7], [], 0),
    ],
)
def test_simplest_number(left: list[Fraction], right: list[Fraction], value: Fraction | None) -> None:
    assert between(list(map(Fraction, left)), list(map(Fraction, right))) == value


def solver(game: gamespec.Game, backend: str = "llvm") -> WholeSolver:
    facts, budget, ask = analyse(game), Budget(), Ask(moves=True)
    plan = choose(game, facts, ask, budget=budget)
    made = make_solver(game, facts, plan, budget, lambda functions: compile(functions, backend))
    assert isinstance(made, WholeSolver)
    return made


def test_values_of_strings() -> None:
    game = gamespec.load(str(ROOT / "specs" / "hackenbush.game"))
    made = solver(game)
    assert isinstance(made.settled, Numbers)
    for text, value in [("L", 1), ("LR", Fraction(1, 2)), ("LRLRRLLR", Fraction(77, 128)), ("RLLL", Fraction(-1, 8))]:
        edges = tuple("LR".index(edge) for edge in text.ljust(40, "L"))
        assert made.settled.total([made.components.number((edges,), (len(text), 0))]) == value


@pytest.mark.parametrize("text", [COL, CUTS], ids=["col", "cuts"])
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_sums(text: str, backend: str) -> None:
    """Col has numbers and others; cuts has numbers only."""
    game = gamespec.loads(text)
    made = solver(game, backend)
    draw = Random(3)
    for _ in range(25):
        size = draw.randint(1, 3)
        mover = draw.randint(0, 1)
        if "n" in {field.name for field in game.givens}:
            rows = [({"n": n}, (tuple(draw.choice((0, 0, 1, 2)) for _ in range(6)), mover)) for n in (2, 3, 4)[:size]]
        else:
            rows = [({}, (draw.randint(0, 4), draw.randint(0, 4), mover)) for _ in range(size)]
        givens = [[data[field.name] for data, _ in rows] for field in game.givens]
        states: list[list[Value]] = [list(column) for column in zip(*(at for _, at in rows), strict=True)]
        reference = SumReference([Evaluator(game, data) for data, _ in rows])
        components = [(number, at) for number, (_, at) in enumerate(rows)]
        assert list(made.sums(givens, states, [size])) == [reference.outcome_of(components)]
        wins = [(place, option.choices) for place, option in made.sum_options(givens, states) if option.value == 1]
        truth = reference.winning(components)
        assert wins == [(place + 1, played.choices) for place in sorted(truth) for played in truth[place]]
