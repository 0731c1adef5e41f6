"""Positions as keys, one for each orbit: the least of the positions that symmetries make of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamespec.analysis.permutation import Permutation, Symmetry
from gamespec.game.model import Value
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, binary, cast, compare, const, select, shl, shr, word_type
from gamespec.kernel.moves import Words
from gamespec.kernel.shape import Shape
from gamespec.kernel.sort import network
from gamespec.plan.encode import Packing
from gamespec.plan.plan import Reason

MOST_ROWS = 32
MOST_ENTRY = 64  # bits


class Keys:
    """The keys of positions.

    The arrays that any symmetry moves are compared as one number, their words side by side.
    """

    def __init__(self, shapes: Mapping[str, Shape], symmetry: Symmetry) -> None:
        moved = {name for element in symmetry.elements for name, _ in element.images}
        self.packing = Packing(tuple(shapes.values()))
        self.names = tuple(shapes)
        self.elements = symmetry.elements
        self.moved = Packing(tuple(shape for name, shape in shapes.items() if name in moved))
        self.rows = tuple(shapes[name] for name in symmetry.rows)
        if sum(shape.cell_bits for shape in self.rows) > MOST_ENTRY or any(r.cells > MOST_ROWS for r in self.rows):
            self.rows = ()

    @property
    def bits(self) -> int:
        return self.packing.bits

    # --- in kernels ----------------------------------------------------------------------------------------

    def key(self, b: Builder, words: Words, of: ir.Type) -> ir.Expr:
        """The key of a position's orbit."""
        return self.packing.key(self._least(b, words), of)

    def words(self, b: Builder, key: ir.Expr) -> Words:
        """The position that stands for an orbit."""
        return self.packing.words(b, key)

    def _least(self, b: Builder, words: Words) -> Words:
        if self.rows:
            words = {**words, **sorted_entries(b, self.rows, words)}
        if not self.elements:
            return words
        of = word_type(self.moved.bits)
        best = b.local("least", self.moved.key(words, of))
        for element in self.elements:
            image = b.local("image", self.moved.key(self._image(b, element, words), of))
            b.assign(best, select(compare("lt", image, best), image, best))
        return {**words, **self.moved.words(b, best)}

    def _image(self, b: Builder, element: Permutation, words: Words) -> Words:
        images = dict(element.images)
        return {
            shape.name: permuted(b, shape, words[shape.name], images[shape.name])
            if shape.name in images
            else words[shape.name]
            for shape in self.moved.shapes
        }

    # --- in Python -----------------------------------------------------------------------------------------

    def number(self, position: Sequence[Value]) -> int:
        """The key of a position's orbit."""
        if not self.elements and not self.rows:
            return self.packing.number(position)
        values = dict(zip(self.names, position, strict=True))
        if self.rows:
            names = [shape.name for shape in self.rows]
            entries = sorted(zip(*(values[name] for name in names), strict=True))
            values.update(zip(names, zip(*entries, strict=True), strict=True))
        if not self.elements:
            return self.packing.number(tuple(values.values()))
        names = [shape.name for shape in self.moved.shapes]
        same: dict[str, tuple[int, ...]] = {}
        images = [same, *(dict(element.images) for element in self.elements)]
        orbit = [[image(values[name], moved.get(name)) for name in names] for moved in images]
        least = min(range(len(orbit)), key=lambda place: self.moved.number(orbit[place]))
        values.update(zip(names, orbit[least], strict=True))
        return self.packing.number(tuple(values.values()))

    def position(self, key: int) -> tuple[Value, ...]:
        """The position that stands for an orbit."""
        return self.packing.position(key)


def sorted_entries(b: Builder, shapes: Sequence[Shape], words: Words) -> Words:
    """Arrays of the same length with their entries in ascending order, the first array most significant."""
    count = shapes[0].cells
    entries = []
    for place in range(count):
        entry: ir.Expr = const(0, ir.U64)
        for shape in shapes:
            cell = binary(
                "and", shr(words[shape.name], place * shape.cell_bits), const(shape.cell_mask, shape.type), shape.type
            )
            entry = binary("or", shl(entry, shape.cell_bits), cast(cell, ir.U64), ir.U64)
        entries.append(b.local("entry", entry))
    for low, high in network(count):
        least = b.local("least", binary("min", entries[low], entries[high], ir.U64))
        b.assign(entries[high], binary("max", entries[low], entries[high], ir.U64))
        b.assign(entries[low], least)
    made: Words = {}
    shift = 0
    for shape in reversed(shapes):
        word: ir.Expr = const(0, shape.type)
        for place, entry_var in enumerate(entries):
            cell = binary("and", shr(entry_var, shift), const(shape.cell_mask, ir.U64), ir.U64)
            word = binary("or", word, shl(cast(cell, shape.type), place * shape.cell_bits), shape.type)
        made[shape.name] = b.local(shape.name, word)
        shift += shape.cell_bits
    return made


def orbits(symmetry: Symmetry) -> tuple[Reason, ...]:
    """What `explain` says of symmetries in use."""
    if not symmetry.reasons:
        return ()
    text = "; ".join(reason.text for reason in symmetry.reasons)
    stored = f"up to {symmetry.orbit} positions are" if symmetry.elements else "all such positions are"
    return (Reason(f"{text}: {stored} stored as one", symmetry.reasons[0].span),)


def permuted(b: Builder, shape: Shape, word: ir.Expr, images: Sequence[int]) -> ir.Expr:
    """The word of an array whose cell i is cell `images[i]` of the old one.

    Cells that move by the same distance move together: one mask and one shift for each distance.
    """
    masks: dict[int, int] = {}
    for place, source in enumerate(images):
        masks[place - source] = masks.get(place - source, 0) | shape.cell_mask << source * shape.cell_bits
    made: ir.Expr = const(0, word.type)
    for distance, mask in sorted(masks.items()):
        part = binary("and", word, const(mask, word.type), word.type)
        bits = abs(distance) * shape.cell_bits
        made = binary("or", made, shl(part, bits) if distance > 0 else shr(part, bits), word.type)
    return b.local(shape.name, made)


def image(cells: Value, images: Sequence[int] | None) -> Value:
    """The cells of an array, permuted; as they are if the permutation does not move them."""
    if images is None:
        return cells
    assert isinstance(cells, tuple)
    return tuple(cells[source] for source in images)
