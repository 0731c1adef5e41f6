"""Runs the tool as its users do: a process of its own, text in, text out."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SPECS = ROOT / "specs"
GALLERY = sorted(path for path in SPECS.iterdir() if path.suffix in (".yaml", ".game"))

# A child's peak memory counts from before its exec, so a small process stands between it and the test runner.
# It prints the peak of the tool in kB as the last line of standard error.
_MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


class Run(NamedTuple):
    """How a run ended: `memory` is the peak in bytes, 0 where it was not measured."""

    code: int
    out: str
    err: str
    seconds: float
    memory: int = 0


def spec(name: str) -> Path:
    """The shipped spec of a game."""
    return next(path for path in GALLERY if path.stem == name)


def gamespec(*args: object, stdin: str = "", timeout: float = 120, measure: bool = False) -> Run:
    """Runs `gamespec ARGS`."""
    command = [sys.executable, "-m", "gamespec", *map(str, args)]
    if measure:
        command = [sys.executable, "-S", "-c", _MEASURE, *command]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    start = time.perf_counter()
    done = subprocess.run(
        command,
        input=stdin.encode(errors="surrogateescape"),
        capture_output=True,
        timeout=timeout,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    seconds = time.perf_counter() - start
    err, memory = done.stderr.decode(), 0
    if measure:
        err, _, peak = err.rstrip("\n").rpartition("\n")
        memory = int(peak) * 1024
    return Run(done.returncode, done.stdout.decode(), err, seconds, memory)


def solve(name: str | Path, text: str, *options: object, **keywords: float) -> str:
    """What `gamespec solve` prints; fails the test unless it ends with 0."""
    path = name if isinstance(name, Path) else spec(name)
    run = gamespec("solve", path, *options, stdin=text, timeout=keywords.get("timeout", 120))
    assert run.code == 0, f"exit {run.code}\n{run.err}"
    return run.out
