"""Specs at the limits of a problem, planned for the cases that are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.table import needed
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.cli.main import run
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.limit import declared, narrowed, seen
from gamespec.game.model import Game, Value
from gamespec.interval import EMPTY, Interval
from gamespec.kernel.ir import Function
from gamespec.plan.choose import NARROW, TABLE, choose
from gamespec.plan.definition import DefinitionSolver
from gamespec.plan.narrow import NarrowSolver
from gamespec.plan.plan import Kernels
from gamespec.run.kept import Program
from gamespec.run.store import Store
from tests.random.agree import Compare, Way, asks, cases
from tests.random.drawn import seeded

SWAP = """game swap
given n: 2..10**5
state a: array[1..n] of 0..10**9
move swap choose i in 2..n when a[1] > 0 do a[1] = a[i], a[i] = a[1] - 1
input cases count read n, a[n]
output win "W {winning_count}" lose "L"
"""
SWAPS = "6\n2 3 1\n4 2 2 3 5\n3 9 9 8\n2 40 1\n5 1 1 1 1 1\n2 0 7\n"
TREBLE = """game treble
given n: 1..10**4
state a: array[1..n] of 0..10**6
state left: 0..20
move treble choose i in 1..n when left > 0 and a[i] > 0 do a[i] = 3 * a[i], left -= 1
move drop choose i in 1..n when a[i] % 3 != 0 do a[i] = 0
input cases count read n, a[n], left
output win "W {winning_count}" lose "L"
"""
DEBT = """game debt
given n: 1..10**5
state a: array[1..n] of -10**9..10**9
move pay choose i in 1..n, k in {1, 3} when a[i] < 0 and a[i] + k <= max(a[1], 0) do a[i] += k
move earn choose i in 1..n, k in {1, 2} when a[i] >= max(a[1], k) do a[i] -= k
input cases count read n, a[n]
output win "W" lose "L"
"""
MISERE = """game last
sum
given n: 1..10**5
state a: array[1..n] of 0..10**9
move take choose i in 1..n, k in 1..3 when k <= a[i] and all(a[j] == 0 for j in 1..i - 1) do a[i] -= k
winner stuck player
input cases count read m, [n, a[n]] * m
output win "W" lose "L"
"""


HOARD = """game hoard
given n: 1..10**4
state a: array[1..n] of 0..10**9
state b: 0..10**9
move save choose i in 1..n when a[i] > 0 do a[i] -= 1, b += 2
move spend choose k in 1..3 when k <= b do b -= k
input cases count read n, a[n], b
output win "W {winning_count}" lose "L"
"""


def read(game: Game, text: str) -> str:
    """What the plan that is taken unasked says, which has to be this one."""
    assert choose(game, analyse(game), needed(game)).strategy == NARROW
    return gamespec.solve(game, text)


def forbid_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> object:
        raise AssertionError("a kernel should do this")

    for name in ("values", "options", "sums", "sum_options"):
        monkeypatch.setattr(DefinitionSolver, name, never)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (SWAP, SWAPS),
        (TREBLE, "5\n2 1 1 3\n2 3 4 2\n1 700 4\n3 1 0 2 5\n2 14 15 1\n"),
        (DEBT, "4\n2 -3 4\n1 -40\n3 5 -5 1\n2 0 0\n"),
        (MISERE, "3\n2 2 1 2 3 0 2 1\n1 1 4\n3 1 1 1 1 1 1\n"),
    ],
)
def test_small_cases_of_a_large_spec(spec: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamespec.loads(spec)
    expected = gamespec.solve(game, text, hint="definition")
    forbid_definition(monkeypatch)
    assert read(game, text) == expected


def test_numbers_that_play_raises_get_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """One heap of 1 becomes 3^10: far above what was read. Its parity of moves is known."""
    forbid_definition(monkeypatch)
    game = gamespec.loads(TREBLE)
    assert read(game, "2\n1 3 10\n1 3 7\n") == "L\nW 1\n"


def test_room_for_what_play_reaches_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table would leave any limits of what is saved, from positions that are not reached."""
    made: list[object] = []
    inner = NarrowSolver._made

    def counted(self: NarrowSolver, limits: tuple[Interval, ...]) -> object:
        made.append(limits)
        return inner(self, limits)

    monkeypatch.setattr(NarrowSolver, "_made", counted)
    game = gamespec.loads(HOARD)
    text = "3\n2 1 2 3\n1 3 0\n2 0 0 4\n"
    assert read(game, text) == gamespec.solve(game, text, hint="definition")
    assert len(made) == 1


def test_a_limit_that_is_left_is_the_declared_one() -> None:
    game = gamespec.loads(TREBLE)
    text = "1\n1 300000 3\n"
    messages = []
    for hint in (None, "definition"):
        with pytest.raises(SpecError) as caught:
            gamespec.solve(game, text, hint=hint)
        messages.append(caught.value.diagnostics[0].message)
    assert messages[0] == messages[1]
    assert "2,700,000" in messages[0] or "2700000" in messages[0]


def test_cases_that_no_kernel_holds_are_left_to_the_definition() -> None:
    """Among others, which do not become slower by them."""
    game = gamespec.loads(SWAP)
    wide = [0] * 900
    large = [1, *[0] * 59]  # a row of 60 numbers, narrow; with one of 10^9, sixty times 30 bits
    larger = [10**9, 0]
    rows = [wide, [3, 1], large, larger, [2, 2, 3, 5]]
    text = f"{len(rows) - 1}\n" + "".join(f"{len(row)} {' '.join(map(str, row))}\n" for row in rows if row != larger)
    assert read(game, text).split("\n")[0] == "L"
    assert read(game, text) == gamespec.solve(game, text, hint="definition")


def test_what_the_definition_cannot_do_is_refused() -> None:
    game = gamespec.loads(SWAP)
    with pytest.raises(LimitError) as caught:
        gamespec.solve(game, f"1\n900 {' '.join(['1000000'] * 900)}\n", memory=1 << 22)
    assert caught.value.diagnostics[0].code == "GS403"


@pytest.mark.parametrize("number", range(24))
def test_games_that_nobody_wrote(number: int) -> None:
    """Planned within narrow limits, with all proofs checked, against the definition of the game as it is declared."""
    try:
        game = gamespec.loads(seeded(9_100 + number))
    except SpecError:
        pytest.skip("a faulty spec")
    if not declared(game):
        pytest.skip("nothing to narrow")

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, "python", True)

    facts = analyse(game)
    for ask in asks(game):
        plan = choose(game, facts, ask, NARROW)
        solver = NarrowSolver(game, facts, plan, Budget(1 << 28), compiled)
        as_table = msgspec.structs.replace(plan, strategy=TABLE)  # it may fail as tables do: one may be taken
        for case in cases(game, 1, 30):
            Compare(game, as_table, Way("python", True), solver, case).run()


def test_kernels_are_kept_for_the_next_run(tmp_path: Path) -> None:
    game = gamespec.loads(SWAP)
    compiled: list[str] = []

    def noted(functions: Sequence[Function]) -> Kernels:
        compiled.extend(function.name for function in functions)
        return compile(functions, "llvm")

    facts = analyse(game)
    program = Program.made(game, facts, choose(game, facts, needed(game)), noted)
    first = list(program.solver(Budget()).values([[3, 2]], [[(4, 1, 1), (2, 2)]]))
    store, key = Store(str(tmp_path)), bytes(32)
    assert program.keep(store, key)
    assert compiled
    compiled.clear()
    kept = Program.kept(store.get(key) or b"", game.source, noted)
    assert list(kept.solver(Budget()).values([[2, 3]], [[(2, 2), (4, 1, 1)]])) == first[::-1]
    assert not compiled
    kept.solver(Budget()).values([[8]], [[(1,) * 8]])  # other limits, other kernels
    assert compiled


def test_limits() -> None:
    game = gamespec.loads(
        "game limits given n: 1..9 given s: set of 0..500 state b: array[1..n] of bool state c: array[1..3] of -5..9 "
        "state d: 0..n move go when d > 0 do d -= 1"
    )
    assert declared(game) == {"n": Interval(1, 9), "s": Interval(0, 500), "c": Interval(-5, 9)}
    small = narrowed(game, {"n": Interval(1, 4), "c": Interval(-2, 0)})
    assert declared(small) == {"n": Interval(1, 4), "s": Interval(0, 500), "c": Interval(-2, 0)}
    assert analyse(small).size.positions == 2**4 * 3**3 * 5
    values: list[tuple[list[Value], Interval]] = [
        ([3, -1, 7], Interval(-1, 7)),
        ([(2, 5), (), (9,)], Interval(2, 9)),
        ([frozenset({4}), frozenset()], Interval(4, 4)),
        ([()], EMPTY),
        ([], EMPTY),
    ]
    for some, interval in values:
        assert seen(some) == interval


def test_verify_draws_small_positions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not arrays of 10^5 cells at the ends of their range, of which the definition can do none."""
    (tmp_path / "swap.game").write_text(SWAP)
    assert run(["verify", str(tmp_path / "swap.game"), "--positions", "200", "--time", "30s"]) == 0
    found = re.fullmatch(r"swap: (\d+) positions compared, no answers differ\n", capsys.readouterr().out)
    assert found is not None
    assert int(found[1]) > 100
