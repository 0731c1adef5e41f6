"""Work side by side: pieces of a solver's work on several threads, most of it inside kernels.

A kernel call lets go of the interpreter's lock, so that calls from different threads run at the same time:

    team = Team(budget)

    def fill(worker: int, item: int) -> None:
        first, last = pieces[item]
        while (status := kernel(*args, team.at[worker], first, last)) == ir.STOPPED:
            team.pause(worker)
        if status < 0:
            raise explain(…, status, …)

    team.each(len(pieces), fill)

Pieces that write what others read must not be in one `each`. Workers are numbered from 0, which is the thread that
calls, and each has cells `at` of its own for faults, noted positions and the stop cell; other scratch memory has to be
one for each worker, too. A round inside a piece has one worker, and wants a team of its own. What comes out, the error
that is raised included, is the same for any number of threads. An `each` costs some 20 µs a thread, so that pieces of
less than 100 µs do not pay.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from gamespec.budget import Budget
from gamespec.kernel.memory import Buffer
from gamespec.plan.watch import STOP, stop, watched

T = TypeVar("T")

PATIENCE = 0.1  # seconds


class Abandoned(Exception):
    """A piece was left because another one failed, or the run was interrupted; `Team.each` never raises it."""


class Team:
    """The threads that one solver works with: at most `Budget.threads`, and no more than there are pieces."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.at = [watched(budget) for _ in range(budget.threads)]
        self._round: _Round[Any] | None = None

    @property
    def size(self) -> int:
        """The number of workers that a round may have."""
        return self.budget.threads

    def each(self, pieces: int, work: Callable[[int, int], T], most: int | None = None) -> list[T]:
        """What `work(worker, item)` says of the items 0, …, `pieces - 1`, by at most `most` workers.

        Items are begun in this order. When one raises, no other is begun, and the error of the first item that failed
        is raised once all workers have come to rest.
        """
        workers = min(pieces, self.size, self.size if most is None else most)
        round = _Round(pieces, work, self.at)
        if workers <= 1 or not _busy.acquire(blocking=False):  # inside another round there is one worker
            round.run(0)
            return round.finished()
        try:
            self._round = round
            called = _hands(workers - 1)
            for worker, hand in enumerate(called, 1):
                hand.put((round, worker))
            round.run(0)
            self._rest(round, len(called))
        finally:
            self._round = None
            _busy.release()
        return round.finished()

    def pause(self, worker: int) -> None:
        """To be called when a worker's kernel was stopped; then the call is repeated.

        Raises where the run is over: LimitError, or what a signal's handler raises.
        """
        stop(self.at[worker], self.budget)
        # Whoever fails says so before setting the cells: it is seen here, or the cell is set after it was cleared.
        if self._round is not None and self._round.errors:
            raise Abandoned

    def _rest(self, round: _Round[T], workers: int) -> None:
        """Waits for the other workers, whatever happens meanwhile: they use memory that the caller gives back."""
        while True:
            try:
                while len(round.resting) < workers:
                    with suppress(Empty):  # a signal that another thread got is noticed then
                        round.bell.get(timeout=PATIENCE)
                return
            except BaseException as error:
                round.fail(-1, error)  # an interrupt, raised when all have come to rest


class _Round(Generic[T]):
    """One `each`: which items are left, what came of those that ended, and the first that failed."""

    def __init__(self, pieces: int, work: Callable[[int, int], T], at: list[Buffer]) -> None:
        self.pieces = pieces
        self.work = work
        self.at = at
        self.items = count()  # `next` of it is one step for the interpreter
        self.found: dict[int, T] = {}
        self.errors: dict[int, BaseException] = {}
        self.resting: list[int] = []
        self.bell: SimpleQueue[None] = SimpleQueue()

    def fail(self, item: int, error: BaseException) -> None:
        """Notes an error, and stops the kernels of all workers."""
        self.errors.setdefault(item, error)
        for at in self.at:
            at[STOP] = 1

    def run(self, worker: int) -> None:
        while not self.errors and (item := next(self.items)) < self.pieces:
            try:
                self.found[item] = self.work(worker, item)
            except Abandoned:
                return
            except BaseException as error:
                self.fail(item, error)  # to be raised in the caller's thread

    def finished(self) -> list[T]:
        if self.errors:
            raise self.errors[min(self.errors)]
        return [self.found[item] for item in range(self.pieces)]


_Hand = SimpleQueue[tuple[_Round[Any], int]]
_idle: list[_Hand] = []
_busy = threading.Lock()


def _hands(wanted: int) -> list[_Hand]:
    """Threads that wait for work, started when they are first wanted; fewer where the system gives no more."""
    while len(_idle) < wanted:
        hand: _Hand = SimpleQueue()
        try:
            threading.Thread(target=_serve, args=(hand,), name="gamespec worker", daemon=True).start()
        except RuntimeError:
            break
        _idle.append(hand)
    return _idle[:wanted]


def _serve(hand: _Hand) -> None:
    while True:
        round, worker = hand.get()
        round.run(worker)
        round.resting.append(worker)
        round.bell.put(None)
        del round


def _forked() -> None:
    global _busy  # noqa: PLW0603
    _idle.clear()
    _busy = threading.Lock()


os.register_at_fork(after_in_child=_forked)
