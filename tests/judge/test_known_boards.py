"""What the literature says about boards: who wins, how soon, and how many positions there are."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations_with_replacement

import pytest

import gamespec
from gamespec.game.model import DRAWN, LOST, WON
from tests.census import census
from tests.tool import ROOT, solve, spec
from tests.tool import gamespec as tool

PROBLEMS = ROOT.parent / "shared" / "problems"


# --- positions and outcomes --------------------------------------------------------------------------------


def test_tic_tac_toe_has_5478_positions_and_is_drawn() -> None:
    """765 of them differ by more than a rotation or reflection."""
    empty = "board=.../.../..."
    all_of_them = census("tic_tac_toe", empty, symmetry=False, strategy="memo")
    assert (all_of_them.outcome, all_of_them.positions) == (DRAWN, 5478)
    orbits = census("tic_tac_toe", empty, strategy="memo")
    assert (orbits.outcome, orbits.positions) == (DRAWN, 765)


def test_connect_four_on_4_by_4() -> None:
    """J. Tromp's count of the positions, and their outcomes for the player to move."""
    every = census("connect_four", symmetry=False, strategy="memo")
    assert (every.outcome, every.positions) == (DRAWN, 161_029)
    assert every.won_drawn_lost == (38_675, 90_120, 32_234)


@pytest.mark.parametrize(("wide", "high"), [(4, 4), (5, 4), (4, 5)])
def test_small_connect_four_is_drawn(wide: int, high: int) -> None:
    assert solve("connect_four", "", "-D", f"wide={wide}", "-D", f"high={high}") == "draw\n"


@pytest.mark.slow
def test_connect_four_5_wide_4_high() -> None:
    every = census("connect_four", params={"wide": 5}, symmetry=False, strategy="memo", counted=False)
    assert (every.outcome, every.positions) == (DRAWN, 3_945_711)


@pytest.mark.parametrize(
    ("name", "outcome", "positions", "won_drawn_lost"),
    [
        ("dodgem", WON, 1963, (1123, 0, 840)),
        ("mu_torere", DRAWN, 1180, (208, 844, 128)),
        ("pong_hau_ki", DRAWN, 56, (8, 44, 4)),
    ],
)
def test_boards_where_play_may_come_back(
    name: str, outcome: int, positions: int, won_drawn_lost: tuple[int, int, int]
) -> None:
    """Winning Ways, chapter 22 (Dodgem); M. Ascher (1987); the numbers of positions as GAMESMAN has them."""
    every = census(name, symmetry=False)
    assert (every.outcome, every.positions, every.won_drawn_lost) == (outcome, positions, won_drawn_lost)


@pytest.mark.parametrize(
    ("name", "won_drawn_lost"),
    [
        ("connect_four", (38_675, 90_120, 32_234)),
        ("dodgem", (1123, 0, 840)),
        ("mu_torere", (208, 844, 128)),
        ("pong_hau_ki", (8, 44, 4)),
    ],
)
def test_census_from_the_start(name: str, won_drawn_lost: tuple[int, int, int]) -> None:
    """The same counts by `gamespec census`; all of them are of the positions that play from the start reaches."""
    found = gamespec.census(gamespec.load(str(spec(name))))
    assert (found.won, found.drawn, found.lost) == won_drawn_lost
    assert found.positions == sum(won_drawn_lost)


@pytest.mark.slow
def test_census_of_connect_four_5_wide_4_high() -> None:
    assert gamespec.census(gamespec.load(str(spec("connect_four")), {"wide": 5})).positions == 3_945_711


@pytest.mark.parametrize(("n", "expected"), [(2, "3: 1,2 2,1"), (3, "5: 1,3 2,1 2,2 2,3 3,1")])
def test_small_hex(n: int, expected: str) -> None:
    assert solve("hex", "", "-D", f"n={n}") == f"red wins in {expected}\n"


@pytest.mark.slow
def test_hex_on_4_by_4_is_won_on_the_short_diagonal_only() -> None:
    """M. Gardner, Scientific American, July 1957."""
    assert solve("hex", "", "-D", "n=4") == "red wins in 9: 1,4 2,3 3,2 4,1\n"


@pytest.mark.parametrize(
    ("wide", "high", "expected"), [(1, 1, "0 to 1"), (2, 1, "1 to 1"), (2, 2, "3 to 1"), (3, 2, "2 to 4")]
)
def test_small_dots_and_boxes(wide: int, high: int, expected: str) -> None:
    """D. Wilson's analysis."""
    assert solve("dots_and_boxes", "", "-D", f"wide={wide}", "-D", f"high={high}") == f"{expected}\n"


def test_quixo_on_3_by_3_is_won_in_7() -> None:
    """S. Tanaka, F. Bonnet, S. Tixeuil, Y. Tamura (2020)."""
    start = census("quixo")
    assert (start.outcome, start.distance) == (WON, 7)


@pytest.mark.slow
def test_quixo_on_4_by_4_is_won_in_21() -> None:
    """The same; one of each orbit of all boards, and little memory."""
    start = census("quixo", params={"top": 4}, memory=400 << 20, counted=False)
    assert (start.outcome, start.distance) == (WON, 21)


@pytest.mark.slow
def test_teeko_is_a_draw() -> None:
    """G. L. Steele Jr. (1998)."""
    start = census("teeko", params={"top": 5, "stones": 4}, memory=1 << 30, counted=False)
    assert start.outcome == DRAWN


def test_hexapawn_is_lost_in_6() -> None:
    """M. Gardner (1962). On three rows of six, the board that GAMESMAN begins with, 64,074 positions are reached."""
    start = census("hexapawn")
    assert (start.outcome, start.distance) == (LOST, 6)
    assert census("hexapawn", params={"wide": 6}, symmetry=False, strategy="memo").positions == 64_074


@pytest.mark.slow
def test_clobber_3_by_6_has_3492126_positions() -> None:
    every = census("clobber", symmetry=False, strategy="memo", counted=False)
    assert every.positions == 3_492_126


# --- who wins ----------------------------------------------------------------------------------------------

# D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving 8×8 Domineering (2000): V and H win whoever
# starts, 1 who starts, 2 who does not; rows down, columns across.
DOMINEERING = ["2HHHH", "V11HV", "V11HH", "VVV1V", "VHVH2"]


def test_domineering_to_5_by_5() -> None:
    sizes = [(rows, columns) for rows in range(1, 6) for columns in range(1, 6)]
    words = {"upright": "V", "flat": "H", "who starts": "1", "who does not start": "2"}
    answers = solve("domineering", "".join(f"{rows} {columns}\n" for rows, columns in sizes)).splitlines()
    found = [words[answer] for answer in answers]
    assert found == list("".join(DOMINEERING))


@pytest.mark.skipif(not (PROBLEMS / "domineering").is_dir(), reason="the problems are not here")
def test_domineering_as_other_solvers_say() -> None:
    words = {"upright": "V", "flat": "H", "who starts": "1", "who does not start": "2"}
    lines = (PROBLEMS / "domineering" / "1.in").read_text().split("\n")
    wanted = (PROBLEMS / "domineering" / "1.out").read_text().split()
    cases = list(zip(filter(None, lines), wanted, strict=True))
    cases = [(line, answer) for line, answer in cases if max(map(int, line.split())) <= 5]
    answers = solve("domineering", "".join(f"{line}\n" for line, _ in cases)).splitlines()
    assert [words[answer] for answer in answers] == [answer for _, answer in cases]


def test_chomp_on_8_by_10_has_two_winning_bites() -> None:
    """K. Thompson's example of a board whose first bite is not unique."""
    run = tool("value", spec("chomp"), "-D", "high=8", "-D", "wide=10", "height=8", "width=10", "--ask", "moves,count")
    assert run.code == 0, run.err
    assert run.out.split() == ["winning_moves", "4,9", "5,6", "winning_count", "2"]


def test_col_is_decided_by_who_starts() -> None:
    """A position is worth a number, or a number and a star (On Numbers and Games, chapter 8), and one without colours
    its own negative: 0 or star. It is 0 on a board with an even number of squares, where who does not start
    answers each move at the square opposite."""
    rng = random.Random(7)
    cases = []
    for _ in range(40):
        points = rng.randint(1, 8)
        edges = [(u, v) for v in range(1, points + 1) for u in range(1, v) if rng.random() < 0.4]
        cases.append((points, edges))
    rows, columns = 4, 3
    grid = [(r * columns + c + 1, r * columns + c + 2) for r in range(rows) for c in range(columns - 1)]
    grid += [(r * columns + c + 1, (r + 1) * columns + c + 1) for r in range(rows - 1) for c in range(columns)]
    cases.append((rows * columns, grid))
    text = "".join(f"{points} {len(edges)}\n" + "".join(f"{u} {v}\n" for u, v in edges) for points, edges in cases)
    answers = solve("col", text).splitlines()
    assert set(answers) == {"who starts", "who does not start"}
    assert answers[-1] == "who does not start"


def test_snort_with_a_centre_is_won_by_who_starts() -> None:
    """The first field is the centre, and every answer the reflection of the opponent's."""
    boards = [(rows, columns) for rows in (1, 3) for columns in (1, 3)]
    answers = solve("snort", "".join(f"{rows} {columns}\n" for rows, columns in boards)).splitlines()
    assert answers == ["who starts"] * len(boards)


def test_toads_and_frogs() -> None:
    """Winning Ways, chapter 5: with one of each, 0 or star as the squares between are even or odd."""
    rows = ["T" + "." * gap + "F" for gap in range(1, 9)]
    assert solve("toads_and_frogs", f"{len(rows)}\n" + "\n".join(rows) + "\n").split() == ["N", "P"] * 4


def test_hackenbush_strings_by_berlekamps_rule() -> None:
    """Winning Ways, chapter 3: the first edges of one colour are whole, the rest halves, quarters, …"""

    def value(string: str) -> float:
        total, weight, changed = 0.0, 1.0, False
        for edge in string:
            changed = changed or edge != string[0]
            weight = weight / 2 if changed else weight
            total += weight if edge == "L" else -weight
        return total

    rng = random.Random(3)
    cases = [["".join(rng.choices("LR", k=rng.randint(1, 8))) for _ in range(rng.randint(1, 4))] for _ in range(60)]
    cases += [["L", "R"], ["LR", "LR", "R"], ["LRR", "LRR", "RL"], ["LRRL", "RLLR"]]
    totals = [sum(map(value, case)) for case in cases]
    text = f"{len(cases)}\n" + "".join(f"{len(case)} {' '.join(case)}\n" for case in cases)
    expected = ["Left" if total > 0 else "Right" if total < 0 else "who does not start" for total in totals]
    assert solve("hackenbush", text).splitlines() == expected


# --- heaps and numbers -------------------------------------------------------------------------------------


def misere_kayles() -> gamespec.Game:
    """The shipped spec with the other convention, answering who wins."""
    text = spec("kayles").read_text().partition("output:")[0]
    return gamespec.loads(text + 'winner: stuck player\noutput:\n  win: "won"\n  lose: "lost"\n', "yaml")


@cache
def misere_kayles_is_won(rows: tuple[int, ...]) -> bool:
    """By definition, for rows in ascending order."""
    options = set()
    for at, row in enumerate(rows):
        for knocked in (1, 2):
            for left in range(row - knocked + 1):
                parts = [part for part in (left, row - knocked - left) if part]
                options.add(tuple(sorted([*rows[:at], *rows[at + 1 :], *parts])))
    return not options or not all(map(misere_kayles_is_won, options))


def test_misere_kayles_single_rows() -> None:
    """Those that are lost up to 20 (W. L. Sibert and J. H. Conway, Mathematical Kayles, 1992)."""
    answers = gamespec.solve(misere_kayles(), "".join(f"1 {row}\n" for row in range(1, 21))).split()
    assert [row for row, answer in enumerate(answers, 1) if answer == "lost"] == [1, 4, 9, 12, 20]


def test_misere_kayles_is_not_tame() -> None:
    """Two rows: no rule of normal play with an exception for small rows decides them; 1 and 5 are the first case."""
    pairs = list(combinations_with_replacement(range(1, 10), 2))
    answers = gamespec.solve(misere_kayles(), "".join(f"2 {a} {b}\n" for a, b in pairs)).split()
    assert answers == ["won" if misere_kayles_is_won(pair) else "lost" for pair in pairs]
    normal = [1, 2, 3, 1, 4, 3, 2, 1, 4]  # values of rows 1..9
    by_rule = [
        "won" if ((x := normal[a - 1]) ^ (y := normal[b - 1]) != 0) == (max(x, y) > 1) else "lost" for a, b in pairs
    ]
    differ = [pair for pair, answer, rule in zip(pairs, answers, by_rule, strict=True) if answer != rule]
    assert differ[0] == (1, 5)


def test_sylver_coinage_replies() -> None:
    """Winning Ways, chapter 18."""
    replies = {(4, 5): "11", (4, 7): "13", (5, 6): "19", (2, 3): "lost"}
    answers = solve("sylver_coinage", "".join(f"2 {a} {b}\n" for a, b in replies)).splitlines()
    assert answers == list(replies.values())


def test_mock_turtles_are_odious() -> None:
    """Winning Ways, chapter 14: the n-th number with an odd number of ones in base 2."""
    odious = [number for number in range(400) if number.bit_count() % 2]
    values = solve("mock_turtles", "".join(f"1 {n}\n" for n in range(1, 201))).split()
    assert list(map(int, values)) == odious[:200]
