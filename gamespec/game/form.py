"""Polynomials with integer coefficients over atoms: the vocabulary of the prover.

An atom is a number that the prover does not look into (a field, a chosen number, `digits` folded to a minimum).
A monomial is a sorted tuple of atoms; linear forms have monomials of one atom only.
"""

from __future__ import annotations

import msgspec

Monomial = tuple[int, ...]

MAX_TERMS = 24
MAX_DEGREE = 4


class Form(msgspec.Struct, frozen=True, eq=False):
    """`constant` plus the sum of coefficient times monomial; no coefficient is 0."""

    terms: dict[Monomial, int]
    constant: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal forms, and hashable."""
        return (*sorted(self.terms.items()), self.constant)

    @property
    def atoms(self) -> set[int]:
        return {atom for monomial in self.terms for atom in monomial}

    @property
    def atom(self) -> int | None:
        """The atom, where the form is nothing but one."""
        if self.constant == 0 and len(self.terms) == 1:
            (monomial, coefficient) = next(iter(self.terms.items()))
            if coefficient == 1 and len(monomial) == 1:
                return monomial[0]
        return None

    def __add__(self, other: Form) -> Form:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            total = terms.get(monomial, 0) + coefficient
            if total:
                terms[monomial] = total
            else:
                del terms[monomial]
        return Form(terms, self.constant + other.constant)

    def __neg__(self) -> Form:
        return self.times(-1)

    def __sub__(self, other: Form) -> Form:
        return self + other.times(-1)

    def plus(self, number: int) -> Form:
        return Form(self.terms, self.constant + number)

    def times(self, number: int) -> Form:
        if number == 0:
            return ZERO
        if number == 1:
            return self
        return Form({m: c * number for m, c in self.terms.items()}, self.constant * number)

    def product(self, other: Form) -> Form | None:
        """The product, or None where it would be too large to reason about."""
        if not self.terms or not other.terms:
            return self.times(other.constant) if not other.terms else other.times(self.constant)
        terms: dict[Monomial, int] = {}
        for m, c in (*self.terms.items(), ((), self.constant)):
            for n, d in (*other.terms.items(), ((), other.constant)):
                monomial = tuple(sorted(m + n))
                if len(monomial) > MAX_DEGREE:
                    return None
                terms[monomial] = terms.get(monomial, 0) + c * d
        constant = terms.pop((), 0)
        if len(terms) > MAX_TERMS:
            return None
        return Form({m: c for m, c in terms.items() if c}, constant)

    def replace(self, atom: int, by: Form) -> Form | None:
        """The form with another one in place of an atom; None where that is too large."""
        result = Form({}, self.constant)
        for monomial, coefficient in self.terms.items():
            count = monomial.count(atom)
            piece: Form | None = Form({tuple(a for a in monomial if a != atom): coefficient})
            if count == len(monomial):
                piece = Form({}, coefficient)
            for _ in range(count):
                piece = piece and piece.product(by)
            if piece is None:
                return None
            result = result + piece
        return result


ZERO = Form({})


def number(value: int) -> Form:
    return Form({}, value)


def atom(index: int) -> Form:
    return Form({(index,): 1})
