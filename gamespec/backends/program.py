"""From verified kernels to something that can be called."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.kernel.ir import Function
from gamespec.plan.plan import Kernel

BACKENDS = ("llvm", "python")


def compile(
    functions: Sequence[Function], backend: str = "llvm", checked: bool = False, *, optimised: bool = True
) -> dict[str, Kernel]:
    """The kernels by name, compiled by one of BACKENDS; `checked` tests every proof at run time.

    Machine code is `optimised`, as far as that takes about a second.

    A kernel takes one int a scalar and one Buffer a table, in the order of its parameters, and returns its status.
    Raises LimitError for kernels that are too large or nest too deep.
    """
    if backend == "llvm":
        from gamespec.backends.llvm import QUICK, compile_llvm

        opt = 0 if not optimised else 3 if any(function.hot for function in functions) else QUICK
        return dict(compile_llvm(functions, checked, opt))
    if backend == "python":
        from gamespec.backends.python import compile_python

        return {function.name: compile_python(function, checked) for function in functions}
    raise ValueError(backend)
