"""The prover: from facts `form ≥ 0` to other facts `form ≥ 0`.

A goal is proved when it, minus a nonnegative combination of at most `DEPTH` facts, has an interval minimum of at
least 0 (Farkas, with rounding: scaled by m, a minimum above −m is enough, because goals are whole numbers).
Facts are chosen so that each cancels a term of the goal, the most promising first. Disjunctions (`x in {a, b}`,
`min(a, b)`, `if`) are split when the direct way fails. All work is counted, so that no spec can stall the prover.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from math import gcd

import msgspec

from gamespec.game.form import Form, Monomial
from gamespec.interval import EMPTY, Interval

DEPTH = 4  # facts combined in one proof
WIDTH = 6  # combinations followed at each depth
TRIES = 64  # combinations looked at in one search
GOAL = 160  # combinations looked at for one goal with all its disjunctions
SPLITS = 3  # nested disjunctions
MAX_FACTS = 96  # known at one place
WORK = 20_000  # combinations looked at for one game

Whys = tuple[str, ...]


class Fact(msgspec.Struct, frozen=True, eq=False):
    """`form ≥ 0`, and the reason in the user's words ("" for a law of arithmetic)."""

    form: Form
    why: str = ""


Alternatives = tuple[tuple[Fact, ...], ...]  # at least one of them holds as a whole


class Atoms:
    """The atoms of one game: what each stands for, its bounds, and facts that hold of it wherever it has a value."""

    def __init__(self, work: int = WORK) -> None:
        self.ids: dict[Hashable, int] = {}
        self.bounds: list[Interval] = []
        self.facts: list[tuple[Fact, ...]] = []
        self.cases: list[Alternatives] = []
        self.work = work
        self.left = 0  # combinations that may still be looked at for the goal at hand

    def intern(self, key: Hashable, bounds: Interval = EMPTY) -> tuple[int, bool]:
        """The number of a key, and whether it is new. Keys of sets are interned without bounds."""
        known = self.ids.get(key)
        if known is not None:
            return known, False
        self.ids[key] = len(self.bounds)
        self.bounds.append(bounds)
        self.facts.append(())
        self.cases.append(())
        return len(self.bounds) - 1, True

    def fresh(self, bounds: Interval) -> int:
        return self.intern(("fresh", len(self.bounds)), bounds)[0]

    def define(self, atom: int, facts: Iterable[Fact], cases: Alternatives = ()) -> None:
        self.facts[atom] = tuple(facts)
        self.cases[atom] = cases


class Knowledge:
    """What is known at one place of a rule: facts, narrowed bounds of atoms, disjunctions."""

    def __init__(self, atoms: Atoms, parent: Knowledge | None = None) -> None:
        self.atoms = atoms
        self.facts: list[Fact] = list(parent.facts) if parent else []
        self.narrowed: dict[int, Interval] = dict(parent.narrowed) if parent else {}
        self.because: dict[int, Whys] = dict(parent.because) if parent else {}
        self.cases: list[Alternatives] = list(parent.cases) if parent else []
        self.divided: set[int] = set(parent.divided) if parent else set()  # atoms whose own cases were split already
        self.void: bool = parent.void if parent else False
        self._index: dict[tuple[Monomial, bool], list[Fact]] | None = None
        self._covered: set[int] = set()
        self._monomials: dict[Monomial, Interval] = {}

    # --- learning ------------------------------------------------------------------------------------------

    def learn(self, form: Form, why: str) -> None:
        """Adds `form ≥ 0`."""
        if not form.terms:
            self.void = self.void or form.constant < 0
            return
        if len(self.facts) >= MAX_FACTS:
            return
        self.facts.append(Fact(form, why))
        self._index = None
        self._narrow(form, why)

    def narrow(self, form: Form, bounds: Interval, why: str) -> None:
        """A form lies within constant bounds; nothing is noted where that is known."""
        known = self.bounds(form)
        if known.lo < bounds.lo:
            self.learn(form.plus(-bounds.lo), why)
        if known.hi > bounds.hi:
            self.learn((-form).plus(bounds.hi), why)

    def learn_equal(self, left: Form, right: Form, why: str) -> None:
        self.learn(left - right, why)
        self.learn(right - left, why)

    def learn_cases(self, cases: Alternatives) -> None:
        if len(cases) == 1:
            for fact in cases[0]:
                self.learn(fact.form, fact.why)
        elif len(cases) > 1 and len(self.cases) < MAX_FACTS:
            self.cases.append(cases)

    def _narrow(self, form: Form, why: str) -> None:
        """Bounds of each atom that follow from one fact and the bounds of the others."""
        greatest = self.greatest(form)
        for monomial, coefficient in form.terms.items():
            if len(monomial) != 1:
                continue
            atom = monomial[0]
            own = self.range(atom)
            rest = greatest - coefficient * (own.hi if coefficient > 0 else own.lo)
            if coefficient > 0:
                new = Interval(max(own.lo, -(rest // coefficient)), own.hi)
            else:
                new = Interval(own.lo, min(own.hi, rest // -coefficient))
            if new != own:
                self.narrowed[atom] = new
                self._monomials.clear()
                others = {a for m in form.terms for a in m if a != atom}
                whys = [*self.because.get(atom, ()), *(w for a in others for w in self.because.get(a, ())), why]
                self.because[atom] = tuple(dict.fromkeys(whys))
                self.void = self.void or new.empty

    # --- bounds --------------------------------------------------------------------------------------------

    def range(self, atom: int) -> Interval:
        return self.narrowed.get(atom) or self.atoms.bounds[atom]

    def monomial(self, monomial: Monomial) -> Interval:
        if len(monomial) == 1:
            return self.range(monomial[0])
        known = self._monomials.get(monomial)
        if known is None:
            known = Interval(1, 1)
            for atom in dict.fromkeys(monomial):
                bounds, power = self.range(atom), monomial.count(atom)
                if power % 2 == 0:
                    bounds = bounds.abs()
                known = known * Interval(bounds.lo**power, bounds.hi**power)
            self._monomials[monomial] = known
        return known

    def least(self, form: Form) -> int:
        total = form.constant
        for monomial, coefficient in form.terms.items():
            bounds = self.monomial(monomial)
            total += coefficient * (bounds.lo if coefficient > 0 else bounds.hi)
        return total

    def greatest(self, form: Form) -> int:
        return -self.least(-form)

    def bounds(self, form: Form) -> Interval:
        return Interval(self.least(form), self.greatest(form))

    # --- proving -------------------------------------------------------------------------------------------

    def prove(self, goal: Form, splits: int = SPLITS) -> Whys | None:
        """The reasons why `goal ≥ 0`, or None where no proof was found."""
        if self.void:
            return ("this never happens",)
        if self.least(goal) >= 0:
            return self._reasons(goal)
        if self.greatest(goal) < 0 and not self.cases:
            return None
        if splits == SPLITS:
            self.atoms.left = GOAL
        if self.atoms.work <= 0:
            return None
        found = self._search(goal)
        if found is None and splits and self.atoms.work > 0 and self.atoms.left > 0:
            found = self._split(goal, splits)
        return None if found is None else tuple(dict.fromkeys(why for why in found if why))

    def _reasons(self, goal: Form) -> Whys:
        return tuple(why for atom in sorted(goal.atoms) for why in self.because.get(atom, ()))

    def _search(self, goal: Form) -> Whys | None:
        index = self._facts_about(goal)
        tries = TRIES
        seen: set[Hashable] = set()
        layer: list[tuple[int, Form, int, Whys]] = [(0, goal, 1, ())]
        for _ in range(DEPTH):
            following: list[tuple[int, Form, int, Whys]] = []
            for _, form, scale, whys in layer:
                for rest, factor, why in self._combinations(form, index):
                    tries -= 1
                    self.atoms.work -= 1
                    self.atoms.left -= 1
                    if min(tries, self.atoms.work, self.atoms.left) < 0:
                        return None
                    least = self.least(rest)
                    if least > -scale * factor:
                        return (*whys, why, *self._reasons(rest))
                    if rest.key not in seen:
                        seen.add(rest.key)
                        following.append((least // (scale * factor), rest, scale * factor, (*whys, why)))
            following.sort(key=lambda entry: -entry[0])
            layer = following[:WIDTH]
        return None

    def _combinations(
        self, form: Form, index: dict[tuple[Monomial, bool], list[Fact]]
    ) -> Iterator[tuple[Form, int, str]]:
        """Each way to cancel one term by a fact: what is left, and the factor by which the form was scaled."""
        for monomial, coefficient in form.terms.items():
            positive = coefficient > 0
            facts: Iterable[Fact] = index.get((monomial, positive), ())
            if len(monomial) > 1:
                facts = [*facts, *self._multiplied(monomial, positive, index)]
            for fact in facts:
                own = fact.form.terms[monomial]
                common = gcd(own, coefficient)
                factor = abs(own) // common
                yield form.times(factor) - fact.form.times(abs(coefficient) // common), factor, fact.why

    def _multiplied(
        self, monomial: Monomial, positive: bool, index: dict[tuple[Monomial, bool], list[Fact]]
    ) -> Iterator[Fact]:
        """Facts about one factor of a product, multiplied by the rest of it where its sign is known."""
        for place, atom in enumerate(monomial):
            rest = monomial[:place] + monomial[place + 1 :]
            bounds = self.monomial(rest)
            if bounds.lo < 0 < bounds.hi:
                continue
            sign = 1 if bounds.lo >= 0 else -1
            by, wanted = Form({rest: sign}), positive == (sign > 0)
            own = self.range(atom)
            one = Form({(atom,): 1})
            limit = Fact(one.plus(-own.lo) if wanted else (-one).plus(own.hi), " ".join(self.because.get(atom, ())[:1]))
            for fact in (limit, *index.get(((atom,), wanted), ())):
                form = fact.form.product(by)
                if form is not None and form.terms.get(monomial, 0) * (1 if positive else -1) > 0:
                    yield Fact(form, fact.why)

    def _facts_about(self, goal: Form) -> dict[tuple[Monomial, bool], list[Fact]]:
        """Known facts by the monomial and sign that they can cancel, with the laws of all atoms in them."""
        if self._index is None:
            self._index, self._covered = {}, set()
            self._enter(self._index, self.facts, self._covered)
        new = goal.atoms - self._covered
        if not new:
            return self._index
        index = {key: list(facts) for key, facts in self._index.items()}
        self._enter(index, (), set(self._covered), new)
        return index

    def _enter(
        self,
        index: dict[tuple[Monomial, bool], list[Fact]],
        facts: Iterable[Fact],
        covered: set[int],
        atoms: Iterable[int] = (),
    ) -> None:
        todo, count = [*facts], 0
        fresh = set(atoms)
        while (todo or fresh) and count < 2 * MAX_FACTS:
            count += len(todo)
            for fact in todo[: 2 * MAX_FACTS]:
                for monomial, coefficient in fact.form.terms.items():
                    index.setdefault((monomial, coefficient > 0), []).append(fact)
                fresh |= fact.form.atoms - covered
            covered |= fresh
            todo = [fact for atom in sorted(fresh) for fact in self.atoms.facts[atom]]
            fresh = set()
        self.atoms.work -= count // 4  # what all this costs, in combinations

    def _split(self, goal: Form, splits: int) -> Whys | None:
        """Tries the disjunctions that speak about the goal, and those inside its own atoms."""
        near = {a for facts in self._facts_about(goal).values() for f in facts[:8] for a in f.form.atoms} | goal.atoms
        order = [*sorted(goal.atoms), *sorted(near - goal.atoms)]
        own = [(a, self.atoms.cases[a]) for a in order if a not in self.divided and self.atoms.cases[a]]
        told = [(-1, c) for c in self.cases if any(f.form.atoms & near for alternative in c for f in alternative)]
        for atom, cases in [*own, *told][:4]:
            reasons: Whys = ()
            for alternative in cases:
                case = Knowledge(self.atoms, self)
                case.cases = [c for c in self.cases if c is not cases]
                case.divided.add(atom)
                for fact in alternative:
                    case.learn(fact.form, fact.why)
                found = case.prove(goal, splits - 1)
                if found is None:
                    break
                reasons += found
            else:
                return reasons
        return None
