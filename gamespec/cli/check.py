"""`gamespec check`: finds mistakes in specs."""

from __future__ import annotations

import click

from gamespec.budget import watched
from gamespec.cli.option import define_option, report_options, time_option
from gamespec.cli.session import Session
from gamespec.diagnostics import Diagnostic, SpecError, counted
from gamespec.file import find_specs, open_source


@click.command("check")
@click.argument("specs", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Look at every position instead of some: what holds at all of them needs no proof. Takes up to minutes.",
)
@define_option
@time_option
@report_options
@click.pass_obj
def command(session: Session, specs: tuple[str, ...], every: bool) -> int:
    """Find mistakes in SPECS (files, or folders with specs) without solving anything.

    Checks names and types, that every operation has a value, that moves keep the declared ranges and every `require`,
    and that play ends. Exit status 1 if a spec has an error; warnings do not count.

    \b
    Examples:
      gamespec check specs/cow_digit.yaml
      gamespec check specs/ --format github
      gamespec check my.game -D top=50
      gamespec check my.game --all --time 1m
    """
    wrong = 0
    paths = find_specs(specs)
    budget = session.budget()
    for path in paths:
        with watched(budget):
            found = _findings(session, path, every)
        session.report(found)
        errors = [one for one in found if one.severity == "error"]
        wrong += bool(errors)
        if not errors and session.format == "text":
            click.echo(f"{path}: fine" + (f", {counted(len(found), 'remark')}" if found else ""))
    if len(paths) > 1 and session.format == "text":
        click.echo(f"{counted(len(paths), 'spec')}, {wrong or 'none'} with errors")
    return SpecError.exit_code if wrong else 0


def _findings(session: Session, path: str, every: bool) -> list[Diagnostic]:
    """All diagnostics of one spec; those about other files than the spec are raised."""
    from gamespec.game.check import check_all
    from gamespec.plan.doubt import doubts
    from gamespec.syntax.read import read

    try:
        session.source = source = open_source(path)
        game, found = check_all(read(source), source, session.defines)
    except SpecError as error:
        session.source = error.source or session.source
        return list(error.diagnostics)
    return list(found) if game is None else [*found, *doubts(game, every=every)]
