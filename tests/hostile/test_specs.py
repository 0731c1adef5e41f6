"""Specs written to hurt: each ends with a message and the status given, within 5 s (of the processor) and 1 GiB."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.tool import ROOT

SECONDS = 5
ADDRESS_SPACE = 1 << 30


class Attack(NamedTuple):
    """A spec, what is done with it, and the exit status expected."""

    text: str | bytes
    code: int
    suffix: str = ".game"
    verb: tuple[str, ...] = ("check",)
    stdin: str = ""


def game(state: str = "0..100", body: str = "move take choose k in 1..min(3, n) do n -= k", more: str = "") -> str:
    return f'game attack\nstate n: {state}\n{body}\ninput cases until eof read n\noutput win "w" lose "l"\n{more}\n'


def guarded(condition: str) -> str:
    return game(body=f"move take when {condition} choose k in 1..min(3, n) do n -= k")


def lets(first: str, step: str, count: int) -> str:
    """A chain of definitions, each naming the one before twice."""
    chain = [f"let a0 = {first}"]
    chain += [f"let a{i} = {step.replace('A', f'a{i - 1}')}" for i in range(1, count)]
    return game(body="\n".join(chain) + f"\nmove take when a{count - 1} >= 0 choose k in 1..min(3, n) do n -= k")


def noise(size: int, alphabet: str) -> str:
    return "".join(random.Random(5).choices(alphabet, k=size))


PRINTABLE = "".join(map(chr, range(32, 127))) + "\n\n\n"
YAML_HEAD = "game: attack\nstate:\n  n: 0..100\n"
YAML_MOVE = "move:\n  take:\n    choose: k in 1..min(3, n)\n    do: n -= k\n"
BOMB = "a0: &a0 x\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in range(1, 40))
SOLVE = ("solve", "--time", "2s")

ATTACKS: dict[str, Callable[[], Attack]] = {
    # size and depth of the text
    "parentheses": lambda: Attack(guarded("(" * 100_000 + "n" + ")" * 100_000 + " > 0"), 1),
    "parentheses that never close": lambda: Attack(guarded("(" * 100_000), 1),
    "long sum": lambda: Attack(guarded("+".join(["n"] * 250_000) + " > 0"), 1),
    "long conjunction": lambda: Attack(guarded(" and ".join(["n > 0"] * 100_000)), 1),
    "negations": lambda: Attack(guarded("not " * 100_000 + "n > 0"), 1),
    "minus signs": lambda: Attack(guarded("- " * 100_000 + "n > 0"), 1),
    "powers": lambda: Attack(guarded("**".join(["n"] * 50_000) + " > 0"), 1),
    "nested ifs": lambda: Attack(guarded("if n > 0 then 1 else " * 50_000 + "2 > 0"), 1),
    "nested sets": lambda: Attack(guarded("{" * 50_000 + "}" * 50_000 + " == {}"), 1),
    # the same within the limits on size
    "20,000 parentheses": lambda: Attack(guarded("(" * 20_000 + "n" + ")" * 20_000 + " > 0"), 1),
    "24,000 terms": lambda: Attack(guarded("+".join(["n"] * 24_000) + " > 0"), 1),
    "1,000 conditions": lambda: Attack(guarded(" and ".join(["n > 0"] * 1_000)), 0),
    "8,000 conditions": lambda: Attack(guarded(" and ".join(["n > 0"] * 8_000)), 1),
    "40,000 negations": lambda: Attack(guarded("not " * 40_000 + "n > 0"), 1),
    "20,000 minus signs": lambda: Attack(guarded("- " * 20_000 + "n > 0"), 1),
    "20,000 powers": lambda: Attack(guarded("**".join(["n"] * 20_000) + " > 0"), 1),
    "7,000 ifs": lambda: Attack(guarded("if n > 0 then 1 else " * 7_000 + "2 > 0"), 1),
    "20,000 sets": lambda: Attack(guarded("{" * 20_000 + "}" * 20_000 + " == {}"), 1),
    "3,000 moves": lambda: Attack(game(more="\n".join(f"move m{i} when n > {i} do n -= 1" for i in range(3_000))), 0),
    "4,000 tests": lambda: Attack(game(more='test "1" gives "w"\n' * 4_000), 0),
    "40,000 quotes": lambda: Attack(game(more='"' * 40_001), 1),
    # nothing but noise
    "noise": lambda: Attack(noise(1 << 20, PRINTABLE), 1),
    "noise after a good start": lambda: Attack(game() + noise(1 << 20, PRINTABLE), 1),
    "random bytes": lambda: Attack(random.Random(6).randbytes(1 << 20), 1),
    "zero bytes": lambda: Attack(b"\0" * (1 << 20), 1),
    "100 MB": lambda: Attack("# nothing\n" * 10_000_000, 1),
    "empty": lambda: Attack("", 1),
    "blank lines": lambda: Attack("\n" * 1_000_000, 1),
    "one quote": lambda: Attack(game() + 'rules "' + "x" * 200_000, 1),
    "long name": lambda: Attack(guarded("x" * 200_000 + " > 0"), 1),
    "many moves": lambda: Attack(game(more="\n".join(f"move m{i} when n > {i} do n -= 1" for i in range(20_000))), 1),
    "many tests": lambda: Attack(game(more='test "1" gives "w"\n' * 50_000), 1),
    # numbers
    "number of a million digits": lambda: Attack(guarded("n < " + "9" * 1_000_000), 1),
    "number of 100,000 digits": lambda: Attack(guarded("n < " + "9" * 100_000), 1),
    "state beyond 127 bits": lambda: Attack(game("0..10**40"), 1),
    "never a move": lambda: Attack(game(body="move m choose k in 1..min(-1, n) do n -= k"), 0, verb=SOLVE, stdin="5"),
    "state of 128 bits": lambda: Attack(game("-(2**126)..2**126", "move m choose k in 1..min(3, n) do n -= k"), 0),
    "tower of powers": lambda: Attack(guarded("n < 10**10**10"), 1),
    "param of powers": lambda: Attack(game(more="param p = 10**10**10"), 1),
    "power of a state": lambda: Attack(guarded("n ** n ** n >= 0"), 1),
    "products beyond 127 bits": lambda: Attack(lets("n + 1", "A * A", 12), 1),
    "division by zero": lambda: Attack(guarded("n / 0 > 0"), 1),
    "division by zero at one position": lambda: Attack(guarded("n / (n - 3) >= 0"), 1),
    "remainder by zero": lambda: Attack(guarded("5 % n >= 0"), 1),
    "modulo in a param": lambda: Attack("game attack\nparam p = 1 % 0\n" + game().partition("\n")[2], 1),
    "-D beyond reason": lambda: Attack(
        "game attack\nparam p = 1\n" + game("0..p").partition("\n")[2], 64, verb=("check", "-D", "p=10**10**10")
    ),
    # spaces
    "set of a billion": lambda: Attack(game().replace("0..100", "set of 0..10**9"), 1),
    "array of a billion": lambda: Attack(game().replace("0..100", "array[1..10**9] of 0..1"), 1),
    "large state, small question": lambda: Attack(game("0..10**30"), 0, verb=SOLVE, stdin="5"),
    "choose from 10^12": lambda: Attack(
        game("0..10**12", "move take choose k in 1..n do n -= k"), 0, verb=SOLVE, stdin=str(10**12)
    ),
    "choose pairs from 10^12": lambda: Attack(
        game("0..10**6", "move take choose a in 1..n, b in 1..n when a * b == n + 1 do n -= 1"),
        3,
        verb=SOLVE,
        stdin="1000000",
    ),
    "Grundy value by a theorem": lambda: Attack(
        game("0..10**12", "move take choose k in 1..n do n -= k").replace('win "w" lose "l"', 'line "{grundy}"'),
        0,
        verb=SOLVE,
        stdin=str(10**12),
    ),
    "Grundy value with 10^12 options": lambda: Attack(
        game("0..10**12", "move take choose k in 1..n when (n - k) % 5 != 2 do n -= k").replace(
            'win "w" lose "l"', 'line "{grundy}"'
        ),
        3,
        verb=SOLVE,
        stdin=str(10**12),
    ),
    "fold that is a formula": lambda: Attack(guarded("sum(x for x in 1..10**12) > 0"), 3, verb=SOLVE, stdin="5"),
    "huge fold": lambda: Attack(
        guarded("sum(popcount(x) for x in 1..10**12 if x % 7 != n) > 0"), 3, verb=SOLVE, stdin="5"
    ),
    "nested folds": lambda: Attack(
        guarded("sum(popcount(x * y) for x in 1..10**6 for y in 1..10**6) > 0"), 3, verb=SOLVE, stdin="5"
    ),
    "doubling definitions": lambda: Attack(lets("1", "A * 1 + A * 0", 40), 0),
    "doubling differences": lambda: Attack(lets("n", "A - A", 60), 0),
    "doubling sums of 60 bits": lambda: Attack(lets("n", "A + A", 60), 0),
    "doubling conditions": lambda: Attack(lets("n > 0", "A and A", 60).replace("a59 >= 0", "a59"), 0),
    "doubling unions": lambda: Attack(
        lets("1..3", "A | A", 60).replace("a59 >= 0 choose k in 1..min(3, n)", "n > 2 choose k in a59"), 0
    ),
    "long chain of definitions": lambda: Attack(lets("1", "A + 1", 400), 1),
    "doubling sums": lambda: Attack(lets("n", "A + A", 200), 1),
    "recursive definition": lambda: Attack(game(body="let a = b\nlet b = a\nmove take when a > 0 do n -= 1"), 1),
    "powers of one": lambda: Attack(game(body="move take choose k in powers(1, n) do n -= k"), 0),
    "powers of zero": lambda: Attack(game(body="move take choose k in powers(0, n) do n -= k"), 1),
    "digits to base one": lambda: Attack(guarded("min(digits(n, 1)) >= 0"), 1),
    "play without end": lambda: Attack(game(body="move stay do n = n"), 1),
    "play in circles": lambda: Attack(
        game(body="move up when n < 100 do n += 1\nmove down when n > 0 do n -= 1"), 1, verb=SOLVE, stdin="50"
    ),
    # texts
    "wide format": lambda: Attack(game().replace('"w"', '"{n:1000000000d}"'), 1),
    "attribute in a format": lambda: Attack(game().replace('"w"', '"{n.__class__}"'), 1),
    "index in a format": lambda: Attack(game().replace('"w"', '"{n[0]}"'), 1),
    "code in a format": lambda: Attack(game().replace('"w"', "\"{__import__('os').abort()}\""), 1),
    # YAML
    "YAML aliases": lambda: Attack(BOMB + YAML_HEAD + YAML_MOVE, 1, ".yaml"),
    "YAML merge keys": lambda: Attack(YAML_HEAD + YAML_MOVE + "x: &x {a: 1}\ny:\n  <<: *x\n", 1, ".yaml"),
    "YAML tag": lambda: Attack(YAML_HEAD + YAML_MOVE + "about: !!python/object/apply:os.abort []\n", 1, ".yaml"),
    "YAML custom tag": lambda: Attack(YAML_HEAD.replace("0..100", "!x 0..100") + YAML_MOVE, 1, ".yaml"),
    "YAML anchor": lambda: Attack(YAML_HEAD.replace("0..100", "&a 0..100") + YAML_MOVE, 1, ".yaml"),
    "YAML brackets": lambda: Attack("[" * 100_000, 1, ".yaml"),
    "YAML braces": lambda: Attack("{a: " * 50_000, 1, ".yaml"),
    "YAML indentation": lambda: Attack("".join(" " * i + f"a{i}:\n" for i in range(1000)), 1, ".yaml"),
    "YAML long list": lambda: Attack("game: attack\nmove:\n" + "  - a\n" * 160_000, 1, ".yaml"),
    "YAML documents": lambda: Attack("---\na: 1\n" * 20_000, 1, ".yaml"),
    "YAML noise": lambda: Attack(noise(1 << 20, PRINTABLE), 1, ".yaml"),
    "YAML parentheses": lambda: Attack(
        YAML_HEAD + YAML_MOVE.replace("min(3, n)", "(" * 50_000 + "n" + ")" * 50_000), 1, ".yaml"
    ),
    "YAML repeated key": lambda: Attack(YAML_HEAD + YAML_MOVE + YAML_MOVE, 1, ".yaml"),
}


def run(attack: Attack, folder: Path) -> subprocess.CompletedProcess[bytes]:
    path = folder / f"attack{attack.suffix}"
    path.write_bytes(attack.text if isinstance(attack.text, bytes) else attack.text.encode())
    verb, *options = attack.verb

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    return subprocess.run(
        [sys.executable, "-m", "gamespec", verb, str(path), *options],
        input=attack.stdin.encode(),
        capture_output=True,
        timeout=20 * SECONDS,  # other work on the machine does not count
        check=False,
        cwd=ROOT,
        preexec_fn=limit,
    )


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(name: str, tmp_path: Path) -> None:
    attack = ATTACKS[name]()
    done = run(attack, tmp_path)
    err = done.stderr.decode(errors="replace")
    assert done.returncode == attack.code, err[:2000]
    assert "Traceback" not in err
    assert len(err) < 30_000
    assert ("error" in err) == (attack.code != 0), err[:2000]


def test_not_a_file(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.game", tmp_path):
        done = subprocess.run(
            [sys.executable, "-m", "gamespec", "solve", str(path)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            cwd=ROOT,
        )
        assert done.returncode == 64
        assert b"Traceback" not in done.stderr


def test_a_plan_that_cannot_be_honoured_is_a_mistake(tmp_path: Path) -> None:
    for clause, words in (("plan tabel", "did you mean `table`?"), ("plan closed", "more than one move")):
        more = f"move two when n > 1 do n -= 2\n{clause}"
        done = run(Attack(game(more=more), 1), tmp_path)
        assert done.returncode == 1
        assert words in done.stderr.decode()
