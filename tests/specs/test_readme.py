"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from gamespec.file import open_source
from gamespec.source import Source
from gamespec.syntax.read import read
from tests.tool import GALLERY, ROOT, gamespec, spec

README = (ROOT / "README.md").read_text()
INDENTED = re.findall(r"(?:^    .*\n|^\n)+", README, re.MULTILINE)
BLOCKS = [re.sub(r"^    ", "", text, flags=re.MULTILINE).lstrip("\n") for text in INDENTED]


def block(start: str) -> str:
    """The indented block of the README that begins with these words."""
    return next(text for text in BLOCKS if text.startswith(start))


SPECS_SHOWN = {text.split()[1]: text for text in BLOCKS if re.match(r"game \w", text)}


@pytest.mark.parametrize("name", SPECS_SHOWN)
def test_spec_shown(name: str, tmp_path: Path) -> None:
    """Each spec is fine, and each command below it prints the lines that follow it."""
    text, *sessions = re.split(r"^\$ ", SPECS_SHOWN[name], flags=re.MULTILINE)
    path = tmp_path / f"{name}.game"
    path.write_text(text)
    assert gamespec("check", path).out.startswith(f"{path}: fine")
    assert sessions
    for session in sessions:
        command, answers = session.split("\n", 1)
        printed, _, ours = command.rpartition(" | ")
        stdin = "".join(shlex.split(printed)[1:]).replace("\\n", "\n")
        verb, *args = [path if word == path.name else word for word in shlex.split(ours.partition(" < ")[0])[1:]]
        run = gamespec(verb, *args, stdin=stdin)
        assert (run.code, run.out) == (0, answers.rstrip("\n") + "\n"), run.err


def test_every_spec_is_listed() -> None:
    gallery = README.partition("## The gallery")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"`(\w+)`", gallery)) == sorted(path.stem for path in GALLERY)


def test_both_columns() -> None:
    """The two spellings side by side give the rules of the shipped spec."""
    rows = block("game: cow_digit").splitlines()
    width = rows[0].index("game cow_digit")
    yaml = "\n".join(row[:width].rstrip() for row in rows) + "\n"
    text = "\n".join(row[width:] for row in rows) + "\n"
    shipped = read(open_source(str(spec("cow_digit"))))
    for tree in (read(Source("README", yaml, "yaml")), read(Source("README", text, "text"))):
        for clause in ("name", "states", "lets", "moves", "terminals", "winner", "input", "output"):
            assert getattr(tree, clause) == getattr(shipped, clause), clause


def test_message(tmp_path: Path) -> None:
    """The message shown is the one for the shipped spec without its terminal clause."""
    path = tmp_path / "cow_digit.yaml"
    path.write_text(re.sub(r"^terminal:.*\n", "", spec("cow_digit").read_text(), flags=re.MULTILINE))
    run = gamespec("check", path)
    shown = block("error: `min(ds)`").replace("specs/cow_digit.yaml", str(path))
    assert run.code == 1
    assert shown.split() == run.err.split()


def test_verbs_are_listed() -> None:
    listed = set(re.findall(r"`([a-z]+)(?: SPEC| TOPIC| SHELL|`, `cache)", README))
    verbs = set(re.findall(r"^  ([a-z]+)  ", gamespec("--help").out, re.MULTILINE))
    assert listed == verbs
