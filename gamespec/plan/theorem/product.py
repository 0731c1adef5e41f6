"""Coins on a board or in a block, turned at the corners of boxes: products of games with coins in a row.

In one row let a move turn a coin and, as the game says, none or one before it, the last from heads to tails. Where it
must be one, the coin with n coins before it is worth n; where it may be none too, n + 1. In the product of such games
a move makes a choice for each coordinate and turns the coins at all combinations of the numbers chosen. The value of a
coin is then the nim product of the values of its coordinates (the Tartan theorem, Winning Ways, chapter 14). A spec
says so with `sum`: each coin is a component, and a move leaves the other coins that it turns.

Nim products are linear in both factors, so a table of those of powers of 2 gives them all. Numbers below 2^w, w a power
of 2, have products below 2^w (J. H. Conway, On Numbers and Games, chapter 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gamespec.analysis.facts import Facts
from gamespec.analysis.match import Condition, Kind, Left, Match, NoMatch, Numbers, Place, Rules, ge
from gamespec.budget import Budget
from gamespec.game.model import Field, Game, Into, Value
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, sub
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Rules as Written
from gamespec.kernel.moves import Words
from gamespec.plan.plan import Ask, Column, Kernels
from gamespec.plan.theorem.entry import Found, Recipe, Theorem, bounds, numbers
from gamespec.plan.theorem.formula import Formula

SOURCE = "the Tartan theorem; E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 14"
MOST_FIELDS = 3
WIDEST = 64
PROOF = "places of ones in words of the table's width"


def recognise(rules: Rules) -> Found:
    fields = rules.scalars
    for field in fields:
        if bounds(field).size.bit_length() > WIDEST:
            raise NoMatch(f"{field.name} may be too large for products of {WIDEST} bits", field.span)
    last: NoMatch | None = None
    for none in product((False, True), repeat=len(fields)):
        choices = [(0, 1) if may else (1,) for may in none]
        try:
            evidence = Match(rules, fields).prove([_kind(fields, chosen) for chosen in product(*choices)])
        except NoMatch as refused:
            last = refused if last is None or refused.far > last.far else last
            continue
        factors = []
        for field, may in zip(fields, none, strict=True):
            shift = int(may) - bounds(field).lo
            factors.append(f"{field.name} {'+' if shift > 0 else '-'} {abs(shift)}" if shift else field.name)
        statement = f"the value is the nim product of {', '.join(factors[:-1])} and {factors[-1]}"
        return Found("coins at the corners of boxes", True, statement, SOURCE, (evidence,), _Product(none))
    assert last is not None
    raise last


def _kind(fields: Sequence[Field], chosen: Sequence[int]) -> Kind:
    """Turning the coin and those at lower numbers of some coordinates, which are `chosen`."""
    lowered = [field for field, count in zip(fields, chosen, strict=True) if count]

    def conditions(place: Place, lower: Numbers) -> list[Condition]:
        return ge(
            *(place.field(field) - low.plus(1) for field, low in zip(lowered, lower, strict=True)),
            *lower,
        )

    def left(place: Place, lower: Numbers) -> list[Left]:
        ends = []
        rest = iter(lower)
        for field, count in zip(fields, chosen, strict=True):
            own = place.field(field)
            ends.append((own, next(rest)) if count else (own,))
        return list(product(*ends))[1:]

    what = " and ".join(field.name for field in lowered)
    text = f"turning all corners between the coin and lower {what}" if lowered else "turning no other coin"
    return Kind(text, len(lowered), conditions, left)


class _Product(Recipe, frozen=True):
    """For each coordinate whether a move may keep it."""

    none: tuple[bool, ...]

    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        return _Formula(game, facts, ask, self.none)


class _Formula(Formula):
    """The kernels have the products of powers of 2 as a table, that of 2^i and 2^j at `i * width + j`."""

    name = "theorem"
    tables = (ir.Table("nim.products", ir.U64),)

    def __init__(self, game: Game, facts: Facts, ask: Ask, none: tuple[bool, ...]) -> None:
        super().__init__(game, facts, ask)
        self.none = none
        widest = max(bounds(field).size.bit_length() for field in game.states)
        self.width = 1 << (widest - 1).bit_length()
        self._table: Buffer | None = None

    def value(self, b: Builder, rules: Written, position: Words) -> ir.Expr:
        found: ir.Expr | None = None
        for field, may in zip(self.game.states, self.none, strict=True):
            shift = int(may) - bounds(field).lo
            factor = b.local("factor", cast(add(cast(position[field.name], ir.I128), shift), ir.U64))
            found = factor if found is None else self._product(b, found, factor)
        assert found is not None
        return cast(found, ir.U128)

    def _product(self, b: Builder, one: ir.Expr, other: ir.Expr) -> ir.Expr:
        """The nim product of two words (u64) of the table's width."""
        total, left = b.local("total", const(0, ir.U64)), b.local("left", one)
        with b.loop_while(compare("ne", left, const(0, ir.U64))):
            row = b.local("row", binary("mul", _lowest(left), const(self.width, ir.U64), ir.U64))
            _drop(b, left)
            right = b.local("right", other)
            with b.loop_while(compare("ne", right, const(0, ir.U64))):
                term = ir.Load("nim.products", add(row, _lowest(right)), ir.U64, PROOF)
                b.assign(total, binary("xor", total, term, ir.U64))
                _drop(b, right)
        return total

    def prepared(
        self, kernels: Kernels, givens: Sequence[Value], states: Sequence[Column], budget: Budget, at: Buffer
    ) -> tuple[object, ...]:
        if self._table is None:
            places = range(self.width)
            self._table = allocate(ir.U64, self.width * self.width)
            self._table.from_ints([nim_product(1 << i, 1 << j) for i in places for j in places])
        return (self._table,)


def _lowest(word: ir.Expr) -> ir.Expr:
    return ir.Unary("low", word, ir.U64)


def _drop(b: Builder, word: ir.Var) -> None:
    """Takes the lowest one out of a word."""
    b.assign(word, binary("and", word, sub(word, 1), ir.U64))


def nim_product(a: int, b: int) -> int:
    """The product of two nimbers: the field multiplication over nim sums (On Numbers and Games, chapter 6)."""
    if a < 2 or b < 2:
        return a * b
    half = 1 << ((max(a, b).bit_length() - 1).bit_length() - 1)
    # In base F = 2^half there are two digits, and F ⊗ F = F ⊕ F/2.
    (a1, a0), (b1, b0) = divmod(a, 1 << half), divmod(b, 1 << half)
    low = nim_product(a0, b0)
    high = nim_product(a1 ^ a0, b1 ^ b0) ^ low
    return (high << half) ^ low ^ nim_product(nim_product(a1, b1), 1 << (half - 1))


def _fits(game: Game) -> bool:
    count = len(game.states)
    return (
        game.sum
        and 1 < count <= MOST_FIELDS
        and numbers(game, count)
        and any(isinstance(move.effect, Into) and len(move.effect.parts) == 2**count - 1 for move in game.moves)
    )


PRODUCT = Theorem("coins at the corners of boxes", _fits, recognise)
