"""`gamespec fmt`: the one canonical layout of specs."""

from __future__ import annotations

import os
import shutil
import tempfile

import click

from gamespec.cli.option import report_options
from gamespec.cli.problems import UNWRITABLE
from gamespec.cli.session import Session
from gamespec.diagnostics import SpecError, UsageError
from gamespec.file import STDIN, find_specs, open_source


@click.command("fmt")
@click.argument("specs", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option("--check", is_flag=True, help="Write nothing; exit status 1 if a spec is not in the canonical layout.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@report_options
@click.pass_obj
def command(session: Session, specs: tuple[str, ...], check: bool, diff: bool) -> int:
    """Rewrite SPECS (files, or folders with specs) in the canonical layout; comments stay.

    A file that is laid out otherwise is replaced, and its name printed; nothing else is printed. Lines end by
    column 100, except for texts in quotes. `-` formats standard input to standard output.

    \b
    Examples:
      gamespec fmt my.game
      gamespec fmt --check specs/
      gamespec fmt --diff my.yaml
      gamespec fmt - < my.game
    """
    from gamespec.syntax.format import format_source

    changed = wrong = 0
    for path in find_specs(specs):
        try:
            session.source = source = open_source(path)
            text = format_source(source)
        except SpecError as error:
            session.report(error.diagnostics, error.source)
            wrong += 1
            continue
        differs = text != source.text
        changed += differs
        if diff:
            _show_difference(path, source.text, text)
        if check:
            if differs:
                click.echo(f"{path}: not in the canonical layout")
        elif not diff:
            if path == STDIN:
                click.echo(text, nl=False)
            elif differs:
                replace_file(path, text)
                click.echo(f"{path}: rewritten")
    return SpecError.exit_code if wrong or (check and changed) else 0


def _show_difference(path: str, old: str, new: str) -> None:
    from difflib import unified_diff

    lines = unified_diff(old.splitlines(True), new.splitlines(True), path, f"{path} (canonical)")
    for line in lines:
        click.echo(line, nl=not line.endswith("\n"))


def replace_file(path: str, text: str) -> None:
    """Writes a file so that it is whole at every moment; raises UsageError."""
    target = os.path.realpath(path)
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="", dir=os.path.dirname(target), prefix=".fmt-", delete=False
        ) as file:
            file.write(text)
        shutil.copymode(target, file.name)
        os.replace(file.name, target)
    except OSError as error:
        raise UsageError(UNWRITABLE.at(None, path=path, reason=error.strerror or error)) from None
