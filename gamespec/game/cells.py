"""Requirements on all cells of an array (`all(row[r] >= row[r + 1] for r in 1..4)`), kept by a move that sets some.

A move that sets one cell is looked at where a quantified index meets that cell (the bound name is then replaced, so
that equal indices are the same atoms), and where it does not. A move that sets a range of cells is looked at with
every index before, inside and behind the range. What the requirement said before the move is used at the same place.
"""

from __future__ import annotations

from itertools import product

from gamespec.game.context import Context
from gamespec.game.expression import Cells
from gamespec.game.form import Form
from gamespec.game.holds import all_of, contains, holds
from gamespec.game.linear import Whys
from gamespec.game.model import Bind, Expr, Field, Fold, Index, LocalRef, Range, StateRef, Tail, Update
from gamespec.game.walk import within
from gamespec.types import ArrayType, is_scalar

MAX_INDICES = 3


def cells_after(field: Field, update: Update, context: Context) -> Cells | None:
    """What an update of one cell, or of a range of cells by a tail, makes of an array of one dimension."""
    if not isinstance(field.type, ArrayType) or not is_scalar(field.type.of) or len(update.indices or ()) != 1:
        return None
    if field.type.ordered:
        return None  # sorting may move every cell
    assert update.indices is not None
    (index,) = update.indices
    if update.tail is None:
        return Cells(field.name, update, context, (context.form(index), context.form(index)), None)
    if len(update.tail.binds) != 1 or update.tail.condition is not None:
        return None
    (bind,) = update.tail.binds
    if not isinstance(index, LocalRef) or index.name != bind.name or not isinstance(bind.within, Range):
        return None
    ends = (context.form(bind.within.lo), context.form(bind.within.hi))
    return Cells(field.name, update, context, ends, bind.name)


def holds_everywhere(context: Context, fold: Fold) -> Whys | None:
    """Whether an `all(… for r in …)` holds after the move that `context.after` tells of."""
    if len(fold.tail.binds) != 1:
        return holds(context.enter(fold.tail), fold.item)
    (bind,) = fold.tail.binds
    generic = context.enter(fold.tail)
    touched = _touched(generic, fold.item)
    if not touched or len({cells.name for cells, _ in touched}) > 1 or len(touched) > MAX_INDICES:
        return holds(generic, fold.item)
    cells = touched[0][0]
    recall(generic, generic.names[bind.name])
    if cells.bound is not None:
        return _regions(generic, fold.item, cells, [index for _, index in touched])
    found: list[Whys | None] = []
    own = generic.names[bind.name]
    for _, index in touched:
        shift = index - own
        if shift.atoms & own.atoms:
            return None
        found.append(_where_met(context, fold.tail, bind, fold.item, cells.ends[0] - shift))
    elsewhere = generic.child()
    elsewhere.apart = {*generic.apart, *((cells.name, index.key) for _, index in touched)}
    return all_of([*found, holds(elsewhere, fold.item)])


def _touched(context: Context, item: Expr) -> list[tuple[Cells, Form]]:
    """The cells of changed arrays that a condition reads."""
    found: dict[object, tuple[Cells, Form]] = {}
    for part in within(item, context.world.game.lets):
        match part:
            case Index(base=StateRef(name=name), indices=(index,)):
                cells = context.after.get(name)
                if isinstance(cells, Cells):
                    form = context.form(index)
                    found[name, form.key] = (cells, form)
    return list(found.values())


def _where_met(context: Context, tail: Tail, bind: Bind, item: Expr, meeting: Form) -> Whys | None:
    """Whether the condition holds where an index of it is the cell that was set."""
    met = context.child()
    met.learn_member(meeting, bind.within, "")
    met.names[bind.name] = meeting
    if tail.condition is not None:
        met.assume(tail.condition)
    recall(met, meeting)
    return holds(met, item)


def _regions(generic: Context, item: Expr, cells: Cells, indices: list[Form]) -> Whys | None:
    """Whether the condition holds with every index before, inside and behind the range of cells that was set."""
    lo, hi = cells.ends
    found: list[Whys | None] = []
    for places in product(("before", "inside", "behind"), repeat=len(indices)):
        case = generic.child()
        known = len(case.facts)
        for place, index in zip(places, indices, strict=True):
            if place == "before":
                case.learn((lo - index).plus(-1), "")
            elif place == "behind":
                case.learn((index - hi).plus(-1), "")
            else:
                case.learn(index - lo, "")
                case.learn(hi - index, "")
        if case.void or any(case.prove((-fact.form).plus(-1), 0) is not None for fact in case.facts[known:]):
            continue
        found.append(holds(case, item))
    return all_of(found)


def recall(context: Context, place: Form) -> None:
    """Learns what held of all values before the move, at one of them."""
    for tail, item, names in context.universals:
        (bind,) = tail.binds
        old = context.child()
        old.after = {}
        old.names = {**names, bind.name: place}
        if contains(old, bind.within, place) is None:
            continue
        if tail.condition is not None and holds(old, tail.condition) is None:
            continue
        old.assume(item)
        context.take_over(old)
