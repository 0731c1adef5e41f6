"""Sums whose components interact, against the definition, which plays the whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault
from gamespec.game.model import LOST, WON, Game
from gamespec.game.reference import SumReference
from gamespec.kernel.ir import Function
from gamespec.plan.choose import STRATEGIES, choose, make_solver
from gamespec.plan.plan import Ask, Bid, Kernels, WholeSolver
from gamespec.plan.sum import whole
from gamespec.plan.sum.packed import PackedSearch
from tests.agreement.kinds import SUMS
from tests.agreement.sums import Sums
from tests.tool import gamespec as gamespec_command

CASES = 25
SETTLED = ("misere_nim", "misere_subtraction", "colours")  # all components have values that add up


def solver(game: Game, ask: Ask, backend: str, hint: str = "sum") -> WholeSolver:
    facts = analyse(game)

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, backend, checked=True)

    made = make_solver(game, facts, choose(game, facts, ask, hint), Budget(1 << 28), compiled)
    assert isinstance(made, WholeSolver)
    return made


@pytest.mark.parametrize("backend", ["python", "llvm"])
@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("distance", [False, True])
def test_sums(name: str, backend: str, distance: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the kernel over words, and by the search for few sums."""
    searches: list[object] = []
    codes = PackedSearch.codes
    monkeypatch.setattr(PackedSearch, "codes", lambda self, wholes: searches.append(self) or codes(self, wholes))
    game = gamespec.loads(dedent(SUMS[name]))
    random = Random(name)
    ask = Ask(moves=True, distance=distance)
    datas = list(sample.givens(game, 3, 1))
    sums = Sums(game, datas, [list(sample.positions(game, data, 200, 1)) for data in datas])
    cases = sums.drawn(random, CASES, ask)
    assert len(cases) == CASES
    for few, packs in ((1 << 60, False), (0, game.endless is None and (distance or name not in SETTLED))):
        monkeypatch.setattr(whole, "FEW_SUMS", few)
        sums.compare(solver(game, ask, backend), ask, cases)
        assert bool(searches) == packs


@pytest.mark.parametrize("backend", ["python", "llvm"])
def test_theorem_b9(backend: str) -> None:
    """Misère sums of subtraction games by their normal-play values, as the search through the sums finds them."""
    game = gamespec.loads(dedent(SUMS["misere_subtraction"]))
    values, search = (solver(game, Ask(moves=True), backend, hint) for hint in ("tame", "sum"))
    random = Random(4)
    for _ in range(40):
        size = random.randint(0, 4)
        givens = [[frozenset(random.sample(range(1, 6), random.randint(0, 3))) for _ in range(size)]]
        states = [[random.randint(0, 6) for _ in range(size)]]
        assert values.sums(givens, states, [size]) == search.sums(givens, states, [size])
        assert values.sum_options(givens, states) == search.sum_options(givens, states)


def test_theorem_b9_is_proved_or_not_used() -> None:
    facts = {name: analyse(gamespec.loads(dedent(text))) for name, text in SUMS.items()}
    games = {name: gamespec.loads(dedent(text)) for name, text in SUMS.items()}
    tame = {name for name, game in games.items() if isinstance(STRATEGIES["tame"].bid(game, facts[name], Ask()), Bid)}
    assert tame == {"misere_nim", "misere_subtraction"}


@pytest.mark.parametrize("backend", ["python", "llvm"])
def test_misere_kayles(backend: str) -> None:
    """Single rows that are lost, and 1 + 5, where the rule of misère Nim fails."""
    game = gamespec.loads(dedent(SUMS["misere_kayles"]).replace("0..5", "0..20"))
    made = solver(game, Ask(), backend)
    single = made.sums([], [range(21)], [1] * 21)
    assert [n for n in range(21) if single[n] != WON] == [1, 4, 9, 12, 20]
    pairs = list(combinations_with_replacement(range(1, 7), 2))
    found = made.sums([], [[n for pair in pairs for n in pair]], [2] * len(pairs))
    assert found[pairs.index((1, 5))] == LOST
    reference = SumReference([Evaluator(game)])
    assert found == [reference.outcome(((0, (a,)), (0, (b,)))) for a, b in pairs]


def test_the_fault_of_a_sum_that_comes_back_is_that_of_a_component() -> None:
    """Also where the sum as a whole stays what it is, and where other components move in between."""
    graph = gamespec.loads(
        "game graph sum given next: array[0..2] of set of 0..2 state at: 0..2 "
        "move go choose to in next[at] do at = to winner stuck player"
    )
    walk = gamespec.loads(
        "game walk sum players left, right state at: 0..5 "
        "move on by left when at < 3 do at += 1 move back by right when at > 1 do at -= 1"
    )
    none: frozenset[int] = frozenset()
    for game, data, places, play in [
        (graph, {"next": (frozenset({0}), none, none)}, [(0,), (1,)], "at = 0 → go 0: at = 0"),
        (graph, {"next": (frozenset({1}), frozenset({0}), none)}, [(0,), (1,)], "at = 0 → go 1: at = 1 → go 0: at = 0"),
        (walk, {}, [(2, 0), (0, 0)], "at = 2, mover = right → back: at = 1, mover = left → on: at = 2, mover = right"),
    ]:
        with pytest.raises(RuleFault, match=re.escape(play)):
            SumReference([Evaluator(game, data)]).outcome_of([(0, place) for place in places])


@pytest.mark.parametrize("name", SUMS)
def test_verify(name: str, tmp_path: Path) -> None:
    """The command compares such a sum, too, a component each."""
    spec = tmp_path / f"{name}.game"
    spec.write_text(dedent(SUMS[name]))
    run = gamespec_command("verify", spec, "--positions", "40")
    assert run.code == 0, run.out + run.err
    assert "no answers differ" in run.out


@pytest.mark.parametrize("endless", ["", "endless draw"])
def test_sums_of_many_parts_keep_the_limits(endless: str) -> None:
    """A whole may have so many components that a few of them fill the memory; all of it is given back."""
    game = gamespec.loads(f"""
        game many
        sum
        players left, right
        state n: 0..400
        move end by left when n == 1 into nothing
        move break when n > 1 into (n - 1) for i in 1..n
        move shift when n < 400 and {"true" if endless else "false"} do n += 1
        winner stuck player
        {endless}
    """)
    facts = analyse(game)
    for budget, message in ((Budget(4 << 20), "of memory"), (Budget(seconds=0.2), "the time given")):
        plan = choose(game, facts, Ask(), "sum")
        made = make_solver(game, facts, plan, budget, lambda functions: compile(functions, "python"))
        with pytest.raises(LimitError, match=message):
            made.values([], [[400], [0]])
        assert budget.used < 1 << 20


@pytest.mark.parametrize(
    ("rules", "heaps", "play"),
    [
        ("move m when n > 1 into (n), (0) move k when n > 0 do n -= 1", [2], "n = 2 → m: n = 2"),
        ("move m when n == 4 into (4), (1) move k when n == 1 into nothing", [1, 4], "n = 4 → m: n = 4"),
        ("move m when n == 2 into nothing move k when n == 2 into (n), (n)", [2, 2], "n = 2 → k: n = 2"),
    ],
)
def test_components_that_come_back_with_others_that_are_over(rules: str, heaps: list[int], play: str) -> None:
    """The definition would see no sum twice, as ever more components are over."""
    made = solver(gamespec.loads(f"game back sum state n: 0..9 {rules} winner stuck player"), Ask(), "python")
    with pytest.raises(RuleFault, match=f"a position can come back: {play}$"):
        made.sums([], [heaps], [len(heaps)])
