"""Rules that lower a number by small numbers, or to a quotient of it, and see its remainders and little else.

`gamespec.plan.table.automatic` makes use of it.
"""

from __future__ import annotations

from typing import cast

import msgspec

from gamespec.analysis.numeral import FURTHEST, MOST_SETTLED, NoNumeral, Other, Reader
from gamespec.diagnostics import SpecError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Binary, Const, Do, Expr, Game, Move, Update, Value
from gamespec.game.walk import names_read
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.types import IntType

MOST_BASE = 16
MOST_MODULUS = 1 << 6


class Option(msgspec.Struct, frozen=True, order=True):
    """The number (n + more) / base ** power, rounded down."""

    power: int
    more: int


class Quotient(msgspec.Struct, frozen=True):
    """The options of all numbers n from `since` on: `options[n % modulus]`.

    `bounds` are the declared ones.
    """

    field: str
    bounds: Interval
    base: int
    modulus: int
    since: int
    options: tuple[tuple[Option, ...], ...]
    span: Span


def quotient(game: Game) -> Quotient | NoNumeral:
    """What the rules do to the only field, if they divide it and are of this kind."""
    if len(game.states) != 1 or not isinstance(game.states[0].type, IntType):
        return NoNumeral("a position is not a single number", game.states[-1].span)
    try:
        return _Quotients(game).found()
    except Other as other:
        return other.found
    except SpecError as fault:
        return NoNumeral("a rule may fail", fault.diagnostics[0].span)


class _Quotients:
    """Reads the moves of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.reader = Reader(game, game.states[0])
        self.evaluator = Evaluator(game)
        self.divisors: list[int] = []  # of each move
        self.dividends: list[Expr | None] = []

    def found(self) -> Quotient:
        game, reader = self.game, self.reader
        field = reader.field
        assert isinstance(field.type, IntType)
        bounds = field.type.bounds
        if game.givens or game.requires or game.partisan or bounds.lo < 0:
            raise Other("the rules see more than a number, its remainders and numbers that are fixed", field.span)
        for terminal in game.terminals:
            reader.read(terminal.condition)
        for move in game.moves:
            self._read(move)
        base = _root(max(self.divisors, default=1))
        if base < 2 or any(_power(divisor, base) is None for divisor in self.divisors):
            raise Other("no move divides, or not by powers of one number", game.moves[0].span)
        if reader.base or base > MOST_BASE or reader.modulus > MOST_MODULUS or reader.settled > MOST_SETTLED:
            raise Other("the moves see digits, or divide by, or compare with, large numbers", game.moves[0].span)
        settled = max(reader.settled, bounds.lo)
        far = settled + FURTHEST  # whatever is subtracted from these numbers
        if far + reader.modulus > bounds.hi:
            raise Other(f"{field.name} is small", field.span)
        options = dict(sorted((n % reader.modulus, self._options(n, base)) for n in range(far, far + reader.modulus)))
        furthest = max((abs(option.more) for some in options.values() for option in some), default=0)
        since = max(settled, bounds.lo + furthest) + 1
        return Quotient(field.name, bounds, base, reader.modulus, since, tuple(options.values()), game.moves[0].span)

    def _read(self, move: Move) -> None:
        """Notes by what a move divides, and checks what else it sees."""
        reader, effect = self.reader, move.effect
        reader.read_conditions(move)
        if not isinstance(effect, Do) or effect.gain is not None or len(effect.updates) != 1:
            raise Other(f"{move.name} does more than lower a number", move.span)
        (update,) = effect.updates
        dividend, divisor = self._division(update)
        if dividend is None and reader.furthest(move) > FURTHEST:
            raise Other(f"{move.name} subtracts large numbers", move.span)
        self.divisors.append(divisor)
        self.dividends.append(dividend)

    def _division(self, update: Update) -> tuple[Expr | None, int]:
        """The sum that is divided, and by what; None and 1 where nothing is."""
        match update:
            case Update(
                op="=", indices=None, tail=None, value=Binary(op="/", left=left, right=Const(value=int(divisor)))
            ) if divisor > 1 and self._plain(left) == 1:
                return left, divisor
            case _:
                return None, 1

    def _plain(self, expr: Expr) -> int | None:
        """How often the field is in a sum of it and of fixed or chosen numbers; None for other expressions."""
        if self.reader.is_field(expr):
            return 1
        if self.reader.field.name not in names_read(expr, self.game.lets):
            return 0
        if isinstance(expr, Binary) and expr.op in "+-":
            left, right = self._plain(expr.left), self._plain(expr.right)
            if left is not None and right is not None:
                return left + right if expr.op == "+" else left - right
        return None

    def _options(self, number: int, base: int) -> tuple[Option, ...]:
        """The options of a number, which are those of all numbers with the same remainder."""
        ending = self.evaluator.ending((number,))
        if ending is not None and ending.terminal is not None:
            raise Other("the game is over at numbers of any size", ending.terminal.span)
        found: set[Option] = set()
        for played in self.evaluator.moves((number,)):
            move, dividend = self.game.moves[played.move], self.dividends[played.move]
            after = cast(int, played.results[0][0])
            if dividend is None:
                option = Option(0, after - number)
            else:
                bound: dict[str, Value] = {
                    bind.name: value for bind, value in zip(move.choices, played.choices, strict=True)
                }
                more = cast(int, self.evaluator.expr(dividend, (number,), bound)) - number
                option = Option(_power(self.divisors[played.move], base) or 0, more)
            if abs(option.more) > FURTHEST:
                raise Other(f"{move.name} adds or subtracts large numbers", move.span)
            found.add(option)
        return tuple(sorted(found))


def _root(number: int) -> int:
    """The least number of which another one is a power."""
    return next((root for root in range(2, number) if _power(number, root) is not None), number)


def _power(number: int, root: int) -> int | None:
    """Which power of a number another one is; None for none."""
    power = 0
    while number % root == 0:
        number //= root
        power += 1
    return power if number == 1 else None
