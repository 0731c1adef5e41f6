"""Diagnostics of the command line: GS5xx, and GS900 for faults of gamespec itself."""

from __future__ import annotations

from collections.abc import Iterable

from gamespec.diagnostics import Kind

USAGE = Kind("GS501", "{message}", help="{usage}")
UNWRITABLE = Kind("GS503", "cannot write {path}: {reason}")
WRITES_WHAT_IT_READS = Kind("GS521", "the answers would overwrite {path}, which is read", help="give `-o` another file")
UNUSABLE_CACHE = Kind("GS528", "{path} cannot be used for the cache: {reason}", help="name another in GAMESPEC_CACHE")
TABLE_NOT_KEPT = Kind("GS535", "no table is kept: {reason}", severity="warning")
NO_SUCH_VERB = Kind("GS504", "there is no verb `{name}`{near}", help="`gamespec --help` lists the verbs")
BAD_SIZE = Kind("GS505", "`{text}` is not an amount of memory", help="write for example 500kB, 50MB or 2GB")
BAD_TIME = Kind("GS506", "`{text}` is not a time", help="write for example 500ms, 2s or 1m")
BAD_ASSIGNMENT = Kind("GS507", "`{text}` is not NAME=VALUE", help="write for example {example}")
NO_SUCH_TOPIC = Kind("GS511", "there is no help on `{name}`{near}", help="`gamespec help` lists the topics")
UNSUITABLE = Kind("GS517", "{what} cannot be printed as {format}: {reason}")
NO_SUCH_ANSWER = Kind("GS508", "`{name}` cannot be asked{near}", help="what can: {known}")
NO_GRUNDY = Kind(
    "GS509",
    "positions of {game} have no Grundy value",
    label="Grundy values belong to normal play: who cannot move loses",
    help="ask for outcome or moves",
)
NO_ANSWER = Kind("GS525", "positions of {game} have no {name}: {reason}")
SEVERAL_POSITIONS = Kind("GS510", "{game} is not a sum, so `{name}` has one value", help="{hint}")
NO_POSITION = Kind("GS522", "{game} has no position with {values}: left out", severity="warning")
TOO_MANY = Kind("GS514", "{count} positions are too many; at most {most}", help="narrow it, as in {example}")
UNEVEN = Kind("GS516", "`{name}` has {count} values where other fields have {other}")
VERIFY_DIFFERS = Kind(
    "GS519", "at {position} the plan's {what} differs from the definition: {found} instead of {expected}"
)
VERIFY_FEW = Kind(
    "GS520",
    "every position of {game} that was tried is too large for the definition",
    severity="warning",
    help="make it smaller with -D",
)
SAME_STDIN = Kind("GS513", "the spec and the input cannot both be standard input", help="name the files of the input")
NO_SUCH_PLAYER = Kind("GS523", "nobody in {game} is called `{name}`", help="`--as` takes one of {known}")
SEVERAL_SIDES = Kind("GS524", "`--as`, `--both` and `--auto` exclude one another", help="give one of them")
NO_HEAPS = Kind(
    "GS531",
    "{game} is not a heap game of a kind that theorems speak of: {reason}",
    help="`gamespec help solving` tells which are; `gamespec table` prints values of any game",
)
NO_LAW = Kind("GS532", "no theorem gives the values of all heaps ({rule}): {tried}")
NO_CERTIFICATE = Kind("GS533", "{path} does not hold: {reason}")
OTHER_RULE = Kind("GS534", "{path} is about another rule: {rule}, not {other}")
TEST_FAILS = Kind("GS518", "test {number} of {name} fails", label="this test")
INTERNAL = Kind(
    "GS900",
    "a fault of gamespec itself at the stage `{stage}`{spec}: {kind}: {message}",
    help="please report it with the spec; --debug shows where it happened",
)


def near(name: str, names: Iterable[str]) -> str:
    """`; did you mean `x`?` when one of the names is close, else nothing."""
    from difflib import get_close_matches

    found = get_close_matches(name, list(names), n=1)
    return f"; did you mean `{found[0]}`?" if found else ""
