"""Random kernels: both back ends, checked and not, before and after the passes, end alike with equal tables."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gamespec.backends.call import limits
from gamespec.backends.program import compile
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.ir import I1, I32, I64, I128, U8, U16, U32, U64, U128, U256, U512, Type
from gamespec.kernel.passes import run
from gamespec.kernel.show import show
from gamespec.kernel.verify import verify
from tests.kernel.worker import Worker, call

NARROW = [I32, I64, I128, U8, U16, U32, U64, U128]
NUMBERS = [*NARROW, U256, U512]
TYPES = [*NUMBERS, I1]
CELLS = [U8, U16, U32, U64, U128, U256, U512, ir.I8, I32, I64, I128]
CELL_COUNT = 5


class Known(NamedTuple):
    """An expression with bounds of its value."""

    expr: ir.Expr
    bounds: Interval


def whole(of: Type) -> Interval:
    return Interval(*limits(of))


def local_bounds(of: Type) -> Interval:
    """Signed locals stay in a part of their type, so that there is room for exact arithmetic."""
    return Interval(-(1 << (of.bits // 2)), 1 << (of.bits // 2)) if of.signed else whole(of)


class Program:
    """Draws a well-formed kernel: signed arithmetic is used only where bounds show that it is exact."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.scalars = [ir.Scalar(f"p{i}", draw(st.sampled_from(TYPES))) for i in range(2)]
        cells = [draw(st.sampled_from(CELLS)) for _ in range(2)]
        self.tables = [ir.Table(f"t{i}", cell, cell.bits <= 64 and draw(st.booleans())) for i, cell in enumerate(cells)]
        self.known = {Known(ir.Var(p.name, p.type), whole(p.type)): None for p in self.scalars}
        self.labels: list[str] = []
        self.count = 0

    def pick(self, *options: object) -> object:
        return self.draw(st.sampled_from(options))

    def name(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    # --- expressions

    def const(self, of: Type) -> Known:
        lo, hi = limits(of)
        near = st.integers(max(lo, -20), min(hi, 70))
        value = self.draw(st.one_of(near, st.sampled_from([lo, hi, hi // 2]), st.integers(lo, hi)))
        return Known(ir.Const(value, of), Interval(value, value))

    def expr(self, of: Type, depth: int) -> Known:
        """Any expression of a type."""
        leaves = [known for known in self.known if known.expr.type == of]
        if depth <= 0:
            return self.draw(st.sampled_from(leaves)) if leaves and self.draw(st.booleans()) else self.const(of)
        forms = ["leaf", "binary", "binary", "unary", "cast", "select", "load"]
        form = self.pick(*forms, *(["compare"] * 3 if of == I1 else ["count"] if of in NUMBERS else []), "digits")
        match form:
            case "binary":
                return self.binary(of, depth - 1)
            case "unary":
                return self.unary(of, depth - 1)
            case "cast":
                return self.cast(of, depth - 1)
            case "select":
                then, other = self.expr(of, depth - 1), self.expr(of, depth - 1)
                test = self.expr(I1, depth - 1)
                return Known(ir.Select(test.expr, then.expr, other.expr), then.bounds.hull(other.bounds))
            case "load":
                return self.load(of, depth - 1)
            case "compare":
                return self.compare(depth - 1)
            case "count":
                return self.counted(of, depth - 1)
            case "digits" if not of.signed and of.bits >= 8:
                number = self.expr(self.draw(st.sampled_from(NARROW)), depth - 1)
                number = self.clamp(number, Interval(0, limits(number.expr.type)[1]))
                base = self.draw(st.integers(2, min(of.bits, 64)))
                return Known(ir.DigitSet(number.expr, base, of), whole(of))
        return self.expr(of, 0)

    def clamp(self, known: Known, into: Interval) -> Known:
        """The nearest number inside bounds."""
        of = known.expr.type
        if into.covers(known.bounds):
            return known
        lo, hi = ir.Const(into.lo, of), ir.Const(into.hi, of)
        return Known(ir.Binary("min", ir.Binary("max", known.expr, lo, of), hi, of), into)

    def binary(self, of: Type, depth: int) -> Known:
        left, right = self.expr(of, depth), self.expr(of, depth)
        if of == I1:
            op = self.pick("and", "or", "xor", "andnot")
            return Known(ir.Binary(str(op), left.expr, right.expr, of), whole(of))
        op = str(self.pick("add", "sub", "mul", "div", "mod", "min", "max", "and", "or", "xor", "andnot", "shl", "shr"))
        if of not in NARROW and op in ("mul", "div", "mod"):
            op = "shl"
        if of.signed:
            if op in ("shl", "shr"):
                op = "sub"
            if op in ("add", "sub", "mul"):
                room = (
                    local_bounds(of)
                    if op != "mul"
                    else Interval(*(b // 2 for b in limits(ir.Type(of.bits // 2, True))))
                )
                left, right = self.clamp(left, room), self.clamp(right, room)
        if op in ("div", "mod"):
            if 0 in right.bounds:
                zero = ir.Compare("eq", right.expr, ir.Const(0, of))
                right = Known(ir.Select(zero, ir.Const(1, of), right.expr), right.bounds.hull(Interval(1, 1)))
            if of.signed and op == "div":
                left = self.clamp(left, Interval(limits(of)[0] + 1, limits(of)[1]))
        bounds = whole(of)
        if of.signed and op in ("add", "sub", "mul"):
            bounds = {"add": left.bounds + right.bounds, "sub": left.bounds - right.bounds}.get(
                op, left.bounds * right.bounds
            )
        return Known(ir.Binary(op, left.expr, right.expr, of), bounds)

    def unary(self, of: Type, depth: int) -> Known:
        operand = self.expr(of, depth)
        if not of.signed:
            return Known(ir.Unary("not", operand.expr, of), whole(of))
        operand = self.clamp(operand, Interval(limits(of)[0] + 1, limits(of)[1]))
        return Known(ir.Unary(str(self.pick("neg", "abs")), operand.expr, of), whole(of))

    def counted(self, of: Type, depth: int) -> Known:
        words = [U8, U16, U32, U64, U128, U256, U512]
        word = self.draw(st.sampled_from([word for word in words if word.bits < 1 << (of.bits - of.signed)]))
        operand = self.expr(word, depth).expr
        op = str(self.pick("low", "high", "popcount"))
        if op == "high":
            operand = ir.Binary("or", operand, ir.Const(1, word), word)
        return Known(ir.Unary(op, operand, of), Interval(0, word.bits))

    def cast(self, of: Type, depth: int) -> Known:
        source = self.expr(self.draw(st.sampled_from(TYPES)), depth)
        if of.signed or of == I1:
            inside = source.bounds.meet(whole(of))
            if inside.empty:
                return self.const(of)
            if source.expr.type != I1:
                source = self.clamp(source, inside)
            return Known(ir.Cast(source.expr, of), inside)
        return Known(ir.Cast(source.expr, of), whole(of))

    def load(self, of: Type, depth: int) -> Known:
        fitting = [
            table for table in self.tables
            if of in (I1, table.cell) or (table.cell.bits < of.bits and (of.signed or not table.cell.signed))
        ]  # fmt: skip
        if not fitting:
            return self.expr(of, 0)
        table = self.draw(st.sampled_from(fitting))
        index, proof = self.index(depth)
        bounds = whole(I1) if of == I1 else whole(table.cell)
        return Known(ir.Load(table.name, index, of, proof), bounds)

    def index(self, depth: int) -> tuple[ir.Expr, str | None]:
        of = self.draw(st.sampled_from([I64, U64]))
        index = self.expr(of, depth).expr
        if self.draw(st.integers(0, 9)) == 0:
            return index, None  # most likely a fault
        return ir.Binary("mod", index, ir.Const(CELL_COUNT, of), of), self.draw(st.sampled_from(["a remainder", None]))

    def compare(self, depth: int) -> Known:
        of = self.draw(st.sampled_from(TYPES))
        left, right = self.expr(of, depth), self.expr(of, depth)
        ops = ("eq", "ne") if of == I1 else ("eq", "ne", "lt", "le", "gt", "ge")
        return Known(ir.Compare(str(self.pick(*ops)), left.expr, right.expr), whole(I1))

    # --- statements

    def block(self, depth: int) -> ir.Block:
        before = dict(self.known)
        found: list[ir.Statement] = []
        for _ in range(self.draw(st.integers(1, 3))):
            found += self.statement(depth)
            if isinstance(found[-1], ir.Break | ir.Return | ir.Fault):
                break
        self.known = before
        return tuple(found)

    def statement(self, depth: int) -> list[ir.Statement]:
        forms = ["set", "set", "store", "store", "prefetch"]
        shared = [table for table in self.tables if table.shared and table.cell in TYPES]
        forms += ["replace"] if shared else []
        if depth > 0:
            forms += ["if", "if", "for", "while", "label"]
            forms += ["leave"] if self.labels else []
        match self.pick(*forms):
            case "set":
                return [self.set()]
            case "store":
                table = self.draw(st.sampled_from(self.tables))
                index, proof = self.index(1)
                return [ir.Store(table.name, index, self.expr(self.draw(st.sampled_from(TYPES)), 2).expr, proof)]
            case "replace":
                table = self.draw(st.sampled_from(shared))
                index, proof = self.index(1)
                there = ir.Load(table.name, index, table.cell, proof)
                old = self.draw(st.sampled_from([there, self.expr(table.cell, 1).expr]))
                otherwise = self.block(depth - 1) if depth > 0 else ()
                return [ir.Replace(table.name, index, old, self.expr(table.cell, 2).expr, otherwise, proof)]
            case "prefetch":
                index = ir.Binary("mod", self.expr(U64, 1).expr, ir.Const(CELL_COUNT, U64), U64)
                return [ir.Prefetch(self.draw(st.sampled_from(self.tables)).name, index, "a remainder")]
            case "if":
                test = self.expr(I1, 2).expr
                other = self.block(depth - 1) if self.draw(st.booleans()) else ()
                return [ir.If(test, self.block(depth - 1), other)]
            case "for":
                return [self.for_(depth - 1)]
            case "while":
                return self.while_(depth - 1)
            case "label":
                label = self.name("l")
                self.labels.append(label)
                body = self.block(depth - 1)
                self.labels.pop()
                return [ir.Labelled(label, body)]
            case _:
                way: list[ir.Statement] = [ir.Return(self.expr(I64, 1).expr), ir.Fault(self.draw(st.integers(1, 2)))]
                way += [ir.Break(label) for label in self.labels] * 2
                return [ir.If(self.expr(I1, 1).expr, (self.draw(st.sampled_from(way)),))]

    def set(self) -> ir.Statement:
        locals_ = [known for known in self.known if isinstance(known.expr, ir.Var) and known.expr.name[0] == "x"]
        if locals_ and self.draw(st.booleans()):
            var = self.draw(st.sampled_from(locals_)).expr
        else:
            var = ir.Var(self.name("x"), self.draw(st.sampled_from(TYPES)))
        assert isinstance(var, ir.Var)
        value = self.expr(var.type, 3)
        value = self.clamp(value, local_bounds(var.type)) if var.type != I1 else value
        self.known[Known(var, local_bounds(var.type))] = None
        return ir.Set(var, value.expr)

    def for_(self, depth: int) -> ir.Statement:
        of = self.draw(st.sampled_from(NARROW))
        lo, hi = limits(of)
        first = self.draw(st.sampled_from([lo, 0, hi - 2, hi, 7]))
        last = self.draw(st.integers(max(lo, first - 2), min(hi, first + 3)))
        var = ir.Var(self.name("i"), of)
        before = dict(self.known)
        self.known[Known(var, whole(of))] = None
        if first >= 0 and last < hi - 100 and self.draw(st.booleans()):
            number = ir.Var(self.name("n"), of)
            start = ir.Set(number, ir.Binary("add", var, ir.Const(self.draw(st.integers(0, 100)), of), of))
            body = (start, *self.look(number), *self.block(depth), *self.look(number))
        else:
            body = self.block(depth)
        self.known = before
        return ir.For(var, ir.Const(first, of), ir.Const(last, of), body)

    def while_(self, depth: int) -> list[ir.Statement]:
        """A loop with its own counter, which may be any number's digits' too."""
        of = self.draw(st.sampled_from([I32, I64, I128]))
        var = ir.Var(self.name("n"), of)
        start = self.draw(st.integers(0, 200))
        rounds = self.draw(st.integers(1, 12))
        test: ir.Expr = ir.Compare("lt", var, ir.Const(start + rounds, of))
        before = dict(self.known)
        self.known[Known(var, Interval(start, start + rounds + 1))] = None
        if self.draw(st.booleans()):
            test = ir.Binary("and", test, self.expr(I1, 1).expr, I1)
        step = ir.Set(var, ir.Binary("add", var, ir.Const(1, of), of))
        body: list[ir.Statement] = [*self.look(var), *self.block(depth), step]
        if self.draw(st.booleans()):
            body[0:0] = self.look(var)
        if self.draw(st.booleans()):
            body.insert(self.draw(st.integers(0, len(body))), ir.If(self.expr(I1, 1).expr, (step, *self.look(var))))
        self.known = before
        return [ir.Set(var, ir.Const(start, of)), ir.While(test, tuple(body))]

    def look(self, number: ir.Var) -> list[ir.Statement]:
        """Keeps the digits of a number in a table."""
        table = self.draw(st.sampled_from(self.tables))
        digits = ir.DigitSet(number, self.draw(st.sampled_from([3, 10])), U32)
        store = ir.Store(table.name, ir.Const(self.draw(st.integers(0, CELL_COUNT - 1)), I64), digits, "a constant")
        return [ir.If(self.expr(I1, 1).expr, (store,)) if self.draw(st.booleans()) else store]

    def function(self, name: str) -> ir.Function:
        body: list[ir.Statement] = []
        for _ in range(self.draw(st.integers(1, 5))):
            body += self.statement(3)
        body.append(ir.Return(self.expr(I64, 2).expr))
        sites = (ir.Site("one"), ir.Site("two"))
        return ir.Function(name, (*self.scalars, *self.tables), tuple(body), sites)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[ir.Function], list[tuple[str, tuple[object, ...]]]]:
    functions, calls = [], []
    for number in range(2):
        program = Program(draw)
        function = program.function(f"f{number}")
        functions.append(function)
        for _ in range(2):
            args: list[object] = [program.const(scalar.type).expr.value for scalar in program.scalars]  # type: ignore[union-attr]
            args += [[program.const(t.cell).expr.value for _ in range(CELL_COUNT)] for t in program.tables]  # type: ignore[union-attr]
            calls.append((function.name, tuple(args)))
    return functions, calls


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_back_ends_agree(worker: Worker, case: tuple[list[ir.Function], list[tuple[str, tuple[object, ...]]]]) -> None:
    functions, calls = case
    for function in functions:
        verify(function)
    passed = [run(function) for function in functions]
    definition = compile(functions, "python")
    named = {function.name: function for function in functions}
    expected = [call(definition[name], named[name], args) for name, args in calls]
    programs = [("as written", functions)]
    if any(after is not before for after, before in zip(passed, functions, strict=True)):
        programs.append(("after the passes", passed))
    for label, program in programs:
        for checked in (False, True):
            text = "\n".join(show(function) for function in program)
            kernels = compile(program, "python", checked)
            assert [call(kernels[name], named[name], args) for name, args in calls] == expected, (label, checked, text)
            assert worker.run(program, calls, checked) == expected, (label, checked, text)


def test_the_worker_survives_a_crash(worker: Worker) -> None:
    """A kernel with a false proof may crash; the next one runs."""
    far = ir.Load("t", ir.Const(1 << 45, I64), I64, "false")
    crashing = ir.Function("f", (ir.Table("t", U8),), (ir.Return(far),))
    with pytest.raises(AssertionError, match="ended with"):
        worker.run([crashing], [("f", ([0],))], checked=False)
    assert worker.run([crashing], [("f", ([0],))], checked=True) == [(ir.TABLE_FAULT, [[0]])]
