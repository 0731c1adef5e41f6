"""Positions at the declared limits, where the definition is out of reach: the strategies agree with each other."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault, TooMuchWork
from gamespec.game.model import Game, Position, Value
from gamespec.game.reference import Reference
from gamespec.kernel.ir import Function
from gamespec.plan.choose import make_solver
from gamespec.plan.plan import Kernels
from tests.agreement.small import value
from tests.agreement.test_gallery import asks, plans
from tests.tool import GALLERY

SETS = 3  # of data
EACH = 6  # positions for each
REACHED = 150  # positions that the reference may visit
STEPS = 1 << 9  # at each of them
MEMORY = 1 << 28
SECONDS = 0.4  # for each strategy, when its kernels are compiled


def drawn(game: Game) -> list[tuple[dict[str, Value], Position]]:
    """Random positions, numbers of all sizes up to the declared limits, and corners; some for each of several data."""
    found = []
    for data in sample.givens(game, SETS, seed=3):
        corners = sample.positions(game, data, EACH // 2, seed=3)
        positions = (sample.random_position(game, data, seed) for seed in range(EACH))
        found += [(data, each) for each in dict.fromkeys([*positions, *corners]) if each is not None]
    return sorted(found, key=lambda place: _weight(place[1]))


def _weight(position: Position) -> int:
    """Small positions come first, so that each strategy answers some before its time is over."""
    return sum(abs(value) if isinstance(value, int) else sum(map(abs, value)) for value in position)


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_strategies_agree(path: Path) -> None:
    game = gamespec.load(str(path))
    facts = analyse(game)
    ask = asks(game)[-1]
    places = drawn(game)
    found: dict[tuple[object, ...], dict[str, int]] = {}
    tried = plans(game, facts, ask)
    circles = False
    for plan in tried:
        budget = Budget(MEMORY, SECONDS)

        def compiled(functions: Sequence[Function], budget: Budget = budget) -> Kernels:
            made = compile(functions)
            budget.deadline = time.monotonic() + SECONDS
            return made

        with suppress(LimitError):
            solver = make_solver(game, facts, plan, budget, compiled)
            for data, position in places:
                columns = [[data[field.name]] for field in game.givens]
                try:
                    answer = solver.values(columns, [[each] for each in position])[0]
                except RuleFault:  # in a random graph play comes back
                    circles = True
                    continue
                found.setdefault((*data.values(), position), {})[plan.strategy] = answer
    references: dict[tuple[Value, ...], Reference] = {}
    for data, position in places:
        fresh = Reference(Evaluator(game, data, steps=STEPS), REACHED)
        with suppress(LimitError, RuleFault if circles else TooMuchWork):
            known = value(references.setdefault(tuple(data.values()), fresh), ask, position)
            found.setdefault((*data.values(), position), {})["reference"] = known
    for place, answers in found.items():
        assert len(set(answers.values())) == 1, f"{game.name} at {place}: {answers}"
    assert len(tried) == 1 or circles or any(len(answers) > 1 for answers in found.values())
