"""A folder of entries that outlive a run: private, bounded, and without any fault that a run would notice.

An entry is a file with a checksum in front. It is written beside its place and then moved there, so that it is whole
or not there, whatever else runs at the same time. The folder must belong to the user, and nobody else may write to it:
what stands in it is executed. Whatever goes wrong, there is no entry.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from typing import NamedTuple

import msgspec

try:
    from _blake2 import blake2b  # as in `hashlib`, which loads a library of ciphers too
except ImportError:
    from hashlib import blake2b

VARIABLE = "GAMESPEC_CACHE"
OFF = "off"


class Bounds(NamedTuple):
    """The most bytes of one entry and of a folder, and what remains of a folder with too many."""

    entry: int
    most: int
    remains: int


PROGRAMS = Bounds(16 << 20, 64 << 20, 48 << 20)
TABLES = Bounds(2 << 30, 4 << 30, 3 << 30)

_SUFFIX, _UNFINISHED = ".kept", ".part"
_MAGIC = b"gamespec entry 1\n"
_DIGEST = 32
_HEAD = len(_MAGIC) + _DIGEST
_PIECE = 1 << 20  # bytes that are read at a time
_STALE = 3600.0  # seconds after which an unfinished file belongs to nobody
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Entry(msgspec.Struct, frozen=True):
    """An entry as it is listed: its name, its bytes, and when it was last used (seconds since 1970)."""

    name: str
    size: int
    used: float


def digest(*parts: bytes | memoryview) -> bytes:
    """The checksum of bytes, in several parts."""
    sum = blake2b(digest_size=_DIGEST)
    for part in parts:
        sum.update(part)
    return sum.digest()


def folder() -> str | None:
    """Where entries are kept; None where that is switched off, or where it cannot be done safely."""
    wish = os.environ.get(VARIABLE, "")
    if wish == OFF or sys.platform != "linux":
        return None
    if wish:
        return wish
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.cache")
    return os.path.join(base, "gamespec") if os.path.isabs(base) else None


class Store:
    """The entries of a folder, by the digest of what they are about."""

    def __init__(self, folder: str, bounds: Bounds = PROGRAMS) -> None:
        self.folder = folder
        self.bounds = bounds

    def get(self, key: bytes, *, use: bool = True) -> bytes | None:
        """What was put under a key; None if there is nothing, or nothing whole. It counts as used, unless told not."""
        try:
            with self._file(key) as stream:
                data = stream.read(self.bounds.entry + 1)
                body = data[_HEAD:]
                if len(data) > self.bounds.entry or data[:_HEAD] != _MAGIC + digest(key, body):
                    return None
                if use:
                    self._used(stream)
                return body
        except OSError:
            return None

    @contextmanager
    def stream(self, key: bytes) -> Iterator[BufferedReader]:
        """What was put under a key, to be read piece by piece; it is gone through once before, for its checksum.

        Raises OSError if there is nothing, or nothing whole.
        """
        with self._file(key) as stream:
            head, sum = stream.read(_HEAD), blake2b(key, digest_size=_DIGEST)
            while piece := stream.read(_PIECE):
                sum.update(piece)
            if head != _MAGIC + sum.digest():
                raise OSError("not whole")
            self._used(stream)
            stream.seek(_HEAD)
            yield stream

    def begin(self, key: bytes, size: int) -> bytes:
        """The first bytes of what was put under a key, unchecked; none where there is nothing."""
        try:
            with self._file(key) as stream:
                stream.seek(_HEAD)
                return stream.read(size)
        except OSError:
            return b""

    def put(self, key: bytes, *parts: bytes | memoryview) -> bool:
        """Keeps bytes under a key, if that is possible."""
        size = _HEAD + sum(memoryview(part).nbytes for part in parts)
        if size > self.bounds.entry:
            return False
        name = key.hex() + _SUFFIX
        unfinished = f"{key.hex()}.{os.getpid()}.{time.monotonic_ns():x}{_UNFINISHED}"
        try:
            with suppress(FileExistsError):
                os.makedirs(self.folder, 0o700)
            with self._opened() as here:
                disk = os.fstatvfs(here)
                if size > disk.f_bavail * disk.f_frsize // 2:
                    return False
                try:
                    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                    with open(os.open(unfinished, flags, 0o600, dir_fd=here), "wb") as stream:
                        stream.write(_MAGIC + digest(key, *parts))
                        for part in parts:
                            stream.write(part)
                    os.replace(unfinished, name, src_dir_fd=here, dst_dir_fd=here)
                except OSError:
                    with suppress(OSError):
                        os.unlink(unfinished, dir_fd=here)
                    raise
                self._shrink(here)
        except OSError:
            return False
        return True

    def entries(self) -> list[Entry]:
        """All entries, the last used first. Raises OSError where the folder is not there or not safe."""
        with self._opened() as here:
            return sorted(self._listed(here), key=lambda entry: -entry.used)

    def clear(self) -> list[Entry]:
        """Removes all entries, and tells which. Raises OSError where the folder is not there or not safe."""
        removed = []
        with self._opened() as here:
            for entry in self._listed(here):
                os.unlink(entry.name + _SUFFIX, dir_fd=here)
                removed.append(entry)
            self._sweep(here, 0.0)
        return removed

    @contextmanager
    def _file(self, key: bytes) -> Iterator[BufferedReader]:
        """The file of a key. Raises OSError, also where it is not safe."""
        with self._opened() as here:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a pipe is not waited for
            with open(os.open(key.hex() + _SUFFIX, flags, dir_fd=here), "rb") as stream:
                about = os.fstat(stream.fileno())
                if not (self._is_mine(about) and stat.S_ISREG(about.st_mode)):
                    raise PermissionError("no file, or others may write to it")
                yield stream

    @staticmethod
    def _used(stream: BufferedReader) -> None:
        with suppress(OSError):
            os.utime(stream.fileno())

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The folder, open, so that it is the one that was looked at. Raises OSError, also where it is not safe."""
        here = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if not self._is_mine(os.fstat(here)):
                raise PermissionError(f"{self.folder} belongs to somebody else, or others may write to it")
            yield here
        finally:
            os.close(here)

    def _is_mine(self, found: os.stat_result) -> bool:
        return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE

    def _listed(self, here: int) -> list[Entry]:
        found = []
        for name in os.listdir(here):
            stem, suffix = os.path.splitext(name)
            if suffix == _SUFFIX and len(stem) == 2 * _DIGEST and not set(stem) - set("0123456789abcdef"):
                with suppress(OSError):
                    about = os.stat(name, dir_fd=here, follow_symlinks=False)
                    if not stat.S_ISDIR(about.st_mode):
                        found.append(Entry(stem, about.st_size, about.st_mtime))
        return found

    def _shrink(self, here: int) -> None:
        """Removes what was not used for longest, where there is too much."""
        entries = self._listed(here)
        size = sum(entry.size for entry in entries)
        if size <= self.bounds.most:
            return
        for entry in sorted(entries, key=lambda entry: entry.used):
            with suppress(OSError):
                os.unlink(entry.name + _SUFFIX, dir_fd=here)
            size -= entry.size
            if size <= self.bounds.remains:
                break
        self._sweep(here, time.time() - _STALE)

    def _sweep(self, here: int, before: float) -> None:
        """Removes unfinished files that were begun before a time; all, for 0."""
        for name in os.listdir(here):
            if name.endswith(_UNFINISHED):
                with suppress(OSError):
                    if not before or os.stat(name, dir_fd=here, follow_symlinks=False).st_mtime < before:
                        os.unlink(name, dir_fd=here)
