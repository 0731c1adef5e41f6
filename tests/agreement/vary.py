"""The same game, changed a little: the other winner convention, smaller limits, other names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from gamespec.game.check import check
from gamespec.game.model import Game
from gamespec.source import NOWHERE
from gamespec.syntax import tree
from gamespec.syntax.read import read

LAST_MOVER, STUCK_PLAYER = "last mover", "stuck player"

Change = Callable[[tree.Tree], tree.Tree]


def changed(game: Game, *changes: Change) -> Game:
    """A game that was read from a file, with its tree changed."""
    spec = read(game.source)
    for change in changes:
        spec = change(spec)
    return check(spec, game.source)


def is_decided_by_winner(game: Game) -> bool:
    """Whether only who is stuck decides: then there is another convention."""
    return not game.scored and not any(terminal.verdict for terminal in game.terminals)


def flipped(spec: tree.Tree) -> tree.Tree:
    """The other winner convention, and nothing else."""
    misere = spec.winner is not None and spec.winner.name == STUCK_PLAYER
    span = NOWHERE if spec.winner is None else spec.winner.span
    winner = tree.Word(name=LAST_MOVER if misere else STUCK_PLAYER, span=span)
    return msgspec.structs.replace(spec, winner=winner)


def without_output(spec: tree.Tree) -> tree.Tree:
    """No output, and no tests of it."""
    return msgspec.structs.replace(spec, output=None, tests=())


def capped(most: int) -> Change:
    """No number above a limit in any declaration."""

    def change(spec: tree.Tree) -> tree.Tree:
        parts = {name: _capped(getattr(spec, name), most) for name in ("params", "givens", "states")}
        return msgspec.structs.replace(spec, **parts)

    return change


def _capped(node: object, most: int) -> object:
    if isinstance(node, tree.Int):
        return tree.Int(value=min(node.value, most), span=node.span)
    if isinstance(node, tree.Binary) and node.op == "**":
        return tree.Int(value=most, span=node.span)
    if isinstance(node, tree.Node):
        fields = {name: _capped(getattr(node, name), most) for name in node.__struct_fields__}
        return msgspec.structs.replace(node, **fields)
    return tuple(_capped(each, most) for each in node) if isinstance(node, tuple) else node


def renamed(text: str, names: Iterable[str]) -> str:
    """The text of a spec with other names for some of its fields, also inside the braces of texts."""
    other = {name: f"renamed_{place}" for place, name in enumerate(names, 1)}
    words = re.compile(rf"\b({'|'.join(map(re.escape, other))})\b")

    def in_rules(part: str) -> str:
        return words.sub(lambda found: other[found[0]], part)

    def in_text(part: str) -> str:
        return re.sub(r"\{[^{}]*\}", lambda found: in_rules(found[0]), part)

    parts = re.split(r'("""(?s:.*?)"""|"[^"\n]*"|#[^\n]*)', text)
    return "".join(in_text(part) if place % 2 else in_rules(part) for place, part in enumerate(parts))
