"""The forms of tables: packed outcomes and blocks of numbers give the same values as a cell for each position."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.passes import BLOCKS, PACKED, PUSH, SIEVE
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.game.reference import Reference
from gamespec.plan.choose import choose
from gamespec.plan.demand import OnDemand
from gamespec.plan.table import block
from gamespec.plan.table import kernel as table_kernel
from gamespec.plan.table import strategy as table
from gamespec.plan.table.strategy import Table, TableSolver

NUMBERS = {
    "cow": "move take choose d in {min(digits(n) - {0}), max(digits(n) - {0})} do n -= d\nterminal n == 0",
    "mark": "move less when n > 0 do n -= 1\nmove half when n > 1 do n = n / 2",
    "misere": "move take choose k in {1, 3, 4} when k <= n do n -= k\nwinner stuck player",
    "squares": "move take choose k in squares(n) do n -= k",
    "remainder": "move take choose k in 1..min(n, if n % 7 == 3 then 2 else 5) do n -= k",
    "base_three": "move take choose d in digits(n, 3) when d > 0 and d <= n do n -= d",
    "far": "move take choose k in {2, 64} when k <= n do n -= k",
    "too_far": "move take choose k in {2, 65} when k <= n do n -= k",
    "drawn": "move take choose k in {1, 2, 5, 9} when k <= n do n -= k\nterminal draw when n % 11 == 7",
    "up": "move add choose k in {1, 2, 5} when n + k <= 1000 do n += k",
    "up_drawn": "move add choose k in {2, 3, 7} when n + k <= 1000 do n += k\nterminal draw when n in 900..902",
    "holes": "require n % 3 != 1\nmove take choose k in {2, 3, 4, 5} when n - k >= 0 and (n - k) % 3 != 1 do n -= k",
}


def number_game(rules: str, top: int = 1000) -> Game:
    return game_of(f"state n: 0..{top}", rules, "n")


def game_of(states: str, rules: str, read: str) -> Game:
    drawn = 'draw "D"' if "draw" in rules else ""
    text = f'game g\n{states}\n{rules}\ninput cases until eof read {read}\noutput win "W" lose "L" {drawn}\n'
    return gamespec.loads(text)


def made(game: Game, *disabled: str, budget: Budget | None = None, backend: str = "python") -> TableSolver:
    facts, budget = analyse(game, disabled), budget or Budget()
    plan = choose(game, facts, Ask(moves=True), "table")
    kernels = OnDemand(plan.functions, lambda functions: compile(functions, backend, backend == "python"))
    return TableSolver(game, facts, plan, kernels, budget)


def values(solver: TableSolver, *columns: Sequence[Value]) -> list[int]:
    return list(solver.values([], columns))


@pytest.mark.parametrize("name", NUMBERS)
def test_forms_agree(name: str) -> None:
    game = number_game(NUMBERS[name])
    legal = [n for n in range(1001) if name != "holes" or n % 3 != 1]
    plain = made(game, PACKED, BLOCKS, SIEVE, PUSH)
    expected = values(plain, legal)
    for disabled in ((), (PACKED,), (BLOCKS,)):
        solver = made(game, *disabled)
        assert values(solver, legal) == expected
        for number in legal[::97]:
            assert values(solver, [number]) == [expected[legal.index(number)]]
            assert solver.options((), (number,)) == plain.options((), (number,))
    assert values(made(game, backend="llvm"), legal) == expected


def test_which_form() -> None:
    """Packed where moves go back a word at most; blocks where in addition only digits and remainders count."""
    found = {}
    for name, rules in NUMBERS.items():
        game = number_game(rules, 10**6)
        kept = Table(game, analyse(game), Ask())
        found[name] = (kept.cells.width, kept.blocks is not None)
    assert found == {
        "cow": (1, True),
        "mark": (1, False),
        "misere": (1, True),
        "squares": (0, False),
        "remainder": (1, True),
        "base_three": (1, True),
        "far": (1, False),
        "too_far": (0, False),
        "drawn": (2, False),
        "up": (1, False),
        "up_drawn": (2, False),
        "holes": (1, False),
    }


@pytest.mark.parametrize("name", ["cow", "misere", "remainder", "drawn"])
@pytest.mark.parametrize("piece", [1, 37, 64, 100])
def test_pieces_of_any_size(name: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table filled in pieces that begin anywhere, and one that grows."""
    monkeypatch.setattr(table, "FIRST", piece)
    monkeypatch.setattr(table, "CHUNK_SECONDS", 0.0)
    game = number_game(NUMBERS[name], 3000)
    expected = values(made(game, PACKED, BLOCKS, SIEVE, PUSH), range(3001))
    solver = made(game)
    for top in (5, 63, 64, 65, 700, 2999, 3000):
        assert values(solver, range(top + 1)) == expected[: top + 1]


def test_beginnings_that_are_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that end inside a block, or at its end."""
    for top in (8, 9, 10, 18, 19, 20, 639, 640, 641):
        game = number_game(NUMBERS["cow"], top)
        monkeypatch.setattr(block, "worth", lambda blocks: True)
        assert Table(game, analyse(game), Ask()).blocks is not None
        assert values(made(game), range(top + 1)) == values(made(game, PACKED, BLOCKS, SIEVE, PUSH), range(top + 1))


SETS = [frozenset(x for x in range(1, 11) if mask >> x & 1) for mask in range(0, 2048, 2)]

MANY: dict[str, tuple[str, str, str, list[tuple[Value, ...]]]] = {
    "wythoff": (
        "state a, b: 0..20",
        """move one choose k in 1..a do a -= k
        move two choose k in 1..b do b -= k
        move both choose k in 1..min(a, b) do a -= k, b -= k""",
        "a, b",
        [(a, b) for a in range(21) for b in range(21)],
    ),
    "order": (
        "state a: 0..6\nstate b: 0..9",
        """require a + b <= 12
        move low choose t in 0..9 when a > 0 and a - 1 + t <= 12 do a -= 1, b = t
        move near when b > 1 do b -= 2
        terminal draw when a == 3 and b == 4""",
        "a, b",
        [(a, b) for a in range(7) for b in range(10) if a + b <= 12],
    ),
    "sets": (
        "state open: set of 1..10",
        "move cross choose x in open do open -= {x, x + 1, 2 * x}",
        "k, open[k]",
        [(each,) for each in SETS],
    ),
}


@pytest.mark.parametrize("name", MANY)
def test_large_tables_are_packed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    states, rules, read, positions = MANY[name]
    game = game_of(states, rules, read)
    random.Random(3).shuffle(positions)
    columns = [list(column) for column in zip(*positions, strict=True)]
    expected = values(made(game), *columns)
    monkeypatch.setattr(table_kernel, "LARGE", 0)
    solver = made(game)
    assert solver.table.cells.width in (1, 2)
    assert values(solver, *columns) == expected
    assert values(made(game, PACKED), *columns) == expected


@pytest.mark.parametrize("name", ["cow", "drawn"])
def test_many_lookups(name: str) -> None:
    """Packed codes are unfolded where very many are asked."""
    game = number_game(NUMBERS[name], 5000)
    asked = [random.Random(5).randint(0, 5000) for _ in range(6000)]
    assert values(made(game), asked) == values(made(game, PACKED, BLOCKS, SIEVE, PUSH), asked)


def test_memory() -> None:
    """A bit a position is what is asked of the budget."""
    game = number_game(NUMBERS["mark"], 10**7)
    assert values(made(game, budget=Budget(2_000_000), backend="llvm"), [10**7]) in ([0], [1])


def test_cells_that_rise_while_others_fall() -> None:
    """The table holds what play reaches from the positions asked, also in cells that are small in all of these."""
    game = game_of(
        "state s: array[1..3] of 0..9",
        "move carry when s[1] > 0 do s[1] -= 1, s[3] = 9\nmove count choose k in {1, 3, 4} when s[3] >= k do s[3] -= k",
        "s[3]",
    )
    reference = Reference(Evaluator(game, {}))
    asked: list[tuple[Value, ...]] = [(first, 0, last) for first in range(4) for last in range(2)]
    assert values(made(game), asked) == [reference.outcome((each,)) for each in asked]
