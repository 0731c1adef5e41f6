"""Windows that slide while a table is filled: what the definition says, however their ends move."""

from __future__ import annotations

from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game
from gamespec.game.reference import mex
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.table import slide, strategy
from gamespec.plan.table.kernel import Table
from gamespec.types import IntType

SEVERAL = [
    "choose k in n / 3..n / 2 when k > 0 do n -= k",
    "choose k in 1..n / 4 do n -= k",
    "choose k in 1..(n * 7) % 5 when k <= n do n -= k",
    "choose k in max(1, n - 9)..n do n -= k",
    "choose to in n / 4..n / 2 when to < n do n = to",
    "choose k in 2..7 when n % 3 == 1 and n >= k + 2 do n -= k + 2",
    "choose k in 1..c when k < n do n -= k",
    "choose back in 0..3 when n >= 5 do n -= 5 - back",
    "when n > 0 do n -= 1",
    "when n % 4 == 3 do n -= 3",
]


def drawn(seed: int) -> str:
    random = Random(seed)
    top = random.randint(1, 70)
    up = random.random() < 0.3
    lines = [f"game drawn_{seed}", "given c: 1..6", f"state n: 0..{top}"]
    if up:
        lines[2:] = [f"state u: 0..{top}", f"let n = {top} - u"]
    for number in range(random.randint(1, 3)):
        move = random.choice([move for move in SEVERAL if "n = to" not in move or not up])
        lines.append(f"move m{number} {move.replace('n -=', 'u +=') if up else move}")
    if random.random() < 0.3:
        lines.append(f"terminal n % {random.randint(2, 9)} == 1")
    if random.random() < 0.2:
        lines.append("winner stuck player")
    return "\n".join(lines)


def uses(game: Game, grundy: bool) -> Table:
    return Table(game, analyse(game), Ask(grundy=grundy))


def answers(game: Game, backend: str, *, grundy: bool, c: int, left_out: tuple[str, ...] = ()) -> list[int]:
    facts = analyse(game, left_out)
    plan = choose(game, facts, Ask(grundy=grundy), "table")
    solver = make_solver(game, facts, plan, Budget(), lambda functions: compile(functions, backend, checked=True))
    of = game.states[0].type
    assert isinstance(of, IntType)
    column = list(range(of.bounds.lo, of.bounds.hi + 1))
    some = [column[:2], column] if len(column) > 2 else [column]
    found: list[int] = []
    for each in some:  # the second time more is asked
        found = list(solver.values([[c] * len(each)], [each]))
    return found


@pytest.mark.parametrize("block", range(6))
def test_random_windows(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slide, "FEW", 0)
    monkeypatch.setattr(strategy, "FIRST", 3)  # the kernel is called many times
    monkeypatch.setattr(strategy, "next_piece", lambda piece, *_: piece + 1)
    slid = 0
    for seed in range(40 * block, 40 * block + 40):
        try:
            game = gamespec.loads(drawn(seed))
        except SpecError:
            continue
        plain = not game.misere
        for grundy in (False, True) if plain else (False,):
            slid += uses(game, grundy).slide is not None
            backend = "llvm" if seed % 8 == 0 else "python"
            found = answers(game, backend, grundy=grundy, c=1 + seed % 6)
            assert found == answers(game, "python", grundy=grundy, c=1 + seed % 6, left_out=("slide",)), drawn(seed)
            assert found == defined(game, 1 + seed % 6, grundy), drawn(seed)
    assert slid > 12


def defined(game: Game, c: int, grundy: bool) -> list[int]:
    """The values of all numbers by the definition, from below."""
    evaluator = Evaluator(game, {"c": c})
    of = game.states[0].type
    assert isinstance(of, IntType)
    values: dict[int, int] = {}
    numbers = range(of.bounds.hi + 1)
    for n in reversed(numbers) if game.states[0].name == "u" else numbers:
        over = evaluator.verdict((n,)) is not None
        after = set() if over else {play.results[0][0] for play in evaluator.moves((n,))}
        least = mex(values[to] for to in after if isinstance(to, int))
        if grundy:
            values[n] = least
        else:
            won = any(values[to] == 0 for to in after if isinstance(to, int))
            values[n] = int(won or (game.misere and not after))
    return [values[n] for n in numbers]


@pytest.mark.parametrize("grundy", [False, True])
def test_all_levels(grundy: bool) -> None:
    """Values that need several words of words: Nim, of which each number is its own value."""
    game = gamespec.loads("game nim given c: 1..6 state n: 0..9000 move take choose k in 1..n do n -= k")
    assert uses(game, grundy).slide is not None or not grundy
    found = answers(game, "llvm", grundy=grundy, c=1)
    assert found == [n if grundy else int(n > 0) for n in range(9001)]


def test_levels() -> None:
    assert slide.levels_of(1) == [1, 1, 1, 1]
    assert slide.levels_of(64) == [1, 1, 1, 1]
    assert slide.levels_of(65) == [2, 1, 1, 1]
    assert slide.levels_of(64**3 + 1) == [4097, 65, 2, 1]


REFUSED = [
    "choose k in {1, 2, 3, 4, 5, 6, 7, 8, 9, 12} when k <= n do n -= k",  # not side by side
    "choose k in 1..n / 2 do n -= 2 * k",
    "choose k in 1..n when k % 2 == 1 do n -= k",  # a hole
    "choose k in 1..n when k + n % k <= n do n -= k + n % k",  # what is added depends on the choice
    "choose k in 1..n / 2 when n > 5 do n -= max(k, 3)",
    "choose k in 1..n, j in 1..2 when k + j <= n do n -= k + j",
]


@pytest.mark.parametrize("move", REFUSED)
@pytest.mark.parametrize("grundy", [False, True])
def test_what_is_no_window(move: str, grundy: bool) -> None:
    game = gamespec.loads(f"game other given c: 1..6 state n: 0..300 move take {move}")
    assert uses(game, grundy).slide is None
    assert answers(game, "llvm", grundy=grundy, c=1) == defined(game, 1, grundy)
