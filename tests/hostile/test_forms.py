"""Any bytes in place of an input, for every form of reading: a message with case and line, or an answer."""

from __future__ import annotations

import re

import pytest

from tests.run.judge import judged

TAKE = "move t choose k in 1..m do m -= k"
SPECS = {
    "word": "given n: 1..50 state c: array[1..n] of {gap, x} move t choose i in 1..n when c[i] == x do c[i] = gap "
    'input cases until eof read c[n] as word ".x"',
    "line": f"sum state m: 0..9 {TAKE} input cases until eof read [m] * k as line",
    "rows": f"given n: 1..9 given g: array[1..n, 1..n] of 0..9 state m: 0..9 {TAKE} "
    "input cases until eof read n, [k, g[k]] * n, m",
    "queries": "given n: 1..9 given g: array[0..n - 1] of set of 0..n - 1 state m: 0..n - 1 "
    "move t choose k in g[m] when k < m do m = k input cases count read n, [d, g[d]] * n queries "
    "cases until m == -1 read m",
    "for": f"given n: 1..9 state m: 0..9 {TAKE} input cases until eof read n queries cases for m in 0..n * n",
    "characters": 'state c: {a, b, d} move t when c == a do c = b input cases count read c as chars "xyz"',
    "boards": "state b: array[1..2, 1..2] of bool move t choose r in 1..2 when b[r, r] do b[r, r] = false "
    'input cases until eof read b[2, 2] as chars "01"',
}
INPUTS = [
    b"", b"\n\n", b"0", b"-1", b"99999999999999999999 1", b"1", b"1 1", b"abc", b"...x..", b".\xff.", b"x" * 100_000,
    b"1 " * 1000, b"9" * 5000, b"3 1 2 3\n", b"\x00\x01", b"2\n1 0\n1 1 1\n 0 -1", "éé".encode(),
    b"1 1 0 0 0 0 0 -1", b"xyz zzq", b"5 xxx", b"1_0", b"0110\n01 1 0 1",
]  # fmt: skip


@pytest.mark.parametrize("joined", ["", ' joined ","'], ids=["apart", "joined"])
@pytest.mark.parametrize("name", SPECS)
def test_any_input(name: str, joined: str) -> None:
    spec = f'game g {SPECS[name]} output{joined} win "w" lose "l"'
    for data in INPUTS:
        done = judged(spec, data.decode("utf-8", "surrogateescape"))
        if done.fault is not None:
            assert done.fault.code.startswith("GS2"), done.fault
            assert re.search(r"case \d|input is empty|announces|line \d+: ", done.message), done.message
