"""Finding positions by several threads, where moves are read backwards and so none are stored.

A round has two steps. First each worker expands its share of the positions that are next, and *brings* what it finds
there that has no number, in the order in which it is met. Then one thread numbers what was brought, piece after piece:
positions get the same numbers as from `Graph.reach` alone. Most of the time goes into the first step, for it plays the
moves and looks for the one of each orbit.
"""

from __future__ import annotations

from typing import NamedTuple

from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, cast, compare, const
from gamespec.kernel.memory import Buffer
from gamespec.plan.memory import Memory
from gamespec.plan.plan import Kernels
from gamespec.plan.retrograde.graph import (
    AHEAD,
    COUNT,
    DONE,
    EDGES,
    FIXED,
    FUEL_OUT,
    HEAD,
    NAME,
    NEXT,
    TABLE_FULL,
    TAIL,
    Expand,
    Graph,
    at,
)
from gamespec.plan.slot import HASHED, home, mixed
from gamespec.plan.thread import Team
from gamespec.plan.watch import TABLE

FIRST = 1 << 12  # positions of the first round
PIECE = 1 << 11  # positions that a worker expands at a time: between two calls the interpreter fills the caches
ROOM = 1 << 18  # keys that a worker can bring in one round
WORTH = 1 << 14  # positions that are next from which several threads pay

BROUGHT = "there is room for so many keys, and a few more are read ahead"


class Scout:
    """Writes the kernels."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def kernels(self) -> tuple[ir.Function, ...]:
        return self.bring(), self.admit()

    def bring(self) -> ir.Function:
        """Expands positions from NEXT on up to COUNT; keys without a number go to `brought`, from TAIL on.

        It stops with TABLE_FULL where there is no room for one more, at a position that is to be expanded again.
        """
        graph, b = self.graph, Builder()
        own = [ir.Table("brought", graph.key), TABLE, *graph.gathered()[:1]]
        limits = [ir.Scalar("room", ir.I64), ir.Scalar("fuel.start", ir.I64)]
        b.declare(*graph.numbered(), *graph.known(), *own, *graph.givens.params(), *limits)
        expand = Expand(graph, b)
        count = b.local("count", cast(at(COUNT), ir.I64))
        height = b.local("height", cast(at(TAIL), ir.I64))
        expand.leaves = ((TAIL, height),)

        def bring(key: ir.Expr) -> None:
            _, found = graph.find(b, key)
            with b.when(compare("eq", found, const(0, ir.U32))):
                with b.when(compare("ge", height, ir.Var("room", ir.I64))):
                    expand.leave(TABLE_FULL)
                b.store("brought", height, key, BROUGHT)
                b.assign(height, add(height, 1))

        graph.expand_all(b, expand, count, bring)
        return b.function(f"{NAME}.bring")

    def admit(self) -> ir.Function:
        """Numbers what has no number of `brought` from HEAD to TAIL; TABLE_FULL where there is no room for more."""
        graph, b = self.graph, Builder()
        b.declare(*graph.numbered(), ir.Table("brought", graph.key), TABLE, ir.Scalar("most", ir.I64))
        count = b.local("count", cast(at(COUNT), ir.I64))
        head = b.local("head", cast(at(HEAD), ir.I64))
        tail = b.local("tail", cast(at(TAIL), ir.I64))

        def leave(status: int) -> None:
            b.store(TABLE.name, const(COUNT), cast(count, ir.U64), FIXED)
            b.returns(status)

        with b.loop_while(compare("lt", head, tail)):
            later = b.local("later", ir.Load("brought", add(head, 2 * AHEAD), graph.key, BROUGHT))
            b.prefetch("cells", home(mixed(later)), HASHED)
            next = b.local("next", ir.Load("brought", add(head, AHEAD), graph.key, BROUGHT))
            graph.ask_ahead(b, next, "keys")
            key = b.local("key", ir.Load("brought", head, graph.key, BROUGHT))
            slot, found = graph.find(b, key)
            with b.when(compare("eq", found, const(0, ir.U32))):
                with b.when(compare("ge", count, ir.Var("most", ir.I64))):
                    leave(TABLE_FULL)
                graph.admit(b, key, slot, count)
            b.assign(head, add(head, 1))
        leave(DONE)
        return b.function(f"{NAME}.admit")


class Piece(NamedTuple):
    """What became of some positions: who expanded them, what of `brought` is theirs, and the first not expanded."""

    worker: int
    head: int
    tail: int
    next: int


class Scouts:
    """The rounds of one analysis."""

    def __init__(self, graph: Graph, kernels: Kernels, team: Team, memory: Memory) -> None:
        self.graph = graph
        self.kernels = kernels
        self.team = team
        self.memory = memory
        self.brought: list[Buffer] = []
        self.gathered: list[Buffer] = []
        self.most = FIRST  # positions of the next round, for which half of the room will do

    def fits(self, waiting: int) -> bool:
        """Whether several threads pay for so many positions that are next, and what they bring finds room."""
        size = self.team.size * ROOM * self.graph.key.bits // 8
        return self.team.size > 1 and waiting >= WORTH and (bool(self.brought) or size < self.memory.budget.free // 8)

    def round(self, numbered: list[object], givens: list[object], at: Buffer, most: int, fuel: int) -> int:
        """Expands up to `fuel` positions, as a call of the kernel `reach` would; `at` tells how far it came.

        No further than before where it is for `reach` to go on: it meets the same fault, or has room for all options.
        """
        self._begin()
        first, last = at[NEXT], min(at[COUNT], at[NEXT] + min(fuel, self.most))
        for own in self.team.at:
            own[TAIL] = 0
        starts = range(first, last, PIECE)
        kernel, known = self.kernels[f"{NAME}.bring"], (self.memory["degree"], self.memory["value"])

        def bring(worker: int, item: int) -> Piece:
            own = self.team.at[worker]
            own[NEXT], own[COUNT], own[EDGES] = starts[item], min(last, starts[item] + PIECE), 0
            head = own[TAIL]
            tables = self.brought[worker], own, self.gathered[worker]
            while kernel(*numbered, *known, *tables, *givens, ROOM, PIECE + 1) == ir.STOPPED:
                self.team.pause(worker)
            return Piece(worker, head, own[TAIL], own[NEXT])

        pieces = self.team.each(len(starts), bring)
        fullest = max(own[TAIL] for own in self.team.at)
        self.most = max(PIECE, (last - first) * ROOM // (2 * max(1, fullest)))
        for start, piece in zip(starts, pieces, strict=True):
            at[HEAD], at[TAIL] = piece.head, piece.tail
            if self.kernels[f"{NAME}.admit"](*numbered, self.brought[piece.worker], at, most) == TABLE_FULL:
                return TABLE_FULL
            at[NEXT] = piece.next
            if piece.next < min(last, start + PIECE):
                break
        return FUEL_OUT

    def _begin(self) -> None:
        """Takes memory for each worker."""
        for worker in range(len(self.brought), self.team.size):
            what, length = "what threads tell each other", self.memory["gathered"].length
            self.brought.append(self.memory.take(f"brought.{worker}", self.graph.key, ROOM + 2 * AHEAD, what))
            self.gathered.append(self.memory.take(f"gathered.{worker}", self.graph.key, length, what))

    def end(self) -> None:
        """Gives the memory back."""
        self.memory.drop(*(f"{name}.{worker}" for name in ("brought", "gathered") for worker in range(self.team.size)))
        self.brought, self.gathered = [], []
