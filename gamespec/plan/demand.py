"""Kernels that are compiled when they are first called for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gamespec.kernel.ir import Function
from gamespec.plan.plan import Kernel, Kernels

Compile = Callable[[Sequence[Function]], Kernels]


class OnDemand(dict[str, Kernel]):
    """Kernels by name: machine code costs a tenth of a second, and many runs need only some of a plan's kernels."""

    def __init__(self, functions: Mapping[str, Function], compile: Compile) -> None:
        super().__init__()
        self._functions = functions
        self._compile = compile

    def __missing__(self, name: str) -> Kernel:
        function = self._functions[name]
        self[name] = kernel = self._compile([function])[name]
        return kernel
