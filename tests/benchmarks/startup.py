"""Where a cold start goes: the processor's time of each stage of `gamespec solve specs/cow_digit.yaml`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.measure import ENVIRONMENT, ROOT, process

STAGES = """
import json, time, sys
clock = time.process_time
start = clock()
marks = []
def done(name):
    global start
    now = clock()
    marks.append((name, now - start))
    start = clock()
import click
import gamespec.cli.main, gamespec.cli.solve
done("imports of the command")
from gamespec.budget import Budget
from gamespec.file import open_source
from gamespec.syntax.read import read
source = open_source("specs/cow_digit.yaml")
done("imports of the reader")
tree = read(source)
done("parse (tables, YAML)")
from gamespec.game.check import check
game = check(tree, source, {})
done("check")
from gamespec.analysis.facts import analyse
facts = analyse(game)
done("facts")
from gamespec.answers.table import needed
from gamespec.plan.choose import choose, make_solver
budget = Budget()
plan = choose(game, facts, needed(game), budget=budget)
done("plan and kernel")
from gamespec.backends.program import compile
import llvmlite.binding
done("import of llvmlite")
solver = make_solver(game, facts, plan, budget, compile)
solver.values((), [[1]])
done("LLVM")
import io
from gamespec.run.solve import solve
solve(game, solver, io.BytesIO(b"3\\n9\\n10\\n1000000\\n"), io.BytesIO(), budget)
done("run: read, fill to 1,000,000, print")
print(json.dumps(marks))
"""


def startup(_folder: Path, rounds: int) -> None:
    """Prints the least time of each stage over the rounds."""
    least: dict[str, float] = {}
    bare = []
    for _ in range(rounds):
        out = subprocess.run(
            [sys.executable, "-P", "-c", STAGES], check=True, capture_output=True, cwd=ROOT, env=ENVIRONMENT
        ).stdout
        for name, seconds in json.loads(out):
            least[name] = min(least.get(name, seconds), seconds)
        bare.append(process([sys.executable, "-c", ""])().processor)
    print("\ncow_digit, split of a cold start (processor)")
    print(f"  {'the interpreter alone':<48} {min(bare) * 1000:10.2f} ms")
    for name, seconds in least.items():
        print(f"  {name:<48} {seconds * 1000:10.2f} ms")
    print(f"  {'sum':<48} {(min(bare) + sum(least.values())) * 1000:10.2f} ms")
