"""The diagnostics of the analyses: GS180, GS189, and GS411."""

from __future__ import annotations

from gamespec.diagnostics import Kind

MAY_REPEAT = Kind(
    "GS180",
    "it is not proved that every play ends; repetitions are watched for while running",
    label="no order was found that this always lowers",
    severity="note",
)

UNPROVED = Kind(
    "GS189",
    "this symmetry is not proved, and not used: {reason}",
    help="leave the clause out; it changes no answer",
    severity="warning",
)

UNKNOWN_PASS = Kind("GS411", "there is no pass `{name}` that could be left out", help="the passes are {known}{guess}")
