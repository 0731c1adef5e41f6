"""What can be wrong with a plan."""

from __future__ import annotations

from gamespec.diagnostics import Kind

UNKNOWN_PLAN = Kind("GS401", "there is no strategy `{name}`", help="the strategies are {known}{guess}")
REFUSED_PLAN = Kind("GS402", "the strategy `{name}` cannot solve this game: {reason}", help="possible here: {possible}")
NO_PLAN = Kind("GS403", "no strategy can solve this game")
TOO_MANY_POSITIONS = Kind(
    "GS405",
    "a graph of {count} positions has more than the {limit} that can be numbered",
    help="ask for smaller positions",
)
TOO_MANY_EDGES = Kind("GS406", "the positions have more than {limit} moves in all", help="ask for smaller positions")
FAILS_AMONG_MANY = Kind(
    "GS404",
    "{what} at a position with very many choices: {position}",
    help="`gamespec check` may find a smaller position where it fails",
)
TOO_MANY_BLOCKS = Kind(
    "GS410",
    "the values of {name} are too irregular for an automaton, and its limit is too large for a table",
    help="declare a smaller limit",
)
