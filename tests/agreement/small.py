"""Positions of the shipped games that the reference evaluator can answer for: some thousand each, or `MANY`.

A game that is not listed here gets random positions, so that a new spec is held against the definition at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import combinations, product
from random import Random
from typing import NamedTuple

from gamespec.answers.ask import Ask
from gamespec.diagnostics import LimitError
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Position, Value
from gamespec.game.reference import Reference
from gamespec.plan.definition import asked, value

MANY = 20_000
FEW = 6_000

Data = dict[str, Value]
Make = Callable[[bool], Iterable[tuple[Data, Iterable[Position]]]]


class Case(NamedTuple):
    """Positions under one set of data, with their values: outcomes or Grundy values."""

    data: Data
    positions: list[Position]
    reference: Reference


def numbers(few: int, many: int, least: int = 0) -> Make:
    """One number from `least` on."""
    return lambda large: [({}, [(n,) for n in range(least, (many if large else few) + 1)])]


def pairs(few: tuple[int, int], many: tuple[int, int], least: int = 0) -> Make:
    """Two numbers from `least` on."""

    def make(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
        first, second = many if large else few
        return [({}, product(range(least, first + 1), range(least, second + 1)))]

    return make


def subsets(least: int, few: int, many: int) -> Make:
    """All sets of numbers from `least` to a greatest one."""

    def make(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
        return [({}, [(each,) for each in powerset(range(least, (many if large else few) + 1))])]

    return make


def powerset(numbers: Iterable[int]) -> Iterator[frozenset[int]]:
    known = list(numbers)
    for size in range(len(known) + 1):
        yield from map(frozenset, combinations(known, size))


def _bash(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    for m in [3, 1, 2, 20, 7] + [n for n in range(4, 19) if n != 7] * large:
        yield {"m": m}, [(n,) for n in range(1001)]


def _calendar(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    years = range(2001, 1943 if large else 1988, -1)
    return [({}, product(years, range(12, 0, -1), range(31, 0, -1)))]


def _can_i_win(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    random = Random(1)
    for m in range(1, 10):
        for target in random.sample(range(m * (m + 1) // 2 + 2), 2 if m < 8 or not large else 20):
            yield {"m": m, "target": target}, [(left,) for left in powerset(range(1, m + 1))]


def _chomp(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    rows = combinations(range(8 + 5 if large else 5 + 5), 5)
    return [({}, [(tuple(cell - 4 + i for i, cell in enumerate(reversed(row))),) for row in rows])]


def _cram(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    random = Random(1)
    share, count = (0.55, 25_000) if large else (0.35, 1200)
    boards = [frozenset(c for c in range(16) if random.random() < share) for _ in range(count)]
    return [({}, [(board,) for board in dict.fromkeys(boards)])]


def _misere_nim(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    for n, top in [(1, 9), (2, 9), (3, 9), (4, 9), (5, 6)] if large else [(1, 9), (2, 9), (3, 7), (4, 4), (5, 2)]:
        yield {"n": n}, [(boxes,) for boxes in product(range(top + 1), repeat=n)]


def _permutation(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    random = Random(1)
    for n in range(1, 11 if large else 9):
        for _ in range(24 if large else 8):
            row = tuple(random.sample(range(1, n + 1), n))
            yield {"n": n, "row": row}, [(left,) for left in powerset(range(1, n + 1))]


def _silver_coins(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    for n, top in (
        [(1, 16), (2, 16), (3, 16), (4, 16), (5, 15), (6, 16)] if large else [(1, 16), (2, 12), (3, 12), (6, 9)]
    ):
        yield {"n": n}, [(at,) for at in combinations(range(1, top + 1), n)]


def _stone_game(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    for size in range(200 if large else 75):
        yield {"size": size}, [(stones,) for stones in range(size + 1)]


def _subtraction_sets(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    random = Random(1)
    for _ in range(40 if large else 12):
        take = frozenset(random.sample(range(1, 21), random.randint(1, 6)))
        yield {"take": take}, [(n,) for n in range(501)]


def _thirty_one(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    every = [(left,) for left in product(range(5), repeat=6)]
    return [({}, every if large else Random(1).sample(every, 900))]


def _dag_tokens(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    random = Random(1)
    for size in range(1, 60 if large else 14):
        edges = (random.sample(range(at + 1, size), min(size - at - 1, random.randint(0, 4))) for at in range(size))
        rows = [frozenset(row) for row in edges]
        yield {"size": size, "next": tuple(rows)}, [(at,) for at in range(size)]  # type: ignore[dict-item]


def _northcott(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    for n, w in [(1, 5), (2, 4), (2, 5), (3, 3)] if large else [(1, 4), (2, 3), (2, 4)]:
        stones = list(combinations(range(1, w + 1), 2))
        rows = [tuple(zip(*each, strict=True)) for each in product(stones, repeat=n)]
        yield {"n": n, "w": w}, [(*row, mover) for row in rows for mover in (0, 1)]


def _row_ends(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    random = Random(1)
    for n in range(1, 40 if large else 9):
        data: Data = {"n": n, "v": tuple(random.randint(0, 9) for _ in range(n))}
        yield data, [(lo, hi) for lo in range(1, n + 2) for hi in range(lo - 1, n + 1)]


def _toads_and_frogs(large: bool) -> Iterable[tuple[Data, Iterable[Position]]]:
    for n in range(1, 8 if large else 5):
        yield {"n": n}, [(row, mover) for row in product(range(3), repeat=n) for mover in (0, 1)]


SMALL: dict[str, Make] = {
    "at_most_half": numbers(600, 1500),
    "bash": _bash,
    "calendar": _calendar,
    "can_i_win": _can_i_win,
    "chomp": _chomp,
    "cow_digit": numbers(FEW, MANY),
    "cram": _cram,
    "dawsons_kayles": subsets(1, 12, 15),
    "dag_tokens": _dag_tokens,
    "divisor_game": numbers(1000, 1000, 1),
    "euclid": pairs((75, 75), (145, 145)),
    "fibonacci_nim": pairs((30, 70), (100, 210)),
    "grundys_game": numbers(250, 1000),
    "kayles": numbers(160, 1000),
    "knights": pairs((15, 15), (15, 15), 1),
    "laskers_nim": numbers(220, 1000),
    "mark": numbers(FEW, MANY),
    "mock_turtles": numbers(40, 60, 1),
    "misere_nim": _misere_nim,
    "nim": numbers(200, 1500),
    "northcott": _northcott,
    "number_game": subsets(2, 12, 16),
    "permutation": _permutation,
    "power_cards": numbers(1000, 1000),
    "row_ends": _row_ends,
    "silver_coins": _silver_coins,
    "stone_game": _stone_game,
    "subtract_a_square": numbers(2200, MANY),
    "subtraction_sets": _subtraction_sets,
    "thirty_one": _thirty_one,
    "toads_and_frogs": _toads_and_frogs,
    "treblecross": numbers(160, 2000),
    "turning_corners": pairs((6, 5), (12, 12)),
    "wythoff": pairs((30, 30), (145, 145)),
}


class Play(NamedTuple):
    """Positions of random plays: how many under how much data, and at most how many plies before the end."""

    data: Callable[[Random], Data] = lambda random: {}
    cases: int = 1
    positions: int = 150
    plies: int = 8


def _graph(random: Random) -> Data:
    n = random.randint(3, 7)
    return {"n": n, "graph": tuple(frozenset(random.sample(range(n), random.randint(1, 3))) for _ in range(n))}


def _colours(random: Random) -> Data:
    n = random.randint(1, 6)
    edges = [random.sample(range(1, n + 1), 2) for _ in range(random.randint(0, 8))] if n > 1 else []
    return {"n": n, "m": len(edges), "u": tuple(u for u, _ in edges), "v": tuple(v for _, v in edges)}


def _coins(random: Random) -> Data:
    a = random.randint(3, 7)
    return {"k": 2, "named": (a, a + random.choice((1, 2)) if a % 2 else a + 1)}


def _rectangle(random: Random) -> Data:
    return {"rows": random.randint(1, 3), "columns": random.randint(1, 3)}


PLAYED: dict[str, Play] = {
    "cat_and_mouse": Play(_graph, 12, 20, 1000),
    "clobber": Play(plies=1000),
    "col": Play(_colours, 8, 20, 4),
    "connect_four": Play(positions=50, plies=4),
    "dodgem": Play(plies=1000),
    "domineering": Play(_rectangle, 6, 30, 4),
    "hexapawn": Play(plies=1000),
    "mu_torere": Play(plies=1000),
    "pong_hau_ki": Play(plies=1000),
    "quixo": Play(plies=1000),
    "snort": Play(_rectangle, 6, 30, 5),
    "sylver_coinage": Play(_coins, 6, 20, 1000),
    "teeko": Play(positions=150, plies=1000),
    "three_mens_morris": Play(positions=200, plies=1000),
    "tic_tac_toe": Play(positions=80, plies=5),
}
"""Boards, whose random positions would hardly ever be met in play."""

SMALLER: dict[str, dict[str, object]] = {
    "clobber": {"high": 2, "wide": 4},
    "connect_four": {"high": 3},
    "dots_and_boxes": {"wide": 1},
    "hex": {"n": 2},
    "quixo": {"top": 2},
    "teeko": {"stones": 2},
}
"""Params for boards that are too large for the definition."""


def plays(game: Game, play: Play, large: bool) -> Iterator[tuple[Data, Iterable[Position]]]:
    """Positions met in random plays."""
    random = Random(1)
    for _ in range(play.cases):
        data = play.data(random)
        evaluator = Evaluator(game, data)
        found: dict[Position, None] = {}
        for _ in range(play.positions * (4 if large else 1)):
            path = [evaluator.start({})]
            while len(path) < 60 and evaluator.ending(path[-1]) is None:
                path.append(random.choice(evaluator.moves(path[-1])).results[0])
            found[random.choice(path[-play.plies :])] = None
        yield data, list(found)


def cases(game: Game, large: bool) -> Iterator[Case]:
    """Positions that exist, each set of data with a reference of its own."""
    make: Make | None = SMALL.get(game.name)
    play = PLAYED.get(game.name)
    if play is not None:
        make = partial(plays, game, play)
    if make is None:
        yield from drawn(game, MANY if large else FEW)
        return
    for data, positions in make(large):
        evaluator = Evaluator(game, data)
        exist = [position for position in positions if evaluator.holds(position)]
        yield Case(data, exist, Reference(evaluator))


def drawn(game: Game, count: int, reached: int = 2000, cases: int = 6) -> Iterator[Case]:
    """About `count` random positions, without those from which play reaches too many."""
    known = list(sample.givens(game, cases, seed=1))
    for data in known:
        reference = Reference(Evaluator(game, data), reached)
        found = []
        for position in sample.positions(game, data, count // len(known), seed=1):
            with suppress(LimitError):
                value(reference, asked(game, Ask()), position)
                found.append(position)
        if found:
            yield Case(data, found, reference)
