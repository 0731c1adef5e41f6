"""Every kind of diagnostic of the checker has a golden message."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamespec.diagnostics import Kind
from gamespec.game import problems

GOLDEN = Path(__file__).parents[1] / "errors" / "game"
KINDS = {name: kind for name, kind in vars(problems).items() if isinstance(kind, Kind)}
OURS = [name for name, kind in KINDS.items() if kind.code < "GS150" or kind.code >= "GS190"]


@pytest.fixture(scope="module")
def messages() -> str:
    return "".join(path.read_text(encoding="utf-8").rpartition("----\n")[2] for path in GOLDEN.glob("*.txt"))


@pytest.mark.parametrize("name", OURS)
def test_every_kind_has_a_golden_message(name: str, messages: str) -> None:
    assert f"[{KINDS[name].code}]" in messages


def test_no_template_is_left_open() -> None:
    for path in GOLDEN.glob("*.txt"):
        spec, _, shown = path.read_text(encoding="utf-8").rpartition("----\n")
        for word in ("{name}", "{hint}", "{text}", "{what}", "{why}", "{described}", "{where}", "{given}"):
            assert word not in shown or word in spec, (path.name, word)
