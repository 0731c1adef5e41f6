"""Games that nobody wrote: every strategy, both back ends and both spellings say what the definition says."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.table import needed
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import GamespecError, SpecError
from gamespec.plan.choose import choose, make_solver
from gamespec.run.solve import solve
from gamespec.source import Source
from gamespec.syntax.format import convert_source, format_source
from gamespec.syntax.read import read
from tests.random.agree import WITHOUT, agree
from tests.random.drawn import seeded, specs

FEW = settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def compared(text: str, number: int) -> int:
    """How many answers agree; 0 for a text that is refused, which must be refused with a diagnostic."""
    try:
        game = gamespec.loads(text)
    except SpecError as error:
        assert error.diagnostics
        return 0
    return agree(game, number, lambda place: place == number % 6)


@pytest.mark.parametrize("block", range(6))
def test_seeded_games(block: int) -> None:
    answers = [compared(seeded(7_000 + 10 * block + number), 10 * block + number) for number in range(10)]
    assert sum(answers) > 500
    assert sum(count > 0 for count in answers) >= 6


@FEW
@given(specs(), st.integers(0, len(WITHOUT) - 1))
def test_drawn_games(text: str, number: int) -> None:
    compared(text, number)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_many_games(block: int) -> None:
    for number in range(25):
        compared(seeded(1_000_000 + 25 * block + number), number)


@pytest.mark.parametrize("number", range(40))
def test_spellings(number: int) -> None:
    """The canonical layout and the other spelling are the same tree, there and back."""
    source = Source("drawn.game", seeded(9_000 + number))
    try:
        tree = read(source)
    except SpecError:
        pytest.skip("not a spec")
    formatted = msgspec.structs.replace(source, text=format_source(source))
    assert read(formatted) == tree
    assert format_source(formatted) == formatted.text
    other = Source("drawn.yaml", convert_source(source, "yaml"), "yaml")
    assert read(other) == tree
    assert read(Source("drawn.game", convert_source(other, "text"))) == tree


WORDS = st.sampled_from(["0", "1", "2", "7", "-1", "99", "x", "1.5", "", "10" * 30, "true", "\n", "\x00", "é", "+3"])


@FEW
@given(st.integers(0, 400), st.lists(WORDS, max_size=12))
def test_bad_input_ends_in_a_diagnostic(seed: int, words: list[str]) -> None:
    try:
        game = gamespec.loads(seeded(seed))
        plan = choose(game, analyse(game), needed(game))
    except GamespecError as error:
        assert error.diagnostics
        return
    budget = Budget(1 << 26, 5)
    solver = make_solver(game, analyse(game), plan, budget, lambda functions: compile(functions, "python"))
    try:
        solve(game, solver, io.BytesIO(" ".join(words).encode()), io.BytesIO(), budget)
    except GamespecError as error:
        assert error.diagnostics
        assert error.exit_code in (1, 2, 3)
