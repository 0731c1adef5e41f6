"""The examples in `--help` run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gamespec
from gamespec.cli.main import VERBS
from gamespec.cli.main import gamespec as group
from tests.tool import gamespec as tool

ROOT = Path(__file__).parents[2]
MY = """\
game my
param top = 20
state n: 0..top
move take choose k in {1, 3} when k <= n do n -= k
input cases until eof read n
output win "W" lose "L"
test "1 2" gives "W\\nL\\n"
"""


def examples() -> list[str]:
    """The command lines in the help of all verbs, without the remarks beside them."""
    texts = [group.help or ""]
    for verb in (verb for verbs in VERBS.values() for verb in verbs):
        command = group.get_command(group.make_context("gamespec", [], resilient_parsing=True), verb)
        texts.append(command.help or "" if command else "")
    found = re.findall(r"^ +(gamespec .+)$", "\n".join(texts), re.MULTILINE)
    return sorted({re.split(r" {3,}| \| ", line)[0].strip() for line in found})


def test_there_are_examples_of_every_verb() -> None:
    assert {line.split()[1] for line in examples()} == {verb for verbs in VERBS.values() for verb in verbs}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    (tmp_path / "my.game").write_text(MY)
    yaml = "game: my\nstate: {n: 0..9}\nmove:\n  take: {choose: 'k in 1..n', do: n -= k}\n"
    (tmp_path / "my.yaml").write_text(yaml)
    return tmp_path


@pytest.mark.parametrize("line", examples())
def test_example(line: str, place: Path) -> None:
    spec = re.search(r"specs/\w+\.\w+", line)
    if spec:
        tests = gamespec.load(str(ROOT / spec[0])).tests
        for name in ("input.txt", "1.in", "2.in"):
            (place / name).write_text(tests[0].input)
    if "--verify kayles.json" in line:
        made = tool("period", ROOT / "specs" / "kayles.yaml", "-o", place / "kayles.json")
        assert made.code == 0, made.err
    script = f'gamespec() {{ "{sys.executable}" -m gamespec "$@"; }}\n{line}'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", script], cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode in ((0, 1) if "--check" in line else (0,)), done.stderr
    assert "Traceback" not in done.stderr
