"""Positions as keys, one for each orbit: the least of the positions that symmetries make of one.

Where the players may change places, that is done first if the second one is to move. The images of a position are
made one from another, by the permutation that takes the fewest masks and shifts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gamespec.analysis.permutation import Images, Row, Swap, Symmetry, product
from gamespec.game.model import MOVER, Value
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, select, shl, shr, word_type
from gamespec.kernel.moves import Words
from gamespec.kernel.pattern import cells_equal
from gamespec.kernel.shape import Shape
from gamespec.kernel.sort import network
from gamespec.plan.encode import Packing
from gamespec.plan.plan import Reason

MOST_ROWS = 32
MOST_ENTRY = 64  # bits


class Keys:
    """The keys of positions.

    The fields that any symmetry moves are compared as one number, their words side by side. Where entries may be in any
    order, too, those of every image are sorted.
    """

    def __init__(self, shapes: Mapping[str, Shape], symmetry: Symmetry, swap: Swap | None = None) -> None:
        moved = {name for element in symmetry.elements for name, _ in element.images}
        self.packing = Packing(tuple(shapes.values()))
        self.shapes = shapes
        self.names = tuple(shapes)
        self.elements = symmetry.elements
        self.moved = Packing(tuple(shape for name, shape in shapes.items() if name in moved))
        self.rows = tuple(shapes[name] for name in symmetry.rows)
        if sum(shape.cell_bits for shape in self.rows) > MOST_ENTRY or any(r.cells > MOST_ROWS for r in self.rows):
            self.rows = ()
        self.sorts_images = any(shape.name in moved for shape in self.rows)
        self.swap = swap
        self.chain = chain(shapes, [dict(element.images) for element in self.elements])

    @property
    def order(self) -> int:
        """The number of permutations, the one that changes nothing among them."""
        return len(self.elements) + 1

    @property
    def bits(self) -> int:
        return self.packing.bits

    @property
    def alike(self) -> int:
        """The most positions that are stored as one, not counting orders of entries."""
        return self.order * (1 if self.swap is None else 2)

    # --- in kernels ----------------------------------------------------------------------------------------

    def key(self, b: Builder, words: Words, of: ir.Type) -> ir.Expr:
        """The key of a position's orbit."""
        return self.packing.key(self._least(b, words), of)

    def words(self, b: Builder, key: ir.Expr) -> Words:
        """The position that stands for an orbit."""
        return self.packing.words(b, key)

    def unless_least(self, b: Builder, words: Words, leave: Callable[[], None]) -> None:
        """Writes `leave` where a position does not stand for its orbit; it must leave the block.

        Orders of entries are not looked at.
        """
        if self.swap is not None:
            with b.when(compare("ne", words[MOVER], const(0, words[MOVER].type))):
                leave()
        if not self.elements:
            return
        of = word_type(self.moved.bits)
        own = b.simple("own", self.moved.key(words, of))

        def look(image: Words) -> None:
            with b.when(compare("lt", self.moved.key(image, of), own)):
                leave()

        self._images(b, words, look)

    def size(self, b: Builder, words: Words) -> ir.Expr:
        """How many different positions the permutations of cells make of one (u32)."""
        if not self.elements:
            return const(1, ir.U32)
        of = word_type(self.moved.bits)
        own = b.simple("own", self.moved.key(words, of))
        same: ir.Expr = const(1, ir.U32)
        for image in self._images(b, words):
            same = add(same, cast(compare("eq", self.moved.key(image, of), own), ir.U32), ir.U32)
        return b.local("size", binary("div", const(self.order, ir.U32), b.local("same", same), ir.U32))

    def _least(self, b: Builder, words: Words) -> Words:
        if self.swap is not None:
            words = self._first_to_move(b, self.swap, words)
        if self.rows:
            words = {**words, **sorted_entries(b, self.rows, words)}
        if not self.elements:
            return words
        of = word_type(self.moved.bits)
        best = b.local("least", self.moved.key(words, of))
        for image in self._images(b, words):
            entries = sorted_entries(b, self.rows, image) if self.sorts_images else {}
            key = b.local("image", self.moved.key({**image, **entries}, of))
            b.assign(best, select(compare("lt", key, best), key, best))
        return {**words, **self.moved.words(b, best)}

    def _images(self, b: Builder, words: Words, look: Callable[[Words], None] = lambda image: None) -> list[Words]:
        """What the elements make of a position; `look` writes what is to be done as soon as one is made."""
        made = [words]
        for source, step in self.chain:
            image = {name: permuted(b, self.shapes, made[source], name, row) for name, row in step.items()}
            made.append({**made[source], **image})
            look(made[-1])
        return made[1:]

    def _first_to_move(self, b: Builder, swap: Swap, words: Words) -> Words:
        """The position, or what it is with the players changed if the second is to move."""
        second = b.simple("second", compare("ne", words[MOVER], const(0, words[MOVER].type)))
        changed = dict(words)
        for name, pair in swap.pairs:
            changed[name] = exchanged(b, self.shapes[name], words[name], pair)
        images = dict(swap.images)
        made = {**words, MOVER: const(0, words[MOVER].type)}
        for name in dict.fromkeys([*dict(swap.pairs), *images]):
            moved = permuted(b, self.shapes, changed, name, images[name]) if name in images else changed[name]
            made[name] = b.local(name, select(second, moved, words[name]))
        return made

    # --- in Python -----------------------------------------------------------------------------------------

    def number(self, position: Sequence[Value]) -> int:
        """The key of a position's orbit."""
        if not self.elements and not self.rows and self.swap is None:
            return self.packing.number(position)
        values = dict(zip(self.names, position, strict=True))
        if self.swap is not None and values[MOVER]:
            values[MOVER] = 0
            for name, pair in self.swap.pairs:
                values[name] = _exchanged_value(values[name], pair)
            values.update(image(values, dict(self.swap.images)))
        values.update(self._sorted(values))
        if not self.elements:
            return self.packing.number(tuple(values.values()))
        orbit = [values]
        for element in self.elements:
            moved = {**values, **image(values, dict(element.images))}
            orbit.append({**moved, **self._sorted(moved)} if self.sorts_images else moved)
        names = [shape.name for shape in self.moved.shapes]
        least = min(orbit, key=lambda moved: self.moved.number([moved[name] for name in names]))
        return self.packing.number([least[name] for name in self.names])

    def _sorted(self, values: Mapping[str, Value]) -> dict[str, Value]:
        """The rows whose entries may be in any order, with these sorted."""
        if not self.rows:
            return {}
        names = [shape.name for shape in self.rows]
        entries = sorted(zip(*(values[name] for name in names), strict=True))
        return dict(zip(names, zip(*entries, strict=True), strict=True))

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


def orbits(symmetry: Symmetry, keys: Keys, swap: Swap | None = None) -> tuple[Reason, ...]:
    """What `explain` says of symmetries in use, and of entries that keys do not sort."""
    found = () if swap is None else (Reason(swap.reason.text, swap.reason.span),)
    if not symmetry.reasons:
        return found
    text = "; ".join(reason.text for reason in symmetry.reasons)
    stored = "all such positions are stored as one"
    if symmetry.elements:
        stored = f"up to {symmetry.orbit} positions are stored as one"
    if symmetry.rows and not keys.rows:
        text += f" (only up to {MOST_ROWS} entries of {MOST_ENTRY} bits are sorted)"
        stored = stored if symmetry.elements else "each order is stored by itself"
    return (Reason(f"{text}: {stored}", symmetry.reasons[0].span), *found)


def chain(shapes: Mapping[str, Shape], elements: Sequence[Images]) -> list[tuple[int, Images]]:
    """How to make the images of all elements: each from an earlier one (0 for the position itself), by a step.

    A step costs a mask and a shift for each distance that it moves cells by; the cheapest ones span the group (Prim).
    The images come in any order.
    """
    names = sorted({name for element in elements for name in element})
    plain: dict[str, Row] = {name: tuple((name, cell) for cell in range(shapes[name].cells)) for name in names}
    whole = [{**plain, **element} for element in elements]
    steps = sorted(zip(map(_cost, elements), range(len(elements)), strict=True))
    made: list[Images] = [plain]
    found: list[tuple[int, Images]] = []
    while len(made) <= len(elements):
        found.append(
            next(
                (source, elements[step])
                for _, step in steps
                for source, before in enumerate(made)
                if product(before, whole[step]) not in made
            )
        )
        source, images = found[-1]
        made.append(product(made[source], {**plain, **images}))
    return found


def _cost(images: Images) -> int:
    return sum(len({(source, place - cell) for place, (source, cell) in enumerate(row)}) for row in images.values())


def permuted(b: Builder, shapes: Mapping[str, Shape], words: Words, name: str, row: Row) -> ir.Expr:
    """The word of a field whose cells are those of other places; `row` as in `Row`, the fields of equal shapes.

    Cells that move by the same distance move together: one mask and one shift for each distance.
    """
    shape = shapes[name]
    if shape.kind != "array":
        return words[row[0][0]]
    masks: dict[tuple[str, int], int] = {}
    for place, (source, cell) in enumerate(row):
        way = source, place - cell
        masks[way] = masks.get(way, 0) | shape.cell_mask << cell * shape.cell_bits
    made: ir.Expr = const(0, shape.type)
    for (source, distance), mask in sorted(masks.items()):
        part = binary("and", words[source], const(mask, shape.type), shape.type)
        bits = abs(distance) * shape.cell_bits
        made = binary("or", made, shl(part, bits) if distance > 0 else shr(part, bits), shape.type)
    return b.local(name, made)


def exchanged(b: Builder, shape: Shape, word: ir.Expr, pair: tuple[int, int]) -> ir.Expr:
    """A number or an array with two values exchanged."""
    one, other = pair[0] - shape.lo, pair[1] - shape.lo
    if shape.kind == "number":
        first, second = const(pair[0], word.type), const(pair[1], word.type)
        rest = select(compare("eq", word, second), first, word)
        return b.local(shape.name, select(compare("eq", word, first), second, rest))
    either = b.local(
        "either", binary("or", cells_equal(b, shape, word, one), cells_equal(b, shape, word, other), word.type)
    )
    made = word
    for bit in range(shape.cell_bits):
        if (one ^ other) >> bit & 1:
            made = binary("xor", made, shl(either, bit), word.type)
    return b.local(shape.name, made)


def _exchanged_value(value: Value, pair: tuple[int, int]) -> Value:
    if isinstance(value, tuple):
        return tuple(_other(cell, pair) for cell in value)
    assert isinstance(value, int)
    return _other(value, pair)


def _other(value: int, pair: tuple[int, int]) -> int:
    return pair[1] if value == pair[0] else pair[0] if value == pair[1] else value


def image(values: Mapping[str, Value], images: Images) -> dict[str, Value]:
    """The fields that a permutation changes, with what they hold afterwards."""
    made: dict[str, Value] = {}
    for name, row in images.items():
        if isinstance(values[name], tuple):
            made[name] = tuple(values[source][cell] for source, cell in row)  # type: ignore[index]
        else:
            made[name] = values[row[0][0]]
    return made
