"""Numbers by their digits: the same values as the table, at any limit, and refusals where more is read."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.numeral import NoNumeral, Numeral, numeral
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.model import Game
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Solver
from gamespec.plan.table import automaton
from gamespec.plan.table.automaton import AutomatonSolver

COW = """move take choose d in {min(digits(n) - {0}), max(digits(n) - {0})} do n -= d
terminal n == 0"""

GAMES = {
    "cow": COW,
    "cow_misere": COW + "\nwinner stuck player",
    "any_digit": "move take choose d in digits(n) - {0} when d <= n do n -= d",
    "binary": "let two = digits(n, 2)\nmove take choose k in 1..(if 0 in two then 3 else 2) when k <= n do n -= k",
    "base_seven": """move take choose d in digits(n, 7) - {0} when n >= 9
    do n = n - d - (if 5 in digits(n, 7) then 1 else 0)""",
    "remainders": "move take choose k in 1..min(n, if n % 4 == 1 then 2 else 5) when n % 6 != 0 or k != 3 do n -= k",
    "divisors": "move take choose k in 1..6 when k <= n and n % k == 0 do n -= k",
    "what_is_left": "move take choose k in {1, 3, 4} when k <= n and (n - k) % 7 not in {0, 2} do n -= k",
    "square": "let square = n * n - 3\nmove take choose k in 1..3 when k <= n and -square % 5 != k do n -= k",
    "coprime": "move take choose k in 2..5 when k <= n and gcd(n + 1, k) == 1 do n -= k",
    "by_what_it_leaves": "move take choose k in 1..4 when k <= n and n % (1 + n % 3) != k % 2 do n -= k",
    "both": "move take choose d in {1, 2 + n % 3, max(digits(n))} when d in 1..n do n -= d",
    "small": "move take choose k in {1, 4, 6} when k <= n and (n > 40 or k != 4) and n not in {7, 19} do n -= k",
    "far": "move take choose k in {3, 100} when k <= n do n -= k",
    "verdicts": COW
    + """\nterminal mover wins when n % 17 == 3
    terminal draw when n < 3 and 1 in digits(n)""",
    "stuck": """move take choose d in digits(n) - {0, 1} when d <= n do n -= d
    terminal mover wins when stuck and n % 2 == 0""",
}


def game_of(rules: str, top: int = 3000, head: str = "") -> Game:
    drawn = 'draw "D"' if "draw" in rules else ""
    text = f"game g\n{head}state n: 0..{top}\n{rules}\ninput cases until eof read n\n"
    return gamespec.loads(f'{text}output win "W" lose "L" {drawn}\n')


def made(game: Game, plan: str, ask: Ask | None = None) -> Solver:
    facts, budget = analyse(game), Budget()
    chosen = choose(game, facts, ask or Ask(), plan, budget=budget)
    assert chosen.strategy == plan
    return make_solver(game, facts, chosen, budget, lambda functions: compile(functions, "llvm"))


def values(solver: Solver, numbers: Sequence[int], *givens: int | frozenset[int]) -> list[int]:
    return list(solver.values([[given] * len(numbers) for given in givens], [numbers]))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("top", [25, 1234])
def test_same_as_the_table(name: str, top: int) -> None:
    game = game_of(GAMES[name], top)
    whole = range(top + 1)
    expected = values(made(game, "table"), whole)
    assert values(made(game, "automaton"), whole) == expected
    one = made(game, "automaton")  # asked one by one, in disorder
    for number in random.Random(top).sample(whole, 20):
        assert values(one, [number]) == [expected[number]]


@pytest.mark.parametrize("name", [name for name in GAMES if "verdict" not in name and name != "stuck"])
def test_grundy_values_and_moves(name: str) -> None:
    game = game_of(GAMES[name], 500, head="sum\n" if "misere" not in name else "")
    ask = Ask(grundy="misere" not in name, moves=True)
    table, own = made(game, "table", ask), made(game, "automaton", ask)
    assert values(own, range(501)) == values(table, range(501))
    for number in range(0, 501, 7):
        assert own.options((), (number,)) == table.options((), (number,))


def test_a_lowest_number_and_givens() -> None:
    rules = "move take choose k in s when n - k >= 5 and (m != 2 or 3 not in digits(n)) do n -= k"
    head = "given s: set of 1..9\ngiven m: 1..3"
    game = gamespec.loads(
        f'game g\n{head}\nstate n: 5..2000\n{rules}\ninput cases until eof read k, s[k], m, n\noutput win "W" lose "L"'
    )
    table, own = made(game, "table"), made(game, "automaton")
    for data in ((frozenset({2, 3}), 1), (frozenset({2, 3}), 2), (frozenset(), 1), (frozenset(range(1, 10)), 2)):
        assert values(own, range(5, 2001), *data) == values(table, range(5, 2001), *data)


@pytest.mark.parametrize("top", [10**9, 10**18, 123_456_789_012])
def test_large_limits(top: int) -> None:
    """The beginning is that of a table; numbers far off have the value that their options give them."""
    game = game_of(COW, top)
    chosen = choose(game, analyse(game), Ask())
    assert chosen.strategy == "automaton"
    own = made(game, "automaton")
    small = range(0, 20_000, 3)
    assert values(own, small) == values(made(game_of(COW, 20_000), "table"), small)
    for number in [top, top - 1, *(random.Random(1).randint(1, top) for _ in range(40))]:
        digits = [int(digit) for digit in str(number) if digit != "0"]
        (won, *after) = values(own, [number, number - min(digits), number - max(digits)])
        assert won == (0 in after)


def test_too_many_blocks_are_left_to_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "FEW_BLOCKS", 50)
    game = game_of(GAMES["any_digit"], 20_000)
    own = made(game, "automaton")
    assert isinstance(own, AutomatonSolver)
    assert values(own, range(0, 20_001, 9)) == values(made(game, "table"), range(0, 20_001, 9))
    assert own.table is not None
    monkeypatch.setattr(automaton, "MOST_BLOCKS", 50)
    with pytest.raises(LimitError, match="too irregular"):
        values(made(game_of(GAMES["any_digit"], 10**15), "automaton"), [10**14])


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ("move take choose d in {sum(digits(n))} when n > 0 do n -= d", "how often"),
        ("move take do n -= count(d == 1 for d in digits(n)) + 1", "how often"),
        ("move take choose k in 1..n do n -= k", "itself"),
        ("move half when n > 1 do n = n / 2", "does not subtract"),
        ("move take choose k in squares(n) do n -= k", "itself"),
        ("move take choose k in 1..900 when k <= n do n -= k", "lower n by 900"),
        ("move take when n > 6000 do n -= 1", "up to 6,001"),
        ("move up choose k in 1..3 when n <= 100 - k do n -= -k", "may raise"),
        ("move up when n < 100 do n = n - (0 - 1)", "may raise"),
        ("move take when n % 1000 != n % 999 do n -= 1", "remainders by 999,000"),
        ("move take when 1 in digits(n) and 1 in digits(n, 2) do n -= 1", "several bases"),
        ("move take when n > 0 do n -= 1\nmove add when n % 2 == 1 and n < 9 do n = n - 1 + n % 2", ""),
    ],
)
def test_refusals(rules: str, why: str) -> None:
    game = game_of(rules, 10**5)
    found = numeral(game)
    if why:
        assert isinstance(found, NoNumeral)
        assert why in found.reason
    refused = choose(game, analyse(game), Ask(), thorough=True)
    assert any(offer.strategy == "automaton" for offer in refused.others) or refused.strategy != "automaton"


def test_lets_are_read_once() -> None:
    """Each of them names the one before twice."""
    lets = "let a0 = n % 2\n" + "".join(f"let a{i} = (a{i - 1} * a{i - 1}) % 3\n" for i in range(1, 40))
    game = game_of("move take choose k in 1..2 when n >= k and a39 % 3 != k do n -= k", head=lets)
    found = numeral(game)
    assert isinstance(found, Numeral)
    assert found.modulus == 6


def test_what_is_read() -> None:
    found = numeral(game_of(GAMES["small"], 10**6))
    assert isinstance(found, Numeral)
    assert (found.base, found.modulus, found.settled, found.furthest) == (0, 1, 41, 6)
    found = numeral(game_of(GAMES["base_seven"], 10**6))
    assert isinstance(found, Numeral)
    assert (found.base, found.modulus, found.furthest) == (7, 1, 7)
