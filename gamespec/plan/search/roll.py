"""The table of a search, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.kernel import ir
from gamespec.kernel.build import Builder, cast, compare, sub
from gamespec.kernel.memory import Buffer
from gamespec.plan.encode import Packing
from gamespec.plan.search.kernel import KNOWN
from gamespec.plan.search.memo import Memo
from gamespec.plan.valuation import Valuation


class MemoRoll:
    """A `Roll` (see `gamespec.plan.roll`): the positions whose value is known."""

    def __init__(self, memo: Memo, cells: Buffer) -> None:
        self.memo = memo
        self.cells = cells

    @property
    def valuation(self) -> Valuation:
        return self.memo.valuation

    @property
    def packing(self) -> Packing:
        return self.memo.keys.packing

    @property
    def key(self) -> ir.Type:
        return self.memo.key

    @property
    def length(self) -> int:
        return self.cells.length

    def params(self) -> Sequence[ir.Scalar | ir.Table]:
        return self.memo.layout.params()

    def args(self) -> Sequence[object]:
        return self.memo.layout.args(self.cells)

    def code(self, b: Builder, entry: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Whether a cell holds a known value, and its code."""
        layout = self.memo.layout
        state = b.local("known", cast(layout.state(b, layout.cell(cast(entry, ir.U64))), ir.U64))
        return compare("ge", state, ir.Const(KNOWN, ir.U64)), sub(state, KNOWN)

    def position(self, b: Builder, entry: ir.Expr) -> ir.Expr:
        """The key in a cell."""
        layout, slot = self.memo.layout, cast(entry, ir.U64)
        return b.local("position", layout.key(b, slot, b.local("cell", layout.cell(slot)), self.memo.key))
