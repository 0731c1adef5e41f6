"""What was proved of the operations of the rules that can fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from gamespec.source import Span

if TYPE_CHECKING:
    from gamespec.game.linear import Whys
    from gamespec.game.partial import Place

KINDS = {
    "empty": "there is something to choose from",
    "divide": "the divisor is not 0",
    "power": "the exponent is not negative",
    "index": "the index is inside the array",
    "call": "the function has a value",
    "range": "the new value stays in its range",
    "depend": "the other fields stay in their ranges",
    "part": "every part lies in its range",
    "require": "what is required still holds",
    "clash": "no cell is set twice",
}


class Proofs(msgspec.Struct, frozen=True):
    """Why the operations of a game cannot fail, by kind (a key of `KINDS`) and place.

    `complete` is false where the rules were too large to be walked: then nothing counts as proved.
    """

    reasons: dict[Place, Whys | None]
    spans: dict[Place, Span]
    complete: bool = True

    def reason(self, kind: str, span: Span) -> str | None:
        """A sentence why the obligation holds wherever it arises; None: it must be checked while running."""
        found = self.reasons.get((kind, span.start, span.end)) if self.complete else None
        if found is None:
            return None
        because = ", ".join(why for why in found if why)
        return f"{KINDS[kind]}: {because}" if because else f"{KINDS[kind]}: the declared bounds suffice"

    @property
    def unproved(self) -> list[tuple[str, Span]]:
        """What must be checked while running, in the order of the text."""
        places = sorted(place for place, found in self.reasons.items() if found is None or not self.complete)
        return [(place[0], self.spans[place]) for place in sorted(places, key=lambda place: place[1:])]
