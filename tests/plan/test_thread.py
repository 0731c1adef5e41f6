"""Rounds of work on several threads: the same results and errors as on one, and an end when told to stop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable

import pytest

from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.plan.thread import Team
from gamespec.plan.watch import STOP


def waits(team: Team, worker: int) -> None:
    """What a kernel that never ends does: it looks at its stop cell."""
    while True:
        while not team.at[worker][STOP]:
            time.sleep(0.001)
        team.pause(worker)


def whole(team: Team, work: Callable[[int, int], object]) -> None:
    """One piece for each worker."""
    team.each(team.size, work)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_items_in_order(threads: int) -> None:
    team = Team(Budget(threads=threads))
    workers = set()

    def work(worker: int, item: int) -> int:
        time.sleep(0.001)
        workers.add((worker, threading.get_ident()))
        return item * item

    for _ in range(3):
        assert team.each(20, work) == [item * item for item in range(20)]
    assert len(workers) == threads == len({worker for worker, _ in workers})
    assert team.each(0, work) == []
    assert team.each(3, work, most=1) == [0, 1, 4]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_first_failing_item_counts(threads: int) -> None:
    begun = []

    def work(worker: int, item: int) -> None:
        begun.append(item)
        if item >= 7:
            raise ValueError(item)
        time.sleep(0.002)

    for _ in range(5):
        begun.clear()
        with pytest.raises(ValueError, match=r"^7$"):
            Team(Budget(threads=threads)).each(100, work)
        assert set(range(8)) <= set(begun)
        assert len(begun) < 8 + threads


def test_a_failing_worker_stops_the_others() -> None:
    team = Team(Budget(threads=3))

    def work(worker: int, item: int) -> None:
        if item == 1:
            time.sleep(0.02)
            raise ValueError("the second")
        waits(team, worker)

    with pytest.raises(ValueError, match="the second"):
        whole(team, work)


def test_the_deadline_stops_all() -> None:
    team = Team(Budget(seconds=0.1, threads=2))
    with pytest.raises(LimitError, match="time given"):
        whole(team, lambda worker, item: waits(team, worker))


def test_an_interrupt_stops_all() -> None:
    """It comes while the calling thread waits for the other one."""
    team, began = Team(Budget(threads=2)), threading.Event()

    def work(worker: int, item: int) -> None:
        if worker == 0:
            assert began.wait(10)
            threading.Timer(0.05, signal.raise_signal, [signal.SIGINT]).start()
        else:
            began.set()
            waits(team, worker)

    with pytest.raises(KeyboardInterrupt):
        whole(team, work)


def test_a_round_inside_a_round_has_one_worker() -> None:
    team, other = Team(Budget(threads=2)), Team(Budget(threads=2))
    found = team.each(4, lambda worker, item: other.each(3, lambda inner, part: (item, inner, part)))
    assert found == [[(item, 0, part) for part in range(3)] for item in range(4)]
