"""Diagnostics are shown where they are, in the spelling of the file, and cannot disturb the terminal."""

from __future__ import annotations

import io
import json
import time

import pytest

from gamespec.diagnostics import Diagnostic, Help, Kind, Note
from gamespec.report import clean, github_text, has_color, json_text, paste, report, terminal_text, width
from gamespec.source import Source, Span

YAML = """\
game: cow_digit
state:
  n: 0..1_000_000
let:
  ds: digits(n) - {0}
move:
  take:
    choose: d in {min(ds), max(ds)}
    do: n -= d
"""

EMPTY = Kind(
    "GS104",
    "`{call}` has nothing to choose from when n = 0",
    help="rule it out with a guard:",
    clause="when",
    value="n > 0",
)


def at(text: str, piece: str) -> Span:
    start = text.index(piece)
    return Span(start, start + len(piece))


def example(source: Source) -> Diagnostic:
    note = Note("digits(0) is {0}, so ds is {}", at(source.text, "digits(n) - {0}"))
    return EMPTY.at(at(source.text, "min(ds)"), call="min(ds)", notes=[note])


def test_terminal_form() -> None:
    source = Source("specs/cow_digit.yaml", YAML, "yaml")
    assert terminal_text(example(source), source) == (
        "error: `min(ds)` has nothing to choose from when n = 0\n"
        "  specs/cow_digit.yaml:8:19  [GS104]\n"
        "  5 |   ds: digits(n) - {0}\n"
        "    |       --------------- digits(0) is {0}, so ds is {}\n"
        "  8 |     choose: d in {min(ds), max(ds)}\n"
        "    |                   ^^^^^^^\n"
        "  help: rule it out with a guard:   when: n > 0"
    )


def test_help_is_pasted_in_the_spelling_of_the_file() -> None:
    text = "game g\nmove take choose d in {min(ds)} do n -= d"
    source = Source("g.game", text)
    shown = terminal_text(EMPTY.at(at(text, "min(ds)"), call="min(ds)"), source)
    assert shown.endswith("  help: rule it out with a guard:   when n > 0")


@pytest.mark.parametrize(
    ("clause", "value", "text", "yaml"),
    [
        ("sum", None, ["sum"], ["sum: true"]),
        ("endless", "draw", ["endless draw"], ["endless: draw"]),
        ("state", "n: 0..9", ["state n: 0..9"], ["state:", "  n: 0..9"]),
        ("let", "x = a - b", ["let x = a - b"], ["let:", "  x: a - b"]),
        ("param", "top = 20", ["param top = 20"], ["param:", "  top: 20"]),
        ("read", "[n] * heaps", ["read [n] * heaps"], ['read: "[n] * heaps"']),
        ("win", '"Case {case}: yes"', ['win "Case {case}: yes"'], ['win: "Case {case}: yes"']),
        (None, "(2..20) - open", ["(2..20) - open"], ["(2..20) - open"]),
        (None, None, [], []),
    ],
)
def test_text_to_paste(clause: str | None, value: str | None, text: list[str], yaml: list[str]) -> None:
    assert paste(Help("", clause, value), "text") == text
    assert paste(Help("", clause, value), "yaml") == yaml


def test_marks_stand_below_wide_characters_and_tabs() -> None:
    text = "\tlet 数字 = wrong"
    source = Source("g.game", text)
    lines = terminal_text(EMPTY.at(at(text, "wrong"), call="x"), source).split("\n")
    shown, marks = lines[2], lines[3]
    assert "\t" not in shown
    assert width(shown[: shown.index("wrong")]) == marks.index("^")


def test_long_lines_are_cut_around_the_mark() -> None:
    text = "let x = " + "1 + " * 1000 + "wrong" + " + 1" * 1000
    source = Source("g.game", text)
    lines = terminal_text(EMPTY.at(at(text, "wrong"), call="x"), source).split("\n")
    shown, marks = lines[2], lines[3]
    assert len(shown) < 120
    assert shown.index("wrong") == marks.index("^")
    assert marks.count("^") == 5


@pytest.mark.parametrize("offset", [0, 7, 17, 18])
def test_places_at_the_edges_of_the_text(offset: int) -> None:
    text = "game g\nmove take\n"
    source = Source("g.game", text)
    shown = terminal_text(EMPTY.at(Span(offset, offset), call="x"), source)
    assert "^" in shown


def test_a_span_over_several_lines_marks_the_first() -> None:
    text = "game g\nmove take\n  do n -= 1\n"
    source = Source("g.game", text)
    lines = terminal_text(EMPTY.at(Span(7, len(text)), call="x"), source).split("\n")
    assert lines[2:4] == ["  2 | move take", "    | ^^^^^^^^^"]


def test_two_marks_in_one_line_show_the_line_once() -> None:
    text = "let x = aa + bb"
    source = Source("g.game", text)
    note = Note("declared here", at(text, "aa"))
    shown = terminal_text(EMPTY.at(at(text, "bb"), call="x", notes=[note]), source)
    assert shown.count(text) == 1
    assert "-- declared here" in shown


def test_without_a_place_or_a_source() -> None:
    one = Kind("GS302", "the time given is over", help="give more with --time").at(None)
    assert terminal_text(one, None) == "error: the time given is over  [GS302]\n  help: give more with --time"
    assert terminal_text(one, Source("g.game", "")).split("\n")[1] == "  g.game  [GS302]"


def test_untrusted_text_cannot_write_to_the_terminal() -> None:
    evil = "game \x1b[2J\u202eg\x07"
    source = Source("\x1b]0;x\x07.game", evil)
    one = Kind("GS101", "no `{name}`").at(Span(5, 9), name="\x1b[31m")
    shown = terminal_text(one, source)
    assert not set(shown) & {"\x1b", "\x07", "\u202e"}
    assert clean("a\nb") == "a\nb"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert has_color(_Terminal())
    assert not has_color(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_color(_Terminal())


def test_colour_changes_nothing_but_colour() -> None:
    import re

    source = Source("specs/cow_digit.yaml", YAML, "yaml")
    colored = terminal_text(example(source), source, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == terminal_text(example(source), source)


def test_json_form() -> None:
    source = Source("specs/cow_digit.yaml", YAML, "yaml")
    found = json.loads(json_text(example(source), source))
    assert found["code"] == "GS104"
    assert found["severity"] == "error"
    assert found["path"] == "specs/cow_digit.yaml"
    assert source.text[found["place"]["start"] : found["place"]["end"]] == "min(ds)"
    assert (found["place"]["line"], found["place"]["column"], found["place"]["end_column"]) == (8, 19, 26)
    assert found["notes"][0]["place"]["line"] == 5
    assert found["helps"] == [{"message": "rule it out with a guard:", "paste": "when: n > 0"}]


def test_json_without_a_source() -> None:
    found = json.loads(json_text(EMPTY.at(None, call="x"), None))
    assert found["path"] is None
    assert found["place"] is None


def test_json_is_one_object_a_line() -> None:
    source = Source("specs/cow_digit.yaml", YAML, "yaml")
    stream = io.StringIO()
    report([example(source), example(source)], source, stream, "json")
    assert [json.loads(line)["code"] for line in stream.getvalue().splitlines()] == ["GS104", "GS104"]


def test_github_form() -> None:
    source = Source("specs/cow,digit.yaml", YAML, "yaml")
    text = github_text(example(source), source)
    head = "::error title=GS104,file=specs/cow%2Cdigit.yaml,line=8,col=19,endLine=8,endColumn=26::"
    assert text.startswith(head)
    assert "\n" not in text
    assert text.endswith("%0Ahelp: rule it out with a guard: when: n > 0")
    note = Kind("GS199", "50% done", severity="note").at(None)
    assert github_text(note, None) == "::notice title=GS199::50%25 done"


def test_templates_do_not_interpret_what_users_write() -> None:
    assert Kind("GS101", "no `{name}` in {game}").at(None, name="{game}", game="g").message == "no `{game}` in g"


def test_a_line_of_a_million_characters_is_shown_soon() -> None:
    text = "\0" * 500_000 + "here" + "é" * 500_000
    started = time.process_time()
    shown = terminal_text(Diagnostic("GS001", "error", "wrong", Span(500_000, 500_004)), Source("x.game", text))
    assert time.process_time() - started < 0.5
    line, marks = shown.split("\n")[2:]
    assert line == "  1 | …" + "␀" * 30 + "here" + "é" * 66 + "…"
    assert marks == "    | " + " " * 31 + "^^^^"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0 cases of 0 entries are"),
        (1, "1 case of 1 entry is"),
        (2, "2 cases of 2 entries are"),
        (1000, "1,000 cases of 1,000 entries are"),
        ("1", "1 case of 1 entry is"),
    ],
)
def test_numbers_with_their_nouns(number: object, said: str) -> None:
    kind = Kind("GS000", "{n|case} of {n|entry is|entries are}, `{word}`")
    assert kind.at(None, n=number, word="{n|case}").message == f"{said}, `{{n|case}}`"
