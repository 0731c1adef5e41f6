"""Texts about winning moves: what is chosen, where it is made, and what it leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamespec.answers.answer import Case
from gamespec.answers.echo import echo
from gamespec.answers.moves import WinningMove, move_text
from gamespec.answers.speech import OF_MOVES, answer_names, has_components
from gamespec.answers.table import ANSWERS
from gamespec.budget import timed
from gamespec.diagnostics import SpecError
from gamespec.game.model import Expr, Game, Hole, Template, Value
from gamespec.game.show import value_text
from gamespec.run import problems
from gamespec.run.block import Block
from gamespec.types import IntType

BEST = ("best_moves", "best_move")


class Teller:
    """Says what texts mean of a winning move, at the cases of one block."""

    def __init__(self, game: Game, block: Block) -> None:
        self.game = game
        self.block = block
        self._apart = has_components(game)
        self._ends = [0, *block.ends()] if self._apart else []

    def text(self, template: Template, row: int, case: Case, move: WinningMove) -> str:
        """The text about one of the winning moves."""
        return "".join(piece if isinstance(piece, str) else self._of_move(piece, row, case, move) for piece in template)

    def hole(self, hole: Hole, row: int, case: Case) -> str:
        """What a hole means where it speaks of the first winning move, or lists values of all; nothing for none."""
        if hole.values is not None:
            moves = case.best() if hole.answer in BEST else case.moves
            return " ".join(self._shown(hole.values, hole.joints, row, case, move) for move in timed(moves))
        return self._of_move(hole, row, case, case.moves[0]) if case.moves else formatter(hole)("")

    def sorted(self, order: Sequence[Expr], row: int, case: Case, moves: Sequence[WinningMove]) -> list[WinningMove]:
        """Winning moves by the values of `order`; those of equal components are worked out once."""
        apart = any("component" in answer_names(self.game, Hole(None, expr)) for expr in order)
        own = [given.name for given in self.game.givens if given.component] + [each.name for each in self.game.states]
        known: dict[tuple[object, ...], list[Value]] = {}

        def keys(move: WinningMove) -> list[Value]:
            place = self._ends[row] + move.component - 1 if self._apart else row
            here = tuple(self.block.columns[name][place] for name in own)
            alike = (move.component if apart else 0, here, move.option.move, move.option.choices)
            if alike not in known:
                known[alike] = self._values(order, row, case, move)
            return known[alike]

        return sorted(moves, key=keys)

    def _of_move(self, hole: Hole, row: int, case: Case, move: WinningMove) -> str:
        if hole.answer == "winning_move":
            return formatter(hole)(move_text(self.game, move))
        if hole.answer is not None:
            return formatter(hole)(ANSWERS[hole.answer].of(self.game, case))
        if hole.values is not None or hole.expr is None:
            return self.hole(hole, row, case)
        fields = {field.name for field in (*self.game.givens, *self.game.states)}
        told = echo(self.game, hole.expr, fields | self.block.names.keys())
        value, *sizes = self._values((hole.expr, *told.sizes), row, case, move)
        if isinstance(told.of, IntType):
            return formatter(hole)(int(value))  # type: ignore[arg-type]
        return formatter(hole)(told.text(value, sizes))  # type: ignore[arg-type]

    def _shown(self, exprs: Sequence[Expr], joints: Sequence[str], row: int, case: Case, move: WinningMove) -> str:
        values = self._values(exprs, row, case, move)
        texts = [value_text(value, expr.type) for value, expr in zip(values, exprs, strict=True)]
        return texts[0] + "".join(joint + text for joint, text in zip(joints, texts[1:], strict=True))

    def _values(self, exprs: Sequence[Expr], row: int, case: Case, move: WinningMove) -> list[Value]:
        block, option = self.block, move.option
        place = self._ends[row] + move.component - 1 if self._apart else row
        inputs = {name: column[row] for name, column in block.names.items()}
        for name in {name for expr in exprs for name in answer_names(self.game, Hole(None, expr))} - set(OF_MOVES):
            number = ANSWERS[name].number
            assert number is not None
            inputs[name] = number(case)
        inputs |= {"move": option.move, "component": move.component}
        givens = {field.name: block.columns[field.name][place] for field in self.game.givens}
        position = tuple(block.columns[field.name][place] for field in self.game.states)
        from gamespec.game.evaluate import Evaluator

        evaluator = Evaluator(self.game, givens, {name: inputs[name] for name in inputs.keys() - givens.keys()})
        try:
            return evaluator.told(exprs, position, option.move, option.choices)
        except KeyError as missing:
            told = move_text(self.game, move)
            found = problems.NO_CHOICE.at(exprs[0].span, case=case.number, move=told, name=str(missing.args[0]))
            raise SpecError(found, source=self.game.source) from None


def formatter(hole: Hole) -> Callable[[int | str], str]:
    """Numbers stand at the right of their width and words at the left, as in Python, unless the hole says otherwise."""
    if not hole.width:
        return str
    zero = "0" if hole.zero else ""

    def padded(value: int | str) -> str:
        if isinstance(value, str):
            return f"{value:{hole.align or '<'}{hole.width}}"
        return f"{value:{hole.align}{zero}{hole.width}d}"

    return padded
