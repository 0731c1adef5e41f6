"""Shipped specs and contest problems with the other winner convention or smaller limits: still the definition.

Nothing but the clause `winner` (or the numbers of the declarations) is changed; every strategy that does not refuse has
to follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from pathlib import Path
from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask, interacts
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault
from gamespec.game.model import Game, Position
from gamespec.game.reference import Reference
from gamespec.plan.choose import choose
from gamespec.plan.definition import options, value
from gamespec.plan.plan import WholeSolver
from tests.agreement.small import PLAYED, SMALL, Case, Data, Make, cases
from tests.agreement.sums import Sums
from tests.agreement.test_gallery import asks, compare, filled, plans, solver
from tests.agreement.vary import Change, capped, changed, flipped, is_decided_by_winner, without_output
from tests.tool import GALLERY, ROOT

PROBLEMS = sorted((ROOT / "tests" / "problems").glob("*.game"))
DATA, POSITIONS = 5, 25
TRIES = 3  # positions that reach too many others, before no more are tried
PARTS = 8  # components to draw from
SUMS = 12  # sums that are compared, of up to three components
REACHED = 4000  # positions that the reference may meet for one set of data

SLOW = 5_000
"""Positions that the python back end does not solve."""

MOST = 5
"""The largest number of a declaration, unless it is named here."""

LIMITS = {
    "calendar": 2001,
    "cf1147c_thanos": 3,
    "cf1396b_stoned": 3,
    "clobber": 3,
    "hdu1079_calendar": 2001,
    "hdu1404_digdel": 9,
    "hdu2516_fibnim": 1 << 40,
    "mu_torere": 9,
    "poj3480_john": 3,
    "ttt_position": 9,
    "uva11489_integer": 9,
}
"""Other limits: larger ones where the rules need them, smaller ones where too many positions are reached."""


def _two_cars(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    boards = [[0] * 9 for _ in range(72)]
    for board, (east, north) in zip(boards, permutations(range(9), 2), strict=True):
        board[east], board[north] = 1, 2
    return [({}, [(tuple(board), mover) for board in boards for mover in (0, 1)])]


LISTED: dict[str, Make] = {
    "dodgem3": _two_cars,
    "hdu1079_calendar": SMALL["calendar"],
    "hdu2516_fibnim": SMALL["fibonacci_nim"],
}
"""Positions of problems, where random ones reach too many others."""


def loaded(path: Path) -> Game:
    return gamespec.load(str(path))


DECIDED = [path for path in [*GALLERY, *PROBLEMS] if is_decided_by_winner(loaded(path))]


def smaller(path: Path, *changes: Change) -> Game:
    """The game with smaller limits, where no positions are listed for it as it is."""
    if path in GALLERY and path.stem in {*SMALL, *PLAYED} and path.stem not in LIMITS and not loaded(path).sum:
        return changed(loaded(path), *changes)
    return changed(loaded(path), *changes, capped(LIMITS.get(path.stem, MOST)))


def candidates(path: Path, game: Game, count: int) -> Iterator[tuple[Data, Iterator[Position]]]:
    """Sets of data, each with up to `count` positions to try."""
    if path in GALLERY and path.stem in {*SMALL, *PLAYED}:
        found = ((case.data, case.positions) for case in cases(game, large=False))
    elif path.stem in LISTED:
        found = ((data, filter(Evaluator(game, data).holds, places)) for data, places in LISTED[path.stem](False))
    else:
        found = ((data, sample.positions(game, data, count, 1)) for data in sample.givens(game, DATA, 1))
    yield from ((data, islice(places, count)) for data, places in islice(found, DATA))


def positions(path: Path, game: Game) -> Iterator[Case]:
    """Positions of games that are no sums, where no rule fails and the definition knows all that may be asked."""
    for data, places in candidates(path, game, POSITIONS):
        reference = Reference(Evaluator(game, data), REACHED)
        found, too_large = [], 0
        for position in places:
            try:
                for ask in asks(game):
                    value(reference, ask, position)
                    options(reference, ask, position)
                found.append(position)
            except RuleFault:
                continue
            except LimitError:
                too_large += 1
                if too_large == TRIES:
                    break
        if found:
            yield Case(data, found, reference)


def agree(path: Path, game: Game) -> int:
    """How many answers were compared."""
    return agree_in_sums(path, game) if interacts(game) else agree_alone(path, game)


def agree_alone(path: Path, game: Game) -> int:
    facts = analyse(game)
    known = list(positions(path, game))
    compared = 0
    for ask in asks(game):
        chosen = choose(game, facts, ask).strategy
        many = filled(game, facts, ask, known) > SLOW if facts.order is not None else path.stem in PLAYED
        for plan in plans(game, facts, ask):
            for backend in ["llvm"] if many else ["python", "llvm"] if plan.strategy == chosen else ["python"]:
                made = solver(game, facts, plan, backend, checked=True)
                compared += compare(game, known, made, ask, f"{plan.strategy}, {ask}, {backend}")
    return compared


def agree_in_sums(path: Path, game: Game) -> int:
    facts = analyse(game)
    found = [(data, list(places)) for data, places in candidates(path, game, PARTS)]
    sums = Sums(game, [data for data, _ in found], [places for _, places in found], REACHED)
    compared = 0
    for ask in (Ask(moves=True), Ask(distance=True, moves=True)):
        known = sums.drawn(Random(1), SUMS, ask)
        for plan in plans(game, facts, ask):
            made = solver(game, facts, plan, "python", checked=True)
            assert isinstance(made, WholeSolver)
            sums.compare(made, ask, known, f"{plan.strategy}, {ask}")
            compared += len(known)
    return compared


@pytest.mark.parametrize("path", DECIDED, ids=lambda path: path.stem)
def test_the_other_convention(path: Path) -> None:
    changes = [flipped]
    try:
        changed(loaded(path), flipped)
    except SpecError as error:
        (diagnostic,) = error.diagnostics
        assert diagnostic.message == "a Grundy value needs a rule without verdicts where the last mover wins"
        assert "grundy" in loaded(path).source.text
        changes.append(without_output)
    assert agree(path, smaller(path, *changes)) > 5


@pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.stem)
def test_another_limit(path: Path) -> None:
    assert agree(path, smaller(path)) > 5
