"""Divisors and primes from a sieve, in kernels that meet all numbers up to a limit anyway.

The table `sieve.factor` holds the least prime factor of every number (0 for 0 and 1), `sieve.primes` all primes; both
are filled by the linear sieve of Gries and Misra (1978), which strikes out every number once. The divisors of a number
are then products of its factors, written to `sieve.list`: no number is tried that does not divide.
"""

from __future__ import annotations

from collections.abc import Callable

from gamespec.game import model
from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, TRUE, Builder, add, binary, both, cast, compare, const, either, sub

FACTOR, PRIMES, LIST = (f"sieve.{name}" for name in ("factor", "primes", "list"))
TOP = ir.Var("sieve.top", ir.I64)
LIMIT = 1 << 31  # numbers that a sieve is made for
MOST_DIVISORS = 1600  # of a number below `LIMIT` (2095133040 has this many)
FIRST_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # their product has 43 bits: `divisors` takes 40
USES = 4  # lists of divisors that are open at the same time

INSIDE = "the field is at most the top of the sieve"


class Sieve:
    """What a kernel knows of the numbers up to `sieve.top`: those that the state fields `fields` may have."""

    def __init__(self, fields: frozenset[str]) -> None:
        self.fields = fields
        self.uses = 0

    @staticmethod
    def params() -> tuple[ir.Scalar | ir.Table, ...]:
        return (*(ir.Table(name, ir.U32) for name in (FACTOR, PRIMES, LIST)), ir.Scalar(TOP.name, ir.I64))

    @staticmethod
    def lengths(top: int) -> tuple[int, int, int]:
        """The cells of the three tables: each number; every second one, one to end the primes, and one that says that
        the sieve is filled; and the lists."""
        return top + 1, top // 2 + 3, USES * MOST_DIVISORS

    def covers(self, expr: model.Expr) -> bool:
        """Whether the value of an expression is sure to be in the sieve."""
        return isinstance(expr, model.StateRef) and expr.name in self.fields and self.uses < USES

    def fill(self, b: Builder) -> None:
        """Fills both tables, unless that was done; it may be stopped and begun again."""
        flag, proof = add(binary("div", TOP, const(2), ir.I64), 2), "the last cell, behind that which ends the primes"
        with b.when(compare("eq", ir.Load(PRIMES, flag, ir.U32, proof=proof), const(0, ir.U32))):
            count = b.local("count", const(0))
            with b.loop("i", const(2), TOP) as number:
                factor = b.local("factor", cast(ir.Load(FACTOR, number, ir.U32, proof=INSIDE), ir.I64))
                with b.when(either(compare("eq", factor, const(0)), compare("eq", factor, number))):
                    b.assign(factor, number)
                    b.store(FACTOR, number, cast(number, ir.U32), proof=INSIDE)
                    b.store(PRIMES, count, cast(number, ir.U32), proof="half of all numbers are even")
                    b.assign(count, add(count, 1))
                most = b.local("most", binary("div", TOP, number, ir.I64))
                place, going = b.local("place", const(0)), b.local("going", TRUE)
                with b.loop_while(both(going, compare("lt", place, count))):
                    prime = b.local("prime", cast(self._prime(place), ir.I64))
                    b.assign(going, both(compare("le", prime, factor), compare("le", prime, most)))
                    with b.when(going):
                        product = binary("mul", number, prime, ir.I64)
                        b.store(FACTOR, product, cast(prime, ir.U32), proof="not above the top")
                        b.assign(place, add(place, 1))
            b.store(PRIMES, flag, const(1, ir.U32), proof=proof)

    def _prime(self, place: ir.Expr) -> ir.Expr:
        return ir.Load(PRIMES, place, ir.U32, proof="behind the last prime there is a cell with 0")

    def each_divisor(self, b: Builder, number: ir.Expr, body: Callable[[ir.Expr], None]) -> None:
        """Writes a loop over the divisors of a number from 1, in any order."""
        start = MOST_DIVISORS * self.uses
        proof = "a number of the sieve has at most so many divisors"
        of = number.type
        b.store(LIST, const(start), const(1, ir.U32), proof=proof)
        rest = b.local("rest", cast(number, ir.U32))
        size = b.local("size", const(1))
        one = const(1, ir.U32)
        with b.loop_while(compare("gt", rest, one)):
            prime = b.local("prime", self._factor(rest))
            width = b.local("width", size)
            more = b.local("more", TRUE)
            with b.loop_while(more):
                b.assign(rest, binary("div", rest, prime, ir.U32))
                with b.loop("j", sub(size, width), sub(size, 1)) as place:
                    product = binary("mul", ir.Load(LIST, add(place, start), ir.U32, proof=proof), prime, ir.U32)
                    b.store(LIST, add(add(place, width), start), product, proof=proof)
                b.assign(size, add(size, width))
                b.assign(more, FALSE)
                with b.when(compare("gt", rest, one)):
                    b.assign(more, compare("eq", self._factor(rest), prime))
        self.uses += 1
        with b.loop("j", const(start), add(sub(size, 1), start)) as place:
            body(b.local("x", cast(ir.Load(LIST, place, ir.U32, proof=proof), of)))
        self.uses -= 1

    def _factor(self, number: ir.Expr) -> ir.Expr:
        return ir.Load(FACTOR, cast(number, ir.I64), ir.U32, proof=INSIDE)

    def each_prime(self, b: Builder, limit: ir.Expr, body: Callable[[ir.Expr], None]) -> None:
        """Writes a loop over the primes up to a number of the sieve, ascending."""
        of = limit.type
        place = b.local("place", const(0))
        going = b.local("going", compare("ge", limit, const(2, of)))
        with b.loop_while(going):
            prime = b.local("x", cast(self._prime(place), of))
            b.assign(place, add(place, 1))
            following = b.local("next", cast(self._prime(place), of))
            some = compare("ne", following, const(0, of))
            b.assign(going, both(some, compare("le", following, limit)))
            body(prime)

    def is_prime(self, number: ir.Expr) -> ir.Expr:
        """Whether a number from 2 that is at most one of the sieve is prime."""
        word = cast(number, ir.U32)
        return compare("eq", self._factor(word), word)


def most_divisors(limit: int) -> int:
    """The most divisors that a number up to a limit has: of a product of the first primes, exponents never rising."""
    best, waiting = 1, [(1, 1, 0, limit.bit_length())]  # a product, its divisors, the next prime, its most exponent
    while waiting:
        product, divisors, place, most = waiting.pop()
        best = max(best, divisors)
        if place == len(FIRST_PRIMES):
            continue
        prime = FIRST_PRIMES[place]
        for exponent in range(1, most + 1):
            product *= prime
            if product > limit:
                break
            waiting.append((product, divisors * (exponent + 1), place + 1, exponent))
    return best
