"""Machine code that does not depend on where it stands: kept as bytes, mapped and called.

An image is the code of one object file with the constants behind it, put together so that nothing in it depends on
its address: jumps, and distances to constants, are relative. Of other code it calls `IMPORTS` only, each through a
stub whose address is filled in when the image is mapped. Whatever else an object file asks of a linker makes it
unfit, and its kernels run where LLVM has put them.
"""

from __future__ import annotations

import ctypes
import mmap
import sys

import msgspec

IMPORTS = ("memcpy", "memmove", "memset")
"""What LLVM calls where a loop copies or clears memory."""

ADDRESS = 8  # bytes


class Unfit(Exception):
    """An object file that does not make an image, or a system that does not let one be called."""


class Image(msgspec.Struct, frozen=True):
    """`code` with the offsets of its symbols, and, for each import, the offset of the cell that holds its address."""

    code: bytes
    symbols: dict[str, int]
    imports: tuple[tuple[str, int], ...]


def mapped(image: Image) -> tuple[mmap.mmap, dict[str, int]]:
    """Puts an image into memory that can be executed and no longer written: the memory, while which lives the code
    stays, and the addresses of the symbols. Raises Unfit where that is forbidden."""
    if sys.platform != "linux":
        raise Unfit("images are for Linux")
    libc = ctypes.CDLL(None, use_errno=True)
    code = bytearray(image.code)
    for name, at in image.imports:
        if name not in IMPORTS or not 0 <= at <= len(code) - ADDRESS:
            raise Unfit(f"the import {name}")
        address = ctypes.cast(getattr(libc, name), ctypes.c_void_p).value
        assert address is not None
        code[at : at + ADDRESS] = address.to_bytes(ADDRESS, "little")
    try:
        memory = mmap.mmap(-1, max(1, len(code)), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise Unfit(str(error)) from error
    memory[: len(code)] = bytes(code)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = libc.mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    size = -(-max(1, len(code)) // mmap.PAGESIZE) * mmap.PAGESIZE
    if protect(base, size, mmap.PROT_READ | mmap.PROT_EXEC):
        raise Unfit("the system forbids memory that was written to be executed")
    if not all(0 <= offset < len(code) for offset in image.symbols.values()):
        raise Unfit("a symbol outside the code")
    return memory, {name: base + offset for name, offset in image.symbols.items()}
