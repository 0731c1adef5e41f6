"""Outcomes of positions when play may go on for ever: what a player can force, and `endless` for the rest."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from gamespec.game.arena import Step
from gamespec.game.model import DRAWN, LOST, WON, Verdict

P = TypeVar("P", bound=Hashable)
Moves = Mapping[P, Sequence[Step[P]]]


def endless_outcomes(
    over: Mapping[P, int], moves: Moves[P], turn: Callable[[P], int], endless: Verdict
) -> dict[P, int]:
    """For each position three times its distance plus its outcome.

    `over` has the outcomes of positions where the game is over, `moves` those of all others. First come the wins
    that are forced in finitely many plies, round by round, so that the round is the distance. If endless play is a
    draw, all the rest is drawn. If it wins for one player, the rest is drawn where the other can force at least a
    draw, and else won for that player, without a distance.
    """
    known = {position: outcome for position, outcome in over.items() if outcome != DRAWN}
    plies = 0
    while True:
        plies += 1
        decided = {}
        for position, steps in moves.items():
            if position not in known:
                outcome = _decided(steps, known)
                if outcome is not None:
                    decided[position] = 3 * plies + outcome
        if not decided:
            break
        known.update(decided)
    rest = [position for position in (*over, *moves) if position not in known]
    if endless is Verdict.DRAW:
        return known | dict.fromkeys(rest, DRAWN)
    loser = 1 if endless is Verdict.FIRST_WINS else 0
    safe = {position for position, outcome in over.items() if outcome == DRAWN}
    safe |= {position for position, value in known.items() if value % 3 == (WON if turn(position) == loser else LOST)}
    while True:
        more = {
            position
            for position in rest
            if position not in safe
            and (any if turn(position) == loser else all)(step.after in safe for step in moves[position])
        }
        if not more:
            break
        safe |= more
    for position in rest:
        known[position] = DRAWN if position in safe else LOST if turn(position) == loser else WON
    return known


def _decided(steps: Sequence[Step[P]], known: Mapping[P, int]) -> int | None:
    """WON if a step wins, LOST if all of them lose, None if that is not known yet."""
    all_lose = True
    for step in steps:
        value = known.get(step.after)
        outcome = None if value is None else value % 3 if step.keeps else WON - value % 3
        if outcome == WON:
            return WON
        all_lose = all_lose and outcome == LOST
    return LOST if all_lose else None
