"""Divisors and primes from a sieve: the same values as by trial division."""

from __future__ import annotations

import pytest

from gamespec.analysis.facts import analyse
from gamespec.analysis.passes import SIEVE
from gamespec.kernel.sieve import LIMIT, MOST_DIVISORS, Sieve, most_divisors
from gamespec.plan.table.form import sieved
from tests.plan.test_table import game_of, made, values

NUMBERS = {
    "divisors": "move take choose d in divisors(n) - {n} do n -= d",
    "of_both": "move take choose d in divisors(n), e in divisors(n) when d != e and d * e < n do n -= d * e",
    "is_divisor": "move take choose k in 1..min(n - 1, 30) when k not in divisors(n) do n -= k",
    "primes": "move take choose p in primes(n) when p < n do n -= p",
    "is_prime": "move take choose k in {1, 4, 6, 9} when k < n and (k in {1, 9} or n not in primes(n)) do n -= k",
    "first_prime": "move take when n > 2 do n -= min(primes(n))",
    "other": "move take choose d in divisors(n + 1) when d < n do n -= d",
}


@pytest.mark.parametrize("name", NUMBERS)
def test_same_values(name: str) -> None:
    game = game_of("state n: 1..700", NUMBERS[name], "n")
    assert (sieved(game, analyse(game)) is None) == (name == "other")
    expected = values(made(game, SIEVE), range(1, 701))
    assert values(made(game), range(1, 701)) == expected
    growing = made(game, backend="llvm" if name in ("divisors", "primes") else "python")
    for top in (1, 2, 3, 100, 700):
        assert values(growing, range(1, top + 1)) == expected[:top]


def test_two_fields_downwards_and_grundy() -> None:
    states = "sum\nstate a: 1..20\nstate b: 1..30"
    rules = """move one choose d in divisors(a) when d < a do a -= d, b = 1 + b % 7
    move two choose p in primes(b) when b > p and a + p > 3 do b -= p"""
    game = game_of(states, rules, "a, b")
    pairs = [(a, b) for a in range(1, 21) for b in range(1, 31)]
    columns = [[a for a, _ in pairs], [b for _, b in pairs]]
    assert values(made(game), *columns) == values(made(game, SIEVE), *columns)


def test_least_tables() -> None:
    """The cells that the sieve of a top needs are there."""
    for top in range(2, 200):
        factors, primes, _ = Sieve.lengths(top)
        count = sum(all(n % d for d in range(2, n)) for n in range(2, top + 1))
        assert factors == top + 1
        assert count < primes - 1


def test_most_divisors() -> None:
    most, counts = 0, [0] * 2001
    for divisor in range(1, 2001):
        for number in range(divisor, 2001, divisor):
            counts[number] += 1
    for number in range(1, 2001):
        most = max(most, counts[number])
        assert most_divisors(number) == most
    assert most_divisors(10**5) == 128
    assert most_divisors(10**9) == 1344
    assert most_divisors(LIMIT) == MOST_DIVISORS


def test_moves() -> None:
    game = game_of("state n: 1..100", NUMBERS["divisors"], "n")
    assert made(game).options((), (60,)) == made(game, SIEVE).options((), (60,))
