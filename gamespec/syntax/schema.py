"""The clauses of the language in one table.

The YAML reader, the formatter and the converter are driven by it; the JSON Schema for editors and the reference
page are made of it.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import msgspec


class Shape(Enum):
    """How the value of a clause stands in YAML."""

    TEXT = "text"  # words for people, taken as they are
    VALUE = "value"  # one scalar, read by the row's grammar rule
    VALUES = "values"  # the same, or a list of them: one clause each
    NAMES = "names"  # one scalar `a, b`, or a list of names
    FLAG = "flag"  # nothing, or `true`
    ENTRIES = "entries"  # a mapping; keys read by `key_rule`, values by `rule`: one clause each
    MOVES = "moves"  # a mapping of names to mappings with the row's keys: one clause each
    LEVEL = "level"  # a mapping with the row's keys, `queries` holding the next level
    OUTPUTS = "outputs"  # a mapping of words to texts, or a list of such mappings
    TERMINALS = "terminals"  # a condition, a mapping of verdicts to conditions, or a list of both
    TESTS = "tests"  # a list of mappings with the row's keys, or one of them


class Key(msgspec.Struct, frozen=True):
    """A key inside a clause. `rule` is its grammar rule; a key without one holds a text or a mapping."""

    word: str
    doc: str
    rule: str = ""
    required: bool = False


class Row(msgspec.Struct, frozen=True):
    """A clause: its word, its field in `Tree`, whether it may repeat, and how it is written and explained."""

    word: str
    field: str
    shape: Shape
    doc: str
    text: str
    yaml: str
    rule: str = ""
    key_rule: str = ""
    many: bool = False
    keys: tuple[Key, ...] = ()


TABLE = (
    Row(
        "game",
        "name",
        Shape.VALUE,
        "The name of the game, the same as the name of the file without its ending, and a sentence about it.",
        'game cow_digit "Subtract the largest or the smallest nonzero digit."',
        "game: cow_digit\nabout: Subtract the largest or the smallest nonzero digit.",
        rule="word",
    ),
    Row(
        "source",
        "source",
        Shape.TEXT,
        "Where the game comes from.",
        'source "USACO 2009 Open, Cow Digit Game"',
        "source: USACO 2009 Open, Cow Digit Game",
    ),
    Row(
        "rules",
        "rules",
        Shape.TEXT,
        "The rules in prose. Long texts stand between three quotes, or after `|` in YAML.",
        'rules "Take one or two stones; who takes the last one wins."',
        "rules: Take one or two stones; who takes the last one wins.",
    ),
    Row(
        "players",
        "players",
        Shape.NAMES,
        "The names of the two players; the first one moves first. Only games need it in which a rule speaks of one of "
        "them: by `by`, `mover`, `other` or a verdict that names a player.",
        "players mouse, cat",
        "players: mouse, cat",
        rule="names",
    ),
    Row(
        "param",
        "params",
        Shape.ENTRIES,
        "A constant of the spec. `-D top=40` gives it another value.",
        "param top = 20",
        "param:\n  top: 20",
        rule="expr",
        key_rule="word",
        many=True,
    ),
    Row(
        "given",
        "givens",
        Shape.ENTRIES,
        "Data of one case, or of one component of a sum. It does not change during play.",
        "given size: 0..1_000_000",
        "given:\n  size: 0..1_000_000",
        rule="type",
        key_rule="names",
        many=True,
    ),
    Row(
        "state",
        "states",
        Shape.ENTRIES,
        "What changes during play. Types: `lo..hi` (both included), `bool`, `player`, `{red, green}`, `set of lo..hi`, "
        "`array[lo..hi] of TYPE`, `array[1..3, 1..3] of TYPE`, `sorted array[…] of TYPE`. "
        "The bounds may name params, givens and earlier fields.",
        "state stones: 0..size\nstate left, right: 0..10",
        "state:\n  stones: 0..size\n  left, right: 0..10",
        rule="type",
        key_rule="names",
        many=True,
    ),
    Row(
        "require",
        "requires",
        Shape.VALUES,
        "A condition that every position satisfies. The input is checked against it, and so is every move.",
        "require lo <= hi + 1",
        "require: lo <= hi + 1",
        rule="expr",
        many=True,
    ),
    Row(
        "let",
        "lets",
        Shape.ENTRIES,
        "A name for an expression, or a function. Definitions may use each other, but not in a circle.",
        "let ds = digits(n) - {0}\nlet even(x) = x % 2 == 0",
        "let:\n  ds: digits(n) - {0}\n  even(x): x % 2 == 0",
        rule="expr",
        key_rule="head",
        many=True,
    ),
    Row(
        "sum",
        "sum",
        Shape.FLAG,
        "A position is a sum of components: a move is a move in one of them. The spec describes one component.",
        "sum",
        "sum: true",
    ),
    Row(
        "start",
        "start",
        Shape.VALUE,
        "The values of state fields that the input does not give. In a sum, `into` lists the components of a case: "
        "values of the state fields, then `name = value` for givens of the component.",
        "start lo = 1, hi = n",
        "start: lo = 1, hi = n",
        rule="beginning",
    ),
    Row(
        "move",
        "moves",
        Shape.MOVES,
        "A rule for moving: `choose` names values, `when` says which are allowed, `do` says what changes. All right "
        "sides of `do` read the position before the move. In a sum, `into` replaces the component by several.",
        "move take\n    choose k in 1..3\n    when k <= n\n    do n -= k",
        "move:\n  take:\n    choose: k in 1..3\n    when: k <= n\n    do: n -= k",
        rule="move",
        key_rule="word",
        many=True,
        keys=(
            Key("by", "The player who may make this move.", "word"),
            Key("choose", "The values chosen: `x in SET, y in SET`; a later set may use earlier names.", "binds"),
            Key("when", "The condition under which the move is legal.", "expr"),
            Key("do", "What changes: `n -= k`, `a[i] = 0 if k > 1, p = q`, or `nothing`.", "doing"),
            Key("gain", "What the mover's score grows by.", "expr"),
            Key("into", "The components that replace this one: `(a), (n - a)`, or `nothing`.", "pieces"),
        ),
    ),
    Row(
        "terminal",
        "terminals",
        Shape.TERMINALS,
        "Where the game is over although moves may exist; without a verdict of its own `winner` decides. Verdicts "
        "are `mover wins`, `mover loses`, a player's name with `wins` or `loses`, and `draw`. A position "
        "without a move is always terminal. The first condition that holds counts.",
        "terminal n == 0\nterminal mover loses when n == 13",
        "terminal:\n  - n == 0\n  - mover loses: n == 13",
        rule="ending",
        key_rule="verdict",
        many=True,
    ),
    Row(
        "winner",
        "winner",
        Shape.VALUE,
        "Who wins at a terminal position: `last mover` (normal play, also without this clause), `stuck player` "
        "(misère play: who is to move there wins), or `highest score` (the larger sum of gains wins).",
        "winner last mover",
        "winner: last mover",
        rule="convention",
    ),
    Row(
        "endless",
        "endless",
        Shape.VALUE,
        "What a play without end means: `draw`, or a player wins.",
        "endless draw",
        "endless: draw",
        rule="verdict",
    ),
    Row(
        "symmetry",
        "symmetries",
        Shape.VALUES,
        "Which cell of an array, or field of the same type, may stand for which without a change to the game, so that "
        "fewer positions are stored.",
        "symmetry row[i] = row[n + 1 - i] for i in 1..n",
        "symmetry: row[i] = row[n + 1 - i] for i in 1..n",
        rule="updates",
        many=True,
    ),
    Row(
        "input",
        "input",
        Shape.LEVEL,
        "What a case reads: `n`, `xs[k]` for k values, `[a, b] * n` for n rows. Cases come `once`, after their "
        "`count`, `until eof`, `until` a condition holds, or one `for` each value of a set. `queries` are cases within "
        "a case.",
        "input\n    cases until n == 0\n    read n, [size, stones] * n",
        "input:\n  cases: until n == 0\n  read: n, [size, stones] * n",
        keys=(
            Key("cases", "`once`, `count`, `until eof`, `until COND` or `for NAME in SET`.", "cases"),
            Key("read", "What is read, in order: `n, xs[k], [a, b] * n`.", "items"),
            Key("queries", "Cases within a case: a mapping with the same keys."),
        ),
    ),
    Row(
        "output",
        "output",
        Shape.OUTPUTS,
        "What is printed for each case: `line` always, `win`, `lose` and `draw` by the outcome for the player to "
        "move. Braces hold values: `{case}`, `{grundy}`, `{winning_moves}`, any name or expression. `order` comes "
        "last.",
        'output\n    line "Case {case}:"\n    win  "Yes"\n    lose "No"',
        'output:\n  line: "Case {case}:"\n  win: Yes\n  lose: No',
        keys=(Key("order", "The keys by which winning moves are sorted: `-k, component`.", "args"),),
    ),
    Row(
        "plan",
        "plan",
        Shape.VALUE,
        "A hint how to solve the game, by a name that `gamespec explain` prints.",
        "plan table",
        "plan: table",
        rule="word",
    ),
    Row(
        "test",
        "tests",
        Shape.TESTS,
        "An input and what is printed for it; `gamespec test` runs it. Blank lines at the end do not count.",
        'test "9\\n10\\n" gives "YES\\nNO\\n"',
        "test:\n  - input: |\n      9\n      10\n    gives: |\n      YES\n      NO",
        many=True,
        keys=(
            Key("input", "What stands on standard input.", required=True),
            Key("gives", "What is printed.", required=True),
        ),
    ),
)

ROWS = {row.word: row for row in TABLE}
KEYS = (*ROWS, "about")

START_RULES = ("clauses", *sorted(
    ({row.rule for row in TABLE} | {row.key_rule for row in TABLE} | {key.rule for row in TABLE for key in row.keys})
    - {"", "move"}
))  # fmt: skip


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the YAML spelling, for editors."""
    properties = {row.word: {"description": row.doc, **_shape_schema(row)} for row in TABLE}
    properties["about"] = {"description": "A sentence about the game.", "type": "string"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gamespec",
        "type": "object",
        "properties": properties,
        "required": ["game"],
        "additionalProperties": False,
    }


def _shape_schema(row: Row) -> dict[str, Any]:
    """What an editor may accept for one clause. Editors resolve scalars, so numbers and booleans count as texts."""
    scalar: dict[str, Any] = {"type": ["string", "number", "boolean", "null", "object", "array"]}
    text: dict[str, Any] = {"type": ["string", "number", "boolean", "null"]}
    known = {key.word: {"description": key.doc, **(scalar if key.rule else text)} for key in row.keys}
    keys = {
        "type": "object",
        "properties": known,
        "required": [key.word for key in row.keys if key.required],
        "additionalProperties": False,
    }
    texts = {"type": "object", "additionalProperties": text}
    match row.shape:
        case Shape.TEXT:
            return text
        case Shape.VALUE:
            return scalar
        case Shape.VALUES | Shape.NAMES:
            return {"anyOf": [scalar, {"type": "array", "items": scalar}]}
        case Shape.FLAG:
            return {"enum": [True, None]}
        case Shape.ENTRIES:
            return {"type": "object", "additionalProperties": scalar}
        case Shape.MOVES:
            return {"type": "object", "additionalProperties": keys}
        case Shape.LEVEL:
            known["queries"] = {"type": "object"}
            return keys
        case Shape.OUTPUTS:
            return {"anyOf": [texts, {"type": "array", "items": texts}]}
        case Shape.TERMINALS:
            entries = {"type": "object", "additionalProperties": scalar}
            return {"anyOf": [text, entries, {"type": "array", "items": {"anyOf": [text, entries]}}]}
        case Shape.TESTS:
            return {"anyOf": [keys, {"type": "array", "items": keys}]}
