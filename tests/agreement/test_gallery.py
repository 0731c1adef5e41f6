"""Every shipped spec, every strategy that does not refuse, both back ends: the answers of the reference evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import Facts, analyse
from gamespec.answers.ask import Ask, interacts
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.model import Game, Position
from gamespec.kernel.ir import Function
from gamespec.plan.choose import DEFINITION, LAST, STRATEGIES, choose, make_solver
from gamespec.plan.definition import options, value
from gamespec.plan.plan import Bid, Kernels, Plan, Solver
from gamespec.plan.table.strategy import Table
from tests.agreement.small import MANY, PLAYED, SMALL, SMALLER, Case, cases, drawn
from tests.agreement.vary import capped, changed
from tests.tool import GALLERY

LISTED = 60  # positions whose options are compared, for each way to solve
LEAST = 30  # positions that are compared of every spec
ON_PYTHON = 200
"""Positions that the python back end answers for."""

LARGE = 200_000
"""Positions of tables that it does not fill."""

TOO_LARGE = 1 << 22
"""Positions of tables that are filled only for narrowed ranges."""

NARROW = 9
"""The largest number of a declaration for it, unless `DEFINED` says what to change."""

DEFINED: dict[str, dict[str, object]] = {"cram": {"w": 3, "h": 3}}


def asks(game: Game) -> list[Ask]:
    """What may be asked: outcomes, distances where there are boards, and Grundy values where they say all."""
    if game.sum and not interacts(game):
        return [Ask(grundy=True, moves=True)]
    if game.scored:
        return [Ask(score=True, moves=True), Ask(score=True, total=True, moves=True)]
    if game.partisan or game.endless is not None or game.sum:
        return [Ask(moves=True), Ask(distance=True, moves=True)]
    plain = not game.misere and not any(terminal.verdict for terminal in game.terminals)
    return [Ask(grundy=grundy, moves=True) for grundy in ([False, True] if plain else [False])]


def plans(game: Game, facts: Facts, ask: Ask) -> list[Plan]:
    """One for each strategy that does not refuse; the definition, which they are held against, where there is none."""
    bids = {name: strategy.bid(game, facts, ask) for name, strategy in STRATEGIES.items() if name not in LAST}
    able = [name for name, bid in bids.items() if isinstance(bid, Bid)]
    return [choose(game, facts, ask, name) for name in able or [DEFINITION]]


def solver(game: Game, facts: Facts, plan: Plan, backend: str, checked: bool) -> Solver:
    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, backend, checked)

    return make_solver(game, facts, plan, Budget(), compiled)


def compare(game: Game, known: list[Case], made: Solver, ask: Ask, label: str) -> int:
    """How many values were compared; of some positions the options, too."""
    random = Random(2)
    compared = 0
    for case in known:
        data = [case.data[field.name] for field in game.givens]
        columns = [[value] * len(case.positions) for value in data]
        states = [[position[place] for position in case.positions] for place in range(len(game.states))]
        found = list(made.values(columns, states))
        for position, answer in zip(case.positions, found, strict=True):
            expected = value(case.reference, ask, position)
            assert answer == expected, f"{label}: {game.name} at {position} under {case.data}"
        compared += len(found)
        for position in random.sample(case.positions, min(len(case.positions), max(1, LISTED // len(known)))):
            found_options = [(one.move, one.choices, one.value) for one in made.options(data, position)]
            assert found_options == listed(case, position, ask), f"{label}: options of {game.name} at {position}"
    return compared


def listed(case: Case, position: Position, ask: Ask) -> list[tuple[int, tuple[int, ...], int]]:
    """The options of a position with what they are worth."""
    return [(option.move, option.choices, option.value) for option in options(case.reference, ask, position)]


def narrow(path: Path) -> Game:
    """The game with smaller numbers in its declarations, so that its tables are small."""
    if path.stem in DEFINED:
        return gamespec.load(str(path), DEFINED[path.stem])
    return changed(gamespec.load(str(path)), capped(NARROW))


def filled(game: Game, facts: Facts, ask: Ask, known: list[Case]) -> int:
    """How many positions the tables have that hold the cases."""
    table = Table(game, facts, ask)
    return sum(
        table.box(list(zip(*case.positions, strict=True)), [case.data[field.name] for field in game.givens]).cells
        for case in known
    )


def few(known: list[Case]) -> list[Case]:
    """A part of the positions, of each case the first ones."""
    share = max(1, ON_PYTHON // len(known))
    return [case._replace(positions=case.positions[:share]) for case in known[:ON_PYTHON]]


def run(path: Path, large: bool) -> int:
    """How many positions were compared."""
    game = gamespec.load(str(path), SMALLER.get(path.stem))
    facts = analyse(game)
    known = list(cases(game, large))
    compared = 0
    for ask in asks(game):
        for plan in plans(game, facts, ask):
            if plan.strategy == "table" and filled(game, facts, ask, known) > TOO_LARGE:
                continue
            label = f"{plan.strategy}, {ask}"
            # With two questions, one is compiled as it is shipped, the other with every proof checked.
            for checked in (False, True) if large or len(asks(game)) == 1 else (ask.grundy or ask.distance,):
                made = solver(game, facts, plan, "llvm", checked)
                compared = compare(game, known, made, ask, f"{label}, llvm, checked {checked}")
    return compared


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_python_back_end(path: Path) -> None:
    """It fills tables slowly: declared ranges are narrowed where a table is always large, for both back ends."""
    game = gamespec.load(str(path), SMALLER.get(path.stem))
    facts = analyse(game)
    known = few(list(cases(game, large=False)))
    backends = ["python"]
    if path.stem not in PLAYED and facts.order is not None and filled(game, facts, asks(game)[-1], known) > LARGE:
        game = narrow(path)
        facts = analyse(game)
        known = list(drawn(game, ON_PYTHON, reached=LARGE))
        backends.append("llvm")
    for ask in asks(game):
        for plan in plans(game, facts, ask):
            if plan.strategy == "table" and filled(game, facts, ask, known) > LARGE:
                continue
            for backend in backends:
                made = solver(game, facts, plan, backend, checked=True)
                compare(game, known, made, ask, f"{plan.strategy}, {ask}, {backend}")


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_small_positions(path: Path) -> None:
    """Some thousand positions of each spec, or all."""
    assert run(path, large=False) > LEAST


@pytest.mark.slow
@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_many_positions(path: Path) -> None:
    """20,000 positions of each spec; fewer only where there are no more, or each has hundreds of moves."""
    compared = run(path, large=True)
    assert compared >= MANY or path.stem in FEWER, compared


FEWER = {
    "chomp": "has 1287 positions",
    "divisor_game": "has 1000",
    "grundys_game": "a component has 1001 values",
    "kayles": "a component has 1001 values",
    "knights": "a component has 225 values",
    "laskers_nim": "a component has 1001 values",
    "nim": "a component of n has n moves",
    "power_cards": "has 1001 positions",
    "thirty_one": "has 15,625 positions",
    "treblecross": "a component has 2001 values",
}


ELSEWHERE = {"sum", "tame", "entries", "phase", "columns"}
"""Strategies of sums whose components interact (`test_whole`), and of rows that are no sums by declaration
(`test_convention`, where misère Nim has the other winner); phases (`test_phase`); and of large
numbers beside small fields (`tests/plan/test_columns`)."""


def test_every_strategy_is_met() -> None:
    """Else the tests above would say nothing about it."""
    met: set[str] = set()
    for path in GALLERY:
        game = gamespec.load(str(path))
        facts = analyse(game)
        for ask in asks(game):
            for plan in plans(game, facts, ask):
                met.add(plan.strategy)
    assert met | ELSEWHERE | set(LAST) >= set(STRATEGIES)


def test_every_spec_has_small_positions() -> None:
    assert {path.stem for path in GALLERY} >= {*SMALL, *PLAYED}
