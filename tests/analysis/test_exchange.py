"""Fields that may change places: which are found, which are refused, and that answers stay the same."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.analysis.symmetry import symmetry, unproved
from gamespec.game import sample
from gamespec.kernel.shape import shape_of
from gamespec.plan.orbit import Keys, image
from tests.agreement.test_kinds import compare

PAIR = """
game pair
state a, b: 0..7
move t choose k in 1..a do a -= k
move u choose k in 1..b do b -= k
move v choose k in 1..min(a, b, 2) do a -= k, b -= k
"""

MARKED = """
game marked
state a, b, c: 0..3
state x, y, z: bool
move take_a choose k in 1..a when not x do a -= k, x = a > 2
move take_b choose k in 1..b when not y do b -= k, y = b > 2
move take_c choose k in 1..c when not z do c -= k, z = c > 2
"""

ARRAYS = """
game arrays
state a, b: array[1..2] of 0..2
move t choose i in 1..2, k in 1..2 when a[i] >= k do a[i] -= k
move u choose i in 1..2, k in 1..2 when b[i] >= k do b[i] -= k
move v when sum(a) > sum(b) do a = 0
move w when sum(b) > sum(a) do b = 0
"""

SETS = """
game sets
state s, t: set of 1..4
move a choose i in s do s -= {j for j in s if j >= i}
move b choose i in t do t -= {j for j in t if j >= i}
move c choose i in s when i in t do s -= {i}, t -= {i}
"""

CAKE = """
game cake
sum
state w, h: 1..5
move down choose k in 1..w - 1 into (k, h), (w - k, h)
move across choose k in 1..h - 1 into (w, k), (w, h - k)
"""

ROUND = """
game round
state a, b: 0..4
move go do a = (a + 1) % 5
move up do b = (b + 1) % 5
move both when a == b do a = 0, b = 0
terminal mover loses when a + b == 5
endless draw
"""

COLOURS = """
game colours
players x, o
state a, b: {e, x, o}
move first when a == e do a = mover
move second when b == e do b = mover
move turn_first when a == other do a = mover
move turn_second when b == other do b = mover
terminal mover loses when a == other == b
endless draw
"""


@pytest.mark.parametrize(
    ("text", "orbit", "said"),
    [
        (PAIR, 2, "when a and b change places"),
        (MARKED, 6, "when a and b and also x and y change places"),
        (ARRAYS, 2, "when a and b change places"),
        (SETS, 2, "when s and t change places"),
        (CAKE, 2, "when w and h change places"),
        (ROUND, 2, "when a and b change places"),
        (COLOURS, 2, "when a and b change places"),
    ],
)
def test_found_and_right(text: str, orbit: int, said: str) -> None:
    game = gamespec.loads(text)
    found = symmetry(game)
    assert found.orbit == orbit
    assert any(said in reason.text for reason in found.reasons)
    assert compare(game, "python") & {"memo", "retrograde"}


def test_with_players_that_change_places() -> None:
    assert analyse(gamespec.loads(COLOURS)).swap is not None


def test_images_have_one_key() -> None:
    """Also where entries may be in any order as well."""
    for text in (PAIR, MARKED, ARRAYS, SETS):
        game = gamespec.loads(text)
        facts = analyse(game)
        keys = Keys({field.name: shape_of(field) for field in game.states}, facts.symmetry)
        names = [field.name for field in game.states]
        for place in sample.positions(game, {}, 60, 1):
            values = dict(zip(names, place, strict=True))
            images = [{**values, **image(values, dict(element.images))} for element in facts.symmetry.elements]
            assert images
            assert {keys.number([moved[name] for name in names]) for moved in images} == {keys.number(place)}


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (PAIR, "min(a, b, 2)", "min(a, b + 1, 2)"),
        (PAIR, "state a, b: 0..7", "state a: 0..7 state b: 0..8"),
        (PAIR, "1..b do", "1..b when a > 0 do"),
        (MARKED, "x = a > 2", "x = a > 1"),
        (ARRAYS, "do b = 0", "do b = 1"),
        (SETS, "i in t do s", "i in t and 1 in t do s"),
        (CAKE, "(k, h), (w - k, h)", "(h, k), (w - k, h)"),
        (CAKE, "(w, k), (w, h - k)", "(w, k), (1, h - k)"),
        (ROUND, "do a = 0, b = 0", "do a = 0, b = 1"),
    ],
)
def test_what_breaks_it_is_seen(text: str, old: str, new: str) -> None:
    changed = text.replace(old, new)
    assert changed != text
    assert symmetry(gamespec.loads(changed)).orbit < symmetry(gamespec.loads(text)).orbit


@pytest.mark.parametrize(
    ("text", "clause", "problem"),
    [
        (PAIR, "a = b, b = a", None),
        (ARRAYS, "a = b, b = a", None),
        (ARRAYS, "a[i] = b[i] for i in 1..2, b[i] = a[i] for i in 1..2", None),
        (ARRAYS, "a[1] = b[1], b[1] = a[1]", "the moves or the ends of the game are not the same"),
        (ARRAYS, "a[1] = a[2], a[2] = a[1]", None),
        (MARKED, "a = b, b = a, x = y, y = x", None),
        (MARKED, "a = b, b = c, c = a, x = y, y = z, z = x", None),
        (MARKED, "a = b, b = a", "the moves or the ends of the game are not the same"),
        (PAIR, "a = b", "the content of `b` would stand in two places"),
        (MARKED, "a = c, b = c", "two fields would get the same content"),
        (ARRAYS.replace("move t", "state c: 0..2\nmove t"), "a[1] = c, c = a[1]", "a whole field do not change places"),
        (PAIR.replace("move t", "state c: 0..9\nmove t"), "a = c, c = a", "not of the same type"),
        (PAIR, "a = b + 1, b = a", "which cell"),
    ],
)
def test_declared(text: str, clause: str, problem: str | None) -> None:
    game = gamespec.loads(f"{text}symmetry {clause}\n")
    found = unproved(game)
    assert [each.severity for each in found] == ["warning"] * (problem is not None)
    assert problem is None or problem in found[0].message
    said = [reason.text for reason in symmetry(game).reasons]
    assert ("the rules respect the symmetry that is declared" in said) is (problem is None)


def test_cells_of_an_array_that_is_compared_with_another_do_not_change_places() -> None:
    text = """
    game copied
    state a, b: array[1..2] of 0..2
    move t choose i in 1..2 when a[i] > 0 do a[i] -= 1
    move u when RULE do EFFECT
    symmetry a[1] = a[2], a[2] = a[1]
    """
    same = text.replace("RULE", "b[1] + b[2] > 0")
    assert not unproved(gamespec.loads(same.replace("EFFECT", "b = 0")))
    assert unproved(gamespec.loads(same.replace("EFFECT", "b = a")))
