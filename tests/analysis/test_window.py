"""C4 recognised from the rule; every mutant refused with its place; the theorem by brute force."""

from __future__ import annotations

from random import Random

import pytest

from gamespec.analysis.window import NoWindow, Window
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.model import Const
from gamespec.plan.choose import choose, make_solver
from gamespec.types import element_bounds
from tests.analysis.brute import facts_of, game_of

STONES = "given s: 0..99 state c: 0..s move add choose k in 1..min(c * c, s - c) do c += k"

ACCEPTED = {
    "stone_game": (STONES, 1, False),
    "mirrored": ("state n: 0..99 move take choose k in 1..min(60 - n / 2, n) do n -= k", -1, False),
    "nim": ("state n: 0..99 move take choose k in 1..n do n -= k", -1, True),
    "bash": ("given m: 1..9 state n: 0..99 move take choose k in 1..min(m, n) do n -= k", -1, True),
    "floor_of_five": ("state n: 5..99 move take choose k in 1..min(3, n - 5) do n = n - k", -1, True),
    "by_let": (
        "given s: 0..99 state c: 0..s let room = s - c let step = c * 2 + 1 "
        "move add choose k in 1..min(step, room) do c += k",
        1,
        False,
    ),
    "two_ceilings": (
        "given s: 0..99 state c: 0..min(s, 50) move add choose k in 1..min(c, s - c, 50 - c) do c += k",
        1,
        False,
    ),
    "three_arguments": (
        "given s: 0..99 state c: 0..s move add choose k in 1..min(7, c + 1, s - c) do c += k",
        1,
        False,
    ),
    "nested_min": (
        "given s: 0..99 state c: 0..s move add choose k in 1..min(min(s - c, c / 2), 9) do c += k",
        1,
        False,
    ),
    "twice_monotone": (
        "given s, g: 0..99 state c: 0..s move add choose k in 1..min(max(c, g) * (c + 1) - (5 - c), s - c) do c += k",
        1,
        False,
    ),
    "chosen_branch": (
        "given g: 0..9 state c: 0..50 move add choose k in 1..min(if g > 3 then c else c * c, 50 - c) do c += k",
        1,
        False,
    ),
    "guarded": ("given s: 0..99 state c: 0..s move add choose k in 1..c * c when c + k <= s do c += k", 1, False),
    "guarded_the_other_way": (
        "given s: 0..99 state c: 0..s move add choose k in 1..c * c when c > 0 and s - k > c - 1 and k < 90 do c += k",
        1,
        False,
    ),
    "guarded_by_let": (
        "given s: 0..99 state c: 0..s let room = s - c "
        "move add when room > 0 choose k in 1..8 when k <= room do c += k",
        1,
        True,
    ),
    "fixed_ceiling": ("state c: 0..50 move add choose k in 1..min(c, 7) when c + k <= 50 do c += k", 1, False),
    "guarded_floor": ("state n: 2..99 move take choose k in 1..9 when n - k >= 2 do n -= k", -1, True),
}

REFUSED = {
    "least_is_two": (STONES.replace("1..min", "2..min"), "not 1", "2"),
    "jump_of_two": (STONES.replace("c += k", "c += 2 * k").replace("s - c)", "(s - c) / 2)"), "exactly", "c += 2 * k"),
    "half_the_room": (STONES.replace("s - c)", "(s - c) / 2)"), "ceiling", "min(c * c"),
    "falling": (STONES.replace("c * c", "99 - 2 * c"), "may fall", "99 - 2 * c"),
    "falls_at_first": (STONES.replace("c * c", "c * c - 3 * c"), "may fall", "c * c - 3 * c"),
    "remainder": (STONES.replace("c * c", "c % 5"), "may fall", "c % 5"),
    "divisor_grows": (STONES.replace("c * c", "60 / (c + 1)"), "may fall", "60 / (c + 1)"),
    "negative_factor": (STONES.replace("c * c", "(c - 9) * c"), "may fall", "(c - 9) * c"),
    "hidden_branch": (STONES.replace("c * c", "if c > 4 then 1 else 9"), "may fall", "if c > 4"),
    "digits": (STONES.replace("c * c", "sum(digits(c))"), "may fall", "sum(digits(c))"),
    "moving_ceiling": (STONES.replace("s - c)", "s / 2 + c / 2 - c)"), "ceiling", "min("),
    "twice_the_choice": (STONES.replace(" do", " when 2 * k <= s do"), "guard", "2 * k"),
    "chosen_on_both_sides": (STONES.replace(" do", " when c + k <= s - k do"), "guard", "c + k"),
    "one_of_two_guards": (STONES.replace(" do", " when c + k <= s or k == 1 do"), "guard", "c + k"),
    "guard_that_may_fail": (STONES.replace(" do", " when c > 0 and k <= 60 / c do"), "guard", "k <="),
    "guard": (STONES.replace(" do", " when c > 1 do"), "guard", "c > 1"),
    "guard_on_choice": (STONES.replace(" do", " when k != 2 do"), "guard", "k != 2"),
    "terminal": (STONES + " terminal c == 50", "terminal", "c == 50"),
    "verdict": (STONES + " terminal mover wins when c == 50", "terminal", "mover wins when c == 50"),
    "misere": (STONES + " winner stuck player", "stuck", "stuck player"),
    "two_moves": (STONES + " move one when c < s do c += 1", "more than one move", "move one"),
    "two_fields": (STONES + ", d = c" + " state d: 0..99", "more than one state field", "d"),
    "require": (STONES + " require c != 7", "requirement", "c != 7"),
    "two_choices": (STONES.replace("do", ", j in 1..2 do"), "exactly one number", "move add"),
    "a_set": (STONES.replace("1..min(c * c, s - c)", "{1, 2} & (1..s - c)"), "range", "{1, 2}"),
    "beyond": ("given s: 0..50 state c: 0..99 move add choose k in 1..min(c, s - c) do c += k", "beyond", "s"),
    "parts": ("sum state n: 0..99 move split choose a in 1..n into (n - a)", "components", "move split"),
    "not_a_number": ("state s: set of 0..9 move m choose x in s do s -= {x}", "not a number", "s"),
    "may_leave": ("state c: 0..9 move add choose k in 1..min(c, 20 - c) do c += k", "not proved", "c += k"),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    text, direction, constant = ACCEPTED[name]
    found = facts_of(f"game {name} {text}", name).window
    assert isinstance(found, Window), found
    assert (found.direction, found.constant) == (direction, constant)
    assert found.reasons


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, word, place = REFUSED[name]
    game = game_of(f"game {name} {text}", name)
    found = facts_of(f"game {name} {text}", name).window
    assert isinstance(found, NoWindow), found
    assert word in found.reason, found.reason
    assert found.span is not None
    assert game.source.slice(found.span).startswith(place), game.source.slice(found.span)


@pytest.mark.parametrize("name", [name for name in ACCEPTED if "guarded" in name or name == "fixed_ceiling"])
def test_values_under_guards(name: str) -> None:
    text, _, _ = ACCEPTED[name]
    game = game_of(f"game {name} {text}", name)
    facts, ask = facts_of(f"game {name} {text}", name), Ask(grundy=True, moves=True)
    closed, table = (
        make_solver(game, facts, choose(game, facts, ask, plan), Budget(), compile) for plan in ("closed", "table")
    )
    for ceiling in range(0, 100, 7) if game.givens else (50 if name == "fixed_ceiling" else 99,):
        column = list(range(element_bounds(game.states[0].type).lo, ceiling + 1))
        givens = [[ceiling] * len(column)] * len(game.givens)
        assert list(closed.values(givens, [column])) == list(table.values(givens, [column]))
        data = [ceiling] * len(game.givens)
        for c in column[::9]:
            assert closed.options(data, [c]) == table.options(data, [c])


def test_floor_and_ceiling() -> None:
    found = facts_of("game floor state n: 5..99 move take choose k in 1..min(3, n - 5) do n -= k", "floor").window
    assert isinstance(found, Window)
    assert isinstance(found.ceiling, Const)
    assert found.ceiling.value == 5
    assert len(found.steps) == 1


def grundy_by_mex(ceiling: int, largest: list[int]) -> list[int]:
    values = [0] * (ceiling + 1)
    for c in range(ceiling, -1, -1):
        seen = {values[d] for d in range(c + 1, min(ceiling, c + largest[c]) + 1)}
        values[c] = next(value for value in range(ceiling + 2) if value not in seen)
    return values


def grundy_by_barriers(ceiling: int, largest: list[int], c: int) -> int:
    while c + largest[c] < ceiling:
        ceiling = max((t for t in range(c, ceiling) if t + largest[t] < ceiling), default=c)
        if ceiling == c:
            return 0
    return ceiling - c


def test_the_theorem() -> None:
    """The chain of barriers against the mex, for random steps that never fall (some negative, some with jumps)."""
    random = Random(4)
    for _ in range(400):
        ceiling = random.randint(0, 40)
        largest = [random.randint(-2, 2)]
        while len(largest) <= ceiling:
            largest.append(largest[-1] + random.choice([0, 0, 0, 1, 1, 2, 7]))
        wanted = grundy_by_mex(ceiling, largest)
        assert [grundy_by_barriers(ceiling, largest, c) for c in range(ceiling + 1)] == wanted


def test_fixed_steps() -> None:
    for most in range(6):
        values = grundy_by_mex(30, [most] * 31)
        assert values == [(30 - c) % (most + 1) for c in range(31)]
