"""`solve` with kept kernels, as users meet it: the same answers, messages and exit statuses, sooner."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gamespec.cli.door import Plain, enter, plain_form
from gamespec.cli.main import run
from gamespec.run.store import Store
from tests.tool import spec

LOADED = "import sys, atexit\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"

Tool = Callable[..., tuple[int, str, str]]
"""Runs the command in this process: exit status, standard output, standard error."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache for this test."""
    folder = tmp_path / "kept"
    monkeypatch.setenv("GAMESPEC_CACHE", str(folder))
    return folder


@pytest.fixture
def tool(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Tool:
    def call(verb: str, *arguments: object, stdin: str = "") -> tuple[int, str, str]:
        words = list(map(str, arguments))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = enter(words) if verb == "solve" else None
        if status is None:
            status = run([verb, *words])
        printed = capsysbinary.readouterr()
        return status, printed.out.decode(), printed.err.decode()

    return call


def entries(place: Path) -> list[str]:
    return [file.name for file in place.iterdir()]


def test_inputs_good_and_bad(place: Path, tmp_path: Path, tool: Tool) -> None:
    cow = spec("cow_digit")
    file = tmp_path / "input"
    file.write_text("2\n9\n10\n")
    lines = [
        ((cow,), "3\n9\n10\n1000\n", 0),
        ((cow,), "3\n9\nten\n", 2),
        ((cow,), "1\n9\nrest\n", 0),
        ((cow, file, file), "", 0),
        ((cow, file, "-", file), "1\n30\n", 0),
        ((cow, tmp_path / "missing"), "", 64),
        ((cow, "-o", tmp_path / "missing" / "out"), "", 64),
        ((cow, "--memory", "1kB"), "1\n1000000\n", 3),
        ((cow, "--nonsense"), "", 64),
    ]
    for args, stdin, code in lines:
        cold = tool("solve", *args, "--no-cache", stdin=stdin)
        assert cold[0] == code, cold
        for _ in range(2 if code in (0, 2) else 1):  # made and kept by the first that gets so far
            assert tool("solve", *args, stdin=stdin) == cold
    assert len(entries(place)) == 2  # with another memory, another plan may be right


def test_the_short_way_loads_little(place: Path) -> None:
    for first in (True, False):
        done = subprocess.run(
            [sys.executable, "-c", LOADED + "from gamespec.__main__ import main\nmain()", "solve", spec("cow_digit")],
            input="1\n9\n",
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert done.stdout == "YES\n"
        heavy = {"click", "lark", "yaml", "llvmlite", "gamespec.game.check", "gamespec.kernel.express", "dataclasses"}
        assert bool(heavy & set(done.stderr.split())) == first
    assert place.exists()


def test_params_and_edits_have_entries_of_their_own(place: Path, tmp_path: Path, tool: Tool) -> None:
    file = tmp_path / "heap.game"
    text = "game heap\nparam most = 2\nstate n: 0..99\nmove take choose k in 1..min(most, n) do n -= k\n"
    text += 'input cases until eof read n\noutput win "W" lose "L"\n'
    file.write_text(text)
    for args, out in (((), "LWWL"), (("-D", "most=1"), "LWLW"), (("-Dmost=3",), "LWWW"), ((), "LWWL")):
        for _ in range(2):
            status, printed, _ = tool("solve", file, *args, stdin="0 1 2 3")
            assert (status, "".join(printed.split())) == (0, out)
    assert len(entries(place)) == 3
    file.write_text(text.replace('"W"', '"win"'))
    assert tool("solve", file, stdin="1")[1] == "win\n"
    file.write_text(text.replace("most, n", "most, m"))
    assert tool("solve", file, stdin="1")[0] == 1
    os.remove(file)
    assert tool("solve", file, stdin="1")[0] == 64
    file.write_text(text)
    assert tool("solve", file, "-D", "least=1", stdin="1")[0] != 0


def test_a_damaged_entry_is_made_anew(place: Path, tool: Tool) -> None:
    tool("solve", spec("mark"), stdin="1\n5\n")
    (name,) = entries(place)
    key = bytes.fromhex(Path(name).stem)
    whole = (place / name).read_bytes()
    for damaged in (whole[:-40], whole[:200] + bytes([whole[200] ^ 1]) + whole[201:], b""):
        (place / name).write_bytes(damaged)
        assert Store(str(place)).get(key) is None
        cold = tool("solve", spec("mark"), "--no-cache", stdin="1\n5\n")
        assert tool("solve", spec("mark"), stdin="1\n5\n") == cold
        assert Store(str(place)).get(key) is not None


def test_the_verb(place: Path, monkeypatch: pytest.MonkeyPatch, tool: Tool) -> None:
    assert tool("cache")[1] == f"0 entries, 0 bytes, in {place}\n"
    tool("solve", spec("mark"), "--no-cache", stdin="1 5\n")
    assert not place.exists()
    tool("solve", spec("mark"), stdin="1 5\n")
    shown = tool("cache")[1].splitlines()
    assert shown[0].startswith("1 entry, ")
    assert shown[1].split()[0] == "mark"
    assert tool("cache", "clear")[1].startswith("removed 1 entry, ")
    assert entries(place) == []
    place.chmod(0o777)
    status, _, message = tool("cache")
    assert status == 64
    assert "GS528" in message
    assert tool("solve", spec("mark"), stdin="1 5\n")[0] == 0
    assert entries(place) == []
    monkeypatch.setenv("GAMESPEC_CACHE", "off")
    assert tool("cache")[1].startswith("nothing is kept")


def test_two_at_once(place: Path, tool: Tool) -> None:
    command = [sys.executable, "-m", "gamespec", "solve", str(spec("kayles"))]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    printed = [each.communicate(b"2 5 7\n")[0] for each in running]
    assert len(set(printed)) == 1
    assert [each.returncode for each in running] == [0, 0]
    assert tool("solve", spec("kayles"), stdin="2 5 7\n")[1].encode() == printed[0]
    assert len(entries(place)) == 1


def test_the_plain_form() -> None:
    assert plain_form(["a.game"]) == Plain("a.game", [], {})
    assert plain_form(["-D", "x = 1", "a.game", "in", "-Dy=a=b"]) == Plain("a.game", ["in"], {"x": "1", "y": "a=b"})
    for other in ([], ["-D"], ["-Dx", "a"], ["-D=1", "a"], ["-D", "x=", "a"], ["-D", "2x=1", "a"], ["--", "a"]):
        assert plain_form(other) is None
    for other in (["a", "-"], ["-o", "f", "a"], ["a", "--plan", "memo"], ["a", "--plan=memo"], [""], ["-h"]):
        assert plain_form(other) is None
