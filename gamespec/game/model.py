"""The checked game: names resolved, expressions typed, lets kept, texts understood.

Everything later reads this model only. Values of expressions in Python, wherever one is needed:
`int` (also for names: their position in the type), `bool`, `frozenset` of int for sets, `tuple` for lists,
arrays and tuples; an array of several dimensions is a flat tuple, last index fastest.
A position is a tuple of such values, one for each state field, in the order of declaration. In a partisan game
the last field is `mover`, the player to move, which the checker adds: nothing else needs to know whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import msgspec

from gamespec.source import NOWHERE, Source, Span
from gamespec.types import Type

Value = int | bool | frozenset[int] | tuple[int, ...]
Position = tuple[Value, ...]

MOVER = "mover"
"""The name of the field that says whose turn it is: 0 for the player named first, 1 for the other."""


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


class AnswerRef(Typed, frozen=True):
    """An answer inside an expression of an output text: `outcome` (a name of win, lose, draw), `winner` (a player),
    `score`, `distance`, `grundy`, `case`, …"""

    name: str


class After(Typed, frozen=True):
    """`after(EXPR)` in an output text: the value of the expression after the winning move."""

    operand: Expr


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
    """`for … for … if …`; of an update also `if …` alone."""

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


class Reach(Typed, frozen=True):
    """`reach(S, next, within)`: the elements of `within` that are in `start`, or reached from one that is by steps from
    `name` to an element of `step`, none of them outside `within`."""

    start: Expr
    name: str
    step: Expr
    within: Expr


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
    | AnswerRef
    | After
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
    | Reach
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
    """All updates at once. In a partisan game one of them sets `mover`. `gain` adds to the score of who moves."""

    updates: tuple[Update, ...]
    gain: Expr | None = None


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


LOST, WON, DRAWN = range(3)
"""Outcomes, for the player to move."""


class Verdict(Enum):
    """Who wins: seen from the player to move, or the player named first or second, or nobody."""

    MOVER_WINS = "mover wins"
    MOVER_LOSES = "mover loses"
    FIRST_WINS = "first wins"
    SECOND_WINS = "second wins"
    DRAW = "draw"

    def outcome(self, turn: int) -> int:
        """LOST, WON or DRAWN for the player to move, who is the one named first if `turn` is 0."""
        match self:
            case Verdict.MOVER_WINS:
                return WON
            case Verdict.MOVER_LOSES:
                return LOST
            case Verdict.FIRST_WINS:
                return LOST if turn else WON
            case Verdict.SECOND_WINS:
                return WON if turn else LOST
            case Verdict.DRAW:
                return DRAWN


class Terminal(msgspec.Struct, frozen=True):
    """A condition that ends the game; `verdict` None means that `winner` decides."""

    condition: Expr
    verdict: Verdict | None = None
    span: Span = NOWHERE


# --- input and output --------------------------------------------------------------------------------------


class ReadOne(msgspec.Struct, frozen=True):
    """One word into the field, given or undeclared name `name`: a number, a name, a bool.

    With `alphabet` it is one character, whose place in the alphabet counts the values of the type from its lowest.
    """

    name: str
    alphabet: str | None = None
    span: Span = NOWHERE


class Form(Enum):
    """How several values stand in the input."""

    WORDS = "words"  # one word each
    CHARS = "chars"  # one character each, with or without white space between them
    WORD = "word"  # the characters of one word
    LINE = "line"  # the words that are left on the line


class ReadMany(msgspec.Struct, frozen=True):
    """Values into a set (any order, repeats allowed) or an array (which must have that many cells).

    `counts` has an entry for each dimension. An entry of a WORD or a LINE that is an input name without a value
    becomes the number of values found; any other is checked against it. Cells beyond those read keep the value of
    `start`, else the least of their type. `alphabet` as in ReadOne (CHARS and WORD).
    """

    name: str
    counts: tuple[Expr, ...]
    form: Form = Form.WORDS
    alphabet: str | None = None
    span: Span = NOWHERE


class ReadRows(msgspec.Struct, frozen=True):
    """`count` rows of items. In a sum, rows that give a state field make one component each; row i of others gives
    the i-th entry of each array. With `line`, as many rows as the line holds (`count` then as in ReadMany)."""

    items: tuple[ReadItem, ...]
    count: Expr
    line: bool = False
    span: Span = NOWHERE


ReadItem = ReadOne | ReadMany | ReadRows


class Cases(Enum):
    ONCE = "once"
    COUNT = "count"
    EOF = "eof"
    UNTIL = "until"
    FOR = "for"


class Level(msgspec.Struct, frozen=True):
    """One level of cases: `until` is the condition of `cases until COND`, `each` the name of `cases for NAME in SET`,
    which makes a case of each value, ascending, and reads nothing for it."""

    cases: Cases
    items: tuple[ReadItem, ...]
    until: Expr | None = None
    each: Bind | None = None
    span: Span = NOWHERE


class Input(msgspec.Struct, frozen=True):
    """The input clause, outermost level first; the cases of the innermost level are answered.

    Whatever the items read and the spec does not declare is listed in `extras`, in the order read.
    """

    levels: tuple[Level, ...]
    extras: tuple[str, ...] = ()
    span: Span = NOWHERE


class Hole(msgspec.Struct, frozen=True):
    """A `{…}` of an output text: an answer (`grundy`, `winning_moves`, …, `case`) or an expression.

    An expression may hold names of the input, fields (of the position asked about), answers (AnswerRef), and, where
    they mean the first winning move or each of them, its chosen names (LocalRef) and `after(…)`. `values` are the
    expressions of `{winning_moves: r, c}`, with `joints` between them. `align` is `<`, `>`, `^` or "", `zero` pads
    with zeros, `width` 0 to 200.
    """

    answer: str | None
    expr: Expr | None
    values: tuple[Expr, ...] | None = None
    align: str = ""
    zero: bool = False
    width: int = 0
    joints: tuple[str, ...] = ()
    span: Span = NOWHERE


Template = tuple[str | Hole, ...]


class Line(msgspec.Struct, frozen=True):
    """A line printed for every case."""

    text: Template
    span: Span = NOWHERE


class Choice(msgspec.Struct, frozen=True):
    """Neighbouring words of outcomes: one line, by the outcome for the player to move (`win`, `lose`, `draw`), or by
    who wins when either starts (`left`, `right`: the player named first, second, whoever starts; `next`: whoever
    starts; `previous`: whoever does not)."""

    texts: dict[str, Template]
    span: Span = NOWHERE


class Winning(msgspec.Struct, frozen=True):
    """A line for every winning move; `distinct` leaves out repeated ones."""

    text: Template
    distinct: bool = False
    span: Span = NOWHERE


Entry = Line | Choice | Winning


class Output(msgspec.Struct, frozen=True):
    """The output clause: what is printed for each case, in this order.

    With `joined`, the answers of the innermost level under one piece of data stand on one line with this text between
    them. `order` are the keys by which winning moves are sorted before the order of the file.
    """

    entries: tuple[Entry, ...]
    joined: str | None = None
    order: tuple[Expr, ...] = ()
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
    output: Output
    plan: str | None
    plan_span: Span
    tests: tuple[Test, ...]
    functions: dict[str, Function] = {}
    players: tuple[str, str] | None = None
    scored: bool = False  # `winner highest score`
    endless: Verdict | None = None  # DRAW, FIRST_WINS or SECOND_WINS
    endless_span: Span = NOWHERE
    components: tuple[Part, ...] = ()  # `start into`: values of the state fields, then of the givens of a component
    symmetries: tuple[tuple[Update, ...], ...] = ()  # declared: each maps a position to one that is worth the same

    @property
    def partisan(self) -> bool:
        """Whether whose turn it is belongs to a position."""
        return self.states[-1].name == MOVER

    def state(self, name: str) -> Field:
        return next(f for f in self.states if f.name == name)

    def given(self, name: str) -> Field:
        return next(f for f in self.givens if f.name == name)

    def data(self, values: Iterable[Value]) -> dict[str, Value]:
        """The values of the givens, in the order of declaration, by their names."""
        return dict(zip((given.name for given in self.givens), values, strict=True))
