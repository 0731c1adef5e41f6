"""The language reference: one page, or one topic, from the tables of clauses, functions and answers."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import msgspec

import gamespec
from gamespec.answers.table import ANSWERS
from gamespec.builtins import BUILTINS
from gamespec.diagnostics import Kind
from gamespec.syntax.schema import TABLE, Row

PAGES = ("spec", "types", "expressions", "meaning", "sums", "reading", "printing", "command")
HEAD = """\
# The gamespec language

What a spec says and what it means. `gamespec help TOPIC` prints the same text. This page is made by
`gamespec help --all`; what is written here is tested.
"""
LATER = ("players", "endless", "symmetry")


class Topic(msgspec.Struct, frozen=True):
    """A piece of the reference, in Markdown."""

    name: str
    title: str
    text: str


def page_topics() -> Iterator[Topic]:
    """The pages of prose."""
    for name in PAGES:
        text = Path(__file__).with_name("page").joinpath(f"{name}.md").read_text(encoding="utf-8")
        title, _, body = text.partition("\n")
        yield Topic(name, title.removeprefix("# "), body.strip("\n"))


def clause_topics() -> Iterator[Topic]:
    """One topic a clause, from the schema."""
    for row in TABLE:
        yield Topic(row.word, f"`{row.word}`", clause_text(row))


def clause_text(row: Row) -> str:
    """What a clause means, its parts, and how it looks in both spellings."""
    parts = [row.doc]
    if row.keys:
        parts.append("\n".join(f"- `{key.word}`: {key.doc}" for key in row.keys))
    parts.append(f"```text\n{row.text}\n```\n\n```text\n{row.yaml}\n```")
    if row.word in LATER:
        parts.insert(0, "*Not supported yet.*")
    return "\n\n".join(parts)


def function_topics() -> Iterator[Topic]:
    """One topic a builtin."""
    for entry in BUILTINS.values():
        lines = [entry.doc]
        if entry.partial:
            lines.append(f"It has no value when {entry.partial}.")
        examples = " · ".join(f"`{text}` is `{value}`" for text, value in entry.examples)
        yield Topic(entry.name, f"`{entry.signature}`", " ".join(lines) + f"\n\n{examples}")


def answer_topics() -> Iterator[Topic]:
    """One topic an answer."""
    for answer in ANSWERS.values():
        doc = answer.doc[:1].upper() + answer.doc[1:]
        yield Topic(answer.name, f"`{{{answer.name}}}`", f"{doc}.\n\n```text\n{answer.example}\n```")


def kind_topics() -> Iterator[Topic]:
    """One topic a code of a diagnostic, wherever it is defined."""
    found: dict[str, Kind] = {}
    for module in walk_packages(gamespec.__path__, "gamespec."):
        if module.name != "gamespec.__main__":
            found |= {kind.code: kind for kind in vars(import_module(module.name)).values() if isinstance(kind, Kind)}
    for code, kind in sorted(found.items()):
        lines = [f"{kind.severity}: {kind.message}", kind.label, kind.help and f"help: {kind.help}"]
        yield Topic(code, code, "\n".join(line for line in lines if line))


def topics() -> Iterator[Topic]:
    """Every topic; a name may have several."""
    yield from page_topics()
    yield from clause_topics()
    yield from function_topics()
    yield from answer_topics()


def whole_page() -> str:
    """The reference page, with all topics but the codes."""
    parts = [HEAD]
    for topic in page_topics():
        parts.append(f"## {topic.title}\n\n{topic.text}\n")
        if topic.name == "types":
            parts.append(_section("Clauses", clause_topics()))
        elif topic.name == "expressions":
            parts.append(_section("Functions", function_topics()))
        elif topic.name == "printing":
            parts.append(_section("Answers", answer_topics()))
    return "\n".join(parts)


def _section(title: str, found: Iterator[Topic]) -> str:
    return f"## {title}\n\n" + "\n".join(f"### {topic.title}\n\n{topic.text}\n" for topic in found)
