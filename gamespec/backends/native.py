"""Kernels as machine code: the C types of what they take, and kernels from images."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

from gamespec.backends.call import Kernel
from gamespec.backends.image import Image, mapped
from gamespec.kernel import ir


def callable_at(function: ir.Function, address: int) -> Any:
    """A kernel's code at an address, which takes machine words; calls release Python's global lock."""
    return ctypes.CFUNCTYPE(ctypes.c_int64, *_words(function))(address)


def from_image(functions: Sequence[ir.Function], image: Image, symbols: Mapping[str, str]) -> dict[str, Kernel]:
    """The kernels of an image by name; `symbols` names the symbol of each. Raises Unfit where it cannot be mapped."""
    memory, addresses = mapped(image)
    kernels = {}
    for function in functions:
        symbol = symbols[function.name]
        code = callable_at(function, addresses[symbol])
        kernels[function.name] = Kernel(function, code, memory, (image, symbol))
    return kernels


def _words(function: ir.Function) -> list[Any]:
    """The C types of the machine words that a kernel takes."""
    words: list[Any] = []
    for param in function.params:
        if isinstance(param, ir.Table):
            words += ctypes.c_void_p, ctypes.c_int64
        elif param.type.bits > 64:
            words += [ctypes.c_uint64] * (param.type.bits // 64)
        else:
            words.append(ctypes.c_int64 if param.type.signed else ctypes.c_uint64)
    return words
