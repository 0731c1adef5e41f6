"""What one run of the command is about: the options that verbs share, and the spec that is being worked on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gamespec.budget import DEFAULT_MEMORY, Budget
from gamespec.diagnostics import Diagnostic
from gamespec.file import open_source
from gamespec.source import Source

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts
    from gamespec.answers.ask import Ask
    from gamespec.game.model import Game
    from gamespec.kernel.ir import Function
    from gamespec.plan.plan import Kernels, Plan, Solver
    from gamespec.run.kept import Program
    from gamespec.run.store import Store


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
        self.caches = True
        self.keeps_tables = False
        self.source: Source | None = None
        self._budget: Budget | None = None
        self._shelf: tuple[Store, bytes] | None = None

    def budget(self) -> Budget:
        """The memory, time and threads of this run; the time counts from here."""
        from gamespec.cli.progress import long_run, on_terminal

        self._budget = Budget(self.memory, self.seconds, self.threads)
        self._budget.progress = on_terminal()
        self._budget.notice = long_run
        return self._budget

    def load(self, path: str) -> Game:
        """The checked game in a file, with the params of `-D`; its warnings are shown."""
        from gamespec.game.check import check
        from gamespec.syntax.read import read

        self.source = source = open_source(path)
        return check(read(source), source, self.defines)

    def kept(self, path: str) -> Program | None:
        """The program that an earlier run has kept for a spec file with these options; None if there is none.

        Raises GamespecError where the file cannot be read.
        """
        from gamespec.run.freeze import Unkept
        from gamespec.run.kept import Program, key_of
        from gamespec.run.store import Store, folder

        place = folder() if self.caches and self.backend == "llvm" else None
        if place is None or not os.path.isfile(path):  # what is no file can be read only once
            return None
        source = open_source(path)
        options = (self.memory, self.threads, self.hint, self.checked, *sorted(self.disabled))
        key = key_of(source, self.defines, options)
        if key is None:
            return None
        store = Store(place)
        self._shelf = store, key
        body = store.get(key)
        if body is None:
            return None
        try:
            program = Program.kept(body, source, self.compile)
        except Unkept:
            return None
        self.source = source
        return program

    def made(self, game: Game, ask: Ask, budget: Budget) -> Program:
        """The program for a game, worked out now."""
        from gamespec.run.kept import Program

        facts, plan = self.plan(game, ask, budget)
        return Program.made(game, facts, plan, self.compile)

    def keep(self, program: Program) -> None:
        """Keeps what is new of a program for later runs, if `kept` was asked for it before."""
        if self._shelf is not None:
            program.keep(*self._shelf)

    def restore_tables(self, solver: Solver) -> None:
        """Gives a solver the tables that an earlier run has kept for it, with `--keep-table`."""
        if self.keeps_tables and self._shelf is not None:
            from gamespec.run.tabled import restore

            restore(*self._shelf, solver)

    def keep_tables(self, program: Program, solver: Solver) -> None:
        """Keeps the tables of a solver for later runs, with `--keep-table`; says so where that cannot be done."""
        if not self.keeps_tables:
            return
        from gamespec.cli.problems import TABLE_NOT_KEPT
        from gamespec.run.tabled import keep

        reason: str | None = "there is no cache, or the spec is no file"
        if self._shelf is not None:
            reason = keep(*self._shelf, program.game.name, solver)
        if reason is not None:
            self.report([TABLE_NOT_KEPT.at(None, reason=reason)])

    def compile(self, functions: Sequence[Function]) -> Kernels:
        """Kernels on the back end of `--backend`."""
        from gamespec.analysis.passes import OPTIMISER
        from gamespec.backends.program import compile

        return compile(functions, self.backend, self.checked, optimised=OPTIMISER not in self.disabled)

    def plan(self, game: Game, ask: Ask, budget: Budget, *, thorough: bool = False) -> tuple[Facts, Plan]:
        """The facts of a game and the plan for it, as `--plan` and `--no-NAME` want it."""
        from gamespec.analysis.facts import analyse
        from gamespec.plan.choose import choose

        facts = analyse(game, self.disabled)
        return facts, choose(game, facts, ask, self.hint, budget, thorough=thorough)

    def solver(self, game: Game, ask: Ask, budget: Budget) -> Solver:
        """The compiled plan for a game, on the back end of `--backend`."""
        from gamespec.plan.choose import make_solver

        facts, plan = self.plan(game, ask, budget)
        return make_solver(game, facts, plan, budget, self.compile)

    def report(self, diagnostics: Iterable[Diagnostic], source: Source | None = None) -> None:
        """Writes diagnostics to standard error; spans are places in `source`, else in the spec at hand."""
        if self._budget is not None:
            self._budget.rest()
        from gamespec.report import report

        report(diagnostics, source or self.source, sys.stderr, self.format)
