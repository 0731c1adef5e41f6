"""Pieces in a row that move to one side without passing each other, as in Georgia and Bob (POJ 1704).

The free cells between a piece and the one before it are a heap: a move takes from one of these gaps and adds as much
to the next one, or to nothing where the piece is the last. So the gaps are the steps of a staircase (Staircase Nim),
and every second one counts, from the last piece on: the Grundy value is the xor of those. Proof by induction: a move
changes exactly one gap that counts, so no option has the same xor, and taking from gaps that count reaches every
smaller one, as in Nim (C. L. Bouton 1901; E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 15, on
the Silver Dollar Game).

The pieces are an array that rises with the index. Either no two may stand on one cell, which a `require` must say, or
they may, and then the array must be sorted.
"""

from __future__ import annotations

from gamespec.analysis.facts import Facts
from gamespec.analysis.match import Condition, Kind, Left, Match, NoMatch, Numbers, Place, Rules, ge
from gamespec.game.cells import recall
from gamespec.game.context import Context
from gamespec.game.form import Form, atom
from gamespec.game.holds import holds
from gamespec.game.legal import position_context
from gamespec.game.model import Field, Fold, Game
from gamespec.game.world import World
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, binary, cast, compare, const, sub
from gamespec.plan.plan import Ask
from gamespec.plan.theorem.entry import Found, Recipe, Theorem
from gamespec.plan.theorem.formula import Formula
from gamespec.plan.theorem.row import Cell, RowFormula, ends, is_row, limits
from gamespec.types import ArrayType

WIDE = Interval(-(1 << 136), 1 << 136)
SOURCE = "C. L. Bouton 1901; E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 15"


def recognise(rules: Rules) -> Found:
    (row,) = rules.arrays
    refusals: list[NoMatch] = []
    for apart in (1, 0):
        for direction in (-1, 1):
            try:
                return _recognise(rules, row, apart, direction)
            except NoMatch as refused:
                refusals.append(refused)
    raise max(refusals, key=lambda refused: refused.far)


def _recognise(rules: Rules, row: Field, apart: int, direction: int) -> Found:
    """Pieces that go down (−1) or up, and stand at least `apart` from each other."""
    low, high = limits(row)
    _spaced(rules, row, apart)
    match = Match(rules, [], shifted=False, proved="require")
    evidence = match.prove(_kinds(row, apart, direction, low if direction < 0 else high))
    pieces = "on different cells" if apart else "that may share a cell"
    statement = f"the value is the xor of every second gap before a piece of {row.name}, from the last piece on"
    if direction > 0:
        statement = f"the value is the xor of every second gap behind a piece of {row.name}, from the first piece on"
    recipe = _Strip(apart, low if direction < 0 else high, direction)
    return Found(f"pieces {pieces} that do not pass", True, statement, SOURCE, (evidence,), recipe)


def _spaced(rules: Rules, row: Field, apart: int) -> None:
    """Proves that the row rises everywhere, and that this is all that is required of positions."""
    world = rules.world()
    context = position_context(world)
    lower = atom(world.atoms.fresh(WIDE))
    place = Place(context, shifted=False)
    first, last = ends(place, row)
    context.learn(lower - first, "")
    context.learn(last - lower.plus(1), "")
    rises = _rise(context, row, lower).plus(-apart)
    assert isinstance(row.type, ArrayType)
    if apart or not row.type.ordered:
        for index in (lower, lower.plus(1)):
            recall(context, index)
        if context.prove(rises) is None:
            raise NoMatch(f"not required that {row.name} rises from cell to cell", row.span)
    elif rules.game.requires:
        raise NoMatch("a requirement rules out some positions", rules.game.requires[0].span)
    for condition in rules.game.requires:
        if not _follows(world, row, condition, apart):
            raise NoMatch("a requirement says more than that the row rises", condition.span)


def _rise(context: Context, row: Field, lower: Form) -> Form:
    return context.cell(row.name, (lower.plus(1),)) - context.cell(row.name, (lower,))


def _follows(world: World, row: Field, condition: object, apart: int) -> bool:
    """Whether a requirement for all neighbours says no more than that they are `apart`."""
    match condition:
        case Fold(op="all", item=item, tail=tail) if len(tail.binds) == 1 and tail.condition is None:
            context = Context(world).enter(tail)
            index = context.names[tail.binds[0].name]
            for lower in (index, index.plus(-1)):
                context.learn(_rise(context, row, lower).plus(-apart), "")
            first, last = ends(Place(context, shifted=False), row)
            inside = context.prove(index - first) is not None and context.prove(last - index) is not None
            return inside and holds(context, item) is not None
        case _:
            return False


def _kinds(row: Field, apart: int, direction: int, end: int) -> list[Kind]:
    def left(place: Place, chosen: Numbers) -> list[Left]:
        index, by = chosen
        return [(index, place.cell(row, index) + by.times(direction))]

    def outer(place: Place, chosen: Numbers) -> list[Condition]:
        index, by = chosen
        first, last = ends(place, row)
        edge = first if direction < 0 else last
        room = (place.cell(row, index).plus(-end)).times(-direction)
        return ge(index - edge, edge - index, by.plus(-1), room - by)

    def inner(place: Place, chosen: Numbers) -> list[Condition]:
        index, by = chosen
        first, last = ends(place, row)
        following = index.plus(direction)
        room = (place.cell(row, following) - place.cell(row, index)).times(direction).plus(-apart)
        return ge(following - first, last - following, index - first, last - index, by.plus(-1), room - by)

    assert isinstance(row.type, ArrayType)
    indices = row.type.dims[:1]
    way = "down" if direction < 0 else "up"
    edge = "first" if direction < 0 else "last"
    reach = "the cell next to the following piece" if apart else "the cell of the following piece"
    return [
        Kind(f"moving the {edge} of {row.name} {way}, at most to {end}", 2, outer, left, indices),
        Kind(f"moving another of {row.name} {way}, at most to {reach}", 2, inner, left, indices),
    ]


class _Strip(Recipe, frozen=True):
    """Pieces go in a direction to the end of the strip, and stand at least `apart`."""

    apart: int
    end: int
    direction: int

    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        return _Formula(game, facts, ask, self)


class _Formula(RowFormula):
    def __init__(self, game: Game, facts: Facts, ask: Ask, strip: _Strip) -> None:
        super().__init__(game, facts, ask)
        self.apart, self.end, self.direction = strip.apart, strip.end, strip.direction

    def row_value(self, b: Builder, cell: Cell, count: ir.Expr, others: dict[str, ir.Expr]) -> ir.Expr:
        """Every second piece, with the one in front of it (or the end of the strip)."""
        total = b.local("total", const(0, ir.U64))
        left = b.local("left", count)
        with b.loop_while(compare("gt", left, const(0))):
            ahead = b.local("ahead", const(self.end + self.direction * self.apart))
            one = self._place(count, left)
            with b.when(compare("gt", left, const(1))):
                b.assign(ahead, cell(b.local("ahead_at", self._place(count, sub(left, 1)))))
            gap = sub(ahead, cell(b.local("at", one))) if self.direction > 0 else sub(cell(b.local("at", one)), ahead)
            b.assign(total, binary("xor", total, cast(sub(gap, self.apart), ir.U64), ir.U64))
            b.assign(left, sub(left, 2))
        return total

    def _place(self, count: ir.Expr, left: ir.Expr) -> ir.Expr:
        """The piece that has so many, itself among them, to the side where pieces go."""
        return sub(left, 1) if self.direction < 0 else sub(count, left)


GAPS = Theorem("pieces that do not pass", lambda game: is_row(game, 0), recognise)
