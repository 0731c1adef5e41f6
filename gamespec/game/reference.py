"""The values of positions by the definition: every position is worth what its moves make of it.

Nothing recurses, so a play may be as long as memory allows. Where the spec says what endless play means, all
positions that play can reach are looked at; otherwise a position that comes back is a fault.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeVar

import msgspec

from gamespec.diagnostics import Kind, LimitError
from gamespec.game.arena import Arena, Component, Single, Step, Sum, Whole
from gamespec.game.comeback import SHOWN, coming_back, repeating
from gamespec.game.endless import endless_outcomes
from gamespec.game.evaluate import Evaluator, Played
from gamespec.game.fault import RuleFault
from gamespec.game.loopy import LoopyValue, breaking, loopy_values
from gamespec.game.model import DRAWN, LOST, WON, Game, Position

POSITIONS = 4_000_000
"""How many positions a reference keeps the values of."""

OVER_POSITIONS = Kind(
    "GS310",
    "the reference evaluator visits more than {limit} positions",
    help="ask for smaller positions, or use a plan that compiles",
)

P = TypeVar("P", bound=Hashable)
V = TypeVar("V")

RANK = (0, 2, 1)
"""How much a player likes an outcome, by its number: LOST, WON, DRAWN."""


class Worth(msgspec.Struct, Generic[V], frozen=True):
    """One kind of value, a number each, or a pair.

    `ended` is that of a position where the game is over, given its outcome; `made` what a step to a position is worth
    to the player who makes it; of several, the one with the highest `liking` counts. A value for which `enough` holds
    cannot be bettered.
    """

    ended: Callable[[int], V]
    made: Callable[[V, Step[Any]], V]
    liking: Callable[[V], tuple[int, int]]
    enough: Callable[[V], bool]


def flipped(outcome: int) -> int:
    """The outcome as the opponent sees it."""
    return outcome if outcome > WON else WON - outcome


def _outcome_made(value: int, step: Step[Any]) -> int:
    return value if step.keeps else flipped(value)


def _distance_made(value: int, step: Step[Any]) -> int:
    """Distance and outcome in one number: three times the plies to the end, plus the outcome; a draw has none."""
    plies, outcome = divmod(value, 3)
    outcome = _outcome_made(outcome, step)
    return outcome if RANK[outcome] == 1 else 3 * (plies + 1) + outcome


def _distance_liking(value: int) -> tuple[int, int]:
    plies, outcome = divmod(value, 3)
    return RANK[outcome], -plies if outcome == WON else plies


def _total_made(value: tuple[int, int], step: Step[Any]) -> tuple[int, int]:
    score, total = value
    gain = step.played.gain
    return (gain + score, gain + total) if step.keeps else (gain - score, gain + total - score)


OUTCOME: Worth[int] = Worth(lambda o: o, _outcome_made, lambda value: (RANK[value], 0), lambda value: value == WON)
DISTANCE: Worth[int] = Worth(lambda o: o, _distance_made, _distance_liking, lambda value: False)
SCORE: Worth[int] = Worth(
    lambda _: 0,
    lambda value, step: step.played.gain + (value if step.keeps else -value),
    lambda value: (value, 0),
    lambda value: False,
)
TOTAL: Worth[tuple[int, int]] = Worth(
    lambda _: (0, 0),
    _total_made,
    lambda value: value,
    lambda value: False,
)
"""The score and the total of the player to move: what that player gains from here on, the score being this less what
the other one gains. Each player makes the score as good as possible and, among moves of equal score, the own total. As
the other's total is the own one less the score, both then want both totals to be greater, so that it is the same whose
total decides between moves of equal score."""


class Values(Generic[P]):
    """Outcomes, distances and scores of the positions of an arena.

    Every question raises RuleFault where a rule fails or, without `endless`, a position comes back, and LimitError
    (GS310) above `limit` positions.
    """

    def __init__(self, arena: Arena[P], limit: int = POSITIONS) -> None:
        self.arena = arena
        self.game: Game = arena.game
        self.limit = limit
        self._known: dict[str, dict[P, Any]] = {"outcome": {}, "distance": {}, "score": {}, "total": {}}

    def outcome(self, position: P) -> int:
        """LOST, WON or DRAWN for the player to move. Moves after the first winning one are not followed, unless
        `endless` is declared."""
        if self.game.scored:
            score = self.score(position)
            return WON if score > 0 else LOST if score < 0 else DRAWN
        return self._value("outcome", OUTCOME, position)

    def won(self, position: P) -> bool:
        """Whether the player to move wins."""
        return self.outcome(position) == WON

    def distance(self, position: P) -> int:
        """Three times the plies until the game is over, plus the outcome: the winner hurries, the loser delays.

        A draw, and a win that endless play gives, have the distance 0.
        """
        return self._value("distance", DISTANCE, position)

    def score(self, position: P) -> int:
        """The gains of the mover minus those of the opponent, from here on, when both do their best."""
        return self._value("score", SCORE, position)

    def total(self, position: P) -> tuple[int, int]:
        """The score, and the gains of the mover from here on (see `TOTAL`)."""
        return self._value("total", TOTAL, position)

    def _value(self, name: str, worth: Worth[V], position: P) -> V:
        known: dict[P, V] = self._known[name]
        if position not in known:
            if self.game.endless is None:
                self._search(worth, position, known)
            else:
                self._solve(position)
        return known[position]

    # --- play that ends ------------------------------------------------------------------------------------

    def _search(self, worth: Worth[V], start: P, known: dict[P, V]) -> None:
        """Depth first; the path holds each position with the moves left and the best value found."""
        path: list[tuple[P, deque[Step[P]], list[V]]] = []
        met: set[P] = set()
        self._enter(worth, start, known, path, met)
        while path:
            position, steps, best = path[-1]
            while steps and steps[0].after in known:
                step = steps.popleft()
                value = worth.made(known[step.after], step)
                if not best or worth.liking(value) > worth.liking(best[0]):
                    best[:] = [value]
                if worth.enough(best[0]):
                    steps.clear()
            if steps:
                self._enter(worth, steps[0].after, known, path, met)
                continue
            known[position] = best[0]
            path.pop()
            met.discard(position)

    def _enter(
        self,
        worth: Worth[V],
        position: P,
        known: dict[P, V],
        path: list[tuple[P, deque[Step[P]], list[V]]],
        met: set[P],
    ) -> None:
        if position in met:
            raise self._comes_back(position, [each for each, _, _ in path])
        ended = self.arena.ended(position)
        self._keep(len(known) + len(path))
        if ended is not None:
            known[position] = worth.ended(ended)
            return
        met.add(position)
        path.append((position, deque(self.arena.steps(position)), []))

    def _comes_back(self, position: P, path: list[P]) -> RuleFault:
        raise NotImplementedError

    # --- play that may go on for ever ----------------------------------------------------------------------

    def graph(self, start: P) -> tuple[dict[P, int], dict[P, list[Step[P]]]]:
        """All positions that play from one reaches: outcomes of those where the game is over, moves of the others."""
        over: dict[P, int] = {}
        moves: dict[P, list[Step[P]]] = {}
        waiting = [start]
        seen = {start}
        while waiting:
            position = waiting.pop()
            ended = self.arena.ended(position)
            if ended is not None:
                over[position] = ended
                continue
            moves[position] = self.arena.steps(position)
            for step in moves[position]:
                if step.after not in seen:
                    self._keep(len(seen))
                    seen.add(step.after)
                    waiting.append(step.after)
        return over, moves

    def _solve(self, start: P) -> None:
        over, moves = self.graph(start)
        assert self.game.endless is not None
        solved = endless_outcomes(over, moves, self.arena.turn, self.game.endless)
        self._known["distance"].update(solved)
        self._known["outcome"].update((position, value % 3) for position, value in solved.items())

    def _keep(self, count: int) -> None:
        if count >= self.limit:
            raise LimitError(OVER_POSITIONS.at(None, limit=f"{self.limit:,}"), source=self.game.source)


class Reference(Values[Position]):
    """Values under one evaluator (one game with the data of one case or component).

    In an impartial sum under normal play, a position is one component, with its Grundy value; SumReference solves
    the others.
    """

    def __init__(self, evaluator: Evaluator, limit: int = POSITIONS) -> None:
        super().__init__(Single(evaluator), limit)
        self.evaluator = evaluator
        self._grundy: dict[Position, int] = {}
        self._loopy: dict[Position, LoopyValue] = {}

    def outcome(self, position: Position) -> int:
        """LOST, WON or DRAWN for the player to move."""
        if self.game.sum:
            return WON if self.grundy(position) else LOST
        return super().outcome(position)

    def grundy(self, position: Position) -> int:
        """The least number that no move leads to; a move into several components leads to the xor of theirs.

        Needs an impartial game, normal play without verdicts; raises ValueError otherwise.
        """
        game = self.game
        if game.misere or game.partisan or game.scored or any(terminal.verdict for terminal in game.terminals):
            raise ValueError("a Grundy value needs normal play without verdicts")
        if position not in self._grundy:
            self._explore(position)
        return self._grundy[position]

    def grundy_of_sum(self, positions: Iterable[Position]) -> int:
        """The Grundy value of several components that stand side by side; 0 for none."""
        total = 0
        for position in positions:
            total ^= self.grundy(position)
        return total

    def loopy(self, position: Position) -> LoopyValue:
        """The Smith value of a component whose play may come back.

        Where moves may leave several components, or none, play must end: otherwise it raises RuleFault.
        """
        if breaking(self.game):
            return self.grundy(position)
        if position not in self._loopy:
            over, moves = self.graph(position)
            self._loopy.update(loopy_values(over, {at: [s.after for s in steps] for at, steps in moves.items()}))
        return self._loopy[position]

    def winning(self, position: Position, others: int = 0) -> list[Played]:
        """The winning moves in the order of `Evaluator.moves`; none where the game is over.

        In a sum, `others` is the xor of the Grundy values of the other components.
        """
        if self.evaluator.ending(position) is not None:
            return []
        if self.game.sum:
            plays = self.evaluator.moves(position)
            return [play for play in plays if self.grundy_of_sum(play.results) == others]
        steps = self.arena.steps(position)
        if self.game.scored:
            return [step.played for step in steps if SCORE.made(self.score(step.after), step) > 0]
        return [step.played for step in steps if _outcome_made(self.outcome(step.after), step) == WON]

    def _comes_back(self, position: Position, path: list[Position]) -> RuleFault:
        return repeating(self.evaluator, position, path)

    def _explore(self, start: Position) -> None:
        """Finds the Grundy value of a position and of all that can be reached from it, depth first.

        The stack holds positions to visit; those in `open_` wait for their options, and are exactly the ones on
        the way from the start to the position on top.
        """
        stack = [start]
        open_: dict[Position, list[tuple[Position, ...]]] = {}
        while stack:
            position = stack[-1]
            if position in self._grundy:
                stack.pop()
            elif position in open_:
                self._grundy[position] = mex(self.grundy_of_sum(results) for results in open_.pop(position))
                stack.pop()
            else:
                over = self.evaluator.ending(position) is not None
                options = [] if over else [play.results for play in self.evaluator.moves(position)]
                open_[position] = options
                self._keep(len(self._grundy) + len(open_))
                for option in {option: None for results in options for option in results}:
                    if option in open_:
                        raise repeating(self.evaluator, option, list(open_))
                    if option not in self._grundy:
                        stack.append(option)


class SumReference(Values[Whole]):
    """Outcomes of disjunctive sums by playing the whole: right for every convention, and slow.

    `evaluators` have the data of the components, and the same game.
    """

    def __init__(self, evaluators: Sequence[Evaluator], limit: int = POSITIONS) -> None:
        self.sum = Sum(evaluators)
        super().__init__(self.sum, limit)

    def outcome_of(self, components: Sequence[Component]) -> int:
        """LOST, WON or DRAWN for the player to move in these components."""
        return self.outcome(self.sum.whole(components))

    def winning(self, components: Sequence[Component]) -> Mapping[int, list[Played]]:
        """The winning moves in each component, by its place in the sequence."""
        found: dict[int, list[Played]] = {}
        if self.sum.ended(self.sum.whole(components)) is not None:
            return found
        for place in range(len(components)):
            for step in self.sum.steps(tuple(components)):
                if step.component == place and _outcome_made(self.outcome(step.after), step) == WON:
                    found.setdefault(place, []).append(step.played)
        return found

    def _comes_back(self, position: Whole, path: list[Whole]) -> RuleFault:
        """The fault of a sum that comes back, as that of a component: some component must come back, too, as the
        multiset order of components would fall otherwise."""
        after: dict[Component, list[Component]] = {}
        places: dict[Component, Position] = {}
        for one, two in pairwise([*path[path.index(position) :], position]):
            step = next(step for step in self.sum.steps(one) if step.after == two)
            number, at = one[step.component]
            before = self._without_turn(number, at)
            places[before] = at
            after.setdefault(before, []).extend(self._without_turn(number, to) for to in step.played.results)
        circle = circle_in(after)
        positions = [places[component] for component in circle]
        return coming_back(self.sum.evaluators[circle[0][0]], positions[:SHOWN], positions[-1], len(positions))

    def _without_turn(self, number: int, at: Position) -> Component:
        return number, at[:-1] if self.game.partisan else at


def circle_in(after: Mapping[P, Iterable[P]]) -> list[P]:
    """Nodes of a graph along a circle, which it must have."""
    ends: set[P] = set()
    path: dict[P, Iterator[P]] = {}
    for start in after:
        node: P | None = start
        while node is not None or path:
            if node is not None and node not in ends:
                if node in path:
                    nodes = list(path)
                    return nodes[nodes.index(node) :]
                path[node] = iter(after.get(node, ()))
            last = next(reversed(path), None)
            node = None if last is None else next(path[last], None)
            if node is None and last is not None:
                ends.add(last)
                del path[last]
    raise ValueError("the graph has no circle")


def mex(values: Iterable[int]) -> int:
    """The least number from 0 that is not among the values."""
    seen = set(values)
    least = 0
    while least in seen:
        least += 1
    return least
