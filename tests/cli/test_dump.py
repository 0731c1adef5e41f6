"""Records are printed so that a person can read them."""

from __future__ import annotations

import msgspec

from gamespec.cli.dump import WIDTH, dump, flat
from gamespec.interval import Interval
from gamespec.source import Span


class Leaf(msgspec.Struct, frozen=True):
    name: str
    span: Span = Span(0, 0)
    sign: int = 1


class Branch(msgspec.Struct, frozen=True):
    leaves: tuple[Leaf, ...]
    bounds: Interval
    odd: frozenset[int] = frozenset()


def test_short_records_stand_on_one_line() -> None:
    assert flat(Leaf("a", Span(3, 4))) == "Leaf(name='a')"
    assert dump(Branch((Leaf("a", sign=2),), Interval(0, 9), frozenset({3, 1}))) == (
        "Branch(leaves=[Leaf(name='a', sign=2)], bounds=0..9, odd={1, 3})"
    )


def test_long_records_are_indented() -> None:
    names = [letter * 40 for letter in "abc"]
    shown = dump(Branch(tuple(map(Leaf, names)), Interval(0, 9)))
    assert shown.splitlines() == [
        "Branch",
        "  leaves:",
        *(f"    Leaf(name='{name}')" for name in names),
        "  bounds: 0..9",
    ]
    assert all(len(line) <= WIDTH for line in shown.splitlines())


def test_records_inside_records_and_mappings() -> None:
    inner = Branch(tuple(map(Leaf, (letter * 40 for letter in "abc"))), Interval(0, 9))
    shown = dump({"first": inner, "none": None}).splitlines()
    assert shown[0] == "  first: Branch"
    assert shown[1] == "    leaves:"
    assert shown[-1] == "  none: none"
