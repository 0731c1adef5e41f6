"""Source texts and the places in them."""

from __future__ import annotations

from bisect import bisect_right

import msgspec


class Span(msgspec.Struct, frozen=True, eq=False):
    """A half-open range of character offsets in a source text.

    All spans are equal to each other, so that trees which differ only in layout compare equal.
    """

    start: int
    end: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span)

    def __hash__(self) -> int:
        return 0

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of the other."""
        return Span(self.start, other.end)

    def part(self, start: int, end: int) -> Span:
        """The place of the characters `start` to `end` of the text that stands in this span."""
        return Span(self.start + start, self.start + end)


class MappedSpan(Span, frozen=True, eq=False):
    """The span of a text that is written with escapes, or indented: its characters do not stand side by side.

    `jumps` pairs an index into the text with its offset in the source wherever the two move apart, ascending;
    without jumps every part has the place of the whole.
    """

    jumps: tuple[tuple[int, int], ...] = ()

    def part(self, start: int, end: int) -> Span:
        if not self.jumps:
            return Span(self.start, self.end)
        return Span(self.place(start), max(self.place(max(end - 1, start)) + 1, self.place(start)))

    def place(self, index: int) -> int:
        """The offset in the source of one character of the text."""
        row = bisect_right(self.jumps, index, key=lambda jump: jump[0])
        if row == 0:
            return self.start + index
        at, offset = self.jumps[row - 1]
        return min(offset + index - at, self.end)


NOWHERE = Span(0, 0)


class Source(msgspec.Struct, frozen=True):
    """A spec text with the path it came from and the spelling it is written in (`text` or `yaml`)."""

    path: str
    text: str
    spelling: str = "text"

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, both counted from 1."""
        before = self.text.rfind("\n", 0, offset)
        return self.text.count("\n", 0, offset) + 1, offset - before

    def line(self, number: int) -> str:
        """The text of one line, counted from 1, without its line end."""
        lines = self.text.split("\n", number)
        return lines[number - 1].rstrip("\r") if number <= len(lines) else ""

    def slice(self, span: Span) -> str:
        """The text inside a span."""
        return self.text[span.start : span.end]
