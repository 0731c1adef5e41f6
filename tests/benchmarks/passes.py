"""What each pass saves: instructions and bytes of answering with it and without it, kernels kept from a first run.

`python -m tests.benchmarks passes` needs valgrind, and gcc for a few calls that tell callgrind when to count. All
answers are worked out in one process: the interpreter's start, planning and compiling are not counted. `kernels` are
the instructions of machine code that gamespec made, `all` also those of the solver around it, and of what it looks for
in the rules when it begins.
"""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.passes import OPTIMISER, PASSES
from gamespec.answers.ask import Ask, interacts
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game
from gamespec.plan.choose import choose
from gamespec.plan.plan import WholeSolver
from gamespec.run.kept import Program
from gamespec.run.store import Store, digest
from gamespec.source import Source
from tests.benchmarks.measure import ENVIRONMENT, ROOT
from tests.census import Peak

LEAST = 0.03  # of the instructions, or bytes, somewhere: a pass that saves less has to go

Asked = tuple[list[Sequence[Any]], list[Sequence[Any]]]  # columns of the data, columns of positions


class Case(NamedTuple):
    """What is asked of a spec (of `specs/`, or a text), and the passes that it is asked without, one at a time."""

    spec: str
    asked: Callable[[Game], Asked]
    passes: str
    plan: str | None = None
    ask: Ask = Ask()
    params: Mapping[str, object] = {}


def number(*numbers: int) -> Callable[[Game], Asked]:
    """Positions of one number."""
    return lambda game: ([], [list(numbers)])


def start(game: Game) -> Asked:
    """The position with which play begins."""
    return [], [[value] for value in Evaluator(game).start({})]


def rows(*positions: tuple[object, ...], givens: tuple[object, ...] = ()) -> Callable[[Game], Asked]:
    """Some positions, or the components of a sum, under the same data."""
    return lambda game: ([[value] * len(positions) for value in givens], list(map(list, zip(*positions, strict=True))))


def strings(game: Game) -> Asked:
    """Four strings of hackenbush."""
    edges = ["LRLRRLLR", "RLL", "LRR", "RLRLLRRL"]
    given = [tuple("LR".index(edge) for edge in (string + "L" * 40)[:40]) for string in edges]
    return [given], [list(map(len, edges)), [0] * len(edges)]


COW = """game cow given more: 0..9 state n: 0..10**6 let ds = digits(n) - {0}
move take choose d in {min(ds), max(ds)} when n > more do n -= d"""
FAR = """game far state n: 0..10**7 let ds = digits(n) - {0}
move take choose d in {min(ds), max(ds)} when n > 0 do n -= d"""
HALVES = """game halves state n: 0..10**7
move less choose k in 1..2 when k <= n do n -= k move half when n > 1 do n = n / 2"""
LAST = """game last state n: 0..10**7 state last: 0..5
move take choose k in 1..5 when k != last and k <= n do n -= k, last = k"""
CHASE = """game chase players cat, mouse state c, m: 0..199 start m = 100
move prowl by cat choose k in {1, 199} do c = (c + k) % 200
move run by mouse choose k in {0, 3, 197} do m = (m + k) % 200
terminal cat wins when c == m
terminal mouse wins when m == 5 and c != 4
endless draw"""
KAYLES = """game kayles sum state row: 0..60
move one choose left in 0..row - 1 into (left), (row - 1 - left)
move two choose left in 0..row - 2 into (left), (row - 2 - left)
winner stuck player"""
TAKE = """game take sum given take: set of 1..5 state n: 0..40
move remove choose k in take when k <= n do n -= k
winner stuck player"""
ROW = """game row state heap: array[1..4] of 0..15
move take choose i in 1..4, k in 1..min(heap[i], 3) do heap[i] -= k"""
SKITTLES = """game skittles state up: array[1..16] of bool
move one choose i in 1..16 when up[i] do up[i] = false
move two choose i in 1..15 when up[i] and up[i + 1] do up[i] = false, up[i + 1] = false"""
CIRCLE = """game circle sum state n: 0..1000 state whole: bool
move open choose k in 1..min(n, 2) when whole into (n - k, false)
move take choose k in 1..2, a in 0..n - k when not whole into (a, false), (n - k - a, false)"""
WINDOWS = "game windows state n: 0..10**5 move take choose k in n / 3..n / 2 when k > 0 do n -= k"
UNEQUAL = "game unequal sum state n: 0..10**6 move split choose a in 1..(n - 1) / 2 into (a), (n - a)"
LEFT = """game left given n: 1..300 given v: array[1..n] of 0..9 state lo: 1..n + 1 state hi: 0..n require lo <= hi + 1
move first when lo <= hi do lo += 1 gain sum(v[i] for i in lo + 1..hi)
move last when lo <= hi do hi -= 1 gain sum(v[i] for i in lo..hi - 1)
winner highest score"""
CASES = {
    "cow_digit, table of 10^6": Case("cow_digit.yaml", number(10**6), "blocks digits packed optimiser", "table"),
    "cow_digit with data, 10^6": Case(COW, rows((10**6,), givens=(2,)), "digits packed optimiser", "table"),
    "not the last, 10^7": Case(LAST, rows((10**7, 0)), "columns", "columns"),
    "halves, 10^7": Case(HALVES, number(10**7), "automatic", "automatic"),
    "subtraction of digits, 10^7": Case(FAR, number(10**7), "automaton", "automaton"),
    "mark, 10^6": Case("mark.game", number(10**6), "packed optimiser"),
    "subtract_a_square, 10^5": Case("subtract_a_square.yaml", number(10**5), "push"),
    "windows, 10^5": Case(WINDOWS, number(10**5), "slide", ask=Ask(grundy=True)),
    "divisor_game, 1000": Case("divisor_game.yaml", number(1000), "sieve", ask=Ask(grundy=True)),
    "number_game, 2..16": Case("number_game.yaml", rows((frozenset(range(2, 17)),)), "optimiser", params={"top": 16}),
    "bash, 10^5": Case("bash.game", rows((10**5,), givens=(20,)), "closed"),
    "kayles, 1000": Case("kayles.yaml", number(1000), "heap", ask=Ask(grundy=True)),
    "Grundy's game, 10^4": Case(UNEQUAL, number(10**4), "heap sparse", ask=Ask(grundy=True)),
    "wythoff": Case("wythoff.game", rows((180, 190)), "theorem"),
    "coins in a circle": Case(CIRCLE, rows((200, True)), "phase", ask=Ask(grundy=True)),
    "row of heaps": Case(ROW, rows(((15, 14, 13, 12),)), "entries", ask=Ask(grundy=True)),
    "what is left of a row": Case(
        LEFT, rows((1, 300), givens=(300, tuple(i * i % 7 for i in range(300)))), "stretches", "table", Ask(score=True)
    ),
    "row of skittles": Case(SKITTLES, rows(((True,) * 16,)), "split", "memo"),
    "misère Kayles, 4 × 12": Case(KAYLES, rows(*[(12,)] * 4), "settled"),
    "misère subtraction": Case(TAKE, rows(*[(20,), (31,), (40,), (7,)], givens=(frozenset({1, 3, 4}),)), "tame heap"),
    "hackenbush": Case("hackenbush.game", strings, "settled"),
    "connect-4 4×3, start": Case("connect_four.game", start, "ends symmetry lines sweep", "memo", params={"high": 3}),
    "connect-4 4×3, distances": Case(
        "connect_four.game", start, "ends symmetry lines sweep", "memo", Ask(distance=True), {"high": 3}
    ),
    "tic_tac_toe, start": Case("tic_tac_toe.game", start, "first ends symmetry lines sweep optimiser", "memo"),
    "clobber 3×4": Case("clobber.game", start, "symmetry sweep lines", "memo", params={"wide": 4, "high": 3}),
    "three men's morris": Case(
        "three_mens_morris.game", start, "symmetry swap inverse lines sweep", ask=Ask(distance=True)
    ),
    "chase": Case(CHASE, start, "survey inverse optimiser", ask=Ask(distance=True)),
    "mu_torere": Case("mu_torere.game", start, "symmetry swap inverse sweep", ask=Ask(distance=True)),
    "quixo 3×3": Case("quixo.game", start, "symmetry swap inverse survey lines sweep", ask=Ask(distance=True)),
}


class Cost(NamedTuple):
    """Instructions in kernels, instructions in all, and the most bytes that tables took at a time."""

    kernels: int
    all: int
    peak: int


# --- one process that answers --------------------------------------------------------------------------------

CALLS = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void end(const char *name) { CALLGRIND_DUMP_STATS_AT(name); CALLGRIND_STOP_INSTRUMENTATION; }
"""


def runs() -> dict[str, tuple[Case, tuple[str, ...]]]:
    """Every case with all passes, and without each of those that it names."""
    found: dict[str, tuple[Case, tuple[str, ...]]] = {}
    for title, case in CASES.items():
        found[title] = (case, ())
        found |= {f"{title} without {name}": (case, (name,)) for name in case.passes.split()}
    return found


def program(title: str, folder: Path) -> Program:
    """The program of a run, kept in a folder or made now."""
    case, without = runs()[title]

    def compiled(functions: Sequence[Any]) -> Any:
        return compile(functions, optimised=OPTIMISER not in without)

    inline = case.spec.startswith("game ")
    path = ROOT / "specs" / case.spec
    text = case.spec if inline else path.read_text()
    source = Source(title, text, "yaml" if path.suffix == ".yaml" and not inline else "text")
    body = Store(str(folder)).get(digest(title.encode()))
    if body is not None:
        return Program.kept(body, source, compiled)
    game = gamespec.loads(text) if inline else gamespec.load(str(path), case.params)
    facts = analyse(game, without)
    # A strategy that is left out cannot be wished for.
    plan = choose(game, facts, case.ask, None if case.plan in without else case.plan)
    return Program.made(game, facts, plan, compiled)


def answers(made: Program, asked: Asked, budget: Budget) -> list[int]:
    """The values of positions, or the one of a sum whose components interact."""
    solver = made.solver(budget)
    if interacts(made.game):
        return list(cast(WholeSolver, solver).sums(*asked, [len(asked[1][0])]))
    return list(solver.values(*asked))


def count(folder: Path) -> None:
    """Answers all runs whose kernels are kept in a folder, each counted; prints values and bytes as JSON."""
    calls = ctypes.CDLL(str(folder / "calls.so"))
    found = {}
    for title, (case, _) in runs().items():
        made, budget = program(title, folder), Peak(threads=1)
        asked = case.asked(made.game)
        calls.begin()
        values = answers(made, asked, budget)
        calls.end(title.encode())
        found[title] = values, budget.peak
    print(json.dumps(found))


def costs(folder: Path) -> dict[str, Cost]:
    """What every run costs. Raises SystemExit where a pass changes an answer."""
    (folder / "calls.c").write_text(CALLS)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", folder / "calls.so", folder / "calls.c"], check=True)
    for title, (case, _) in runs().items():
        made = program(title, folder)
        answers(made, case.asked(made.game), Budget(threads=1))
        made.keep(Store(str(folder)), digest(title.encode()))
    tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--smc-check=all-non-file", "--combine-dumps=no"]
    command = [*tool, f"--callgrind-out-file={folder}/counted", sys.executable, "-m", __name__, str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT)
    found = json.loads(done.stdout)
    counted = {}
    for path in folder.glob("counted.*"):
        title, kernels, every = _read(path.read_text())
        if title in found:
            values, peak = found[title]
            if values != found[title.partition(" without ")[0]][0]:
                raise SystemExit(f"{title}: {values}")
            counted[title] = Cost(kernels, every, peak)
    return counted


def _read(text: str) -> tuple[str, int, int]:
    """The label of a dump of callgrind, and its instructions: in kernels, and in all.

    A kernel's code lies in no file; callgrind counts such code for what has called it, which is libffi.
    """
    label = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
    names: dict[str, str] = {}
    spent: Counter[str] = Counter()
    here, called = "", False
    for line in text.splitlines():
        if found := re.match(r"c?ob=\((\d+)\)(?: (.*))?", line):
            if found[2] is not None:
                names[found[1]] = found[2]
            if line.startswith("ob"):
                here = found[1]
        elif line.startswith("calls="):
            called = True  # the next line has what was spent there, which is counted there
        elif cost := re.match(r"[-+*0-9]\S* (\d+)$", line):
            spent[here] += 0 if called else int(cost[1])
            called = False
    kernels = sum(spent[at] for at, name in names.items() if name == "???" or "/libffi." in name)
    return label[1] if label else "", kernels, sum(spent.values())


# --- the table -----------------------------------------------------------------------------------------------


def passes(folder: Path, rounds: int) -> None:
    """Prints what every case costs with and without each of its passes, then the most that a pass saves."""
    if shutil.which("valgrind") is None:
        print("\npasses: valgrind is not installed")
        return
    found = costs(folder)
    print(
        f"\npasses; thousands of instructions, bytes of tables{'':12} {'kernels':>10} {'all':>10} {'bytes':>12}   saved"
    )
    best: dict[str, list[tuple[float, str]]] = {name: [(0.0, "")] * 3 for name in PASSES}
    for title, case in CASES.items():
        on = found[title]
        print(f"  {title:<58} {_text(on)}")
        for name in case.passes.split():
            off = found[f"{title} without {name}"]
            saved = [1 - with_it / without if without else 0.0 for with_it, without in zip(on, off, strict=True)]
            print(f"    without {name:<48} {_text(off)}   {' '.join(f'{share:5.0%}' for share in saved)}")
            best[name] = [max(known, (share, title)) for known, share in zip(best[name], saved, strict=True)]
    print(f"\n{'most that is saved of':<28} {'kernels':>8} {'all':>8} {'bytes':>8}   where")
    for name, (kernels, every, memory) in best.items():
        mark = "" if max(kernels, every, memory)[0] >= LEAST else "   SAVES NOTHING"
        where = max(kernels, every, memory)[1]
        print(f"  {name:<26} {kernels[0]:8.0%} {every[0]:8.0%} {memory[0]:8.0%}   {where}{mark}")


def _text(cost: Cost) -> str:
    return f"{cost.kernels / 1000:10,.0f} {cost.all / 1000:10,.0f} {cost.peak:12,}"


if __name__ == "__main__":
    count(Path(sys.argv[1]))
