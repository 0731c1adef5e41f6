"""The kernel: a small structured program between a plan and machine code.

A kernel is a function over scalars and tables of scalars. Types are decided by bounds:

    i1                 conditions
    i32 i64 i128       signed numbers; their arithmetic never overflows (proved by bounds before the kernel is built)
    u8 … u128          words: bit sets, packed positions, hashes, table cells; arithmetic wraps
    u256 u512          wide words: sets and packed positions; not multiplied, divided or counted in loops

Expressions have no effects. An expression that may fail (division by zero, an index outside a table) is guarded
by an `If … Fault` in front of it or carries the reason why it cannot fail. `Select`, and `and`, `or`, `andnot` on
i1, evaluate from left to right and only what they need, so that their conditions guard what stands behind them.
`gamespec.backends.python` is the definition of every node.
"""

from __future__ import annotations

import msgspec

from gamespec.source import NOWHERE, Span


class Type(msgspec.Struct, frozen=True):
    bits: int
    signed: bool

    def __str__(self) -> str:
        return f"{'i' if self.signed or self.bits == 1 else 'u'}{self.bits}"


I1 = Type(1, False)
I32, I64, I128 = (Type(bits, True) for bits in (32, 64, 128))
U8, U16, U32, U64, U128 = (Type(bits, False) for bits in (8, 16, 32, 64, 128))
U256, U512 = (Type(bits, False) for bits in (256, 512))
I8, I16 = Type(8, True), Type(16, True)  # table cells only


class Const(msgspec.Struct, frozen=True):
    value: int
    type: Type


class Var(msgspec.Struct, frozen=True):
    """A scalar parameter, or a local: its type is that of its first `Set`."""

    name: str
    type: Type


class Binary(msgspec.Struct, frozen=True):
    """Both operands and the result have `type`.

    add sub mul            on signed: exact (proved); on words: wrapping
    div mod                floor division and its remainder (sign of the divisor); divisor not 0
                           (mul, div, mod: not on wide words)
    min max                of the type's order
    and or xor             bitwise (also on i1)
    andnot                 left and not right
    shl shr                shift by right (0 ≤ right < bits, else the result is 0); logical; on words
    """

    op: str
    left: Expr
    right: Expr
    type: Type


class Compare(msgspec.Struct, frozen=True):
    """`eq ne lt le gt ge` of two operands of one type; i1."""

    op: str
    left: Expr
    right: Expr

    @property
    def type(self) -> Type:
        return I1


class Unary(msgspec.Struct, frozen=True):
    """`not` (i1 or word), `neg` and `abs` (signed), `low` (index of the lowest 1 of a word, its bits if none),
    `high` (index of the highest 1, undefined for 0), `popcount` (of a word). Result has `type`."""

    op: str
    operand: Expr
    type: Type


class Cast(msgspec.Struct, frozen=True):
    """The same number in another type; the value fits (proved), or the target is a word and it is cut."""

    operand: Expr
    type: Type


class Select(msgspec.Struct, frozen=True):
    condition: Expr
    then: Expr
    other: Expr

    @property
    def type(self) -> Type:
        return self.then.type


class Load(msgspec.Struct, frozen=True):
    """A cell of a table, widened to `type` (i1: whether it is not 0). `index` is i64 or u64.

    `proof` says why the index is inside; None: every back end compares it with the table's length and faults.
    """

    table: str
    index: Expr
    type: Type
    proof: str | None = None


class DigitSet(msgspec.Struct, frozen=True):
    """The set of the digits of a number ≥ 0 in a constant base ≤ 64, as a word; digits of 0 are {0}."""

    operand: Expr
    base: int
    type: Type


Expr = Const | Var | Binary | Compare | Unary | Cast | Select | Load | DigitSet


class Set(msgspec.Struct, frozen=True):
    """Gives a local its value; the first one declares it (dominating all its uses)."""

    var: Var
    value: Expr
    span: Span = NOWHERE


class Store(msgspec.Struct, frozen=True):
    """Writes a cell (cut to its width). `proof` as in Load."""

    table: str
    index: Expr
    value: Expr
    proof: str | None = None


class Replace(msgspec.Struct, frozen=True):
    """Writes `new` into a cell that holds `old`, in one step whatever other threads do; else does `otherwise`.

    The table is shared; `old` and `new` are of the type of its cells. `proof` as in Load.
    """

    table: str
    index: Expr
    old: Expr
    new: Expr
    otherwise: Block
    proof: str | None = None


class Prefetch(msgspec.Struct, frozen=True):
    """Asks the processor for a cell that will be read soon; changes nothing. `proof` as in Load."""

    table: str
    index: Expr
    proof: str


class If(msgspec.Struct, frozen=True):
    condition: Expr
    then: Block
    other: Block = ()
    span: Span = NOWHERE


class For(msgspec.Struct, frozen=True):
    """`var` runs over lo..hi (both included, evaluated once) in ascending order; there is none if lo > hi.

    The body does not set `var`, and `var` is not known behind it.
    """

    var: Var
    lo: Expr
    hi: Expr
    body: Block
    span: Span = NOWHERE


class While(msgspec.Struct, frozen=True):
    condition: Expr
    body: Block


class Labelled(msgspec.Struct, frozen=True):
    """`Break(label)` inside the body goes on behind it."""

    label: str
    body: Block


class Break(msgspec.Struct, frozen=True):
    label: str


class Return(msgspec.Struct, frozen=True):
    value: Expr  # i64


class Fault(msgspec.Struct, frozen=True):
    """Ends the kernel with the negative status `-site`; `Function.sites[site - 1]` says what failed."""

    site: int


Statement = Set | Store | Replace | Prefetch | If | For | While | Labelled | Break | Return | Fault
Block = tuple[Statement, ...]


class Scalar(msgspec.Struct, frozen=True):
    """A parameter passed by value; of more than 64 bits, as several u64 words, low first."""

    name: str
    type: Type


class Table(msgspec.Struct, frozen=True):
    """A parameter: the address of cells and their number, owned by the caller. Tables do not overlap.

    A `shared` one may be read and written by several kernels at the same time, each cell as a whole; cells that no
    machine reads as a whole (of more than 64 bits) cannot be shared.
    """

    name: str
    cell: Type
    shared: bool = False


class Site(msgspec.Struct, frozen=True):
    """A place where a kernel can fault: `kind` is a word for the driver, `span` a place in the spec."""

    kind: str
    span: Span = NOWHERE


class Function(msgspec.Struct, frozen=True):
    """A kernel. The status it returns is an i64: what the plan says if ≥ 0, else a fault (see `sites`).

    A back end calls it with one Python int per scalar and one buffer per table, in the order of `params`.
    """

    name: str
    params: tuple[Scalar | Table, ...]
    body: Block
    sites: tuple[Site, ...] = ()
    hot: bool = True  # worth the compiler's full effort


TABLE_FAULT = -(1 << 40)  # status of a Load or Store outside its table
STOPPED = -(1 << 41)  # status of a kernel that was told to stop
PROOF_FAULT = -(1 << 41)  # status of a kernel compiled with `checked` when arithmetic that was proved safe is not
