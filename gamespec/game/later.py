"""Finds what the grammar carries and this version of the checker does not understand yet."""

from __future__ import annotations

from collections.abc import Iterator

from gamespec.diagnostics import Help, Problems
from gamespec.game.name import nodes
from gamespec.game.problems import NOT_YET
from gamespec.source import Span
from gamespec.syntax import tree

Found = tuple[str, Span, str]


def refuse_later(spec: tree.Tree, problems: Problems) -> None:
    """Reports every feature of a later version once, and stops there: the rest would only follow from it."""
    reported = set()
    for what, span, hint in _found(spec):
        if what not in reported:
            reported.add(what)
            problems.add(NOT_YET.at(span, helps=[Help(hint)] if hint else [], what=what))
    problems.stop_on_error()


def _found(spec: tree.Tree) -> Iterator[Found]:
    yield from _types(spec)
    yield from _expressions(spec)


def _types(spec: tree.Tree) -> Iterator[Found]:
    for field in spec.givens + spec.states:
        match field.type:
            case tree.ArrayType(of=of):
                if isinstance(of, tree.ArrayType):
                    yield "an array of arrays", field.type.span, "give one array several indices: `array[1..3, 1..3]`"
            case tree.SetType(of=tree.SetType() | tree.ArrayType()):
                yield "a set of sets or arrays", field.type.span, ""
            case _:
                pass


def _expressions(spec: tree.Tree) -> Iterator[Found]:
    taken_apart = set()
    for node in nodes(spec):
        match node:
            case tree.Update(target=target, value=tree.Tuple() as value) if len(target.names) > 1:
                taken_apart.add(id(value))
            case tree.Tuple() if id(node) not in taken_apart:
                yield "a pair", node.span, "use two names, or one number"
            case _:
                pass
