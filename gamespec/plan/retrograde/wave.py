"""The kernels that work off a wave of decided positions by several threads.

Threads would count down the same positions. So a wave, the decided positions at one distance, is worked off in rounds
of two steps. First each worker looks up what leads to its share of the wave, where nothing is written that another one
reads, and *sends* it: the number of an undecided source with the weight of the edge, 0 where the move wins. Numbers
belong to *lanes* by blocks, and each worker has room for what it sends to each lane. Then each lane is *received*, by
one worker: its positions are counted down and decided as in `plan.retrograde.spread`, and put into the part of the
queue that has a cell for each position of the lane.

All positions that a wave decides are at the next distance, and those it counts down to nothing have no winning move:
neither values nor waves depend on the order in which they are received. Only the order within a wave does.
"""

from __future__ import annotations

from gamespec.kernel import ir
from gamespec.kernel.build import FALSE, Builder, add, binary, cast, compare, const, either, select, shl, shr, sub
from gamespec.plan.retrograde.graph import (
    DONE,
    FIXED,
    FUEL_OUT,
    HEAD,
    NAME,
    NUMBERED,
    TAIL,
    Graph,
    at,
)
from gamespec.plan.retrograde.spread import QUEUED, Edges, Spread
from gamespec.plan.watch import TABLE

AHEAD = 16  # sources whose cells are asked for before they are needed
WORTH = 1 << 18  # positions from which more threads than one pay

SENT = "a worker stops before a lane has no room for one more position"
WEIGHT = 32  # the bits of a number below it


class Wave:
    """Writes the kernels."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.spread = Spread(graph, dense=False)

    @property
    def possible(self) -> bool:
        """Whether there are kernels: where moves are read backwards, each position has few predecessors."""
        return self.graph.parents is not None

    def kernels(self) -> tuple[ir.Function, ...]:
        draws = () if self.spread.winner is None else (self.send(draws=True),)
        return (self.send(draws=False), *draws, self.receive())

    def send(self, draws: bool) -> ir.Function:
        """Sends what leads to positions `first..last` of the queue; HEAD is the place of the first one left then.

        It stops at the position where a lane holds more than `most`.
        """
        graph, b = self.graph, Builder()
        own = [ir.Table("sent", ir.U64), ir.Table("heights", ir.I64)]
        limits = [ir.Scalar(name, ir.I64) for name in ("room", "most")]
        limits += [ir.Scalar(name, ir.U64) for name in ("mask.lanes", "block")]
        limits += [ir.Scalar(name, ir.I64) for name in ("first", "last")]
        b.declare(*self.spread.params(*own, *limits))
        edges = Edges(graph, b)
        head = b.local("head", ir.Var("first", ir.I64))
        full = b.local("stops", FALSE)
        with b.loop("l", const(0), cast(ir.Var("mask.lanes", ir.U64), ir.I64)) as lane:
            b.assign(full, either(full, self._full(ir.Load("heights", lane, ir.I64, FIXED))))

        def put(source: ir.Expr, wins: ir.Expr) -> None:
            word = cast(source, ir.U64)
            block = shr(word, binary("and", ir.Var("block", ir.U64), const(63, ir.U64), ir.U64))
            lane = b.local("lane", cast(binary("and", block, ir.Var("mask.lanes", ir.U64), ir.U64), ir.I64))
            place = b.local("place", ir.Load("heights", lane, ir.I64, FIXED))
            height = b.local("height", add(place, 1))
            weight = select(wins, const(0, ir.U64), shl(cast(edges.weight, ir.U64), WEIGHT))
            entry = binary("or", word, weight, ir.U64)
            b.store("sent", add(binary("mul", lane, ir.Var("room", ir.I64), ir.I64), place), entry, SENT)
            b.store("heights", lane, height, FIXED)
            b.assign(full, either(full, self._full(height)))

        with b.loop_while(compare("le", head, ir.Var("last", ir.I64))):
            with b.when(full):
                b.store(TABLE.name, const(HEAD), cast(head, ir.U64), FIXED)
                b.returns(FUEL_OUT)
            number = b.local("number", ir.Load("queue", head, ir.I64, QUEUED))
            b.assign(head, add(head, 1))
            if draws:
                edges.undecided(number, lambda source, _: put(source, self.spread.drawing(b, source)))
            else:
                outcome = b.local("outcome", sub(ir.Load("value", number, ir.U32, NUMBERED), 1))
                if graph.distance:
                    b.assign(outcome, binary("mod", outcome, const(3, ir.U32), ir.U32))
                edges.undecided(number, lambda source, edge: put(source, self.spread.winning(outcome, edge)))
        b.store(TABLE.name, const(HEAD), cast(head, ir.U64), FIXED)
        b.returns(DONE)
        return b.function(f"{NAME}.send_draws" if draws else f"{NAME}.send")

    def _full(self, height: ir.Expr) -> ir.Expr:
        return compare("gt", height, ir.Var("most", ir.I64))

    def receive(self) -> ir.Function:
        """Counts down or decides what `first..last` of `sent` tell; `won` and `lost` are the values to be given."""
        b = Builder()
        tables = [ir.Table("sent", ir.U64), ir.Table("queue", ir.U32), TABLE]
        limits = [ir.Scalar("won", ir.U32), ir.Scalar("lost", ir.U32)]
        b.declare(*self.graph.known(), *tables, *limits, ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
        tail = b.local("tail", cast(at(TAIL), ir.I64))

        def number(entry: ir.Expr) -> ir.Expr:
            return cast(binary("and", entry, const((1 << WEIGHT) - 1, ir.U64), ir.U64), ir.I64)

        def decide(source: ir.Expr, state: str) -> None:
            b.store("value", source, ir.Var(state, ir.U32), NUMBERED)
            b.store("queue", tail, cast(source, ir.U32), QUEUED)
            b.assign(tail, add(tail, 1))

        with b.loop("e", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as e:
            later = b.local("later", number(ir.Load("sent", add(e, AHEAD), ir.U64, SENT)))
            b.prefetch("value", later, NUMBERED)
            b.prefetch("degree", later, NUMBERED)
            entry = b.local("entry", ir.Load("sent", e, ir.U64, SENT))
            source = b.local("source", number(entry))
            with b.when(compare("eq", ir.Load("value", source, ir.U32, NUMBERED), const(0, ir.U32))):
                weight = b.local("weight", cast(shr(entry, WEIGHT), ir.I64))
                with b.when(compare("eq", weight, const(0))):
                    decide(source, "won")
                with b.otherwise():
                    left = b.local("left", sub(ir.Load("degree", source, ir.I64, NUMBERED), weight))
                    b.store("degree", source, left, NUMBERED)
                    with b.when(compare("eq", left, const(0))):
                        decide(source, "lost")
        b.store(TABLE.name, const(TAIL), cast(tail, ir.U64), FIXED)
        b.returns(DONE)
        return b.function(f"{NAME}.receive")
