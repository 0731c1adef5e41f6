"""The checked game: names resolved, expressions typed, lets kept, texts understood.

Everything later reads this model only. Values of expressions in Python, wherever one is needed:
`int` (also for names: their position in the type), `bool`, `frozenset` of int for sets, `tuple` for lists,
arrays and tuples; an array of several dimensions is a flat tuple, last index fastest.
A position is a tuple of such values, one for each state field, in the order of declaration.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from gamespec.source import NOWHERE, Source, Span
from gamespec.types import Type

Value = int | bool | frozenset[int] | tuple[int, ...]
Position = tuple[Value, ...]


class Typed(msgspec.Struct, frozen=True, kw_only=True):
    """Base of typed expressions. For numbers `type` holds proved bounds of the value wherever it is evaluated."""

    type: Type
    span: Span = NOWHERE


class Const(Typed, frozen=True):
    """A value known at compile time (also a param or a name of a names type)."""

    value: Value


class StateRef(Typed, frozen=True):
    """A state field, in the position before the move."""

    name: str


class GivenRef(Typed, frozen=True):
    """Data of the case or component."""

    name: str


class LocalRef(Typed, frozen=True):
    """A name bound by `choose` or `for`."""

    name: str


class InputRef(Typed, frozen=True):
    """A name that only the input declares; stands in `input`, `start` and `output`."""

    name: str


class LetRef(Typed, frozen=True):
    """A `let` without parameters; its definition is `Game.lets[name]`."""

    name: str


class Stuck(Typed, frozen=True):
    """True when the position has no move."""


class Neg(Typed, frozen=True):
    operand: Expr


class Not(Typed, frozen=True):
    operand: Expr


class Binary(Typed, frozen=True):
    """`op` is one of `+ - * / % ** xor` on numbers (`/` rounds down, `%` has the divisor's sign),
    or `| & - xor` on sets."""

    op: str
    left: Expr
    right: Expr


class Compare(Typed, frozen=True):
    """One comparison, `== != <= >= < >`; `==` and `!=` also on sets, names, bools. `>= <=` on sets is inclusion."""

    op: str
    left: Expr
    right: Expr


class Member(Typed, frozen=True):
    """`item in within`"""

    item: Expr
    within: Expr


class And(Typed, frozen=True):
    """Operands from left to right, the rest not evaluated after a false one."""

    operands: tuple[Expr, ...]


class Or(Typed, frozen=True):
    operands: tuple[Expr, ...]


class If(Typed, frozen=True):
    condition: Expr
    then: Expr
    other: Expr


class Range(Typed, frozen=True):
    """The set `lo..hi`; empty when lo > hi."""

    lo: Expr
    hi: Expr


class SetOf(Typed, frozen=True):
    items: tuple[Expr, ...]


class Bind(msgspec.Struct, frozen=True):
    """`name in within`; `within` is a set or a list and may use names bound before it."""

    name: str
    within: Expr
    span: Span = NOWHERE


class Tail(msgspec.Struct, frozen=True):
    """`for … for … if …`"""

    binds: tuple[Bind, ...]
    condition: Expr | None = None


class SetComp(Typed, frozen=True):
    item: Expr
    tail: Tail


class Fold(Typed, frozen=True):
    """`op` is `min max sum count any all gcd`. Over no values: sum, count and gcd are 0, any false, all true;
    min and max fail."""

    op: str
    item: Expr
    tail: Tail


class Call(Typed, frozen=True):
    """A builtin; `name` is a key of `gamespec.builtins.BUILTINS`."""

    name: str
    args: tuple[Expr, ...]


class Index(Typed, frozen=True):
    """An element of an array. `dims` are the exact first and last index of each dimension."""

    base: Expr
    indices: tuple[Expr, ...]
    dims: tuple[tuple[Expr, Expr], ...]


Expr = (
    Const
    | StateRef
    | GivenRef
    | LocalRef
    | InputRef
    | LetRef
    | Stuck
    | Neg
    | Not
    | Binary
    | Compare
    | Member
    | And
    | Or
    | If
    | Range
    | SetOf
    | SetComp
    | Fold
    | Call
    | Index
)


class Field(msgspec.Struct, frozen=True):
    """A given or a state field.

    `type` holds hull bounds over all cases. `lo` and `hi` are the exact bounds of the number, of the elements
    of the set, or of the cells of the array (None for bools and names); they may use params, givens and fields
    declared earlier. `dims` are the exact index bounds of an array.
    `component`: a given that belongs to one component of a sum, not to the whole case.
    """

    name: str
    type: Type
    lo: Expr | None = None
    hi: Expr | None = None
    dims: tuple[tuple[Expr, Expr], ...] = ()
    span: Span = NOWHERE
    component: bool = False


class Update(msgspec.Struct, frozen=True):
    """One change of a `do`. `indices` are None for a whole field. `op` is one of `= += -= |= &=`."""

    field: str
    indices: tuple[Expr, ...] | None
    op: str
    value: Expr
    tail: Tail | None = None
    span: Span = NOWHERE


class Part(msgspec.Struct, frozen=True):
    """One component (or, with a tail, several) that a move leaves: a value for each state field."""

    args: tuple[Expr, ...]
    tail: Tail | None = None
    span: Span = NOWHERE


class Do(msgspec.Struct, frozen=True):
    updates: tuple[Update, ...]


class Into(msgspec.Struct, frozen=True):
    parts: tuple[Part, ...]


class Move(msgspec.Struct, frozen=True):
    """A rule for moving.

    `guards` has one entry more than `choices`: `guards[i]` are the conjuncts of `when` that are tested, in this
    order, when the first `i` names are bound and before the set of the next one is evaluated.
    """

    name: str
    choices: tuple[Bind, ...]
    guards: tuple[tuple[Expr, ...], ...]
    effect: Do | Into
    span: Span = NOWHERE


class Verdict(Enum):
    """Who wins at a terminal position, seen from the player to move there."""

    MOVER_WINS = "mover wins"
    MOVER_LOSES = "mover loses"


class Terminal(msgspec.Struct, frozen=True):
    """A condition that ends the game; `verdict` None means that `winner` decides."""

    condition: Expr
    verdict: Verdict | None = None
    span: Span = NOWHERE


# --- input and output --------------------------------------------------------------------------------------


class ReadOne(msgspec.Struct, frozen=True):
    """One number (or name, or bool) into the field, given or undeclared name `name`."""

    name: str
    span: Span = NOWHERE


class ReadMany(msgspec.Struct, frozen=True):
    """`count` numbers into a set (any order, repeats allowed) or an array (which must have that many cells)."""

    name: str
    count: Expr
    span: Span = NOWHERE


class ReadRows(msgspec.Struct, frozen=True):
    """`count` rows of items. In a sum, rows that give a state field make one component each."""

    items: tuple[ReadItem, ...]
    count: Expr
    span: Span = NOWHERE


ReadItem = ReadOne | ReadMany | ReadRows


class Cases(Enum):
    ONCE = "once"
    COUNT = "count"
    EOF = "eof"
    UNTIL = "until"


class Input(msgspec.Struct, frozen=True):
    """The input clause. `until` is the condition of `cases until COND`; `starts` fills fields that are not read.

    Whatever `items` reads and the spec does not declare is listed in `extras`, in the order read.
    """

    cases: Cases
    items: tuple[ReadItem, ...]
    until: Expr | None = None
    extras: tuple[str, ...] = ()
    span: Span = NOWHERE


class Hole(msgspec.Struct, frozen=True):
    """A `{…}` of an output text: an answer (`grundy`, `winning_moves`, …, `case`) or an expression of input names.

    `align` is `<`, `>`, `^` or "", `zero` pads with zeros, `width` 0 to 200.
    """

    answer: str | None
    expr: Expr | None
    align: str = ""
    zero: bool = False
    width: int = 0
    span: Span = NOWHERE


Template = tuple[str | Hole, ...]


class Line(msgspec.Struct, frozen=True):
    """A line printed for every case."""

    text: Template
    span: Span = NOWHERE


class Choice(msgspec.Struct, frozen=True):
    """Neighbouring `win` / `lose`: one line, by the outcome for the player to move."""

    win: Template | None
    lose: Template | None
    span: Span = NOWHERE


class Test(msgspec.Struct, frozen=True):
    input: str
    output: str
    span: Span = NOWHERE


class Function(msgspec.Struct, frozen=True):
    """A `let` with parameters. Its calls are written out where they stand; a message finds them by the body's span."""

    params: tuple[str, ...]
    span: Span


class Game(msgspec.Struct, frozen=True):
    """A checked game."""

    name: str
    source: Source
    about: str
    origin: str
    rules: str
    params: dict[str, int]
    givens: tuple[Field, ...]
    states: tuple[Field, ...]
    requires: tuple[Expr, ...]
    lets: dict[str, Expr]
    sum: bool
    start: tuple[Update, ...]
    moves: tuple[Move, ...]
    terminals: tuple[Terminal, ...]
    misere: bool  # `winner stuck player`
    winner_span: Span
    input: Input | None
    output: tuple[Line | Choice, ...]
    plan: str | None
    plan_span: Span
    tests: tuple[Test, ...]
    functions: dict[str, Function] = {}

    def state(self, name: str) -> Field:
        return next(f for f in self.states if f.name == name)

    def given(self, name: str) -> Field:
        return next(f for f in self.givens if f.name == name)
