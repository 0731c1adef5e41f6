"""The reference evaluator: positions, moves and verdicts of a game. It defines what a spec means.

Every strategy and every back end is tested against this module, so it does the obvious thing in the obvious
order. `gamespec.game.reference` finds values of positions with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

import msgspec

from gamespec.diagnostics import LimitError
from gamespec.game import fault, problems
from gamespec.game.fault import Change, Misfit, RuleFault, TooMuchWork
from gamespec.game.model import After, Do, Expr, Field, Game, Into, Move, Position, Terminal, Update, Value, Verdict
from gamespec.game.scene import VISIT, Bound, Scene, Work, nested
from gamespec.game.walk import within
from gamespec.types import ArrayType, BoolType, NamesType, SetType, Type, as_kept, element_bounds

__all__ = ["Evaluator", "LimitedEvaluator", "Misfit", "Played", "RuleFault", "TooMuchWork"]

T = TypeVar("T")

STEPS = 1 << 20
"""How many values of choices and folds may be visited at one position."""


class Played(msgspec.Struct, frozen=True):
    """One legal move: the index of its rule, what was chosen in the order written, and what it leads to.

    `results` are the components that are left: exactly one position unless the rule says `into`. `gain` is added to
    the score of the player who moves.
    """

    move: int
    choices: tuple[int, ...]
    results: tuple[Position, ...]
    gain: int = 0


class Ending(msgspec.Struct, frozen=True):
    """The game, or in a sum this component, is over; `verdict` None means that `winner` decides.

    `terminal` is the condition that holds, None where only the moves ran out.
    """

    verdict: Verdict | None
    terminal: Terminal | None = None


class Evaluator:
    """A game with the data of one case (`givens`, and `inputs` for names that only the input declares).

    `steps` bounds the work at one position, so that no rule can keep it busy for long; what needs more raises
    TooMuchWork. `worked` counts the steps taken so far at all positions.
    """

    def __init__(
        self,
        game: Game,
        givens: Mapping[str, Value] | None = None,
        inputs: Mapping[str, Value] | None = None,
        *,
        steps: int = STEPS,
    ) -> None:
        self.game = game
        self.givens: dict[str, Value] = dict(givens or {})
        self.inputs: dict[str, Value] = dict(inputs or {})
        self.steps = steps
        self.worked = 0
        self._fields = {field.name: field for field in game.states}

    # --- the questions -------------------------------------------------------------------------------------

    def expr(self, expression: Expr, position: Position, bound: Bound | None = None) -> Value:
        """The value of an expression at a position. Raises RuleFault where it has none."""
        return self._asked(position, lambda scene: scene.value(expression, bound or {}))

    def holds(self, position: Position) -> bool:
        """Whether a position exists: its values lie in the declared ranges, and what is required holds."""

        def ask(scene: Scene) -> bool:
            declared = all(_misfit(scene, field) is None for field in self.game.states)
            declared = declared and position == _kept(self.game.states, position)
            return declared and all(scene.truth(condition, {}) for condition in self.game.requires)

        return self._asked(position, ask)

    def moves(self, position: Position) -> list[Played]:
        """All legal moves, whether the game is over or not: rules in file order, choices ascending."""
        return self._asked(position, lambda scene: list(self._each_move(scene)))

    def ending(self, position: Position) -> Ending | None:
        """Whether the game is over here, and by which verdict; None if it goes on.

        The conditions of `terminal` are tested in file order and only until one holds; a position without a move
        is over as well.
        """

        def ask(scene: Scene) -> Ending | None:
            scene.stuck = _once(lambda: self._is_stuck(scene))
            for terminal in self.game.terminals:
                if scene.truth(terminal.condition, {}):
                    return Ending(terminal.verdict, terminal)
            return Ending(None) if scene.stuck() else None

        return self._asked(position, ask)

    def verdict(self, position: Position) -> Verdict | None:
        """Who wins here if the game is over, also where `winner` decides; None if it goes on."""
        ending = self.ending(position)
        return None if ending is None else ending.verdict or self.convention

    @property
    def convention(self) -> Verdict:
        """What `winner` says of a position where the game is over."""
        if self.game.scored:
            return Verdict.DRAW
        return Verdict.MOVER_WINS if self.game.misere else Verdict.MOVER_LOSES

    def start(self, read: Mapping[str, Value]) -> Position:
        """The position that a case starts from: what was read, else what `start` says.

        A cell that neither gives has the least value of its type. Raises RuleFault where `start` fails.
        """
        least: Position = (0,) * len(self.game.states)
        for place, field in enumerate(self.game.states):
            value = read[field.name] if field.name in read else self._least(field, least)
            least = (*least[:place], value, *least[place + 1 :])
        updates = [update for update in self.game.start if update.field not in read]
        return self._asked(least, lambda scene: self._updated(scene, updates, {}))

    def components(self, read: Mapping[str, Value]) -> list[tuple[Position, dict[str, Value]]]:
        """The components that `start into` lists for a case, each with the givens of its own.

        Raises RuleFault where a value fails; whether the positions exist is for `holds` of an evaluator with these
        givens to say.
        """
        own = [given for given in self.game.givens if given.component]
        least = tuple(read.get(field.name, 0) for field in self.game.states)

        def ask(scene: Scene) -> list[tuple[Position, dict[str, Value]]]:
            found = []
            for part in self.game.components:
                for bound in [{}] if part.tail is None else scene.bindings(part.tail, {}):
                    values = [scene.value(arg, bound) for arg in part.args]
                    fields = zip((*self.game.states, *own), values, strict=True)
                    kept = [as_kept(field.type, _stored(value, field.type, ())) for field, value in fields]
                    count = len(self.game.states)
                    data = {given.name: value for given, value in zip(own, kept[count:], strict=True)}
                    found.append((tuple(kept[:count]), data))
            return found

        return self._asked(least, ask)

    def told(self, expressions: Sequence[Expr], position: Position, move: int, choices: Sequence[int]) -> list[Value]:
        """The values of expressions in a text about a move; `after(…)` in them is the position it leaves.

        The names it chooses have their values; raises KeyError for one that this move does not choose.
        """
        made = self.game.moves[move]
        bound = {bind.name: value for bind, value in zip(made.choices, choices, strict=True)}
        follows = any(isinstance(part, After) for each in expressions for part in within(each, self.game.lets))

        def ask(scene: Scene) -> list[Value]:
            if follows:
                (left,) = self._results(scene, made, bound)
                scene.after = Scene(self.game, left, scene.data, scene.work)
            return [scene.value(expression, bound) for expression in expressions]

        return self._asked(position, ask)

    # --- moves ---------------------------------------------------------------------------------------------

    def _asked(self, position: Position, ask: Callable[[Scene], T]) -> T:
        scene = Scene(self.game, position, {**self.inputs, **self.givens}, Work(self.steps * VISIT))
        try:
            return ask(scene)
        except RecursionError:
            span = scene.move.span if scene.move else None
            raise RuleFault(problems.NESTED_TOO_DEEP.at(span), self.game, position, scene.move) from None
        finally:
            self.worked += (scene.work.limit - scene.work.left) // VISIT

    def _is_stuck(self, scene: Scene) -> bool:
        """Whether no rule allows a move; what moves lead to is not looked at."""
        for move in self.game.moves:
            scene.move = move
            for _ in _chosen(scene, move):
                scene.move = None
                return False
        scene.move = None
        return True

    def _each_move(self, scene: Scene) -> Iterator[Played]:
        for number, move in enumerate(self.game.moves):
            scene.move = move
            for bound in _chosen(scene, move):
                choices = tuple(int(cast(int, bound[choice.name])) for choice in move.choices)
                gain = 0
                if isinstance(move.effect, Do) and move.effect.gain is not None:
                    gain = scene.number(move.effect.gain, bound)
                yield Played(number, choices, self._results(scene, move, bound), gain)
        scene.move = None

    def _results(self, scene: Scene, move: Move, bound: Bound) -> tuple[Position, ...]:
        match move.effect:
            case Do(updates=updates):
                after = self._updated(scene, updates, bound)
                changes = {
                    update.field: Change(self._fields[update.field], update, update.span, bound) for update in updates
                }
                self._check(scene, after, changes, Change(self.game.states[0], None, move.span, bound))
                return (after,)
            case Into(parts=parts):
                results = []
                for part in parts:
                    tails = [bound] if part.tail is None else scene.bindings(part.tail, bound)
                    for inner in tails:
                        values = (scene.value(arg, inner) for arg in part.args)
                        after = tuple(
                            as_kept(field.type, _stored(value, field.type, old))
                            for value, field, old in zip(values, self.game.states, scene.position, strict=True)
                        )
                        self._check(scene, after, {}, Change(self.game.states[0], None, part.span, inner))
                        results.append(after)
                return tuple(results)

    def _updated(self, scene: Scene, updates: Iterable[Update], bound: Bound) -> Position:
        """The position after all updates at once: every right side and index is of the position before."""
        new = dict(zip(self._fields, scene.position, strict=True))
        touched: dict[str, dict[int | None, str]] = {}
        for update in updates:
            field = self._fields[update.field]
            cells = touched.setdefault(update.field, {})
            tails = [bound] if update.tail is None else scene.bindings(update.tail, bound)
            for inner in tails:
                place = None
                if update.indices is not None:
                    place = scene.offset(update, update.indices, field.dims, inner)
                whole_and_cell = bool(cells) and (place is None) != (None in cells)
                if whole_and_cell or (place in cells and "=" in (update.op, cells[place])):
                    raise fault.set_twice(scene, update, _cell_name(scene, field, place), inner)
                cells[place] = update.op
                value = scene.value(update.value, inner)
                old = new[field.name]
                if place is None:
                    new[field.name] = _stored(_combined(update.op, old, value), field.type, old)
                else:
                    of = cast(ArrayType, field.type).of
                    row = list(cast(Sequence[Value], old))
                    row[place] = cast(int, _stored(_combined(update.op, row[place], value), of, row[place]))
                    new[field.name] = cast(Value, tuple(row))
        return _kept(self.game.states, new.values())

    def _check(self, scene: Scene, after: Position, changes: Mapping[str, Change], otherwise: Change) -> None:
        """Raises Misfit unless the position after a move exists."""
        there = Scene(self.game, after, scene.data, scene.work)
        for field in self.game.states:
            misfit = _misfit(there, field)
            if misfit is not None:
                change = changes.get(field.name) or Change(field, None, otherwise.span, otherwise.bound)
                raise misfit.fault(scene, change)
        for condition in self.game.requires:
            if not there.truth(condition, {}):
                raise fault.breaks_require(scene, condition, otherwise.span, otherwise.bound, there)

    def _least(self, field: Field, earlier: Position) -> Value:
        """The least value of a field: the low end, the first name, no element, or that in every cell."""
        scene = Scene(self.game, earlier, {**self.inputs, **self.givens}, Work(self.steps * VISIT))
        least = 0 if field.lo is None else scene.number(field.lo, {})
        of = field.type.of if isinstance(field.type, ArrayType) else field.type
        cell: Value = frozenset() if isinstance(of, SetType) else False if isinstance(of, BoolType) else least
        return cast(Value, (cell,) * cell_count(scene, field)) if isinstance(field.type, ArrayType) else cell


# --- choices and cells -------------------------------------------------------------------------------------


class LimitedEvaluator(Evaluator):
    """An evaluator for positions that somebody asks for: one that takes too long is no fault of the spec.

    Raises LimitError in the place of TooMuchWork.
    """

    def _asked(self, position: Position, ask: Callable[[Scene], T]) -> T:
        try:
            return super()._asked(position, ask)
        except TooMuchWork as work:
            raise LimitError(*work.diagnostics) from work


def _once(ask: Callable[[], bool]) -> Callable[[], bool]:
    """Asks the question the first time its answer is needed, and never again."""
    answers: list[bool] = []

    def answer() -> bool:
        if not answers:
            answers.append(ask())
        return answers[0]

    return answer


def _chosen(scene: Scene, move: Move) -> Iterator[Bound]:
    """What the names of `choose` may be; each conjunct of `when` is tested as soon as it can be."""

    def holds(depth: int, bound: Bound) -> bool:
        return all(scene.truth(guard, bound) for guard in move.guards[depth])

    return nested(move.choices, {}, scene.choices, holds)


def _combined(op: str, old: Value, value: Value) -> Value:
    """The new value of a cell; a list stands for its set where the cell is one."""
    if op == "=":
        return value
    if isinstance(old, frozenset):
        added = frozenset(cast(Iterable[int], value))
        match op:
            case "|=":
                return old | added
            case "&=":
                return old & added
            case "-=":
                return old - added
    elif op == "+=":
        return cast(int, old) + cast(int, value)
    elif op == "-=":
        return cast(int, old) - cast(int, value)
    raise ValueError(f"no update {op} of {old!r}")


def _stored(value: Value, of: Type, old: Value) -> Value:
    """The value as a field of this type keeps it; one value for a whole array fills every cell of the old one."""
    match of:
        case SetType():
            return frozenset(cast(Iterable[int], value))
        case ArrayType(of=element):
            cells: Iterable[Value] = value if isinstance(value, tuple) else (value,) * len(cast(Sequence[Value], old))
            return cast(Value, tuple(_stored(cell, element, 0) for cell in cells))
        case BoolType():
            return bool(value)
        case _:
            return int(cast(int, value))


def _kept(fields: Iterable[Field], values: Iterable[Value]) -> Position:
    return tuple(as_kept(field.type, value) for field, value in zip(fields, values, strict=True))


def cell_count(scene: Scene, field: Field) -> int:
    """The number of cells of an array at a position; 1 for any other field."""
    cells = 1
    for first, last in field.dims:
        cells *= max(0, scene.number(last, {}) - scene.number(first, {}) + 1)
    return cells


def _cell_name(scene: Scene, field: Field, place: int | None) -> str:
    """`pile[2]` for a cell of an array, `n` for a whole field."""
    if place is None:
        return field.name
    indices: list[str] = []
    for first, last in reversed(field.dims):
        lo, hi = scene.number(first, {}), scene.number(last, {})
        place, offset = divmod(place, hi - lo + 1)
        indices.append(str(lo + offset))
    return f"{field.name}[{', '.join(reversed(indices))}]"


class _Misfit(msgspec.Struct, frozen=True):
    """What keeps a value out of its field: its `cell`, the number that is wrong, and the bounds it should keep."""

    place: int | None
    value: int
    bounds: tuple[int, int]
    kind: str  # "number", "element" or "length"

    def fault(self, scene: Scene, change: Change) -> RuleFault:
        """The fault of a move that is responsible; `scene` is the position before it."""
        if self.kind == "length":
            return fault.wrong_length(scene, change, self.value, self.bounds[0])
        cell = _cell_name(scene, change.field, self.place)
        found = fault.leaves_set if self.kind == "element" else fault.leaves_range
        return found(scene, change, cell, self.value, self.bounds)


def _misfit(scene: Scene, field: Field) -> _Misfit | None:
    """Why the value that a field has at a position is outside its declaration; None if it is not."""
    value = scene.values[field.name]
    if not isinstance(field.type, ArrayType):
        return _cell_misfit(scene, field, field.type, value, None)
    cells, count = cast(Sequence[Value], value), cell_count(scene, field)
    if len(cells) != count:
        return _Misfit(None, len(cells), (count, count), "length")
    misfits = (_cell_misfit(scene, field, field.type.of, cell, place) for place, cell in enumerate(cells))
    return next((misfit for misfit in misfits if misfit is not None), None)


def _cell_misfit(scene: Scene, field: Field, of: Type, value: Value, place: int | None) -> _Misfit | None:
    element = of.of if isinstance(of, SetType) else of
    if field.lo is None or field.hi is None or isinstance(element, NamesType | BoolType):
        bounds = element_bounds(element)
        lo, hi = bounds.lo, bounds.hi
    else:
        lo, hi = scene.number(field.lo, {}), scene.number(field.hi, {})
    if isinstance(of, SetType):
        outside = [member for member in cast(frozenset[int], value) if not lo <= member <= hi]
        return _Misfit(place, min(outside), (lo, hi), "element") if outside else None
    number = cast(int, value)
    return None if lo <= number <= hi else _Misfit(place, number, (lo, hi), "number")
