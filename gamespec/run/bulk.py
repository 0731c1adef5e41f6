"""Large inputs of small cases: read and printed by kernels, and each different case answered once.

A case of which every item is one whole number, in an input of one level, is read by a kernel as long as its words are
plain numbers within their bounds. Whatever is not plain stays in the input, for the reader that says what is wrong.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import BinaryIO

import msgspec

from gamespec.answers.speech import answer_names, holes, templates
from gamespec.budget import Budget
from gamespec.game.model import Cases, Game
from gamespec.game.walk import within
from gamespec.kernel import ir
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.rows import AT, DISTINCT, MOST_DIGITS, PRINT, READ, ROWS, WIDEST, printing, reading
from gamespec.plan.plan import Kernels
from gamespec.run.layout import Layout
from gamespec.run.write import MARKED
from gamespec.types import IntType

Compile = Callable[[Sequence[ir.Function]], Kernels]

Lines = str | tuple[str | None, ...] | None
"""What is printed for one case: a line, none, or several, some of which may be none."""

ROOM = 1 << 20  # rows, and different rows, of a piece
MOST_BYTES = 1 << 28  # of the buffers of a piece
PRINTED = 1 << 20  # bytes that are printed at a time


class Repeats(msgspec.Struct):
    """Cases that are the same: `which` tells for every case its number among those that differ, and `firsts` for each
    of these at which case it came first, both counted from 0."""

    which: array[int]
    firsts: array[int]

    def add(self, run: Run) -> None:
        """The next cases, numbered behind these."""
        self.which.extend(run.which)
        self.firsts.extend(run.firsts)

    def add_all(self, count: int) -> None:
        """So many cases, each taken to be different."""
        cases, different = len(self.which), len(self.firsts)
        self.which.extend(range(different, different + count))
        self.firsts.extend(range(cases, cases + count))

    def before(self, different: int) -> Repeats:
        """The cases before the one at which a different one came first."""
        return Repeats(self.which[: self.firsts[different]], self.firsts[:different])


class Run(msgspec.Struct, frozen=True):
    """Cases that were read one after another: `count` of them, and what they are.

    `columns` hold the values of the different ones, by name, in the order in which each came first; `which` and
    `firsts` as in Repeats, behind the cases before. `places` tells at which byte each different one came first; the
    cases end in front of the byte `end`.
    """

    count: int
    columns: dict[str, array[int]]
    which: array[int]
    firsts: array[int]
    places: array[int]
    end: int

    def cut(self, different: int) -> Run:
        """The cases before the one at which a different one came first."""
        count, end = self.firsts[different] - self.firsts[0], self.places[different]
        columns = {name: column[:different] for name, column in self.columns.items()}
        return Run(count, columns, self.which[:count], self.firsts[:different], self.places[:different], end)


class Bulk:
    """Reads runs of plain cases from pieces of an input, and prints texts for many cases."""

    def __init__(self, names: Sequence[str], layout: Layout, compile: Compile) -> None:
        self.names = names
        self._compile = compile
        self._kernels: dict[str, Callable[..., int]] = {}
        stage = layout.stages[0]
        self._stops: Mapping[str, int] = stage.stop or {}
        self._bounds = [(of.bounds.lo, of.bounds.hi) for of in map(layout.word_type, names) if isinstance(of, IntType)]
        self._buffers: dict[str, Buffer] = {}
        self._taken = 0  # bytes of the budget

    @classmethod
    def of(cls, game: Game, layout: Layout, compile: Compile) -> Bulk | None:
        """For a game whose input and output are of the plain kind; None for others."""
        names = layout.singles
        if (
            not game.output.entries
            or not names
            or len(set(names)) < len(names)
            or game.components
            or game.output.joined is not None
        ):
            return None
        stage = layout.stages[0]
        if stage.cases is Cases.ONCE or (stage.until is not None and stage.stop is None):
            return None
        if not all(isinstance(layout.word_type(name), IntType) for name in names) or _is_numbered(game):
            return None
        return cls(names, layout, compile)

    # --- reading -------------------------------------------------------------------------------------------

    def read(self, data: bytes, most: int, before: Repeats, budget: Budget) -> Run | None:
        """The cases at the beginning of a piece of the input, `most` at most; None if there are none.

        The piece begins and ends between two words; `before` are the cases that are numbered before them.
        """
        width = len(self.names)
        size = len(data) + ROOM * (8 * width + 24)
        if size > min(MOST_BYTES, budget.free // 4):
            return None
        if size > self._taken:
            budget.take(size - self._taken, "a piece of the input")
            self._taken = size
        buffers = self._room(len(data), width)
        text, state, slots = buffers["text"], buffers["state"], buffers["slots"]
        text.view(len(data))[:] = data
        slots.clear()
        shift = 65 - slots.length.bit_length()
        args = [0, len(data), width, min(most, ROOM), ROOM, len(self._stops)]
        args += [len(before.which), len(before.firsts)]
        args += [int(width == 1 and self._range(0) <= slots.length), slots.length - 1, shift]
        tables = [buffers[name] for name in ("lows", "highs", "stops", "stopping", "values", "row", "slots", "which")]
        self._run(READ, text, *args, *tables, buffers["firsts"], buffers["places"], state)
        count, different = state[ROWS], state[DISTINCT]
        if not count:
            return None
        values = buffers["values"]
        columns = {
            name: _copied("q", values.view(8 * different, 8 * ROOM * place)) for place, name in enumerate(self.names)
        }
        return Run(
            count,
            columns,
            _copied("I", buffers["which"].view(4 * count)),
            _copied("I", buffers["firsts"].view(4 * different)),
            _copied("q", buffers["places"].view(8 * different)),
            state[AT],
        )

    def release(self, budget: Budget) -> None:
        """Gives the memory for reading back."""
        budget.give_back(self._taken)
        self._taken = 0
        self._buffers.clear()

    def _range(self, place: int) -> int:
        """How many numbers a column may hold."""
        lo, hi = self._bounds[place]
        return hi - lo + 1

    def _room(self, size: int, width: int) -> dict[str, Buffer]:
        """The tables of the kernel that reads, with room for a text of so many bytes."""
        buffers = self._buffers
        if not buffers:
            for name, cell, length in (
                ("lows", ir.I64, width),
                ("highs", ir.I64, width),
                ("stops", ir.I64, width),
                ("stopping", ir.U8, width),
                ("row", ir.I64, width),
                ("values", ir.I64, ROOM * width),
                ("slots", ir.U32, 2 * ROOM),
                ("which", ir.U32, ROOM),
                ("firsts", ir.U32, ROOM),
                ("places", ir.I64, ROOM),
                ("state", ir.I64, 3),
            ):
                buffers[name] = allocate(cell, length)
            limit = 10**MOST_DIGITS
            buffers["lows"].from_ints([max(-limit, lo) for lo, _ in self._bounds])
            buffers["highs"].from_ints([min(limit, hi) for _, hi in self._bounds])
            buffers["stops"].from_ints([self._stops.get(name, 0) for name in self.names])
            buffers["stopping"].from_ints([name in self._stops for name in self.names])
        if "text" not in buffers or buffers["text"].length < size:
            buffers["text"] = allocate(ir.U8, size)
        return buffers

    def _run(self, name: str, *args: object) -> None:
        if name not in self._kernels:
            function = reading() if name == READ else printing()
            self._kernels[name] = self._compile([function])[name]
        status = self._kernels[name](*args)
        if status:
            raise IndexError(f"the kernel {name} stopped with {status}")

    # --- printing ------------------------------------------------------------------------------------------

    def print(self, lines: Iterable[Lines], repeats: Repeats, first: int, stdout: BinaryIO) -> None:
        """Writes the lines of all cases; `lines` are those of the different ones, `first` the number of the first
        case."""
        lines = list(lines)
        numbers = {text: number for number, text in enumerate(dict.fromkeys(lines))}
        of = array("I", list(map(numbers.__getitem__, lines)))
        blocks = [_block(text) for text in numbers]
        starts = array("q", [0])
        for block in blocks:
            starts.append(starts[-1] + len(block))
        room = max(PRINTED, WIDEST * max(map(len, blocks), default=0))
        out, state = allocate(ir.U8, room), allocate(ir.I64, 3)
        tables = [
            _filled(ir.U8, b"".join(blocks)),
            _filled(ir.I64, starts.tobytes()),
            _filled(ir.U32, repeats.which.tobytes()),
            _filled(ir.U32, of.tobytes()),
        ]
        done, count = 0, len(repeats.which)
        while done < count:
            self._run(PRINT, *tables, out, state, done, count - 1, first, room)
            done = state[ROWS]
            stdout.write(out.view(state[AT]))


def _is_numbered(game: Game) -> bool:
    """Whether the number of a case is told otherwise than as it is, or a text holds the character that stands for it:
    then cases with the same values may have different texts."""
    from gamespec.game.model import AnswerRef

    for entry in game.output.entries:
        for template in templates(entry):
            if any(MARKED in piece for piece in template if isinstance(piece, str)):
                return True
    for hole in holes(game):
        plain = hole.answer == "case" and not hole.width
        if not plain and not answer_names(game, hole).isdisjoint(("case", "query")):
            return True
    parts = (part for expr in game.output.order for part in within(expr, game.lets))
    return any(isinstance(part, AnswerRef) and part.name in ("case", "query") for part in parts)


def _block(lines: Lines) -> bytes:
    """The bytes of lines, each with its end."""
    each = lines if isinstance(lines, tuple) else (lines,)
    return "".join([f"{line}\n" for line in each if line is not None]).encode()


def _copied(code: str, view: memoryview) -> array[int]:
    found: array[int] = array(code)
    found.frombytes(view)
    return found


def _filled(cell: ir.Type, data: bytes) -> Buffer:
    buffer = allocate(cell, 8 * len(data) // cell.bits)
    buffer.view(len(data))[:] = data
    return buffer
