"""Every operation on every type: Python, LLVM, and arithmetic written down here agree on all edge values."""

from __future__ import annotations

import pytest

from gamespec.backends.call import limits
from gamespec.backends.program import compile
from gamespec.kernel import ir
from gamespec.kernel.ir import I1, I32, I64, I128, U8, U16, U32, U64, U128, U256, U512, Type
from gamespec.kernel.verify import BINARY, COMPARE, COUNTS, NARROW, NUMBERS, UNARY, verify
from tests.kernel.worker import Call, Worker, call

TYPES = sorted(NUMBERS | {I1}, key=str)


def edges(of: Type) -> list[int]:
    lo, hi = limits(of)
    near = [lo, lo + 1, lo // 2, -7, -2, -1, 0, 1, 2, 3, 7, 10, of.bits - 1, of.bits, of.bits + 1, 100]
    wide = [
        1 << 31,
        (1 << 32) + 5,
        (1 << 63) - 1,
        1 << 64,
        10**25 + 7,
        (1 << 200) - (1 << 70),
        hi // 3,
        hi // 2,
        hi - 1,
        hi,
    ]
    return sorted({value for value in near + wide if lo <= value <= hi})


def expected(op: str, a: int, b: int, of: Type) -> int | None:
    """The result by the book; None where the operation is not defined."""
    bits = of.bits
    lo, hi = limits(of)
    match op:
        case "add" | "sub" | "mul":
            value = {"add": a + b, "sub": a - b, "mul": a * b}[op]
            if of.signed:
                return value if lo <= value <= hi else None
            return value % (hi + 1)
        case "div" | "mod":
            if b == 0 or (op == "div" and a // b > hi):
                return None
            return a // b if op == "div" else a % b
        case "shl":
            return (a << b) % (hi + 1) if b < bits else 0
        case "shr":
            return a >> b if b < bits else 0
        case "andnot":
            return a & ~b
        case _:
            return {"min": min(a, b), "max": max(a, b), "and": a & b, "or": a | b, "xor": a ^ b}[op]


def cell(of: Type) -> Type:
    return U8 if of == I1 else of


def agree(worker: Worker, functions: list[ir.Function], calls: list[Call], results: list[list[int] | None]) -> None:
    """Both back ends, checked and not, leave the tables expected (None: the checked ones say PROOF_FAULT)."""
    for function in functions:
        verify(function)
    named = {function.name: function for function in functions}
    for checked in (False, True):
        wanted = [place for place, result in enumerate(results) if checked or result is not None]
        kernels = compile(functions, "python", checked)
        native = worker.run(functions, [calls[place] for place in wanted], checked)
        for place, other in zip(wanted, native, strict=True):
            name, args = calls[place]
            python = call(kernels[name], named[name], args)
            result = results[place]
            if result is None:
                assert (python[0], other[0]) == (ir.PROOF_FAULT, ir.PROOF_FAULT), (name, args, python, other)
            else:
                assert python == (0, [result]), (name, args)
                assert other == (0, [result]), (name, args)


def store_all(name: str, params: list[ir.Scalar], values: list[ir.Expr], of: Type) -> ir.Function:
    body = tuple(ir.Store("out", ir.Const(i, I64), value, "counted") for i, value in enumerate(values))
    return ir.Function(name, (*params, ir.Table("out", of)), (*body, ir.Return(ir.Const(0, I64))))


@pytest.mark.parametrize("of", TYPES, ids=str)
def test_binary(worker: Worker, of: Type) -> None:
    a, b = ir.Var("a", of), ir.Var("b", of)
    params = [ir.Scalar("a", of), ir.Scalar("b", of)]
    functions, calls, results = [], [], []
    for op, types in BINARY.items():
        if of in types:
            functions.append(store_all(op, params, [ir.Binary(op, a, b, of)], cell(of)))
            for x in edges(of):
                for y in edges(of):
                    value = expected(op, x, y, of) if of != I1 or op != "andnot" else int(x and not y)
                    calls.append((op, (x, y, [0])))
                    results.append(None if value is None else [value])
    agree(worker, functions, calls, results)


@pytest.mark.parametrize("of", TYPES, ids=str)
def test_binary_by_a_constant(worker: Worker, of: Type) -> None:
    a = ir.Var("a", of)
    functions, calls, results = [], [], []
    for op, types in BINARY.items():
        for y in edges(of)[::2] if of in types else ():
            if op in ("div", "mod") and y == 0:
                continue
            name = f"{op} {y}"
            functions.append(store_all(name, [ir.Scalar("a", of)], [ir.Binary(op, a, ir.Const(y, of), of)], cell(of)))
            for x in edges(of):
                value = expected(op, x, y, of) if of != I1 or op != "andnot" else int(x and not y)
                calls.append((name, (x, [0])))
                results.append(None if value is None else [value])
    agree(worker, functions, calls, results)


@pytest.mark.parametrize("of", TYPES, ids=str)
def test_compare_and_select(worker: Worker, of: Type) -> None:
    a, b = ir.Var("a", of), ir.Var("b", of)
    ops = [op for op, types in COMPARE.items() if of in types]
    tests: list[ir.Expr] = [ir.Compare(op, a, b) for op in ops]
    chosen = ir.Cast(ir.Select(ir.Compare("eq", a, b), a, b), of)
    function = store_all("f", [ir.Scalar("a", of), ir.Scalar("b", of)], [*tests, chosen], cell(of))
    calls: list[Call] = []
    results: list[list[int] | None] = []
    for x in edges(of):
        for y in edges(of):
            truth = {"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}
            calls.append(("f", (x, y, [0] * (len(ops) + 1))))
            results.append([*(int(truth[op]) for op in ops), y])
    agree(worker, [function], calls, results)


@pytest.mark.parametrize("of", TYPES, ids=str)
def test_unary(worker: Worker, of: Type) -> None:
    a = ir.Var("a", of)
    functions, calls, results = [], [], []
    for op, types in UNARY.items():
        for result in ({of, I32, U64} if op in COUNTS else {of}) if of in types else ():
            name = f"{op} {result}"
            functions.append(store_all(name, [ir.Scalar("a", of)], [ir.Unary(op, a, result)], cell(result)))
            for x in edges(of):
                hi = limits(of)[1]
                low = (x & -x).bit_length() - 1 if x else of.bits
                value = {"not": hi - x, "neg": -x, "abs": abs(x), "low": low, "high": x.bit_length() - 1}
                found = value.get(op, x.bit_count())
                undefined = (op == "high" and x == 0) or (op in ("neg", "abs") and found > hi)
                calls.append((name, (x, [0])))
                results.append(None if undefined else [found])
    agree(worker, functions, calls, results)


@pytest.mark.parametrize("source", TYPES, ids=str)
def test_cast(worker: Worker, source: Type) -> None:
    functions, calls, results = [], [], []
    for target in TYPES:
        functions.append(
            store_all(str(target), [ir.Scalar("a", source)], [ir.Cast(ir.Var("a", source), target)], cell(target))
        )
        lo, hi = limits(target)
        for x in edges(source):
            calls.append((str(target), (x, [0])))
            if target.signed or target == I1:
                results.append([x] if lo <= x <= hi else None)
            else:
                results.append([x % (hi + 1)])
    agree(worker, functions, calls, results)


@pytest.mark.parametrize("of", sorted(NARROW, key=str), ids=str)
@pytest.mark.parametrize("base", [2, 3, 10, 16, 64])
def test_digit_set(worker: Worker, of: Type, base: int) -> None:
    result = U64 if base > 32 else U32 if base > 8 else U8
    digits = ir.DigitSet(ir.Var("a", of), base, result)
    function = store_all("f", [ir.Scalar("a", of)], [digits], result)
    calls: list[Call] = []
    results: list[list[int] | None] = []
    for x in edges(of):
        calls.append(("f", (x, [0])))
        found, rest = 1 << x % base, x // base
        while rest > 0:
            found, rest = found | 1 << rest % base, rest // base
        results.append(None if x < 0 else [found])
    agree(worker, [function], calls, results)


@pytest.mark.parametrize("cell_type", [ir.I8, ir.I16, U8, U16, U32, U64, U128, U256, U512, I32, I64, I128], ids=str)
def test_cells_are_cut_and_widened(worker: Worker, cell_type: Type) -> None:
    """A store of any number keeps its lowest bits; a load gives the number of the cell back."""
    functions, calls, results = [], [], []
    for source in TYPES:
        wide = I128 if cell_type.signed else cell_type if cell_type.bits > 128 else U128
        loaded = ir.Load("cells", ir.Const(0, U64), wide, "one cell")
        body = (
            ir.Store("cells", ir.Const(0, I64), ir.Var("a", source), "one cell"),
            ir.Store("cells", ir.Const(1, I64), loaded, "two cells"),
            ir.Store("cells", ir.Const(2, I64), ir.Load("cells", ir.Const(0, I64), I1, "one cell"), "three cells"),
            ir.Return(ir.Const(0, I64)),
        )
        functions.append(ir.Function(str(source), (ir.Scalar("a", source), ir.Table("cells", cell_type)), body))
        lo, hi = limits(cell_type)
        for x in edges(source):
            cut = (x - lo) % (hi - lo + 1) + lo
            calls.append((str(source), (x, [0, 0, 0])))
            results.append([cut, cut, int(cut != 0)])
    agree(worker, functions, calls, results)
