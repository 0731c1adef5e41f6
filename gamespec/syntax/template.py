"""Takes output texts apart: words, and holes in braces with an expression and a format."""

from __future__ import annotations

import re
from typing import Any

from gamespec.diagnostics import Problems
from gamespec.source import Span
from gamespec.syntax import problems
from gamespec.syntax.parser import Fault, Parser
from gamespec.syntax.relocate import relocated
from gamespec.syntax.tokens import Slip
from gamespec.syntax.tree import Expr, Hole, Name, Text

LISTED = ("winning_moves", "best_moves")
"""The answers after whose `:` expressions stand, not a format."""

SIDED = "total"
"""The answer after whose `:` the name of a player may stand."""

BRACES = re.compile(r"\{\{|\}\}|\{|\}")


def parse_template(text: Text, found: Problems) -> tuple[str | Hole, ...]:
    """The pieces of a text: words (with `{{` and `}}` made braces) and holes.

    Adds a problem for every hole that cannot be read, and leaves that hole out.
    """
    value = text.value
    pieces: list[str | Hole] = []
    words = ""
    at = 0
    while (brace := BRACES.search(value, at)) is not None:
        words += value[at : brace.start()]
        at = brace.end()
        if len(brace.group()) == 2:
            words += brace.group()[0]
        elif brace.group() == "}":
            found.add(problems.STRAY_BRACE.at(text.span.part(brace.start(), brace.end())))
        else:
            end = hole_end(value, at)
            if end is None:
                found.add(problems.UNCLOSED_HOLE.at(text.span.part(brace.start(), brace.end())))
                break
            hole = hole_of(text, at, end, found)
            pieces += [piece for piece in (words, hole) if piece]
            words, at = "", end + 1
    words += value[at:]
    return (*pieces, words) if words else tuple(pieces)


def hole_end(value: str, begin: int) -> int | None:
    """The index of the brace that closes a hole, or None."""
    depth = 1
    for at in range(begin, len(value)):
        if value[at] == "{":
            depth += 1
        elif value[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return None


def hole_of(text: Text, begin: int, end: int, found: Problems) -> Hole | None:
    """The hole whose inside is a slice of the text."""

    def place(span: Span) -> Span:
        return text.span.part(span.start, span.end)

    span = text.span.part(begin - 1, end + 1)
    inside, colon, spec = text.value[begin:end].partition(":")
    if not inside.strip():
        found.add(problems.EMPTY_HOLE.at(span))
        return None

    def parsed(rule: str, begin: int, end: int) -> Any:
        try:
            return relocated(Parser(text.value).parse(rule, begin, end), place)
        except Fault as fault:
            from gamespec.syntax.hints import explanation

            found.add(relocated(explanation(fault, text.value, end, "value"), place))
        except Slip as slip:
            found.add(relocated(slip.diagnostic, place))
        return None

    expr: Expr | None = parsed("expr", begin, begin + len(inside))
    if expr is None:
        return None
    name = expr.name if isinstance(expr, Name) else None
    is_sided = name == SIDED and spec.strip()[:1].isidentifier()
    if not (is_sided or (name in LISTED and spec.strip())):
        return Hole(expr=expr, name=name, spec=spec.strip() if colon else None, span=span)
    values: tuple[Expr, ...] | None = parsed("args", begin + len(inside) + 1, end)
    return None if values is None else Hole(expr=expr, name=name, values=values, joints=joints(spec), span=span)


def joints(listed: str) -> tuple[str, ...]:
    """What is printed between values: a comma where `r,c` is written without a blank, else a blank."""
    found = []
    depth = 0
    for at, char in enumerate(listed):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            found.append(" " if " " in listed[at - 1 : at + 2] else ",")
    return tuple(found)
