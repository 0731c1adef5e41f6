"""What can be wrong with a plan."""

from __future__ import annotations

from gamespec.diagnostics import Kind

UNKNOWN_PLAN = Kind("GS401", "there is no strategy `{name}`", help="the strategies are {known}{guess}")
REFUSED_PLAN = Kind("GS402", "the strategy `{name}` cannot solve this game: {reason}", help="possible here: {possible}")
NO_PLAN = Kind("GS403", "no strategy can solve this game")
