"""Diagnostics of the command line: GS5xx, and GS901 for faults of gamespec itself."""

from __future__ import annotations

from collections.abc import Iterable

from gamespec.diagnostics import Kind

USAGE = Kind("GS501", "{message}", help="{usage}")
UNWRITABLE = Kind("GS503", "cannot write {path}: {reason}")
NO_SUCH_VERB = Kind("GS504", "there is no verb `{name}`{near}", help="`gamespec --help` lists the verbs")
BAD_SIZE = Kind("GS505", "`{text}` is not an amount of memory", help="write for example 500kB, 50MB or 2GB")
BAD_TIME = Kind("GS506", "`{text}` is not a time", help="write for example 500ms, 2s or 1m")
BAD_ASSIGNMENT = Kind("GS507", "`{text}` is not NAME=VALUE", help="write for example {example}")
NO_SUCH_NAME = Kind("GS508", "{game} has no {what} `{name}`{near}")
MISSING_NAME = Kind("GS509", "no value given for {names}", help="write for example {example}")
BAD_VALUE = Kind("GS510", "`{text}` is not a value for `{name}`: {expected}")
NO_SUCH_TOPIC = Kind("GS511", "there is no help on `{name}`{near}", help="`gamespec help` lists the topics")
TOO_MANY = Kind("GS514", "{count} positions are too many for one {verb}; at most {most}", help="narrow it: {example}")
NO_INPUT = Kind(
    "GS515", "{game} has no `input` clause, so there is nothing to read", help="ask for one position: {example}"
)
UNEVEN = Kind("GS516", "`{name}` has {count} values where the other fields have {other}")
UNSUITABLE = Kind("GS517", "{what} cannot be printed as {format}: {reason}")
SAME_STDIN = Kind("GS513", "the spec and the input cannot both be standard input", help="name the files of the input")
TEST_FAILS = Kind("GS518", "test {number} of {name} fails", label="this test")
INTERNAL = Kind(
    "GS901",
    "a fault of gamespec itself at the stage `{stage}`{spec}: {kind}: {message}",
    help="please report it with the spec; --debug shows where it happened",
)


def near(name: str, names: Iterable[str]) -> str:
    """`; did you mean `x`?` when one of the names is close, else nothing."""
    from difflib import get_close_matches

    found = get_close_matches(name, list(names), n=1)
    return f"; did you mean `{found[0]}`?" if found else ""
