"""Which move the computer makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from gamespec.game.model import LOST, WON
from gamespec.play.ground import Ground, Place, Way
from gamespec.play.judge import Mark

MOST_REPLIES = 10_000
"""How many replies are looked at where values are not known."""


def best(marks: Sequence[Mark]) -> list[int]:
    """The numbers of the moves that are worth most."""
    most = max(mark.liking for mark in marks)
    return [number for number, mark in enumerate(marks) if mark.liking == most]


def chosen(ways: Sequence[Way], numbers: Sequence[int], met: Callable[[Place], bool], random: Random | None) -> Way:
    """One of some moves: rather one to a place that was not met yet; the first, or what chance says."""
    new = [number for number in numbers if not met(ways[number].after)] or list(numbers)
    return ways[random.choice(new) if random else new[0]]


def glimpse(ground: Ground, ways: Sequence[Way], here: int) -> list[int]:
    """The moves that do not look bad without knowing values: one that wins at once, else those that no reply beats.

    `here`: whose turn it is.
    """
    safe = []
    looked = 0
    for number, way in enumerate(ways):
        if _result(ground, way, here) == WON:
            return [number]
        replies = [] if looked > MOST_REPLIES else ground.ways(way.after)
        looked += len(replies)
        there = ground.turn(way.after, here)
        turned = there != here
        results = (_result(ground, reply, there) for reply in replies) if turned else ()
        if _result(ground, way, here) != LOST and WON not in results:
            safe.append(number)
    return safe or list(range(len(ways)))


def _result(ground: Ground, way: Way, here: int) -> int | None:
    """The outcome for the player who makes a move, if it ends the game."""
    over = ground.over(way.after)
    if over is None:
        return None
    keeps = ground.turn(way.after, here) == here
    return over.outcome if keeps or over.outcome > WON else WON - over.outcome
