"""Clauses as they are read, in file order, and the tree they make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from gamespec.diagnostics import Note, Problems
from gamespec.source import Span
from gamespec.syntax import problems
from gamespec.syntax.schema import ROWS
from gamespec.syntax.tree import Tree


class Clause(msgspec.Struct, frozen=True):
    """One clause: `word` is its clause word, `value` what the field of `Tree` for that word holds.

    A `game` clause holds the name and the `about` text or None. Where the field is a tuple of all clauses of the
    kind, the value is one element, or a tuple of several (`state a, b: T`).
    """

    word: str
    value: Any
    span: Span
    word_span: Span


def tree_of(clauses: Iterable[Clause], found: Problems) -> Tree:
    """The tree of a spec's clauses.

    Adds a problem for a clause that is said twice and for a spec without a name, and raises SpecError then.
    """
    fields: dict[str, Any] = {}
    first: dict[str, Clause] = {}
    for clause in clauses:
        row = ROWS[clause.word]
        if not row.many:
            earlier = first.setdefault(clause.word, clause)
            if earlier is not clause:
                note = Note(f"the first `{clause.word}` is here", earlier.word_span)
                found.add(problems.SAID_TWICE.at(clause.word_span, notes=(note,), word=clause.word))
            elif clause.word == "game":
                fields["name"], fields["about"] = clause.value
            else:
                fields[row.field] = clause.value
        elif row.field == "symmetries" or not isinstance(clause.value, tuple):
            fields[row.field] = (*fields.get(row.field, ()), clause.value)
        else:
            fields[row.field] = fields.get(row.field, ()) + clause.value
    if "game" not in first:
        found.add(problems.NO_NAME.at(Span(0, 0)))
    found.stop_on_error()
    return Tree(**fields)
