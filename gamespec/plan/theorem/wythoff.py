"""Wythoff's game and its generalisation: two heaps, take from one of them, or about equally many from both.

With r = 1 both must be equal (W. A. Wythoff, A modification of the game of Nim, Nieuw Arch. Wisk. 7 (1907)); else
they may differ by less than r (A. S. Fraenkel, How to beat your Wythoff games' opponent on three fronts, Amer. Math.
Monthly 89 (1982)). The player to move loses at (floor(nα), floor(nα) + rn), α = (2 − r + √(r² + 4)) / 2.

There are no square roots: α is the positive root of x² + (r − 2)x − r, so for n ≥ 1 the smaller heap m is floor(nα) if
and only if m² + (r − 2)mn − rn² ≤ 0 < (m + 1)² + (r − 2)(m + 1)n − rn². With rn = d, the difference of the heaps, no
term exceeds the square of a heap (plus 1), times 2 at most.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.facts import Facts
from gamespec.analysis.match import Kind, Left, Match, NoMatch, Numbers, Place, Rules, ge
from gamespec.game.form import Form, number
from gamespec.game.model import Const, Do, Field, Game, GivenRef
from gamespec.game.walk import within
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, both, cast, compare, const, select, sub
from gamespec.kernel.moves import Rules as Written
from gamespec.kernel.moves import Words
from gamespec.plan.plan import Ask
from gamespec.plan.theorem.entry import Found, Recipe, Theorem, bounds, numbers, squarable
from gamespec.plan.theorem.formula import Formula
from gamespec.types import IntType

MOST_WIDTHS = 6  # values of r that are tried


class Width(Recipe, frozen=True):
    """The number r: a constant, or a given plus a constant."""

    constant: int
    given: Field | None = None

    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        return _Formula(game, facts, ask, self)

    def form(self, place: Place) -> Form:
        base = number(0)
        if self.given is not None:
            base = place.context.form(GivenRef(name=self.given.name, type=self.given.type))
        return base.plus(self.constant)

    @property
    def least(self) -> int:
        return self.constant + (bounds(self.given).lo if self.given is not None else 0)

    def __str__(self) -> str:
        if self.given is None:
            return str(self.constant)
        return self.given.name + (f" + {self.constant}" if self.constant else "")


def recognise(rules: Rules) -> Found:
    heaps = rules.scalars
    squarable(heaps)
    last: NoMatch | None = None
    for width in _widths(rules.game):
        try:
            match = Match(rules, heaps)
            evidence = match.prove(_kinds(heaps, width))
        except NoMatch as refused:
            last = refused if last is None or refused.far > last.far else last
            continue
        return _found(heaps, width, evidence)
    assert last is not None
    raise last


def _widths(game: Game) -> Iterator[Width]:
    """1, and what numbers in the rules may be."""
    yield Width(1)
    if not any(isinstance(move.effect, Do) and len(move.choices) > 1 for move in game.moves):
        return
    read = [guard for move in game.moves for several in move.guards for guard in several]
    read += [bind.within for move in game.moves for bind in move.choices]
    parts = [part for each in read for part in within(each, game.lets)]
    found: list[Width] = []
    for part in parts:
        match part:
            case Const(value=int() as value):
                found += [Width(abs(value)), Width(abs(value) + 1)]
            case GivenRef(name=name, type=IntType()):
                found += [Width(0, game.given(name)), Width(1, game.given(name))]
    tried = {"1"}
    for width in found:
        if str(width) not in tried and width.least >= 1 and len(tried) <= MOST_WIDTHS:
            tried.add(str(width))
            yield width


def _kinds(heaps: list[Field], width: Width) -> list[Kind]:
    one, other = heaps

    def both_heaps(place: Place, taken: Numbers) -> list[Left]:
        return [(place.field(one) - taken[0], place.field(other) - taken[1])]

    def fits(place: Place, taken: Numbers) -> list[Form]:
        return [form for heap, k in zip(heaps, taken, strict=True) for form in (k.plus(-1), place.field(heap) - k)]

    kinds = []
    for heap in heaps:
        kinds.append(
            Kind(
                f"taking any number from {heap.name}",
                1,
                lambda place, taken, heap=heap: ge(taken[0].plus(-1), place.field(heap) - taken[0]),  # type: ignore[misc]
                lambda place, taken, heap=heap: [  # type: ignore[misc]
                    tuple(place.field(each) - taken[0] if each is heap else place.field(each) for each in heaps)
                ],
            )
        )
    same = width.given is None and width.constant == 1
    text = "the same number from both" if same else f"numbers that differ by less than {width} from both"
    kinds.append(
        Kind(
            f"taking {text}",
            2,
            lambda place, taken: ge(
                *fits(place, taken),
                width.form(place).plus(-1) - taken[0] + taken[1],
                width.form(place).plus(-1) + taken[0] - taken[1],
            ),
            both_heaps,
        )
    )
    return kinds


def _found(heaps: list[Field], width: Width, evidence: Evidence) -> Found:
    one, other = heaps
    plain = width.given is None and width.constant == 1
    name = "Wythoff's game" if plain else "generalised Wythoff"
    slope = "the golden ratio" if plain else f"(2 - r + sqrt(r^2 + 4)) / 2, r = {width}"
    statement = (
        f"lost if and only if the smaller of {one.name} and {other.name} is floor(n a), "
        f"n being their difference{'' if plain else ' divided by r'} and a = {slope}; in whole numbers"
    )
    source = "W. A. Wythoff 1907" if plain else "A. S. Fraenkel 1982"
    return Found(name, False, statement, source, (evidence,), width)


class _Formula(Formula):
    name = "theorem"

    def __init__(self, game: Game, facts: Facts, ask: Ask, width: Width) -> None:
        super().__init__(game, facts, ask)
        self.width = width

    def value(self, b: Builder, rules: Written, position: Words) -> ir.Expr:
        of = ir.I128
        one, other = (
            b.local(field.name, sub(cast(position[field.name], of), bounds(field).lo)) for field in self.game.states
        )
        least = b.local("least", binary("min", one, other, of))
        apart = b.local("apart", sub(binary("max", one, other, of), least))
        width: ir.Expr = const(self.width.constant, of)
        if self.width.given is not None:
            width = add(cast(rules.givens[self.width.given.name], of), width)
        width = b.simple("width", width)
        count = b.local("count", binary("div", apart, width, of))
        exact = compare("eq", binary("mul", count, width, of), apart)
        # r·n·n is d·n where r divides d, and r·m·n is d·m.
        below = compare("le", self._side(b, least, apart, count), const(0, of))
        above = compare("gt", self._side(b, add(least, 1), apart, count), const(0, of))
        return cast(select(both(both(exact, below), above), const(0), const(1)), ir.U128)

    def _side(self, b: Builder, m: ir.Expr, apart: ir.Expr, count: ir.Expr) -> ir.Expr:
        """m² + (r − 2)mn − rn², where rn = d."""
        of = ir.I128
        m = b.simple("m", m)
        square, turned = binary("mul", m, m, of), binary("mul", apart, m, of)
        twice = binary("mul", binary("mul", m, count, of), const(2, of), of)
        return sub(sub(add(square, turned), twice), binary("mul", apart, count, of))


WYTHOFF = Theorem("Wythoff", lambda game: numbers(game, 2), recognise)
