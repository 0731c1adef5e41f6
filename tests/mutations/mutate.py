"""One-token mutations of a spec, in the clauses that carry meaning (not its prose, not its tests)."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|[A-Za-z_]\w*|\d[\d_]*|\.\.|\*\*|//|[-+*/%<>=!|&]=?|\S')
FOREIGN = "0 1 7 1000 n k + - -= = == && ^ ! .. ( ) { } [ ] , : and or not in if for do choose when min move".split()


class Mutant(NamedTuple):
    """A changed text, the line (from 1) where it differs, and what was done."""

    text: str
    line: int
    change: str


def region(text: str) -> tuple[int, int]:
    """The offsets between which a spec is changed: from its first declaration to its tests."""
    first = re.search(r"^(param|given|state|sum|players)\b", text, re.MULTILINE)
    tests = re.search(r"^test\b", text, re.MULTILINE)
    assert first
    return first.start(), tests.start() if tests else len(text)


def mutant(text: str, rng: random.Random) -> Mutant:
    """Deletes, doubles, swaps or replaces one token."""
    start, end = region(text)
    tokens = [found for found in TOKEN.finditer(text, start, end) if not found[0].startswith("#")]
    index = rng.randrange(len(tokens) - 1)
    old, following = tokens[index], tokens[index + 1]
    while True:
        kind = rng.choice(["delete", "double", "swap", "replace", "foreign"])
        last = old.end()
        if kind == "delete":
            new = ""
        elif kind == "double":
            new = f"{old[0]} {old[0]}"
        elif kind == "swap":
            between = text[old.end() : following.start()]
            new, last = following[0] + between + old[0], following.end()
        else:
            new = rng.choice(tokens)[0] if kind == "replace" else rng.choice(FOREIGN)
        if text[old.start() : last] != new:
            line = text.count("\n", 0, old.start()) + 1
            return Mutant(text[: old.start()] + new + text[last:], line, f"{kind} `{old[0]}`: `{new}`")
