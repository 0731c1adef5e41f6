"""Retrograde analysis on several threads: the same values for any number of them, and an end when told to stop."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.model import Game, Value
from gamespec.plan import thread
from gamespec.plan.choose import choose
from gamespec.plan.demand import OnDemand
from gamespec.plan.plan import Kernel
from gamespec.plan.retrograde import backward, round, wave
from gamespec.plan.retrograde.backward import BackwardSolver
from tests.analysis.test_inverse import GAMES, HAND, SETS, SLIDES, reached

PLAYED_ON = SLIDES.replace("endless draw", "endless x wins")


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has many rounds, and all its declared positions are gone through."""
    monkeypatch.setattr(wave, "WORTH", 0)
    for name, value in {"BLOCK": 4, "PIECE": 2, "PIECES": 3, "ROOM": 64}.items():
        monkeypatch.setattr(round, name, value)
    for name, value in {"LEAST_FUEL": 1, "DENSITY": 1 << 20, "FIRST_CELLS": 16, "COUNTED": 8, "COUNTS": 2}.items():
        monkeypatch.setattr(backward, name, value)


class Made:
    """Solvers of one game, which share their kernels."""

    def __init__(self, text: str, backend: str = "llvm", *, distance: bool = True) -> None:
        self.game = gamespec.loads(text)
        self.facts = analyse(self.game)
        self.plan = choose(self.game, self.facts, Ask(distance=distance), "retrograde")
        self.kernels = OnDemand(self.plan.functions, lambda functions: compile(functions, backend, checked=True))

    def solver(self, budget: Budget) -> BackwardSolver:
        return BackwardSolver(self.game, self.facts, self.plan, self.kernels, budget)


def columns(game: Game) -> list[list[Value]]:
    return [list(column) for column in zip(*sorted(reached(game), key=repr), strict=True)]


def stopped_and_asked_again(
    made: Made, states: list[list[Value]], reason: type[BaseException], now: Callable[[str], bool]
) -> None:
    """A solver on two threads is stopped when `now` says so of its progress, and then answers as one thread does."""
    budget = Budget(threads=2)

    def progress(text: str) -> None:
        if now(text):
            if reason is KeyboardInterrupt:
                raise KeyboardInterrupt
            budget.seconds, budget.deadline = 0.5, 0.0

    budget.progress = progress
    solver = made.solver(budget)
    with pytest.raises(reason):
        solver.values([], states)
    assert budget.used == 0
    budget.progress = budget.deadline = None
    assert list(solver.values([], states)) == list(made.solver(Budget(threads=1)).values([], states))


CASES = [
    *((text, "python", distance) for text in (*GAMES, PLAYED_ON) for distance in (False, True)),
    *((text, "llvm", True) for text in (SETS, PLAYED_ON)),
]


@pytest.mark.parametrize(("text", "backend", "distance"), CASES)
def test_same_values(text: str, backend: str, distance: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made(text, backend, distance=distance)
    states = columns(made.game)
    expected = list(made.solver(Budget(threads=1)).values([], states))
    small(monkeypatch)
    rounds: list[int] = []
    receive = round.Rounds._receive

    def spy(self: round.Rounds, won: int, lost: int, most: int) -> None:
        rounds.append(most)
        receive(self, won, lost, most)

    monkeypatch.setattr(round.Rounds, "_receive", spy)
    for threads in (1, 2, 3):
        rounds.clear()
        solver = made.solver(Budget(threads=threads))
        assert list(solver.values([], [column[:1] for column in states])) == expected[:1]
        assert list(solver.values([], states)) == expected
        assert (len(rounds) > 4) is (threads > 1)
        assert not any(name.rpartition(".")[2].isdigit() for name in solver.memory.buffers)


def test_threads_need_no_memory_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one thread can do, any number can."""
    made = Made(HAND)
    states = [column[:1] for column in columns(made.game)]
    small(monkeypatch)
    monkeypatch.setattr(round, "ROOM", 1 << 20)
    expected = list(made.solver(Budget(1 << 20, threads=1)).values([], states))
    assert list(made.solver(Budget(1 << 20, threads=2)).values([], states)) == expected


@pytest.mark.parametrize("text", [SETS, PLAYED_ON], ids=["sets", "played on"])
def test_narrow_waves_are_for_one_thread(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made(text)
    states = [column[:1] for column in columns(made.game)]
    expected = list(made.solver(Budget(threads=1)).values([], states))
    small(monkeypatch)
    alone: list[Kernel] = []
    finish = round.Rounds._alone

    def spy(self: round.Rounds, kernel: Kernel) -> None:
        alone.append(kernel)
        finish(self, kernel)

    monkeypatch.setattr(round.Rounds, "_alone", spy)
    monkeypatch.setattr(round, "NARROW", 1 << 20)
    for most in (0, 1):
        monkeypatch.setattr(round, "MOST_NARROW", most)
        assert list(made.solver(Budget(threads=2)).values([], states)) == expected
        assert len(alone) > most


@pytest.mark.parametrize("stage", ["counted", "decided"])
@pytest.mark.parametrize("reason", [KeyboardInterrupt, LimitError])
def test_it_can_be_stopped(stage: str, reason: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """All memory is given back, and the next question is answered."""
    small(monkeypatch)
    made = Made(HAND)
    states = [column[:1] for column in columns(made.game)]
    told: list[str] = []

    def now(text: str) -> bool:
        told.append(text)
        return stage in text and sum(stage in each for each in told) == 2

    stopped_and_asked_again(made, states, reason, now)
    assert stage in told[-1]


def test_the_first_fault_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that fails at many positions is told of at the same one."""
    small(monkeypatch)
    made = Made(HAND.replace("a and at[2]", "a and 12 / (2 - count(at[j] == b for j in 1..4)) > 0 and at[2]"))
    start: list[list[Value]] = [[value] for value in ((0, 0, 0, 0), 2, 0)]
    messages, kernels = set(), set()
    fault = BackwardSolver._fault

    def spy(self: BackwardSolver, name: str, status: int, number: int) -> Exception:
        kernels.add(name)
        return fault(self, name, status, number)

    monkeypatch.setattr(BackwardSolver, "_fault", spy)
    for threads in (1, 2, 3):
        with pytest.raises(SpecError) as raised:
            made.solver(Budget(threads=threads)).values([], start)
        messages.add(raised.value.diagnostics[0].message)
    assert len(messages) == 1
    assert kernels == {"count"}


def test_small_games_start_no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread, "_hands", lambda wanted: pytest.fail("a thread was started"))
    made = Made(HAND)
    made.solver(Budget(threads=2)).values([], columns(made.game))
