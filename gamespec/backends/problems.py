"""What can go wrong between a kernel and running code."""

from gamespec.diagnostics import Kind

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
