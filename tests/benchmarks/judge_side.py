"""Times reading, answering and printing 10^6 cases with a solver that does nothing.

`python -m tests.benchmarks.judge_side` prints CPU seconds, the best of three, and the peak memory of the process;
nothing fails on time.
"""

from __future__ import annotations

import io
import random
import resource
import time
from collections.abc import Sequence
from typing import Any

import gamespec
from gamespec.answers.ask import Option
from gamespec.budget import Budget
from gamespec.run.solve import solve
from tests.tool import spec

CASES = 10**6


class Nothing:
    """Says that every position is lost."""

    def values(self, givens: Sequence[Any], states: Sequence[Any]) -> Sequence[int]:
        return bytes(len(states[0]))

    def options(self, givens: Sequence[Any], state: Sequence[Any]) -> list[Option]:
        return []


def inputs() -> dict[str, str]:
    """For each spec an input: one number a case, two, rows of boxes, sets, arrays with a `require`."""
    choose = random.Random(1)
    numbers = [choose.randint(1, 10**6) for _ in range(CASES)]
    boxes = (
        f"50 {' '.join(f'{choose.randint(5000, 10**6)} {choose.randint(0, 5000)}' for _ in range(50))}"
        for _ in range(4000)
    )
    return {
        "cow_digit": "\n".join(map(str, [CASES, *numbers])),
        "power_cards": "\n".join(str(number % 1000 + 1) for number in numbers),
        "euclid": "\n".join(f"{number} {number % 997 + 1}" for number in numbers) + "\n0 0\n",
        "stone_game": "\n".join(boxes) + "\n0\n",
        "number_game": "4 2 5 7 9\n" * (CASES // 10) + "0\n",
        "misere_nim": f"{CASES // 10}\n" + "3 1 2 3\n" * (CASES // 10),
        "silver_coins": f"{CASES // 100}\n" + "3 1 2 5\n" * (CASES // 100),
    }


def main() -> None:
    for name, text in inputs().items():
        game = gamespec.load(str(spec(name)))
        data = text.encode()
        seconds = []
        for _ in range(3):
            out = io.BytesIO()
            start = time.process_time()
            solve(game, Nothing(), io.BytesIO(data), out, Budget())
            seconds.append(time.process_time() - start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        words = len(text.split())
        each = 1e9 * min(seconds) / words
        print(f"{name:14} {words:>9,} words {min(seconds):6.2f} s {each:6.0f} ns a word, peak {peak} MB")


if __name__ == "__main__":
    main()
