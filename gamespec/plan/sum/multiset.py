"""Sums as one word: a search kernel over multisets of classes of components.

A whole is a word of slots, the numbers of its components in descending order from the lowest bits up, and 0 in the
slots above. A slot has a bit more than a number needs, so that one subtraction compares a number with all slots; where
it is to be put in, it then takes two shifts. The highest bit of a partisan whole says whose turn it is.

The search itself is that of `plan.search.memo`; here are its rules: the options of a class are multisets of parts, in
compressed rows, and a whole all of whose classes have values that add up is decided without a search.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.passes import SETTLED
from gamespec.answers.ask import Ask
from gamespec.game.model import DRAWN, LOST, WON, Game
from gamespec.kernel import ir
from gamespec.kernel.build import (
    Builder,
    add,
    binary,
    both,
    cast,
    compare,
    const,
    either,
    select,
    shl,
    shr,
    sub,
)
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.plan.orbit import Keys
from gamespec.plan.search.cell import Layout
from gamespec.plan.search.kernel import KNOWN, NOT_WON
from gamespec.plan.search.memo import MOST_BITS, Memo
from gamespec.plan.slot import KEYS
from gamespec.plan.sum.genus import may_be_tame
from gamespec.plan.sum.number import adds_up
from gamespec.plan.valuation import Kind, Valuation, draws
from gamespec.plan.value import UNBOUNDED

WHOLE = "whole"  # the only word of a position
SMALL_TABLE = "numbers of components are below the length of their tables"
NO_VERDICT = (1 << 32) - 1
NO_VALUE = -(1 << 62)
FIRM = 1 << 40


class Adding(Enum):
    """What is added where all components have values."""

    NOTHING = "nothing"
    GENERA = "genera"
    NUMBERS = "numbers"


def adding(game: Game, facts: Facts, ask: Ask) -> Adding:
    """What may be added in a game."""
    if ask.distance or SETTLED in facts.disabled:
        return Adding.NOTHING
    return Adding.GENERA if may_be_tame(game) else Adding.NUMBERS if adds_up(game) else Adding.NOTHING


def whole_valuation(game: Game, ask: Ask) -> Valuation:
    """What is kept of a whole. Its distance is bounded by the wholes that a table holds."""
    if ask.distance:
        return Valuation(Kind.DISTANCE, (1 << MOST_BITS) - 1 - KNOWN, misere=game.misere)
    return (
        Valuation(Kind.DRAWS, DRAWN, misere=game.misere)
        if draws(game)
        else Valuation(Kind.OUTCOME, WON, misere=game.misere)
    )


class Multisets(Memo):
    """The search through wholes that are packed into words of one type."""

    def __init__(self, game: Game, ask: Ask, key: ir.Type, adds: Adding) -> None:
        self.game = game
        self.split = None
        self.valuation = whole_valuation(game, ask)
        self.grundy = False
        self.full = self.valuation.is_full
        self.draws = self.valuation.kind is Kind.DRAWS
        self.keeps = False
        self.most = UNBOUNDED
        self.adding = adds
        top = NOT_WON if self.draws else self.valuation.top
        self.key = key
        value_bits = (top + KNOWN).bit_length()
        bits = key.bits - value_bits  # fewer than a key has, so that a cell is no wider
        self.layout = Layout(bits, value_bits)
        self.word = self.layout.state_word
        self.keys = WholeKeys()
        self.movers = 2 if game.partisan else 1
        self.turn_bit = bits - 1  # says whose turn it is
        self.room = bits if self.movers == 1 else self.turn_bit  # bits for slots
        self.verdicts = any(terminal.verdict is not None for terminal in game.terminals)

    @property
    def sees_ends(self) -> bool:
        """Whether options are looked at for whether they are decided before they are searched."""
        return self.verdicts or self.adding is not Adding.NOTHING

    def params(self, *own: ir.Scalar | ir.Table) -> tuple[ir.Scalar | ir.Table, ...]:
        tables: tuple[ir.Scalar | ir.Table, ...] = (
            ir.Scalar("width", ir.U64),
            ir.Scalar("guards", self.key),
            ir.Table("first", ir.U32),
            ir.Table("ends", ir.U32),
            ir.Table("parts", ir.U32),
            ir.Table("spread", self.key),
        )
        if self.verdicts:
            tables += (ir.Table("verdicts", ir.U32),)
        if self.adding is not Adding.NOTHING:
            tables += (ir.Table("worth", ir.I64), ir.Scalar("settled", ir.U64))
        return (*self.shared(), *tables, *own)

    def rules(self, b: Builder) -> Rules:
        return WholeRules(b, self)


def kernel_name(name: str, key: ir.Type) -> str:
    """The name of a kernel for words of a type."""
    return f"sum.{key}.{name}"


def functions(game: Game, ask: Ask, adds: Adding) -> list[ir.Function]:
    """The kernels for all types of words."""
    made: list[ir.Function] = []
    for key in KEYS:
        memo = Multisets(game, ask, key, adds)
        for name, function in (("search", memo.search()), ("rehash", memo.rehash()), ("read", memo.read())):
            made.append(msgspec.structs.replace(function, name=kernel_name(name, key)))
    return made


class WholeKeys(Keys):
    """A whole is its own key."""

    def __init__(self) -> None:
        pass

    def words(self, b: Builder, key: ir.Expr) -> Words:
        return {WHOLE: key}

    def key(self, b: Builder, words: Words, of: ir.Type) -> ir.Expr:
        return words[WHOLE]


class WholeRules(Rules):
    """The rules of wholes: moves in one component, from the tables of classes."""

    def __init__(self, b: Builder, memo: Multisets) -> None:
        self.b = b
        self.memo = memo
        self.width = ir.Var("width", ir.U64)
        self.guards = ir.Var("guards", memo.key)

    def _parted(self, words: Words) -> tuple[ir.Expr, ir.Expr]:
        """The slots, and whose turn it is (u64)."""
        memo, b = self.memo, self.b
        whole = b.simple(WHOLE, words[WHOLE])
        if memo.movers == 1:
            return whole, const(0, ir.U64)
        turn = const(1 << memo.turn_bit, memo.key)
        mover = b.local("mover", cast(shr(whole, memo.turn_bit), ir.U64))
        return b.local("slots", binary("andnot", whole, turn, memo.key)), mover

    def _slot(self, rest: ir.Expr) -> ir.Expr:
        """The number in the lowest slot (u64)."""
        mask = sub(shl(const(1, ir.U64), self.width), 1)
        return binary("and", cast(rest, ir.U64), mask, ir.U64)

    def _row(self, number: ir.Expr, mover: ir.Expr) -> ir.Expr:
        if self.memo.movers == 1:
            return number
        return add(shl(number, 1), mover)

    def _wide_width(self) -> ir.Expr:
        return cast(self.width, self.memo.key)

    # --- the end -------------------------------------------------------------------------------------------

    def terminal(self, position: Words, decided: Callable[[ir.Expr], None]) -> None:
        memo = self.memo
        if not memo.sees_ends:
            return
        slots, mover = self._parted(position)
        if memo.verdicts:
            self._verdict(slots, mover, decided)
        if memo.adding is not Adding.NOTHING:
            # The numbers descend, so the first one tells whether all components have values.
            with self.b.when(compare("lt", self._slot(slots), ir.Var("settled", ir.U64))):
                decided(self._added(slots, mover))

    def _verdict(self, slots: ir.Expr, mover: ir.Expr, decided: Callable[[ir.Expr], None]) -> None:
        b, memo = self.b, self.memo
        rest = b.local("rest", slots)
        least = b.local("verdict", const(NO_VERDICT, ir.U32))
        with b.loop_while(compare("ne", rest, const(0, memo.key))):
            row = self._row(self._slot(rest), mover)
            verdict = ir.Load("verdicts", row, ir.U32, SMALL_TABLE)
            b.assign(least, binary("min", least, verdict, ir.U32))
            b.assign(rest, shr(rest, self._wide_width()))
        with b.when(compare("ne", least, const(NO_VERDICT, ir.U32))):
            decided(b.local("ended", binary("mod", least, const(3, ir.U32), ir.U32)))

    def _added(self, slots: ir.Expr, mover: ir.Expr) -> ir.Expr:
        """The outcome (u32) of a whole whose components all have values."""
        b, memo = self.b, self.memo
        rest = b.local("rest", slots)
        total = b.local("total", const(0, ir.I64))
        firm = b.local("firm", const(0, ir.I64))
        numbers = memo.adding is Adding.NUMBERS
        with b.loop_while(compare("ne", rest, const(0, memo.key))):
            worth = b.local("worth", ir.Load("worth", self._slot(rest), ir.I64, SMALL_TABLE))
            if numbers:
                b.assign(total, add(total, worth))
            else:
                b.assign(firm, binary("or", firm, worth, ir.I64))
                b.assign(total, binary("xor", total, binary("and", worth, const(FIRM - 1), ir.I64), ir.I64))
            b.assign(rest, shr(rest, self._wide_width()))
        won, lost = const(WON, ir.U32), const(LOST, ir.U32)
        if numbers:
            first = both(compare("eq", mover, const(0, ir.U64)), compare("gt", total, const(0)))
            second = both(compare("ne", mover, const(0, ir.U64)), compare("lt", total, const(0)))
            return b.local("outcome", select(either(first, second), won, lost))
        not_zero = compare("ne", total, const(0))
        of_firm = select(not_zero, won, lost)
        of_fickle = select(not_zero, lost, won)
        return b.local("outcome", select(compare("ge", firm, const(FIRM)), of_firm, of_fickle))

    # --- moves ---------------------------------------------------------------------------------------------

    def each_option(self, position: Words, body: Callable[[Option], None], checked: bool = True) -> None:
        b, memo = self.b, self.memo
        key = memo.key
        slots, mover = self._parted(position)
        rest = b.local("rest", slots)
        last = b.local("last", const(0, ir.U64))
        at = b.local("place", const(0, key))
        with b.loop_while(compare("ne", rest, const(0, key))):
            number = b.local("number", self._slot(rest))
            b.assign(rest, shr(rest, self._wide_width()))
            with b.when(compare("ne", number, last)):
                b.assign(last, number)
                below = sub(shl(const(1, key), at), 1)
                others = b.local("others", binary("or", binary("and", slots, below, key), shl(rest, at), key))
                self._moves_in(number, mover, others, body)
            b.assign(at, add(at, self._wide_width()))

    def _moves_in(self, number: ir.Expr, mover: ir.Expr, others: ir.Expr, body: Callable[[Option], None]) -> None:
        b, memo = self.b, self.memo
        row = b.local("row", cast(self._row(number, mover), ir.I64))
        first = b.local("from", self._cell("first", row))
        last = b.local("to", self._cell("first", add(row, 1)))
        with b.loop("option_number", first, sub(last, 1)) as option:
            made = b.local("made", others)
            with b.loop("i", self._cell("ends", option), sub(self._cell("ends", add(option, 1)), 1)) as place:
                b.assign(made, self._with(made, self._cell("parts", place)))
            if memo.movers > 1:
                turned = select(
                    compare("eq", mover, const(0, ir.U64)), const(1 << memo.turn_bit, memo.key), const(0, memo.key)
                )
                b.assign(made, binary("or", made, turned, memo.key))
            words: Words = {WHOLE: made}
            body(Option(0, (), lambda each: each(words), words))

    @staticmethod
    def _cell(table: str, place: ir.Expr) -> ir.Expr:
        return cast(ir.Load(table, place, ir.U32, SMALL_TABLE), ir.I64)

    def _with(self, slots: ir.Expr, part: ir.Expr) -> ir.Expr:
        """The slots with one more number: where the first one is less; there is room (see `sum.closure.Classes`)."""
        b, key = self.b, self.memo.key
        part = b.local("part", part)
        spread = ir.Load("spread", part, key, SMALL_TABLE)
        not_less = binary("and", sub(binary("or", slots, self.guards, key), spread), self.guards, key)
        guard = ir.Unary("low", binary("andnot", self.guards, not_less, key), key)
        at = b.local("into", sub(add(guard, 1), self._wide_width()))
        below = b.local("below", sub(shl(const(1, key), at), 1))
        above = shl(binary("andnot", slots, below, key), self._wide_width())
        placed = shl(cast(part, key), at)
        return binary("or", binary("or", binary("and", slots, below, key), placed, key), above, key)
