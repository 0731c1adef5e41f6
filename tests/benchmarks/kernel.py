"""The cow digit kernel alone: the table to 10^6 filled by our machine code and by three C++ functions."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.plan.choose import choose, make_solver
from tests.benchmarks.measure import ROOT, compiled

LIMIT = 1_000_000
RUNS = 3


def cow_kernel(folder: Path, rounds: int) -> None:
    """Alternates C++ processes that time themselves with fresh solvers timed here; prints the ratios."""
    program = compiled("cow_kernels", folder)
    game = gamespec.load(str(ROOT / "specs" / "cow_digit.yaml"))
    facts = analyse(game)
    names = [
        "gamespec kernel",
        "C++ two digit functions (the document)",
        "C++ one pass over the digits",
        "C++ carried",
    ]
    least = [float("inf")] * len(names)
    for _ in range(rounds):
        printed = subprocess.run([program, str(LIMIT), str(RUNS)], check=True, capture_output=True).stdout
        nanoseconds = list(map(int, printed.split()))
        for way in range(3):
            least[way + 1] = min(least[way + 1], min(nanoseconds[way::3]) / 1e9)
        for _ in range(RUNS):
            budget = Budget()
            plan = choose(game, facts, Ask(), budget=budget)
            solver = make_solver(game, facts, plan, budget, compile)
            solver.values((), [[1]])  # compiles
            start = time.perf_counter()
            (lost,) = solver.values((), [[LIMIT]])
            least[0] = min(least[0], time.perf_counter() - start)
            if lost:
                raise SystemExit("the kernel answers otherwise")
    print(f"\ncow_digit, filling the table to {LIMIT:,} (ours with memory and calls; the C++ alone)")
    for name, seconds in zip(names, least, strict=True):
        print(f"  {name:<48} {seconds * 1000:10.2f} ms {seconds / least[0]:8.2f}")
