"""The memory, the time and the threads that a run may use."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TypeVar

from gamespec.diagnostics import Kind, LimitError

OVER_MEMORY = Kind(
    "GS301",
    "{what} needs {needed} of memory; {free} of the {limit} given are left",
    help="give more with --memory, or ask for smaller positions",
)
OVER_MACHINE = Kind(
    "GS304",
    "{what} needs {needed} of memory; this machine has {free} left",
    help="ask for smaller positions, or for fewer of them",
)
OVER_TIME = Kind("GS302", "the time given ({limit}) is over", help="give more with --time")

DEFAULT_MEMORY = 4 << 30
MOST_THREADS = 2  # used unasked; more share one memory, and were not measured to gain
POLLED = 1 << 12  # steps of Python between two looks at the clock
LARGE = 64 << 20  # bytes from which it is looked up whether the machine has them


T = TypeVar("T")


class Budget:
    """Bounds tables, stacks and input blocks (not the interpreter), and the time of the whole run.

    `memory` in bytes, `seconds` None for no bound, `threads` 0 for as many as pay. `progress`, when set, is told now
    and then how far the work is, and "" when that should no longer be shown. `notice`, when set, is told once that a
    run will be long.
    """

    progress: Callable[[str], None] | None = None
    notice: Callable[[str], None] | None = None

    def __init__(self, memory: int = DEFAULT_MEMORY, seconds: float | None = None, threads: int = 0) -> None:
        self.memory = memory
        self.seconds = seconds
        self.threads = threads or min(MOST_THREADS, processors())
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
        if size > LARGE and size > (there := available_memory()):
            needed, free = size_text(size), size_text(there)
            raise LimitError(OVER_MACHINE.at(None, what=what, needed=needed, free=free))
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

    def foresee(self, text: str) -> None:
        """Tells once, in one line, that a run will be long."""
        if self.notice is not None:
            self.rest()
            self.notice(text)
            self.notice = None

    def rest(self) -> None:
        """Takes progress off the screen, before something else is written."""
        if self.progress is not None:
            self.progress("")


def processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_memory() -> int:
    """Bytes that the machine, or the control group that this process runs in, can still give; 2^62 if unknown."""
    found = [1 << 62]
    with suppress(OSError, ValueError, IndexError), open("/proc/meminfo") as lines:
        found += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    group = "/sys/fs/cgroup/memory"
    for limit, used in ((".max", ".current"), ("/memory.limit_in_bytes", "/memory.usage_in_bytes")):
        with suppress(OSError, ValueError), open(group + limit) as most, open(group + used) as now:
            found.append(int(most.read()) - int(now.read()))
    return max(0, min(found))


TIMES = (
    ("years", 3.15e16),
    ("days", 8.64e13),
    ("hours", 3.6e12),
    ("minutes", 6e10),
    ("s", 1e9),
    ("ms", 1e6),
    ("µs", 1e3),
)
TEN_THOUSAND_YEARS = 3.15e20  # in nanoseconds


def time_text(nanoseconds: float) -> str:
    """An estimate for people: `about 3 ms`."""
    if nanoseconds > TEN_THOUSAND_YEARS:
        return "more than 10,000 years"
    for unit, scale in TIMES:
        if nanoseconds >= scale:
            return f"about {nanoseconds / scale:.3g} {unit}"
    return f"about {nanoseconds:.3g} ns"


def size_text(size: int) -> str:
    """Bytes for people: `1.5 GB`."""
    for unit, scale in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}" if size < 1000 * 10**12 else f"about 10^{len(str(size)) - 1} bytes"
    return f"{size} bytes"


_WATCHED: ContextVar[Budget | None] = ContextVar("watched", default=None)


@contextmanager
def watched(budget: Budget) -> Iterator[None]:
    """While it lasts, `look` looks at the clock of a budget, however deep in the evaluation of rules and texts."""
    token = _WATCHED.set(budget)
    try:
        yield
    finally:
        _WATCHED.reset(token)


def look() -> None:
    """Raises LimitError when the time of the budget that is watched, if any, is over."""
    budget = _WATCHED.get()
    if budget is not None:
        budget.check_time()


def timed(items: Iterable[T]) -> Iterator[T]:
    """The items, with a look at the clock now and then."""
    for number, item in enumerate(items):
        if number % POLLED == POLLED - 1:
            look()
        yield item
