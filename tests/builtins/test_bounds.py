"""The type rule of every builtin holds for every value it computes, and what cannot fail by its types does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamespec.builtins import BUILTINS
from gamespec.builtins.entry import BuiltinTypeError, Undefined, Value
from gamespec.interval import Interval
from gamespec.types import ArrayType, BoolType, IntType, ListType, SetType, Type

Typed = tuple[Type, Value]


@st.composite
def number(draw: st.DrawFn, lo: int = -40, hi: int = 3000) -> Typed:
    ends = sorted((draw(st.integers(lo, hi)), draw(st.integers(lo, hi))))
    return IntType(Interval(*ends)), draw(st.integers(*ends))


@st.composite
def numbers(draw: st.DrawFn) -> Typed:
    of, _ = draw(number(-20, 60))
    assert isinstance(of, IntType)
    elements = draw(st.lists(st.integers(of.bounds.lo, of.bounds.hi), max_size=6))
    match draw(st.sampled_from(("set", "list", "array"))):
        case "set":
            return SetType(of), frozenset(elements)
        case "list":
            return ListType(of), tuple(elements)
        case _:
            return ArrayType((Interval(1, draw(st.integers(len(elements), 9))),), of), tuple(elements)


@st.composite
def truths(draw: st.DrawFn) -> Typed:
    cells = draw(st.lists(st.booleans(), max_size=6))
    return ArrayType((Interval(0, len(cells) - 1),), BoolType()), tuple(cells)


@st.composite
def only_set(draw: st.DrawFn) -> Typed:
    of, value = draw(numbers().filter(lambda typed: isinstance(typed[0], SetType)))
    return of, value


several = st.one_of(st.lists(number(), min_size=2, max_size=4), numbers().map(lambda typed: [typed]))

ARGUMENTS: dict[str, st.SearchStrategy[list[Typed]]] = {
    "abs": st.tuples(number()).map(list),
    "min": several,
    "max": several,
    "gcd": several,
    "popcount": st.tuples(number()).map(list),
    "bit": st.tuples(number(), number(-2, 20)).map(list),
    "digits": st.one_of(st.tuples(number()).map(list), st.tuples(number(), number(0, 17)).map(list)),
    "powers": st.tuples(number(-1, 9), number()).map(list),
    "squares": st.tuples(number()).map(list),
    "primes": st.tuples(number()).map(list),
    "divisors": st.tuples(number()).map(list),
    "size": numbers().map(lambda typed: [typed]),
    "sum": numbers().map(lambda typed: [typed]),
    "count": truths().map(lambda typed: [typed]),
    "any": truths().map(lambda typed: [typed]),
    "all": truths().map(lambda typed: [typed]),
    "closure": st.tuples(only_set(), st.one_of(number(-1, 30), only_set()), number(-10, 90)).map(list),
}


def within(value: object, of: Type) -> bool:
    match of:
        case IntType(bounds):
            return isinstance(value, int) and value in bounds
        case BoolType():
            return isinstance(value, bool)
        case SetType(element):
            return isinstance(value, frozenset) and all(within(each, element) for each in value)
        case ListType(element):
            return isinstance(value, tuple) and all(within(each, element) for each in value)
        case _:
            return False


def test_every_builtin_has_arguments() -> None:
    assert set(ARGUMENTS) == set(BUILTINS)


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_bounds_hold(name: str) -> None:
    builtin = BUILTINS[name]

    @settings(max_examples=150, deadline=None)
    @given(ARGUMENTS[name])
    def holds(args: list[Typed]) -> None:
        types, values = [of for of, _ in args], [value for _, value in args]
        of = builtin.result(types)
        try:
            value = builtin.evaluate(values)
        except Undefined:
            assert builtin.partial is not None
            assert builtin.may_fail(types), "proved, but it fails"
            return
        assert within(value, of), (value, of)
        if builtin.element_at_most is not None:
            limit = values[builtin.element_at_most]
            assert isinstance(value, frozenset | tuple)
            assert isinstance(limit, int)
            assert all(each <= limit for each in value)

    holds()


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_wrong_arguments_are_refused_with_a_sentence(name: str) -> None:
    array_of_sets = ArrayType((Interval(0, 1),), SetType(IntType(Interval(0, 1))))
    lists: tuple[list[Type], ...] = ([], [BoolType()] * 2, [array_of_sets] * 3, [BoolType()] * 4)
    for types in lists:
        with pytest.raises(BuiltinTypeError) as caught:
            BUILTINS[name].result(types)
        assert caught.value.message.startswith(("takes ", "needs "))
