"""Winning moves: which they are, and how they are printed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gamespec.answers.ask import Ask, Option
from gamespec.game.model import WON, Game
from gamespec.game.show import value_text
from gamespec.types import ListType, SetType, Type


class WinningMove(msgspec.Struct, frozen=True):
    """A move that wins, with the number (from 1, in the order of the input) of the component it is made in."""

    component: int
    option: Option


def winning_options(ask: Ask, options: Sequence[Option], others: int = 0) -> list[Option]:
    """The options that win.

    With Grundy values, `others` is the sum of the values of the other components: a move wins iff what it leaves has
    just this value (Sprague and Grundy), where that is a number. Otherwise an option says itself whether it wins.
    """
    if ask.grundy:
        return [option for option in options if option.value == others >= 0]
    return [option for option in options if ask.outcome(option.value) == WON]


def move_text(game: Game, winning: WinningMove) -> str:
    """A move as `[component:][name:]values`: the component in a sum, the name if the spec has several moves.

    A move without a choice is its name.
    """
    option = winning.option
    move = game.moves[option.move]
    parts = [str(winning.component)] if game.sum else []
    if len(game.moves) > 1 or not move.choices:
        parts.append(move.name)
    if move.choices:
        values = zip(move.choices, option.choices, strict=True)
        parts.append(",".join(value_text(value, element_type(bind.within.type)) for bind, value in values))
    return ":".join(parts)


def element_type(of: Type) -> Type:
    """The type of what is chosen from a set or a list."""
    match of:
        case SetType(element) | ListType(element):
            return element
        case _:
            return of
