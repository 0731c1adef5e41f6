"""Reads the text spelling."""

from __future__ import annotations

import re

from gamespec.diagnostics import Problems
from gamespec.source import Source
from gamespec.syntax.clause import Clause
from gamespec.syntax.parser import Fault, Parser
from gamespec.syntax.schema import ROWS
from gamespec.syntax.tokens import Slip

# Where reading can go on after a fault: a clause word at the begin of a line, not within a text or a comment.
RESUME = re.compile(
    r'"""(?:\\[\s\S]|[^\\])*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*+"?|#[^\n]*|'
    r"^[ \t]*(?P<word>" + "|".join(ROWS) + r")\b",
    re.MULTILINE,
)


def read_text(source: Source, found: Problems) -> list[Clause]:
    """The clauses of a text spec, in file order. Adds a problem for every fault and goes on at the next clause."""
    parser = Parser(source.text)
    begin = 0
    while True:
        try:
            clauses: list[Clause] = parser.parse("clauses", begin)
            return clauses
        except Fault as fault:
            from gamespec.syntax.hints import explanation

            found.add(explanation(fault, source.text, len(source.text), "text"))
            at = fault.token.span.start
        except Slip as slip:
            found.add(slip.diagnostic)
            at = slip.diagnostic.span.end if slip.diagnostic.span else len(source.text)
            if parser.tokens_left < 0:
                return []
        next_clause = resumption(source.text, max(at, begin + 1))
        if next_clause is None:
            return []
        begin = next_clause


def resumption(text: str, at: int) -> int | None:
    """The offset of the first clause word at or after an offset, or None."""
    line = text.rfind("\n", 0, at) + 1
    start = line if not text[line:at].strip() else at
    for match in RESUME.finditer(text, start):
        if match.group("word") and match.start("word") >= at:
            return match.start("word")
    return None
