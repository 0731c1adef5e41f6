"""A line on the terminal that says how far a long run is."""

from __future__ import annotations

import sys
import time

FIRST = 1.0  # seconds before the line appears
EVERY = 0.2  # seconds between its changes
ERASE = "\r\x1b[K"


class Progress:
    """Shows the latest report on standard error, if that is a terminal, from a second on."""

    def __init__(self) -> None:
        self._next = time.monotonic() + FIRST
        self._shown = False

    def __call__(self, done: str) -> None:
        now = time.monotonic()
        if now >= self._next if done else self._shown:
            self._next = now + EVERY
            self._shown = bool(done)
            sys.stderr.write(f"{ERASE}{done}")
            sys.stderr.flush()


def on_terminal() -> Progress | None:
    """A progress line, or None where nobody would see it."""
    return Progress() if sys.stderr.isatty() else None


def long_run(text: str) -> None:
    """Says on standard error that a run will be long."""
    sys.stderr.write(f"gamespec: {text}\n")
    sys.stderr.flush()
