"""Finds what the grammar carries and this version of the checker does not understand yet."""

from __future__ import annotations

from collections.abc import Iterator

from gamespec.diagnostics import Help, Problems
from gamespec.game.name import nodes
from gamespec.game.problems import NOT_YET
from gamespec.source import Span
from gamespec.syntax import tree

Found = tuple[str, Span, str]

LATER_WORDS = {
    "draw": "leave it out: no game that is supported now can end in a draw",
    "joined": "print one line for each case",
    "left": "",
    "right": "",
    "next": "",
    "previous": "",
    "winning": "print `{winning_moves}`",
    "distinct": "",
}


def refuse_later(spec: tree.Tree, problems: Problems) -> None:
    """Reports every feature of a later version once, and stops there: the rest would only follow from it."""
    reported = set()
    for what, span, hint in _found(spec):
        if what not in reported:
            reported.add(what)
            problems.add(NOT_YET.at(span, helps=[Help(hint)] if hint else [], what=what))
    problems.stop_on_error()


def _found(spec: tree.Tree) -> Iterator[Found]:
    if spec.players is not None:
        span = spec.players[0].span.to(spec.players[-1].span) if spec.players else spec.name.span
        yield "`players`", span, "say who may move by the position alone"
    yield from _types(spec)
    yield from _moves(spec)
    for terminal in spec.terminals:
        if terminal.verdict is not None:
            yield from _verdict(terminal.verdict)
    if spec.winner is not None and spec.winner.name == "highest score":
        yield "`winner highest score`", spec.winner.span, ""
    if spec.endless is not None:
        yield "`endless`", spec.endless.span, "write rules under which no position repeats"
    for symmetry in spec.symmetries[:1]:
        yield "`symmetry`", symmetry[0].span if symmetry else spec.name.span, "leave it out: it changes no answer"
    yield from _input(spec)
    for out in spec.output or ():
        if out.word in LATER_WORDS:
            yield f"`{out.word}` in `output`", out.span, LATER_WORDS[out.word]
    yield from _expressions(spec)


def _types(spec: tree.Tree) -> Iterator[Found]:
    for field in spec.givens + spec.states:
        match field.type:
            case tree.Name(name="player"):
                yield "the type `player`", field.type.span, ""
            case tree.ArrayType(dims=dims, of=of, ordered=ordered):
                if len(dims) > 1:
                    hint = "use one index: square `width * row + column`"
                    yield "an array of several dimensions", field.type.span, hint
                if ordered:
                    yield "`sorted array`", field.type.span, "use `array`"
                if isinstance(of, tree.SetType):
                    yield "an array of sets", field.type.span, ""
                if isinstance(of, tree.ArrayType):
                    yield "an array of arrays", field.type.span, ""
            case tree.SetType(of=tree.SetType() | tree.ArrayType()):
                yield "a set of sets or arrays", field.type.span, ""
            case _:
                pass


def _moves(spec: tree.Tree) -> Iterator[Found]:
    for move in spec.moves:
        if move.by is not None:
            yield "`by`", move.name_span, "both players have the same moves"
        if isinstance(move.effect, tree.Do) and move.effect.gain is not None:
            yield "`gain`", move.effect.gain.span, ""


def _verdict(verdict: tree.Verdict) -> Iterator[Found]:
    if verdict.kind == "draw":
        yield "`draw`", verdict.span, "say who wins there: `mover wins` or `mover loses`"
    elif verdict.who == "other":
        opposite = "loses" if verdict.kind == "wins" else "wins"
        yield "`other` in a verdict", verdict.span, f"write `mover {opposite}`"
    elif verdict.who != "mover":
        hint = f"say it of the player to move: `mover {verdict.kind}`"
        yield "a verdict that names a player", verdict.span, hint


def _input(spec: tree.Tree) -> Iterator[Found]:
    for level in (spec.input or ())[1:]:
        yield "a second level of cases", level.span, "read everything of a case at once"
    for level in spec.input or ():
        for item in level.items:
            yield from _item(item, False)


def _item(item: tree.ReadItem, row: bool) -> Iterator[Found]:
    match item:
        case tree.ReadRows(items=items):
            if row:
                yield "a row group inside a row group", item.span, ""
            else:
                for inner in items:
                    yield from _item(inner, True)
        case tree.ReadOne(form=form, name=name) | tree.ReadMany(form=form, name=name):
            if form is not None:
                yield f"`as {form}`", item.span, "numbers are read as they are"
            if isinstance(item, tree.ReadMany) and len(item.sizes) > 1:
                yield "an array of several dimensions", item.span, ""
            if name == "mover":
                yield "`mover` in `read`", item.span, "the player to move is always the one who is asked"


def _expressions(spec: tree.Tree) -> Iterator[Found]:
    taken_apart = set()
    for node in nodes(spec):
        match node:
            case tree.Update(target=target, value=tree.Tuple() as value) if len(target.names) > 1:
                taken_apart.add(id(value))
            case tree.Tuple() if id(node) not in taken_apart:
                yield "a pair", node.span, "use two names, or one number"
            case tree.Name(name="mover" | "other" as name):
                yield f"`{name}` as a value", node.span, "verdicts may say `mover wins` and `mover loses`"
            case _:
                pass
