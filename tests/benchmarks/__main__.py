"""Benchmarks against hand-written C++, in the same run: `python -m tests.benchmarks [NAME …] [--rounds N]`.

Each table shows the least time of at least nine rounds, and its ratio to the first line. Nothing passes or fails.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.boards import boards
from tests.benchmarks.fills import fills, scaling
from tests.benchmarks.heaps import heaps
from tests.benchmarks.measure import GAMESPEC, Side, compile_command, compiled, paired, process, table
from tests.benchmarks.passes import passes
from tests.benchmarks.startup import startup
from tests.benchmarks.sums import sums


def answers(command: list[str], stdin: bytes) -> bytes:
    return subprocess.run(command, input=stdin, capture_output=True, check=True).stdout


def cow_cold(folder: Path, rounds: int) -> None:
    """A question, from nothing to the answer: compile and run the document's program, or run the tool.

    Cold, gamespec has seen nothing and keeps what it finds out; warm, an earlier run has kept it.
    """
    stdin = b"3\n9\n10\n1000000\n"
    program = folder / "cow_digit"
    cpp = [compile_command("cow_digit", program), [str(program)]]
    ours = [*GAMESPEC, "solve", "specs/cow_digit.yaml"]
    expect = b"YES NO NO"
    sides = [
        Side("g++ -O2 and run the document's program", process(*cpp, stdin=stdin, expect=expect)),
        Side("gamespec solve, nothing kept", process(ours, stdin=stdin, expect=expect)),
        Side("gamespec solve, cold", process(ours, stdin=stdin, expect=expect, cache=folder / "cold", emptied=True)),
        Side("gamespec solve, warm", process(ours, stdin=stdin, expect=expect, cache=folder / "warm")),
    ]
    table("cow_digit, from a question to its answer", sides, paired(sides, rounds))


def number_game(folder: Path, rounds: int, top: int) -> None:
    program = compiled("number_game", folder)
    opening = f"{top - 1} {' '.join(map(str, range(2, top + 1)))}\n0\n".encode()
    moves = answers([program, str(top)], b"")
    ours = [*GAMESPEC, "solve", "specs/number_game.yaml", "-D", f"top={top}"]
    expect = b"Test Case #1 The winning moves are: " + moves
    sides = [
        Side("C++ recursion, hash table, ascending", process([program, str(top)], expect=moves)),
        Side(f"gamespec solve -D top={top}", process(ours, stdin=opening, expect=expect)),
    ]
    table(f"number_game, winning moves of {{2..{top}}}, whole process", sides, paired(sides, rounds))


def tokens(folder: Path, rounds: int) -> None:
    rng = random.Random(1)
    stdin = "".join(f"{rng.randint(1, 1000)}\n" for _ in range(1_000_000)).encode()
    program = compiled("tokens", folder)
    expect = answers([program], stdin)
    ours = [*GAMESPEC, "solve", "specs/power_cards.yaml"]
    sides = [
        Side("C++ scanf and printf", process([program], stdin=stdin, expect=expect)),
        Side("gamespec solve, nothing kept", process(ours, stdin=stdin, expect=expect)),
        Side("gamespec solve, warm", process(ours, stdin=stdin, expect=expect, cache=folder / "warm")),
    ]
    table("power_cards, 1,000,000 cases of one number, whole process", sides, paired(sides, rounds))


def stone_game(folder: Path, rounds: int, top: int = 1_000_000) -> None:
    """400 cases; by the rules, box after box, only where boxes are small."""
    rng = random.Random(2)
    rows = []
    for _ in range(400):
        sizes = [rng.randint(0, top) for _ in range(50)]
        rows.append("50 " + " ".join(f"{size} {rng.randint(0, size)}" for size in sizes) + "\n")
    stdin = ("".join(rows) + "0\n").encode()
    program = compiled("stone_game", folder)
    expect = answers([program], stdin)
    ours = [*GAMESPEC, "solve", "specs/stone_game.yaml"]
    sides = [
        Side("C++ by the theorem", process([program], stdin=stdin, expect=expect)),
        Side("gamespec solve, nothing kept", process(ours, stdin=stdin, expect=expect)),
        Side("gamespec solve, warm", process(ours, stdin=stdin, expect=expect, cache=folder / "warm")),
    ]
    if top <= SMALL_BOXES:
        rules = compiled("stone_table", folder)
        sides.append(Side("C++ by the rules, a table a box", process([rules], stdin=stdin, expect=expect)))
    table(f"stone_game, 400 cases of 50 boxes up to {top:,}, whole process", sides, paired(sides, rounds))


SMALL_BOXES = 300

BENCHMARKS: dict[str, Callable[[Path, int], None]] = {
    "fills": fills,
    "fills_counted": lambda folder, rounds: fills(folder, rounds, instructions=True),
    "scaling": scaling,
    "cow_cold": cow_cold,
    "startup": startup,
    "number_game_40": lambda folder, rounds: number_game(folder, rounds, 40),
    "number_game_44": lambda folder, rounds: number_game(folder, rounds, 44),
    "tokens": tokens,
    "stone_game_small": lambda folder, rounds: stone_game(folder, rounds, SMALL_BOXES),
    "stone_game": stone_game,
    "sums": sums,
    "heaps": heaps,
    "heaps_long": lambda folder, rounds: heaps(folder, rounds, long=True),
    "passes": passes,
    "boards": boards,
    "boards_long": lambda folder, rounds: boards(folder, rounds, long=True),
}


ON_DEMAND = ("fills_counted", "passes", "boards_long")  # minutes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {' '.join(BENCHMARKS)}")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    unknown = set(args.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark {' '.join(sorted(unknown))}; there are {' '.join(BENCHMARKS)}")
    print(f"least of {args.rounds} rounds, alternating; Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or [name for name in BENCHMARKS if name not in ON_DEMAND]:
            BENCHMARKS[name](Path(folder), args.rounds)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
