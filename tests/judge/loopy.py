"""Straightforward programs for shipped games in which play may come back, in the manner of `tests.judge.programs`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

from tests.judge.answer import lines, numbers

Place = tuple[int, ...]


def loopy(
    starts: Iterable[Place], moves: Callable[[Place], list[Place]], ended: Callable[[Place], bool | None]
) -> dict[Place, tuple[bool, int]]:
    """Whether who is to move wins, and in how many moves; drawn positions are left out.

    `ended` says it where the game is over. Layer by layer: round k finds what is decided in k moves.
    """
    after: dict[Place, list[Place]] = {}
    found: dict[Place, tuple[bool, int]] = {}
    waiting = list(starts)
    while waiting:
        place = waiting.pop()
        if place in after:
            continue
        end = ended(place)
        after[place] = moves(place) if end is None else []
        if not after[place]:
            found[place] = (bool(end), 0)
        waiting += after[place]
    for moved in itertools.count(1):
        new = {}
        for place in after.keys() - found.keys():
            known = [found.get(each) for each in after[place]]
            if any(each is not None and not each[0] for each in known):
                new[place] = (True, moved)
            elif None not in known:
                new[place] = (False, moved)
        if not new:
            return found
        found |= new
    raise AssertionError


def cat_and_mouse(text: str) -> str:
    read, answers = numbers(text), []
    for n in read:
        graph = [[next(read) for _ in range(next(read))] for _ in range(n)]

        def moves(place: Place, graph: list[list[int]] = graph) -> list[Place]:
            mouse, cat, turn = place
            if turn == 0:
                return [(to, cat, 1) for to in graph[mouse]]
            return [(mouse, to, 0) for to in graph[cat] if to != 0]

        def ended(place: Place) -> bool | None:
            mouse, cat, turn = place
            return turn == 0 if mouse == 0 else turn == 1 if mouse == cat else None

        won = loopy([(1, 2, 0)], moves, ended).get((1, 2, 0))
        answers.append("nobody" if won is None else "the mouse" if won[0] else "the cat")
    return lines(answers)


def northcott(text: str) -> str:
    read, answers = numbers(text), []
    for n in read:
        width = next(read)
        start = (*(next(read) for _ in range(2 * n)), 0)

        def moves(place: Place, n: int = n, width: int = width) -> list[Place]:
            turn, found = place[-1], []
            for row in range(n):
                white, black = place[2 * row : 2 * row + 2]
                squares = range(white + 1, width + 1) if turn else range(1, black)
                for to in squares:
                    if to not in (white, black):
                        new = [*place[:-1], 1 - turn]
                        new[2 * row + turn] = to
                        found.append(tuple(new))
            return found

        won = loopy([start], moves, lambda place: None).get(start)
        answers.append("nobody" if won is None else "white" if won[0] else "black")
    return lines(answers)


ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
BESIDE = {frozenset(pair) for row in ROWS for pair in itertools.pairwise(row)}


def three_mens_morris(text: str) -> str:
    def moves(place: Place) -> list[Place]:
        board, placed, turn = place[:9], place[9], place[10]
        empty = [at for at in range(9) if board[at] == 0]
        found = []
        for at in [None] if placed < 6 else [at for at in range(9) if board[at] == 1 + turn]:
            for to in empty:
                if at is None or frozenset((at, to)) in BESIDE:
                    new = list(board)
                    if at is not None:
                        new[at] = 0
                    new[to] = 1 + turn
                    found.append((*new, min(6, placed + 1), 1 - turn))
        return found

    def ended(place: Place) -> bool | None:
        other = 2 - place[10]
        return False if any(all(place[at] == other for at in row) for row in ROWS) else None

    start = (0,) * 11
    won = loopy([start], moves, ended).get(start)
    return "draw\n" if won is None else f"{'black' if won[0] else 'white'} wins in {won[1]}\n"
