"""Inverse moves: from which positions a move leads to a position, as far as the cells go that the move touches.

The rules are written out (`analysis.ground`). A rule with its choices made reads and writes a few *places*: fields that
hold one value, cells, elements of sets. All values of these places are tried: where the guards hold, the values before
and after the move are a pair. The pairs with the same places make a relation, and a position has as predecessors
those positions that differ from it in these places only, and there by a pair. So the relation is the move itself, read
backwards: nothing is inverted, and nothing is left out.

What a rule reads is followed while values are tried, so that `next[at]` is one place once `at` has a value. A value
outside its field, or two values for one place, is a fault of the rule: no move leads from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from gamespec.analysis.ground import GroundGame, GroundMove, Term, TooManyTerms, ground, renormalised
from gamespec.builtins import BUILTINS
from gamespec.builtins.entry import TooLarge, Undefined
from gamespec.game.model import Const, Field, Game
from gamespec.game.world import element_type
from gamespec.types import ArrayType, BoolType, SetType, element_bounds, is_scalar

MOST_TRIED = 1 << 14  # values of places, over all moves


class Place(NamedTuple):
    """A field, a cell (numbered from 0), or an element of a set (its distance from the lowest); values from 0."""

    field: str
    number: int
    size: int


class Relation(NamedTuple):
    """Moves that touch the same places: the values before and after, with how many moves do that."""

    places: tuple[Place, ...]
    pairs: tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...]


class NotLocal(Exception):
    """The moves cannot be read backwards; says why."""


class _Known(NamedTuple):
    """A place and the lowest of its values."""

    place: Place
    lowest: int
    is_bool: bool

    def content(self, value: int) -> int | bool:
        return bool(value) if self.is_bool else value + self.lowest


def inverse(game: Game) -> tuple[Relation, ...]:
    """The relations of all moves. Raises NotLocal."""
    for field in game.states:
        if isinstance(field.type, ArrayType) and (field.type.ordered or not is_scalar(field.type.of)):
            raise NotLocal(f"the cells of `{field.name}` are kept in order")
    try:
        form = ground(game)
    except TooManyTerms as why:
        raise NotLocal(str(why)) from None
    return _Reading(game).relations(form)


def read_backwards(game: Game) -> tuple[Relation, ...] | str:
    """The relations of all moves, or why there are none."""
    try:
        return inverse(game)
    except NotLocal as reason:
        return str(reason)


class _Reading:
    def __init__(self, game: Game) -> None:
        self.known: dict[Term, _Known] = {}
        self.sets: dict[str, dict[Term, int]] = {}
        for field in game.states:
            self._add(field)
        self.left = MOST_TRIED

    def _add(self, field: Field) -> None:
        of = field.type
        bounds = element_bounds(element_type(of) or of)
        if isinstance(of, SetType):
            elements = range(bounds.lo, bounds.hi + 1)
            terms = {("in", element, ("field", field.name)): element for element in elements}
            for term, element in terms.items():
                self.known[term] = _Known(Place(field.name, element - bounds.lo, 2), 0, True)
            self.sets[field.name] = terms
        elif isinstance(of, ArrayType):
            if not all(isinstance(end, Const) for ends in field.dims for end in ends):
                raise NotLocal(f"the bounds of `{field.name}` are not the same in every case")
            is_bool = isinstance(of.of, BoolType)
            for number, indices in enumerate(product(*(range(dim.lo, dim.hi + 1) for dim in of.dims))):
                place = Place(field.name, number, bounds.size)
                self.known["cell", field.name, indices] = _Known(place, bounds.lo, is_bool)
        else:
            place = Place(field.name, 0, bounds.size)
            self.known["field", field.name] = _Known(place, bounds.lo, isinstance(of, BoolType))

    def relations(self, form: GroundGame) -> tuple[Relation, ...]:
        alike: dict[Term, list[_Pair] | None] = {}
        found: dict[tuple[Place, ...], dict[tuple[tuple[int, ...], tuple[int, ...]], int]] = {}
        for move, count in form.moves:
            names, plain = _renamed(move, self.known)
            if plain not in alike:
                alike[plain] = _numbered(self._leaves(move), names)
            pairs = alike[plain]
            leaves = self._leaves(move) if pairs is None else (pair.named(names) for pair in pairs)
            for leaf in leaves:
                terms = sorted(leaf, key=lambda term: self.known[term].place)
                places = tuple(self.known[term].place for term in terms)
                before, after = tuple(leaf[term][0] for term in terms), tuple(leaf[term][1] for term in terms)
                rows = found.setdefault(places, {})
                rows[before, after] = rows.get((before, after), 0) + count
        return tuple(
            Relation(places, tuple((before, after, count) for (before, after), count in sorted(rows.items())))
            for places, rows in sorted(found.items())
        )

    # --- values of places ----------------------------------------------------------------------------------

    def _leaves(self, move: GroundMove) -> Iterator[dict[Term, tuple[int, int]]]:
        """For each way in which the move can be made: the values of its places before and after."""
        effect = [(change, count) for change, count in move.effect]
        yield from self._tried(tuple(move.guards), tuple(effect), {})

    def _tried(
        self, guards: tuple[Term, ...], effect: tuple[tuple[Term, int], ...], values: dict[Term, int]
    ) -> Iterator[dict[Term, tuple[int, int]]]:
        if any(guard is False for guard in guards):
            return
        term = self._next(guards, effect, values)
        if term is None:
            if any(guard is not True for guard in guards):
                raise NotLocal(_unread(guards))
            leaf = self._leaf(effect, values)
            if leaf is not None:
                yield leaf
            return
        for value in range(self.known[term].place.size):
            self.left -= 1
            if self.left < 0:
                raise NotLocal("a move touches too many cells")
            content = self.known[term].content(value)
            done: dict[Term, Term] = {}
            yield from self._tried(
                tuple(_replaced(guard, term, content, done) for guard in guards),
                tuple((_changed(change, term, content, done), count) for change, count in effect),
                {**values, term: value},
            )

    def _next(
        self, guards: Iterable[Term], effect: Iterable[tuple[Term, int]], values: Mapping[Term, int]
    ) -> Term | None:
        """A place that is read or written and has no value yet; those that conditions read come first."""
        for guard in guards:
            for term in self._read(guard):
                return term
        for change, _ in effect:
            match change:
                case ("update", target, op, value, condition):
                    for term in self._read(condition):
                        return term
                    if condition is False:
                        continue
                    for term in self._read(value):
                        return term
                    for term in self._read_target(target, op, value):
                        if term not in values:
                            return term
                case _:
                    raise NotLocal("a move leaves several components")
        return None

    def _read_target(self, target: Term, op: str, value: Term) -> Iterator[Term]:
        match target:
            case ("field", name) if name in self.sets:
                if not isinstance(value, frozenset):
                    raise NotLocal(f"what becomes of `{name}` depends on more than single elements")
                for term, element in self.sets[name].items():
                    if op in ("=", "&=") or element in value:
                        yield term
            case ("cell", name, indices):
                for index in indices:
                    yield from self._read(index)
                if target in self.known:
                    yield target
            case _:
                if target not in self.known:
                    raise NotLocal(f"a move changes the whole of `{target[1]}`")
                yield target

    def _read(self, term: Term) -> Iterator[Term]:
        """The places in a term, innermost first."""
        if not isinstance(term, tuple):
            return
        if term[:1] == ("field",):
            if term not in self.known:
                raise NotLocal(f"a move depends on the whole of `{term[1]}`")
            yield term
            return
        if term in self.known:
            yield term
            return
        for part in term[1:]:
            yield from self._read(part)

    def _leaf(self, effect: Iterable[tuple[Term, int]], values: dict[Term, int]) -> dict[Term, tuple[int, int]] | None:
        """The values before and after the changes; None where one of them is a fault."""
        after = dict(values)
        once, ever = set(), set()
        for change, count in effect:
            _, target, op, value, condition = change
            if condition is False:
                continue
            if condition is not True:
                raise NotLocal(_unread([condition]))
            if isinstance(value, frozenset) and target[0] == "field" and target[1] in self.sets:
                for term, element in self.sets[target[1]].items():
                    if term in after:
                        after[term] = _member(op, after[term], element in value)
                continue
            if not isinstance(value, int):
                raise NotLocal(_unread([value]))
            if target not in self.known:
                return None  # a cell that does not exist
            known = self.known[target]
            if target in once or (op == "=" and (count > 1 or target in ever)):
                return None
            ever.add(target)
            if op == "=":
                once.add(target)
                new = int(value) - known.lowest
            else:
                new = after[target] + count * (int(value) if op == "+=" else -int(value))
            after[target] = new
        if any(not 0 <= after[term] < self.known[term].place.size for term in after):
            return None
        return {term: (values[term], after[term]) for term in values}


def _member(op: str, old: int, inside: bool) -> int:
    match op:
        case "=":
            return int(inside)
        case "|=" | "+=":
            return int(old or inside)
        case "-=":
            return int(old and not inside)
        case "&=":
            return int(old and inside)
        case _:
            return int(bool(old) != inside)


class _Pair(NamedTuple):
    """The values of places, which are numbered as a move names them."""

    values: tuple[tuple[int, int, int], ...]

    def named(self, names: Sequence[Term]) -> dict[Term, tuple[int, int]]:
        return {names[number]: (before, after) for number, before, after in self.values}


def _numbered(leaves: Iterable[Mapping[Term, tuple[int, int]]], names: Sequence[Term]) -> list[_Pair] | None:
    """Pairs of values by the numbers of their places; None where some places are found only by the values of others."""
    numbers = {term: number for number, term in enumerate(names)}
    found = []
    for leaf in leaves:
        if not leaf.keys() <= numbers.keys():
            return None
        found.append(_Pair(tuple((numbers[term], before, after) for term, (before, after) in leaf.items())))
    return found


def _renamed(move: GroundMove, known: Mapping[Term, _Known]) -> tuple[list[Term], Term]:
    """The places that a move names, and the move with numbers instead of them: moves that are the same but for their
    places have the same form."""
    names: dict[Term, int] = {}

    def renamed(term: Term) -> Term:
        if not isinstance(term, tuple):
            return term
        if term in known:
            number = names.setdefault(term, len(names))
            return ("place", number, known[term].place.size, known[term].lowest, known[term].is_bool)
        return tuple(map(renamed, term))

    guards = tuple(renamed(guard) for guard in sorted(move.guards, key=repr))
    effect = tuple((renamed(change), count) for change, count in sorted(move.effect, key=repr))
    return list(names), (guards, effect)


def _changed(change: Term, term: Term, content: int | bool, done: dict[Term, Term]) -> Term:
    """A change with a place replaced by its value, but for the place that is written."""
    match change:
        case ("update", target, op, value, condition):
            value, condition = _replaced(value, term, content, done), _replaced(condition, term, content, done)
            if target[0] == "cell":
                target = ("cell", target[1], tuple(_replaced(index, term, content, done) for index in target[2]))
            return ("update", target, op, value, condition)
        case _:
            return change


def _replaced(term: Term, place: Term, content: int | bool, done: dict[Term, Term]) -> Term:
    if term == place:
        return content
    if not isinstance(term, tuple):
        return term
    found = done.get(term)
    if found is None:
        found = done[term] = _folded(tuple(_replaced(part, place, content, done) for part in term))
    return found


def _folded(term: tuple[Term, ...]) -> Term:
    """A term whose parts were replaced, evaluated as far as they are known."""
    made = renormalised(term)
    match made:
        case ("/" | "%" as op, int(left), int(right)) if right != 0:
            return left // right if op == "/" else left % right
        case ("xor", int(left), int(right)):
            return left ^ right
        case (str(name), *args) if name in BUILTINS and all(isinstance(arg, int | frozenset) for arg in args):
            try:
                value = BUILTINS[name].evaluate(args)
            except (Undefined, TooLarge):
                return made
            return value if isinstance(value, int | frozenset) else made
        case _:
            return made


def _unread(terms: Iterable[Term]) -> str:
    """Why terms have no value though all places have one."""
    waiting = list(terms)
    while waiting:
        term = waiting.pop()
        if isinstance(term, tuple):
            if term[:1] == ("given",):
                return f"a move depends on `{term[1]}`, which differs from case to case"
            waiting += term
    return "a move reads what is no single cell"
