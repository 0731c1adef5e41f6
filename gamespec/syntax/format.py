"""The canonical layout of a spec, in its own spelling or in the other one."""

from __future__ import annotations

from gamespec.diagnostics import Problems
from gamespec.source import Source
from gamespec.syntax.comments import laid_out
from gamespec.syntax.print_text import TextPrinter
from gamespec.syntax.print_yaml import YamlPrinter
from gamespec.syntax.read import read_clauses


def format_source(source: Source) -> str:
    """The spec in canonical layout: the same tree, the same comments. Raises SpecError if it cannot be read.

    Clauses keep their order. Between them one blank line stays where at least one was.
    """
    return convert_source(source, source.spelling)


def convert_source(source: Source, spelling: str) -> str:
    """The spec in a spelling (`text` or `yaml`), in canonical layout, with its comments.

    Raises SpecError if it cannot be read.
    """
    clauses = read_clauses(source, Problems(source))
    printer = YamlPrinter(source) if spelling == "yaml" else TextPrinter(source)
    return laid_out(list(printer.lines(clauses)), source)
