"""Writes kernels: nested blocks, fresh names, and small conveniences over `kernel.ir`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.source import NOWHERE, Span

if TYPE_CHECKING:
    from gamespec.kernel.sieve import Sieve

Words = dict[str, ir.Expr]  # the state fields of a position

MAX_STATEMENTS = 20_000
POLLED = 256
UNPOLLED = 1 << 14  # turns of nested loops that are over soon


class KernelTooLarge(Exception):
    """The rules unroll into more statements than a kernel may have."""


class Builder:
    """Collects the statements of one kernel.

    Statements go to the innermost open block. `before_fault` is called, when set, to record where the kernel
    stands just before each fault. `poll`, when set, is written into loops that may be long, where it runs every
    `POLLED` turns. `sieve`, when set, is where divisors and primes are looked up.
    """

    def __init__(self) -> None:
        self.blocks: list[list[ir.Statement]] = [[]]
        self.memos: list[dict[object, ir.Expr]] = [{}]
        self.params: list[ir.Scalar | ir.Table] = []
        self.sites: list[ir.Site] = []
        self.before_fault: Callable[[], None] | None = None
        self.poll: Callable[[], None] | None = None
        self.sieve: Sieve | None = None
        self._names: dict[str, int] = {}
        self._statements = 0
        self._closed: ir.Expr = TRUE
        self._turns = 1  # of the loops around that are not polled

    # names and memory of values

    def fresh(self, hint: str) -> str:
        """A local's name that was not used before: the hint, or the hint with a number."""
        count = self._names.get(hint, 0)
        self._names[hint] = count + 1
        return f"{hint}.{count}" if count else hint

    def declare(self, *params: ir.Scalar | ir.Table) -> None:
        """Adds parameters; to be called before any local is made, so that none takes their names."""
        self.params += params
        self._names.update((param.name, 1) for param in params)

    def remember(self, key: object, value: ir.Expr) -> ir.Expr:
        """Keeps a value for later statements of the block that is open now, and blocks inside it."""
        self.memos[-1][key] = value
        return value

    def recall(self, key: object) -> ir.Expr | None:
        for memo in reversed(self.memos):
            if key in memo:
                return memo[key]
        return None

    # statements

    def add(self, statement: ir.Statement) -> None:
        self.spend()
        self.blocks[-1].append(statement)

    def spend(self) -> None:
        """Counts a statement, or work that may write none; raises KernelTooLarge where there is too much of it."""
        self._statements += 1
        if self._statements > MAX_STATEMENTS:
            raise KernelTooLarge

    def local(self, hint: str, value: ir.Expr, span: Span = NOWHERE) -> ir.Var:
        """A new local with a first value."""
        var = ir.Var(self.fresh(hint), value.type)
        self.add(ir.Set(var, value, span))
        return var

    def simple(self, hint: str, value: ir.Expr) -> ir.Expr:
        """The value itself if it is a constant or a variable, else a local that holds it."""
        return value if isinstance(value, ir.Const | ir.Var) else self.local(hint, value)

    def assign(self, var: ir.Var, value: ir.Expr) -> None:
        self.add(ir.Set(var, cast(value, var.type)))

    def store(self, table: str, index: ir.Expr, value: ir.Expr, proof: str | None = None) -> None:
        self.add(ir.Store(table, index, value, proof))

    @contextmanager
    def replace_or(
        self, table: str, index: ir.Expr, old: ir.Expr, new: ir.Expr, proof: str | None = None
    ) -> Iterator[None]:
        """Statements for where a cell of a shared table does not hold `old` any more, and so does not get `new`."""
        otherwise: list[ir.Statement] = []
        with self._block(otherwise):
            yield
        self.add(ir.Replace(table, index, old, new, tuple(otherwise), proof))

    def prefetch(self, table: str, index: ir.Expr, proof: str) -> None:
        self.add(ir.Prefetch(table, index, proof))

    def returns(self, value: ir.Expr | int) -> None:
        self.add(ir.Return(const(value) if isinstance(value, int) else cast(value, ir.I64)))

    def breaks(self, label: str) -> None:
        self.add(ir.Break(label))

    def fault(self, kind: str, span: Span = NOWHERE) -> None:
        if self.before_fault:
            self.before_fault()
        wanted = (kind, span.start, span.end)
        for number, site in enumerate(self.sites, 1):
            if (site.kind, site.span.start, site.span.end) == wanted:
                self.add(ir.Fault(number))
                return
        self.sites.append(ir.Site(kind, span))
        self.add(ir.Fault(len(self.sites)))

    def fault_unless(self, condition: ir.Expr, kind: str, span: Span = NOWHERE) -> None:
        with self.when(negate(condition), span):
            self.fault(kind, span)

    # blocks

    @contextmanager
    def _block(self, into: list[ir.Statement]) -> Iterator[None]:
        self.blocks.append(into)
        self.memos.append({})
        try:
            yield
        finally:
            self.memos.pop()
            self.blocks.pop()

    @contextmanager
    def when(self, condition: ir.Expr, span: Span = NOWHERE) -> Iterator[None]:
        """Statements that run if the condition holds."""
        body: list[ir.Statement] = []
        with self._block(body):
            yield
        self._closed = condition
        if condition == TRUE:
            self.blocks[-1].extend(body)
        elif condition != FALSE and body:
            self.add(ir.If(condition, tuple(body), (), span))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Statements for the other branch of the `when` that was just closed."""
        condition = self._closed
        body: list[ir.Statement] = []
        with self._block(body):
            yield
        last = self.blocks[-1][-1] if self.blocks[-1] else None
        if condition == FALSE:
            self.blocks[-1].extend(body)
        elif condition != TRUE and body:
            if isinstance(last, ir.If) and last.condition is condition:
                self.blocks[-1][-1] = ir.If(condition, last.then, tuple(body), last.span)
            else:
                self.add(ir.If(negate(condition), tuple(body)))

    @contextmanager
    def loop(
        self, hint: str, lo: ir.Expr, hi: ir.Expr, span: Span = NOWHERE, most: int | None = None
    ) -> Iterator[ir.Var]:
        """An ascending loop over lo..hi; both bounds have the type of the loop's variable. `most` turns, if known."""
        var = ir.Var(self.fresh(hint), lo.type)
        fixed = isinstance(lo, ir.Const) and isinstance(hi, ir.Const) and hi.value - lo.value < POLLED
        if isinstance(lo, ir.Const) and isinstance(hi, ir.Const):
            most = max(1, hi.value - lo.value + 1)
        before = self._turns
        short = fixed or (most is not None and most * before <= UNPOLLED)
        body: list[ir.Statement] = []
        with self._block(body):
            if self.poll and not short:
                turn = binary("and", var, const(POLLED - 1, var.type), var.type)
                with self.when(compare("eq", turn, const(0, var.type))):
                    self.poll()
            self._turns = before * most if short and most is not None else 1
            yield var
        self._turns = before
        self.add(ir.For(var, lo, cast(hi, lo.type), tuple(body), span))

    @contextmanager
    def loop_while(self, condition: ir.Expr) -> Iterator[None]:
        body: list[ir.Statement] = []
        with self._block(body):
            yield
        self.add(ir.While(condition, tuple(body)))

    @contextmanager
    def labelled(self, hint: str) -> Iterator[str]:
        """A block that `breaks(label)` leaves."""
        label = self.fresh(hint)
        body: list[ir.Statement] = []
        with self._block(body):
            yield label
        self.add(ir.Labelled(label, tuple(body)))

    def function(self, name: str, hot: bool = True) -> ir.Function:
        return ir.Function(name, tuple(self.params), tuple(self.blocks[0]), tuple(self.sites), hot)


# --- expressions -------------------------------------------------------------------------------------------

TRUE = ir.Const(1, ir.I1)
FALSE = ir.Const(0, ir.I1)


def signed_type(bounds: Interval) -> ir.Type:
    """The narrowest of i32, i64, i128 that holds all numbers of the bounds."""
    for of in (ir.I32, ir.I64, ir.I128):
        if bounds.empty or Interval(-(1 << (of.bits - 1)), (1 << (of.bits - 1)) - 1).covers(bounds):
            return of
    raise OverflowError(f"{bounds} does not fit 128 bits")


def word_type(bits: int) -> ir.Type:
    """The narrowest word from u32 to u512 with that many bits."""
    for of in (ir.U32, ir.U64, ir.U128, ir.U256, ir.U512):
        if bits <= of.bits:
            return of
    raise OverflowError(f"{bits} bits do not fit a word")


def cell_type(limit: int) -> ir.Type:
    """The narrowest table cell that holds 0..limit."""
    for of in (ir.U8, ir.U16, ir.U32, ir.U64):
        if limit < 1 << of.bits:
            return of
    return ir.U128


def const(value: int, of: ir.Type = ir.I64) -> ir.Const:
    return ir.Const(value, of)


def cast(value: ir.Expr, of: ir.Type) -> ir.Expr:
    if value.type == of:
        return value
    if isinstance(value, ir.Const):
        return _folded(value.value, of)
    return ir.Cast(value, of)


def _folded(value: int, of: ir.Type) -> ir.Const:
    """A constant cut to a type. One that does not fit a signed type stands behind a check that always faults."""
    value %= 1 << of.bits
    return ir.Const(value - (1 << of.bits) if of.signed and value >> (of.bits - 1) else value, of)


def negate(condition: ir.Expr) -> ir.Expr:
    match condition:
        case ir.Const(value):
            return FALSE if value else TRUE
        case ir.Unary("not", operand, _):
            return operand
        case ir.Compare(op, left, right):
            return ir.Compare(_OPPOSITE[op], left, right)
        case _:
            return ir.Unary("not", condition, ir.I1)


_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}


def both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Conjunction of two conditions that are both safe to evaluate."""
    if FALSE in (left, right):
        return FALSE
    if left == TRUE:
        return right
    return left if right == TRUE else ir.Binary("and", left, right, ir.I1)


def either(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if TRUE in (left, right):
        return TRUE
    if left == FALSE:
        return right
    return left if right == FALSE else ir.Binary("or", left, right, ir.I1)


def wider(left: ir.Type, right: ir.Type) -> ir.Type:
    return left if left.bits >= right.bits else right


def compare(op: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Compares two numbers (or two words) in the wider of their types."""
    of = wider(left.type, right.type)
    left, right = cast(left, of), cast(right, of)
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return TRUE if _COMPARE[op](left.value, right.value) else FALSE
    return ir.Compare(op, left, right)


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}

_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andnot": lambda a, b: a & ~b,
    "min": min,
    "max": max,
}

_NEUTRAL = {
    ("add", 0),
    ("sub", 0),
    ("mul", 1),
    ("or", 0),
    ("xor", 0),
    ("andnot", 0),
    ("shl", 0),
    ("shr", 0),
    ("div", 1),
}


def binary(op: str, left: ir.Expr, right: ir.Expr, of: ir.Type) -> ir.Expr:
    """One operation in a type that holds operands and result; constants are folded."""
    left, right = cast(left, of), cast(right, of)
    if isinstance(right, ir.Const):
        if (op, right.value) in _NEUTRAL:
            return left
        if isinstance(left, ir.Const):
            if op in _FOLD:
                return _folded(_FOLD[op](left.value, right.value), of)
            if op == "shl":
                return _folded(left.value << right.value if right.value < of.bits else 0, of)
            if op == "shr":
                return ir.Const(left.value >> right.value if right.value < of.bits else 0, of)
    if isinstance(left, ir.Const) and left.value == 0 and op in ("add", "or", "xor"):
        return right
    return ir.Binary(op, left, right, of)


def add(left: ir.Expr, right: ir.Expr | int, of: ir.Type | None = None) -> ir.Expr:
    of = of or left.type
    return binary("add", left, const(right, of) if isinstance(right, int) else right, of)


def sub(left: ir.Expr, right: ir.Expr | int, of: ir.Type | None = None) -> ir.Expr:
    of = of or left.type
    return binary("sub", left, const(right, of) if isinstance(right, int) else right, of)


def shl(word: ir.Expr, by: ir.Expr | int) -> ir.Expr:
    return binary("shl", word, const(by, word.type) if isinstance(by, int) else by, word.type)


def shr(word: ir.Expr, by: ir.Expr | int) -> ir.Expr:
    return binary("shr", word, const(by, word.type) if isinstance(by, int) else by, word.type)


def select(condition: ir.Expr, then: ir.Expr, other: ir.Expr) -> ir.Expr:
    if isinstance(condition, ir.Const):
        return then if condition.value else other
    of = wider(then.type, other.type)
    return ir.Select(condition, cast(then, of), cast(other, of))
