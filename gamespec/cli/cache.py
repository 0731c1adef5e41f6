"""`gamespec cache`: what is kept of specs that were solved before."""

from __future__ import annotations

import time

import click

from gamespec.budget import size_text
from gamespec.cli.option import report_options
from gamespec.cli.problems import UNUSABLE_CACHE
from gamespec.cli.session import Session
from gamespec.diagnostics import UsageError


@click.command("cache")
@click.argument("action", type=click.Choice(["show", "clear"]), default="show")
@report_options
@click.pass_obj
def command(_session: Session, action: str) -> None:
    """Show or clear what is kept of specs that were solved before.

    `gamespec solve` keeps the checked game, its plan and the machine code of its kernels, so that the next run starts
    at once. An entry belongs to one text of a spec with its params, one version of gamespec and one processor; what
    does not fit, or is damaged, is made anew. GAMESPEC_CACHE names another folder, or is `off`; `solve --no-cache`
    leaves it out once.

    \b
    Examples:
      gamespec cache
      gamespec cache clear
    """
    from gamespec.run.kept import name_of
    from gamespec.run.store import OFF, VARIABLE, Entry, Store, folder

    place = folder()
    if place is None:
        click.echo(f"nothing is kept: {VARIABLE}={OFF}, or this system is none where kernels can be kept")
        return
    entries: list[Entry] = []
    try:
        entries = Store(place).clear() if action == "clear" else Store(place).entries()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise UsageError(UNUSABLE_CACHE.at(None, path=place, reason=error.strerror or str(error))) from None
    size = size_text(sum(entry.size for entry in entries))
    many = f"{len(entries)} entr{'y' if len(entries) == 1 else 'ies'}, {size}"
    if action == "clear":
        click.echo(f"removed {many}, from {place}")
        return
    click.echo(f"{many}, in {place}")
    for entry in entries:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        click.echo(f"  {name_of(Store(place), entry):<24} {size_text(entry.size):>8}  used {used}")
