"""Components with a phase: a field of few values that says which moves there are.

Where one phase is played by itself, its moves leaving it as it is, and every other phase is left by each move for good,
the first is a game without the field, and the others are openings that come before it: a circle of coins that a first
move opens, a first move with a rule of its own. The phases must be known from the rules alone: with a value in place of
the field, each guard that it decides and the value that every part gets are worked out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from gamespec.analysis.evidence import Evidence
from gamespec.game import model
from gamespec.game.model import Const, Expr, Field, Game, Move, Part, Update
from gamespec.game.walk import map_parts, names_read
from gamespec.types import BoolType, IntType, NamesType, is_scalar

MOST_PHASES = 8


class Phases(msgspec.Struct, frozen=True):
    """The game of the phase `own` that is played by itself, and the place of the field among the state fields.

    `moves` has for each rule of `game` the number of the rule it comes from, `openings` the numbers of those that hold
    in other phases.
    """

    game: Game
    field: str
    place: int
    own: int
    moves: tuple[int, ...]
    openings: tuple[int, ...]
    reason: Evidence


class _Unknown(Exception):
    """A phase is not known from the rules alone."""


def phases(game: Game) -> Phases | None:
    """The phases of a component; None where there is no such field."""
    if not game.sum or game.partisan or game.misere or game.scored or game.endless is not None or game.terminals:
        return None
    if game.requires or len(game.states) < 2 or not all(is_scalar(field.type) for field in game.states):
        return None
    for place, field in enumerate(game.states):
        values = _values(field)
        if values is None or any(_depends(game, other, field) for other in game.states):
            continue
        try:
            found = _phases(game, place, field, values)
        except _Unknown:
            continue
        if found is not None:
            return found
    return None


def _values(field: Field) -> list[int] | None:
    match field.type:
        case BoolType():
            return [0, 1]
        case NamesType(names=names) if len(names) <= MOST_PHASES:
            return list(range(len(names)))
        case IntType(bounds=bounds) if bounds.size <= MOST_PHASES:
            return list(range(bounds.lo, bounds.hi + 1))
        case _:
            return None


def _depends(game: Game, other: Field, field: Field) -> bool:
    """Whether the limits of another field depend on the phase."""
    ends = [end for end in (other.lo, other.hi) if end is not None]
    return any(field.name in names_read(end, game.lets) for end in ends)


def _phases(game: Game, place: int, field: Field, values: list[int]) -> Phases | None:
    after: dict[int, set[int]] = {}
    written: dict[int, list[tuple[int, Move]]] = {}
    for value in values:
        writer = _Phase(game, place, field, value)
        after[value], written[value] = set(), []
        for number, move in enumerate(game.moves):
            made = writer.move(move)
            if made is not None:
                written[value].append((number, made[0]))
                after[value] |= made[1]
    own = [value for value in values if value in after[value]]
    if len(own) != 1 or after[own[0]] != {own[0]} or not _ends(after, own[0]):
        return None
    rules = written[own[0]]
    inner = msgspec.structs.replace(
        game,
        states=tuple(other for other in game.states if other is not field),
        moves=tuple(move for _, move in rules),
        start=(),
        components=(),
        input=None,
        output=model.Output(()),
        tests=(),
        plan=None,
        symmetries=(),
    )
    text = (
        f"{field.name} is the phase of a component: one is played by itself, each other is left by every move for good"
    )
    openings = {number for value, several in written.items() if value != own[0] for number, _ in several}
    own_moves = tuple(number for number, _ in rules)
    return Phases(inner, field.name, place, own[0], own_moves, tuple(sorted(openings)), Evidence(text, field.span))


def _ends(after: dict[int, set[int]], own: int) -> bool:
    """Whether no phase but the own one comes again."""
    open_ = {value: later - {own} for value, later in after.items() if value != own}
    while open_:
        done = [value for value, later in open_.items() if not later & open_.keys()]
        if not done:
            return False
        for value in done:
            del open_[value]
    return True


class _Phase:
    """Writes the rules with a value in place of the field."""

    def __init__(self, game: Game, place: int, field: Field, value: int) -> None:
        self.game = game
        self.place = place
        self.field = field
        known: bool | int = bool(value) if isinstance(field.type, BoolType) else value
        self.value = Const(value=known, type=field.type)

    def move(self, move: Move) -> tuple[Move, set[int]] | None:
        """The rule in this phase and the phases that it leaves, None where it does not hold."""
        guards = []
        for several in move.guards:
            kept = [self._known(guard) for guard in several]
            if any(guard is False for guard in kept):
                return None
            guards.append(tuple(guard for guard in kept if not isinstance(guard, bool)))
        choices = tuple(msgspec.structs.replace(bind, within=self._replaced(bind.within)) for bind in move.choices)
        if isinstance(move.effect, model.Do):
            effect, left = self._done(move.effect)
            return Move(move.name, choices, tuple(guards), effect, move.span), left
        parts, left = [], set()
        for part in move.effect.parts:
            left.add(self._constant(part.args[self.place]))
            args = tuple(self._replaced(arg) for i, arg in enumerate(part.args) if i != self.place)
            parts.append(Part(args, self._replaced(part.tail), part.span))
        return Move(move.name, choices, tuple(guards), model.Into(tuple(parts)), move.span), left

    def _done(self, effect: model.Do) -> tuple[model.Do, set[int]]:
        own = [update for update in effect.updates if update.field == self.field.name]
        if len(own) > 1 or any(update.op != "=" or update.tail for update in own):
            raise _Unknown
        left = {self._constant(own[0].value) if own else self._constant(self.value)}
        others = [update for update in effect.updates if update.field != self.field.name]
        kept = [
            Update(u.field, self._replaced(u.indices), u.op, self._replaced(u.value), self._replaced(u.tail), u.span)
            for u in others
        ]
        return model.Do(tuple(kept), effect.gain), left

    def _constant(self, expr: Expr) -> int:
        found = self._replaced(expr)
        if isinstance(found, Const) and isinstance(found.value, int):
            return int(found.value)
        raise _Unknown

    def _known(self, guard: Expr) -> Expr | bool:
        """A guard in this phase, or its truth where the phase decides it."""
        found: Expr = self._replaced(guard)
        return bool(found.value) if isinstance(found, Const) else found

    def _replaced(self, node: Any) -> Any:
        """A part of the rules with the value in place of the field, worked out where that makes it a constant."""
        if isinstance(node, tuple):
            return tuple(self._replaced(each) for each in node)
        if isinstance(node, model.StateRef) and node.name == self.field.name:
            return self.value
        if isinstance(node, model.LetRef) and self.field.name in names_read(node, self.game.lets):
            return self._replaced(self.game.lets[node.name])
        if not isinstance(node, model.Typed | model.Bind | model.Tail):
            return node
        if isinstance(node, model.Typed) and not self._reads(node):
            return node
        return _worked_out(map_parts(node, self._replaced))

    def _reads(self, node: Any) -> bool:
        return self.field.name in names_read(node, self.game.lets)


def _worked_out(node: Any) -> Any:
    """A condition, or a choice between numbers, whose constants decide it."""
    match node:
        case model.Not(operand=Const(value=value)):
            return Const(value=not value, type=node.type, span=node.span)
        case model.And(operands=operands) | model.Or(operands=operands):
            neutral = isinstance(node, model.And)
            if any(isinstance(each, Const) and bool(each.value) is not neutral for each in operands):
                return Const(value=not neutral, type=node.type, span=node.span)
            rest = tuple(each for each in operands if not isinstance(each, Const))
            if not rest:
                return Const(value=neutral, type=node.type, span=node.span)
            return rest[0] if len(rest) == 1 else msgspec.structs.replace(node, operands=rest)
        case model.Compare(op=op, left=Const(value=int() as a), right=Const(value=int() as b)):
            return Const(value=_COMPARE[op](a, b), type=node.type, span=node.span)
        case model.If(condition=Const(value=value), then=then, other=other):
            return then if value else other
        case model.Binary(op="+" | "-" as op, left=Const(value=int() as a), right=Const(value=int() as b)):
            return Const(value=a + b if op == "+" else a - b, type=node.type, span=node.span)
        case _:
            return node


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
