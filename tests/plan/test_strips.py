"""Tables on several threads: the same values and the same faults for any number of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError
from gamespec.game.model import Game, Value
from gamespec.plan.choose import choose
from gamespec.plan.demand import OnDemand
from gamespec.plan.table import strategy as table
from gamespec.plan.table.strategy import Grid, Table, TableSolver

WYTHOFF = """state a, b: 0..70
move one choose k in 1..a do a -= k
move two choose k in 1..b do b -= k
move both choose k in 1..min(a, b) do a -= k, b -= k"""

GAMES = {
    "outcomes": (WYTHOFF, "read a, b"),
    "grundy": ("sum\n" + WYTHOFF, "read a, b"),
    "scores": (
        """given n: 1..60
        given v: array[1..n] of 0..99
        state lo: 1..n + 1
        state hi: 0..n
        require lo <= hi + 1
        move left when lo <= hi do lo += 1 gain v[lo]
        move right when lo <= hi do hi -= 1 gain v[hi]
        winner highest score""",
        "read n, v[n], lo, hi",
    ),
    "sets": ("state open: set of 1..12\nmove cross choose x in open do open -= {x, x + 3, 2 * x}", "read k, open[k]"),
    "data": (
        "sum\ngiven take: set of 1..9\nstate n: 0..2000\nmove remove choose k in take when k <= n do n -= k",
        "read k, take[k], n",
    ),
}


@pytest.fixture(autouse=True)
def everything_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "WORTH_STRIPS", 0.0)
    monkeypatch.setattr(table, "WORTH_A_THREAD", 0.0)
    monkeypatch.setattr(table, "FIRST", 64)


def game_of(rules: str, read: str) -> Game:
    lines = 'line "{score}"' if "gain" in rules else 'win "W" lose "L"'
    return gamespec.loads(f"game g\n{rules}\ninput cases until eof {read}\noutput {lines}\n")


def made(game: Game, threads: int) -> TableSolver:
    facts = analyse(game)
    ask = Ask(score=game.scored, grundy=game.sum)
    plan = choose(game, facts, ask, "table")
    kernels = OnDemand(plan.functions, lambda functions: compile(functions, "llvm"))
    return TableSolver(game, facts, plan, kernels, Budget(threads=threads))


def asked(name: str) -> tuple[list[list[Value]], list[list[Value]]]:
    """Some givens and positions, in columns."""
    rows: Sequence[Sequence[Value]]
    if name == "scores":
        values = tuple(i * i * 37 % 100 for i in range(60))
        rows = [(60, values, lo, hi) for lo in range(1, 62) for hi in range(61) if lo <= hi + 1]
    elif name == "sets":
        rows = [(frozenset(x for x in range(1, 13) if mask >> x & 1),) for mask in range(0, 1 << 13, 2)]
    elif name == "data":
        sets = [frozenset(x for x in range(1, 10) if mask >> x & 1) for mask in range(2, 160, 2)]
        rows = [(each, n) for n in (2000, 1999, 7) for each in sets]
    else:
        rows = [(a, b) for a in range(71) for b in range(71)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    split = {"scores": 2, "data": 1}.get(name, 0)
    return columns[:split], columns[split:]


@pytest.mark.parametrize("name", GAMES)
def test_same_values(name: str) -> None:
    game = game_of(*GAMES[name])
    givens, states = asked(name)
    expected = list(made(game, 1).values(givens, states))
    for threads in (2, 3):
        solver = made(game, threads)
        assert solver.table.strips == (name != "data")
        assert list(solver.values(givens, states)) == expected


def test_the_first_fault_counts() -> None:
    rules = WYTHOFF.replace("1..a ", "1..a + 0 / (a * b - 1400) ")
    game = game_of(rules, "read a, b")
    messages = set()
    for threads in (1, 2, 3):
        with pytest.raises(SpecError) as raised:
            made(game, threads).values([], [[70], [70]])
        messages.add(raised.value.diagnostics[0].message)
    assert len(messages) == 1
    assert "a = 20, b = 70" in messages.pop()


@pytest.mark.parametrize(
    ("rules", "strips"),
    [
        ("state a, b: 0..9\nmove one choose t in 0..9 when a > 0 do a -= 1, b = t", False),
        ("state a, b: 0..9\nmove one when a > 0 and b > 0 do a -= 1, b -= 1", True),
        ("state a, b: 0..9\nmove one when a > 0 do a -= 1\nmove two when a > 0 and b < 9 do a -= 1, b += 1", False),
        ("state s: set of 1..9\nmove one choose x in s do s = (s - {x}) | {y for y in s if y < x}", False),
        ("state n: 0..900\nmove one choose k in 1..n do n -= k", False),
    ],
)
def test_when_there_are_strips(rules: str, strips: bool) -> None:
    read = "read a, b" if "a, b" in rules else "read n" if "state n" in rules else "read k, s[k]"
    game = game_of("sum\n" + rules, read)
    assert Table(game, analyse(game), Ask(grundy=True)).strips is strips


@pytest.mark.parametrize(("first", "rows", "columns"), [(0, 1, 8), (3, 100, 71), (0, 20, 9), (5, 17, 4096)])
def test_a_grid_has_every_cell_once_and_in_order(first: int, rows: int, columns: int) -> None:
    step_of = {}
    for step, parts in enumerate(Grid(first, rows, columns).rounds):
        for row, strip in parts:
            for i in range(row[0], row[1] + 1):
                for j in range(strip[0], strip[1] + 1):
                    assert (i, j) not in step_of
                    step_of[i, j] = step, row, strip
    assert set(step_of) == {(i, j) for i in range(first, rows) for j in range(columns)}
    for (i, j), (step, row, strip) in step_of.items():
        for before in ((i - 1, j), (i, j - 1)):
            other = step_of.get(before)
            assert other is None or other[0] < step or other[1:] == (row, strip)
