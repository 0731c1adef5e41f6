"""Positions that fall apart: cells between which no move can ever pass again are components of a disjunctive sum.

The rules are written out move by move (`analysis.ground`), with the moves that only some data of a case allow: if more
moves are looked at than there are, fewer parts are told apart. A move *wants* the cells that a condition about nothing
else asks for, one at least; it may also *touch* cells that it changes whatever they hold, or that a condition about
several, or about data of the case, asks for. Every change must give a cell a fixed value. From the changes follows
which values a cell may take later; a move is *alive* at a position if each cell that it wants has, or may still get, a
value that it wants.

Each cell has a *filler*: a value at which no move that wants the cell can come to life; if some move only touches it,
also one that the cell never loses. A living move joins the cells that it wants, and those that it touches and that do
not hold their filler. Cells that no chain of living moves joins belong to different components. A component stands
alone when all other cells are filled: then just the moves that join its cells can be made there, with the same effect
as before, as all that they see outside is fillers in both. They leave the fillers, and what is alive only gets less. So
a position is the disjunctive sum of its components, and its Grundy value the xor of theirs (Sprague and Grundy).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, combinations, product

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.analysis.ground import GroundGame, GroundMove, Term, TooManyTerms, ground, renormalised
from gamespec.analysis.shift import same_everywhere
from gamespec.game.model import Const, Field, Game
from gamespec.types import ArrayType, BoolType, SetType, element_bounds, is_scalar

MOST_CELLS = 512
MOST_SUPPORTS = 2048
MOST_PATTERNS = 320  # supports that differ in more than their place: each is a piece of a kernel
MOST_VALUES = 16  # of one cell
MOST_SEEN = 8  # cells of one condition; what asks for more keeps a position together


class Cell(msgspec.Struct, frozen=True):
    """A cell of an array (`place` counts from 0), or an element of a set (`place` is its distance from the lowest).

    Its values count from 0, the lowest; a set has 1 for an element that is in it. `filler` is the value it gets
    outside its component.
    """

    field: str
    place: int
    filler: int = 0


class Support(msgspec.Struct, frozen=True):
    """The cells that a move wants, by their numbers, each with the values at which the move is alive; and the cells
    that it only touches."""

    wants: tuple[tuple[int, frozenset[int]], ...]
    touches: tuple[int, ...] = ()

    @property
    def cells(self) -> frozenset[int]:
        return frozenset([*(cell for cell, _ in self.wants), *self.touches])


class Split(msgspec.Struct, frozen=True):
    """How positions fall apart."""

    cells: tuple[Cell, ...]
    supports: tuple[Support, ...]
    movable: bool  # a component at the front of the row is the same game
    reason: Evidence


class _Whole(Exception):
    """Positions do not fall apart, or not provably."""


def split(game: Game) -> Split | None:
    """How the positions of a game fall apart; None where that is not proved, or never happens."""
    if game.sum or game.partisan or game.misere or game.scored or game.endless is not None or game.terminals:
        return None
    if game.requires or not all(map(_is_board, game.states)):
        return None
    try:
        return _Splitting(game, ground(game)).result()
    except (TooManyTerms, _Whole):
        return None


def _is_board(field: Field) -> bool:
    """Whether a field is an array of small cells, each at a fixed place, or a small set."""
    match field.type:
        case ArrayType(_, of, ordered):
            (lowest, _), *others = field.dims  # an array that is shorter than declared ends earlier
            constant = all(isinstance(end, Const) for end in (lowest, *(end for pair in others for end in pair)))
            return constant and not ordered and is_scalar(of) and element_bounds(of).size <= MOST_VALUES
        case SetType():
            return (field.lo is None or isinstance(field.lo, Const)) and (
                field.hi is None or isinstance(field.hi, Const)
            )
        case _:
            return False


class _Move(msgspec.Struct, frozen=True):
    """The values wanted of cells, the cells of conditions about several, and the values that cells get."""

    wants: Mapping[int, frozenset[int]]
    sees: frozenset[int]
    writes: Mapping[int, int]


class _Splitting:
    def __init__(self, game: Game, form: GroundGame) -> None:
        self.game = game
        self.form = form
        self.numbers: dict[Term, int] = {}
        self.cells: list[Cell] = []
        self.values: list[range] = []
        self.lowest: list[int] = []
        for field in game.states:
            self._number(field)
        if len(self.cells) > MOST_CELLS:
            raise _Whole

    def _number(self, field: Field) -> None:
        of = field.type
        if isinstance(of, SetType):
            bounds = element_bounds(of.of)
            for place, element in enumerate(range(bounds.lo, bounds.hi + 1)):
                self._add(("in", element, ("field", field.name)), Cell(field.name, place), range(2), 0)
            return
        assert isinstance(of, ArrayType)
        bounds = element_bounds(of.of)
        ranges = [range(dim.lo, dim.hi + 1) for dim in of.dims]
        for place, indices in enumerate(product(*ranges)):
            term = ("cell", field.name, indices)
            self._add(term, Cell(field.name, place), range(bounds.size), bounds.lo)

    def _add(self, term: Term, cell: Cell, values: range, lowest: int) -> None:
        self.numbers[term] = len(self.cells)
        self.cells.append(cell)
        self.values.append(values)
        self.lowest.append(lowest)

    def result(self) -> Split | None:
        moves = [self._move(move) for move, _ in self.form.moves]
        later = [self._later(cell, moves) for cell in range(len(self.cells))]
        supports = set()
        for move in moves:
            if not move.wants:
                raise _Whole  # nothing keeps it from being made in every component
            alive = (
                (cell, frozenset(value for value in self.values[cell] if later[cell][value] & allowed))
                for cell, allowed in sorted(move.wants.items())
            )
            touched = (move.sees | move.writes.keys()) - move.wants.keys()
            supports.add(Support(tuple(alive), tuple(sorted(touched))))
        if len(supports) > MOST_SUPPORTS or self._patterns(supports) > MOST_PATTERNS or not _falls_apart(supports):
            raise _Whole
        cells = tuple(
            msgspec.structs.replace(cell, filler=self._filler(number, supports, later[number]))
            for number, cell in enumerate(self.cells)
        )
        names = " and ".join(field.name for field in self.game.states)
        text = f"no move passes between parts of {names} that have lost touch, so they are components of a sum"
        ordered = tuple(sorted(supports, key=lambda support: sorted(support.cells)))
        wanted = not any(support.touches for support in supports) and not any(cell.filler for cell in cells)
        movable = wanted and same_everywhere(self.game, self.form)
        return Split(cells, ordered, movable, Evidence(text, self.game.moves[0].span))

    def _patterns(self, supports: Iterable[Support]) -> int:
        """How many supports there are but for their place, cells being as far from each other as their bits."""
        starts = list(accumulate(((len(values) - 1).bit_length() for values in self.values), initial=0))
        found = set()
        for support in supports:
            first = starts[min(support.cells)]
            wants = tuple((starts[cell] - first, values) for cell, values in support.wants)
            found.add((wants, tuple(starts[cell] - first for cell in support.touches)))
        return len(found)

    # --- moves ---------------------------------------------------------------------------------------------

    def _move(self, move: GroundMove) -> _Move:
        wants: dict[int, frozenset[int]] = {}
        sees: set[int] = set()
        for guard in move.guards:
            terms, known = self._mentioned(guard)
            if len(terms) > MOST_SEEN:
                raise _Whole
            if len(terms) != 1 or not known:
                sees.update(self.numbers[term] for term in terms)
                continue
            (term,) = terms
            cell = self.numbers[term]
            wants[cell] = wants.get(cell, frozenset(self.values[cell])) & self._allowed(guard, term)
        return _Move(wants, frozenset(sees), self._writes(move))

    def _allowed(self, guard: Term, term: Term) -> frozenset[int]:
        """The values (from 0) of the only cell that a condition is about under which it holds."""
        cell = self.numbers[term]
        allowed = set()
        for value in self.values[cell]:
            content = bool(value) if term[0] == "in" else self._content(cell, value)
            held = _replaced(guard, term, content)
            if not isinstance(held, bool):
                raise _Whole
            if held:
                allowed.add(value)
        return frozenset(allowed)

    def _content(self, cell: int, value: int) -> int | bool:
        of = self.game.state(self.cells[cell].field).type
        assert isinstance(of, ArrayType)
        number = value + self.lowest[cell]
        return bool(number) if isinstance(of.of, BoolType) else number

    def _mentioned(self, term: Term) -> tuple[set[Term], bool]:
        """The cells in a term, and whether there are no data of the case; leaves by _Whole where there is anything
        else of the position."""
        cells, known, waiting = set(), True, [term]
        while waiting:
            part = waiting.pop()
            if part in self.numbers:
                cells.add(part)
            elif isinstance(part, tuple):
                if part[:1] in (("field",), ("cell",), ("stuck",)):
                    raise _Whole
                known = known and part[:1] != ("given",)
                waiting.extend(part)
        return cells, known

    def _writes(self, move: GroundMove) -> dict[int, int]:
        """The value (from 0) that each cell gets that the move changes."""
        found: dict[int, int] = {}
        for change, _ in move.effect:
            match change:
                case ("update", ("cell", _, _) as target, "=", int(value), True) if target in self.numbers:
                    cell = self.numbers[target]
                    found[cell] = int(value) - self.lowest[cell]
                case ("update", ("field", str(name)), ("-=" | "|=" | "+=") as op, frozenset() as elements, True):
                    for element in elements:
                        cell_number = self.numbers.get(("in", element, ("field", name)))
                        if cell_number is not None:
                            found[cell_number] = int(op != "-=")
                        elif op != "-=":
                            raise _Whole
                case _:
                    raise _Whole
        return found

    # --- cells ---------------------------------------------------------------------------------------------

    def _later(self, cell: int, moves: Iterable[_Move]) -> list[frozenset[int]]:
        """For each value of a cell the values that it may have then or later."""
        changes = [(move.wants.get(cell), move.writes[cell]) for move in moves if cell in move.writes]
        found = [{value} for value in self.values[cell]]
        changed = True
        while changed:
            changed = False
            for reached in found:
                for allowed, value in changes:
                    if value not in reached and (allowed is None or reached & allowed):
                        reached.add(value)
                        changed = True
        return [frozenset(reached) for reached in found]

    def _filler(self, cell: int, supports: Collection[Support], later: Sequence[frozenset[int]]) -> int:
        alive = [values for support in supports for number, values in support.wants if number == cell]
        touched = any(cell in support.touches for support in supports)
        for value in self.values[cell]:
            if not any(value in values for values in alive) and not (touched and len(later[value]) > 1):
                return value
        raise _Whole


def _falls_apart(supports: Iterable[Support]) -> bool:
    """Whether two moves have no cell in common, so that a position may have several components."""
    return any(not one.cells & other.cells for one, other in combinations(supports, 2))


def _replaced(term: Term, cell: Term, content: int | bool) -> Term:
    if term == cell:
        return content
    if not isinstance(term, tuple):
        return term
    return renormalised(tuple(_replaced(part, cell, content) for part in term))
