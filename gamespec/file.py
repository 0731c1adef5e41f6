"""Reads spec files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from gamespec.diagnostics import Kind, SpecError, UsageError
from gamespec.source import Source, Span

UNREADABLE = Kind("GS502", "cannot read {path}: {reason}")
NOT_UTF8 = Kind("GS090", "this is not UTF-8 text: the byte {byte} does not belong here", help="save the file as UTF-8")
NO_SPECS = Kind("GS512", "no specs in {path}", help="specs end in .yaml, .yml or .game")

SUFFIXES = {".yaml": "yaml", ".yml": "yaml", ".game": "text"}
LONGEST = 4 << 20  # bytes read at most; the reader of specs refuses far shorter ones
STDIN = "-"


def open_source(path: str) -> Source:
    """The text of a spec file; `-` is standard input.

    Raises UsageError for a file that cannot be read, SpecError for one that is not UTF-8.
    """
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(LONGEST)
        else:
            with open(path, "rb") as file:
                data = file.read(LONGEST)
    except OSError as error:
        raise UsageError(UNREADABLE.at(None, path=path, reason=error.strerror or error)) from None
    shown = "<stdin>" if path == STDIN else path
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        if len(data) == LONGEST and error.end == LONGEST:
            text = data.decode(errors="ignore")
        else:
            text = data.decode(errors="replace")
            start = len(data[: error.start].decode(errors="replace"))
            source = Source(shown, text, spelling_of(path, text))
            byte = f"{data[error.start]:#04x}"
            raise SpecError(NOT_UTF8.at(Span(start, start + 1), byte=byte), source=source) from None
    return Source(shown, text, spelling_of(path, text))


def open_input(path: str) -> BinaryIO:
    """A file of input, open for reading; raises UsageError."""
    try:
        return open(path, "rb")
    except OSError as error:
        raise UsageError(UNREADABLE.at(None, path=path, reason=error.strerror or error)) from None


def spelling_of(path: str, text: str) -> str:
    """`yaml` or `text`, from the suffix, else from the first words."""
    known = SUFFIXES.get(os.path.splitext(path)[1].lower())
    if known:
        return known
    for line in text.split("\n", 200)[:200]:
        bare = line.strip()
        if bare and not bare.startswith("#"):
            word = bare.split(maxsplit=1)[0]
            return "yaml" if word.endswith(":") or bare == "---" else "text"
    return "text"


def find_specs(paths: Iterable[str]) -> list[str]:
    """The files named, and the specs in the folders named (and below), in alphabetic order within a folder.

    Raises UsageError for a folder without specs.
    """
    found = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        here = []
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            here += [
                os.path.join(folder, name) for name in sorted(files) if os.path.splitext(name)[1].lower() in SUFFIXES
            ]
        if not here:
            raise UsageError(NO_SPECS.at(None, path=path))
        found += here
    return found
