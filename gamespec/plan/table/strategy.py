"""Table fill: the values of all positions, each after those that its moves lead to.

It needs an order of the state fields in which every move goes down (`analysis.order`); the table's index counts the
positions in that order. It is filled only as far as the positions asked need it: a field that no move raises is
bounded by the largest value asked, one that no move lowers by the smallest.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from typing import Any

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import interacts
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError, SpecError
from gamespec.game.model import Game, Value
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.sieve import Sieve
from gamespec.plan.encode import Box
from gamespec.plan.fault import explain
from gamespec.plan.given import Rows, bound_givens
from gamespec.plan.keep import Fill, Tables, restored
from gamespec.plan.listing import Listing, ordered
from gamespec.plan.memory import give_back, taken
from gamespec.plan.pace import Pace, next_piece
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Plan, Reason, Refusal
from gamespec.plan.plan import Option as Answer
from gamespec.plan.table.block import Blocks
from gamespec.plan.table.kernel import NAME, Table
from gamespec.plan.table.push import Push
from gamespec.plan.table.slide import CELLS, Slide, levels_of
from gamespec.plan.thread import Team
from gamespec.plan.valuation import TooLong, splits
from gamespec.plan.value import Mex

__all__ = ["NAME", "Table", "TableSolver", "bid", "lower"]

NANOSECONDS_AN_OPTION = 1.5
NANOSECONDS_A_POSITION = 2.0
NANOSECONDS_MARKED = 10.0  # a position of a subtraction game
NANOSECONDS_SLID = 8.0  # a window of a position
FIRST = 1 << 12  # cells of the first kernel call
CHUNK_SECONDS = 0.02  # what a kernel call aims at
WORTH_A_THREAD = 5e-4  # seconds of filling from which a table is worth a thread
WORTH_STRIPS = 0.1  # seconds that are left from which it pays to fill strips side by side
GAIN = 0.9  # the part of the time alone that threads may take
ROWS, STRIPS = 24, 4  # parts of a table that is filled side by side
MOST_CELLS = 1 << 40
MOST_MARKS = 1 << 26


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
    if table.slide is not None:
        reasons.append(Reason("moves lead to numbers side by side, of which those that come and go are counted"))
        cost = min(cost, table.space.cells * NANOSECONDS_SLID * len(game.moves))
    return Bid(NAME, cost, memory, tuple(reasons), least, table.space.cells)


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    table = Table(game, facts, ask)
    return (table.fill(), table.listing()) if ask.moves else (table.fill(),)


class Filled:
    """A table for one set of givens: the box and its values."""

    def __init__(self, box: Box, values: Buffer) -> None:
        self.box = box
        self.values = values
        self.done = False


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
        self.team = Team(budget)
        self.spent = 0.0  # seconds for the last table
        self.seen: dict[int, Buffer] = {}  # by worker
        self.windows: dict[int, list[Buffer]] = {}  # by worker
        self.known: Buffer | None = None
        self.sieve: list[Buffer] = []

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        side_by_side = self.team.size > 1 and self.table.independent
        values = Rows(givens, states).answer(self._values, self._prepare if side_by_side else None)
        return self.table.valuation.values(values)

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Answer]:
        filled = self._filled_for(tuple(givens), [[value] for value in state])
        words = [shape.word(value) for shape, value in zip(self.table.shapes.values(), state, strict=True)]
        args = (*self._shared(tuple(givens), filled), *words)
        status, found = Listing.read(self.kernels[f"{NAME}.options"], args, self.game, self.team.at[0], self.budget)
        if status < 0:
            raise explain(self.plan.functions[f"{NAME}.options"], status, self.game, givens, tuple(state))
        return [row.option(self.table.valuation) for row in ordered(found)]

    def tables(self) -> Tables | None:
        done = {givens: filled for givens, filled in self.filled.items() if filled.done}
        about = [(givens, filled.box.lows, filled.box.sizes, filled.values.length) for givens, filled in done.items()]
        return Tables(about, [filled.values for filled in done.values()]) if done else None

    def restore(self, about: Any, fill: Fill) -> None:
        for givens, lows, sizes, length in about:
            box = Box(lows, sizes)
            filled = Filled(box, restored(self.budget, self.table.cells.cell, length, fill))
            filled.done = True
            self.filled[givens] = filled

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
        filled = self._begun(givens, states)
        while not filled.done:
            try:
                self._fill(givens, filled)
            except BaseException as error:
                self._drop(givens)
                wanted = self.table.box(states, givens)
                if wanted == filled.box or not isinstance(error, SpecError):
                    raise
                filled = self.filled[givens] = Filled(wanted, self._allocate(wanted))  # no more than what is asked
        return filled

    def _begun(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Filled:
        """A table that holds some positions, perhaps not filled yet."""
        wanted = self.table.box(states, givens)
        known = self.filled.get(givens)
        if known is not None and known.box.covers(wanted):
            return known
        if known is not None:
            wanted = self._grown(known.box, wanted)
            self._drop(givens)
        filled = self.filled[givens] = Filled(wanted, self._allocate(wanted))
        return filled

    def _prepare(self, groups: Sequence[tuple[tuple[Value, ...], Sequence[Column]]]) -> None:
        """Fills the tables of several sets of givens side by side, if that pays and memory holds them all."""
        if self.spent < WORTH_A_THREAD:
            return
        begun = []
        for givens, states in groups:
            if self.table.cells.size(self.table.box(states, givens).cells) > self.budget.free // 4:
                break
            begun.append((givens, self._begun(givens, states)))
        waiting = [(givens, filled) for givens, filled in begun if not filled.done and filled.values.address]
        self.team.each(len(waiting), lambda worker, item: self._fill(*waiting[item], worker, alone=False))

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
        give_back(self.budget, self.filled.pop(givens).values)

    def _allocate(self, box: Box) -> Buffer:
        cells = self.table.cells
        what = f"a table of {box.cells:,} positions"
        while True:
            try:
                return taken(self.budget, cells.cell, cells.length(box.cells) + 1, what)
            except LimitError:
                if not self.filled:
                    raise
                self._drop(next(iter(self.filled)))

    def _scratch(self, box: Box, worker: int) -> tuple[Buffer, int]:
        """The cells for the values seen: one more than there are values below the largest."""
        top = self.table.valuation.top
        length = min(top, MOST_MARKS if splits(self.game) else box.cells) + 2
        seen = self.seen.get(worker)
        if seen is None or seen.length < length:
            if seen is not None:
                give_back(self.budget, self.seen.pop(worker))
            seen = self.seen[worker] = taken(self.budget, ir.U32, length, "the marks for Grundy values")
        else:
            seen.clear()
        return seen, length

    def _windows(self, slide: Slide, box: Box, worker: int) -> list[object]:
        """What counts the values in each window, of which none has begun."""
        while self.windows.get(worker):
            give_back(self.budget, self.windows[worker].pop())
        what = "the values in windows of moves"
        ends = taken(self.budget, ir.I64, CELLS * len(slide.windows), what)
        self.windows[worker] = [ends]
        if not slide.grundy:
            return [ends]
        values = min(self.table.valuation.top, box.cells) + 2
        sizes = levels_of(values)
        counts = taken(self.budget, ir.U32, values, what)
        self.windows[worker].append(counts)
        free = taken(self.budget, ir.U64, sum(sizes), what)
        self.windows[worker].append(free)
        free.from_ints([(1 << 64) - 1] * sum(sizes))
        return [ends, counts, free, *itertools.accumulate(sizes[:-1])]

    def _known(self, blocks: Blocks) -> Buffer:
        if self.known is None:
            what = "the blocks of numbers that begin alike"
            self.known = taken(self.budget, blocks.table.cell, blocks.count, what)
        return self.known

    def _steps(self, push: Push, givens: tuple[Value, ...], top: int) -> list[object]:
        from gamespec.game.evaluate import Evaluator

        found = push.steps(Evaluator(self.game, self.game.data(givens)), top)
        buffer = allocate(ir.U64, max(1, len(found)))
        buffer.from_ints(found)
        return [buffer, len(found), found[0] if found else top + 1]

    def _sieve(self, sieve: Sieve, box: Box) -> list[object]:
        """The tables of the sieve for all numbers of a box, and the largest one."""
        digits = zip(self.table.indexing.digits, box.lows, box.sizes, strict=True)
        top = max(2, *(low + size - 1 for digit, low, size in digits if digit.shape.name in sieve.fields))
        if not self.sieve or self.sieve[0].length <= top:
            while self.sieve:
                give_back(self.budget, self.sieve.pop())
            what = f"a sieve of {top:,} numbers"
            for length in sieve.lengths(top):
                self.sieve.append(taken(self.budget, ir.U32, length, what))
        return [*self.sieve, self.sieve[0].length - 1]

    def _shared(self, givens: tuple[Value, ...], filled: Filled, worker: int = 0) -> list[object]:
        at = self.team.at[worker]
        args: list[object] = [filled.values, at, *bound_givens(self.table.givens, self.game, givens)]
        for low, size in zip(filled.box.lows, filled.box.sizes, strict=True):
            args += (low, size)
        return args

    def _args(self, givens: tuple[Value, ...], filled: Filled, worker: int) -> list[object]:
        """All arguments of the filling kernel but the part to fill."""
        args = self._shared(givens, filled, worker)
        if self.table.slide is not None:
            args += self._windows(self.table.slide, filled.box, worker)
        elif self.table.grundy and self.table.most > Mex.LIMIT:
            args += self._scratch(filled.box, worker)
        if self.table.push is not None:
            args += self._steps(self.table.push, givens, filled.box.sizes[0] - 1)
        if self.table.blocks is not None:
            args.append(self._known(self.table.blocks))
        if self.table.sieve is not None:
            args += self._sieve(self.table.sieve, filled.box)
        return args

    def _fill(self, givens: tuple[Value, ...], filled: Filled, worker: int = 0, *, alone: bool = True) -> None:
        """Calls the kernel in pieces that take about `CHUNK_SECONDS` each, so that a run can be stopped."""
        strips = alone and self.team.size > 1 and self.table.strips
        _ = self.kernels[f"{NAME}.fill"]  # is compiled before the time counts
        args = self._args(givens, filled, worker)
        sizes, cells = filled.box.sizes, filled.box.cells
        single = len(sizes) == 1
        total = sizes[0] if single else cells // sizes[-1]
        pace = Pace(self.budget)
        done, piece = 0, FIRST if single else max(1, FIRST // sizes[-1])
        began = time.perf_counter()
        while done < total:
            upto = min(total, done + piece)
            started = time.perf_counter()
            part = (0, 0, done, upto - 1) if single else (done, upto - 1, 0, sizes[-1] - 1)
            self._call(givens, filled, args, part, worker)
            if worker == 0:
                pace.of_all(upto * cells // total, cells, filled.values.size, "a table")
                self.budget.tick(f"table: {done * cells // total:,} of {cells:,} positions")
            now = time.perf_counter()
            done = upto
            piece = next_piece(piece, now - started, CHUNK_SECONDS)
            learnt = now - began >= WORTH_STRIPS / 10
            if strips and learnt and done < total and (now - began) * (total - done) > WORTH_STRIPS * done:
                strips = False
                done = self._strips(givens, filled, done, (now - began) / done)
        self.spent = time.perf_counter() - began
        filled.done = True

    def _call(
        self, givens: tuple[Value, ...], filled: Filled, args: list[object], part: tuple[int, ...], worker: int
    ) -> None:
        """Fills a part of a table: rows, and cells of each."""
        kernel = self.kernels[f"{NAME}.fill"]
        while (status := kernel(*args, *part)) == ir.STOPPED:
            self.team.pause(worker)
        if status < 0:
            position = self.table.indexing.position(self.team.at[worker][0], filled.box, self.table.names)
            raise explain(self.plan.functions[f"{NAME}.fill"], status, self.game, givens, position)

    def _strips(self, givens: tuple[Value, ...], filled: Filled, done: int, each: float) -> int:
        """Fills the rest of a table on several threads, where rows `done`, … are left (cells, if there is one digit);
        how far it is filled then.

        `each` is how many seconds one of them took alone: where the threads gain nothing, because the machine is
        busy with something else, one goes on. Where a rule fails, the first position in the table's order is to be
        told: the rest is left.
        """
        sizes = filled.box.sizes
        single = len(sizes) == 1
        wide = sizes[-1] >> ROWS.bit_length() if single else sizes[-1]  # the sets of some lowest elements, or a row
        if wide < STRIPS:
            return done
        args = [self._args(givens, filled, worker) for worker in range(self.team.size)]
        first = -(-done // wide) if single else done
        if single and first * wide > done:
            self._call(givens, filled, args[0], (0, 0, done, first * wide - 1), 0)
        rows = sizes[0] // wide if single else filled.box.cells // wide
        grid = Grid(first, rows, wide)

        def work(worker: int, row: tuple[int, int], strip: tuple[int, int]) -> None:
            if single:
                for number in range(row[0], row[1] + 1):
                    part = (0, 0, number * wide + strip[0], number * wide + strip[1])
                    self._call(givens, filled, args[worker], part, worker)
            else:
                self._call(givens, filled, args[worker], (*row, *strip), worker)

        try:
            workers, alone = self.team.size, each / (1 if single else wide)
            for count, round in enumerate(grid.rounds):
                started = time.perf_counter()
                self.team.each(len(round), lambda worker, item, round=round: work(worker, *round[item]), workers)  # type: ignore[misc]
                if len(round) >= STRIPS // 2 and time.perf_counter() - started > GAIN * alone * grid.cells(round):
                    workers = 1
                self.budget.tick(f"table: step {count + 1} of {len(grid.rounds)}")
        except SpecError:
            return done
        return sizes[0] if single else rows


class Grid:
    """The rows `first`, …, `rows - 1` of a table, in groups, and its columns in strips, in an order in which a cell
    comes after those that are not below it and not to the right of it.

    `rounds` lists the parts that may be filled side by side, each with its first and last row and column.
    """

    def __init__(self, first: int, rows: int, columns: int) -> None:
        across = _parts(first, rows, ROWS)
        along = _parts(0, columns, STRIPS)
        self.rounds = [
            [(across[step - strip], along[strip]) for strip in range(len(along)) if 0 <= step - strip < len(across)]
            for step in range(len(across) + len(along) - 1)
        ]

    @staticmethod
    def cells(round: list[tuple[tuple[int, int], tuple[int, int]]]) -> int:
        """The cells in some parts."""
        return sum((row[1] - row[0] + 1) * (strip[1] - strip[0] + 1) for row, strip in round)


def _parts(first: int, end: int, most: int) -> list[tuple[int, int]]:
    """The numbers `first`, …, `end - 1` in at most so many parts of about the same size, each its first and last."""
    count = min(most, end - first)
    ends = [first + (end - first) * part // count for part in range(count + 1)]
    return [(lo, hi - 1) for lo, hi in itertools.pairwise(ends)]
