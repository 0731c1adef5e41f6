"""The memo search at work: its memory, its roots, and what happens when it stops early."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from functools import reduce
from itertools import islice
from operator import xor
from typing import Any

from gamespec.analysis.facts import Facts
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.comeback import SHOWN, coming_back
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Value
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.plan.fault import explain, fitted
from gamespec.plan.given import Rows, bound_givens
from gamespec.plan.keep import Fill, Tables, restored
from gamespec.plan.listing import Listing, ordered
from gamespec.plan.pace import Pace
from gamespec.plan.plan import Column, Kernels, Option, Plan
from gamespec.plan.search.kernel import (
    ASKS,
    COUNT,
    DONE,
    FUEL_OUT,
    KEY,
    KNOWN,
    NOT_WON,
    REPEATS,
    ROOM,
    ROOT,
    STACK,
    STACK_FULL,
    TABLE_FULL,
)
from gamespec.plan.search.memo import NAME, Memo
from gamespec.plan.slot import noted_key, shift_of
from gamespec.plan.value import Mex
from gamespec.plan.watch import stop, watched

MOST_ROUNDS = 24  # in which known positions are forgotten
FIRST_CELLS = 1 << 14
LATER_CELLS = 1 << 19  # of the first table where many positions are declared, so that most runs need no second one
FAST_GROWTH = 1 << 20  # cells up to which a table grows eightfold
LOOKUPS = 1 << 9  # keys from which a kernel for looking them up pays for its compilation
FIRST_ROOM = 1 << 12
CALL_SECONDS = 0.03  # what a kernel call aims at
ROUND = 0xD6E8FEB86659FD93  # an odd number without a pattern, by which the cells that are forgotten differ
LOAD = 0.6  # share of cells in use before the table grows


class OutOfFuel(Exception):
    """A probe ended before the search did."""


class MemoSolver:
    """Searches from the positions asked; keeps the table of one set of givens for further questions."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.memo = Memo(game, facts, plan.ask)
        self.game = game
        self.plan = plan
        self.kernels = kernels
        self.budget = budget
        self.givens: tuple[Value, ...] | None = None
        self.given_args: list[object] = []
        self.at = watched(budget)
        self.cells = self._take(self.memo.layout.type, self._first_cells(), "the table of the search")
        self.keys = self._take(self.memo.key, FIRST_ROOM, "the stack of the search")
        self.parents = self._take(ir.U64, FIRST_ROOM, "the stack of the search")
        self.rounds = 0  # in which something was forgotten
        self.seen: Buffer | None = None
        if self.memo.grundy and self.memo.most > Mex.LIMIT:
            self.seen = self._take(ir.U32, min(self.memo.most, 1 << 20) + 2, "the marks for Grundy values")

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        return self.memo.valuation.values(Rows(givens, states).answer(self._values))

    def probe(self, givens: Sequence[Column], states: Sequence[Column], fuel: int) -> Sequence[int]:
        """Like `values`, but raises OutOfFuel after expanding about `fuel` positions."""
        left = [fuel]

        def answer(data: tuple[Value, ...], columns: Sequence[Column]) -> Sequence[int]:
            return self._values(data, columns, left)

        return self.memo.valuation.values(Rows(givens, states).answer(answer))

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        self._use(tuple(givens))
        words = [shape.word(value) for shape, value in zip(self.memo.shapes.values(), state, strict=True)]
        kernel = self.kernels[f"{NAME}.children"]
        while True:
            count, found = Listing.read(kernel, (*self._shared(), *words), self.game, self.at, self.budget)
            if count < 0:
                raise explain(self.plan.functions[f"{NAME}.children"], count, self.game, givens, tuple(state))
            if self.at[STACK] + ROOM <= self.keys.length:
                break
            self._grow_stack(self.at[STACK] + ROOM)
        components = self.keys.to_list(0, self.at[STACK])
        self._ask(list(dict.fromkeys(components)), None)
        values = iter(self._known(components))
        codes = {}
        for row in found:
            codes[row.move, row.choices] = reduce(xor, islice(values, row.code), 0)
        return [row.option(self.memo.valuation, codes[row.move, row.choices]) for row in ordered(found)]

    def tables(self) -> Tables | None:
        if self.givens is None or self.at[STACK] or not self.at[COUNT]:
            return None
        return Tables((self.givens, self.at[COUNT], self.cells.length), [self.cells])

    def restore(self, about: Any, fill: Fill) -> None:
        givens, count, length = about
        cells = restored(self.budget, self.memo.layout.type, length, fill)
        self._release(self.cells)
        self.cells = cells
        self.givens = givens
        self.given_args = bound_givens(self.memo.givens, self.game, givens)
        self.at[COUNT] = count

    # --- one set of givens ---------------------------------------------------------------------------------

    def _values(
        self, givens: tuple[Value, ...], states: Sequence[Column], fuel: list[int] | None = None
    ) -> Sequence[int]:
        self._use(givens)
        roots = list(map(self.memo.keys.number, zip(*states, strict=True)))
        different = list(dict.fromkeys(roots))
        self._ask(different, fuel)
        known = dict(zip(different, self._known(different), strict=True))
        return [known[root] for root in roots]

    def _ask(self, roots: list[int], fuel: list[int] | None) -> None:
        """Finds the values of different keys: where draws are possible first who wins, then who of the others draws."""
        try:
            self._search_from(roots, ASKS if self.memo.draws else 0, fuel)
            if self.memo.draws:
                rest = [root for root, code in zip(roots, self._known(roots), strict=True) if code == NOT_WON]
                self._search_from(rest, 0, fuel)
        except BaseException:
            self.givens = None  # positions of the path are marked in the table
            raise

    def _search_from(self, roots: list[int], mark: int, fuel: list[int] | None) -> None:
        if len(roots) + ROOM > self.keys.length:
            self._grow_stack(len(roots) + ROOM)
        self.keys.from_ints(reversed(roots))
        self.parents.from_ints([ROOT | mark] * len(roots))
        self.at[STACK] = len(roots)
        self._search(fuel)

    def _known(self, keys: list[int]) -> list[int]:
        """The values of keys that the table holds."""
        if len(keys) > LOOKUPS:
            queries, answers = allocate(self.memo.key, len(keys)), allocate(self.memo.word, len(keys))
            queries.from_ints(keys)
            self.kernels[f"{NAME}.read"](*self._shared(), queries, answers, len(keys))
            return [state - KNOWN for state in answers.to_list()]
        return [self.memo.layout.look_up(self.cells, key, self.memo.key) - KNOWN for key in keys]

    def _use(self, givens: tuple[Value, ...]) -> None:
        """Empties the table when the data of the case are not those it was filled for."""
        if givens == self.givens:
            return
        if self.at[COUNT]:
            self._release(self.cells)
            self.cells = self._take(self.memo.layout.type, self._fewest(), "the table of the search")
            self.at[COUNT] = 0
        self.givens = givens
        self.given_args = bound_givens(self.memo.givens, self.game, givens)

    def _shared(self, cells: Buffer | None = None) -> list[object]:
        table = self.memo.layout.args(self.cells if cells is None else cells)
        return [*table, self.keys, self.parents, self.keys.length, self.at, *self.given_args]

    def _search(self, allowance: list[int] | None) -> None:
        """Runs the kernel until the stack is empty."""
        kernel = self.kernels[f"{NAME}.search"]
        fuel, pace = 1 << 12, Pace(self.budget)
        scratch: list[object] = [] if self.seen is None else [self.seen, self.seen.length]
        if self.memo.first is not None:
            scratch += self.memo.first.args()
        while True:
            step = fuel if allowance is None else min(fuel, allowance[0])
            most = int(self.cells.length * LOAD)
            started = time.perf_counter()
            status = kernel(*self._shared(), *scratch, step, most)
            spent = time.perf_counter() - started
            if status == DONE:
                return
            if status == TABLE_FULL:
                self._make_room()
            elif status == STACK_FULL:
                self._grow_stack(2 * self.keys.length)
            elif status == FUEL_OUT:
                if allowance is not None:
                    allowance[0] -= step
                    if allowance[0] <= 0:
                        raise OutOfFuel
                fuel = max(1, min(4 * fuel, int(fuel * CALL_SECONDS / max(spent, 1e-6))))
            elif status == ir.STOPPED:
                stop(self.at, self.budget)
            elif status == REPEATS:
                raise self._repeating()
            else:
                raise self._failed(status)
            pace.so_far(self.at[COUNT], self.plan.bid.positions, "a search")
            self.budget.tick(f"search: {self.at[COUNT]:,} positions")

    # --- stopping early ------------------------------------------------------------------------------------

    def _failed(self, status: int) -> Exception:
        position = self.memo.keys.position(self._key())
        return explain(self.plan.functions[f"{NAME}.search"], status, self.game, self.givens or (), position)

    def _key(self) -> int:
        return noted_key(self.at, KEY, self.memo.key)

    def _repeating(self) -> Exception:
        """The error for a position that is its own ancestor, with the play that leads back to it."""
        again, entry = self._key(), self.at[STACK] - 1
        last, moves = self.keys[entry], 1
        first = deque([last], maxlen=SHOWN)  # the first positions of the play, which is followed backwards
        while first[0] != again:
            self.budget.check_time()
            entry = self.parents[entry] & ROOT
            first.appendleft(self.keys[entry])
            moves += 1
        evaluator = Evaluator(self.game, self.game.data(self.givens or ()))
        positions = [fitted(evaluator, self.memo.keys.position(key)) for key in [*first, last]]
        return coming_back(evaluator, positions[:-1], positions[-1], moves)

    # --- memory --------------------------------------------------------------------------------------------

    def _take(self, cell: ir.Type, length: int, what: str) -> Buffer:
        self.budget.take(length * cell.bits // 8, what)
        return allocate(cell, length)

    def _release(self, buffer: Buffer) -> None:
        self.budget.give_back(buffer.size)
        buffer.release()

    def _first_cells(self) -> int:
        """The cells of the first table; the system gives memory only to those that are written to."""
        size = LATER_CELLS * self.memo.layout.type.bits // 8
        many = self.plan.bid.positions > LATER_CELLS and size <= self.budget.free // 8
        return max(LATER_CELLS, self._fewest()) if many else self._fewest()

    def _fewest(self) -> int:
        return max(FIRST_CELLS, 1 << self.memo.layout.least)

    def _make_room(self) -> None:
        """A larger table; where there is no memory for one, what is known of some positions is forgotten.

        At least a quarter of the table must be free then, and it happens a few times only, so that a search does not
        go on for ever to find again what it forgot.
        """
        try:
            self._grow_table()
        except LimitError:
            if not self.memo.forgets or self.rounds == MOST_ROUNDS:
                raise
            before = self.at[COUNT]
            self.rounds += 1
            self.kernels[f"{NAME}.forget"](*self._shared(), self.rounds * ROUND % (1 << 64))
            if self.at[COUNT] > before * 3 // 4:
                raise

    def _grow_table(self) -> None:
        old, cell = self.cells, self.memo.layout.type
        # Large steps, as moving the cells costs as much as finding them; small ones where memory is short.
        length = (8 if old.length < FAST_GROWTH else 4) * old.length
        while length > 2 * old.length and length * cell.bits // 8 > self.budget.free // 4:
            length //= 2
        while True:
            new = self._take(cell, length, f"a table of the search with {length:,} cells")
            if self.kernels[f"{NAME}.rehash"](*self._shared(new), old, old.length, shift_of(old.length)) == DONE:
                break
            self._release(new)
            length *= 2
        self.cells = new
        self._release(old)

    def _grow_stack(self, room: int) -> None:
        room = max(room, 2 * self.keys.length)
        for name, cell in (("keys", self.memo.key), ("parents", ir.U64)):
            old: Buffer = getattr(self, name)
            new = self._take(cell, room, f"a stack of the search with {room:,} entries")
            new.copy(old)
            setattr(self, name, new)
            self._release(old)
