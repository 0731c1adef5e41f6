"""Games with odd names, odd types and odd ends: every strategy and back end against the definition."""

from __future__ import annotations

import time

import pytest

from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.check import check
from gamespec.game.fault import RuleFault
from gamespec.plan.choose import choose, make_solver
from gamespec.source import Source
from gamespec.syntax.read import read
from tests.random.agree import agree

_TAKE = "move take choose k in 1..min(3, n) do n -= k"
_TAKE_TWO = "state n: 0..40 move take choose k in 2..min(3, n) do n -= k"
_LONG = "n" * 3000  # LLVM cuts names after 1,024 characters


def _near(number: int) -> str:
    """Sixteen positions around a number."""
    low = number - 8
    return f"state n: {low}..{number + 7} move take when n > {low} choose k in 1..min(3, n - {low}) do n -= k"


GAMES = {
    # names
    "names of kernels": "state value, at, cells: 0..4 move first choose k in 1..value do value -= k "
    "move mask choose row in 1..at do at -= row move offset choose index in 1..cells do cells -= index",
    "names of Python": "state lambda, def: 0..9 state class: 0..5 given None: 0..3 "
    "move return choose import in 1..lambda do lambda -= import "
    "move while choose yield in 1..def do def -= yield, class = max(class - None, 0)",
    "names of LLVM": "state i64: 0..9 state define: 0..9 state ret: 0..5 state br: 0..2 "
    "move phi choose i32 in 1..i64 do i64 -= i32 "
    "move store choose load in 1..define do define -= load, ret = max(ret - 1, br)",
    "names of functions": "state min, size: 0..9 state digits: bool move max choose gcd in 1..min do min -= gcd "
    "move popcount choose abs in 1..size do size -= abs, digits = not digits",
    "long names": f"state {_LONG}: 0..9 given {_LONG}m: 1..3 "
    f"move t choose k in 1..min({_LONG}, {_LONG}m) do {_LONG} -= k",
    # the widths of numbers
    **{f"near {number}": _near(number) for number in (0, 1 << 31, -1 << 31, 1 << 32, 1 << 63, -1 << 63, 1 << 64)},
    "near the widest": _near((1 << 126) - 8),
    "near the least": _near(8 - (1 << 126)),
    "operations below zero": "state a: -20..20 state b: 0..20 move t when b > 0 "
    "choose k in {a / 3, a % 7, -a / 4, a % -5, a xor -3, abs(a), bit(a, 3)} do b -= 1, a = max(min(k, 20), -20)",
    "array without cells": "state a: array[1..0] of 0..3 state n: 0..30 state c: array[3..2] of bool "
    "move none choose i in 1..0 do a[i] = 0 move take choose k in 1..min(3, n) do n -= k, c[j] = true for j in 3..2",
    "nothing but an array without cells": "state a: array[1..0] of 0..3 move none choose i in 1..0 do a[i] = 0",
    # conditions in arrays
    "array of bool": "state a: array[1..6] of bool move t choose i in 1..6 when a[i] "
    "do a[i] = false, a[j] = not a[j] for j in 1..i - 1",
    "folds over an array of bool": "state g: array[1..3] of bool state n: 0..10 move t choose k in 1..min(3, n) "
    "when k < 2 or any(x for x in g) and count(g) > 1 or all(g) do n -= k, g[k] = g[k] == g[4 - k]",
    "given array of bool": "given m: 1..4 given g: array[1..m] of bool state n: 0..20 "
    "move t choose k in 1..min(3, n) when k < 2 or k <= m and g[k] and count(x for x in g) > 1 or all(g) do n -= k",
    "array of names": "state a: array[1..4] of {red, green, blue} move t choose i in 1..4 when a[i] != red "
    "do a[i] = if a[i] == blue then green else red",
    "choice of conditions and names": "state n: 0..10 state c: {red, green, blue} state d: bool "
    "move t choose k in {red, blue}, e in {true, false} when n > 0 and (k != c or e) do n -= 1, c = k, d = e",
    # givens
    "large given set": "given s: set of -500..9 state n: 0..30 "
    "move t choose k in s when 0 < abs(k) and abs(k) <= n do n -= abs(k)",
    "givens bound an array": "given m: 0..3 given w: 0..3 state a: array[0..m - 1] of 0..w "
    "move t choose i in 0..m - 1, k in 1..a[i] do a[i] -= k",
    "wide given": "given v: array[1..3] of 0..10**30 state n: 0..20 "
    "move t choose k in 1..n when v[k % 3 + 1] % 3 > 0 or k == 1 do n -= k",
    # the end
    "misère with ends": f"state n: 0..40 {_TAKE} winner stuck player terminal mover wins when n == 5 "
    "terminal mover loses when n == 7 terminal n % 10 == 3",
    "stuck with verdicts": f"{_TAKE_TWO} terminal mover wins when stuck and n == 1 terminal mover loses when stuck",
    "not stuck": f"{_TAKE_TWO} winner stuck player terminal mover loses when not stuck and n == 9",
    "stuck in a let": f"{_TAKE_TWO} let z = stuck or n == 4 terminal mover wins when z and n > 0",
    "no part left": "sum state n: 0..12 move t choose a in 0..n - 1 into (a), (n - 1 - a) "
    "move v when n > 0 into nothing",
    "sets in a sum": "sum state s: set of 1..6 "
    "move t choose x in s into ({y for y in s if y < x}), ({y for y in s if y > x})",
    "as many parts as there are values": "sum state n: 0..12 move t choose a in 1..n "
    "into (a - i) for i in 1..a if i % 2 == 1, (0) for j in a..n",
    "parts of two fields": "sum state n: 0..5 state m: 0..2 given g: 1..2 "
    "move t choose a in 1..n into (n - a, i) for i in 0..min(m, g) move u when m > 0 do m -= 1",
    "a part of many leaves its range": "sum state n: 0..10 move t choose a in 1..n into (a - 2 * i) for i in 1..2",
    "a part of many comes back": "sum state n: 0..10 move t choose a in 1..n into (n + 1 - i) for i in 1..a",
    # what fails
    "positions come back": "state n: 0..20 state m: 0..3 move t when n > 0 do n -= 1 "
    "move u when m > 0 do m -= 1, n = min(n + 5, 20) move v when n == 7 and m == 1 do n = 9",
    "a range is left": "state n: 0..20 move t when n > 0 do n -= 7",
    "a division by zero": "state n: 0..20 state m: 0..3 move t when n > 0 and 10 / m > 2 do n -= 1, m = max(m - 1, 0)",
    "a requirement is broken": f"state n: 0..20 require n != 13 {_TAKE}",
}


@pytest.mark.parametrize("name", GAMES)
def test_agrees_with_the_definition(name: str) -> None:
    source = Source("odd.game", f"game odd {GAMES[name]}")
    assert agree(check(read(source), source, {}), llvm=lambda plan: plan < 2) > 0


def fault(rules: str, position: str) -> str:
    """The message of the search for a position where a rule fails."""
    source = Source("odd.game", f"game odd {rules}")
    game = check(read(source), source, {})
    facts = analyse(game)
    plan = choose(game, facts, Ask(), "memo")
    solver = make_solver(game, facts, plan, Budget(), lambda functions: compile(functions, "llvm"))
    with pytest.raises(RuleFault) as raised:
        solver.values([], [[int(position)]])
    return raised.value.diagnostics[0].message


def test_a_long_play_that_comes_back_is_told_soon() -> None:
    rules = "state n: 0..300_000 move down when n > 0 do n -= 1 move up when n == 0 do n = 300_000"
    started = time.process_time()
    message = fault(rules, "2")
    assert time.process_time() - started < 8  # asking every position for its moves took a minute
    assert message == (
        "a position can come back: n = 2 → down: n = 1 → down: n = 0 → up: n = 300000 → down: n = 299999"
        " → … (300,001 moves) … → down: n = 2"
    )


def test_a_rule_that_fails_at_a_wide_position() -> None:
    rules = "state n: 0..10**8 move take choose k in 1..n when k + 3 >= n do n -= k * k"
    assert fault(rules, "100000000") == (
        "a move leaves a declared range at a position with very many choices: n = 100000000"
    )


@pytest.mark.parametrize("plan", ["table", "memo", "retrograde"])
def test_a_long_list_of_moves_keeps_the_limits(plan: str) -> None:
    source = Source("odd.game", "game odd state n: 0..5 move m choose k in 1..400000 when n > 0 do n -= 1")
    game = check(read(source), source, {})
    facts, ask = analyse(game), Ask(moves=True)
    chosen = choose(game, facts, ask, plan)
    for budget, message in ((Budget(64 << 20), "a list of 400,000 moves needs .* of memory"), (Budget(), "the time")):
        solver = make_solver(game, facts, chosen, budget, lambda functions: compile(functions, "llvm"))
        solver.values([], [[1]])
        if budget.memory > 64 << 20:
            budget.deadline = time.monotonic()
            budget.seconds = 0.0
        with pytest.raises(LimitError, match=message):
            solver.options([], (1,))
