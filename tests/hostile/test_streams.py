"""Standard streams that are closed, full, or one and the same file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tool import ROOT, gamespec

SPEC = """game x
state n: 0..100
move take choose k in 1..min(3, n) do n -= k
input cases until eof read n
output win "w" lose "l"
test "1 4" gives "w\\nl\\n"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.game").write_text(SPEC)
    (tmp_path / "in.txt").write_text("1 2 4\n")
    return tmp_path


def shell(line: str, folder: Path, **variables: str) -> tuple[int, str, str]:
    """What a line of the shell ends with (the status of the first command of a pipe)."""
    done = subprocess.run(
        ["/bin/bash", "-c", f'gamespec() {{ "{sys.executable}" -m gamespec "$@"; }}; {line}; exit ${{PIPESTATUS[0]}}'],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("line", "code"),
    {
        "solve x.game <&-": 0,
        "solve x.game < in.txt >&-": 0,
        "solve x.game < in.txt -o out.txt <&- >&- 2>&-": 0,
        "check x.game >&- 2>&-": 0,
        "check none.game 2>&-": 64,
        "solve x.game < in.txt | true": 0,
        "table x.game | head -n 1 > first.txt": 0,
    }.items(),
)
def test_closed_streams(folder: Path, line: str, code: int) -> None:
    assert shell(f"gamespec {line}", folder) == (code, "", "")


def test_the_answers_never_overwrite_what_is_read(folder: Path) -> None:
    for line in ("solve x.game in.txt -o x.game", "solve x.game in.txt -o in.txt", "solve x.game -o in.txt < in.txt"):
        code, out, err = shell(f"gamespec {line}", folder)
        assert (code, out) == (64, "")
        assert "would overwrite" in err
    assert (folder / "x.game").read_text() == SPEC
    assert (folder / "in.txt").read_text() == "1 2 4\n"


def test_the_answers_go_to_another_file(folder: Path) -> None:
    done = gamespec("solve", folder / "x.game", folder / "in.txt", "-o", folder / "out.txt")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (folder / "out.txt").read_text() == "w\nw\nl\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
def test_a_full_disk(folder: Path) -> None:
    code, _, err = shell("gamespec solve x.game in.txt > /dev/full", folder)
    assert code == 64
    assert err.startswith("error: cannot write the output")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_output_is_utf8(folder: Path, encoding: str) -> None:
    (folder / "x.game").write_text(SPEC.replace("game x", 'game x "∞ → 0"'), encoding="utf-8")
    code, out, err = shell("gamespec convert x.game | iconv -f utf-8 -t utf-8", folder, PYTHONIOENCODING=encoding)
    assert (code, err) == (0, "")
    assert "∞ → 0" in out
