"""Runs kernels through LLVM in a process of its own: a crash there is a failed example, not a dead test run.

Reads pickled jobs (functions, checked, calls) from stdin, answers with pickled results. A call is the name of a
function and its arguments, a list of ints standing for a table; its result is the status and the tables after it.
"""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from gamespec.kernel.ir import Function, Table
from gamespec.kernel.memory import allocate
from gamespec.kernel.walk import deep_calls

Call = tuple[str, tuple[Any, ...]]
Result = tuple[int, list[list[int]]]


def call(kernel: Callable[..., int], function: Function, args: Sequence[Any]) -> Result:
    """Runs a kernel on fresh tables."""
    words, buffers = [], []
    for param, arg in zip(function.params, args, strict=True):
        if isinstance(param, Table):
            buffer = allocate(param.cell, len(arg))
            buffer.from_ints(arg)
            buffers.append(buffer)
            words.append(buffer)
        else:
            words.append(arg)
    status = kernel(*words)
    tables = [buffer.to_list() for buffer in buffers]
    for buffer in buffers:
        buffer.release()
    return status, tables


def send(stream: BinaryIO, value: Any) -> None:
    with deep_calls():
        data = pickle.dumps(value)
    stream.write(struct.pack("<q", len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    with deep_calls():
        return pickle.loads(stream.read(struct.unpack("<q", head)[0]))


class Worker:
    """The other process, started when first needed and again after a crash."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, functions: Sequence[Function], calls: Sequence[Call], checked: bool) -> list[Result]:
        if self.process is None:
            root = Path(__file__).parent.parent.parent
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.kernel.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root,
                env={"PYTHONPATH": str(root), "PATH": ""},
            )  # fmt: skip
        assert self.process.stdin
        assert self.process.stdout
        try:
            send(self.process.stdin, (list(functions), list(calls), checked))
            answer = receive(self.process.stdout)
        except (EOFError, BrokenPipeError) as error:
            status = self.process.wait()
            self.process = None
            raise AssertionError(f"the process that runs machine code ended with {status}") from error
        if isinstance(answer, str):
            raise AssertionError(answer)
        results: list[Result] = answer
        return results

    def close(self) -> None:
        if self.process and self.process.stdin:
            self.process.stdin.close()
            self.process.wait()


def main() -> None:
    from gamespec.backends.program import compile

    while True:
        try:
            functions, calls, checked = receive(sys.stdin.buffer)
        except EOFError:
            return
        try:
            kernels = compile(functions, "llvm", checked)
            named = {function.name: function for function in functions}
            answer: Any = [call(kernels[name], named[name], args) for name, args in calls]
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        send(sys.stdout.buffer, answer)


if __name__ == "__main__":
    main()
