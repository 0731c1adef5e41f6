"""The short way in: `gamespec solve SPEC [-D NAME=VALUE …] [FILE …]` where an earlier run has kept its kernels.

Nothing that only other verbs or a new spec need is imported. Whatever is not exactly of this form, or not kept, is
left to the whole command, before anything was read or printed.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from gamespec.cli.guard import INTERRUPTED, guarded, prepare_streams
from gamespec.cli.session import Session
from gamespec.file import STDIN, open_input

if TYPE_CHECKING:
    from gamespec.budget import Budget
    from gamespec.plan.plan import Solver
    from gamespec.run.kept import Program


class Plain(msgspec.Struct, frozen=True):
    """A command line without any option but `-D`."""

    spec: str
    files: list[str]
    defines: dict[str, str]


def enter(arguments: Sequence[str]) -> int | None:
    """The exit status of the command, if these are arguments of `solve` that can be answered here."""
    plain = plain_form(arguments)
    if plain is None:
        return None
    gc.disable()
    prepare_streams()
    session = Session()
    session.defines = plain.defines
    budget = session.budget()
    try:
        program = session.kept(plain.spec)
        if program is None:
            return None
        solver = program.solver(budget)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # the whole command says what is wrong
        return None
    finally:
        gc.enable()
    gc.freeze()

    def act() -> None:
        with ExitStack() as stack:
            inputs = [opened(path, stack) for path in plain.files]
            answer(session, program, inputs, sys.stdout.buffer, budget, solver)

    return guarded(session, act)


def plain_form(arguments: Sequence[str]) -> Plain | None:
    """The parts of a command line of the plain form; None for every other one."""
    words: list[str] = []
    defines = {}
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("-D"):
            name, sign, value = (argument[2:] or next(rest, "")).partition("=")
            if not sign or not name.strip().isidentifier() or not value.strip():
                return None
            defines[name.strip()] = value.strip()
        elif argument.startswith("-") or not argument:
            return None
        else:
            words.append(argument)
    return Plain(words[0], words[1:], defines) if words else None


def opened(path: str, stack: ExitStack) -> BinaryIO:
    """A file of input, or standard input for `-`; raises UsageError."""
    return sys.stdin.buffer if path == STDIN else stack.enter_context(open_input(path))


def answer(
    session: Session, program: Program, inputs: Sequence[BinaryIO], stdout: BinaryIO, budget: Budget, solver: Solver
) -> None:
    """Answers these inputs, or standard input if there are none, and keeps what another run can use."""
    from gamespec.run.solve import solve

    compile = program.compiled if session.backend == "llvm" else None
    try:
        for stdin in inputs or [sys.stdin.buffer]:
            solve(program.game, solver, stdin, stdout, budget, report=session.report, compile=compile)
        stdout.flush()
    finally:
        session.keep(program)
