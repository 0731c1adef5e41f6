"""Symmetries: permutations of cells and fields that the rules respect, so that one position of each orbit will do.

A permutation is proved by writing the rules out (`analysis.ground`), moving all contents to their images, and comparing
the two (`analysis.respect`): they must have the same moves, endings and requirements. Reversals of indices,
transpositions, rotations, exchanges of neighbours in rows and of fields of the same kind are tried by themselves;
others are declared by `symmetry` and proved in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.ground import GroundGame, Term, TooManyTerms, assignments, ground, meaning, total
from gamespec.analysis.permutation import Key, Permutation, Row, Symmetry, key
from gamespec.analysis.permutation import product as both
from gamespec.analysis.problems import UNPROVED
from gamespec.analysis.respect import Went, respects
from gamespec.analysis.rules import rule_expressions
from gamespec.diagnostics import Diagnostic
from gamespec.game.model import MOVER, Const, Field, Game, StateRef, Update
from gamespec.game.walk import within
from gamespec.types import ArrayType

MOST_ELEMENTS = 48
"""The most permutations, the one that changes nothing among them, that are applied to a position."""

MOST_CELLS = 400
MOST_PAIRED = 5  # fields of one kind of which any two are tried

Move = Callable[[tuple[Term, ...]], tuple[Term, ...] | None]


class Board(msgspec.Struct, frozen=True):
    """Arrays with the same constant bounds, which are permuted together."""

    names: tuple[str, ...]
    dims: tuple[tuple[int, int], ...]

    @property
    def cells(self) -> list[tuple[int, ...]]:
        return list(product(*(range(lo, hi + 1) for lo, hi in self.dims)))

    def permutation(self, name: str, move: Move) -> Permutation | None:
        """The permutation that moves the content of each cell to another; None if it is none."""
        places = {cell: number for number, cell in enumerate(self.cells)}
        images = [-1] * len(places)
        for cell, number in places.items():
            target = move(cell)
            if target not in places or images[places[target]] >= 0:
                return None
            images[places[target]] = number
        rows = {array: tuple((array, source) for source in images) for array in self.names}
        return Permutation(name, key(rows))

    def went(self, move: Move) -> dict[str, Went]:
        """The same of a permutation, for rules in which indices may be terms."""

        def of(array: str) -> Went:
            def cell(at: tuple[Term, ...]) -> tuple[str, tuple[Term, ...]] | None:
                moved = move(at)
                return None if moved is None else (array, moved)

            return Went(cell, array, move)

        return {array: of(array) for array in self.names}


def symmetry(game: Game) -> Symmetry:
    """The symmetries that are found; none where the rules are too large to be written out."""
    boards = boards_of(game)
    exchanges = _exchanges(game)
    if not boards and not exchanges and not game.symmetries:
        return Symmetry()
    try:
        form = ground(game)
    except TooManyTerms:
        return Symmetry()
    found: list[Permutation] = []
    rows: tuple[str, ...] = ()
    reasons: list[Evidence] = []
    for updates in game.symmetries:
        declared = _declared(game, updates)
        if isinstance(declared, Permutation) and respects(game, form, _went(game, declared)):
            found.append(declared)
            reasons.append(Evidence("the rules respect the symmetry that is declared", updates[0].span))
    for board in boards:
        if len(board.dims) == 1 and _is_order_free(game, form, board):
            rows = rows or board.names
            names = " and ".join(board.names)
            reasons.append(Evidence(f"the entries of {names} may be in any order", game.state(board.names[0]).span))
            continue
        proved = [
            permutation
            for name, move in _candidates(board)
            if respects(game, form, board.went(move)) and (permutation := board.permutation(name, move)) is not None
        ]
        if proved:
            names = " and ".join(permutation.name for permutation in proved)
            text = f"the rules stay the same under {names} of {' and '.join(board.names)}"
            reasons.append(Evidence(text, game.state(board.names[0]).span))
        found += proved
    known = {permutation.images for permutation in found}
    for permutation in exchanges:
        if permutation.images not in known and respects(game, form, _went(game, permutation)):
            text = f"the rules stay the same when {permutation.name} change places"
            reasons.append(Evidence(text, game.state(permutation.images[0][0]).span))
            found.append(permutation)
    return Symmetry(_closed(found), rows, tuple(reasons))


def boards_of(game: Game) -> list[Board]:
    """The arrays of the state by their bounds, where these are constant."""
    groups: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for field in game.states:
        dims = _constant_dims(field)
        if dims is not None:
            groups.setdefault(dims, []).append(field.name)
    return [Board(tuple(names), dims) for dims, names in groups.items()]


def _constant_dims(field: Field, least: int = 2) -> tuple[tuple[int, int], ...] | None:
    """The bounds of an array's indices, if they are the same in every case and give at least so many cells."""
    if not isinstance(field.type, ArrayType) or field.type.ordered:
        return None
    dims = []
    cells = 1
    for lo, hi in field.dims:
        if not (isinstance(lo, Const) and isinstance(hi, Const)):
            return None
        first, last = lo.value, hi.value
        if not (isinstance(first, int) and isinstance(last, int)):
            return None
        dims.append((first, last))
        cells *= max(0, last - first + 1)
    return tuple(dims) if least <= cells <= MOST_CELLS else None


# --- candidates --------------------------------------------------------------------------------------------


def _candidates(board: Board) -> Iterator[tuple[str, Move]]:
    """Generators of the permutations that games use: reflections, a transposition, a rotation of a circle."""
    dims = board.dims
    yield from reflections(dims)
    if len(dims) == 1 and dims[0][1] - dims[0][0] > 1:
        yield "rotation", _rotation(*dims[0])


def reflections(dims: Sequence[tuple[int, int]]) -> Iterator[tuple[str, Move]]:
    """Permutations that are their own inverses: reversals of an index, and a transposition."""
    for axis, (lo, hi) in enumerate(dims):
        if hi > lo:
            yield _axis_name(len(dims), axis), _reflection(axis, lo + hi)
    if len(dims) == 2 and dims[0] == dims[1]:
        yield "transposition", lambda at: (at[1], at[0])


def _axis_name(count: int, axis: int) -> str:
    return "reversal" if count == 1 else f"reversal of index {axis + 1}"


def _reflection(axis: int, ends: int) -> Move:
    def move(at: tuple[Term, ...]) -> tuple[Term, ...]:
        return (*at[:axis], total([ends, ("*", -1, at[axis])]), *at[axis + 1 :])

    return move


def _rotation(lo: int, hi: int) -> Move:
    def move(at: tuple[Term, ...]) -> tuple[Term, ...] | None:
        return (lo if at[0] == hi else at[0] + 1,) if isinstance(at[0], int) else None

    return move


def _exchange(one: int) -> Move:
    def move(at: tuple[Term, ...]) -> tuple[Term, ...] | None:
        if not isinstance(at[0], int):
            return None
        return ({one: one + 1, one + 1: one}.get(at[0], at[0]),)

    return move


def _is_order_free(game: Game, form: GroundGame, board: Board) -> bool:
    """Whether any two neighbours may be exchanged."""
    lo, hi = board.dims[0]
    return all(respects(game, form, board.went(_exchange(one))) for one in range(lo, hi))


# --- exchanges of fields -----------------------------------------------------------------------------------


def places_of(field: Field) -> Row | None:
    """The places of a field, where they are the same in every case; None for an array whose bounds are not, or that
    is kept sorted."""
    if not isinstance(field.type, ArrayType):
        return ((field.name, 0),)
    dims = _constant_dims(field, 1)
    return None if dims is None else tuple((field.name, cell) for cell in range(len(Board((), dims).cells)))


def _exchanges(game: Game) -> list[Permutation]:
    """Fields that may change places: of the same type and bounds, and named as often in the rules.

    Two at a time, and the like of all kinds together, as where each heap has a mark of its own.
    """
    named: dict[str, int] = {}
    for expr in rule_expressions(game):
        for part in within(expr):
            if isinstance(part, StateRef):
                named[part.name] = named.get(part.name, 0) + 1
    kinds: dict[tuple[object, ...], list[str]] = {}
    for field in game.states:
        if field.name != MOVER and places_of(field) is not None and field.name in named:
            kinds.setdefault((*_kind(game, field), named[field.name]), []).append(field.name)
    groups = [names for names in kinds.values() if len(names) > 1]
    found = []
    for names in groups:
        pairs = combinations(names, 2) if len(names) <= MOST_PAIRED else pairwise(names)
        found += [_exchange_of(game, [pair]) for pair in pairs]
    for size in sorted({len(names) for names in groups}):
        alike = [names for names in groups if len(names) == size]
        if len(alike) > 1:
            found += [_exchange_of(game, [names[at : at + 2] for names in alike]) for at in range(size - 1)]
    return found


def _kind(game: Game, field: Field) -> tuple[object, ...]:
    """What fields must have in common to change places."""
    ends = [None if end is None else meaning(game, end) for end in (field.lo, field.hi)]
    return (field.type, *ends)


def _exchange_of(game: Game, pairs: Sequence[Sequence[str]]) -> Permutation:
    rows: dict[str, Row] = {}
    for one, other in pairs:
        for name, source in ((one, other), (other, one)):
            places = places_of(game.state(source))
            assert places is not None
            rows[name] = places
    return Permutation(" and also ".join(f"{one} and {other}" for one, other in pairs), key(rows))


# --- declared ----------------------------------------------------------------------------------------------


def unproved(game: Game) -> list[Diagnostic]:
    """A warning for each `symmetry` clause that is no permutation, or that the rules do not respect."""
    if not game.symmetries:
        return []
    try:
        form = ground(game)
    except TooManyTerms as why:
        reason = str(why)
        return [UNPROVED.at(updates[0].span, reason=reason) for updates in game.symmetries]
    found = []
    for updates in game.symmetries:
        declared = _declared(game, updates)
        if isinstance(declared, str):
            found.append(UNPROVED.at(updates[0].span, reason=declared))
        elif not respects(game, form, _went(game, declared)):
            reason = "after it, the moves or the ends of the game are not the same"
            found.append(UNPROVED.at(updates[0].span, reason=reason))
    return found


def _declared(game: Game, updates: Sequence[Update]) -> Permutation | str:
    """The permutation that updates describe, or why they describe none."""
    rows: dict[str, list[tuple[str, int]]] = {}
    for target, value in assignments(game, updates):
        match target, value:
            case ("cell", str(name), ()), ("field", str(other)):
                to, source = places_of(game.state(name)), places_of(game.state(other))
            case ("cell", str(name), (_, *_) as at), ("cell", str(other), (_, *_) as from_):
                to, source = _place(game, name, at), _place(game, other, from_)
            case ("cell", str(name), _), ("cell" | "field", str(other), *_) if name != other:
                return "a cell of an array and a whole field do not change places"
            case _:
                return "it does not only say which field, or which cell of an array, goes where"
        for field, places in ((name, to), (other, source)):
            if places is None:
                return f"the bounds of `{field}` are not the same in every case, or it is sorted"
            if not places:
                return f"it names cells of `{field}` that do not exist, or not always the same ones"
        one, two = game.state(name), game.state(other)
        if _kind(game, one) != _kind(game, two) or MOVER in (name, other):
            return f"`{name}` and `{other}` are not of the same type with the same bounds"
        assert to is not None
        assert source is not None
        for (_, cell), place in zip(to, source, strict=True):
            rows.setdefault(name, list(places_of(one) or ()))[cell] = place
    images = {name: tuple(row) for name, row in rows.items()}
    sources = [place for row in images.values() for place in row]
    for name, row in images.items():
        for place in row:
            if sources.count(place) > 1:
                what = "cells" if len(row) > 1 else "fields"
                return f"two {what} would get the same content, one of them in `{name}`"
    if {name for name, _ in sources} != images.keys():
        name = next(name for name, _ in sources if name not in images)
        return f"the content of `{name}` would stand in two places"
    return Permutation("declared symmetry", key(images))


def _place(game: Game, name: str, at: tuple[Term, ...]) -> Row | None:
    """The place of a cell; nothing where it does not exist, None where `places_of` is."""
    field = game.state(name)
    places = places_of(field)
    dims = _constant_dims(field, 1)
    if places is None or dims is None:
        return None
    cells = Board((), dims).cells
    return (places[cells.index(at)],) if at in cells else ()


def _went(game: Game, permutation: Permutation) -> dict[str, Went]:
    """Where the content of each field goes."""
    goes: dict[str, dict[int, tuple[str, int]]] = {}
    for name, row in permutation.images:
        for cell, (source, place) in enumerate(row):
            goes.setdefault(source, {})[place] = name, cell
    return {name: _went_of(game, to) for name, to in goes.items()}


def _went_of(game: Game, goes: Mapping[int, tuple[str, int]]) -> Went:
    names = {name for name, _ in goes.values()}
    to = names.pop() if len(names) == 1 else None
    order = tuple(goes[place][1] for place in sorted(goes))
    if to is not None and order == tuple(range(len(order))):
        return Went(lambda at: (to, at), to)
    dims = _constant_dims(game.state(next(iter(goes.values()))[0]), 1)
    assert dims is not None
    cells = Board((), dims).cells
    there = {cells[place]: (name, cells[cell]) for place, (name, cell) in goes.items()}
    return Went(there.get, to, order)


# --- groups ------------------------------------------------------------------------------------------------


def _closed(generators: Sequence[Permutation]) -> tuple[Permutation, ...]:
    """All products of the generators except the identity; only what fits MOST_ELEMENTS is used."""
    kept: dict[Key, str] = {}
    for generator in generators:
        wider = _group({**kept, generator.images: generator.name})
        if len(wider) < MOST_ELEMENTS:
            kept = wider
    return tuple(Permutation(name, images) for images, name in kept.items())


def _group(generators: Mapping[Key, str]) -> dict[Key, str]:
    found = dict(generators)
    waiting = list(generators)
    while waiting and len(found) < MOST_ELEMENTS:
        one = waiting.pop()
        for other in generators:
            images = key(both(dict(one), dict(other)))
            if images and images not in found:
                found[images] = "product"
                waiting.append(images)
    return found
