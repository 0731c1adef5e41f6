"""The checker on hostile specs: every one ends soon, in an ordinary diagnostic."""

from __future__ import annotations

import time

import pytest

from gamespec.diagnostics import SpecError
from gamespec.game.check import check, check_all
from gamespec.source import Source
from gamespec.syntax.read import read

TAKE = "state n: 0..9 move take do n -= 1 "

DOUBLING = " ".join(f"let f{i}(x) = f{i - 1}(x) + f{i - 1}(x)" for i in range(1, 21))

HOSTILE = {
    "a tower of powers": ("state n: 0..10**10**10 move go do n -= 1", "GS123"),
    "a power of a state": (TAKE + "terminal 10**10**n == 3", "GS123"),
    "a wide range": ("state n: 0..10**40 move go do n -= 1", "GS123"),
    "a huge set": ("state n: set of 0..10**9 move go do n = {}", "GS131"),
    "a huge array": ("state n: array[0..10**9] of 0..10**9 move go do n[0] -= 1", "GS131"),
    "functions that double": (f"let f0(x) = x + x {DOUBLING} {TAKE} terminal f20(n) == 1", "GS126"),
    "arguments that double": (TAKE + "let f(x) = x + x terminal " + "f(" * 30 + "n" + ")" * 30 + " == 1", "GS126"),
    "a chain of lets": (
        TAKE + "let a0 = n " + " ".join(f"let a{i} = a{i - 1} + 1" for i in range(1, 2000)) + " terminal a1999 == 1",
        "GS127",
    ),
    "a chain of functions": (
        TAKE
        + "let a0(x) = x "
        + " ".join(f"let a{i}(x) = a{i - 1}(x + 1)" for i in range(1, 2000))
        + " terminal a1999(n) == 1",
        "GS127",
    ),
    "a long cycle": (
        TAKE + " ".join(f"let a{i} = a{(i + 1) % 3000} + 1" for i in range(3000)),
        "GS106",
    ),
    "many faults": (TAKE + " ".join(f"let a{i} = b{i}" for i in range(5000)), "GS101"),
    "division by zero": (TAKE + "terminal n / 0 == 1", "GS124"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_specs_end_soon(what: str) -> None:
    text, code = HOSTILE[what]
    source = Source("x.game", "game x " + text)
    begin = time.process_time()
    with pytest.raises(SpecError) as caught:
        check(read(source), source)
    assert code in {found.code for found in caught.value.diagnostics}
    assert len(caught.value.diagnostics) <= 20
    assert time.process_time() - begin < 4


def test_long_sums_and_conditions_are_fine() -> None:
    text = TAKE + "let all = " + " + ".join(["n"] * 150) + " terminal " + " or ".join(f"n == {i}" for i in range(3000))
    source = Source("x.game", "game x " + text)
    game = check(read(source), source)
    assert set(game.lets) == {"all"}


@pytest.mark.parametrize("depth", range(10, 200, 20))
def test_nesting_ends_in_a_game_or_a_message(depth: int) -> None:
    conditions = "(n > 0 and " * depth + "n == 1" + ")" * depth
    folds = (
        "".join(f"sum(x{i} + " for i in range(depth))
        + "n"
        + "".join(f" for x{i} in 1..3)" for i in reversed(range(depth)))
    )
    choices = "if n == 0 then 1 else " * depth + "2"
    for text in (conditions, f"1 == {folds}", f"1 == ({choices})"):
        source = Source("x.game", f"game x {TAKE} terminal {text}")
        try:
            codes = {found.code for found in check_all(read(source), source)[1]}
        except SpecError as error:
            codes = {found.code for found in error.diagnostics}
        assert codes <= {"GS007", "GS123", "GS127"}
