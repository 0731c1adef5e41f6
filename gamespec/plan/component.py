"""Moves whose result falls apart: each leaves the components that `analysis.split` tells apart.

A position is looked at as one packed key. The moves that are alive there join their cells; the cells that are joined
make a component, with the fillers of all other cells around it.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from gamespec.analysis.split import Split, Support
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    Builder,
    binary,
    both,
    cast,
    compare,
    const,
    negate,
    shr,
    sub,
    word_type,
)
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape
from gamespec.plan.encode import Packing


class Components:
    """Finds the components of a position in a kernel."""

    def __init__(self, split: Split, packing: Packing) -> None:
        self.split = split
        self.packing = packing
        self.type = word_type(packing.bits)
        shapes: dict[str, tuple[Shape, int]] = {}
        shift = 0
        for shape in packing.shapes:
            shapes[shape.name] = (shape, shift)
            shift += shape.bits
        self.shifts = []  # the lowest bit of each cell in the key, and its width
        for cell in split.cells:
            shape, base = shapes[cell.field]
            width = 1 if shape.kind == "set" else shape.cell_bits
            self.shifts.append((base + cell.place * width, width))
        fillers = zip(split.cells, self.shifts, strict=True)
        self.filled = sum(cell.filler << shift for cell, (shift, _) in fillers)

    def each(self, b: Builder, words: Words, body: Callable[[Words], None]) -> None:
        """Writes `body` for each component of a position."""
        key = b.local("whole", self.packing.key(words, self.type))
        masks = [self._mask(support) for support in self.split.supports]
        alive = [b.local("alive", self._is_alive(support, key)) for support in self.split.supports]
        left = b.local("left", const(0, self.type))
        for mask, living in zip(masks, alive, strict=True):
            with b.when(living):
                b.assign(left, binary("or", left, mask, self.type))
        with b.loop_while(compare("ne", left, const(0, self.type))):
            part = b.local("part", binary("and", left, sub(const(0, self.type), left), self.type))
            before = b.local("before", const(0, self.type))
            with b.loop_while(compare("ne", part, before)):
                b.assign(before, part)
                for mask, living in zip(masks, alive, strict=True):
                    touches = compare("ne", binary("and", part, mask, self.type), const(0, self.type))
                    with b.when(both(living, touches)):
                        b.assign(part, binary("or", part, mask, self.type))
            b.assign(left, binary("andnot", left, part, self.type))
            inside = binary("and", key, part, self.type)
            outside = binary("andnot", const(self.filled, self.type), part, self.type)
            alone = b.local("alone", binary("or", inside, outside, self.type))
            body(self.packing.words(b, alone))

    def _mask(self, support: Support) -> ir.Const:
        """The bits of a move's cells."""
        bits = 0
        for cell in support.cells:
            shift, width = self.shifts[cell]
            bits |= ((1 << width) - 1) << shift
        return const(bits, self.type)

    def _is_alive(self, support: Support, key: ir.Expr) -> ir.Expr:
        """Whether every cell has a value that keeps the move alive."""
        if all(len(values) == 1 for _, values in support.wants):
            wanted = sum(min(values) << self.shifts[cell][0] for cell, values in support.wants)
            mask = self._mask(support)
            return compare("eq", binary("and", key, mask, self.type), const(wanted, self.type))
        dead: ir.Expr = FALSE
        for cell, values in support.wants:
            shift, width = self.shifts[cell]
            content = cast(binary("and", shr(key, shift), const((1 << width) - 1, self.type), self.type), ir.U32)
            table = const(sum(1 << value for value in values), ir.U32)
            bit = binary("and", shr(table, content), const(1, ir.U32), ir.U32)
            dead = (
                binary("or", dead, compare("eq", bit, const(0, ir.U32)), ir.I1)
                if dead != FALSE
                else compare("eq", bit, const(0, ir.U32))
            )
        return negate(dead)


class FallingRules(Rules):
    """Rules under which a move leaves the components of the position that it makes."""

    components: Components

    def each_option(self, position: Words, body: Callable[[Option], None], checked: bool = True) -> None:
        def split(option: Option) -> None:
            def each_result(look: Callable[[Words], None]) -> None:
                option.each_result(lambda words: self.components.each(self.b, words, look))

            body(msgspec.structs.replace(option, each_result=each_result, done=None, loops=True))

        super().each_option(position, split if checked else body, checked)
