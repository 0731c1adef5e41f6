"""What can be wrong with a plan."""

from __future__ import annotations

from gamespec.diagnostics import Kind

UNKNOWN_PLAN = Kind("GS401", "there is no strategy `{name}`", help="the strategies are {known}{guess}")
OVER_DEFINITION = Kind(
    "GS403",
    "there are too many moves to go through them by the definition, in Python, as where no kernel holds a position",
    help="ask for smaller positions: a kernel holds 510 bits, for an array its cells times the bits of the largest one",
)
OVER_TOTAL = Kind(
    "GS412",
    "what one side gains in all may be more than 63 bits hold",
    help="ask for the `score`, or for smaller gains",
)
NO_CENSUS = Kind("GS413", "the positions of {game} cannot be counted: {reason}")
REFUSED_PLAN = Kind("GS402", "the strategy `{name}` cannot solve this game: {reason}", help="possible here: {possible}")
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
NO_PERIOD = Kind(
    "GS407",
    "no theorem gives the value of {name} = {top} ({rule}): {tried}",
    help="ask for smaller heaps, which a table holds",
)
VALUES_TOO_LARGE = Kind(
    "GS408", "a Grundy value reaches {limit}, more than a table of heaps holds", help="ask for smaller heaps"
)
TOO_MANY_BLOCKS = Kind(
    "GS410",
    "the values of {name} are too irregular for an automaton, and its limit is too large for a table",
    help="declare a smaller limit",
)
TOO_MANY_MOVES = Kind(
    "GS409", "{what} has up to {count} moves; at most {most} are listed", help="ask who wins, or about smaller heaps"
)
