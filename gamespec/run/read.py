"""Reads an input in blocks of cases."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, BinaryIO

import msgspec

from gamespec.budget import Budget
from gamespec.diagnostics import Diagnostic, GamespecError, InputError, Kind
from gamespec.game.model import Cases, Game
from gamespec.run import problems
from gamespec.run.block import Block
from gamespec.run.case import CaseReader, Ended
from gamespec.run.complete import complete
from gamespec.run.frame import Frame
from gamespec.run.layout import LARGEST, Layout
from gamespec.run.token import Tokens

BLOCK_CASES = 1 << 20
BLOCK_BYTES = 1 << 26
BATCH_CASES = 1 << 12  # cases of different lengths that are checked together
VALUE_COST = 8  # bytes of a value that waits for its answer

Report = Callable[[Iterable[Diagnostic]], None]


class Batch(msgspec.Struct):
    """Cases that are read and not yet checked: columns of names of the case, and of names of components.

    `starts` are the places of the first words of the cases in the window of words.
    """

    count: int
    starts: Sequence[int]
    case: dict[str, Any]
    rows: dict[str, Any]
    sizes: list[int] | None


class Reader:
    """Reads the cases of an input, in blocks: to the end of the input, 2^20 cases or 64 MiB, and one case at a time
    on a terminal.

    A fault ends the block after the last whole case and is raised when the next one is asked for.
    """

    def __init__(self, game: Game, stream: BinaryIO, budget: Budget, report: Report = lambda _: None) -> None:
        self.game = game
        self.budget = budget
        self.report = report
        self.layout = Layout(game)
        self.tokens = Tokens(stream, budget)
        self.cases = CaseReader(self.layout, self.tokens)
        self._types = {name: self.layout.type_of(name) for name in {*self.layout.names, *self.layout.fields}}
        self._number = 1  # of the next case
        self._left = 1 if self.layout.input.cases is Cases.ONCE else None  # cases that are still to come
        self._announced = 0
        self._over = False
        self._fault: GamespecError | None = None
        self._singles = self.layout.singles

    def blocks(self) -> Iterator[Block]:
        """The cases, block by block; raises InputError where one does not fit the spec."""
        if self.layout.input.cases is Cases.COUNT:
            self._read_count()
        while not self._over:
            block = Block(self.game, self._types, self._number, self.layout.has_components)
            taken = self._fill(block)
            if block.count:
                yield block
            self.budget.give_back(taken)
            if self._fault is not None:
                raise self._fault
        self._warn_of_rest()

    def _read_count(self) -> None:
        tokens = self.tokens
        if self._at_end():
            raise self._count_fault(problems.NO_CASE_COUNT)
        word = tokens.words[0]
        if not (word.isdigit() and len(word) <= 19 and int(word) <= LARGEST):
            raise self._count_fault(problems.NOT_A_CASE_COUNT, word=tokens.text(0), line=tokens.line(0))
        tokens.at = 1
        self._left = self._announced = int(word)

    def _fill(self, block: Block) -> int:
        """Reads cases into the block and returns the bytes that were reserved for it."""
        most_cases = 1 if self.tokens.terminal else BLOCK_CASES
        most_bytes = self.tokens.read + min(BLOCK_BYTES, max(1, self.budget.free // 8))
        taken = 0
        while not self._over and block.count < most_cases and self.tokens.read < most_bytes:
            try:
                words = self._step(block, most_cases)
                self.budget.take(VALUE_COST * words, "a block of input")
                taken += VALUE_COST * words
            except GamespecError as fault:
                self._fault, self._over = fault, True
        return taken

    def _step(self, block: Block, most_cases: int) -> int:
        """Adds some cases to the block, if more follow, and returns the number of words they took."""
        if not self._more():
            return 0
        tokens, base = self.tokens, self.tokens.base
        most = most_cases - block.count if self._left is None else min(self._left, most_cases - block.count)
        batch = None
        if self._singles and not tokens.terminal:
            batch, most = self._singles_batch(most), 1
        self._add(block, batch or self._batch(most))
        tokens.release()
        return tokens.base - base

    def _more(self) -> bool:
        """True if another case follows."""
        if self._left == 0:
            self._over = True
        elif self.layout.input.cases is not Cases.ONCE and self._at_end():
            self._over = True
            if self._left is not None:
                words = {"announced": self._announced, "found": self._number - 1}
                self._fault = self._count_fault(problems.FEWER_CASES, line=self.tokens.line(self.tokens.at), **words)
        return not self._over

    def _at_end(self) -> bool:
        return self.tokens.at == len(self.tokens.words) and not self.tokens.fill()

    def _count_fault(self, kind: Kind, **words: object) -> InputError:
        span = self.layout.input.span
        place = span if span.end > span.start else None
        return InputError(kind.at(place, notes=(), helps=(), **words), source=self.game.source)

    # --- reading -------------------------------------------------------------------------------------------

    def _singles_batch(self, most: int) -> Batch | None:
        """As many cases as the window holds, when every case has the same number of words; None if there is none,
        or if the first one is odd."""
        tokens, names = self.tokens, self._singles
        assert names is not None
        width = len(names)
        count = min((len(tokens.words) - tokens.at) // width, most)
        columns = self._longest(names, count)
        count = len(columns[names[0]])
        start = tokens.at
        tokens.at += count * width
        until = self.layout.input.until
        if until is not None:
            frame = Frame(self.game, dict(columns), count)
            end = frame.first(until)
            if end is not None:
                self._over = True
                count = end
                columns = {name: column[:count] for name, column in columns.items()}
                tokens.at = start + end * width + 1 + max(names.index(name) for name in self.layout.until_names)
        if not count and not self._over:
            return None
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
            starts := [],
            {name: [] for name in layout.case_names},
            {name: [] for name in layout.row_names},
            [] if layout.has_components else None,
        )
        while batch.count < min(most, BATCH_CASES):
            starts.append(tokens.at)
            try:
                found = self.cases.read(self._number + batch.count)
            except Ended:
                self._over = True
                break
            except GamespecError as fault:
                self._fault, self._over = fault, True
                break
            for name, column in batch.case.items():
                column.append(found.case[name])
            for name, column in batch.rows.items():
                column.extend(found.rows[name])
            if batch.sizes is not None:
                batch.sizes.append(found.components)
            batch.count += 1
            if tokens.at == len(tokens.words):
                break
        return batch

    # --- checking ------------------------------------------------------------------------------------------

    def _add(self, block: Block, batch: Batch) -> None:
        """Checks the cases of a batch and appends them to the block, up to the first that is not allowed."""
        names = batch.case
        columns: dict[str, Sequence[Any]] = dict(batch.rows)
        for name, column in names.items():
            columns[name] = column if batch.sizes is None else repeated(column, batch.sizes)
        size = batch.count if batch.sizes is None else sum(batch.sizes)
        frame, breach = complete(self.layout, columns, size)
        count, sizes = batch.count, batch.sizes
        if breach is not None:
            ends = list(accumulate(sizes)) if sizes is not None else range(1, count + 1)
            count = bisect_right(ends, breach.row)
            if sizes is not None:
                sizes = sizes[:count]
            names = {name: column[:count] for name, column in names.items()}
            frame.cut(ends[count - 1] if count else 0)
            self._fault = self._explained(batch, count, breach.row - (ends[count - 1] if count else 0))
            self._over = True
        block.add(count, sizes, frame.columns, names)
        self._number += count
        if self._left is not None:
            self._left -= count

    def _explained(self, batch: Batch, case: int, component: int) -> InputError:
        """Reads a case of the batch again, word by word, to find what is not allowed in it."""
        self.tokens.at = batch.starts[case]
        try:
            found = self.cases.read(self._number + case, mark=True)
            size = 1 if batch.sizes is None else found.components
            columns: dict[str, Any] = dict(found.rows)
            columns.update({name: [value] * size for name, value in found.case.items()})
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
