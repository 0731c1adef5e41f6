"""Positions as keys, one for each orbit: the least of the positions that symmetries make of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamespec.analysis.symmetry import Permutation, Symmetry
from gamespec.game.model import Value
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, binary, compare, const, select, shl, shr, word_type
from gamespec.kernel.moves import Words
from gamespec.kernel.shape import Shape
from gamespec.plan.encode import Packing
from gamespec.plan.plan import Reason


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
        if not self.elements:
            return self.packing.number(position)
        values = dict(zip(self.names, position, strict=True))
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


def orbits(symmetry: Symmetry) -> tuple[Reason, ...]:
    """What `explain` says of symmetries in use."""
    if not symmetry.elements:
        return ()
    text = "; ".join(reason.text for reason in symmetry.reasons)
    return (Reason(f"{text}: up to {symmetry.orbit} positions are stored as one", symmetry.reasons[0].span),)


def permuted(b: Builder, shape: Shape, word: ir.Expr, images: Sequence[int]) -> ir.Expr:
    """The word of an array whose cell i is cell `images[i]` of the old one.

    Cells that move by the same distance move together: one mask and one shift for each distance.
    """
    cell = (1 << shape.cell_bits) - 1
    masks: dict[int, int] = {}
    for place, source in enumerate(images):
        masks[place - source] = masks.get(place - source, 0) | cell << source * shape.cell_bits
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
