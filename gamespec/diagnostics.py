"""Diagnostics: what is wrong, where, and what would be right, as data.

Every room has a `problems` module with its kinds of diagnostic: one `Kind` each, with a stable code and
message templates. `gamespec.report` renders them.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from gamespec.source import Source, Span

LONGEST_WORD = 300
"""The most characters that a message takes over from a spec at one place."""


class Note(msgspec.Struct, frozen=True):
    """A second place (or none) that explains the first."""

    message: str
    span: Span | None = None


class Help(msgspec.Struct, frozen=True):
    """What would be right. `clause` and `value` are text to paste, rendered in the spelling of the file."""

    message: str
    clause: str | None = None
    value: str | None = None


class Diagnostic(msgspec.Struct, frozen=True):
    """One finding. `severity` is `error`, `warning` or `note`; `label` stands under the marked text."""

    code: str
    severity: str
    message: str
    span: Span | None = None
    label: str = ""
    notes: tuple[Note, ...] = ()
    helps: tuple[Help, ...] = ()


class Kind(msgspec.Struct, frozen=True):
    """One kind of diagnostic: a code that never changes and the templates of its texts.

    `{name}` in a template becomes the word of that name, and `{count|case}` a number with its noun: `1 case`,
    `2 cases`; `{count|case is|cases are}` says both forms. No user text is ever interpreted.
    """

    code: str
    message: str
    label: str = ""
    help: str = ""
    clause: str | None = None
    value: str | None = None
    severity: str = "error"

    def at(
        self, span: Span | None, *, notes: Iterable[Note] = (), helps: Iterable[Help] = (), **words: object
    ) -> Diagnostic:
        """The diagnostic of this kind at a place, with `{name}` in every template replaced by `words[name]`."""
        own: tuple[Help, ...] = ()
        if self.help or self.clause:
            value = None if self.value is None else fill(self.value, words)
            own = (Help(fill(self.help, words), self.clause, value),)
        return Diagnostic(
            self.code,
            self.severity,
            fill(self.message, words),
            span,
            fill(self.label, words),
            tuple(notes),
            own + tuple(helps),
        )


def fill(template: str, words: dict[str, object]) -> str:
    """The template with each `{name}` and `{name|noun}` replaced; text that came from a spec is not looked at again."""
    pieces = []
    rest = template
    while rest:
        before, brace, after = rest.partition("{")
        pieces.append(before)
        hole, close, tail = after.partition("}")
        if not brace:
            break
        name, _, forms = hole.partition("|")
        if close and name in words:
            word = str(words[name]) if not forms else counted(words[name], *forms.split("|"))
            pieces.append(word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 1] + "…")
            rest = tail
        else:
            pieces.append(brace)
            rest = after
    return "".join(pieces)


def counted(number: object, one: str, many: str = "") -> str:
    """A number with its noun: `1 entry`, `2 entries`, `1,000 cases`; `many` is the plural where it is not regular."""
    several = many or (f"{one[:-1]}ies" if one.endswith("y") else f"{one}s")
    text = f"{number:,}" if isinstance(number, int) else str(number)
    return f"{text} {one if text == '1' else several}"


class GamespecError(Exception):
    """Ends a run with diagnostics and a documented exit status."""

    exit_code = 70

    def __init__(self, *diagnostics: Diagnostic, source: Source | None = None) -> None:
        super().__init__("; ".join(d.message for d in diagnostics))
        self.diagnostics = diagnostics
        self.source = source


class SpecError(GamespecError):
    """The spec is wrong, or a rule fails at a position that was met while running (exit 1)."""

    exit_code = 1


class InputError(GamespecError):
    """The input does not fit the spec (exit 2). Spans point into the spec's declaration."""

    exit_code = 2


class LimitError(GamespecError):
    """Too big for the memory or time given (exit 3)."""

    exit_code = 3


class UsageError(GamespecError):
    """The command line asks for something impossible (exit 64)."""

    exit_code = 64


class Problems:
    """Collects diagnostics, so that one run shows several."""

    def __init__(self, source: Source, limit: int = 20) -> None:
        self.source = source
        self.limit = limit
        self.found: list[Diagnostic] = []

    def add(self, diagnostic: Diagnostic) -> None:
        """Keeps a diagnostic; the same code at the same place is kept once."""
        here = diagnostic.span
        for other in self.found:
            if other.code == diagnostic.code and other.span and here and other.span.start == here.start:
                return
        self.found.append(diagnostic)
        if len(self.errors) >= self.limit:
            self.stop_on_error()

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.found if d.severity == "error"]

    def stop_on_error(self) -> None:
        """Raises SpecError when an error was collected."""
        if self.errors:
            raise SpecError(*self.found, source=self.source)
