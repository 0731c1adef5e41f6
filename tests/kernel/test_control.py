"""Statements: loops to the ends of their types, breaks through several loops, faults, order of evaluation."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamespec.backends.call import limits
from gamespec.backends.program import compile
from gamespec.backends.python import show_python
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.ir import I1, I32, I64, U8, U64, Type
from gamespec.kernel.passes import run
from gamespec.kernel.show import show
from gamespec.kernel.verify import MAX_DEPTH, NARROW, verify
from tests.conftest import Golden
from tests.kernel.worker import Worker, call

N, SUM = ir.Var("n", I64), ir.Var("sum", I64)
ZERO, ONE = ir.Const(0, I64), ir.Const(1, I64)
PARAMS = (ir.Scalar("n", I64), ir.Table("t", U8))
SITES = (ir.Site("divide"), ir.Site("index"))


def kernel(*body: ir.Statement) -> ir.Function:
    return ir.Function("f", PARAMS, body, SITES)


def add(var: ir.Var, by: ir.Expr) -> ir.Statement:
    return ir.Set(var, ir.Binary("add", var, by, var.type))


def results(worker: Worker, function: ir.Function, *args: object) -> tuple[int, list[list[int]]]:
    """What all back ends agree on."""
    verify(function)
    found = [call(compile([function], "python", checked)["f"], function, args) for checked in (False, True)]
    found += [worker.run([function], [("f", args)], checked)[0] for checked in (False, True)]
    assert found.count(found[0]) == len(found), found
    return found[0]


@pytest.mark.parametrize("of", sorted(NARROW, key=str), ids=str)
def test_loops_reach_the_ends_of_their_type(worker: Worker, of: Type) -> None:
    lo, hi = limits(of)
    i = ir.Var("i", of)
    for first, last in ((lo, lo + 2), (hi - 2, hi), (hi, hi), (hi, lo), (5, 4)):
        loop = ir.For(i, ir.Const(first, of), ir.Const(last, of), (add(SUM, ONE),))
        function = kernel(ir.Set(SUM, ZERO), loop, ir.Return(SUM))
        assert results(worker, function, 0, [0]) == (max(0, last - first + 1), [[0]])


def nest() -> ir.Function:
    """Breaks to three labels from the innermost of four loops, and a plain block that is left early."""
    i, j, k = (ir.Var(name, I64) for name in "ijk")
    three = ir.Const(3, I64)

    def when(a: int, b: int, c: int, label: str) -> ir.Statement:
        test: ir.Expr = ir.Const(1, I1)
        for var, value in ((i, a), (j, b), (k, c)):
            test = ir.Binary("and", test, ir.Compare("eq", var, ir.Const(value, I64)), I1)
        return ir.If(test, (ir.Break(label),))

    inner = ir.For(
        k, ZERO, three,
        (when(0, 1, 2, "next j"), when(1, 2, 1, "next i"), when(2, 0, 3, "out"), add(SUM, ONE)),
    )  # fmt: skip
    twice = ir.While(ir.Compare("lt", SUM, N), (ir.Labelled("next j", (inner, add(SUM, ir.Const(100, I64)))),))
    middle = ir.For(j, ZERO, three, (twice, add(SUM, ir.Const(1_000, I64))))
    outer = ir.For(i, ZERO, three, (ir.Labelled("next i", (middle, add(SUM, ir.Const(10_000, I64)))),))
    return kernel(ir.Set(SUM, ZERO), ir.Labelled("out", (outer, ir.Return(ZERO))), ir.Return(SUM))


@pytest.mark.parametrize("n", [0, 1, 500, 1_000, 2_500, 12_345, 20_000, 33_333, 10**6])
def test_breaks_leave_the_labelled_block(worker: Worker, n: int) -> None:
    if n == 10**6:  # does not end otherwise
        n = 60_000
    status, _ = results(worker, nest(), n, [0])
    assert status == expected_nest(n)


def expected_nest(n: int) -> int:
    total = 0
    for i in range(4):
        left_i = False
        for j in range(4):
            while total < n and not left_i:
                for k in range(4):
                    if (i, j, k) == (0, 1, 2):
                        break
                    if (i, j, k) == (1, 2, 1):
                        left_i = True
                        break
                    if (i, j, k) == (2, 0, 3):
                        return total
                    total += 1
                else:
                    total += 100
            if left_i:
                break
            total += 1_000
        if not left_i:
            total += 10_000
    return 0


def test_shown(golden: Golden) -> None:
    here = Path(__file__).parent / "shown"
    golden(here / "nest.txt", show(nest()))
    golden(here / "nest.py.txt", show_python(nest()).partition("def f(")[2])


def test_faults_and_tables(worker: Worker) -> None:
    t = [5, 6, 7]
    load = ir.Load("t", N, I64)
    assert results(worker, kernel(ir.Return(load)), 2, t) == (7, [t])
    for outside in (3, -1, 1 << 62, -(1 << 63)):
        assert results(worker, kernel(ir.Return(load)), outside, t) == (ir.TABLE_FAULT, [t])
        stored = kernel(ir.Store("t", ZERO, ONE), ir.Store("t", N, ONE), ir.Store("t", ONE, ONE), ir.Return(ZERO))
        assert results(worker, stored, outside, t) == (ir.TABLE_FAULT, [[1, 6, 7]])
    unsigned = ir.Load("t", ir.Cast(N, U64), I64)
    assert results(worker, kernel(ir.Return(unsigned)), -1, t) == (ir.TABLE_FAULT, [t])
    assert results(worker, kernel(ir.Fault(2)), 0, t) == (-2, [t])
    assert results(worker, kernel(ir.Return(load)), 0, []) == (ir.TABLE_FAULT, [[]])


def test_conditions_guard_what_stands_behind_them(worker: Worker) -> None:
    """Neither an unchosen load nor an unchosen division is evaluated."""
    inside = ir.Compare("lt", N, ir.Const(3, I64))
    load = ir.Load("t", N, I64)
    chosen = kernel(ir.Return(ir.Select(inside, load, ir.Const(9, I64))))
    assert results(worker, chosen, 2, [1, 2, 3])[0] == 3
    assert results(worker, chosen, 3, [1, 2, 3])[0] == 9
    is_three = ir.Compare("eq", load, ir.Const(3, I64))
    for op, n, value in (("and", 2, 1), ("and", 3, 0), ("andnot", 2, 0), ("andnot", 1, 1), ("andnot", 3, 0)):
        both = kernel(ir.Return(ir.Cast(ir.Binary(op, inside, is_three, I1), I64)))
        assert results(worker, both, n, [1, 2, 3])[0] == value
    zero = ir.Compare("eq", N, ZERO)
    tenth = ir.Compare("eq", ir.Binary("div", ir.Const(10, I64), N, I64), ir.Const(3, I64))
    either = kernel(ir.Return(ir.Cast(ir.Binary("or", zero, tenth, I1), I64)))
    assert [results(worker, either, n, [0])[0] for n in (0, 3, 4)] == [1, 1, 0]


def test_deep_expressions(worker: Worker) -> None:
    """Deeper than Python's parser allows, with lazy parts on the way."""
    expr: ir.Expr = N
    for depth in range(190):
        expr = ir.Binary("xor", expr, ir.Const(depth * 7, I64), I64)
        if depth % 9 == 0:
            inside = ir.Compare("lt", N, ONE)
            expr = ir.Select(inside, expr, ir.Load("t", N, I64))
        if depth % 17 == 0:
            test = ir.Binary("or", ir.Compare("lt", N, ONE), ir.Compare("eq", ir.Load("t", N, I64), ONE), I1)
            expr = ir.Select(test, expr, ZERO)
    small = kernel(ir.Return(ir.Binary("and", expr, ir.Const(1023, I64), I64)))
    assert results(worker, small, 0, [3])[0] >= 0
    assert results(worker, small, 1, [3])[0] == ir.TABLE_FAULT
    loop = kernel(ir.While(ir.Compare("eq", expr, ir.Const(-1, I64)), ()), ir.Return(ZERO))
    assert results(worker, loop, 0, [3])[0] == 0


def test_python_says_when_loops_nest_too_deep() -> None:
    body: ir.Block = (add(SUM, ONE),)
    for depth in range(30):
        body = (ir.For(ir.Var(f"i{depth}", I64), ZERO, ZERO, body),)
    function = kernel(ir.Set(SUM, ZERO), *body, ir.Return(SUM))
    verify(function)
    with pytest.raises(LimitError):
        compile([function], "python")


def test_names_are_never_code(worker: Worker) -> None:
    """Names of any text become identifiers; two names never become one."""
    names = ["a b", "a_b", 'x"; ret', "é", "", "class", "print", "entry", "9", "_at", "stop", "v.1", "%t", "\n"]
    body: list[ir.Statement] = [ir.Set(SUM, ZERO)]
    for value, name in enumerate(names):
        body.append(ir.Set(ir.Var(name, I64), ir.Const(1 << value, I64)))
    body += [add(SUM, ir.Var(name, I64)) for name in names]
    labelled = ir.Labelled('l"\n', (ir.Break('l"\n'),))
    function = ir.Function("f", (ir.Scalar("n", I64), ir.Table('t"\n', U8)), (*body, labelled, ir.Return(SUM)))
    assert results(worker, function, 0, [0])[0] == (1 << len(names)) - 1


def test_a_kernel_may_be_called_like_a_c_function(worker: Worker) -> None:
    i = ir.Var("i", I64)
    clear = ir.For(i, ZERO, ir.Const(99, I64), (ir.Store("t", i, ir.Const(0, I32), "below 100"),))
    for name in ("memset", "floor_divide", "main"):
        function = ir.Function(name, PARAMS, (clear, ir.Return(ONE)))
        assert worker.run([function], [(name, (0, [1] * 100))], False) == [(1, [[0] * 100])]


def test_the_deepest_kernel_goes_through_everything(worker: Worker) -> None:
    expr: ir.Expr = ir.Cast(ir.DigitSet(N, 10, ir.U32), I64)
    for depth in range(MAX_DEPTH - 4):
        test = ir.Compare("ge", N, ir.Const(depth, I64))
        expr = ir.Select(test, expr, ZERO) if depth % 2 else ir.Binary("xor", expr, ir.Const(depth, I64), I64)
    block: ir.Block = (ir.Set(SUM, expr),)
    for _ in range(70):
        block = (ir.If(ir.Compare("lt", N, ir.Const(1 << 40, I64)), block),)
    function = kernel(ir.Set(SUM, ZERO), ir.For(ir.Var("i", I64), ZERO, ONE, block), ir.Return(SUM))
    assert "digit_set(n, 10)" in show(run(function))
    assert results(worker, run(function), 1_000, [0]) == results(worker, function, 1_000, [0])
