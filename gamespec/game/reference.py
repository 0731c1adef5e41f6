"""The values of positions by the definition: every position is worth what its moves make of it.

Nothing recurses, so a play may be as long as memory allows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import pairwise

from gamespec.diagnostics import Kind, LimitError
from gamespec.game import problems
from gamespec.game.evaluate import Evaluator, Played
from gamespec.game.fault import RuleFault
from gamespec.game.model import Position, Verdict
from gamespec.game.show import position_text

POSITIONS = 4_000_000
"""How many positions a reference keeps the values of."""

OVER_POSITIONS = Kind(
    "GS310",
    "the reference evaluator visits more than {limit} positions",
    help="ask for smaller positions, or use a plan that compiles",
)

SEARCHED = 20_000
"""How many positions are searched for the shortest play that comes back."""

SHOWN = 6
"""How many moves of such a play a message shows."""


class Reference:
    """Outcomes and Grundy values under one evaluator (one game with the data of one case or component).

    In a sum, a position is one component. Every question raises RuleFault where a rule fails or a position
    comes back, and LimitError (GS310) above `limit` positions.
    """

    def __init__(self, evaluator: Evaluator, limit: int = POSITIONS) -> None:
        self.evaluator = evaluator
        self.limit = limit
        self._won: dict[Position, bool] = {}
        self._grundy: dict[Position, int] = {}

    def won(self, position: Position) -> bool:
        """Whether the player to move wins. Moves after the first winning one are not followed."""
        if self.evaluator.game.sum:
            return self.grundy(position) != 0
        if position not in self._won:
            self._search(position)
        return self._won[position]

    def grundy(self, position: Position) -> int:
        """The least number that no move leads to; a move into several components leads to the xor of theirs.

        Needs normal play without verdicts; raises ValueError otherwise.
        """
        game = self.evaluator.game
        if game.misere or any(terminal.verdict for terminal in game.terminals):
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

    def winning(self, position: Position, others: int = 0) -> list[Played]:
        """The winning moves in the order of `Evaluator.moves`; none where the game is over.

        In a sum, `others` is the xor of the Grundy values of the other components.
        """
        if self.evaluator.verdict(position) is not None:
            return []
        plays = self.evaluator.moves(position)
        if self.evaluator.game.sum:
            return [play for play in plays if self.grundy_of_sum(play.results) == others]
        return [play for play in plays if not self.won(play.results[0])]

    # --- outcomes ------------------------------------------------------------------------------------------

    def _search(self, start: Position) -> None:
        """Finds the outcome of a position depth first; the path holds each position with the options left."""
        path: list[tuple[Position, deque[Position]]] = []
        met: set[Position] = set()
        self._enter(start, path, met)
        while path:
            position, options = path[-1]
            while options and self._won.get(options[0]):
                options.popleft()
            if options and options[0] not in self._won:
                self._enter(options[0], path, met)
                continue
            self._won[position] = bool(options)
            path.pop()
            met.discard(position)

    def _enter(self, position: Position, path: list[tuple[Position, deque[Position]]], met: set[Position]) -> None:
        if position in met:
            raise self.repeating(position, [each for each, _ in path])
        verdict = self.evaluator.verdict(position)
        if verdict is not None:
            self._keep(len(self._won))
            self._won[position] = verdict is Verdict.MOVER_WINS
            return
        self._keep(len(self._won) + len(path))
        met.add(position)
        path.append((position, deque(play.results[0] for play in self.evaluator.moves(position))))

    # --- Grundy values -------------------------------------------------------------------------------------

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
                self._grundy[position] = _mex(self.grundy_of_sum(results) for results in open_.pop(position))
                stack.pop()
            else:
                over = self.evaluator.verdict(position) is not None
                options = [] if over else [play.results for play in self.evaluator.moves(position)]
                open_[position] = options
                self._keep(len(self._grundy) + len(open_))
                for option in {option: None for results in options for option in results}:
                    if option in open_:
                        raise self.repeating(option, list(open_))
                    if option not in self._grundy:
                        stack.append(option)

    def _keep(self, count: int) -> None:
        if count >= self.limit:
            raise LimitError(OVER_POSITIONS.at(None, limit=f"{self.limit:,}"), source=self.evaluator.game.source)

    # --- plays that come back ------------------------------------------------------------------------------

    def repeating(self, position: Position, path: list[Position]) -> RuleFault:
        """The fault of a position that is met again; `path` leads from the start to the move back to it."""
        game, givens = self.evaluator.game, self.evaluator.givens
        play = self._way_back(position) or self._along([*path[path.index(position) :], position])
        words = [position_text(game, position, givens)]
        for played, after in play:
            choices = " ".join(str(choice) for choice in played.choices)
            name = game.moves[played.move].name
            words.append(f"{name} {choices}: {position_text(game, after)}".replace(" :", ":"))
        if len(words) > SHOWN + 1:
            words = [*words[: SHOWN - 1], f"… ({len(play)} moves) …", words[-1]]
        move = game.moves[play[-1][0].move]
        diagnostic = problems.REPEATS.at(move.span, play=" → ".join(words), move=move.name)
        return RuleFault(diagnostic, game, position, move)

    def _way_back(self, position: Position) -> list[tuple[Played, Position]] | None:
        """A shortest play from a position to itself, or None if it was not found soon."""
        came: dict[Position, tuple[Position, Played]] = {}
        queue = deque([position])
        while queue and len(came) < SEARCHED:
            current = queue.popleft()
            if self.evaluator.verdict(current) is not None:
                continue
            for played in self.evaluator.moves(current):
                for after in played.results:
                    if after == position:
                        play = [(played, after)]
                        while current != position:
                            before, how = came[current]
                            play.append((how, current))
                            current = before
                        return play[::-1]
                    if after not in came:
                        came[after] = (current, played)
                        queue.append(after)
        return None

    def _along(self, path: list[Position]) -> list[tuple[Played, Position]]:
        """The moves from each position of a path to the next."""
        play = []
        for before, after in pairwise(path):
            moves = self.evaluator.moves(before)
            play.append((next(played for played in moves if after in played.results), after))
        return play


def _mex(values: Iterable[int]) -> int:
    """The least number from 0 that is not among the values."""
    seen = set(values)
    least = 0
    while least in seen:
        least += 1
    return least
