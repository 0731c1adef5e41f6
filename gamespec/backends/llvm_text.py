"""Kernels as LLVM assembly text.

Every instruction comes from a fixed template and every width from the kernel's types: a module that llvmlite
cannot parse, or one that needs a symbol from elsewhere, is a bug here and not an input.
"""

from __future__ import annotations

from typing import assert_never

from gamespec.backends.call import limits
from gamespec.backends.llvm_support import DIVIDE, PREFETCH, digit_set, intrinsic
from gamespec.backends.name import Names
from gamespec.kernel import ir
from gamespec.kernel.ir import PROOF_FAULT, TABLE_FAULT

_WORDS = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor"}
_EXACT = {"add": "add nsw", "sub": "sub nsw", "mul": "mul nsw", "and": "and", "or": "or", "xor": "xor"}
_COMPARE = {"eq": ("eq", "eq"), "ne": ("ne", "ne")} | {op: (f"s{op}", f"u{op}") for op in ("lt", "le", "gt", "ge")}
_COLD = ", !prof !0"  # the first way of a branch is almost never taken


class Module:
    """Collects the functions of one LLVM module and what they share."""

    def __init__(self, checked: bool = False) -> None:
        self.checked = checked
        self.names = Names()
        self.functions: list[str] = []
        self.support: dict[str, str] = {}  # name → declaration or definition

    def add(self, function: ir.Function) -> str:
        """Prints a kernel into the module; the symbol's name."""
        name = "kernel." + self.names("function", function.name)  # no name that LLVM knows from the C library
        self.functions.append(_Printer(self, function, name).text())
        return name

    def need(self, name: str, text: str) -> str:
        """The symbol of a shared routine or intrinsic, which is added once."""
        self.support[name] = text
        return f"@{name}"

    def text(self) -> str:
        cold = '!0 = !{!"branch_weights", i32 1, i32 1048576}\n'
        return "\n".join([*self.functions, *self.support.values(), cold])


def llvm_type(of: ir.Type) -> str:
    return f"i{of.bits}"


def literal(value: int, of: ir.Type) -> str:
    if of == ir.I1:
        return "true" if value else "false"
    value &= (1 << of.bits) - 1
    return str(value - (1 << of.bits) if value >> (of.bits - 1) else value)


class _Printer:
    """Prints one function: locals live in stack slots that LLVM turns into registers."""

    def __init__(self, module: Module, function: ir.Function, name: str) -> None:
        self.module = module
        self.checked = module.checked
        self.function = function
        self.name = name
        self.names = Names({"entry"})
        self.lines: list[str] = []
        self.slots: dict[str, str] = {}
        self.bound: dict[str, str] = {}  # loop variables
        self.exits: dict[str, str] = {}  # labels
        self.faults: dict[int, str] = {}  # status → block
        self.cells = {param.name: param.cell for param in function.params if isinstance(param, ir.Table)}
        self.shared = {param.name for param in function.params if isinstance(param, ir.Table) and param.shared}
        self.safe: dict[int, tuple[bool, ir.Expr]] = {}  # with the node, so that no other gets its identity
        self.count = 0
        self.here = "entry"
        self.live = True

    def text(self) -> str:
        params: list[str] = []
        start: list[str] = []
        for param in self.function.params:
            if isinstance(param, ir.Table):
                table = self.names("table", param.name)
                alone = "" if param.shared else "noalias "
                params += f"ptr {alone}%{table}", f"i64 %{self.names('length', param.name)}"
            else:
                start += self.scalar(param, params)
        self.block(self.function.body)
        if self.live:
            self.end(f"ret i64 {TABLE_FAULT}")
        for status, label in self.faults.items():
            self.lines += f"{label}:", f"  ret i64 {status}"
        slots = [f"  %{name} = alloca {of}" for name, of in self.slots.items()]
        head = f"define i64 @{self.name}({', '.join(params)}) nounwind {{"
        return "\n".join([head, "entry:", *slots, *start, *self.lines, "}", ""])

    def scalar(self, param: ir.Scalar, params: list[str]) -> list[str]:
        """Adds the machine words of a parameter; the statements that put them into its slot."""
        of = llvm_type(param.type)
        slot = self.slot(ir.Var(param.name, param.type))
        if param.type.bits > 64:
            places = range(param.type.bits // 64)
            params += (f"i64 %{slot}.word.{place}" for place in places)
            lines = [f"  %{slot}.part.{place} = zext i64 %{slot}.word.{place} to {of}" for place in places]
            whole = f"%{slot}.part.0"
            for place in places[1:]:
                lines.append(f"  %{slot}.up.{place} = shl {of} %{slot}.part.{place}, {64 * place}")
                lines.append(f"  %{slot}.sum.{place} = or {of} %{slot}.up.{place}, {whole}")
                whole = f"%{slot}.sum.{place}"
            return [*lines, f"  store {of} {whole}, ptr %{slot}"]
        params.append(f"i64 %{slot}.word")
        if param.type.bits == 64:
            return [f"  store i64 %{slot}.word, ptr %{slot}"]
        return [f"  %{slot}.v = trunc i64 %{slot}.word to {of}", f"  store {of} %{slot}.v, ptr %{slot}"]

    # --- text ----------------------------------------------------------------------------------------------

    def put(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def new(self, instruction: str) -> str:
        self.count += 1
        name = f"%v.{self.count}"
        self.put(f"{name} = {instruction}")
        return name

    def label(self, hint: str) -> str:
        self.count += 1
        return f"{hint}.{self.count}"

    def end(self, terminator: str) -> None:
        """Ends the block that is open."""
        self.put(terminator)
        self.live = False

    def open(self, label: str) -> None:
        """Opens a block; falls into it from the one that is open."""
        if self.live:
            self.put(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.here = label
        self.live = True

    def slot(self, var: ir.Var) -> str:
        name = self.names("variable", var.name)
        self.slots[name] = llvm_type(var.type)
        return name

    def fault(self, status: int) -> str:
        if status not in self.faults:
            self.faults[status] = f"fault.{-status}"
        return self.faults[status]

    def fail_if(self, condition: str, status: int) -> None:
        next_label = self.label("fine")
        self.end(f"br i1 {condition}, label %{self.fault(status)}, label %{next_label}{_COLD}")
        self.open(next_label)

    # --- statements ----------------------------------------------------------------------------------------

    def block(self, block: ir.Block) -> None:
        for statement in block:
            if not self.live:
                return
            self.statement(statement)

    def statement(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Set(var, value):
                operand = self.value(value)
                self.put(f"store {llvm_type(var.type)} {operand}, ptr %{self.slot(var)}")
            case ir.Store(table, index, value, proof):
                cell = self.cells[table]
                operand = self.cast(self.value(value), value.type, cell)
                address = self.address(table, index, proof)
                self.put(f"store {self.whole(table)}i{cell.bits} {operand}, ptr {address}{self.order(table)}")
            case ir.Replace():
                self.replace(statement)
            case ir.Prefetch(table, index, proof):
                address = self.address(table, index, proof)
                routine = self.module.need(*PREFETCH)
                # For reading, to be kept in all caches, of data.
                self.put(f"call void {routine}(ptr {address}, i32 0, i32 3, i32 1)")
            case ir.If():
                self.if_(statement)
            case ir.For():
                self.for_(statement)
            case ir.While(condition, body):
                top, inside, after = self.label("while"), self.label("do"), self.label("done")
                self.open(top)
                test = self.value(condition)
                self.end(f"br i1 {test}, label %{inside}, label %{after}")
                self.open(inside)
                self.block(body)
                if self.live:
                    self.end(f"br label %{top}")
                self.open(after)
            case ir.Labelled(label, body):
                self.exits[label] = self.label("out")
                self.block(body)
                self.open(self.exits[label])
            case ir.Break(label):
                self.end(f"br label %{self.exits[label]}")
            case ir.Return(value):
                self.end(f"ret i64 {self.value(value)}")
            case ir.Fault(site):
                self.end(f"br label %{self.fault(-site)}")
            case _:
                assert_never(statement)

    def replace(self, statement: ir.Replace) -> None:
        table, of = statement.table, llvm_type(self.cells[statement.table])
        old, new = self.value(statement.old), self.value(statement.new)
        address = self.address(table, statement.index, statement.proof)
        pair = self.new(f"cmpxchg ptr {address}, {of} {old}, {of} {new} monotonic{self.order(table)}")
        done = self.new(f"extractvalue {{ {of}, i1 }} {pair}, 1")
        other, after = self.label("else"), self.label("next")
        self.end(f"br i1 {done}, label %{after}, label %{other}")
        self.open(other)
        self.block(statement.otherwise)
        self.open(after)

    def if_(self, statement: ir.If) -> None:
        test = self.value(statement.condition)
        match statement.then, statement.other:
            case (ir.Fault(site),), otherwise:
                self.fail_if(test, -site)
                self.block(otherwise)
                return
        then, other, after = self.label("then"), self.label("else"), self.label("next")
        cold = _COLD if statement.then and isinstance(statement.then[-1], ir.Fault) else ""
        self.end(f"br i1 {test}, label %{then}, label %{other if statement.other else after}{cold}")
        self.open(then)
        self.block(statement.then)
        if statement.other:
            if self.live:
                self.end(f"br label %{after}")
            self.open(other)
            self.block(statement.other)
        self.open(after)

    def for_(self, loop: ir.For) -> None:
        of = llvm_type(loop.var.type)
        less = "sle" if loop.var.type.signed else "ule"
        first, last = self.value(loop.lo), self.value(loop.hi)
        before, body, step, after = self.here, self.label("for"), self.label("step"), self.label("done")
        some = self.new(f"icmp {less} {of} {first}, {last}")
        self.end(f"br i1 {some}, label %{body}, label %{after}")
        self.open(body)
        name, stepped = f"%{self.label('i')}", f"%{self.label('i')}"
        self.put(f"{name} = phi {of} [ {first}, %{before} ], [ {stepped}, %{step} ]")
        self.bound[loop.var.name] = name
        self.block(loop.body)
        self.open(step)
        done = self.new(f"icmp eq {of} {name}, {last}")
        # The sum behind the last round may wrap; it is not used.
        self.put(f"{stepped} = add {of} {name}, 1")
        self.end(f"br i1 {done}, label %{after}, label %{body}")
        self.bound.pop(loop.var.name)
        self.open(after)

    # --- expressions ---------------------------------------------------------------------------------------

    def value(self, expr: ir.Expr) -> str:
        """Prints the instructions for a value; the operand that holds it."""
        match expr:
            case ir.Const(value, of):
                return literal(value, of)
            case ir.Var(name, of):
                return self.bound.get(name) or self.new(f"load {llvm_type(of)}, ptr %{self.slot(expr)}")
            case ir.Binary():
                return self.binary(expr)
            case ir.Compare(op, left, right):
                first, second = self.value(left), self.value(right)
                word = _COMPARE[op][0 if left.type.signed else 1]
                return self.new(f"icmp {word} {llvm_type(left.type)} {first}, {second}")
            case ir.Unary(op, operand, of):
                return self.unary(op, self.value(operand), operand.type, of)
            case ir.Cast(operand, of):
                return self.cast(self.value(operand), operand.type, of, proved=True)
            case ir.Select(condition, then, other):
                return self.choose(condition, then, other)
            case ir.Load(table, index, of, proof):
                cell = self.cells[table]
                address = self.address(table, index, proof)
                loaded = self.new(f"load {self.whole(table)}i{cell.bits}, ptr {address}{self.order(table)}")
                if of == ir.I1:
                    return self.new(f"icmp ne i{cell.bits} {loaded}, 0")
                return self.cast(loaded, cell, of)
            case ir.DigitSet(operand, base, of):
                number = self.value(operand)
                if self.checked and operand.type.signed:
                    negative = self.new(f"icmp slt {llvm_type(operand.type)} {number}, 0")
                    self.fail_if(negative, PROOF_FAULT)
                name, text = digit_set(operand.type, base, of)
                if operand.type.bits == 128:
                    self.need_division()
                routine = self.module.need(name, text)
                return self.new(f"call {llvm_type(of)} {routine}({llvm_type(operand.type)} {number})")
            case _:
                assert_never(expr)

    def is_safe(self, expr: ir.Expr) -> bool:
        """Whether an expression can be computed where its value is not needed.

        Overflow is harmless there (LLVM's `select` ignores the value), a load or a division by 0 is not.
        """
        key = id(expr)
        if key not in self.safe:
            self.safe[key] = self._is_safe(expr), expr
        return self.safe[key][0]

    def _is_safe(self, expr: ir.Expr) -> bool:
        match expr:
            case ir.Const() | ir.Var():
                return True
            case ir.Binary(op, left, right):
                divides = op in ("div", "mod") and not isinstance(right, ir.Const)
                return not self.checked and not divides and self.is_safe(left) and self.is_safe(right)
            case ir.Compare(_, left, right):
                return self.is_safe(left) and self.is_safe(right)
            case ir.Unary(_, operand) | ir.Cast(operand):
                return not self.checked and self.is_safe(operand)
            case ir.Select(condition, then, other):
                return self.is_safe(condition) and self.is_safe(then) and self.is_safe(other)
            case ir.Load() | ir.DigitSet():
                return False
            case _:
                assert_never(expr)

    def choose(self, condition: ir.Expr, then: ir.Expr, other: ir.Expr) -> str:
        of = llvm_type(then.type)
        test = self.value(condition)
        if self.is_safe(then) and self.is_safe(other):
            first, second = self.value(then), self.value(other)
            return self.new(f"select i1 {test}, {of} {first}, {of} {second}")
        yes, no, join = self.label("yes"), self.label("no"), self.label("join")
        self.end(f"br i1 {test}, label %{yes}, label %{no}")
        self.open(yes)
        first, first_from = self.value(then), self.here
        self.end(f"br label %{join}")
        self.open(no)
        second, second_from = self.value(other), self.here
        self.open(join)
        return self.new(f"phi {of} [ {first}, %{first_from} ], [ {second}, %{second_from} ]")

    def binary(self, expr: ir.Binary) -> str:
        op, of = expr.op, expr.type
        if of == ir.I1:
            match op:
                case "and":
                    return self.choose(expr.left, expr.right, ir.Const(0, ir.I1))
                case "or":
                    return self.choose(expr.left, ir.Const(1, ir.I1), expr.right)
                case "andnot":
                    return self.choose(expr.left, ir.Unary("not", expr.right, ir.I1), ir.Const(0, ir.I1))
        left, right = self.value(expr.left), self.value(expr.right)
        kind = llvm_type(of)
        constant = expr.right.value if isinstance(expr.right, ir.Const) else None
        match op:
            case "add" | "sub" | "mul" if of.signed and self.checked:
                return self.checked_sum(op, left, right, of)
            case "add" | "sub" | "mul" | "and" | "or" | "xor":
                return self.new(f"{(_EXACT if of.signed else _WORDS)[op]} {kind} {left}, {right}")
            case "andnot":
                inverse = self.new(f"xor {kind} {right}, -1")
                return self.new(f"and {kind} {left}, {inverse}")
            case "min" | "max":
                word = ("s" if of.signed else "u") + ("lt" if op == "min" else "gt")
                first = self.new(f"icmp {word} {kind} {left}, {right}")
                return self.new(f"select i1 {first}, {kind} {left}, {kind} {right}")
            case "shl" | "shr":
                shift = "shl" if op == "shl" else "lshr"
                if constant is not None:
                    return self.new(f"{shift} {kind} {left}, {right}") if constant < of.bits else "0"
                inside = self.new(f"icmp ult {kind} {right}, {of.bits}")
                shifted = self.new(f"{shift} {kind} {left}, {right}")
                return self.new(f"select i1 {inside}, {kind} {shifted}, {kind} 0")
            case "div" | "mod":
                return self.divide(op, left, right, of, constant)
            case _:
                raise ValueError(op)

    def checked_sum(self, op: str, left: str, right: str, of: ir.Type) -> str:
        kind = llvm_type(of)
        routine = self.module.need(*intrinsic(f"s{op}.with.overflow", of.bits))
        pair = self.new(f"call {{ {kind}, i1 }} {routine}({kind} {left}, {kind} {right})")
        over = self.new(f"extractvalue {{ {kind}, i1 }} {pair}, 1")
        self.fail_if(over, PROOF_FAULT)
        return self.new(f"extractvalue {{ {kind}, i1 }} {pair}, 0")

    def divide(self, op: str, left: str, right: str, of: ir.Type, constant: int | None) -> str:
        """Floor division and its remainder; LLVM's own signed ones round to 0."""
        kind = llvm_type(of)
        if self.checked:
            if constant is None:
                self.fail_if(self.new(f"icmp eq {kind} {right}, 0"), PROOF_FAULT)
            if of.signed and op == "div" and (constant is None or constant == -1):
                lowest = self.new(f"icmp eq {kind} {left}, {limits(of)[0]}")
                minus = self.new(f"icmp eq {kind} {right}, -1")
                self.fail_if(self.new(f"and i1 {lowest}, {minus}"), PROOF_FAULT)
        if constant is not None and constant > 0 and constant & (constant - 1) == 0:
            if op == "mod":
                return self.new(f"and {kind} {left}, {constant - 1}")
            return self.new(f"{'ashr' if of.signed else 'lshr'} {kind} {left}, {constant.bit_length() - 1}")
        if of.bits == 128:
            self.need_division()
            signed = "true" if of.signed else "false"
            pair = self.new(f"call {{ i128, i128 }} @floor_divide(i128 {left}, i128 {right}, i1 {signed})")
            return self.new(f"extractvalue {{ i128, i128 }} {pair}, {0 if op == 'div' else 1}")
        if not of.signed:
            return self.new(f"{'udiv' if op == 'div' else 'urem'} {kind} {left}, {right}")
        by = right
        if op == "mod":
            # By -1 the remainder is 0, but the machine divides and overflows for the lowest number.
            minus = self.new(f"icmp eq {kind} {right}, -1")
            by = self.new(f"select i1 {minus}, {kind} 1, {kind} {right}")
        rest = self.new(f"srem {kind} {left}, {by}")
        inexact = self.new(f"icmp ne {kind} {rest}, 0")
        crossed = self.new(f"icmp slt {kind} {self.new(f'xor {kind} {rest}, {right}')}, 0")
        off = self.new(f"and i1 {inexact}, {crossed}")
        if op == "mod":
            moved = self.new(f"add {kind} {rest}, {right}")
            return self.new(f"select i1 {off}, {kind} {moved}, {kind} {rest}")
        quotient = self.new(f"sdiv {kind} {left}, {right}")
        return self.new(f"add {kind} {quotient}, {self.new(f'sext i1 {off} to {kind}')}")

    def need_division(self) -> None:
        self.module.need("floor_divide", DIVIDE)
        self.module.need(*intrinsic("ctlz", 128))

    def unary(self, op: str, operand: str, of: ir.Type, result: ir.Type) -> str:
        kind = llvm_type(of)
        match op:
            case "not":
                return self.new(f"xor {kind} {operand}, {'true' if of == ir.I1 else '-1'}")
            case "neg" | "abs":
                if self.checked:
                    self.fail_if(self.new(f"icmp eq {kind} {operand}, {limits(of)[0]}"), PROOF_FAULT)
                negated = self.new(f"sub nsw {kind} 0, {operand}")
                if op == "neg":
                    return negated
                below = self.new(f"icmp slt {kind} {operand}, 0")
                return self.new(f"select i1 {below}, {kind} {negated}, {kind} {operand}")
            case "popcount":
                routine = self.module.need(*intrinsic("ctpop", of.bits))
                count = self.new(f"call {kind} {routine}({kind} {operand})")
                return self.cast(count, of, result)
            case "low" | "high":
                if self.checked and op == "high":
                    self.fail_if(self.new(f"icmp eq {kind} {operand}, 0"), PROOF_FAULT)
                routine = self.module.need(*intrinsic("cttz" if op == "low" else "ctlz", of.bits))
                zeros = self.cast(self.new(f"call {kind} {routine}({kind} {operand}, i1 false)"), of, result)
                if op == "low":
                    return zeros
                return self.new(f"sub {llvm_type(result)} {of.bits - 1}, {zeros}")
            case _:
                raise ValueError(op)

    def cast(self, operand: str, source: ir.Type, target: ir.Type, proved: bool = False) -> str:
        """The same number in another width; `proved` numbers are tested in a checked kernel."""
        start, goal = llvm_type(source), llvm_type(target)
        if self.checked and proved and (target.signed or target == ir.I1):
            (lowest, highest), (source_lowest, source_highest) = limits(target), limits(source)
            if source_lowest < lowest:
                self.fail_if(self.new(f"icmp slt {start} {operand}, {lowest}"), PROOF_FAULT)
            if source_highest > highest:
                word = "sgt" if source.signed else "ugt"
                self.fail_if(self.new(f"icmp {word} {start} {operand}, {highest}"), PROOF_FAULT)
        if source.bits == target.bits:
            return operand
        if target == ir.I1:
            return self.new(f"icmp ne {start} {operand}, 0")
        how = "trunc" if target.bits < source.bits else "sext" if source.signed else "zext"
        return self.new(f"{how} {start} {operand} to {goal}")

    def whole(self, table: str) -> str:
        """What marks an access of a cell that other threads may write at the same time."""
        return "atomic " if table in self.shared else ""

    def order(self, table: str) -> str:
        """What ends the access of a cell; other memory is not read on the strength of what is found in it."""
        return f"{' monotonic' if table in self.shared else ''}, align {align(self.cells[table])}"

    def address(self, table: str, index: ir.Expr, proof: str | None) -> str:
        operand = self.value(index)
        if proof is None or self.checked:
            length = self.names("length", table)
            self.fail_if(self.new(f"icmp uge i64 {operand}, %{length}"), TABLE_FAULT)
        cell = self.cells[table]
        name = self.names("table", table)
        return self.new(f"getelementptr inbounds i{cell.bits}, ptr %{name}, i64 {operand}")


def align(cell: ir.Type) -> int:
    """Bytes. A wide cell is several words, which is all that the caller's memory promises."""
    return min(cell.bits // 8, 8)
