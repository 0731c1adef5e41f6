"""Kernels for the values of heaps: the rule is data (see `plan.heap.values`), so all heap games share machine code.

`fill` goes by the definition. `sparse` needs a mask: values with an odd number of bits in common with it are *common*,
the others *rare*. The xor of two rare or of two common values is rare, that of a rare and a common one is common; so
the common values among the options come from pairs with a rare part alone, and these are looked at first. The least
common value that is not among them bounds the mex, and what is below it and still missing is rare: only for that
pairs of two common parts are looked at, and only until nothing is missing. (R. Austin 1976; Winning Ways, chapter 4;
A. Gangolli and T. Plambeck 1989.) The mask decides how long it takes, never what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    Builder,
    add,
    binary,
    both,
    cast,
    compare,
    const,
    either,
    negate,
    select,
    shl,
    shr,
    sub,
)

FILL, SPARSE, TALLY, GATHER, PERIOD, EXTEND = (
    f"period.{name}" for name in ("fill", "sparse", "tally", "gather", "repeat", "extend")
)

LIMIT = 1 << 16  # Grundy values are below
TOO_LARGE, FULL = 1, 2  # statuses: a value reaches LIMIT; the list of rare values is full
SINGLE, PAIR, RANGE = 4, 8, 2  # cells of a row
LOW, HIGH, MIDDLE = 5, 6, 7  # cells of a pair that the kernel keeps
COUNT, STOOD, SOON = 0, 1, 2
"""Cells of `state`: how many rare values there are; the size at which their list was full; how many pairs are looked at
in order before all are, in strides."""
CELLS = 3
LEAST_SOON, MOST_SOON = 1 << 6, 1 << 14
BLOCK = 32  # pairs between two looks at what is missing
STRIDE = 61  # between pairs whose values have little to do with each other
INSIDE = "rows of a table of rows"
EARLIER = "a part is smaller than the heap"
BOUNDED = "values below the limit, of which the xor is too"

VALUE = ir.Table("value", ir.U16)
SEEN = ir.Table("seen", ir.U32)
RARE = ir.Table("rare", ir.U64)  # the size of a heap, and from bit 32 on its value
STATE = ir.Table("state", ir.I64)
RULE = (
    ir.Table("single", ir.I64),
    ir.Scalar("singles", ir.I64),
    ir.Scalar("lasting", ir.I64),
    ir.Table("pair", ir.I64),
    ir.Scalar("pairs", ir.I64),
    ir.Table("none", ir.I64),
    ir.Scalar("nones", ir.I64),
    ir.Table("over", ir.I64),
    ir.Scalar("overs", ir.I64),
    ir.Scalar("clear", ir.I64),
)


def _var(name: str) -> ir.Var:
    return ir.Var(name, ir.I64)


def _cell(table: str, row: ir.Expr, width: int, place: int) -> ir.Expr:
    index = add(binary("mul", row, const(width), ir.I64), place)
    return ir.Load(table, index, ir.I64, proof=INSIDE)


def _size(packed: ir.Expr) -> ir.Expr:
    """The size in a cell of the list of rare values."""
    return cast(packed, ir.U32)


def _packed(size: ir.Expr, value: ir.Expr) -> ir.Expr:
    """A cell of the list of rare values."""
    return binary("or", cast(size, ir.U64), shl(cast(value, ir.U64), 32), ir.U64)


def _value(at: ir.Expr) -> ir.Expr:
    return ir.Load(VALUE.name, at, ir.U32, proof=EARLIER)


class Values:
    """Writes how the value of each heap from `first` to `last` comes about."""

    def __init__(self, b: Builder, *, sparse: bool) -> None:
        self.b = b
        self.sparse = sparse

    def function(self) -> ir.Function:
        b = self.b
        own = (RARE, ir.Scalar("room", ir.I64), STATE, ir.Scalar("mask", ir.U32)) if self.sparse else ()
        b.declare(VALUE, SEEN, *RULE, *own, ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
        with b.loop("n", _var("first"), _var("last")) as n:
            self.n = n
            self.stamp = b.local("stamp", cast(add(n, 1), ir.U32))
            self._options()
            if self.sparse:
                self._finish(*self._candidate())
            else:
                self._finish(*self._least())
        b.returns(0)
        return b.function(SPARSE if self.sparse else FILL)

    def _mark(self, value: ir.Expr) -> None:
        self.b.store(SEEN.name, cast(value, ir.I64), self.stamp, proof=BOUNDED)

    def _applies(self, table: str, row: ir.Expr, width: int, place: int) -> ir.Expr:
        """Whether the size lies between two cells of a row."""
        since, until = (_cell(table, row, width, place + cell) for cell in (0, 1))
        return both(compare("ge", self.n, since), compare("le", self.n, until))

    def _options(self) -> None:
        """Marks the values of all options; with a mask, not those of two common parts."""
        b = self.b
        going = b.local("going", TRUE)
        with b.loop("row", const(0), sub(_var("overs"), 1)) as row, b.when(self._applies("over", row, RANGE, 0)):
            b.assign(going, FALSE)
        with b.when(going):
            with b.loop("row", const(0), sub(_var("nones"), 1)) as row, b.when(self._applies("none", row, RANGE, 0)):
                self._mark(const(0, ir.U32))
            self._singles()
            with self._pairs() as (pair, rest):
                self._rare_partners(pair, rest) if self.sparse else self._all_partners(pair, rest)

    def _singles(self) -> None:
        b = self.b
        with (
            b.when(compare("ge", self.n, _var("clear"))),
            b.loop("row", const(0), sub(_var("lasting"), 1)) as row,
        ):
            self._mark(_value(sub(self.n, _cell("single", row, SINGLE, 0))))
        with b.otherwise(), b.loop("row", const(0), sub(_var("singles"), 1)) as row:
            left = b.local("left", sub(self.n, _cell("single", row, SINGLE, 0)))
            enough = compare("ge", left, _cell("single", row, SINGLE, 1))
            with b.when(both(enough, self._applies("single", row, SINGLE, 2))):
                self._mark(_value(left))

    @contextmanager
    def _pairs(self) -> Iterator[tuple[ir.Expr, ir.Expr]]:
        """A loop over the splits that apply, with the row and what is left."""
        with self.b.loop("row", const(0), sub(_var("pairs"), 1)) as row:
            rest = self.b.local("rest", sub(self.n, _cell("pair", row, PAIR, 0)))
            least = _cell("pair", row, PAIR, 1)
            enough = compare("ge", rest, add(least, least))
            with self.b.when(both(enough, self._applies("pair", row, PAIR, 3))):
                yield row, rest

    def _halves(self, row: ir.Expr, rest: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """The least and the greatest size of the smaller part."""
        b = self.b
        low = b.local("low", _cell("pair", row, PAIR, 1))
        half = binary("div", sub(rest, _cell("pair", row, PAIR, 2)), const(2), ir.I64)
        return low, b.local("half", half)

    def _all_partners(self, row: ir.Expr, rest: ir.Expr) -> None:
        low, half = self._halves(row, rest)
        with self.b.loop("small", low, half) as small:
            self._mark(binary("xor", _value(small), _value(sub(rest, small)), ir.U32))

    # --- with a mask ---------------------------------------------------------------------------------------

    def _rare_partners(self, row: ir.Expr, rest: ir.Expr) -> None:
        b = self.b
        count = b.local("count", self._state(COUNT))
        least = b.local("least", _cell("pair", row, PAIR, 1))
        low = self._moved(row, LOW, count, lambda at: compare("lt", at, least))
        high = self._moved(row, HIGH, count, lambda at: compare("le", at, sub(rest, least)))
        with b.when(compare("eq", _cell("pair", row, PAIR, 2), const(0))):
            self._among(rest, low, sub(high, 1))
        with b.otherwise():
            middle = self._moved(row, MIDDLE, count, lambda at: compare("lt", add(at, at), rest))
            self._among(rest, low, sub(middle, 1))
            beyond = b.local("beyond", middle)
            with b.when(compare("lt", middle, count)):
                at = self._rare(middle)
                with b.when(compare("eq", add(at, at), rest)):
                    b.assign(beyond, add(beyond, 1))
            self._among(rest, binary("max", beyond, low, ir.I64), sub(high, 1))

    def _rare(self, index: ir.Expr) -> ir.Expr:
        return cast(_size(ir.Load(RARE.name, index, ir.U64, proof=INSIDE)), ir.I64)

    def _moved(self, row: ir.Expr, place: int, count: ir.Expr, passes: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
        """A pointer into the list of rare sizes, which only ever goes up, past those that pass."""
        b = self.b
        index = add(binary("mul", row, const(PAIR), ir.I64), place)
        pointer = b.local("pointer", ir.Load("pair", index, ir.I64, proof=INSIDE))
        going = b.local("going", TRUE)
        with b.loop_while(both(going, compare("lt", pointer, count))):
            with b.when(passes(self._rare(pointer))):
                b.assign(pointer, add(pointer, 1))
            with b.otherwise():
                b.assign(going, FALSE)
        b.store("pair", index, pointer, proof=INSIDE)
        return pointer

    def _among(self, rest: ir.Expr, low: ir.Expr, high: ir.Expr) -> None:
        with self.b.loop("place", low, high) as place:
            pair = self.b.local("pair", ir.Load(RARE.name, place, ir.U64, proof=INSIDE))
            partner = _value(sub(rest, cast(_size(pair), ir.I64)))
            self._mark(binary("xor", partner, cast(shr(pair, 32), ir.U32), ir.U32))

    def _is_common(self, value: ir.Expr) -> ir.Expr:
        word = binary("and", cast(value, ir.U32), ir.Var("mask", ir.U32), ir.U32)
        return compare(
            "ne", binary("and", ir.Unary("popcount", word, ir.U32), const(1, ir.U32), ir.U32), const(0, ir.U32)
        )

    def _candidate(self) -> tuple[ir.Expr, ir.Expr]:
        """The least value that no option has, and whether it is rare."""
        b = self.b
        least = b.local("mex", const(0))
        self._advance(least)
        common = b.local("common", least)
        going = b.local("going", TRUE)
        with b.loop_while(going):
            seen = compare("eq", self._seen(common), self.stamp)
            with b.when(either(seen, negate(self._is_common(common)))):
                b.assign(common, add(common, 1))
                with b.when(compare("ge", common, const(LIMIT))):
                    b.returns(TOO_LARGE)
            with b.otherwise():
                b.assign(going, FALSE)
        with b.when(compare("ne", least, common)):
            self._search(least, common)
        return least, compare("ne", least, common)

    def _seen(self, value: ir.Expr) -> ir.Expr:
        return ir.Load(SEEN.name, value, ir.U32, proof=BOUNDED)

    def _advance(self, least: ir.Var) -> None:
        """Moves on to a value that no option so far has: to one below `LIMIT`, or to the cell that no value has."""
        with self.b.loop_while(compare("eq", self._seen(least), self.stamp)):
            self.b.assign(least, add(least, 1))

    def _search(self, least: ir.Var, common: ir.Expr) -> None:
        """Looks at all pairs until no value below `common` is missing; `least` is the least one that is.

        The first few pairs in order, which is mostly enough where values come again as in octal games; then all, in
        strides, as neighbouring pairs have much the same values. How many are the first few is learnt from how often
        they were enough.
        """
        b = self.b
        few = b.local("few", self._state(SOON))
        with b.labelled("found") as label:
            with self._pairs() as (row, rest):
                low, half = self._halves(row, rest)
                soon = binary("min", few, add(sub(half, low), 1), ir.I64)
                self._walk(rest, low, 1, soon, (least, common), label, 1)
            with self._pairs() as (row, rest):
                low, half = self._halves(row, rest)
                count = b.local("sizes", add(sub(half, low), 1))
                with b.when(compare("gt", count, few)), b.loop("first", const(0), const(STRIDE - 1)) as first:
                    turns = add(binary("div", sub(sub(count, 1), first), const(STRIDE), ir.I64), 1)
                    self._walk(rest, add(low, first), STRIDE, turns, (least, common), label, -1)

    def _walk(
        self,
        rest: ir.Expr,
        start: ir.Expr,
        step: int,
        count: ir.Expr,
        ends: tuple[ir.Var, ir.Expr],
        label: str,
        way: int,
    ) -> None:
        """Marks the values of some pairs, `BLOCK` at a time, until nothing below `common` is missing."""
        b = self.b
        least, common = ends
        small = b.local("small", start)
        left = b.local("left", count)
        with b.loop_while(compare("gt", left, const(0))):
            with b.loop("pair", const(1), binary("min", left, const(BLOCK), ir.I64)):
                self._mark(binary("xor", _value(small), _value(sub(rest, small)), ir.U32))
                b.assign(small, add(small, step))
            b.assign(left, sub(left, BLOCK))
            self._advance(least)
            with b.when(compare("eq", least, common)):
                self._learn(way)
                b.breaks(label)

    def _state(self, cell: int) -> ir.Expr:
        return ir.Load(STATE.name, const(cell), ir.I64, proof="a fixed cell")

    def _learn(self, way: int) -> None:
        """The first few pairs were enough (+1), or not."""
        few = self._state(SOON)
        more = binary("min", add(few, LEAST_SOON), const(MOST_SOON), ir.I64)
        less = binary("max", sub(few, binary("div", few, const(4), ir.I64)), const(LEAST_SOON), ir.I64)
        self.b.store(STATE.name, const(SOON), more if way > 0 else less, proof="a fixed cell")

    # --- the value -----------------------------------------------------------------------------------------

    def _least(self) -> tuple[ir.Expr, ir.Expr]:
        b = self.b
        least = b.local("mex", const(0))
        self._advance(least)
        with b.when(compare("ge", least, const(LIMIT))):
            b.returns(TOO_LARGE)
        return least, FALSE

    def _finish(self, value: ir.Expr, rare: ir.Expr) -> None:
        b = self.b
        if self.sparse:
            with b.when(rare):
                count = b.local("count", self._state(COUNT))
                with b.when(compare("ge", count, _var("room"))):
                    b.store(STATE.name, const(STOOD), self.n, proof="a fixed cell")
                    b.returns(FULL)
                b.store(RARE.name, count, _packed(self.n, value), proof="tested just before")
                b.store(STATE.name, const(COUNT), add(count, 1), proof="a fixed cell")
        b.store(VALUE.name, self.n, cast(value, ir.U32), proof="the loop stays inside the table")


def fill() -> ir.Function:
    return Values(Builder(), sparse=False).function()


def sparse() -> ir.Function:
    return Values(Builder(), sparse=True).function()


def tally() -> ir.Function:
    """Counts how often each value occurs from `first` to `last`; the status is the largest one."""
    b = Builder()
    b.declare(VALUE, ir.Table("count", ir.U32), ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
    largest = b.local("largest", const(0))
    with b.loop("n", _var("first"), _var("last")) as n:
        value = b.local("at", cast(_value(n), ir.I64))
        b.assign(largest, binary("max", largest, value, ir.I64))
        count = ir.Load("count", value, ir.U32, proof=BOUNDED)
        b.store("count", value, add(count, 1), proof=BOUNDED)
    b.returns(largest)
    return b.function(TALLY)


def gather() -> ir.Function:
    """Lists the sizes from `first` to `last` whose value is rare for a mask; the status is their number."""
    b = Builder()
    b.declare(VALUE, RARE, ir.Scalar("mask", ir.U32), ir.Scalar("first", ir.I64), ir.Scalar("last", ir.I64))
    count = b.local("count", const(0))
    with b.loop("n", _var("first"), _var("last")) as n:
        value = b.local("here", _value(n))
        with b.when(ir.Unary("not", Values(b, sparse=True)._is_common(value), ir.I1)):
            b.store(RARE.name, count, _packed(n, value), proof="counted before")
            b.assign(count, add(count, 1))
    b.returns(count)
    return b.function(GATHER)


def repeat() -> ir.Function:
    """The least p with value(n + p) = value(n) throughout `first..first + length - 1` (Knuth, Morris and Pratt).

    `border` gets for each beginning of the stretch the length of its longest border.
    """
    b = Builder()
    b.declare(VALUE, ir.Table("border", ir.U32), ir.Scalar("first", ir.I64), ir.Scalar("length", ir.I64))
    inside = "a border is shorter than the stretch"

    def border(at: ir.Expr) -> ir.Expr:
        return cast(ir.Load("border", at, ir.U32, proof=inside), ir.I64)

    def here(at: ir.Expr) -> ir.Expr:
        return ir.Load(VALUE.name, add(_var("first"), at), ir.U32, proof=inside)

    matched = b.local("matched", const(0))
    b.store("border", const(0), const(0, ir.U32), proof="the stretch is not empty")
    with b.loop("place", const(1), sub(_var("length"), 1)) as place:
        value = b.local("here", here(place))
        going = b.local("going", compare("gt", matched, const(0)))
        with b.loop_while(going):
            with b.when(compare("eq", here(matched), value)):
                b.assign(going, FALSE)
            with b.otherwise():
                b.assign(matched, border(sub(matched, 1)))
                b.assign(going, compare("gt", matched, const(0)))
        with b.when(compare("eq", here(matched), value)):
            b.assign(matched, add(matched, 1))
        b.store("border", place, cast(matched, ir.U32), proof=inside)
    b.returns(sub(_var("length"), matched))
    return b.function(PERIOD)


def extend() -> ir.Function:
    """The least n0 with value(n + period) = value(n) for all n0 ≤ n < count - period."""
    b = Builder()
    b.declare(VALUE, ir.Scalar("period", ir.I64), ir.Scalar("count", ir.I64))
    at = b.local("at", sub(_var("count"), _var("period")))
    going = b.local("going", TRUE)
    with b.loop_while(both(going, compare("gt", at, const(0)))):
        before = sub(at, 1)
        same = compare("eq", _value(before), _value(add(before, _var("period"))))
        b.assign(going, same)
        b.assign(at, select(same, before, at))
    b.returns(at)
    return b.function(EXTEND)


def functions() -> tuple[ir.Function, ...]:
    """All kernels of this file."""
    return fill(), sparse(), tally(), gather(), repeat(), extend()
