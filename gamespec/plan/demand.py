"""Kernels that are compiled when they are first called for, and better once they have run for a while.

Machine code costs a tenth of a second, most of it for making it good: many runs need only some of a plan's kernels, and
few run so long that good code is worth more than code that is there at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import msgspec

from gamespec.diagnostics import LimitError
from gamespec.kernel.ir import Function
from gamespec.plan.plan import Kernel, Kernels

Compile = Callable[[Sequence[Function]], Kernels]

WORTH_MORE = 0.2  # seconds of running from which a kernel is worth the compiler's full effort

_improving: list[threading.Thread] = []
_turn = threading.Lock()


def named(compile: Compile, prefix: str) -> Compile:
    """Compiles under other names, for a spec within a spec: kernels that are kept are told apart by their names."""

    def compiled(functions: Sequence[Function]) -> Kernels:
        renamed = [msgspec.structs.replace(each, name=f"{prefix}.{each.name}") for each in functions]
        kernels = compile(renamed)
        return {each.name: kernels[other.name] for each, other in zip(functions, renamed, strict=True)}

    return compiled


class OnDemand(dict[str, Kernel]):
    """Kernels by name; those that are worth it are compiled in little time first, see `Improving`."""

    def __init__(self, functions: Mapping[str, Function], compile: Compile) -> None:
        super().__init__()
        self._functions = functions
        self._compile = compile

    def __missing__(self, name: str) -> Kernel:
        function = self._functions[name]
        kernel = self._made(msgspec.structs.replace(function, hot=False))
        if function.hot:
            kernel = Improving(kernel, lambda: self._made(function))
        self[name] = kernel
        return kernel

    def _made(self, function: Function) -> Kernel:
        return self._compile([function])[function.name]


class Improving:
    """A kernel that is replaced once it has run for some time: the better one is made meanwhile, on another thread.

    It takes over between two calls, since all that a kernel works on is in its arguments.
    """

    def __init__(self, quick: Kernel, make: Callable[[], Kernel]) -> None:
        self.kernel = quick
        self.spent = 0.0
        self._make: Callable[[], Kernel] | None = make

    def __call__(self, *args: object) -> int:
        started = time.perf_counter()
        status = self.kernel(*args)
        self.spent += time.perf_counter() - started
        if self.spent > WORTH_MORE and self._make is not None:
            self._begin()
        return status

    def _begin(self) -> None:
        with _turn:  # of all that call this kernel at the same time, one begins
            make, self._make = self._make, None
        if make is not None:
            # Not a daemon, whoever starts it: a process must not end while LLVM is at work.
            thread = threading.Thread(target=self._improve, args=(make,), name="gamespec compiler", daemon=False)
            _improving.append(thread)
            with suppress(RuntimeError):  # the system gives no thread
                thread.start()

    def _improve(self, make: Callable[[], Kernel]) -> None:
        with suppress(LimitError):
            self.kernel = make()


def settle() -> None:
    """Waits until no kernel is being replaced."""
    while _improving:
        thread = _improving.pop()
        if thread.ident is not None:
            thread.join()
