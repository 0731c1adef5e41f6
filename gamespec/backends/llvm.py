"""The native back end: kernels through LLVM to machine code of this computer.

A kernel's code takes machine words only: an i64 or u64 for each scalar (two for 128 bits, low first), an address
and a length for each table. Calls release Python's global lock.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from gamespec.backends.call import Kernel
from gamespec.backends.llvm_text import Module
from gamespec.backends.problems import TOO_LARGE
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.walk import deep_calls, size

MAX_NODES = 5_000  # in one kernel: beyond, optimisation takes seconds


def compile_llvm(functions: Sequence[ir.Function], checked: bool = False, opt: int = 3) -> dict[str, Kernel]:
    """Machine code for several verified kernels, compiled as one module; `checked` tests every proof.

    Raises LimitError for a kernel of more than MAX_NODES nodes.
    """
    from llvmlite import binding

    module, symbols = _module(functions, checked)
    machine = _machine(opt)
    parsed = binding.parse_assembly(module)
    parsed.verify()
    _optimise(parsed, machine, opt)
    engine = binding.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    kernels = {}
    for function, name in zip(functions, symbols, strict=True):
        words: list[Any] = []
        for param in function.params:
            if isinstance(param, ir.Table):
                words += ctypes.c_void_p, ctypes.c_int64
            elif param.type.bits == 128:
                words += ctypes.c_uint64, ctypes.c_uint64
            else:
                words.append(ctypes.c_int64 if param.type.signed else ctypes.c_uint64)
        code = ctypes.CFUNCTYPE(ctypes.c_int64, *words)(engine.get_function_address(name))
        kernels[function.name] = Kernel(function, code, engine)
    return kernels


def show_llvm(functions: Sequence[ir.Function], checked: bool = False, opt: int | None = None) -> str:
    """The module as LLVM assembly, as printed or (with `opt`) as optimised for this computer."""
    module, _ = _module(functions, checked)
    if opt is None:
        return module
    from llvmlite import binding

    parsed = binding.parse_assembly(module)
    parsed.verify()
    _optimise(parsed, _machine(opt), opt)
    return str(parsed)


def _module(functions: Sequence[ir.Function], checked: bool) -> tuple[str, list[str]]:
    for function in functions:
        nodes = size(function)
        if nodes > MAX_NODES:
            raise LimitError(TOO_LARGE.at(None, nodes=nodes, limit=MAX_NODES))
    module = Module(checked)
    with deep_calls():
        symbols = [module.add(function) for function in functions]
    triple, layout = _target()
    return f'target datalayout = "{layout}"\ntarget triple = "{triple}"\n\n{module.text()}', symbols


@lru_cache(maxsize=1)
def _target() -> tuple[str, str]:
    machine = _machine(3)
    return machine.triple, str(machine.target_data)


def _machine(opt: int) -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    cpu, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=cpu, features=features, opt=opt, jit=True)


def _optimise(module: Any, machine: Any, opt: int) -> None:
    from llvmlite import binding

    options = binding.create_pipeline_tuning_options(speed_level=opt)
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
