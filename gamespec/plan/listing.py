"""The list of a position's options, written by a kernel.

A row of the table `out` (u64) has the number of the rule, the code of what the move leaves in two cells, whether it
keeps the turn, its gain, and the chosen values, two cells each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from gamespec.budget import Budget
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, shr
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape
from gamespec.plan.encode import scalar
from gamespec.plan.plan import Kernel
from gamespec.plan.plan import Option as Answer
from gamespec.plan.valuation import Valuation
from gamespec.plan.watch import stop

if TYPE_CHECKING:
    from gamespec.game.evaluate import Played

ROWS = 1 << 10  # of the first attempt
BYTES_A_MOVE = 600  # in Python, where a move is listed, sorted and printed
POLLED = 1 << 12  # moves between two looks at the clock


FIXED = 5  # cells before those of the chosen values


class Row(msgspec.Struct, frozen=True):
    """One option as listed; `code` is whatever the strategy noted, mostly the code of what the move leaves."""

    move: int
    choices: tuple[int, ...]
    code: int
    keeps: bool
    gain: int

    def option(self, valuation: Valuation, code: int | None = None) -> Answer:
        """What a solver says about it; `code` where the row does not have that of what the move leaves."""
        worth = valuation.worth(self.code if code is None else code, self.keeps, self.gain)
        return Answer(self.move, self.choices, worth)


def width(game: Game) -> int:
    """The cells of a row."""
    return FIXED + 2 * max((len(move.choices) for move in game.moves), default=0)


class Listing:
    """Writes the kernel that lists options; its status is the number of rows, written or not."""

    def __init__(self, b: Builder, game: Game) -> None:
        self.b = b
        self.game = game
        self.width = width(game)

    @staticmethod
    def params(shapes: Mapping[str, Shape]) -> tuple[ir.Scalar | ir.Table, ...]:
        """The position, a scalar a field, and the table with its number of rows."""
        position = (ir.Scalar(f"at.{name}", shape.type) for name, shape in shapes.items())
        return (*position, ir.Table("out", ir.U64), ir.Scalar("out.rows", ir.I64))

    def position(self, shapes: Mapping[str, Shape]) -> Words:
        """The position, passed as scalars `at.NAME`. A position where the game is over has no options."""
        return {name: scalar(shape, f"at.{name}") for name, shape in shapes.items()}

    def write(
        self,
        rules: Rules,
        words: Words,
        look: Callable[[Option], ir.Expr],
        keep: Callable[[ir.Expr], ir.Expr] | None = None,
    ) -> ir.Var:
        """Writes the rows, or those whose code `keep` asks for, and returns their number, to be the kernel's status."""
        b = self.b
        count = b.local("count", const(0))

        def note(option: Option) -> None:
            value = look(option)
            if keep is None:
                row(option, value)
                return
            value = b.simple("value", value)
            with b.when(keep(value)):
                row(option, value)

        def row(option: Option, value: ir.Expr) -> None:
            with b.when(compare("lt", count, ir.Var("out.rows", ir.I64))):
                base = b.local("base", binary("mul", count, const(self.width), ir.I64))
                gain = const(0, ir.U64) if option.gain is None else cast(option.gain, ir.U64)
                cells = [const(option.move, ir.U64), *_halves(b, value), cast(option.keeps_turn, ir.U64), gain]
                for choice in option.choices:
                    cells += _halves(b, choice)
                for offset, cell in enumerate(cells):
                    b.store("out", add(base, offset), cell)
            b.assign(count, add(count, 1))

        rules.terminal(words, lambda outcome: b.returns(0))
        rules.each_option(words, note)
        return count

    @staticmethod
    def read(kernel: Kernel, args: Sequence[object], game: Game, at: Buffer, budget: Budget) -> tuple[int, list[Row]]:
        """Calls the kernel with enough room; the status, and the options as listed, perhaps with repetitions."""
        rows, size = ROWS, width(game)
        while True:
            out = allocate(ir.U64, rows * size)
            count = kernel(*args, out, rows)
            if count == ir.STOPPED:
                stop(at, budget)
                continue
            if count <= rows:
                break
            rows = count
            needed = rows * (8 * size + BYTES_A_MOVE)
            budget.take(needed, f"a list of {rows:,} moves")
            budget.give_back(needed)  # it was asked whether there is room
        if count < 0:
            return count, []
        cells = out.to_list(0, count * size)
        found = []
        for base in range(0, count * size, size):
            if base % (size * POLLED) == 0:
                budget.check_time()
            number = cells[base]
            _, low, high, keeps, gain, *chosen = cells[base : base + FIXED + 2 * len(game.moves[number].choices)]
            gain -= (gain >> 63) << 64
            found.append(
                Row(number, tuple(map(_signed, chosen[::2], chosen[1::2])), low | high << 64, bool(keeps), gain)
            )
        return count, found


def ordered(options: Iterable[Row]) -> list[Row]:
    """The options by rule and choices, each once."""
    once = {(option.move, option.choices): option for option in options}
    return [once[key] for key in sorted(once)]


def played_options(plays: Sequence[Played], codes: Sequence[int], valuation: Valuation) -> list[Answer]:
    """The options of moves that are made in Python, whose results have these codes."""
    rows = (Row(play.move, play.choices, code, False, 0) for play, code in zip(plays, codes, strict=True))
    return [row.option(valuation) for row in ordered(rows)]


def _halves(b: Builder, value: ir.Expr) -> list[ir.Expr]:
    """A number as two u64 cells in two's complement, the low one first."""
    word = b.simple("wide", cast(value, ir.U128))
    return [cast(word, ir.U64), cast(shr(word, 64), ir.U64)]


def _signed(low: int, high: int) -> int:
    word = low | high << 64
    return word - (1 << 128) if word >> 127 else word
