"""The words of an input, read piece by piece."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import BinaryIO

import msgspec

from gamespec.budget import Budget

PIECE = 1 << 20
SMALLEST_PIECE = 1 << 12  # also what is taken word by word where whole pieces may be taken otherwise
LONGEST_WORD = 4301  # bytes, a sign and the most digits that `int` takes; longer words, which fit nothing, are cut
WORD_COST = 48  # bytes of memory for a word that waits

_WORD = re.compile(rb"\S+")
_SPACE = re.compile(rb"\s")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Piece(msgspec.Struct, frozen=True):
    """Some bytes of the input that begin and end between two words; `first` is the number of its first word,
    counted over the whole input, and `line` the line on which it begins."""

    data: bytes
    first: int
    count: int
    line: int


class Lines:
    """Where the lines of an input end, in words.

    `ends` holds, for each line from number `first` on, how many words of the input stand before its end; `taken` is
    the number of the first line that is not read to its end.
    """

    def __init__(self) -> None:
        self.ends: list[int] = []
        self.first = 0
        self.taken = 0
        self._words = 0

    def add(self, data: bytes) -> None:
        """More of the input, which begins and ends between two words."""
        *whole, rest = data.split(b"\n")
        for line in whole:
            self._words += len(line.split())
            self.ends.append(self._words)
        self._words += len(rest.split())

    def end(self, word: int, fresh: bool) -> int | None:
        """The number of words before the end of the current line, where `word` words are read; None if its end is
        not known yet. The line counts as read then."""
        line = max(self.taken, self._line_of(word - 1)) if word else self.taken
        index = line - self.first
        begun = word > 0 and self._line_of(word - 1) == line
        if fresh and begun and index < len(self.ends) and self.ends[index] <= word:
            index += 1
        if index >= len(self.ends):
            return None
        self.taken = self.first + index + 1
        return max(self.ends[index], word)

    def skip_to(self, word: int) -> None:
        """The line on which this word stands is the next."""
        self.taken = max(self.taken, self._line_of(word))

    def forget(self, word: int) -> None:
        """Lines that end before this word are not asked about any more."""
        drop = bisect_left(self.ends, word)
        del self.ends[:drop]
        self.first += drop

    def _line_of(self, word: int) -> int:
        """The line of a word, from 0."""
        return self.first + bisect_right(self.ends, word)


class Tokens:
    """A window on the words of the input.

    `words[at]` is the next word to be read, from character `inside` of it. On a terminal a piece is one line.
    `lines` tells where lines end, if somebody asks.
    """

    def __init__(self, stream: BinaryIO, budget: Budget, *, lines: bool = False) -> None:
        self.stream = stream
        self.budget = budget
        self.lines = Lines() if lines else None
        self.terminal = stream.isatty()
        self.words: list[bytes] = []
        self.at = 0
        self.inside = 0
        self.base = 0  # number of words[0], counted over the whole input
        self.read = 0  # bytes
        self.ended = False
        self.whole = False  # pieces may be taken as they are
        self.underscores = False  # of a word of the window; `int` would accept them within numbers
        self._pieces: list[Piece] = []
        self._line = 1  # of the first byte that is not read yet
        self._line_begins = False  # the last byte read ended a line
        self._tail = b""
        self._ahead = b""  # bytes that were read, and left

    @property
    def idle(self) -> bool:
        """Whether no word waits."""
        return self.at == len(self.words) and not self.inside and not self.ended

    def piece(self, size: int) -> bytes:
        """About so many bytes of the input, which begin and end between two words; to be asked where none waits."""
        self.release()
        return self._next_bytes(size)

    def leave(self, data: bytes, taken: int) -> None:
        """What is done with a piece: so many bytes of it are taken, the others are left to be read as words."""
        self._line += data.count(b"\n", 0, taken)
        self._line_begins = data[taken - 1 : taken] == b"\n" if taken else self._line_begins
        rest = data[taken:]
        if len(rest) < SMALLEST_PIECE and rest.isspace():
            self._line += rest.count(b"\n")
            self._line_begins = rest.endswith(b"\n")
            rest = b""
        self._ahead = rest
        if rest:
            self.ended = False

    def fill(self) -> bool:
        """Adds the next piece of the input to the window; false when the input is over.

        Raises LimitError when the window outgrows the memory given.
        """
        while not self.ended:
            if self._more():
                return True
        return False

    def _more(self) -> bool:
        """Adds the next bytes of the input; true if there are words among them."""
        data = self._next_bytes()
        words = data.split()
        if not self._pieces:
            self.underscores = False
        self.underscores = self.underscores or b"_" in data
        if words:
            self.budget.take(len(data) + WORD_COST * len(words), "a case of the input")
            self._pieces.append(Piece(data, self.base + len(self.words), len(words), self._line))
            self.words += words
        if self.lines is not None:
            self.lines.add(data)
        self._line += data.count(b"\n")
        self._line_begins = data.endswith(b"\n") if data else self._line_begins
        return bool(words)

    def line_end(self, fresh: bool) -> int:
        """The place behind the last word of the line that is being read, which is then read to its end.

        With `fresh`, a line of which nothing is left is left for the next one. Needs `lines`.
        """
        lines = self.lines
        assert lines is not None
        while (end := lines.end(self.base + self.at, fresh)) is None and not self.ended:
            self._more()
        return len(self.words) if end is None else end - self.base

    def skip_blank_lines(self) -> None:
        """Leaves the lines in front of the next word, so that the next line is the one it stands on."""
        if self.lines is not None and not self.inside and (self.at < len(self.words) or self.fill()):
            self.lines.skip_to(self.base + self.at)

    def back_to(self, index: int, inside: int) -> None:
        """Goes back to where a case began."""
        self.at, self.inside = index, inside
        if self.lines is not None:
            self.lines.taken = 0

    def release(self) -> None:
        """Forgets the words before `at`."""
        del self.words[: self.at]
        self.base += self.at
        self.at = 0
        if self.lines is not None:
            self.lines.forget(self.base)
        while self._pieces and self._pieces[0].first + self._pieces[0].count <= self.base:
            piece = self._pieces.pop(0)
            self.budget.give_back(len(piece.data) + WORD_COST * piece.count)

    def line(self, index: int) -> int:
        """The line of `words[index]`, from 1; of the end of the input for an index behind all words."""
        number = self.base + index
        for piece in self._pieces:
            if number < piece.first + piece.count:
                for place, match in enumerate(_WORD.finditer(piece.data), piece.first):
                    if place == number:
                        return piece.line + piece.data.count(b"\n", 0, match.start())
        return self._line - 1 if self._line_begins else self._line

    def text(self, index: int) -> str:
        """`words[index]` for a message: readable, and not longer than a line."""
        text = self.words[index][:60].decode("utf-8", "replace")
        text = "".join(c if c.isprintable() else "\ufffd" for c in text)
        return text[:40] + "…" if len(text) > 40 else text

    def _next_bytes(self, size: int = 0) -> bytes:
        """The next bytes, which end between two words; about `size` of them, if that is given."""
        if self._ahead and not (size and len(self._ahead) < SMALLEST_PIECE):
            return self._left(size)
        if self.terminal:
            data = self.stream.readline()
            self.ended = not data
        else:
            size = size or (SMALLEST_PIECE if self.whole else min(PIECE, max(SMALLEST_PIECE, self.budget.free // 64)))
            waiting = sum(len(piece.data) for piece in self._pieces)  # twice as much each time: no case is quadratic
            more = self.stream.read(max(size, min(waiting, self.budget.free // 64)))
            self.ended = not more
            data = self._ahead + self._tail + more
            self.read -= len(self._ahead)
            self._ahead = self._tail = b""
            if more and not data[-1:].isspace():
                tail = data.rsplit(None, 1)[-1]
                if len(tail) <= LONGEST_WORD:
                    self._tail = tail
                    data = data[: len(data) - len(tail)]
        if not self.read and data:
            self.read = 1
            data = data.removeprefix(_BYTE_ORDER_MARK)
        self.read += len(data)
        return data

    def _left(self, size: int) -> bytes:
        """Bytes that were left: all, or, where words are taken one by one, a few."""
        data, self._ahead = self._ahead, b""
        if self.whole and not size and len(data) > SMALLEST_PIECE:
            end = _SPACE.search(data, SMALLEST_PIECE)
            if end is not None:
                data, self._ahead = data[: end.start()], data[end.start() :]
        return data
