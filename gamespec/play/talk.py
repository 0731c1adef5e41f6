"""The conversation: shows where the play stands, does what is typed, and moves for the computer."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from random import Random
from textwrap import wrap

from gamespec.diagnostics import counted
from gamespec.game.model import Stuck, Verdict
from gamespec.game.words import excerpt
from gamespec.play.choice import best, chosen, glimpse
from gamespec.play.command import COMMANDS, NUMBER, SIGN, Understanding, is_bare
from gamespec.play.ground import Ground, Way
from gamespec.play.judge import Mark, Oracle
from gamespec.play.match import Match
from gamespec.play.picture import WIDTH, Picture
from gamespec.play.screen import Screen

MOST_LISTED = 40
MOST_AUTO = 10_000
OUTCOMES = ("lost", "won", "drawn")


class Talk:
    """A play on a screen. `people` are the players whose moves are typed (0, 1); the computer moves for the others.

    `random` chooses among equally good moves; None: the first is taken.
    """

    def __init__(
        self, ground: Ground, oracle: Oracle, screen: Screen, people: Collection[int], random: Random | None
    ) -> None:
        self.ground = ground
        self.game = ground.game
        self.oracle = oracle
        self.screen = screen
        self.people = people
        self.random = random
        self.match = Match(ground)
        self.picture = Picture(ground, wide=screen.is_wide)
        self.hints = True
        self._silence = ""

    def run(self) -> None:
        """Plays until the input ends or `quit`; where nobody types, to the end of the play.

        Raises RuleFault where a rule fails at a position that is met.
        """
        self._introduce()
        self._show()
        if not self.people:
            self._auto()
            return
        self._answer()
        while (text := self.screen.ask()) is not None:
            if not text:
                continue
            meant = Understanding(self.game, self.match.ways).of(text)
            if isinstance(meant, Way):
                self._make(meant)
                self._answer()
            elif meant == SIGN + "quit":
                return
            elif meant.startswith(SIGN):
                self._obey(meant.removeprefix(SIGN))
            else:
                self._say(meant)

    def _obey(self, command: str) -> None:
        match command:
            case "moves":
                self._list(len(self.match.ways))
            case "hint":
                self._hint()
            case "hints on" | "hints off":
                self._turn_hints(command == "hints on")
            case "go":
                if not self._is_over():
                    self._make(self._best())
                    self._answer()
            case "auto":
                if not self._is_over():
                    self._auto()
            case "undo":
                self._step(self.match.back(self.people), "There is nothing to take back.")
            case "redo":
                self._step(self.match.forth(self.people), "Nothing was taken back.")
            case "show":
                self._show()
            case "rules":
                self._tell(self.game.rules or "The spec does not tell the rules in words.")
            case "new":
                self.match = Match(self.ground)
                self._show()
                self._answer()
            case _:
                self._help()

    # --- what is said ----------------------------------------------------------------------------------------

    def _say(self, text: str = "", style: str = "") -> None:
        self.screen.show([(text, style)])

    def _tell(self, text: str) -> None:
        for line in wrap(" ".join(text.split()), WIDTH):
            self._say(line)

    def who(self, turn: int) -> str:
        """A player as a sentence names one."""
        return self.game.players[turn] if self.game.players else ("the first player", "the second player")[turn]

    def _named(self, turn: int) -> str:
        """The same where a sentence begins; a name stays as it is."""
        name = self.who(turn)
        return name if self.game.players else name[0].upper() + name[1:]

    def _introduce(self) -> None:
        about = " ".join(self.game.about.split())
        self._say(f"{self.game.name}: {about}" if about else self.game.name, "head")
        given = self.picture.given()
        if given:
            self._say(given)
        legend = self.picture.legend()
        if legend:
            self._say(legend, "dim")
        if len(self.people) == 1:
            (you,) = self.people
            self._say(f"You are {self.who(you)}. `help` lists the commands.")
        elif self.people:
            self._say("You move for both. `help` lists the commands.")

    def _show(self) -> None:
        """The position, and the moves if somebody is to choose one."""
        self._say()
        for line in self.picture.lines(self.match.here.place):
            self.screen.show(line)
        if self.game.scored:
            gains = ", ".join(f"{self.who(turn)} {gain}" for turn, gain in enumerate(self.match.here.gains))
            self._say(f"score: {gains}")
        self._say_repeated()
        if self.match.over is not None:
            self._say_end()
        elif self.match.here.turn in self.people:
            self._list(MOST_LISTED)

    def _say_repeated(self) -> None:
        earlier = self.match.earlier()
        if earlier:
            was = (
                f"This position was there before, after move {earlier[-1]}"
                if earlier[-1]
                else "This is the start again"
            )
            often = f", {len(earlier)} times in all" if len(earlier) > 1 else ""
            self._say(f"{was}{often}.", "drawn")

    def _list(self, most: int) -> None:
        """The legal moves with their numbers and, with hints, what each is worth to the player who makes it."""
        ways = self.match.ways
        if self._is_over():
            return
        marks = self._marks()
        self._say(f"{self._named(self.match.here.turn)} to move{self._worth(marks)}")
        sign = NUMBER if is_bare(ways) else ""
        left = len(str(min(most, len(ways)))) + len(sign) + 2
        right = max(len(way.text) for way in ways[:most]) + 2
        good = set(best(marks)) if marks else set()
        for number, way in enumerate(ways[:most]):
            line = [(f"{sign + str(number + 1):>{left}}", "dim"), (f"  {way.text:{right}}", "")]
            if marks:
                star = " *" if number in good and len(good) < len(ways) else ""
                line.append((marks[number].text + star, OUTCOMES[marks[number].outcome]))
            self.screen.show(line)
        if len(ways) > most:
            self._say(f"… and {len(ways) - most} more; `moves` lists all")

    def _worth(self, marks: list[Mark] | None) -> str:
        """What the position is worth, as the best move says."""
        if not marks:
            return ":"
        mark = marks[best(marks)[0]]
        if mark.score is not None:
            return f", best difference {mark.text}:"
        return f", {OUTCOMES[mark.outcome] if mark.leaves is not None else mark.text} with best play:"

    def _say_end(self) -> None:
        match = self.match
        assert match.over is not None
        winner = match.winner()
        after = f"after {counted(match.now, 'move')}"
        head = f"A draw {after}" if winner is None else f"{self._named(winner)} wins {after}"
        here = match.here
        if self.game.scored:
            self._say(f"{head}, {here.gains[0]} to {here.gains[1]}.", "head")
        else:
            self._say(f"{head}.", "head")
        terminal = match.over.terminal
        if terminal is None or isinstance(terminal.condition, Stuck):
            self._say(f"{self._named(here.turn)} has no move.")
        elif terminal.condition.span.end:
            line, _ = self.game.source.line_column(terminal.condition.span.start)
            self._say(f"{excerpt(self.game.source, terminal.condition.span)}  (line {line} of the spec)")

    def _is_over(self) -> bool:
        if self.match.over is not None:
            self._say("The game is over; `undo`, `new` or `quit`.")
        return self.match.over is not None

    def _help(self) -> None:
        ways = self.match.ways
        number = f"{NUMBER}1" if is_bare(ways) else "1"
        example = f", as {ways[0].text}" if ways else ""
        self._say(f"{number:12}a move by its number, or as it is written{example}")
        for word, does in COMMANDS.items():
            self._say(f"{word:12}{does}")
        names = {move.name for move in self.game.moves} & COMMANDS.keys()
        if names:
            self._say(f"{SIGN}{min(names):11}the command, where a move has the same name")
        self._tell(self._explanation)

    @cached_property
    def _explanation(self) -> str:
        """What marks mean."""
        if self.game.scored:
            return "A move is marked with the best difference from here on, of whoever makes it minus the other."
        if self.game.sum:
            return (
                "A move is marked as won, lost or drawn for whoever makes it when both play well, and with the Grundy"
                " value of what it leaves where there is one."
            )
        return (
            "A move is marked as won, lost or drawn for whoever makes it when both play well; `won in 5`: after five"
            " moves of both players, this one included, when the winner hurries and the loser delays."
        )

    # --- values ----------------------------------------------------------------------------------------------

    def _marks(self) -> list[Mark] | None:
        """The marks of the moves, None where they are off or cannot be found; then it says why, once."""
        if not self.hints:
            return None
        marks = self._found()
        if marks is None and self._silence:
            self.hints = False
        return marks

    def _found(self) -> list[Mark] | None:
        marks = self.oracle.marks(self.match.here.place, self.match.ways)
        if marks is None and self.oracle.silence != self._silence:
            self._silence = self.oracle.silence
            self._tell(f"No hints: {self._silence}; `hints on` tries again.")
        return marks

    def _turn_hints(self, on: bool) -> None:
        self.hints = on
        if not on:
            self._say("Hints are off.")
            return
        self._silence = ""
        self.oracle.again()
        if self.match.over is None:
            self._list(MOST_LISTED)
        if self.hints:
            self._say("Hints are on.")

    def _hint(self) -> None:
        if self._is_over():
            return
        self._silence = ""
        marks = self._found()
        if marks is None:
            return
        good = best(marks)
        more = f"; as good: {' '.join(self.match.ways[number].text for number in good[1:9])}" if len(good) > 1 else ""
        self._say(f"{self.match.ways[good[0]].text}: {marks[good[0]].text}{more}{' …' if len(good) > 9 else ''}")

    def _best(self) -> Way:
        """The move of a perfect player; where values are not known, one that does not look bad."""
        match = self.match
        marks = self._found()
        numbers = best(marks) if marks else glimpse(self.ground, match.ways, match.here.turn)
        return chosen(match.ways, numbers, match.was_at, self.random)

    # --- moves -----------------------------------------------------------------------------------------------

    def _make(self, way: Way) -> None:
        self._say(f"{self._named(self.match.here.turn)} plays {way.text}")
        self.match.make(way)
        self._show()

    def _answer(self) -> None:
        """The computer moves as long as it is its turn."""
        for _ in range(MOST_AUTO):
            if self.match.over is not None or self.match.here.turn in self.people:
                return
            self._make(self._best())

    def _auto(self) -> None:
        """The computer moves for both to the end, or until a position comes back."""
        people, self.people = self.people, ()
        try:
            for _ in range(MOST_AUTO):
                if self.match.over is not None:
                    return
                self._make(self._best())
                if self.match.earlier():
                    self._say(self._forever(), "head")
                    return
            self._say(f"Stopped after {MOST_AUTO:,} moves; `auto` goes on.")
        finally:
            self.people = people

    def _forever(self) -> str:
        match self.game.endless:
            case None:
                return "Play may go on for ever; the spec does not say what that means."
            case Verdict.DRAW:
                return "Play goes on for ever: a draw."
            case verdict:
                return f"Play goes on for ever: {self.who(int(verdict is Verdict.SECOND_WINS))} wins."

    def _step(self, done: bool, otherwise: str) -> None:
        if done:
            self._show()
        else:
            self._say(otherwise)
