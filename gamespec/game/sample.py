"""Positions to look at: all of them where they are few, else corners first and then a spread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations_with_replacement, islice, product
from math import comb
from random import Random
from typing import cast

import msgspec

from gamespec.budget import look
from gamespec.builtins.entry import CELLS
from gamespec.game.evaluate import Evaluator, cell_count
from gamespec.game.fault import RuleFault
from gamespec.game.model import Field, Game, Position, Value
from gamespec.game.scene import VISIT, Scene, Work
from gamespec.types import ArrayType, BoolType, NamesType, SetType, Type, element_bounds

ALIKE = 5
"""How many corners the domain of a number has."""

FOLLOWED = 1 << 14
"""Steps that a position may take when its moves are followed."""

TRIES = 8
"""How many values are drawn, on average, for one that `require` allows."""

EVERY = 1_000_000
"""The most positions that are looked at where all are asked for."""

DRAWN_CELLS = 4096
"""The most cells of an array, or elements of a set, that are drawn one by one."""


class TooMany(Exception):
    """There are more positions than can be looked at."""


class Domain(msgspec.Struct, frozen=True):
    """The values a field may have where those before it are known: `cells` numbers or sets of `lo..hi`."""

    of: Type
    lo: int
    hi: int
    cells: int | None  # None: not an array
    ordered: bool = False  # only ascending cells

    @property
    def count(self) -> int:
        """How many values there are; numbers above 2^64 are not exact."""
        width = max(0, self.hi - self.lo + 1)
        if isinstance(self.of, SetType):
            width = 1 << min(width, 64)
        cells = 1 if self.cells is None else self.cells
        if self.ordered:
            return comb(width + cells - 1, cells) if width and min(width - 1, cells) <= 64 else min(width, 1 << 64)
        return width ** min(cells, 64) if width < 2 or cells <= 64 else 1 << 64

    def all(self) -> Iterator[Value]:
        """All values, ascending by cells; sets by their least elements. Only for a small `count`."""
        numbers = range(self.lo, self.hi + 1)
        single: list[Value] = list(numbers)
        if isinstance(self.of, SetType):
            single = [_subset(numbers, mask) for mask in range(1 << len(numbers))]
        elif isinstance(self.of, BoolType):
            single = [False, True]
        if self.cells is None:
            yield from single
        elif self.ordered:
            yield from (cast(Value, cells) for cells in combinations_with_replacement(single, self.cells))
        else:
            for cells in product(single, repeat=self.cells):
                yield cast(Value, cells)

    def corners(self) -> list[Value]:
        """A few values at the edges: ends and middle of a range; no, all or some elements of a set."""
        ends = sorted(
            {self.lo, min(self.lo + 1, self.hi), (self.lo + self.hi) // 2, max(self.lo, self.hi - 1), self.hi}
        )
        if self.lo > self.hi:
            ends = []
        single: list[Value] = list(ends)
        if isinstance(self.of, SetType):
            whole = range(self.lo, min(self.hi, self.lo + CELLS - 1) + 1)
            single = list(dict.fromkeys((frozenset(), frozenset(whole), frozenset(ends), frozenset(ends[:1]))))
        elif isinstance(self.of, BoolType):
            single = [False, True]
        if self.cells is None:
            return single
        if self.cells == 0:
            return [()]
        first = [cast(Value, (value,) * self.cells) for value in single]
        rising = tuple(single[min(place, len(single) - 1)] for place in range(self.cells)) if single else ()
        if self.ordered:
            return list(dict.fromkeys([*first, cast(Value, rising)])) if single else []
        return list(dict.fromkeys([*first, cast(Value, rising), cast(Value, rising[::-1])])) if single else []

    def draw(self, random: Random) -> Value | None:
        """A value at random, small ones more often than their share; None if there is none."""
        if self.cells is None:
            return self._draw_one(random)
        if self.lo > self.hi and self.cells and not isinstance(self.of, SetType):
            return None
        if self.cells > DRAWN_CELLS:
            return cast(Value, (self._draw_one(random),) * self.cells)
        cells = [self._draw_one(random) for _ in range(self.cells)]
        return cast(Value, tuple(sorted(cast(list[int], cells)) if self.ordered else cells))

    def _draw_one(self, random: Random) -> Value | None:
        if isinstance(self.of, SetType):
            numbers = range(self.lo, min(self.hi, self.lo + DRAWN_CELLS - 1) + 1)
            share = random.random()
            return frozenset(number for number in numbers if random.random() < share)
        if self.lo > self.hi:
            return None
        if isinstance(self.of, BoolType):
            return random.random() < 0.5
        if random.random() < 0.5:
            return random.randint(self.lo, self.hi)
        width = self.hi - self.lo + 1
        bits = random.randint(0, random.randint(0, width.bit_length()))
        return self.lo + random.randrange(1 << bits) % width


def _subset(numbers: range, mask: int) -> frozenset[int]:
    return frozenset(number for place, number in enumerate(numbers) if mask >> place & 1)


class Sampler:
    """Draws values for the fields of a game, one after another in the order of declaration."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.random = Random(seed)

    def domain(self, field: Field, known: Mapping[str, Value]) -> Domain:
        """The values of a field under those of the givens and of earlier fields; raises RuleFault if it has none."""
        scene = self._scene(tuple(known.get(each.name, 0) for each in self.game.states), known)
        of = field.type.of if isinstance(field.type, ArrayType) else field.type
        element = of.of if isinstance(of, SetType) else of
        if field.lo is None or field.hi is None or isinstance(element, NamesType | BoolType):
            bounds = element_bounds(element)
            lo, hi = bounds.lo, bounds.hi
        else:
            lo, hi = scene.number(field.lo, {}), scene.number(field.hi, {})
        cells = cell_count(scene, field) if isinstance(field.type, ArrayType) else None
        return Domain(of, lo, hi, cells, isinstance(field.type, ArrayType) and field.type.ordered)

    def exists(self, known: Mapping[str, Value]) -> bool:
        """Whether `require` allows these values; false where it cannot be told."""
        scene = self._scene(tuple(known[each.name] for each in self.game.states), known)
        try:
            return all(scene.truth(condition, {}) for condition in self.game.requires)
        except RuleFault:
            return False

    def every(self, fields: tuple[Field, ...], known: Mapping[str, Value], limit: int) -> list[dict[str, Value]] | None:
        """All ways to add values for the fields, the last varying fastest; None if they are more than `limit`."""
        ways = [dict(known)]
        for field in fields:
            domains = [self.domain(field, values) for values in ways]
            if sum(domain.count for domain in domains) > limit:
                return None
            pairs = zip(ways, domains, strict=True)
            ways = [{**values, field.name: value} for values, domain in pairs for value in domain.all()]
        return ways

    def each(self, fields: tuple[Field, ...], known: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
        """All ways to add values for the fields, one after another; raises TooMany where one has too many values."""
        if not fields:
            yield dict(known)
            return
        domain = self.domain(fields[0], known)
        if domain.count > EVERY:
            raise TooMany
        for value in domain.all():
            yield from self.each(fields[1:], {**known, fields[0].name: value})

    def extremes(self, fields: tuple[Field, ...], known: Mapping[str, Value], count: int) -> Iterator[dict[str, Value]]:
        """Up to `count` ways to add corner values: all fields alike first, then mixed at random."""
        for turn in range(count):
            values = dict(known)
            for field in fields:
                corners = self.domain(field, values).corners()
                if not corners:
                    break
                alike = turn < ALIKE
                place = min(turn, len(corners) - 1) if alike else self.random.randrange(len(corners))
                values[field.name] = corners[place]
            else:
                yield values

    def draw(self, fields: tuple[Field, ...], known: Mapping[str, Value]) -> dict[str, Value] | None:
        """A random value for each field, added to those known; None if some field has none."""
        values = dict(known)
        for field in fields:
            value = self.domain(field, values).draw(self.random)
            if value is None:
                return None
            values[field.name] = value
        return values

    def _scene(self, position: Position, known: Mapping[str, Value]) -> Scene:
        return Scene(self.game, position, {given.name: known.get(given.name, 0) for given in self.game.givens}, _work())


def _work() -> Work:
    return Work(CELLS * VISIT)


def everywhere(game: Game) -> Iterator[tuple[Evaluator, Position]]:
    """All positions that exist under all data of a case; raises TooMany after `EVERY` of them."""
    sampler = Sampler(game)
    count = 0
    for data in sampler.each(game.givens, {}):
        evaluator = Evaluator(game, data, steps=FOLLOWED)
        for values in sampler.each(game.states, data):
            look()
            count += 1
            if count > EVERY:
                raise TooMany
            if sampler.exists(values):
                yield evaluator, tuple(values[field.name] for field in game.states)


def givens(game: Game, limit: int, seed: int = 0) -> Iterator[dict[str, Value]]:
    """Up to `limit` different sets of data for a case: all if they are few, else corners first. One if no `given`."""
    sampler = Sampler(game, seed)
    yield from _distinct(sampler, game.givens, {}, limit)


def positions(game: Game, data: Mapping[str, Value], limit: int, seed: int = 0) -> Iterator[Position]:
    """Up to `limit` different positions that exist under the data of a case.

    All of them if they are few; else corners, a random spread (small numbers more often), and positions that
    moves lead to from those.
    """
    found: dict[Position, None] = {}
    sampler = Sampler(game, seed)
    for values in _distinct(sampler, game.states, data, limit):
        position = tuple(values[field.name] for field in game.states)
        found[position] = None
        yield position
    if len(found) >= limit or sampler.every(game.states, data, limit) is not None:
        return
    evaluator = Evaluator(game, data, steps=FOLLOWED)
    for before in _growing(found):
        try:
            plays = evaluator.moves(before)
        except RuleFault:
            continue
        for after in (after for played in plays for after in played.results):
            if after not in found:
                found[after] = None
                yield after
                if len(found) >= limit:
                    return


def random_position(game: Game, data: Mapping[str, Value], seed: int) -> Position | None:
    """A random position that exists under the data of a case, or None if none was met in many tries."""
    sampler = Sampler(game, seed)
    for _ in range(64 * TRIES):
        values = sampler.draw(game.states, data)
        if values is not None and sampler.exists(values):
            return tuple(values[field.name] for field in game.states)
    return None


def _growing(found: dict[Position, None]) -> Iterator[Position]:
    """The positions found, also those added while they are gone through."""
    queue = list(found)
    known = len(queue)
    place = 0
    while place < len(queue):
        yield queue[place]
        place += 1
        if len(found) > known:
            queue.extend(islice(found, known, None))
            known = len(found)


def _distinct(
    sampler: Sampler, fields: tuple[Field, ...], known: Mapping[str, Value], limit: int
) -> Iterator[dict[str, Value]]:
    """Up to `limit` different ways to give values to the fields; `require` is asked if they are the state."""
    asked = fields is sampler.game.states
    candidates: Iterable[dict[str, Value]] | None = sampler.every(fields, known, limit)
    if candidates is None:
        drawn = (sampler.draw(fields, known) for _ in range(TRIES * limit))
        spread = (values for values in drawn if values is not None)
        candidates = chain(sampler.extremes(fields, known, max(ALIKE, limit // 4)), spread)
    seen: set[tuple[Value, ...]] = set()
    for values in candidates:
        key = tuple(values[field.name] for field in fields)
        if key not in seen and (not asked or sampler.exists(values)):
            seen.add(key)
            yield values
            if len(seen) >= limit:
                return
