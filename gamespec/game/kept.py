"""What every move must keep: the declared bounds, every `require`, and that no cell is set twice."""

from __future__ import annotations

from typing import NamedTuple

from gamespec.game.cells import cells_after
from gamespec.game.context import Context
from gamespec.game.expression import After, SetAfter
from gamespec.game.form import Form, atom
from gamespec.game.holds import all_of, different, different_in_all_cases, holds, subset
from gamespec.game.linear import Whys
from gamespec.game.model import Binary, Do, Expr, Field, Index, Into, Move, Part, StateRef, Update
from gamespec.game.partial import Ledger, Walk, within_dims
from gamespec.game.walk import names_read
from gamespec.game.world import World, element_type, scalar_bounds
from gamespec.source import Span
from gamespec.types import ArrayType, IntType, ListType, SetType, is_scalar


class Total(NamedTuple):
    """Whether the bounds of all fields have values at every position, and the requirements that may have none."""

    bounds: bool
    partial: list[Expr]


class Kept:
    """Notes what each move keeps, with what is known where it is made."""

    def __init__(self, world: World, ledger: Ledger, walk: Walk, total: Total) -> None:
        self.world = world
        self.states = world.game.states
        self.ledger = ledger
        self.walk = walk
        self.total = total

    def note(self, kind: str, span: Span, found: Whys | None) -> None:
        """Notes what is kept. Where bounds may have no value after a move, they are always tested."""
        bounds = kind in {"range", "depend", "part"}
        self.ledger.note(kind, span, found if self.total.bounds or not bounds else None)

    def move(self, move: Move, context: Context) -> None:
        match move.effect:
            case Do(updates=updates, gain=gain):
                if gain is not None:
                    self.walk.expr(gain, context)
                self._do(move, updates, context)
            case Into(parts=parts):
                kept: list[Whys | None] = []
                for part in parts:
                    inner = self.walk.tail(part.tail, context)
                    self.walk.all(part.args, inner)
                    after: After = {
                        field.name: _new(inner, field, arg) for field, arg in zip(self.states, part.args, strict=True)
                    }
                    self._part(part, inner, after)
                    kept.append(self._requires(inner, after))
                self.note("require", move.span, all_of(kept))

    def _part(self, part: Part, context: Context, after: After) -> None:
        there = context.moved(after)
        found = []
        for field, arg in zip(self.states, part.args, strict=True):
            if is_scalar(field.type):
                found.append(_inside(there, field, there.after[field.name]))
            elif isinstance(field.type, SetType):
                found.append(_elements_inside(context, there, field, arg))
            else:
                found.append(() if _same_field(arg, field) and not self._depends(field, set(after)) else None)
        self.note("part", part.span, all_of(found))

    # --- updates -------------------------------------------------------------------------------------------

    def _do(self, move: Move, updates: tuple[Update, ...], context: Context) -> None:
        contexts = []
        for update in updates:
            inner = self.walk.tail(update.tail, context)
            self.walk.all((*(update.indices or ()), update.value), inner)
            contexts.append(inner)
        of: dict[str, list[tuple[Update, Context]]] = {}
        for update, inner in zip(updates, contexts, strict=True):
            of.setdefault(update.field, []).append((update, inner))
        after = self._after(context, of)
        apart = {name: self._apart(several) for name, several in of.items()}
        for name, several in of.items():
            field = self.world.fields[name]
            for update, inner in several:
                alone = len(several) == 1 or apart[name] is not None
                self.note("range", update.span, self._range(field, update, inner, after, alone))
        # Cells that a move does not set stay as they are, like fields that it does not set.
        some = {name for name, several in of.items() if any(update.indices is not None for update, _ in several)}
        left = [field for field in self.states if field.name not in of or field.name in some]
        found = [self._undisturbed(context, field, after) for field in left]
        self.note("depend", move.span, all_of(found))
        self.note("require", move.span, self._requires(context, after))
        self.note("clash", move.span, all_of(list(apart.values())))

    def _after(self, context: Context, of: dict[str, list[tuple[Update, Context]]]) -> After:
        """New values of the fields that a move sets."""
        after: After = {}
        for name, several in of.items():
            field = self.world.fields[name]
            total: Form | None = context.form(StateRef(name=name, type=field.type)) if is_scalar(field.type) else None
            for update, inner in several:
                if total is None or update.tail is not None or update.indices is not None:
                    total = None
                    break
                value = inner.form(update.value)
                match update.op:
                    case "=":
                        total = value if len(several) == 1 else None
                    case "+=":
                        total = total + value
                    case "-=":
                        total = total - value
                    case _:
                        total = None
            cells = None
            if len(several) == 1 and several[0][0].indices is not None:
                cells = cells_after(field, several[0][0], several[0][1])
            after[name] = total or cells or _set_after(field, several) or _unknown(context)
        return after

    def _range(self, field: Field, update: Update, inner: Context, after: After, alone: bool) -> Whys | None:
        """Why what an update leaves lies in the field's exact bounds, and its index in the array."""
        there = inner.moved(after)
        if update.indices is not None:
            inside = within_dims(inner, update.indices, field.dims)
            return all_of([inside, self._cell(field, update, inner, there, alone)])
        if isinstance(field.type, SetType):
            if update.op in {"-=", "&="}:
                unmoved = not self._depends(field, set(after))
                return ("no element is added",) if unmoved else _elements_inside(inner, there, field, None)
            return _elements_inside(inner, there, field, update.value, added=update.op != "=")
        if is_scalar(field.type):
            return _inside(there, field, after[field.name])
        return self._whole_array(field, update, inner, there)

    def _cell(self, field: Field, update: Update, inner: Context, there: Context, alone: bool) -> Whys | None:
        of = element_type(field.type)
        if not isinstance(of, IntType):
            return () if of is not None and is_scalar(of) else None
        value = inner.form(update.value)
        if update.op != "=":
            repeats = update.tail is not None and _one_cell_each(update, inner) is None
            if not alone or repeats or update.indices is None:
                return None
            base = StateRef(name=field.name, type=field.type)
            cell = Index(base=base, indices=update.indices, dims=field.dims, type=of)
            value = inner.form(cell) + (value if update.op == "+=" else -value)
        return _inside(there, field, value)

    def _whole_array(self, field: Field, update: Update, inner: Context, there: Context) -> Whys | None:
        """One value for every cell of an array whose shape stays."""
        if update.op != "=" or self._shape_depends(field, set(there.after)):
            return None
        if is_scalar(update.value.type):
            of = element_type(field.type)
            return _inside(there, field, inner.form(update.value)) if isinstance(of, IntType) else ()
        return () if _same_field(update.value, field) and not self._depends(field, set(there.after)) else None

    # --- what stays ----------------------------------------------------------------------------------------

    def _undisturbed(self, context: Context, field: Field, after: After) -> Whys | None:
        """Why a field that is not set still lies within bounds that mention fields that are."""
        if not self._depends(field, set(after)):
            return ()
        there = context.moved(after)
        if isinstance(field.type, SetType):
            return _elements_inside(context, there, field, None)
        if isinstance(field.type, ArrayType):
            if self._shape_depends(field, set(after)) or not is_scalar(field.type.of):
                return None
            inner = context.child()
            cell = atom(inner.atoms.fresh(scalar_bounds(field.type.of)))
            if field.lo is not None and field.hi is not None:
                inner.learn(cell - context.form(field.lo), "")
                inner.learn(context.form(field.hi) - cell, "")
            return _inside(inner.moved(after), field, cell)
        return _inside(there, field, context.form(StateRef(name=field.name, type=field.type)))

    def _requires(self, context: Context, after: After) -> Whys | None:
        """Why every `require` holds after a move."""
        found: list[Whys | None] = []
        changed = {name for name, new in after.items() if not _stays(context, self.world.fields[name], new)}
        for condition in self.world.game.requires:
            if names_read(condition, self.world.game.lets) & changed:
                partial = condition in self.total.partial
                found.append(None if partial else holds(context.moved(after), condition))
        return all_of(found)

    def _depends(self, field: Field, names: set[str]) -> bool:
        ends = [end for end in (field.lo, field.hi) if end is not None]
        used = {name for end in ends for name in names_read(end, self.world.game.lets)}
        return bool(used & names) or self._shape_depends(field, names)

    def _shape_depends(self, field: Field, names: set[str]) -> bool:
        used = {name for pair in field.dims for end in pair for name in names_read(end, self.world.game.lets)}
        return bool(used & names)

    # --- cells set twice -----------------------------------------------------------------------------------

    def _apart(self, several: list[tuple[Update, Context]]) -> Whys | None:
        """Why no two updates of a field touch one cell."""
        found: list[Whys | None] = []
        for update, inner in several:
            if update.tail is not None:
                found.append(_one_cell_each(update, inner))
        for place, (first, inner) in enumerate(several):
            for second, _ in several[place + 1 :]:
                found.append(_different_cells(first, second, inner))
        if all(update.op != "=" for update, _ in several) and all(update.indices is None for update, _ in several):
            return ()  # changes of a whole field add up
        return all_of(found)


def _different_cells(first: Update, second: Update, inner: Context) -> Whys | None:
    if first.indices is None or second.indices is None:
        return None
    both = inner.enter(second.tail)
    for one, other in zip(first.indices, second.indices, strict=True):
        found = different(both, inner.form(one), both.form(other))
        if found is not None:
            return found
    # Cells that hold different values are different cells.
    left = inner.cell(first.field, tuple(map(inner.form, first.indices)))
    right = both.cell(second.field, tuple(map(both.form, second.indices)))
    found = different_in_all_cases(both, left, right)
    return None if found is None else ("the cells hold different values before", *found)


def _one_cell_each(update: Update, inner: Context) -> Whys | None:
    """Why different values of a tail's names give different cells: one index moves with each name alone.

    Atoms that depend on a bound name are younger than the atom of the name.
    """
    if update.indices is None or update.tail is None:
        return None
    if not update.tail.binds:
        return ()
    owns = [inner.names[bind.name].atom for bind in update.tail.binds]
    if any(isinstance(bind.within.type, ListType) for bind in update.tail.binds):
        return None
    forms = [inner.form(index) for index in update.indices]
    oldest = min(own for own in owns if own is not None)
    for own in owns:
        if not any(
            own is not None
            and (own,) in form.terms
            and all(atom < oldest for atom in form.atoms - {own})
            and sum(own in monomial for monomial in form.terms) == 1
            for form in forms
        ):
            return None
    return ()


# --- bounds ------------------------------------------------------------------------------------------------


def _new(context: Context, field: Field, arg: Expr) -> Form | int:
    return context.form(arg) if is_scalar(field.type) else _unknown(context)


def _set_after(field: Field, several: list[tuple[Update, Context]]) -> SetAfter | None:
    """What updates of a whole set make of it, one after another."""
    if not isinstance(field.type, SetType) or any(update.tail is not None for update, _ in several):
        return None
    value: Expr = StateRef(name=field.name, type=field.type)
    for update, _ in several:
        if not isinstance(update.value.type, SetType):
            return None
        if update.op == "=":
            value = update.value
        else:
            value = Binary(op=update.op[0], left=value, right=update.value, type=field.type)
    return SetAfter(value, several[0][1])


def _unknown(context: Context) -> int:
    """A value of which nothing is known."""
    return context.atoms.intern(("after", object()))[0]


def _stays(context: Context, field: Field, new: object) -> bool:
    return isinstance(new, Form) and new.key == context.form(StateRef(name=field.name, type=field.type)).key


def _inside(there: Context, field: Field, value: object) -> Whys | None:
    """Why a number lies in the exact bounds of a field as they are after the move."""
    if field.lo is None or field.hi is None:
        return ()
    if not isinstance(value, Form):
        return None
    return all_of([there.prove(value - there.form(field.lo)), there.prove(there.form(field.hi) - value)])


def _elements_inside(
    context: Context, there: Context, field: Field, value: Expr | None, added: bool = False
) -> Whys | None:
    """Why the elements of a set (None: those that the field had) lie in the exact bounds after the move."""
    if field.lo is None or field.hi is None:
        return ()
    lo, hi = there.form(field.lo), there.form(field.hi)
    own = StateRef(name=field.name, type=field.type)
    found = [subset(context, own if value is None else value, lo, hi)]
    if added:
        found.append(subset(context, own, lo, hi))
    return all_of(found)


def _same_field(expr: Expr, field: Field) -> bool:
    return isinstance(expr, StateRef) and expr.name == field.name
