"""The native back end: kernels through LLVM to machine code of this computer.

A kernel's code takes machine words only: an i64 or u64 for each scalar (several where it is wider, low first), an
address and a length for each table. Calls release Python's global lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from gamespec.backends.call import Kernel
from gamespec.backends.image import Unfit
from gamespec.backends.llvm_text import Module
from gamespec.backends.native import callable_at, from_image
from gamespec.backends.object_file import image
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.problems import TOO_LARGE
from gamespec.kernel.walk import deep_calls, size

MAX_NODES = 40_000  # in one kernel
QUICK = -1
"""The level of a few passes that give most of the speed in a tenth of the time: for kernels that run briefly."""
EFFORT = ((5_000, 3), (15_000, 1))  # nodes up to which optimisation on a level takes about a second; beyond, none does


def compile_llvm(functions: Sequence[ir.Function], checked: bool = False, opt: int = 3) -> dict[str, Kernel]:
    """Machine code for several verified kernels, compiled as one module; `checked` tests every proof.

    `opt` is 0 to 3, or QUICK. Large kernels are optimised less. Raises LimitError for one of more than MAX_NODES nodes.
    """
    largest = _largest(functions)
    most = next((level for nodes, level in EFFORT if largest <= nodes), 0)
    opt = min(opt, most) if most else 0
    with closing(_machine(opt)) as machine:
        text, symbols = _module(functions, checked, machine)
        names = {function.name: symbol for function, symbol in zip(functions, symbols, strict=True)}
        try:
            return from_image(functions, image(_object(text, machine, opt)), names)
        except Unfit:
            return _placed(functions, names, text, opt)


def _placed(functions: Sequence[ir.Function], symbols: Mapping[str, str], text: str, opt: int) -> dict[str, Kernel]:
    """The kernels of a module where LLVM's own linker puts them."""
    from llvmlite import binding

    machine = _machine(opt, image=False)
    engine = binding.create_mcjit_compiler(_optimised(text, machine, opt), machine)
    engine.finalize_object()
    return {
        function.name: Kernel(
            function, callable_at(function, engine.get_function_address(symbols[function.name])), engine
        )
        for function in functions
    }


def show_llvm(functions: Sequence[ir.Function], checked: bool = False, opt: int | None = None) -> str:
    """The module as LLVM assembly, as printed or (with `opt`) as optimised for this computer."""
    _largest(functions)
    machine = _machine(opt or 0)
    text, _ = _module(functions, checked, machine)
    return text if opt is None else str(_optimised(text, machine, opt))


def emit_object(functions: Sequence[ir.Function], checked: bool = False, opt: int = 3) -> bytes:
    """The kernels as an object file for this computer."""
    _largest(functions)
    with closing(_machine(opt)) as machine:
        return _object(_module(functions, checked, machine)[0], machine, opt)


def _object(text: str, machine: Any, opt: int) -> bytes:
    """The object file of a module.

    What LLVM holds is given back here: an interrupt that arrives while an object is finalised would be lost.
    """
    with closing(_optimised(text, machine, opt)) as module:
        code: bytes = machine.emit_object(module)
        return code


def _largest(functions: Sequence[ir.Function]) -> int:
    """The nodes of the largest kernel. Raises LimitError for one of more than MAX_NODES."""
    nodes = max(map(size, functions), default=0)
    if nodes > MAX_NODES:
        raise LimitError(TOO_LARGE.at(None, nodes=nodes, limit=MAX_NODES))
    return nodes


def _module(functions: Sequence[ir.Function], checked: bool, machine: Any) -> tuple[str, list[str]]:
    """The text of a module, and the symbols of the kernels in it."""
    module = Module(checked)
    with deep_calls():
        symbols = [module.add(function) for function in functions]
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{machine.triple}"\n\n'
    return head + module.text(), symbols


def _machine(opt: int, image: bool = True) -> Any:
    """This computer as a target: of code for an image, or of code that LLVM places itself."""
    from llvmlite import binding

    opt = abs(opt)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    cpu, features = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    if image:
        return target.create_target_machine(cpu=cpu, features=features, opt=opt, reloc="pic", codemodel="small")
    return target.create_target_machine(cpu=cpu, features=features, opt=opt, jit=True)


def _optimised(text: str, machine: Any, opt: int) -> Any:
    """The module, parsed and optimised.

    Vectorisers stay off: the inner loops of kernels run a few rounds and end early, and looking at them costs an
    eighth of the time.
    """
    from llvmlite import binding

    module = binding.parse_assembly(text)
    module.verify()
    options = binding.create_pipeline_tuning_options(speed_level=abs(opt))
    options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = False
    builder = binding.create_pass_builder(machine, options)
    if opt == QUICK:
        passes = binding.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
        return module
    builder.getModulePassManager().run(module, builder)
    return module
