"""Buffers: the memory of a kernel's tables, owned by the caller."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Protocol

from gamespec.budget import size_text
from gamespec.diagnostics import LimitError
from gamespec.kernel.ir import I8, I16, I32, I64, U8, U16, U32, U64, Type
from gamespec.kernel.problems import NO_MEMORY

SMALL = 1 << 16  # bytes; below, a bytearray costs less than a mapping
HUGE = 4 << 20  # bytes; above, huge pages save more address translation than they waste
CHUNK = 1 << 20  # bytes that are cleared at a time

_FORMATS = {U8: "B", U16: "H", U32: "I", U64: "Q", I8: "b", I16: "h", I32: "i", I64: "q"}


class Cells(Protocol):
    """The cells of a buffer as Python numbers."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


class Buffer:
    """`length` cells of one type at `address`, all 0 at first; `cells` reads and writes them.

    Big buffers take memory only where they were written to. After `release` nothing may use the buffer.
    """

    __slots__ = ("__weakref__", "_bytes", "_memory", "_words", "address", "cell", "cells", "length")

    def __init__(self, cell: Type, length: int) -> None:
        """Raises LimitError when the system refuses the memory."""
        self.cell = cell
        self.length = length
        size = max(1, length * cell.bits // 8)
        self._memory: bytearray | mmap.mmap = bytearray(size) if size < SMALL else _mapping(size)
        # The pointer lets go of the memory at once; neither kind of memory moves while it lives.
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        view = memoryview(self._memory)[: length * cell.bits // 8]
        wide = cell.bits > 64
        words: memoryview[int] = view.cast("Q" if wide else _FORMATS[cell])  # type: ignore[call-overload]
        self._words, self._bytes = words, view
        self.cells: Cells = WideCells(view, cell) if wide else words

    @property
    def size(self) -> int:
        """Bytes."""
        return self.length * self.cell.bits // 8

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        return self.cells[index]

    def __setitem__(self, index: int, value: int) -> None:
        self.cells[index] = value

    def from_ints(self, values: Iterable[int], at: int = 0) -> None:
        """Writes consecutive cells from `at` on; values outside the cell's type raise OverflowError."""
        if isinstance(self.cells, WideCells):
            self.cells.put(values, at)
            return
        words = self._words
        packed = values if isinstance(values, array) else array(words.format, values)
        if packed.typecode != words.format:
            packed = array(words.format, packed)
        words[at : at + len(packed)] = memoryview(packed)

    def to_list(self, lo: int = 0, hi: int | None = None) -> list[int]:
        """The cells `lo`, …, `hi - 1` (all from `lo` on if `hi` is None)."""
        if isinstance(self.cells, WideCells):
            return self.cells.to_list(lo, self.length if hi is None else hi)
        return self._words[lo:hi].tolist()

    def view(self, size: int, at: int = 0) -> memoryview:
        """So many bytes of the memory, from a byte on; nothing may hold them when the buffer is released."""
        return self._bytes[at : at + size]

    def copied(self) -> Sequence[int]:
        """All cells as a sequence that Python reads fast."""
        return bytes(self._bytes) if self.cell == U8 else self.to_list()

    def copy(self, other: Buffer) -> None:
        """Writes all cells of a buffer with the same cells, from the first cell on."""
        self._bytes[: other.size] = other._bytes

    def clear(self) -> None:
        """Makes all cells 0."""
        zeros = bytes(min(self.size, CHUNK))
        for at in range(0, self.size, CHUNK):
            part = self._bytes[at : at + CHUNK]
            part[:] = zeros[: len(part)]

    def release(self) -> None:
        """Gives the memory back."""
        self._words.release()
        self._bytes.release()
        if isinstance(self._memory, mmap.mmap):
            self._memory.close()
        self._memory = bytearray()
        self.address = 0
        self.length = 0


class WideCells:
    """Cells of more than 64 bits over their bytes, lowest first."""

    __slots__ = ("bytes", "signed", "size")

    def __init__(self, cells: memoryview, cell: Type) -> None:
        self.bytes = cells
        self.size = cell.bits // 8
        self.signed = cell.signed

    def __len__(self) -> int:
        return len(self.bytes) // self.size

    def __getitem__(self, index: int) -> int:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return int.from_bytes(self.bytes[index * self.size : (index + 1) * self.size], "little", signed=self.signed)

    def __setitem__(self, index: int, value: int) -> None:
        if not 0 <= index < len(self):
            raise IndexError(index)
        cell = value.to_bytes(self.size, "little", signed=self.signed)
        self.bytes[index * self.size : (index + 1) * self.size] = cell

    def put(self, values: Iterable[int], at: int) -> None:
        """Writes consecutive cells; values outside the cell's type raise OverflowError."""
        data = b"".join([value.to_bytes(self.size, "little", signed=self.signed) for value in values])
        self.bytes[at * self.size : at * self.size + len(data)] = data

    def to_list(self, lo: int, hi: int) -> list[int]:
        """The cells `lo`, …, `hi - 1`, a word of each after the other."""
        part, words = self.bytes[lo * self.size : hi * self.size], self.size // 8
        found: list[int] = part.cast("q" if self.signed else "Q")[words - 1 :: words].tolist()
        for place in range(words - 2, -1, -1):
            low = part.cast("Q")[place::words].tolist()
            found = [high << 64 | word for high, word in zip(found, low, strict=True)] if any(found) else low
        return found


def allocate(cell: Type, length: int) -> Buffer:
    """A buffer of zeros; raises LimitError when the system refuses the memory."""
    return Buffer(cell, length)


def _mapping(size: int) -> mmap.mmap:
    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError, MemoryError) as error:
        raise LimitError(NO_MEMORY.at(None, needed=size_text(size))) from error
    if size >= HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory
