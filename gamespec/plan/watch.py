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

from gamespec.budget import Budget
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, compare, const
from gamespec.kernel.memory import Buffer, allocate

CELLS = 16
STOP = CELLS - 1  # the cell of `at` that ends a kernel
TABLE = ir.Table("at", ir.U64)

_watched: list[tuple[Buffer, Budget]] = []
_thread: threading.Thread | None = None
_bell = -1


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
    global _thread, _bell  # noqa: PLW0603
    at = allocate(ir.U64, CELLS)
    _watched.append((at, budget))
    if _thread is None:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        _bell = writer
        if threading.current_thread() is threading.main_thread() and signal.set_wakeup_fd(-1) == -1:
            signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        _thread = threading.Thread(target=_watch, args=(reader,), name="gamespec watch", daemon=True)
        _thread.start()
    elif budget.deadline is not None:
        os.write(_bell, b"\0")
    return at


def stop(at: Buffer, budget: Budget) -> None:
    """What a caller does when a kernel was stopped: a deadline or a pending signal raises here."""
    budget.check_time()
    time.sleep(0)  # a pending signal's handler runs
    at[STOP] = 0


def _watch(reader: int) -> None:
    while True:
        now = time.monotonic()
        deadlines = [(at, budget.deadline) for at, budget in _watched if budget.deadline is not None]
        for at, deadline in deadlines:
            if deadline <= now:
                at[STOP] = 1
        later = [deadline for _, deadline in deadlines if deadline > now]
        ready, _, _ = select.select([reader], [], [], min(later) - now if later else None)
        if ready and os.read(reader, 1 << 12).strip(b"\0"):
            for at, _ in _watched:
                at[STOP] = 1
