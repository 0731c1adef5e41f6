"""What all programs of a contestant need: numbers in, lines out, mex and xor."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator


def mex(values: Iterable[int]) -> int:
    """The least whole number that is not among the values."""
    seen = set(values)
    return next(n for n in itertools.count() if n not in seen)


def numbers(text: str) -> Iterator[int]:
    return map(int, text.split())


def lines(answers: Iterable[object]) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def xor(values: Iterable[int]) -> int:
    total = 0
    for value in values:
        total ^= value
    return total
