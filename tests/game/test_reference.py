"""Values of positions against what is known of classic games."""

from __future__ import annotations

import pytest

from gamespec.diagnostics import LimitError
from gamespec.game.evaluate import Evaluator, Played, RuleFault
from gamespec.game.model import Bind, Game, Into, Part, Terminal, Verdict
from gamespec.game.reference import Reference
from tests.game.handmade import array_field, binary, cell, compare, con, field, game, local, move, span, state, update
from tests.game.test_evaluate import cow

n = state("n")


def subtraction(most: int, *, misere: bool = False, disjunctive: bool = False) -> Game:
    k = Bind("k", span(con(1), con(most)))
    take = move("take", [update("n", "-=", local("k"))], [k], [[], [compare("<=", local("k"), n)]])
    return game([field("n", con(0), con(10**6))], [take], misere=misere, disjunctive=disjunctive)


def splitting(fewest: int, most: int, uneven: bool) -> Game:
    """Octal games: take `fewest..most` from a heap and leave the rest in up to two heaps, or only split unevenly."""
    if uneven:
        half = binary("/", binary("-", n, con(1)), con(2))
        parts = Into((Part((local("a"),)), Part((binary("-", n, local("a")),))))
        moves = [move("split", parts, [Bind("a", span(con(1), half))])]
    else:
        moves = []
        for taken in range(fewest, most + 1):
            rest = binary("-", n, con(taken))
            parts = Into((Part((local("a"),)), Part((binary("-", rest, local("a")),))))
            moves.append(move(f"take{taken}", parts, [Bind("a", span(con(0), rest))]))
    return game([field("n", con(0), con(1000))], moves, disjunctive=True)


def test_subtraction_has_its_period() -> None:
    reference = Reference(Evaluator(subtraction(3)))
    assert [reference.grundy((k,)) for k in range(40)] == [k % 4 for k in range(40)]
    assert [reference.won((k,)) for k in range(40)] == [k % 4 != 0 for k in range(40)]
    assert reference.winning((7,)) == [Played(0, (3,), ((4,),))]
    assert reference.winning((8,)) == []


def test_misere_turns_the_end_round() -> None:
    reference = Reference(Evaluator(subtraction(3, misere=True)))
    assert [reference.won((k,)) for k in range(40)] == [k % 4 != 1 for k in range(40)]
    with pytest.raises(ValueError, match="normal play"):
        reference.grundy((5,))


def test_misere_nim_on_three_heaps() -> None:
    heaps, one, three = state("h"), con(1), con(3)
    i, k = Bind("i", span(one, three)), Bind("k", span(one, cell(heaps, local("i"), one, three)))
    take = move("take", [update("h", "-=", local("k"), local("i"))], [i, k])
    reference = Reference(Evaluator(game([array_field("h", one, three, 0, 4)], [take], misere=True)))
    for a in range(5):
        for b in range(5):
            for c in range(5):
                nim = (a ^ b ^ c) != 0
                assert reference.won(((a, b, c),)) == (nim if max(a, b, c) > 1 else not nim)


def test_nim_as_a_sum() -> None:
    reference = Reference(Evaluator(subtraction(1000, disjunctive=True)))
    assert reference.grundy_of_sum([(3,), (5,), (6,)]) == 0
    assert reference.grundy_of_sum([]) == 0
    others = reference.grundy_of_sum([(5,), (7,)])
    assert [played.choices for played in reference.winning((4,), others)] == [(2,)]
    assert reference.won((4,))
    assert not reference.won((0,))


def test_kayles() -> None:
    first = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6]
    reference = Reference(Evaluator(splitting(1, 2, False)))
    assert [reference.grundy((k,)) for k in range(len(first))] == first


def test_grundys_game() -> None:
    first = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0, 4, 1, 2, 3, 1, 2, 4, 1]
    reference = Reference(Evaluator(splitting(0, 0, True)))
    assert [reference.grundy((k,)) for k in range(len(first))] == first


def test_cow_digits() -> None:
    won = [False]
    for k in range(1, 1500):
        digits = [int(digit) for digit in str(k) if digit != "0"]
        won.append(not won[k - min(digits)] or not won[k - max(digits)])
    reference = Reference(Evaluator(cow(True)))
    assert [reference.won((k,)) for k in range(1500)] == won
    assert reference.won((9,))
    assert not reference.won((10,))


def test_a_verdict_decides_before_the_moves() -> None:
    plain = subtraction(2)
    rules = [Terminal(compare("==", n, con(4)), Verdict.MOVER_WINS)]
    reference = Reference(Evaluator(game(plain.states, plain.moves, terminals=rules)))
    # 4 is won by declaration: 0 lost, 1 2 won, 3 lost, 4 won, 5 won (to 3), 6 leads to 4 and 5 only.
    assert [reference.won((k,)) for k in range(7)] == [False, True, True, False, True, True, False]
    assert reference.winning((4,)) == []


def test_a_play_may_be_very_long() -> None:
    reference = Reference(Evaluator(subtraction(1)))
    assert reference.won((5_001,))
    assert not reference.won((5_000,))
    assert Reference(Evaluator(subtraction(1, disjunctive=True))).grundy((4_001,)) == 1


def test_too_many_positions_end_in_a_sentence() -> None:
    for disjunctive in (False, True):
        with pytest.raises(LimitError) as caught:
            Reference(Evaluator(subtraction(1, disjunctive=disjunctive)), limit=100).won((5000,))
        assert caught.value.diagnostics[0].code == "GS310"


@pytest.mark.parametrize("disjunctive", [False, True])
def test_a_position_that_comes_back_is_shown_with_a_play(disjunctive: bool) -> None:
    down = move("down", [update("n", "-=", con(1))], guards=[[compare(">", n, con(0))]])
    up = move("up", [update("n", "+=", local("k"))], [Bind("k", span(con(1), con(2)))], [[compare("<", n, con(4))], []])
    reference = Reference(Evaluator(game([field("n", con(0), con(9))], [down, up], disjunctive=disjunctive)))
    with pytest.raises(RuleFault) as caught:
        reference.won((4,))
    (found,) = caught.value.diagnostics
    assert found.code == "GS159"
    assert found.message.startswith("a position can come back: n = ")
    assert found.message.count("→") == 2  # the shortest play: down and up again


def test_a_move_to_the_same_position_comes_back_at_once() -> None:
    rest = move("rest", [])
    with pytest.raises(RuleFault) as caught:
        Reference(Evaluator(game([field("n", con(0), con(9))], [rest]))).won((4,))
    assert "n = 4 → rest: n = 4" in caught.value.diagnostics[0].message
