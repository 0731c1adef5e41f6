"""Moves whose result falls apart: each leaves the components that `analysis.split` tells apart.

A position is looked at as one packed key, a cell by its lowest bit there. Moves that are the same but for their place
are handled together, by shifts: which of them are alive is one word, with a bit at the first cell of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from gamespec.analysis.split import Split
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, binary, cast, compare, const, shl, shr, sub, word_type
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.plan.encode import Packing

Want = tuple[int, int, frozenset[int]]
"""A cell of a move: its distance in bits from the first one, its width, and the values that keep the move alive."""

Touch = tuple[int, int, int]
"""A cell that a move only touches: its distance, its width, and the filler at which the move does not join it."""


class Pattern(msgspec.Struct, frozen=True):
    """Moves that are the same but for their place: their cells, and the lowest bits of their first cells."""

    wants: tuple[Want, ...]
    touches: tuple[Touch, ...]
    firsts: int


class Components:
    """Finds the components of a position in a kernel."""

    def __init__(self, split: Split, packing: Packing) -> None:
        self.packing = packing
        self.type = word_type(packing.bits)
        self.movable = split.movable
        places = _places(split, packing)
        self.lows: dict[int, int] = {}  # by width, the lowest bits of the cells
        self.filled = 0
        for cell, (shift, width) in zip(split.cells, places, strict=True):
            self.lows[width] = self.lows.get(width, 0) | 1 << shift
            self.filled |= cell.filler << shift
        firsts: dict[tuple[tuple[Want, ...], tuple[Touch, ...]], int] = {}
        for support in split.supports:
            first = min(places[cell][0] for cell in support.cells)
            wants = sorted((places[cell][0] - first, places[cell][1], values) for cell, values in support.wants)
            touches = sorted(
                (places[cell][0] - first, places[cell][1], split.cells[cell].filler) for cell in support.touches
            )
            cells = tuple(wants), tuple(touches)
            firsts[cells] = firsts.get(cells, 0) | 1 << first
        self.patterns = [Pattern(*cells, starts) for cells, starts in firsts.items()]
        self.fillers = sorted({touch[1:] for pattern in self.patterns for touch in pattern.touches})

    def each(self, b: Builder, words: Words, body: Callable[[Words], None]) -> None:
        """Writes `body` for each component of a position: its own cells, and fillers in all others."""
        zero = const(0, self.type)
        key = b.local("whole", self.packing.key(words, self.type))
        alive = [(pattern, self._alive(b, pattern, key)) for pattern in self.patterns]
        apart = {each: self._apart(b, key, *each) for each in self.fillers}
        cells = [self._cells(pattern, places, apart) for pattern, places in alive]
        left = b.local("left", self._joined(cells))
        with b.loop_while(compare("ne", left, zero)):
            part = b.local("part", binary("and", left, sub(zero, left), self.type))
            before = b.local("before", zero)
            with b.loop_while(compare("ne", part, before)):
                b.assign(before, part)
                for pattern, places in alive:
                    distances = [distance for distance, _, _ in (*pattern.wants, *pattern.touches)]
                    touching = self._joined([shr(part, distance) for distance in distances])
                    touched = b.local("touched", binary("and", places, touching, self.type))
                    b.assign(part, binary("or", part, self._cells(pattern, touched, apart), self.type))
            b.assign(left, binary("andnot", left, part, self.type))
            whole = b.local("cells", self._widened(part))
            inside = binary("and", key, whole, self.type)
            outside = binary("andnot", const(self.filled, self.type), whole, self.type)
            alone = b.local("alone", self._in_front(b, binary("or", inside, outside, self.type)))
            body(self.packing.words(b, alone))

    def _in_front(self, b: Builder, alone: ir.Expr) -> ir.Expr:
        """A component moved to the front of its row, where it is the same game there; the cells outside are 0 then."""
        if not self.movable:
            return alone
        alone = b.simple("there", alone)
        (width,) = self.lows
        low = b.local("low", ir.Unary("low", alone, ir.I64))
        place = low if width == 1 else sub(low, binary("mod", low, const(width), ir.I64))
        return binary("shr", alone, cast(place, self.type), self.type)

    def _alive(self, b: Builder, pattern: Pattern, key: ir.Expr) -> ir.Expr:
        """The moves of a pattern that are alive."""
        places: ir.Expr = const(pattern.firsts, self.type)
        for distance, width, values in pattern.wants:
            places = binary("and", places, shr(self._holding(b, key, width, values), distance), self.type)
        return b.local("alive", places)

    def _holding(self, b: Builder, key: ir.Expr, width: int, values: frozenset[int]) -> ir.Expr:
        """The cells of a width that hold one of some values."""
        name = ("holding", width, values, key)
        known = b.recall(name)
        if known is not None:
            return known
        lows = self.lows[width]
        found: list[ir.Expr] = []
        for value in sorted(values):
            other = binary("xor", key, const(lows * value, self.type), self.type)
            wrong = b.local("wrong", self._joined([shr(other, bit) for bit in range(width)]))
            found.append(binary("andnot", const(lows, self.type), wrong, self.type))
        return b.remember(name, b.local("holding", self._joined(found)))

    def _apart(self, b: Builder, key: ir.Expr, width: int, filler: int) -> ir.Expr:
        """The cells of a width that do not hold a filler."""
        lows = const(self.lows[width], self.type)
        holding = self._holding(b, key, width, frozenset([filler]))
        return b.local("apart", binary("andnot", lows, holding, self.type))

    def _cells(self, pattern: Pattern, places: ir.Expr, apart: Mapping[tuple[int, int], ir.Expr]) -> ir.Expr:
        """All cells that moves join, given by their first ones."""
        wanted = [shl(places, distance) for distance, _, _ in pattern.wants]
        touched = [
            binary("and", shl(places, distance), apart[width, filler], self.type)
            for distance, width, filler in pattern.touches
        ]
        return self._joined([*wanted, *touched])

    def _widened(self, lows: ir.Expr) -> ir.Expr:
        """All bits of cells, given by their lowest ones."""
        return self._joined(
            [
                shl(binary("and", lows, const(mask, self.type), self.type), bit)
                for width, mask in self.lows.items()
                for bit in range(width)
            ]
        )

    def _joined(self, words: Sequence[ir.Expr]) -> ir.Expr:
        joined: ir.Expr = const(0, self.type)
        for word in words:
            joined = binary("or", joined, word, self.type)
        return joined


def _places(split: Split, packing: Packing) -> list[tuple[int, int]]:
    """The lowest bit of each cell in a key, and its width."""
    starts = {}
    shift = 0
    for shape in packing.shapes:
        starts[shape.name] = (shift, 1 if shape.kind == "set" else shape.cell_bits)
        shift += shape.bits
    return [(starts[cell.field][0] + cell.place * starts[cell.field][1], starts[cell.field][1]) for cell in split.cells]


class FallingRules(Rules):
    """Rules under which a move leaves the components of the position that it makes."""

    components: Components

    def each_option(self, position: Words, body: Callable[[Option], None], checked: bool = True) -> None:
        def split(option: Option) -> None:
            def each_result(look: Callable[[Words], None]) -> None:
                option.each_result(lambda words: self.components.each(self.b, words, look))

            body(msgspec.structs.replace(option, each_result=each_result, done=None, loops=True))

        super().each_option(position, split if checked else body, checked)
