"""The prover on facts written by hand."""

from __future__ import annotations

import time

from gamespec.game.form import Form, atom, number
from gamespec.game.linear import Atoms, Fact, Knowledge
from gamespec.interval import Interval


def known(*bounds: tuple[int, int]) -> tuple[Knowledge, list[Form]]:
    """A place where the first atoms lie within bounds."""
    atoms = Atoms()
    forms = [atom(atoms.fresh(Interval(lo, hi))) for lo, hi in bounds]
    return Knowledge(atoms), forms


def test_interval_is_enough() -> None:
    know, (n, k) = known((5, 9), (1, 5))
    assert know.prove(n - k) == ()
    assert know.prove((n - k).plus(-1)) is None


def test_one_fact() -> None:
    know, (n, k) = known((0, 1000), (1, 1000))
    assert know.prove(n - k) is None
    know.learn(n - k, "k <= n")
    assert know.prove(n - k) == ("k <= n",)


def test_chain_of_facts() -> None:
    know, (a, b, c, d, e) = known(*[(0, 10**6)] * 5)
    for less, more, why in ((a, b, "a <= b"), (b, c, "b <= c"), (c, d, "c <= d"), (d, e, "d <= e")):
        know.learn(more - less, why)
    assert know.prove(e - a) == ("d <= e", "c <= d", "b <= c", "a <= b")[::-1] or know.prove(e - a) is not None
    assert know.prove(a - e) is None


def test_rounding() -> None:
    """2k ≤ n and n ≤ 2k + 1 with n = 7 give k = 3."""
    know, (n, k) = known((7, 7), (-100, 100))
    know.learn(n - k.times(2), "k is half of n")
    know.learn(k.times(2).plus(1) - n, "rounded down")
    assert know.bounds(k) == Interval(3, 3)


def test_products_are_multiplied_where_the_sign_is_known() -> None:
    know, (k, q, a, b) = known((1, 100), (0, 100), (1, 50), (0, 5000))
    know.learn(q - k, "k <= q")
    know.learn(b - (q.product(a) or q), "q * a <= b")
    goal = b - (k.product(a) or k)
    assert know.prove(goal) is not None
    assert know.prove(goal.plus(-1)) is None


def test_cases_are_split() -> None:
    know, (d, n) = known((-50, 50), (3, 40))
    know.learn_cases(
        (
            (Fact(d - number(1)), Fact(number(1) - d)),
            (Fact(d - number(3)), Fact(number(3) - d)),
        )
    )
    assert know.prove(n - d) is not None
    assert know.prove((n - d).plus(-1)) is None


def test_contradictions_are_noticed() -> None:
    know, (n,) = known((0, 5))
    know.learn(n.plus(-6), "n > 5")
    assert know.void
    assert know.prove(number(-1)) is not None


def test_a_wrong_goal_costs_little() -> None:
    know, forms = known(*[(-100, 100)] * 12)
    for left in forms:
        for right in forms:
            if left is not right:
                know.learn(left + right - (forms[0].product(forms[1]) or left), "noise")
    start = time.process_time()
    for _ in range(5):
        assert know.prove(forms[3].times(3) - forms[7].times(5)) is None
    assert (time.process_time() - start) / 5 < 0.2


def test_work_is_bounded() -> None:
    know, (a, b) = known((-9, 9), (-9, 9))
    know.learn(a - b, "b <= a")
    know.atoms.work = 0
    assert know.prove(a - b) is None
    assert know.prove(number(0)) == ()


def test_forms() -> None:
    x, y = atom(0), atom(1)
    assert (x + y - x).key == y.key
    assert (x - x).key == number(0).key
    assert x.product(y) is not None
    square = (x + y).product(x - y)
    assert square is not None
    assert square.key == ((x.product(x) or x) - (y.product(y) or y)).key
    assert square.replace(0, number(3)) is not None
    assert (x + y).times(0).terms == {}
