"""Kernels that read many small cases and print many lines; the same for every game.

`reading` turns text into rows of whole numbers and finds the rows that are equal; `printing` copies one of several
texts for each row. Both look at every index, as text is anybody's, and stop where their caller must go on.
"""

from __future__ import annotations

from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, both, cast, compare, const, either, negate, select, shr, sub

READ, PRINT = "input.rows", "output.lines"

MOST_DIGITS = 18  # fewer than 10^18: no sum or sign leaves 64 bits
MARK = 0  # the byte of a text in whose place the number of the row is printed
WIDEST = 20  # bytes of a number

ROWS, DISTINCT, AT = range(3)  # cells of `state`: rows and different rows so far, and the byte behind the last row

_MULTIPLIER = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio (Knuth, TAOCP 6.4)


TEXT = "a place before the end of the text, which the caller knows"
COLUMN = "there are so many columns"


def _of(name: str, index: ir.Expr, of: ir.Type = ir.I64, proof: str | None = None) -> ir.Expr:
    return ir.Load(name, index, of, proof)


def _scalar(name: str) -> ir.Var:
    return ir.Var(name, ir.I64)


def reading() -> ir.Function:
    """Reads rows of `width` whole numbers from the bytes `text[at]` to `text[end - 1]`.

    A number is digits, at most MOST_DIGITS, or `-` and digits, between white space or the ends of the text, and it
    lies in `lows[column]..highs[column]`. The kernel stops before a row of which a word is anything else, before one
    that is not whole, before one whose columns marked in `stopping` all have the values of `stops`, and where there
    are `most` rows, or `room` different ones. `which[row]` is the number of the row among those that differ, which
    stand in `values`, a column of `room` cells after the other; `firsts` and `places` tell at which row and at which
    byte each came first. Numbers of rows, and of different rows, count `before.rows` and `before.count` more than those
    of this call. `slots` is a hash table of numbers of rows, 0 for none; all its cells are 0 at first. With `direct`,
    there is one column, and a slot for each number of it.
    """
    b = Builder()
    numbers = ("at", "end", "width", "most", "room", "stopped.all", "before.rows", "before.count", "direct")
    tables = (("lows", ir.I64), ("highs", ir.I64), ("stops", ir.I64), ("stopping", ir.U8), ("values", ir.I64))
    found = (("row", ir.I64), ("slots", ir.U32), ("which", ir.U32), ("firsts", ir.U32), ("places", ir.I64))
    b.declare(
        ir.Table("text", ir.U8),
        *(ir.Scalar(name, ir.I64) for name in numbers),
        ir.Scalar("mask", ir.U64),
        ir.Scalar("shift", ir.U64),
        *(ir.Table(name, cell) for name, cell in (*tables, *found)),
        ir.Table("state", ir.I64),
    )
    at = b.local("here", _scalar("at"))
    rows, count, behind = b.local("rows", const(0)), b.local("count", const(0)), b.local("behind", at)
    more = both(compare("lt", rows, _scalar("most")), compare("lt", count, _scalar("room")))
    with b.labelled("all") as done, b.loop_while(more):
        start = b.local("start", at)
        stopped = b.local("stopped", const(0))
        key = b.local("key", const(0, ir.U64))
        with b.loop("column", const(0), sub(_scalar("width"), 1)) as column:
            value = _number(b, at, done)
            marked = compare("ne", _of("stopping", column, ir.U32, COLUMN), const(0, ir.U32))
            with b.when(both(marked, compare("eq", value, _of("stops", column, proof=COLUMN)))):
                b.assign(stopped, add(stopped, 1))
            low, high = (
                compare("lt", value, _of("lows", column, proof=COLUMN)),
                compare("gt", value, _of("highs", column, proof=COLUMN)),
            )
            with b.when(either(low, high)):
                b.breaks(done)
            b.store("row", column, value, COLUMN)
            mixed = binary("xor", key, cast(value, ir.U64), ir.U64)
            b.assign(key, binary("mul", mixed, const(_MULTIPLIER, ir.U64), ir.U64))
            b.assign(key, binary("xor", key, shr(key, 29), ir.U64))
        with b.when(
            both(compare("gt", _scalar("stopped.all"), const(0)), compare("eq", stopped, _scalar("stopped.all")))
        ):
            b.breaks(done)
        _find(b, key, rows, count, start)
        b.assign(rows, add(rows, 1))
        b.assign(behind, at)
    for place, result in ((ROWS, rows), (DISTINCT, count), (AT, behind)):
        b.store("state", const(place), result)
    b.returns(0)
    return b.function(READ, hot=False)


def _number(b: Builder, at: ir.Var, done: str) -> ir.Var:
    """The next number of the text; leaves `done` where there is none."""
    inside = compare("lt", at, _scalar("end"))
    byte = b.local("byte", const(0, ir.U32))
    with b.labelled("begun") as begun:
        with b.loop_while(inside):
            b.assign(byte, _of("text", at, ir.U32, TEXT))
            with b.when(negate(_is_white(byte))):
                b.breaks(begun)
            b.assign(at, add(at, 1))
        b.breaks(done)
    minus = b.local("minus", compare("eq", byte, const(ord("-"), ir.U32)))
    with b.when(minus):
        b.assign(at, add(at, 1))
    begin = b.local("begin", at)
    word = b.local("word", const(0, ir.U64))
    with b.labelled("ended") as ended, b.loop_while(inside):
        b.assign(byte, binary("sub", _of("text", at, ir.U32, TEXT), const(ord("0"), ir.U32), ir.U32))
        with b.when(compare("gt", byte, const(9, ir.U32))):
            with b.when(negate(_is_white(add(byte, ord("0"))))):
                b.breaks(done)
            b.breaks(ended)
        scaled = binary("mul", word, const(10, ir.U64), ir.U64)
        b.assign(word, binary("add", scaled, cast(byte, ir.U64), ir.U64))
        b.assign(at, add(at, 1))
    digits = sub(cast(sub(at, begin), ir.U64), 1)  # none are more than any number
    with b.when(compare("ge", digits, const(MOST_DIGITS, ir.U64))):
        b.breaks(done)
    value = b.local("value", cast(word, ir.I64))
    with b.when(minus):
        b.assign(value, sub(const(0), value))
    return value


def _is_white(byte: ir.Expr) -> ir.Expr:
    """Whether a byte is white space: what Python's `bytes.split` splits at."""
    control = compare("le", binary("sub", byte, const(9, ir.U32), ir.U32), const(4, ir.U32))
    return either(compare("eq", byte, const(32, ir.U32)), control)


def _find(b: Builder, key: ir.Expr, rows: ir.Expr, count: ir.Var, start: ir.Expr) -> None:
    """Notes which of the different rows a row is; adds it to them if it is none."""
    direct = compare("ne", _scalar("direct"), const(0))
    first = sub(_of("row", const(0), proof=COLUMN), _of("lows", const(0), proof=COLUMN))
    hashed = binary("and", shr(key, ir.Var("shift", ir.U64)), ir.Var("mask", ir.U64), ir.U64)
    slot = b.local("slot", select(direct, cast(first, ir.U64), hashed))
    number = b.local("number", count)
    with b.labelled("found") as found:
        with b.loop_while(compare("ne", _of("slots", slot, ir.U32), const(0, ir.U32))):
            b.assign(number, sub(cast(_of("slots", slot, ir.U32), ir.I64), 1))
            with b.when(direct):
                b.breaks(found)
            with b.labelled("other") as other:
                with b.loop("place", const(0), sub(_scalar("width"), 1)) as place:
                    cell = add(binary("mul", place, _scalar("room"), ir.I64), number)
                    with b.when(compare("ne", _of("values", cell), _of("row", place, proof=COLUMN))):
                        b.breaks(other)
                b.breaks(found)
            up = binary("add", slot, const(1, ir.U64), ir.U64)
            b.assign(slot, binary("and", up, ir.Var("mask", ir.U64), ir.U64))
        b.assign(number, count)
        b.store("slots", slot, cast(add(count, 1), ir.U32))
        with b.loop("place", const(0), sub(_scalar("width"), 1)) as place:
            b.store(
                "values", add(binary("mul", place, _scalar("room"), ir.I64), count), _of("row", place, proof=COLUMN)
            )
        b.store("firsts", count, cast(add(_scalar("before.rows"), rows), ir.U32))
        b.store("places", count, start)
        b.assign(count, add(count, 1))
    b.store("which", rows, cast(add(_scalar("before.count"), number), ir.U32))


def printing() -> ir.Function:
    """Writes to `out` the text of each row from `first` to `last`, until the next might not fit into `room` bytes.

    Row r has the text `of[which[r]]`; text t stands in `texts` from `starts[t]` up to `starts[t + 1]`. For a byte MARK
    the number `base + r` is written. ROWS of `state` becomes the first row that is not written, AT the bytes that are.
    """
    b = Builder()
    tables = (
        ("texts", ir.U8),
        ("starts", ir.I64),
        ("which", ir.U32),
        ("of", ir.U32),
        ("out", ir.U8),
        ("state", ir.I64),
    )
    b.declare(
        *(ir.Table(name, cell) for name, cell in tables),
        *(ir.Scalar(name, ir.I64) for name in ("first", "last", "base", "room")),
    )
    at, next_row = b.local("at", const(0)), b.local("next", _scalar("first"))
    with b.labelled("all") as done, b.loop_while(compare("le", next_row, _scalar("last"))):
        text = b.local("text", cast(_of("of", cast(_of("which", next_row, ir.U32), ir.I64), ir.U32), ir.I64))
        start, end = b.local("start", _of("starts", text)), b.local("end", _of("starts", add(text, 1)))
        longest = binary("mul", sub(end, start), const(WIDEST), ir.I64)
        with b.when(compare("gt", add(at, longest), _scalar("room"))):
            b.breaks(done)
        with b.loop("i", start, sub(end, 1)) as i:
            byte = b.local("byte", _of("texts", i, ir.U32))
            with b.when(compare("eq", byte, const(MARK, ir.U32))):
                _print_number(b, at, add(_scalar("base"), next_row))
            with b.otherwise():
                b.store("out", at, byte)
                b.assign(at, add(at, 1))
        b.assign(next_row, add(next_row, 1))
    b.store("state", const(ROWS), next_row)
    b.store("state", const(AT), at)
    b.returns(0)
    return b.function(PRINT, hot=False)


def _print_number(b: Builder, at: ir.Var, number: ir.Expr) -> None:
    """Writes a number ≥ 0 and moves `at` behind it."""
    ten = const(10, ir.U64)
    rest = b.local("rest", cast(number, ir.U64))
    end = b.local("width", add(at, 1))
    left = b.local("left", binary("div", rest, ten, ir.U64))
    with b.loop_while(compare("gt", left, const(0, ir.U64))):
        b.assign(left, binary("div", left, ten, ir.U64))
        b.assign(end, add(end, 1))
    place = b.local("digit", end)
    with b.loop_while(compare("gt", place, at)):
        b.assign(place, sub(place, 1))
        b.store("out", place, cast(add(binary("mod", rest, ten, ir.U64), ord("0")), ir.U32))
        b.assign(rest, binary("div", rest, ten, ir.U64))
    b.assign(at, end)
