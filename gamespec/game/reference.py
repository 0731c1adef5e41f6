"""The values of positions by the definition: every position is worth what its moves make of it.

Nothing recurses, so a play may be as long as memory allows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

from gamespec.diagnostics import Kind, LimitError
from gamespec.game import problems
from gamespec.game.evaluate import Evaluator, Played
from gamespec.game.fault import RuleFault
from gamespec.game.model import Game, Position, Verdict
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

SEARCH_STEPS = 1 << 17
"""How many steps the evaluator may take for this, and to find one move of such a play."""

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
        start = path.index(position)
        return self.coming_back(path[start : start + SHOWN], path[-1], len(path) - start)

    def coming_back(self, first: Sequence[Position], last: Position, moves: int) -> RuleFault:
        """The fault of a position that is met again after some moves.

        `first` are the positions where the first moves are made, the repeated one in front: all of them, or SHOWN.
        `last` is where the last move is made. No others are asked for, as such a play may be very long.
        """
        game, givens = self.evaluator.game, self.evaluator.givens
        quick = Evaluator(game, givens, steps=SEARCH_STEPS)
        position = first[0]
        shorter = _way_back(quick, position)
        if shorter:
            first, last, moves = shorter[:SHOWN], shorter[-1], len(shorter)
        steps = [*pairwise(first), (last, position)]
        left_out = moves > SHOWN
        if left_out:
            steps[SHOWN - 2 : -1] = []
        words, made = [position_text(game, position, givens)], None
        for before, after in steps:
            made = _move_between(quick, before, after)
            how = "" if made is None else f"{_move_text(game, made)}: "
            words.append(how + position_text(game, after))
        if left_out:
            words.insert(-1, f"… ({moves} moves) …")
        move = None if made is None else game.moves[made.move]
        span, name = (move.span, move.name) if move else (None, "")
        diagnostic = problems.REPEATS.at(span, play=" → ".join(words), move=name)
        return RuleFault(diagnostic, game, position, move)


def _way_back(evaluator: Evaluator, position: Position) -> list[Position]:
    """The positions of a shortest play from a position to itself, none if it was not found soon."""
    came: dict[Position, Position] = {}
    queue = deque([position])
    while queue and len(came) < SEARCHED and evaluator.worked < SEARCH_STEPS:
        current = queue.popleft()
        try:
            over = evaluator.verdict(current) is not None
            plays = [] if over else evaluator.moves(current)
        except RuleFault:  # too much work, or another fault than the one to be told
            continue
        for after in chain.from_iterable(played.results for played in plays):
            if after == position:
                play = [current]
                while current != position:
                    current = came[current]
                    play.append(current)
                return play[::-1]
            if after not in came:
                came[after] = current
                queue.append(after)
    return []


def _move_between(evaluator: Evaluator, before: Position, after: Position) -> Played | None:
    """A move from one position to the other, None if the position is too wide to look for it."""
    try:
        return next((played for played in evaluator.moves(before) if after in played.results), None)
    except RuleFault:
        return None


def _move_text(game: Game, played: Played) -> str:
    return " ".join([game.moves[played.move].name, *map(str, played.choices)])


def _mex(values: Iterable[int]) -> int:
    """The least number from 0 that is not among the values."""
    seen = set(values)
    least = 0
    while least in seen:
        least += 1
    return least
