"""Large numbers beside small fields: the values and moves of any size are those of small ones, once proved."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import gamespec
from gamespec.analysis.column import Columns, columns
from gamespec.analysis.facts import analyse
from gamespec.analysis.numeral import NoNumeral
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.limit import narrowed
from gamespec.game.model import DRAWN, LOST, WON, Game, Value
from gamespec.interval import Interval
from gamespec.plan.choose import COLUMNS, choose, make_solver
from gamespec.plan.plan import Bid, Solver
from gamespec.plan.table import column
from gamespec.plan.table.column import Axes, ColumnSolver, Diagonal
from gamespec.types import element_bounds

HUGE, TOP = 10**18, 1200
LAST = "state last: 0..5 move take choose k in 1..5 when k != last and k <= n do n -= k, last = k"

GAMES = {
    "not what was taken last": LAST,
    "misère": LAST + " winner stuck player",
    "once only": "state used: bool move take choose k in {1, 3, 4} when k <= n do n -= k "
    "move pass_once when not used and n > 0 do used = true",
    "by turns of the clock": "state hour: 0..4 move take choose k in 1..6 when k <= n and (k + hour) % 2 == 0 "
    "do n -= k, hour = (hour + k) % 5",
    "two heaps": "state m: 0..6 move a choose k in 1..4 when k <= n do n -= k move b choose j in 1..m do m -= j "
    "move both choose k in 1..min(m, 2) when k <= n do n -= k, m -= k",
    "partisan": "players l, r state s: 0..3 move a by l choose k in {1, 4} when k <= n do n -= k "
    "move b by r choose k in {2, 3} when k <= n do n -= k, s = (s + 1) % 4 "
    "move c by r when s == 2 and n > 0 do n -= 1, s = 0",
    "extra turns": "players l, r state s: 0..2 move a choose k in 1..3 when k <= n "
    "do n -= k, s = k - 1, mover = if s == 2 then mover else other",
    "remainders and holes": "state s: 0..2 move a choose k in 1..4 when k <= n and n % 6 != k and n != 50 "
    "do n -= k, s = k % 3 move b when s == 1 and n % 4 == 2 do n -= 2, s = 0",
    "verdicts": "state s: 0..3 move a choose k in 1..4 when k <= n do n -= k, s = (s + 1) % 4 "
    "terminal mover wins when s == 2 and n % 5 == 3 terminal draw when n == 4 and s == 1",
    "divided by what was taken": "state s: 1..4 move a choose k in 1..4 when k <= n and (n + k) % s < 2 and "
    "gcd(n - s, 6) != 3 do n -= k, s = 1 + gcd(n, 3)",
    "under a condition": "state up: bool move a choose k in 1..3 when k < n do n -= k, up = not up if k == 2 "
    "move b when up and n > 1 do n -= 2",
}


def game_of(rules: str, top: int = HUGE, givens: str = "") -> Game:
    return gamespec.loads(f"game g\n{givens}\nstate n: 0..{top}\n{rules}")


def made(game: Game, plan: str | None, ask: Ask) -> Solver:
    facts = analyse(game, () if plan else (COLUMNS,))
    return make_solver(game, facts, choose(game, facts, ask, plan), Budget(), compile)


def rows(game: Game, numbers: range) -> list[tuple[int, ...]]:
    others = [element_bounds(field.type) for field in game.states if field.name != "n"]
    return list(product(numbers, *(range(each.lo, each.hi + 1) for each in others)))


def values(solver: Solver, some: list[tuple[int, ...]], givens: tuple[Value, ...] = ()) -> list[int]:
    return list(solver.values([[value] * len(some) for value in givens], list(map(list, zip(*some, strict=True)))))


@pytest.mark.parametrize("name", GAMES)
def test_like_other_plans(name: str) -> None:
    rules = GAMES[name]
    game, small = game_of(rules), game_of(rules, TOP)
    plain = not (game.partisan or game.misere or game.terminals)
    for grundy in (False, True) if plain else (False,):
        ask = Ask(grundy=grundy, moves=True)
        solver, other = made(game, COLUMNS, ask), made(small, None, ask)
        assert isinstance(solver, ColumnSolver)
        some = rows(game, range(TOP + 1))
        assert values(solver, some) == values(other, some)
        again = solver._again[()]
        assert again is not None
        assert isinstance(again.way, Axes)
        ((since, period),) = again.way.ends
        assert since + period < TOP - 100
        evaluator = Evaluator(game)
        for row in rows(game, range(HUGE - 7, HUGE - 5)):
            options = solver.options([], row)
            plays = [] if evaluator.ending(row) else evaluator.moves(row)
            assert [(each.move, tuple(each.choices)) for each in options] == [(p.move, p.choices) for p in plays]
            if grundy:
                after = [tuple(map(int, play.results[0])) for play in plays]  # type: ignore[arg-type]
                assert [each.value for each in options] == (values(solver, after) if after else [])


STEPS = "move left when n > 0 do n -= 1 move down when m > 0 do m -= 1 "
TWO = "state m: 3..10**15 move a choose k in 1..3 when k <= n and (k != 2 or n % 4 < 2) do n -= k "

SEVERAL = {
    "a king": "state m: 0..10**9 " + STEPS + "move both when n > 0 and m > 0 do n -= 1, m -= 1",
    "a lowest number": TWO + "move b choose k in 1..2 when m - k >= 3 do m -= k",
    "of both": TWO + "move b choose k in 1..min(n, 2) when m - k >= 3 do m -= k, n -= k",
    "a bishop and a pass": "state m: 0..10**9 state passed: bool "
    "move b choose k in {1, 2} when n >= k and m >= k do n -= k, m -= k "
    "move c when n % 3 == 1 and m > 5 do m -= 2 move rest when not passed and n > 0 do passed = true",
    "far leaps": "state m: 0..10**9 move a choose i in 0..3, j in 0..3 when i <= n and j <= m and i != j and i + j > 2 "
    "do n -= i, m -= j",
    "partisan": "players l, r state m: 0..10**9 move a by l choose k in 1..2 when k <= n do n -= k "
    "move b by r choose k in {1, 3} when k <= m do m -= k move c when n > 1 and m > 1 do n -= 2, m -= 2",
    "verdicts": "state m: 0..10**9 "
    + STEPS
    + "terminal mover wins when n % 5 == 2 and m == 3 terminal draw when n == 4",
    "misère": "state m: 0..10**9 " + STEPS + "move far when n > 2 and m > 1 do n -= 3, m -= 2 winner stuck player",
    "three": "state m: 0..10**9 state l: 0..10**7 move a choose k in {1, 2} when k <= n do n -= k "
    "move b when m > 0 and l % 2 == 0 do m -= 1 move c when l > 0 do l -= 1",
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_large_numbers(name: str) -> None:
    game, random = game_of(SEVERAL[name]), Random(name)
    large = [axis.field for axis in columns(game).axes]  # type: ignore[union-attr]
    top = {2: 60, 3: 16}[len(large)]
    low = {field.name: element_bounds(field.type).lo for field in game.states}
    small = narrowed(game, {name: Interval(low[name], top) for name in large})
    plain = not (game.partisan or game.misere or game.terminals)
    for grundy in (False, True) if plain else (False,):
        ask = Ask(grundy=grundy, moves=True)
        solver, other = made(game, COLUMNS, ask), made(small, None, ask)
        assert isinstance(solver, ColumnSolver)
        limits = [element_bounds(field.type) for field in small.states]
        some = list(product(*(range(each.lo, each.hi + 1) for each in limits)))
        assert values(solver, some) == values(other, some)
        again = solver._again[()]
        assert again is not None
        if name == "a king":
            assert isinstance(again.way, Diagonal if grundy else Axes)
        evaluator = Evaluator(game)
        ends = [element_bounds(field.type) for field in game.states]
        for _ in range(60):
            number = random.choice([random.randint(0, 10**7), random.randint(0, 80)])
            near = [number + random.randint(-9, 9), random.randint(0, 30), random.randint(0, 10**7)]
            row = tuple(
                min(each.hi, max(each.lo, random.choice(near) if each.size > 9 else random.randint(0, each.hi)))
                for each in ends
            )
            if evaluator.ending(row) is None:
                plays = evaluator.moves(row)
                found = values(solver, [tuple(map(int, p.results[0])) for p in plays]) if plays else []  # type: ignore[arg-type]
                options = solver.options([], row)
                assert [(each.move, tuple(each.choices)) for each in options] == [(p.move, p.choices) for p in plays]
                assert not grundy or [each.value for each in options] == found
                assert values(solver, [row]) == [_value(found, grundy, game.misere)], row


def _value(found: list[int], grundy: bool, misere: bool) -> int:
    if grundy:
        return next(value for value in range(len(found) + 1) if value not in found)
    if not found:
        return WON if misere else LOST
    return WON if LOST in found else DRAWN if DRAWN in found else LOST


def test_data_of_cases() -> None:
    game = gamespec.loads(
        "game g sum given x, y: 1..5 state n: 0..10**18 state kind: 0..2 "
        "move mixed when n > 0 do n -= min(n, x), kind = 0 "
        "move arms when n > 0 and kind != 1 do n -= min(n, y), kind = 1 "
        'input cases count read m, x, y, [n] * m start kind = 0 output line "{grundy}"'
    )
    ask = Ask(grundy=True)
    solver = made(game, COLUMNS, ask)
    small = gamespec.loads(game.source.text.replace("10**18", str(TOP)))
    for givens in ((1, 1), (3, 5), (5, 2)):
        some = rows(game, range(TOP + 1))
        assert values(solver, some, givens) == values(made(small, None, ask), some, givens)
    text = f"2\n2 1 3 {HUGE} 5\n1 5 4 {HUGE - 1}\n"
    assert choose(game, analyse(game), ask).strategy == COLUMNS
    assert len(gamespec.solve(game, text).split()) == 2


def test_without_columns_that_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked goes to another plan."""
    monkeypatch.setattr(column, "SIZES", (2,))
    game = game_of(LAST)
    solver = made(game, COLUMNS, Ask(moves=True))
    some = rows(game, range(60))
    assert values(solver, some) == values(made(game_of(LAST, TOP), None, Ask()), some)
    assert isinstance(solver, ColumnSolver)
    assert solver._again == {(): None}
    assert len(solver.options([], (7, 3))) == 4


REFUSED = {
    "one number": "move take choose k in 1..3 when k <= n do n -= k",
    "two that are compared": "state m: 0..10**9 move take choose k in 1..3 when k <= n and m < n do n -= k",
    "one from the other": "state m: 0..10**9 move take when n > 0 and m > 0 do n -= 1, m = n - 1",
    "what is taken is not bounded": "state s: 0..3 move take choose k in 1..n do n -= k, s = k % 4",
    "the number itself": "state s: 0..3 move take choose k in 1..3 when k <= n do n -= k, s = popcount(n) % 4",
    "a quotient": "state s: 0..3 move take when n > 0 do n = n / 2, s = 0",
    "a number that may rise": "state s: 0..3 move take choose k in -1..3 when s > 0 and k <= n do n -= k, s -= 1",
    "digits": "state s: 0..3 move take choose d in digits(n) - {0} do n -= d, s = d % 4",
    "too many positions beside": "state s: 0..2000 move take choose k in 1..3 when k <= n do n -= k, s = k",
    "an array": "state s: array[1..2] of 0..3 move take choose k in 1..3 when k <= n do n -= k, s[1] = k",
    "a bound that moves": "state s: 0..min(n, 3) move take choose k in 1..3 when k < n - 3 do n -= k",
    "a requirement": "state s: 0..3 require n > s move take choose k in 1..3 when k < n - 3 do n -= k",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    game = game_of(REFUSED[name])
    assert isinstance(columns(game), NoNumeral)
    assert not isinstance(column.bid(game, analyse(game), Ask()), Bid)


def test_what_is_read() -> None:
    found = columns(game_of(GAMES["remainders and holes"]))
    assert isinstance(found, Columns)
    (axis,) = found.axes
    assert (found.size, axis.modulus, axis.settled, axis.furthest) == (3, 12, 51, 4)
