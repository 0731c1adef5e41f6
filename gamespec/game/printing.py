"""Understands the output: its lines, groups of outcomes, winning moves, and what stands in braces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import msgspec

from gamespec.diagnostics import Help, Note
from gamespec.game import model
from gamespec.game.name import nodes
from gamespec.game.problems import (
    ANSWER_RULE,
    DRAWN_WINNER,
    GRUNDY_RULE,
    HOLE_FORMAT,
    HOLE_TYPE,
    MOVE_VALUE,
    NOT_BOTH,
    OUTCOME_MISSING,
    OUTPUT_SHAPE,
    OUTPUT_WORD,
    TOTAL_OF,
    UNKNOWN_NAME,
)
from gamespec.game.reading import Reading
from gamespec.game.scope import Place, Scope
from gamespec.game.told import DIFFERENCE, Told
from gamespec.game.walk import within
from gamespec.game.words import described, nearest
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import BOOL, ArrayType, IntType, ListType, SetType, is_scalar

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

OUTCOMES = ("win", "lose", "draw")
CLASSES = ("left", "right", "next", "previous")
WORDS = ("line", *OUTCOMES, *CLASSES, "winning", "joined", "distinct")
MEANING = {
    "win": "won for the player to move",
    "lose": "lost for the player to move",
    "draw": "drawn",
    "left": "won by the player named first, whoever starts",
    "right": "won by the player named second, whoever starts",
    "next": "won by whoever starts",
    "previous": "won by whoever does not start",
}
TEXTS = ("winning_move", "winning_moves", "best_move", "best_moves")
FORMAT = re.compile(r"([<>^]?)(0?)([0-9]{0,3})d?")
WIDEST = 200
DEFAULT = model.Output((model.Choice({word: (word,) for word in OUTCOMES}),))


class Printer:
    """Understands an output clause. `grundy` tells whether the rule has Grundy values; a move is None after faults."""

    def __init__(
        self, typer: Typer, spec: tree.Tree, reading: Reading, moves: Sequence[model.Move | None], *, grundy: bool
    ) -> None:
        self.typer = typer
        self.spec = spec
        self.grundy = grundy
        self.asked: set[str] = set()  # the answers that the clause has so far
        fields = {field.name for field in (*spec.states, *spec.givens)}
        known = set(reading.values) | reading.components | fields
        self.told = Told(typer, spec, moves)
        self.scope = Scope(Place.OUTPUT, known=frozenset(known), locals=self.told.meanings(), moved=True)
        self.draws = self._can_draw()
        broken = [node for move, node in zip(moves, spec.moves, strict=True) if move is None]
        self.lost = {bind.name for move in broken for bind in nodes(move) if isinstance(bind, tree.Bind)}
        self.joined: str | None = None

    def output(self) -> model.Output:
        """The lines for one case; a `win`, `lose` or `draw` line where the spec says nothing. Reports faults."""
        clause = self.spec.output
        if clause is None:
            return DEFAULT
        result: list[model.Entry] = []
        group: dict[str, tree.Out] = {}
        for out in (*clause.parts, None):
            if group and (out is None or not self._continues(group, out)):
                self.typer.attempt(self._add_choice, group, result)
                group = {}
            if out is None:
                break
            if out.word in OUTCOMES or out.word in CLASSES:
                group[out.word] = out
            else:
                self.typer.attempt(self._add, out, result)
        order = [self.typer.attempt(self._key, key) for key in clause.order]
        kept = tuple(key for key in order if key is not None)
        return model.Output(tuple(result), self.joined, kept, clause.span)

    @staticmethod
    def _continues(group: dict[str, tree.Out], out: tree.Out) -> bool:
        """Whether a word belongs to the line of the outcomes before it."""
        words = OUTCOMES if next(iter(group)) in OUTCOMES else CLASSES
        return out.word in words and out.word not in group

    def _can_draw(self) -> bool:
        """Whether a game can end without a winner."""
        spec = self.spec
        if spec.winner is not None and spec.winner.name == "highest score":
            return True
        verdicts = [terminal.verdict for terminal in spec.terminals] + [spec.endless]
        return any(verdict is not None and verdict.kind == "draw" for verdict in verdicts)

    # --- parts ---------------------------------------------------------------------------------------------

    def _add(self, out: tree.Out, result: list[model.Entry]) -> None:
        match out.word:
            case "line":
                result.append(model.Line(self._template(out), out.span))
            case "winning":
                result.append(model.Winning(self._template(out), span=out.span))
            case "distinct" if out.text is None:
                last = result[-1] if result else None
                if not isinstance(last, model.Winning):
                    hint = 'it goes with the lines of winning moves: `winning "{winning_move}" distinct`'
                    self.typer.fail(OUTPUT_SHAPE, out.span, hint=hint, problem="`distinct` follows no `winning`")
                result[-1] = msgspec.structs.replace(last, distinct=True)
            case "joined":
                self._join(out)
            case _:
                self._unknown_word(out)

    def _join(self, out: tree.Out) -> None:
        if self.joined is not None:
            self.typer.fail(OUTPUT_SHAPE, out.span, problem="`joined` is said twice")
        template = self._template(out)
        if any(not isinstance(piece, str) for piece in template):
            problem = "the text of `joined` is the same between all answers, so nothing in it stands in braces"
            self.typer.fail(OUTPUT_SHAPE, out.span, problem=problem)
        self.joined = "".join(piece for piece in template if isinstance(piece, str))

    def _key(self, node: tree.Expr) -> model.Expr:
        """One key of `order`, or value of each move: a number, a name or a bool."""
        self._check_names(node)
        typed = self.typer.expr(node, self.scope)
        if not is_scalar(typed.type):
            self.typer.fail(MOVE_VALUE, node.span, text=self.typer.text(node), described=described(typed.type))
        return typed

    def _unknown_word(self, out: tree.Out) -> NoReturn:
        near = nearest(out.word, WORDS)
        hint = f"did you mean `{near}`?" if near else 'an output has the words `line "…"`, `win "…"` and `lose "…"`'
        span = Span(out.span.start, out.span.start + len(out.word))
        self.typer.fail(OUTPUT_WORD, span, hint=hint, name=out.word)

    def _add_choice(self, group: dict[str, tree.Out], result: list[model.Entry]) -> None:
        outs = list(group.values())
        span = outs[0].span.to(outs[-1].span)
        words = OUTCOMES if outs[0].word in OUTCOMES else CLASSES
        if words is CLASSES:
            self._check_classes(outs[0])
        texts = {word: self.typer.attempt(self._template, out, word) for word, out in group.items()}
        result.append(model.Choice({word: text for word, text in texts.items() if text is not None}, span))
        for word in words:
            if word not in group and (word != "draw" or self.draws) and self._all_known():
                hint = Help("an empty text prints nothing", word, '""')
                missing = OUTCOME_MISSING.at(outs[0].span, helps=(hint,), outcome=MEANING[word])
                self.typer.problems.add(missing)

    def _check_classes(self, out: tree.Out) -> None:
        """Fails unless both players can be asked to start, and one of them wins."""
        if model.MOVER not in self.typer.fields:
            hint = "print `win` and `lose`: both players have the same moves"
            problem = f"`{out.word}` asks who wins when either player starts, and the rules know no players"
            self.typer.fail(OUTPUT_SHAPE, out.span, hint=hint, problem=problem)
        if self.draws:
            problem = f"`{out.word}` needs a winner, and this game can be drawn"
            self.typer.fail(OUTPUT_SHAPE, out.span, hint="print `win`, `lose` and `draw`", problem=problem)

    def _all_known(self) -> bool:
        """Whether all words of the clause are words of an output, so that none is missing by a slip."""
        assert self.spec.output is not None
        return all(out.word in WORDS for out in self.spec.output.parts)

    # --- texts ---------------------------------------------------------------------------------------------

    def _template(self, out: tree.Out, word: str = "") -> model.Template:
        from gamespec.game.typer import Wrong
        from gamespec.syntax.template import parse_template

        assert out.text is not None
        found = len(self.typer.problems.errors)
        pieces = parse_template(out.text, self.typer.problems)
        made: list[str | model.Hole | None] = []
        for piece in pieces:
            made.append(piece if isinstance(piece, str) else self.typer.attempt(self._hole, piece, word))
        good = [piece for piece in made if piece is not None]
        if len(good) < len(made) or len(self.typer.problems.errors) > found:
            raise Wrong
        return tuple(good)

    def _hole(self, hole: tree.Hole, word: str) -> model.Hole:
        if hole.name is not None and hole.name in TEXTS and self.told.is_answer(hole.name):
            values = None if hole.values is None else tuple(self._value(value) for value in hole.values)
            return self._made(hole.name, None, hole, False, values)
        self._check_names(hole.expr)
        expr = self.typer.expr(hole.expr, self.scope)
        if hole.values is not None:
            expr = self._of_player(expr, hole, hole.values)
        inner = expr.type.of if isinstance(expr.type, ArrayType | SetType | ListType) else expr.type
        if not is_scalar(inner):
            text = self.typer.text(hole.expr)
            hint = f"print one of them: `{{{text}[1]}}`" if isinstance(expr.type, ArrayType) else ""
            self.typer.fail(HOLE_TYPE, hole.expr.span, hint=hint, text=text, described=described(expr.type))
        self._check_answers(expr, hole, word)
        number = isinstance(expr.type, IntType)
        if isinstance(expr, model.AnswerRef) and expr.name not in ("move", "component"):
            return self._made(expr.name, None, hole, number)
        return self._made(None, expr, hole, number)

    def _of_player(self, total: model.Expr, hole: tree.Hole, named: tuple[tree.Expr, ...]) -> model.Expr:
        """The total of the player named in `{total: NAME}`: the own one, or what it and the score leave the other."""
        players = self.typer.names.players
        names = ("mover", "other", *(() if players is None else players.names))
        if not isinstance(total, model.AnswerRef):
            self.typer.fail(HOLE_FORMAT, hole.span, text=self._named(named), described="a number")
        name = named[0].name if len(named) == 1 and isinstance(named[0], tree.Name) else ""
        if name not in names:
            self.typer.fail(TOTAL_OF, named[0].span, text=self._named(named), known=", ".join(names))
        if name == "mover":
            return total
        made = self.typer.made
        score = made(model.AnswerRef(type=DIFFERENCE, name="score", span=hole.span))
        others = made(model.Binary(type=DIFFERENCE, op="-", left=total, right=score, span=hole.span), total, score)
        if name == "other":
            return others
        assert players is not None
        first = made(model.AnswerRef(type=players, name="first", span=hole.span))
        player = self.typer.const(players.names.index(name), players, hole.span)
        starts = made(model.Compare(type=BOOL, op="==", left=first, right=player, span=hole.span), first, player)
        chosen = model.If(type=DIFFERENCE, condition=starts, then=total, other=others, span=hole.span)
        return made(chosen, starts, total, others)

    def _named(self, nodes: tuple[tree.Expr, ...]) -> str:
        return ", ".join(map(self.typer.text, nodes))

    def _value(self, node: tree.Expr) -> model.Expr:
        """One of the values that are listed for every winning move."""
        return self._key(node)

    def _check_answers(self, expr: model.Expr, hole: tree.Hole, word: str) -> None:
        """Fails for answers that this game does not have."""
        spec = self.spec
        names = {part.name for part in within(expr, self.typer.lets) if isinstance(part, model.AnswerRef)}
        if "grundy" in names and not self.grundy:
            reasons = [terminal.verdict for terminal in spec.terminals if terminal.verdict is not None]
            place = reasons[0].span if reasons else spec.winner.span if spec.winner is not None else spec.name.span
            self.typer.fail(GRUNDY_RULE, hole.span, notes=(Note("this decides otherwise", place),))
        scored = spec.winner is not None and spec.winner.name == "highest score"
        for name in [each for each in ("total", "score") if each in names and not scored]:
            reason = "only a game with `winner highest score` has one"
            self.typer.fail(ANSWER_RULE, hole.span, name=name, reason=reason)
        if "distance" in names and (scored or spec.sum is not None):
            reason = "in a sum, the components do not tell how long the whole lasts"
            reason = "where scores decide, no player hurries" if scored else reason
            self.typer.fail(ANSWER_RULE, hole.span, name="distance", reason=reason)
        self.asked |= names
        if {"grundy", "distance"} <= self.asked:
            asked, other = ("distance", "grundy") if "distance" in names else ("grundy", "distance")
            self.typer.fail(NOT_BOTH, hole.span, name=asked, other=other)
        certain = word in ("win", "lose", *CLASSES) or "outcome" in names
        if "winner" in names and self.draws and not certain:
            self.typer.fail(DRAWN_WINNER, hole.span)

    def _check_names(self, node: tree.Expr) -> None:
        """Fails for names that mean nothing in a text, with answers among what may be meant."""
        from gamespec.game.typer import Wrong

        typer = self.typer
        known = {*typer.visible(self.scope), *typer.extras}
        bound = {inner.name for inner in nodes(node) if isinstance(inner, tree.Bind)}
        for inner in nodes(node):
            if isinstance(inner, tree.Name) and inner.name not in known | bound:
                if inner.name in self.lost:
                    raise Wrong
                if inner.name in ("first", "winner"):
                    reason = "the spec names no `players`"
                    typer.fail(ANSWER_RULE, inner.span, name=inner.name, reason=reason)
                if inner.name in TEXTS:
                    hint = f"print it alone: `{{{inner.name}}}`"
                    typer.fail(UNKNOWN_NAME, inner.span, hint=hint, name=inner.name)
                if inner is node:
                    typer.unknown(UNKNOWN_NAME, inner.name, inner.span, known | set(TEXTS))

    def _made(
        self,
        answer: str | None,
        expr: model.Expr | None,
        hole: tree.Hole,
        number: bool,
        values: tuple[model.Expr, ...] | None = None,
    ) -> model.Hole:
        if not hole.spec:
            return model.Hole(answer, expr, values, joints=hole.joints, span=hole.span)
        found = FORMAT.fullmatch(hole.spec)
        width = int(found[3] or 0) if found else 0
        plain = number or (found is not None and not found[2] and not hole.spec.endswith("d"))
        if not plain or found is None or width > WIDEST:
            hint = "what is no number takes `[<>^]` and a width up to 200, as in `{x:>5}`"
            if number:
                hint = "numbers take `[<>^]` `0` and a width up to 200 before `d`, as in `{x:5d}`"
            what = "a number" if number else "what is no number"
            self.typer.fail(HOLE_FORMAT, hole.span, hint=hint, text=hole.spec, described=what)
        return model.Hole(answer, expr, values, found[1], found[2] == "0", width, span=hole.span)
