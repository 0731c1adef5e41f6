"""The pass that carries digit sets: what it writes, and that nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamespec.backends.program import compile
from gamespec.kernel import ir
from gamespec.kernel.ir import I32, I64, I128, U16, U32, U64, Type
from gamespec.kernel.passes import applied, run
from gamespec.kernel.passes.digits import carry_digits
from gamespec.kernel.show import show
from gamespec.kernel.walk import expressions, statements, values
from tests.conftest import Golden
from tests.kernel.worker import Worker, call

LO, HI, INDEX = ir.Var("lo", I64), ir.Var("hi", I64), ir.Var("index", I64)
PARAMS = (ir.Scalar("lo", I64), ir.Scalar("hi", I64), ir.Table("seen", U64))
DONE = ir.Return(ir.Const(0, I64))


def number(name: str, of: Type = I64) -> ir.Var:
    return ir.Var(name, of)


def digits(of: ir.Var, base: int = 10, word: Type = U32) -> ir.Expr:
    return ir.Cast(ir.DigitSet(of, base, word), U64)


def at(index: ir.Expr) -> ir.Expr:
    return ir.Cast(index, I64) if index.type != I64 else index


def keep(index: ir.Expr, value: ir.Expr) -> ir.Statement:
    return ir.Store("seen", at(index), value)


def plus(left: ir.Expr, right: int) -> ir.Expr:
    return ir.Binary("add", left, ir.Const(right, left.type), left.type)


def loop(*body: ir.Statement) -> ir.Function:
    return ir.Function("fill", PARAMS, (ir.For(INDEX, LO, HI, body), DONE))


def loop_variable() -> ir.Function:
    return loop(keep(INDEX, digits(INDEX)))


def number_from_the_index() -> ir.Function:
    """One field: n is the index and a constant."""
    n = number("n", I32)
    start = ir.Binary("sub", ir.Cast(INDEX, I32), ir.Const(-5, I32), I32)
    return loop(ir.Set(n, start), keep(INDEX, digits(n)))


def odometer() -> ir.Function:
    """Two fields: n is stepped at the end of the body, and starts again where it is full."""
    n, a = number("n", I32), number("a", I32)
    full = ir.Compare("gt", n, ir.Const(23, I32))
    step = (ir.Set(n, plus(n, 1)), ir.If(full, (ir.Set(n, ir.Const(3, I32)), ir.Set(a, plus(a, 1)))))
    body = (ir.If(ir.Compare("ne", a, ir.Const(1, I32)), (keep(INDEX, digits(n)),)), *step)
    start = (ir.Set(n, ir.Const(3, I32)), ir.Set(a, ir.Const(0, I32)))
    return ir.Function("fill", PARAMS, (*start, ir.For(INDEX, LO, HI, body), DONE))


def while_loop() -> ir.Function:
    n = number("n", I128)
    body = (keep(n, digits(n, 3, U16)), ir.Set(n, plus(n, 1)))
    test = ir.Compare("le", n, ir.Cast(HI, I128))
    return ir.Function("fill", PARAMS, (ir.Set(n, ir.Cast(LO, I128)), ir.While(test, body), DONE))


def inner_loop() -> ir.Function:
    """The digits are read in a loop that leaves the number alone: they are carried in the loop that moves it."""
    d, word = number("d"), number("word", U64)
    inner = ir.For(d, ir.Const(0, I64), ir.Const(2, I64), (ir.Set(word, ir.Binary("add", word, digits(INDEX), U64)),))
    return loop(ir.Set(word, ir.Const(0, U64)), inner, keep(INDEX, ir.Var("word", U64)))


def two_bases() -> ir.Function:
    return loop(keep(INDEX, ir.Binary("add", digits(INDEX), digits(INDEX, 2), U64)))


def wide_steps() -> ir.Function:
    """Not carried: the number moves by 2."""
    n = number("n")
    body = (keep(n, digits(n)), ir.Set(n, plus(n, 2)))
    return ir.Function("fill", PARAMS, (ir.Set(n, LO), ir.While(ir.Compare("le", n, HI), body), DONE))


def moved_between_uses() -> ir.Function:
    """Not carried: the number has two values in one round."""
    n = number("n")
    body = (ir.Set(n, INDEX), keep(n, digits(n)), ir.Set(n, plus(n, 1)), keep(n, digits(n)))
    return loop(*body)


def another_number() -> ir.Function:
    """Not carried: the number comes out of a table."""
    n = number("n", U64)
    return loop(ir.Set(n, ir.Load("seen", INDEX, U64)), keep(INDEX, digits(n)))


def last_words() -> ir.Function:
    """Not carried: a word goes on at 0 behind its highest number, in the middle of ten numbers."""
    n, top = number("n", U64), (1 << 64) - 1
    start = ir.Binary("add", ir.Cast(INDEX, U64), ir.Const(top - 1_010, U64), U64)
    return loop(ir.Set(n, start), keep(INDEX, digits(n)))


CARRIED = [loop_variable, number_from_the_index, odometer, while_loop, inner_loop, two_bases]
LEFT = [last_words, wide_steps, moved_between_uses, another_number]


@pytest.mark.parametrize("make", CARRIED)
def test_before_and_after(golden: Golden, make: type) -> None:
    before = make()
    after = run(before)
    text = f"{show(before)}\n=>\n\n{show(after)}"
    golden(Path(__file__).parent / "digits" / f"{make.__name__}.txt", text)
    assert [step.name for step in applied(before)] == ["digits"]
    assert run(before, disabled=["digits"]) is before


@pytest.mark.parametrize("make", LEFT)
def test_left_alone(make: type) -> None:
    before = make()
    assert run(before) is before
    assert applied(before) == ()


@pytest.mark.parametrize("make", CARRIED + LEFT)
@pytest.mark.parametrize(("lo", "hi"), [(0, 130), (7, 7), (98, 112), (995, 1010), (1_008, 1_012), (5, 4)])
def test_same_results(worker: Worker, make: type, lo: int, hi: int) -> None:
    before = make()
    args = (lo, hi, [7, 13, 99] * 500)
    expected = call(compile([before], "python")["fill"], before, args)
    after = run(before)
    for function in (before, after):
        for checked in (False, True):
            assert call(compile([function], "python", checked)["fill"], function, args) == expected
            assert worker.run([function], [("fill", args)], checked) == [expected]


def test_a_digit_loop_runs_for_few_numbers() -> None:
    """Outside of ifs, no digit set is left in the loop."""
    after = carry_digits(loop_variable())
    (body,) = (statement.body for statement in after.body if isinstance(statement, ir.For))
    own = [statement for statement in body if not isinstance(statement, ir.If)]
    found = [expr for part in statements(tuple(own)) for expr in expressions(*values(part))]
    assert found
    assert not any(isinstance(expr, ir.DigitSet) for expr in found)
