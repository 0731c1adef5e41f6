"""`gamespec period`: certificates, their check, and what cannot be certified."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gamespec.cli.main import run
from tests.tool import spec

KAYLES = """\
game k
sum
state n: 0..50
move one choose a in 0..n - 1 into (a), (n - 1 - a)
move two choose a in 0..n - 2 into (a), (n - 2 - a)
"""


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Tool = Callable[..., Ran]


@pytest.fixture
def gamespec(capsys: pytest.CaptureFixture[str]) -> Tool:
    """The command, run here and now."""

    def do(*args: object) -> Ran:
        code = run([str(arg) for arg in args])
        return Ran(code, *capsys.readouterr())

    return do


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("period")
    (path / "k.game").write_text(KAYLES)
    assert run(["period", str(path / "k.game"), "-o", str(path / "k.json")]) == 0
    return path / "k.json"


def test_what_is_printed(gamespec: Tool) -> None:
    ran = gamespec("period", spec("kayles"))
    assert "claim       G(n + 12) = G(n) for all n ≥ 71" in ran.out
    assert "14 sizes have another value" in ran.out


def test_a_certificate_holds(certificate: Path, gamespec: Tool) -> None:
    """It says all that is needed, so the spec is not."""
    ran = gamespec("period", "--verify", certificate)
    assert ran.code == 0, ran.err
    assert "octal game 0.77" in ran.out
    again = gamespec("period", "--verify", certificate, certificate.with_name("k.game"))
    assert again.code == 0, again.err
    other = gamespec("period", "--verify", certificate, spec("grundys_game"))
    assert other.code == 1
    assert "GS534" in other.err


def test_numbers_with_some_remainders(tmp_path: Path, gamespec: Tool) -> None:
    """Their certificate says which numbers are meant; one that means others, or none, is rejected."""
    (tmp_path / "g.game").write_text(
        "game g sum state n: 0..99 move go choose k in 2..n when k % 5 in {1, 2} and k != 11 do n -= k"
    )
    ran = gamespec("period", tmp_path / "g.game", "-o", tmp_path / "g.json")
    assert ran.code == 0, ran.err
    assert "(1, 2 modulo 5) but {11}" in gamespec("period", tmp_path / "g.game").out
    assert gamespec("period", "--verify", tmp_path / "g.json", tmp_path / "g.game").code == 0
    text = (tmp_path / "g.json").read_text()
    for modulus, left in ((5, [1, 3]), (0, [1, 2]), (5, [2, 1]), (5, [1, 7]), (10**9, [1]), (5, [])):
        says = json.loads(text)
        family = says["rule"]["cuts"][0]["taken"]["family"]
        assert family["remainders"] == [1, 2]
        family |= {"modulus": modulus, "remainders": left}
        (tmp_path / "x.json").write_text(json.dumps(says))
        ran = gamespec("period", "--verify", tmp_path / "x.json")
        assert ran.code == 1, (modulus, left)
        assert "Traceback" not in ran.err


SPOILT: dict[str, dict[str, Any]] = {
    "GS533": {"period": 24, "digest": "0"},
    "the period does not hold": {"preperiod": 40},
    "`digest` is 00": {"digest": "00"},
    "`exceptions` is": {"exceptions": [1, 2]},
    "`exceptional` is 5": {"exceptional": 5},
    "`normal_form` is": {"normal_form": "octal game 0.07"},
    "`statement` is": {"statement": "it is so"},
    "`needed` is 10": {"needed": 10},
    "1 values were computed": {"checked": 1},
    "the theorem for this rule": {"theorem": "finite"},
    "says nothing about": {"theorem": "lasker"},
    "names no theorem": {"theorem": "mine"},
    "not a certificate": {"period": -1},
    "its format": {"format": "2"},
    "more than 67,108,864": {"preperiod": 10**12},
    "no heap game has such moves": {"rule": {"lowest": 0, "cuts": [{"parts": 1, "taken": {"values": [0]}}]}},
    "an empty heap has moves": {"rule": {"lowest": 0, "cuts": [{"parts": 0}]}},
}


@pytest.mark.parametrize("message", SPOILT)
def test_what_does_not_hold(message: str, certificate: Path, tmp_path: Path, gamespec: Tool) -> None:
    (tmp_path / "x.json").write_text(json.dumps(json.loads(certificate.read_text()) | SPOILT[message]))
    ran = gamespec("period", "--verify", tmp_path / "x.json")
    assert ran.code == 1
    assert message in ran.err


def test_the_same_rule_in_other_words(tmp_path: Path, gamespec: Tool) -> None:
    """Taking two in two rules or in one, as 0.07 does."""
    text = "game dawson{} sum state n: 0..99 move pair choose left in 0..n - 2 into (left), (n - 2 - left)"
    (tmp_path / "one.game").write_text(text.format(1))
    (tmp_path / "two.game").write_text(
        "game dawson2 sum state n: 0..99 move middle choose left in 1..n - 3 into (left), (n - 2 - left)\n"
        "move end when n > 2 into (n - 2) move all when n == 2 into nothing"
    )
    assert gamespec("period", tmp_path / "one.game", "-o", tmp_path / "c.json").code == 0
    ran = gamespec("period", "--verify", tmp_path / "c.json", tmp_path / "two.game")
    assert ran.code == 0, ran.err


def test_other_files(tmp_path: Path, gamespec: Tool) -> None:
    (tmp_path / "x.json").write_text("[" * 100_000)
    assert gamespec("period", "--verify", tmp_path / "x.json").code == 1
    assert gamespec("period", "--verify", tmp_path / "none.json").code == 64
    assert gamespec("period").code == 64


@pytest.mark.parametrize(
    ("name", "values", "claim"),
    [
        ("power_cards", [], "G(n + 3) = G(n) for all n ≥ 0"),
        ("laskers_nim", [], "G(n + 4) = G(n) + 4 for all n ≥ 1"),
        ("subtraction_sets", ["take={2,5,9}"], "G(n + 7) = G(n) for all n ≥ 0"),
        ("bash", ["m=1000"], "G(n + 1,001) = G(n) for all n ≥ 0"),
    ],
)
def test_gallery(name: str, values: list[str], claim: str, tmp_path: Path, gamespec: Tool) -> None:
    ran = gamespec("period", spec(name), *values, "-o", tmp_path / "c.json")
    assert ran.code == 0, ran.err
    assert claim in ran.out
    assert gamespec("period", "--verify", tmp_path / "c.json").code == 0


def test_as_json(gamespec: Tool) -> None:
    ran = gamespec("period", spec("kayles"), "--format", "json")
    found = json.loads(ran.out)
    assert (found["period"], found["preperiod"], found["saltus"], found["theorem"]) == (12, 71, 0, "octal")
    assert found["needed"] <= found["checked"]


def test_what_has_none(gamespec: Tool) -> None:
    squares = gamespec("period", spec("subtract_a_square"))
    assert squares.code == 3
    assert "GS532" in squares.err
    mark = gamespec("period", spec("mark"))
    assert mark.code == 1
    assert "GS531" in mark.err
    sets = gamespec("period", spec("subtraction_sets"))
    assert sets.code == 64
    assert "`take`, which has no value" in sets.err
    misere = gamespec("period", spec("misere_nim"))
    assert misere.code == 1
