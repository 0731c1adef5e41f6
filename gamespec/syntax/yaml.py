"""Reads the YAML spelling: a walk over nodes that the schema drives; every value goes through the grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, assert_never

from gamespec.diagnostics import Diagnostic, Help, Note, Problems
from gamespec.source import Source, Span
from gamespec.syntax import problems
from gamespec.syntax.clause import Clause
from gamespec.syntax.parser import Fault, Parser
from gamespec.syntax.reduce import fields_named, move_of
from gamespec.syntax.relocate import relocated
from gamespec.syntax.schema import KEYS, ROWS, Row, Shape
from gamespec.syntax.tokens import Slip
from gamespec.syntax.tree import (
    Choose,
    Do,
    Expr,
    Into,
    Let,
    Level,
    Move,
    Out,
    Output,
    Param,
    Require,
    Terminal,
    Test,
    Text,
    When,
    Word,
)
from gamespec.syntax.yaml_nodes import REFUSED, Mapping, Node, Scalar, Sequence, nodes_of, quoted, text_span, verbatim

# Words that people try for a key.
MEANT = {"if": "when", "for": "choose", "where": "when", "name": "game", "description": "about", "then": "do"}


def read_yaml(source: Source, found: Problems) -> list[Clause]:
    """The clauses of a YAML spec, in file order. Adds a problem for every fault and goes on with the next value.

    Raises SpecError where the text is not YAML.
    """
    top = nodes_of(source, found)
    reader = Reader(source, found)
    if top is None:
        found.add(problems.NO_NAME.at(Span(0, 0)))
        return []
    if not isinstance(top, Mapping):
        found.add(problems.YAML_TOP.at(top.span))
        return []
    return list(reader.clauses(top))


class Reader:
    """Reads the values of one source. Methods return None for a value that could not be read."""

    def __init__(self, source: Source, found: Problems) -> None:
        self.source = source
        self.found = found
        self.parser = Parser(source.text)

    # --- clauses -----------------------------------------------------------------------------------------------

    def clauses(self, top: Mapping) -> Iterator[Clause]:
        """The clauses of the spec; `about` goes with `game`."""
        entries = self.entries(top, "the spec", KEYS)
        about = next((value for key, value in entries if key.value == "about"), None)
        for key, node in entries:
            if key.value == "about":
                if not any(other.value == "game" for other, _ in entries):
                    self.found.add(problems.NO_NAME.at(key.span))
                continue
            row = ROWS[key.value]
            if row.word == "game":
                name = self.value(node, row.rule, "`game`")
                text = None if about is None else self.text(about, "about")
                values: Iterable[Any] = () if name is None else ((name, text),)
            else:
                values = self.values(row, key, node)
            for value in values:
                if value is not None:
                    span = key.span.to(node.span)
                    if row.many and isinstance(value, (Param, Let, Move)):
                        span = value.span
                    yield Clause(row.word, value, span, key.span)

    def values(self, row: Row, key: Scalar, node: Node) -> Iterable[Any]:
        """The values of the clauses that one key of the spec holds."""
        where = f"`{row.word}`"
        match row.shape:
            case Shape.TEXT:
                return (self.text(node, row.word),)
            case Shape.VALUE:
                return (self.value(node, row.rule, where),)
            case Shape.VALUES:
                items = node.items if isinstance(node, Sequence) and not node.flow else [node]
                return [self.condition(row, item, where) for item in items]
            case Shape.NAMES:
                if isinstance(node, Sequence):
                    words = [self.value(item, "word", where) for item in node.items]
                    return (tuple(words) if all(words) else None,)
                return (self.value(node, row.rule, where),)
            case Shape.FLAG:
                if isinstance(node, Scalar) and node.value.lower() in ("", "true", "yes"):
                    return (Word(name=row.word, span=key.span),)
                self.wrong(node, where, "left empty, or `true`")
                return ()
            case Shape.ENTRIES:
                return self.each(node, where, lambda name, value: self.entry(row, name, value))
            case Shape.MOVES:
                return self.each(node, where, lambda name, value: self.move(row, name, value))
            case Shape.LEVEL:
                return (self.levels(row, key, node),)
            case Shape.OUTPUTS:
                return (self.outputs(row, node),)
            case Shape.TERMINALS:
                return self.terminals(row, node)
            case Shape.TESTS:
                items = node.items if isinstance(node, Sequence) else [node]
                return [self.test(row, item) for item in items]
        assert_never(row.shape)

    def condition(self, row: Row, node: Node, where: str) -> Any:
        """One element of a clause that may hold a list."""
        value = self.value(node, row.rule, where)
        return Require(condition=value, span=value.span) if value and row.word == "require" else value

    def entry(self, row: Row, key: Scalar, node: Node) -> Any:
        """One entry of `param`, `given`, `state` or `let`."""
        head = self.value(key, row.key_rule, f"the name in `{row.word}`")
        value = self.value(node, row.rule, f"`{key.value}`")
        if head is None or value is None:
            return None
        match row.word:
            case "param":
                return Param(name=head.name, value=value, name_span=head.span, span=head.span.to(value.span))
            case "let":
                word, params = head
                span = word.span.to(value.span)
                return Let(name=word.name, params=params, value=value, name_span=word.span, span=span)
            case _:
                return self.guarded(lambda: fields_named(head, value))

    def move(self, row: Row, key: Scalar, node: Node) -> Move | None:
        """One move: a mapping with the keys of the schema."""
        name = self.value(key, row.key_rule, "the name of a move")
        where = f"the move `{key.value}`"
        known = self.record(row, node, where)
        if known is None or name is None:
            return None
        read = {word: self.value(value, self.rule(row, word), f"`{word}`") for word, (_, value) in known.items()}
        if "do" in known and "into" in known:
            self.found.add(problems.TWO_EFFECTS.at(known["into"][0].span))
        if "gain" in known and "do" not in known:
            self.found.add(problems.GAIN_ALONE.at(known["gain"][0].span))
        if "do" not in known and "into" not in known:
            self.found.add(problems.NO_EFFECT.at(key.span, name=key.value))
            return None
        if any(value is None for value in read.values()):
            return None
        premises: list[Choose | When] = []
        if "choose" in read:
            premises.append(Choose(binds=read["choose"], span=known["choose"][1].span))
        if "when" in read:
            premises.append(When(condition=read["when"], span=known["when"][1].span))
        effect: Do | Into
        if "do" in read:
            effect = Do(updates=read["do"], gain=read.get("gain"), span=known["do"][1].span)
        else:
            effect = Into(parts=read["into"], span=known["into"][1].span)
        return move_of(name, read.get("by"), premises, effect, key.span.to(node.span))

    def levels(self, row: Row, key: Scalar, node: Node) -> tuple[Level, ...] | None:
        """The levels of `input`, outermost first."""
        levels: list[Level] = []
        where = "`input`"
        while True:
            known = self.record(row, node, where)
            if known is None:
                return None
            if "cases" not in known and "read" not in known:
                self.found.add(problems.MISSING_KEY.at(key.span, where=where, key="read"))
                return None
            cases = read = None
            if "cases" in known:
                cases = self.value(known["cases"][1], "cases", "`cases`")
            if "read" in known:
                read = self.value(known["read"][1], "items", "`read`")
            if ("cases" in known and cases is None) or ("read" in known and read is None):
                return None
            levels.append(Level(cases=cases, items=read or (), span=node.span))
            if "queries" not in known:
                return tuple(levels)
            key, node = known["queries"]
            where = "`queries`"

    def outputs(self, row: Row, node: Node) -> Output | None:
        """The texts of `output`, in order."""
        parts: list[Out] = []
        order: tuple[Expr, ...] = ()
        for mapping in node.items if isinstance(node, Sequence) else [node]:
            if not isinstance(mapping, Mapping):
                self.wrong(mapping, "`output`", "a mapping of `line`, `win`, `lose`, `draw` to texts")
                return None
            for key, value in self.entries(mapping, "`output`"):
                span = key.span.to(value.span)
                if key.value == "order":
                    order += self.value(value, self.rule(row, "order"), "`order`") or ()
                elif key.value == "distinct":
                    if not isinstance(value, Scalar) or value.value.lower() not in ("", "true", "yes"):
                        self.wrong(value, "`distinct`", "`yes`")
                    parts.append(Out(word="distinct", text=None, span=span))
                else:
                    text = self.text(value, key.value)
                    word = self.value(key, "word", "a word of `output`")
                    if text is not None and word is not None:
                        parts.append(Out(word=word.name, text=text, span=span))
        return Output(parts=tuple(parts), order=order, span=node.span)

    def terminals(self, row: Row, node: Node) -> list[Any]:
        """The conditions of `terminal`, in order: a tuple for each scalar and each mapping."""
        read: list[Any] = []
        for item in node.items if isinstance(node, Sequence) else [node]:
            if not isinstance(item, Mapping):
                read.append(self.value(item, row.rule, "`terminal`"))
                continue
            rules: list[Terminal] = []
            for key, value in self.entries(item, "`terminal`"):
                verdict = self.value(key, row.key_rule, "the verdict")
                condition = self.value(value, "expr", f"`{key.value}`")
                if verdict is not None and condition is not None:
                    rules.append(Terminal(condition=condition, verdict=verdict, span=key.span.to(value.span)))
            read.append(tuple(rules) or None)
        return read

    def test(self, row: Row, node: Node) -> Test | None:
        """One test: a mapping with `input` and `gives`."""
        known = self.record(row, node, "a test")
        if known is None:
            return None
        texts = {word: self.text(value, word) for word, (_, value) in known.items()}
        given, gives = texts.get("input"), texts.get("gives")
        return None if given is None or gives is None else Test(input=given, output=gives, span=node.span)

    # --- mappings ------------------------------------------------------------------------------------------------

    def record(self, row: Row, node: Node, where: str) -> dict[str, tuple[Scalar, Node]] | None:
        """The entries of a mapping whose keys the schema lists; None if it is no mapping or lacks a key."""
        words = [key.word for key in row.keys]
        if not isinstance(node, Mapping):
            self.wrong(node, where, "a mapping with the keys " + ", ".join(f"`{word}`" for word in words))
            return None
        known = {key.value: (key, value) for key, value in self.entries(node, where, words)}
        missing = [key.word for key in row.keys if key.required and key.word not in known]
        for word in missing:
            self.found.add(problems.MISSING_KEY.at(node.span, where=where, key=word))
        return None if missing else known

    def rule(self, row: Row, word: str) -> str:
        return next(key.rule for key in row.keys if key.word == word)

    def each(self, node: Node, where: str, read: Callable[[Scalar, Node], Any]) -> Iterator[Any]:
        """What `read` makes of every entry of a mapping."""
        if not isinstance(node, Mapping):
            self.wrong(node, where, "a mapping of names to values")
            return
        for key, value in self.entries(node, where):
            yield read(key, value)

    def entries(self, node: Mapping, where: str, words: Iterable[str] = ()) -> list[tuple[Scalar, Node]]:
        """The entries of a mapping without repeated keys, and without unknown ones if the known `words` are given."""
        first: dict[str, Scalar] = {}
        kept = []
        words = list(words)
        for key, value in node.entries:
            earlier = first.setdefault(key.value, key)
            if key.style == REFUSED:
                if not any(problem.span and problem.span.start == key.span.start for problem in self.found.found):
                    self.found.add(problems.COMPLEX_KEY.at(key.span))
                continue
            if earlier is not key:
                note = Note("it stands here before", earlier.span)
                helps = (Help("write a list: `- line: …` for each text"),) if where == "`output`" else ()
                self.found.add(problems.REPEATED_KEY.at(key.span, notes=(note,), helps=helps, key=key.value))
            elif words and key.value not in words:
                self.found.add(unknown_key(key, where, words))
            else:
                kept.append((key, value))
        return kept

    # --- values ----------------------------------------------------------------------------------------------------

    def value(self, node: Node, rule: str, where: str) -> Any:
        """What a scalar, or the source text of a collection in braces or brackets, is by a rule of the grammar."""
        if isinstance(node, Scalar):
            if node.style == REFUSED:
                return None
            if not node.value.strip():
                self.found.add(problems.NO_VALUE.at(node.span, where=where))
                return None
            if not verbatim(self.source, node):
                return self.resolved(node, rule)
            inner = node.inner
        elif node.flow:
            inner = node.span
        else:
            self.wrong(node, where, "one value")
            return None
        return self.guarded(lambda: self.parser.parse(rule, inner.start, inner.end), self.source.text, inner.end)

    def resolved(self, node: Scalar, rule: str) -> Any:
        """The value of a scalar with escapes: parsed from its text, with the place of the whole scalar."""
        parser = Parser(node.value)
        parser.tokens_left = self.parser.tokens_left
        value = self.guarded(lambda: parser.parse(rule), node.value, len(node.value), lambda span: node.span)
        self.parser.tokens_left = parser.tokens_left
        return relocated(value, lambda span: node.span)

    def guarded(
        self,
        make: Callable[[], Any],
        text: str = "",
        end: int = 0,
        place: Callable[[Span], Span] | None = None,
    ) -> Any:
        """What `make` returns; a fault of it becomes a problem and None."""
        try:
            return make()
        except Fault as fault:
            from gamespec.syntax.hints import explanation

            diagnostic = explanation(fault, text, end, "yaml")
        except Slip as slip:
            diagnostic = slip.diagnostic
        self.found.add(diagnostic if place is None else relocated(diagnostic, place))
        if self.parser.tokens_left < 0:
            self.found.stop_on_error()
        return None

    def text(self, node: Node, word: str) -> Text | None:
        """A text for people, taken as it is."""
        if not isinstance(node, Scalar):
            if not node.flow:
                self.wrong(node, f"`{word}`", "a text")
                return None
            sign = self.source.text[node.span.start]
            why = f"a text cannot begin with `{sign}` in YAML"
            self.found.add(self.quotes(problems.YAML_QUOTES, node.span, word, why=why))
            return None
        if node.style == REFUSED:
            return None
        if node.style == "":
            if not node.value:
                self.found.add(
                    problems.NO_VALUE.at(node.span, where=f"`{word}`", helps=(Help('write `""` for an empty text'),))
                )
                return None
            rest = self.source.text[node.span.end :].partition("\n")[0]
            comment = rest.strip()
            if comment.startswith("#") and ("{" in comment or not comment[1:2].isspace()) and rest.startswith(" #"):
                whole = Span(node.span.start, node.span.end + len(rest.rstrip()))
                self.found.add(self.quotes(problems.YAML_CUT, whole, word))
                return None
        return Text(value=node.value, span=text_span(self.source, node))

    def quotes(self, kind: Any, span: Span, word: str, **words: object) -> Diagnostic:
        """A problem that quotes would solve."""
        diagnostic: Diagnostic = kind.at(span, right=f"{word}: {quoted(self.source.slice(span))}", **words)
        return diagnostic

    def wrong(self, node: Node, where: str, right: str) -> None:
        """Adds the problem that a value has the wrong shape."""
        found = {Scalar: "one value", Mapping: "a mapping", Sequence: "a list"}[type(node)]
        if isinstance(node, Scalar) and not node.value:
            self.found.add(problems.NO_VALUE.at(node.span, where=where))
        else:
            self.found.add(problems.WRONG_SHAPE.at(node.span, where=where, right=right, found=found))


def unknown_key(key: Scalar, where: str, words: list[str]) -> Diagnostic:
    """The problem of a key that is not one of the words."""
    from gamespec.syntax.hints import closest

    meant = MEANT.get(key.value)
    if meant not in words:
        meant = closest(key.value, words)
    message = f"did you mean `{meant}`?" if meant else "keys are " + ", ".join(f"`{word}`" for word in words)
    return problems.UNKNOWN_KEY.at(key.span, key=key.value, where=where, helps=(Help(message),))
