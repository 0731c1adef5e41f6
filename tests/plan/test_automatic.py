"""Numbers that moves divide: the same values as the table, at any limit; what is guessed is proved, or refused."""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec
import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.numeral import NoNumeral
from gamespec.analysis.quotient import Option, Quotient, quotient
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import UsageError
from gamespec.game.model import Game
from gamespec.plan.choose import AUTOMATIC, TABLE, choose, make_solver
from gamespec.plan.plan import Refusal
from gamespec.plan.table import automatic
from gamespec.plan.valuation import valuation

HUGE = 10**18
MARK = "move less when n > 0 do n -= 1 move half when n > 1 do n = n / 2"


def game_of(rules: str, top: int = HUGE) -> Game:
    return gamespec.loads(f'game g\nstate n: 0..{top}\n{rules}\ninput cases until eof read n output win "W" lose "L"')


def values(game: Game, plan: str, numbers: Sequence[int], ask: Ask | None = None) -> list[int]:
    facts, budget = analyse(game), Budget()
    chosen = choose(game, facts, ask or Ask(), plan, budget=budget)
    return list(make_solver(game, facts, chosen, budget, compile).values([], [numbers]))


GAMES = {
    "mark": MARK,
    "misère": MARK + " winner stuck player",
    "thirds": "move less choose k in 1..2 when k <= n do n -= k move third when n > 0 do n = n / 3",
    "quarter": "move less when n > 0 do n -= 1 move half when n > 1 do n = n / 2 move quarter when n > 3 do n = n / 4",
    "rounded up": "let rest = n % 2 move less when n > 0 do n -= 1 move half when n > 1 do n = (n + 1) / 2",
    "odd and even": "move less when n % 2 == 1 do n -= 1 move half when n % 2 == 0 and n > 0 do n = n / 2",
    "one of several": "move half choose k in {1, 2, 3} when n > 6 do n = (n - k) / 2 move one when n > 0 do n -= 1",
    "over early": MARK + " terminal n <= 3 terminal mover wins when n == 5",
    "remainders": "move less choose k in {1, 3} when k <= n and n % 3 != 1 do n -= k move half when n > 1 do n = n / 2",
    "a hole": "move less when n > 0 and n != 40 do n -= 1 move half when n > 1 and n not in {6, 9} do n = n / 2",
    "fifths": "move less choose k in {1, 4} when k <= n do n -= k move fifth when n > 4 do n = n / 5",
    "stuck at large numbers": "move half when n in 1..40 do n = n / 2 move less when n in 3..30 do n -= 3",
    "only halves": "move half when n > 0 do n = n / 2 move quarter when n > 0 do n = n / 4",
}


@pytest.mark.parametrize("name", GAMES)
def test_like_the_table(name: str) -> None:
    rules = GAMES[name]
    numbers = [*range(5000), *range(999_000, 999_200)]
    asks = [Ask()] if "winner" in rules or "mover" in rules else [Ask(), Ask(grundy=True)]
    for ask in asks:
        expected = values(game_of(rules, 10**6), TABLE, numbers, ask)
        assert values(game_of(rules), AUTOMATIC, numbers, ask) == expected


def test_random_rules() -> None:
    """What is proved is true; and much is."""
    random_ = random.Random(3)
    proved = 0
    for _ in range(24):
        base = random_.choice([2, 2, 3, 4])
        moves = [f"move a choose k in {{1, {random_.randint(1, 4)}}} when k <= n do n -= k"]
        guard = random_.choice(["n > 0", "n > 0", "n > 0 and n % 2 == 0", "n > 7", "n > 0 and n % 3 in {0, 2}"])
        moves.append(f"move b when {guard} do n = n / {base}")
        if random_.random() < 0.5:
            power = base ** random_.randint(1, 2)
            moves.append(f"move c when n > {power} do n = (n + {random_.randint(-2, 2)}) / {power}")
        rules = " ".join(moves)
        ask = Ask(grundy=random_.random() < 0.5)
        try:
            found = values(game_of(rules), AUTOMATIC, range(4000), ask)
        except UsageError:
            continue
        proved += 1
        assert found == values(game_of(rules, 10**5), TABLE, range(4000), ask), rules
    assert proved > 14


def test_known_values() -> None:
    """The mark game is lost where n ends in an odd number of binary zeros (Fraenkel 2011); play shows it at 10^18."""
    game = game_of(MARK)
    plan = choose(game, analyse(game), Ask())
    assert plan.strategy == AUTOMATIC
    numbers = [*range(1, 600), HUGE, HUGE - 1, HUGE // 2, 3 * 2**55, 2**59]
    zeros = [(n & -n).bit_length() - 1 for n in numbers]
    assert values(game, AUTOMATIC, numbers) == [1 - zero % 2 for zero in zeros]
    printed = gamespec.loads(game.source.text.replace('win "W"', 'win "{winning_moves}"'))
    text = "\n".join(map(str, (HUGE, HUGE - 1, 2**59, 2**59 - 1, 2**59 - 2)))
    assert gamespec.solve(printed, text) == "half\nless\nL\nless\nL\n"


def test_options() -> None:
    found = quotient(game_of("move b choose k in 0..1 when n % 3 == k do n = (n + k) / 4 move a when n > 9 do n -= 2"))
    assert isinstance(found, Quotient)
    assert (found.base, found.modulus) == (2, 3)
    less = Option(0, -2)
    assert found.options == ((less, Option(2, 0)), (less, Option(2, 1)), (less,))


REFUSED = {
    "nothing is divided": "move less when n > 0 do n -= 1",
    "two bases": "move half when n > 1 do n = n / 2 move third when n > 2 do n = n / 3",
    "the number itself": "move less choose k in 1..n / 2 do n -= k move half when n > 1 do n = n / 2",
    "a multiple": "move most when n > 2 do n = (2 * n) / 4 move half when n > 1 do n = n / 2",
    "digits": "move less choose d in digits(n) - {0} do n -= d move half when n > 1 do n = n / 2",
    "over at all sizes": MARK + " terminal n % 5 == 0",
    "a large base": "move less when n > 0 do n -= 1 move part when n > 0 do n = n / 97",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    game = game_of(REFUSED[name])
    assert isinstance(quotient(game), NoNumeral)
    assert isinstance(automatic.bid(game, analyse(game), Ask()), Refusal)


def test_a_wrong_guess_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one value changed, or for other moves than those that the values come from, the proof fails."""
    game = game_of(MARK)
    rule = quotient(game)
    assert isinstance(rule, Quotient)
    search = automatic._Search(game, rule, valuation(game, analyse(game), Ask()))
    right = search.found()
    assert isinstance(right, automatic.Automatic)
    known: list[int] = []
    search._extend(known, 1 << 12)
    assert search._guessed(known) == right
    for option in rule.options[0]:
        search.rule = msgspec.structs.replace(rule, options=((option,),))
        assert search._guessed(known) is None
    search.rule = rule
    prove = search._prove
    for spoilt in set(right.states[search.since :]):

        def other(states, after, told, spoilt=spoilt):  # type: ignore[no-untyped-def]
            state = list(after)[spoilt]
            return prove(states, after, {**told, state: 1 - told[state]})

        monkeypatch.setattr(search, "_prove", other)
        assert search._guessed(known) is None
