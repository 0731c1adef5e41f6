"""Players that may change places: whatever one of them may do, the other may do with the colours exchanged.

The rules are written out (`analysis.ground`) for either player to move. In one of the two forms every value that
stands for a player is replaced by the one that stands for the other, and cells go where a reflection or a
transposition takes them. If that is the other form, a position is worth to the player to move what its image is worth
to the other one, so positions with the first player to move will do.

Cells that hold players may only be compared with constants or with each other, and copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.ground import GroundMove, Term, TooManyTerms, ground, renormalised
from gamespec.analysis.permutation import Permutation, Swap, key, product
from gamespec.analysis.symmetry import Move, boards_of, reflections
from gamespec.game.model import MOVER, Game, Verdict
from gamespec.types import ArrayType, NamesType

Form = tuple[frozenset[tuple[GroundMove, int]], tuple[tuple[Term, int | None], ...], frozenset[Term]]
"""Moves, ends with what they mean for the player to move, and requirements."""

_MOVER: Term = ("field", MOVER)


class _Bare(Exception):
    """A value that stands for a player is used as something else."""


def swap(game: Game) -> Swap | None:
    """How the players change places; None where that is not proved, or no field holds players."""
    if not game.partisan or game.players is None or game.endless not in (None, Verdict.DRAW):
        return None
    pairs = _pairs(game)
    if not pairs:
        return None
    try:
        forms = _forms(game)
    except TooManyTerms:
        return None
    boards = [board for board in boards_of(game) if pairs.keys() & set(board.names)]
    candidates: list[tuple[Permutation, dict[str, Move]]] = [(Permutation("", ()), {})]
    for board in boards:
        for name, move in reflections(board.dims):
            permutation = board.permutation(name, move)
            if permutation is not None:
                candidates.append((permutation, dict.fromkeys(board.names, move)))
    for permutation, moves in candidates:
        try:
            if _Exchange(pairs, moves).form(forms[0]) == forms[1]:
                return Swap(tuple(pairs.items()), permutation.images, _evidence(game, permutation.name))
        except _Bare:
            continue
    return None


def _evidence(game: Game, name: str) -> Evidence:
    with_it = f" together with a {name} of the board" if name else ""
    text = f"the players may change places{with_it}: only positions with the first to move are stored"
    return Evidence(text, game.states[-1].span)


def _pairs(game: Game) -> dict[str, tuple[int, int]]:
    """For each field whose cells may hold players, the values of the two."""
    assert game.players is not None
    found: dict[str, tuple[int, int]] = {}
    for field in game.states[:-1]:
        of = field.type.of if isinstance(field.type, ArrayType) else field.type
        if isinstance(of, NamesType) and set(game.players) <= set(of.names):
            first, second = map(of.names.index, game.players)
            found[field.name] = first, second
    return found


def _forms(game: Game) -> tuple[Form, Form]:
    """The rules with the first and with the second player to move. Raises TooManyTerms."""
    written = ground(game)
    first, second = _Fixed(0), _Fixed(1)
    made = []
    for turn, fixed in enumerate((first, second)):
        counts: dict[GroundMove, int] = {}
        for move, count in written.moves:
            guards = frozenset(map(fixed.term, move.guards)) - {True}
            if False in guards:
                continue
            effect = frozenset((fixed.change(change), times) for change, times in move.effect)
            one = GroundMove(guards, effect, fixed.term(move.gain))
            counts[one] = counts.get(one, 0) + count
        ends = tuple(
            (fixed.term(term), None if verdict is None else verdict.outcome(turn))
            for term, verdict in written.terminals
        )
        made.append((frozenset(counts.items()), ends, frozenset(map(fixed.term, written.requires)) - {True}))
    return made[0], made[1]


class _Fixed:
    """Replaces the player to move by a constant."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self._known: dict[Term, Term] = {}

    def change(self, change: Term) -> Term:
        match change:
            case ("update", target, op, value, condition):
                place = target if target == _MOVER else self.term(target)
                return ("update", place, op, self.term(value), self.term(condition))
            case _:
                return self.term(change)

    def term(self, term: Term) -> Term:
        if term == _MOVER:
            return self.turn
        if not isinstance(term, tuple):
            return term
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = renormalised(tuple(map(self.term, term)))
        return found


class _Exchange:
    """Exchanges the players in terms, and moves cells."""

    def __init__(self, pairs: Mapping[str, tuple[int, int]], moves: Mapping[str, Move]) -> None:
        self.pairs = pairs
        self.moves = moves
        self._known: dict[Term, Term] = {}

    def form(self, form: Form) -> Form:
        moves, ends, requires = form
        return (
            frozenset((self._move(move), count) for move, count in moves),
            tuple((self._term(term), outcome) for term, outcome in ends),
            frozenset(map(self._term, requires)),
        )

    def _move(self, move: GroundMove) -> GroundMove:
        effect = frozenset((self._change(change), count) for change, count in move.effect)
        return GroundMove(frozenset(map(self._term, move.guards)), effect, self._term(move.gain))

    def _change(self, change: Term) -> Term:
        match change:
            case ("update", ("field", "mover"), "=", int(turn), condition):
                return ("update", _MOVER, "=", 1 - turn, self._term(condition))
            case ("update", ("field", "mover"), *_):
                raise _Bare
            case ("update", target, op, value, condition):
                pair = self._pair(target)
                if pair is None:
                    return ("update", self._place(target), op, self._term(value), self._term(condition))
                if op != "=":
                    raise _Bare
                return ("update", self._place(target), op, self._held(value, pair), self._term(condition))
            case _:
                raise _Bare  # parts of a sum hold values without saying of which field

    def _pair(self, term: Term) -> tuple[int, int] | None:
        """The players' values in a field or cell, None for one that holds no players."""
        match term:
            case ("cell" | "field", str(name), *_):
                return self.pairs.get(name)
            case _:
                return None

    def _place(self, term: Term) -> Term:
        """A field or a cell, where it is after the exchange."""
        match term:
            case ("cell", name, indices):
                moved = tuple(map(self._term, indices))
                if name in self.moves:
                    moved = self.moves[name](moved) or ()
                    if not moved:
                        raise _Bare
                return ("cell", name, moved)
            case ("field", str(name)) if name in self.moves:
                raise _Bare  # its cells go elsewhere: what it is compared with, or copied from, would have to follow
            case _:
                return term

    def _held(self, value: Term, pair: tuple[int, int]) -> Term:
        """A value of a field that holds players."""
        match value:
            case bool():
                raise _Bare
            case int():
                return pair[1] if value == pair[0] else pair[0] if value == pair[1] else value
            case ("if", condition, then, other):
                return renormalised(("if", self._term(condition), self._held(then, pair), self._held(other, pair)))
            case _:
                if self._pair(value) != pair:
                    raise _Bare
                return self._place(value)

    def _term(self, term: Term) -> Term:
        if not isinstance(term, tuple):
            return term
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._exchanged(term)
        return found

    def _exchanged(self, term: tuple[Term, ...]) -> Term:
        match term:
            case ("==" | "!=" as op, left, right):
                pair = self._pair(left) or self._pair(right)
                if pair is not None:
                    return renormalised((op, self._held(left, pair), self._held(right, pair)))
            case ("in", item, frozenset() as within):
                pair = self._pair(item)
                if pair is not None:
                    return ("in", self._place(item), frozenset(self._held(value, pair) for value in within))
            case ("cell" | "field" | "given", *_):
                if self._pair(term) is not None or term == _MOVER:
                    raise _Bare
                return self._place(term)
            case _:
                pass
        return renormalised(tuple(map(self._term, term)))


def commutes(swap: Swap, elements: Sequence[Permutation]) -> bool:
    """Whether the cells' permutations are the same ones seen from after the exchange."""
    images = {element.images for element in elements}
    flip = dict(swap.images)  # its own inverse
    return all(key(product(product(flip, dict(element.images)), flip)) in images for element in elements)
