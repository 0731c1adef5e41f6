"""Table fill: the values of all positions, each after those that its moves lead to.

It needs an order of the state fields in which every move goes down (`analysis.order`); the table's index counts the
positions in that order. It is filled only as far as the positions asked need it: a field that no move raises is
bounded by the largest value asked, one that no move lowers by the smallest.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import reduce

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import interacts
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, const, sub
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape, shape_of
from gamespec.kernel.sieve import Sieve
from gamespec.plan.block import Blocks, blocks_of
from gamespec.plan.cells import Recent, cells_of
from gamespec.plan.encode import Box, Givens, givens_of, rules
from gamespec.plan.fault import explain
from gamespec.plan.form import PACKED, sieved, steps
from gamespec.plan.given import Rows, bound_givens
from gamespec.plan.listing import Listing, ordered
from gamespec.plan.pace import Pace
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Plan, Reason, Refusal
from gamespec.plan.plan import Option as Answer
from gamespec.plan.push import Push, push_of
from gamespec.plan.space import Space
from gamespec.plan.valuation import Best, Kind, TooLong, splits, valuation
from gamespec.plan.value import Mex, most_options
from gamespec.plan.watch import TABLE, polled, stop, watched

NAME = "table"

NANOSECONDS_AN_OPTION = 1.5
NANOSECONDS_A_POSITION = 2.0
LARGE = 1 << 25  # positions from which memory counts for more than the steps that packing takes
NANOSECONDS_MARKED = 10.0  # a position of a subtraction game
FIRST = 1 << 12  # cells of the first kernel call
CHUNK_SECONDS = 0.02  # what a kernel call aims at
MOST_CELLS = 1 << 40
MOST_MARKS = 1 << 26


class Table:
    """What the kernels and the solver of one game share."""

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        self.game = game
        self.facts = facts
        self.valuation = valuation(game, facts, ask)
        self.grundy = self.valuation.kind is Kind.GRUNDY
        self.shapes: dict[str, Shape] = {field.name: shape_of(field) for field in game.states}
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
        single = self.indexing.digits[0] if len(self.indexing.digits) == 1 else None
        self.blocks = (
            blocks_of(game, facts, self.cells) if single is not None and single.up and not single.base else None
        )

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
        return rules(b, self.game, self.facts.proofs, self.shapes, self.givens)

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


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if interacts(game):
        return Refusal(NAME, Reason("the components of this sum have no values of their own"))
    if facts.order is None:
        why = facts.no_order
        return Refusal(NAME, Reason(why.text, why.span))
    try:
        table = Table(game, facts, ask)
    except TooLong:
        return Refusal(NAME, Reason("scores may need more than 62 bits"))
    if table.space.cells > MOST_CELLS:
        text = f"{facts.size.text} positions are too many to number"
        return Refusal(NAME, Reason(text))
    options = min(table.most, 1 << 20)
    cost = table.space.cells * (
        NANOSECONDS_A_POSITION + NANOSECONDS_AN_OPTION * max(1, options if table.valuation.is_full else options / 2)
    )
    memory = table.cells.size(table.space.cells)
    order = " then ".join(f"{name} {'ascending' if up > 0 else 'descending'}" for name, up in facts.order.fields)
    size, unit = (table.cells.width, "bit") if table.cells.width else (table.cells.cell.bits // 8, "byte")
    cell = f"{size} {unit}{'s' * (size > 1)} a position ({table.valuation.kind.value})"
    text = f"over {order}, {cell}, filled as far as the positions asked need"
    least = table.cells.size(table.space.least)
    reasons = [Reason(text)]
    if table.blocks is not None:
        block = table.blocks
        text = (
            f"{block.length} numbers at once where they begin alike and the {block.numeral.furthest} before them agree"
        )
        reasons.append(Reason(text, block.numeral.span))
    if table.sieve is not None:
        reasons.append(Reason(f"divisors and primes of {', '.join(sorted(table.sieve.fields))} come from a sieve"))
    if table.push is not None:
        reasons.append(Reason("the numbers that lead to a lost one are marked; options are not looked at"))
        cost = min(cost, table.space.cells * NANOSECONDS_MARKED)
    return Bid(NAME, cost, memory, tuple(reasons), least, table.space.cells)


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    table = Table(game, facts, ask)
    return (table.fill(), table.listing()) if ask.moves else (table.fill(),)


class Filled:
    """A table for one set of givens: the box and its values."""

    def __init__(self, box: Box, values: Buffer) -> None:
        self.box = box
        self.values = values


class TableSolver:
    """Fills tables as far as asked; keeps one for each set of givens while memory lasts."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.table = Table(game, facts, plan.ask)
        self.game = game
        self.facts = facts
        self.plan = plan
        self.kernels = kernels
        self.budget = budget
        self.filled: dict[tuple[Value, ...], Filled] = {}
        self.at = watched(budget)
        self.seen: Buffer | None = None
        self.known: Buffer | None = None
        self.sieve: list[Buffer] = []

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        values = Rows(givens, states).answer(self._values)
        return self.table.valuation.values(values)

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Answer]:
        filled = self._filled_for(tuple(givens), [[value] for value in state])
        words = [shape.word(value) for shape, value in zip(self.table.shapes.values(), state, strict=True)]
        args = (*self._shared(tuple(givens), filled), *words)
        status, found = Listing.read(self.kernels[f"{NAME}.options"], args, self.game, self.at, self.budget)
        if status < 0:
            raise explain(self.plan.functions[f"{NAME}.options"], status, self.game, givens, tuple(state))
        return [row.option(self.table.valuation) for row in ordered(found)]

    # --- one set of givens ---------------------------------------------------------------------------------

    def _values(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        filled = self._filled_for(givens, states)
        box, indexing, get = filled.box, self.table.indexing, self.table.cells.get
        if len(indexing.digits) == 1 and indexing.digits[0].shape.kind == "number" and not indexing.digits[0].base:
            low, size = box.lows[0], box.sizes[0]
            column: Sequence[int] = states[0]  # type: ignore[assignment]
            up, top = indexing.digits[0].up, low + size - 1
            found = self.table.cells.sequence(filled.values, box.cells, len(column))
            if found is None:
                return [get(filled.values, n - low if up else top - n) for n in column]
            if up and low == 0:
                return list(map(found.__getitem__, column))
            return [found[n - low] for n in column] if up else [found[top - n] for n in column]
        order = self.table.names
        contents = (indexing.contents(state, order) for state in zip(*states, strict=True))
        return [get(filled.values, indexing.number(content, box)) for content in contents]

    def _filled_for(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Filled:
        wanted = self.table.box(states, givens)
        known = self.filled.get(givens)
        if known is not None and known.box.covers(wanted):
            return known
        if known is not None:
            wanted = self._grown(known.box, wanted)
            self._drop(givens)
        filled = Filled(wanted, self._allocate(wanted))
        self._fill(givens, filled)
        self.filled[givens] = filled
        return filled

    def _grown(self, old: Box, wanted: Box) -> Box:
        """A box over both, twice as large as the old one where it had to grow, so that growing stays cheap."""
        lows, sizes = [], []
        for digit, low, size, low2, size2 in zip(
            self.table.indexing.digits, old.lows, old.sizes, wanted.lows, wanted.sizes, strict=True
        ):
            end, end2 = low + size, low2 + size2
            if end2 > end:
                end = min(digit.lowest + digit.limit, max(end2, low + 2 * size))
            if low2 < low:
                low = max(digit.lowest, min(low2, end - 2 * size))  # noqa: PLW2901
            lows.append(low)
            sizes.append(end - low)
        return Box(tuple(lows), tuple(sizes))

    def _drop(self, givens: tuple[Value, ...]) -> None:
        old = self.filled.pop(givens)
        self.budget.give_back(old.values.size)
        old.values.release()

    def _allocate(self, box: Box) -> Buffer:
        cells = self.table.cells
        size = cells.size(box.cells + cells.each)
        what = f"a table of {box.cells:,} positions"
        while True:
            try:
                self.budget.take(size, what)
                break
            except LimitError:
                if not self.filled:
                    raise
                self._drop(next(iter(self.filled)))
        return allocate(cells.cell, cells.length(box.cells) + 1)

    def _scratch(self, box: Box) -> tuple[Buffer, int]:
        """The cells for the values seen: one more than there are values below the largest."""
        top = self.table.valuation.top
        length = min(top, MOST_MARKS if splits(self.game) else box.cells) + 2
        if self.seen is None or self.seen.length < length:
            self.budget.take(length * 4, "the marks for Grundy values")
            self.seen = allocate(ir.U32, length)
        else:
            self.seen.clear()
        return self.seen, length

    def _known(self, blocks: Blocks) -> Buffer:
        if self.known is None:
            cell = blocks.table.cell
            self.budget.take(blocks.count * cell.bits // 8, "the blocks of numbers that begin alike")
            self.known = allocate(cell, blocks.count)
        return self.known

    def _steps(self, push: Push, givens: tuple[Value, ...], top: int) -> list[object]:
        found = push.steps(Evaluator(self.game, self.game.data(givens)), top)
        buffer = allocate(ir.U64, max(1, len(found)))
        buffer.from_ints(found)
        return [buffer, len(found), found[0] if found else top + 1]

    def _sieve(self, sieve: Sieve, box: Box) -> list[object]:
        """The tables of the sieve for all numbers of a box, and the largest one."""
        digits = zip(self.table.indexing.digits, box.lows, box.sizes, strict=True)
        top = max(2, *(low + size - 1 for digit, low, size in digits if digit.shape.name in sieve.fields))
        if not self.sieve or self.sieve[0].length <= top:
            for old in self.sieve:
                self.budget.give_back(old.size)
            lengths = sieve.lengths(top)
            self.budget.take(4 * sum(lengths), f"a sieve of {top:,} numbers")
            self.sieve = [allocate(ir.U32, length) for length in lengths]
        return [*self.sieve, self.sieve[0].length - 1]

    def _shared(self, givens: tuple[Value, ...], filled: Filled) -> list[object]:
        args: list[object] = [filled.values, self.at, *bound_givens(self.table.givens, self.game, givens)]
        for low, size in zip(filled.box.lows, filled.box.sizes, strict=True):
            args += (low, size)
        return args

    def _fill(self, givens: tuple[Value, ...], filled: Filled) -> None:
        """Calls the kernel in pieces that take about `CHUNK_SECONDS` each, so that a run can be stopped."""
        kernel = self.kernels[f"{NAME}.fill"]
        args = self._shared(givens, filled)
        if self.table.grundy and self.table.most > Mex.LIMIT:
            args += self._scratch(filled.box)
        if self.table.push is not None:
            args += self._steps(self.table.push, givens, sum(filled.box.sizes) - 1)
        if self.table.blocks is not None:
            args.append(self._known(self.table.blocks))
        if self.table.sieve is not None:
            args += self._sieve(self.table.sieve, filled.box)
        sizes = filled.box.sizes
        total = sizes[0] if len(sizes) == 1 else filled.box.cells // sizes[-1]
        pace = Pace(self.budget)
        done, piece = 0, FIRST if len(sizes) == 1 else max(1, FIRST // sizes[-1])
        while done < total:
            upto = min(total, done + piece)
            rows = (0, 0, done, upto - 1) if len(sizes) == 1 else (done, upto - 1, 0, sizes[-1] - 1)
            started = time.perf_counter()
            status = kernel(*args, *rows)
            if status == ir.STOPPED:
                stop(self.at, self.budget)
                continue
            if status < 0:
                position = self.table.indexing.position(self.at[0], filled.box, self.table.names)
                raise explain(self.plan.functions[f"{NAME}.fill"], status, self.game, givens, position)
            cells = filled.box.cells
            pace.of_all(upto * cells // total, cells, filled.values.size, "a table")
            self.budget.tick(f"table: {done * filled.box.cells // total:,} of {filled.box.cells:,} positions")
            spent = time.perf_counter() - started
            done = upto
            piece = max(1, min(4 * piece, int(piece * CHUNK_SECONDS / max(spent, 1e-6))))
