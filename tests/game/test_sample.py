"""The positions that are looked at: all if few, else corners and a spread that `require` allows."""

from __future__ import annotations

from itertools import islice

from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Bind
from gamespec.game.sample import givens, positions, random_position
from tests.game.handmade import (
    array_field,
    binary,
    cell,
    compare,
    con,
    field,
    fold,
    game,
    given,
    local,
    move,
    set_field,
    span,
    state,
    update,
)

n = state("n")


def test_few_positions_are_all_there_in_order() -> None:
    even = compare("==", binary("%", n, con(2)), con(0))
    small = game([field("n", con(0), con(9)), set_field("s", 1, 2)], [], requires=[even])
    found = list(positions(small, {}, 100))
    assert len(found) == 5 * 4
    assert [position[0] for position in found] == sorted(position[0] for position in found)


def test_many_positions_show_their_corners_and_repeat_none() -> None:
    large = game([field("n", con(0), con(10**18))], [])
    found = list(positions(large, {}, 200))
    assert len(found) == len(set(found)) == 200
    assert found[0] == (0,)
    assert (10**18,) in found
    assert sum(position[0] < 1000 for position in found) > 20  # small ones are not forgotten
    assert found == list(positions(large, {}, 200))


def test_rare_positions_are_reached_by_moves() -> None:
    row, i = state("row"), local("i")
    one, last = con(1), con(8)
    here, there = cell(row, i, one, last), cell(row, binary("+", i, one), one, last)
    falling = fold("all", compare(">=", here, there), Bind("i", span(one, con(7))))
    eat = move(
        "eat",
        [update("row", "-=", con(1), local("i"))],
        [Bind("i", span(one, last))],
        [[], [compare(">", here, con(0)), compare("==", i, last)]],
    )
    chomp = game([array_field("row", one, last, 0, 9)], [eat], requires=[falling])
    evaluator = Evaluator(chomp)
    found = list(positions(chomp, {}, 60))
    assert len(found) >= 15
    assert all(evaluator.holds(position) for position in found)


def test_bounds_follow_the_data_of_the_case() -> None:
    boxes = game([field("stones", con(0), given("size"))], [], givens=[field("size", con(0), con(10**6))])
    cases = list(givens(boxes, 20))
    assert cases[0] == {"size": 0}
    assert {"size": 10**6} in cases
    for data in cases:
        evaluator = Evaluator(boxes, data)
        assert all(evaluator.holds(position) for position in islice(positions(boxes, data, 30), 30))
    assert list(positions(boxes, {"size": 2}, 30)) == [(0,), (1,), (2,)]


def test_without_given_there_is_one_case() -> None:
    assert list(givens(game([field("n", con(0), con(9))], []), 5)) == [{}]


def test_a_random_position_exists() -> None:
    odd = compare("==", binary("%", n, con(2)), con(1))
    some = game([field("n", con(0), con(10**12))], [], requires=[odd])
    drawn = {random_position(some, {}, seed) for seed in range(20)}
    assert None not in drawn
    assert len(drawn) > 10
    never = game([field("n", con(0), con(9))], [], requires=[compare("<", n, con(0))])
    assert random_position(never, {}, 1) is None
