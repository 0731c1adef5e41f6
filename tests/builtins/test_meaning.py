"""What the builtins compute, against the plainest definitions, and how they meet absurd sizes."""

from __future__ import annotations

import time

import pytest

from gamespec.builtins import BUILTINS
from gamespec.builtins.entry import NothingToChoose, TooLarge, Undefined, Value
from gamespec.interval import EMPTY, Interval
from gamespec.types import IntType, SetType


def call(name: str, *values: Value) -> Value:
    return BUILTINS[name].evaluate(values)


def closure(start: set[int], steps: set[int], limit: int) -> set[int]:
    """Adds what is missing until nothing is."""
    closed = set(start)
    while True:
        more = {y + x for y in closed for x in steps if y + x <= limit} - closed
        if not more:
            return closed
        closed |= more


def test_closure_is_the_smallest_superset() -> None:
    for start in ({2}, {3, 5}, {-4, 7}, {1, 30}, set()):
        for steps in ({1}, {4}, {3, 5}, {0}, {6, 0, 10}, set()):
            for limit in (-5, 0, 7, 20):
                assert call("closure", frozenset(start), frozenset(steps), limit) == closure(start, steps, limit)
                if len(steps) == 1:
                    (step,) = steps
                    assert call("closure", frozenset(start), step, limit) == closure(start, steps, limit)


def test_closure_plays_the_number_game() -> None:
    """POJ 1143: striking x also strikes what is the sum of x and a number that cannot be played any more."""
    top = 20

    def struck_by_the_document(open_: frozenset[int], x: int) -> frozenset[int]:
        left = set(open_) - {x}
        for y in range(2, top - x + 1):  # ascending: what was just struck counts as well
            if y not in left:
                left.discard(y + x)
        return frozenset(left)

    seen = {frozenset(range(2, top + 1))}
    waiting = list(seen)
    while waiting:
        open_ = waiting.pop()
        struck = frozenset(range(2, top + 1)) - open_
        for x in open_:
            closed = call("closure", struck | {x}, x, top)
            assert isinstance(closed, frozenset)
            after = open_ - closed
            assert after == struck_by_the_document(open_, x)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert len(seen) == 3515


def test_sequences() -> None:
    for limit in range(-2, 200):
        assert call("squares", limit) == {k * k for k in range(1, 20) if k * k <= limit}
        assert call("primes", limit) == {p for p in range(2, limit + 1) if all(p % d for d in range(2, p))}
        assert call("powers", 3, limit) == {3**k for k in range(8) if 3**k <= limit}
        if limit >= 1:
            assert call("divisors", limit) == {d for d in range(1, limit + 1) if limit % d == 0}


def test_digits() -> None:
    assert call("digits", 0) == (0,)
    assert call("digits", 9019) == (9, 0, 1, 9)
    assert call("digits", 6, 2) == (1, 1, 0)
    assert call("digits", 5, 100) == (5,)


def test_nothing_to_choose_from() -> None:
    for name in ("min", "max"):
        with pytest.raises(NothingToChoose):
            call(name, frozenset())
    assert call("gcd", frozenset()) == 0


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("digits", (-1,)),
        ("digits", (5, 1)),
        ("powers", (0, 9)),
        ("divisors", (0,)),
        ("popcount", (-1,)),
        ("bit", (5, -1)),
        ("closure", (frozenset({1}), -1, 9)),
    ],
)
def test_undefined(name: str, values: tuple[Value, ...]) -> None:
    with pytest.raises(Undefined) as caught:
        call(name, *values)
    assert not isinstance(caught.value, TooLarge)


def test_hostile_sizes() -> None:
    begun = time.process_time()
    huge = 10**30
    assert len(call("powers", 2, huge)) == 100  # type: ignore[arg-type]
    assert call("bit", 5, huge) == 0
    assert len(call("digits", 2**127 - 1, 2)) == 127  # type: ignore[arg-type]
    for name, values in (
        ("primes", (10**18,)),
        ("squares", (huge,)),
        ("divisors", (huge,)),
        ("closure", (frozenset({1}), 1, huge)),
        ("closure", (frozenset({0}), frozenset(range(1, 2000)), 10**6)),
    ):
        with pytest.raises(TooLarge):
            call(name, *values)
    assert time.process_time() - begun < 10


def test_bounds_are_tight_where_widths_depend_on_them() -> None:
    def bounds(name: str, *args: Interval) -> Interval:
        of = BUILTINS[name].result([IntType(arg) for arg in args])
        element = of if isinstance(of, IntType) else of.of  # type: ignore[union-attr]
        assert isinstance(element, IntType)
        return element.bounds

    assert bounds("powers", Interval(2, 2), Interval(0, 1000)) == Interval(1, 512)
    assert bounds("squares", Interval(0, 99)) == Interval(1, 81)
    assert bounds("digits", Interval(0, 10**6)) == Interval(0, 9)
    assert bounds("digits", Interval(0, 5)) == Interval(0, 5)
    assert bounds("powers", Interval(2, 2), Interval(-3, 0)) == EMPTY
    assert bounds("gcd", Interval(1, 8), Interval(0, 100)) == Interval(1, 8)
    assert bounds("popcount", Interval(0, 8)) == Interval(0, 3)
    few = SetType(IntType(Interval(-2, 3)))
    assert BUILTINS["sum"].result([few]) == IntType(Interval(-3, 6))
    open_ = SetType(IntType(Interval(2, 20)))
    two, top = IntType(Interval(2, 20)), IntType(Interval(20, 20))
    assert BUILTINS["closure"].result([open_, two, top]) == open_
