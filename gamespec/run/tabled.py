"""Solved tables, kept for the next run of the same plan.

What is kept of a table is the answer of kernels that are kept too: it belongs to the same text, options, version and
processor (see `gamespec.run.kept`), and lies in a folder of its own beside them, where there is room for more.
"""

from __future__ import annotations

import marshal
import os
from contextlib import suppress
from io import BufferedReader

from gamespec.diagnostics import LimitError
from gamespec.kernel.memory import Buffer
from gamespec.plan.keep import Keeper
from gamespec.plan.plan import Solver
from gamespec.run.store import TABLES, Entry, Store, digest

_MOST_ABOUT = 16 << 20  # bytes that say what the buffers hold
_LENGTH = 8  # bytes of the length of a part
_MOST_NAME = 256


def beside(store: Store) -> Store:
    """Where the tables lie of the programs in a store."""
    return Store(os.path.join(store.folder, "tables"), TABLES)


def keep(store: Store, key: bytes, name: str, solver: Solver) -> str | None:
    """Keeps what a solver of a game of this name has solved, under the key of its program; if it cannot, why not."""
    tables = solver.tables() if isinstance(solver, Keeper) else None
    if tables is None:
        return "this plan solves no table that could be used again"
    about = marshal.dumps(tables.about)
    if sum(buffer.size for buffer in tables.buffers) > TABLES.entry or len(about) > _MOST_ABOUT:
        return f"it takes more than {TABLES.entry >> 30} GB"
    views = [buffer.view(buffer.size) for buffer in tables.buffers]
    try:
        done = beside(store).put(_key(key), _measured(name.encode()), _measured(about), *views)
    finally:
        for view in views:
            view.release()
    return None if done else f"there is no room for it, or no right to write to {beside(store).folder}"


def restore(store: Store, key: bytes, solver: Solver) -> None:
    """Gives a solver back what was kept of an earlier run, if that is there and fits."""
    if not isinstance(solver, Keeper):
        return
    misfits = (OSError, EOFError, ValueError, TypeError, LookupError, LimitError)
    with suppress(*misfits), beside(store).stream(_key(key)) as stream:
        _part(stream, _MOST_NAME)
        about = marshal.loads(_part(stream, _MOST_ABOUT))

        def fill(buffer: Buffer) -> None:
            with buffer.view(buffer.size) as view:
                if stream.readinto(view) != len(view):
                    raise EOFError

        solver.restore(about, fill)


def game_of(store: Store, entry: Entry) -> str:
    """The name of the game that a table is about; `?` for one that is none."""
    begin = store.begin(bytes.fromhex(entry.name), _LENGTH + _MOST_NAME)
    length = int.from_bytes(begin[:_LENGTH], "little")
    name = begin[_LENGTH : _LENGTH + length].decode(errors="replace")
    return name if name.isidentifier() else "?"


def _measured(part: bytes) -> bytes:
    return len(part).to_bytes(_LENGTH, "little") + part


def _part(stream: BufferedReader, most: int) -> bytes:
    return stream.read(min(most, int.from_bytes(stream.read(_LENGTH), "little")))


def _key(program: bytes) -> bytes:
    return digest(program, b"tables")
