"""Subtraction games by marking: the same values as by looking at options."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.passes import PUSH
from gamespec.answers.ask import Ask
from gamespec.plan.table import kernel as table_kernel
from gamespec.plan.table import strategy as table
from gamespec.plan.table.strategy import Table
from tests.plan.test_table import made

RULES = {
    "squares": "move take choose k in squares(n) do n -= k",
    "misere": "move take choose k in squares(n) do n -= k\nwinner stuck player",
    "powers": "move take choose k in powers(3, n) do n -= k\nmove two when n >= 2 do n -= 2\nwinner stuck player",
    "primes": "move take choose k in primes(n) do n -= k",
    "many": "move take choose k in {2, 3, 70, 80, 90, 100, 111, 122, 133} when k <= n do n -= k",
    "given": "given s: set of 1..90\nmove take choose k in s when k <= n do n -= k",
    "given_misere": "given s: set of 1..90\nmove take choose k in s when n - k >= 0 do n -= k\nwinner stuck player",
}
DATA = [frozenset({1, 5, 80}), frozenset({7}), frozenset(), frozenset(range(20, 91))]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("large", [0, table_kernel.LARGE])
def test_same_values(name: str, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_kernel, "LARGE", large)
    monkeypatch.setattr(table, "FIRST", 61)
    given = "given" in name
    read = "k, s[k], n" if given else "n"
    game = gamespec.loads(
        f'game g\nstate n: 0..900\n{RULES[name]}\ninput cases until eof read {read}\noutput win "W" lose "L"\n'
    )
    own, pulled = made(game), made(game, PUSH)
    assert own.table.push is not None
    assert pulled.table.push is None
    assert own.table.cells.width == (1 if not large else 0)
    for data in DATA if given else [None]:
        for top in (0, 3, 899, 900):
            givens = [] if data is None else [[data] * (top + 1)]
            assert list(own.values(givens, [range(top + 1)])) == list(pulled.values(givens, [range(top + 1)]))


@pytest.mark.parametrize(
    "rules",
    [
        "move take choose k in squares(n) when n % 3 != 1 do n -= k",
        "move take choose k in squares(n) do n -= k\nterminal n == 5",
        "move take choose k in {1, 2, 3} when k <= n do n -= k",
        "move take choose k in squares(n) do n = (n - k) / 2",
    ],
)
def test_left_alone(rules: str) -> None:
    game = gamespec.loads(f'game g\nstate n: 0..900\n{rules}\ninput cases until eof read n\noutput win "W" lose "L"\n')
    assert Table(game, analyse(game), Ask()).push is None
