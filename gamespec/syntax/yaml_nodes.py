"""YAML as nodes with exact places: events first, every feature that specs do not use refused, no scalar resolved."""

from __future__ import annotations

import re
from typing import Any, NoReturn

import msgspec

from gamespec.diagnostics import Diagnostic, Note, Problems
from gamespec.source import MappedSpan, Source, Span
from gamespec.syntax import problems

DEPTH_LIMIT = 50
EVENT_LIMIT = 50_000
REFUSED = "refused"

# A line that holds a value: its key with the indentation, and the value.
KEY_LINE = re.compile(r"^(?P<key>\s*(?:- +)*[^\s:#\"'][^:#]*:)\s+(?P<value>\S.*?)\s*$")
VERSE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^xuU\n])")


class Scalar(msgspec.Struct, frozen=True):
    """A scalar: `value` as YAML reads it, `inner` the source between its quotes or after its `|`.

    `style` is empty for a plain scalar, else the quote, `|` or `>`; `refused` for what was found wrong already.
    """

    value: str
    style: str
    span: Span
    inner: Span


class Mapping(msgspec.Struct, frozen=True):
    """Keys and values in order; `flow` if it is written in braces."""

    entries: list[tuple[Scalar, Node]]
    span: Span
    flow: bool


class Sequence(msgspec.Struct, frozen=True):
    """A list; `flow` if it is written in brackets."""

    items: list[Node]
    span: Span
    flow: bool


Node = Scalar | Mapping | Sequence


class Open(msgspec.Struct):
    """A collection that is being read."""

    kind: str
    start: int
    flow: bool
    allowed: bool
    parts: list[Node]


def nodes_of(source: Source, found: Problems) -> Node | None:
    """The top node of a YAML text, None for an empty one.

    Raises SpecError where the text is not YAML or nested too deeply; what specs do not use becomes a problem.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return Composer(source, found).compose(yaml.parse(source.text, Loader=loader))
    except yaml.YAMLError as error:
        refuse(found, diagnosis(source, error))
    except UnicodeEncodeError as error:
        refuse(found, problems.NOT_YAML.at(Span(error.start, error.end), problem="a lone surrogate"))


def refuse(found: Problems, diagnostic: Diagnostic) -> NoReturn:
    """Adds the diagnostic and stops: nothing after it can be trusted."""
    found.add(diagnostic)
    found.stop_on_error()
    raise AssertionError("an error was added")


class Composer:
    """Makes nodes of events without recursion."""

    def __init__(self, source: Source, found: Problems) -> None:
        self.source = source
        self.found = found

    def compose(self, events: Any) -> Node | None:
        stack: list[Open] = []
        top: Node | None = None
        documents = 0
        for count, event in enumerate(events):
            kind = type(event).__name__
            span = Span(event.start_mark.index, event.end_mark.index)
            if count > EVENT_LIMIT:
                refuse(self.found, problems.TOO_MANY_TOKENS.at(span, limit=EVENT_LIMIT))
            node: Node | None = None
            match kind:
                case "DocumentStartEvent":
                    documents += 1
                    if documents > 1:
                        refuse(self.found, problems.YAML_DOCUMENTS.at(span))
                case "AliasEvent":
                    self.found.add(problems.YAML_ALIAS.at(span))
                    node = Scalar(event.anchor, REFUSED, span, span)
                case "ScalarEvent":
                    node = self.scalar(event, span)
                    if not self.allowed(event, span):
                        node = Scalar(event.value, REFUSED, span, span)
                case "MappingStartEvent" | "SequenceStartEvent":
                    allowed = self.allowed(event, span)
                    if len(stack) >= DEPTH_LIMIT:
                        refuse(self.found, problems.YAML_DEEP.at(span, limit=DEPTH_LIMIT))
                    stack.append(Open(kind, span.start, bool(event.flow_style), allowed, []))
                case "MappingEndEvent" | "SequenceEndEvent":
                    node = self.closed(stack.pop(), span.end)
            if node is None:
                continue
            if stack:
                stack[-1].parts.append(node)
            else:
                top = node
        return top

    def allowed(self, event: Any, span: Span) -> bool:
        """Whether a node has no anchor and no tag; adds a problem if it has."""
        if event.anchor is not None:
            self.found.add(problems.YAML_ANCHOR.at(span))
        if event.tag is not None:
            self.found.add(problems.YAML_TAG.at(span))
        return event.anchor is None and event.tag is None

    def scalar(self, event: Any, span: Span) -> Scalar:
        style = event.style or ""
        inner = span
        if style in ('"', "'"):
            inner = Span(span.start + 1, span.end - 1)
        elif style:
            header = self.source.text.find("\n", span.start, span.end)
            inner = Span(span.end if header < 0 else header + 1, span.end)
        return Scalar(event.value, style, span, inner)

    def closed(self, opened: Open, end: int) -> Node:
        """The collection that ends here. A block collection ends where its last part does."""
        parts = opened.parts
        if not opened.flow and parts:
            end = parts[-1].span.end
        span = Span(opened.start, end)
        if not opened.allowed:
            return Scalar("", REFUSED, span, span)
        if opened.kind == "SequenceStartEvent":
            return Sequence(parts, span, opened.flow)
        entries: list[tuple[Scalar, Node]] = []
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            entries.append((self.key(key, opened.flow), value))
        return Mapping(entries, span, opened.flow)

    def key(self, node: Node, flow: bool) -> Scalar:
        """The key of an entry. In braces it may be anything, as the whole may be a set to be read as it is written."""
        if not isinstance(node, Scalar):
            if not flow:
                self.found.add(problems.COMPLEX_KEY.at(node.span))
            return Scalar(self.source.slice(node.span), REFUSED, node.span, node.span)
        if node.value == "<<" and not node.style:
            self.found.add(problems.YAML_MERGE.at(node.span))
            return Scalar(node.value, REFUSED, node.span, node.span)
        return node


def verbatim(source: Source, scalar: Scalar) -> bool:
    """Whether the source inside a scalar, read as an expression, means the same as its value."""
    inner = source.slice(scalar.inner)
    return ("\\" not in inner or scalar.style != '"') and ("''" not in inner or scalar.style != "'")


def text_span(source: Source, scalar: Scalar) -> Span:
    """The span of the text of a scalar, so that each part of the text has its exact place where that is possible."""
    raw, span = source.slice(scalar.inner), scalar.inner
    if raw == scalar.value:
        return span
    jumps: list[tuple[int, int]] = []
    if scalar.style == "|":
        index, offset = 0, span.start
        for line, raw_line in zip(scalar.value.split("\n"), raw.split("\n"), strict=False):
            jumps.append((index, offset + len(raw_line.rstrip("\r")) - len(line)))
            index += len(line) + 1
            offset += len(raw_line) + 1
    elif scalar.style == '"' and "\n" not in raw:
        shorter = 0
        for escape in VERSE.finditer(raw):
            shorter += len(escape.group()) - 1
            jumps.append((escape.end() - shorter, span.start + escape.end()))
    return MappedSpan(span.start, span.end, tuple(jumps))


# --- faults of the YAML itself ---------------------------------------------------------------------------------


def diagnosis(source: Source, error: Any) -> Diagnostic:
    """What is wrong where PyYAML stopped, in terms of the value that was meant."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        at = min(max(getattr(error, "position", 0), 0), len(source.text))
        return problems.NOT_YAML.at(Span(at, at + 1), problem=f"{getattr(error, 'reason', error)}")
    text = source.text
    at = min(mark.index, max(len(text) - 1, 0))
    start = text.rfind("\n", 0, at) + 1
    if "nesting" in (getattr(error, "problem", None) or ""):
        return problems.YAML_DEEP.at(Span(at, at + 1), limit=DEPTH_LIMIT)
    context, begun = getattr(error, "context", None) or "", getattr(error, "context_mark", None)
    for _ in range(2):
        end = text.find("\n", start)
        line = text[start : len(text) if end < 0 else end]
        if "\t" in line[: len(line) - len(line.lstrip())]:
            tab = start + line.index("\t")
            return problems.YAML_TAB.at(Span(tab, tab + 1))
        found = KEY_LINE.match(line)
        if found is not None:
            why = misread(found.group("value"))
            value = Span(start + found.start("value"), start + found.end("value"))
            if found.group("value").startswith("!"):
                return problems.YAML_TAG.at(value)
            if why:
                right = f"{found.group('key').strip()} {quoted(found.group('value'))}"
                return problems.YAML_QUOTES.at(value, why=why, right=right.removeprefix("- "))
        start = text.rfind("\n", 0, max(start - 1, 0)) + 1
    if begun is not None and "quoted scalar" in context:
        return problems.UNCLOSED_QUOTE.at(Span(begun.index, begun.index + 1))
    if begun is not None and "flow" in context and (bracket := text[begun.index : begun.index + 1]):
        return problems.UNCLOSED_BRACKET.at(Span(begun.index, begun.index + 1), bracket=bracket)
    if begun is not None and "':'" in (getattr(error, "problem", None) or ""):
        return problems.YAML_NO_COLON.at(Span(begun.index, begun.index + 1))
    notes = [Note("this is being read", Span(begun.index, begun.index + 1))] if begun is not None else []
    problem = getattr(error, "problem", None) or "it cannot be read"
    return problems.NOT_YAML.at(Span(at, at + 1), notes=notes, problem=problem)


def misread(value: str) -> str:
    """Why YAML does not take a one-line value as it is meant; empty if it may."""
    first = value[0]
    if first in "\"'":
        return "" if value.count(first) % 2 else "YAML ends this value at the second quote"
    if first in "[{":
        close = "]" if first == "[" else "}"
        if value.count(first) > value.count(close):
            return ""
        return f"YAML ends a value that begins with `{first}` at its `{close}`"
    if first in "*&%@`?-,]}":
        return f"a value cannot begin with `{first}` in YAML"
    if ": " in value or value.endswith(":"):
        return "YAML takes what stands before `:` for a key"
    return ""


def quoted(value: str) -> str:
    """The value in quotes: double ones, or single ones if it holds double ones."""
    if '"' in value or "\\" in value:
        return "'" + value.replace("'", "''") + "'"
    return f'"{value}"'
