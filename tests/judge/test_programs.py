"""Every shipped game against a straightforward program: its own tests, and inputs drawn at random."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.judge.programs import PROGRAMS
from tests.tool import GALLERY, solve

Draw = Callable[[random.Random], str]


def join(values: list[int]) -> str:
    return " ".join(map(str, values))


def counted(rows: list[str]) -> str:
    """Cases with their number in front."""
    return f"{len(rows)}\n" + "".join(f"{row}\n" for row in rows)


def listed(rows: list[str], end: str = "") -> str:
    return "".join(f"{row}\n" for row in rows) + end


def heaps(rng: random.Random, most: int, biggest: int, least: int = 0) -> str:
    """A row of heaps with their number in front."""
    count = rng.randint(1, most)
    return f"{count} " + join([rng.randint(least, biggest) for _ in range(count)])


def some(rng: random.Random, universe: range, least: int = 1) -> str:
    """A subset with its size in front."""
    chosen = rng.sample(universe, rng.randint(least, len(universe)))
    return f"{len(chosen)} " + join(chosen)


def subtraction_case(rng: random.Random) -> str:
    take = [rng.randint(1, 12) for _ in range(rng.randint(1, 5))]
    return f"{len(take)} {join(take)} {heaps(rng, 5, 200)}"


def permutation_case(rng: random.Random) -> str:
    row = list(range(1, rng.randint(2, 9)))
    rng.shuffle(row)
    return f"{len(row)} {join(row)}"


def knights_case(rng: random.Random) -> str:
    count = rng.randint(1, 5)
    return f"{count} " + join([rng.randint(1, 15) for _ in range(2 * count)])


def date_case(rng: random.Random) -> str:
    return f"{rng.randint(1900, 2000)} {rng.randint(1, 12)} {rng.randint(1, 28)}"


def coins_case(rng: random.Random) -> str:
    coins = sorted(rng.sample(range(1, 13), rng.randint(1, 4)))
    return f"{len(coins)} {join(coins)}"


def cards_case(rng: random.Random) -> str:
    while True:
        left = [rng.randint(0, 4) for _ in range(6)]
        if sum(c * (4 - n) for c, n in enumerate(left, 1)) <= 31:
            return join(left)


def board_case(rng: random.Random) -> str:
    return some(rng, range(16))


def graph_case(rng: random.Random) -> str:
    """Points with edges both ways, and none without."""
    n = rng.randint(3, 8)
    edges = {(at, rng.randrange(at)) for at in range(1, n)}
    edges |= {tuple(rng.sample(range(n), 2)) for _ in range(rng.randint(0, n))}  # type: ignore[misc]
    rows = [sorted({b for a, b in edges if a == at} | {a for a, b in edges if b == at}) for at in range(n)]
    return f"{n} " + " ".join(join([len(row), *row]) for row in rows)


def tokens_case(rng: random.Random) -> str:
    n = rng.randint(1, 30)
    rows = [rng.sample(range(at + 1, n), min(n - at - 1, rng.randint(0, 4))) for at in range(n)]
    queries = [[rng.randrange(n) for _ in range(rng.randint(1, 4))] for _ in range(5)]
    graph = " ".join(join([len(row), *row]) for row in rows)
    return f"{n} {graph} " + " ".join(join([len(query), *query]) for query in queries) + " 0"


def stones_case(rng: random.Random) -> str:
    n, w = rng.choice([(1, 5), (1, 8), (2, 4), (2, 5)])
    return f"{n} {w} " + " ".join(join(sorted(rng.sample(range(1, w + 1), 2))) for _ in range(n))


DRAWS: dict[str, Draw] = {
    "cat_and_mouse": lambda rng: listed([graph_case(rng) for _ in range(30)]),
    "dag_tokens": lambda rng: listed([tokens_case(rng) for _ in range(20)]),
    "northcott": lambda rng: listed([stones_case(rng) for _ in range(12)]),
    "row_ends": lambda rng: listed(
        [f"{(n := rng.randint(1, 40))} {join(rng.sample(range(99), n))}" for _ in range(20)]
    ),
    "three_mens_morris": lambda rng: "",
    "at_most_half": lambda rng: listed([str(rng.randint(0, 300)) for _ in range(200)]),
    "bash": lambda rng: counted([f"{rng.randint(1, 200)} {rng.randint(1, 30)}" for _ in range(200)]),
    "calendar": lambda rng: counted([date_case(rng) for _ in range(500)]),
    "can_i_win": lambda rng: f"{rng.randint(1, 11)} {rng.randint(0, 70)}",
    "chomp": lambda rng: listed([f"{h} {w}" for h in range(1, 6) for w in range(1, 9)]),
    "cow_digit": lambda rng: counted([str(rng.randint(1, 99_999)) for _ in range(100)]),
    "cram": lambda rng: listed([board_case(rng) for _ in range(50)]),
    "dawsons_kayles": lambda rng: listed([some(rng, range(1, 21)) for _ in range(40)], "0"),
    "divisor_game": lambda rng: listed([str(rng.randint(1, 1000)) for _ in range(100)]),
    "euclid": lambda rng: listed([f"{rng.randint(1, 500)} {rng.randint(1, 500)}" for _ in range(300)], "0 0"),
    "fibonacci_nim": lambda rng: listed([str(rng.randint(1, 250)) for _ in range(100)], "0"),
    "grundys_game": lambda rng: listed([heaps(rng, 4, 300) for _ in range(50)]),
    "kayles": lambda rng: listed([heaps(rng, 5, 300) for _ in range(50)]),
    "knights": lambda rng: counted([knights_case(rng) for _ in range(100)]),
    "laskers_nim": lambda rng: counted([heaps(rng, 4, 300) for _ in range(50)]),
    "mark": lambda rng: counted([str(rng.randint(1, 5000)) for _ in range(200)]),
    "misere_nim": lambda rng: counted([heaps(rng, 4, 6, 1) for _ in range(60)]),
    "nim": lambda rng: listed([heaps(rng, 5, 150, 1) for _ in range(60)], "0"),
    "number_game": lambda rng: listed([some(rng, range(2, 21)) for _ in range(60)], "0"),
    "permutation": lambda rng: counted([permutation_case(rng) for _ in range(20)]),
    "power_cards": lambda rng: listed([str(rng.randint(1, 1000)) for _ in range(100)]),
    "silver_coins": lambda rng: counted([coins_case(rng) for _ in range(60)]),
    "stone_game": lambda rng: listed(["1 7 0", "2 300 4 120 3", "3 9 1 9 2 200 9"], "0"),
    "subtract_a_square": lambda rng: listed([str(rng.randint(1, 1500)) for _ in range(100)], "0"),
    "subtraction_sets": lambda rng: listed([subtraction_case(rng) for _ in range(60)], "0"),
    "thirty_one": lambda rng: listed([cards_case(rng) for _ in range(60)]),
    "treblecross": lambda rng: str(rng.randint(1, 14)),
    "wythoff": lambda rng: listed([f"{rng.randint(0, 40)} {rng.randint(0, 40)}" for _ in range(200)]),
}
ONE_CASE = {"can_i_win", "treblecross"}  # specs that read a single case: several runs instead


def test_every_spec_has_a_program_or_a_fact() -> None:
    """Or something is published about it, which a test holds."""
    assert set(PROGRAMS) == set(DRAWS)
    facts = "".join(path.read_text() for path in Path(__file__).parent.glob("test_known_*.py"))
    assert {path.stem for path in GALLERY} - set(PROGRAMS) <= set(re.findall(r"\w+", facts))


def inputs() -> Iterator[tuple[str, int]]:
    for name in DRAWS:
        yield from ((name, seed) for seed in range(5 if name in ONE_CASE else 1))


@pytest.mark.parametrize(("name", "seed"), list(inputs()))
def test_random_input(name: str, seed: int) -> None:
    text = DRAWS[name](random.Random(seed))
    assert solve(name, text) == PROGRAMS[name](text)
