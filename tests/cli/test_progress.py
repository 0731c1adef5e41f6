"""The progress line: only on a terminal, only in long runs, gone before anything else is written."""

from __future__ import annotations

import io
import sys

import pytest

from gamespec.budget import Budget
from gamespec.cli import progress
from gamespec.cli.progress import ERASE, Progress


def test_a_long_run_shows_a_line_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "FIRST", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    budget = Budget()
    budget.progress = Progress()
    budget.tick("table: 5 of 10 positions")
    budget.rest()
    budget.rest()
    assert stream.getvalue() == f"{ERASE}table: 5 of 10 positions{ERASE}"


def test_a_short_run_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    budget = Budget()
    budget.progress = Progress()
    budget.tick("search: 1 position")
    budget.rest()
    assert stream.getvalue() == ""


def test_nobody_watches_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress.on_terminal() is None
