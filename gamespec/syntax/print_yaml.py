"""The YAML spelling of clauses, in canonical layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from gamespec.report import is_plain_yaml
from gamespec.source import Source
from gamespec.syntax.clause import Clause
from gamespec.syntax.comments import Line
from gamespec.syntax.expression import quoted
from gamespec.syntax.print_text import TextPrinter
from gamespec.syntax.schema import ROWS, Shape
from gamespec.syntax.tree import Level, Move, Output, Terminal, Test, Text
from gamespec.syntax.wrap import wrapped

STEP = 2
TEXTS = ("game", "source", "rules", "output", "test")
"""Clauses of texts, whose lines stay as they are."""
NAMES = re.compile(r"\{\w+(, \w+)*\}")


class YamlPrinter:
    """Prints clauses; those of one kind come under the key of the first, in order."""

    def __init__(self, source: Source) -> None:
        self.words = TextPrinter(source)

    def lines(self, clauses: Iterable[Clause]) -> Iterator[Line]:
        groups: dict[str, list[Clause]] = {}
        for clause in clauses:
            groups.setdefault(clause.word, []).append(clause)
        for word, group in groups.items():
            lines = self.group(word, group)
            yield from lines if word in TEXTS else map(broken, lines)

    def group(self, word: str, group: list[Clause]) -> Iterator[Line]:
        """The lines of all clauses of a kind."""
        first = group[0]
        value, start = first.value, min(first.span.start, first.word_span.start)
        match ROWS[word].shape:
            case Shape.TEXT:
                yield text_line(word, value, start, 0)
            case Shape.VALUE if word == "game":
                name, about = value
                yield Line(f"game: {name.name}", start)
                if about is not None:
                    yield text_line("about", about, about.span.start, 0)
            case Shape.FLAG:
                yield Line(f"{word}: true", start)
            case Shape.ENTRIES:
                yield Line(f"{word}:", start)
                for clause in group:
                    head, right, at = self.words.head_and_value(word, clause.value)
                    yield Line(f"{head}: {scalar(right)}", at, STEP)
            case Shape.MOVES:
                yield Line(f"{word}:", start)
                for clause in group:
                    yield from self.move(clause.value)
            case Shape.LEVEL:
                yield from self.levels(word, value, start)
            case Shape.OUTPUTS:
                yield from self.outputs(value, start)
            case Shape.TERMINALS:
                yield from self.terminals([terminal for clause in group for terminal in clause.value], start)
            case Shape.TESTS:
                yield Line(f"{word}:", start)
                for clause in group:
                    yield from self.test(clause.value)
            case Shape.VALUE | Shape.NAMES:
                yield Line(f"{word}: {scalar(self.words.value(word, value))}", start)
            case Shape.VALUES:
                yield from self.values(word, group, start)

    def values(self, word: str, group: list[Clause], start: int) -> Iterator[Line]:
        """One value, or a list of them."""
        texts = [scalar(self.words.value(word, clause.value)) for clause in group]
        if len(texts) == 1:
            yield Line(f"{word}: {texts[0]}", start)
            return
        yield Line(f"{word}:", start)
        for text, clause in zip(texts, group, strict=True):
            yield Line(f"- {text}", value_start(clause), STEP)

    def move(self, move: Move) -> Iterator[Line]:
        yield Line(f"{move.name}:", move.name_span.start, STEP)
        if move.by is not None:
            yield Line(f"by: {move.by}", move.name_span.end, 2 * STEP)
        for word, value, start in self.words.move_parts(move):
            yield Line(f"{word}: {scalar(value)}", start, 2 * STEP)

    def levels(self, word: str, levels: tuple[Level, ...], start: int) -> Iterator[Line]:
        indent = 0
        for level in levels:
            yield Line(f"{word}:", start, indent)
            indent += STEP
            for key, value, at in self.words.level_parts(level):
                yield Line(f"{key}: {scalar(value)}", at, indent)
            word, start = "queries", level.span.end

    def outputs(self, output: Output, start: int) -> Iterator[Line]:
        """A mapping, or a list if a word repeats."""
        yield Line("output:", start)
        parts = output.parts
        item = "- " if len({part.word for part in parts}) < len(parts) else ""
        for part in parts:
            if part.text is None:
                yield Line(f"{item}{part.word}: yes", part.span.start, STEP)
            else:
                yield text_line(item + part.word, part.text, part.span.start, STEP)
        if output.order:
            keys = scalar(self.words.writer.exprs(output.order))
            yield Line(f"{item}order: {keys}", output.order[0].span.start, STEP)

    def terminals(self, terminals: list[Terminal], start: int) -> Iterator[Line]:
        """A condition, a mapping of verdicts to conditions, or a list."""
        writer = self.words.writer
        if len(terminals) == 1 and terminals[0].verdict is None:
            yield Line(f"terminal: {scalar(writer.expr(terminals[0].condition))}", start)
            return
        yield Line("terminal:", start)
        keys = [None if terminal.verdict is None else writer.verdict(terminal.verdict) for terminal in terminals]
        item = "- " if None in keys or len(set(keys)) < len(keys) else ""
        for key, terminal in zip(keys, terminals, strict=True):
            verdict = "" if key is None else f"{key}: "
            yield Line(f"{item}{verdict}{scalar(writer.expr(terminal.condition))}", terminal.span.start, STEP)

    def test(self, test: Test) -> Iterator[Line]:
        yield text_line("- input", test.input, test.span.start, STEP)
        yield text_line("gives", test.output, test.output.span.start, 2 * STEP)


def broken(line: Line) -> Line:
    """A line with an expression in lines that are not too long; its key stays on the first one."""
    return replace(line, text=wrapped(line.text, line.indent, 2 * STEP, line.text.find(": ")))


def value_start(clause: Clause) -> int:
    """The offset of the value of a `require` or `symmetry`."""
    value: Any = clause.value[0] if isinstance(clause.value, tuple) else clause.value
    start: int = value.span.start
    return start


def scalar(text: str) -> str:
    """An expression as a YAML value: plain, or in quotes where YAML would read something else."""
    if is_plain_yaml(text) or NAMES.fullmatch(text):
        return text
    return quoted(text) if '"' not in text else "'" + text.replace("'", "''") + "'"


def text_line(key: str, text: Text, anchor: int, indent: int) -> Line:
    """A key with a text: plain, as a literal block, or in quotes with escapes."""
    value = text.value
    if "\n" in value and not value.endswith("\n\n") and is_block(value):
        sign = "|" if value.endswith("\n") else "|-"
        lead = " " * (indent + STEP + (STEP if key.startswith("- ") else 0))
        lines = [lead + line if line else "" for line in value.removesuffix("\n").split("\n")]
        return Line("\n".join([f"{key}: {sign}", *lines]), anchor, indent, head=True)
    plain = is_plain_yaml(value) and value.isprintable()
    return Line(f"{key}: {value if plain else quoted(value)}", anchor, indent)


def is_block(value: str) -> bool:
    """Whether a text can stand in a literal block: printable lines, the first one not blank or indented."""
    lines = value.removesuffix("\n").split("\n")
    printable = all(line.isprintable() and (line.strip() or not line) for line in lines)
    return printable and bool(lines[0]) and not lines[0].startswith(" ")
