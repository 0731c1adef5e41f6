"""The graph of positions that play can reach, in memory: numbered positions and reverse edges in compressed rows.

Positions get dense numbers. The *hashed* numbering finds those that the roots reach, breadth first: the list of keys
is the queue, and an open-addressing table maps a key to its number plus one. The *dense* numbering is that of
`plan.space`: all positions of a box, without a table and without keys.

Expanding a position appends its options to `targets` (u32: the number, and KEEPS where the move keeps the turn) and
counts them in `degree`; a position where the game is over gets its `value` (its code plus one) at once. Then the
edges are turned round by a counting sort: those into position n stand in `sources` from `start[n]` to `start[n + 1]`.
Equal options are as many edges, on both sides.

Where the moves can be read backwards (`plan.retrograde.parents`), no edges are stored: positions are hashed, each once
for its orbit, and those that play reaches one by one are found as above, or, where they are many, all that are declared
are gone through (`plan.retrograde.survey`). The options of the position that stands for an orbit P lead n times to an
orbit Q, and moves read backwards from the position that stands for Q lead m times to P; then n times the size of P is m
times the size of Q, as both count the moves between all positions of P and Q. So `degree` counts each option as often
as its orbit has positions, and each move read backwards counts as many as the orbit that it was read from.
"""

from __future__ import annotations

from collections.abc import Callable

from gamespec.analysis.facts import Facts
from gamespec.game.model import MOVER, Game
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    Builder,
    add,
    binary,
    both,
    cast,
    cell_type,
    compare,
    const,
    select,
    shr,
    sub,
)
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape, shape_of
from gamespec.plan.encode import Givens, givens_of, rules
from gamespec.plan.listing import Listing
from gamespec.plan.orbit import Keys
from gamespec.plan.plan import Ask
from gamespec.plan.retrograde.parents import Parents, TooLarge
from gamespec.plan.slot import HASHED, home, mixed, next_slot, position_key
from gamespec.plan.space import Space
from gamespec.plan.valuation import Kind, Valuation, may_keep, valuation
from gamespec.plan.value import most_options
from gamespec.plan.watch import TABLE, polled

NAME = "retrograde"

DONE, TABLE_FULL, EDGES_FULL, FUEL_OUT = range(4)  # status of `reach` and `cover`

# Cells of the table `at`.
NEXT, COUNT, EDGES, HEAD, TAIL, STAGE, LABELLED = range(7)

KEEPS = 1 << 31
NUMBER = KEEPS - 1
MOST_POSITIONS = 1 << 30
MOST_EDGES = (1 << 32) - 1

MOST_GATHERED = 1 << 10
AHEAD = 16  # keys whose cells are asked for before they are needed

GATHERED = "there are as many cells as keys are gathered at a time"
NUMBERED = "a number is below that of the positions"
COUNTED = "edges were counted before"
FIXED = "a fixed cell"


class Graph:
    """What the kernels and the solver of one game share. Raises TooWide."""

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        self.game = game
        self.facts = facts
        self.valuation: Valuation = valuation(game, facts, ask)
        self.grundy = self.valuation.kind is Kind.GRUNDY
        self.distance = self.valuation.kind is Kind.DISTANCE
        self.keeps = may_keep(game)
        self.shapes: dict[str, Shape] = {field.name: shape_of(field) for field in game.states}
        self.packed = Keys(self.shapes, facts.symmetry, facts.swap)
        self.key = position_key(game, self.shapes, self.packed.bits)
        self.givens: Givens = givens_of(game)
        self.most = most_options(game)
        self.parents: Parents | None = None
        self.stored = ""  # why edges are stored
        self._read_backwards()
        self.degree = cell_type(min(self.most * (1 if self.parents is None else self.packed.order), MOST_EDGES))
        self.value = ir.U8 if not (self.distance or self.grundy) else ir.U32
        self.space = Space(game, facts, self.shapes, [(field.name, 1) for field in game.states])

    def _read_backwards(self) -> None:
        relations = self.facts.inverse
        if isinstance(relations, str) or self.grundy or self.packed.rows:
            self.stored = relations if isinstance(relations, str) else "Grundy values, or orders of entries, are kept"
            return
        try:
            self.parents = Parents(relations, self.shapes, self.key)
        except TooLarge as reason:
            self.stored = str(reason)

    # --- parameters ----------------------------------------------------------------------------------------

    def numbered(self) -> tuple[ir.Scalar | ir.Table, ...]:
        """What says which position has which number: keys and their table."""
        return (
            ir.Table("cells", ir.U32),
            ir.Scalar("mask", ir.U64),
            ir.Scalar("shift", ir.U64),
            ir.Table("keys", self.key),
        )

    def gathered(self) -> tuple[ir.Table, ...]:
        """Keys that are looked up together, with the marks KEEPS of their edges."""
        marks = (ir.Table("marks", ir.U32),) if self.keeps else ()
        return ir.Table("gathered", self.key), *marks

    def known(self) -> tuple[ir.Table, ...]:
        """What is known of each position."""
        return ir.Table("degree", self.degree), ir.Table("value", self.value)

    def reverse(self) -> tuple[ir.Table, ...]:
        """The edges turned round."""
        return ir.Table("start", ir.U32), ir.Table("sources", ir.U32)

    def rules(self, b: Builder) -> Rules:
        return rules(b, self.game, self.facts, self.shapes, self.givens)

    # --- finding positions ---------------------------------------------------------------------------------

    def find(self, b: Builder, key: ir.Expr) -> tuple[ir.Var, ir.Var]:
        """The slot of a key, or where it would go, and the number there plus one (u32, 0 if there is none)."""
        key = b.simple("key", key)
        slot = b.local("slot", home(mixed(key)))
        found = b.local("found", ir.Load("cells", slot, ir.U32, HASHED))
        there = ir.Load("keys", sub(cast(found, ir.I64), 1), self.key, NUMBERED)
        with b.loop_while(both(compare("ne", found, const(0, ir.U32)), compare("ne", there, key))):
            b.assign(slot, next_slot(slot))
            b.assign(found, ir.Load("cells", slot, ir.U32, HASHED))
        return slot, found

    def ask_ahead(self, b: Builder, key: ir.Expr, *tables: str) -> None:
        """Asks the memory for what tables hold of the number in the first cell of a key, which was asked for before."""
        number = b.local("number", ir.Load("cells", home(mixed(key)), ir.I64, HASHED))
        with b.when(compare("gt", number, const(0))):
            for table in tables:
                b.prefetch(table, sub(number, 1), NUMBERED)

    def reach(self) -> ir.Function:
        """Expands positions from NEXT on, and those found on the way; the status says why it returned."""
        b = Builder()
        own = [TABLE] if self.parents else [ir.Table("targets", ir.U32), TABLE]
        limits = [ir.Scalar(name, ir.I64) for name in ("most", "room", "fuel.start")]
        gathered = self.gathered()[:1] if self.parents else ()
        b.declare(*self.numbered(), *self.known(), *own, *gathered, *self.givens.params(), *limits)
        expand = Expand(self, b)
        count = b.local("count", cast(at(COUNT), ir.I64))
        expand.leaves = ((COUNT, count),)

        def number(key: ir.Expr) -> ir.Expr:
            slot, found = self.find(b, key)
            with b.when(compare("eq", found, const(0, ir.U32))):
                with b.when(compare("ge", count, ir.Var("most", ir.I64))):
                    expand.leave(TABLE_FULL)
                self.admit(b, key, slot, count)
                b.assign(found, cast(count, ir.U32))
            return sub(found, 1)

        self.expand_all(b, expand, count, number)
        return b.function(f"{NAME}.reach")

    def admit(self, b: Builder, key: ir.Expr, slot: ir.Expr, count: ir.Var) -> None:
        """Writes that a key, whose slot is empty, gets the number `count`, which is counted up."""
        b.store("keys", count, key, NUMBERED)
        b.assign(count, add(count, 1))
        b.store("cells", slot, cast(count, ir.U32), HASHED)

    def expand_all(self, b: Builder, expand: Expand, end: ir.Expr, number: Callable[[ir.Expr], ir.Expr | None]) -> None:
        """Writes the expansion of positions from NEXT on below `end`; `number(key)` is what stands for an option."""
        gather = Gather(self, b, number) if self.parents else None

        def note(words: Words) -> ir.Expr | None:
            if gather is not None:
                gather.add(self.packed.packing.key(words, self.key))
                return None
            return number(b.local("option", self.packed.key(b, words, self.key)))

        with b.loop_while(compare("lt", expand.next, end)), b.labelled("position") as done:
            key = b.local("position", ir.Load("keys", expand.next, self.key, NUMBERED))
            if gather is not None:
                gather.start()
            expand.position(self.packed.words(b, key), note, done, None if gather is None else gather.look_up)
        expand.leave(DONE)

    def cover(self) -> ir.Function:
        """Expands the cells of a box from NEXT on, up to COUNT."""
        b = Builder()
        own = [ir.Table("targets", ir.U32), TABLE]
        limits = [ir.Scalar(name, ir.I64) for name in ("room", "fuel.start")]
        b.declare(*self.known(), *own, *self.givens.params(), *self.space.indexing.params(), *limits)
        expand = Expand(self, b)
        count = b.local("count", cast(at(COUNT), ir.I64))
        with b.loop_while(compare("lt", expand.next, count)), b.labelled("position") as done:
            words = self.space.indexing.words(b, self.offsets(b, expand.next))
            with b.when(expand.rules.is_position(words)):
                indexing = self.space.indexing
                expand.position(words, lambda after: cast(indexing.index(b, after), ir.U32), done)
            with b.otherwise():
                expand.skip()
        expand.leave(DONE)
        return b.function(f"{NAME}.cover")

    def count(self) -> ir.Function:
        """Counts the options of positions from NEXT on, up to COUNT, and sees which of them end the game."""
        b = Builder()
        limits = [ir.Scalar("fuel.start", ir.I64)]
        b.declare(ir.Table("keys", self.key), *self.known(), TABLE, *self.givens.params(), *limits)
        expand = Expand(self, b)
        count = b.local("count", cast(at(COUNT), ir.I64))
        with b.loop_while(compare("lt", expand.next, count)), b.labelled("position") as done:
            key = b.local("position", ir.Load("keys", expand.next, self.key, NUMBERED))
            expand.position(self.packed.words(b, key), lambda _: None, done)
        expand.leave(DONE)
        return b.function(f"{NAME}.count")

    def offsets(self, b: Builder, number: ir.Expr) -> list[ir.Expr]:
        """The offset of each digit at a cell of the box."""
        rest: ir.Expr = number
        offsets: list[ir.Expr] = []
        for digit in reversed(self.space.indexing.digits):
            offsets.append(b.local("offset", binary("mod", rest, digit.size(), ir.I64)))
            rest = b.local("rest", binary("div", rest, digit.size(), ir.I64))
        return offsets[::-1]

    def rehash(self) -> ir.Function:
        """Fills an empty table with the numbers of the first `count` keys, all of them different."""
        b = Builder()
        b.declare(*self.numbered(), ir.Scalar("count", ir.I64))
        last = b.local("last", sub(ir.Var("count", ir.I64), 1))
        with b.loop("i", const(0), last) as i:
            later = select(compare("lt", last, add(i, AHEAD)), last, add(i, AHEAD))
            b.prefetch("cells", home(mixed(b.local("later", ir.Load("keys", later, self.key, NUMBERED)))), HASHED)
            slot = b.local("slot", home(mixed(b.local("key", ir.Load("keys", i, self.key, NUMBERED)))))
            with b.loop_while(compare("ne", ir.Load("cells", slot, ir.U32, HASHED), const(0, ir.U32))):
                b.assign(slot, next_slot(slot))
            b.store("cells", slot, cast(add(i, 1), ir.U32), HASHED)
        b.returns(0)
        return b.function(f"{NAME}.rehash", hot=False)

    def look(self) -> ir.Function:
        """Writes the number plus one of each of `queries` to `answers`, 0 for an unknown one."""
        b = Builder()
        own = (ir.Table("queries", self.key), ir.Table("answers", ir.U32), ir.Scalar("queries.count", ir.I64))
        b.declare(*self.numbered(), *own)
        with b.loop("i", const(0), sub(ir.Var("queries.count", ir.I64), 1)) as i:
            _, found = self.find(b, b.local("key", ir.Load("queries", i, self.key)))
            b.store("answers", i, found)
        b.returns(0)
        return b.function(f"{NAME}.look", hot=False)

    def children(self) -> ir.Function:
        """Lists the options of one position (see `plan.listing`); their keys go to `keys`, as far as there is room."""
        b = Builder()
        own = (ir.Table("keys", self.key), ir.Scalar("room", ir.I64), TABLE)
        b.declare(*own, *self.givens.params(), *Listing.params(self.shapes))
        polled(b)
        listing = Listing(b, self.game)
        count = b.local("listed", const(0))

        def note(option: Option) -> ir.Expr:
            with b.when(compare("lt", count, ir.Var("room", ir.I64))):
                b.store("keys", count, self.packed.key(b, only_result(option), self.key))
            b.assign(count, add(count, 1))
            return sub(count, 1)

        b.returns(listing.write(self.rules(b), listing.position(self.shapes), note))
        return b.function(f"{NAME}.children", hot=False)

    # --- turning edges round -------------------------------------------------------------------------------

    def tally(self) -> ir.Function:
        """Counts in `start` the edges `first..last` by their targets."""
        b = Builder()
        b.declare(ir.Table("targets", ir.U32), ir.Table("start", ir.U32), *piece())
        with b.loop("e", *_ends()) as e:
            target = b.local("target", cast(masked(ir.Load("targets", e, ir.U32, COUNTED)), ir.I64))
            b.store("start", target, add(ir.Load("start", target, ir.U32, NUMBERED), 1), NUMBERED)
        b.returns(0)
        return b.function(f"{NAME}.tally", hot=False)

    def total(self) -> ir.Function:
        """Makes each of `start[first..last]` the sum of all up to it; EDGES holds the sum so far."""
        b = Builder()
        b.declare(ir.Table("start", ir.U32), TABLE, *piece())
        total = b.local("total", cast(at(EDGES), ir.U32))
        with b.loop("n", *_ends()) as n:
            b.assign(total, add(total, ir.Load("start", n, ir.U32, NUMBERED)))
            b.store("start", n, total, NUMBERED)
        b.store(TABLE.name, const(EDGES), cast(total, ir.U64), FIXED)
        b.returns(0)
        return b.function(f"{NAME}.total", hot=False)

    def place(self) -> ir.Function:
        """Puts the edges of positions `first..last` in their rows; EDGES is the first edge of `first`."""
        b = Builder()
        tables = [ir.Table("targets", ir.U32), *self.known()[:1], *self.reverse()]
        b.declare(*tables, TABLE, *piece())
        edge = b.local("edge", cast(at(EDGES), ir.I64))
        with b.loop("n", *_ends()) as n:
            end = b.local("end", add(edge, cast(ir.Load("degree", n, ir.I64, NUMBERED), ir.I64)))
            with b.loop_while(compare("lt", edge, end)):
                target = b.local("target", ir.Load("targets", edge, ir.U32, COUNTED))
                row = b.local("row", cast(masked(target), ir.I64))
                place = b.local("place", sub(ir.Load("start", row, ir.U32, NUMBERED), 1))
                b.store("start", row, place, NUMBERED)
                b.store("sources", cast(place, ir.I64), self.joined(cast(n, ir.U32), target), COUNTED)
                b.assign(edge, add(edge, 1))
        b.store(TABLE.name, const(EDGES), cast(edge, ir.U64), FIXED)
        b.returns(0)
        return b.function(f"{NAME}.place", hot=False)

    def joined(self, number: ir.Expr, edge: ir.Expr) -> ir.Expr:
        """The number with the mark of an edge."""
        if not self.keeps:
            return number
        return binary("or", number, binary("and", edge, const(KEEPS, ir.U32), ir.U32), ir.U32)

    def turn(self, b: Builder, number: ir.Expr, dense: bool) -> ir.Expr:
        """Whose turn it is (i64) at the position with a number; `mover` is the last field, so the last digit."""
        if dense:
            digit = self.space.indexing.digits[-1]
            return add(digit.lo(), binary("mod", number, digit.size(), ir.I64))
        shape = self.shapes[MOVER]
        key = ir.Load("keys", number, self.key, NUMBERED)
        return b.local("turn", cast(shr(key, self.packed.bits - shape.bits), ir.I64))


class Expand:
    """Writes the expansion of one position, whatever numbers the positions."""

    def __init__(self, graph: Graph, b: Builder) -> None:
        self.graph = graph
        self.b = b
        self.rules = graph.rules(b)
        self.next = b.local("next", cast(at(NEXT), ir.I64))
        self.edges = b.local("edges", cast(at(EDGES), ir.I64))
        self.fuel = b.local("fuel", ir.Var("fuel.start", ir.I64))
        self.base = b.local("base", self.edges)
        self.leaves: tuple[tuple[int, ir.Expr], ...] = ()

    def leave(self, status: int) -> None:
        """Returns; the position at NEXT is to be expanded (again)."""
        self.note()
        self.b.returns(status)

    def note(self) -> None:
        """Records what the caller needs to go on."""
        for place, value in ((NEXT, self.next), (EDGES, self.base), *self.leaves):
            self.b.store(TABLE.name, const(place), cast(value, ir.U64), FIXED)

    def skip(self) -> None:
        self.b.assign(self.next, add(self.next, 1))
        self.b.assign(self.base, self.edges)

    def position(
        self,
        words: Words,
        number: Callable[[Words], ir.Expr | None],
        done: str,
        finish: Callable[[], None] | None = None,
    ) -> None:
        """Expands the position at NEXT, given as words; `number(words)` is that (u32) of an option, or None where
        edges are not stored; `finish` writes what is to be done with all options together."""
        graph, b = self.graph, self.b
        b.assign(self.edges, self.base)
        b.assign(self.fuel, sub(self.fuel, 1))
        with b.when(compare("lt", self.fuel, const(0))):
            self.leave(FUEL_OUT)
        b.before_fault = self.note
        polled(b, lambda: self.leave(ir.STOPPED))

        def decided(outcome: ir.Expr) -> None:
            b.store("value", self.next, add(cast(graph.valuation.ended(outcome), ir.U32), 1), NUMBERED)
            b.store("degree", self.next, const(0, ir.U32), NUMBERED)
            self.skip()
            b.breaks(done)

        def note(option: Option) -> None:
            target = number(only_result(option))
            if target is None:
                b.assign(self.edges, add(self.edges, 1))
                return
            found = b.simple("number", target)
            with b.when(compare("ge", self.edges, ir.Var("room", ir.I64))):
                self.leave(EDGES_FULL)
            if graph.keeps and option.keeps_turn != FALSE:
                mark = select(option.keeps_turn, const(KEEPS, ir.U32), const(0, ir.U32))
                found = binary("or", found, mark, ir.U32)
            b.store("targets", self.edges, found, COUNTED)
            b.assign(self.edges, add(self.edges, 1))

        self.rules.terminal(words, decided)
        self.rules.each_option(words, note)
        with b.when(compare("eq", self.edges, self.base)):
            b.store("value", self.next, const(graph.valuation.stuck + 1, ir.U32), NUMBERED)
        if finish is not None:
            finish()
        options = cast(sub(self.edges, self.base), ir.U32)
        if graph.parents is not None and graph.packed.elements:
            options = binary("mul", options, graph.packed.size(b, words), ir.U32)
        b.store("degree", self.next, options, NUMBERED)
        self.skip()


class Gather:
    """Writes the looking up of several keys together, so that the memory works on all of them at once.

    Keys are gathered as positions are met; then each is made that of its orbit, and its cell is asked for, then its
    number and what is kept there, and then they are looked up.
    """

    def __init__(self, graph: Graph, b: Builder, body: Callable[[ir.Expr], object]) -> None:
        self.graph = graph
        self.b = b
        self.body = body
        self.height = b.local("height", const(0))

    def start(self) -> None:
        self.b.assign(self.height, const(0))

    def add(self, key: ir.Expr) -> None:
        """Gathers the key of a position; where there are very many, those gathered so far are looked up."""
        self.b.store("gathered", self.height, key, GATHERED)
        self.b.assign(self.height, add(self.height, 1))
        if self.graph.most > MOST_GATHERED:
            with self.b.when(compare("ge", self.height, const(MOST_GATHERED))):
                self.look_up()
                self.start()

    def look_up(self) -> None:
        """`body(key)` for each, the key being that of its orbit."""
        graph, b = self.graph, self.b
        last = b.local("last", sub(self.height, 1))
        with b.loop("i", const(0), last) as i:
            raw = b.local("raw", ir.Load("gathered", i, graph.key, GATHERED))
            key = b.local("key", graph.packed.key(b, graph.packed.words(b, raw), graph.key))
            b.store("gathered", i, key, GATHERED)
            b.prefetch("cells", home(mixed(key)), HASHED)
        with b.loop("i", const(0), last) as i:
            key = b.local("key", ir.Load("gathered", i, graph.key, GATHERED))
            graph.ask_ahead(b, key, "keys", "value")
        with b.loop("i", const(0), last) as i:
            self.index = i
            self.body(b.local("key", ir.Load("gathered", i, graph.key, GATHERED)))


def only_result(option: Option) -> Words:
    """The only position that a move leaves, also where it is written as the one part of an `into`."""
    found: list[Words] = []
    option.each_result(found.append)
    (words,) = found
    return words


def at(place: int) -> ir.Expr:
    """A cell of the table `at`."""
    return ir.Load(TABLE.name, const(place), ir.U64, FIXED)


def masked(edge: ir.Expr) -> ir.Expr:
    """The number of an edge."""
    return binary("and", edge, const(NUMBER, ir.U32), ir.U32)


def piece() -> tuple[ir.Scalar, ir.Scalar]:
    """The numbers that a call of a kernel is for, the last one included."""
    return ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64)


def _ends() -> tuple[ir.Expr, ir.Expr]:
    return ir.Var("first", ir.I64), ir.Var("last", ir.I64)
