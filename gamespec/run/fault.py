"""What does not fit in an input: finds the word, and says what the spec declares."""

from __future__ import annotations

import re
from typing import NoReturn

from gamespec.diagnostics import InputError, Kind
from gamespec.game.model import Expr, ReadMany, ReadRows, Value
from gamespec.game.show import MOST_ELEMENTS, value_text, values_text
from gamespec.game.walk import names_read
from gamespec.run import problems
from gamespec.run.complete import Breach
from gamespec.run.layout import Layout, expected, words_of
from gamespec.run.token import LONGEST_WORD, Tokens
from gamespec.source import Span
from gamespec.types import ArrayType, IntType, is_scalar

_NUMBER = re.compile(rb"[+-]?[0-9]+")
_LONGEST = 60  # digits of a number; longer ones are out of every range


class Fault:
    """Raises the InputError for a fault in the case that is being read.

    `marks`, when it is a dict, holds the places in the window of words of each value: for names of the case under
    `(name, None)`, for names of a component under `(name, number)`.
    """

    def __init__(self, layout: Layout, tokens: Tokens) -> None:
        self.layout = layout
        self.tokens = tokens
        self.case = 0
        self.marks: dict[tuple[str, int | None], list[int]] | None = None

    def check_word(self, name: str, index: int, checked: bool = True) -> None:
        """Looks at one word: it must be a value, and (`checked`) one of the declared type."""
        word = self.tokens.words[index]
        of = self.layout.word_type(name)
        if not isinstance(of, IntType):
            if word.decode("utf-8", "replace") not in words_of(of):
                self._at_word(problems.NOT_A_NAME, name, index, expected(of))
            return
        if not _NUMBER.fullmatch(word):
            self._at_word(problems.NOT_A_NUMBER, name, index, expected(of))
        digits = word.lstrip(b"+-").lstrip(b"0")
        if len(digits) <= _LONGEST and len(word) >= LONGEST_WORD:
            self._at_word(problems.TOO_LONG, name, index, expected(of))
        if len(digits) > _LONGEST or (checked and int(word) not in of.bounds):
            self._at_word(problems.OUT_OF_RANGE, name, index, expected(of))

    def too_few(self, name: str, missing: int) -> NoReturn:
        """The input is over within a case."""
        what = self._what(name) if missing == 1 else f"{missing} more values, the next of them {self._what(name)},"
        line = self.tokens.line(len(self.tokens.words))
        self._stop(problems.TOO_FEW, self._span(name), line=line, what=what)

    def negative_count(self, item: ReadMany | ReadRows, count: int) -> NoReturn:
        """A count of values or rows is below zero."""
        things = f"values of `{item.name}`" if isinstance(item, ReadMany) else "rows"
        expr = item.counts[0] if isinstance(item, ReadMany) else item.count
        span = expr.span if expr.span.end else item.span
        line = self.tokens.line(max(0, self.tokens.at - 1))
        self._stop(problems.NEGATIVE_COUNT, span, line=line, count=count, things=things)

    def check_length(self, item: ReadMany | ReadRows, count: int) -> None:
        """More values than the array may have in any case."""
        if isinstance(item, ReadRows):
            if self.layout.holds_components(item):
                return
            names = self.layout.declared(item.items)
        else:
            names = [item.name]
        for name in names:
            of = self.layout.type_of(name)
            if isinstance(of, ArrayType) and count > of.dims[0].size:
                most = f"at most {of.dims[0].size} entries"
                self._wrong_length(name, count, most, self.tokens.at - 1)

    def breach(self, breach: Breach, component: int) -> NoReturn:
        """A position is not allowed; `marks` must be those of its case."""
        if breach.require is not None:
            self._require_broken(breach.require, component, breach.values)
        name, value = breach.name, breach.values[breach.name]
        places = self._places(name, component)
        if breach.is_length:
            assert isinstance(value, tuple)
            entries = max(0, breach.hi - breach.lo + 1)
            length = f"{entries} entries" if entries != 1 else "1 entry"
            self._wrong_length(name, len(value), length, places[0] if places else None)
        for index in places:
            if not breach.lo <= int(self.tokens.words[index]) <= breach.hi:
                self._at_word(problems.OUT_OF_RANGE, name, index, f"in {breach.lo}..{breach.hi}")
        shown = value_text(value, self.layout.type_of(name), MOST_ELEMENTS)
        wanted = f"in {breach.lo}..{breach.hi}"
        self._stop(problems.START_OUT_OF_RANGE, self._span(name), what=name, value=shown, expected=wanted)

    def _require_broken(self, require: Expr, component: int, values: dict[str, Value]) -> NoReturn:
        used = names_read(require, self.layout.game.lets)
        places = [index for name in used for index in self._places(name, component)]
        line = self.tokens.line(max(places, default=max(0, self.tokens.at - 1)))
        fields = [field for field in self.layout.fields.values() if field.name in used]
        position = values_text(fields, values)
        self._stop(problems.REQUIRE_BROKEN, require.span, line=line, position=position)

    def _wrong_length(self, name: str, count: int, length: str, index: int | None) -> NoReturn:
        line = self.tokens.line(max(0, self.tokens.at - 1) if index is None else index)
        span = self._span(name)
        self._stop(problems.WRONG_LENGTH, span, line=line, count=count, what=name, length=length)

    def _places(self, name: str, component: int) -> list[int]:
        marks = self.marks or {}
        return marks.get((name, component)) or marks.get((name, None)) or []

    def _at_word(self, kind: Kind, name: str, index: int, wanted: str) -> NoReturn:
        word = self.tokens.text(index)
        line, what = self.tokens.line(index), self._what(name)
        self._stop(kind, self._span(name), line=line, word=word, value=word, what=what, expected=wanted)

    def _what(self, name: str) -> str:
        if is_scalar(self.layout.type_of(name)):
            return f"`{name}`"
        return f"a value of `{name}`"

    def _span(self, name: str) -> Span:
        field = self.layout.fields.get(name)
        return self.layout.input.span if field is None else field.span

    def _stop(self, kind: Kind, span: Span, **words: object) -> NoReturn:
        place = span if span.end > span.start else None
        raise InputError(kind.at(place, notes=(), helps=(), case=self.case, **words), source=self.layout.game.source)
