"""Orders of boards: the kinds of pieces ranked so that every move lowers the first cell that it changes.

A pawn that leaves a cell to go up, and one of the other player that comes to a cell as it goes down, both lower the
cell nearest to the bottom, if the one ranks above an empty cell and the other below it.
"""

from __future__ import annotations

from itertools import permutations

import msgspec

from gamespec.analysis.change import Outcome
from gamespec.analysis.evidence import Evidence
from gamespec.game.context import Context
from gamespec.game.form import number
from gamespec.game.holds import different, equal
from gamespec.game.model import MOVER, Expr, Field, Index, StateRef, Update
from gamespec.game.world import World
from gamespec.types import ArrayType, NamesType

MOST_NAMES = 4
MOST_CELLS = 4  # cells that one move sets


class Step(msgspec.Struct, frozen=True):
    """What one cell may hold, and holds then, and which other cells of the move stand before and after it for sure."""

    old: frozenset[int]
    new: frozenset[int]
    before: frozenset[int]
    after: frozenset[int]


def ranked_pieces(world: World, outcomes: list[Outcome]) -> Evidence | None:
    """Evidence that every outcome lowers a board in some order of its pieces; None where none was found."""
    for field in world.game.states:
        of = field.type
        if not isinstance(of, ArrayType) or of.ordered or not isinstance(of.of, NamesType):
            continue
        if len(of.of.names) > MOST_NAMES:
            continue
        moves = [_steps(case, outcome, field, of.of) for outcome in outcomes for case in _cases(world, outcome)]
        known = [steps for steps in moves if steps is not None]
        if len(known) < len(moves):
            continue
        for order in permutations(range(len(of.of.names))):
            for from_last in (False, True):
                if all(_lowers(steps, order, from_last) for steps in known):
                    names = " < ".join(name for _, name in sorted(zip(order, of.of.names, strict=True)))
                    cell = f"the {'last' if from_last else 'first'} cell of {field.name}"
                    text = f"no position repeats: with {names}, every move lowers {cell} that it changes"
                    return Evidence(text, outcomes[0].span)
    return None


def _cases(world: World, outcome: Outcome) -> list[Context]:
    """The contexts of an outcome, one for each player who may move there."""
    if not world.game.partisan:
        return [outcome.context]
    mover = outcome.context.form(StateRef(name=MOVER, type=world.game.states[-1].type))
    found = []
    for who in (0, 1):
        case = outcome.context.child()
        case.learn_equal(mover, number(who), "")
        if not case.void:
            found.append(case)
    return found


def _steps(context: Context, outcome: Outcome, field: Field, of: NamesType) -> list[Step] | None:
    """The cells of a board of such pieces that an outcome sets; None where they, or what they hold, cannot be told."""
    updates = outcome.changes.get(field.name, ())
    if not 1 <= len(updates) <= MOST_CELLS or outcome.part:
        return None
    if any(update.indices is None or update.tail is not None or update.op != "=" for update in updates):
        return None
    steps = []
    for place, update in enumerate(updates):
        others = [(other, each) for other, each in enumerate(updates) if other != place]
        before = frozenset(other for other, each in others if _before(context, each, update))
        after = frozenset(other for other, each in others if _before(context, update, each))
        cell = Index(
            base=StateRef(name=field.name, type=field.type),
            indices=update.indices or (),
            dims=field.dims,
            type=of,
            span=update.span,
        )
        steps.append(Step(_possible(context, cell), _possible(context, update.value), before, after))
    return steps


def _before(context: Context, one: Update, other: Update) -> bool:
    """Whether the cell of one update certainly stands before that of the other."""
    for first, second in zip(one.indices or (), other.indices or (), strict=True):
        a, b = context.form(first), context.form(second)
        if context.prove((b - a).plus(-1)) is not None:
            return True
        if equal(context, a, b) is None:
            return False
    return False


def _possible(context: Context, value: Expr) -> frozenset[int]:
    """The names that a value may be."""
    assert isinstance(value.type, NamesType)
    form = context.form(value)
    return frozenset(name for name in range(len(value.type.names)) if different(context, form, number(name)) is None)


def _lowers(steps: list[Step], order: tuple[int, ...], from_last: bool) -> bool:
    """Whether some cell falls for sure, and every other one does not rise or stands behind it."""

    def rank(names: frozenset[int], pick: bool) -> int:
        ranks = [order[name] for name in names]
        return (max if pick else min)(ranks, default=0)

    falls = [rank(step.old, False) - rank(step.new, True) for step in steps]
    for place, fall in enumerate(falls):
        minor = steps[place].before if from_last else steps[place].after
        if fall > 0 and all(other == place or falls[other] >= 0 or other in minor for other in range(len(falls))):
            return True
    return False
