"""Buffers: zeros at first, exact cells of every width, memory only where it is used."""

from __future__ import annotations

import ctypes
import resource

import pytest

from gamespec.backends.call import limits
from gamespec.diagnostics import LimitError
from gamespec.kernel.ir import I8, I16, I32, I64, I128, U8, U16, U32, U64, U128, U256, U512, Type
from gamespec.kernel.memory import HUGE, SMALL, allocate

CELLS = [I8, I16, I32, I64, I128, U8, U16, U32, U64, U128, U256, U512]


@pytest.mark.parametrize("cell", CELLS, ids=str)
@pytest.mark.parametrize("length", [0, 1, 100, SMALL, HUGE // 2])
def test_cells(cell: Type, length: int) -> None:
    buffer = allocate(cell, length)
    assert (len(buffer), buffer.size) == (length, length * cell.bits // 8)
    lo, hi = limits(cell)
    for index, value in ((0, hi), (length - 1, lo), (length // 2, 1)):
        if length:
            assert buffer[index] in (0, hi, lo)
            buffer[index] = value
            assert buffer[index] == value
            raw = ctypes.string_at(buffer.address + index * cell.bits // 8, cell.bits // 8)
            assert int.from_bytes(raw, "little", signed=cell.signed) == value
    buffer.release()
    assert (buffer.address, buffer.length) == (0, 0)


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_bulk(cell: Type) -> None:
    lo, hi = limits(cell)
    buffer = allocate(cell, 6)
    buffer.from_ints([lo, hi, 3], at=1)
    assert buffer.to_list() == [0, lo, hi, 3, 0, 0]
    assert buffer.to_list(2, 4) == [hi, 3]
    buffer.from_ints(iter(range(6)))
    assert buffer.to_list() == list(range(6))
    for wrong in (hi + 1, lo - 1):
        with pytest.raises((OverflowError, ValueError)):
            buffer[0] = wrong
        with pytest.raises(OverflowError):
            buffer.from_ints([wrong])
    for outside in (6, 1 << 40):
        with pytest.raises(IndexError):
            buffer[outside]
    with pytest.raises((ValueError, IndexError)):
        buffer.from_ints([1, 2], at=5)


def test_big_buffers_take_memory_only_where_written() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    buffer = allocate(U64, 1 << 28)
    buffer[1 << 27] = 5
    assert (buffer[0], buffer[1 << 27]) == (0, 5)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
    buffer.release()


def test_refused_memory_is_a_diagnostic() -> None:
    with pytest.raises(LimitError) as caught:
        allocate(U64, 1 << 58)
    assert "of memory" in str(caught.value)


@pytest.mark.parametrize("length", [0, 3, 300_000])
def test_copy_and_clear(length: int) -> None:
    buffer, other = allocate(U64, length + 2), allocate(U64, length)
    other.from_ints(range(1, length + 1))
    buffer.from_ints([7, 8], at=length)
    buffer.copy(other)
    assert buffer.to_list() == [*range(1, length + 1), 7, 8]
    buffer.clear()
    assert not any(buffer.to_list())
