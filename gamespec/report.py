"""Renders diagnostics: for a terminal, as JSON, and as annotations for GitHub.

The terminal form shows one sentence, the place, the source lines with what is marked in them, and what would be
right as text to paste in the spelling of the file:

    error: `min(ds)` has nothing to choose from when n = 0
      specs/cow_digit.yaml:13:18  [GS104]
       9 |   ds: digits(n) - {0}
         |       --------------- digits(0) is [0], so ds is {}
      13 |     choose: d in {min(ds), max(ds)}
         |                   ^^^^^^^
      help: rule it out with a guard:   when: n > 0
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TextIO

import msgspec

from gamespec.diagnostics import Diagnostic, Help
from gamespec.source import Source, Span

FORMATS = ("text", "json", "github")

WIDEST = 100  # columns of a source line that are shown at most
NEAR = 1000  # characters of a line on both sides of a mark that are looked at
TAB = 4
BEFORE = 30  # columns kept in front of a mark when a long line is cut

_COLORS = {"error": "1;31", "warning": "1;33", "note": "1;36", "help": "1;32", "gutter": "34", "bold": "1"}


def report(diagnostics: Iterable[Diagnostic], source: Source | None, stream: TextIO, format: str = "text") -> None:
    """Writes diagnostics to a stream in one of `FORMATS`; colours only a terminal, and not when NO_COLOR is set."""
    for diagnostic in diagnostics:
        match format:
            case "json":
                text = json_text(diagnostic, source)
            case "github":
                text = github_text(diagnostic, source)
            case _:
                text = terminal_text(diagnostic, source, color=has_color(stream))
        stream.write(text + "\n")
    stream.flush()


def has_color(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours (https://no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


# --- terminal ----------------------------------------------------------------------------------------------


class _Mark(msgspec.Struct, frozen=True):
    """One marked piece of one source line, in character offsets of that line."""

    line: int
    start: int
    end: int
    sign: str
    label: str


def terminal_text(diagnostic: Diagnostic, source: Source | None, *, color: bool = False) -> str:
    """The diagnostic for people, without a line end at the end."""

    def paint(text: str, style: str) -> str:
        return f"\x1b[{_COLORS[style]}m{text}\x1b[0m" if color else text

    code = f"[{diagnostic.code}]"
    head = f"{paint(diagnostic.severity, diagnostic.severity)}: {paint(clean(diagnostic.message), 'bold')}"
    lines = [head]
    if source is None:
        lines[0] += f"  {code}"
    elif diagnostic.span is None:
        lines.append(f"  {clean(source.path)}  {code}")
    else:
        line, column = source.line_column(diagnostic.span.start)
        lines.append(f"  {clean(source.path)}:{line}:{column}  {code}")
    if source is not None:
        lines += _snippet(diagnostic, source, paint)
    for note in diagnostic.notes:
        if note.span is None or source is None:
            lines.append(f"  {paint('note', 'note')}: {clean(note.message)}")
    for help_ in diagnostic.helps:
        lines += _help_lines(help_, source, paint("help", "help"))
    return "\n".join(lines)


def _snippet(diagnostic: Diagnostic, source: Source, paint: Callable[[str, str], str]) -> list[str]:
    """The source lines that are marked, each once, with its marks below it."""
    marks = []
    if diagnostic.span is not None:
        marks.append(_mark(source, diagnostic.span, "^", diagnostic.label))
    marks += [_mark(source, note.span, "-", note.message) for note in diagnostic.notes if note.span is not None]
    if not marks:
        return []
    marks.sort(key=lambda mark: (mark.line, mark.sign != "^", mark.start))
    gutter = len(str(marks[-1].line)) + 2
    result = []
    shown = 0
    for mark in marks:
        text = source.line(mark.line)
        first = next(other for other in marks if other.line == mark.line)
        view = _View(text, first.start)
        if mark.line != shown:
            number = paint(f"{mark.line:>{gutter}} |", "gutter")
            result.append(f"{number} {view.text}".rstrip())
            shown = mark.line
        column, width = view.place(mark.start, mark.end)
        sign = paint(mark.sign * width, diagnostic.severity if mark.sign == "^" else "gutter")
        label = f" {clean(mark.label)}" if mark.label else ""
        result.append(f"{paint(' ' * gutter + ' |', 'gutter')} {' ' * column}{sign}{label}")
    return result


def _mark(source: Source, span: Span, sign: str, label: str) -> _Mark:
    """What a span marks on its first line; at least one column, also behind the end of the line."""
    line, column = source.line_column(span.start)
    text = source.line(line)
    start = min(column - 1, len(text))
    end = min(start + max(0, span.end - span.start), len(text))
    stripped = len(text[:end].rstrip()) if end == len(text) else end
    return _Mark(line, start, max(stripped, start + 1), sign, label)


class _View:
    """One source line as it is shown: tabs spread, control characters replaced, cut around the mark if it is long."""

    def __init__(self, line: str, start: int) -> None:
        self.base = max(0, start - NEAR)  # no more of the line is looked at: it may have a million characters
        stop = min(len(line), start + NEAR)
        self.columns = [0]
        shown = []
        for char in line[self.base : stop]:
            piece = " " * (TAB - self.columns[-1] % TAB) if char == "\t" else clean(char)
            shown.append(piece)
            self.columns.append(self.columns[-1] + (len(piece) if char == "\t" else width(piece)))
        first, last, start = 0, len(shown), start - self.base
        if self.columns[-1] > WIDEST:
            while first < start and self.columns[start] - self.columns[first] > BEFORE:
                first += 1
            while last > first + 1 and self.columns[last] - self.columns[first] > WIDEST:
                last -= 1
        self.first, self.last = first, last
        before, after = self.base + first > 0, self.base + last < len(line)
        self.lead = 1 if before else 0
        self.text = ("…" if before else "") + "".join(shown[first:last]) + ("…" if after else "")

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The column and width of a piece of the line in the text that is shown; width at least 1."""
        left, right = (self.columns[max(self.first, min(place - self.base, self.last))] for place in (start, end))
        return left - self.columns[self.first] + self.lead, max(1, right - left)


def clean(text: str) -> str:
    """The text with characters that would move the cursor or turn the writing replaced by a visible sign.

    Specs are untrusted: one could otherwise write escape sequences to the terminal of whoever checks it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_clean_char, text))


def _clean_char(char: str) -> str:
    code = ord(char)
    if code < 32:
        return char if char == "\n" else chr(0x2400 + code)
    if code == 127:
        return "␡"
    if 0x80 <= code < 0xA0 or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069 or 0xD800 <= code < 0xE000:
        return "�"
    return char


def width(text: str) -> int:
    """The number of terminal columns a text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(char) in ("Mn", "Me", "Cf") else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )


def _help_lines(help_: Help, source: Source | None, title: str) -> list[str]:
    message = clean(help_.message)
    pasted = [clean(line) for line in paste(help_, source.spelling if source else "text")]
    if not pasted:
        return [f"  {title}: {message}"]
    lead = f"{message.removesuffix(':')}:" if message else ""
    if len(pasted) == 1:
        return [f"  {title}: {lead}   {pasted[0]}" if lead else f"  {title}: {pasted[0]}"]
    return [f"  {title}: {lead}", *(f"          {line}" for line in pasted)]


# --- text to paste -----------------------------------------------------------------------------------------

_ASSIGNED = ("param", "let")  # text form `let x = 3`, YAML a mapping `let: {x: 3}`
_DECLARED = ("state", "given")  # text form `state n: 0..9`, YAML a mapping `state: {n: 0..9}`


def paste(help_: Help, spelling: str) -> list[str]:
    """The lines of a help's clause in a spelling; none when it has nothing to paste."""
    clause, value = help_.clause, help_.value
    if clause is None:
        return [] if value is None else value.split("\n")
    if spelling != "yaml":
        return [clause if not value else f"{clause} {value}"]
    if not value:
        return [f"{clause}: true"]
    if clause in _ASSIGNED and " = " in value:
        name, _, right = value.partition(" = ")
        return [f"{clause}:", f"  {name}: {_yaml_scalar(right)}"]
    if clause in _DECLARED and ": " in value:
        name, _, right = value.partition(": ")
        return [f"{clause}:", f"  {name}: {_yaml_scalar(right)}"]
    return [f"{clause}: {_yaml_scalar(value)}"]


def _yaml_scalar(value: str) -> str:
    """The value plain if YAML reads it back as it is, else in quotes."""
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        return value
    if is_plain_yaml(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def is_plain_yaml(value: str) -> bool:
    """Whether YAML reads a text of one line back as it is without quotes."""
    plain = value == value.strip() and value[:1] not in "-?:,[]{}#&*!|>'\"%@`" and "\n" not in value
    return plain and ": " not in value and " #" not in value and not value.endswith(":")


# --- JSON and GitHub ---------------------------------------------------------------------------------------


class Place(msgspec.Struct, frozen=True):
    """A place in a spec: lines and columns from 1, the end behind the last character; offsets from 0."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


class NoteRecord(msgspec.Struct, frozen=True):
    message: str
    place: Place | None


class HelpRecord(msgspec.Struct, frozen=True):
    """`paste` is the text to paste in the spelling of the file, or null."""

    message: str
    paste: str | None


class Record(msgspec.Struct, frozen=True):
    """One diagnostic as `--format json` prints it, one object a line. The fields never change their meaning."""

    code: str
    severity: str
    message: str
    path: str | None
    place: Place | None
    label: str
    notes: list[NoteRecord]
    helps: list[HelpRecord]


def record(diagnostic: Diagnostic, source: Source | None) -> Record:
    """The diagnostic with lines and columns worked out."""
    spelling = source.spelling if source else "text"
    return Record(
        diagnostic.code,
        diagnostic.severity,
        diagnostic.message,
        source.path if source else None,
        _place(diagnostic.span, source),
        diagnostic.label,
        [NoteRecord(note.message, _place(note.span, source)) for note in diagnostic.notes],
        [HelpRecord(help_.message, "\n".join(paste(help_, spelling)) or None) for help_ in diagnostic.helps],
    )


def _place(span: Span | None, source: Source | None) -> Place | None:
    if span is None or source is None:
        return None
    return Place(*source.line_column(span.start), *source.line_column(span.end), span.start, span.end)


def json_text(diagnostic: Diagnostic, source: Source | None) -> str:
    """One JSON object on one line, with the fields of `Record`."""
    found = record(diagnostic, source)
    try:
        return msgspec.json.encode(found).decode()
    except UnicodeEncodeError:  # a path that is not UTF-8
        path = (found.path or "").encode(errors="replace").decode()
        return msgspec.json.encode(msgspec.structs.replace(found, path=path)).decode()


def github_text(diagnostic: Diagnostic, source: Source | None) -> str:
    """A workflow command that GitHub shows as an annotation beside the line.

    https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    found = record(diagnostic, source)
    level = "notice" if found.severity == "note" else found.severity
    properties = {"title": found.code}
    if found.path is not None:
        properties["file"] = found.path
    if found.place is not None:
        properties |= {"line": str(found.place.line), "col": str(found.place.column)}
        properties |= {"endLine": str(found.place.end_line), "endColumn": str(found.place.end_column)}
    lines = [found.message, found.label, *(f"note: {note.message}" for note in found.notes)]
    lines += [f"help: {help_.message} {help_.paste or ''}".rstrip() for help_ in found.helps]
    body = "\n".join(line for line in lines if line)
    heads = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{level} {heads}::{_escape(body)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
