"""Which types go together, and how many elements a collection may have."""

from __future__ import annotations

from gamespec.builtins.entry import BITS, CELLS, sizes
from gamespec.game import model
from gamespec.types import ArrayType, IntType, ListType, SetType, Type, element_bounds, is_scalar


def element(of: Type) -> Type | None:
    """The type of the elements of a set, or of a list taken as one; None for anything else."""
    return of.of if isinstance(of, SetType | ListType) else None


def merged(one: Type, other: Type) -> Type | None:
    """The type of what may be either; None when they are not alike."""
    match one, other:
        case IntType(a), IntType(b):
            return IntType(a.hull(b))
        case SetType(IntType(a)), SetType() if a.empty:
            return other
        case SetType(), SetType(IntType(b)) if b.empty:
            return one
        case SetType(a), SetType(b):
            of = merged(a, b)
            return None if of is None else SetType(of)
        case ListType(a), ListType(b):
            of = merged(a, b)
            return None if of is None else ListType(of)
        case ArrayType(dims, a), ArrayType(dims_too, b):
            of = merged(a, b)
            return ArrayType(dims, of) if of is not None and dims == dims_too else None
        case IntType(a), _ if a.empty:  # the element of the empty set
            return other
        case _, IntType(b) if b.empty:
            return one
        case _:
            return one if one == other else None


def most(expr: model.Expr) -> int:
    """The most elements that a set or list may have."""
    match expr.type:
        case SetType(of):
            return element_bounds(of).size if is_scalar(of) else CELLS
        case ListType():
            if isinstance(expr, model.Call):
                if expr.name == "digits":
                    return _digits(expr)
                args = [sizes(arg.type).hi for arg in expr.args if isinstance(arg.type, SetType | ListType | ArrayType)]
                return max([BITS, *args])
            return max(BITS, CELLS)
        case _:
            raise AssertionError(expr.type)


def _digits(call: model.Call) -> int:
    number = call.args[0].type
    assert isinstance(number, IntType)
    base = 10 if len(call.args) == 1 else 2
    return 0 if number.bounds.empty else max(1, _length(number.bounds.abs().hi, base))


def _length(number: int, base: int) -> int:
    length = 0
    while number:
        number //= base
        length += 1
    return length
