"""Contest problems whose answers come from independent solvers, where a copy of them lies beside the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tool import ROOT, gamespec

PROBLEMS = ROOT.parent / "shared" / "problems"
SPECS = Path(__file__).parent

# Tiers of the cases: S sample, X small and exhaustive, M medium, L at the limits of the statement.
TIERS = {
    "agc017d_treegame": "SX",
    "atcoder_dpk_stones": "SXML",
    "atcoder_dpl_deque": "SXML",
    "cf1147c_thanos": "SX",
    "cf1396b_stoned": "SX",
    "cf787c_berzerk": "SXML",
    "col_path": "SXML",
    "dodgem3": "SXML",
    "domineering": "SXML",
    "hackenbush_strings": "SXL",
    "hdu1079_calendar": "SXML",
    "hdu1404_digdel": "SXML",
    "hdu1846_bash": "SXML",
    "hdu2516_fibnim": "SXM",
    "hdu3032_lasker": "SXM",
    "hdu3537_mockturtles": "SXM",
    "hr_kayles": "SXML",
    "hr_permgame": "SXML",
    "lc1140_stone2": "SXML",
    "lc1406_stone3": "SXML",
    "lc2038_colored": "SXML",
    "lc294_flip": "SXML",
    "lc464_caniwin": "SXML",
    "lc913_catmouse": "SXML",
    "lightoj1199_partition": "SXML",
    "poj1067_wythoff": "SXM",
    "poj1704_georgia": "SX",
    "poj2311_cutting": "SXML",
    "poj2348_euclid": "SX",
    "poj2425_dagtokens": "SXML",
    "poj2484_funny": "SXM",
    "poj2960_snim": "SXML",
    "poj2975_nimcount": "XM",  # a list of moves from a heap of 10^9, as in the sample, is too long
    "poj3480_john": "SX",
    "poj3537_crosses": "SXML",
    "spoj_mcoins": "SXML",
    "ttt_position": "SXML",
    "uva11489_integer": "SXML",
}


def cases() -> Iterator[tuple[str, str]]:
    """Problem and number of the case."""
    for name, wanted in TIERS.items():
        statement = PROBLEMS / name / "statement.md"
        if statement.exists():
            tiers = re.findall(r"^(\d+)\.in / \d+\.out: (\w)", statement.read_text(), re.MULTILINE)
            yield from ((name, number) for number, tier in tiers if tier in wanted)


def test_every_spec_is_listed() -> None:
    assert {path.stem for path in SPECS.glob("*.game")} == set(TIERS)


def test_specs_are_fine() -> None:
    run = gamespec("check", SPECS)
    assert run.code == 0, run.out + run.err


@pytest.mark.skipif(not PROBLEMS.exists(), reason="the problems are not there")
@pytest.mark.parametrize(("name", "number"), list(cases()))
def test_problem(name: str, number: str) -> None:
    case = PROBLEMS / name / f"{number}.in"
    run = gamespec("solve", SPECS / f"{name}.game", stdin=case.read_text(), timeout=60)
    assert run.code == 0, run.err
    assert run.out.split() == case.with_suffix(".out").read_text().split()
