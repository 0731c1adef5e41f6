"""Understands the output: its lines, groups of outcomes, and what stands in braces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from gamespec.diagnostics import Help, Note
from gamespec.game import model
from gamespec.game.name import nodes
from gamespec.game.problems import (
    ANSWER_ALONE,
    GRUNDY_RULE,
    HOLE_FORMAT,
    HOLE_TYPE,
    NOT_YET,
    OUTCOME_MISSING,
    OUTPUT_WORD,
    UNKNOWN_NAME,
)
from gamespec.game.reading import Reading
from gamespec.game.scope import Place, Scope
from gamespec.game.words import described, nearest
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import IntType, is_scalar

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

WORDS = ("line", "win", "lose")
NUMBERS = ("case", "grundy", "winning_count")
ANSWERS = (*NUMBERS, "outcome", "winning_move", "winning_moves")
LATER = ("score", "distance", "first", "winner", "query", "move", "component", "after")
FORMAT = re.compile(r"([<>^]?)(0?)([0-9]{0,3})d?")
WIDEST = 200
CHOSEN = "what the first winning move chooses is `{winning_move}`; all of them are `{winning_moves}`"
DEFAULT = model.Output((model.Choice({"win": ("win",), "lose": ("lose",)}),))


class Printer:
    """Understands an output clause. `grundy` tells whether the rule has Grundy values."""

    def __init__(self, typer: Typer, spec: tree.Tree, reading: Reading, *, grundy: bool) -> None:
        self.typer = typer
        self.spec = spec
        self.grundy = grundy
        known = set(reading.values)
        if not reading.components:
            known |= {state.name for state in spec.states}
        self.scope = Scope(Place.OUTPUT, known=frozenset(known))
        choices = (premise for move in spec.moves for premise in move.premises if isinstance(premise, tree.Choose))
        self.chosen = {bind.name for choice in choices for bind in choice.binds}

    def output(self) -> model.Output:
        """The lines for one case; a `win` or `lose` line where the spec says nothing. Reports faults."""
        if self.spec.output is None:
            return DEFAULT
        result: list[model.Entry] = []
        group: dict[str, tree.Out] = {}
        for out in (*self.spec.output.parts, None):
            if group and (out is None or out.word == "line" or out.word in group):
                self.typer.attempt(self._add_choice, group, result)
                group = {}
            if out is None:
                break
            if out.word == "line":
                text = self.typer.attempt(self._template, out)
                if text is not None:
                    result.append(model.Line(text, out.span))
            elif out.word in WORDS:
                group[out.word] = out
            else:
                self.typer.attempt(self._unknown_word, out)
        return model.Output(tuple(result))

    def _unknown_word(self, out: tree.Out) -> NoReturn:
        near = nearest(out.word, WORDS)
        hint = f"did you mean `{near}`?" if near else 'an output has the words `line "…"`, `win "…"` and `lose "…"`'
        span = Span(out.span.start, out.span.start + len(out.word))
        self.typer.fail(OUTPUT_WORD, span, hint=hint, name=out.word)

    def _add_choice(self, group: dict[str, tree.Out], result: list[model.Entry]) -> None:
        first = next(iter(group.values()))
        texts = {word: self.typer.attempt(self._template, out) for word, out in group.items()}
        for word, outcome in (("win", "won"), ("lose", "lost")):
            if word not in group and self._all_known():
                hint = Help("an empty text prints nothing", word, '""')
                self.typer.fail(OUTCOME_MISSING, first.span, hint=hint, outcome=outcome)
        last = list(group.values())[-1]
        found = {word: text for word, text in texts.items() if text is not None}
        result.append(model.Choice(found, first.span.to(last.span)))

    def _all_known(self) -> bool:
        """Whether all words of the clause are words of an output, so that none is missing by a slip."""
        return all(out.word in WORDS for out in self.spec.output.parts) if self.spec.output else True

    # --- texts ---------------------------------------------------------------------------------------------

    def _template(self, out: tree.Out) -> model.Template:
        from gamespec.game.typer import Wrong
        from gamespec.syntax.template import parse_template

        assert out.text is not None
        pieces = parse_template(out.text, self.typer.problems)
        made: list[str | model.Hole | None] = []
        for piece in pieces:
            if isinstance(piece, str):
                made.append(piece)
            else:
                made.append(self.typer.attempt(self._hole, piece))
        good = [piece for piece in made if piece is not None]
        if len(good) < len(made):
            raise Wrong
        return tuple(good)

    def _hole(self, hole: tree.Hole) -> model.Hole:
        name = hole.name
        answers = [answer for answer in ANSWERS if answer not in self.typer.names.declared]
        if name in answers and name not in self.typer.extras:
            assert name is not None
            self._check_answer(name, hole)
            return self._made(name, None, hole, name in NUMBERS)
        self._check_names(hole, answers)
        expr = self.typer.expr(hole.expr, self.scope)
        if not is_scalar(expr.type):
            hint = "`size(…)` and folds make one number of several" if not is_scalar(expr.type) else ""
            self.typer.fail(
                HOLE_TYPE, hole.expr.span, hint=hint, text=self.typer.text(hole.expr), described=described(expr.type)
            )
        return self._made(None, expr, hole, isinstance(expr.type, IntType))

    def _check_answer(self, name: str, hole: tree.Hole) -> None:
        if name != "grundy" or self.grundy:
            return
        spec = self.spec
        reasons = [terminal.verdict for terminal in spec.terminals if terminal.verdict is not None]
        place = reasons[0].span if reasons else spec.winner.span if spec.winner is not None else spec.name.span
        self.typer.fail(GRUNDY_RULE, hole.span, notes=(Note("this decides otherwise", place),))

    def _check_names(self, hole: tree.Hole, answers: list[str]) -> None:
        """Fails for answers inside expressions, and for names that mean something in texts only later."""
        typer = self.typer
        for node in nodes(hole.expr):
            if isinstance(node, tree.Name) and node.name not in typer.visible(self.scope) | set(typer.extras):
                if node.name in answers:
                    typer.fail(ANSWER_ALONE, node.span, name=node.name)
                if node.name in LATER:
                    typer.fail(NOT_YET, node.span, what=f"`{node.name}` in a text")
                if node.name in self.chosen:
                    typer.fail(UNKNOWN_NAME, node.span, hint=CHOSEN, name=node.name)
                if node is hole.expr:
                    known = set(answers) | set(typer.extras) | typer.visible(self.scope)
                    typer.unknown(UNKNOWN_NAME, node.name, node.span, known)

    def _made(self, answer: str | None, expr: model.Expr | None, hole: tree.Hole, number: bool) -> model.Hole:
        if not hole.spec:
            return model.Hole(answer, expr, span=hole.span)
        found = FORMAT.fullmatch(hole.spec)
        width = int(found[3] or 0) if found else 0
        if not number or found is None or width > WIDEST:
            if answer in ("winning_moves", "winning_move"):
                self.typer.fail(NOT_YET, hole.span, what=f"a format for `{answer}`", hint=f"print `{{{answer}}}`")
            what = "a number" if number else "what is no number"
            self.typer.fail(HOLE_FORMAT, hole.span, text=hole.spec, described=what)
        return model.Hole(answer, expr, None, found[1], found[2] == "0", width, hole.span)
