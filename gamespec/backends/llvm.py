"""The native back end: kernels through LLVM to machine code of this computer.

A kernel's code takes machine words only: an i64 or u64 for each scalar (several where it is wider, low first), an
address and a length for each table. Calls release Python's global lock.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from gamespec.backends.call import Kernel
from gamespec.backends.llvm_text import Module
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.problems import TOO_LARGE
from gamespec.kernel.walk import deep_calls, size

MAX_NODES = 40_000  # in one kernel
EFFORT = ((5_000, 3), (15_000, 1))  # nodes up to which optimisation on a level takes about a second; beyond, none does


def compile_llvm(functions: Sequence[ir.Function], checked: bool = False, opt: int = 3) -> dict[str, Kernel]:
    """Machine code for several verified kernels, compiled as one module; `checked` tests every proof.

    Large kernels are optimised less. Raises LimitError for one of more than MAX_NODES nodes.
    """
    from llvmlite import binding

    largest = max(map(size, functions), default=0)
    opt = min(opt, next((level for nodes, level in EFFORT if largest <= nodes), 0))
    machine = _machine(opt)
    text, symbols = _module(functions, checked, machine)
    module = _optimised(text, machine, opt)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    kernels = {}
    for function, symbol in zip(functions, symbols, strict=True):
        code = ctypes.CFUNCTYPE(ctypes.c_int64, *_words(function))(engine.get_function_address(symbol))
        kernels[function.name] = Kernel(function, code, engine)
    return kernels


def show_llvm(functions: Sequence[ir.Function], checked: bool = False, opt: int | None = None) -> str:
    """The module as LLVM assembly, as printed or (with `opt`) as optimised for this computer."""
    machine = _machine(opt or 0)
    text, _ = _module(functions, checked, machine)
    return text if opt is None else str(_optimised(text, machine, opt))


def emit_object(functions: Sequence[ir.Function], checked: bool = False, opt: int = 3) -> bytes:
    """The kernels as an object file for this computer."""
    machine = _machine(opt)
    text, _ = _module(functions, checked, machine)
    code: bytes = machine.emit_object(_optimised(text, machine, opt))
    return code


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


def _module(functions: Sequence[ir.Function], checked: bool, machine: Any) -> tuple[str, list[str]]:
    """The text of a module, and the symbols of the kernels in it."""
    for function in functions:
        nodes = size(function)
        if nodes > MAX_NODES:
            raise LimitError(TOO_LARGE.at(None, nodes=nodes, limit=MAX_NODES))
    module = Module(checked)
    with deep_calls():
        symbols = [module.add(function) for function in functions]
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{machine.triple}"\n\n'
    return head + module.text(), symbols


def _machine(opt: int) -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    cpu, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=cpu, features=features, opt=opt, jit=True)


def _optimised(text: str, machine: Any, opt: int) -> Any:
    """The module, parsed and optimised.

    Vectorisers stay off: the inner loops of kernels run a few rounds and end early, and looking at them costs an
    eighth of the time.
    """
    from llvmlite import binding

    module = binding.parse_assembly(text)
    module.verify()
    options = binding.create_pipeline_tuning_options(speed_level=opt)
    options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = False
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module
