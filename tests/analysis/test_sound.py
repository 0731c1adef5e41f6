"""Random games: whatever is proved never fails in the evaluator, and every order really falls."""

from __future__ import annotations

import pytest

from gamespec.analysis.facts import analyse
from gamespec.diagnostics import SpecError
from gamespec.types import ArrayType, SetType
from tests.analysis.brute import disproofs, game_of
from tests.analysis.drawn import drawn, drawn_board, drawn_pieces, drawn_row
from tests.tool import GALLERY

SEEDS = 60
GROUP = 10


@pytest.mark.parametrize("first", range(0, SEEDS, GROUP))
def test_drawn_games(first: int) -> None:
    checked = 0
    for seed in range(first, first + GROUP):
        try:
            game = game_of(drawn(seed))
        except SpecError:
            continue
        checked += 1
        wrong = disproofs(game, analyse(game), limit=50, cases=2)
        assert not wrong, f"seed {seed}: {wrong[0]}\n{game.source.text}"
    assert checked > GROUP // 2


def test_requirements_on_all_cells() -> None:
    kept = 0
    for seed in range(100):
        game = game_of(drawn_row(seed))
        facts = analyse(game)
        kept += "require" not in {kind for kind, _ in facts.proofs.unproved}
        wrong = disproofs(game, facts, limit=100, cases=1)
        assert not wrong, f"{wrong[0]}\n{game.source.text}"
    assert 20 < kept < 80


def test_drawn_games_are_not_all_alike() -> None:
    """The generator makes provable and unprovable rules, or the test above would say nothing."""
    found = []
    for seed in range(30):
        try:
            found.append(analyse(game_of(drawn(seed))))
        except SpecError:
            continue
    assert 3 <= sum(facts.order is not None for facts in found) < len(found)
    proved = sum(reason is not None for facts in found for reason in facts.proofs.reasons.values())
    assert proved > sum(len(facts.proofs.unproved) for facts in found) > 10


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_gallery(path) -> None:  # type: ignore[no-untyped-def]
    from gamespec.file import open_source
    from gamespec.game.check import check
    from gamespec.syntax.read import read

    source = open_source(str(path))
    game = check(read(source), source, {})
    facts = analyse(game)
    by_data = any(isinstance(given.type, ArrayType) and isinstance(given.type.of, SetType) for given in game.givens)
    assert facts.finite is not None or game.endless is not None or by_data
    assert not disproofs(game, facts, limit=12, cases=2)


def test_boards_sets_and_turns() -> None:
    kept = checked = 0
    for seed in range(50):
        try:
            game = game_of(drawn_board(seed))
        except SpecError:
            continue
        checked += 1
        facts = analyse(game)
        kept += "require" not in {kind for kind, _ in facts.proofs.unproved}
        wrong = disproofs(game, facts, limit=50, cases=2)
        assert not wrong, f"seed {seed}: {wrong[0]}\n{game.source.text}"
    assert checked > 35
    assert 5 < kept < checked - 5


def test_pieces_on_a_board() -> None:
    ended = 0
    for seed in range(80):
        game = game_of(drawn_pieces(seed))
        facts = analyse(game)
        ended += facts.finite is not None
        wrong = disproofs(game, facts, limit=200, cases=1)
        assert not wrong, f"seed {seed}: {wrong[0]}\n{game.source.text}"
    assert 8 < ended < 72
