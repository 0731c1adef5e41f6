"""What can be wrong with a plan."""

from __future__ import annotations

from gamespec.diagnostics import Kind

UNKNOWN_PLAN = Kind("GS401", "there is no strategy `{name}`", help="the strategies are {known}{guess}")
REFUSED_PLAN = Kind("GS402", "the strategy `{name}` cannot solve this game: {reason}", help="possible here: {possible}")
NO_PLAN = Kind("GS403", "no strategy can solve this game")
FAILS_AMONG_MANY = Kind(
    "GS404",
    "{what} at a position with very many choices: {position}",
    help="`gamespec check` may find a smaller position where it fails",
)
