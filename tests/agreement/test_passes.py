"""Each pass left out alone, and all of them: the answers of the definition, from both back ends.

With all passes on, every strategy is held against the definition in `test_gallery`; random games without each pass are
in `tests/random`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from random import Random
from textwrap import dedent

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.heap import Heap
from gamespec.analysis.passes import OPTIMISER, PASSES, SETTLED, SURVEY
from gamespec.answers.ask import Ask, interacts
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import UsageError
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game
from gamespec.game.reference import Reference
from gamespec.kernel import ir, pattern
from gamespec.kernel.build import FALSE
from gamespec.kernel.ir import Function
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.heap.values import HeapValues
from gamespec.plan.plan import Kernels, Plan, Solver, WholeSolver
from gamespec.plan.retrograde import backward
from gamespec.plan.retrograde.backward import BackwardSolver
from tests.agreement.kinds import LOOPY, SUMS
from tests.agreement.small import PLAYED, SMALLER, Case, cases, plays
from tests.agreement.sums import Sums
from tests.agreement.test_gallery import asks, compare
from tests.tool import spec

DATA, POSITIONS, PLAYS = 3, 12, 6
"""Sets of data of a game, positions under each, and plays from which positions of boards are taken."""

ROW = """game row state heap: array[1..3] of 0..5
move take choose i in 1..3, k in 1..min(heap[i], 3) do heap[i] -= k"""
CIRCLE = """game circle sum state n: 0..9 state whole: bool
move open choose k in 1..min(n, 2) when whole into (n - k, false)
move take choose k in 1..2, a in 0..n - k when not whole into (a, false), (n - k - a, false)"""
UNEQUAL = "game unequal sum state n: 0..10**6 move split choose a in 1..(n - 1) / 2 into (a), (n - a)"

CHANGED = {
    ("can_i_win", "memo"): "ends",
    ("clobber", "memo"): "symmetry sweep",
    ("col", "table"): "packed",
    ("connect_four", "memo"): "ends symmetry lines sweep",
    ("cow_digit", "table"): "packed blocks digits",
    ("cram", "memo"): "split",
    ("divisor_game", "table"): "sieve",
    ("knights", "memo"): "symmetry",
    ("mark", "table"): "packed",
    ("pong_hau_ki", "retrograde"): "swap inverse sweep",
    ("quixo", "retrograde"): "symmetry swap inverse",
    ("subtract_a_square", "table"): "push",
    ("teeko", "retrograde"): "swap lines sweep",
    ("tic_tac_toe", "memo"): "first ends symmetry lines sweep",
}
"""Shipped specs and strategies whose kernels a pass changes, without boards that take the definition seconds."""

INSTEAD = {
    "closed": ("stone_game", "nim"),
    "theorem": ("wythoff", "mock_turtles", "fibonacci_nim"),
    "heap": ("kayles", "power_cards", "subtraction_sets"),
}
"""Shipped specs that a pass solves by itself: without it another strategy has to do."""


def known(game: Game) -> list[Case]:
    """A few positions that the definition can answer for soon."""
    if game.name in PLAYED:
        drawn = plays(game, PLAYED[game.name]._replace(positions=PLAYS), large=False)
        made = (Case(data, list(found), Reference(Evaluator(game, data))) for data, found in drawn)
    else:
        made = (case for case in cases(game, large=False))
    return [
        case._replace(positions=case.positions[:: 1 + len(case.positions) // POSITIONS]) for case in islice(made, DATA)
    ]


def solver(game: Game, plan: Plan, without: Collection[str], backend: str) -> Solver:
    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, backend, checked=True, optimised=OPTIMISER not in without)

    return make_solver(game, analyse(game, without), plan, Budget(1 << 28), compiled)


def held(game: Game, some: list[Case], ask: Ask, strategy: str | None, without: Collection[str], backend: str) -> Plan:
    """Holds the answers without some passes against the definition; the plan that gave them."""
    plan = choose(game, analyse(game, without), ask, strategy)
    made = solver(game, plan, {*without, OPTIMISER}, backend)
    compare(game, some, made, ask, f"{plan.strategy}, {ask}, {backend}, without {without}")
    return plan


@pytest.mark.parametrize(("name", "strategy"), CHANGED, ids=map("-".join, CHANGED))
def test_kernels(name: str, strategy: str) -> None:
    """Each pass that changes the kernels of a strategy alone, on one back end, and all passes, on the other."""
    game = gamespec.load(str(spec(name)), SMALLER.get(name))
    some = known(game)
    ask = asks(game)[0]
    here = choose(game, analyse(game), ask, strategy).functions
    backends = ("llvm", "python") if len(name) % 2 else ("python", "llvm")
    for place, each in enumerate(CHANGED[name, strategy].split()):
        plan = held(game, some, ask, strategy, [each], backends[place % 2])
        assert plan.functions != here, each
    held(game, some, ask, strategy, [one for one in PASSES if one != strategy], backends[1])


@pytest.mark.parametrize("each", INSTEAD)
def test_other_strategies(each: str) -> None:
    for place, name in enumerate(INSTEAD[each]):
        game = gamespec.load(str(spec(name)))
        plan = held(game, known(game), asks(game)[0], None, [each], ("llvm", "python")[place % 2])
        assert plan.strategy != choose(game, analyse(game), asks(game)[0]).strategy


@pytest.mark.parametrize("text", [ROW, CIRCLE], ids=["entries", "phase"])
@pytest.mark.parametrize("backend", ["python", "llvm"])
def test_rows_and_phases(text: str, backend: str, request: pytest.FixtureRequest) -> None:
    """Also the passes of the game of one entry, or one phase, can be left out."""
    game, ask = gamespec.loads(text), Ask(grundy=True, moves=True)
    some = [Case({}, list(sample.positions(game, {}, 40, 1)), Reference(Evaluator(game)))]
    name = "entries" if text == ROW else "phase"
    with_all = held(game, some, ask, name, (), backend)
    without = held(game, some, ask, name, [one for one in PASSES if one != name], backend)
    assert name == "phase" or without.functions != with_all.functions
    assert held(game, some, ask, None, [name], backend).strategy != name


@pytest.mark.parametrize("name", [name for name in SUMS if name not in ("rounds", "rounds_right")])
def test_sums(name: str) -> None:
    """Sums whose components interact, where nothing is added."""
    game, ask = gamespec.loads(dedent(SUMS[name])), Ask(moves=True)
    assert interacts(game)
    datas = list(sample.givens(game, 2, 1))
    sums = Sums(game, datas, [list(sample.positions(game, data, 100, 1)) for data in datas])
    drawn = sums.drawn(Random(name), 8, ask)
    for place, without in enumerate(([SETTLED], list(PASSES), ["heap"])):
        plan = choose(game, analyse(game, without), ask, None if without == ["heap"] else "sum")
        made = solver(game, plan, {*without, OPTIMISER}, ("llvm", "python")[(place + len(name)) % 2])
        assert isinstance(made, WholeSolver)
        sums.compare(made, ask, drawn, f"without {without}")


def test_surveys(monkeypatch: pytest.MonkeyPatch) -> None:
    """All declared positions are gone through only with the pass."""
    monkeypatch.setattr(backward, "LEAST_FUEL", 0)
    monkeypatch.setattr(backward, "FIRST_CELLS", 4)
    monkeypatch.setattr(backward, "DENSITY", 1 << 20)
    gone: list[str] = []
    for way in ("_cover", "_survey"):
        through = getattr(BackwardSolver, way)
        monkeypatch.setattr(
            BackwardSolver, way, lambda self, *args, through=through: (gone.append(""), through(self, *args))
        )
    game, ask = gamespec.loads(dedent(LOOPY["chase"])), Ask(distance=True, moves=True)
    some = [Case({}, list(sample.positions(game, {}, 30, 1)), Reference(Evaluator(game)))]
    held(game, some, ask, None, (), "python")
    assert gone
    gone.clear()
    held(game, some, ask, None, [SURVEY], "python")
    assert not gone


def test_sparse_space() -> None:
    """Beyond the heaps that the definition can answer for, the values of its recursion."""
    game = gamespec.loads(UNEQUAL)
    found = analyse(game).heap
    assert isinstance(found, Heap)
    assert found.fixed is not None
    plan = choose(game, analyse(game), Ask(grundy=True))
    tables = []
    for sparse in (True, False):
        values = HeapValues(
            found.fixed, compile(list(plan.functions.values()), optimised=False), Budget(), sparse=sparse
        )
        values.fill(3000)
        assert bool(values.rare) is sparse
        tables.append(values.values.to_list(0, 3000))
    assert tables[0] == tables[1]
    reference = Reference(Evaluator(game))
    assert tables[0][:120] == [reference.grundy((n,)) for n in range(120)]


def test_optimised_code() -> None:
    """LLVM's passes on and off, from the same kernels."""
    game = gamespec.load(str(spec("cow_digit")))
    plan = choose(game, analyse(game), asks(game)[-1], "table")
    some = known(game)
    for without in ((), (OPTIMISER,)):
        compare(game, some, solver(game, plan, without, "llvm"), asks(game)[-1], f"without {without}")


def test_a_wrong_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are never full: wrong with the pass, and right without it."""

    def none(k: object, array: str, value: ir.Expr, lines: object) -> ir.Expr:
        return FALSE

    monkeypatch.setattr(pattern, "_some", none)
    game = gamespec.load(str(spec("tic_tac_toe")))
    some, ask = known(game), asks(game)[0]
    held(game, some, ask, "memo", ["lines"], "python")
    with pytest.raises(AssertionError, match="tic_tac_toe at"):
        held(game, some, ask, "memo", [], "python")


def test_unknown_passes_are_refused() -> None:
    game = gamespec.load(str(spec("nim")))
    with pytest.raises(UsageError) as error:
        analyse(game, ["symetry"])
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "GS411"
    assert "no pass `symetry`" in diagnostic.message
    with pytest.raises(UsageError):
        gamespec.plan_for(game, disabled=("strips",))
