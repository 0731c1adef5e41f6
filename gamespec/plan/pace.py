"""How long a run will be, foreseen from what it has done so far, and told once where that is long; and how much of it
a kernel call should do."""

from __future__ import annotations

import time

import msgspec

from gamespec.budget import OVER_MEMORY, Budget, size_text, time_text
from gamespec.diagnostics import Help, LimitError

LONG = 5.0  # seconds from which a run is announced
MOST = 1 << 40  # of a piece; kernels take what they may do as a machine word
HOPELESS = 1 << 10  # times as many positions as were answered, from which memory may never be enough
LEARNT = 0.25  # seconds after which the pace so far says something


def next_piece(piece: int, spent: float, aim: float, least: int = 1) -> int:
    """How much the next kernel call should do to take `aim` seconds, where so much took `spent` seconds.

    At most four times as much, as the first pieces say little, and bounded, as a call may never have so much to do.
    """
    return max(least, min(MOST, 4 * piece, int(piece * aim / max(spent, 1e-6))))


class Pace:
    """The pace of one stretch of work that began when this was made."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.started = time.monotonic()

    def of_all(self, done: int, total: int, size: int, what: str) -> None:
        """Some of a known number of positions are done; all of them take so many bytes."""
        spent = time.monotonic() - self.started
        if spent > LEARNT and done > 0:
            seconds = spent * total / done
            if seconds > LONG:
                self.budget.foresee(f"{what} of {total:,} positions: {time_text(seconds * 1e9)}, {size_text(size)}")

    def so_far(self, done: int, most: int, what: str) -> None:
        """Some of an unknown number of positions are done; there are no more than `most`."""
        spent = time.monotonic() - self.started
        if spent > LONG and done > 0:
            each = spent / done
            worst = time_text(each * min(most, 1 << 200) * 1e9)
            self.budget.foresee(
                f"{what}: {done:,} positions in {spent:.0f} s; for all that there may be, {worst} at this pace"
            )


def out_of_reach(limit: LimitError, done: int, most: int) -> LimitError:
    """What to say where memory ended, and far more positions may come than it held."""
    (found,) = limit.diagnostics
    if found.code != OVER_MEMORY.code or most <= HOPELESS * max(done, 1):
        return limit
    text = (
        f"{done:,} positions were answered, and far more may come: `gamespec explain` tells why no law speaks of them"
    )
    return LimitError(msgspec.structs.replace(found, helps=(*found.helps, Help(text))))
