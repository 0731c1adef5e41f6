"""Players in rules: which games are partisan, `mover` and `other` as values, players as names of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamespec.diagnostics import Help
from gamespec.game import model
from gamespec.game.alike import element
from gamespec.game.name import Declared, Is, Names, nodes
from gamespec.game.problems import NO_PLAYERS, PLAYERS, UNKNOWN_PLAYER
from gamespec.game.words import nearest
from gamespec.source import NOWHERE, Span
from gamespec.syntax import tree
from gamespec.syntax.schema import ROWS
from gamespec.types import BOOL, NamesType, SetType, Type

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

OTHER = "other"
TURNS = (model.MOVER, OTHER)
WORDS = frozenset((*ROWS, "wins", "loses", "when", "draw"))
"""What would be read as the next clause, or as another verdict, where a rule names a player."""


def is_partisan(spec: tree.Tree) -> bool:
    """Whether whose turn it is belongs to a position: a rule, the input or the start speaks of it."""
    if spec.players is None:
        return False
    if any(move.by is not None for move in spec.moves):
        return True
    verdicts = [terminal.verdict for terminal in spec.terminals if terminal.verdict is not None]
    verdicts += [] if spec.endless is None else [spec.endless]
    if any(verdict.who is not None and verdict.who not in TURNS for verdict in verdicts):
        return True
    for node in nodes(spec):
        match node:
            case tree.Name(name=name) if name in TURNS:
                return True
            case tree.Target(names=names) if model.MOVER in names:
                return True
            case tree.ReadOne(name=model.MOVER) | tree.Bind(name=model.MOVER):
                return True
            case _:
                pass
    return False


def declare(typer: Typer, spec: tree.Tree) -> bool:
    """Declares the field `mover` where the game is partisan, and returns whether it is. Reports faults."""
    players = spec.players
    if players is None:
        return False
    span = players[0].span.to(players[-1].span) if players else spec.name.span
    if len(players) != 2:
        hint = Help("name two, the one who moves first in front")
        typer.problems.add(PLAYERS.at(span, helps=[hint], problem=f"a game has two players, not {len(players)}"))
    for word in players:
        if word.name in WORDS:
            hint = Help("call the player by another name")
            problem = f"`{word.name}` is a word of the language, so it cannot be a player"
            typer.problems.add(PLAYERS.at(word.span, helps=[hint], problem=problem))
    of = typer.names.players
    if of is None or not is_partisan(spec):
        return False
    typer.names.declared[model.MOVER] = Declared(model.MOVER, Is.STATE, span, len(spec.states))
    typer.fields[model.MOVER] = model.Field(model.MOVER, of, span=span)
    return True


def players_type(typer: Typer, span: Span, what: str) -> NamesType:
    """The type of the players. Raises Wrong where there are none."""
    from gamespec.game.typer import Wrong

    if typer.names.players is None:
        if typer.names.spec.players is not None:
            raise Wrong  # reported with the clause
        typer.fail(NO_PLAYERS, span, what=what)
    return typer.names.players


def player(typer: Typer, name: str, span: Span, what: str) -> int:
    """The number of a player who is named in a rule. Raises Wrong."""
    of = players_type(typer, span, what)
    if name not in of.names:
        near = nearest(name, of.names)
        hint = f"did you mean `{near}`?" if near else f"the players are `{of.names[0]}` and `{of.names[1]}`"
        typer.fail(UNKNOWN_PLAYER, span, hint=hint, name=name)
    return of.names.index(name)


def moves_now(typer: Typer, number: int, span: Span) -> model.Expr:
    """The condition that it is a player's turn."""
    of = players_type(typer, span, "`by`")
    mover = typer.made(model.StateRef(type=of, name=model.MOVER, span=NOWHERE))
    who = typer.const(number, of, NOWHERE)
    return typer.made(model.Compare(type=BOOL, op="==", left=mover, right=who, span=span), mover, who)


def other(typer: Typer, span: Span) -> model.Expr:
    """The player who is not to move."""
    of = players_type(typer, span, "`other`")
    first = moves_now(typer, 0, span)
    then, otherwise = typer.const(1, of, span), typer.const(0, of, span)
    new = model.If(type=of, condition=first, then=then, other=otherwise, span=span)
    return typer.made(new, first, then, otherwise)


def turn(typer: Typer) -> model.Update:
    """`mover = other`: what every move does that does not say otherwise."""
    return model.Update(model.MOVER, None, "=", other(typer, NOWHERE))


# --- players as names of another type ----------------------------------------------------------------------


def matched(typer: Typer, left: model.Expr, right: model.Expr) -> tuple[model.Expr, model.Expr]:
    """Two values, or a value and a set, or two sets; a player beside a name of a cell becomes such a name."""
    return fitted(typer, left, right.type), fitted(typer, right, left.type)


def fitted(typer: Typer, expr: model.Expr, of: Type) -> model.Expr:
    """A player (or a set of players) as a value of a type whose names include the players; else unchanged."""
    names = _names(of)
    if names is None or not _converts(typer.names, expr.type, names):
        return expr
    return _converted(typer, expr, names)


def _names(of: Type) -> NamesType | None:
    inner = element(of) or of
    return inner if isinstance(inner, NamesType) else None


def _converts(names: Names, old: Type, new: NamesType) -> bool:
    players = names.players
    return players is not None and _names(old) == players != new and set(players.names) <= set(new.names)


def _converted(typer: Typer, expr: model.Expr, of: NamesType) -> model.Expr:
    players = typer.names.players
    assert players is not None
    places = [of.names.index(name) for name in players.names]
    span = expr.span
    match expr:
        case model.Const(value=int() as value):
            return typer.const(places[value], of, span)
        case model.If(condition=condition, then=then, other=otherwise):
            branches = _converted(typer, then, of), _converted(typer, otherwise, of)
            new = model.If(type=of, condition=condition, then=branches[0], other=branches[1], span=span)
            return typer.made(new, condition, *branches)
        case model.SetOf(items=items):
            made = tuple(_converted(typer, item, of) for item in items)
            return typer.made(model.SetOf(type=SetType(of), items=made, span=span), *made)
        case _ if isinstance(expr.type, NamesType):
            who = typer.const(0, players, span)
            first = typer.made(model.Compare(type=BOOL, op="==", left=expr, right=who, span=span), expr, who)
            one, two = (typer.const(place, of, span) for place in places)
            return typer.made(model.If(type=of, condition=first, then=one, other=two, span=span), first, one, two)
        case _:
            number = 1
            while f"player_{number}" in typer.names.declared:
                number += 1
            local = typer.made(model.LocalRef(type=players, name=f"player_{number}", span=span))
            item = _converted(typer, local, of)
            tail = model.Tail((model.Bind(local.name, expr, span),))
            return typer.made(model.SetComp(type=SetType(of), item=item, tail=tail, span=span), item, expr)
