"""Large inputs, read and printed by kernels: the same answers, messages and warnings as word by word."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import pytest

import gamespec
from gamespec.answers.ask import Option
from gamespec.backends.program import BACKENDS, compile
from gamespec.budget import Budget
from gamespec.diagnostics import Diagnostic
from gamespec.kernel.ir import Function
from gamespec.kernel.passes import traced
from gamespec.kernel.rows import printing, reading
from gamespec.kernel.verify import verify
from gamespec.plan.plan import Kernel
from gamespec.run import bulk, read, token
from gamespec.run.bulk import Bulk
from gamespec.run.layout import Layout
from gamespec.run.read import Reader
from gamespec.run.solve import solve

ONE = """game one
state n: 0..50
move take choose k in 1..min(3, n) do n -= k
input cases {cases} read n
output {output}
"""
TWO = """game two
given m: 1..9
state n: -20..3 * m
require n != 13
move take choose k in 1..min(m, n + 20) do n -= k
input cases {cases} read n, m
output {output}
"""
LINES = 'win "W" lose "L"', 'line "{case}. {outcome}"', 'line "Case {case}:" win "yes" lose "no {case}"', 'line "{n}!"'
ODD = ["+5", "-0", "007", "1_0", "x", "9" * 19, "0" * 20 + "7", "-7", "51", "100000", "-21", "13", "3\0", "\0", "٣"]
ODD += ["-", "--", "1.5", "é", "7" * 5000]
SPACES = [" ", "\n", "\r\n", "\t", "\n\n", " \n ", "\x0b", "\x0c", "\n\r"]

kernels: dict[tuple[str, str], Kernel] = {}


def compiled(backend: str) -> Any:
    def get(functions: Sequence[Function]) -> dict[str, Kernel]:
        for function in functions:
            if (backend, function.name) not in kernels:
                kernels[backend, function.name] = compile([function], backend, checked=True)[function.name]
        return {function.name: kernels[backend, function.name] for function in functions}

    return get


class Parity:
    """Says that a position is won if the sum of its values is odd."""

    def values(self, givens: Sequence[Any], states: Sequence[Any]) -> Sequence[int]:
        return [sum(row) % 2 for row in zip(*givens, *states, strict=True)]

    def options(self, givens: Sequence[Any], state: Sequence[Any]) -> list[Option]:
        return []


def run(game: gamespec.Game, data: bytes, compile: Any = None) -> tuple[Any, ...]:
    """What is printed, what is wrong with the input, and the warnings."""
    out, warned = io.BytesIO(), list[Diagnostic]()

    def report(found: Iterable[Diagnostic]) -> None:
        warned.extend(found)

    wrong: tuple[Diagnostic, ...] = ()
    budget = Budget()
    try:
        solve(game, Parity(), io.BytesIO(data), out, budget, report=report, compile=compile)
        assert compile is None or budget.used < 1 << 20
    except gamespec.GamespecError as error:
        wrong = tuple(error.diagnostics)
    return out.getvalue(), wrong, warned


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """Small pieces and few rooms, so that everything happens at their borders."""
    choose = random.Random(7)
    monkeypatch.setattr(token, "SMALLEST_PIECE", 24)
    monkeypatch.setattr(read, "LARGE", 8)
    monkeypatch.setattr(read, "PIECE", 300)
    monkeypatch.setattr(bulk, "ROOM", 32)
    monkeypatch.setattr(bulk, "PRINTED", 64)
    return choose


def text(choose: random.Random, cases: str, width: int) -> bytes:
    rows = choose.choice([0, 3, 30, 60, 150])
    odd = choose.choice([0, 0, 0, 0.003, 0.05])
    spaces = choose.choice([["\n"], ["\r\n"], [" "], SPACES])
    words = [
        str(choose.choice(ODD) if choose.random() < odd else choose.randint(*((0, 50) if width == 1 else (1, 9))))
        for _ in range(rows * width)
    ]
    if cases == "count":
        words.insert(0, str(choose.choice([rows, rows, rows, max(0, rows - 2), rows + 1, "x"])))
    if cases.startswith("until"):
        words += ["0"] * width if choose.random() < 0.8 else []
        words += choose.choice([[], [], ["7", "8"]])
    if choose.random() < 0.1 and words:
        words.pop()
    parts = [choose.choice(["", "", "\ufeff", "\n", " "])]
    for word in words:
        parts += word, choose.choice(spaces)
    if choose.random() < 0.5 and len(parts) > 1:
        parts.pop()
    return "".join(parts).encode()


@pytest.mark.parametrize("backend", BACKENDS)
def test_inputs_of_all_kinds(backend: str, pieces: random.Random) -> None:
    used = 0
    for turn in range(300 if backend == "llvm" else 40):
        width = 1 + turn % 2
        cases = ("until eof", "count", "until n == 0" if width == 1 else "until n == 0 and m == 0")[turn // 2 % 3]
        game = gamespec.loads((ONE, TWO)[width - 1].format(cases=cases, output=pieces.choice(LINES)))
        data = text(pieces, cases, width)
        expected = run(game, data)
        assert run(game, data, compiled(backend)) == expected, data
        reader = Reader(game, io.BytesIO(data), Budget(), compile=compiled(backend))
        with suppress(gamespec.GamespecError):
            used += sum(block.repeats is not None for block in reader.blocks())
    assert used > (70 if backend == "llvm" else 4)


def test_bytes_of_all_kinds(pieces: random.Random) -> None:
    """Texts of a few characters at random: every way in which a word can be cut or joined."""
    for turn in range(250):
        game = gamespec.loads(TWO.format(cases="until eof", output=LINES[turn % 4]))
        data = bytes(pieces.choice(b"1 \n0\t-5 7\n") for _ in range(pieces.randrange(120)))
        if turn % 5 == 0:
            place = pieces.randrange(len(data) + 1)
            data = data[:place] + bytes([pieces.randrange(256)]) + data[place:]
        assert run(game, data, compiled("llvm")) == run(game, data), data


def test_long_input() -> None:
    """With pieces and rooms as they are: many cases, some of them again and again."""
    game = gamespec.loads(ONE.format(cases="until eof", output='line "{case}:" win "W" lose "L"'))
    choose = random.Random(1)
    data = "".join(f"{choose.randint(0, 50)}\n" for _ in range(160_000)).encode()
    assert run(game, data, compiled("llvm")) == run(game, data)


@pytest.mark.parametrize(
    ("spec", "plain"),
    [
        (ONE.format(cases="until eof", output='win "W" lose "L"'), True),
        (ONE.format(cases="until eof", output='line "{case}/{n}" win "W" lose "{outcome}"'), True),
        (ONE.format(cases="until eof", output='win "{winning_moves}" lose "-"'), True),
        (ONE.format(cases="until eof", output='line "{case:3}"'), False),
        (ONE.format(cases="until eof", output='line "{case + 1}"'), False),
        (ONE.format(cases="once", output='line "{n}"'), False),
        (ONE.format(cases="until n > 4", output='line "{n}"'), False),
        (ONE.format(cases="until eof", output='joined " " win "W" lose "L"'), False),
        (ONE.format(cases="until eof", output='line "{n}"').replace("read n", "read k, [n] * k").replace(
            "state", "sum\nstate"), False),
        (ONE.format(cases="until eof", output='line "{n}"').replace("0..50", "bool"), False),
    ],
)  # fmt: skip
def test_which_specs_are_plain(spec: str, plain: bool) -> None:
    try:
        game = gamespec.loads(spec)
    except gamespec.SpecError:
        pytest.skip("not a spec")
    assert (Bulk.of(game, Layout(game), compiled("llvm")) is not None) == plain


def test_the_kernels_are_sound() -> None:
    for function in (reading(), printing()):
        verify(function)
        assert traced(function)[0] == function
