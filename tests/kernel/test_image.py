"""Kernels as images: they answer as MCJIT's do, whatever the object file needs; damaged ones are refused."""

from __future__ import annotations

import random
import sys
from contextlib import suppress

import pytest

from gamespec.backends.image import IMPORTS, Image, Unfit, mapped
from gamespec.backends.llvm import compile_llvm, emit_object
from gamespec.backends.native import from_image
from gamespec.backends.object_file import image
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, const
from gamespec.kernel.memory import allocate

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or sys.maxsize < 1 << 32, reason="images are for Linux on x86-64"
)

N = ir.Var("n", ir.I64)


def clearing() -> ir.Function:
    """A kernel of which LLVM makes a call of memset."""
    b = Builder()
    b.declare(ir.Table("t", ir.U8), ir.Scalar("n", ir.I64))
    with b.loop("i", const(0), N) as i:
        b.store("t", i, const(7, ir.U8), proof="the test says so")
    b.returns(0)
    return b.function("clearing")


def choosing() -> ir.Function:
    """A kernel of which LLVM makes a table of constants."""
    b = Builder()
    b.declare(ir.Scalar("n", ir.I64))
    for number, value in enumerate((31, 4, 15, 92, 65, 35, 89, 79, 32, 38)):
        with b.when(ir.Compare("eq", N, const(number))):
            b.returns(const(value))
    b.returns(0)
    return b.function("choosing")


def test_what_an_object_file_needs_is_resolved() -> None:
    functions = [clearing(), choosing()]
    made = image(emit_object(functions))
    assert [name for name, _ in made.imports] == ["memset"]
    kernels = compile_llvm(functions)
    assert all(kernel.origin is not None for kernel in kernels.values())
    table = allocate(ir.U8, 5000)
    kernels["clearing"](table, 4998)
    assert table.to_list() == [7] * 4999 + [0]
    assert [kernels["choosing"](n) for n in range(11)] == [31, 4, 15, 92, 65, 35, 89, 79, 32, 38, 0]


def test_damaged_object_files_are_refused() -> None:
    data = emit_object([clearing(), choosing()])
    choose = random.Random(3)
    for cut in range(0, len(data), 97):
        with pytest.raises(Unfit):
            image(data[:cut])
    for _ in range(300):
        damaged = bytearray(data)
        damaged[choose.randrange(64)] ^= 1 << choose.randrange(8)
        with suppress(Unfit):
            image(bytes(damaged))


@pytest.mark.parametrize(
    "unfit",
    [
        Image(b"\xc3" * 16, {"f": 16}, ()),
        Image(b"\xc3" * 16, {"f": 0}, (("system", 0),)),
        Image(b"\xc3" * 16, {"f": 0}, ((IMPORTS[0], 9),)),
        Image(b"\xc3" * 16, {"f": 0}, ((IMPORTS[0], -8),)),
    ],
)
def test_images_that_reach_outside_are_not_mapped(unfit: Image) -> None:
    with pytest.raises(Unfit):
        mapped(unfit)


def test_kernels_run_where_images_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Image) -> None:
        raise Unfit("the system forbids it")

    monkeypatch.setattr("gamespec.backends.native.mapped", refuse)
    kernel = compile_llvm([choosing()])["choosing"]
    assert kernel.origin is None
    assert kernel(3) == 92
    with pytest.raises(Unfit):
        from_image([choosing()], Image(b"\xc3", {"f": 0}, ()), {"choosing": "f"})
