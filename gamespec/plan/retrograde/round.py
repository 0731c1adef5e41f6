"""Waves of decided positions on several threads, in rounds of two steps (see `plan.retrograde.wave`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain, repeat
from itertools import count as counter
from typing import NamedTuple

from gamespec.game.model import DRAWN, LOST, WON
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer
from gamespec.plan.memory import Memory
from gamespec.plan.plan import Kernel, Kernels
from gamespec.plan.retrograde.graph import DONE, FUEL_OUT, HEAD, NAME, TAIL, Graph
from gamespec.plan.retrograde.parents import Parents
from gamespec.plan.retrograde.spread import Spread
from gamespec.plan.retrograde.wave import AHEAD
from gamespec.plan.thread import Team

BLOCK = 1 << 14  # numbers side by side that belong to one lane, a power of two
FUEL = 1 << 22  # edges of one call of a kernel that works off a queue
NARROW = 1 << 8  # decided positions below which a wave is for one thread
MOST_NARROW = 1 << 9  # of such waves in a row, after which the kernel for one thread pays for its compilation
PIECE = 1 << 11  # decided positions that a worker takes at a time
PIECES = 1 << 7  # of them, for each worker, in one round
ROOM = 1 << 20  # what a worker can send in one round, to all lanes: each round, all wait for the last one


class Worker(NamedTuple):
    """What one worker has for itself; `sent` has cells for each lane, of which the first `heights` are in use."""

    at: Buffer
    args: list[object]  # of the kernels of `plan.retrograde.spread`
    sent: Buffer
    heights: Buffer


def lanes_of(team: Team) -> int:
    """Into how many lanes numbers are divided, a power of two: more than workers, for one may be held up."""
    return 1 << (2 * team.size - 1).bit_length()


def room_of(parents: Parents, team: Team) -> int:
    """How much a worker can send to one lane in a round."""
    return max(ROOM // lanes_of(team), 2 * parents.longest)


def fits(graph: Graph, team: Team) -> bool:
    """Whether what workers send each other is a small part of the memory that is left."""
    if graph.parents is None:
        return False
    size = team.size * lanes_of(team) * room_of(graph.parents, team) * ir.U64.bits // 8
    return size < team.budget.free // 2


class Rounds:
    """The rounds of one analysis of numbered positions, whose moves are read backwards.

    The first cell of `queue` of each lane is in `starts`; positions before `heads` have been worked off, and `tails`
    are the ends.
    """

    def __init__(self, graph: Graph, kernels: Kernels, team: Team, memory: Memory, numbered: list[object]) -> None:
        assert graph.parents is not None
        self.spread = Spread(graph, dense=False)
        self.kernels = kernels
        self.team = team
        self.memory = memory
        self.budget = memory.budget
        self.own: list[str] = []  # names of memory
        self.numbered = numbered
        self.lanes = lanes_of(team)
        self.longest = graph.parents.longest
        self.room = room_of(graph.parents, team)
        self.parents = graph.parents.args()
        self.workers = [self._worker(number) for number in range(team.size)]
        self.count = 0
        self.starts: list[int] = []
        self.heads: list[int] = []
        self.tails: list[int] = []

    def _worker(self, number: int) -> Worker:
        memory = self.memory

        def take(name: str, cell: ir.Type, length: int) -> Buffer:
            self.own.append(f"{name}.{number}")
            return memory.take(self.own[-1], cell, length, "what threads tell each other")

        gathered = [memory[name] for name in ("gathered", "marks") if name in memory.buffers]
        own = [take(f"gathered.{place}", buffer.cell, buffer.length) for place, buffer in enumerate(gathered)]
        sent = take("sent", ir.U64, self.lanes * self.room + AHEAD)
        heights = take("heights", ir.I64, self.lanes)
        at = self.team.at[number]
        args = [memory["degree"], memory["value"], *self.parents, *own, memory["queue"], at, *self.numbered]
        return Worker(at, args, sent, heights)

    def spread_all(self, count: int) -> None:
        """Gives values to all of `count` positions on which something can be forced."""
        self.count = count
        sizes = [sum(last - first + 1 for first, last in self._blocks(lane)) for lane in range(self.lanes)]
        self.starts = [0, *accumulate(sizes[:-1])]
        each = 3 if self.spread.graph.distance else 0  # of a code for one ply more
        self._seed(drawn=0)
        self._waves("send", "wins", ((plies + WON + 1, plies + LOST + 1) for plies in counter(each, each)))
        if self.spread.winner is not None:
            self._seed(drawn=1)
            self._waves("send_draws", "draws", repeat((DRAWN + 1, DRAWN + 1)))
        self.memory.drop(*self.own)

    def _blocks(self, lane: int) -> Iterator[tuple[int, int]]:
        """The first and last number of each block of a lane."""
        for first in range(lane * BLOCK, self.count, self.lanes * BLOCK):
            yield first, min(self.count, first + BLOCK) - 1

    def _seed(self, drawn: int) -> None:
        """Begins with the positions that have a value, or with those that are drawn."""
        self.heads, self.tails = list(self.starts), list(self.starts)
        kernel = self.kernels[f"{NAME}.seed"]

        def seed(worker: int, lane: int) -> None:
            own = self.workers[worker]
            own.at[TAIL] = self.tails[lane]
            for first, last in self._blocks(lane):
                kernel(*own.args, first, last, drawn)
            self.tails[lane] = own.at[TAIL]

        self.team.each(self.lanes, seed)
        self.budget.check_time()

    def _waves(self, name: str, alone: str, values: Iterator[tuple[int, int]]) -> None:
        """Works off wave after wave; `values` are those of positions won and lost by each, `alone` is the kernel that
        works off a queue."""
        narrow = 0
        for won, lost in values:
            size = sum(self.tails) - sum(self.heads)
            narrow = narrow + 1 if size < NARROW else 0
            if size == 0:
                return
            if narrow > MOST_NARROW:
                self._alone(self.kernels[f"{NAME}.{alone}"])
                return
            self._wave(name, won, lost)

    def _wave(self, name: str, won: int, lost: int) -> None:
        """Works off all positions that are in the queue now."""
        pieces = [
            (first, min(tail, first + PIECE) - 1)
            for head, tail in zip(self.heads, self.tails, strict=True)
            for first in range(head, tail, PIECE)
        ]
        self.heads = list(self.tails)
        pieces.reverse()
        while pieces:
            some = [pieces.pop() for _ in range(min(len(pieces), PIECES * self.team.size))]
            pieces += [piece for piece in reversed(self._send(name, some)) if piece is not None]
            self._receive(won, lost, most=len(some))
            self._tell(sum(self.tails) - sum(self.starts))

    def _alone(self, kernel: Kernel) -> None:
        """Works off the queue and all that comes into it, as the one thread that there was for many waves."""
        queue, own = self.memory["queue"], self.workers[0]
        left = [queue.to_list(head, tail) for head, tail in zip(self.heads, self.tails, strict=True)]
        queue.from_ints(list(chain.from_iterable(left)))
        worked = sum(self.heads) - sum(self.starts)
        own.at[HEAD], own.at[TAIL] = 0, sum(map(len, left))
        while kernel(*own.args, FUEL) == FUEL_OUT:
            self._tell(worked + own.at[TAIL])

    def _tell(self, decided: int) -> None:
        self.budget.tick(f"retrograde: {decided:,} of {self.count:,} positions decided")

    def _send(self, name: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int] | None]:
        """The first step; what is left of each piece."""
        kernel = self.kernels[f"{NAME}.{name}"]
        limits = self.room, self.room - self.longest, self.lanes - 1, BLOCK.bit_length() - 1

        def send(worker: int, item: int) -> tuple[int, int] | None:
            own, (first, last) = self.workers[worker], pieces[item]
            status = kernel(*own.args, own.sent, own.heights, *limits, first, last)
            return None if status == DONE else (own.at[HEAD], last)

        return self.team.each(len(pieces), send)

    def _receive(self, won: int, lost: int, most: int) -> None:
        """The second step, by at most so many workers."""
        kernel = self.kernels[f"{NAME}.receive"]
        known = self.memory["degree"], self.memory["value"]

        def receive(worker: int, lane: int) -> None:
            at = self.workers[worker].at
            at[TAIL] = self.tails[lane]
            for own in self.workers:
                height = own.heights[lane]
                if height:
                    first = lane * self.room
                    kernel(*known, own.sent, self.memory["queue"], at, won, lost, first, first + height - 1)
                    own.heights[lane] = 0
            self.tails[lane] = at[TAIL]

        self.team.each(self.lanes, receive, most)
