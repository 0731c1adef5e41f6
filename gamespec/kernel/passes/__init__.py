"""Passes: functions from kernel to kernel, each in a file of its own, run in the order of `PASSES`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from gamespec.kernel.ir import Function
from gamespec.kernel.passes.digits import carry_digits
from gamespec.kernel.verify import verify
from gamespec.kernel.walk import deep_calls


class Pass(NamedTuple):
    """`apply` returns its argument itself where it finds nothing to do; `effect` says what it does, for `explain`."""

    name: str
    apply: Callable[[Function], Function]
    effect: str


PASSES = (Pass("digits", carry_digits, "the digits of a number that counts up are carried, not recomputed"),)


def traced(function: Function, disabled: Collection[str] = ()) -> tuple[Function, tuple[Pass, ...]]:
    """The kernel after all passes but the disabled ones, and the passes that changed it.

    It is verified before, between and after them.
    """
    verify(function)
    changing = []
    for step in PASSES:
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
