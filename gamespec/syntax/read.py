"""Reads specs: a source in either spelling to its tree, and single expressions."""

from __future__ import annotations

from gamespec.diagnostics import Problems, SpecError
from gamespec.source import Source, Span
from gamespec.syntax import problems
from gamespec.syntax.clause import Clause, tree_of
from gamespec.syntax.parser import Fault, Parser
from gamespec.syntax.tokens import Slip
from gamespec.syntax.tree import Expr, Tree

SIZE_LIMIT = 1 << 18


def read(source: Source) -> Tree:
    """The tree of a spec. Raises SpecError with every fault that one reading can find."""
    found = Problems(source)
    return tree_of(read_clauses(source, found), found)


def read_clauses(source: Source, found: Problems) -> list[Clause]:
    """The clauses of a spec in file order. Raises SpecError with every fault of the writing."""
    if len(source.text) > SIZE_LIMIT:
        found.add(problems.TOO_LONG.at(Span(0, 0), size=len(source.text), limit=SIZE_LIMIT))
        found.stop_on_error()
    if source.spelling == "yaml":
        from gamespec.syntax.yaml import read_yaml

        clauses = read_yaml(source, found)
    else:
        from gamespec.syntax.text import read_text

        clauses = read_text(source, found)
    found.found.sort(key=lambda diagnostic: diagnostic.span.start if diagnostic.span else 0)
    found.stop_on_error()
    return clauses


def parse_expr(text: str, path: str) -> Expr:
    """A single expression, as after `-D x=`; `path` names it in messages. Raises SpecError."""
    source = Source(path, text)
    try:
        if len(text) > SIZE_LIMIT:
            raise Slip(problems.TOO_LONG.at(Span(0, 0), size=len(text), limit=SIZE_LIMIT))
        expr: Expr = Parser(text).parse("expr")
        return expr
    except Fault as fault:
        from gamespec.syntax.hints import explanation

        raise SpecError(explanation(fault, text, len(text), "value"), source=source) from None
    except Slip as slip:
        raise SpecError(slip.diagnostic, source=source) from None
