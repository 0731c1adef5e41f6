"""Why a fact holds."""

from __future__ import annotations

import msgspec

from gamespec.source import Span


class Evidence(msgspec.Struct, frozen=True):
    """One sentence in the user's own names, with the place in the spec that it speaks about."""

    text: str
    span: Span | None = None
