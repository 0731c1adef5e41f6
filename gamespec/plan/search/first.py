"""Which of the unknown options of a position a search looks at first.

Where one option may answer a question, the order of the options decides how many positions are searched, though not
what is found. Options are sorted by how many lines they leave to the player who moves that are full, or full but for
one cell, in a condition `mover loses when …`; then by how often the ends of the game ask for the cell that the move
changes (`analysis.ends`); then as the rules list them. The cell is told by the lowest bit in which the keys differ.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamespec.analysis.ends import Weights
from gamespec.game.model import Game, Verdict
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, both, cast, compare, const, sub
from gamespec.kernel.express import Lowering
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.pattern import nearly_full
from gamespec.kernel.shape import Shape
from gamespec.plan.plan import Reason

WEIGHTS, SCORES = "weights", "scores"

WEIGHT_BITS = 4  # of a score
MOST_WEIGHT = (1 << WEIGHT_BITS) - 1
MOST_LINES = 15
LEAST_LINE = 3  # cells of a line that counts

LOWEST = "there is a weight for each bit of a key, and one for none"
SCORED = "there are as many scores as options that one turn of the search may add"


class First:
    """The weights of the bits of a key, and scores of the options that are gathered."""

    def __init__(self, game: Game, weights: Weights, shapes: Mapping[str, Shape], key: ir.Type, room: int) -> None:
        self.lost = [end.condition for end in game.terminals if end.verdict is Verdict.MOVER_LOSES]
        self.key = key
        self.room = room
        self.bits = [0] * (key.bits + 1)
        top = max((weight for row in weights.values() for weight in row), default=0)
        shift = 0
        for name, shape in shapes.items():
            for cell, weight in enumerate(weights.get(name, ())):
                low = shift + cell * shape.cell_bits
                scaled = weight if top <= MOST_WEIGHT else weight * MOST_WEIGHT // top
                self.bits[low : low + shape.cell_bits] = [scaled] * shape.cell_bits
            shift += shape.bits

    def reasons(self) -> tuple[Reason, ...]:
        """What `explain` tells."""
        text = "moves that change cells which the ends of the game ask for come first"
        if self.lost:
            text = "moves that leave lines all but full, or change cells of many lines, come first"
        return (Reason(f"{text}; a move that is answered by the end of the game is not searched"),)

    def params(self) -> tuple[ir.Table, ...]:
        return ir.Table(WEIGHTS, ir.U8), ir.Table(SCORES, ir.U8)

    def args(self) -> list[Buffer]:
        weights, scores = allocate(ir.U8, len(self.bits)), allocate(ir.U8, self.room)
        weights.from_ints(self.bits)
        return [weights, scores]

    def score(self, b: Builder, place: ir.Expr, before: ir.Expr, after: ir.Expr) -> None:
        """Writes down the score of an option at a place, from the keys of the position and of the option itself."""
        changed = binary("xor", before, after, self.key)
        bit = cast(ir.Unary("low", b.simple("changed", changed), self.key), ir.I64)
        b.store(SCORES, place, ir.Load(WEIGHTS, bit, ir.U32, LOWEST), SCORED)

    def look(self, b: Builder, place: ir.Expr, option: Lowering) -> None:
        """Adds to the score at a place what the lines say at the option."""
        for condition in self.lost:
            lines = nearly_full(option, condition, LEAST_LINE)
            if lines is not None:
                few = binary("min", lines, const(MOST_LINES, ir.U32), ir.U32)
                score = ir.Load(SCORES, place, ir.U32, SCORED)
                b.store(SCORES, place, add(score, binary("mul", few, const(1 << WEIGHT_BITS, ir.U32), ir.U32)), SCORED)

    def room_for(
        self, b: Builder, base: ir.Expr, end: ir.Expr, place: ir.Expr, columns: Mapping[str, ir.Type]
    ) -> ir.Var:
        """Makes room for the option with the score at `place` among those that are kept, `base..end - 1`, which move up
        by one where they score less; the place for it. Rows of `columns` move together."""
        score = b.local("score", ir.Load(SCORES, place, ir.U32, SCORED))
        at = b.local("at_place", end)
        before = sub(at, 1)
        lower = compare("lt", ir.Load(SCORES, sub(before, base), ir.U32, SCORED), score)
        with b.loop_while(both(compare("gt", at, base), lower)):
            for column, cell in columns.items():
                b.store(column, at, ir.Load(column, before, cell, SCORED), SCORED)
            b.store(SCORES, sub(at, base), ir.Load(SCORES, sub(before, base), ir.U32, SCORED), SCORED)
            b.assign(at, before)
        b.store(SCORES, sub(at, base), score, SCORED)
        return at
