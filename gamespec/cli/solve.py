"""`gamespec solve`: reads positions and prints answers."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from typing import BinaryIO

import click

from gamespec.cli.door import answer, opened
from gamespec.cli.option import (
    budget_options,
    cache_option,
    define_option,
    keep_table_option,
    plan_options,
    report_options,
    spec_argument,
)
from gamespec.cli.problems import SAME_STDIN, UNWRITABLE, WRITES_WHAT_IT_READS
from gamespec.cli.session import Session
from gamespec.diagnostics import UsageError
from gamespec.file import STDIN


@click.command("solve")
@spec_argument
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True))
@define_option
@plan_options
@budget_options
@cache_option
@keep_table_option
@click.option("-o", "output", type=click.Path(), metavar="FILE", help="Write the answers to a file.")
@report_options
@click.pass_obj
def command(session: Session, spec: str, files: tuple[str, ...], output: str | None) -> None:
    """Read positions as the spec's `input` says and print answers as its `output` says.

    Reads standard input, or each of FILES as an input of its own.

    \b
    Examples:
      gamespec solve specs/cow_digit.yaml < input.txt
      gamespec solve specs/number_game.yaml 1.in 2.in -o answers.txt
      gamespec solve specs/number_game.yaml -D top=40 --memory 500MB --time 10s < input.txt
      gamespec solve specs/power_cards.yaml --plan memo < input.txt
      gamespec solve specs/teeko.game -D top=4 -D stones=3 --keep-table
    """
    from gamespec.answers.table import needed

    if spec == STDIN and (not files or STDIN in files):
        raise UsageError(SAME_STDIN.at(None))
    budget = session.budget()
    program = session.kept(spec)
    game = program.game if program else session.load(spec)
    with ExitStack() as stack:
        inputs = [opened(path, stack) for path in files]
        stdout = sys.stdout.buffer
        if output is not None:
            stdout = stack.enter_context(_open_output(output, [spec, *files] if files else [spec, STDIN]))
        program = program or session.made(game, needed(game), budget)
        solver = program.solver(budget)
        session.restore_tables(solver)
        answer(session, program, inputs, stdout, budget, solver)
        session.keep_tables(program, solver)


def _open_output(path: str, read: Iterable[str]) -> BinaryIO:
    """Opens a file for the answers, unless it is one of those that are read: it would be emptied first."""
    for other in read:
        if _is_same_file(path, other):
            raise UsageError(WRITES_WHAT_IT_READS.at(None, path=path))
    try:
        return open(path, "wb")
    except OSError as error:
        raise UsageError(UNWRITABLE.at(None, path=path, reason=error.strerror or os.fspath(path))) from None


def _is_same_file(path: str, other: str) -> bool:
    try:
        place, used = os.stat(path), os.fstat(0) if other == STDIN else os.stat(other)
    except OSError:
        return False
    return stat.S_ISREG(place.st_mode) and os.path.samestat(place, used)
