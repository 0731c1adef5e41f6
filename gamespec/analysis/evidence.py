"""Why a fact holds, and an order of positions with its evidence."""

from __future__ import annotations

import msgspec

from gamespec.source import Span


class Evidence(msgspec.Struct, frozen=True):
    """One sentence in the user's own names, with the place in the spec that it speaks about."""

    text: str
    span: Span | None = None


class Order(msgspec.Struct, frozen=True):
    """A lexicographic order of the positions that every move, and every part of `into`, strictly lowers.

    `fields` names every state field once, the most significant first, with a direction: +1 when the field itself
    is compared, −1 when its negative is. Sets compare as bit masks, arrays as mixed radix, first cell most
    significant; bools and names as their numbers.
    """

    fields: tuple[tuple[str, int], ...]
    reasons: tuple[Evidence, ...]
