"""What one builtin of the language is: its texts, its type rule and its meaning.

Values are those of the game model: `int`, `bool`, `frozenset` of int for sets, `tuple` for lists and arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from gamespec.interval import EMPTY, Interval
from gamespec.types import ArrayType, BoolType, IntType, ListType, NamesType, SetType, TupleType, Type

Value = int | bool | frozenset[int] | tuple[int, ...]

CELLS = 1 << 20
"""The most elements that a set or list may have anywhere outside a kernel."""

BITS = 127
"""Every number fits this many bits beside its sign, so a list of digits has at most this many elements."""


class BuiltinTypeError(Exception):
    """The arguments do not fit. `argument` is the index of the one that does not; None when their number is wrong."""

    def __init__(self, message: str, argument: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.argument = argument


class Undefined(Exception):
    """The builtin has no value for these arguments.

    `reason` is a verb phrase with the call as its subject: "has nothing to choose from".
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NothingToChoose(Undefined):
    """The least or the largest of no values was asked."""

    def __init__(self) -> None:
        super().__init__("has nothing to choose from")


class TooLarge(Undefined):
    """The value has more elements than `CELLS`, or takes too long to find."""


class Builtin(msgspec.Struct, frozen=True, kw_only=True):
    """One function of the language.

    `signature`  `gcd(a, b, …)`, as the reference page prints it.
    `doc`        One or two sentences; they say what happens at 0, 1 and other corners.
    `examples`   Pairs of an expression and its value, both in the language's own spelling; run by the tests.
    `result`     Types of the arguments → type of the result, with bounds that hold for all arguments of these
                 types for which the call has a value. Raises BuiltinTypeError.
    `evaluate`   Values of arguments that `result` accepts → value. Raises Undefined.
    `partial`    When the call may have no value ("the set is empty"), or None if it always has one.
    `may_fail`   Whether arguments of these types can make it fail; asked only if `partial` is set.
    `element_at_most`  The index of an argument that no element of the result exceeds, for proofs.
    """

    name: str
    signature: str
    doc: str
    examples: tuple[tuple[str, str], ...]
    result: Callable[[Sequence[Type]], Type]
    evaluate: Callable[[Sequence[Value]], Value]
    partial: str | None = None
    may_fail: Callable[[Sequence[Type]], bool] = lambda args: True
    element_at_most: int | None = None


Collection = SetType | ListType | ArrayType


def count_of(args: Sequence[Type], least: int, most: int | None = None) -> None:
    """Raises BuiltinTypeError unless the number of arguments lies in `least..most` (None: no upper bound)."""
    if len(args) < least or (most is not None and len(args) > most):
        if most is None:
            wanted = f"at least {least}"
        elif least == most:
            wanted = str(least)
        else:
            wanted = f"{least} to {most}"
        plural = "" if wanted.endswith("1") else "s"
        raise BuiltinTypeError(f"takes {wanted} argument{plural}, not {len(args)}")


def number(args: Sequence[Type], index: int) -> Interval:
    """The bounds of an argument that must be a number."""
    arg = args[index]
    if isinstance(arg, IntType):
        return arg.bounds
    raise BuiltinTypeError(f"needs a number here, not {described(arg)}", index)


def collection(args: Sequence[Type], index: int) -> Collection:
    """An argument that must be a set, a list or an array."""
    arg = args[index]
    if isinstance(arg, Collection):
        return arg
    raise BuiltinTypeError(f"needs a set, a list or an array here, not {described(arg)}", index)


def numbers_in(args: Sequence[Type], index: int) -> Interval:
    """The bounds of the elements of an argument that must be a set, list or array of numbers."""
    arg = collection(args, index)
    if isinstance(arg.of, IntType):
        return arg.of.bounds
    raise BuiltinTypeError(f"needs numbers here, not {described(arg)}", index)


def truths_in(args: Sequence[Type], index: int) -> Collection:
    """An argument that must be a list or array of true and false."""
    arg = collection(args, index)
    if isinstance(arg, SetType) or not isinstance(arg.of, BoolType):
        raise BuiltinTypeError(f"needs an array of bool here, not {described(arg)}", index)
    return arg


def sizes(arg: Collection) -> Interval:
    """The bounds of the number of elements."""
    match arg:
        case SetType(IntType(bounds)):
            return Interval(0, min(bounds.size, CELLS))
        case SetType(NamesType(names)):
            return Interval(0, len(names))
        case SetType(BoolType()):
            return Interval(0, 2)
        case SetType():
            return Interval(0, CELLS)
        case ListType():
            return Interval(0, BITS)
        case ArrayType(dims):
            cells = 1
            for bounds in dims:
                cells *= bounds.size
            return Interval(0, cells)


def set_of(lo: int, hi: int) -> SetType:
    """The type of sets of numbers from `lo` to `hi`; of empty sets only when `lo > hi`."""
    return SetType(IntType(Interval(lo, hi) if lo <= hi else EMPTY))


def described(of: Type) -> str:
    """A type in words, for messages."""
    match of:
        case IntType():
            return "a number"
        case BoolType():
            return "true or false"
        case NamesType():
            return "a name"
        case SetType(element):
            return "a set" if isinstance(element, IntType) else f"a set of {_plural(element)}"
        case ListType():
            return "a list"
        case ArrayType(_, element):
            return f"an array of {_plural(element)}"
        case TupleType():
            return "several values"


def _plural(of: Type) -> str:
    match of:
        case IntType():
            return "numbers"
        case BoolType():
            return "bool"
        case NamesType():
            return "names"
        case SetType():
            return "sets"
        case _:
            return "other values"
