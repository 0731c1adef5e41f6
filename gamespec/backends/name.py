"""Names of a kernel as names of a target language."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FOREIGN = re.compile(r"[^A-Za-z0-9_]+")
_LONGEST = 80  # LLVM cuts names after 1,024 characters, so that two become one


class Names:
    """Gives every kernel name one legal, unused identifier, as near to it as possible."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = set(reserved)
        self._given: dict[tuple[str, str], str] = {}

    def __call__(self, kind: str, name: str) -> str:
        """The identifier of a name among the names of one kind (variables, tables, labels)."""
        key = kind, name
        if key not in self._given:
            self._given[key] = self.fresh(name)
        return self._given[key]

    def fresh(self, hint: str) -> str:
        """An identifier that nothing else has."""
        base = _FOREIGN.sub("_", hint[:_LONGEST]) or "_"
        if base[0].isdigit():
            base = f"_{base}"
        name, number = base, 2
        while name in self._taken:
            name = f"{base}_{number}"
            number += 1
        self._taken.add(name)
        return name
