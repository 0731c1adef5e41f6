"""Tables filled by our kernels and by hand-written C++, each in a process of its own that times itself.

The kernel's object code is linked with a small driver that has its arguments; every run has fresh memory. With
`instructions`, callgrind counts those of one run of each (if it is installed).
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from gamespec.analysis.facts import analyse
from gamespec.analysis.passes import BLOCKS, PACKED, PUSH, SIEVE
from gamespec.answers.table import needed
from gamespec.backends.llvm import emit_object
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.file import open_source
from gamespec.game.check import check
from gamespec.game.model import Value
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer
from gamespec.plan.choose import choose
from gamespec.plan.demand import OnDemand
from gamespec.plan.table.strategy import NAME, Filled, TableSolver
from gamespec.syntax.read import read
from tests.benchmarks.measure import ROOT, compiled

RUNS = 5
FORMS = (PACKED, BLOCKS, SIEVE, PUSH)  # what a table may do beyond one cell and one look each


class Fill(NamedTuple):
    """One table: the spec, what becomes of its limit, and the ways of fills.cpp, the best last.

    `fields` numbers up to `top` make a position; 0: a set of 2..`top` does.
    """

    spec: str
    limit: tuple[str, str]
    fields: int
    top: int
    ways: tuple[str, ...]

    def positions(self, top: int) -> int:
        return (top + 1) ** self.fields if self.fields else 1 << (top - 1)

    def last(self, top: int) -> list[list[Value]]:
        """The columns of the last position."""
        return [[top]] * self.fields if self.fields else [[frozenset(range(2, top + 1))]]


FILLS = {
    "cow_digit": Fill(
        "cow_digit.yaml",
        ("0..1_000_000", "0..N"),
        1,
        1_000_000,
        ("cow_document", "cow_carried", "cow_window", "cow_blocks"),
    ),
    "mark": Fill("mark.game", ("0..1_000_000", "0..N"), 1, 1_000_000, ("mark",)),
    "squares": Fill(
        "subtract_a_square.yaml", ("0..100_000", "0..N"), 1, 1_000_000, ("squares_pulled", "squares_marked")
    ),
    "divisors": Fill("divisor_game.yaml", ("1..1000", "1..N"), 1, 80_000, ("divisors_tried", "divisors_sieved")),
    "number_game": Fill("number_game.yaml", ("top: 20", "top: N"), 0, 20, ("numbers",)),
    "wythoff": Fill("wythoff.game", ("0..200", "0..N"), 2, 500, ("wythoff",)),
}


def fills(folder: Path, rounds: int, instructions: bool = False) -> None:
    """A table for each game: nanoseconds a position, and the ratio to the first line."""
    program = compiled("fills", folder)
    for name, fill in FILLS.items():
        cells = fill.positions(fill.top)
        commands = {
            "gamespec": driver(folder, f"{name}_all", fill, fill.top, ()),
            "gamespec, one cell and one look each": driver(folder, f"{name}_plain", fill, fill.top, FORMS),
        }
        commands |= {f"C++ {way}": [program, way, str(fill.top)] for way in fill.ways}
        least = {title: min(_times(command)) for title, command in commands.items()}
        for _ in range(rounds - 1):
            least = {title: min(best, *_times(commands[title])) for title, best in least.items()}
        print(f"\n{name}, a table of {cells:,} positions, memory included")
        first = next(iter(least.values()))
        for title, nanoseconds in least.items():
            counted = f"{_instructions(commands[title]) / cells:12.1f} instructions each" if instructions else ""
            print(f"  {title:<40} {nanoseconds / 1e6:9.3f} ms {nanoseconds / first:8.2f} {counted}")


def scaling(folder: Path, rounds: int) -> None:
    """Each table at doubling limits: time, time a position, and memory a position."""
    print("\nscaling of tables: the work doubled three times")
    for name, fill in FILLS.items():
        for step in range(4):
            top = round(fill.top / 4 * 2 ** (step / fill.fields)) if fill.fields else fill.top - 2 + step
            command = driver(folder, f"{name}_{step}", fill, top, ())
            least = min(min(_times(command)) for _ in range(rounds))
            cells = fill.positions(top)
            size = _solver(fill, top, ()).table.cells.size(cells)
            print(
                f"  {name:<12} {cells:>12,} positions {least / 1e6:9.3f} ms {least / cells:8.2f} ns {size:>12,} bytes"
            )


def _times(command: list[str]) -> list[int]:
    done = subprocess.run([*command, str(RUNS)], check=True, capture_output=True)
    return list(map(int, done.stdout.split()))


def _instructions(command: list[str]) -> float:
    """Those of one run: the difference between two runs and one."""
    if shutil.which("valgrind") is None:
        return float("nan")
    counts = []
    for runs in ("1", "2"):
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        done = subprocess.run([*tool, *command, runs], check=True, capture_output=True, text=True)
        (count,) = re.findall(r"Collected : (\d+)", done.stderr)
        counts.append(int(count))
    return counts[1] - counts[0]


# --- our kernel as a program ---------------------------------------------------------------------------------


def _solver(fill: Fill, top: int, disabled: tuple[str, ...]) -> TableSolver:
    source = open_source(str(ROOT / "specs" / fill.spec))
    source = type(source)(
        source.path, source.text.replace(fill.limit[0], fill.limit[1].replace("N", str(top))), source.spelling
    )
    game = check(read(source), source, {})
    facts, budget = analyse(game, disabled), Budget(threads=1)
    plan = choose(game, facts, needed(game), "table", budget)
    return TableSolver(game, facts, plan, OnDemand(plan.functions, compile), budget)


def driver(folder: Path, name: str, fill: Fill, top: int, disabled: tuple[str, ...]) -> list[str]:
    """A program that calls the filling kernel with memory of its own, as often as its argument says."""
    solver = _solver(fill, top, disabled)
    function = solver.plan.functions[f"{NAME}.fill"]
    box = solver.table.box(fill.last(top), ())
    filled = Filled(box, solver._allocate(box))
    args = solver._args((), filled, 0)
    last = box.sizes[-1] - 1
    args += [0, 0, 0, last] if len(box.sizes) == 1 else [0, box.cells // box.sizes[-1] - 1, 0, last]
    (folder / f"{name}.o").write_bytes(emit_object([function]))
    (folder / f"{name}.c").write_text(_driver(function, args))
    program = str(folder / name)
    subprocess.run(["gcc", "-O2", "-o", program, f"{program}.c", f"{program}.o"], check=True)
    return [program]


def _driver(function: ir.Function, args: list[Any]) -> str:
    kinds, values, setup, cleanup, data = [], [], [], [], []
    for place, (param, arg) in enumerate(zip(function.params, args, strict=True)):
        if not isinstance(arg, Buffer):
            kinds.append("int64_t")
            values.append(str(arg))
            continue
        kinds += ["void *", "int64_t"]
        values += [f"t{place}", str(arg.length)]
        setup.append(f"void *t{place} = calloc({arg.size + 64}, 1);")
        cleanup.append(f"free(t{place});")
        if param.name == "steps":  # the one table that is not made by kernels
            data.append(f"static const uint64_t d{place}[] = {{{','.join(map(str, arg.to_list()))}}};")
            setup.append(f"memcpy(t{place}, d{place}, sizeof d{place});")
    return f"""\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
extern int64_t fill({", ".join(kinds)}) __asm__("kernel.{function.name.replace(".", "_")}");
{chr(10).join(data)}
static int64_t now(void) {{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}}
int main(int argc, char **argv) {{
    for (int run = atoi(argv[1]); run; run--) {{
        int64_t start = now();
        {" ".join(setup)}
        if (fill({", ".join(values)}) < 0) return 1;
        {" ".join(cleanup)}
        printf("%lld ", (long long)(now() - start));
    }}
    return 0;
}}
"""
