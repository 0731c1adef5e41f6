"""The record of facts: sizes, subtraction sets, digits, sentences, repetitions."""

from __future__ import annotations

import pytest

from gamespec.analysis.facts import analyse
from gamespec.analysis.repeat import repetitions
from tests.analysis.brute import facts_of, game_of

MOVE = "move m choose k in 1..3 when k <= n do n -= k"


@pytest.mark.parametrize(
    ("text", "positions", "words"),
    [
        (f"state n: 0..9_999 {MOVE}", 10_000, "10,000"),
        ("state a: 1..4 state b: 0..a move m when a > 1 and b == 0 do a -= 1", 20, "4 * 5 = 20"),
        ("state s: set of 2..20 move m choose x in s do s -= {x}", 1 << 19, "2^19 = 524,288"),
        ("state r: array[1..5] of 0..8 move m choose i in 1..5, k in 1..r[i] do r[i] -= k", 9**5, "9^5 = 59,049"),
        (
            "state r: sorted array[1..3] of 0..4 state n: 0..1 move m when n > 0 do n -= 1, r[1] = 0",
            2 * sum(a <= b <= c for a in range(5) for b in range(5) for c in range(5)),
            "C(7, 3) * 2 = 70",
        ),
        ("state f: bool state c: {red, green, blue} move m when f do f = false", 6, "2 * 3 = 6"),
        (f"state n: 0..10 ** 30 {MOVE}", 10**30 + 1, "about 10^30"),
    ],
)
def test_size(text: str, positions: int, words: str) -> None:
    facts = facts_of(f"game g {text}", "g")
    assert facts.size.positions == positions
    assert facts.size.text == words


@pytest.mark.parametrize(
    ("text", "values", "words"),
    [
        (MOVE, (1, 2, 3), "1..3"),
        ("move m choose k in {1, 5, 9} when k <= n do n -= k", (1, 5, 9), "{1, 5, 9}"),
        ("move m choose k in {4, 1} when n - k >= 0 do n = n - k move six when n >= 6 do n -= 6", (1, 4, 6), "6"),
        ("move m choose k in powers(2, n) do n -= k", None, "powers(2, n)"),
        ("move m choose k in squares(n) do n -= k", None, "squares(n)"),
        ("let few = {2, 3} move m choose k in few when k <= n do n -= k", (2, 3), "{2, 3}"),
    ],
)
def test_subtraction(text: str, values: tuple[int, ...] | None, words: str) -> None:
    found = facts_of(f"game g state n: 0..99 {text}", "g").subtraction
    assert found is not None
    assert found.values == values
    assert words in found.evidence.text


@pytest.mark.parametrize(
    "text",
    [
        "move m choose k in 1..3 when k < n do n -= k",
        "move m choose k in 1..3 when k <= n and n != 7 do n -= k",
        "move m choose k in digits(n) - {0} do n -= k",
        "move m when n > 0 do n = n / 2",
        "move m choose k in 1..3 when k <= n do n -= k move h when n > 1 do n = n / 2",
        "move m choose k in powers(2, n - 1) do n -= k",
    ],
)
def test_no_subtraction(text: str) -> None:
    assert facts_of(f"game g state n: 0..99 {text}", "g").subtraction is None


def test_digits() -> None:
    facts = facts_of(
        "game g state n: 0..999 let ds = digits(n) - {0} "
        "move a when n > 0 do n -= max(ds) move b when n > 0 and sum(digits(n, 2)) > 1 do n -= 1 "
        "move c choose d in digits(n / 2) when 0 < d <= n do n -= d",
        "g",
    )
    assert {(use.field, use.base) for use in facts.digits} == {("n", 10), ("n", 2)}


def test_sentences() -> None:
    facts = facts_of("game g sum state n: 0..99 move split choose a in 1..n - 1 into (a), (n - a)", "g")
    texts = [sentence.text for sentence in facts.sentences]
    assert texts[0] == "impartial, normal play: whoever made the last move wins"
    assert texts[1] == "a sum of components; split splits one into several"
    assert texts[-1] == "no position repeats: n is a rank"


def test_verdicts_and_misere_are_said() -> None:
    assert "misère" in facts_of(f"game g state n: 0..9 {MOVE} winner stuck player", "g").kind.text
    assert "name the winner" in facts_of(f"game g state n: 0..9 {MOVE} terminal mover wins when n == 1", "g").kind.text


def test_a_repeating_play_is_shown() -> None:
    game = game_of("game g state n: 0..5 move down when n > 0 do n -= 1 move up when n > 0 and n < 5 do n += 1", "g")
    (found,) = repetitions(game, analyse(game))
    assert found.severity == "error"
    assert "n = 1 → up: n = 2 → down: n = 1" in found.message


def test_a_long_way_round_is_found() -> None:
    game = game_of("game g state n: 0..199 state m: 0..3 move on do n = (n + 1) % 200", "g")
    (found,) = repetitions(game, analyse(game))
    assert found.severity == "error"


def test_what_ends_for_another_reason_is_a_note() -> None:
    game = game_of("game g state n: 0..6 move m choose k in 0..6 when (n * 5 + k) % 7 < n * 3 % 7 do n = k", "g")
    facts = analyse(game)
    found = repetitions(game, facts)
    assert facts.finite is None
    assert len(found) == 1


def test_nothing_to_say_where_play_ends() -> None:
    game = game_of(f"game g state n: 0..9 {MOVE}", "g")
    assert repetitions(game, analyse(game)) == []


def test_a_declared_end_of_endless_play_is_not_searched_for() -> None:
    game = game_of("game drawn state n: 0..9 move up when n < 9 do n += 1 move down when n > 0 do n -= 1 endless draw")
    assert repetitions(game, analyse(game)) == []
    game = game_of("game drawn state n: 0..9 move down when n > 0 do n -= 1 endless draw")
    (found,) = repetitions(game, analyse(game))
    assert (found.code, found.severity, found.label) == ("GS184", "note", "no position repeats: n is a rank")


def test_circles_of_a_graph_are_for_the_input_to_rule_out() -> None:
    game = game_of(
        "game drawn given next: array[0..2] of set of 0..2 state at: 0..2 move go choose v in next[at] do at = v"
    )
    (found,) = repetitions(game, analyse(game))
    assert found.severity == "warning"
    assert found.message.startswith("with such data a position can come back: next = ")
