"""What can go wrong between a kernel and running code."""

from gamespec.diagnostics import Kind

NO_MEMORY = Kind(
    "GS330",
    "the system refuses {needed} of memory for one table",
    help="ask for smaller positions, or run where more memory is free",
)
