"""The kernels of a table: one that fills it, one that lists the options of a position."""

from __future__ import annotations

from functools import reduce

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.passes import PACKED
from gamespec.game.model import Do, Game
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, const, sub
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape, shape_of
from gamespec.kernel.sieve import Sieve
from gamespec.plan.encode import Givens, givens_of, rules
from gamespec.plan.listing import Listing
from gamespec.plan.plan import Ask
from gamespec.plan.space import Space
from gamespec.plan.table.block import blocks_of
from gamespec.plan.table.cells import Recent, cells_of
from gamespec.plan.table.form import sieved, steps
from gamespec.plan.table.push import Push, push_of
from gamespec.plan.table.slide import Slide, slide_of
from gamespec.plan.valuation import Best, Kind, valuation
from gamespec.plan.value import Mex, most_options
from gamespec.plan.watch import TABLE, polled

NAME = "table"

LARGE = 1 << 27  # positions from which memory counts for more than the steps that packing takes


class Table:
    """What the kernels and the solver of one game share."""

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        self.game = game
        self.facts = facts
        self.valuation = valuation(game, facts, ask)
        self.grundy = self.valuation.kind is Kind.GRUNDY
        self.shapes: dict[str, Shape] = {field.name: _wide(shape_of(field)) for field in game.states}
        assert facts.order is not None
        self.space = Space(game, facts, self.shapes, facts.order.fields)
        self.indexing = self.space.indexing
        self.box, self.names = self.space.box, self.space.names
        self.givens: Givens = givens_of(game)
        self.most = most_options(game)
        self.near = self._near()
        self.push = push_of(game, facts, self.valuation) if len(self.near) < len(game.moves) else None
        large = (self.near and self.push is None) or self.space.cells >= LARGE
        self.cells = cells_of(self.valuation, packed=bool(large) and PACKED not in facts.disabled)
        self.sieve = sieved(game, facts) if self.push is None else None
        self.slide: Slide | None = None
        if self.push is None and self.sieve is None:
            self.slide = slide_of(game, facts, self.valuation, self.cells, self.indexing, self.most, self.space.cells)
        single = self.indexing.digits[0] if len(self.indexing.digits) == 1 else None
        self.blocks = (
            blocks_of(game, facts, self.cells) if single is not None and single.up and not single.base else None
        )

    @property
    def independent(self) -> bool:
        """Whether tables for different givens can be filled side by side."""
        return self.sieve is None

    @property
    def strips(self) -> bool:
        """Whether cells depend on none to the right of theirs, in their row and those before.

        The columns are the last digit, or, where there is only one, a set's lower elements.
        """
        if self.cells.width or self.push is not None or self.sieve is not None:
            return False
        *upper, last = self.indexing.digits
        field = last.shape
        if upper and field.kind == "number":
            return self.facts.monotone.get(field.name) in (0, -1 if last.up else 1)
        return field.kind == "set" and last.up and self._only_removes(field.name)

    def _only_removes(self, name: str) -> bool:
        """Whether every move takes elements from a set, or leaves it alone."""
        for move in self.game.moves:
            if not isinstance(move.effect, Do):
                return False
            if any(update.field == name and update.op not in ("-=", "&=") for update in move.effect.updates):
                return False
        return True

    def _near(self) -> frozenset[int]:
        """The moves (by number) that leave one of the positions just before theirs."""
        found, digit = steps(self.game), self.indexing.digits[0]
        if found is None:
            return frozenset()
        each = cells_of(self.valuation, packed=True).each
        ways = {number: step if digit.up else -step for number, step in found.items()}
        return frozenset(number for number, step in ways.items() if step.hi <= each)  # down, as any move

    # --- kernels -------------------------------------------------------------------------------------------

    def params(self, *own: ir.Scalar | ir.Table) -> tuple[ir.Scalar | ir.Table, ...]:
        shared = (self.cells.table, TABLE)
        return (*shared, *self.givens.params(), *self.indexing.params(), *own)

    def rules(self, b: Builder) -> Rules:
        return rules(b, self.game, self.facts, self.shapes, self.givens)

    def look(self, b: Builder, option: Option, words: Words | None = None, recent: Recent | None = None) -> ir.Expr:
        """The code of what a move leaves: of several components the xor. `words` is the position, where `recent` knows
        the codes in front of it."""
        of = self.valuation.word
        if recent is not None and words is not None and option.move in self.near:
            name = self.indexing.digits[0].shape.name
            before, after = words[name], option.result[name]
            distance = sub(before, after) if self.indexing.digits[0].up else sub(after, before)
            return recent.at(cast(distance, ir.U64))

        def value(words: Words) -> ir.Expr:
            return self.cells.look(self.indexing.index(b, words), "a move leads to an earlier position of the table")

        if option.loops:
            total = b.local("total", const(0, of))
            option.each_result(lambda words: b.assign(total, binary("xor", total, value(words), of)))
            return total
        values: list[ir.Expr] = []
        option.each_result(lambda words: values.append(value(words)))
        return reduce(lambda one, other: binary("xor", one, other, of), values) if values else const(0, of)

    def marking(self, push: Push) -> ir.Function:
        """Settles the numbers `first..last` by marking."""
        b = Builder()
        bounds = [ir.Scalar(name, ir.I64) for name in ("first_row", "last_row", "first", "last")]
        b.declare(*self.params(*push.params(), *bounds))
        polled(b)
        push.fill(b, self.cells, sub(self.indexing.digits[0].size(), 1))
        b.returns(0)
        return b.function(f"{NAME}.fill")

    def fill(self) -> ir.Function:
        """Fills rows `first_row..last_row` (all digits but the last), of each the cells `first..last`."""
        if self.push is not None:
            return self.marking(self.push)
        b = Builder()
        mex = Mex(b, self.most)
        bounds = [ir.Scalar(name, ir.I64) for name in ("first_row", "last_row", "first", "last")]
        own = mex.params if self.grundy else (self.blocks.table,) if self.blocks is not None else ()
        if self.slide is not None:
            own = self.slide.params
        b.declare(*self.params(*own, *(Sieve.params() if self.sieve is not None else ()), *bounds))
        if self.sieve is not None:
            self.sieve.fill(b)
            b.sieve = self.sieve
        rules = self.rules(b)
        *upper, last = self.indexing.digits
        recent: Recent | None = None
        if self.cells.width:
            begin: ir.Expr = ir.Var("first", ir.I64)
            if upper:
                begin = add(binary("mul", ir.Var("first_row", ir.I64), last.size(), ir.I64), begin)
            recent = Recent(b, self.cells, begin)

        def cell(row_offsets: list[ir.Expr], row: ir.Expr, offset: ir.Expr) -> None:
            index = b.local("index", add(binary("mul", row, last.size(), ir.I64), offset)) if upper else offset
            words = self.indexing.words(b, [*row_offsets, offset])
            b.before_fault = lambda: b.store("at", const(0), index, proof="the first cell")
            polled(b)
            exists = rules.is_position(words)
            if recent is None:
                with b.when(exists):
                    self._fill_one(b, rules, mex, words, index)
                return
            code = b.local("code", const(0, self.valuation.word))
            with b.when(exists):
                self._fill_one(b, rules, mex, words, code, recent)
            recent.put(index, code)

        rows = (ir.Var("first_row", ir.I64), ir.Var("last_row", ir.I64))
        ends = (ir.Var("first", ir.I64), ir.Var("last", ir.I64))
        if self.blocks is not None and recent is not None:
            self.blocks.fill(b, recent, last.lo(), lambda offset: cell([], const(0), offset))
        elif not upper:
            with b.loop("offset", *ends) as offset:
                cell([], const(0), offset)
        else:
            with b.loop("row", *rows) as row:
                rest: ir.Expr = row
                offsets: list[ir.Expr] = []
                for digit in reversed(upper[1:]):
                    offsets.append(b.local("digit", binary("mod", rest, digit.size(), ir.I64)))
                    rest = b.local("rest", binary("div", rest, digit.size(), ir.I64))
                offsets.append(rest)
                with b.loop("offset", *ends) as offset:
                    cell(offsets[::-1], row, offset)
        b.returns(0)
        return b.function(f"{NAME}.fill")

    def _fill_one(
        self, b: Builder, rules: Rules, mex: Mex, words: Words, index: ir.Expr, recent: Recent | None = None
    ) -> None:
        """Finds the code of a position and stores it at an index, or, with `recent`, in the local `index`."""

        def finish(value: ir.Expr) -> None:
            value = cast(value, self.valuation.word)
            if recent is not None and isinstance(index, ir.Var):
                b.assign(index, value)
            else:
                b.store("value", index, value, proof="the loops stay inside the box")

        with b.labelled("cell") as done:

            def decided(end: ir.Expr) -> None:
                finish(self.valuation.ended(end))
                b.breaks(done)

            rules.terminal(words, decided)
            if self.slide is not None:
                finish(self.slide.value(b, rules, words, index))
                return
            if not self.grundy:
                best = Best(b, self.valuation, self.most)
                with b.labelled("options") as label:
                    rules.each_option(
                        words, lambda option: best.consider(option, self.look(b, option, words, recent), label)
                    )
                finish(best.result())
                return
            mex.start(add(index, 1))
            rules.each_option(words, lambda option: mex.note(self.look(b, option)))
            finish(mex.result())

    def listing(self) -> ir.Function:
        """Lists the options of one position (see `plan.listing`)."""
        b = Builder()
        b.declare(*self.params(*Listing.params(self.shapes)))
        polled(b)
        rules = self.rules(b)
        listing = Listing(b, self.game)
        words = listing.position(self.shapes)
        count = listing.write(rules, words, lambda option: self.look(b, option))
        b.returns(count)
        return b.function(f"{NAME}.options", hot=False)


def _wide(shape: Shape) -> Shape:
    """The shape with numbers as wide as indices, so that no loop has to widen them."""
    narrow = shape.kind == "number" and shape.type == ir.I32 and not shape.is_bool
    return msgspec.structs.replace(shape, type=ir.I64) if narrow else shape
