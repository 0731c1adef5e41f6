"""Components with a phase: the answers are those of the definition, and what is no phase is refused."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game
from gamespec.game.reference import Reference
from gamespec.kernel.ir import Function
from gamespec.plan.choose import PHASE, STRATEGIES, choose, make_solver
from gamespec.plan.definition import options, value
from gamespec.plan.plan import Bid, Kernels, Refusal
from gamespec.plan.sum.phase import bid
from gamespec.types import element_bounds

SPLIT = "move take choose k in 1..2, a in 0..n - k when not ring into (a, false), (n - k - a, false)"

PHASES = {
    "circle": (
        f"state n: 0..24 state ring: bool move open choose k in 1..min(n, 2) when ring into (n - k, false) {SPLIT}"
    ),
    "the field first": (
        "state ring: bool state n: 0..24 move open choose k in 1..min(n, 2) when ring == true into (false, n - k) "
        "move take choose k in 1..3 when k <= n and not ring do n -= k"
    ),
    "names": (
        "state at: {begun, fresh, closed} state n: 0..18 "
        "move open when at == fresh and n > 1 into (begun, n / 2), (begun, 3) "
        "move first choose k in 1..min(n, 3) when at == closed into (fresh, n - k) "
        "move last when at == closed and n > 4 into (begun, 4), (fresh, n - 1) "
        "move take choose k in {1, 3, 4} when n >= k and at == begun do n -= k"
    ),
    "numbers, in one rule": (
        "state n: 0..20 state left: 0..2 let most = if left == 0 then 3 else left "
        "move take choose k in 1..min(n, most) do n -= k, left = if left > 0 then left - 1 else 0"
    ),
    "an opening that ends it": (
        "state n: 0..15 state new: bool move a choose k in 1..n when new and k != 2 into (n - k, false) "
        "move b when new into nothing move c choose k in 1..min(2, n) when not new do n -= k"
    ),
}

NONE = {
    "they take turns": "state n: 0..9 state odd: bool move a when n > 0 do n -= 1, odd = not odd",
    "the number decides": f"state n: 0..9 state ring: bool move open when ring and n > 0 into (n - 1, n > 3) {SPLIT}",
    "it comes back": (
        f"state n: 0..9 state ring: bool move open when ring and n > 0 into (n - 1, false) {SPLIT} "
        "move shut when not ring and n > 2 do n -= 3, ring = true"
    ),
    "two that are played": (
        "state n: 0..9 state two: bool move a when n > 1 and two do n -= 2 move b when n > 0 and not two do n -= 1"
    ),
    "a limit of the other": (
        "state two: bool state n: 0..(if two then 9 else 5) move a when n > 0 and not two do n -= 1"
    ),
}


def load(text: str) -> Game:
    return gamespec.loads(f"game drawn sum {text}")


@pytest.mark.parametrize("name", list(PHASES))
def test_phases(name: str) -> None:
    game, ask = load(PHASES[name]), Ask(grundy=True, moves=True)
    facts = analyse(game)

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, "python", checked=True)

    assert isinstance(bid(game, facts, ask), Bid)
    solver = make_solver(game, facts, choose(game, facts, ask, PHASE), Budget(), compiled)
    reference = Reference(Evaluator(game))
    ranges = (element_bounds(field.type) for field in game.states)
    positions = list(product(*(range(each.lo, each.hi + 1) for each in ranges)))
    found = solver.values((), [list(column) for column in zip(*positions, strict=True)])
    assert list(found) == [value(reference, ask, position) for position in positions]
    for position in positions[::3]:
        assert solver.options((), position) == options(reference, ask, position)


@pytest.mark.parametrize("name", list(NONE))
def test_no_phases(name: str) -> None:
    game = load(NONE[name])
    assert isinstance(bid(game, analyse(game), Ask(grundy=True)), Refusal)


def test_switched_off() -> None:
    game = load(PHASES["circle"])
    assert isinstance(STRATEGIES["phase"].bid(game, analyse(game, ["phase"]), Ask(grundy=True)), Refusal)


def test_a_large_circle() -> None:
    """The second player wins every circle of three coins or more, by the mirror image of each move."""
    text = PHASES["circle"].replace("24", "10**6")
    game = gamespec.loads(
        f'game circle sum {text} start ring = true input cases until eof read n output win "W" lose "L"'
    )
    assert gamespec.solve(game, "1 2 3 4 999999 1000000") == "W\nW\nL\nL\nL\nL\n"
