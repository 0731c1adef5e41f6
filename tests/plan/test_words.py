"""Values of subtraction sets with large numbers, as words that repeat, against the definition."""

from __future__ import annotations

from random import Random

import pytest

import gamespec
from gamespec.diagnostics import LimitError
from gamespec.plan.heap import values, word
from gamespec.plan.heap.law import small_values
from gamespec.plan.heap.word import Words
from tests.plan.test_period import found, subtraction

HEAPS = 2000


def some_numbers(random: Random) -> list[int]:
    """A few numbers, some of them many times as large as others, now and then all multiples of one."""
    scale = random.choice([1, 1, 1, 3])
    near = random.sample(range(1, 7), random.randint(0, 3))
    far = random.sample(range(8, 150), random.randint(1, 3))
    return sorted(scale * number for number in near + far)


@pytest.mark.parametrize("seed", range(40))
def test_the_definition(seed: int) -> None:
    """However far each question goes, and beyond the period that is found."""
    random = Random(seed)
    for _ in range(5):
        numbers = some_numbers(random)
        expected = small_values(subtraction(*numbers), HEAPS)
        words = Words(numbers)
        top = 0
        while top < HEAPS - 1:
            top = min(HEAPS - 1, top + random.randint(1, 700))
            assert words.upto(top)
            assert [words.value(n) for n in range(top + 1)] == expected[: top + 1], numbers


def test_the_number_of_steps_does_not_depend_on_the_size() -> None:
    """{1, 2, k} at 10^18, against the rule that is known for it (Codeforces 1194D)."""
    random = Random(1)
    for _ in range(100):
        k = random.randint(3, 10**9)
        words = Words((1, 2, k))
        assert words.upto(10**18)
        assert words.steps < 200
        for n in (random.randrange(10**18) for _ in range(20)):
            rest = n % (k + 1) if k % 3 == 0 else n
            assert (words.value(n) > 0) is (rest == k if k % 3 == 0 and rest == k else rest % 3 != 0)


def test_a_period_is_one_for_ever() -> None:
    """What is claimed after the last computed value is what a longer computation finds."""
    words, longer = Words((2, 3, 7, 107, 331)), Words((2, 3, 7, 107, 331))
    assert words.upto(10**6)
    assert words.period
    longer._look_for_period = lambda: None  # type: ignore[method-assign]
    assert longer.upto(20_000)
    assert [words.value(n) for n in range(20_000)] == [longer.value(n) for n in range(20_000)]


def test_much_work_is_left_to_the_table() -> None:
    """Words that do not stay short are given up, and the table finds the period."""
    numbers = 3, 5, 100, 1000, 10000, 100_003
    assert not Words(numbers).upto(10**9)
    heaps = found(subtraction(*numbers))
    heaps.upto(10**9)
    assert heaps.law is not None


SPEC = """game far state n: 0..10**18
move take choose k in {1, 2, 5, 123456789, 10**9 + 7} when k <= n do n -= k
input read n
output win "N {winning_moves}" lose "P" """


def test_answers_with_winning_moves() -> None:
    game = gamespec.loads(SPEC)
    values = Words((1, 2, 5, 123456789, 10**9 + 7))
    assert values.upto(10**18)
    for n in (3, 10**9 + 8, 10**18, 10**18 - 1, 10**18 - 12345):
        winning = [k for k in (1, 2, 5, 123456789, 10**9 + 7) if k <= n and values.value(n - k) == 0]
        expected = "N " + " ".join(map(str, winning)) if winning else "P"
        assert gamespec.solve(game, f"{n}\n").strip() == expected


def test_other_rules_have_no_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A condition on the size, or too many numbers: the table goes as far as it may."""
    monkeypatch.setattr(values, "MOST_HEAPS", 1 << 15)
    monkeypatch.setattr(word, "MOST_NUMBERS", 2)
    with pytest.raises(LimitError):
        found(subtraction(1, 2, 10**6)).upto(10**9)
