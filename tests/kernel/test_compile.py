"""Compiling: limits, arguments, foreign symbols, false proofs, threads."""

from __future__ import annotations

import struct
import threading
import time

import pytest

from gamespec.backends.llvm import MAX_NODES, emit_object, show_llvm
from gamespec.backends.program import BACKENDS, compile
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.ir import I1, I32, I64, I128, U8, U32, U64, U128
from gamespec.kernel.memory import allocate
from gamespec.kernel.verify import BINARY, NARROW, NUMBERS, UNARY, verify
from tests.kernel.worker import Worker, call

N = ir.Var("n", I64)
ZERO = ir.Const(0, I64)


def every_operation() -> list[ir.Function]:
    """Kernels that together hold every operation on every type, and the routines beside them."""
    functions = []
    for of in NUMBERS:
        a, b = ir.Var("a", of), ir.Var("b", of)
        exprs: list[ir.Expr] = [ir.Binary(op, a, b, of) for op, types in BINARY.items() if of in types]
        exprs += [ir.Unary(op, a, of) for op, types in UNARY.items() if of in types]
        exprs += [ir.Cast(a, other) for other in NUMBERS]
        exprs += [ir.Cast(ir.DigitSet(a, 10, U32), of)] if of in NARROW else []
        body = tuple(ir.Store("out", ir.Const(i, I64), expr) for i, expr in enumerate(exprs))
        body = (*body, ir.Prefetch("out", ir.Const(0, U64), "the first cell"))
        if of.bits <= 64:
            replaced = ir.Replace("at", ir.Const(0, I64), a, b, (ir.Return(ir.Const(1, I64)),))
            body = (*body, ir.Store("at", ir.Const(1, I64), ir.Load("at", ir.Const(0, I64), of)), replaced)
        params = (ir.Scalar("a", of), ir.Scalar("b", of), ir.Table("out", of), ir.Table("at", of, of.bits <= 64))
        functions.append(ir.Function(f"f {of}", params, (*body, ir.Return(ZERO))))
    return functions


@pytest.mark.parametrize("opt", [1, 3])
@pytest.mark.parametrize("checked", [False, True])
def test_machine_code_needs_nothing_from_elsewhere(checked: bool, opt: int) -> None:
    """128-bit division, multiplication with overflow, … are in the object; the C library may clear and copy."""
    functions = every_operation()
    for function in functions:
        verify(function)
    foreign = undefined_symbols(emit_object(functions, checked, opt))
    assert foreign <= {"memset", "memcpy", "memmove"}


def undefined_symbols(elf: bytes) -> set[str]:
    """The names an ELF object file of 64 bits expects from elsewhere."""
    if elf[:5] != b"\x7fELF\x02":
        pytest.skip("not an ELF object of 64 bits")
    (at,) = struct.unpack_from("<Q", elf, 0x28)
    size, count = struct.unpack_from("<HH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, at + i * size) for i in range(count)]
    (symbols,) = (section for section in sections if section[1] == 2)
    names = sections[symbols[6]][4]
    found = set()
    for place in range(symbols[4], symbols[4] + symbols[5], 24):
        name, _, _, section = struct.unpack_from("<IBBH", elf, place)
        if section == 0 and name:
            found.add(elf[names + name : elf.index(b"\0", names + name)].decode())
    return found


@pytest.mark.parametrize("backend", BACKENDS)
def test_arguments_are_checked(backend: str) -> None:
    params = (ir.Scalar("n", I32), ir.Scalar("w", U128), ir.Scalar("b", I1), ir.Table("t", U8))
    function = ir.Function("f", params, (ir.Return(ir.Cast(ir.Var("n", I32), I64)),))
    kernel = compile([function], backend)["f"]
    table = allocate(U8, 1)
    assert kernel(-5, (1 << 128) - 1, 1, table) == -5
    for wrong in ((1 << 31, 0, 0), (0, -1, 0), (0, 1 << 128, 0), (0, 0, 2)):
        with pytest.raises(OverflowError):
            kernel(*wrong, table)
    with pytest.raises(TypeError):
        kernel(0, 0, 0, allocate(U64, 1))
    with pytest.raises(TypeError):
        kernel(0, 0, 0)


def test_several_kernels_in_one_module(worker: Worker) -> None:
    """Names that become one identifier stay apart."""
    functions = [
        ir.Function(name, (ir.Scalar("n", I64),), (ir.Return(ir.Const(value, I64)),))
        for value, name in enumerate(["a b", "a_b", "a.b", "é"])
    ]
    calls = [(function.name, (0,)) for function in functions]
    assert [status for status, _ in worker.run(functions, calls, False)] == [0, 1, 2, 3]


def test_wide_scalars(worker: Worker) -> None:
    a, b = ir.Var("a", I128), ir.Var("b", U128)
    body = (ir.Store("s", ZERO, a), ir.Store("u", ZERO, b), ir.Return(ZERO))
    function = ir.Function(
        "f", (ir.Scalar("a", I128), ir.Table("s", I128), ir.Scalar("b", U128), ir.Table("u", U128)), body
    )
    wide = ir.Scalar("c", ir.U512), ir.Table("w", ir.U512)
    store = ir.Function("f", wide, (ir.Store("w", ZERO, ir.Var("c", ir.U512)), ir.Return(ZERO)))
    for z in ((1 << 512) - 1, 5 << 300 | 7 << 64, 1 << 128):
        assert worker.run([store], [("f", (z, [0]))], False) == [(0, [[z]])]
    for x, y in ((-1, 1), (-(1 << 127), (1 << 128) - 1), ((1 << 127) - 1, 1 << 64), (-(1 << 64), 1 << 127)):
        assert worker.run([function], [("f", (x, [0], y, [0]))], False) == [(0, [[x], [y]])]


FALSE = {
    "sum": ir.Binary("add", N, ir.Const(1 << 62, I64), I64),
    "product": ir.Binary("mul", N, N, I64),
    "divisor": ir.Binary("div", N, ir.Binary("sub", N, N, I64), I64),
    "cast": ir.Cast(ir.Cast(N, I32), I64),
    "condition": ir.Cast(ir.Cast(N, I1), I64),
    "digits": ir.Cast(ir.DigitSet(ir.Binary("sub", ZERO, N, I64), 10, U32), I64),
    "highest": ir.Unary("high", ir.Cast(ir.Binary("sub", N, N, I64), U64), I64),
    "load": ir.Load("t", N, I64, "not really"),
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("backend", BACKENDS)
def test_checked_kernels_find_false_proofs(worker: Worker, name: str, backend: str) -> None:
    function = ir.Function("f", (ir.Scalar("n", I64), ir.Table("t", U8)), (ir.Return(FALSE[name]),))
    verify(function)
    args = (1 << 62, [0])
    if backend == "python":
        result = call(compile([function], backend, True)["f"], function, args)
    else:
        (result,) = worker.run([function], [("f", args)], True)
    assert result == (ir.TABLE_FAULT if name == "load" else ir.PROOF_FAULT, [[0]])


def test_large_kernels_are_refused_not_compiled() -> None:
    stores = tuple(ir.Store("t", ir.Const(i, I64), N) for i in range(MAX_NODES // 3 + 1))
    function = ir.Function("f", (ir.Scalar("n", I64), ir.Table("t", U8)), (*stores, ir.Return(ZERO)))
    verify(function)
    start = time.perf_counter()
    with pytest.raises(LimitError) as caught:
        compile([function])
    assert time.perf_counter() - start < 2
    assert "at most" in str(caught.value)


def test_other_threads_run_during_a_call() -> None:
    i, x = ir.Var("i", I64), ir.Var("x", U64)
    step = ir.Set(
        x, ir.Binary("mul", ir.Binary("xor", x, ir.Cast(i, U64), U64), ir.Const(0x9E3779B97F4A7C15, U64), U64)
    )
    loop = ir.For(i, ZERO, N, (step,))
    body = (ir.Set(x, ir.Const(1, U64)), loop, ir.Return(ir.Cast(ir.Binary("shr", x, ir.Const(1, U64), U64), I64)))
    kernel = compile([ir.Function("f", (ir.Scalar("n", I64),), body)])["f"]
    ended = threading.Event()

    def work() -> None:
        kernel(200_000_000)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    rounds = 0
    while not ended.wait(0.001):
        rounds += 1
    thread.join()
    assert rounds > 10


def test_the_module_can_be_shown() -> None:
    function = every_operation()[0]
    assert "define i64 @kernel.f_" in show_llvm([function])
    assert "alloca" in show_llvm([function])
    assert "alloca" not in show_llvm([function], opt=3)
