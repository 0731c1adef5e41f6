"""One-token mutations of a spec, in the clauses that carry meaning (not its prose, not its tests)."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|[A-Za-z_]\w*|\d[\d_]*|\.\.|\*\*|//|[-+*/%<>=!|&]=?|\S')
SLIPS = "0 1 7 1000 n k + - -= = == && ^ ! .. ( ) { } [ ] , : and or not in if for do choose when min move"
FOREIGN = SLIPS.split()
LIKE = [["<", "<=", ">", ">=", "==", "!="], ["+", "-", "*", "/", "%"], ["min", "max"], ["and", "or"], ["-=", "+=", "="]]


class Mutant(NamedTuple):
    """A changed text, the first and the last line (from 1) where it differs, and what was done."""

    text: str
    first: int
    last: int
    change: str


def region(text: str) -> tuple[int, int]:
    """The offsets between which a spec is changed: from its first declaration to its tests."""
    first = re.search(r"^(param|given|state|sum|players)\b", text, re.MULTILINE)
    tests = re.search(r"^test\b", text, re.MULTILINE)
    assert first
    return first.start(), tests.start() if tests else len(text)


def mild(token: str, names: list[str], rng: random.Random) -> str:
    """Another token of the same kind: a number near by, a like operator, another name of the spec."""
    if token[0].isdigit():
        number = int(token.replace("_", ""))
        return str(max(0, rng.choice([number - 1, number + 1, 2 * number, 0, 1])))
    for like in LIKE:
        if token in like:
            return rng.choice(like)
    return rng.choice(names) if token in names else token


def mutant(text: str, rng: random.Random) -> Mutant:
    """Deletes, doubles, swaps or replaces one token; half of the time, replaces it by one of its kind."""
    start, end = region(text)
    tokens = [found for found in TOKEN.finditer(text, start, end) if not found[0].startswith("#")]
    names = sorted({found[0] for found in tokens if found[0].isidentifier() and text[found.end()] != ":"})
    while True:
        index = rng.randrange(len(tokens) - 1)
        old, following = tokens[index], tokens[index + 1]
        kind = rng.choice(["delete", "double", "swap", "replace", "foreign", *["mild"] * 5])
        last = old.end()
        if kind == "delete":
            new = ""
        elif kind == "double":
            new = f"{old[0]} {old[0]}"
        elif kind == "swap":
            between = text[old.end() : following.start()]
            new, last = following[0] + between + old[0], following.end()
        elif kind == "mild":
            new = mild(old[0], names, rng)
        else:
            new = rng.choice(tokens)[0] if kind == "replace" else rng.choice(FOREIGN)
        if text[old.start() : last] != new:
            first = text.count("\n", 0, old.start()) + 1
            change = f"{kind} `{old[0]}`: `{new}`"
            return Mutant(text[: old.start()] + new + text[last:], first, first + new.count("\n"), change)
