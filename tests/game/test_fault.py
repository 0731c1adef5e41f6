"""What a fault says: the user's own names, an example position, the place, and a guard to paste."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import gamespec
from gamespec.game.evaluate import Evaluator, RuleFault
from gamespec.game.model import Position, Value
from gamespec.game.reference import Reference

OUTPUT = 'output win "w" lose "l"'


def fault(text: str, position: Position, givens: Mapping[str, Value] | None = None) -> RuleFault:
    """The fault that looking for the moves of a position ends in."""
    with pytest.raises(RuleFault) as caught:
        Evaluator(gamespec.loads(f"game example {text} {OUTPUT}"), givens).moves(position)
    return caught.value


def marked(found: RuleFault) -> str:
    """The source text that the fault points at."""
    (diagnostic,) = found.diagnostics
    assert diagnostic.span is not None
    assert found.source is not None
    return found.source.slice(diagnostic.span)


def guard(found: RuleFault) -> str | None:
    """The guard that the fault suggests."""
    return next((help_.value for help_ in found.diagnostics[0].helps if help_.clause == "when"), None)


# text, position, code, message, marked text, guard
CASES: dict[str, tuple[str, Position, str, str, str, str | None]] = {
    "cow": (
        "state n: 0..1000000 let ds = digits(n) - {0} move take choose d in {min(ds), max(ds)} do n -= d input read n",
        (0,),
        "GS150",
        "`min(ds)` has nothing to choose from when n = 0",
        "min(ds)",
        "n > 0",
    ),
    "no single number to blame": (
        "state s: set of 1..5 move take do s -= {min(s)} input read k, s[k]",
        (frozenset(),),
        "GS150",
        "`min(s)` has nothing to choose from when s = {}",
        "min(s)",
        "s != {}",
    ),
    "below": (
        "state n: 0..10 move take choose k in 1..3 do n -= k input read n",
        (2,),
        "GS154",
        "move `take` makes n = -1, which is outside 0..10 when n = 2, k = 3",
        "n -= k",
        "k <= n",
    ),
    "below a bound that is not 0": (
        "state n: 2..10 move take choose k in 1..3 do n -= k + 1 input read n",
        (4,),
        "GS154",
        "move `take` makes n = 1, which is outside 2..10 when n = 4, k = 2",
        "n -= k + 1",
        "n - (k + 1) >= 2",
    ),
    "above": (
        "state n: 0..10 move add choose k in 1..3 do n += k input read n",
        (9,),
        "GS154",
        "move `add` makes n = 11, which is outside 0..10 when n = 9, k = 2",
        "n += k",
        "n + k <= 10",
    ),
    "division": (
        "state a, b: 0..10 move take choose k in 1..a / b do a -= k * b input read a, b",
        (9, 0),
        "GS152",
        "`a / b` divides by zero when a = 9, b = 0",
        "a / b",
        "b != 0",
    ),
    "index that is always wrong": (
        "state a: array[1..3] of 0..3 move take when a[4] > 0 do a[1] -= 1 input read a[3]",
        ((0, 0, 0),),
        "GS153",
        "`a[4]` is outside the array when a = [0, 0, 0]",
        "a[4]",
        None,
    ),
    "array": (
        "state v: array[1..3] of 0..9 state at: 1..3 move step when v[at + 1] > 0 do at += 1 input read v[3], at",
        ((4, 5, 6), 3),
        "GS153",
        "`v[at + 1]` is outside the array when v = [4, 5, 6], at = 3",
        "v[at + 1]",
        "at + 1 <= 3",
    ),
    "set": (
        "state s: set of 1..5 move shift choose x in s do s |= {x + 1} input read k, s[k]",
        (frozenset({2, 5}),),
        "GS155",
        "move `shift` puts 6 into s, a set of 1..5 when s = {2, 5}, x = 5",
        "s |= {x + 1}",
        None,
    ),
    "require": (
        "state a, b: 0..10 require a <= b move take choose k in 1..b do b -= k input read a, b",
        (2, 4),
        "GS157",
        "move `take` breaks `require a <= b` when a = 2, b = 4, k = 3",
        "move take choose k in 1..b do b -= k",
        None,
    ),
    "twice": (
        "state p: array[1..3] of 0..9 move clear choose i in 1..3 do p[i] = 0, p[2] = 5 input read p[3]",
        ((1, 2, 3),),
        "GS158",
        "move `clear` sets p[2] twice when i = 2",
        "p[2] = 5",
        None,
    ),
    "a name of for is out of sight of when": (
        "state n: 0..9 move take do n -= sum(6 / i for i in 0..n) input read n",
        (2,),
        "GS152",
        "`6 / i` divides by zero when i = 0",
        "6 / i",
        None,
    ),
    "domain": (
        "state n: 0..9 move take choose d in divisors(n) do n -= d input read n",
        (0,),
        "GS151",
        "`divisors(n)` lists the divisors of a number from 1, but gets 0 when n = 0",
        "divisors(n)",
        "n > 0",
    ),
    "into": (
        "sum state n: 0..9 move split choose a in 0..n into (a), (n - a - 1) input read n",
        (0,),
        "GS154",
        "move `split` makes n = -1, which is outside 0..9 when n = 0, a = 0",
        "(n - a - 1)",
        None,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_fault(name: str) -> None:
    text, position, code, message, place, suggested = CASES[name]
    found = fault(text, position)
    (diagnostic,) = found.diagnostics
    assert (diagnostic.code, diagnostic.message) == (code, message)
    assert marked(found) == place
    assert guard(found) == suggested
    assert found.position == position
    assert found.move is not None


def test_the_suggested_guard_helps() -> None:
    """The rule with its guard in front has no fault at the position any more."""
    for text, position, _, _, _, suggested in CASES.values():
        if suggested is not None:
            before, do, after = text.partition(" do ")
            joined = f"{before.replace(' when ', f' when {suggested} and ')}{do}{after}"
            if " when " not in before:
                joined = f"{before} when {suggested}{do}{after}"
            game = gamespec.loads(f"game example {joined} {OUTPUT}")
            Evaluator(game).moves(position)


def test_a_definition_shows_its_value() -> None:
    text, position, *_ = CASES["cow"]
    found = fault(text, position)
    (note,) = found.diagnostics[0].notes
    assert note.message == "digits(0) is [0], so ds is {}"
    assert found.source is not None
    assert note.span is not None
    assert found.source.slice(note.span) == "digits(n) - {0}"


def notes(found: RuleFault) -> list[str]:
    return [note.message for note in found.diagnostics[0].notes]


def test_a_function_shows_its_argument_and_value() -> None:
    text = "state n: 0..9 let half(m) = m / 2 let far(a, b) = a + b move take when n > 0 do n -= "
    assert notes(fault(text + "half(n + 8) input read n", (6,))) == ["half(14) is 7"]
    assert notes(fault(text + "far(n, 1) input read n", (6,))) == ["far(…) is 7"]
    text = text.replace("when n > 0", "choose k in {8}")
    assert notes(fault(text + "half(k) input read n", (3,))) == ["half(8) is 4"]


def test_a_broken_requirement_shows_the_definitions_of_what_fails_and_of_the_updates() -> None:
    text = (
        "state n: 0..9 let most = 7 let less = n / 8 let odd = n % 2 let step = n + 3 "
        "require n >= less and n <= most move add when n < 6 do n = step input read n"
    )
    assert notes(fault(text, (5,))) == ["required here", "most is 7", "step is 8"]
    text = text.replace("n <= most", "n - odd <= 6")
    assert notes(fault(text, (5,))) == ["required here", "odd is 0 after the move", "step is 8"]


def test_a_choice_and_a_guard_show_the_definitions_that_allowed_too_much() -> None:
    text = "state n: 0..9 let most = n + 1 move take choose k in 1..most do n -= k input read n"
    assert notes(fault(text, (3,))) == ["most is 4"]
    text = "state n: 0..9 let top = 10 move add when n < top do n += 1 input read n"
    assert notes(fault(text, (9,))) == ["top is 10"]


def test_definitions_behind_a_branch_not_taken_are_not_shown() -> None:
    text = "state n: 0..9 let a = n + 1 let b = n + 2 move take do n -= if n > 4 then a else b input read n"
    assert notes(fault(text, (5,))) == ["a is 6"]


def test_many_definitions_are_cut() -> None:
    lets = " ".join(f"let a{i} = n + {i}" for i in range(6))
    total = " + ".join(f"a{i}" for i in range(6))
    assert notes(fault(f"state n: 0..9 {lets} move take do n -= {total} input read n", (1,))) == [
        "a0 is 1",
        "a1 is 2",
        "a2 is 3",
    ]


def test_failing_definitions_used_by_each_other_end_soon() -> None:
    lets = " ".join(f"let a{i} = a{i + 1} + a{i + 1} / n" for i in range(40))
    found = fault(f"state n: 0..9 let a40 = 6 / n {lets} move take when a0 > 0 do n -= 1 input read n", (0,))
    assert found.diagnostics[0].code == "GS152"


def test_the_example_names_the_data_of_the_case() -> None:
    found = fault("given size: 1..9 state n: 0..size move add do n += 1 input read size, n", (4,), {"size": 4})
    assert found.diagnostics[0].message == "move `add` makes n = 5, which is outside 0..4 when n = 4"
    assert guard(found) == "n + 1 <= size"


def test_a_long_play_is_cut() -> None:
    ring = gamespec.loads(f"game example state n: 0..99 move step do n = (n + 1) % 100 input read n {OUTPUT}")
    with pytest.raises(RuleFault) as caught:
        Reference(Evaluator(ring)).won((98,))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "GS159"
    assert diagnostic.message.startswith("a position can come back: n = 98 → step: n = 99 → step: n = 0 → ")
    assert diagnostic.message.endswith("→ … (100 moves) … → step: n = 98")
