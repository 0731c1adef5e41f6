"""What a solver may answer, found from the whole graph of positions: also where rules fail or play goes round.

A search may stop at the first winning move, so at a position where a rule fails, or from which play may come back,
it may still see that the position is won. `Truth.allowed` says which answers are right; `FAILS` is one of them where
the definition has no value.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamespec.game.evaluate import Evaluator, Played
from gamespec.game.fault import RuleFault, TooMuchWork
from gamespec.game.model import Position, Verdict

FAILS = -1


class TooManyPositions(Exception):
    """The graph is larger than the limit."""


class Truth:
    """All that can be reached from some positions of one game under the data of one case."""

    def __init__(self, evaluator: Evaluator, roots: Iterable[Position], limit: int) -> None:
        self.evaluator = evaluator
        self.game = evaluator.game
        self.decided: dict[Position, Verdict] = {}
        self.plays: dict[Position, list[Played]] = {}
        self.faulty: dict[Position, RuleFault] = {}
        self._walk(roots, limit)
        self.trouble = self._trouble()
        self._settle()
        self._grundy: dict[Position, int] = {}

    def _walk(self, roots: Iterable[Position], limit: int) -> None:
        waiting = list(roots)
        seen = set(waiting)
        while waiting:
            position = waiting.pop()
            if len(seen) > limit:
                raise TooManyPositions
            try:
                verdict = self.evaluator.verdict(position)
                plays = [] if verdict is not None else self.evaluator.moves(position)
            except TooMuchWork:
                raise TooManyPositions from None
            except RuleFault as fault:
                self.faulty[position] = fault
                continue
            if verdict is not None:
                self.decided[position] = verdict
                continue
            self.plays[position] = plays
            for after in (after for played in plays for after in played.results):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)

    def _next(self, position: Position) -> set[Position]:
        return {after for played in self.plays.get(position, ()) for after in played.results}

    def _trouble(self) -> set[Position]:
        """Positions from which play may meet a rule that fails, or a position a second time.

        What is left when ends are peeled off again and again: a fault or a circle is below it.
        """
        above: dict[Position, list[Position]] = {}
        open_ends: dict[Position, int] = {}
        for position in self.plays:
            below = self._next(position)
            open_ends[position] = len(below)
            for after in below:
                above.setdefault(after, []).append(position)
        fine = [*self.decided, *(position for position, count in open_ends.items() if count == 0)]
        self.order: list[Position] = []  # positions without trouble, each after those its moves lead to
        while fine:
            position = fine.pop()
            self.order.append(position)
            for before in above.get(position, ()):
                open_ends[before] -= 1
                if open_ends[before] == 0:
                    fine.append(before)
        return {*self.plays, *self.faulty} - set(self.order)

    def _settle(self) -> None:
        """Which positions can be seen to be won, and which to be lost."""
        self.can_win = {position for position, verdict in self.decided.items() if verdict is Verdict.MOVER_WINS}
        self.can_lose = set(self.decided) - self.can_win
        self.can_win |= set(self.faulty)
        if any(len(played.results) != 1 for plays in self.plays.values() for played in plays):
            return
        changed = True
        for_order = [
            *(position for position in self.order if position in self.plays),
            *(self.trouble - set(self.faulty)),
        ]
        while changed:
            changed = False
            for position in for_order:
                below = self._next(position)
                if position not in self.can_win and below & self.can_lose:
                    self.can_win.add(position)
                    changed = True
                if position not in self.can_lose and below <= self.can_win:
                    self.can_lose.add(position)
                    changed = True

    # --- answers -------------------------------------------------------------------------------------------

    def outcomes(self, position: Position) -> set[int]:
        """The outcomes (1 won, 0 lost) that may be answered."""
        allowed = {FAILS} if position in self.trouble else set()
        return allowed | ({1} if position in self.can_win else set()) | ({0} if position in self.can_lose else set())

    def grundy(self, position: Position) -> set[int]:
        """The Grundy value, or FAILS; every option counts, so that there is no other choice."""
        if not self._grundy:
            for each in self.order:
                options = {self._xor(played) for played in self.plays.get(each, ())}
                self._grundy[each] = next(value for value in range(len(options) + 1) if value not in options)
        return {self._grundy.get(position, FAILS)}

    def _xor(self, played: Played) -> int:
        total = 0
        for after in played.results:
            total ^= self._grundy[after]
        return total

    def allowed(self, position: Position, grundy: bool) -> set[int]:
        return self.grundy(position) if grundy else self.outcomes(position)

    def of_option(self, played: Played, grundy: bool) -> set[int]:
        """The numbers that may be answered for a move: with Grundy values that of what it leaves, else what it is
        worth to the player who makes it."""
        if not grundy:
            return {FAILS if outcome == FAILS else 1 - outcome for outcome in self.outcomes(played.results[0])}
        if any(after in self.trouble for after in played.results):
            return {FAILS}
        self.grundy(played.results[0]) if played.results else None
        return {self._xor(played)}
