"""Contest problems whose answers come from independent solvers, where a copy of them lies beside the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.table import needed
from gamespec.game.model import MOVER, Game
from gamespec.plan.choose import choose
from tests.agreement.vary import renamed
from tests.tool import ROOT
from tests.tool import gamespec as tool

PROBLEMS = ROOT.parent / "shared" / "problems"
SPECS = Path(__file__).parent

# Tiers of the cases: S sample, X small and exhaustive, M medium, L at the limits of the statement.
TIERS = {
    "agc017d_treegame": "SX",
    "atcoder_dpk_stones": "SXML",
    "atcoder_dpl_deque": "SXML",
    "cf1147c_thanos": "SX",
    "cf1396b_stoned": "SXL",
    "cf787c_berzerk": "SXML",
    "col_path": "SXML",
    "dodgem3": "SXML",
    "domineering": "SXML",
    "hackenbush_strings": "SXL",
    "hdu1079_calendar": "SXML",
    "hdu1404_digdel": "SXML",
    "hdu1846_bash": "SXML",
    "hdu2516_fibnim": "SXML",
    "hdu3032_lasker": "SXML",
    "hdu3537_mockturtles": "SXML",
    "hr_kayles": "SXML",
    "hr_permgame": "SXML",
    "lc1140_stone2": "SXML",
    "lc1406_stone3": "SXML",
    "lc2038_colored": "SXML",
    "lc294_flip": "SXML",
    "lc464_caniwin": "SXML",
    "lc913_catmouse": "SXML",
    "lightoj1199_partition": "SXML",
    "poj1067_wythoff": "SXML",
    "poj1704_georgia": "SXL",
    "poj2311_cutting": "SXML",
    "poj2348_euclid": "SXL",
    "poj2425_dagtokens": "SXML",
    "poj2484_funny": "SXML",
    "poj2960_snim": "SXML",
    "poj2975_nimcount": "SXML",
    "poj3480_john": "SXL",
    "poj3537_crosses": "SXML",
    "spoj_mcoins": "SXML",
    "ttt_position": "SXML",
    "uva11489_integer": "SXML",
}


def cases(within: str = "SXML") -> Iterator[tuple[str, str]]:
    """Problem and number of the case, of some tiers."""
    for name, wanted in TIERS.items():
        statement = PROBLEMS / name / "statement.md"
        if statement.exists():
            tiers = re.findall(r"^(\d+)\.in / \d+\.out: (\w)", statement.read_text(), re.MULTILINE)
            yield from ((name, number) for number, tier in tiers if tier in wanted and tier in within)


def test_every_spec_is_listed() -> None:
    assert {path.stem for path in SPECS.glob("*.game")} == set(TIERS)


def test_specs_are_fine() -> None:
    run = tool("check", SPECS)
    assert run.code == 0, run.out + run.err


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for kept kernels: after the first case of a problem, the others start from it."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.skipif(not PROBLEMS.exists(), reason="the problems are not there")
@pytest.mark.parametrize(("name", "number"), list(cases()))
def test_problem(name: str, number: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMESPEC_CACHE", str(cache))
    case = PROBLEMS / name / f"{number}.in"
    run = tool("solve", SPECS / f"{name}.game", stdin=case.read_text(), timeout=60)
    assert run.code == 0, run.err
    assert run.out.split() == case.with_suffix(".out").read_text().split()


def fields(game: Game) -> list[str]:
    """The names that the spec gives to its fields and params."""
    return [*game.params, *(field.name for field in (*game.givens, *game.states) if field.name != MOVER)]


@pytest.mark.skipif(not PROBLEMS.exists(), reason="the problems are not there")
@pytest.mark.parametrize(("name", "number"), list(cases("S")))
def test_names_of_fields_mean_nothing(name: str, number: str) -> None:
    """The same spec with other names: the same plan, and the same answers."""
    game = gamespec.load(str(SPECS / f"{name}.game"))
    other = gamespec.loads(renamed(game.source.text, fields(game)))
    assert not set(fields(other)) & set(fields(game))
    plans = [choose(each, analyse(each), needed(each)) for each in (game, other)]
    assert len({(plan.strategy, plan.bid.cost, len(plan.functions)) for plan in plans}) == 1
    case = PROBLEMS / name / f"{number}.in"
    answers = gamespec.solve(other, case.read_text())
    assert answers == gamespec.solve(game, case.read_text())
    assert answers.split() == case.with_suffix(".out").read_text().split()
