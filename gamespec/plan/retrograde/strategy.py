"""Retrograde analysis: values of positions that may repeat, from the ends of play backwards.

The graph of `plan.retrograde.graph` is propagated by distance: positions whose value is known stand in a queue, nearest
to the end first. A move into a position that is lost for its player wins, so its source is won, at the least distance;
a source whose moves have all come back as losing (`degree` counts those that have not) is lost, at the greatest. A
position on which nothing can be forced is never put into the queue. `endless` decides those: if endless play is a draw,
they are drawn, as are the positions that end drawn. If it wins for one player, a second pass finds what the other can
force to be at least a draw, the same way; all the rest is won for the first.

With Grundy values, see `plan.retrograde.smith`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import interacts
from gamespec.game.loopy import breaking
from gamespec.game.model import DRAWN, LOST, MOVER, WON, Game, Verdict
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, select, shr, sub
from gamespec.plan.orbit import orbits
from gamespec.plan.plan import Ask, Bid, Reason, Refusal
from gamespec.plan.retrograde.graph import (
    COUNTED,
    DONE,
    FIXED,
    FUEL_OUT,
    GATHERED,
    HEAD,
    MOST_EDGES,
    NAME,
    NUMBERED,
    TAIL,
    Gather,
    Graph,
    at,
    masked,
)
from gamespec.plan.retrograde.graph import KEEPS as KEEPS_TURN
from gamespec.plan.retrograde.parents import Parents
from gamespec.plan.retrograde.smith import Smith
from gamespec.plan.retrograde.survey import Survey
from gamespec.plan.valuation import Kind, TooLong
from gamespec.plan.watch import TABLE

NANOSECONDS_AN_EDGE = 30.0
NANOSECONDS_A_POSITION = 60.0

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
        b.declare(*self.params(*_piece(), ir.Scalar("drawn", ir.I64)))
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
        queue = Queue(self, b)
        with queue.each() as number:
            code = b.local("code", sub(ir.Load("value", number, ir.U32, NUMBERED), 1))
            outcome: ir.Expr = code
            plies: ir.Expr = const(0, ir.U32)
            if self.graph.distance:
                outcome = b.local("outcome", binary("mod", code, const(3, ir.U32), ir.U32))
                plies = b.local("plies", add(sub(code, outcome), 3))

            def reached(source: ir.Expr, edge: ir.Expr, outcome: ir.Expr = outcome, plies: ir.Expr = plies) -> None:
                wins = compare("eq", outcome, const(LOST, ir.U32))
                if self.graph.keeps:
                    kept = binary("and", edge, const(KEEPS_TURN, ir.U32), ir.U32)
                    winning = select(compare("ne", kept, const(0, ir.U32)), const(WON, ir.U32), const(LOST, ir.U32))
                    wins = compare("eq", outcome, winning)
                with b.when(wins):
                    queue.decide(source, add(plies, WON + 1))
                with b.otherwise():
                    queue.count_down(source, add(plies, LOST + 1))

            queue.undecided(number, reached)
        queue.leave(DONE)
        return b.function(f"{NAME}.wins{self.tail}")

    def draws(self) -> ir.Function:
        """Propagates what the player for whom endless play does not win can force to be at least a draw."""
        winner = self.winner
        assert winner is not None
        b = Builder()
        b.declare(*self.params(ir.Scalar("fuel.start", ir.I64)))
        queue = Queue(self, b)

        def reached(source: ir.Expr, _: ir.Expr) -> None:
            turn = self.graph.turn(b, source, self.dense)
            with b.when(compare("ne", turn, const(winner))):
                queue.decide(source, const(DRAWN + 1, ir.U32))
            with b.otherwise():
                queue.count_down(source, const(DRAWN + 1, ir.U32))

        with queue.each() as number:
            queue.undecided(number, reached)
        queue.leave(DONE)
        return b.function(f"{NAME}.draws{self.tail}")

    def rest(self) -> ir.Function:
        """Gives positions `first..last` that are not decided what endless play means, or a draw."""
        b = Builder()
        b.declare(*self.params(*_piece()))
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


class Queue:
    """Writes the loop over the queue of decided positions and the edges into them."""

    def __init__(self, spread: Spread, b: Builder) -> None:
        self.graph = spread.graph
        self.b = b
        self.weight: ir.Expr = const(1, ir.U32)  # of an edge, as `degree` counts
        self.head = b.local("head", cast(at(HEAD), ir.I64))
        self.end = b.local("tail", cast(at(TAIL), ir.I64))
        self.fuel = b.local("fuel", ir.Var("fuel.start", ir.I64))

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

    def undecided(self, number: ir.Expr, body: Callable[[ir.Expr, ir.Expr], None]) -> None:
        """Writes `body(source, edge)` for each edge from a position without a value: its number (i64), and the edge
        (u32), of which only the mark KEEPS is told."""
        if self.graph.parents is not None:
            self._read_backwards(self.graph.parents, number, body)
            return
        b = self.b
        first = b.local("first", ir.Load("start", number, ir.I64, NUMBERED))
        last = b.local("last", sub(ir.Load("start", add(number, 1), ir.I64, NUMBERED), 1))
        b.assign(self.fuel, sub(self.fuel, add(sub(last, first), 2)))
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
        b.assign(self.fuel, sub(self.fuel, add(gather.height, 2)))
        gather.look_up()

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


def _piece() -> tuple[ir.Scalar, ir.Scalar]:
    return ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64)


# --- the offer -----------------------------------------------------------------------------------------------


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if game.endless is None and facts.finite is None:
        text = "it is not proved that play ends, and no `endless` says what a play is worth that does not"
        return Refusal(NAME, Reason(text, facts.no_order.span))
    if game.scored:
        return Refusal(NAME, Reason("scores are not added up along plays that may come back"))
    if interacts(game):
        return Refusal(NAME, Reason("the components of this sum have no values of their own"))
    try:
        graph = Graph(game, facts, ask)
    except TooLong:
        return Refusal(NAME, Reason("scores may need more than 62 bits"))
    move = breaking(game)
    if move is not None:
        text = f"`{move.name}` leaves several components, or none, which have no single value where play comes back"
        return Refusal(NAME, Reason(text, move.span))
    if graph.parents is None and graph.most >= MOST_EDGES:
        return Refusal(NAME, Reason("a position may have more moves than can be stored", game.moves[0].span))
    alike = facts.symmetry.orbit * (1 if facts.swap is None else 2)
    positions = max(1, min(facts.size.positions, 1 << 200) // alike)
    options = max(1, min(graph.most, 1 << 20))
    cost = float(positions) * (NANOSECONDS_A_POSITION + NANOSECONDS_AN_EDGE * options)
    bytes_each = position_bytes(graph, dense=False)
    reasons = [Reason(f"{_why(game, facts)}; from the ends of play backwards, {_what(graph)}")]
    if graph.parents is not None:
        reasons += _backwards(graph, graph.parents, bytes_each)
    else:
        text = f"{bytes_each} bytes a position that play reaches, and 8 bytes an option while they are sorted"
        reasons.append(Reason(f"{text}: moves are stored, as {graph.stored}" if graph.stored else text))
    if graph.parents is None and graph.space.cells <= MOST_DENSE:
        text = f"where play reaches more than 1 in {DENSITY} of {facts.size.text} positions, all are numbered: "
        reasons.append(Reason(text + f"{position_bytes(graph, dense=True)} bytes a position"))
    reasons += orbits(facts.symmetry, graph.packed, facts.swap)
    if graph.parents is None:
        bytes_each += 8 * options
    return Bid(NAME, cost, positions * bytes_each, tuple(reasons), 0, positions)


def _backwards(graph: Graph, parents: Parents, bytes_each: int) -> list[Reason]:
    """What is told of moves that are read backwards."""
    text = (
        f"no moves are stored: {parents.moves:,} moves are read backwards by {len(parents.groups)} tables, about"
        f" {parents.average:.0f} predecessors a position; {bytes_each} bytes a position that play reaches"
    )
    found = [Reason(text)]
    survey = Survey(graph)
    if survey.possible:
        share = f"1 in {DENSITY * graph.packed.order} of {survey.cells:,} positions"
        found.append(Reason(f"where play reaches more than {share}, all of these are gone through"))
    return found


DENSITY = 16  # positions of the declared space for one that play must reach before all are numbered
MOST_DENSE = 1 << 30


def position_bytes(graph: Graph, dense: bool) -> int:
    """Bytes a position needs besides its edges."""
    known = (graph.degree.bits + graph.value.bits) // 8 + (8 if graph.parents is None else 4)
    if graph.grundy:
        known += 4 + 2 * graph.degree.bits // 8
    return known if dense else known + graph.key.bits // 8 + 8


def _why(game: Game, facts: Facts) -> str:
    return "positions may repeat" if facts.finite is None else "play ends, and all positions it reaches are asked"


def _what(graph: Graph) -> str:
    match graph.valuation.kind:
        case Kind.GRUNDY:
            return "Grundy values with ∞ by the labels of Smith and Fraenkel"
        case Kind.DISTANCE:
            return "wins and losses by distance"
        case _:
            return "wins and losses by layers"


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    graph = Graph(game, facts, ask)
    functions = [graph.reach(), graph.rehash(), graph.look()]
    dense = graph.parents is None and graph.space.cells <= MOST_DENSE
    if graph.parents is None:
        functions += [graph.tally(), graph.total(), graph.place()]
    elif Survey(graph).possible:
        functions += [Survey(graph).kernel(), graph.count()]
    if dense:
        functions.append(graph.cover())
    if graph.grundy:
        functions += Smith(graph).kernels()
    else:
        for each in (False, True) if dense else (False,):
            functions += Spread(graph, each).kernels()
    if ask.moves or graph.grundy:
        functions.append(graph.children())
    return tuple(functions)
