"""The verifier refuses every kind of broken kernel and names the node."""

from __future__ import annotations

import pytest

from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.ir import I1, I8, I32, I64, U8, U32, U64
from gamespec.kernel.problems import KernelError
from gamespec.kernel.verify import verify

X, Y, N = ir.Var("x", I64), ir.Var("y", I64), ir.Var("n", I64)
ZERO, ONE = ir.Const(0, I64), ir.Const(1, I64)
WIDE = ir.Const(5, ir.U256)
YES = ir.Const(1, I1)
DONE = ir.Return(ZERO)


def kernel(*body: ir.Statement) -> ir.Function:
    params = (ir.Scalar("n", I64), ir.Table("t", U8))
    return ir.Function("f", params, body, (ir.Site("divide"),))


def value(expr: ir.Expr) -> ir.Function:
    return kernel(ir.Set(ir.Var("v", expr.type), expr), DONE)


BROKEN = {
    "may have no value in `return y`": kernel(ir.If(YES, (ir.Set(Y, ONE),)), ir.Return(Y)),
    "y may have no value in `while y == 0`": kernel(
        ir.Labelled("l", (ir.If(YES, (ir.Break("l"),)), ir.Set(Y, ONE))), ir.While(ir.Compare("eq", Y, ZERO), ()), DONE
    ),
    "i may have no value": kernel(ir.For(ir.Var("i", I64), ZERO, N, ()), ir.Return(ir.Var("i", I64))),
    "has no value anywhere before in `z`": value(ir.Var("z", I64)),
    "it is a i64 elsewhere in `n`": value(ir.Var("n", I32)),
    "x is a i64 elsewhere": kernel(ir.Set(X, ONE), ir.Set(ir.Var("x", I32), ir.Const(1, I32)), DONE),
    "a i32 is put into a i64": kernel(ir.Set(X, ir.Const(1, I32)), DONE),
    "t is a table": kernel(ir.Set(ir.Var("t", I64), ONE), DONE),
    "a local cannot be i8": kernel(ir.Set(ir.Var("x", I8), ONE), DONE),
    "variable of a loop is set inside it": kernel(ir.For(X, ZERO, N, (ir.Set(X, ONE),)), DONE),
    "variable of the loop has a value already": kernel(ir.For(N, ZERO, ONE, ()), DONE),
    "i64..i32 does not fit a i64": kernel(ir.For(X, ZERO, ir.Const(3, I32), ()), DONE),
    "a loop cannot run over i1": kernel(ir.For(ir.Var("b", I1), YES, YES, ()), DONE),
    "a condition is an i1, not i64 in `if n`": kernel(ir.If(N, (DONE,)), DONE),
    "no block around has the label out": kernel(ir.Break("out")),
    "label l is used inside itself": kernel(ir.Labelled("l", (ir.Labelled("l", ()),)), DONE),
    "there is no site 2 in `fault 2`": kernel(ir.Fault(2)),
    "reach the end without a Return": kernel(ir.If(YES, (DONE,))),
    "a status is an i64, not i32": kernel(ir.Return(ir.Const(1, I32))),
    "table u is not declared in `u[0]": kernel(ir.Store("u", ZERO, ONE), DONE),
    "table v is not declared in `v[0]": value(ir.Load("v", ZERO, U32)),
    "table t is not shared in `if t[0]": kernel(ir.Replace("t", ZERO, ONE, ONE, ()), DONE),
    "an index cannot be i32": kernel(ir.Store("t", ir.Const(0, I32), ONE), DONE),
    "an index cannot be u32": value(ir.Load("t", ir.Const(0, U32), U32)),
    "a cell u8 is not widened by i8": value(ir.Load("t", ZERO, I8)),
    "300 is not in u8": value(ir.Const(300, U8)),
    "-1 is not in u64": value(ir.Const(-1, U64)),
    "add of i64 and i32 is not i64": value(ir.Binary("add", N, ir.Const(1, I32), I64)),
    "there is no shl on i64": value(ir.Binary("shl", N, N, I64)),
    "there is no add on i1": value(ir.Binary("add", YES, YES, I1)),
    "there is no operation pow": value(ir.Binary("pow", N, N, I64)),
    "the divisor is 0 in `(n // 0)`": value(ir.Binary("div", N, ZERO, I64)),
    "a i64 is compared with a u64": value(ir.Compare("eq", N, ir.Const(0, U64))),
    "there is no lt on i1": value(ir.Compare("lt", YES, YES)),
    "there is no comparison in": value(ir.Compare("in", N, N)),
    "there is no neg on u64": value(ir.Unary("neg", ir.Const(1, U64), U64)),
    "there is no popcount on i64": value(ir.Unary("popcount", N, I64)),
    "not is not u32": value(ir.Unary("not", ir.Const(1, U64), U32)),
    "there is no mul on u256": value(ir.Binary("mul", WIDE, WIDE, ir.U256)),
    "there is no mod on u256": value(ir.Binary("mod", WIDE, WIDE, ir.U256)),
    "a loop cannot run over u256": kernel(ir.For(ir.Var("w", ir.U256), WIDE, WIDE, ()), DONE),
    "there are no digits of u256 in base 10": value(ir.DigitSet(WIDE, 10, U32)),
    "popcount is not u8": value(ir.Unary("popcount", WIDE, U8)),
    "there is no operation sqrt": value(ir.Unary("sqrt", N, I64)),
    "i64 or i1": value(ir.Select(YES, N, YES)),
    "a condition is an i1, not i64": value(ir.Select(N, N, N)),
    "there are no digits of i64 in base 1": value(ir.DigitSet(N, 1, U32)),
    "10 digits are no u8": value(ir.DigitSet(N, 10, U8)),
    "a value cannot become i8": value(ir.Cast(N, I8)),
}


@pytest.mark.parametrize("message", BROKEN)
def test_refuses(message: str) -> None:
    with pytest.raises(KernelError) as caught:
        verify(BROKEN[message], "after digits")
    assert message in str(caught.value)
    assert "kernel f after digits" in str(caught.value)
    assert caught.value.exit_code == 70


def test_refuses_parameters() -> None:
    for params, message in (
        ((ir.Scalar("n", I64), ir.Scalar("n", I64)), "declared twice"),
        ((ir.Scalar("n", I8),), "a scalar cannot be i8"),
        ((ir.Table("t", I1),), "a cell cannot be i1"),
    ):
        with pytest.raises(KernelError, match=message):
            verify(ir.Function("f", params, (DONE,)))


ACCEPTED = [
    kernel(ir.If(YES, (ir.Set(Y, ONE),), (ir.Set(Y, ZERO),)), ir.Return(Y)),
    kernel(ir.If(YES, (ir.Set(Y, ONE),), (ir.Fault(1),)), ir.Return(Y)),
    kernel(ir.Labelled("l", (ir.Set(Y, ONE), ir.Break("l"))), ir.Return(Y)),
    kernel(ir.While(YES, (ir.If(ir.Compare("gt", N, ZERO), (DONE,)),))),
    kernel(ir.Set(N, ONE), ir.Return(N)),
    kernel(ir.For(X, ZERO, N, ()), ir.For(X, ZERO, N, ()), DONE),
    kernel(DONE, ir.Set(Y, ONE)),
]


@pytest.mark.parametrize("function", ACCEPTED)
def test_accepts(function: ir.Function) -> None:
    verify(function)


def test_bounds_nesting_and_size() -> None:
    deep: ir.Expr = N
    for _ in range(5_000):
        deep = ir.Binary("xor", deep, ONE, I64)
    with pytest.raises(LimitError):
        verify(value(deep))
    doubled: ir.Expr = N
    for _ in range(60):
        doubled = ir.Binary("xor", doubled, doubled, I64)
    with pytest.raises(LimitError):
        verify(value(doubled))
    block: ir.Block = ()
    for _ in range(3_000):
        block = (ir.If(YES, block),)
    with pytest.raises(LimitError):
        verify(kernel(*block, DONE))
