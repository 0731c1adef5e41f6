"""Sums as words: classes of components, their genera, and the kernel that searches multisets of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.plan.slot import KEYS
from gamespec.plan.sum import packed, whole
from gamespec.plan.sum.amount import MOST, partitions, sums
from gamespec.plan.sum.closure import Classes, NotClosed, classes, most_sums
from gamespec.plan.sum.genus import Genera
from gamespec.plan.sum.multiset import Adding
from gamespec.plan.sum.packed import fitting
from gamespec.plan.sum.whole import WholeSolver
from tests.agreement.sums import Sums
from tests.agreement.test_whole import solver

CODES = ("77", "07", "137", "26", "56", "47")
TOP = 7


def octal(code: str, top: int) -> Game:
    """The octal game of a code under misère play: digit d of place k says what may become of a row that loses k."""
    moves = []
    for taken, digit in enumerate(map(int, code), 1):
        if digit & 1:
            moves.append(f"move all{taken} when n == {taken} into nothing")
        if digit & 2:
            moves.append(f"move end{taken} when n > {taken} into (n - {taken})")
        if digit & 4:
            split = f"choose a in 1..n - {taken + 1} when n > {taken + 1} into (a), (n - {taken} - a)"
            moves.append(f"move split{taken} {split}")
    return gamespec.loads(f"game octal sum state n: 0..{top} {' '.join(moves)} winner stuck player")


def made(game: Game, backend: str = "python") -> WholeSolver:
    found = solver(game, Ask(moves=True), backend)
    assert isinstance(found, WholeSolver)
    return found


def genera(found: WholeSolver, rows: Sequence[int]) -> list[object]:
    assert isinstance(found.settled, Genera)
    return [found.settled.value(found.components.number((), (n,))) for n in rows]


def closed(found: WholeSolver, roots: Sequence[tuple[int, ...]]) -> tuple[Classes, list[int]]:
    """The classes of some components, and which of them the components are."""
    numbers = [found.components.number((), root) for root in roots]
    of = classes(found.components, numbers, lambda number: None, (0,))
    return of, [of.of[number] for number in numbers]


@pytest.mark.parametrize("few", [0, 1 << 60])
def test_misere_octal_games(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tame rows are added, wild ones searched; most of these games have both."""
    monkeypatch.setattr(whole, "FEW_SUMS", few)
    random = Random(3)
    known: list[object] = []
    for code in CODES:
        game = octal(code, TOP)
        found = made(game, "llvm" if code == "77" else "python")
        whole_sums = Sums(game, [{}], [[(n,) for n in range(TOP + 1)]])
        cases = [[(0, (random.randint(1, TOP),)) for _ in range(random.randint(1, 3))] for _ in range(6)]
        whole_sums.compare(found, Ask(), cases, code)
        known += genera(found, range(TOP + 1))
    assert known.count(None) >= 3
    assert len(known) - known.count(None) > 20


def test_genera_of_kayles() -> None:
    """5 is the first wild row, which 1 + 5 shows."""
    assert genera(made(octal("77", 9)), range(6)) == [(0, 1), (1, 0), (2, 2), (3, 3), (1, 0), None]


def test_components_that_are_the_same_game_are_one_class() -> None:
    game = gamespec.loads(
        "game same sum state a: 0..4 state b: 0..4 "
        "move lefts choose k in 1..a do a -= k move rights choose k in 1..b do b -= k winner stuck player"
    )
    places = [(a, b) for a in range(5) for b in range(5)]
    found, numbers = closed(made(game), places)
    of = dict(zip(places, numbers, strict=True))
    assert of[1, 3] == of[3, 1] != of[2, 2]
    assert of[0, 0] == 0
    assert len(found.sides) == len(set(numbers)) == 15
    assert found.length[of[2, 1]] == 3


def test_the_bound_holds() -> None:
    """Partitions into rows that have room for no more parts, or moves, than the row has; those reached are fewer."""
    found, numbers = closed(made(octal("77", 40)), [(n,) for n in range(41)])
    bounds = [most_sums(found, [number], 1 << 40) for number in numbers]
    assert bounds[:4] == [1, 2, 3, 7]
    assert 42_482 < bounds[40] < 250_000
    assert most_sums(found, [numbers[40]], 1000) == 1000
    assert most_sums(found, [], 1000) == 1


def test_declared_amounts() -> None:
    """Partitions of 0 to 40 (A000070), the estimate where they are too many to count, and multisets of positions."""
    assert partitions(40, 40, 1) == 215_308
    assert partitions(3, 2, 2) == 16
    assert partitions(10**5, 10**5, 1) == MOST
    game = octal("77", 40)
    assert sums(game, analyse(game), 1) == 215_308
    pile = gamespec.loads("game pile sum state n: 0..9 move take when n > 0 do n -= 1 winner stuck player")
    assert [sums(pile, analyse(pile), components) for components in (1, 2, 3)] == [10, 55, 220]


def test_every_width_of_words_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = octal("77", 13)
    cases = [[13], [13, 2], [5, 5, 5], [9, 9], [5, 1], [12, 2, 2]]
    columns = [[n for case in cases for n in case]]
    monkeypatch.setattr(whole, "FEW_SUMS", 1 << 60)
    expected = list(made(game).sums([], columns, list(map(len, cases))))
    monkeypatch.setattr(whole, "FEW_SUMS", 0)
    for key in KEYS:
        monkeypatch.setattr(packed, "KEYS", (key,))
        found = made(game, "python" if key in KEYS[1:3] else "llvm")
        assert list(found.sums([], columns, list(map(len, cases)))) == expected
        assert found.packed is not None
        assert found.packed.memo.key == key


def test_the_narrowest_word_is_taken() -> None:
    game = octal("77", 9)
    words = [fitting(game, Ask(), bits, Adding.NOTHING) for bits in (62, 63, 127, 510)]
    assert [word.key for word in words] == [ir.U64, ir.U128, ir.U256, ir.U512]
    with pytest.raises(NotClosed):
        fitting(game, Ask(), 511, Adding.NOTHING)


def test_further_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Larger components, or more of them, than those that the words were made for."""
    monkeypatch.setattr(whole, "FEW_SUMS", 0)
    lost, found = [1, 4, 9, 12, 20], made(octal("77", 20))
    for n in (9, 13, 6, 20):
        assert found.sums([], [[n]], [1]) == [n not in lost]
    assert found.sums([], [[5, 1, 5, 5]], [2, 2]) == made(octal("77", 20)).sums([], [[5, 1, 5, 5]], [2, 2])
    assert found.budget.used < 1 << 22


def test_a_rule_that_fails_where_no_search_comes() -> None:
    """The kernel wants all components beforehand; a fault among them is told only if play meets it."""
    game = gamespec.loads(
        "game fails sum state n: 0..9 state m: 0..9 move take choose k in 1..2 when k <= n do n -= k "
        "move bad when n == 0 and m > 0 do m -= 10 / (m - 3) winner stuck player"
    )
    assert made(game).sums([], [[4], [0]], [1])
    with pytest.raises(SpecError, match="m = 3"):
        made(game).sums([], [[1], [3]], [1])


def test_memory_is_bounded() -> None:
    """The table of the kernel counts, and what is needed is said, also in all; it is given back."""
    game, budget = octal("77", 40), Budget(2 << 20)
    found = WholeSolver(*_parts(game), budget)
    with pytest.raises(LimitError, match=r"a table of the search with .* needs .* of memory") as limit:
        found.sums([], [[40, 40]], [2])
    (note,) = limit.value.diagnostics[0].notes
    assert re.fullmatch(r"play may come to [0-9,]+ sums, for which about .* and .* are enough", note.message)
    assert budget.used < 1 << 20


def _parts(game: Game) -> tuple[object, ...]:
    from gamespec.plan.choose import choose
    from gamespec.plan.demand import OnDemand

    facts = analyse(game)
    plan = choose(game, facts, Ask(), "sum")
    return game, facts, plan, OnDemand(plan.functions, lambda functions: compile(functions, "llvm"))
