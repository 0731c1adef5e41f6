"""What one run of the command is about: the options that verbs share, and the spec that is being worked on."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamespec.budget import DEFAULT_MEMORY, Budget
from gamespec.diagnostics import Diagnostic
from gamespec.report import report
from gamespec.source import Source

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts
    from gamespec.answers.ask import Ask
    from gamespec.game.model import Game
    from gamespec.plan.plan import Plan, Solver


class Session:
    """Filled by the options (see `gamespec.cli.option`) and the verbs; `main` reports from it."""

    def __init__(self) -> None:
        self.format = "text"
        self.debug = False
        self.defines: dict[str, str] = {}
        self.memory = DEFAULT_MEMORY
        self.seconds: float | None = None
        self.threads = 0
        self.hint: str | None = None
        self.backend = "llvm"
        self.checked = False
        self.disabled: list[str] = []
        self.source: Source | None = None
        self._budget: Budget | None = None

    def budget(self) -> Budget:
        """The memory, time and threads of this run; the time counts from here."""
        from gamespec.cli.progress import long_run, on_terminal

        self._budget = Budget(self.memory, self.seconds, self.threads)
        self._budget.progress = on_terminal()
        self._budget.notice = long_run
        return self._budget

    def load(self, path: str) -> Game:
        """The checked game in a file, with the params of `-D`; its warnings are shown."""
        from gamespec.file import open_source
        from gamespec.game.check import check
        from gamespec.syntax.read import read

        self.source = source = open_source(path)
        return check(read(source), source, self.defines)

    def plan(self, game: Game, ask: Ask, budget: Budget, *, thorough: bool = False) -> tuple[Facts, Plan]:
        """The facts of a game and the plan for it, as `--plan` and `--no-NAME` want it."""
        from gamespec.analysis.facts import analyse
        from gamespec.plan.choose import choose

        facts = analyse(game, self.disabled)
        disabled = tuple(self.disabled)
        return facts, choose(game, facts, ask, self.hint, disabled, budget, thorough=thorough)

    def solver(self, game: Game, ask: Ask, budget: Budget) -> Solver:
        """The compiled plan for a game, on the back end of `--backend`."""
        from gamespec.backends.program import compile
        from gamespec.plan.choose import make_solver

        facts, plan = self.plan(game, ask, budget)
        return make_solver(game, facts, plan, budget, lambda functions: compile(functions, self.backend, self.checked))

    def report(self, diagnostics: Iterable[Diagnostic], source: Source | None = None) -> None:
        """Writes diagnostics to standard error; spans are places in `source`, else in the spec at hand."""
        if self._budget is not None:
            self._budget.rest()
        report(diagnostics, source or self.source, sys.stderr, self.format)
