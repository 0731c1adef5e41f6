"""The retrograde analysis at work: its memory, the graph, the passes over it, and answers from what is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from gamespec.analysis.facts import Facts
from gamespec.analysis.passes import SURVEY
from gamespec.answers.nim import infinite
from gamespec.budget import Budget, size_text
from gamespec.diagnostics import LimitError
from gamespec.game.model import Game, Value
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.plan.encode import Box
from gamespec.plan.fault import explain
from gamespec.plan.given import Rows, bound_givens
from gamespec.plan.keep import Fill, Tables, restored
from gamespec.plan.listing import Listing, Row, ordered
from gamespec.plan.memory import Memory
from gamespec.plan.pace import Pace, next_piece
from gamespec.plan.plan import Column, Kernels, Option, Plan
from gamespec.plan.problems import TOO_MANY_EDGES, TOO_MANY_POSITIONS
from gamespec.plan.retrograde import round, wave
from gamespec.plan.retrograde.graph import (
    COUNT,
    DONE,
    EDGES,
    EDGES_FULL,
    FUEL_OUT,
    HEAD,
    LABELLED,
    MOST_EDGES,
    MOST_GATHERED,
    MOST_POSITIONS,
    NAME,
    NEXT,
    STAGE,
    TABLE_FULL,
    TAIL,
    Graph,
)
from gamespec.plan.retrograde.roll import GraphRoll
from gamespec.plan.retrograde.scout import Scouts
from gamespec.plan.retrograde.spread import Spread
from gamespec.plan.retrograde.strategy import DENSITY, MOST_DENSE, position_bytes
from gamespec.plan.retrograde.survey import Survey
from gamespec.plan.roll import Roll
from gamespec.plan.slot import mixed_of, shift_of
from gamespec.plan.thread import Team
from gamespec.plan.watch import stop, watched

FEW_ORBITS = 4  # positions in one, from which they are always found one by one
FIRST_CELLS = 1 << 12
FIRST_EDGES = 1 << 14
LEAST_FUEL = 1 << 14  # positions that are always found one by one first
LOAD = 0.6
LOOKUPS = 1 << 9  # keys from which a kernel for looking them up pays for its compilation
CALL_SECONDS = 0.05  # what a kernel call aims at
SURVEYED = 1 << 22  # positions that are gone through between two looks at the clock
COUNTED = 1 << 10  # positions whose options a thread counts at a time
COUNTS = 1 << 6  # times that each does so between two looks at the clock
KEPT = ("cells", "keys", "value")  # what answers need once all is solved
PIECE = 1 << 22  # positions or edges of a simple pass between two looks at the clock


class TooDense(Exception):
    """Play reaches so many positions that all should be numbered."""


class BackwardSolver:
    """Solves all positions that play from those asked reaches, or all of a box; keeps them for one set of givens."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.graph = Graph(game, facts, plan.ask)
        self.game = game
        self.plan = plan
        self.kernels = kernels
        self.budget = budget
        self.at = watched(budget)
        self.team = Team(budget)
        self.memory = Memory(budget)
        self.givens: tuple[Value, ...] | None = None
        self.given_args: list[object] = []
        self.roots: dict[int, None] = {}
        self.box: Box | None = None  # of the positions that are numbered, when all of a box are
        self.count = 0

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        return Rows(givens, states).answer(self._values)

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        self._values(tuple(givens), [[value] for value in state])
        rows, keys = self._children(state)
        numbers = self._numbers(keys)
        if not self.graph.grundy:
            valuation = self.graph.valuation
            codes = [self.memory["value"][number] - 1 for number in numbers]
            return [row.option(valuation, codes[row.code]) for row in rows]
        values = self._values(tuple(givens), list(zip(*map(self.graph.packed.position, keys), strict=True)))
        return [Option(row.move, row.choices, values[row.code]) for row in rows]

    def roll(self) -> Roll:
        """The positions that have a number (see `gamespec.plan.roll`), where not all of a box have one."""
        assert self.box is None
        return GraphRoll(self.graph, self.memory["keys"], self.memory["value"], self.count)

    def tables(self) -> Tables | None:
        if self.givens is None or not self.count:
            return None
        box = None if self.box is None else (self.box.lows, self.box.sizes)
        buffers = {name: self.memory[name] for name in KEPT if name in self.memory.buffers}
        lengths = {name: buffer.length for name, buffer in buffers.items()}
        return Tables((self.givens, list(self.roots), box, self.count, lengths), list(buffers.values()))

    def restore(self, about: Any, fill: Fill) -> None:
        givens, roots, box, count, lengths = about
        cells = {"cells": ir.U32, "keys": self.graph.key, "value": self.graph.value}
        self._use(givens)
        try:
            for name, length in lengths.items():
                self.memory.buffers[name] = restored(self.budget, cells[name], length, fill)
        except BaseException:
            self._forget()
            self.givens = None
            raise
        self.roots = dict.fromkeys(roots)
        self.box = None if box is None else Box(*box)
        self.count = count

    # --- answers -------------------------------------------------------------------------------------------

    def _values(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        if not states or not states[0]:
            return []
        self._use(givens)
        keys = list(map(self.graph.packed.number, zip(*states, strict=True)))
        numbers = self._numbers(keys) if self.count else [-1]
        if min(numbers) < 0 or (self.box is not None and not self.box.covers(self._box(states))):
            self._solve(states, keys)
            numbers = self._numbers(keys)
        cells = self.memory["value"].cells
        codes = [cells[number] - 1 for number in numbers]
        if not self.graph.grundy:
            return self.graph.valuation.values(codes)
        return [code if code >= 0 else self._infinite(key) for code, key in zip(codes, keys, strict=True)]

    def _infinite(self, key: int) -> int:
        """The number of ∞(K), from the labels of the options."""
        _, keys = self._children(self.graph.packed.position(key))
        labels = {self.memory["value"][number] - 1 for number in self._numbers(keys)}
        return infinite(label for label in labels if label >= 0)

    def _children(self, state: Sequence[Value]) -> tuple[list[Row], list[int]]:
        """The options of a position, each with its place among the keys."""
        graph, kernel = self.graph, self.kernels[f"{NAME}.children"]
        words = [shape.word(value) for shape, value in zip(graph.shapes.values(), state, strict=True)]
        room = 1 << 10
        while True:
            keys = allocate(graph.key, room)
            args = (keys, room, self.at, *self.given_args, *words)
            count, found = Listing.read(kernel, args, self.game, self.at, self.budget)
            if count < 0:
                function = self.plan.functions[f"{NAME}.children"]
                raise explain(function, count, self.game, self.givens or (), tuple(state))
            if count <= room:
                return ordered(found), keys.to_list(0, count)
            room = count

    def _numbers(self, keys: Sequence[int]) -> list[int]:
        """The number of each key, −1 where it has none."""
        graph = self.graph
        if self.box is not None:
            indexing, order, box = graph.space.indexing, graph.space.names, self.box
            states = map(graph.packed.position, keys)
            return [indexing.number(indexing.contents(state, order), box) for state in states]
        table, stored = self.memory["cells"], self.memory["keys"]
        if len(keys) > LOOKUPS:
            queries, answers = allocate(graph.key, len(keys)), allocate(ir.U32, len(keys))
            queries.from_ints(keys)
            self.kernels[f"{NAME}.look"](*self._numbered(), queries, answers, len(keys))
            return [number - 1 for number in answers.to_list()]
        cells, mask, shift = table.cells, table.length - 1, shift_of(table.length)
        found = []
        for key in keys:
            slot = mixed_of(key, graph.key) >> shift
            while cells[slot] and stored[cells[slot] - 1] != key:
                slot = slot + 1 & mask
            found.append(cells[slot] - 1)
        return found

    # --- one set of givens ---------------------------------------------------------------------------------

    def _use(self, givens: tuple[Value, ...]) -> None:
        if givens == self.givens:
            return
        self._forget()
        self.roots = {}
        self.box = None
        self.givens = givens
        self.given_args = bound_givens(self.graph.givens, self.game, givens)

    def _forget(self) -> None:
        self.memory.drop(*self.memory.buffers)
        self.count = 0

    def _solve(self, states: Sequence[Column], keys: Sequence[int]) -> None:
        """Solves the positions asked, with those asked before."""
        self._forget()
        self.roots |= dict.fromkeys(keys)
        columns = list(zip(*map(self.graph.packed.position, self.roots), strict=True))
        try:
            if self.box is None:
                try:
                    self._reach(self._box(columns))
                except TooDense:
                    self._forget()
                    if self.graph.parents is None:
                        self.box = self._box(columns)
                    else:
                        self._survey()
            else:
                self.box = self._box(columns)
            if self.box is not None:
                self._cover(self.box)
            if self.graph.parents is None:
                self._turn_round()
            if self.graph.grundy:
                self._label()
            else:
                self._propagate()
        except BaseException:
            self._forget()
            self.givens = None
            raise
        self.memory.drop("start", "sources", "queue", "left", "mex", "degree", "gathered", "marks")

    def _box(self, states: Sequence[Column]) -> Box:
        return self.graph.space.box(states, self.givens)

    # --- the graph -----------------------------------------------------------------------------------------

    def _numbered(self) -> list[object]:
        cells = self.memory["cells"]
        return [cells, cells.length - 1, shift_of(cells.length), self.memory["keys"]]

    def _reach(self, box: Box) -> None:
        """Finds what the roots reach. Raises TooDense when that is a large share of the box, which would fit."""
        memory = self.memory
        self._begin(FIRST_CELLS)
        own = "targets" if self.graph.parents is None else "gathered"
        most = self._allowed(box)
        kernel = self.kernels[f"{NAME}.reach"]
        scouts = None if self.graph.parents is None else Scouts(self.graph, self.kernels, self.team, self.memory)

        def call(fuel: int) -> int:
            found = self.at[NEXT]
            if scouts is not None and scouts.fits(self.at[COUNT] - found):
                status = scouts.round(self._numbered(), self.given_args, self.at, self._room(), fuel)
                if status != FUEL_OUT or self.at[NEXT] > found:
                    return status
            tables = [*self._numbered(), memory["degree"], memory["value"], self.at]
            tables.insert(-1 if own == "targets" else len(tables), memory[own])
            return kernel(*tables, *self.given_args, self._room(), memory[own].length, fuel)

        def grow(status: int) -> None:
            if self.at[COUNT] > most:
                raise TooDense
            if status == TABLE_FULL:
                self._grow_positions()

        self._expand("reach", call, grow)
        self.count = self.at[COUNT]
        if scouts is not None:
            scouts.end()

    def _begin(self, cells: int) -> None:
        """Takes memory for positions, of which the roots are the first."""
        graph, memory = self.graph, self.memory
        while cells * LOAD < len(self.roots) + 1:
            cells *= 2
        memory.take("cells", ir.U32, cells, "the table of positions")
        for name, cell in (("keys", graph.key), ("degree", graph.degree), ("value", graph.value)):
            memory.take(name, cell, int(cells * LOAD) + 1, "the positions")
        if graph.parents is None:
            memory.take("targets", ir.U32, FIRST_EDGES, "the moves")
        else:
            gathered = max(graph.parents.longest, min(graph.most, MOST_GATHERED)) + 1
            memory.take("gathered", graph.key, gathered, "the moves of a position")
            if graph.keeps:
                memory.take("marks", ir.U32, gathered, "the moves of a position")
        memory["keys"].from_ints(self.roots)
        self._rehash(len(self.roots))
        self.at[NEXT] = self.at[EDGES] = 0
        self.at[COUNT] = len(self.roots)

    def _room(self) -> int:
        """How many positions there is room for."""
        return min(int(self.memory["cells"].length * LOAD), self.memory["keys"].length)

    def _survey(self) -> None:
        """Numbers one of each orbit of all declared positions, and the roots."""
        survey = Survey(self.graph)
        expected = survey.cells // self.graph.packed.order
        cells = FIRST_CELLS
        while cells * LOAD < expected and cells * position_bytes(self.graph, dense=False) < self.budget.free // 4:
            cells *= 2
        self._begin(cells)
        self.at[HEAD] = 0
        kernel = self.kernels[f"{NAME}.survey"]
        while (status := kernel(*self._numbered(), self.at, *self.given_args, self._room(), SURVEYED)) != DONE:
            if status == TABLE_FULL:
                self._grow_positions()
            self.budget.tick(f"retrograde: {self.at[COUNT]:,} positions numbered")
        self.count = self.at[COUNT]
        self._count()

    def _count(self) -> None:
        """Counts the options of all positions that are numbered; none looks at another one."""
        memory, total, kernel = self.memory, self.count, self.kernels[f"{NAME}.count"]

        def call(fuel: int, at: Buffer = self.at) -> int:
            return kernel(memory["keys"], memory["degree"], memory["value"], at, *self.given_args, fuel)

        if self.team.size == 1 or total < wave.WORTH:
            self._expand("count", call, lambda status: None)
            return

        def count(worker: int, first: int) -> None:
            at = self.team.at[worker]
            at[NEXT], at[COUNT], at[EDGES] = first, min(total, first + COUNTED), 0
            while (status := call(COUNTED + 1, at)) != DONE:
                if status != ir.STOPPED:
                    raise self._fault("count", status, at[NEXT])
                self.team.pause(worker)

        each = COUNTED * COUNTS * self.team.size
        for done in range(0, total, each):
            pieces = range(done, min(total, done + each), COUNTED)
            self.team.each(len(pieces), lambda worker, item, pieces=pieces: count(worker, pieces[item]))  # type: ignore[misc]
            self.budget.tick(f"retrograde: the moves of {pieces[-1]:,} of {total:,} positions are counted")

    def _cover(self, box: Box) -> None:
        """Expands all positions of a box."""
        graph, memory = self.graph, self.memory
        if box.cells > MOST_POSITIONS:
            raise LimitError(TOO_MANY_POSITIONS.at(None, count=f"{box.cells:,}", limit=f"{MOST_POSITIONS:,}"))
        what = f"a table of {box.cells:,} positions"
        for name, cell in (("degree", graph.degree), ("value", graph.value)):
            memory.take(name, cell, box.cells, what)
        memory.take("targets", ir.U32, FIRST_EDGES, "the moves")
        self.at[NEXT] = self.at[EDGES] = 0
        self.at[COUNT] = box.cells
        kernel = self.kernels[f"{NAME}.cover"]

        def call(fuel: int) -> int:
            tables = (memory["degree"], memory["value"], memory["targets"], self.at)
            return kernel(*tables, *self.given_args, *_ranges(box), memory["targets"].length, fuel)

        self._expand("cover", call, lambda status: None)
        self.count = box.cells

    def _allowed(self, box: Box) -> int:
        """How many positions may be found one by one before all of the box are numbered instead.

        Numbering all of them takes no account of orbits.
        """
        if SURVEY in self.graph.facts.disabled:
            return MOST_POSITIONS
        cells = box.cells
        if self.graph.parents is not None:
            survey = Survey(self.graph)
            if not survey.possible:
                return MOST_POSITIONS
            return max(LEAST_FUEL, survey.cells // (self.graph.packed.order * DENSITY))
        if self.graph.packed.alike >= FEW_ORBITS or self.graph.space.cells > MOST_DENSE:
            return MOST_POSITIONS
        if cells * (position_bytes(self.graph, dense=True) + 8) > self.budget.free:
            return MOST_POSITIONS
        return max(LEAST_FUEL, cells // DENSITY)

    def _expand(self, name: str, call: Callable[[int], int], grow: Callable[[int], None]) -> None:
        """Calls a kernel that expands positions until it is done."""
        fuel, pace = 1 << 12, Pace(self.budget)
        while True:
            started = time.perf_counter()
            status = call(fuel)
            spent = time.perf_counter() - started
            if status == DONE:
                return
            if status in (TABLE_FULL, EDGES_FULL, FUEL_OUT):
                grow(status)
                if status == EDGES_FULL:
                    self._grow_edges()
                fuel = next_piece(fuel, spent, CALL_SECONDS, 1 << 8)
            elif status == ir.STOPPED:
                stop(self.at, self.budget)
            else:
                raise self._fault(name, status, self.at[NEXT])
            size = sum(buffer.size for buffer in self.memory.buffers.values())
            if self.box is not None:
                pace.of_all(self.at[NEXT], self.box.cells, size, "a graph")
            else:
                pace.so_far(self.at[NEXT], self.plan.bid.positions, "a graph")
            self.budget.tick(f"retrograde: {self.at[NEXT]:,} of {self.at[COUNT]:,} positions found")

    def _fault(self, name: str, status: int, number: int) -> Exception:
        """What a kernel's status says that stood at a position."""
        function = self.plan.functions[f"{NAME}.{name}"]
        return explain(function, status, self.game, self.givens or (), self._position(number))

    def _position(self, number: int) -> tuple[Value, ...]:
        if self.box is not None:
            return self.graph.space.indexing.position(number, self.box, self.graph.space.names)
        return self.graph.packed.position(self.memory["keys"][number])

    def _grow_positions(self) -> None:
        old = self.memory["cells"]
        if self.at[COUNT] >= MOST_POSITIONS:
            raise LimitError(TOO_MANY_POSITIONS.at(None, count=f"{self.at[COUNT]:,}", limit=f"{MOST_POSITIONS:,}"))
        cells = 4 * old.length
        if cells * position_bytes(self.graph, dense=False) > self.budget.free:
            cells //= 2
        what = f"a graph of more than {self.at[COUNT]:,} positions ({self._each()})"
        self.memory.drop("cells")
        self.memory.take("cells", ir.U32, cells, what)
        for name in ("keys", "degree", "value"):
            self.memory.grow(name, int(cells * LOAD) + 1, what)
        self._rehash(self.at[COUNT])

    def _rehash(self, count: int) -> None:
        self.kernels[f"{NAME}.rehash"](*self._numbered(), count)

    def _grow_edges(self) -> None:
        edges = self.at[EDGES]
        if edges >= MOST_EDGES - self.graph.most:
            raise LimitError(TOO_MANY_EDGES.at(None, limit=f"{MOST_EDGES:,}"))
        length = min(MOST_EDGES, 2 * self.memory["targets"].length)
        found, left = self.at[NEXT], self.at[COUNT] - self.at[NEXT]
        if self.box is not None and found:
            length = max(length, min(MOST_EDGES, edges + int(1.1 * left * edges / found)))
        what = f"a graph of {self.at[COUNT]:,} positions with more than {edges:,} moves ({self._each()})"
        self.memory.grow("targets", length, what)

    def _each(self) -> str:
        """What one position takes, for whom there is not enough memory."""
        found = max(1, self.at[NEXT])
        edges = 8 * self.at[EDGES] / found if self.graph.parents is None else 0
        return f"{size_text(int(position_bytes(self.graph, self.box is not None) + edges))} a position"

    # --- passes over it ------------------------------------------------------------------------------------

    def _pieces(self, count: int, name: str, *args: object, after: tuple[object, ...] = ()) -> None:
        for first in range(0, count, PIECE):
            last = min(count, first + PIECE) - 1
            self.kernels[f"{NAME}.{name}"](*args, first, last, *after)
            self.budget.check_time()

    def _turn_round(self) -> None:
        """From edges by their sources to edges by their targets."""
        memory, edges = self.memory, self.at[EDGES]
        what = f"the {edges:,} moves of {self.count:,} positions"
        memory.take("start", ir.U32, self.count + 1, what)
        memory.take("sources", ir.U32, edges + 1, what)
        self._pieces(edges, "tally", memory["targets"], memory["start"])
        self.at[EDGES] = 0
        self._pieces(self.count + 1, "total", memory["start"], self.at)
        self.at[EDGES] = 0
        self.budget.tick(f"retrograde: {edges:,} moves are sorted")
        self._pieces(
            self.count, "place", memory["targets"], memory["degree"], memory["start"], memory["sources"], self.at
        )
        memory.drop("targets")

    def _passes(self) -> list[object]:
        memory = self.memory
        if self.graph.parents is not None:
            gathered = [memory[name] for name in ("gathered", "marks") if name in memory.buffers]
            return [memory["degree"], memory["value"], *self.graph.parents.args(), *gathered, memory["queue"]]
        return [memory[name] for name in ("degree", "value", "start", "sources", "queue")]

    def _propagate(self) -> None:
        spread = Spread(self.graph, self.box is not None)
        self.memory.take("queue", ir.U32, self.count + 1, f"the queue of {self.count:,} positions")
        numbers: list[object] = list(_ranges(self.box)) if self.box is not None else [self.memory["keys"]]
        if self.graph.parents is not None:
            numbers = self._numbered()
        args = [*self._passes(), self.at, *numbers]
        if self.team.size > 1 and self.count >= wave.WORTH and round.fits(self.graph, self.team):
            round.Rounds(self.graph, self.kernels, self.team, self.memory, numbers).spread_all(self.count)
        else:
            self._spread(spread, args)
        self._pieces(self.count, f"rest{spread.tail}", *args)

    def _spread(self, spread: Spread, args: list[object]) -> None:
        self.at[HEAD] = self.at[TAIL] = 0
        self._pieces(self.count, f"seed{spread.tail}", *args, after=(0,))
        self._queue(f"wins{spread.tail}", *args)
        if spread.winner is not None:
            self._pieces(self.count, f"seed{spread.tail}", *args, after=(1,))
            self._queue(f"draws{spread.tail}", *args)

    def _queue(self, name: str, *args: object) -> None:
        while self.kernels[f"{NAME}.{name}"](*args, round.FUEL) == FUEL_OUT:
            self.budget.tick(f"retrograde: {self.at[TAIL]:,} of {self.count:,} positions decided")

    def _label(self) -> None:
        """Stage by stage, until no position gets the label (see `plan.retrograde.smith`)."""
        memory = self.memory
        what = f"the labels of {self.count:,} positions"
        memory.take("queue", ir.U32, self.count + 1, what)
        memory.take("left", self.graph.degree, self.count, what)
        memory.take("mex", ir.I32, self.count, what)
        args = [*self._passes(), memory["left"], memory["mex"], self.at]
        self.at[HEAD] = self.at[TAIL] = self.at[STAGE] = 0
        while True:
            self.at[LABELLED] = 0
            self._pieces(self.count, "stage", *args)
            self._queue("spread", *args)
            self._pieces(self.count, "close", *args)
            self.budget.tick(f"retrograde: {self.at[TAIL]:,} of {self.count:,} positions have a value")
            if self.at[LABELLED] == 0:
                return
            self.at[STAGE] += 1


def _ranges(box: Box) -> list[int]:
    """The range of each digit, as kernels take it."""
    return [end for low, size in zip(box.lows, box.sizes, strict=True) for end in (low, size)]
