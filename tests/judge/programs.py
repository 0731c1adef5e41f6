"""Straightforward programs for the shipped games: text in, text out, as a contestant would write them.

They share nothing with the package. Each is a plain search over positions, with no theory of the game in it.
"""

from __future__ import annotations

import calendar
import itertools
import sys
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from tests.judge.answer import lines, mex, numbers, xor
from tests.judge.loopy import cat_and_mouse, northcott, three_mens_morris

sys.setrecursionlimit(20_000)  # a heap of 1000 needs a few frames for each stone


# --- the documented games ----------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def cow_table(limit: int) -> bytearray:
    won = bytearray(limit + 1)
    for n in range(1, limit + 1):
        digits = [int(d) for d in str(n) if d != "0"]
        won[n] = not (won[n - min(digits)] and won[n - max(digits)])
    return won


def cow_digit(text: str) -> str:
    asked = list(numbers(text))[1:]
    won = cow_table(max(asked))
    return lines("YES" if won[n] else "NO" for n in asked)


def power_cards(text: str) -> str:
    @cache
    def wins(n: int) -> bool:
        return any(not wins(n - 2**i) for i in range(11) if 2**i <= n)

    return lines("Kiki" if wins(n) else "Cici" for n in numbers(text))


def strike(open_: frozenset[int], x: int, top: int = 20) -> frozenset[int]:
    """What stays open of {2..top} after x is struck."""
    struck = (set(range(2, top + 1)) - open_) | {x}
    while more := {y + x for y in struck if y + x <= top} - struck:
        struck |= more
    return open_ - struck


@cache
def strikes(open_: frozenset[int]) -> tuple[int, ...]:
    """The winning moves of the number game."""
    return tuple(x for x in sorted(open_) if not strikes(strike(open_, x)))


def number_game(text: str) -> str:
    out, data = [], numbers(text)
    for case in itertools.count(1):
        k = next(data, 0)
        if k == 0:
            return "".join(out)
        moves = strikes(frozenset(itertools.islice(data, k)))
        listed = " ".join(map(str, moves))
        answer = f"The winning moves are: {listed}" if moves else "There's no winning move."
        out.append(f"Test Case #{case}\n{answer}\n\n")
    raise AssertionError


@cache
def box_values(size: int) -> list[int]:
    """The Grundy value of one box of the stone game for every number of stones."""
    values = [0] * (size + 1)
    for stones in range(size - 1, -1, -1):
        values[stones] = mex(values[stones + 1 : min(size, stones + stones**2) + 1])
    return values


def stone_game(text: str) -> str:
    out, data = [], numbers(text)
    for case in itertools.count(1):
        n = next(data, 0)
        if n == 0:
            return "".join(out)
        boxes = [(next(data), next(data)) for _ in range(n)]
        value = xor(box_values(size)[stones] for size, stones in boxes)
        out.append(f"Case {case}:\n{'Yes' if value else 'No'}\n")
    raise AssertionError


# --- heaps -------------------------------------------------------------------------------------------------


@cache
def nim_value(n: int) -> int:
    return mex(nim_value(m) for m in range(n))


def rows(data: Iterator[int]) -> Iterator[list[int]]:
    """Rows of numbers with their count in front, until a count of 0 or the end."""
    while count := next(data, 0):
        yield list(itertools.islice(data, count))


def nim(text: str) -> str:
    return lines("first" if xor(map(nim_value, heaps)) else "second" for heaps in rows(numbers(text)))


@cache
def misere_nim_wins(heaps: tuple[int, ...]) -> bool:
    if not any(heaps):
        return True
    return any(
        not misere_nim_wins(tuple(sorted((*heaps[:i], left, *heaps[i + 1 :]))))
        for i in range(len(heaps))
        for left in range(heaps[i])
    )


def misere_nim(text: str) -> str:
    data = numbers(text)
    cases = next(data)
    games = itertools.islice(rows(data), cases)
    return lines("John" if misere_nim_wins(tuple(sorted(heaps))) else "Brother" for heaps in games)


@cache
def wythoff_moves(a: int, b: int) -> tuple[str, ...]:
    moves = [f"first:{k}" for k in range(1, a + 1) if not wythoff_moves(a - k, b)]
    moves += [f"second:{k}" for k in range(1, b + 1) if not wythoff_moves(a, b - k)]
    moves += [f"both:{k}" for k in range(1, min(a, b) + 1) if not wythoff_moves(a - k, b - k)]
    return tuple(moves)


def wythoff(text: str) -> str:
    data = numbers(text)
    moves = [wythoff_moves(a, b) for a, b in zip(data, data, strict=True)]
    return lines("win by " + " ".join(m) if m else "lose" for m in moves)


@cache
def euclid_wins(small: int, large: int) -> bool:
    return small > 0 and any(not euclid_wins(*sorted((small, large - k * small))) for k in range(1, large // small + 1))


def euclid(text: str) -> str:
    data = numbers(text)
    pairs = itertools.takewhile(lambda pair: pair != (0, 0), zip(data, data, strict=False))
    return lines("Stan wins" if euclid_wins(min(p), max(p)) else "Ollie wins" for p in pairs)


@cache
def kayles_value(n: int) -> int:
    return mex(kayles_value(a) ^ kayles_value(n - k - a) for k in (1, 2) for a in range(n - k + 1))


def kayles(text: str) -> str:
    return lines(xor(map(kayles_value, row)) for row in rows(numbers(text)))


@cache
def dawson_throws(up: frozenset[int]) -> tuple[int, ...]:
    return tuple(p for p in sorted(up) if p + 1 in up and not dawson_throws(up - {p, p + 1}))


def dawsons_kayles(text: str) -> str:
    throws = [dawson_throws(frozenset(up)) for up in rows(numbers(text))]
    return lines("knock down at " + " ".join(map(str, t)) if t else "lost" for t in throws)


@cache
def grundys_value(n: int) -> int:
    return mex(grundys_value(a) ^ grundys_value(n - a) for a in range(1, n) if a < n - a)


def grundys_game(text: str) -> str:
    return lines(xor(map(grundys_value, row)) for row in rows(numbers(text)))


@cache
def lasker_value(n: int) -> int:
    splits = [lasker_value(a) ^ lasker_value(n - a) for a in range(1, n)]
    return mex([*map(lasker_value, range(n)), *splits])


def laskers_nim(text: str) -> str:
    data = numbers(text)
    cases = next(data)
    games = itertools.islice(rows(data), cases)
    return lines("Alice" if xor(map(lasker_value, heaps)) else "Bob" for heaps in games)


@cache
def square_moves(n: int) -> tuple[int, ...]:
    return tuple(r * r for r in range(1, n + 1) if r * r <= n and not square_moves(n - r * r))


def subtract_a_square(text: str) -> str:
    def answer(n: int) -> str:
        for smaller in range(n):  # fills the cache, so that the recursion stays flat
            square_moves(smaller)
        moves = square_moves(n)
        return f"{n}: {len(moves)} winning, first {moves[0]}" if moves else f"{n}: lost"

    return lines(map(answer, itertools.takewhile(bool, numbers(text))))


@cache
def fibonacci_wins(n: int, most: int) -> bool:
    return any(not fibonacci_wins(n - k, min(2 * k, n - k)) for k in range(1, min(n, most) + 1))


def fibonacci_nim(text: str) -> str:
    asked = itertools.takewhile(bool, numbers(text))
    return lines("First win" if fibonacci_wins(n, n - 1) else "Second win" for n in asked)


@cache
def at_most_half_value(n: int) -> int:
    left = {at_most_half_value(n - k) for k in range(1, n // 2 + 1)}
    return next(value for value in itertools.count() if value not in left)


def at_most_half(text: str) -> str:
    return lines(at_most_half_value(n) or "lost" for n in numbers(text))


@cache
def bash_wins(n: int, m: int) -> bool:
    return any(not bash_wins(n - k, m) for k in range(1, min(m, n) + 1))


def bash(text: str) -> str:
    data = numbers(text)
    next(data)
    return lines("first" if bash_wins(n, m) else "second" for n, m in zip(data, data, strict=True))


@cache
def divisor_value(n: int) -> int:
    return mex(divisor_value(n - d) for d in range(1, n) if n % d == 0)


def divisor_game(text: str) -> str:
    return lines(f"{n:4d} {divisor_value(n)}" for n in numbers(text))


@cache
def mark_moves(n: int) -> tuple[str, ...]:
    if n == 0:
        return ()
    smaller = {"less": n - 1} | ({"half": n // 2} if n > 1 else {})
    return tuple(name for name, m in smaller.items() if not mark_moves(m))


def mark(text: str) -> str:
    asked = list(numbers(text))[1:]
    for n in range(max(asked)):  # keeps the recursion flat
        mark_moves(n)
    return lines(" ".join(mark_moves(n)) or "lost" for n in asked)


@cache
def subtraction_value(n: int, take: frozenset[int]) -> int:
    return mex(subtraction_value(n - k, take) for k in take if k <= n)


def subtraction_sets(text: str) -> str:
    data, answers = numbers(text), []
    while k := next(data):
        take = frozenset(itertools.islice(data, k))
        heaps = list(itertools.islice(data, next(data)))
        answers.append("W" if xor(subtraction_value(n, take) for n in heaps) else "L")
    return lines(answers)


# --- boards, sets and data ---------------------------------------------------------------------------------


@cache
def bites(bar: tuple[int, ...]) -> tuple[str, ...] | None:
    """The winning bites of Chomp; None where nothing is left to eat, and the player to move has won."""
    if not any(bar):
        return None
    found = []
    for r, width in enumerate(bar):
        for c in range(1, width + 1):
            rest = bar[:r] + tuple(min(w, c - 1) for w in bar[r:])
            if bites(rest) == ():
                found.append(f"{r + 1},{c}")
    return tuple(found)


def chomp(text: str) -> str:
    data = numbers(text)
    answers = []
    for height, width in zip(data, data, strict=True):
        moves = bites((width,) * height)
        answers.append(f"row and column {moves[0]}" if moves else "lost")
    return lines(answers)


def line_wins(cells: tuple[bool, ...], known: dict[tuple[bool, ...], bool]) -> bool:
    """Whether the player to move wins the game of three crosses in a row."""
    if cells not in known:
        known[cells] = False
        for i, taken in enumerate(cells):
            if not taken:
                after = (*cells[:i], True, *cells[i + 1 :])
                done = any(all(after[j : j + 3]) for j in range(max(0, i - 2), min(i, len(cells) - 3) + 1))
                if done or not line_wins(after, known):
                    known[cells] = True
                    break
    return known[cells]


def treblecross(text: str) -> str:
    """Plays on the real strip, so that the spec's way of cutting it is tested as well."""
    return lines("1" if line_wins((False,) * n, {}) else "2" for n in numbers(text))


@cache
def knight_value(x: int, y: int) -> int:
    hops = [(x - 1, y - 2), (x + 1, y - 2), (x - 2, y - 1), (x - 2, y + 1)]
    return mex(knight_value(a, b) for a, b in hops if 1 <= a <= 15 and 1 <= b <= 15)


def knights(text: str) -> str:
    data = numbers(text)
    answers = []
    for _ in range(next(data)):
        places = [(next(data), next(data)) for _ in range(next(data))]
        answers.append("First" if xor(knight_value(x, y) for x, y in places) else "Second")
    return lines(answers)


def can_i_win(text: str) -> str:
    m, target = numbers(text)

    @cache
    def wins(left: frozenset[int], need: int) -> bool:
        return any(x >= need or not wins(left - {x}, need - x) for x in left)

    everything = frozenset(range(1, m + 1))
    won = target == 0 or (sum(everything) >= target and wins(everything, target))
    return lines(["true" if won else "false"])


@cache
def date_wins(date: tuple[int, int, int]) -> bool:
    if date == (2001, 11, 4):
        return False
    year, month, day = date
    length = calendar.monthrange(year, month)[1]
    next_month = (year + month // 12, month % 12 + 1)
    dates = [(year, month, day + 1) if day < length else (*next_month, 1)]
    if day <= calendar.monthrange(*next_month)[1]:
        dates.append((*next_month, day))
    return any(later <= (2001, 11, 4) and not date_wins(later) for later in dates)


def calendar_game(text: str) -> str:
    data = numbers(text)
    for year in range(2001, 1899, -1):  # keeps the recursion flat
        for month in range(12, 0, -1):
            if (year, month) < (2001, 11):
                date_wins((year, month, 1))
    count = next(data)
    dates = [(next(data), next(data), next(data)) for _ in range(count)]
    return lines("YES" if date_wins(date) else "NO" for date in dates)


@cache
def row_wins(row: tuple[int, ...]) -> bool:
    if list(row) == sorted(row):
        return False
    return any(not row_wins(row[:i] + row[i + 1 :]) for i in range(len(row)))


def permutation(text: str) -> str:
    data = numbers(text)
    count = next(data)
    games = itertools.islice(rows(data), count)
    return lines("Alice" if row_wins(tuple(row)) else "Bob" for row in games)


@cache
def slide_wins(coins: tuple[int, ...]) -> bool:
    return any(
        not slide_wins(tuple(sorted((*coins[:i], to, *coins[i + 1 :]))))
        for i in range(len(coins))
        for to in range(coins[i - 1] + 1 if i else 1, coins[i])
    )


def silver_coins(text: str) -> str:
    data = numbers(text)
    count = next(data)
    games = itertools.islice(rows(data), count)
    return lines("Georgia will win" if slide_wins(tuple(coins)) else "Bob will win" for coins in games)


@cache
def cards(left: tuple[int, ...], room: int) -> tuple[int, ...]:
    return tuple(
        c
        for c in range(1, 7)
        if left[c - 1] and c <= room and not cards((*left[: c - 1], left[c - 1] - 1, *left[c:]), room - c)
    )


def sixes(data: Iterator[int]) -> Iterator[tuple[int, ...]]:
    while six := tuple(itertools.islice(data, 6)):
        yield six


def thirty_one(text: str) -> str:
    answers = []
    for left in sixes(numbers(text)):
        moves = cards(left, 31 - sum(c * (4 - n) for c, n in enumerate(left, 1)))
        answers.append("turn over " + " ".join(map(str, moves)) if moves else "lost")
    return lines(answers)


@cache
def cram_value(free: frozenset[tuple[int, int]]) -> int:
    pairs = [((r, c), other) for r, c in free for other in ((r + 1, c), (r, c + 1)) if other in free]
    return mex(cram_value(free - {*pair}) for pair in pairs)


def cram(text: str) -> str:
    boards = rows(numbers(text))
    return lines(cram_value(frozenset(divmod(cell, 4) for cell in board)) for board in boards)


# --- graphs, strings and scores ----------------------------------------------------------------------------


def dag_tokens(text: str) -> str:
    read, answers = numbers(text), []
    for size in read:
        after = [[next(read) for _ in range(next(read))] for _ in range(size)]

        @cache
        def value(at: int, after: list[list[int]] = after) -> int:
            return mex(value(to) for to in after[at])

        while count := next(read):
            answers.append("WIN" if xor(value(next(read)) for _ in range(count)) else "LOSE")
    return lines(answers)


def row_ends(text: str) -> str:
    read, answers = numbers(text), []
    for n in read:
        row = tuple(next(read) for _ in range(n))

        @cache
        def best(lo: int, hi: int, row: tuple[int, ...] = row) -> int:
            return 0 if lo > hi else max(row[lo] - best(lo + 1, hi), row[hi] - best(lo, hi - 1))

        answers.append(best(0, n - 1))
    return lines(answers)


PROGRAMS: dict[str, Callable[[str], str]] = {
    "bash": bash,
    "calendar": calendar_game,
    "can_i_win": can_i_win,
    "chomp": chomp,
    "cow_digit": cow_digit,
    "cat_and_mouse": cat_and_mouse,
    "cram": cram,
    "dag_tokens": dag_tokens,
    "northcott": northcott,
    "row_ends": row_ends,
    "three_mens_morris": three_mens_morris,
    "dawsons_kayles": dawsons_kayles,
    "divisor_game": divisor_game,
    "euclid": euclid,
    "fibonacci_nim": fibonacci_nim,
    "at_most_half": at_most_half,
    "grundys_game": grundys_game,
    "kayles": kayles,
    "knights": knights,
    "laskers_nim": laskers_nim,
    "mark": mark,
    "misere_nim": misere_nim,
    "nim": nim,
    "number_game": number_game,
    "permutation": permutation,
    "power_cards": power_cards,
    "silver_coins": silver_coins,
    "stone_game": stone_game,
    "subtract_a_square": subtract_a_square,
    "subtraction_sets": subtraction_sets,
    "thirty_one": thirty_one,
    "treblecross": treblecross,
    "wythoff": wythoff,
}
