"""Cases within cases: which comes next, and how each is read again when it is found wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec

from gamespec.budget import Budget
from gamespec.diagnostics import InputError, Kind
from gamespec.game.model import Cases, Value
from gamespec.run import problems
from gamespec.run.case import CaseReader, Ended, Found
from gamespec.run.complete import early_breach
from gamespec.run.layout import LARGEST
from gamespec.run.meaning import meaning

ENDLESS = 1 << 62


class Origin(msgspec.Struct, frozen=True):
    """Where an innermost case began in the window: word and character, the numbers of the outermost and of the
    innermost case, and what the levels around it (and `cases for`) gave."""

    at: int
    inside: int
    numbers: tuple[int, int]
    outer: Found | None = None


class Asked(msgspec.Struct, frozen=True):
    """An innermost case."""

    found: Found
    origin: Origin


class Levels:
    """The innermost cases of an input, one after another.

    A single level of cases with nothing but single words may be read elsewhere: then `more` tells whether a case
    follows, `most` how many at most, and `skip` that they were read.
    """

    def __init__(self, cases: CaseReader, budget: Budget) -> None:
        self.cases = cases
        self.budget = budget
        self.layout = cases.layout
        self.tokens = cases.tokens
        self._stages = self.layout.stages
        self._numbers = [0] * len(self._stages)
        self._left = [ENDLESS] * len(self._stages)
        self._announced = [0] * len(self._stages)
        self._begun = False
        self._ends = 0
        self._walk = self._all(0, None)

    def next(self) -> Asked | None:
        """The next case; None after the last. Raises InputError where the input does not fit."""
        return next(self._walk, None)

    def take_ends(self) -> int:
        """How many groups of innermost cases have ended since this was asked."""
        ends, self._ends = self._ends, 0
        return ends

    def again(self, origin: Origin) -> Found:
        """Reads a case once more, so that `fault.marks` tells where its values stand."""
        self.tokens.back_to(origin.at, origin.inside)
        return self.cases.read(self._stages[-1], self._name(origin.numbers), origin.outer, mark=True)

    # --- one level, read elsewhere -------------------------------------------------------------------------

    def more(self) -> bool:
        """Whether another case of the outermost level follows. Raises InputError if fewer come than announced."""
        if not self._begun:
            self._begin(0)
        return self._follows(0)

    @property
    def begun(self) -> bool:
        """Whether it is known how many cases are announced."""
        return self._begun

    def most(self) -> int:
        """How many cases of the outermost level may still come."""
        return self._left[0]

    def skip(self, count: int) -> None:
        self._numbers[0] += count
        self._left[0] -= count

    # --- all levels ----------------------------------------------------------------------------------------

    def _all(self, level: int, outer: Found | None) -> Iterator[Asked]:
        """The innermost cases under what the outer levels have read."""
        stage = self._stages[level]
        if not (level == 0 and self._begun):
            self._begin(level)
        for around in self._given(level, outer):
            if around is None and not self._follows(level):
                break
            self._numbers[level] += 1
            self._left[level] -= 1
            tokens = self.tokens
            start = outer if around is None else around
            numbers = self._numbers[0], self._numbers[-1]
            origin = Origin(tokens.at, tokens.inside, numbers, start)
            here = tokens.base + tokens.at, tokens.inside
            inner = level + 1 < len(self._stages)
            try:
                found = self.cases.read(stage, self._name(numbers, level), start, mark=inner and bool(stage.items))
            except Ended:
                break
            if stage.cases in (Cases.EOF, Cases.UNTIL) and (tokens.base + tokens.at, tokens.inside) == here:
                self.cases.fault.nothing_taken(stage)
            if not inner:
                yield Asked(found, origin)
                continue
            if stage.items:
                breach = early_breach(self.layout, found.case)
                if breach is not None:
                    self.cases.fault.breach(breach, 0)
            yield from self._all(level + 1, found)
        if level + 1 == len(self._stages):
            self._ends += 1

    def _given(self, level: int, outer: Found | None) -> Iterator[Found | None]:
        """What each case of `cases for` begins with; None, again and again, for cases that are read."""
        stage = self._stages[level]
        if stage.each is None:
            while True:
                yield None
        found = outer or Found({}, {name: [] for name in self.layout.row_names})
        values = meaning(self.layout.game, stage.each.within, found.case)
        for value in sorted(cast("frozenset[int]", frozenset(cast("tuple[int, ...]", values)))):
            around = found.copy()
            around.case[stage.each.name] = cast(Value, value)
            yield around

    def _begin(self, level: int) -> None:
        """Reads how many cases there are, where they are counted."""
        stage = self._stages[level]
        self._begun = True
        self._numbers[level] = 0
        self._left[level] = 1 if stage.cases is Cases.ONCE else ENDLESS
        if stage.cases is not Cases.COUNT:
            return
        tokens = self.tokens
        if self._at_end():
            if level:
                raise self._count_fault(level, problems.NO_QUERY_COUNT)
            raise self._count_fault(level, problems.NO_CASE_COUNT)
        word = tokens.words[tokens.at]
        if not (word.isdigit() and len(word) <= 19 and int(word) <= LARGEST) or tokens.inside:
            kind = problems.NOT_A_QUERY_COUNT if level else problems.NOT_A_CASE_COUNT
            raise self._count_fault(level, kind, word=tokens.text(tokens.at), line=tokens.line(tokens.at))
        tokens.at += 1
        self._left[level] = self._announced[level] = int(word)

    def _follows(self, level: int) -> bool:
        """Whether another case of a level follows."""
        stage = self._stages[level]
        if self._left[level] == 0:
            return False
        reads = bool(stage.items) or any(inner.items for inner in self._stages[level + 1 :])
        if stage.cases is Cases.ONCE or not reads or not self._at_end():
            return True
        if stage.cases is Cases.COUNT:
            words = {"announced": self._announced[level], "found": self._numbers[level]}
            kind = problems.FEWER_QUERIES if level else problems.FEWER_CASES
            raise self._count_fault(level, kind, line=self.tokens.line(self.tokens.at), **words)
        return False

    def _at_end(self) -> bool:
        return self.tokens.at == len(self.tokens.words) and not self.tokens.fill()

    def _name(self, numbers: tuple[int, int], level: int | None = None) -> str:
        """How a message calls a case: `2`, or `2, query 3` for one within another."""
        if len(self._stages) == 1 or level == 0:
            return str(numbers[0])
        if level is not None and level + 1 < len(self._stages):
            return str(self._numbers[0])
        return f"{numbers[0]}, query {numbers[1]}"

    def _count_fault(self, level: int, kind: Kind, **words: object) -> InputError:
        span = self.layout.input.levels[level].span
        place = span if span.end > span.start else None
        if level:
            words["case"] = self._numbers[0]
        return InputError(kind.at(place, notes=(), helps=(), **words), source=self.layout.game.source)
