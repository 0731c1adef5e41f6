"""Describe a two-player game in a small file, get a solver in machine code.

    import gamespec

    game = gamespec.load("specs/cow_digit.yaml")
    gamespec.solve(game, "2\\n9\\n10\\n")      # 'YES\\nNO\\n'
    print(gamespec.plan_for(game).strategy)   # 'table'

Whatever is wrong is raised as `gamespec.GamespecError`: SpecError (the spec), InputError (the input), LimitError (too
big for the memory or time given), UsageError. Its `diagnostics` say what and where; `gamespec.report` renders them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gamespec.diagnostics import Diagnostic as Diagnostic
    from gamespec.diagnostics import GamespecError as GamespecError
    from gamespec.diagnostics import InputError as InputError
    from gamespec.diagnostics import LimitError as LimitError
    from gamespec.diagnostics import SpecError as SpecError
    from gamespec.diagnostics import UsageError as UsageError
    from gamespec.game.model import Game as Game
    from gamespec.plan.census import Census as Census
    from gamespec.plan.plan import Plan as Plan
    from gamespec.source import Source as Source

__all__ = [
    "Census",
    "Diagnostic",
    "Game",
    "GamespecError",
    "InputError",
    "LimitError",
    "Plan",
    "Source",
    "SpecError",
    "UsageError",
    "census",
    "check",
    "load",
    "loads",
    "plan_for",
    "solve",
]

_HOMES = {
    "Census": "gamespec.plan.census",
    "Game": "gamespec.game.model",
    "Plan": "gamespec.plan.plan",
    "Source": "gamespec.source",
}


def __getattr__(name: str) -> Any:
    """The types of the public API, imported when they are asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'gamespec' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "gamespec.diagnostics")), name)


def load(path: str, params: Mapping[str, object] | None = None) -> Game:
    """The checked game in a spec file; `params` replace the values of its `param` clauses.

    Raises SpecError, or UsageError for a file that cannot be read.
    """
    from gamespec.file import open_source

    return _checked(open_source(path), params)


def loads(text: str, spelling: str = "text", params: Mapping[str, object] | None = None) -> Game:
    """The checked game in a text, whose spelling is `text` or `yaml`; raises SpecError."""
    from gamespec.source import Source

    return _checked(Source("<text>", text, spelling), params)


def _checked(source: Source, params: Mapping[str, object] | None) -> Game:
    from gamespec.game.check import check
    from gamespec.syntax.read import read

    return check(read(source), source, {name: str(value) for name, value in (params or {}).items()})


def check(path: str) -> list[Diagnostic]:
    """All that is wrong or doubtful in a spec file, as `gamespec check` finds it; raises UsageError."""
    from gamespec.diagnostics import SpecError
    from gamespec.file import open_source
    from gamespec.game.check import check_all
    from gamespec.plan.doubt import doubts
    from gamespec.syntax.read import read

    try:
        source = open_source(path)
        game, found = check_all(read(source), source, {})
    except SpecError as error:
        return list(error.diagnostics)
    return list(found) if game is None else [*found, *doubts(game)]


def plan_for(game: Game, hint: str | None = None, disabled: tuple[str, ...] = ()) -> Plan:
    """How a game will be solved: by the strategy `hint`, without the passes named in `disabled`.

    Raises SpecError or UsageError when a hint cannot be honoured, UsageError for a name that no pass has (see
    `gamespec.analysis.passes`), LimitError when no strategy fits the memory.
    """
    from gamespec.analysis.facts import analyse
    from gamespec.answers.table import needed
    from gamespec.budget import Budget
    from gamespec.plan.choose import choose

    return choose(game, analyse(game, disabled), needed(game), hint, Budget(), thorough=True)


def solve(
    game: Game,
    text: str,
    *,
    hint: str | None = None,
    backend: str = "llvm",
    memory: int | None = None,
    seconds: float | None = None,
) -> str:
    """What the game's `output` says for an input text, within `memory` bytes and `seconds`.

    Raises InputError, SpecError (a rule fails at a position that was met), LimitError.
    """
    import io
    from functools import partial

    from gamespec.analysis.facts import analyse
    from gamespec.answers.table import needed
    from gamespec.backends.program import compile
    from gamespec.budget import DEFAULT_MEMORY, Budget
    from gamespec.plan.choose import choose, make_solver
    from gamespec.run.solve import solve as run

    budget = Budget(memory or DEFAULT_MEMORY, seconds)
    facts = analyse(game)
    chosen = choose(game, facts, needed(game), hint=hint, budget=budget)
    printed = io.BytesIO()
    make = partial(compile, backend=backend)
    solver = make_solver(game, facts, chosen, budget, make)
    run(game, solver, io.BytesIO(text.encode()), printed, budget, compile=make if backend == "llvm" else None)
    return printed.getvalue().decode()


def census(game: Game, *position: str, memory: int | None = None, seconds: float | None = None) -> Census:
    """Counts every position that play reaches from one, by outcome and distance, within `memory` bytes and `seconds`.

    The position is the game's `start`, with what is written as on the command line, as `n=13` or `board=x.o/.../...`.
    Raises UsageError or InputError for what is no position, UsageError for a sum, SpecError (a rule fails at a position
    that was met), LimitError.
    """
    from gamespec.backends.program import compile
    from gamespec.budget import DEFAULT_MEMORY, Budget
    from gamespec.cli.question import position as read
    from gamespec.plan.census import census as run
    from gamespec.plan.census import refuse_sum

    refuse_sum(game)
    givens, state = read(game, position)
    return run(game, givens, state, Budget(memory or DEFAULT_MEMORY, seconds), compile)
