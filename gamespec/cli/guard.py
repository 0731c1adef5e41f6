"""What a process needs around whatever it does: its streams, and an exit status for everything that goes wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamespec.cli.session import Session

INTERRUPTED = 130


def guarded(session: Session, action: Callable[[], object]) -> int:
    """Does something and returns the exit status: a number that it returns, 0, or that of what was raised."""
    try:
        status = action()
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # click turns a closed pipe into SystemExit
        _discard_stdout()
        return 0
    except KeyboardInterrupt:
        _flush_stdout()
        return INTERRUPTED
    except Exception as error:
        from gamespec.cli.failure import report_error

        _flush_stdout()
        try:
            return report_error(session, error)
        except BrokenPipeError:
            return 0
        except KeyboardInterrupt:
            return INTERRUPTED
    return status if isinstance(status, int) else 0


def prepare_streams() -> None:
    """Puts nothing in the place of standard streams that the caller has closed; all output is UTF-8, as specs are."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: never that of a later file
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, open(number, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")


def _flush_stdout() -> None:
    """Answers that are ready come out before the message."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_stdout()


def _discard_stdout() -> None:
    """Points standard output to nowhere, so that the interpreter does not complain when it flushes at the end."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
