"""The rules of a game in kernels: where a position ends, and what every move leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from gamespec.game import model
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    Builder,
    Words,
    binary,
    both,
    cast,
    compare,
    const,
    either,
    negate,
)
from gamespec.kernel.shape import Shape
from gamespec.kernel.turn import keeps_turn, outcome_of

if TYPE_CHECKING:
    from gamespec.game.total import Proofs
    from gamespec.kernel.express import Lowering

__all__ = ["Option", "Rules", "Words"]


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
        self,
        builder: Builder,
        game: Game,
        proofs: Proofs,
        shapes: Mapping[str, Shape],
        givens: Mapping[str, ir.Expr],
        left_out: frozenset[str] = frozenset(),
    ) -> None:
        """`left_out` names passes (see `analysis.passes`)."""
        self.b = builder
        self.game = game
        self.proofs = proofs
        self.shapes = shapes
        self.givens = dict(givens)
        self.left_out = left_out
        from gamespec.kernel.update import Updates

        self.updates = Updates(builder, game, proofs, shapes)

    def at(self, position: Words) -> Lowering:
        """The lowering of expressions at a position."""
        from gamespec.kernel.express import Lowering

        names: dict[str, ir.Expr] = {**self.givens, **position}
        return Lowering(
            self.b,
            self.game,
            self.proofs,
            self.shapes,
            names,
            stuck=lambda: negate(self._can_move(position)),
            place=tuple(position.items()),
            left_out=self.left_out,
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
        """Whether the exact bounds of all fields and every `require` hold, and sorted arrays are sorted (fields are
        inside their hulls)."""
        from gamespec.kernel.sort import is_ordered, is_sorted

        k = self.at(position)
        holds: ir.Expr = TRUE
        for field in self.game.states:
            if is_ordered(field):
                holds = self._and(holds, partial(is_sorted, k, field, position[field.name]))
            if not self._is_exact(field):
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
        with k.each_place(field) as place:
            cell = self.b.simple("cell", k.cell(shape, value, place))
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
        k.under(move.guards[depth], partial(self._choose_next, k, move, depth, inner))

    def _choose_next(self, k: Lowering, move: model.Move, depth: int, inner: Callable[[], None]) -> None:
        if depth == len(move.choices):
            inner()
            return
        from gamespec.kernel.sweep import chosen, walk

        for upto in range(len(move.choices), depth, -1):
            if any(move.guards[depth + 1 : upto]):
                continue
            swept = chosen(k, move.choices[depth:upto], move.guards[upto])
            if swept is not None:
                sweep, used = swept
                rest = (*move.guards[upto][:used], *move.guards[upto][used + 1 :])
                then = partial(self._choose_next, k, move, upto, inner)
                walk(k, sweep, partial(k.under, rest, then))
                return
        bind = move.choices[depth]

        def choose(element: ir.Expr) -> None:
            with k.bound(bind.name, element):
                self._choose(k, move, depth + 1, inner)

        k.sets.each(bind.within, choose)

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
                result = self.updates.updated(k, position, move, updates)
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
            words[field.name] = self.updates.stored(k, field, arg, ("part", part.span))
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
            proved = all(map(self.updates.proved, own))
            if not own or any(update.indices is not None for update in own):  # all, or some cells, stay as they are
                proved = proved and self.proofs.reason("depend", move.span) is not None
            if not proved and not self._is_exact(field):
                self.b.fault_unless(self._inside(k, field, result[field.name]), kind, place)
        if self.proofs.reason("require", move.span) is None:
            for require in self.game.requires:
                self.b.fault_unless(k.value(require), "require", require.span)
