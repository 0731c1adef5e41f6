"""What the names of output texts stand for beside fields and names of the input: answers, and the winning move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamespec.game import model
from gamespec.game.alike import element, merged
from gamespec.interval import Interval
from gamespec.source import NOWHERE
from gamespec.syntax import tree
from gamespec.types import IntType, ListType, NamesType, SetType, Type

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

OUTCOME = NamesType(("lose", "win", "draw"))
"""Outcomes by their numbers."""

COUNT = IntType(Interval(0, 10**18))
DIFFERENCE = IntType(Interval(-(10**18), 10**18))


class Told:
    """The names of texts of one spec."""

    def __init__(self, typer: Typer, spec: tree.Tree, moves: Sequence[model.Move | None]) -> None:
        self.typer = typer
        self.spec = spec
        self.moves = moves

    def is_answer(self, name: str) -> bool:
        """Whether the spec leaves a name to the answers: what it declares or reads hides them."""
        return name not in self.typer.names.declared and name not in self.typer.extras

    def meanings(self) -> dict[str, model.Expr]:
        """What each name stands for; a chosen name hides an answer."""
        made: dict[str, model.Expr] = {}
        for name, of in self._answers().items():
            if self.is_answer(name):
                made[name] = self.typer.made(model.AnswerRef(type=of, name=name))
        if "outcome" in made:
            for number, name in enumerate(OUTCOME.names):
                if self.is_answer(name):
                    made[name] = self.typer.const(number, OUTCOME, NOWHERE)
        of_move = self._names_of_moves()
        for number, move in enumerate(self.spec.moves):
            made[move.name] = self.typer.const(number, of_move, NOWHERE)
        for name, of in self._chosen().items():
            made[name] = self.typer.made(model.LocalRef(type=of, name=name))
        return made

    def _answers(self) -> dict[str, Type]:
        counts = ("case", "query", "grundy", "winning_count", "distance", "component")
        found: dict[str, Type] = dict.fromkeys(counts, COUNT)
        found |= {"score": DIFFERENCE, "total": DIFFERENCE, "outcome": OUTCOME}
        players = self.typer.names.players
        if players is not None:
            found |= {"first": players, "winner": players}
        if self.spec.moves:
            found["move"] = self._names_of_moves()
        return found

    def _names_of_moves(self) -> NamesType:
        return NamesType(tuple(move.name for move in self.spec.moves))

    def _chosen(self) -> dict[str, Type]:
        """The names that moves choose, as far as all moves mean something alike by them."""
        found: dict[str, Type] = {}
        differ: set[str] = set()
        for name, of in chosen_types(self.moves):
            both = of if name not in found else merged(found[name], of)
            if both is None:
                differ.add(name)
            else:
                found[name] = both
        return {name: of for name, of in found.items() if name not in differ}


def chosen_types(moves: Sequence[model.Move | None]) -> list[tuple[str, Type]]:
    """The names of the choices of all moves with the types of what is chosen."""
    found: list[tuple[str, Type]] = []
    for bind in (bind for move in moves if move is not None for bind in move.choices):
        of = bind.within.type
        inner = element(of) if isinstance(of, SetType | ListType) else of
        if inner is not None:
            found.append((bind.name, inner))
    return found
