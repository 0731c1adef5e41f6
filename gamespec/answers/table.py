"""Everything that can be asked: one entry each."""

from __future__ import annotations

from gamespec.answers.answer import Answer, Case
from gamespec.answers.ask import Ask, always
from gamespec.answers.moves import move_text
from gamespec.answers.nim import finite_options
from gamespec.answers.speech import about_move, answer_names, holes
from gamespec.budget import timed
from gamespec.game.model import WON, Game, Hole, Winning

WORDS = ("lose", "win", "draw")
"""The words for the outcomes, by their numbers."""


def _outcome(_game: Game, case: Case) -> str:
    return WORDS[case.outcome]


def _winner(case: Case) -> int:
    """The number of the winner; in a draw that of nobody."""
    if case.outcome > WON:
        return -1
    return case.turn if case.outcome == WON else 1 - case.turn


def _player(game: Game, number: int) -> str:
    return game.players[number] if game.players is not None and number >= 0 else ""


def _grundy(_game: Game, case: Case) -> int | str:
    """The Grundy value, or `∞(0, 2)` for a position from which play may come back (see `gamespec.answers.nim`)."""
    if case.value >= 0:
        return case.value
    return f"∞({', '.join(map(str, finite_options(case.value)))})"


def _winning_moves(game: Game, case: Case) -> str:
    return " ".join(move_text(game, move) for move in timed(case.moves))


def _winning_move(game: Game, case: Case) -> str:
    return move_text(game, case.moves[0]) if case.moves else ""


def _best_moves(game: Game, case: Case) -> str:
    return " ".join(move_text(game, move) for move in timed(case.best()))


def _best_move(game: Game, case: Case) -> str:
    best = case.best()
    return move_text(game, best[0]) if best else ""


OUTCOME = Answer(
    "outcome",
    "`win`, `lose` or `draw`, for the player to move",
    "{outcome}",
    Ask(),
    lambda case: case.outcome,
    _outcome,
)
GRUNDY = Answer(
    "grundy",
    "the Grundy value: the size of the Nim heap that the position is worth; of a sum, the xor of its components. Where"
    " play may come back, `∞(…)` with the values of the options that have one",
    "{grundy}",
    Ask(grundy=True),
    lambda case: case.value,
    _grundy,
)
SCORE = Answer(
    "score",
    "the best difference: what the player to move gains from here on, minus what the other one does (games with"
    " `winner highest score`)",
    "{score}",
    Ask(score=True),
    lambda case: case.score,
)
TOTAL = Answer(
    "total",
    "what the player to move gains from here on, when each player plays for the best difference and, among moves of"
    " equal difference, for more of its own (games with `winner highest score`). `{total: other}` is what the other one"
    " gains, `{total: NAME}` what a named player gains; in an expression, `total - score` is the other's",
    "{total} to {total: other}",
    Ask(score=True, total=True),
    lambda case: case.total,
)
DISTANCE = Answer(
    "distance",
    "how many moves are made until the end when the winner hurries and the loser delays; 0 in a draw, and for a win"
    " that only endless play gives. Not in a sum, nor where scores decide, nor beside `grundy`",
    "{outcome} in {distance}",
    Ask(distance=True),
    lambda case: case.value // 3,
)
FIRST = Answer(
    "first",
    "the player who starts",
    "{first}",
    Ask(),
    lambda case: case.turn,
    lambda game, case: _player(game, case.turn),
)
WINNER = Answer(
    "winner",
    "the player who wins; where games can be drawn, only behind `win` and `lose` or beside `outcome`",
    "{winner}",
    Ask(),
    _winner,
    lambda game, case: _player(game, _winner(case)),
)
WINNING_MOVES = Answer(
    "winning_moves",
    "all winning moves, in the order of the file and ascending choices (or as `order` says), with one blank between"
    " them; nothing where none wins. A move is `[component:][name:]values`: the component (1, 2, … in the order of the"
    " input) only in a sum, the name only if the spec has several moves; a move that chooses nothing is its name, as in"
    " `split 2:left`. `{winning_moves: r, c}` lists these values"
    " only, with one blank between them all; `{winning_moves: r,c}`, without the blank, keeps a comma between those of"
    " one move, as in `1,3 2,2`",
    "The winning moves are: {winning_moves}",
    Ask(moves=True),
    text=_winning_moves,
)
WINNING_MOVE = Answer(
    "winning_move",
    "the first of the winning moves; nothing where none wins",
    "play {winning_move}",
    Ask(moves=True),
    text=_winning_move,
)
WINNING_COUNT = Answer(
    "winning_count",
    "how many choices win: moves are counted, not what they lead to",
    "{winning_count}",
    Ask(moves=True),
    lambda case: len(case.moves),
)
BEST_MOVES = Answer(
    "best_moves",
    "all moves that keep what the position is worth: those that win, else those that keep a draw, else all; where the"
    " output asks for `distance`, only those that win soonest or lose latest; where it is the score that counts, those"
    " of the best difference, and of these, where the output asks for `total`, those of the best own total. Printed as"
    " `winning_moves`",
    "{outcome}: {best_moves}",
    Ask(moves=True),
    text=_best_moves,
)
BEST_MOVE = Answer(
    "best_move",
    "the first of the best moves; nothing where the game is over",
    "play {best_move}",
    Ask(moves=True),
    text=_best_move,
)
CASE = Answer("case", "the number of the case, from 1; of the outermost one", "Case {case}:", Ask(), lambda c: c.number)
QUERY = Answer(
    "query", "the number of the innermost case under the same data, from 1", "{query}.", Ask(), lambda case: case.query
)

ANSWERS: dict[str, Answer] = {
    answer.name: answer
    for answer in (
        OUTCOME,
        GRUNDY,
        SCORE,
        TOTAL,
        DISTANCE,
        FIRST,
        WINNER,
        WINNING_MOVES,
        WINNING_MOVE,
        WINNING_COUNT,
        BEST_MOVES,
        BEST_MOVE,
        CASE,
        QUERY,
    )
}


def needed(game: Game) -> Ask:
    """What the output clause asks for, with what a solver says whatever is asked."""
    ask = always(game)
    for hole in holes(game):
        for name in answer_names(game, hole):
            if name in ANSWERS:
                ask |= ANSWERS[name].ask
        if about_move(game, hole):
            ask |= Ask(moves=True)
    for name in answer_names(game, Hole(None, None, game.output.order)):
        if name in ANSWERS:
            ask |= ANSWERS[name].ask
    if any(isinstance(entry, Winning) for entry in game.output.entries):
        ask |= Ask(moves=True)
    return ask
