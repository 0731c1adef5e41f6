"""How kernels are called: one Python int a scalar, one buffer a table, in the order of the parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamespec.kernel.ir import Function, Scalar, Table, Type
from gamespec.kernel.memory import Buffer

if TYPE_CHECKING:
    from gamespec.backends.image import Image

_WORD = (1 << 64) - 1


def check_scalar(param: Scalar, value: int) -> None:
    """Raises OverflowError for a number outside the parameter's type."""
    lo, hi = limits(param.type)
    if not lo <= value <= hi:
        raise OverflowError(f"{param.name} = {value} is not in {param.type}")


def check_buffer(param: Table, buffer: Buffer) -> None:
    """Raises TypeError for a buffer whose cells are not the parameter's."""
    if buffer.cell != param.cell:
        raise TypeError(f"table {param.name} has cells {param.cell}, not {buffer.cell}")


def limits(of: Type) -> tuple[int, int]:
    """The smallest and the largest number of a type."""
    if of.signed:
        return -(1 << (of.bits - 1)), (1 << (of.bits - 1)) - 1
    return 0, (1 << of.bits) - 1


class Kernel:
    """A compiled kernel; `code` takes machine words, `keep` holds what owns them alive.

    `origin` is the image that the code came from, if it did, with the kernel's symbol in it.
    """

    __slots__ = ("_keep", "code", "function", "origin")

    def __init__(
        self,
        function: Function,
        code: Callable[..., int],
        keep: object = None,
        origin: tuple[Image, str] | None = None,
    ) -> None:
        self.function = function
        self.code = code
        self.origin = origin
        self._keep = keep

    def __call__(self, *args: Any) -> int:
        """Runs the kernel and returns its status. Raises OverflowError, TypeError for arguments of wrong types."""
        params = self.function.params
        if len(args) != len(params):
            raise TypeError(f"{self.function.name} takes {len(params)} arguments, not {len(args)}")
        words: list[int] = []
        for param, arg in zip(params, args, strict=True):
            if isinstance(param, Table):
                check_buffer(param, arg)
                words += arg.address, arg.length
            else:
                check_scalar(param, arg)
                if param.type.bits > 64:
                    words += (arg >> shift & _WORD for shift in range(0, param.type.bits, 64))
                else:
                    words.append(arg)
        return self.code(*words)
