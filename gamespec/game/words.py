"""Words for messages: types, expressions and names as their writer would call them."""

from __future__ import annotations

from collections.abc import Iterable

from gamespec.interval import EMPTY
from gamespec.source import Source, Span
from gamespec.types import ArrayType, BoolType, IntType, ListType, NamesType, SetType, TupleType, Type

LONGEST = 48
MOST_KNOWN = 1000
ELSEWHERE = {  # what other languages and books call it, and what it is here
    "len": "the number of elements is `size(S)`",
    "length": "the number of elements is `size(S)`",
    "range": "a range is written `1..n`, both ends included",
    "mod": "the remainder is written `a % b`",
    "div": "the quotient is written `a / b`, rounded down",
    "floor": "`/` rounds down",
    "pow": "a power is written `a ** b`",
    "bitcount": "the number of ones is `popcount(n)`",
    "isprime": "test it with `n in primes(100)`",
    "is_prime": "test it with `n in primes(100)`",
    "nimber": "it is called `{grundy}`",
    "mex": "the smallest number that no move leads to is `{grundy}`",
    "sg": "it is called `{grundy}`",
    "turn": "who is to move is `mover`",
    "player": "who is to move is `mover`, who is not is `other`",
    "me": "who is to move is `mover`",
    "self": "who is to move is `mover`",
    "opponent": "who is not to move is `other`",
    "enemy": "who is not to move is `other`",
    "neighbours": "`abs(r - s) + abs(c - t) == 1` says that two cells are side by side",
    "neighbors": "`abs(r - s) + abs(c - t) == 1` says that two cells are side by side",
    "moves": "the moves that win are `{winning_moves}`",
}


def excerpt(source: Source, span: Span) -> str:
    """The text of a span on one line, its middle left out if it is long."""
    text = " ".join(source.slice(Span(span.start, min(span.end, span.start + 4 * LONGEST))).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def bare(text: str) -> str:
    """A text without the parentheses around it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for index, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0 and index < len(text) - 1:
            return text
    return text[1:-1]


def described(of: Type) -> str:
    """A type with its article: `a number`, `a set of numbers`."""
    match of:
        case IntType():
            return "a number"
        case BoolType():
            return "a condition"
        case NamesType(names):
            return f"one of {braced(names)}"
        case SetType(element):
            return "the empty set" if element == IntType(EMPTY) else f"a set of {plural(element)}"
        case ListType(element):
            return f"a list of {plural(element)}"
        case ArrayType(_, element):
            return f"an array of {plural(element)}"
        case TupleType():
            return "several values"


def plural(of: Type) -> str:
    match of:
        case IntType():
            return "numbers"
        case BoolType():
            return "conditions"
        case NamesType(names):
            return braced(names)
        case SetType() | ListType():
            return "sets"
        case ArrayType() | TupleType():
            return "rows"


def braced(names: Iterable[str]) -> str:
    return "{" + ", ".join(names) + "}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant."""
    from difflib import get_close_matches

    if len(name) > LONGEST:
        return None
    names = sorted(other for other in set(known) if abs(len(other) - len(name)) <= 1 + len(name) // 2)[:MOST_KNOWN]
    close = get_close_matches(name, names, 1, 0.6)
    if not close:
        close = [other for other in names if other.lower() == name.lower()][:1]
    return close[0] if close else None
