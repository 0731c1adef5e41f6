"""What the literature says about the shipped games."""

from __future__ import annotations

import math
import random

from tests.tool import solve


def single_values(name: str, last: int) -> list[int]:
    """Grundy values of one heap of 0, 1, …, by the spec's own output."""
    return list(map(int, solve(name, "".join(f"1 {n}\n" for n in range(last + 1))).split()))


def test_kayles_has_period_12_from_71() -> None:
    """R. K. Guy and C. A. B. Smith, The G-values of various games (1956)."""
    values = single_values("kayles", 1000)
    assert values[:21] == [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1]
    assert values[72:84] == [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7]
    assert all(values[n] == values[n + 12] for n in range(71, 989))
    assert values[70] != values[82]


def test_grundys_game_is_a002188() -> None:
    expected = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0, 4, 1, 2, 3]
    assert single_values("grundys_game", 1000)[:31] == expected


def test_dawsons_kayles_lost_rows() -> None:
    """The zeros of 0.07 up to 20: 0, 1, 5, 9, 15."""
    rows = [" ".join(map(str, [n, *range(1, n + 1)])) for n in range(1, 21)]
    answers = solve("dawsons_kayles", "\n".join(rows) + "\n0\n").splitlines()
    assert [n for n, answer in enumerate(answers, 1) if answer == "lost"] == [1, 5, 9, 15]


def test_wythoff_cold_positions() -> None:
    """The k-th lost position is (floor of k times the golden ratio, the same plus k)."""
    cold = set()
    for k in range(100):
        small = (k + math.isqrt(5 * k * k)) // 2
        cold |= {(small, small + k), (small + k, small)}
    pairs = [(a, b) for a in range(101) for b in range(101)]
    answers = solve("wythoff", "".join(f"{a} {b}\n" for a, b in pairs)).splitlines()
    assert {pair for pair, answer in zip(pairs, answers, strict=True) if answer == "lose"} == cold & set(pairs)


def test_euclid_is_decided_by_the_golden_ratio() -> None:
    """A. J. Cole and A. J. T. Davie (1969): won iff the ratio exceeds the golden one, or is 1."""

    def won(small: int, large: int) -> bool:
        return small == large or large * large - large * small - small * small > 0

    pairs = [(a, b) for a in range(1, 81) for b in range(1, 81)]
    answers = solve("euclid", "".join(f"{a} {b}\n" for a, b in pairs) + "0 0\n").splitlines()
    expected = ["Stan wins" if won(min(p), max(p)) else "Ollie wins" for p in pairs]
    assert answers == expected


def test_chomp_is_won_by_the_first_player() -> None:
    """Strategy stealing; in a square the bite at 2, 2 wins, in two rows the one at the far end."""
    sizes = [(h, w) for h in range(1, 6) for w in range(1, 9)]
    answers = dict(zip(sizes, solve("chomp", "".join(f"{h} {w}\n" for h, w in sizes)).splitlines(), strict=True))
    assert [size for size, answer in answers.items() if answer == "lost"] == [(1, 1)]
    assert all(answers[n, n] == "row and column 2,2" for n in range(2, 6))
    assert all(answers[2, n] == f"row and column 2,{n}" for n in range(2, 9))


def test_fibonacci_nim_is_lost_at_fibonacci_numbers() -> None:
    answers = solve("fibonacci_nim", "".join(f"{n}\n" for n in range(1, 1001)) + "0\n").splitlines()
    lost = [n for n, answer in enumerate(answers, 1) if answer == "Second win"]
    assert lost == [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987]


def test_laskers_nim_swaps_3_and_4() -> None:
    """A heap of 4k + 3 is worth 4k + 4 and the other way round: beside a heap worth the same, everything is lost."""

    def twin(n: int) -> int:
        return n + 1 if n % 4 == 3 else n - 1 if n and n % 4 == 0 else n

    # values of the heaps: twin(n), 1, and the xor of both
    triples = [(n, 1, twin(twin(n) ^ 1)) for n in range(1, 999)]
    text = f"{len(triples)}\n" + "".join(f"3 {a} {b} {c}\n" for a, b, c in triples)
    assert set(solve("laskers_nim", text).split()) == {"Bob"}


def test_nim_is_decided_by_the_xor() -> None:
    """C. L. Bouton (1901), also at sizes far beyond tables."""
    rng = random.Random(4)
    cases = [(a, b, c) for a in range(1, 16) for b in range(1, 16) for c in range(1, 16)]
    for _ in range(200):
        a, b = rng.randint(1, 10**9), rng.randint(1, 10**9)
        cases += [(a, b, c) for c in (a ^ b, (a ^ b) + 1) if 0 < c <= 10**9]
    answers = solve("nim", "".join(f"3 {a} {b} {c}\n" for a, b, c in cases) + "0\n").split()
    assert answers == ["first" if a ^ b ^ c else "second" for a, b, c in cases]


def test_misere_nim_differs_only_near_the_end() -> None:
    """Bouton: as in Nim while some heap exceeds 1, else the other way round."""
    cases = [(a, b, c) for a in range(1, 10) for b in range(1, 10) for c in range(1, 10)]
    answers = solve("misere_nim", f"{len(cases)}\n" + "".join(f"3 {a} {b} {c}\n" for a, b, c in cases)).split()
    expected = [(a ^ b ^ c != 0) == (max(a, b, c) > 1) for a, b, c in cases]
    assert answers == ["John" if won else "Brother" for won in expected]


def test_bash_is_lost_at_multiples() -> None:
    cases = [(n, m) for n in range(1, 61) for m in range(1, 61)]
    answers = solve("bash", f"{len(cases)}\n" + "".join(f"{n} {m}\n" for n, m in cases)).split()
    assert answers == ["first" if n % (m + 1) else "second" for n, m in cases]


def test_divisor_game_counts_twos() -> None:
    """The value is the number of times that 2 divides n."""
    answers = solve("divisor_game", "".join(f"{n}\n" for n in range(1, 1001))).split()
    assert list(map(int, answers[1::2])) == [(n & -n).bit_length() - 1 for n in range(1, 1001)]


def test_mark_is_lost_at_odd_powers_of_two() -> None:
    """A. S. Fraenkel: lost iff 2 divides n an odd number of times."""
    answers = solve("mark", "1000\n" + "".join(f"{n}\n" for n in range(1, 1001))).splitlines()
    lost = [n for n, answer in enumerate(answers, 1) if answer == "lost"]
    assert lost == [n for n in range(1, 1001) if (n & -n).bit_length() % 2 == 0]


def test_subtract_a_square_is_a030193() -> None:
    answers = solve("subtract_a_square", "".join(f"{n}\n" for n in range(1, 101)) + "0\n").splitlines()
    lost = [n for n, answer in enumerate(answers, 1) if answer.endswith("lost")]
    assert lost == [2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57, 62, 65, 67, 72, 85, 95]


def test_power_cards_is_lost_at_multiples_of_three() -> None:
    answers = solve("power_cards", "".join(f"{n}\n" for n in range(1, 1001))).split()
    assert answers == ["Kiki" if n % 3 else "Cici" for n in range(1, 1001)]


def test_cram_boards() -> None:
    """Values of empty boards (Winning Ways, chapter 15): two rows are worth 0 if even and 1 if odd; 3 by 3 is 0."""
    boards = [(2, 2, 0), (2, 3, 1), (2, 4, 0), (3, 3, 0), (3, 4, 1), (4, 4, 0), (1, 4, 2), (1, 3, 1)]
    rows = [[r * 4 + c for r in range(h) for c in range(w)] for h, w, _ in boards]
    answers = solve("cram", "".join(" ".join(map(str, [len(row), *row])) + "\n" for row in rows)).split()
    assert list(map(int, answers)) == [value for *_, value in boards]


def test_turning_corners_multiplies_nimbers() -> None:
    """J. H. Conway, On Numbers and Games, chapter 6: the numbers below 16 are a field, whose product this is."""
    sixteen = range(16)
    typed = "".join(f"1 {x} {y}\n" for x in sixteen for y in sixteen)
    found = iter(map(int, solve("turning_corners", typed).split()))
    product = {(x, y): next(found) for x in sixteen for y in sixteen}
    assert [product[2, y] for y in range(4)] == [0, 2, 3, 1]
    assert [product[x, x] for x in sixteen] == [0, 1, 3, 2, 6, 7, 5, 4, 13, 12, 14, 15, 11, 10, 8, 9]
    for x in range(1, 16):
        assert sorted(product[x, y] for y in sixteen) == list(sixteen)
        assert all(product[x, y] == product[y, x] for y in sixteen)
        assert all(product[x, y ^ z] == product[x, y] ^ product[x, z] for y in sixteen for z in sixteen)
