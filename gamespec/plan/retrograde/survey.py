"""Going through all declared positions by their packed keys, to number one of each orbit.

Where play reaches a large part of the declared positions, this is far cheaper than following moves: the next key is
one addition, and of the images of a position most are seen to be no representatives by the first few permutations.
"""

from __future__ import annotations

from typing import NamedTuple

from gamespec.game.model import MOVER
from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, TRUE, Builder, add, binary, cast, compare, const, shr, sub
from gamespec.kernel.shape import Shape
from gamespec.plan.retrograde.graph import COUNT, DONE, FIXED, FUEL_OUT, HEAD, NAME, TABLE_FULL, Graph, at
from gamespec.plan.watch import TABLE

MOST_SURVEYED = 1 << 34


class Digit(NamedTuple):
    """Bits of the key that hold one value below `size`."""

    shift: int
    width: int
    size: int


class Survey:
    """The digits of the declared positions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.digits: list[Digit] = []
        shift = 0
        for name, shape in graph.shapes.items():
            self.digits += _digits(shape, shift, alone=name == MOVER and graph.packed.swap is not None)
            shift += shape.bits

    @property
    def possible(self) -> bool:
        """Whether there is a kernel for it: keys of one machine word, with a bit to spare."""
        graph = self.graph
        return graph.parents is not None and graph.packed.bits < 64 == graph.key.bits and self.cells <= MOST_SURVEYED

    @property
    def cells(self) -> int:
        """Declared positions, those with the first player to move where the players may change places."""
        product = 1
        for digit in self.digits:
            product *= digit.size
        return product

    def kernel(self) -> ir.Function:
        """Numbers positions from the key HEAD on; when it is done, HEAD is 1 above all keys."""
        graph, b = self.graph, Builder()
        limits = [ir.Scalar("most", ir.I64), ir.Scalar("fuel.start", ir.I64)]
        b.declare(*graph.numbered(), TABLE, *graph.givens.params(), *limits)
        rules = graph.rules(b)
        head = b.local("head", at(HEAD))
        count = b.local("count", cast(at(COUNT), ir.I64))
        fuel = b.local("fuel", ir.Var("fuel.start", ir.I64))
        more = b.local("more", TRUE)

        def leave(status: int) -> None:
            for place, value in ((HEAD, head), (COUNT, count)):
                b.store(TABLE.name, const(place), cast(value, ir.U64), FIXED)
            b.returns(status)

        with b.loop_while(more):
            b.assign(fuel, sub(fuel, 1))
            with b.when(compare("lt", fuel, const(0))):
                leave(FUEL_OUT)
            with b.labelled("no_position") as skip:
                words = graph.packed.words(b, head)
                with b.when(compare("eq", rules.is_position(words), FALSE)):
                    b.breaks(skip)
                graph.packed.unless_least(b, words, lambda: b.breaks(skip))
                slot, found = graph.find(b, head)
                with b.when(compare("eq", found, const(0, ir.U32))):
                    with b.when(compare("ge", count, ir.Var("most", ir.I64))):
                        leave(TABLE_FULL)
                    graph.admit(b, head, slot, count)
            self._advance(b, head, more)
        leave(DONE)
        return b.function(f"{NAME}.survey")

    def _advance(self, b: Builder, key: ir.Var, more: ir.Var) -> None:
        """The next key: the lowest digit is counted up, and what runs over is carried."""
        b.assign(key, add(key, 1))
        with b.labelled("carried") as done:
            for digit in self.digits:
                value = binary("and", shr(key, digit.shift), const((1 << digit.width) - 1, key.type), key.type)
                full = digit.size == 1 << digit.width  # then the addition has carried by itself
                with b.when(compare("ne", value, const(0 if full else digit.size, key.type))):
                    b.breaks(done)
                if not full:
                    b.assign(key, add(key, ((1 << digit.width) - digit.size) << digit.shift))
            b.assign(more, FALSE)


def _digits(shape: Shape, shift: int, *, alone: bool) -> list[Digit]:
    """The digits of a field; the lowest is the one that counts fastest."""
    if shape.kind == "array" and shape.cells:
        width = shape.cell_bits
        return [Digit(shift + width * cell, width, shape.bounds.size) for cell in range(shape.cells)]
    size = 1 if alone or shape.kind == "array" else 1 << shape.bits if shape.kind == "set" else shape.bounds.size
    return [Digit(shift, shape.bits, size)]
