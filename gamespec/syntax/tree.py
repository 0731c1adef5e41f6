"""The tree of a spec: what was written, in either spelling.

Nodes are frozen and compare by content; spans and comments take no part (see `Span`). Clauses of one kind
keep their order; the order between kinds means nothing and is not recorded.
"""

from __future__ import annotations

import msgspec

from gamespec.source import NOWHERE, Span


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all nodes; `span` covers the source text of the node."""

    span: Span = NOWHERE


# --- expressions -------------------------------------------------------------------------------------------


class Int(Node, frozen=True):
    """`1_000`"""

    value: int


class Name(Node, frozen=True):
    """`n`, also `mover`, `other`, `stuck`, `true`, `false`"""

    name: str


class Neg(Node, frozen=True):
    """`-x`"""

    operand: Expr


class Not(Node, frozen=True):
    """`not x`"""

    operand: Expr


class Binary(Node, frozen=True):
    """`x + y`; `op` is one of `+ - * / % ** xor | &` (`//` is read as `/`); `op_span` covers the operator."""

    op: str
    left: Expr
    right: Expr
    op_span: Span = NOWHERE


class Compare(Node, frozen=True):
    """`a <= b < c`; ops are `== != <= >= < > in` and `not in`, one fewer than operands."""

    operands: tuple[Expr, ...]
    ops: tuple[str, ...]


class And(Node, frozen=True):
    """`x and y and z`"""

    operands: tuple[Expr, ...]


class Or(Node, frozen=True):
    """`x or y`"""

    operands: tuple[Expr, ...]


class If(Node, frozen=True):
    """`if c then a else b`"""

    condition: Expr
    then: Expr
    other: Expr


class Range(Node, frozen=True):
    """`lo..hi`, both included"""

    lo: Expr
    hi: Expr


class SetOf(Node, frozen=True):
    """`{a, b}`"""

    items: tuple[Expr, ...]


class Bind(Node, frozen=True):
    """`x in s`, after `for` or `choose`"""

    name: str
    within: Expr
    name_span: Span = NOWHERE


class Tail(Node, frozen=True):
    """`for x in s for y in t if c`; behind an update also `if c` alone."""

    binds: tuple[Bind, ...]
    condition: Expr | None = None


class SetComp(Node, frozen=True):
    """`{x + 1 for x in s if c}`"""

    item: Expr
    tail: Tail


class Call(Node, frozen=True):
    """`f(x, y)`"""

    name: str
    args: tuple[Expr, ...]
    name_span: Span = NOWHERE


class Fold(Node, frozen=True):
    """`sum(x * x for x in s if c)`"""

    name: str
    item: Expr
    tail: Tail
    name_span: Span = NOWHERE


class Index(Node, frozen=True):
    """`board[r, c]`"""

    base: Expr
    args: tuple[Expr, ...]


class Tuple(Node, frozen=True):
    """`(r, c)`"""

    items: tuple[Expr, ...]


Expr = Int | Name | Neg | Not | Binary | Compare | And | Or | If | Range | SetOf | SetComp | Call | Fold | Index | Tuple


# --- types -------------------------------------------------------------------------------------------------


class SetType(Node, frozen=True):
    """`set of lo..hi`"""

    of: Type


class ArrayType(Node, frozen=True):
    """`array[lo..hi, …] of TYPE`"""

    dims: tuple[Expr, ...]
    of: Type
    ordered: bool = False  # `sorted array`


Type = Expr | SetType | ArrayType


# --- clauses -----------------------------------------------------------------------------------------------


class Text(Node, frozen=True):
    """A quoted text; `span` covers the text without its quotes, `value` has escapes resolved."""

    value: str


class Param(Node, frozen=True):
    """`param top = 20`"""

    name: str
    value: Expr
    name_span: Span = NOWHERE


class Field(Node, frozen=True):
    """One name of a `given` or `state` clause; `state a, b: T` gives two of them."""

    name: str
    type: Type
    name_span: Span = NOWHERE


class Require(Node, frozen=True):
    """`require COND`"""

    condition: Expr


class Let(Node, frozen=True):
    """`let f(a, b) = EXPR`; `params` is None for a plain name."""

    name: str
    params: tuple[str, ...] | None
    value: Expr
    name_span: Span = NOWHERE


class Target(Node, frozen=True):
    """Left side of an update: `n`, `a[i]`, or `(p, q)` (several names, no indices)."""

    names: tuple[str, ...]
    indices: tuple[Expr, ...] | None = None


class Update(Node, frozen=True):
    """`n -= k for … if …`; `op` is one of `= += -= |= &=`"""

    target: Target
    op: str
    value: Expr
    tail: Tail | None = None


class Choose(Node, frozen=True):
    """`choose x in s, y in t`"""

    binds: tuple[Bind, ...]


class When(Node, frozen=True):
    """`when COND`"""

    condition: Expr


class Do(Node, frozen=True):
    """`do UPDATES [gain EXPR]`; no updates is `do nothing`."""

    updates: tuple[Update, ...]
    gain: Expr | None = None


class Named(Node, frozen=True):
    """`size = n` in a part: the value of a given of the component."""

    name: str
    value: Expr
    name_span: Span = NOWHERE


class Part(Node, frozen=True):
    """`(a, b, size = n) for … if …` in `into`"""

    args: tuple[Expr, ...]
    named: tuple[Named, ...] = ()
    tail: Tail | None = None


class Into(Node, frozen=True):
    """`into PARTS`; no parts is `into nothing`."""

    parts: tuple[Part, ...]


class Move(Node, frozen=True):
    """`move NAME [by PLAYER] [choose … | when …]* do … | into …`

    Several `choose` are read as one and several `when` as their `and`; the `choose` comes first. The order between
    the two means nothing, as every conjunct of `when` is tested as soon as the names in it have values.
    """

    name: str
    by: str | None
    premises: tuple[Choose | When, ...]
    effect: Do | Into
    name_span: Span = NOWHERE
    by_span: Span = NOWHERE


class Verdict(Node, frozen=True):
    """`mover wins`, `x loses`, `draw`: `kind` is `wins`, `loses` or `draw`; `who` is None for a draw."""

    kind: str
    who: str | None = None


class Terminal(Node, frozen=True):
    """`terminal COND` (no verdict) or one rule `VERDICT when COND`."""

    condition: Expr
    verdict: Verdict | None = None


class ReadOne(Node, frozen=True):
    """`n`, `side as chars ">^"`; `form` is None, `chars`, `digits`, `word` or `line`."""

    name: str
    form: str | None = None
    alphabet: str | None = None


class ReadMany(Node, frozen=True):
    """`xs[k]`, `board[3, 3] as chars ".xo"`"""

    name: str
    sizes: tuple[Expr, ...]
    form: str | None = None
    alphabet: str | None = None


class ReadRows(Node, frozen=True):
    """`[size, stones] * n`; `form` is None or `line`."""

    items: tuple[ReadItem, ...]
    count: Expr
    form: str | None = None


ReadItem = ReadOne | ReadMany | ReadRows


class Level(Node, frozen=True):
    """One level of `input`: `cases` is `once`, `count`, `eof`, a condition (`until`) or a bind (`for`); None if it is
    not said."""

    cases: str | Expr | Bind | None
    items: tuple[ReadItem, ...]


class Out(Node, frozen=True):
    """One part of `output`: `word` is `line`, `win`, `lose`, `draw`, …; `distinct` has no text."""

    word: str
    text: Text | None


class Output(Node, frozen=True):
    """`output` with its parts in order; `order` are the keys that winning moves are sorted by."""

    parts: tuple[Out, ...]
    order: tuple[Expr, ...] = ()


class Test(Node, frozen=True):
    """`test "input" gives "output"`"""

    input: Text
    output: Text


class Word(Node, frozen=True):
    """A bare word with a place: a player's name, a plan, a winner convention."""

    name: str


class Tree(Node, frozen=True):
    """A whole spec. Tuples hold clauses of a kind in file order; None is a clause that is not there."""

    name: Word
    about: Text | None = None
    source: Text | None = None
    rules: Text | None = None
    players: tuple[Word, ...] | None = None
    params: tuple[Param, ...] = ()
    givens: tuple[Field, ...] = ()
    states: tuple[Field, ...] = ()
    requires: tuple[Require, ...] = ()
    lets: tuple[Let, ...] = ()
    sum: Word | None = None
    start: tuple[Update, ...] | Into | None = None
    moves: tuple[Move, ...] = ()
    terminals: tuple[Terminal, ...] = ()
    winner: Word | None = None  # "last mover", "stuck player" or "highest score"
    endless: Verdict | None = None
    symmetries: tuple[tuple[Update, ...], ...] = ()
    input: tuple[Level, ...] | None = None  # outermost level first
    output: Output | None = None
    plan: Word | None = None
    tests: tuple[Test, ...] = ()


class Hole(Node, frozen=True):
    """`{x:5d}` in an output text: `name` is set if the expression is a bare name, `spec` is what follows `:`.

    `values` are the expressions of `{winning_moves: r, c}`, which has no `spec`; `joints` is what stands between them
    where they are printed.
    """

    expr: Expr
    name: str | None = None
    spec: str | None = None
    values: tuple[Expr, ...] | None = None
    joints: tuple[str, ...] = ()
