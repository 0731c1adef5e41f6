"""Components of sums as small numbers, each with what it is and what moves make of it.

A component is its data and where it stands, without whose turn it is: that is the same in all components of a sum. A
kernel says for a component and a player whether it is over, and lists its options with the parts that each leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import Ask
from gamespec.budget import Budget
from gamespec.diagnostics import SpecError
from gamespec.game.model import Game, Position, Value
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, cast, compare, const, sub
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape, shape_of
from gamespec.kernel.turn import outcome_of
from gamespec.plan.encode import Givens, Packing, givens_of, rules
from gamespec.plan.fault import explain
from gamespec.plan.given import bound_givens
from gamespec.plan.listing import Listing, Row, ordered
from gamespec.plan.pace import Pace
from gamespec.plan.plan import Kernels, Plan
from gamespec.plan.slot import position_key
from gamespec.plan.valuation import Valuation, valuation
from gamespec.plan.watch import TABLE, polled

KERNEL = "sum.parts"

PARTS, ENDED = range(2)  # cells of `at`: how many parts were listed; whether and how the component is over
GOES_ON, OVER, VERDICT = range(3)  # ENDED; to VERDICT 3 times the place of the condition and the outcome are added
FIXED = "a fixed cell"
BYTES_A_COMPONENT = 600  # for each player
BYTES_AN_OPTION = 100  # and for each of its parts
PIECE = 1 << 16  # bytes that are taken at a time


class Layout:
    """What the kernel and the solver of one game share. Raises TooWide."""

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        self.game = game
        self.facts = facts
        self.valuation: Valuation = valuation(game, facts, ask)
        self.shapes: dict[str, Shape] = {field.name: shape_of(field) for field in game.states}
        self.packing = Packing(tuple(self.shapes.values()))
        self.bits = self.packing.bits - (self.packing.shapes[-1].bits if game.partisan else 0)
        self.key = position_key(game, self.shapes, self.packing.bits)
        self.givens: Givens = givens_of(game)

    def parts(self) -> ir.Function:
        """Lists the options of one component (see `plan.listing`), each with the number of its parts as code.

        The keys of the parts go to `keys`, in the order of the list, as far as there is room.
        """
        b = Builder()
        own = (ir.Table("keys", self.key), ir.Scalar("room", ir.I64), TABLE)
        b.declare(*own, *self.givens.params(), *Listing.params(self.shapes))
        polled(b)
        here = rules(b, self.game, self.facts, self.shapes, self.givens)
        listing = Listing(b, self.game)
        count = b.local("parts", const(0))

        def look(option: Option) -> ir.Expr:
            before = b.local("before", count)

            def note(words: Words) -> None:
                with b.when(compare("lt", count, ir.Var("room", ir.I64))):
                    b.store("keys", count, self.packing.key(words, self.key))
                b.assign(count, add(count, 1))

            option.each_result(note)
            return sub(count, before)

        words = listing.position(self.shapes)
        b.store(TABLE.name, const(PARTS), const(0, ir.U64), FIXED)
        b.store(TABLE.name, const(ENDED), const(GOES_ON, ir.U64), FIXED)
        self._over(b, here, words)
        rows = listing.write(here, words, look)
        b.store(TABLE.name, const(PARTS), cast(count, ir.U64), FIXED)
        b.returns(rows)
        return b.function(KERNEL, hot=False)

    def _over(self, b: Builder, rules: Rules, words: Words) -> None:
        k = rules.at(words)
        for place, terminal in enumerate(self.game.terminals):
            with b.when(k.value(terminal.condition), terminal.span):
                ended: ir.Expr = const(OVER, ir.U64)
                if terminal.verdict is not None:
                    ended = add(cast(outcome_of(self.game, terminal.verdict, words), ir.U64), VERDICT + 3 * place)
                b.store(TABLE.name, const(ENDED), ended, FIXED)
                b.returns(0)


class Choice(msgspec.Struct, frozen=True):
    """One option of a component, and the parts it leaves."""

    row: Row
    parts: tuple[int, ...]


class Component(msgspec.Struct, frozen=True):
    """What a component is for one player: its verdict if it ends the whole sum, else its options.

    A verdict is the place of its condition in the file, and the outcome for the player to move.
    """

    verdict: tuple[int, int] | None
    choices: tuple[Choice, ...]


class Components:
    """Numbers for components, and what is known of them."""

    def __init__(self, layout: Layout, plan: Plan, kernels: Kernels, at: Buffer, budget: Budget) -> None:
        self.layout = layout
        self.plan = plan
        self.kernels = kernels
        self.at = at
        self.budget = budget
        self.room = 1 << 10
        self.data: list[tuple[Value, ...]] = []
        self._args: list[list[object]] = []
        self._data_numbers: dict[tuple[Value, ...], int] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self.known: list[tuple[int, int]] = []  # of each component its data and key
        self._found: dict[tuple[int, int], Component] = {}
        self._inert: dict[int, bool] = {}
        self._pace = Pace(budget)
        self._needed = self._taken = 0  # bytes

    def number(self, givens: tuple[Value, ...], state: Sequence[Value]) -> int:
        """The number of a component."""
        data = self._data_numbers.get(givens)
        if data is None:
            data = self._data_numbers[givens] = len(self.data)
            self.data.append(givens)
            self._args.append(bound_givens(self.layout.givens, self.layout.game, givens))
        return self._of_key(data, self.layout.packing.number(state))

    def _of_key(self, data: int, key: int) -> int:
        place = data, key & ((1 << self.layout.bits) - 1)
        number = self._numbers.get(place)
        if number is None:
            number = self._numbers[place] = len(self.known)
            self.known.append(place)
        return number

    def position(self, number: int, mover: int) -> Position:
        """Where a component stands, with whose turn it is."""
        _, key = self.known[number]
        return self.layout.packing.position(key | mover << self.layout.bits)

    def at_turn(self, number: int, mover: int) -> Component:
        """A component as it is for a player. Raises SpecError where a rule fails, LimitError where memory ends."""
        found = self._found.get((number, mover))
        if found is None:
            found = self._found[number, mover] = self._listed(number, mover)
            self._needed += BYTES_A_COMPONENT + BYTES_AN_OPTION * sum(1 + len(choice.parts) for choice in found.choices)
            if self._needed > self._taken:
                self.budget.take(PIECE, "the components of sums")
                self._taken += PIECE
            self.budget.tick(f"components: {len(self._found):,}")
            self._pace.so_far(len(self._found), self.plan.bid.positions, "components of a sum")
        return found

    def forget(self) -> None:
        """Gives the memory back for what is known of components; it is found again where it is asked for."""
        self._found.clear()
        self.budget.give_back(self._taken)
        self._needed = self._taken = 0

    def is_inert(self, number: int) -> bool:
        """Whether a component means nothing to anybody any more."""
        found = self._inert.get(number)
        if found is None:
            try:
                sides = [self.at_turn(number, mover) for mover in ((0, 1) if self.layout.game.partisan else (0,))]
                found = not any(side.choices or side.verdict is not None for side in sides)
            except SpecError:  # met or not, this is told where it is played
                found = False
            self._inert[number] = found
        return found

    def _listed(self, number: int, mover: int) -> Component:
        layout, kernel = self.layout, self.kernels[KERNEL]
        state = self.position(number, mover)
        data, _ = self.known[number]
        words = [shape.word(value) for shape, value in zip(layout.shapes.values(), state, strict=True)]
        while True:
            keys = allocate(layout.key, self.room)
            args = (keys, self.room, self.at, *self._args[data], *words)
            count, rows = Listing.read(kernel, args, layout.game, self.at, self.budget)
            if count < 0:
                raise explain(self.plan.functions[KERNEL], count, layout.game, self.data[data], state)
            if self.at[PARTS] <= self.room:
                break
            self.room = self.at[PARTS]
        ended = self.at[ENDED]
        if ended >= VERDICT:
            return Component(divmod(ended - VERDICT, 3), ())
        parts = [self._of_key(data, key) for key in keys.to_list(0, self.at[PARTS])]
        left, first = {}, 0
        for row in rows:
            left[row.move, row.choices] = tuple(parts[first : first + row.code])
            first += row.code
        return Component(None, tuple(Choice(row, left[row.move, row.choices]) for row in ordered(rows)))
