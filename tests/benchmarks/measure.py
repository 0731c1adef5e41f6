"""Paired measurements: the things to compare run in turn, and the least time of each counts."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
GAMESPEC = [sys.executable, "-m", "gamespec"]


class Side(NamedTuple):
    """One thing to compare; `run` does it once and returns the seconds it took."""

    name: str
    run: Callable[[], float]


def paired(sides: Sequence[Side], rounds: int) -> list[float]:
    """The least seconds of every side over the rounds; the order alternates from round to round."""
    least = [float("inf")] * len(sides)
    for number in range(rounds):
        order = range(len(sides)) if number % 2 == 0 else reversed(range(len(sides)))
        for index in order:
            least[index] = min(least[index], sides[index].run())
    return least


def process(*commands: Sequence[str], stdin: bytes = b"", expect: bytes | None = None) -> Callable[[], float]:
    """Runs commands one after the other, the input going to the last; the answers must be as expected."""

    def run() -> float:
        start = time.perf_counter()
        for command in commands[:-1]:
            subprocess.run(command, check=True, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        done = subprocess.run(commands[-1], check=True, cwd=ROOT, input=stdin, capture_output=True)
        seconds = time.perf_counter() - start
        if expect is not None and done.stdout.split() != expect.split():
            raise SystemExit(f"{' '.join(commands[-1])} answers otherwise")
        return seconds

    return run


def compiled(name: str, folder: Path) -> str:
    """Compiles one of the C++ programs and returns the path of the program."""
    program = folder / name
    subprocess.run(compile_command(name, program), check=True)
    return str(program)


def compile_command(name: str, program: Path) -> list[str]:
    return ["g++", "-O2", "-o", str(program), str(HERE / f"{name}.cpp")]


def table(title: str, sides: Sequence[Side], least: Sequence[float]) -> None:
    """Prints the least times, and each as a ratio to the first."""
    print(f"\n{title}")
    for side, seconds in zip(sides, least, strict=True):
        print(f"  {side.name:<48} {seconds * 1000:10.2f} ms {seconds / least[0]:8.2f}")
