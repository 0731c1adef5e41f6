"""The kernels that propagate wins, losses and draws from decided positions to those that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamespec.game.model import DRAWN, LOST, MOVER, WON, Verdict
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, select, shr, sub
from gamespec.plan.retrograde.graph import (
    COUNTED,
    DONE,
    FIXED,
    FUEL_OUT,
    GATHERED,
    HEAD,
    NAME,
    NUMBERED,
    TAIL,
    Gather,
    Graph,
    at,
    masked,
    piece,
)
from gamespec.plan.retrograde.graph import KEEPS as KEEPS_TURN
from gamespec.plan.retrograde.parents import Parents
from gamespec.plan.watch import TABLE

QUEUED = "the queue has a cell for each position"


class Spread:
    """Writes the kernels that propagate values."""

    def __init__(self, graph: Graph, dense: bool) -> None:
        self.graph = graph
        self.dense = dense

    @property
    def tail(self) -> str:
        """Of the names of kernels that need to know how positions are numbered."""
        return ".dense" if self.dense else ""

    def params(self, *own: ir.Scalar | ir.Table) -> tuple[ir.Scalar | ir.Table, ...]:
        graph = self.graph
        queue = (ir.Table("queue", ir.U32), TABLE)
        if graph.parents is not None:
            return (*graph.known(), *graph.parents.params(), *graph.gathered(), *queue, *graph.numbered(), *own)
        numbers = graph.space.indexing.params() if self.dense else (ir.Table("keys", graph.key),)
        return (*graph.known(), *graph.reverse(), *queue, *numbers, *own)

    def kernels(self) -> tuple[ir.Function, ...]:
        wins, rest = self.wins(), self.rest()
        return (self.seed(), wins, rest, self.draws()) if self.winner is not None else (self.seed(), wins, rest)

    @property
    def winner(self) -> int | None:
        """The player for whom endless play wins."""
        return {Verdict.FIRST_WINS: 0, Verdict.SECOND_WINS: 1}.get(self.graph.game.endless or Verdict.DRAW)

    def seed(self) -> ir.Function:
        """Puts positions `first..last` into the queue: those that are won or lost, or with `drawn` those drawn."""
        b = Builder()
        b.declare(*self.params(*piece(), ir.Scalar("drawn", ir.I64)))
        tail = b.local("tail", cast(at(TAIL), ir.I64))
        with b.loop("n", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as n:
            value = b.local("code", ir.Load("value", n, ir.U32, NUMBERED))
            is_drawn = compare("eq", value, const(DRAWN + 1, ir.U32))
            drawn = compare("ne", ir.Var("drawn", ir.I64), const(0))
            wanted = binary("and", compare("ne", value, const(0, ir.U32)), compare("eq", drawn, const(0)), ir.I1)
            wanted = select(is_drawn, drawn, wanted)
            with b.when(wanted):
                b.store("queue", tail, cast(n, ir.U32), QUEUED)
                b.assign(tail, add(tail, 1))
        b.store(TABLE.name, const(TAIL), cast(tail, ir.U64), FIXED)
        b.returns(DONE)
        return b.function(f"{NAME}.seed{self.tail}", hot=False)

    def wins(self) -> ir.Function:
        """Propagates wins and losses until the queue is empty, or the fuel (edges)."""
        b = Builder()
        b.declare(*self.params(ir.Scalar("fuel.start", ir.I64)))
        queue = Queue(self.graph, b)
        with queue.each() as number:
            code = b.local("code", sub(ir.Load("value", number, ir.U32, NUMBERED), 1))
            outcome: ir.Expr = code
            plies: ir.Expr = const(0, ir.U32)
            if self.graph.distance:
                outcome = b.local("outcome", binary("mod", code, const(3, ir.U32), ir.U32))
                plies = b.local("plies", add(sub(code, outcome), 3))

            def reached(source: ir.Expr, edge: ir.Expr, outcome: ir.Expr = outcome, plies: ir.Expr = plies) -> None:
                with b.when(self.winning(outcome, edge)):
                    queue.decide(source, add(plies, WON + 1))
                with b.otherwise():
                    queue.count_down(source, add(plies, LOST + 1))

            queue.undecided(number, reached)
        queue.leave(DONE)
        return b.function(f"{NAME}.wins{self.tail}")

    def winning(self, outcome: ir.Expr, edge: ir.Expr) -> ir.Expr:
        """Whether a move, given as its edge, wins that leads to a position with an outcome (u32)."""
        wins = compare("eq", outcome, const(LOST, ir.U32))
        if self.graph.keeps:
            kept = binary("and", edge, const(KEEPS_TURN, ir.U32), ir.U32)
            winning = select(compare("ne", kept, const(0, ir.U32)), const(WON, ir.U32), const(LOST, ir.U32))
            wins = compare("eq", outcome, winning)
        return wins

    def draws(self) -> ir.Function:
        """Propagates what the player for whom endless play does not win can force to be at least a draw."""
        b = Builder()
        b.declare(*self.params(ir.Scalar("fuel.start", ir.I64)))
        queue = Queue(self.graph, b)

        def reached(source: ir.Expr, _: ir.Expr) -> None:
            with b.when(self.drawing(b, source)):
                queue.decide(source, const(DRAWN + 1, ir.U32))
            with b.otherwise():
                queue.count_down(source, const(DRAWN + 1, ir.U32))

        with queue.each() as number:
            queue.undecided(number, reached)
        queue.leave(DONE)
        return b.function(f"{NAME}.draws{self.tail}")

    def drawing(self, b: Builder, source: ir.Expr) -> ir.Expr:
        """Whether who is to move at a position needs one move only to force a draw."""
        winner = self.winner
        assert winner is not None
        return compare("ne", self.graph.turn(b, source, self.dense), const(winner))

    def rest(self) -> ir.Function:
        """Gives positions `first..last` that are not decided what endless play means, or a draw."""
        b = Builder()
        b.declare(*self.params(*piece()))
        with b.loop("n", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as n:
            value = ir.Load("value", n, ir.U32, NUMBERED)
            with b.when(compare("eq", value, const(0, ir.U32))):
                code: ir.Expr = const(DRAWN + 1, ir.U32)
                if self.winner is not None:
                    wins = compare("eq", self.graph.turn(b, n, self.dense), const(self.winner))
                    code = select(wins, const(WON + 1, ir.U32), const(LOST + 1, ir.U32))
                b.store("value", n, code, NUMBERED)
        b.returns(DONE)
        return b.function(f"{NAME}.rest{self.tail}", hot=False)


class Edges:
    """Writes the loop over the edges into a position."""

    def __init__(self, graph: Graph, b: Builder) -> None:
        self.graph = graph
        self.b = b
        self.weight: ir.Expr = const(1, ir.U32)  # of an edge, as `degree` counts

    def spend(self, edges: ir.Expr) -> None:
        """Writes what is done about the number of edges (i64) that are gone through."""

    def undecided(self, number: ir.Expr, body: Callable[[ir.Expr, ir.Expr], None]) -> None:
        """Writes `body(source, edge)` for each edge from a position without a value: its number (i64), and the edge
        (u32), of which only the mark KEEPS is told."""
        if self.graph.parents is not None:
            self._read_backwards(self.graph.parents, number, body)
            return
        b = self.b
        first = b.local("first", ir.Load("start", number, ir.I64, NUMBERED))
        last = b.local("last", sub(ir.Load("start", add(number, 1), ir.I64, NUMBERED), 1))
        self.spend(add(sub(last, first), 2))
        with b.loop("e", first, last) as e:
            edge = b.local("edge", ir.Load("sources", e, ir.U32, COUNTED))
            source = b.local("source", cast(masked(edge), ir.I64))
            value = ir.Load("value", source, ir.U32, NUMBERED)
            with b.when(compare("eq", value, const(0, ir.U32))):
                body(source, edge)

    def _read_backwards(self, parents: Parents, number: ir.Expr, body: Callable[[ir.Expr, ir.Expr], None]) -> None:
        graph, b = self.graph, self.b
        key = b.local("position", ir.Load("keys", number, graph.key, NUMBERED))
        self.weight = graph.packed.size(b, graph.packed.words(b, key))

        def look(option: ir.Expr) -> None:
            _, found = graph.find(b, option)
            with b.when(compare("ne", found, const(0, ir.U32))):
                source = b.local("source", cast(sub(found, 1), ir.I64))
                with b.when(compare("eq", ir.Load("value", source, ir.U32, NUMBERED), const(0, ir.U32))):
                    mark = ir.Load("marks", gather.index, ir.U32, GATHERED) if graph.keeps else const(0, ir.U32)
                    body(source, mark)

        gather = Gather(graph, b, look)

        def note(change: ir.Expr) -> None:
            if graph.keeps:
                mover = shr(change, graph.packed.bits - graph.shapes[MOVER].bits)
                kept = compare("eq", binary("and", mover, const(1, graph.key), graph.key), const(0, graph.key))
                mark = select(kept, const(KEEPS_TURN, ir.U32), const(0, ir.U32))
                b.store("marks", gather.height, mark, GATHERED)
            b.store("gathered", gather.height, binary("xor", key, change, graph.key), GATHERED)
            b.assign(gather.height, add(gather.height, 1))

        parents.each(b, key, note)
        self.spend(add(gather.height, 2))
        gather.look_up()


class Queue(Edges):
    """Writes the loop over the queue of decided positions."""

    def __init__(self, graph: Graph, b: Builder) -> None:
        super().__init__(graph, b)
        self.head = b.local("head", cast(at(HEAD), ir.I64))
        self.end = b.local("tail", cast(at(TAIL), ir.I64))
        self.fuel = b.local("fuel", ir.Var("fuel.start", ir.I64))

    def spend(self, edges: ir.Expr) -> None:
        self.b.assign(self.fuel, sub(self.fuel, edges))

    def leave(self, status: int) -> None:
        for place, value in ((HEAD, self.head), (TAIL, self.end)):
            self.b.store(TABLE.name, const(place), cast(value, ir.U64), FIXED)
        self.b.returns(status)

    @contextmanager
    def each(self) -> Iterator[ir.Expr]:
        """The statements run for each position taken from the queue."""
        b = self.b
        with b.loop_while(compare("lt", self.head, self.end)):
            with b.when(compare("lt", self.fuel, const(0))):
                self.leave(FUEL_OUT)
            number = b.local("number", ir.Load("queue", self.head, ir.I64, QUEUED))
            b.assign(self.head, add(self.head, 1))
            yield number

    def decide(self, source: ir.Expr, state: ir.Expr) -> None:
        b = self.b
        b.store("value", source, state, NUMBERED)
        b.store("queue", self.end, cast(source, ir.U32), QUEUED)
        b.assign(self.end, add(self.end, 1))

    def count_down(self, source: ir.Expr, state: ir.Expr) -> None:
        """One option less; with the last one, the position is decided."""
        b = self.b
        fewer = cast(self.weight, ir.I64)
        left = b.local("left", sub(ir.Load("degree", source, ir.I64, NUMBERED), fewer))
        b.store("degree", source, left, NUMBERED)
        with b.when(compare("eq", left, const(0))):
            self.decide(source, state)
