"""Predecessors of a position in kernels: tables from what its places hold to what they may have held before.

The relations of `analysis.inverse` that have a few bits of the key in common make a *group*. The bits of its places,
side by side, are the number of a row; the row lists, for every move that ends with these values, the bits of the key
that were different before. All that is not in the row's places stays as it is, so a predecessor is the key with some
bits changed, and the moves that lead to a position are one row of each group.

A predecessor is a position only where the numbering knows it, and only where the game is not over there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from gamespec.analysis.inverse import Place, Relation
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, const, shl, shr, sub
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.shape import Shape

GROUP_BITS = 12  # of places that are looked up together
MOST_BITS = 16  # of the places of one relation
MOST_ENTRIES = 1 << 20

ROWS, CHANGES = "inverse.rows", "inverse.changes"

IN_TABLE = "rows were made for all values of these bits"


class TooLarge(Exception):
    """The tables would be too large; says why."""


class Bits(NamedTuple):
    """Where a place stands in the key; it has `size` values."""

    shift: int
    width: int
    size: int


class Group(NamedTuple):
    """Places that are looked up together, lowest first, and the number of their first row."""

    bits: tuple[Bits, ...]
    first: int


class Parents:
    """The tables of a game. Raises TooLarge."""

    def __init__(self, relations: Sequence[Relation], shapes: Mapping[str, Shape], key: ir.Type) -> None:
        self.key = key
        offsets, offset = {}, 0
        for name, shape in shapes.items():
            offsets[name] = offset
            offset += shape.bits
        self.groups: list[Group] = []
        self.rows = [0]
        self.changes: list[int] = []
        self.moves = 0
        self.longest = 0  # the most predecessors of a position
        self.average = 0.0  # of a key whose places hold any values
        for bits, some in _grouped([(_bits(each.places, shapes, offsets), each) for each in relations]):
            self._add(bits, some)

    def _add(self, bits: tuple[Bits, ...], relations: Sequence[tuple[tuple[Bits, ...], Relation]]) -> None:
        width = sum(each.width for each in bits)
        rows: list[list[int]] = [[] for _ in range(1 << width)]
        places, at = {}, 0
        for each in bits:
            places[each] = at
            at += each.width
        for own, relation in relations:
            self.moves += len({pair[0] for pair in relation.pairs})
            others = [each for each in bits if each not in own]
            for before, after, count in relation.pairs:
                change = sum((old ^ new) << each.shift for each, old, new in zip(own, before, after, strict=True))
                fixed = sum(new << places[each] for each, new in zip(own, after, strict=True))
                for rest in product(*(range(each.size) for each in others)):
                    row = fixed + sum(value << places[each] for each, value in zip(others, rest, strict=True))
                    rows[row] += [change] * count
        if len(self.changes) + sum(map(len, rows)) > MOST_ENTRIES:
            raise TooLarge(f"the inverse moves have more than {MOST_ENTRIES:,} entries")
        self.groups.append(Group(bits, len(self.rows) - 1))
        self.longest += max(map(len, rows))
        size = 1
        for each in bits:
            size *= each.size
        self.average += sum(map(len, rows)) / size
        for entries in rows:
            self.changes += sorted(entries)
            self.rows.append(len(self.changes))

    # --- in kernels ----------------------------------------------------------------------------------------

    def params(self) -> tuple[ir.Table, ...]:
        return ir.Table(ROWS, ir.U32), ir.Table(CHANGES, self.key)

    def args(self) -> list[Buffer]:
        rows, changes = allocate(ir.U32, len(self.rows)), allocate(self.key, max(1, len(self.changes)))
        rows.from_ints(self.rows)
        changes.from_ints(self.changes)
        return [rows, changes]

    def each(self, b: Builder, key: ir.Expr, body: Callable[[ir.Expr], None]) -> None:
        """Writes `body` for the change of key of each predecessor, in a loop for each group."""
        for group in self.groups:
            row = b.local("row", add(cast(self._gathered(key, group.bits), ir.I64), group.first))
            first = b.local("first", ir.Load(ROWS, row, ir.I64, IN_TABLE))
            last = b.local("last", sub(ir.Load(ROWS, add(row, 1), ir.I64, IN_TABLE), 1))
            with b.loop("entry", first, last) as entry:
                body(b.local("change", ir.Load(CHANGES, entry, self.key, IN_TABLE)))

    def _gathered(self, key: ir.Expr, bits: Sequence[Bits]) -> ir.Expr:
        """Some bits of the key side by side; those that stand side by side there are taken together."""
        runs: list[tuple[int, int]] = []
        for each in bits:
            if runs and sum(runs[-1]) == each.shift:
                runs[-1] = (runs[-1][0], runs[-1][1] + each.width)
            else:
                runs.append((each.shift, each.width))
        made: ir.Expr | None = None
        at = 0
        for shift, width in runs:
            run = binary("and", shr(key, shift), const((1 << width) - 1, key.type), key.type)
            placed = shl(cast(run, ir.U64), at)
            made = placed if made is None else binary("or", made, placed, ir.U64)
            at += width
        return made if made is not None else const(0, ir.U64)


def _bits(places: Sequence[Place], shapes: Mapping[str, Shape], offsets: Mapping[str, int]) -> tuple[Bits, ...]:
    found = []
    for place in places:
        shape = shapes[place.field]
        width = {"array": shape.cell_bits, "set": 1}.get(shape.kind, shape.bits)
        found.append(Bits(offsets[place.field] + place.number * width, width, place.size))
    if sum(each.width for each in found) > MOST_BITS:
        raise TooLarge(f"a move touches more than {MOST_BITS} bits of a position")
    return tuple(found)


_Bound = tuple[tuple[Bits, ...], Relation]


def _grouped(relations: Sequence[_Bound]) -> list[tuple[tuple[Bits, ...], list[_Bound]]]:
    """Relations together whose places are few, each with those that it adds the fewest bits to."""
    groups: list[tuple[set[Bits], list[_Bound]]] = []
    for one in sorted(relations, key=lambda each: (-len(each[0]), each[0])):
        bits = set(one[0])

        def widened(group: tuple[set[Bits], list[_Bound]], bits: set[Bits] = bits) -> int:
            return sum(each.width for each in group[0] | bits)

        fitting = [group for group in groups if widened(group) <= GROUP_BITS or group[0] >= bits]
        if not fitting:
            groups.append((bits, [one]))
            continue
        best = min(fitting, key=lambda group: widened(group) - sum(each.width for each in group[0]))
        best[0].update(bits)
        best[1].append(one)
    return [(tuple(sorted(bits)), some) for bits, some in groups]
