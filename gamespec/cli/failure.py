"""Turns whatever a verb raises into a message and an exit status."""

from __future__ import annotations

from types import TracebackType

import click

from gamespec.cli.problems import INTERNAL, UNWRITABLE, USAGE
from gamespec.cli.session import Session
from gamespec.diagnostics import Diagnostic, GamespecError, Kind, LimitError, UsageError

OUT_OF_MEMORY = Kind("GS303", "the computer has no memory left for this", help="bound it with --memory")

ROOMS = ("syntax", "builtins", "game", "answers", "analysis", "kernel", "plan", "backends", "run", "play", "cli")


def report_error(session: Session, error: Exception) -> int:
    """Says what went wrong and returns the exit status."""
    match error:
        case GamespecError():
            session.report(error.diagnostics, error.source)
            if session.debug and error.exit_code == GamespecError.exit_code:
                _print_traceback(error)
            return error.exit_code
        case click.ClickException():
            context = getattr(error, "ctx", None)
            usage = f"`{context.command_path} --help` shows how it is used" if context else "see `gamespec --help`"
            message = error.format_message().rstrip(".")
            session.report([USAGE.at(None, message=message[:1].lower() + message[1:], usage=usage)])
            return UsageError.exit_code
        case MemoryError():
            session.report([OUT_OF_MEMORY.at(None)])
            return LimitError.exit_code
        case OSError() if error.filename is None and error.errno is not None:  # a full disk, a lost terminal
            session.report([UNWRITABLE.at(None, path="the output", reason=error.strerror)])
            return UsageError.exit_code
    session.report([_internal(session, error)])
    if session.debug:
        _print_traceback(error)
    return GamespecError.exit_code


def _print_traceback(error: Exception) -> None:
    import traceback

    traceback.print_exception(error)


def _internal(session: Session, error: Exception) -> Diagnostic:
    message = str(error)[:300] or "no further message"
    spec = f" of {session.source.path}" if session.source else ""
    return INTERNAL.at(None, stage=_stage(error.__traceback__), spec=spec, kind=type(error).__name__, message=message)


def _stage(traceback: TracebackType | None) -> str:
    """The room of the compiler in which an error arose."""
    stage = "start"
    while traceback is not None:
        parts = traceback.tb_frame.f_globals.get("__name__", "").split(".")
        if parts[0] == "gamespec" and len(parts) > 1 and parts[1] in ROOMS:
            stage = parts[1]
        traceback = traceback.tb_next
    return stage
