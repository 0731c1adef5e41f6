"""Everything that can be asked: one entry each."""

from __future__ import annotations

from gamespec.answers.answer import Answer, Case
from gamespec.answers.ask import Ask, always
from gamespec.answers.moves import move_text
from gamespec.game.model import Choice, Entry, Game, Hole, Line, Template, Winning


def _outcome(_game: Game, case: Case) -> str:
    return "win" if case.value else "lose"


def _grundy(_game: Game, case: Case) -> int:
    return case.value


def _winning_moves(game: Game, case: Case) -> str:
    return " ".join(move_text(game, move) for move in case.moves)


def _winning_move(game: Game, case: Case) -> str:
    return move_text(game, case.moves[0]) if case.moves else ""


def _winning_count(_game: Game, case: Case) -> int:
    return len(case.moves)


def _case(_game: Game, case: Case) -> int:
    return case.number


OUTCOME = Answer("outcome", "`win` or `lose`, for the player to move", "{outcome}", Ask(), _outcome)
GRUNDY = Answer(
    "grundy",
    "the Grundy value: the size of the Nim heap that the position is worth; of a sum, the xor of its components",
    "{grundy}",
    Ask(grundy=True),
    _grundy,
)
WINNING_MOVES = Answer(
    "winning_moves",
    "all winning moves, in the order of the file and ascending choices, with one blank between them; nothing where"
    " none wins. A move is `[component:][name:]values`: the component (1, 2, … in the order of the input) only in a"
    " sum, the name only if the spec has several moves",
    "The winning moves are: {winning_moves}",
    Ask(moves=True),
    _winning_moves,
)
WINNING_MOVE = Answer(
    "winning_move",
    "the first of the winning moves; nothing where none wins",
    "play {winning_move}",
    Ask(moves=True),
    _winning_move,
)
WINNING_COUNT = Answer(
    "winning_count",
    "how many choices win: moves are counted, not what they lead to",
    "{winning_count}",
    Ask(moves=True),
    _winning_count,
)
CASE = Answer("case", "the number of the case, from 1", "Case {case}:", Ask(), _case)

ANSWERS: dict[str, Answer] = {
    answer.name: answer for answer in (OUTCOME, GRUNDY, WINNING_MOVES, WINNING_MOVE, WINNING_COUNT, CASE)
}


def needed(game: Game) -> Ask:
    """What the output clause asks for; a component of a sum always needs its Grundy value."""
    ask = always(game)
    for entry in game.output.entries:
        for template in templates(entry):
            for piece in template:
                if isinstance(piece, Hole) and piece.answer is not None:
                    ask |= ANSWERS[piece.answer].ask
    return ask


def templates(entry: Entry) -> list[Template]:
    """The texts of one line of the output."""
    match entry:
        case Line(text) | Winning(text):
            return [text]
        case Choice(texts):
            return list(texts.values())
