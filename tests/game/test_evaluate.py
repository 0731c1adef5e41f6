"""What a spec means, on games built by hand: choices, guards, updates, verdicts."""

from __future__ import annotations

import pytest

import gamespec
from gamespec.diagnostics import LimitError
from gamespec.game import model
from gamespec.game.evaluate import Evaluator, LimitedEvaluator, Played, RuleFault, TooMuchWork
from gamespec.game.model import Bind, Game, Into, Part, Tail, Terminal, Verdict
from gamespec.types import BOOL
from tests.game.handmade import (
    LIST,
    NUMBERS,
    array_field,
    binary,
    call,
    cell,
    compare,
    con,
    field,
    fold,
    game,
    given,
    let,
    local,
    move,
    set_field,
    set_of,
    span,
    state,
    update,
)

n = state("n")


def code(caught: pytest.ExceptionInfo[RuleFault]) -> str:
    return caught.value.diagnostics[0].code


def cow(guarded: bool) -> Game:
    """Subtract the least or the largest digit that is not 0."""
    ds = let("ds", NUMBERS)
    guards = [[compare(">", n, con(0))], []] if guarded else None
    take = move("take", [update("n", "-=", local("d"))], [Bind("d", set_of(call("min", ds), call("max", ds)))], guards)
    lets = {"ds": binary("-", call("digits", n, of=LIST), con(frozenset({0})))}
    return game([field("n", con(0), con(10**6))], [take], lets=lets)


def test_choices_ascend_and_repetitions_are_dropped() -> None:
    evaluator = Evaluator(cow(True))
    assert evaluator.moves((9057,)) == [Played(0, (5,), ((9052,),)), Played(0, (9,), ((9048,),))]
    assert evaluator.moves((770,)) == [Played(0, (7,), ((763,),))]


def test_guards_without_chosen_names_come_before_the_set() -> None:
    assert Evaluator(cow(True)).moves((0,)) == []
    with pytest.raises(RuleFault) as caught:
        Evaluator(cow(False)).moves((0,))
    assert code(caught) == "GS150"
    assert "when n = 0" in caught.value.diagnostics[0].message
    assert caught.value.position == (0,)


def test_terminal_comes_before_any_choice() -> None:
    unguarded = cow(False)
    over = game(unguarded.states, unguarded.moves, lets=unguarded.lets, terminals=[Terminal(compare("==", n, con(0)))])
    assert Evaluator(over).verdict((0,)) is Verdict.MOVER_LOSES
    assert Evaluator(over).verdict((10,)) is None


def test_a_guard_is_tested_as_soon_as_its_names_are_bound() -> None:
    # b's set divides by a; the guard on a alone must keep a = 0 away from it.
    divides = Bind("b", span(con(1), binary("/", con(6), local("a"))))
    rule = move(
        "pick",
        [update("n", "-=", con(1))],
        [Bind("a", span(con(0), con(2))), divides],
        [[], [compare("!=", local("a"), con(0))], [compare("<", local("b"), con(3))]],
    )
    evaluator = Evaluator(game([field("n", con(0), con(9))], [rule]))
    assert [played.choices for played in evaluator.moves((3,))] == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_moves_follow_the_order_of_the_file() -> None:
    down = move("down", [update("n", "-=", con(1))], guards=[[compare(">", n, con(0))]])
    up = move("up", [update("n", "+=", con(1))], guards=[[compare("<", n, con(5))]])
    evaluator = Evaluator(game([field("n", con(0), con(5))], [up, down]))
    assert evaluator.moves((3,)) == [Played(0, (), ((4,),)), Played(1, (), ((2,),))]


def test_right_sides_read_the_old_position() -> None:
    swap = move("swap", [update("a", "=", state("b")), update("b", "=", state("a"))])
    bounds = [field(name, con(0), con(9)) for name in "ab"]
    assert Evaluator(game(bounds, [swap])).moves((3, 8)) == [Played(0, (), ((8, 3),))]


def test_changes_of_one_cell_add_up() -> None:
    both = move("both", [update("n", "-=", con(1)), update("n", "+=", con(3))])
    assert Evaluator(game([field("n", con(0), con(9))], [both])).moves((4,)) == [Played(0, (), ((6,),))]
    sets = move("sets", [update("s", "-=", con(frozenset({1}))), update("s", "|=", con(frozenset({4})))])
    assert Evaluator(game([set_field("s", 0, 9)], [sets])).moves((frozenset({1, 2}),)) == [
        Played(0, (), ((frozenset({2, 4}),),))
    ]


@pytest.mark.parametrize("ops", [("=", "="), ("=", "+="), ("+=", "=")])
def test_setting_a_cell_twice_is_a_fault(ops: tuple[str, str]) -> None:
    twice = move("twice", [update("n", op, con(1)) for op in ops])
    with pytest.raises(RuleFault) as caught:
        Evaluator(game([field("n", con(0), con(9))], [twice])).moves((4,))
    assert code(caught) == "GS158"


def test_cells_of_an_array_are_set_at_once() -> None:
    row = state("row", LIST)
    one, three, i = con(1), con(3), local("i")
    # row[i] = row[4 - i] for i in 1..3: turns the row round
    turn = update("row", "=", cell(row, binary("-", con(4), i), one, three), i, Tail((Bind("i", span(one, three)),)))
    evaluator = Evaluator(game([array_field("row", one, three, 0, 9)], [move("turn", [turn])]))
    assert evaluator.moves(((1, 2, 5),)) == [Played(0, (), (((5, 2, 1),),))]
    clash = update("row", "=", con(0), con(2), Tail((Bind("i", span(one, con(2))),)))
    with pytest.raises(RuleFault) as caught:
        Evaluator(game([array_field("row", one, three, 0, 9)], [move("clash", [clash])])).moves(((1, 2, 5),))
    assert code(caught) == "GS158"
    assert "row[2]" in caught.value.diagnostics[0].message


def test_one_value_fills_an_array_that_start_does_not_read() -> None:
    states = [field("n", con(2), con(9)), array_field("row", con(1), state("n"), 0, 9)]
    starting = game(states, [], start=[update("row", "=", con(7)), update("n", "=", con(5))])
    assert Evaluator(starting).start({"n": 3}) == (3, (7, 7, 7))


@pytest.mark.parametrize(("op", "by"), [("-=", 5), ("+=", 6), ("=", 10), ("=", -1)])
def test_an_update_must_stay_in_its_range(op: str, by: int) -> None:
    evaluator = Evaluator(game([field("n", con(0), con(9))], [move("go", [update("n", op, con(by))])]))
    with pytest.raises(RuleFault) as caught:
        evaluator.moves((4,))
    assert code(caught) == "GS154"
    assert ("when n = 4" in caught.value.diagnostics[0].message) == (op != "=")


def test_a_set_must_stay_in_its_range() -> None:
    put = move("put", [update("s", "|=", con(frozenset({3, 12})))])
    with pytest.raises(RuleFault) as caught:
        Evaluator(game([set_field("s", 0, 9)], [put])).moves((frozenset({1}),))
    assert code(caught) == "GS155"
    assert "12" in caught.value.diagnostics[0].message


def test_a_move_must_keep_what_is_required() -> None:
    even = compare("==", binary("%", n, con(2)), con(0))
    halves = game([field("n", con(0), con(9))], [move("one", [update("n", "-=", con(1))])], requires=[even])
    evaluator = Evaluator(halves)
    assert evaluator.holds((4,))
    assert not evaluator.holds((5,))
    assert not evaluator.holds((10,))
    with pytest.raises(RuleFault) as caught:
        evaluator.moves((4,))
    assert code(caught) == "GS157"
    assert "n = 3" in caught.value.diagnostics[0].label


def test_indices_and_divisors_are_watched() -> None:
    row = state("row", LIST)
    states = [array_field("row", con(1), con(3), 0, 9)]
    evaluator = Evaluator(game(states, []))
    position = ((4, 5, 6),)
    assert evaluator.expr(cell(row, con(3), con(1), con(3)), position) == 6
    for expression, expected in (
        (cell(row, con(0), con(1), con(3)), "GS153"),
        (cell(row, con(4), con(1), con(3)), "GS153"),
        (binary("/", con(1), con(0)), "GS152"),
        (binary("%", con(1), con(0)), "GS152"),
        (binary("**", con(2), con(-1)), "GS151"),
        (binary("**", con(10), con(10**9)), "GS160"),
        (binary("*", binary("**", con(2), con(100)), binary("**", con(2), con(30))), "GS160"),
        (span(con(0), con(10**9)), "GS161"),
        (call("primes", con(10**9)), "GS151"),
        (fold("max", local("i"), Bind("i", span(con(1), con(0)))), "GS150"),
    ):
        with pytest.raises(RuleFault) as caught:
            evaluator.expr(expression, position)
        assert code(caught) == expected


def test_arithmetic() -> None:
    evaluator = Evaluator(game([], []))
    for op, left, right, value in (
        ("/", -7, 2, -4),
        ("%", -7, 2, 1),
        ("%", 7, -2, -1),
        ("**", 2, 10, 1024),
        ("**", -1, 10**9, 1),
        ("**", -1, 10**9 + 1, -1),
        ("**", 0, 10**9, 0),
        ("**", 0, 0, 1),
        ("xor", 6, 3, 5),
    ):
        assert evaluator.expr(binary(op, con(left), con(right)), ()) == value, (op, left, right)
    s, t = con(frozenset({1, 2, 3})), con(frozenset({3, 4}))
    assert evaluator.expr(binary("xor", s, t), ()) == {1, 2, 4}
    assert evaluator.expr(binary("&", s, t), ()) == {3}
    assert evaluator.expr(compare("<=", con(frozenset({1})), s), ()) is True
    assert evaluator.expr(compare(">=", con(frozenset({1})), s), ()) is False


def test_folds_see_every_digit_and_sets_each_once() -> None:
    evaluator = Evaluator(game([], []))
    digits = call("digits", con(1122), of=LIST)
    assert evaluator.expr(fold("sum", local("d"), Bind("d", digits)), ()) == 6
    assert evaluator.expr(fold("sum", local("d"), Bind("d", binary("|", digits, con(frozenset())))), ()) == 3
    big = compare(">", local("d"), con(1))
    assert evaluator.expr(fold("count", big, Bind("d", digits)), ()) == 2
    assert evaluator.expr(fold("gcd", local("d"), Bind("d", con(frozenset({8, 12})))), ()) == 4
    pairs = (Bind("i", span(con(1), con(3))), Bind("j", span(con(1), local("i"))))
    assert evaluator.expr(fold("count", con(1), *pairs), ()) == 6


def test_and_or_and_any_guard_what_stands_to_their_right() -> None:
    evaluator = Evaluator(game([], []))
    fails = compare("==", binary("/", con(1), con(0)), con(1))
    no, yes = compare("<", con(1), con(0)), compare("<", con(0), con(1))
    assert evaluator.expr(model.And(operands=(no, fails), type=BOOL), ()) is False
    assert evaluator.expr(model.Or(operands=(yes, fails), type=BOOL), ()) is True
    at_two = compare(">", binary("/", con(6), binary("-", con(3), local("i"))), con(5))
    assert evaluator.expr(fold("any", at_two, Bind("i", span(con(1), con(3)))), ()) is True


def test_a_move_may_leave_several_components_or_none() -> None:
    split = Into((Part((con(1),), Tail((Bind("i", span(con(1), n)),))), Part((binary("-", n, con(1)),))))
    shatter = game([field("n", con(0), con(9))], [move("shatter", split), move("vanish", Into(()))], disjunctive=True)
    assert [played.results for played in Evaluator(shatter).moves((2,))] == [((1,), (1,), (1,)), ()]


def test_verdicts_in_file_order_and_stuck_last() -> None:
    down = move("down", [update("n", "-=", con(2))], guards=[[compare(">", n, con(1))]])
    rules = [
        Terminal(compare("==", n, con(7)), Verdict.MOVER_WINS),
        Terminal(compare(">=", n, con(7))),
        Terminal(model.Stuck(type=BOOL), Verdict.MOVER_WINS),
    ]
    bounds = [field("n", con(0), con(9))]
    normal = Evaluator(game(bounds, [down], terminals=rules))
    assert [normal.verdict((k,)) for k in (0, 1, 2, 7, 8)] == [
        Verdict.MOVER_WINS,
        Verdict.MOVER_WINS,
        None,
        Verdict.MOVER_WINS,
        Verdict.MOVER_LOSES,
    ]
    misere = Evaluator(game(bounds, [down], terminals=rules[:2], misere=True))
    assert misere.verdict((0,)) is Verdict.MOVER_WINS
    assert misere.verdict((8,)) is Verdict.MOVER_WINS
    assert len(misere.moves((8,))) == 1  # moves are found without looking at terminal


def test_ranges_are_not_stored_and_work_is_bounded() -> None:
    k = Bind("k", span(con(1), con(10**12)))
    member = model.Member(item=con(10**11), within=span(con(1), con(10**12)), type=BOOL)
    rule = move("take", [update("n", "-=", con(1))], [k], [[], [compare("<", local("k"), con(0))]])
    evaluator = Evaluator(game([field("n", con(0), con(9))], [rule]), steps=1000)
    assert evaluator.expr(member, (1,)) is True
    with pytest.raises(TooMuchWork) as caught:
        evaluator.moves((1,))
    assert code(caught) == "GS162"
    assert 1000 <= evaluator.worked <= 1010


def test_bounds_may_name_givens_and_earlier_fields() -> None:
    bounded = game(
        [field("lo", con(1), given("n")), field("hi", state("lo"), given("n"))],
        [move("up", [update("lo", "+=", con(1))])],
        givens=[field("n", con(0), con(99))],
    )
    evaluator = Evaluator(bounded, {"n": 5})
    assert evaluator.holds((2, 2))
    assert not evaluator.holds((3, 2))
    assert evaluator.moves((2, 4)) == [Played(0, (), ((3, 4),))]
    with pytest.raises(RuleFault) as caught:
        evaluator.moves((4, 4))
    assert code(caught) == "GS154"


def test_a_position_that_takes_too_long() -> None:
    """A fault of the spec for who looks at it, a limit for who asks about a position."""
    far = gamespec.loads("game g state n: 0..10**6 move take choose k in 1..n when k % 7 == 6 do n -= k")
    with pytest.raises(TooMuchWork):
        Evaluator(far, steps=1000).moves((10**6,))
    with pytest.raises(LimitError) as caught:
        LimitedEvaluator(far, steps=1000).moves((10**6,))
    assert caught.value.diagnostics[0].code == "GS162"
    assert LimitedEvaluator(far, steps=1000).moves((6,))[0].choices == (6,)
