"""Stopping kernels from outside: a thread that waits for the deadline, or for a signal, and tells them.

A kernel runs without the interpreter's lock, and a signal's handler runs only when it is back. Kernels return often,
but one position of an unlucky rule may take for ever; so loops look at a cell, which this thread sets.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable
from weakref import ref

from gamespec.budget import Budget
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, compare, const
from gamespec.kernel.memory import Buffer, allocate

CELLS = 16
STOP = CELLS - 1  # the cell of `at` that ends a kernel
TABLE = ir.Table("at", ir.U64)

_watched: list[tuple[ref[Buffer], Budget]] = []
_changing = threading.Lock()  # held while the list is made anew
_pipe: tuple[int, int] | None = None  # what the thread listens to, and what wakes it


def polled(b: Builder, leave: Callable[[], None] | None = None) -> None:
    """Makes the loops that are written from now on look at the stop cell; `leave` writes what ends the kernel."""

    def poll() -> None:
        flag = ir.Load(TABLE.name, const(STOP), ir.U64, proof="a fixed cell")
        with b.when(compare("ne", flag, const(0, ir.U64))):
            if leave is None:
                b.returns(ir.STOPPED)
            else:
                leave()

    b.poll = poll


def watched(budget: Budget) -> Buffer:
    """A table `at` whose stop cell is set when the budget's time is over or a signal arrives."""
    global _watched, _pipe  # noqa: PLW0603
    at = allocate(ir.U64, CELLS)
    with _changing:
        _watched = [(each, whose) for each, whose in _watched if each() is not None]
        _watched.append((ref(at), budget))
        if _pipe is None:
            _pipe = _begin()
        elif budget.deadline is not None:
            os.write(_pipe[1], b"\0")
    return at


def _begin() -> tuple[int, int]:
    """Starts the thread."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    if threading.current_thread() is threading.main_thread() and signal.set_wakeup_fd(-1) == -1:
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader,), name="gamespec watch", daemon=True).start()
    return reader, writer


def stop(at: Buffer, budget: Budget) -> None:
    """What a caller does when a kernel was stopped: a deadline or a pending signal raises here."""
    budget.check_time()
    time.sleep(0)  # a pending signal's handler runs
    at[STOP] = 0


def _watch(reader: int) -> None:
    while True:
        now = time.monotonic()
        later = []
        for each, budget in _watched:
            if budget.deadline is not None and budget.deadline > now:
                later.append(budget.deadline)
            elif budget.deadline is not None and (at := each()) is not None:
                at[STOP] = 1
        ready, _, _ = select.select([reader], [], [], min(later) - now if later else None)
        if ready and os.read(reader, 1 << 12).strip(b"\0"):
            for each, _ in _watched:
                if (at := each()) is not None:
                    at[STOP] = 1


def _forked() -> None:
    """A new process has no thread that waits, and is not to wake the one of the old process."""
    global _changing, _pipe  # noqa: PLW0603
    _changing = threading.Lock()
    if _pipe is not None:
        other = signal.set_wakeup_fd(-1)
        if other not in (-1, _pipe[1]):
            signal.set_wakeup_fd(other)
        for end in _pipe:
            os.close(end)
        _pipe = _begin()


os.register_at_fork(after_in_child=_forked)
