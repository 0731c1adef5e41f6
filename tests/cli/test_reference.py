"""The reference page is current, and what it shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gamespec
from gamespec.cli import reference
from gamespec.cli.main import run
from gamespec.syntax.schema import TABLE, Shape

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"^```(game|yaml)\n(.*?)^```", reference.whole_page(), re.MULTILINE | re.DOTALL)


def test_the_page_is_current() -> None:
    page = (ROOT / "REFERENCE.md").read_text(encoding="utf-8")
    assert page == reference.whole_page(), "run `gamespec help --all > REFERENCE.md`"


def test_there_are_examples() -> None:
    assert {spelling for spelling, _ in BLOCKS} == {"game", "yaml"}


@pytest.mark.parametrize(("spelling", "text"), BLOCKS)
def test_whole_specs_pass_their_tests(spelling: str, text: str) -> None:
    game = gamespec.loads(text, "yaml" if spelling == "yaml" else "text")
    assert game.tests
    for test in game.tests:
        assert gamespec.solve(game, test.input, backend="python") == test.output


def test_the_spec_in_two_spellings_is_one_spec() -> None:
    from gamespec.source import Source
    from gamespec.syntax.read import read

    text, yaml = (next(block for spelling, block in BLOCKS if spelling == wanted) for wanted in ("game", "yaml"))
    assert read(Source("a", text, "text")) == read(Source("a", yaml, "yaml"))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.word)
def test_examples_of_clauses_are_equal_in_both_spellings(row) -> None:
    from gamespec.source import Source
    from gamespec.syntax.read import read

    head = "" if row.word == "game" else "game g\n"
    yaml_head = "" if row.word == "game" else "game: g\n"
    text = read(Source("g", head + row.text, "text"))
    assert text == read(Source("g", yaml_head + row.yaml + "\n", "yaml"))
    assert getattr(text, row.field) or row.shape is Shape.FLAG


def test_every_topic_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help"]) == 0
    listed = capsys.readouterr().out
    for topic in reference.topics():
        assert topic.name in listed
        assert topic.text


@pytest.mark.parametrize(
    "name", ["move", "digits", "{grundy}", "GS101", "gs101", "spec", "choose", "xor", "misere", "solve"]
)
def test_help_on(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", name]) == 0
    assert capsys.readouterr().out


def test_codes_are_found_wherever_they_are_defined() -> None:
    defined = set()
    for path in (ROOT / "gamespec").rglob("*.py"):
        defined |= set(re.findall(r"\bKind\(\s*\"(GS\d{3})\"", path.read_text(encoding="utf-8")))
    assert {topic.name for topic in reference.kind_topics()} == defined


@pytest.mark.parametrize(
    ("word", "topic"),
    [("choose", "move"), ("cases", "input"), ("gives", "test"), ("array", "types"), ("until", "reading")],
)
def test_words_are_explained_where_they_belong(word: str, topic: str) -> None:
    assert [one.name for one in reference.found(word)] == [topic]


def test_words_stand_on_the_pages_they_are_sent_to() -> None:
    text: dict[str, str] = {}
    for one in reference.topics():
        text[one.name] = text.get(one.name, "") + one.text
    for page, words in reference.WORDS.items():
        missing = [
            word for word in words.split() if word not in text[page] and word.replace("e", "è", 1) not in text[page]
        ]
        assert not missing, page


def test_codes_show_no_braces(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "GS118"]) == 0
    assert "LEFT and RIGHT cannot be compared" in capsys.readouterr().out
