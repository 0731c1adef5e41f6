"""Euclid's game: two numbers, and a move takes a multiple of one from the other.

Two forms have different values. Either a number may become 0, and then play ends (A. J. Cole and A. J. T. Davie, A
game based on the Euclidean algorithm and a winning strategy for it, Math. Gazette 53 (1969)); with a ≥ b ≥ 1 and the
continued fraction a/b = [c0; c1, …, ck], ck ≥ 2 or k = 0, let i be the largest index with c0 = … = c(i−1) ≤ ci: the
Grundy value is c0 if i is even, c0 − 1 if it is odd (G. Cairns, N. B. Ho and T. Lengyel, The Sprague-Grundy function
of the real game Euclid, Discrete Math. 311 (2011)). Or both numbers stay positive (J. W. Grossman 1997): the value is
floor(a/b − b/a) (G. Nivasch, The Sprague-Grundy function of the game Euclid, Discrete Math. 306 (2006)).
"""

from __future__ import annotations

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.facts import Facts
from gamespec.analysis.match import Condition, Kind, Left, Match, NoMatch, Numbers, Place, Rules, ge
from gamespec.game.form import Form
from gamespec.game.model import Field, Game
from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, TRUE, Builder, binary, both, cast, compare, const, select, sub
from gamespec.kernel.moves import Rules as Written
from gamespec.kernel.moves import Words
from gamespec.plan.plan import Ask
from gamespec.plan.theorem.entry import Found, Recipe, Theorem, bounds, numbers, squarable
from gamespec.plan.theorem.formula import Formula


def recognise(rules: Rules) -> Found:
    fields = rules.scalars
    squarable(fields)
    for field in fields:
        if bounds(field).lo < 0:
            raise NoMatch(f"{field.name} may be negative", field.span)
    last: NoMatch | None = None
    for least in (0, 1):
        match = Match(rules, fields, shifted=False, swapped=True, splits=lambda place: [_difference(place, fields)])
        try:
            return _found(fields, least, match.prove(_kinds(fields, least)))
        except NoMatch as refused:
            last = refused if last is None or refused.far > last.far else last
    assert last is not None
    raise last


def _difference(place: Place, fields: list[Field]) -> Form:
    return place.field(fields[0]) - place.field(fields[1])


def _kinds(fields: list[Field], least: int) -> list[Kind]:
    """Taking a multiple of either number from the other one, which becomes at least `least`."""
    word = "while it is not negative" if least == 0 else "while it is positive"
    found = []
    for large, small in (fields, fields[::-1]):

        def rest(place: Place, times: Form, large: Field = large, small: Field = small) -> Form:
            taken = place.field(small).product(times)
            if taken is None:
                raise NoMatch("the products are too large to be proved")
            return place.field(large) - taken

        def conditions(
            place: Place, chosen: Numbers, large: Field = large, small: Field = small, rest: object = rest
        ) -> list[Condition]:
            left = rest(place, chosen[0])  # type: ignore[operator]
            a, b = place.field(large), place.field(small)
            return ge(a - b, b.plus(-1), chosen[0].plus(-1), left.plus(-least))

        def left(place: Place, chosen: Numbers, small: Field = small, rest: object = rest) -> list[Left]:
            return [(rest(place, chosen[0]), place.field(small))]  # type: ignore[operator]

        found.append(Kind(f"taking a multiple of {small.name} from {large.name}, {word}", 1, conditions, left))
    return found


def _found(fields: list[Field], least: int, evidence: Evidence) -> Found:
    one, other = (field.name for field in fields)
    if least == 0:
        statement = (
            f"the value comes from the continued fraction of {one} / {other}: its first term, or 1 less; "
            "0 where the larger number is less than the golden ratio times the smaller one, but not equal to it"
        )
        source = "A. J. Cole and A. J. T. Davie 1969; G. Cairns, N. B. Ho and T. Lengyel 2011"
        return Found("Euclid's game", True, statement, source, (evidence,), _Least(0))
    statement = f"the value is floor(abs({one} / {other} - {other} / {one}))"
    source = "G. Nivasch 2006"
    return Found("Euclid's game, both numbers positive", True, statement, source, (evidence,), _Least(1))


class _Least(Recipe, frozen=True):
    """What a number may become at least."""

    least: int

    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        return (_Positive if self.least else _Ending)(game, facts, ask)


class _Euclid(Formula):
    name = "theorem"

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        super().__init__(game, facts, ask)

    def value(self, b: Builder, rules: Written, position: Words) -> ir.Expr:
        of = ir.I128
        one, other = (b.local(field.name, cast(position[field.name], of)) for field in self.game.states)
        large = b.local("large", binary("max", one, other, of))
        small = b.local("small", binary("min", one, other, of))
        value = b.local("value", const(0, of))
        with b.when(compare("gt", small, const(0, of))):
            self.positive(b, value, large, small)
        return cast(value, ir.U128)

    def positive(self, b: Builder, value: ir.Var, large: ir.Var, small: ir.Var) -> None:
        """Gives `value` the Grundy value of large ≥ small ≥ 1."""
        raise NotImplementedError


class _Ending(_Euclid):
    def positive(self, b: Builder, value: ir.Var, large: ir.Var, small: ir.Var) -> None:
        of = ir.I128
        first = b.local("first", binary("div", large, small, of))
        rest = b.local("rest", sub(large, binary("mul", first, small, of)))
        odd, at = b.local("odd", FALSE), b.local("at", FALSE)  # of the index found, of the index looked at
        going = b.local("going", compare("gt", rest, const(0, of)))
        with b.loop_while(going):
            term = b.local("term", binary("div", small, rest, of))
            following = b.local("following", sub(small, binary("mul", term, rest, of)))
            b.assign(small, rest)
            b.assign(rest, following)
            b.assign(at, select(at, FALSE, TRUE))
            b.assign(odd, select(compare("ge", term, first), at, odd))
            b.assign(going, both(compare("eq", term, first), compare("gt", rest, const(0, of))))
        b.assign(value, sub(first, select(odd, const(1, of), const(0, of))))


class _Positive(_Euclid):
    def positive(self, b: Builder, value: ir.Var, large: ir.Var, small: ir.Var) -> None:
        of = ir.I128
        squares = sub(binary("mul", large, large, of), binary("mul", small, small, of))
        b.assign(value, binary("div", squares, binary("mul", large, small, of), of))


EUCLID = Theorem("Euclid", lambda game: numbers(game, 2), recognise)
