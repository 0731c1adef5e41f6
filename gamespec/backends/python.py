"""Kernels as Python source: the definition of every node, and a back end that needs no compiler."""

from __future__ import annotations

import keyword
from collections.abc import Callable
from typing import Any, assert_never

from gamespec.backends.call import check_buffer, check_scalar, limits
from gamespec.backends.name import Names
from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.ir import PROOF_FAULT, TABLE_FAULT
from gamespec.kernel.problems import TOO_DEEP
from gamespec.kernel.walk import deep_calls, operands, statements

MAX_BLOCKS = 18  # Python's own bound is 20 nested loops
MAX_HEIGHT = 40  # deeper expressions are cut into several functions: Python's parser bounds nesting at 200

PREAMBLE = '''
from threading import Lock

lock = Lock()


class Stop(Exception):
    """Ends a kernel with a status."""


def stop(status):
    raise Stop(status)


def within(number, lowest, highest):
    """A number that was proved to lie within its type."""
    return number if lowest <= number <= highest else stop({proof})


def low(word, bits):
    """The index of the lowest 1, or `bits`."""
    return (word & -word).bit_length() - 1 if word else bits


def shift(word, count, bits):
    """The word shifted left."""
    return word << count & (1 << bits) - 1 if count < bits else 0


def digit_set(number, base):
    """The digits of a number as a bit set."""
    digits = 1 << number % base
    number //= base
    while number > 0:
        digits |= 1 << number % base
        number //= base
    return digits


def replaced(cells, old, new, place):
    """Whether a cell held the old number, and so got the new one: one step for all threads."""
    with lock:
        if cells[place] != old:
            return False
        cells[place] = new
        return True
'''.replace("{proof}", str(PROOF_FAULT))

_BUILTINS = ("Exception", "abs", "int", "max", "min", "range")
_OWN = ("Lock", "lock", "Stop", "stop", "within", "low", "shift", "digit_set", "replaced")
RESERVED = frozenset([*keyword.kwlist, *keyword.softkwlist, *_BUILTINS, *_OWN])

_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "and": "&", "or": "|", "xor": "^"}
_CONDITIONS = {"and": "({} and {})", "or": "({} or {})", "xor": "({} != {})", "andnot": "({} and not {})"}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def compile_python(function: ir.Function, checked: bool = False) -> Callable[..., int]:
    """The kernel as a Python function of ints and buffers; `checked` tests every proof."""
    code = compile(show_python(function, checked), f"<kernel {function.name}>", "exec")
    names: dict[str, Any] = {}
    exec(code, names)  # only text of this module: names of the kernel are made identifiers, its numbers are numbers
    run = names[Names(RESERVED)("function", function.name)]
    params = function.params

    def kernel(*args: Any) -> int:
        if len(args) != len(params):
            raise TypeError(f"{function.name} takes {len(params)} arguments, not {len(args)}")
        for param, arg in zip(params, args, strict=True):
            if isinstance(param, ir.Table):
                check_buffer(param, arg)
            else:
                check_scalar(param, arg)
        return int(run(*args))

    return kernel


def show_python(function: ir.Function, checked: bool = False) -> str:
    """The kernel as a Python module with one function; buffers have `cells` and `length`."""
    with deep_calls():
        return f"{PREAMBLE.lstrip()}\n\n{_Printer(function, checked).text()}"


class _Loop:
    """A loop of the printed program, with the labels whose `Break` it serves."""

    def __init__(self, labels: frozenset[str]) -> None:
        self.labels = labels
        self.through: set[str] = set()  # labels of outer loops that breaks inside go to


class _Printer:
    def __init__(self, function: ir.Function, checked: bool) -> None:
        self.function = function
        self.checked = checked
        self.names = Names(RESERVED)
        self.names("function", function.name)
        self.cells = {param.name: param.cell for param in function.params if isinstance(param, ir.Table)}
        self.lines: list[str] = []
        self.indent = 2
        self.loops: list[_Loop] = []
        self.heights: dict[int, tuple[int, ir.Expr]] = {}  # with the node, so that no other gets its identity
        self.index = self.names.fresh("_at")
        self.leave = self.names.fresh("_leave")
        self.leaves = False

    def text(self) -> str:
        params = [
            self.names("table" if isinstance(param, ir.Table) else "variable", param.name)
            for param in self.function.params
        ]
        self.block(self.function.body)
        head = [f"def {self.names('function', self.function.name)}({', '.join(params)}):"]
        for table in self.cells:
            name = self.names("table", table)
            head.append(f"    {name}, {self.names('length', table)} = {name}.cells, {name}.length")
        if self.leaves:
            head.append(f'    {self.leave} = ""')
        tail = ["    except Stop as end:", "        return end.args[0]"]
        return "\n".join([*head, "    try:", *self.lines, *tail]) + "\n"

    def put(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    # --- statements ----------------------------------------------------------------------------------------

    def block(self, block: ir.Block, labels: frozenset[str] = frozenset()) -> None:
        """Prints statements; `labels` may be left by breaks and end where the block ends."""
        before = len(self.lines)
        for position, statement in enumerate(block):
            self.statement(statement, labels if position == len(block) - 1 else frozenset())
            if isinstance(statement, ir.Return | ir.Break | ir.Fault):
                break
        if len(self.lines) == before:
            self.put("pass")

    def nested(self, block: ir.Block) -> None:
        self.indent += 1
        if self.indent > 90:
            raise LimitError(TOO_DEEP.at(None, depth=self.indent, limit=90))
        self.block(block)
        self.indent -= 1

    def statement(self, statement: ir.Statement, labels: frozenset[str]) -> None:
        match statement:
            case ir.Set(var, value):
                self.put(f"{self.variable(var)} = {_bare(self.value(value))}")
            case ir.Store(table, index, value, proof):
                target = self.cell(table, index, proof)
                self.put(f"{target} = {self.cut(value, self.cells[table])}")
            case ir.Replace(table, index, old, new, otherwise, proof):
                was, will = _bare(self.value(old)), _bare(self.value(new))
                cells, place = self.names("table", table), self.place(table, index, proof)
                self.put(f"if not replaced({cells}, {was}, {will}, {place}):")
                self.nested(otherwise)
            case ir.Prefetch(table, index, proof):
                # The cell does not matter, but a load inside the index may fail.
                self.put(self.cell(table, index, proof) if self.checked else _bare(self.value(index)))
            case ir.If():
                self.if_(statement, "if")
            case ir.For(var, lo, hi, body):
                first, last = self.value(lo), self.value(hi)
                end = str(hi.value + 1) if isinstance(hi, ir.Const) else f"{last} + 1"
                with_labels = f"for {self.variable(var)} in range({_bare(first)}, {end}):"
                self.loop(with_labels, body, labels)
            case ir.While(condition, body):
                self.loop(f"while {_bare(self.value(condition))}:", body, labels)
            case ir.Labelled(label, body):
                front, tail = body[:-1], body[-1] if body else None
                if isinstance(tail, ir.For | ir.While | ir.Labelled) and not _breaks(front, label):
                    for before in front:
                        self.statement(before, frozenset())
                    self.statement(tail, labels | {label})
                else:
                    self.loop("while True:", body, labels | {label}, once=True)
            case ir.Break(label):
                self.break_(label)
            case ir.Return(value):
                self.put(f"return {_bare(self.value(value))}")
            case ir.Fault(site):
                self.put(f"return -{site}")
            case _:
                assert_never(statement)

    def if_(self, statement: ir.If, word: str) -> None:
        self.put(f"{word} {_bare(self.value(statement.condition))}:")
        self.nested(statement.then)
        match statement.other:
            case ():
                pass
            case (ir.If(condition) as inner,) if self.height(condition) < MAX_HEIGHT:
                self.if_(inner, "elif")
            case other:
                self.put("else:")
                self.nested(other)

    def loop(self, head: str, body: ir.Block, labels: frozenset[str], once: bool = False) -> None:
        if len(self.loops) == MAX_BLOCKS:
            raise LimitError(TOO_DEEP.at(None, depth=len(self.loops) + 1, limit=MAX_BLOCKS))
        loop = _Loop(labels)
        self.loops.append(loop)
        self.put(head)
        self.nested(body)
        if once:
            self.lines.append("    " * (self.indent + 1) + "break")
        self.loops.pop()
        if not loop.through:
            return
        outer = self.loops[-1]
        self.put(f"if {self.leave}:")
        self.indent += 1
        served = sorted(loop.through & outer.labels)
        if len(served) == len(loop.through):
            self.put(f'{self.leave} = ""')
        else:
            for label in served:
                self.put(f"if {self.leave} == {self.names('label', label)!r}:")
                self.put(f'    {self.leave} = ""')
            outer.through |= loop.through - outer.labels
        self.put("break")
        self.indent -= 1

    def break_(self, label: str) -> None:
        if label not in self.loops[-1].labels:
            self.leaves = True
            self.loops[-1].through.add(label)
            self.put(f"{self.leave} = {self.names('label', label)!r}")
        self.put("break")

    # --- expressions ---------------------------------------------------------------------------------------

    def variable(self, var: ir.Var) -> str:
        return self.names("variable", var.name)

    def height(self, expr: ir.Expr) -> int:
        key = id(expr)
        if key not in self.heights:
            self.heights[key] = 1 + max(map(self.height, operands(expr)), default=0), expr
        return self.heights[key][0]

    def value(self, expr: ir.Expr) -> str:
        """An atom or a text in parentheses.

        What is too deep for Python's parser is put into functions before: they keep what is evaluated, and when.
        """
        height = self.height(expr)
        if height < MAX_HEIGHT or height % MAX_HEIGHT:
            return self.plain(expr)
        text = _bare(self.plain(expr))
        name = self.names.fresh("_part")
        self.put(f"{name} = lambda: {text}")
        return f"{name}()"

    def plain(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Const(value, of):
                return str(bool(value)) if of == ir.I1 else str(value) if value >= 0 else f"({value})"
            case ir.Var():
                return self.variable(expr)
            case ir.Binary():
                return self.binary(expr)
            case ir.Compare(op, left, right):
                return f"({self.value(left)} {_COMPARE[op]} {self.value(right)})"
            case ir.Unary(op, operand, of):
                return self.unary(op, self.value(operand), operand.type, of)
            case ir.Cast(operand, of):
                return self.cast(self.value(operand), operand.type, of)
            case ir.Select(condition, then, other):
                return f"({self.value(then)} if {self.value(condition)} else {self.value(other)})"
            case ir.Load(table, index, of, proof):
                cell = self.cell(table, index, proof)
                return f"({cell} != 0)" if of == ir.I1 else cell
            case ir.DigitSet(operand, base, _):
                number = self.value(operand)
                if self.checked and operand.type.signed:
                    number = f"within({number}, 0, {limits(operand.type)[1]})"
                return f"digit_set({number}, {base})"
            case _:
                assert_never(expr)

    def exact(self, text: str, of: ir.Type) -> str:
        """A number that was proved to fit its type."""
        lowest, highest = limits(of)
        return f"within({_bare(text)}, {lowest}, {highest})" if self.checked else text

    def binary(self, expr: ir.Binary) -> str:
        op, of = expr.op, expr.type
        left, right = self.value(expr.left), self.value(expr.right)
        mask = (1 << of.bits) - 1
        if of == ir.I1:
            return _CONDITIONS[op].format(left, right)
        match op:
            case "add" | "sub" | "mul":
                text = f"({left} {_SYMBOLS[op]} {right})"
                return self.exact(text, of) if of.signed else f"({_bare(text)} & {mask:#x})"
            case "div" | "mod":
                if self.checked and not isinstance(expr.right, ir.Const):
                    right = f"({right} or stop({PROOF_FAULT}))"
                text = f"({left} {_SYMBOLS[op]} {right})"
                return self.exact(text, of) if of.signed and op == "div" else text
            case "and" | "or" | "xor":
                return f"({left} {_SYMBOLS[op]} {right})"
            case "andnot":
                return f"({left} & ~{right})"
            case "min" | "max":
                return f"{op}({_bare(left)}, {_bare(right)})"
            case "shl":
                if isinstance(expr.right, ir.Const) and expr.right.value < of.bits:
                    return f"({left} << {right} & {mask:#x})"
                return f"shift({_bare(left)}, {_bare(right)}, {of.bits})"
            case "shr":
                return f"({left} >> {right})"
            case _:
                raise ValueError(op)

    def unary(self, op: str, text: str, of: ir.Type, result: ir.Type) -> str:
        if text.isdigit():
            text = f"({text})"
        match op:
            case "not":
                return f"(not {text})" if of == ir.I1 else f"({text} ^ {(1 << of.bits) - 1:#x})"
            case "neg":
                return self.exact(f"(-{text})", of)
            case "abs":
                return self.exact(f"abs({_bare(text)})", of)
            case "low":
                return f"low({_bare(text)}, {of.bits})"
            case "high":
                return self.exact(f"({text}.bit_length() - 1)", ir.Type(max(8, result.bits), False))
            case "popcount":
                return f"{text}.bit_count()"
            case _:
                raise ValueError(op)

    def cast(self, text: str, source: ir.Type, target: ir.Type) -> str:
        if target == ir.I1:
            return f"({self.exact(text, target)} != 0)"
        if source == ir.I1:
            return f"int({_bare(text)})"
        lowest, highest = limits(target)
        if lowest <= limits(source)[0] and limits(source)[1] <= highest:
            return text
        return self.exact(text, target) if target.signed else f"({text} & {highest:#x})"

    def cell(self, table: str, index: ir.Expr, proof: str | None) -> str:
        return f"{self.names('table', table)}[{self.place(table, index, proof)}]"

    def place(self, table: str, index: ir.Expr, proof: str | None) -> str:
        length, text = self.names("length", table), _bare(self.value(index))
        if proof is not None and not self.checked:
            return text
        if isinstance(index, ir.Var | ir.Const):
            return f"{text} if 0 <= {text} < {length} else stop({TABLE_FAULT})"
        return f"{self.index} if 0 <= ({self.index} := {text}) < {length} else stop({TABLE_FAULT})"

    def cut(self, value: ir.Expr, cell: ir.Type) -> str:
        """The value as a cell holds it."""
        text = self.value(value)
        if value.type == ir.I1:
            return f"int({_bare(text)})"
        (lowest, highest), (value_lowest, value_highest) = limits(cell), limits(value.type)
        if lowest <= value_lowest and value_highest <= highest:
            return _bare(text)
        if not cell.signed:
            return f"{text} & {highest:#x}"
        half = 1 << (cell.bits - 1)
        return f"({text} + {half} & {2 * half - 1:#x}) - {half}"


def _bare(text: str) -> str:
    """The text without parentheses around the whole of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:-1] if position == len(text) - 1 else text
    return text


def _breaks(block: ir.Block, label: str) -> bool:
    """Whether a block is left by a break to the label."""
    return any(isinstance(statement, ir.Break) and statement.label == label for statement in statements(block))
