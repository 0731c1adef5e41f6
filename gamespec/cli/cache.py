"""`gamespec cache`: what is kept of specs that were solved before."""

from __future__ import annotations

import time

import click

from gamespec.budget import size_text
from gamespec.cli.option import report_options
from gamespec.cli.problems import UNUSABLE_CACHE
from gamespec.cli.session import Session
from gamespec.diagnostics import UsageError, counted


@click.command("cache")
@click.argument("action", type=click.Choice(["show", "clear"]), default="show")
@report_options
@click.pass_obj
def command(_session: Session, action: str) -> None:
    """Show or clear what is kept of specs that were solved before.

    `gamespec solve` keeps the checked game, its plan and the machine code of its kernels, so that the next run starts
    at once. An entry belongs to one text of a spec with its params, one version of gamespec and one processor; what
    does not fit, or is damaged, is made anew. GAMESPEC_CACHE names another folder, or is `off`; `solve --no-cache`
    leaves it out once. With `solve --keep-table`, what was solved is kept too.

    \b
    Examples:
      gamespec cache
      gamespec cache clear
    """
    from gamespec.run.kept import name_of
    from gamespec.run.store import OFF, VARIABLE, Entry, Store, folder
    from gamespec.run.tabled import beside, game_of

    place = folder()
    if place is None:
        click.echo(f"nothing is kept: {VARIABLE}={OFF}, or this system is none where kernels can be kept")
        return
    programs = Store(place)
    tables = beside(programs)
    found: list[tuple[Store, list[Entry]]] = []
    for store in (programs, tables):
        try:
            found.append((store, store.clear() if action == "clear" else store.entries()))
        except FileNotFoundError:
            pass  # nothing has been kept there
        except OSError as error:
            raise UsageError(UNUSABLE_CACHE.at(None, path=store.folder, reason=error.strerror or str(error))) from None
    entries = [entry for _, each in found for entry in each]
    size = size_text(sum(entry.size for entry in entries))
    many = f"{counted(len(entries), 'entry')}, {size}"
    if action == "clear":
        click.echo(f"removed {many}, from {place}")
        return
    click.echo(f"{many}, in {place}")
    for store, each in found:
        for entry in each:
            used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
            name = name_of(store, entry) if store is programs else f"{game_of(store, entry)} (table)"
            click.echo(f"  {name:<24} {size_text(entry.size):>8}  used {used}")
