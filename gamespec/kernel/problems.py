"""What can be wrong with a kernel."""

from gamespec.diagnostics import GamespecError, Kind

BROKEN = Kind(
    "GS901",
    "internal error: kernel {kernel}{stage}: {reason} in `{node}`",
    help="this is a mistake in gamespec, not in the spec; please report it with the spec",
)
NO_MEMORY = Kind(
    "GS330",
    "the system refuses {needed} of memory for one table",
    help="ask for smaller positions, or run where more memory is free",
)
TOO_LARGE = Kind(
    "GS331",
    "the rules become a program of {nodes} steps; at most {limit} are compiled",
    help="use smaller sets and arrays in the rules, or write a move once with `choose` instead of many times",
)
TOO_DEEP = Kind(
    "GS332",
    "the rules become a program that nests {depth} deep; at most {limit} can be compiled",
    help="give parts of long expressions a name with `let`",
)


class KernelError(GamespecError):
    """A kernel that a plan or a pass wrote is not well formed (exit 70)."""
