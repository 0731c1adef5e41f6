"""Values of heaps alone: as many as prove the periods of octal games, and Grundy's game, by our kernels and by C++."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import gamespec
from gamespec.analysis.heap import Heap, heap
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.plan.heap.kernel import functions
from gamespec.plan.heap.values import HeapValues
from tests.benchmarks.measure import compiled

UNEQUAL = "unequal"
GAMES = [("0.77", 20_000), ("0.16", 509_621), ("0.56", 653_570), ("0.127", 93_167), (UNEQUAL, 20_000)]
LONG = [("0.354", 20_126_195), (UNEQUAL, 1_000_000)]


def spec(code: str) -> str:
    """The rules of an octal game as one writes them."""
    moves = []
    if code == UNEQUAL:
        moves.append("move split choose a in 1..(n - 1) / 2 into (a), (n - a)")
    for k, digit in enumerate(map(int, code.replace(".", "") if code != UNEQUAL else "")):
        if digit & 1:
            moves.append(f"move all{k} when n == {k} into nothing")
        if digit & 2:
            moves.append(f"move take{k} when n > {k} do n -= {k}")
        if digit & 4:
            moves.append(f"move split{k} choose a in 1..n - {k + 1} into (a), (n - {k} - a)")
    return "\n".join(["game heaps", "sum", "state n: 0..10**18", *moves, ""])


def heaps(folder: Path, rounds: int, long: bool = False) -> None:
    """Alternates C++ processes that time themselves with tables that are filled here; values must be the same."""
    program = compiled("heaps", folder)
    kernels = compile(functions())
    print(f"\n{'values of heaps':<44} {'gamespec':>12} {'C++':>12} {'ratio':>6} {'C++, by the definition':>24}")
    for code, count in LONG if long else GAMES:
        found = heap(gamespec.loads(spec(code)))
        assert isinstance(found, Heap)
        assert found.fixed is not None
        least = {"ours": float("inf"), "plain": float("inf"), "sparse": float("inf")}
        sums = set()
        for _ in range(1 if long else rounds):
            printed = subprocess.run(
                [program, code, str(count), "1"], check=True, capture_output=True, text=True
            ).stdout
            for line in printed.splitlines():
                way, nanoseconds, checksum = line.split()
                least[way] = min(least[way], int(nanoseconds) / 1e9)
                sums.add(int(checksum))
            values = HeapValues(found.fixed, kernels, Budget())
            start = time.perf_counter()
            values.fill(count)
            least["ours"] = min(least["ours"], time.perf_counter() - start)
        total = 0
        for value in values.values.to_list(0, count):
            total = (total * 31 + value) & ((1 << 64) - 1)
        if sums != {total}:
            raise SystemExit(f"{code}: the values differ")
        ours, plain, sparse = (f"{least[way] * 1000:10.2f} ms" for way in ("ours", "plain", "sparse"))
        name = f"{found.fixed}, {count:,}" if code != UNEQUAL else f"Grundy's game, {count:,}"
        ratio = least["ours"] / least["sparse"]
        print(f"  {name:<42} {ours} {sparse} {ratio:6.2f} {plain if least['plain'] < 1e9 else '':>24}", flush=True)
