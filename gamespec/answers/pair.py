"""A score with the total of the player to move, as one number that is ordered like the two, the score first.

The number is the score times 2^64 plus the total, which lies between -2^63 and 2^63 (exclusive): strategies refuse
scores that may be larger (see `gamespec.plan.valuation`).
"""

from __future__ import annotations

WIDTH = 64  # bits of a total
HALF = 1 << WIDTH - 1


def paired(score: int, total: int) -> int:
    """The number of both."""
    return (score << WIDTH) + total


def score_of(pair: int) -> int:
    """The score in a number of both."""
    return pair + HALF >> WIDTH


def total_of(pair: int) -> int:
    """The total in a number of both."""
    return pair - (score_of(pair) << WIDTH)
