"""The memory and the time that a run may use."""

from __future__ import annotations

import time
from collections.abc import Callable

from gamespec.diagnostics import Kind, LimitError

OVER_MEMORY = Kind(
    "GS301",
    "{what} needs {needed} of memory; {free} of the {limit} given are left",
    help="give more with --memory, or ask for smaller positions",
)
OVER_TIME = Kind("GS302", "the time given ({limit}) is over", help="give more with --time")

DEFAULT_MEMORY = 4 << 30


class Budget:
    """Bounds tables, stacks and input blocks (not the interpreter), and the time of the whole run.

    `memory` in bytes, `seconds` None for no bound. `progress`, when set, is told now and then how far the work is,
    and "" when that should no longer be shown.
    """

    progress: Callable[[str], None] | None = None

    def __init__(self, memory: int = DEFAULT_MEMORY, seconds: float | None = None) -> None:
        self.memory = memory
        self.seconds = seconds
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.used = 0

    @property
    def free(self) -> int:
        return self.memory - self.used

    def take(self, size: int, what: str) -> None:
        """Reserves bytes, or raises LimitError with a sentence that says what would be needed."""
        if size > self.free:
            needed, free, limit = size_text(size), size_text(self.free), size_text(self.memory)
            raise LimitError(OVER_MEMORY.at(None, what=what, needed=needed, free=free, limit=limit))
        self.used += size

    def give_back(self, size: int) -> None:
        self.used -= size

    def check_time(self) -> None:
        """Raises LimitError when the time is over; drivers call it between kernel calls."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise LimitError(OVER_TIME.at(None, limit=f"{self.seconds:g} s"))

    def tick(self, done: str) -> None:
        """Checks the time and reports progress (`done`: what has been done so far); between kernel calls."""
        self.check_time()
        if self.progress is not None:
            self.progress(done)

    def rest(self) -> None:
        """Takes progress off the screen, before something else is written."""
        if self.progress is not None:
            self.progress("")


def size_text(size: int) -> str:
    """Bytes for people: `1.5 GB`."""
    for unit, scale in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}" if size < 1000 * 10**12 else f"about 10^{len(str(size)) - 1} bytes"
    return f"{size} bytes"
