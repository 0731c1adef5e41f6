"""Symmetries: permutations of the cells of arrays that the rules respect, so that one position of each orbit will do.

A permutation is proved by writing the rules out (`analysis.ground`), moving every cell to its image, and comparing
the two: they must have the same moves, endings and requirements. Reversals of indices, transpositions, rotations and
exchanges of neighbours in rows are tried by themselves; others are declared by `symmetry` and proved in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.ground import (
    GroundGame,
    GroundMove,
    Term,
    TooManyTerms,
    assignments,
    ground,
    renormalised,
    total,
)
from gamespec.analysis.permutation import Key, Permutation, Symmetry
from gamespec.analysis.problems import UNPROVED
from gamespec.diagnostics import Diagnostic
from gamespec.game.model import Const, Field, Game, Update
from gamespec.types import ArrayType

MOST_ELEMENTS = 48
"""The most permutations, the one that changes nothing among them, that are applied to a position."""

MOST_CELLS = 400

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
        return Permutation(name, tuple((array, tuple(images)) for array in sorted(self.names)))


def symmetry(game: Game) -> Symmetry:
    """The symmetries that are found; none where the rules are too large to be written out."""
    boards = boards_of(game)
    if not boards:
        return Symmetry()
    try:
        form = ground(game)
    except TooManyTerms:
        return Symmetry()
    found: list[Permutation] = []
    rows: tuple[str, ...] = ()
    reasons: list[Evidence] = []
    for updates in game.symmetries:
        declared = _declared(game, boards, updates)
        if isinstance(declared, Permutation) and _respects(form, _moves(boards, declared)):
            found.append(declared)
            reasons.append(Evidence("the rules respect the symmetry that is declared", updates[0].span))
    for board in boards:
        if len(board.dims) == 1 and _is_order_free(form, board):
            rows = rows or board.names
            names = " and ".join(board.names)
            reasons.append(Evidence(f"the entries of {names} may be in any order", game.state(board.names[0]).span))
            continue
        proved = [
            permutation
            for name, move in _candidates(board)
            if _respects(form, dict.fromkeys(board.names, move))
            and (permutation := board.permutation(name, move)) is not None
        ]
        if proved:
            names = " and ".join(permutation.name for permutation in proved)
            text = f"the rules stay the same under {names} of {' and '.join(board.names)}"
            reasons.append(Evidence(text, game.state(board.names[0]).span))
        found += proved
    return Symmetry(_closed(found), rows, tuple(reasons))


def boards_of(game: Game) -> list[Board]:
    """The arrays of the state by their bounds, where these are constant."""
    groups: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for field in game.states:
        dims = _constant_dims(field)
        if dims is not None:
            groups.setdefault(dims, []).append(field.name)
    return [Board(tuple(names), dims) for dims, names in groups.items()]


def _constant_dims(field: Field) -> tuple[tuple[int, int], ...] | None:
    if not isinstance(field.type, ArrayType) or field.type.ordered:
        return None
    dims = []
    cells = 1
    for lo, hi in field.dims:
        if not (isinstance(lo, Const) and isinstance(hi, Const)):
            return None
        first, last = int(lo.value), int(hi.value)  # type: ignore[arg-type]
        dims.append((first, last))
        cells *= max(0, last - first + 1)
    return tuple(dims) if 1 < cells <= MOST_CELLS else None


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


def _is_order_free(form: GroundGame, board: Board) -> bool:
    """Whether any two neighbours may be exchanged."""
    lo, hi = board.dims[0]
    return all(_respects(form, dict.fromkeys(board.names, _exchange(one))) for one in range(lo, hi))


# --- declared ----------------------------------------------------------------------------------------------


def unproved(game: Game) -> list[Diagnostic]:
    """An error for each `symmetry` clause that is no permutation of cells, or that the rules do not respect."""
    if not game.symmetries:
        return []
    boards = boards_of(game)
    try:
        form = ground(game)
    except TooManyTerms:
        reason = "the rules are too large to be written out move by move"
        return [UNPROVED.at(updates[0].span, reason=reason) for updates in game.symmetries]
    found = []
    for updates in game.symmetries:
        declared = _declared(game, boards, updates)
        if isinstance(declared, str):
            found.append(UNPROVED.at(updates[0].span, reason=declared))
        elif not _respects(form, _moves(boards, declared)):
            reason = "after it, the moves or the ends of the game are not the same"
            found.append(UNPROVED.at(updates[0].span, reason=reason))
    return found


def _declared(game: Game, boards: Sequence[Board], updates: Sequence[Update]) -> Permutation | str:
    """The permutation that updates describe, or why they describe none."""
    images: dict[str, list[int]] = {}
    for target, value in assignments(game, updates):
        match target, value:
            case ("cell", str(name), (*to,)), ("cell", str(other), (*source,)) if name == other:
                board = next((board for board in boards if name in board.names), None)
                if board is None:
                    return f"the bounds of `{name}` are not the same in every case"
                places = {cell: number for number, cell in enumerate(board.cells)}
                row = images.setdefault(name, list(range(len(places))))
                if tuple(to) not in places or tuple(source) not in places:
                    return f"it names cells of `{name}` that do not exist, or not always the same ones"
                row[places[tuple(to)]] = places[tuple(source)]
            case _:
                return "it does not only say which cell of an array goes where"
    for name, row in images.items():
        if sorted(row) != list(range(len(row))):
            return f"two cells of `{name}` would get the same content"
    return Permutation("declared symmetry", tuple((name, tuple(images[name])) for name in sorted(images)))


def _moves(boards: Sequence[Board], permutation: Permutation) -> dict[str, Move]:
    """Where the content of each cell goes, for each array."""
    moves: dict[str, Move] = {}
    for name, images in permutation.images:
        cells = next(board for board in boards if name in board.names).cells
        moves[name] = {cells[source]: cells[place] for place, source in enumerate(images)}.get
    return moves


# --- proof -------------------------------------------------------------------------------------------------


class _Unmoved(Exception):
    """A term names a cell whose image is not known."""


def _respects(form: GroundGame, moves: Mapping[str, Move]) -> bool:
    """Whether the rules are the same when the cells of some arrays are moved."""
    mapping = _Mapping(moves)
    try:
        return (
            frozenset((mapping.move(each), count) for each, count in form.moves) == form.moves
            and tuple((mapping.term(term), verdict) for term, verdict in form.terminals) == form.terminals
            and frozenset(map(mapping.term, form.requires)) == form.requires
        )
    except _Unmoved:
        return False


class _Mapping:
    """Replaces cells of some arrays by their images."""

    def __init__(self, moves: Mapping[str, Move]) -> None:
        self.moves = moves
        self._known: dict[Term, Term] = {}

    def move(self, move: GroundMove) -> GroundMove:
        effect = frozenset((self.term(change), count) for change, count in move.effect)
        return GroundMove(frozenset(map(self.term, move.guards)), effect, self.term(move.gain))

    def term(self, term: Term) -> Term:
        if not isinstance(term, tuple):
            return term
        if term in self._known:
            return self._known[term]
        if len(term) == 3 and term[0] == "cell" and term[1] in self.moves:
            indices = self.moves[term[1]](tuple(map(self.term, term[2])))
            if indices is None:
                raise _Unmoved
            made: Term = ("cell", term[1], indices)
        else:
            made = renormalised(tuple(map(self.term, term)))
        self._known[term] = made
        return made


def _closed(generators: Sequence[Permutation]) -> tuple[Permutation, ...]:
    """All products of the generators except the identity; only what fits MOST_ELEMENTS is used."""
    kept: dict[Key, str] = {}
    for generator in generators:
        wider = _group({**kept, generator.images: generator.name})
        if len(wider) < MOST_ELEMENTS:
            kept = wider
    return tuple(Permutation(name, images) for images, name in kept.items())


def _group(
    generators: dict[Key, str],
) -> dict[Key, str]:
    found = dict(generators)
    waiting = list(generators)
    while waiting and len(found) < MOST_ELEMENTS:
        one = waiting.pop()
        for other in generators:
            images = _product(dict(one), dict(other))
            if images and images not in found:
                found[images] = "product"
                waiting.append(images)
    return found


def _product(
    one: dict[str, tuple[int, ...]], other: dict[str, tuple[int, ...]]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """First one, then the other; arrays that stay as they are are left out."""
    made = {}
    for name in sorted(one.keys() | other.keys()):
        images = one.get(name) or other[name]
        if name in one and name in other:
            images = tuple(images[place] for place in other[name])
        if images != tuple(range(len(images))):
            made[name] = images
    return tuple(made.items())
