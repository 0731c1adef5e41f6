"""Small random games with players, draws, extra turns, scores and endless play: strategies against the definition."""

from __future__ import annotations

from random import Random

import pytest

import gamespec
from gamespec.diagnostics import SpecError
from tests.agreement.test_kinds import compare

PLAYERS = ("red", "blue")


def drawn(seed: int) -> str:
    """A game over a ring of places (play comes back) or a pile (it ends), and a second number."""
    random = Random(seed)
    loops, partisan = random.random() < 0.5, random.random() < 0.7
    scored = not loops and random.random() < 0.3
    top = random.randint(4, 11)
    lines = [f"game kind_{seed}"]
    lines += [f"players {', '.join(PLAYERS)}"] * partisan
    lines += [f"state n: 0..{top}", "state m: 0..3"]
    for number in range(random.randint(1, 3)):
        by = f" by {random.choice(PLAYERS)}" if partisan and random.random() < 0.5 else ""
        takes = sorted(random.sample(range(1, 5), random.randint(1, 3)))
        chosen = f" choose k in {{{', '.join(map(str, takes))}}}"
        step = f"n = (n + k) % {top + 1}" if loops else "n -= k"
        guard = " when m > 0 or n % 2 == 1" if loops else " when k <= n"
        second = random.choice(["", f", m = (m + k + {number}) % 4"])
        turn = ""
        if partisan and random.random() < 0.4:
            turn = f", mover = if {random.choice(['k == 2', 'n % 3 == 0', 'm == 1'])} then mover else other"
        gain = f" gain {random.choice(['k', '2 - k', 'n % 3 - 1'])}" if scored else ""
        lines.append(f"move rule{number}{by}{chosen}{guard} do {step}{second}{turn}{gain}")
    verdicts = ["mover wins", "mover loses", "draw"] + [f"{who} wins" for who in PLAYERS] * partisan
    for _ in range(0 if scored else random.randint(0 if not loops else 1, 3)):
        where = random.choice([f"n == {random.randint(0, top)}", f"n == {random.randint(0, top)} and m > 0", "stuck"])
        lines.append(f"terminal {random.choice(verdicts)} when {where}")
    if scored:
        lines.append("winner highest score")
    elif random.random() < 0.4:
        lines.append("winner stuck player")
    if loops:
        ends = ["draw"] + [f"{who} wins" for who in PLAYERS] * partisan
        lines.append(f"endless {random.choice(ends)}")
    return "\n".join(lines)


@pytest.mark.parametrize("block", range(4))
def test_seeded_kinds(block: int) -> None:
    met: set[str] = set()
    games = 0
    for seed in range(20 * block, 20 * block + 20):
        try:
            game = gamespec.loads(drawn(seed))
        except SpecError:
            continue
        games += 1
        try:
            met |= compare(game, "llvm" if seed % 10 == 0 else "python")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{drawn(seed)}") from error
    assert met >= {"memo", "retrograde"}
    assert games >= 12
