"""A census counts what the definition reaches, no more and no less, and each position for what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import gamespec
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError
from gamespec.game import sample
from gamespec.game.arena import turn
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault
from gamespec.game.model import DRAWN, LOST, WON, Game, Position, Value
from gamespec.game.reference import Reference
from gamespec.plan.census import Census, census
from tests.agreement.small import SMALLER, cases
from tests.random.drawn import seeded
from tests.tool import GALLERY

MOST = 4000  # positions of one census
ENOUGH = 200
LONG = {"three_mens_morris", "mu_torere"}  # the definition takes long for what play reaches there

GAMES = [(path, game) for path in GALLERY if not (game := gamespec.load(str(path), SMALLER.get(path.stem))).sum]


def reached(evaluator: Evaluator, start: Position) -> set[Position] | None:
    """All positions that legal moves lead to from one; None if they are too many. Raises RuleFault."""
    waiting = [start]
    seen = {start}
    while waiting and len(seen) <= MOST:
        position = waiting.pop()
        if evaluator.ending(position) is None:
            new = {result for play in evaluator.moves(position) for result in play.results} - seen
            seen |= new
            waiting += new
    return None if waiting else seen


def agree(game: Game, data: dict[str, Value], start: Position, threads: int) -> int:
    """Compares a census with the definition; how many positions agree. Where a rule fails, both must say so."""
    evaluator = Evaluator(game, data)
    reference = Reference(evaluator)
    givens = [evaluator.givens[field.name] for field in game.givens]
    try:
        positions = reached(evaluator, start)
        if positions is None:
            return 0
        value = reference.outcome if game.scored else reference.distance
        expected = {position: value(position) for position in (start, *positions)}
    except RuleFault:
        with pytest.raises(SpecError):
            counted(game, givens, start, "llvm", threads)
        return 0
    backend = "python" if 10 < len(positions) < 30 else "llvm"
    found = counted(game, givens, start, backend, threads)
    outcomes = Counter(value % 3 for value in expected.values())
    assert found.positions == len(positions)
    assert (found.won, found.drawn, found.lost) == (outcomes[WON], outcomes[DRAWN], outcomes[LOST])
    assert found.outcome == expected[start] % 3
    if game.partisan:
        winners = Counter(turn(game, at) ^ (value % 3 == LOST) for at, value in expected.items() if value % 3 != DRAWN)
        assert found.won_by == (winners[0], winners[1])
    if game.scored:
        assert found.score == reference.score(start)
        return len(positions)
    decided = Counter(value for value in expected.values() if value % 3 != DRAWN)
    lengths = {3 * each.distance + WON: each.won for each in found.lengths}
    lengths |= {3 * each.distance + LOST: each.lost for each in found.lengths}
    assert found.distance == expected[start] // 3
    assert Counter(lengths) == decided
    if decided:
        assert found.longest is not None
        assert found.longest_position is not None
        assert found.longest_outcome is not None
        longest = 3 * found.longest + found.longest_outcome
        assert longest == max(decided) == expected[found.longest_position]
    else:
        assert found.longest_position is None
    return len(positions)


def counted(game: Game, givens: Iterable[Value], start: Position, backend: str, threads: int) -> Census:
    budget = Budget(1 << 28, 60, threads)
    return census(game, list(givens), start, budget, lambda functions: compile(functions, backend))


def some(game: Game, most: int) -> int:
    """How many positions agree, from so many positions under up to three sets of data."""
    total = 0
    for case in islice(cases(game, False), 3):
        starts = Random(1).sample(case.positions, min(most, len(case.positions)))
        for number, start in enumerate(starts):
            if total < ENOUGH:
                total += agree(game, case.data, start, 1 + number % 2)
    return total


@pytest.mark.parametrize(
    ("path", "game"),
    [each for each in GAMES if each[0].stem not in LONG],
    ids=lambda value: getattr(value, "stem", ""),
)
def test_gallery(path: Path, game: Game) -> None:
    assert some(game, 3) >= 3


@pytest.mark.slow
@pytest.mark.parametrize(("path", "game"), GAMES, ids=lambda value: getattr(value, "stem", ""))
def test_gallery_at_length(path: Path, game: Game) -> None:
    assert some(game, 12) >= 3


def drawn(number: int) -> int:
    """How many positions agree of a random game, from the two that reach the most of some."""
    try:
        game = gamespec.loads(seeded(number))
    except SpecError:
        return 0
    if game.sum:
        return 0
    (data,) = sample.givens(game, 1, seed=number)
    starts = list(islice(sample.positions(game, data, 30, seed=number), 30))
    starts.sort(key=partial(size, Evaluator(game, data)))
    return sum(agree(game, data, start, 1 + number % 2) for start in starts[-2:])


def size(evaluator: Evaluator, start: Position) -> int:
    """How many positions are reached; 0 where a rule fails or they are too many."""
    try:
        return len(reached(evaluator, start) or ())
    except RuleFault:
        return 0


@pytest.mark.parametrize("block", range(3))
def test_random_games(block: int) -> None:
    sizes = [drawn(11_000 + 10 * block + number) for number in range(10)]
    assert sum(count > 10 for count in sizes) > 1


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_many_random_games(block: int) -> None:
    for number in range(25):
        drawn(2_000_000 + 25 * block + number)


@pytest.mark.parametrize("cells", [4, 20, 21, 22, 32, 43, 85, 127, 169, 200])
@pytest.mark.parametrize("loops", [False, True])
def test_wide_positions(cells: int, loops: bool) -> None:
    """Three bits a cell; 170 cells and more are wider than any kernel holds."""
    text = f"""
game wide
players a, b
state row: array[1..{cells}] of 0..7
start row[i] = (if i == 1 then 5 else if i == {cells} then 3 else if i == 2 then 0 else i % 8) for i in 1..{cells}
move down choose i in {{1, {cells}}} when row[i] > 0 do row[i] -= 1, row[{cells} - 1] = 7 - row[i]
move up by a when row[2] > 0 and row[2] < 3 do row[2] {"-" if loops else "+"}= 1
move first by b when row[2] < 2 do row[2] += 1
terminal draw when row[1] == 2 and row[{cells}] == 2
{"endless draw" if loops else ""}
"""
    game = gamespec.loads(text)
    start = Evaluator(game, {}).start({})
    assert agree(game, {}, start, 1) > 20
