"""Cells of more than 64 bits, one by one and many at once."""

from __future__ import annotations

import random

import pytest

from gamespec.kernel.ir import I128, U128, U256, U512, Type
from gamespec.kernel.memory import allocate


@pytest.mark.parametrize("of", [U128, I128, U256, U512], ids=str)
def test_many_cells_at_once(of: Type) -> None:
    choose = random.Random(of.bits)
    lo, hi = (-(1 << of.bits - 1), (1 << of.bits - 1) - 1) if of.signed else (0, (1 << of.bits) - 1)
    wide = [choose.randint(lo, hi) for _ in range(40)] + [lo, hi, 0, 1 << 64, (1 << 64) - 1, max(lo, -1)]
    for values in (wide, [choose.randrange(1 << 40) for _ in range(46)], wide[:3]):
        buffer = allocate(of, 50)
        buffer.from_ints(values, 2)
        assert buffer.to_list() == [0, 0, *values, *[0] * (48 - len(values))]
        assert buffer.to_list(2, 2 + len(values)) == values == [buffer[2 + place] for place in range(len(values))]
        assert buffer.to_list(7, 7) == []
    for outside in (hi + 1, lo - 1):
        with pytest.raises(OverflowError):
            buffer.from_ints([outside])
    with pytest.raises(ValueError, match="structures"):
        buffer.from_ints([1, 2], 49)
