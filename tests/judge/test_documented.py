"""The four documented games: their samples byte for byte, and every position against straightforward programs."""

from __future__ import annotations

import math
import random

import pytest

from tests.judge.programs import box_values, cow_digit, cow_table, power_cards, stone_game, strike, strikes
from tests.tool import gamespec, solve, spec

SAMPLES = {
    "cow_digit": ("2\n9\n10\n", "YES\nNO\n"),
    "power_cards": ("1\n3\n", "Kiki\nCici\n"),
    "number_game": (
        "2 2 5\n2 2 3\n5 2 3 4 5 6\n",
        "Test Case #1\nThe winning moves are: 2\n\n"
        "Test Case #2\nThere's no winning move.\n\n"
        "Test Case #3\nThe winning moves are: 4 5 6\n\n",
    ),
    "stone_game": ("3\n2 0\n3 3\n6 2\n2\n6 3\n6 3\n0\n", "Case 1:\nYes\nCase 2:\nNo\n"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name: str) -> None:
    text, expected = SAMPLES[name]
    assert solve(name, text) == expected


def test_cow_digit_every_number() -> None:
    text = "1000000\n" + "".join(f"{n}\n" for n in range(1, 1_000_001))
    assert solve("cow_digit", text) == cow_digit(text)


def test_power_cards_every_number() -> None:
    text = "".join(f"{n}\n" for n in range(1, 1001))
    assert solve("power_cards", text) == power_cards(text)


def reachable(start: frozenset[int]) -> set[frozenset[int]]:
    """All positions of the number game that can follow the start, the start with them."""
    seen, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        new = {strike(position, x) for x in position} - seen
        seen |= new
        waiting += new
    return seen


def test_number_game_every_position() -> None:
    positions = sorted(reachable(frozenset(range(2, 21))), key=sorted)
    assert len(positions) == 3515
    expected = []
    asked = [position for position in positions if position]  # a case without numbers ends the input
    for case, position in enumerate(asked, 1):
        moves = " ".join(map(str, strikes(position)))
        answer = f"The winning moves are: {moves}" if moves else "There's no winning move."
        expected.append(f"Test Case #{case}\n{answer}\n\n")
    text = "".join(f"{len(p)} {' '.join(map(str, p))}\n" for p in asked) + "0\n"
    run = gamespec("solve", spec("number_game"), stdin=text)
    print(f"3,514 lists of winning moves: {run.seconds:.2f} s")
    assert run.out == "".join(expected)


def test_stone_game_every_box() -> None:
    boxes = [(size, stones) for size in range(301) for stones in range(size + 1)]
    text = "".join(f"1\n{size} {stones}\n" for size, stones in boxes) + "0\n"
    assert solve("stone_game", text) == stone_game(text)


def test_stone_game_every_value(tmp_path) -> None:
    """Grundy values, by the same spec with another output clause."""
    rules, _ = spec("stone_game").read_text().split("output:")
    values = tmp_path / "stone_game.yaml"
    values.write_text(rules + 'output:\n  line: "{grundy}"\n')
    boxes = [(size, stones) for size in range(301) for stones in range(size + 1)]
    text = "".join(f"1 {size} {stones}\n" for size, stones in boxes) + "0\n"
    got = list(map(int, solve(values, text).split()))
    assert got == [box_values(size)[stones] for size, stones in boxes]


def box_value(size: int, stones: int) -> int:
    """The Grundy value of a box by the theorem in the game's commentary, in exact arithmetic."""
    while True:
        barrier = math.isqrt(size)
        while barrier * (barrier + 1) >= size > 0:
            barrier -= 1
        if stones > barrier:
            return size - stones
        if stones == barrier or size == 0:
            return 0
        size = barrier


def stone_cases(rng: random.Random, cases: int, boxes: int, biggest: int) -> str:
    """Cases of boxes of all magnitudes; half of them are filled near a barrier, where values change."""
    rows = []
    for _ in range(cases):
        rows.append(f"{boxes}\n")
        for _ in range(boxes):
            size = min(biggest, int(10 ** rng.uniform(0, math.log10(biggest))))
            near = math.isqrt(size) + rng.randint(-2, 2)
            stones = near if rng.random() < 0.5 else rng.randint(0, size)
            rows.append(f"{size} {min(max(stones, 0), size)}\n")
    return "".join(rows) + "0\n"


def stone_answers(text: str) -> str:
    data, answers = iter(map(int, text.split())), []
    while n := next(data):
        value = 0
        for _ in range(n):
            value ^= box_value(next(data), next(data))
        answers.append(f"Case {len(answers) + 1}:\n{'Yes' if value else 'No'}\n")
    return "".join(answers)


def test_the_theorem_used_below() -> None:
    for size in range(301):
        assert [box_value(size, stones) for stones in range(size + 1)] == box_values(size)


def test_stone_game_full_size() -> None:
    text = stone_cases(random.Random(1), 400, 50, 1_000_000)
    run = gamespec("solve", spec("stone_game"), stdin=text, measure=True)
    print(f"400 cases of 50 boxes: {run.seconds:.2f} s, {run.memory / 1e6:.0f} MB")
    assert run.out == stone_answers(text)
    assert run.memory < 250e6


def test_stone_game_far_beyond_tables() -> None:
    text = stone_cases(random.Random(2), 50, 10, 10**18)
    assert solve("stone_game", text, "-D", "biggest=10**18") == stone_answers(text)


def test_stone_game_by_table() -> None:
    text = stone_cases(random.Random(3), 40, 10, 1000)
    small = "-D", "biggest=1000"
    assert solve("stone_game", text, *small, "--plan", "table") == solve("stone_game", text, *small)


def test_number_game_opening_at_40() -> None:
    text = f"39 {' '.join(map(str, range(2, 41)))}\n0\n"
    run = gamespec("solve", spec("number_game"), "-D", "top=40", stdin=text)
    print(f"number_game -D top=40: {run.seconds:.2f} s")
    assert run.out == "Test Case #1\nThe winning moves are: 27 36 37 40\n\n"


def test_cow_table_is_what_the_statement_says() -> None:
    """13 is won by taking 3: the statement's own line of play."""
    won = cow_table(1_000_000)
    assert won[13]
    assert not won[10]
    assert won[9]
