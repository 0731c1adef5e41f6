"""Numbers by their digits: an automaton that knows whole blocks of them, where moves see only digits and remainders.

Take a number as a prefix and the digits behind it. The rules read which digits there are and a remainder
(`analysis.numeral`), which the prefix passes on to a block of numbers that share it; and moves go back by at most
`furthest`. So the codes of a whole block of base ** level numbers depend on the prefix's digits and remainder and on
the last `furthest` codes in front of the block (its *window*) alone, and so does the window behind it. Blocks that
agree in both are worked out once, from the blocks of one level less; blocks whose numbers have the same moves all
along count as equal (as nodes of a decision diagram do). What is left is a few thousand blocks, whatever the limit:
the code of a number is found by walking down its digits.

Numbers at which a comparison may still turn out one way or the other are worked out one by one. Where the windows
turn out to be very many, the table takes over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.numeral import NoNumeral, Numeral
from gamespec.answers.ask import interacts
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import DRAWN, LOST, WON, Game, Value
from gamespec.kernel import ir
from gamespec.plan.given import Rows
from gamespec.plan.listing import played_options
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Option, Plan, Reason, Refusal, may_fail
from gamespec.plan.problems import TOO_MANY_BLOCKS
from gamespec.plan.table import strategy as table
from gamespec.plan.table.form import numeral_of
from gamespec.plan.valuation import Kind, TooLong, Valuation, valuation

NAME = "automaton"

NANOSECONDS = 20e6  # what the blocks of a game take, as far as it was seen
NANOSECONDS_A_RULE = 1e5  # the moves for one set of digits and one remainder
NUMBERS_A_BLOCK = 1 << 10  # cells of a table that are filled in the time of one block
FEW_BLOCKS, MOST_BLOCKS = 1 << 16, 1 << 19  # kept in any case, at most
KEPT = 1 << 16  # prefixes kept of which codes were asked
BYTES_A_BLOCK = 256
FLAT = 1 << 10  # numbers up to which the codes of a block are kept
CHECKED = 1 << 12  # blocks between looks at the budget
MOST_VALUE = 255


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if interacts(game) or game.scored:
        return Refusal(NAME, Reason("positions have no outcomes or Grundy values of their own"))
    found = numeral_of(game, facts)
    if isinstance(found, NoNumeral):
        return Refusal(NAME, Reason(found.reason, found.span))
    if facts.order is None:
        return Refusal(NAME, Reason(facts.no_order.text, facts.no_order.span))
    if (reason := may_fail(facts)) is not None:
        return Refusal(NAME, reason)
    try:
        kept = valuation(game, facts, ask)
    except TooLong:
        return Refusal(NAME, Reason("scores may need more than 62 bits"))
    if kept.kind not in (Kind.OUTCOME, Kind.DRAWS, Kind.GRUNDY):
        return Refusal(NAME, Reason("how long play takes has no bound, and no automaton counts it"))
    if kept.kind is Kind.GRUNDY and min(kept.top, found.furthest) > MOST_VALUE:
        return Refusal(NAME, Reason(f"Grundy values may be larger than {MOST_VALUE}"))
    text = (
        f"the moves see {_seen(found)}, and lower it by at most {found.furthest}: blocks of numbers with the same "
        "beginning are worked out once, without a table"
    )
    rules = min(found.bounds.size, found.modulus << found.base)
    return Bid(NAME, NANOSECONDS + rules * NANOSECONDS_A_RULE, 1 << 20, (Reason(text, found.span),))


def _seen(found: Numeral) -> str:
    parts = []
    if found.base:
        parts.append(f"which digits {found.field} has" + (f" in base {found.base}" if found.base != 10 else ""))
    if found.modulus > 1:
        parts.append(
            f"its remainder by {found.modulus}" if parts else f"the remainder of {found.field} by {found.modulus}"
        )
    parts = parts or [f"of {found.field} only whether it is small"]
    return " and ".join(parts)


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    """The kernels of the table, in case that it has to take over."""
    return table.lower(game, facts, ask) if isinstance(table.bid(game, facts, ask), Bid) else ()


Moves = tuple[int, ...] | int
"""By how much the moves lower a number; its code where a condition ends the game."""


class TooManyBlocks(Exception):
    """The windows are so many that blocks hardly ever agree."""


class Block(msgspec.Struct, frozen=True):
    """What came of a block: the window behind it, the blocks inside it and, if it is short, its codes."""

    window: int
    inner: tuple[Block, ...]
    codes: bytes | None = None


class Prefix(msgspec.Struct, frozen=True):
    """What the rules see of the digits in front of a block: which they are (a bit each), and the remainder."""

    digits: int = 0
    rest: int = 0


class Numbers:
    """The codes of all numbers, for one set of givens."""

    def __init__(self, numeral: Numeral, kept: Valuation, evaluator: Evaluator, budget: Budget) -> None:
        self.numeral = numeral
        self.kept = kept
        self.evaluator = evaluator
        self.budget = budget
        self.base = numeral.base or 10
        self.settled = max(1, numeral.settled)
        top = min(kept.top, numeral.furthest) if kept.kind is Kind.GRUNDY else kept.top
        self.width = top.bit_length()
        self.mask = (1 << self.width * numeral.furthest) - 1
        self.low = (1 << self.width) - 1
        self.flat = 0  # the highest level of blocks whose codes are kept
        while self.base ** (self.flat + 1) <= FLAT:
            self.flat += 1
        self.powers = [1]
        while len(self.powers) <= self.flat + 1 or self.powers[-2] <= numeral.bounds.hi:
            self.powers.append(self.powers[-1] * self.base)
        self.size = self.powers[self.flat]
        self.kinds: dict[tuple[int, int, int], int] = {}
        self.names: dict[tuple[int, ...], int] = {}
        self.known: dict[int, Moves] = {}
        self.blocks: dict[tuple[int, int, int], Block] = {}
        self.edges: dict[tuple[int, int], Block] = {}  # blocks where some number is too small, or larger than any
        self.roots: dict[tuple[int, int], Block] = {}  # the largest blocks that are regular, and smaller irregular ones
        self.starts: dict[tuple[int, int], tuple[Prefix, int]] = {}
        self.codes_at: dict[int, bytes] = {}
        self.taken = 0
        self.most = min(MOST_BLOCKS, max(FEW_BLOCKS, numeral.bounds.size // NUMBERS_A_BLOCK))

    def codes(self, numbers: Sequence[int]) -> list[int]:
        """The code of each number."""
        size, known, found = self.size, self.codes_at, []
        for number in numbers:
            top, place = divmod(number, size)
            codes = known.get(top)
            if codes is None:
                codes = self.codes_of(top)
            found.append(codes[place])
        return found

    def codes_of(self, top: int) -> bytes:
        """The codes of the numbers that begin with `top`; not too many are kept."""
        if len(self.codes_at) >= KEPT:
            self.codes_at.clear()
        level, above = self.flat, top
        while above >= self.base and self.is_regular(level + 1, above // self.base):
            level, above = level + 1, above // self.base
        block = self.roots.get((level, above))
        if block is None:
            prefix, window = self.start(above, level)
            block = self.roots[level, above] = self.block(level, prefix, window, above * self.powers[level])
        for down in range(level - self.flat - 1, -1, -1):
            block = block.inner[top // self.powers[down] % self.base]
        assert block.codes is not None
        self.codes_at[top] = block.codes
        return block.codes

    def is_regular(self, level: int, top: int) -> bool:
        """Whether all numbers of a block are declared, and so large that comparisons do not matter."""
        size = self.powers[level]
        return top * size >= self.settled and (top + 1) * size - 1 <= self.numeral.bounds.hi

    def start(self, top: int, level: int) -> tuple[Prefix, int]:
        """What the block with the prefix `top` sees: the prefix, and the window in front of it."""
        if top == 0:
            return Prefix(), 0
        found = self.starts.get((top, level))
        if found is None:
            above, digit = divmod(top, self.base)
            prefix, window = self.start(above, level + 1)
            size = self.powers[level]
            for before in range(digit):
                inner = self.extended(prefix, before, above)
                window = self.block(level, inner, window, (above * self.base + before) * size).window
            found = self.starts[top, level] = self.extended(prefix, digit, above), window
        return found

    def extended(self, prefix: Prefix, digit: int, top: int) -> Prefix:
        """The prefix with one digit more; the number 0 in front has no digits."""
        digits = prefix.digits
        if self.numeral.base and (top or digit):
            digits |= 1 << digit
        return Prefix(digits, (prefix.rest * self.base + digit) % self.numeral.modulus)

    def block(self, level: int, prefix: Prefix, window: int, first: int) -> Block:
        """The block of the base ** level numbers from `first` on."""
        if not self.is_regular(level, first // self.powers[level]):
            edge = self.edges.get((level, first))
            if edge is None:
                edge = self.edges[level, first] = self._made(level, prefix, window, first)
                self._note()
            return edge
        key = (level, self.kind(level, prefix, first), window)
        found = self.blocks.get(key)
        if found is None:
            found = self.blocks[key] = self._made(level, prefix, window, first)
            self._note()
        return found

    def _made(self, level: int, prefix: Prefix, window: int, first: int) -> Block:
        if level == 0:
            code = self.code(prefix, window, first)
            return Block((window << self.width | code) & self.mask, (), bytes((code,)))
        size, top = self.powers[level - 1], first // self.powers[level]
        inner = []
        for digit in range(self.base):
            block = self.block(level - 1, self.extended(prefix, digit, top), window, first + digit * size)
            window = block.window
            inner.append(block)
        if level > self.flat:
            return Block(window, tuple(inner))
        return Block(window, (), b"".join(block.codes for block in inner if block.codes is not None))

    def kind(self, level: int, prefix: Prefix, first: int) -> int:
        """A number that is the same for blocks whose numbers have the same moves, one by one."""
        key = (level, prefix.digits, prefix.rest)
        found = self.kinds.get(key)
        if found is None:
            if level == 0:
                moves = self.moves(first)
                found = self._named((0, *moves) if isinstance(moves, tuple) else (1, moves))
                self.known[found] = moves
            else:
                size, top = self.powers[level - 1], first // self.powers[level]
                inner = [(self.extended(prefix, digit, top), first + digit * size) for digit in range(self.base)]
                found = self._named((2, *(self.kind(level - 1, *block) for block in inner)))
            self.kinds[key] = found
            self._note()
        return found

    def _named(self, own: tuple[int, ...]) -> int:
        return self.names.setdefault(own, len(self.names))

    def code(self, prefix: Prefix, window: int, number: int) -> int:
        """The code of one number behind a window."""
        if not self.numeral.bounds.lo <= number <= self.numeral.bounds.hi:
            return 0
        moves = self.moves(number) if number < self.settled else self.known[self.kind(0, prefix, number)]
        if isinstance(moves, int):
            return moves
        options = {window >> self.width * (back - 1) & self.low for back in moves}
        match self.kept.kind:
            case Kind.GRUNDY:
                return next(value for value in range(len(options) + 1) if value not in options)
            case _ if not options:
                return self.kept.stuck
            case _:
                return WON if LOST in options else DRAWN if DRAWN in options else LOST

    def moves(self, number: int) -> Moves:
        """By how much the moves lower a number, or its code where the game is over."""
        if self.evaluator.game.terminals:
            ending = self.evaluator.ending((number,))
            if ending is not None and ending.terminal is not None:
                verdict = ending.verdict or self.evaluator.convention
                return 0 if self.kept.kind is Kind.GRUNDY else verdict.outcome(0)
        plays = self.evaluator.moves((number,))
        return tuple(sorted({number - cast(int, play.results[0][0]) for play in plays}))

    def _note(self) -> None:
        """Counts what is kept, and looks at the budget now and then."""
        self.taken += 1
        if self.taken > self.most:
            raise TooManyBlocks
        if self.taken % CHECKED == 0:
            self.budget.take(CHECKED * BYTES_A_BLOCK, f"{self.taken:,} blocks of numbers")
            self.budget.tick(f"automaton: {self.taken:,} blocks of numbers")


class AutomatonSolver:
    """Keeps the blocks of each set of givens; a table where they are too many."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        found = numeral_of(game, facts)
        assert isinstance(found, Numeral)
        self.numeral = found
        self.game = game
        self.facts = facts
        self.plan = plan
        self.kernels = kernels
        self.budget = budget
        self.kept = valuation(game, facts, plan.ask)
        self.numbers: dict[tuple[Value, ...], Numbers] = {}
        self.table: table.TableSolver | None = None

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        if self.table is None:
            try:
                return self.kept.values(Rows(givens, states).answer(self._values))
            except TooManyBlocks:
                self._give_up()
        assert self.table is not None
        return self.table.values(givens, states)

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        if self.table is not None:
            return self.table.options(givens, state)
        try:
            numbers = self._numbers(tuple(givens))
            number = cast(int, state[0])
            plays = [] if isinstance(numbers.moves(number), int) else numbers.evaluator.moves((number,))
            codes = numbers.codes([cast(int, play.results[0][0]) for play in plays])
        except TooManyBlocks:
            self._give_up()
            return self.options(givens, state)
        return played_options(plays, codes, self.kept)

    def _values(self, givens: tuple[Value, ...], states: Sequence[Column]) -> Sequence[int]:
        return self._numbers(givens).codes(cast("Sequence[int]", states[0]))

    def _numbers(self, givens: tuple[Value, ...]) -> Numbers:
        if givens not in self.numbers:
            evaluator = Evaluator(self.game, self.game.data(givens))
            self.numbers[givens] = Numbers(self.numeral, self.kept, evaluator, self.budget)
        return self.numbers[givens]

    def _give_up(self) -> None:
        for numbers in self.numbers.values():
            self.budget.give_back(numbers.taken // CHECKED * CHECKED * BYTES_A_BLOCK)
        self.numbers.clear()
        if f"{table.NAME}.fill" not in self.plan.functions:
            raise LimitError(TOO_MANY_BLOCKS.at(None, name=self.numeral.field))
        self.table = table.TableSolver(self.game, self.facts, self.plan, self.kernels, self.budget)
