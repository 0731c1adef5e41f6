"""The text spelling of clauses, in canonical layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gamespec.source import Source
from gamespec.syntax.clause import Clause
from gamespec.syntax.comments import Line
from gamespec.syntax.expression import Writer, escaped, quoted
from gamespec.syntax.schema import ROWS, Shape
from gamespec.syntax.tree import Do, Into, Level, Move, Output, Terminal, Test, Text, When

WIDTH = 100  # columns; what was written on one line stays there if it fits
LONG_TEXT = 72  # columns from which a text of several lines is written as such
STEP = 4


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
            yield from parts

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
        parts = list(self.move_parts(move))
        if parts[-1][0] == "gain":
            (_, done, start), (_, gained, _) = parts[-2:]
            parts[-2:] = [("do", f"{done} gain {gained}", start)]
        for word, value, start in parts:
            yield Line(f"{word} {value}", start, STEP)

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
