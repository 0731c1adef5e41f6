"""What may go wrong with a checked game, as far as that can be told without solving it."""

from __future__ import annotations

from gamespec.analysis.facts import Facts, analyse
from gamespec.analysis.repeat import repetitions
from gamespec.analysis.symmetry import unproved
from gamespec.answers.table import needed
from gamespec.diagnostics import Diagnostic, SpecError
from gamespec.game.model import Game
from gamespec.game.total import faults
from gamespec.plan.choose import choose


def doubts(game: Game, *, every: bool = False) -> list[Diagnostic]:
    """A strategy that cannot solve the game, symmetries that are not proved, what fails, and play that comes back.

    `every` looks at all positions, not at some.
    """
    facts = analyse(game)
    found = [*_wishes(game, facts), *unproved(game), *faults(game, facts.proofs, every=every)]
    return [*found, *(one for one in repetitions(game, facts, every=every) if one not in found)]


def _wishes(game: Game, facts: Facts) -> list[Diagnostic]:
    """Why the strategy of the clause `plan` cannot solve the game."""
    try:
        choose(game, facts, needed(game))
    except SpecError as error:
        return list(error.diagnostics)
    return []
