"""The memo search at work: its table, its roots, its threads, and what happens when it stops early.

Where no position can repeat, several threads search with one table, each from the same roots but in another order of
options: what one has found, the others find in the table.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from itertools import islice
from operator import xor
from typing import Any

from gamespec.analysis.facts import Facts
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.comeback import SHOWN, coming_back
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import DRAWN, LOST, Game, Value
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.plan.fault import explain, fitted
from gamespec.plan.given import Rows, bound_givens
from gamespec.plan.keep import Fill, Tables, restored
from gamespec.plan.listing import Listing, ordered
from gamespec.plan.memory import give_back, taken
from gamespec.plan.pace import Pace, out_of_reach
from gamespec.plan.plan import Column, Kernels, Option, Plan
from gamespec.plan.roll import Roll
from gamespec.plan.search.kernel import (
    ALL_ADDED,
    ASKS,
    COUNT,
    DONE,
    FUEL_OUT,
    KEY,
    KNOWN,
    NOT_LOST,
    NOT_WON,
    PRIOR,
    REPEATS,
    ROOM,
    ROOT,
    STACK,
    STACK_FULL,
    TABLE_FULL,
)
from gamespec.plan.search.memo import NAME, Memo
from gamespec.plan.search.roll import MemoRoll
from gamespec.plan.search.stack import Stack
from gamespec.plan.slot import noted_key, shift_of
from gamespec.plan.thread import Team
from gamespec.plan.watch import STOP

MOST_ROUNDS = 24  # in which known positions are forgotten
FIRST_CELLS = 1 << 14
LATER_CELLS = 1 << 20  # of the first table where many positions are declared, so that most runs need no second one
FAST_GROWTH = 1 << 20  # cells up to which a table grows eightfold
LOOKUPS = 1 << 9  # keys from which a kernel for looking them up pays for its compilation
WORTH_A_THREAD = 0.02  # seconds of searching from which other threads join
ROUND = 0xD6E8FEB86659FD93  # an odd number without a pattern, by which the cells that are forgotten differ
LOAD = 0.6  # share of cells in use before the table grows
SPARE = 0.06  # share of them that is no longer divided among threads


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
        self.team = Team(budget)
        self.cells = taken(self.budget, self.memo.layout.type, self._first_cells(), "the table of the search")
        self.stack = Stack(self.memo, budget, self.team.at[0])
        self.rounds = 0  # in which something was forgotten

    @property
    def at(self) -> Buffer:
        """What the kernel of the first thread keeps between calls."""
        return self.stack.at

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
            if self.at[STACK] + ROOM <= self.stack.keys.length:
                break
            self.stack.need(self.at[STACK] + ROOM)
        components = self.stack.keys.to_list(0, self.at[STACK])
        known = self._ask(list(dict.fromkeys(components)), None)
        values = iter([known[key] for key in components])
        codes = {}
        for row in found:
            codes[row.move, row.choices] = reduce(xor, islice(values, row.code), 0)
        return [row.option(self.memo.valuation, codes[row.move, row.choices]) for row in ordered(found)]

    def roll(self) -> Roll:
        """The positions whose value is known (see `gamespec.plan.roll`)."""
        return MemoRoll(self.memo, self.cells)

    def tables(self) -> Tables | None:
        if self.givens is None or self.at[STACK] or not self.at[COUNT]:
            return None
        return Tables((self.givens, self.at[COUNT], self.cells.length), [self.cells])

    def restore(self, about: Any, fill: Fill) -> None:
        givens, count, length = about
        cells = restored(self.budget, self.memo.layout.type, length, fill)
        give_back(self.budget, self.cells)
        self.cells = cells
        self.givens = givens
        self.given_args = bound_givens(self.memo.givens, self.game, givens)
        self.at[COUNT] = count

    def close(self) -> None:
        """Gives its memory back; nothing may be asked afterwards."""
        self.stack.close()
        give_back(self.budget, self.cells)

    # --- one set of givens ---------------------------------------------------------------------------------

    def _values(
        self, givens: tuple[Value, ...], states: Sequence[Column], fuel: list[int] | None = None
    ) -> Sequence[int]:
        self._use(givens)
        roots = list(map(self.memo.keys.number, zip(*states, strict=True)))
        known = self._ask(list(dict.fromkeys(roots)), fuel)
        return [known[root] for root in roots]

    def _ask(self, roots: list[int], fuel: list[int] | None) -> dict[int, int]:
        """The values of different keys: where draws are possible first who wins, then who of the others draws."""
        try:
            if not self.memo.draws:
                return self._answered(roots, 0, -1, fuel)
            known = self._answered(roots, ASKS, NOT_LOST, fuel)
            rest = [root for root, code in known.items() if code == NOT_WON]
            for root, code in self._answered(rest, PRIOR, NOT_WON, fuel).items():
                known[root] = DRAWN if code == NOT_LOST else code
            return known
        except BaseException:
            self.givens = None  # positions of the path are marked in the table
            raise

    def _answered(self, roots: list[int], mark: int, half: int, fuel: list[int] | None) -> dict[int, int]:
        """The values of different keys, or what is known of them once the question that `mark` stands for is.

        `half` is a code that does not answer it.
        """
        self._search(roots, mark, fuel)
        known = dict(zip(roots, self._known(roots), strict=True))
        # What was found of some may have been forgotten while others were searched.
        for root in [root for root, code in known.items() if code < LOST or code == half]:
            self._search([root], mark, fuel)
            known[root] = self._known([root])[0]
        return known

    def _known(self, keys: list[int]) -> list[int]:
        """The values of keys; of one that the table does not hold, a number less than 0."""
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
            give_back(self.budget, self.cells)
            self.cells = taken(self.budget, self.memo.layout.type, self._fewest(), "the table of the search")
            self.at[COUNT] = 0
        self.givens = givens
        self.given_args = bound_givens(self.memo.givens, self.game, givens)

    def _shared(self, stack: Stack | None = None, cells: Buffer | None = None) -> list[object]:
        table = self.memo.layout.args(self.cells if cells is None else cells)
        return [*table, *(stack or self.stack).args, *self.given_args]

    # --- searching -----------------------------------------------------------------------------------------

    def _search(self, roots: list[int], mark: int, allowance: list[int] | None) -> None:
        """Searches until all roots are known, from some time on with other threads."""
        stacks = [self.stack]
        self.stack.begin(roots, mark)
        pace = Pace(self.budget)
        alone = allowance is None and self._may_share()
        moment = time.perf_counter() + WORTH_A_THREAD

        def joining() -> bool:
            return alone and time.perf_counter() > moment

        try:
            while True:
                if len(stacks) > 1:
                    found = self._together(stacks, pace)
                else:
                    found = [self._run(stacks, 0, pace, joining, allowance)]
                self._add_up(stacks)
                if DONE in found:
                    return
                if joining():
                    stacks += self._others(roots, mark)
                    alone = False
                self._mend(stacks, found)
        except LimitError as limit:
            raise out_of_reach(limit, _known_by(stacks), self.plan.bid.positions) from None
        finally:
            self._add_up(stacks)
            self.at[STACK] = 0
            for stack in stacks[1:]:
                stack.close()

    def _may_share(self) -> bool:
        """Whether other threads may join: not where one may meet a fault that a single one would not."""
        if not self.memo.layout.shared or self.team.size == 1:
            return False
        return self.memo.full or not self.plan.functions[f"{NAME}.search"].sites

    def _others(self, roots: list[int], mark: int) -> list[Stack]:
        """A stack for each of the other threads, as far as there is memory."""
        made: list[Stack] = []
        with suppress(LimitError):
            for at in self.team.at[1:]:
                stack = Stack(self.memo, self.budget, at)
                try:
                    stack.begin(roots, mark)
                except LimitError:
                    stack.close()
                    raise
                made.append(stack)
        return made

    def _together(self, stacks: list[Stack], pace: Pace) -> list[int]:
        """Searches on all threads, until one is done or has to stop; why each stopped."""
        over: list[int] = []
        for stack in stacks:
            stack.at[STOP] = 0
        self.budget.check_time()

        def work(_worker: int, number: int) -> int:
            status = self._run(stacks, number, pace, lambda: bool(over), None)
            if status >= 0 or number == 0:
                over.append(number)
                for stack in stacks:
                    stack.at[STOP] = 1
            return status

        found = self.team.each(len(stacks), work)
        for stack in stacks:
            stack.at[STOP] = 0
        return found

    def _run(
        self, stacks: list[Stack], number: int, pace: Pace, is_over: Callable[[], bool], allowance: list[int] | None
    ) -> int:
        """Runs the kernel of one thread until it has to stop, or FUEL_OUT when it is over; why it stopped."""
        stack, kernel = stacks[number], self.kernels[f"{NAME}.search"]
        worker = [number + 1 if len(stacks) > 1 else 0] if self.memo.layout.shared else []
        while not is_over():
            step = stack.fuel if allowance is None else min(stack.fuel, allowance[0])
            most = stack.at[COUNT] + self._room(stacks)
            started = time.perf_counter()
            status = kernel(*self._shared(stack), *stack.scratch, step, most, *worker)
            if status == FUEL_OUT:
                if allowance is not None:
                    allowance[0] -= step
                    if allowance[0] <= 0:
                        raise OutOfFuel
                stack.paced(time.perf_counter() - started)
            elif status == ir.STOPPED:
                if not is_over():
                    self.team.pause(number)
            elif status != ALL_ADDED or self._is_full(stacks):
                return status
            if number == 0:
                known = _known_by(stacks)
                pace.so_far(known, self.plan.bid.positions, "a search")
                self.budget.tick(f"search: {known:,} positions")
        return FUEL_OUT

    def _room(self, stacks: list[Stack]) -> int:
        """How many positions each thread may add to the table."""
        return max(0, int(LOAD * self.cells.length) - _known_by(stacks)) // len(stacks)

    def _is_full(self, stacks: list[Stack]) -> bool:
        """Whether a table has to grow once a thread has used up its part: the others may have used less of theirs."""
        return len(stacks) == 1 or self._room(stacks) <= int(SPARE * self.cells.length) // len(stacks)

    def _add_up(self, stacks: list[Stack]) -> None:
        """Lets the first thread count all positions of the table."""
        known = _known_by(stacks)
        for stack in stacks:
            stack.at[COUNT] = 0
        self.at[COUNT] = known

    def _mend(self, stacks: list[Stack], found: list[int]) -> None:
        """Makes what the threads need that had to stop; another one than the first ends where a rule fails."""
        if TABLE_FULL in found or ALL_ADDED in found:
            self._make_room()
        for stack, status in list(zip(stacks, found, strict=False)):
            if status == STACK_FULL:
                stack.need(2 * stack.keys.length)
            elif status == REPEATS:
                raise self._repeating()
            elif status < 0 and status != ir.STOPPED:
                if stack is self.stack:
                    raise self._failed(status)
                stacks.remove(stack)
                stack.close()

    # --- stopping early ------------------------------------------------------------------------------------

    def _failed(self, status: int) -> Exception:
        position = self.memo.keys.position(self._key())
        return explain(self.plan.functions[f"{NAME}.search"], status, self.game, self.givens or (), position)

    def _key(self) -> int:
        return noted_key(self.at, KEY, self.memo.key)

    def _repeating(self) -> Exception:
        """The error for a position that is its own ancestor, with the play that leads back to it."""
        again, entry = self._key(), self.at[STACK] - 1
        last, moves = self.stack.keys[entry], 1
        first = deque([last], maxlen=SHOWN)  # the first positions of the play, which is followed backwards
        while first[0] != again:
            self.budget.check_time()
            entry = self.stack.parents[entry] & ROOT
            first.appendleft(self.stack.keys[entry])
            moves += 1
        evaluator = Evaluator(self.game, self.game.data(self.givens or ()))
        positions = [fitted(evaluator, self.memo.keys.position(key)) for key in [*first, last]]
        return coming_back(evaluator, positions[:-1], positions[-1], moves)

    # --- memory --------------------------------------------------------------------------------------------

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
            new = taken(self.budget, cell, length, f"a table of the search with {length:,} cells")
            if self.kernels[f"{NAME}.rehash"](*self._shared(cells=new), old, old.length, shift_of(old.length)) == DONE:
                break
            give_back(self.budget, new)
            length *= 2
        self.cells = new
        give_back(self.budget, old)


def _known_by(stacks: list[Stack]) -> int:
    """How many positions all threads have put into the table."""
    return sum(stack.at[COUNT] for stack in stacks)
