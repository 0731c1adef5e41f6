"""The rules of a game in kernels: where a position ends, and what every move leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import msgspec

from gamespec.game import model
from gamespec.game.model import Game
from gamespec.game.total import Proofs
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    Builder,
    add,
    binary,
    both,
    cast,
    compare,
    const,
    either,
    negate,
    shl,
    sub,
    wider,
    word_type,
)
from gamespec.kernel.express import CannotLower, Lowering
from gamespec.kernel.shape import Shape
from gamespec.kernel.turn import keeps_turn, outcome_of
from gamespec.source import Span
from gamespec.types import BoolType, IntType, NamesType, element_bounds

Words = dict[str, ir.Expr]  # the state fields of a position
Obligation = tuple[str, Span]  # a kind of proof and the place it is about


class Option(msgspec.Struct, frozen=True):
    """What one move leaves: the position of a `do`, or of an `into` any number of positions.

    `each_result(body)` writes `body` for each of them; `loops` says that some are written in loops (`for`).
    `gain` (i64) adds to the score of the player who moves, None for nothing. `keeps_turn` (i1) tells that the same
    player moves next: the constant FALSE where that cannot be, as in impartial games.
    """

    move: int
    choices: tuple[ir.Expr, ...]
    each_result: Callable[[Callable[[Words], None]], None]
    done: Words | None = None
    loops: bool = False
    gain: ir.Expr | None = None
    keeps_turn: ir.Expr = FALSE

    @property
    def result(self) -> Words:
        """The only position that the move leaves, in games without `into`."""
        assert self.done is not None
        return self.done


class Rules:
    """Writes the rules of a game into a kernel, at a position given as words."""

    def __init__(
        self, builder: Builder, game: Game, proofs: Proofs, shapes: Mapping[str, Shape], givens: Mapping[str, ir.Expr]
    ) -> None:
        self.b = builder
        self.game = game
        self.proofs = proofs
        self.shapes = shapes
        self.givens = dict(givens)

    def at(self, position: Words) -> Lowering:
        """The lowering of expressions at a position."""
        names: dict[str, ir.Expr] = {**self.givens, **position}
        return Lowering(
            self.b,
            self.game,
            self.proofs,
            self.shapes,
            names,
            stuck=lambda: negate(self._can_move(position)),
            place=tuple(position.items()),
        )

    def _can_move(self, position: Words) -> ir.Expr:
        found = self.b.local("can_move", FALSE)
        with self.b.labelled("moves") as label:

            def note(option: Option) -> None:
                self.b.assign(found, TRUE)
                self.b.breaks(label)

            self.each_option(position, note, checked=False)
        return found

    # --- the end -------------------------------------------------------------------------------------------

    def terminal(self, position: Words, decided: Callable[[ir.Expr], None]) -> None:
        """Writes, for each condition that ends the game, a test with `decided(outcome)` inside.

        The outcome (u32) is LOST, WON or DRAWN for the player to move, a constant where it does not depend on who
        that is. `decided` must leave the block. What follows runs only where no condition held.
        """
        k = self.at(position)
        for terminal in self.game.terminals:
            with self.b.when(k.value(terminal.condition), terminal.span):
                decided(outcome_of(self.game, terminal.verdict, position))

    # --- positions -----------------------------------------------------------------------------------------

    def is_position(self, position: Words) -> ir.Expr:
        """Whether the exact bounds of all fields and every `require` hold (fields are inside their hulls)."""
        k = self.at(position)
        holds: ir.Expr = TRUE
        for field in self.game.states:
            if self._is_exact(field):
                continue
            holds = self._and(holds, partial(self._inside, k, field, position[field.name]))
        for require in self.game.requires:
            holds = self._and(holds, partial(k.value, require))
        return holds

    def _and(self, first: ir.Expr, second: Callable[[], ir.Expr]) -> ir.Expr:
        """Conjunction whose second part is evaluated only where the first holds."""
        if first == TRUE:
            return second()
        var = self.b.local("holds", first)
        with self.b.when(var):
            self.b.assign(var, second())
        return var

    def _is_exact(self, field: model.Field) -> bool:
        """Whether the exact bounds are the same in every case, so that the hull says all."""
        if field.lo is None or field.hi is None:
            return True
        return isinstance(field.lo, model.Const) and isinstance(field.hi, model.Const)

    def _inside(self, k: Lowering, field: model.Field, value: ir.Expr) -> ir.Expr:
        """Whether a value lies in the exact bounds of its field."""
        if field.lo is None or field.hi is None:
            return TRUE
        lo, hi = k.value(field.lo), k.value(field.hi)
        shape = self.shapes[field.name]
        if shape.kind == "number":
            return both(compare("ge", value, lo), compare("le", value, hi))
        if shape.kind == "set":
            allowed = k.sets.span_word(lo, hi, shape.bounds)
            return compare("eq", binary("andnot", value, allowed, value.type), const(0, value.type))
        inside = self.b.local("inside", TRUE)
        with k.each_index(field.name) as i:
            cell = self.b.simple("cell", k.cell(shape, value, i))
            with self.b.when(either(compare("lt", cell, lo), compare("gt", cell, hi))):
                self.b.assign(inside, FALSE)
        return inside

    # --- moves ---------------------------------------------------------------------------------------------

    def each_option(self, position: Words, body: Callable[[Option], None], checked: bool = True) -> None:
        """Writes all moves of the file in order, with `body` at each result.

        A choice may come more than once where its set does. `checked` writes the tests that a result is a position.
        """
        for number, move in enumerate(self.game.moves):
            with self.b.when(TRUE):
                k = self.at(position)
                self._choose(
                    k,
                    move,
                    0,
                    partial(self._finish, k, position, number, move, body, checked),
                )

    def _choose(self, k: Lowering, move: model.Move, depth: int, inner: Callable[[], None]) -> None:
        def after_guards() -> None:
            if depth == len(move.choices):
                inner()
                return
            bind = move.choices[depth]

            def chosen(element: ir.Expr) -> None:
                with k.bound(bind.name, element):
                    self._choose(k, move, depth + 1, inner)

            k.sets.each(bind.within, chosen)

        self._under(k, move.guards[depth], after_guards)

    def _under(self, k: Lowering, guards: tuple[model.Expr, ...], inner: Callable[[], None]) -> None:
        if not guards:
            inner()
            return
        with self.b.when(k.value(guards[0]), guards[0].span):
            self._under(k, guards[1:], inner)

    def _finish(
        self,
        k: Lowering,
        position: Words,
        number: int,
        move: model.Move,
        body: Callable[[Option], None],
        checked: bool,
    ) -> None:
        choices = tuple(k.names[bind.name] for bind in move.choices)
        if not checked:
            body(Option(number, choices, lambda _: None))
            return
        match move.effect:
            case model.Do(updates, gain):
                result = self._updated(k, position, move, updates)
                self._check_kept(move, updates, result)
                gained = None if gain is None else self.b.simple("gain", cast(k.value(gain), ir.I64))
                keeps = keeps_turn(self.game, move, position, result)
                body(Option(number, choices, lambda look: look(result), result, gain=gained, keeps_turn=keeps))
            case model.Into(parts):
                loops = any(part.tail is not None for part in parts)
                body(Option(number, choices, lambda look: self._each_part(k, move, parts, look), loops=loops))

    def _each_part(
        self, k: Lowering, move: model.Move, parts: tuple[model.Part, ...], look: Callable[[Words], None]
    ) -> None:
        for part in parts:
            if part.tail is None:
                look(self._part(k, move, part))
            else:
                k.sets.tail(part.tail, lambda part=part: look(self._part(k, move, part)))  # type: ignore[misc]

    def _part(self, k: Lowering, move: model.Move, part: model.Part) -> Words:
        words: Words = {}
        for field, arg in zip(self.game.states, part.args, strict=True):
            words[field.name] = self._stored(k, field, arg, ("part", part.span))
        inner = self.at(words)
        if self.proofs.reason("part", part.span) is None:
            for field in self.game.states:
                if not self._is_exact(field):
                    inside = self._inside(inner, field, words[field.name])
                    self.b.fault_unless(inside, "part", part.span)
        if self.proofs.reason("require", move.span) is None:
            for require in self.game.requires:
                self.b.fault_unless(inner.value(require), "require", require.span)
        return words

    def _check_kept(self, move: model.Move, updates: tuple[model.Update, ...], result: Words) -> None:
        """Tests that the exact bounds of all fields and every `require` still hold."""
        k = self.at(result)
        for field in self.game.states:
            own = [update for update in updates if update.field == field.name]
            kind, place = ("range", own[-1].span) if own else ("depend", move.span)
            proved = all(map(self._proved, own))
            if not own or any(update.indices is not None for update in own):  # all, or some cells, stay as they are
                proved = proved and self.proofs.reason("depend", move.span) is not None
            if not proved and not self._is_exact(field):
                self.b.fault_unless(self._inside(k, field, result[field.name]), kind, place)
        if self.proofs.reason("require", move.span) is None:
            for require in self.game.requires:
                self.b.fault_unless(k.value(require), "require", require.span)

    # --- updates -------------------------------------------------------------------------------------------

    def _updated(self, k: Lowering, position: Words, move: model.Move, updates: tuple[model.Update, ...]) -> Words:
        """The position after all updates; every right side reads the old one."""
        result = dict(position)
        for name in dict.fromkeys(update.field for update in updates):
            own = [update for update in updates if update.field == name]
            shape = self.shapes[name]
            if shape.kind == "array" and all(update.indices is not None for update in own):
                result[name] = self._with_cells(k, shape, position[name], move, own)
            else:
                result[name] = self._whole(k, self.game.state(name), position[name], own)
        return result

    def _whole(self, k: Lowering, field: model.Field, old: ir.Expr, updates: list[model.Update]) -> ir.Expr:
        """A number, name, bool or set with a new value."""
        shape = self.shapes[field.name]
        if shape.kind == "array":
            update = updates[0]
            match update.value:
                case model.StateRef(name) if self.shapes[name] == msgspec.structs.replace(shape, name=name):
                    return k.names[name]
            raise CannotLower("an array as a whole can only be copied from an array of the same type", update.span)
        if len(updates) == 1 and updates[0].op == "=" and updates[0].tail is None:
            return self._stored(k, field, updates[0].value, ("range", updates[0].span))
        if shape.kind == "set":
            return self._new_set(k, shape, old, updates)
        wide = self._wide_enough(field, updates)
        total = self.b.local(field.name, cast(old, wide))
        for update in updates:
            self._tailed(k, update, partial(self._accumulate, k, total, update))
        return self._narrowed(field, total, ("range", updates[-1].span), all(self._proved(u) for u in updates))

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
                if update.op not in ("-=", "&=") and not self._proved(update):
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
        first, last = field.dims[0]
        for update in updates:

            def change(update: model.Update = update) -> None:
                assert update.indices is not None
                index = self.b.simple("index", k.value(update.indices[0]))
                proved = self._proved(update)
                if not proved:
                    inside = both(compare("ge", index, k.value(first)), compare("le", index, k.value(last)))
                    self.b.fault_unless(inside, "range", update.span)
                if touched is not None:
                    self._note_cell(shape, index, update, touched)
                value = k.value(update.value)
                if update.op != "=":
                    present = k.cell(shape, new, index)
                    wide = wider(_one_wider(shape.bounds.hull(element_bounds(update.value.type)).size), value.type)
                    value = binary("add" if update.op == "+=" else "sub", cast(present, wide), cast(value, wide), wide)
                value = self.b.simple("value", value)
                if not proved and value.type != ir.I1 and field.lo is not None and field.hi is not None:
                    fits = both(compare("ge", value, k.value(field.lo)), compare("le", value, k.value(field.hi)))
                    self.b.fault_unless(fits, "range", update.span)
                self.b.assign(new, k.with_cell(shape, new, index, value))

            self._tailed(k, update, change)
        return new

    def _note_cell(self, shape: Shape, index: ir.Expr, update: model.Update, touched: tuple[ir.Var, ir.Var]) -> None:
        """Faults where a cell that was set is changed again, or one that was changed is set."""
        once, ever = touched
        bit = self.b.local("bit", shl(const(1, once.type), cast(sub(index, shape.first), once.type)))
        seen = binary("and", ever if update.op == "=" else once, bit, once.type)
        self.b.fault_unless(compare("eq", seen, const(0, once.type)), "clash", update.span)
        self.b.assign(ever, binary("or", ever, bit, once.type))
        if update.op == "=":
            self.b.assign(once, binary("or", once, bit, once.type))

    def _proved(self, update: model.Update) -> bool:
        return self.proofs.reason("range", update.span) is not None

    def _stored(self, k: Lowering, field: model.Field, value: model.Expr, place: Obligation) -> ir.Expr:
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
            match value:
                case model.StateRef(name) if self.shapes[name] == msgspec.structs.replace(shape, name=name):
                    return k.names[name]
            raise CannotLower("an array as a whole can only be copied from an array of the same type", value.span)
        return self._narrowed(field, k.value(value), place, proved)

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
