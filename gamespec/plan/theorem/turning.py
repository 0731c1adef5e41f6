"""Coins in a row of which a move turns some, the last of them from heads to tails.

Such a game is the sum of its single coins (H. W. Lenstra, Nim multiplication, IHÉS 1978; Winning Ways, chapter 14),
and a spec says so with `sum`: each coin is a component, and a move leaves the other coins that it turns. Where up to
three coins are turned (Mock Turtles), the coin with n coins before it is worth 2n or 2n + 1, whichever has an odd
number of binary ones; where exactly three are (Triplets), it is worth what the coin two places before it is worth
there.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.analysis.facts import Facts
from gamespec.analysis.match import Condition, Kind, Left, Match, NoMatch, Numbers, Place, Rules, ge
from gamespec.game.model import Field, Game, Into
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, select, sub
from gamespec.kernel.moves import Rules as Written
from gamespec.kernel.moves import Words
from gamespec.plan.plan import Ask
from gamespec.plan.theorem.entry import Found, Recipe, Theorem, bounds, numbers
from gamespec.plan.theorem.formula import Formula

SOURCE = "E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 14"
WORDS = ("no other coin", "one coin before it", "two coins before it")
GAMES = {
    (0, 1, 2): ("Mock Turtles", "2n or 2n + 1, whichever has an odd number of binary ones"),
    (2,): ("Triplets", "0 for n < 2, else 2m or 2m + 1, m = n - 2, whichever has an odd number of binary ones"),
}


def recognise(rules: Rules) -> Found:
    (coin,) = rules.scalars
    last: NoMatch | None = None
    for counts, (name, value) in GAMES.items():
        try:
            evidence = Match(rules, [coin]).prove([_kind(coin, count) for count in counts])
        except NoMatch as refused:
            last = refused if last is None or refused.far > last.far else last
            continue
        skipped = 0 if counts == (0, 1, 2) else 2
        least = bounds(coin).lo
        places = coin.name if not least else f"{coin.name} {'-' if least > 0 else '+'} {abs(least)}"
        statement = f"the value is {value}, n = {places}"
        return Found(name, True, statement, SOURCE, (evidence,), _Skipped(skipped))
    assert last is not None
    raise last


def _kind(coin: Field, count: int) -> Kind:
    """Turning the coin and so many before it, the later one first."""

    def conditions(place: Place, chosen: Numbers) -> list[Condition]:
        above = [place.field(coin), *chosen]
        return ge(*(high - low.plus(1) for high, low in zip(above, chosen, strict=False)), *chosen[-1:])

    def left(place: Place, chosen: Numbers) -> list[Left]:
        return [(each,) for each in chosen]

    return Kind(f"turning {coin.name} and {WORDS[count]}", count, conditions, left)


class _Skipped(Recipe, frozen=True):
    """How many coins are worth nothing."""

    skipped: int

    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        return _Formula(game, facts, ask, self.skipped)


class _Formula(Formula):
    name = "theorem"

    def __init__(self, game: Game, facts: Facts, ask: Ask, skipped: int) -> None:
        super().__init__(game, facts, ask)
        self.skipped = skipped

    def value(self, b: Builder, rules: Written, position: Words) -> ir.Expr:
        (coin,) = self.game.states
        before = b.local("before", sub(cast(position[coin.name], ir.I128), bounds(coin).lo + self.skipped))
        word = b.local("word", cast(binary("max", before, const(0, ir.I128), ir.I128), ir.U128))
        ones = ir.Unary("popcount", word, ir.U128)
        even = sub(const(1, ir.U128), binary("and", ones, const(1, ir.U128), ir.U128))
        value = add(add(word, word), even)
        return select(compare("ge", before, const(0, ir.I128)), value, const(0, ir.U128))


def _fits(game: Game) -> bool:
    return game.sum and numbers(game, 1) and any(_turns_two(move.effect) for move in game.moves)


def _turns_two(effect: object) -> bool:
    parts: Sequence[object] = effect.parts if isinstance(effect, Into) else ()
    return len(parts) == 2


TURNING = Theorem("coins", _fits, recognise)
