"""The functions of the language: `BUILTINS` has one entry each."""

from __future__ import annotations

from gamespec.builtins.table import BUILTINS

__all__ = ["BUILTINS"]
