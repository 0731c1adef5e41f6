"""Paired measurements: the things to compare run in turn, and the least time of each counts.

Beside the time on the clock stands the processor's time, which other work on the machine disturbs less.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
GAMESPEC = [str(Path(sys.executable).with_name("gamespec"))]  # as installed, with its bytecode
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT["GAMESPEC_CACHE"] = "off"  # a cold start, unless a benchmark says otherwise


class Spent(NamedTuple):
    """Seconds on the clock, and seconds of the processor."""

    clock: float
    processor: float


class Side(NamedTuple):
    """One thing to compare; `run` does it once and tells what it took."""

    name: str
    run: Callable[[], Spent]


def paired(sides: Sequence[Side], rounds: int) -> list[Spent]:
    """The least seconds of every side over the rounds; the order alternates from round to round."""
    taken: list[list[Spent]] = [[] for _ in sides]
    for number in range(rounds):
        order = range(len(sides)) if number % 2 == 0 else reversed(range(len(sides)))
        for index in order:
            taken[index].append(sides[index].run())
    return [Spent(min(one.clock for one in each), min(one.processor for one in each)) for each in taken]


def children() -> float:
    """Seconds of the processor that ended child processes have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process(
    *commands: Sequence[str],
    stdin: bytes = b"",
    expect: bytes | None = None,
    cache: Path | None = None,
    emptied: bool = False,
) -> Callable[[], Spent]:
    """Runs commands one after the other, the input going to the last; the answers must be as expected.

    `cache` is the folder of gamespec's cache, none without it; `emptied` removes it before each run.
    """
    environment = ENVIRONMENT if cache is None else {**ENVIRONMENT, "GAMESPEC_CACHE": str(cache)}

    def run() -> Spent:
        if emptied and cache is not None:
            shutil.rmtree(cache, ignore_errors=True)
        before = children()
        start = time.perf_counter()
        for command in commands[:-1]:
            subprocess.run(
                command, check=True, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
        done = subprocess.run(commands[-1], check=True, cwd=ROOT, env=environment, input=stdin, capture_output=True)
        spent = Spent(time.perf_counter() - start, children() - before)
        if expect is not None and done.stdout.split() != expect.split():
            raise SystemExit(f"{' '.join(commands[-1])} answers otherwise")
        return spent

    return run


def compiled(name: str, folder: Path) -> str:
    """Compiles one of the C++ programs and returns the path of the program."""
    program = folder / name
    subprocess.run(compile_command(name, program), check=True)
    return str(program)


def compile_command(name: str, program: Path) -> list[str]:
    return ["g++", "-O2", "-o", str(program), str(HERE / f"{name}.cpp")]


def table(title: str, sides: Sequence[Side], least: Sequence[Spent]) -> None:
    """Prints the least times, and each as a ratio to the first."""
    print(f"\n{title:<50} {'clock':>13} {'ratio':>8} {'processor':>13} {'ratio':>8}")
    first = least[0]
    for side, spent in zip(sides, least, strict=True):
        ratios = spent.clock / first.clock, spent.processor / max(first.processor, 1e-3)
        clock, processor = spent.clock * 1000, spent.processor * 1000
        print(f"  {side.name:<48} {clock:10.1f} ms {ratios[0]:8.2f} {processor:10.1f} ms {ratios[1]:8.2f}")
