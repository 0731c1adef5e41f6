"""Where a play is shown and commands come from: a terminal, or a pipe."""

from __future__ import annotations

import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, Protocol

from gamespec.report import clean

Line = list[tuple[str, str]]
"""Pieces of a line, each with the name of its style."""

PROMPT = "> "
LONGEST = 4096  # bytes of a command

STYLES = {
    "first": "bold cyan",
    "second": "bold yellow",
    "stone": "cyan",
    "dim": "dim",
    "won": "green",
    "lost": "red",
    "drawn": "yellow",
    "head": "bold",
}


class Screen(Protocol):
    """`is_wide`: whether any character and colour may be used."""

    is_wide: bool

    def show(self, line: Line) -> None: ...

    def ask(self) -> str | None:
        """The next command, None when there is no more."""
        ...


class Pipe:
    """Plain text; what is read stands behind the prompt, so that the writing can be understood alone."""

    is_wide = False

    def show(self, line: Line) -> None:
        sys.stdout.write(clean("".join(text for text, _ in line)).rstrip() + "\n")

    def ask(self) -> str | None:
        sys.stdout.write(PROMPT)
        sys.stdout.flush()
        stdin = sys.stdin.buffer
        line = stdin.readline(LONGEST)
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stdin.readline(LONGEST)
        if not line:
            sys.stdout.write("\n")
            return None
        text = clean(line.decode(errors="replace").strip())
        sys.stdout.write(text + "\n")
        return text


class Terminal:
    """Colours where `rich` is installed, and a line editor where Python has one."""

    is_wide = True

    def __init__(self) -> None:
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        self.console: Any = None
        try:
            from rich.console import Console
        except ImportError:
            pass
        else:
            self.console = Console(highlight=False, soft_wrap=True)
        with suppress(ImportError):
            import readline  # noqa: F401  # `input` uses it

    def show(self, line: Line) -> None:
        if self.console is None:
            print(clean("".join(text for text, _ in line)).rstrip())
            return
        from rich.text import Text

        self.console.print(Text.assemble(*((clean(text), STYLES.get(style, "")) for text, style in line)))

    def ask(self) -> str | None:
        try:
            return clean(input(PROMPT)[:LONGEST].strip())
        except EOFError:
            print()
            return None


def screen() -> Screen:
    """The terminal if all that is written and read is there, else a pipe."""
    return Terminal() if sys.stdin.isatty() and sys.stdout.isatty() else Pipe()
