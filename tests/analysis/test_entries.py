"""Rows whose entries are played one by one: values against the definition, and rows that must stay whole."""

from __future__ import annotations

from random import Random

import pytest

import gamespec
from gamespec.analysis.entries import entries
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.reference import Reference
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.definition import options, value

LIMITED = """
game limited
given n: 1..4
given most: array[1..n] of 1..3
state h: array[1..n] of 0..6
move take choose i in 1..n, k in 1..min(h[i], most[i]) do h[i] -= k
move halve choose k in {2, 4}, i in 2..n when h[i] == k + k / 2 do h[i] = k / 2
"""

NIM = """
game nim
state h: array[0..3] of 0..5
move take choose i in 0..3, k in 1..h[i] do h[i] -= k
"""

PAIRS = """
game pairs
given n: 1..3
state a: array[1..n] of 0..3
state b: array[1..n] of 0..4
let few = 2
move both choose i in 1..n when a[i] > 0 and b[i] >= few do a[i] -= 1, b[i] -= few
move one choose i in 1..n, k in 1..b[i] when k <= i do b[i] -= k
"""


SUBTRACTION = """
game subtraction
given n: 1..3
given s: set of 1..5
state h: array[1..n] of 0..7
move take choose i in 1..n, k in s when k <= h[i] do h[i] -= k
"""

MISERE = "\nwinner stuck player"


@pytest.mark.parametrize(
    ("text", "grundy"),
    [
        *((text, grundy) for text in (LIMITED, NIM, PAIRS, SUBTRACTION) for grundy in (True, False)),
        (NIM + MISERE, False),
        (SUBTRACTION + MISERE, False),
    ],
)
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_values(text: str, backend: str, grundy: bool) -> None:
    game = gamespec.loads(text)
    facts, budget, ask = analyse(game), Budget(), Ask(grundy=grundy, moves=True)
    plan = choose(game, facts, ask, hint="entries", budget=budget)
    solver = make_solver(game, facts, plan, budget, lambda functions: compile(functions, backend))
    for data in sample.givens(game, 4, seed=2):
        reference = Reference(Evaluator(game, data))
        places = list(sample.positions(game, data, 12, seed=Random(1).randrange(9)))
        given = [data[field.name] for field in game.givens]
        states = [list(column) for column in zip(*places, strict=True)]
        found = solver.values([[each] * len(places) for each in given], states)
        assert list(found) == [value(reference, ask, place) for place in places]
        for place in places:
            assert solver.options(given, place) == options(reference, ask, place)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (NIM, "move take", "terminal h[0] == 0 move take"),
        (NIM, "move take", "require h[0] >= h[3] move take"),
        (NIM, "do h[i] -= k", "when h[0] > 0 do h[i] -= k"),
        (NIM, "do h[i] -= k", "do h[i] -= k, h[3 - i] = 0"),
        (NIM, "do h[i] -= k", "do h[3 - i] = 0"),
        (NIM, "k in 1..h[i]", "k in 1..max(h[x] for x in 0..3) when k <= h[i]"),
        (PAIRS, "let few = 2", "let few = a[1]"),
        (PAIRS, "state b: array[1..n]", "state b: array[0..n]"),
    ],
)
def test_rows_that_stay_whole(text: str, old: str, new: str) -> None:
    changed = text.replace(old, new)
    assert changed != text
    assert entries(gamespec.loads(changed)) is None


def test_a_row_of_large_heaps() -> None:
    text = "game row given n: 0..50 state h: array[1..n] of 0..1_000_000_000 "
    text += "move take choose i in 1..n, k in 1..h[i] do h[i] -= k "
    text += 'input cases until eof read n, h[n] output line "{grundy}"'
    assert gamespec.solve(gamespec.loads(text), "2 1000000000 999999999\n0\n3 1 2 3\n") == "1023\n0\n0\n"


@pytest.mark.parametrize("text", [LIMITED, PAIRS, NIM.replace("k in 1..h[i]", "k in 1..h[i] when h[0] != 3 or i == 0")])
def test_misere_rows_that_are_not_tame(text: str) -> None:
    game = gamespec.loads(text + MISERE)
    assert choose(game, analyse(game), Ask()).strategy != "entries"


def test_misere_rows_without_the_pass() -> None:
    game = gamespec.loads(NIM + MISERE)
    assert choose(game, analyse(game), Ask()).strategy == "entries"
    assert choose(game, analyse(game, ("tame",)), Ask()).strategy != "entries"


def test_misere_rows_at_the_limits() -> None:
    text = SUBTRACTION.replace("1..3", "1..50").replace("0..7", "0..10**18") + MISERE
    game = gamespec.loads(text + '\ninput cases until eof read m, s[m], n, h[n] output win "W" lose "L"')
    cases = "2 1 3 3 {even} 4 6 2 1 3 2 {even} 7 2 2 4 2 {six} 5 2 2 4 3 {six} 9 1 3 1 2 5 1 {even}"
    large = cases.format(even=10**18, six=6 * 10**17)
    assert gamespec.solve(game, large) == gamespec.solve(game, cases.format(even=34, six=18)) == "W\nL\nW\nL\nL\n"
