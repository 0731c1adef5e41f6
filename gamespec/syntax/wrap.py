"""Breaks long lines of expressions: between the items of lists first, then where operators bind least."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 100
"""Columns of a line; what was written on one line stays there if it fits."""

SHORT = 24
"""Columns that a piece has at least, if it can be broken elsewhere."""

SIGNS = re.compile(r'"(?:\\.|[^"\\])*"|[(\[{]|[)\]}]|, | (?=(?:when|gain|for|else|then|or|and|xor|\||\+|-) )')
RANKS = {"when": 0, "gain": 0, "for": 1, "else": 2, "then": 3, "or": 4, "and": 5, "xor": 6, "|": 6, "+": 7, "-": 7}
DEEPER = 10
"""What a pair of brackets adds to the rank of a break: less than this is between the ranks at one level."""
TAIL = RANKS["for"]


def wrapped(text: str, indent: int, step: int, whole: int = 0) -> str:
    """The text that begins at column `indent`, broken so that lines end by `WIDTH`. Later lines begin `step` columns
    further on, and as many more for each bracket that they stand in.

    The first `whole` characters stay together, and a line is longer where it cannot be broken.
    """
    breaks = [(rank, place) for rank, place in _breaks(text) if place > whole]
    made: list[str] = []
    start, column = 0, indent
    while column + len(text) - start > WIDTH:
        later = [(rank, place) for rank, place in breaks if place > start]
        fitting = [(rank, place) for rank, place in later if column + place - 1 - start <= WIDTH]
        longer = [(rank, place) for rank, place in fitting if place - start > SHORT]
        if not later:
            break
        rank, place = min(longer or fitting or later[:1], key=_liking)
        made.append(" " * column + text[start : place - 1])
        start, column = place, indent + step * (1 + rank // DEEPER)
    return "\n".join([*made, " " * column + text[start:]]).removeprefix(" " * indent)


def _liking(found: tuple[int, int]) -> tuple[int, int]:
    """The outermost and weakest break is the best one, then that which leaves a full line; a tail stays together."""
    rank, place = found
    return rank, place if rank % DEEPER == TAIL else -place


def _breaks(text: str) -> Iterator[tuple[int, int]]:
    """Where a line may begin: the rank of the break, the least first, and the offset behind its blank."""
    depth = 0
    for sign in SIGNS.finditer(text):
        found = sign.group()
        if found in "([{":
            depth += DEEPER
        elif found in ")]}":
            depth -= DEEPER
        elif found == ", ":
            yield depth, sign.end()
        elif found == " ":
            word = text[sign.end() :].partition(" ")[0]
            yield depth + RANKS[word], sign.end()
