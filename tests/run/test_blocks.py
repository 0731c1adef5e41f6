"""Blocks: how much is read before it is answered, and that the short way of reading agrees with the long one."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from typing import Any

import pytest

import gamespec
from gamespec.answers.ask import Option
from gamespec.budget import Budget
from gamespec.diagnostics import GamespecError, InputError
from gamespec.run import read
from gamespec.run.read import Reader
from gamespec.run.solve import solve

PAIR = """
game pair
given wide: bool
state n: -5..2000
state side: {left, right}
require n >= -2
move take when n > 0 do n -= 1
input cases until n == -3 read n, side, wide
output line "{n}"
"""


class Zero:
    """Loses everywhere; remembers how many positions were asked together."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def values(self, givens: Sequence[Any], states: Sequence[Any]) -> Sequence[int]:
        self.asked.append(len(states[0]))
        return [0] * len(states[0])

    def options(self, givens: Sequence[Any], state: Sequence[Any]) -> list[Option]:
        return []


class Terminal(io.BytesIO):
    """A stream that knows how much of it has been taken, and says that somebody sits at it."""

    def isatty(self) -> bool:
        return True


def test_blocks_have_at_most_so_many_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "BLOCK_CASES", 100)
    monkeypatch.setattr("gamespec.run.token.PIECE", 64)
    monkeypatch.setattr("gamespec.run.token.SMALLEST_PIECE", 64)
    solver, out = Zero(), io.BytesIO()
    game = gamespec.loads(
        'game g state n: 0..9 move m when n > 0 do n -= 1 input cases until eof read n output line "{case}"'
    )
    solve(game, solver, io.BytesIO(b"1 " * 1050), out, Budget())
    assert out.getvalue().decode() == "".join(f"{number}\n" for number in range(1, 1051))
    assert sum(solver.asked) == 1050
    assert max(solver.asked) == 100


def test_a_fault_closes_the_block_and_is_raised_after_it() -> None:
    game = gamespec.loads(PAIR)
    blocks = Reader(game, io.BytesIO(b"1 left 1 2 left 0 3 up 1"), Budget()).blocks()
    assert next(blocks).count == 2
    with pytest.raises(InputError):
        next(blocks)


def test_on_a_terminal_every_case_is_answered_before_the_next_is_read() -> None:
    game = gamespec.loads(PAIR)
    stdin = Terminal(b"1\nleft 1\n2 left\n0\n\n-3\nrest\n")
    blocks = Reader(game, stdin, Budget()).blocks()
    assert list(next(blocks).columns["n"]) == [1]
    assert stdin.tell() == len(b"1\nleft 1\n")
    assert list(next(blocks).columns["n"]) == [2]
    assert stdin.tell() == len(b"1\nleft 1\n2 left\n0\n")
    assert list(blocks) == []
    assert stdin.read() == b"rest\n"


def test_on_a_terminal_a_fault_is_told_at_once() -> None:
    game = gamespec.loads("game g state n: 0..9 move down when n > 0 do n -= 1 input cases count read n, m, k")
    stdin = Terminal(b"3\n55\n1 2\n")
    with pytest.raises(InputError, match="case 1, line 2: `n` is 55"):
        list(Reader(game, stdin, Budget()).blocks())
    assert stdin.tell() == len(b"3\n55\n")


def test_what_was_reserved_is_given_back() -> None:
    budget = Budget(1 << 24)
    game = gamespec.loads(PAIR)
    for block in Reader(game, io.BytesIO(b"1 left 1 " * 5000), budget).blocks():
        assert block.count == 5000
        assert budget.used > 0
    assert budget.used == 0


def test_a_small_budget_makes_small_blocks() -> None:
    solver, out = Zero(), io.BytesIO()
    game = gamespec.loads(
        'game g state n: 0..9 move m when n > 0 do n -= 1 input cases until eof read n output line "{n}"'
    )
    solve(game, solver, io.BytesIO(b"1\n" * 300_000), out, Budget(500_000))
    assert out.getvalue() == b"1\n" * 300_000
    assert len(solver.asked) > 2


@pytest.mark.parametrize("seed", range(40))
def test_the_short_way_agrees_with_the_long_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choose = random.Random(seed)
    words = []
    for _ in range(choose.randint(1, 60)):
        words += [str(choose.choice([1, 7, 1999, -2])), choose.choice(["left", "right"]), choose.choice("01")]
    for _ in range(choose.randint(0, 2)):
        odd = choose.choice(["-3", "x", "-4", "2001", "1_0", "left", "", "9" * 30, "2", "-"])
        words[choose.randrange(len(words))] = odd
    if choose.random() < 0.3:
        del words[choose.randrange(len(words)) :]
    text = "".join(word + choose.choice(" \n") for word in words).encode()
    monkeypatch.setattr("gamespec.run.token.PIECE", choose.choice([16, 64, 1 << 20]))
    monkeypatch.setattr("gamespec.run.token.SMALLEST_PIECE", 16)
    game = gamespec.loads(PAIR)
    results = []
    for short in (True, False):
        reader = Reader(game, io.BytesIO(text), Budget())
        if not short:
            monkeypatch.setattr(reader, "_singles", None)
        found: list[tuple[Any, ...]] = []
        message = ""
        try:
            for block in reader.blocks():
                found += zip(*block.givens, *block.states, *block.names.values(), strict=True)
        except GamespecError as error:
            message = error.diagnostics[0].message
        results.append((found, message))
    assert results[0] == results[1]


def test_cases_that_read_nothing_are_checked_together() -> None:
    solver, out = Zero(), io.BytesIO()
    game = gamespec.loads("""
        game g
        given n: 1..60
        given v: array[1..n] of 0..9
        state a, b: 1..n
        move m when a > 1 do a -= v[1]
        input read n, v[n] queries cases for a in 1..n queries cases for b in 1..n
        output joined "" lose "L"
    """)
    checked: list[int] = []
    complete = read.complete

    def counted(layout: Any, columns: Any, size: int) -> Any:
        checked.append(size)
        return complete(layout, columns, size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read, "complete", counted)
        solve(game, solver, io.BytesIO(b"60 " + b"1 " * 60), out, Budget())
    assert out.getvalue() == (b"L" * 60 + b"\n") * 60
    assert sum(checked) == 3600
    assert len(checked) < 10


def test_copies_of_a_component_go_by_pairs() -> None:
    """As many beans as there may be in a bowl: only whether they are odd counts."""
    game = gamespec.loads("""
        game beans
        sum
        given n: 1..9
        given beans: array[1..n] of 0..10 ** 12
        state at: 1..n
        move left choose k in 1..at - 1 do at -= k
        input read n, beans[n]
        start into (i) for i in 1..n for j in 1..beans[i]
        output line "{grundy}"
    """)
    for beans in ((10**12, 10**12 - 1, 3), (0, 1, 4), (0, 0, 0), (7, 2, 10**12)):
        grundy = 0
        for place, count in enumerate(beans):
            grundy ^= place * (count % 2)
        assert gamespec.solve(game, f"3 {' '.join(map(str, beans))}") == f"{grundy}\n"


def test_copies_that_may_go_round_do_not_cancel_out() -> None:
    """One component that may go round is won by ending it; two of them never end."""
    game = gamespec.loads("""
        game round
        sum
        given k: 0..1_000_000_000
        state at: 0..1
        move end when at == 1 do at = 0
        move stay when at == 1 do nothing
        endless draw
        input cases until eof read k
        start into (1) for i in 1..k
        output win "win" lose "lose" draw "draw"
    """)
    found = gamespec.solve(game, "0 1 2 3 4 5 999999999 1000000000")
    assert found.split() == ["lose", "win", *["draw"] * 6]
