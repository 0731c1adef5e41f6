"""Solves small specs by the reference evaluator, in this process."""

from __future__ import annotations

import io
from typing import NamedTuple

import gamespec
from gamespec.answers.table import needed
from gamespec.budget import Budget
from gamespec.diagnostics import Diagnostic, GamespecError
from gamespec.game.model import Game
from gamespec.plan.definition import ReferenceSolver
from gamespec.run.solve import solve


class Printed(NamedTuple):
    """What came out: the answers, the fault that ended the run, and the warnings."""

    out: str
    fault: Diagnostic | None
    warnings: list[str]

    @property
    def message(self) -> str:
        assert self.fault is not None, self.out
        return self.fault.message


def judged(spec: str | Game, text: str, memory: int = 1 << 30) -> Printed:
    """Runs an input through a spec in the text form."""
    game = gamespec.loads(spec) if isinstance(spec, str) else spec
    out = io.BytesIO()
    warnings: list[str] = []
    fault = None
    stdin = io.BytesIO(text.encode(errors="surrogateescape"))
    try:
        solve(
            game,
            ReferenceSolver(game, needed(game)),
            stdin,
            out,
            Budget(memory),
            report=lambda found: warnings.extend(one.message for one in found),
        )
    except GamespecError as error:
        (fault,) = error.diagnostics
    return Printed(out.getvalue().decode(), fault, warnings)


def printed(spec: str | Game, text: str) -> str:
    """What is printed for an input that fits."""
    done = judged(spec, text)
    assert done.fault is None, done.fault
    return done.out
