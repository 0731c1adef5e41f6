"""Reads an input in blocks of cases."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from gamespec.answers.ask import interacts
from gamespec.answers.table import needed
from gamespec.budget import Budget
from gamespec.diagnostics import Diagnostic, GamespecError, InputError
from gamespec.game.model import MOVER, Game
from gamespec.run import problems
from gamespec.run.block import Block
from gamespec.run.case import CaseReader
from gamespec.run.complete import complete
from gamespec.run.frame import Frame
from gamespec.run.layout import Layout
from gamespec.run.level import Levels, Origin
from gamespec.run.part import movers, spread
from gamespec.run.token import Tokens

if TYPE_CHECKING:
    from gamespec.run.bulk import Bulk, Compile

BLOCK_CASES = 1 << 20
BLOCK_BYTES = 1 << 26
PIECE = 1 << 24  # bytes that are taken at once
SHARE = 64  # of the memory that is left, what a piece may take
LARGE = 3 << 17  # bytes of a piece from which kernels that take it pay for their compilation
MOST_MISSES = 8  # pieces of which little could be taken, after which all is read word by word
BATCH_CASES = 1 << 12  # cases of different lengths that are checked together
VALUE_COST = 8  # bytes of a value that waits for its answer

Report = Callable[[Iterable[Diagnostic]], None]


class Batch(msgspec.Struct):
    """Cases that are read and not yet checked: columns of names of the case, and of names of components.

    `origins` tell where each case began; `breaks` where groups of cases end, as numbers of cases before.
    """

    count: int
    origins: Sequence[Origin | int]
    case: dict[str, Any]
    rows: dict[str, Any]
    sizes: list[int] | None
    numbers: list[tuple[int, int]] | None = None
    breaks: list[int] = []


class Reader:
    """Reads the cases of an input, in blocks: to the end of the input, 2^20 cases or 64 MiB, and one case at a time
    on a terminal.

    A fault ends the block after the last whole case and is raised when the next one is asked for.
    """

    def __init__(
        self,
        game: Game,
        stream: BinaryIO,
        budget: Budget,
        report: Report = lambda _: None,
        compile: Compile | None = None,
    ) -> None:
        self.game = game
        self.budget = budget
        self.report = report
        self.layout = Layout(game)
        self.tokens = Tokens(stream, budget, lines=self.layout.has_lines)
        self.cases = CaseReader(self.layout, self.tokens)
        self._types = {name: self.layout.type_of(name) for name in {*self.layout.names, *self.layout.fields}}
        self._number = 1  # of the next case
        self._joined = game.output.joined is not None
        self._added = game.sum and not interacts(game) and not needed(game).moves
        self._over = False
        self._fault: GamespecError | None = None
        self._singles = self.layout.singles
        self._levels = Levels(self.cases, self.budget)
        self.bulk: Bulk | None = None
        self._compile = compile
        plain = compile is not None and bool(self._singles) and not self.tokens.terminal
        self.tokens.whole = plain and budget.free // SHARE >= LARGE
        self._misses = 0

    def blocks(self) -> Iterator[Block]:
        """The cases, block by block; raises InputError where one does not fit the spec."""
        while not self._over:
            apart = self.layout.has_components or bool(self.game.components)
            known = frozenset(self.layout.case_names)
            block = Block(self.game, self._types, self._number, apart, known)
            if len(self.layout.stages) > 1:
                block.numbers = []
            taken = self._fill(block)
            if (
                self._joined
                and self._over
                and (self.layout.depth == 1 or self._fault is not None)
                and self._open(block)
            ):
                block.breaks.append(block.count)
            if block.count or block.breaks:
                yield block
            self.budget.give_back(taken)
            if self._over and self.bulk is not None:
                self.bulk.release(self.budget)
            if self._fault is not None:
                raise self._fault
        self._warn_of_rest()

    def _open(self, block: Block) -> bool:
        """Whether answers were given since the last end of a group."""
        return self._number > 1 if not block.breaks else block.breaks[-1] < block.count

    def _fill(self, block: Block) -> int:
        """Reads cases into the block and returns the bytes that were reserved for it."""
        most_cases = 1 if self.tokens.terminal else BLOCK_CASES
        most_bytes = self.tokens.read + min(BLOCK_BYTES, max(1, self.budget.free // 8))
        taken = 0
        while not self._over and block.cases < most_cases and self.tokens.read < most_bytes:
            try:
                words = self._step(block, most_cases)
                self.budget.take(VALUE_COST * words, "a block of input")
                taken += VALUE_COST * words
            except GamespecError as fault:
                self._fault, self._over = fault, True
        return taken

    def _step(self, block: Block, most_cases: int) -> int:
        """Adds some cases to the block, if more follow, and returns the number of words they took."""
        tokens, base, before = self.tokens, self.tokens.base, block.count
        most = most_cases - block.cases
        if tokens.whole and tokens.idle and self._levels.begun:
            taken = self._step_at_once(block, most)
            if taken is not None:
                return taken
        batch = None
        if self._singles and not tokens.terminal:
            if not self._levels.more():
                self._over = True
                return 0
            batch, most = self._singles_batch(most), 1
        self._add(block, batch or self._batch(most))
        tokens.release()
        return max(tokens.base - base, block.count - before)

    # --- reading -------------------------------------------------------------------------------------------

    def _step_at_once(self, block: Block, most: int) -> int | None:
        """Adds the plain cases at the beginning of the next piece, and returns the number of values they are worth;
        None if there are none. What is wrong with the first case that is not taken is found word by word."""
        tokens, most = self.tokens, min(most, self._levels.most())
        if not most:
            return None
        data = tokens.piece(min(PIECE, self.budget.free // SHARE))
        if self.bulk is None and len(data) >= LARGE and self._compile is not None:
            from gamespec.run.bulk import Bulk

            self.bulk = Bulk.of(self.game, self.layout, self._compile)
        if self.bulk is None:
            tokens.leave(data, 0)
            tokens.whole = False
            return None
        from gamespec.run.bulk import Repeats

        before = block.repeats
        if before is None:
            before = Repeats(array("I"), array("I"))
            before.add_all(block.count)
        run = self.bulk.read(data, most, before, self.budget)
        breach = None
        if run is not None:
            try:
                frame, breach = complete(self.layout, dict(run.columns), len(run.firsts))
            except GamespecError:
                run = None
            else:
                run = run if breach is None else run.cut(breach.row) if breach.row else None
        tokens.leave(data, 0 if run is None else run.end)
        if run is None or run.end < min(len(data), LARGE) // 2:
            self._misses += 1
        if breach is not None or self._misses > MOST_MISSES:
            tokens.whole = False
        if run is None:
            return None
        block.repeats = before
        block.add_run(run, frame.columns)
        self._number += run.count
        self._levels.skip(run.count)
        return len(run.firsts) * len(run.columns) + run.count

    def _singles_batch(self, most: int) -> Batch | None:
        """As many cases as the window holds, when every case has the same number of words; None if there is none,
        or if the first one is odd."""
        tokens, names = self.tokens, self._singles
        assert names is not None
        width = len(names)
        count = min((len(tokens.words) - tokens.at) // width, most, self._levels.most())
        columns = self._longest(names, count)
        count = len(columns[names[0]])
        start = tokens.at
        tokens.at += count * width
        stage = self.layout.stages[0]
        if stage.until is not None:
            frame = Frame(self.game, dict(columns), count)
            end = frame.first(stage.until)
            if end is not None:
                self._over = True
                count = end
                columns = {name: column[:count] for name, column in columns.items()}
                tokens.at = start + end * width + 1 + max(names.index(name) for name in stage.until_names)
        if not count and not self._over:
            return None
        self._levels.skip(count)
        return Batch(count, range(start, start + count * width, width), columns, {}, None)

    def _longest(self, names: Sequence[str], count: int) -> dict[str, list[int]]:
        """The columns of the first cases, as many up to `count` as can be converted."""
        good, bad = 0, count + 1
        columns = self._converted(names, 0)
        attempt = count
        while columns is not None and good < attempt:
            tried = self._converted(names, attempt)
            if tried is None:
                bad = attempt
            else:
                good, columns = attempt, tried
            attempt = good + (bad - good) // 2 if bad <= count else good
        assert columns is not None
        return columns

    def _converted(self, names: Sequence[str], count: int) -> dict[str, list[int]] | None:
        start, width = self.tokens.at, len(names)
        end = start + count * width
        words = self.tokens.words
        try:
            return {
                name: self.cases.converts[name](words[start + place : end : width]) for place, name in enumerate(names)
            }
        except (ValueError, KeyError):
            return None

    def _batch(self, most: int) -> Batch:
        """Cases one by one, until the window is used up."""
        layout, tokens = self.layout, self.tokens
        batch = Batch(
            0,
            origins := [],
            {name: [] for name in layout.case_names},
            {name: [] for name in layout.row_names},
            [] if layout.has_components else None,
            [] if layout.depth > 1 else None,
        )
        while batch.count < min(most, BATCH_CASES):
            try:
                asked = self._levels.next()
            except GamespecError as fault:
                self._fault, self._over = fault, True
                asked = None
            batch.breaks += [batch.count] * self._levels.take_ends()
            if asked is None:
                self._over = True
                break
            origins.append(asked.origin)
            found = asked.found
            for name, column in batch.case.items():
                column.append(found.case[name])
            for name, column in batch.rows.items():
                column.extend(found.rows[name])
            if batch.sizes is not None:
                batch.sizes.append(found.components)
            if batch.numbers is not None:
                batch.numbers.append(asked.origin.numbers)
            batch.count += 1
            if tokens.at == len(tokens.words) and layout.stages[-1].items:
                break  # cases that read nothing go on
        return batch

    # --- checking ------------------------------------------------------------------------------------------

    def _add(self, block: Block, batch: Batch) -> None:
        """Checks the cases of a batch and appends them to the block, up to the first that is not allowed."""
        names = batch.case
        if self.game.components:
            batch.rows, batch.sizes = spread(self.game, names, batch.count, added=self._added)
        columns: dict[str, Sequence[Any]] = dict(batch.rows)
        for name, column in names.items():
            if name not in columns:
                columns[name] = column if batch.sizes is None else repeated(column, batch.sizes)
        size = batch.count if batch.sizes is None else sum(batch.sizes)
        frame, breach = complete(self.layout, columns, size)
        count, sizes, breaks = batch.count, batch.sizes, batch.breaks
        if breach is not None:
            ends = list(accumulate(sizes)) if sizes is not None else range(1, count + 1)
            count = bisect_right(ends, breach.row)
            if sizes is not None:
                sizes = sizes[:count]
            names = {name: column[:count] for name, column in names.items()}
            frame.cut(ends[count - 1] if count else 0)
            self._fault = self._explained(batch, count, breach.row - (ends[count - 1] if count else 0))
            self._over = True
            breaks = [place for place in breaks if place <= count]
        if self._joined and self.layout.depth > 1:
            block.breaks += [block.count + place for place in breaks]
        if block.numbers is not None and batch.numbers is not None:
            block.numbers += batch.numbers[:count]
        if sizes is not None and self.game.partisan:
            names = {**names, MOVER: movers(self.game, names, sizes, frame.columns)}
        block.add(count, sizes, frame.columns, names)
        if block.repeats is not None:
            block.repeats.add_all(count)
        self._number += count

    def _explained(self, batch: Batch, case: int, component: int) -> InputError:
        """Reads a case of the batch again, word by word, to find what is not allowed in it."""
        origin = batch.origins[case]
        if isinstance(origin, int):
            origin = Origin(origin, 0, (self._number + case,) * 2)
        try:
            found = self._levels.again(origin)
            size = 1 if batch.sizes is None else found.components
            columns: dict[str, Any] = dict(found.rows)
            if self.game.components:
                own = {name: [value] for name, value in found.case.items()}
                columns, (size,) = spread(self.game, own, 1, added=self._added)
            columns |= {name: [value] * size for name, value in found.case.items() if name not in columns}
            _, breach = complete(self.layout, columns, size)
            assert breach is not None
            self.cases.fault.breach(breach, component)
        except InputError as fault:
            return fault

    def _warn_of_rest(self) -> None:
        """Says that something follows the last case."""
        tokens = self.tokens
        if tokens.at < len(tokens.words) or (not tokens.terminal and tokens.fill()):
            found = problems.TEXT_LEFT.at(None, line=tokens.line(tokens.at), word=tokens.text(tokens.at))
            self.report([found])


def repeated(column: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
    """Each value of the column as often as its case has components."""
    return [value for value, size in zip(column, sizes, strict=True) for _ in range(size)]
