"""A game played over a pipe."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from gamespec.cli.main import run
from tests.cli.played import SPECS


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Plays a game with some words of the command line, and lines typed; returns what is printed."""
    monkeypatch.chdir(tmp_path)

    def call(name: str, *words: str, typed: str = "", status: int = 0) -> str:
        Path(f"{name}.game").write_text(SPECS[name])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode(errors="surrogateescape"))))
        code = run(["play", f"{name}.game", *words])
        captured = capsys.readouterr()
        assert code == status, captured.err
        return captured.err if status else captured.out

    return call
