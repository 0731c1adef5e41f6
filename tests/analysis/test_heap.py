"""Heap games recognised from the rule: the normal form has the moves of the rule, and what is none is refused."""

from __future__ import annotations

from random import Random

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.heap import Heap, NoHeap, heap
from gamespec.diagnostics import GamespecError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value

TOP = 40

RULES = {
    "octal game 0.77": "move one choose a in 0..n - 1 into (a), (n - 1 - a) move two choose a in 0..n - 2 "
    "into (a), (n - 2 - a)",
    "octal game 0.777": "move go choose k in 1..3, a in 0..n - k into (a), (n - k - a)",
    "octal game 0.07": "move two choose a in 0..n - 2 into (a), (n - 2 - a)",
    "octal game 0.137": "move one when n == 1 into nothing move two when n > 1 do n -= 2 "
    "move three choose a in 0..n - 3 into (a), (n - 3 - a)",
    "octal game 4.3": "move one when n > 0 do n -= 1 move split choose a in 1..n / 2 into (a), (n - a)",
    "leave two unequal heaps of at least 1": "move split choose a in 1..(n - 1) / 2 into (a), (n - a)",
    "leave two unequal heaps of at least 1, from 5 on": "move go choose a in 1..n - 1 when 2 * a != n and n > 4 "
    "into (a), (n - a)",
    "leave two unequal heaps of at least 1; take 2 and leave at least 5": "move go choose a in 1..n - 1 when a < n - a "
    "into (n - a), (a) move take when n > 6 do n -= 2",
    "any number; leave two heaps of at least 1": "move take choose k in 1..n do n -= k "
    "move split choose a in 1..n - 1 into (a), (n - a)",
    "all-but subtraction: any number but {2, 5}": "move go choose k in 1..n when k not in {2, 5} do n -= k",
    "all-but subtraction: any number but {7}": "move go choose left in 0..n - 1 when n - left != 7 do n = left",
    "subtraction set {2, 3, 7, 9}": "move a choose k in {2, 3, 7} when k <= n do n -= k move b when n >= 9 do n -= 9",
    "subtraction set 3..6": "move go choose k in 1..min(n, 6) when k > 2 do n -= k",
    "subtraction set powers of 3 | 2": "move go choose k in powers(3, n) do n -= k move two when n > 1 do n -= 2",
    "take 1..4, from 4 on, up to 10; take 1..4, from 12 on": "move go choose k in 1..4 when n >= 4 and n != 11 "
    "do n -= k",
    "octal game 0.354": "move all when n == 1 into nothing move one when n > 1 do n -= 1 move two when n == 2 "
    "into nothing move split choose k in 2..3, a in 1..n - k - 1 into (a), (n - k - a)",
    "octal game 0.11337": "move go choose i in 1..n into (max(i - 3, 0)), (max(n - i - 2, 0))",
    "take any number; over at 3..3, 8..8": "move go choose k in 1..n do n -= k terminal n == 3 or n in {8}",
    "leave two heaps of at least 2": "move go choose a in 2..n / 2 when n > 3 into (a), (n - a)",
    "subtraction set (1 modulo 2)": "move go choose k in {x for x in 1..n if x % 2 != 0} do n -= k",
    "take (1, 5 modulo 6), from 9 on": "let odd = 2 move go choose k in 1..n when k % odd == 1 and "
    "gcd(k, 3) == 1 and n > 8 do n -= k",
    "subtraction set (0, 3 modulo 4) but {11} | 2": "move go choose k in 2..n when k % 4 in {0, 3} "
    "and k != 11 do n -= k move two when n > 1 do n -= 2",
    "take (2 modulo 3) and leave two heaps of at least 0": "move go choose k in 2..n, a in 0..n - k "
    "when (2 * k - 1) % 3 == 0 into (a), (n - k - a)",
    "subtraction set {4, 6}": "move go choose k in {1, 4, 6} when k <= n and not k % 2 == 1 do n -= k",
    "subtraction set (1, 2 modulo 3) | 3..5": "move go choose k in 1..n when k % 3 > 0 or 2 < k < 6 do n -= k",
    "subtraction set 1": "let half = min(n, 1) move go choose k in 1..half do n -= k",
}

GIVEN = {
    "given m: 1..6": ("move go choose k in 1..min(m, n) do n -= k", [(1,), (4,)]),
    "given m: 2..9 given l: 2..9": ("move go choose k in {1, m, l} when k <= n do n -= k", [(2, 5), (3, 3)]),
    "given s: set of 1..9": ("move go choose k in s when k < n do n -= k", [(frozenset({2, 3}),), (frozenset(),)]),
    "given m: 1..7": ("move go choose a in 0..n - m into (a), (n - m - a)", [(1,), (4,)]),
    "given m: 1..5 given l: 1..5": (
        "move go choose k in m..min(m + l, n), a in 1..n - k - 1 when a <= n - k - a into (n - k - a), (a)",
        [(1, 2), (3, 4)],
    ),
    "given s: set of 1..7": ("move go choose k in s, a in 0..n - k into (a), (n - k - a)", [(frozenset({2, 5}),)]),
    "given m: 0..9": ("move go choose a in 0..n - 2 when n > m into (a), (n - 2 - a)", [(0,), (7,)]),
}

REFUSED = {
    "a multiple": ("move go when n > 0 do n = n / 2", "not linear"),
    "a growing window": ("move go choose k in 1..n / 2 do n -= k", "grows with the heap"),
    "divisors": ("move go choose k in divisors(n) when n > 0 do n -= k", "depends on the position"),
    "a condition on parity": ("move go choose k in 1..n when n % 2 == 0 do n -= k", "heaps of a set of sizes"),
    "parity of what is left": ("move go choose k in 1..n when (n - k) % 2 == 0 do n -= k", "not linear"),
    "what is left is odd": ("move go choose a in 0..n - 1 when a % 2 == 1 do n = a", "what is left is one of a set"),
    "nothing taken": ("move go choose k in 0..n when k % 2 == 0 do n -= k", "takes something from n"),
    "two infinite sets": ("move go choose k in primes(n) when k % 4 == 1 do n -= k", "two infinite sets"),
    "many remainders": ("move go choose k in 1..n when k % 31 != 0 and k % 37 != 0 do n -= k", "too many remainders"),
    "parts of different least sizes": ("move go choose a in 3..n - 1 into (a), (n - a)", "different least sizes"),
    "a part of a hole": ("move go choose a in 1..n - 1 when a != 3 into (a), (n - a)", "left out"),
    "parts far apart": ("move go choose a in 1..(n - 5) / 2 into (a), (n - a)", "not any two"),
    "a fixed part": ("move go when n > 3 into (2), (n - 3)", "the same size"),
    "two equal parts": ("move go choose a in 1..n / 2 when 2 * a == n into (a), (a)", "not a constant less"),
    "three parts": ("move go choose a in 1..n / 3, b in 1..n / 3 into (a), (b), (n - a - b)", "more than two parts"),
    "a large heap only": ("move go choose k in 1..3 when k <= n do n -= k terminal n > 20", "all large sizes"),
    "a verdict": ("move go choose k in 1..n do n -= k terminal mover wins when n == 0", "names the winner"),
    "a move that adds": ("move go when n < 28 choose k in 1..7 do n += k", "takes something from n"),
    "a move that may add": ("move go choose k in {-1, 2} when k <= n and n - k < 30 do n -= k", "takes something"),
    "a required size": ("require n != 3 move go when n > 3 do n -= 1", "requirement"),
    "only one thing left": ("move go choose a in 0..min(3, n - 1) do n = a", "only little may be left"),
}


def loaded(rules: str, least: int = 0) -> Game:
    return gamespec.loads(f"game g\nsum\nstate n: {least}..{TOP}\n{rules}\n")


def compare(game: Game, found: Heap, givens: tuple[Value, ...] = (), top: int = TOP) -> None:
    """The normal form has the same options as the definition; empty heaps are nothing."""
    rule = found.rule(givens)
    evaluator = Evaluator(game, game.data(givens))
    for n in range(rule.lowest, top + 1):
        ending = evaluator.ending((n,))
        over = ending is not None and ending.terminal is not None
        played = [] if over else [[int(r[0]) for r in move.results if r[0]] for move in evaluator.moves((n,))]  # type: ignore[arg-type]
        expected = {tuple(sorted(parts)) for parts in played}
        assert {tuple(sorted(part for part in parts if part)) for parts in rule.options(n)} == expected, n
        assert len(expected) <= rule.count(n)


@pytest.mark.parametrize("text", RULES)
def test_rule(text: str) -> None:
    game = loaded(RULES[text])
    found = heap(game)
    assert isinstance(found, Heap), found
    assert text in str(found.fixed)
    compare(game, found)


@pytest.mark.parametrize("given", GIVEN)
def test_rule_with_data(given: str) -> None:
    rules, data = GIVEN[given]
    game = gamespec.loads(f"game g\nsum\n{given}\nstate n: 0..{TOP}\n{rules}\n")
    found = heap(game)
    assert isinstance(found, Heap), found
    assert found.fixed is None
    for givens in data:
        compare(game, found, givens)


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    rules, reason = REFUSED[what]
    found = heap(loaded(rules))
    assert isinstance(found, NoHeap)
    assert reason in found.reason


@pytest.mark.parametrize(
    "rules",
    [
        "given m: 0..3 state n: 0..9 move all when n >= m into nothing",
        "given m: 1..3 state n: 0..9 move go choose k in 1..n - 1 when n - k != m do n -= k",
        "given m: 1..3 state n: 0..9 move go choose a in m..n - 1 into (a), (n - a)",
        "given m: 1..3 state n: 0..9 move go when n <= m choose k in 1..m do n += k",
        "given m: 1..3 state n: 0..9 move go choose a in 1..n - m into (a), (n - 1 - a)",
        "given m: 1..3 given l: 1..3 state n: 0..9 move go choose a in l..n - m - l into (a), (n - m - a)",
        "given m: 1..3 state n: 0..9 move go choose a in 1..n - 1 when a - m < n - a into (a), (n - a)",
        "given m: 1..3 state n: 0..9 move go choose a in 0..n - 2 when n - a > m into (a), (n - 2 - a)",
    ],
)
def test_what_depends_on_data_too_much(rules: str) -> None:
    """Whether it is a heap game must not depend on the data of a case."""
    assert isinstance(heap(gamespec.loads(f"game g sum {rules}")), NoHeap)


def test_a_least_heap_that_is_not_empty() -> None:
    game = loaded("move go choose a in 2..n - 2 into (a), (n - a) move less when n > 5 do n -= 1", least=2)
    found = heap(game)
    assert isinstance(found, Heap)
    compare(game, found)


def test_the_declared_limit_means_nothing() -> None:
    """What is found holds for heaps of all sizes."""
    small, large = (heap(gamespec.loads(f"game g state n: 0..{top} move go choose k in 1..min(n, 99) do n -= k"))
                    for top in (9, 10**18))  # fmt: skip
    assert isinstance(small, Heap)
    assert isinstance(large, Heap)
    assert small.fixed == large.fixed


def test_facts_keep_it() -> None:
    facts = analyse(loaded(RULES["octal game 0.77"]))
    assert facts.heap is facts.heap
    assert analyse(loaded(RULES["octal game 0.77"]), {"heap"}).heap is None


LEAST = ("0", "1", "1", "1", "2", "3", "n - 4", "max(1, n - 3)", "n / 2")
MOST = (
    "n",
    "n - 1",
    "n - 2",
    "n / 2",
    "(n - 1) / 2",
    "(n + 1) / 2",
    "3",
    "5",
    "min(n, 4)",
    "max(n - 3, 2)",
    "2 * n / 3",
)
SETS = ("{1, 2}", "{2, 5}", "powers(2, n)", "(1..n) - {2, 4}", "(1..3) | {6}", "{1, n}", "(1..n) & {1, 2, 8}")
GUARDS = (
    "x <= n", "x < n", "n > 3", "n >= 5 and x != 2", "x in {1, 3, 4}", "x not in {2}", "2 * x != n", "x < n - x",
    "n != 6", "n < 9", "n == 4", "n - x >= 2", "x > 1 or n > 7", "not (x == 3)", "n in 2..8", "n not in 4..6",
    "x * 2 <= n",
)  # fmt: skip
EFFECTS = (
    "do n -= x", "do n -= x", "do n = x", "into (n - x)", "into (x), (n - x)", "into (x), (n - 1 - x)",
    "into (x), (n - 2 - x)", "into (max(x - 2, 0)), (max(n - x - 1, 0))", "into nothing", "do n = max(n - x, 0)",
    "into (if x > 2 then x - 2 else 0), (n - x)",
)  # fmt: skip
ENDS = ("", "", "", "terminal n == 3", "terminal n <= 2", "terminal n in {4, 5}")


def drawn(random: Random) -> str:
    """Rules that are often those of a heap game, and often only look like it."""
    moves = []
    for number in range(random.randint(1, 2)):
        within = f"{random.choice(LEAST)}..{random.choice(MOST)}" if random.random() < 0.4 else random.choice(SETS)
        guard = f"when {random.choice(GUARDS)}" if random.random() < 0.8 else ""
        moves.append(f"move m{number} choose x in {within} {guard} {random.choice(EFFECTS)}")
    return f"game g sum state n: {random.choice('0001')}..24 {' '.join(moves)} {random.choice(ENDS)}"


def test_drawn_splits_with_data() -> None:
    """A rule with data of the case is a heap game for all of them, with the moves of the rule, or for none."""
    random = Random(5)
    known = 0
    for _ in range(80):
        numbers = f"{random.choice(('1', '2', 'm'))}..{random.choice(('m', '3', 'm + 1', 'min(n, m)', 'n'))}"
        parts = f"{random.choice('001m')}..{random.choice(('n - k', 'n - k', 'n - k - 1', '(n - k) / 2', 'n - m - k'))}"
        guard = random.choice(("", "", "when k != m", "when n > m", "when a != n - k - a", "when k in {1, 2, m}"))
        way = f"choose k in {numbers}, a in {parts} {guard} into (a), (n - k - a)"
        try:
            game = gamespec.loads(f"game g sum given m: 1..4 state n: 0..24 move go {way}")
        except GamespecError:
            continue
        found = heap(game)
        if isinstance(found, Heap):
            known += 1
            for m in range(1, 5):
                compare(game, found, (m,), top=12 + 2 * m)
    assert known > 15


def test_drawn_rules() -> None:
    """Whatever is recognised has the moves of the rule."""
    random = Random(3)
    known = 0
    for _ in range(300):
        try:
            game = gamespec.loads(drawn(random))
        except GamespecError:
            continue
        found = heap(game)
        if isinstance(found, Heap):
            try:
                compare(game, found, top=24)
            except GamespecError:
                continue  # the rule fails at some position
            known += 1
    assert known > 15


def test_numbers_that_take_long_to_work_out_from_data() -> None:
    """Once the data are known, they are worked out, whatever it takes; before, nothing is."""
    game = gamespec.loads("""game products given f: 1..9 state n: 0..999
        let steps = {p * q for p in 2..200 for q in 2..200 if p * q <= 300}
        move take choose d in steps - {f} when d <= n do n -= d
        input read f, n output line "{grundy}" """)
    steps = {p * q for p in range(2, 151) for q in range(2, 151) if p * q <= 300} - {4}
    values: list[int] = []
    for n in range(1000):
        options = {values[n - step] for step in steps if step <= n}
        values.append(next(value for value in range(1001) if value not in options))
    assert gamespec.solve(game, "4 999") == f"{values[999]}\n"
