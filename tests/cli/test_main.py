"""Exit statuses and messages of the command, whatever goes wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FunctionType

import pytest

from gamespec.cli import session as session_module
from gamespec.cli.main import VERBS, gamespec, run
from gamespec.diagnostics import InputError, Kind, LimitError, SpecError
from gamespec.source import Source, Span

HALVING = """\
game halving
state n: 0..1_000_000
move take choose k in 1..n / 2 do n -= k
input cases until eof read n
output win "first" lose "second"
test "7 8" gives "second\\nfirst\\n"
"""

KIND = Kind("GS999", "something is wrong with {what}", help="do something else")


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "halving.game"
    path.write_text(HALVING)
    return str(path)


@pytest.fixture
def raising(monkeypatch: pytest.MonkeyPatch) -> object:
    """Makes loading a spec raise."""

    def arrange(error: BaseException) -> None:
        def load(self: object, path: str) -> None:
            raise error

        monkeypatch.setattr(session_module.Session, "load", load)

    return arrange


def command(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gamespec", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (SpecError(KIND.at(Span(5, 7), what="it"), source=Source("g.game", "game nim")), 1),
        (InputError(KIND.at(None, what="it")), 2),
        (LimitError(KIND.at(None, what="it")), 3),
        (MemoryError(), 3),
        (ZeroDivisionError("oh"), 70),
        (RecursionError(), 70),
        (KeyboardInterrupt(), 130),
    ],
)
def test_exit_statuses(raising, error: BaseException, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    raising(error)
    assert run(["solve", "g.game"]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert ("error: " in captured.err) == (status != 130)


@pytest.mark.parametrize(
    "arguments",
    [
        ["solv"],
        ["--bogus"],
        ["solve"],
        ["solve", "no_such_file.game"],
        ["solve", "."],
        ["solve", "-"],
        ["solve", "g.game", "--bogus"],
        ["solve", "g.game", "--memory", "lots"],
        ["solve", "g.game", "--memory", "5iB"],
        ["solve", "g.game", "--time", "soon"],
        ["solve", "g.game", "-D", "top"],
        ["solve", "g.game", "-D", "=3"],
        ["solve", "g.game", "--backend", "cobol"],
        ["check"],
        ["fmt", "no_such_file.game"],
        ["convert", "no_such_file.game"],
        ["test", "no_such_folder/"],
        ["explain", "g.game", "--show", "everything"],
        ["help", "no_such_topic"],
        ["completion", "csh"],
    ],
)
def test_bad_command_lines(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 64
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert "Traceback" not in captured.err


def test_folder_without_specs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(tmp_path)]) == 64
    assert "no specs in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "right"), [("sovle", "solve"), ("explian", "explain"), ("tabel", "table"), ("format", "fmt")]
)
def test_did_you_mean_for_verbs(wrong: str, right: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([wrong]) == 64
    assert f"did you mean `{right}`?" in capsys.readouterr().err


def test_did_you_mean_for_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "g.game", "--memry", "5MB"]) == 64
    assert "--memory" in capsys.readouterr().err


def test_usage_errors_follow_the_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--format", "json", "--bogus"]) == 64
    assert json.loads(capsys.readouterr().err)["code"] == "GS501"
    assert run(["check", "--format=github", "no_such_file.game"]) == 64
    assert capsys.readouterr().err.startswith("::error title=GS502")


def test_internal_errors_name_the_stage_and_the_spec(
    monkeypatch: pytest.MonkeyPatch, spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from gamespec.syntax import read as module

    faulty = FunctionType((lambda source: {}["key"]).__code__, vars(module))  # as if it were written in that module
    monkeypatch.setattr(module, "read", faulty)
    assert run(["solve", spec]) == 70
    error = capsys.readouterr().err
    assert "at the stage `syntax`" in error
    assert spec in error
    assert "KeyError" in error
    assert "Traceback" not in error
    assert run(["solve", spec, "--debug"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_not_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.game"
    path.write_bytes(b'game g\nsource "caf\xe9"\n')
    assert run(["check", str(path)]) == 1
    error = capsys.readouterr().err
    assert f"{path}:2:12" in error
    assert "0xe9" in error


@pytest.mark.parametrize("verb", [None, *(verb for verbs in VERBS.values() for verb in verbs)])
def test_help_teaches(verb: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*([verb] if verb else []), "--help"]) == 0
    shown = capsys.readouterr().out
    assert "gamespec " in shown
    assert len(max(shown.splitlines(), key=len)) <= 110
    if verb not in (None, "completion"):
        assert "Examples:" in shown


def test_every_verb_is_in_its_file_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"])
    shown = capsys.readouterr().out
    for verb in gamespec.list_commands(gamespec.make_context("gamespec", [], resilient_parsing=True)):
        assert f"  {verb} " in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("gamespec ")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_GAMESPEC_COMPLETE" in capsys.readouterr().out


def test_completion_of_verbs_and_options() -> None:
    def complete(words: str, place: int) -> str:
        variables = {"_GAMESPEC_COMPLETE": "zsh_complete", "COMP_WORDS": words, "COMP_CWORD": str(place)}
        return command(env={**os.environ, **variables}).stdout

    assert "explain" in complete("gamespec ex", 1)
    assert "--memory" in complete("gamespec solve --me", 2)


def test_solve_reads_stdin_and_files(spec: str, tmp_path: Path) -> None:
    done = command("solve", spec, input="7 8\n")
    assert (done.stdout, done.stderr, done.returncode) == ("second\nfirst\n", "", 0)
    one, two, answers = tmp_path / "1.in", tmp_path / "2.in", tmp_path / "out"
    one.write_text("7\n")
    two.write_text("8\n")
    done = command("solve", spec, str(one), str(two), "-o", str(answers))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert answers.read_text() == "second\nfirst\n"


def test_spec_from_stdin(spec: str, tmp_path: Path) -> None:
    data = tmp_path / "1.in"
    data.write_text("7\n")
    done = command("solve", "-", str(data), input=HALVING)
    assert (done.stdout, done.returncode) == ("second\n", 0)


def test_input_errors_come_after_the_answers_before_them(spec: str) -> None:
    done = command("solve", spec, input="7 8 many\n")
    assert done.returncode == 2
    assert done.stdout == "second\nfirst\n"
    assert "many" in done.stderr


def test_closed_pipe_ends_quietly(spec: str, tmp_path: Path) -> None:
    data = tmp_path / "1.in"
    data.write_text("7\n" * 200_000)
    line = f'"{sys.executable}" -m gamespec solve "{spec}" "{data}" | head -n 1'
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "second\n"
    assert done.stderr == ""


def wait_for_input(pid: int) -> None:
    """Waits until a process sleeps in a read of its pipe, for at most ten seconds."""
    place = Path(f"/proc/{pid}/wchan")
    for _ in range(100):
        time.sleep(0.1)
        if place.exists() and "pipe_read" in place.read_text():
            return


def test_ctrl_c(spec: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "gamespec", "solve", spec],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell starts what runs in the background deaf to Ctrl-C, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    wait_for_input(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err.strip()) == (b"", b"")


def test_full_disk(spec: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gamespec", "solve", spec],
            input="7\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 64
    assert "cannot write" in done.stderr
    assert "Traceback" not in done.stderr
