"""The positions of a graph, number by number."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.kernel import ir
from gamespec.kernel.build import Builder, cast, compare, const, sub
from gamespec.kernel.memory import Buffer
from gamespec.plan.encode import Packing
from gamespec.plan.retrograde.graph import NUMBERED, Graph
from gamespec.plan.valuation import Valuation


class GraphRoll:
    """A `Roll` (see `gamespec.plan.roll`): the positions that were numbered one by one."""

    def __init__(self, graph: Graph, keys: Buffer, values: Buffer, count: int) -> None:
        self.graph = graph
        self.keys = keys
        self.values = values
        self.length = count

    @property
    def valuation(self) -> Valuation:
        return self.graph.valuation

    @property
    def packing(self) -> Packing:
        return self.graph.packed.packing

    @property
    def key(self) -> ir.Type:
        return self.graph.key

    def params(self) -> Sequence[ir.Scalar | ir.Table]:
        return ir.Table("keys", self.key), ir.Table("value", self.graph.value)

    def args(self) -> Sequence[object]:
        return self.keys, self.values

    def code(self, b: Builder, entry: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Whether a position has a value, and its code."""
        value = b.local("code", cast(ir.Load("value", entry, self.graph.value, NUMBERED), ir.U64))
        return compare("ne", value, const(0, ir.U64)), sub(value, 1)

    def position(self, b: Builder, entry: ir.Expr) -> ir.Expr:
        """The key of a number."""
        return ir.Load("keys", entry, self.key, NUMBERED)
