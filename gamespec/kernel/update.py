"""What the updates of a move make of the state fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from gamespec.game import model
from gamespec.game.model import Game
from gamespec.game.total import Proofs
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, Words, add, binary, both, cast, compare, const, shl, sub, wider, word_type
from gamespec.kernel.express import CannotLower, Lowering
from gamespec.kernel.shape import Shape
from gamespec.kernel.sort import is_ordered, sorted_word
from gamespec.source import Span
from gamespec.types import BoolType, IntType, NamesType, element_bounds

Obligation = tuple[str, Span]  # a kind of proof and the place it is about


class Updates:
    """Writes new values of state fields into a kernel, with the tests that were not proved needless."""

    def __init__(self, builder: Builder, game: Game, proofs: Proofs, shapes: Mapping[str, Shape]) -> None:
        self.b = builder
        self.game = game
        self.proofs = proofs
        self.shapes = shapes

    def updated(self, k: Lowering, position: Words, move: model.Move, updates: tuple[model.Update, ...]) -> Words:
        """The position after all updates; every right side reads the old one."""
        result = dict(position)
        for name in dict.fromkeys(update.field for update in updates):
            own = [update for update in updates if update.field == name]
            shape = self.shapes[name]
            if shape.kind == "array" and all(update.indices is not None for update in own):
                result[name] = self._with_cells(k, shape, position[name], move, own)
                if is_ordered(self.game.state(name)):
                    result[name] = sorted_word(k, self.game.state(name), result[name])
            else:
                result[name] = self._whole(k, self.game.state(name), position[name], own)
        return result

    def _whole(self, k: Lowering, field: model.Field, old: ir.Expr, updates: list[model.Update]) -> ir.Expr:
        """A number, name, bool or set with a new value."""
        shape = self.shapes[field.name]
        if shape.kind == "array":
            return self._replaced(k, field, old, updates[0])
        if len(updates) == 1 and updates[0].op == "=" and updates[0].tail is None:
            return self.stored(k, field, updates[0].value, ("range", updates[0].span))
        if shape.kind == "set":
            return self._new_set(k, shape, old, updates)
        wide = self._wide_enough(field, updates)
        total = self.b.local(field.name, cast(old, wide))
        for update in updates:
            self._tailed(k, update, partial(self._accumulate, k, total, update))
        return self._narrowed(field, total, ("range", updates[-1].span), all(self.proved(u) for u in updates))

    def _replaced(self, k: Lowering, field: model.Field, old: ir.Expr, update: model.Update) -> ir.Expr:
        """A whole array that becomes another one, perhaps under a condition."""
        if update.tail is None:
            return self._copied(k, field, update.value, ("range", update.span))
        new = self.b.local(field.name, old)

        def change() -> None:
            self.b.assign(new, self._copied(k, field, update.value, ("range", update.span)))

        self._tailed(k, update, change)
        return new

    def _wide_enough(self, field: model.Field, updates: list[model.Update]) -> ir.Type:
        wide = self.shapes[field.name].type
        for update in updates:
            if isinstance(update.value.type, IntType):
                wide = wider(wide, _one_wider(update.value.type.bounds.hull(element_bounds(field.type)).size))
            if update.tail is not None:
                wide = wider(wide, ir.I64)
        return wide

    def _accumulate(self, k: Lowering, total: ir.Var, update: model.Update) -> None:
        value = cast(k.value(update.value), total.type)
        match update.op:
            case "=":
                self.b.assign(total, value)
            case "+=":
                self.b.assign(total, add(total, value))
            case "-=":
                self.b.assign(total, sub(total, value))
            case op:
                raise CannotLower(f"`{op}` needs a set", update.span)

    def _new_set(self, k: Lowering, shape: Shape, old: ir.Expr, updates: list[model.Update]) -> ir.Expr:
        new = self.b.local(shape.name, old)
        for update in updates:

            def change(update: model.Update = update) -> None:
                if update.op not in ("-=", "&=") and not self.proved(update):
                    self._check_elements(k, shape, update)
                other = k.sets.word_in(update.value, shape.bounds)
                if update.op == "=":
                    self.b.assign(new, other)
                else:
                    name = {"|=": "or", "+=": "or", "-=": "andnot", "&=": "and"}[update.op]
                    self.b.assign(new, binary(name, new, other, new.type))

            self._tailed(k, update, change)
        return self._trimmed(shape, new)

    def _check_elements(self, k: Lowering, shape: Shape, update: model.Update) -> None:
        if shape.bounds.covers(k.sets.universe(update.value)):
            return

        def look(element: ir.Expr) -> None:
            element = self.b.simple("element", element)
            inside = both(
                compare("ge", element, const(shape.bounds.lo)), compare("le", element, const(shape.bounds.hi))
            )
            self.b.fault_unless(inside, "range", update.span)

        k.sets.each(update.value, look)

    def _trimmed(self, shape: Shape, word: ir.Expr) -> ir.Expr:
        """The word without bits above the universe, which a set moved from another universe may have."""
        if shape.bounds.size == word.type.bits:
            return word
        return self.b.local(shape.name, binary("and", word, const((1 << shape.bounds.size) - 1, word.type), word.type))

    def _tailed(self, k: Lowering, update: model.Update, inner: Callable[[], None]) -> None:
        if update.tail is None:
            inner()
        else:
            k.sets.tail(update.tail, inner)

    def _with_cells(
        self, k: Lowering, shape: Shape, old: ir.Expr, move: model.Move, updates: list[model.Update]
    ) -> ir.Expr:
        """An array with some cells changed. Where it is not proved that no cell is set twice, a word notes them."""
        field = self.game.state(shape.name)
        new = self.b.local(shape.name, old)
        touched = None
        if self.proofs.reason("clash", move.span) is None and (len(updates) > 1 or updates[0].tail is not None):
            of = word_type(shape.cells)
            touched = (self.b.local("set", const(0, of)), self.b.local("changed", const(0, of)))
        for update in updates:

            def change(update: model.Update = update) -> None:
                assert update.indices is not None
                proved = self.proved(update)
                place = self.b.simple("place", k.place_of(update.indices, field.dims, ("range", update.span), proved))
                if touched is not None:
                    self._note_cell(place, update, touched)
                value = k.value(update.value)
                if update.op != "=":
                    present = k.cell(shape, new, place)
                    wide = wider(_one_wider(shape.bounds.hull(element_bounds(update.value.type)).size), value.type)
                    value = binary("add" if update.op == "+=" else "sub", cast(present, wide), cast(value, wide), wide)
                value = self.b.simple("value", value)
                if not proved and value.type != ir.I1 and field.lo is not None and field.hi is not None:
                    fits = both(compare("ge", value, k.value(field.lo)), compare("le", value, k.value(field.hi)))
                    self.b.fault_unless(fits, "range", update.span)
                self.b.assign(new, k.with_cell(shape, new, place, value))

            self._tailed(k, update, change)
        return new

    def _note_cell(self, place: ir.Expr, update: model.Update, touched: tuple[ir.Var, ir.Var]) -> None:
        """Faults where a cell that was set is changed again, or one that was changed is set."""
        once, ever = touched
        bit = self.b.local("bit", shl(const(1, once.type), cast(place, once.type)))
        seen = binary("and", ever if update.op == "=" else once, bit, once.type)
        self.b.fault_unless(compare("eq", seen, const(0, once.type)), "clash", update.span)
        self.b.assign(ever, binary("or", ever, bit, once.type))
        if update.op == "=":
            self.b.assign(once, binary("or", once, bit, once.type))

    def proved(self, update: model.Update) -> bool:
        return self.proofs.reason("range", update.span) is not None

    def stored(self, k: Lowering, field: model.Field, value: model.Expr, place: Obligation) -> ir.Expr:
        """A value as the word of a field, inside the field's hull."""
        shape = self.shapes[field.name]
        kind, span = place
        proved = self.proofs.reason(kind, span) is not None
        if shape.kind == "set":
            word = self.b.local(field.name, k.sets.word_in(value, shape.bounds))
            if not proved and not shape.bounds.covers(k.sets.universe(value)):
                as_update = model.Update(field.name, None, "=", value, None, span)
                self._check_elements(k, shape, as_update)
            return self._trimmed(shape, word)
        if shape.kind == "array":
            return self._copied(k, field, value, place)
        return self._narrowed(field, k.value(value), place, proved)

    def _copied(self, k: Lowering, field: model.Field, value: model.Expr, place: Obligation) -> ir.Expr:
        """A whole array, which is that of another field with as many cells of the same kind."""
        shape = self.shapes[field.name]
        if not isinstance(value, model.StateRef) or replace(self.shapes[value.name], name=field.name) != shape:
            raise CannotLower("an array as a whole can only be copied from an array of the same type", value.span)
        source = self.game.state(value.name)
        if source.name != field.name:
            here, there = k.count(field), k.count(source)
            if here != there:
                self.b.fault_unless(compare("eq", here, there), *place)
        if is_ordered(field) and not is_ordered(source):
            return sorted_word(k, field, k.names[source.name])
        return k.names[source.name]

    def _narrowed(self, field: model.Field, value: ir.Expr, place: Obligation, proved: bool) -> ir.Expr:
        """A number as the scalar of its field; the hull is tested unless proved."""
        shape = self.shapes[field.name]
        if isinstance(field.type, BoolType | NamesType) or value.type == ir.I1:
            return self.b.simple(field.name, value)
        value = self.b.simple(field.name, value)
        if not proved:
            hull = both(compare("ge", value, _number(shape.bounds.lo)), compare("le", value, _number(shape.bounds.hi)))
            kind, span = place
            self.b.fault_unless(hull, kind, span)
        return self.b.simple(field.name, cast(value, shape.type))


def _one_wider(size: int) -> ir.Type:
    return ir.I32 if size < 1 << 30 else ir.I64 if size < 1 << 62 else ir.I128


def _number(value: int) -> ir.Const:
    return const(
        value, ir.I32 if -(1 << 31) <= value < 1 << 31 else ir.I64 if -(1 << 63) <= value < 1 << 63 else ir.I128
    )
