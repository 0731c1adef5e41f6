"""Sums whose components have no values that add up: misère Kayles, searched."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.benchmarks.measure import GAMESPEC, Side, compiled, paired, process, table

SPEC = """\
game misere_kayles
sum
state row: 0..60
move one choose left in 0..row - 1 into (left), (row - 1 - left)
move two choose left in 0..row - 2 into (left), (row - 2 - left)
winner stuck player
input cases until eof read rows, [row] * rows
output win "won" lose "lost"
"""

CASES = {
    "each row up to 40": "\n".join(f"1 {row}" for row in range(1, 41)),
    "a row of 60": "1 60",
    "rows of 11 to 15": "5 11 12 13 14 15",
    "five rows of 15": "5 15 15 15 15 15",
}


def sums(folder: Path, rounds: int) -> None:
    """Whole processes; the kernels are kept from the first round on."""
    program = compiled("misere_kayles", folder)
    spec = folder / "misere_kayles.game"
    spec.write_text(SPEC)
    for name, cases in CASES.items():
        stdin = f"{cases}\n".encode()
        expect = subprocess.run([program], input=stdin, capture_output=True, check=True).stdout
        ours = [*GAMESPEC, "solve", str(spec)]
        sides = [
            Side("C++ recursion, hash table, as one writes it", process([program], stdin=stdin, expect=expect)),
            Side("gamespec solve, warm", process(ours, stdin=stdin, expect=expect, cache=folder / "sums")),
        ]
        table(f"misère Kayles, {name}", sides, paired(sides, rounds))
