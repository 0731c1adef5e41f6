"""Passes over kernels: functions from kernel to kernel, each in a file of its own, run in the order of `ON_KERNELS`.

What they do, and all other passes, is named in `gamespec.analysis.passes`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from gamespec.analysis.passes import DIGITS
from gamespec.kernel.ir import Function
from gamespec.kernel.passes.digits import carry_digits
from gamespec.kernel.verify import verify
from gamespec.kernel.walk import deep_calls


class Pass(NamedTuple):
    """`apply` returns its argument itself where it finds nothing to do."""

    name: str
    apply: Callable[[Function], Function]


ON_KERNELS = (Pass(DIGITS, carry_digits),)


def traced(function: Function, disabled: Collection[str] = ()) -> tuple[Function, tuple[Pass, ...]]:
    """The kernel after all passes but the disabled ones, and the passes that changed it.

    It is verified before, between and after them.
    """
    verify(function)
    changing = []
    for step in ON_KERNELS:
        if step.name not in disabled:
            before = function
            with deep_calls():
                function = step.apply(before)
            if function is not before:
                verify(function, f"after {step.name}")
                changing.append(step)
    return function, tuple(changing)


def run(function: Function, disabled: Collection[str] = ()) -> Function:
    """The kernel after all passes but the disabled ones."""
    return traced(function, disabled)[0]


def applied(function: Function, disabled: Collection[str] = ()) -> tuple[Pass, ...]:
    """The passes that change a kernel."""
    return traced(function, disabled)[1]
