"""All builtins by name."""

from __future__ import annotations

from gamespec.builtins import collection, digit, number, sequence
from gamespec.builtins.entry import Builtin

BUILTINS: dict[str, Builtin] = {
    entry.name: entry for family in (number, digit, sequence, collection) for entry in family.ENTRIES
}
