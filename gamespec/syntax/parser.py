"""Runs the parser tables that Lark made of `game.lark`: a scanner and the LALR loop.

This is the work of Lark's own parser (contextual lexer, `always_accept`, callbacks during the parse) in the form
that a start of 3 ms needs. Tests compare it with Lark on every spec. It differs where a spec may be hostile:
tokens and nesting are counted, and nothing recurses.
"""

from __future__ import annotations

import marshal
import os
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NoReturn

import msgspec

from gamespec.source import Span
from gamespec.syntax import problems, reduce
from gamespec.syntax.tokens import Slip, Token

HERE = os.path.dirname(__file__)  # pathlib would cost 3 ms of the start
GRAMMAR_PATH = os.path.join(HERE, "game.lark")
TABLES_PATH = os.path.join(HERE, "game.bin")

TOKEN_LIMIT = 50_000
DEPTH_LIMIT = 200


class Rule(msgspec.Struct, frozen=True):
    """A rule of the grammar as the parser needs it; `build` makes the node of the children."""

    left: str
    size: int
    build: Callable[[list[Any]], Any]
    links: bool


class Tables(msgspec.Struct, frozen=True):
    """The tables in memory; see `gamespec.syntax.build.tables_of`."""

    starts: dict[str, tuple[int, int]]
    actions: list[dict[str, int]]
    gotos: list[dict[str, int]]
    rules: list[Rule]
    words: frozenset[str]
    scanner: re.Pattern[str]


class Fault(Exception):
    """The text does not go on as the grammar says.

    `expected` holds the kinds of all tokens that would have been right at `span`; `stack` the tokens and nodes
    read so far and not yet joined, the last one nearest to the fault.
    """

    def __init__(self, token: Token, expected: frozenset[str], stack: list[Any]) -> None:
        super().__init__(token.text)
        self.token = token
        self.expected = expected
        self.stack = stack


class Splice(list[Any]):
    """Children of a helper rule, to be put into its parent."""


def read_tables(path: str) -> dict[str, Any]:
    """The tables in a file; empty if it holds none."""
    try:
        with open(path, "rb") as file:
            data = marshal.load(file)
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return data if isinstance(data, dict) else {}


@cache
def tables() -> Tables:
    """The tables: the shipped ones, or new ones when the grammar beside them was changed or cannot be read."""
    with open(GRAMMAR_PATH, encoding="utf-8") as file:
        grammar = file.read()
    data = read_tables(TABLES_PATH)
    if data.get("grammar") != grammar:
        from gamespec.syntax.build import tables_of

        data = tables_of(grammar)
    return Tables(
        data["starts"],
        data["actions"],
        data["gotos"],
        [Rule(left, size, builder(name, how), how == "link") for left, size, name, how in data["rules"]],
        frozenset(data["words"]),
        re.compile(data["scanner"]),
    )


def builder(name: str, how: str) -> Callable[[list[Any]], Any]:
    """The function that makes the value of a rule of its children."""
    if how == "splice":
        return spliced
    if how == "link":
        return lambda children: children[0]
    build: Callable[[list[Any]], Any] = getattr(reduce, name)
    return (lambda children: build(flattened(children))) if how == "flatten" else build


def spliced(children: list[Any]) -> Splice:
    """The children of a repetition; the list of those before is taken over, not copied."""
    first = children[0] if children else None
    joined = first if isinstance(first, Splice) else Splice(children[:1])
    for child in children[1:]:
        if isinstance(child, Splice):
            joined.extend(child)
        else:
            joined.append(child)
    return joined


def flattened(children: list[Any]) -> list[Any]:
    """The children with those of repetitions put in."""
    flat: list[Any] = []
    for child in children:
        if isinstance(child, Splice):
            flat.extend(child)
        else:
            flat.append(child)
    return flat


class Parser:
    """Parses slices of one text; all slices together may have `TOKEN_LIMIT` tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tables = tables()
        self.tokens_left = TOKEN_LIMIT

    def token(self, at: int, end: int, row: dict[str, int]) -> Token:
        """The next token at or after an offset, with the kind that a state with this row of actions gives it."""
        found = self.tables.scanner.match(self.text, at, end)
        assert found is not None  # the last alternative is any character
        group = found.lastgroup or ""
        word = found.group(group)
        if group == "symbol" or (group == "name" and word in row and word in self.tables.words):
            kind = word
        else:
            kind = f"<{group}>"
        return Token(kind, word, Span(*found.span(group)))

    def parse(self, rule: str, begin: int = 0, end: int | None = None, until: int | None = None) -> Any:
        """What the text between two offsets is by a start rule of the grammar.

        Raises Fault where the text leaves the grammar, Slip where a node cannot be made or a limit is passed.
        `until` is the offset of a token that is known to be wrong. Before the parser finds a token wrong it may
        reduce, as states share lookaheads; the second run stops in front of it and sees all that could follow.
        """
        actions, gotos, rules = self.tables.actions, self.tables.gotos, self.tables.rules
        state, accept = self.tables.starts[rule]
        states = [state]
        values: list[Any] = []
        depths: list[int] = []
        at = begin
        end = len(self.text) if end is None else end
        while True:
            row = actions[states[-1]]
            token = self.token(at, end, row)
            kind, at = token.kind, token.span.end
            if until is not None and token.span.start >= until:
                self.fault(token, states, values)
            self.tokens_left -= until is None
            if self.tokens_left < 0:
                raise Slip(problems.TOO_MANY_TOKENS.at(token.span, limit=TOKEN_LIMIT))
            while True:
                action = row.get(kind)
                if action is None:
                    return self.parse(rule, begin, end, token.span.start)
                if action >= 0:
                    states.append(action)
                    values.append(token)
                    depths.append(0)
                    break
                reduction = rules[~action]
                size = reduction.size
                if reduction.links:
                    states.pop()
                else:
                    children: list[Any] = []
                    depth = 0
                    if size:
                        children, depth = values[-size:], max(depths[-size:])
                        del states[-size:], values[-size:], depths[-size:]
                    value = reduction.build(children)
                    values.append(value)
                    depths.append(depth + (type(value) is not Splice))
                    if depth >= DEPTH_LIMIT:
                        raise Slip(problems.TOO_DEEP.at(token.span, limit=DEPTH_LIMIT))
                state = gotos[states[-1]][reduction.left]
                if state == accept and kind == "<end>":
                    return values[-1]
                states.append(state)
                row = actions[state]

    def fault(self, token: Token, states: list[int], values: list[Any]) -> NoReturn:
        """Raises Fault with the tokens that are possible: those the parser would really shift after its reductions."""
        expected = frozenset(kind for kind in self.tables.actions[states[-1]] if self.shifts(kind, states))
        raise Fault(token, expected, values)

    def shifts(self, kind: str, states: list[int]) -> bool:
        """Whether a token of a kind can follow in a stack of states."""
        tables = self.tables
        states = states.copy()
        while (action := tables.actions[states[-1]].get(kind)) is not None:
            if action >= 0:
                return True
            rule = tables.rules[~action]
            if rule.size:
                del states[-rule.size :]
            state = tables.gotos[states[-1]][rule.left]
            if kind == "<end>" and any(state == accept for _, accept in tables.starts.values()):
                return True
            states.append(state)
        return False
