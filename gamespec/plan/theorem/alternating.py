"""Heaps of which one stone is taken, but not from the heap that the opponent has just taken from.

Let S be the number of all stones and l the heap used last, if any. If some heap d has more than half of them, the
player to move wins if and only if d is not l; otherwise if and only if S is odd (Codeforces 1396B, Stoned Game).
Proof: with d ≠ l, take from d every time. The opponent always takes from the others, which are fewer than d, so d has
more than half again when he has moved, and he runs out first. With d = l the opponent comes into that place after any
move, if there is one. Without d and with S odd, every heap has at most (S − 1) / 2, so there is a move, and no heap
has more than half of the S − 1 stones then: it leaves an even number without d. Without d and with S even, any move
leaves an odd number, either without d or with one that was not just used: the opponent wins.
"""

from __future__ import annotations

from gamespec.analysis.facts import Facts
from gamespec.analysis.match import Condition, Kind, Left, Match, NoMatch, Numbers, Place, Rules, ge
from gamespec.game.model import Field, Game
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, select, sub
from gamespec.plan.plan import Ask
from gamespec.plan.theorem.entry import Found, Recipe, Theorem, bounds
from gamespec.plan.theorem.formula import Formula
from gamespec.plan.theorem.row import Cell, RowFormula, ends, first_index, is_row, limits
from gamespec.types import ArrayType

MOST_CELLS = 1 << 30


def recognise(rules: Rules) -> Found:
    (row,), (last,) = rules.arrays, rules.scalars
    first_index(row)
    if limits(row)[0] != 0:
        raise NoMatch(f"the least number of {row.name} is not 0", row.span)
    if rules.game.requires:
        raise NoMatch("a requirement rules out some positions", rules.game.requires[0].span)
    if max(abs(bounds(last).lo), bounds(last).hi) > MOST_CELLS:
        raise NoMatch(f"{last.name} may be too large", last.span)
    evidence = Match(rules, [last], shifted=False).prove([_kind(row, last)])
    statement = (
        f"with more than half of all in one of {row.name}, won if and only if {last.name} is not that one; "
        "else if and only if their number is odd"
    )
    return Found("one stone from another heap", False, statement, "Codeforces 1396B", (evidence,), _Plain())


def _kind(row: Field, last: Field) -> Kind:
    def conditions(place: Place, chosen: Numbers) -> list[Condition]:
        (index,) = chosen
        first, end = ends(place, row)
        unequal = Condition(index - place.field(last), unequal=True)
        return [*ge(index - first, end - index, place.cell(row, index).plus(-1)), unequal]

    def left(place: Place, chosen: Numbers) -> list[Left]:
        (index,) = chosen
        return [(index, index, place.cell(row, index).plus(-1))]

    assert isinstance(row.type, ArrayType)
    return Kind(
        f"taking 1 from one of {row.name} that is not {last.name}, which it becomes", 1, conditions, left, row.type.dims
    )


class _Plain(Recipe, frozen=True):
    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        return _Formula(game, facts, ask)


class _Formula(RowFormula):
    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        super().__init__(game, facts, ask)
        self.first = first_index(self.row)

    def row_value(self, b: Builder, cell: Cell, count: ir.Expr, others: dict[str, ir.Expr]) -> ir.Expr:
        (last,) = others.values()
        total, most, place = (b.local(name, const(0)) for name in ("total", "most", "place"))
        with b.loop("i", const(0), sub(count, 1)) as at:
            here = cell(at)
            b.assign(total, add(total, here))
            with b.when(compare("gt", here, most)):
                b.assign(most, here)
                b.assign(place, at)
        free = compare("ne", sub(last, self.first), place)
        odd = compare("ne", binary("mod", total, const(2), ir.I64), const(0))
        larger = compare("gt", add(most, most), total)
        return cast(select(larger, select(free, const(1), const(0)), select(odd, const(1), const(0))), ir.U64)


ALTERNATING = Theorem("one stone from another heap", lambda game: is_row(game, 1), recognise)
