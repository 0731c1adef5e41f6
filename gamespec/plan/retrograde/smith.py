"""Grundy values where play may come back: the labels of Smith (1966) and Fraenkel (1975).

A position gets the label m once m is the mex of the labels of its options, and every other option has an option with
the label m (a move there is answered back). Labels are given in ascending order, a stage each. In stage m:

* a *candidate* has no label, and its options have all of 0..m − 1, which `mex` counts: `mex[v] == m`;
* `open[v]` counts options of v without a label, `left[v]` those of them that no label m answers back yet;
* a candidate with `left[v] == 0` and no option labelled m gets m and goes into the queue. Taken from it, it takes
  itself from `open` of each source; a source without label is marked (`mex` becomes −1 − m until the stage ends: it
  has an option m), and takes itself from `left` of its own sources.

Marks cannot collide with labels: a position that answers back by m never gets m itself. A stage without labels is the
last one, as no later label has all of 0..m before it. What has no label then is ∞(K), with K the labels of its
options. Every edge is looked at twice a stage at most.
"""

from __future__ import annotations

from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, both, cast, compare, const, sub
from gamespec.plan.retrograde.graph import (
    COUNTED,
    DONE,
    FIXED,
    FUEL_OUT,
    HEAD,
    LABELLED,
    NAME,
    NUMBERED,
    STAGE,
    TAIL,
    Graph,
    at,
    piece,
)
from gamespec.plan.watch import TABLE

QUEUED = "the queue has a cell for each position"


class Smith:
    """Writes the kernels of one stage. `degree` is `open`; the label plus one is the `value`."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def params(self, *own: ir.Scalar | ir.Table) -> tuple[ir.Scalar | ir.Table, ...]:
        left, mex = ir.Table("left", self.graph.degree), ir.Table("mex", ir.I32)
        return (*self.graph.known(), *self.graph.reverse(), ir.Table("queue", ir.U32), left, mex, TABLE, *own)

    def kernels(self) -> tuple[ir.Function, ...]:
        return self.begin(), self.spread(), self.end()

    def begin(self) -> ir.Function:
        """Begins a stage for positions `first..last`: counts what is left, and queues those with nothing left."""
        b = Builder()
        b.declare(*self.params(*piece()))
        stage = b.local("stage", cast(at(STAGE), ir.I32))
        tail = b.local("tail", cast(at(TAIL), ir.I64))
        with b.loop("n", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as n:
            opened = b.local("open", ir.Load("degree", n, ir.U32, NUMBERED))
            b.store("left", n, opened, NUMBERED)
            value = b.local("label", ir.Load("value", n, ir.U32, NUMBERED))
            free = both(compare("eq", value, const(0, ir.U32)), compare("eq", self._mex(n), stage))
            ready = both(free, compare("eq", opened, const(0, ir.U32)))
            ended = both(compare("eq", value, const(1, ir.U32)), compare("eq", stage, const(0, ir.I32)))
            with b.when(ready):
                b.store("value", n, cast(add(stage, 1), ir.U32), NUMBERED)
            with b.when(ir.Binary("or", ready, ended, ir.I1)):
                b.store("queue", tail, cast(n, ir.U32), QUEUED)
                b.assign(tail, add(tail, 1))
        b.store(TABLE.name, const(TAIL), cast(tail, ir.U64), FIXED)
        b.returns(DONE)
        return b.function(f"{NAME}.stage", hot=False)

    def _mex(self, number: ir.Expr) -> ir.Expr:
        return ir.Load("mex", number, ir.I32, NUMBERED)

    def spread(self) -> ir.Function:
        """Works the queue off."""
        b = Builder()
        b.declare(*self.params(ir.Scalar("fuel.start", ir.I64)))
        stage = b.local("stage", cast(at(STAGE), ir.I32))
        marked = b.local("marked", sub(sub(const(0, ir.I32), stage), 1))
        head, tail = b.local("head", cast(at(HEAD), ir.I64)), b.local("tail", cast(at(TAIL), ir.I64))
        fuel = b.local("fuel", ir.Var("fuel.start", ir.I64))

        def leave(status: int) -> None:
            for place, value in ((HEAD, head), (TAIL, tail)):
                b.store(TABLE.name, const(place), cast(value, ir.U64), FIXED)
            b.returns(status)

        def sources(number: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
            first = b.local("first", ir.Load("start", number, ir.I64, NUMBERED))
            last = b.local("last", sub(ir.Load("start", add(number, 1), ir.I64, NUMBERED), 1))
            b.assign(fuel, sub(fuel, add(sub(last, first), 2)))
            return first, last

        with b.loop_while(compare("lt", head, tail)):
            with b.when(compare("lt", fuel, const(0))):
                leave(FUEL_OUT)
            number = b.local("number", ir.Load("queue", head, ir.I64, QUEUED))
            b.assign(head, add(head, 1))
            with b.loop("e", *sources(number)) as e:
                source = b.local("source", ir.Load("sources", e, ir.I64, COUNTED))
                b.store("degree", source, sub(ir.Load("degree", source, ir.U32, NUMBERED), 1), NUMBERED)
                unlabelled = compare("eq", ir.Load("value", source, ir.U32, NUMBERED), const(0, ir.U32))
                mex = b.local("has", self._mex(source))
                fresh = both(unlabelled, compare("ge", mex, const(0, ir.I32)))
                with b.when(fresh):
                    # Its own mex is kept only where it is the stage's: no other can still get a label.
                    lost = compare("ne", mex, stage)
                    b.store("mex", source, ir.Select(lost, const(NEVER, ir.I32), marked), NUMBERED)
                    with b.loop("f", *sources(source)) as f:
                        before = b.local("before", ir.Load("sources", f, ir.I64, COUNTED))
                        left = b.local("remaining", sub(ir.Load("left", before, ir.U32, NUMBERED), 1))
                        b.store("left", before, left, NUMBERED)
                        free = compare("eq", ir.Load("value", before, ir.U32, NUMBERED), const(0, ir.U32))
                        candidate = both(free, compare("eq", self._mex(before), stage))
                        with b.when(both(candidate, compare("eq", left, const(0, ir.U32)))):
                            b.store("value", before, cast(add(stage, 1), ir.U32), NUMBERED)
                            b.store("queue", tail, cast(before, ir.U32), QUEUED)
                            b.assign(tail, add(tail, 1))
        leave(DONE)
        return b.function(f"{NAME}.spread")

    def end(self) -> ir.Function:
        """Ends a stage for positions `first..last`; LABELLED counts those that got its label."""
        b = Builder()
        b.declare(*self.params(*piece()))
        stage = b.local("stage", cast(at(STAGE), ir.I32))
        count = b.local("count", cast(at(LABELLED), ir.I64))
        with b.loop("n", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as n:
            with b.when(compare("lt", self._mex(n), const(0, ir.I32))):
                kept = compare("eq", self._mex(n), const(NEVER, ir.I32))
                b.store("mex", n, ir.Select(kept, const(LATE, ir.I32), add(stage, 1)), NUMBERED)
            with b.when(compare("eq", ir.Load("value", n, ir.U32, NUMBERED), cast(add(stage, 1), ir.U32))):
                b.assign(count, add(count, 1))
        b.store(TABLE.name, const(LABELLED), cast(count, ir.U64), FIXED)
        b.returns(DONE)
        return b.function(f"{NAME}.close", hot=False)


LATE = (1 << 31) - 1  # the mex of a position that misses a label for ever
NEVER = -(1 << 31)  # the same, marked in a stage
