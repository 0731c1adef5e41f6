"""Tables of subtraction games by marking: from each lost number, those that lead to it are won (A7).

Looking at the options of a number (pulling) takes as many looks as come before the first that wins, for every number;
marking takes one store a step, but only for lost numbers. Where the numbers that may be taken are many, lost numbers
are rare, and marking is far quicker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.passes import PUSH
from gamespec.game.model import LOST, WON, Const, Game
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, both, cast, compare, const, shl, sub
from gamespec.plan.table.cells import Cells
from gamespec.plan.table.form import steps
from gamespec.plan.valuation import Kind, Valuation

if TYPE_CHECKING:
    from gamespec.game.evaluate import Evaluator

FEW = 8  # numbers of which all are soon looked at

STEPS = ir.Table("steps", ir.U64)
COUNT, LEAST = (ir.Scalar(name, ir.I64) for name in ("steps.count", "steps.least"))


class Push(msgspec.Struct, frozen=True):
    """How one game is filled by marking."""

    game: Game
    misere: bool

    @staticmethod
    def params() -> tuple[ir.Scalar | ir.Table, ...]:
        """The numbers that may be taken, ascending, how many they are, and the least of them (or any too large)."""
        return STEPS, COUNT, LEAST

    def steps(self, evaluator: Evaluator, top: int) -> list[int]:
        """The numbers that may be taken from some number up to `top`, ascending."""
        found: set[int] = set()
        always = steps(self.game) or {}
        for number, move in enumerate(self.game.moves):
            if not move.choices:
                found.add(always[number].hi)
                continue
            values = evaluator.expr(move.choices[0].within, (top,))
            assert isinstance(values, frozenset | tuple)
            found.update(values)
        return sorted(step for step in found if 0 < step <= top)

    def fill(self, b: Builder, cells: Cells, top: ir.Expr) -> None:
        """Settles the numbers `first..last`; those below are settled, and `top` (i64) is the largest of the table."""
        inside = "the loops stay inside the box"
        with b.loop("n", ir.Var("first", ir.I64), ir.Var("last", ir.I64)) as number:
            code = cells.look(number, inside)
            with b.when(compare("eq", code, const(LOST, code.type))):
                if self.misere:
                    stuck = compare("lt", number, ir.Var(LEAST.name, ir.I64))
                    with b.when(stuck):
                        self._mark(b, cells, number)
                    with b.otherwise():
                        self._mark_all(b, cells, number, top)
                else:
                    self._mark_all(b, cells, number, top)

    def _mark_all(self, b: Builder, cells: Cells, number: ir.Expr, top: ir.Expr) -> None:
        room = b.local("room", cast(sub(top, number), ir.U64))
        place = b.local("place", const(0))
        step = ir.Load(STEPS.name, place, ir.U64, proof="below their number")
        more = both(compare("lt", place, ir.Var(COUNT.name, ir.I64)), compare("le", step, room))
        with b.loop_while(more):
            self._mark(b, cells, b.local("target", add(number, cast(step, ir.I64))))
            b.assign(place, add(place, 1))

    def _mark(self, b: Builder, cells: Cells, number: ir.Expr) -> None:
        inside = "not above the top of the table"
        if not cells.width:
            b.store(cells.table.name, number, const(WON, cells.word), proof=inside)
            return
        word, shift = cells.split(number)
        word = b.simple("word", cast(word, ir.I64))
        before = ir.Load(cells.table.name, word, ir.U64, proof=inside)
        bit = shl(const(WON, ir.U64), shift)
        b.store(cells.table.name, word, binary("or", before, bit, ir.U64), proof=inside)


def push_of(game: Game, facts: Facts, kept: Valuation) -> Push | None:
    """Marking, where the rules are those of a subtraction game with many numbers that may be taken."""
    found = facts.subtraction
    if found is None or PUSH in facts.disabled or kept.kind is not Kind.OUTCOME or game.sum:
        return None
    if game.terminals or game.requires or facts.proofs.unproved:
        return None
    field = game.states[0]
    if not isinstance(field.lo, Const) or field.lo.value != 0 or not isinstance(field.hi, Const):
        return None
    if found.values is not None and len(found.values) <= FEW:
        return None
    always = steps(game)
    if always is None or any(not move.choices and number not in always for number, move in enumerate(game.moves)):
        return None
    return Push(game, game.misere)
