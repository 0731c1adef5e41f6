"""`gamespec convert`: the same spec in the other spelling."""

from __future__ import annotations

import click

from gamespec.cli.option import report_options, spec_argument
from gamespec.cli.problems import UNWRITABLE
from gamespec.cli.session import Session
from gamespec.diagnostics import UsageError
from gamespec.file import open_source

SPELLINGS = {"yaml": "yaml", "game": "text"}


@click.command("convert")
@spec_argument
@click.option("--to", type=click.Choice(list(SPELLINGS)), help="The spelling wanted; without it, the other one.")
@click.option("-o", "output", type=click.Path(), metavar="FILE", help="Write to a file.")
@report_options
@click.pass_obj
def command(session: Session, spec: str, to: str | None, output: str | None) -> None:
    """Print SPEC in the other spelling (YAML or text), in canonical layout, with its comments.

    \b
    Examples:
      gamespec convert specs/cow_digit.yaml
      gamespec convert my.game --to yaml -o my.yaml
    """
    from gamespec.syntax.format import convert_source

    session.source = source = open_source(spec)
    other = "text" if source.spelling == "yaml" else "yaml"
    text = convert_source(source, SPELLINGS[to] if to else other)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with open(output, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(UNWRITABLE.at(None, path=output, reason=error.strerror or error)) from None
