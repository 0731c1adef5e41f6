"""The language reference: one page, or one topic, from the tables of clauses, functions and answers."""

from __future__ import annotations

import re
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

PAGES = (
    "spec",
    "types",
    "expressions",
    "meaning",
    "turns",
    "sums",
    "reading",
    "printing",
    "solving",
    "play",
    "census",
    "command",
)
HEAD = """\
# The gamespec language

What a spec says and what it means. `gamespec help TOPIC` prints the same text. This page is made by
`gamespec help --all`; what is written here is tested.
"""
WORDS = {  # words of the language that have no topic of their own, by the pages that explain them
    "types": "bool player set sorted array board of true false",
    "expressions": "lines reach cell and or not in if then else for xor == != < <= > >= .. | & + - * / // % **",
    "meaning": "stuck position mex nothing",
    "turns": "mover other wins loses draw turn partisan score",
    "winner": "last player misere misère normal",
    "sums": "component components heap heaps",
    "reading": "once count until eof chars word digits",
    "printing": "line win lose left right previous winning distinct joined after",
    "solving": "strategy theorem phase table memo probe retrograde closed entries tame split orbit estimate",
    "play": "undo redo hint hints auto",
    "census": "positions distances longest count",
    "command": "exit status json github",
}


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
        paste = f"{kind.clause}: {kind.value}" if kind.clause and kind.value else ""
        helps = f"{kind.help}   {paste}".strip()
        lines = [f"{kind.severity}: {kind.message}", kind.label, helps and f"help: {helps}"]
        text = re.sub(r"\{(?:near|when)\}", " …", "\n".join(filter(None, lines)))
        yield Topic(code, code, re.sub(r"\{([a-z_]+)\}", lambda hole: hole[1].upper(), text))


def topics() -> Iterator[Topic]:
    """Every topic; a name may have several."""
    yield from page_topics()
    yield from clause_topics()
    yield from function_topics()
    yield from answer_topics()


def found(word: str) -> list[Topic]:
    """The topics of this name, else those that explain the word: a part of a clause, or a word of a page."""
    word = word.casefold()
    every = list(topics())
    own = [topic for topic in (*every, *kind_topics()) if topic.name.casefold() == word]
    if own:
        return own
    names = [row.word for row in TABLE if any(key.word == word for key in row.keys)]
    names += [name for name, words in WORDS.items() if word in words.split()]
    return [topic for topic in every if topic.name in names]


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
