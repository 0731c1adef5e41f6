"""Windows with a ceiling: the closed form is what the definition says, or the analysis refuses."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.window import Window
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game
from gamespec.game.reference import Reference
from gamespec.kernel.ir import Function
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Kernels
from tests.analysis.test_window import ACCEPTED

TOP = 24

STEPS = [
    "c * c", "c", "3", "c / 2", "c + 1", "g", "g + c", "max(c, g)", "c * g", "c * c / 3", "2 * c - 1", "c ** 2 + g",
    "min(c, 5)", "(c + 1) * (g + 1)", "c - g", "max(c - 2, 1)", "abs(c)", "c * (c - 1)", "g * g", "1",
    # Those that may fall, or are not whole steps:
    "20 - c", "c % 5", "c * (c - 5)", "if c > 4 then 1 else 9", "if g > 1 then c else c * c", "sum(digits(c))",
    "12 / (c + 1)", "c xor 1", "gcd(c, 6)", "popcount(c)", "-c + g", "abs(c - 5)", "(c - 3) * (c - 3)",
]  # fmt: skip
RISING = 20
"""How many steps of the list do not fall as c grows."""

ROOMS = ["s - c", "s - c", "s - c", "20 - c", "min(s, 18) - c", "(s - c) / 2", "s - c - 1", "s + g - c"]
LEASTS = ["1", "1", "1", "1", "2", "0", "g"]
CHANGES = ["c += k", "c += k", "c += k", "c = c + k", "c += 2 * k", "c = min(s, c + k)"]
GUARDS = ["", "", "", "", " when c > 0", " when k != 2", " when g > 0"]
MORE = ["", "", "", "", " terminal c == 3", " move one when c < s do c += 1", " require c != 7"]


def drawn(seed: int) -> str:
    """A game that adds to a count up to a ceiling, or takes down to a floor; half of them spoiled by something."""
    random = Random(seed)
    spoiled = random.random() < 0.5

    def some(options: list[str]) -> str:
        return random.choice(options) if spoiled else options[0]

    steps = random.sample(STEPS[: None if spoiled else RISING], random.choice([1, 1, 2]))
    arguments = [*steps, some(ROOMS)]
    random.shuffle(arguments)
    choose = f"{some(LEASTS)}..min({', '.join(arguments)})"
    rule = f"move m choose k in {choose}{some(GUARDS)} do {some(CHANGES)}{some(MORE)}"
    if random.random() < 0.3:  # the mirror image
        rule = rule.replace("s - c", "c - s").replace("c += ", "c -= ").replace("c + k", "c - k")
        return f"given g: 0..3 given s: 0..{TOP} state c: s..{TOP} {rule}"
    return f"given g: 0..3 given s: 0..{TOP} state c: 0..s {rule}"


def agrees(game: Game) -> int:
    """Holds the closed form against the reference; how many positions, 0 where the rule is no window."""
    facts = analyse(game)
    if not isinstance(facts.window, Window):
        return 0

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, "python", checked=True)

    solver = make_solver(game, facts, choose(game, facts, Ask(True, True), "closed"), Budget(), compiled)
    compared = 0
    for data in sample_givens(game):
        reference = Reference(Evaluator(game, data))
        column = [(c,) for c in range(TOP + 1) if reference.evaluator.holds((c,))]
        values = [[data[field.name]] * len(column) for field in game.givens]
        found = solver.values(values, [[c for (c,) in column]])
        assert list(found) == [reference.grundy(position) for position in column], game.source.text
        for position in column[:: max(1, len(column) // 3)]:
            options = [(o.choices, o.value) for o in solver.options([*data.values()], position)]
            plays = reference.evaluator.moves(position)
            assert options == [(p.choices, reference.grundy_of_sum(p.results)) for p in plays], game.source.text
        compared += len(column)
    return compared


def sample_givens(game: Game) -> list[dict[str, int]]:
    ways: list[dict[str, int]] = [{}]
    for field in game.givens:
        numbers = range(4) if field.name == "g" else (0, 1, 2, 5, 9, 14, TOP)
        ways = [{**way, field.name: number} for way in ways for number in numbers]
    return ways


@pytest.mark.parametrize("name", ACCEPTED)
def test_recognised(name: str) -> None:
    """The rules that the analysis is known to recognise, with the smallest data."""
    text = ACCEPTED[name][0].replace("0..99", f"0..{TOP}").replace("5..99", f"5..{TOP}").replace("0..50", f"0..{TOP}")
    game = gamespec.loads(f"game drawn {text.replace('50', str(TOP))}")
    assert agrees(game) > 5


def test_drawn() -> None:
    """Spoiled rules are refused; whatever is accepted is right."""
    accepted = compared = 0
    for seed in range(150):
        try:
            game = gamespec.loads(f"game drawn {drawn(seed)}")
        except SpecError:
            continue
        here = agrees(game)
        accepted += here > 0
        compared += here
    assert accepted > 20
    assert compared > 2000


def test_no_step_at_the_ceiling() -> None:
    """Where the largest step is below 1 at the ceiling itself, nothing is as far apart as nothing."""
    game = gamespec.loads(
        "game g given g: 0..3 given s: 0..24 state c: 0..s move m choose k in 1..min(2 * c - 1, c, s - c) do c += k"
    )
    assert agrees(game) > 50


def barriers(c: int, s: int, length: int) -> int:
    """The value where 1..3 + c / length may be added up to s: barriers within one stretch are equally far apart."""
    while c + 3 + c // length < s:
        low, high = c, s - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (low, middle - 1) if middle + 3 + middle // length >= s else (middle, high)
        apart, stretch = s - low, max(c, low // length * length)
        if apart == 4 + low // length:
            low -= (low - stretch) // apart * apart
        if low == c:
            return 0
        s = low
    return s - c


def test_barriers_that_are_equally_far_apart_for_long() -> None:
    """Also mirrored, where the floor is 0 and counts go down from 10^17."""
    up = "given s: 0..10**17 state c: 0..s move m choose k in 1..min(3 + c / 10**15, s - c) do c += k"
    steps = "choose k in 1..min(103 - (c + 10**15 - 1) / 10**15, c - s)"
    down = f"given s: 0..10**17 state c: s..10**17 move m {steps} do c -= k"
    cases = [(10**17, 0), (10**17, 1), (98_765_432_109_876_543, 12_345), (10**15 + 7, 3), (5 * 10**16, 4_999 * 10**13)]
    answers = [str(barriers(c, s, 10**15)) for s, c in cases]
    for rule, rows in ((up, cases), (down, [(10**17 - s, 10**17 - c) for s, c in cases])):
        game = gamespec.loads(f'game g {rule} input cases until eof read s, c output line "{{grundy}}"')
        text = " ".join(f"{s} {c}" for s, c in rows)
        assert gamespec.solve(game, text, hint="closed", seconds=30).split() == answers
