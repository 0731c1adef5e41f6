"""What one move, or one part that it leaves, does to each state field."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import msgspec

from gamespec.game.context import Context
from gamespec.game.form import ZERO, Form, number
from gamespec.game.holds import contains, excludes, holds, subset
from gamespec.game.legal import move_context, playing_context, position_context
from gamespec.game.linear import Whys
from gamespec.game.model import Binary, Do, Expr, Field, Index, Reach, SetOf, StateRef, Tail, Update
from gamespec.game.world import World, element_type
from gamespec.source import Span
from gamespec.types import ArrayType, SetType, is_scalar

MAX_INSTANCES = 12  # bindings of a tail that are tried as witness


class Outcome(msgspec.Struct, frozen=True, eq=False):
    """A move's effect on one component: what is known there, and the updates of each field.

    A part of `into` sets every field to its argument. `answers` keeps what was asked of `Change` before.
    """

    name: str
    context: Context
    changes: dict[str, tuple[Update, ...]]
    span: Span
    part: bool = False
    answers: dict[tuple[str, int, bool], Whys | None] = msgspec.field(default_factory=dict)


def outcomes(world: World) -> list[Outcome]:
    """All effects of all moves. A move into nothing has none."""
    playing = playing_context(world, position_context(world))
    found = []
    for move in world.game.moves:
        context = move_context(playing, move)
        if isinstance(move.effect, Do):
            changes: dict[str, tuple[Update, ...]] = {}
            for update in move.effect.updates:
                changes[update.field] = (*changes.get(update.field, ()), update)
            found.append(Outcome(move.name, context, changes, _place(changes, move.span)))
            continue
        for part in move.effect.parts:
            inner = context.enter(part.tail)
            pairs = zip(world.game.states, part.args, strict=False)
            values: dict[str, tuple[Update, ...]] = {
                field.name: (Update(field.name, None, "=", arg, None, part.span),) for field, arg in pairs
            }
            found.append(Outcome(move.name, inner, values, part.span, True))
    return found


def _place(changes: dict[str, tuple[Update, ...]], default: Span) -> Span:
    updates = [update for several in changes.values() for update in several]
    return updates[0].span.to(updates[-1].span) if updates and updates[0].span.end else default


class Change:
    """How an outcome changes one field, seen in one direction: +1 asks whether it falls, −1 whether it rises."""

    def __init__(self, outcome: Outcome, field: Field, direction: int) -> None:
        self.context = outcome.context
        self.field = field
        self.direction = direction
        self.answers = outcome.answers
        self.updates = outcome.changes.get(field.name, ())

    def amount(self) -> Form | None:
        """By how much a scalar field goes in the direction; a lower bound for the size of a set or the sum of an
        array; None where nothing is known."""
        if not self.updates:
            return ZERO
        if is_scalar(self.field.type):
            change = scalar_change(self.context, self.field, self.updates)
            return None if change is None else change.times(-self.direction)
        if isinstance(self.field.type, SetType):
            return self._size_change()
        if isinstance(self.field.type, ArrayType):
            if any(update.tail for update in self.updates):
                return number(1) if self.strict() is not None else ZERO if self.weak() is not None else None
            cells = [self._cell_change(update, self.context) for update in self.updates]
            return None if None in cells else sum((c for c in cells if c), ZERO)
        return None

    def weak(self) -> Whys | None:
        """Reasons why the field never goes against the direction."""
        if not self.updates:
            return ()
        opposite = self.answers.get((self.field.name, -self.direction, True))
        if opposite is not None and not self.context.void:
            return None
        return self._answer(strict=False)

    def everywhere(self) -> Whys | None:
        """Reasons why the field never goes against the direction, an array in none of its cells: as a number of mixed
        radix it may go down although cells behind the one that decides go up."""
        if not self.updates or not isinstance(self.field.type, ArrayType):
            return self.weak()
        return self._cells_weak()

    def strict(self) -> Whys | None:
        """Reasons why the field always goes in the direction; sets as bit masks, arrays as mixed radix."""
        if not self.updates:
            return None
        return self._answer(strict=True)

    def _answer(self, *, strict: bool) -> Whys | None:
        key = (self.field.name, self.direction, strict)
        if key not in self.answers:
            self.answers[key] = self._found(strict=strict)
        return self.answers[key]

    def _found(self, *, strict: bool) -> Whys | None:
        if is_scalar(self.field.type):
            amount = self.amount()
            return None if amount is None else self.context.prove(amount.plus(-int(strict)))
        if isinstance(self.field.type, SetType):
            return self._set(strict=strict)
        return self._array(strict=strict)

    # --- sets ----------------------------------------------------------------------------------------------

    def _pieces(self) -> tuple[list[tuple[Expr, Tail | None]], list[Expr], list[tuple[Expr, Tail | None]]] | None:
        """What the updates take away, what they cut down to, and what they add after that."""
        removed: list[tuple[Expr, Tail | None]] = []
        kept: list[Expr] = []
        added: list[tuple[Expr, Tail | None]] = []
        for update in self.updates:
            match update.op:
                case "-=" if not added:
                    removed.append((update.value, update.tail))
                case "&=" if not added and update.tail is None:
                    kept.append(update.value)
                case "|=" | "+=":
                    added.append((update.value, update.tail))
                case "=" if len(self.updates) == 1 and update.tail is None:
                    return self._taken_apart(update.value)
                case _:
                    return None
        if len(self.updates) > 1 and added and (removed or kept):
            return None
        return removed, kept, added

    def _taken_apart(
        self, value: Expr
    ) -> tuple[list[tuple[Expr, Tail | None]], list[Expr], list[tuple[Expr, Tail | None]]] | None:
        match value:
            case StateRef(name=name) if name == self.field.name:
                return [], [], []
            case Binary(op="-" | "&" | "|" as op, left=left, right=right):
                inner = self._taken_apart(left)
                if inner is None or (op != "|" and inner[2]):
                    return None
                removed, kept, added = inner
                match op:
                    case "-":
                        removed = [*removed, (right, None)]
                    case "&":
                        kept = [*kept, right]
                    case _:
                        added = [*added, (right, None)]
                return removed, kept, added
            case Reach(within=around):
                inner = self._taken_apart(around)
                return None if inner is None or inner[2] else (inner[0], [*inner[1], value], [])
            case _:
                return None

    def _set(self, *, strict: bool) -> Whys | None:
        flipped = self._flipped()
        if flipped is not None:
            return self._turned(flipped)
        pieces = self._pieces()
        if pieces is None:
            return None
        removed, kept, added = pieces
        if not strict:
            against = added if self.direction > 0 else [*removed, *((k, None) for k in kept)]
            if not against:
                return ("only elements are taken away" if self.direction > 0 else "only elements are added",)
            return self._set(strict=True)
        if self.direction > 0:
            return self._lost_element(removed, kept, added)
        return self._won_element(removed, kept, added)

    def _flipped(self) -> Expr | None:
        """The T of `S = S xor T`."""
        if len(self.updates) == 1:
            match self.updates[0]:
                case Update(op="=", tail=None, value=Binary(op="xor", left=StateRef(name=name), right=right)):
                    return right if name == self.field.name else None
        return None

    def _turned(self, flipped: Expr) -> Whys | None:
        """The largest element that is turned over was in the set (falling), or was not (rising)."""
        context = self.context
        own = StateRef(name=self.field.name, type=self.field.type)
        candidates = [form for form, _ in (context.members if self.direction > 0 else context.outside)]
        if isinstance(flipped, SetOf):
            candidates += [context.form(item) for item in flipped.items[:MAX_INSTANCES]]
        ask = contains if self.direction > 0 else excludes
        for form in candidates[:MAX_INSTANCES]:
            found, there = ask(context, own, form), contains(context, flipped, form)
            if found is not None and there is not None and subset(context, flipped, None, form) is not None:
                return (*found, *there, "the largest element turned over decides")
        return None

    def _lost_element(
        self, removed: list[tuple[Expr, Tail | None]], kept: list[Expr], added: list[tuple[Expr, Tail | None]]
    ) -> Whys | None:
        """An element that goes, above all that come."""
        context = self.context
        own = context.identity(StateRef(name=self.field.name, type=self.field.type))
        for form, where in context.members[:MAX_INSTANCES]:
            if where != own:
                continue
            if any(subset(context.enter(tail), value, None, form.plus(-1)) is None for value, tail in added):
                continue
            for value, tail in removed:
                for inner in instances(context, tail):
                    found = contains(inner, value, form)
                    if found is not None:
                        return (*found, f"an element of {self.field.name} goes")
            for value in kept:
                found = excludes(context, value, form)
                if found is not None:
                    return (*found, f"an element of {self.field.name} goes")
        return None

    def _won_element(
        self, removed: list[tuple[Expr, Tail | None]], kept: list[Expr], added: list[tuple[Expr, Tail | None]]
    ) -> Whys | None:
        """A new element, above all that go."""
        context = self.context
        if kept:
            return None
        own = StateRef(name=self.field.name, type=self.field.type)
        for value, tail in added:
            for inner in instances(context, tail):
                candidates = [form for form, _ in inner.outside[:MAX_INSTANCES]]
                if isinstance(value, SetOf):
                    candidates += [inner.form(item) for item in value.items[:MAX_INSTANCES]]
                for form in candidates:
                    if any(subset(context.enter(t), gone, None, form.plus(-1)) is None for gone, t in removed):
                        continue
                    found, new = contains(inner, value, form), excludes(inner, own, form)
                    if found is not None and new is not None:
                        return (*found, *new, f"{self.field.name} gets a new element")
        return None

    def _size_change(self) -> Form | None:
        pieces = self._pieces()
        if pieces is None:
            return None
        removed, kept, added = pieces
        against = added if self.direction > 0 else removed
        if self.direction < 0 and kept:
            return None
        most = 0
        for value, tail in against:
            if tail is not None or not isinstance(value, SetOf):
                return None
            most += len(value.items)
        if self.direction > 0:
            sure = self._lost_element(removed, kept, []) is not None
        else:
            sure = self._won_element([], kept, added) is not None
        return number(int(sure) - most)

    # --- arrays --------------------------------------------------------------------------------------------

    def _array(self, *, strict: bool) -> Whys | None:
        """All touched cells go in the direction, or lie behind one that does."""
        if isinstance(self.field.type, ArrayType) and not is_scalar(self.field.type.of):
            return None
        if any(update.indices is None for update in self.updates):
            return None
        if not strict and (reasons := self._cells_weak()) is not None:
            return reasons
        ordered = isinstance(self.field.type, ArrayType) and self.field.type.ordered
        for update in self.updates:
            for inner in instances(self.context, update.tail):
                change = self._cell_change(update, inner)
                found = None if change is None else inner.prove(change.plus(-1))
                if found is not None and all(self._harmless(other, update, inner, ordered) for other in self.updates):
                    return found
        return None

    def _cells_weak(self) -> Whys | None:
        reasons = [self._cell_weak(update, self.context.enter(update.tail)) for update in self.updates]
        if any(reason is None for reason in reasons):
            return None
        return tuple(why for reason in reasons if reason for why in reason)

    def _harmless(self, other: Update, first: Update, inner: Context, ordered: bool) -> bool:
        """Whether another update cannot outweigh the one that is sure to go in the direction.

        Cells that go in the direction one by one also do so when they are sorted; one behind another may come before
        it then.
        """
        if other is first and other.tail is None:
            return True
        context = inner.enter(other.tail)
        if self._cell_weak(other, context) is not None:
            return True
        if ordered or not first.indices or not other.indices:
            return False
        return context.prove((context.form(other.indices[0]) - inner.form(first.indices[0])).plus(-1)) is not None

    def _cell_weak(self, update: Update, context: Context) -> Whys | None:
        change = self._cell_change(update, context)
        return None if change is None else context.prove(change)

    def _cell_change(self, update: Update, context: Context) -> Form | None:
        of = element_type(self.field.type)
        if update.indices is None or of is None or not is_scalar(of):
            return None
        old = Index(
            base=StateRef(name=self.field.name, type=self.field.type),
            indices=update.indices,
            dims=self.field.dims,
            type=of,
            span=update.span,
        )
        value = context.form(update.value)
        match update.op:
            case "=":
                change = value - context.form(old)
            case "+=":
                change = value
            case "-=":
                change = -value
            case _:
                return None
        return change.times(-self.direction)


def scalar_change(context: Context, field: Field, updates: tuple[Update, ...]) -> Form | None:
    """New value minus old value of a number, a truth or a name."""
    total = ZERO
    for update in updates:
        if update.tail is not None or update.indices is not None:
            return None
        value = context.form(update.value)
        match update.op:
            case "=" if len(updates) == 1:
                total = value - context.form(StateRef(name=field.name, type=field.type))
            case "+=":
                total = total + value
            case "-=":
                total = total - value
            case _:
                return None
    return total


def instances(context: Context, tail: Tail | None) -> Iterator[Context]:
    """Contexts in which the names of a tail stand for numbers that are sure to be among its values."""
    if tail is None:
        yield context
        return
    known = list({form.key: form for form in context.names.values()}.values())
    choices = []
    for bind in tail.binds:
        ends = [getattr(bind.within, end, None) for end in ("lo", "hi")]
        choices.append([*known, *(context.form(end) for end in ends if end is not None)][:MAX_INSTANCES])
    for count, forms in enumerate(product(*choices)):
        if count >= MAX_INSTANCES:
            return
        inner = context.child()
        fits = True
        for bind, form in zip(tail.binds, forms, strict=True):
            fits = fits and contains(inner, bind.within, form) is not None
            inner.names[bind.name] = form
        if fits and (tail.condition is None or holds(inner, tail.condition) is not None):
            yield inner
