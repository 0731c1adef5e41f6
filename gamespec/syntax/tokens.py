"""Tokens, and the faults that are found while nodes are made of them."""

from __future__ import annotations

import re

import msgspec

from gamespec.diagnostics import Diagnostic
from gamespec.source import MappedSpan, Span
from gamespec.syntax import problems
from gamespec.syntax.tree import Text

ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([\s\S]))")
LETTERS = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}


class Token(msgspec.Struct, frozen=True):
    """A word, number, text or symbol. `kind` is its own text for keywords and symbols, else `<name>` and so on."""

    kind: str
    text: str
    span: Span


class Slip(Exception):
    """A fault that the grammar cannot see, found while a node is made."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def text_of(token: Token) -> Text:
    """The text that a quoted token means; a line end right after an opening `\"\"\"` is no part of it.

    Raises Slip at an escape that does not exist.
    """
    quotes = 3 if token.text.startswith('"""') else 1
    start, end = token.span.start + quotes, token.span.end - quotes
    raw = token.text[quotes:-quotes]
    if quotes == 3 and raw.startswith("\n"):
        start, raw = start + 1, raw[1:]
    if "\\" not in raw:
        return Text(value=raw, span=Span(start, end))
    pieces: list[str] = []
    jumps: list[tuple[int, int]] = []
    done = size = 0
    for escape in ESCAPE.finditer(raw):
        code = escape.group(1) or escape.group(2)
        letter = chr(int(code, 16)) if code else LETTERS.get(escape.group(3))
        if letter is None or 0xD800 <= ord(letter) < 0xE000:
            here = Span(start + escape.start(), start + escape.end())
            raise Slip(problems.UNKNOWN_ESCAPE.at(here, escape=escape.group()))
        pieces += raw[done : escape.start()], letter
        done = escape.end()
        size += len(pieces[-2]) + 1
        jumps.append((size, start + done))
    pieces.append(raw[done:])
    return Text(value="".join(pieces), span=MappedSpan(start, end, tuple(jumps)))
