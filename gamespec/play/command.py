"""What is typed: a move, by its number or as it is written, or a word for something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from gamespec.game.model import Game
from gamespec.play.ground import Way

COMMANDS = {
    "moves": "list all moves",
    "hint": "the best move",
    "hints off": "do not mark moves; `hints on` marks them again",
    "go": "the computer moves for whoever's turn it is",
    "auto": "the computer plays for both to the end",
    "undo": "take back your last move and what was answered",
    "redo": "make it again",
    "show": "the position once more",
    "rules": "the rules in words",
    "new": "start again",
    "help": "this list",
    "quit": "leave; so does the end of the input",
}
SHORT = {"q": "quit", "exit": "quit", "u": "undo", "r": "redo", "h": "help", "?": "help", "board": "show"}
SHORT |= {"hints": "hints on", "n": "new", "m": "moves"}
SIGN = "/"  # in front of a word that is a move's name as well
NUMBER = "#"  # in front of the number of a move, where moves are written as numbers themselves
MOST_SHOWN = 6


def is_bare(ways: Sequence[Way]) -> bool:
    """Whether a number alone is how a move is written, so that it cannot mean a place in the list."""
    return any(re.fullmatch(r"-?[0-9]+", way.text) for way in ways)


class Understanding:
    """What may be typed where these moves are legal."""

    def __init__(self, game: Game, ways: Sequence[Way]) -> None:
        self.ways = ways
        self.bare = is_bare(ways)
        self._exact = {way.text: way for way in ways}
        self._spoken: dict[tuple[str, ...], list[Way]] = {}
        alone = len({way.component for way in ways}) == 1
        for way in ways:
            for words in _spoken(game, way, alone):
                self._spoken.setdefault(words, []).append(way)

    def of(self, text: str) -> Way | str:
        """The move that is meant, or `/` and a command, or a sentence that says what is wrong."""
        if text in self._exact:
            return self._exact[text]
        number = re.fullmatch(r"#([0-9]{1,9})" if self.bare else r"#?([0-9]{1,9})", text)
        if number is not None:
            place = int(number[1])
            if 1 <= place <= len(self.ways):
                return self.ways[place - 1]
            return f"There is no move number {place}; " + self._count()
        word = text.removeprefix(SIGN).lower()
        command = SHORT.get(word, word)
        if command in COMMANDS or command == "hints on":
            return SIGN + command
        meant = self._spoken.get(tuple(re.split(r"[\s,:;]+", text.strip(" ,:;"))), [])
        if len(meant) == 1:
            return meant[0]
        if meant:
            return f"`{text}` may be {_some([way.text for way in meant])}; write it in full."
        known = [*COMMANDS, *list(self._exact)[:1000]]
        close = get_close_matches(text[:80], known, 1) if re.search("[^-0-9,:# ]", text) else []
        guess = f"did you mean `{close[0]}`?" if close else "`moves` lists all moves, `help` the commands."
        return f"`{_cut(text)}` is no move here; {guess}"

    def _count(self) -> str:
        count = len(self.ways)
        return "the game is over." if not count else f"the list has {count}." if count > 1 else "the list has one."


def _spoken(game: Game, way: Way, alone: bool) -> set[tuple[str, ...]]:
    """The ways to say a move in words: component (needed if there are several), rule, and what is chosen."""
    name = game.moves[way.played.move].name
    written = way.text.split(":")
    values = written[-1].split(",") if way.played.choices else []
    component = [str(way.component + 1)] if game.sum else []
    found = {(*component, name, *values)}
    if values:
        found.add((*component, *values))
    if component and alone:
        found |= {words[1:] for words in found}
    return found


def _some(texts: Sequence[str]) -> str:
    return " or ".join([*texts[:MOST_SHOWN], *(["…"] if len(texts) > MOST_SHOWN else [])])


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
