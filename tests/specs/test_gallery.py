"""Every shipped spec: its own tests, both spellings, the canonical layout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamespec.file import open_source
from gamespec.syntax.format import convert_source, format_source
from gamespec.syntax.read import read
from tests.tool import GALLERY, SPECS, gamespec

GAMES = pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)


def test_own_tests() -> None:
    run = gamespec("test", SPECS)
    assert run.code == 0, run.out + run.err
    assert all(f"{path.stem}{path.suffix}" in run.out for path in GALLERY)


def test_gallery_is_found_without_errors() -> None:
    run = gamespec("check", SPECS)
    assert run.code == 0, run.out + run.err


@GAMES
def test_prose(path: Path) -> None:
    tree = read(open_source(str(path)))
    assert tree.name.name == path.stem
    assert tree.about is not None
    assert tree.source is not None
    assert tree.rules is not None
    answers = [line for test in tree.tests for line in test.output.value.splitlines()]
    assert len(answers) >= (2 if tree.input else 1)  # without input there is one question


def test_both_spellings_are_shipped() -> None:
    assert {path.suffix for path in GALLERY} == {".yaml", ".game"}


@GAMES
def test_the_other_spelling(path: Path, tmp_path: Path) -> None:
    """It gives the same tree, and leads back to it."""
    source = open_source(str(path))
    tree = read(source)
    other = tmp_path / f"{path.stem}{'.game' if source.spelling == 'yaml' else '.yaml'}"
    other.write_text(convert_source(source, "text" if source.spelling == "yaml" else "yaml"))
    converted = open_source(str(other))
    assert read(converted) == tree
    back = tmp_path / "back" / path.name
    back.parent.mkdir()
    back.write_text(convert_source(converted, source.spelling))
    assert read(open_source(str(back))) == tree
    if path.stem in ("nim", "cow_digit"):  # the same tree gives the same answers; once for each spelling
        assert gamespec("test", other).code == 0


@GAMES
def test_layout_is_canonical(path: Path) -> None:
    source = open_source(str(path))
    assert format_source(source) == source.text


@pytest.mark.parametrize(("name", "most"), [("dodgem", 25), ("tic_tac_toe", 20)])
def test_boards_are_short(name: str, most: int) -> None:
    """What a user writes of a board game, without prose and tests, in the canonical layout."""
    text = format_source(open_source(str(SPECS / f"{name}.game")))
    rules = re.sub(r'^(rules|source|test) ("""(?s:.*?)"""|".*)$', "", text, flags=re.MULTILINE)
    assert "move" in rules
    assert sum(bool(line.strip()) for line in rules.splitlines()) <= most
