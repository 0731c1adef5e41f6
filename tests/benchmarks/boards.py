"""Boards: every position that play reaches, or the value of the start, each in a process of its own.

`python -m tests.benchmarks.boards NUMBER THREADS` runs one of `BOARDS` and prints what it took as JSON.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gamespec.game.model import DRAWN, LOST, WON
from tests.benchmarks.measure import ENVIRONMENT, GAMESPEC, ROOT, Side, compiled, paired, process, table
from tests.census import census


class Board(NamedTuple):
    """One row: what to solve, what must come out, and the mark, seconds that a good solver of this game needs.

    The marks were set by what other tools needed on two cores of the same kind (`by`), most of them with hundreds of
    lines of C for the game; none where those do not say.
    """

    title: str
    spec: str
    options: Mapping[str, Any]
    outcome: int
    positions: int | None  # None where a search may leave out some
    mark: float | None
    by: str
    long: bool = False


THREADS = 2
EVERY = {"symmetry": False}  # no position stands for its reflections
MEMO = {**EVERY, "strategy": "memo"}
START = {"distance": False, "counted": False}

BOARDS = [
    Board("connect-4 4×4, all", "connect_four", MEMO, DRAWN, 161_029, 0.3, "GAMESMAN Classic 1.6"),
    Board(
        "connect-4 5 wide × 4, all", "connect_four", {**MEMO, "params": {"wide": 5}}, DRAWN, 3_945_711, 2, "BDD 13.7"
    ),
    Board(
        "connect-4 5×5, start",
        "connect_four",
        {**START, "params": {"wide": 5, "high": 5}},
        DRAWN,
        None,
        0.36,
        "Pons 0.18",
    ),
    Board("Quixo 3×3, all", "quixo", EVERY, WON, 32_027, None, ""),
    Board("Hexapawn 3×6, all", "hexapawn", {**MEMO, "params": {"wide": 6}}, LOST, 64_074, 0.5, "GAMESMAN Classic 36"),
    Board("Clobber 3×6, all", "clobber", MEMO, LOST, 3_492_126, 3, "GamesmanPy 203"),
    Board("Dodgem 3×3, all", "dodgem", EVERY, WON, 1963, None, "GAMESMAN Classic < 0.02"),
    Board("Mū Tōrere, all", "mu_torere", EVERY, DRAWN, 1180, None, "GAMESMAN Classic < 0.02"),
    Board("Pong Hau K'i, all", "pong_hau_ki", EVERY, DRAWN, 56, None, "GAMESMAN Classic < 0.02"),
    Board(
        "Quixo 4×4, up to symmetry", "quixo", {"params": {"top": 4}}, WON, None, 35, "GamesmanOne 34.7, 2 threads", True
    ),
    Board(
        "Teeko, up to symmetry",
        "teeko",
        {"params": {"top": 5, "stones": 4}},
        DRAWN,
        None,
        150,
        "GamesmanOne 1028, 9.9 GB",
        True,
    ),
    Board(
        "connect-4 6×6, start",
        "connect_four",
        {**START, "strategy": "memo", "params": {"wide": 6, "high": 6}},
        LOST,
        None,
        45,
        "Pons 22.6",
        True,
    ),
    Board(
        "connect-4 5×5, all up to symmetry",
        "connect_four",
        {"strategy": "memo", "params": {"wide": 5, "high": 5}, "counted": False},
        DRAWN,
        None,
        30,
        "BDD 84.5",
        True,
    ),
]


def boards(folder: Path, rounds: int, long: bool = False) -> None:
    """Prints a row for each board, then some of them beside hand-written C++."""
    print("\nboards; seconds on the clock: the whole process, and of it from file to plan, compiling, solving; with")
    print(f"{THREADS} threads and solving with one, in turn")
    print(
        f"  {'':<34} {'process':>8} {'plan':>6} {'compile':>7} {'solve':>8} {'alone':>8} {'gain':>5} {'mark':>6}"
        f" {'ratio':>6} {'positions':>11} {'a second':>11} {'bytes':>6} {'peak':>8}"
    )
    for number, board in enumerate(BOARDS):
        if board.long == long:
            runs = [[_run(number, threads) for threads in (THREADS, 1)] for _ in range(1 if long else rounds)]
            several, alone = (min(each, key=lambda run: run["process"]) for each in zip(*runs, strict=True))
            _row(board, several, alone["solving"])
    if not long:
        _beside_cpp(folder, rounds)
        _kept(folder, rounds)


def _row(board: Board, run: dict[str, Any], alone: float) -> None:
    speed, each = run["positions"] / max(run["solving"], 1e-4), run["peak"] / run["positions"]
    mark = "–" if board.mark is None else f"{board.mark:.2f}"
    ratio = "–" if board.mark is None else f"{run['process'] / board.mark:.2f}"
    stages = f"{run['planning']:6.2f} {run['compiling']:7.2f} {run['solving']:8.3f} {alone:8.3f}"
    gain = f"{alone / run['solving']:5.2f}"
    print(
        f"  {board.title:<34} {run['process']:8.2f} {stages} {gain}"
        f" {mark:>6} {ratio:>6} {run['positions']:11,} {speed:11,.0f} {each:6.0f}"
        f" {run['resident'] >> 20:5} MB  {board.by}",
        flush=True,
    )


def _run(number: int, threads: int) -> dict[str, Any]:
    """Runs one board in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.boards", str(number), str(threads)]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=ENVIRONMENT)
    found: dict[str, Any] = json.loads(done.stdout)
    return {**found, "process": time.perf_counter() - start}


def _beside_cpp(folder: Path, rounds: int) -> None:
    """The whole process of both, and the same counts from both."""
    for title, program, args, number in (
        ("connect-4 4×4, all positions", "connect_four", ["4", "4"], 0),
        ("connect-4 5 wide × 4, all positions", "connect_four", ["5", "4"], 1),
        ("Quixo 3×3, all positions", "quixo", [], 3),
    ):
        path = compiled(program, folder)
        ours = [sys.executable, "-m", "tests.benchmarks.boards", str(number), "1"]
        sides = [Side(f"C++ {program}.cpp", process([path, *args])), Side("gamespec", process(ours))]
        table(title, sides, paired(sides, rounds))


def _kept(folder: Path, rounds: int) -> None:
    """The command as a user types it, cold and from what an earlier run kept."""
    for title, args in (
        ("connect-4 4×4, outcome of the start", ["specs/connect_four.game"]),
        ("connect-4 5×5, outcome of the start", ["specs/connect_four.game", "-D", "wide=5", "-D", "high=5"]),
        ("Hexapawn 3×6, distance of the start", ["specs/hexapawn.game", "-D", "wide=6"]),
        ("Dodgem 3×3, distance of the start", ["specs/dodgem.game"]),
    ):
        command, cache = [*GAMESPEC, "solve", *args], folder / "kept"
        cold = process(command, cache=folder / "emptied", emptied=True)
        again = process(command, cache=cache)
        again()
        sides = [Side("gamespec, cold", cold), Side("gamespec, from what was kept", again)]
        table(title, sides, paired(sides, rounds))


def measured(board: Board, threads: int) -> dict[str, Any]:
    """Solves a board and checks the answer."""
    found = census(board.spec, **{"counted": False, **board.options}, threads=threads)
    if found.outcome != board.outcome or board.positions not in (None, found.positions):
        raise SystemExit(f"{board.title}: outcome {found.outcome}, {found.positions:,} positions")
    return {
        "planning": found.planning,
        "compiling": found.compiling,
        "solving": found.solving,
        "positions": found.positions,
        "peak": found.peak,
        "resident": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10,
    }


if __name__ == "__main__":
    print(json.dumps(measured(BOARDS[int(sys.argv[1])], int(sys.argv[2]))))
