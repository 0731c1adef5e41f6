"""Sums whose components interact, against the definition, which plays the whole."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random

from gamespec.answers.ask import Ask
from gamespec.diagnostics import LimitError
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import WON, Game, Position, Value
from gamespec.game.reference import SumReference
from gamespec.plan.plan import WholeSolver

Rows = list[tuple[int, Position]]


class Sums:
    """Cases of a few components with some sets of data, and the reference that knows their answers."""

    def __init__(
        self,
        game: Game,
        datas: Sequence[dict[str, Value]],
        places: Sequence[Sequence[Position]],
        limit: int = 100_000,
        most: int = 3,
    ) -> None:
        """`places` are positions under each set of data; `most` components are in a case."""
        self.game = game
        self.datas = datas
        self.places = places
        self.most = most
        self.reference = SumReference([Evaluator(game, data) for data in datas], limit)

    def drawn(self, random: Random, count: int, ask: Ask) -> list[Rows]:
        """So many cases at random; those that the reference cannot play within its limit are left out."""
        found = []
        for _ in range(count):
            case = self._case(random)
            with suppress(LimitError):
                self._answer(ask, case)
                self.reference.winning(case)
                found.append(case)
        return found

    def _case(self, random: Random) -> Rows:
        mover = random.randrange(2)
        case = []
        for _ in range(random.randint(1, self.most)):
            data = random.randrange(len(self.datas))
            fitting = [at for at in self.places[data] if not self.game.partisan or at[-1] == mover]
            if fitting:
                case.append((data, random.choice(fitting)))
        return case

    def _answer(self, ask: Ask, case: Rows) -> int:
        whole = self.reference.sum.whole(case)
        return self.reference.distance(whole) if ask.distance else self.reference.outcome(whole)

    def compare(self, made: WholeSolver, ask: Ask, cases: Sequence[Rows], label: str = "") -> None:
        """Holds the answers of all cases, and the winning moves of each, against the reference."""
        rows = [row for case in cases for row in case]
        found = made.sums(*self._columns(rows), list(map(len, cases)))
        for case, answer in zip(cases, found, strict=True):
            assert answer == self._answer(ask, case), f"{label} {case}"
            options = made.sum_options(*self._columns(case))
            wins = [(place, one.move, one.choices) for place, one in options if ask.outcome(one.value) == WON]
            truth = self.reference.winning(case)
            expected = [(place + 1, play.move, play.choices) for place in sorted(truth) for play in truth[place]]
            assert wins == expected, f"{label} {case}"

    def _columns(self, rows: Rows) -> tuple[list[list[Value]], list[list[Value]]]:
        givens = [[self.datas[data][field.name] for data, _ in rows] for field in self.game.givens]
        states = [[at[place] for _, at in rows] for place in range(len(self.game.states))]
        return givens, states
