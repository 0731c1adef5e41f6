"""The text spelling of clauses, in canonical layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from msgspec.structs import replace

from gamespec.source import Source
from gamespec.syntax.clause import Clause
from gamespec.syntax.comments import Line, text_comments
from gamespec.syntax.expression import Writer, escaped, quoted
from gamespec.syntax.schema import ROWS, Shape
from gamespec.syntax.tree import Do, Into, Level, Move, Node, Output, Terminal, Test, Text, When
from gamespec.syntax.wrap import WIDTH, wrapped

LONG_TEXT = 72  # columns from which a text of several lines is written as such
STEP = 4

N = TypeVar("N", bound=Node)


class TextPrinter:
    """Prints the clauses of a source. A clause written on one line stays on one line if it fits."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.writer = Writer(source)

    def lines(self, clauses: Iterable[Clause]) -> Iterator[Line]:
        for clause in clauses:
            parts = list(self.clause(clause))
            if self.source.spelling == "text" and "\n" not in self.source.slice(clause.span):
                text = " ".join(part.text for part in parts)
                if len(text) <= WIDTH:
                    yield Line(text, parts[0].anchor)
                    continue
            if clause.word == "output":
                parts[1:] = aligned(parts[1:])
            for part in parts:
                whole = "\n" in part.text  # a long text, which has lines of its own
                yield part if whole else replace(part, text=wrapped(part.text, part.indent, STEP))

    def clause(self, clause: Clause) -> Iterator[Line]:
        """The lines of one clause."""
        word, value, start = clause.word, clause.value, clause.span.start
        match ROWS[word].shape:
            case Shape.TEXT:
                yield Line(f"{word} {text_text(value, 0)}", start)
            case Shape.VALUE if word == "game":
                name, about = value
                yield Line(f"game {name.name}" + (f" {quoted(about.value)}" if about else ""), start)
            case Shape.FLAG:
                yield Line(word, start)
            case Shape.ENTRIES:
                yield self.entry(word, value)
            case Shape.MOVES:
                yield from self.move(value)
            case Shape.LEVEL:
                yield from self.levels(word, value, clause.word_span.start)
            case Shape.OUTPUTS:
                yield from self.outputs(value, clause.word_span.start)
            case Shape.TERMINALS:
                yield from self.terminals(value)
            case Shape.TESTS:
                yield self.test(value)
            case Shape.VALUE | Shape.VALUES if word in ("start", "symmetry"):
                if isinstance(value, Into):
                    yield from self.listed("start into", value.parts, self.writer.parts, start)
                else:
                    yield from self.listed(word, value, self.writer.updates, start)
            case Shape.VALUE | Shape.VALUES | Shape.NAMES:
                yield Line(f"{word} {self.value(word, value)}", start)

    def value(self, word: str, value: Any) -> str:
        """The value of a clause that has only one; the same in YAML."""
        match word:
            case "require":
                return self.writer.expr(value.condition)
            case "start" if isinstance(value, Into):
                return f"into {self.writer.parts(value.parts)}"
            case "start" | "symmetry":
                return self.writer.updates(value)
            case "players":
                return ", ".join(player.name for player in value)
            case "endless":
                return self.writer.verdict(value)
            case _:
                return str(value.name)

    def entry(self, word: str, value: Any) -> Line:
        head, right, start = self.head_and_value(word, value)
        sign = ": " if word in ("given", "state") else " = "
        return Line(f"{word} {head}{sign}{right}", start)

    def head_and_value(self, word: str, value: Any) -> tuple[str, str, int]:
        """Left and right side of an entry of `param`, `given`, `state` or `let`, and its offset; the same in YAML."""
        match word:
            case "param":
                return value.name, self.writer.expr(value.value), value.name_span.start
            case "let":
                params = "" if value.params is None else f"({', '.join(value.params)})"
                return value.name + params, self.writer.expr(value.value), value.name_span.start
            case _:
                names = ", ".join(field.name for field in value)
                return names, self.writer.type(value[0].type), value[0].name_span.start

    def move(self, move: Move) -> Iterator[Line]:
        yield Line(f"move {move.name}" + (f" by {move.by}" if move.by else ""), move.name_span.start)
        for premise in move.premises:
            if isinstance(premise, When):
                yield Line(f"when {self.writer.expr(premise.condition)}", premise.span.start, STEP)
            else:
                yield from self.listed("choose", premise.binds, self.writer.binds, premise.span.start, STEP)
        effect = move.effect
        if isinstance(effect, Do):
            done = list(self.listed("do", effect.updates, self.writer.updates, effect.span.start, STEP))
            if effect.gain is not None:
                done[-1] = replace(done[-1], text=f"{done[-1].text} gain {self.writer.expr(effect.gain)}")
            yield from done
        else:
            yield from self.listed("into", effect.parts, self.writer.parts, effect.span.start, STEP)

    def listed(
        self, word: str, items: tuple[N, ...], text: Callable[[tuple[N, ...]], str], start: int, indent: int = 0
    ) -> Iterator[Line]:
        """A word and its list: a line for each item where comments stand between them, as these belong to items."""
        starts = [item.span.start for item in items]
        if not any(starts[0] < comment < starts[-1] for comment in self.comments if items):
            yield Line(f"{word} {text(items)}", start, indent)
            return
        for place, item in enumerate(items):
            comma = "," * (place < len(items) - 1)
            if place == 0:
                yield Line(f"{word} {text((item,))}{comma}", start, indent)
            else:
                yield Line(f"{text((item,))}{comma}", starts[place], indent + STEP)

    @cached_property
    def comments(self) -> list[int]:
        """Where the comments of a source in this spelling begin."""
        return [start for start, _ in text_comments(self.source)] if self.source.spelling == "text" else []

    def move_parts(self, move: Move) -> Iterator[tuple[str, str, int]]:
        """The words of a move with their values and offsets; the same in YAML."""
        for premise in move.premises:
            if isinstance(premise, When):
                yield "when", self.writer.expr(premise.condition), premise.span.start
            else:
                yield "choose", self.writer.binds(premise.binds), premise.span.start
        effect = move.effect
        if isinstance(effect, Do):
            yield "do", self.writer.updates(effect.updates), effect.span.start
            if effect.gain is not None:
                yield "gain", self.writer.expr(effect.gain), effect.gain.span.start
        else:
            yield "into", self.writer.parts(effect.parts), effect.span.start

    def levels(self, word: str, levels: tuple[Level, ...], start: int) -> Iterator[Line]:
        indent = 0
        for level in levels:
            yield Line(word, start, indent)
            indent += STEP
            for key, value, at in self.level_parts(level):
                if key == "read":
                    yield from self.listed(key, level.items, self.writer.items, at, indent)
                else:
                    yield Line(f"{key} {value}", at, indent)
            word, start = "queries", level.span.end

    def level_parts(self, level: Level) -> Iterator[tuple[str, str, int]]:
        """The words of a level with their values and offsets; the same in YAML."""
        if level.cases is not None:
            start = level.span.start if isinstance(level.cases, str) else level.cases.span.start
            yield "cases", self.writer.cases(level.cases), start
        if level.items:
            yield "read", self.writer.items(level.items), level.items[0].span.start

    def outputs(self, output: Output, start: int) -> Iterator[Line]:
        yield Line("output", start)
        for part in output.parts:
            words = part.word if part.text is None else f"{part.word} {quoted(part.text.value)}"
            yield Line(words, part.span.start, STEP)
        if output.order:
            yield Line(f"order {self.writer.exprs(output.order)}", output.order[0].span.start, STEP)

    def terminals(self, terminals: tuple[Terminal, ...]) -> Iterator[Line]:
        if len(terminals) == 1:
            yield Line(f"terminal {self.rule(terminals[0])}", terminals[0].span.start)
            return
        yield Line("terminal", terminals[0].span.start)
        for terminal in terminals:
            yield Line(self.rule(terminal), terminal.span.start, STEP)

    def rule(self, terminal: Terminal) -> str:
        condition = self.writer.expr(terminal.condition)
        return condition if terminal.verdict is None else f"{self.writer.verdict(terminal.verdict)} when {condition}"

    def test(self, test: Test) -> Line:
        texts = [text_text(test.input), text_text(test.output)]
        return Line(f"test {texts[0]} gives {texts[1]}", test.span.start)


def aligned(lines: Sequence[Line]) -> list[Line]:
    """Lines of a word and a text, with the texts below each other."""
    width = max((line.text.index(" ") for line in lines if '"' in line.text), default=0)
    made = []
    for line in lines:
        word, _, text = line.text.partition(" ")
        made.append(Line(f"{word:<{width}} {text}" if '"' in text else line.text, line.anchor, line.indent))
    return made


def text_text(text: Text, widest: int = LONG_TEXT) -> str:
    """A text in quotes; one of several lines that is wider stands between three quotes on lines of its own."""
    short = quoted(text.value)
    if "\n" not in text.value or len(short) <= widest:
        return short
    body = "".join(char if char in '\n"' else escaped(char) for char in text.value)
    if '""' in body or body.endswith('"'):
        body = body.replace('"', '\\"')
    return f'"""\n{body}"""'
