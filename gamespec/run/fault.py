"""What does not fit in an input: finds the word, and says what the spec declares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from gamespec.diagnostics import InputError, Kind, counted
from gamespec.game.model import Expr, Form, ReadMany, ReadRows, Value
from gamespec.game.show import MOST_ELEMENTS, value_text, values_text
from gamespec.game.walk import names_read
from gamespec.run import problems
from gamespec.run.complete import Breach
from gamespec.run.layout import Layout, Stage, expected, words_of
from gamespec.run.shape import Raw
from gamespec.run.token import LONGEST_WORD, Tokens
from gamespec.source import Span
from gamespec.types import ArrayType, IntType, SetType, is_scalar

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
        self.case = ""
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

    def negative_count(self, item: ReadMany | ReadRows, size: Expr, count: int) -> NoReturn:
        """A count of values or rows is below zero."""
        things = f"values of `{item.name}`" if isinstance(item, ReadMany) else "rows"
        span = size.span if size.span.end else item.span
        line = self.tokens.line(max(0, self.tokens.at - 1))
        self._stop(problems.NEGATIVE_COUNT, span, line=line, count=count, things=things)

    def nothing_taken(self, stage: Stage) -> NoReturn:
        """A case of a level that goes on to the end of the input leaves the input as it was."""
        self._stop(problems.NOTHING_TAKEN, stage.items[0].span, line=self._line_here())

    def wrong_count(self, item: ReadMany | ReadRows, count: int, wanted: int) -> NoReturn:
        """A word or a line is not as long as a value that was read before says."""
        of = f" of `{item.name}`" if isinstance(item, ReadMany) else ""
        found = counted(count, "value" if of else "row") + of
        size = item.counts[0] if isinstance(item, ReadMany) else item.count
        place = "line" if not isinstance(item, ReadMany) or item.form is Form.LINE else "word"
        words = {"line": self._line_here(), "place": place, "found": found, "wanted": wanted}
        self._stop(problems.WRONG_COUNT, size.span if size.span.end else item.span, **words)

    def ragged_line(self, rows: ReadRows, words: int, width: int) -> NoReturn:
        """What is left on a line does not make whole rows."""
        self._stop(problems.RAGGED_LINE, rows.span, line=self._line_here(), words=words, width=width)

    def wrong_shape(
        self, name: str, raw: Raw, shape: tuple[int, ...] | None, wanted: tuple[int, ...] | None
    ) -> NoReturn:
        """An array of several dimensions gets rows of another length, or another number of them."""
        line = self.tokens.line(max(0, self.tokens.at - 1))
        if shape is None:
            given = "rows of " + " and ".join(map(str, sorted({len(row) for row in raw})[:3])) + " values"
        else:
            given = " by ".join(map(str, shape)) + " values"
        size = "rows of one length" if wanted is None else " by ".join(map(str, wanted))
        self._stop(problems.WRONG_SHAPE, self._span(name), line=line, what=name, given=given, size=size)

    def strange_character(self, name: str, index: int, char: str) -> NoReturn:
        """A character that stands for no value."""
        shown = char if char.isprintable() else "\ufffd"
        known = self.layout.alphabets[name]
        words = {"char": shown, "word": self.tokens.text(index), "what": f"`{name}`", "known": known}
        self._stop(problems.NO_CHARACTER, self._span(name), line=self.tokens.line(index), **words)

    def check_sizes(self, item: ReadMany, sizes: Sequence[int]) -> int:
        """The number of values; stops where a size is more than the array has in any case."""
        count = 1
        for size, most in zip(reversed(sizes), reversed(self._hulls(item.name)), strict=False):
            if most is not None and size > most:
                measured = item.form in (Form.LINE, Form.WORD)
                place = self.tokens.at if measured else self.tokens.at - 1  # of the values, or of their number
                self._wrong_length(item.name, size, f"at most {counted(most, 'entry')}", place)
            count *= size
        return count

    def check_length(self, item: ReadMany | ReadRows, count: int) -> None:
        """More values than the array may have in any case."""
        if isinstance(item, ReadMany):
            self.check_sizes(item, [count])
            return
        for name in self.layout.declared(item.items):
            of = self.layout.type_of(name)
            if isinstance(of, ArrayType) and count > of.dims[0].size:
                most = f"at most {counted(of.dims[0].size, 'entry')}"
                self._wrong_length(name, count, most, self.tokens.at - 1)

    def _hulls(self, name: str) -> list[int | None]:
        """The most entries of each dimension; None for a set, which may repeat values."""
        of = self.layout.type_of(name)
        if not isinstance(of, ArrayType):
            return [None]
        sizes: list[int | None] = [dim.size for dim in of.dims]
        return [*sizes, None] if isinstance(of.of, SetType) else sizes

    def _line_here(self) -> int:
        """The line of the next word, or the last one of the input."""
        return self.tokens.line(min(self.tokens.at, max(0, len(self.tokens.words) - 1)))

    def breach(self, breach: Breach, component: int) -> NoReturn:
        """A position is not allowed; `marks` must be those of its case."""
        if breach.require is not None:
            self._require_broken(breach.require, component, breach.values)
        name, value = breach.name, breach.values[breach.name]
        places = self._places(name, component)
        if breach.is_length:
            assert isinstance(value, tuple)
            length = counted(max(0, breach.hi - breach.lo + 1), "entry")
            self._wrong_length(name, len(value), length, places[0] if places else None)
        for index in places if name not in self.layout.alphabets else ():
            if not breach.lo <= int(self.tokens.words[index]) <= breach.hi:
                self._at_word(problems.OUT_OF_RANGE, name, index, f"in {breach.lo}..{breach.hi}")
        shown = value_text(value, self.layout.type_of(name), MOST_ELEMENTS)
        wanted = f"in {breach.lo}..{breach.hi}"
        if places:
            line = self.tokens.line(places[0])
            self._stop(
                problems.OUT_OF_RANGE, self._span(name), line=line, what=f"`{name}`", value=shown, expected=wanted
            )
        kind = problems.START_OUT_OF_RANGE
        if name in self.layout.names:
            kind = problems.EACH_OUT_OF_RANGE if name in self.layout.each_names else problems.MEASURED_OUT_OF_RANGE
        self._stop(kind, self._span(name), what=name, value=shown, expected=wanted)

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
