"""All builtins by name."""

from __future__ import annotations

from gamespec.builtins.entry import Builtin

BUILTINS: dict[str, Builtin] = {}
