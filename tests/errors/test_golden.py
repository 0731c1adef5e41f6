"""Golden messages: each file holds a spec, a line of dashes, and the diagnostics it must give.

The first line of a file says the spelling (`text` or `yaml`), and may name definitions as for `-D` after it
(`yaml top=40`). `pytest --update-golden` writes the part below the dashes; read what it writes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gamespec.diagnostics import GamespecError, Kind
from gamespec.game.check import check_all
from gamespec.report import terminal_text
from gamespec.source import Source
from gamespec.syntax import problems as syntax_problems
from gamespec.syntax.read import read

HERE = Path(__file__).parent
DASHES = "\n----\n"
CASES = sorted(path.relative_to(HERE).as_posix() for path in HERE.glob("*/*.txt"))


def messages(source: Source, defines: dict[str, str]) -> str:
    """What reading and, if that passes, checking a spec says."""
    try:
        _, found = check_all(read(source), source, defines)
    except GamespecError as error:
        found = error.diagnostics
    return "\n".join(terminal_text(diagnostic, source) + "\n" for diagnostic in found)


@pytest.mark.parametrize("case", CASES)
def test_messages(case: str, golden: Callable[[Path, str], None]) -> None:
    path = HERE / case
    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    spec, _, _ = rest.partition(DASHES)
    spelling, *defined = head.split()
    name = path.stem + (".yaml" if spelling == "yaml" else ".game")
    defines = dict(word.split("=", 1) for word in defined)
    given = messages(Source(name, spec, spelling), defines)
    assert given, "a file here shows a message"
    golden(path, f"{head}\n{spec}{DASHES}{given}")


def test_every_kind_of_the_syntax_room_is_shown() -> None:
    """The limits on the size of a spec are not: tests/syntax/test_hostile.py meets them."""
    kinds = {kind.code for kind in vars(syntax_problems).values() if isinstance(kind, Kind)}
    texts = "".join((HERE / case).read_text(encoding="utf-8") for case in CASES if case.startswith("syntax/"))
    assert {code for code in kinds if f"[{code}]" not in texts} == {"GS005", "GS006"}
