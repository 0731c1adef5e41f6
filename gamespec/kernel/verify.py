"""The kernel's rules of grammar, checked: what the back ends rely on holds for every node.

Which types an operation takes is a table (`BINARY`, `COMPARE`, `UNARY`); the code below only looks things up and
follows which locals have a value where.
"""

from __future__ import annotations

from typing import NoReturn, assert_never

from gamespec.diagnostics import LimitError
from gamespec.kernel import ir
from gamespec.kernel.problems import BROKEN, TOO_DEEP, TOO_LARGE, KernelError
from gamespec.kernel.show import show_expr, show_statement
from gamespec.kernel.walk import deep_calls, operands, size

SIGNED = frozenset({ir.I32, ir.I64, ir.I128})
WIDE = frozenset({ir.U256, ir.U512})
WORDS = frozenset({ir.U8, ir.U16, ir.U32, ir.U64, ir.U128}) | WIDE
NUMBERS = SIGNED | WORDS
NARROW = NUMBERS - WIDE  # back ends multiply, divide and count in these
CONDITION = frozenset({ir.I1})
SCALARS = NUMBERS | CONDITION
CELLS = NUMBERS | {ir.I8, ir.I16}
INDICES = frozenset({ir.I64, ir.U64})

BINARY = {
    "add": NUMBERS,
    "sub": NUMBERS,
    "mul": NARROW,
    "div": NARROW,
    "mod": NARROW,
    "min": NUMBERS,
    "max": NUMBERS,
    "and": SCALARS,
    "or": SCALARS,
    "xor": SCALARS,
    "andnot": SCALARS,
    "shl": WORDS,
    "shr": WORDS,
}
COMPARE = {"eq": SCALARS, "ne": SCALARS, "lt": NUMBERS, "le": NUMBERS, "gt": NUMBERS, "ge": NUMBERS}
UNARY = {"not": CONDITION | WORDS, "neg": SIGNED, "abs": SIGNED, "low": WORDS, "high": WORDS, "popcount": WORDS}
COUNTS = frozenset({"low", "high", "popcount"})  # unary operations whose result may have another type

MAX_SIZE = 200_000  # nodes, shared ones counted as often as they occur
MAX_DEPTH = 400  # of an expression
MAX_NEST = 200  # of statements

Known = frozenset[str] | None  # the names that have a value; None where control never comes


def verify(function: ir.Function, stage: str = "") -> None:
    """Raises KernelError naming the first node that breaks a rule, LimitError where it is too large or nests too deep.

    `stage` says who wrote the kernel (`after digits`).
    """
    nodes = size(function)
    if nodes > MAX_SIZE:
        raise LimitError(TOO_LARGE.at(None, nodes=nodes, limit=MAX_SIZE))
    with deep_calls():
        _Verifier(function, stage).run()


class _Verifier:
    def __init__(self, function: ir.Function, stage: str) -> None:
        self.function = function
        self.stage = stage
        self.types: dict[str, ir.Type] = {}
        self.cells: dict[str, ir.Type] = {}
        self.shared: set[str] = set()
        self.loops: set[str] = set()  # variables of the loops around
        self.exits: dict[str, list[Known]] = {}  # labels around → what is known at their breaks
        self.checked: dict[int, frozenset[str]] = {}  # expression → the names in it
        self.nest = 0

    def run(self) -> None:
        names = [param.name for param in self.function.params]
        for name in names:
            if names.count(name) > 1:
                self.fail(f"parameter {name} is declared twice", self.function.name)
        for param in self.function.params:
            if isinstance(param, ir.Table):
                self.cells[param.name] = param.cell
                self.demand(param.cell in CELLS, f"a cell cannot be {param.cell}", param.name)
                if param.shared:
                    self.demand(param.cell.bits <= 64, f"a shared cell cannot be {param.cell}", param.name)
                    self.shared.add(param.name)
            else:
                self.types[param.name] = param.type
                self.demand(param.type in SCALARS, f"a scalar cannot be {param.type}", param.name)
        after = self.block(self.function.body, frozenset(self.types))
        self.demand(after is None, "control can reach the end without a Return", self.function.name)

    # --- complaints ----------------------------------------------------------------------------------------

    def fail(self, reason: str, node: ir.Expr | ir.Statement | str) -> NoReturn:
        stage = f" {self.stage}" if self.stage else ""
        raise KernelError(BROKEN.at(None, kernel=self.function.name, stage=stage, reason=reason, node=_text(node)))

    def demand(self, holds: bool, reason: str, node: ir.Expr | ir.Statement | str) -> None:
        if not holds:
            self.fail(reason, node)

    # --- statements ----------------------------------------------------------------------------------------

    def block(self, block: ir.Block, known: Known) -> Known:
        self.nest += 1
        if self.nest > MAX_NEST:
            raise LimitError(TOO_DEEP.at(None, depth=self.nest, limit=MAX_NEST))
        for statement in block:
            known = self.statement(statement, known)
        self.nest -= 1
        return known

    def statement(self, statement: ir.Statement, known: Known) -> Known:
        """Checks a statement; what is known behind it."""
        match statement:
            case ir.Set(var, value):
                self.use(value, known, statement)
                self.declare(var, statement)
                self.demand(var.name not in self.loops, "the variable of a loop is set inside it", statement)
                self.demand(value.type == var.type, f"a {value.type} is put into a {var.type}", statement)
                return None if known is None else known | {var.name}
            case ir.Store(table, index, value):
                self.use(value, known, statement)
                self.use(index, known, statement)
                self.demand(table in self.cells, f"table {table} is not declared", statement)
                self.demand(index.type in INDICES, f"an index cannot be {index.type}", statement)
                return known
            case ir.Replace(table, index, old, new, otherwise):
                for operand in (old, new):
                    self.use(operand, known, statement)
                self.use(index, known, statement)
                self.demand(table in self.shared, f"table {table} is not shared", statement)
                self.demand(index.type in INDICES, f"an index cannot be {index.type}", statement)
                cell = self.cells[table]
                self.demand(old.type == new.type == cell, f"a cell of {table} is {cell}", statement)
                return _join(known, self.block(otherwise, known))
            case ir.Prefetch(table, index):
                self.use(index, known, statement)
                self.demand(table in self.cells, f"table {table} is not declared", statement)
                self.demand(index.type in INDICES, f"an index cannot be {index.type}", statement)
                return known
            case ir.If(condition, then, other):
                self.condition(condition, known, statement)
                return _join(self.block(then, known), self.block(other, known))
            case ir.For():
                self.for_(statement, known)
                return known
            case ir.While(condition, body):
                self.condition(condition, known, statement)
                self.block(body, known)
                forever = isinstance(condition, ir.Const) and condition.value
                return None if forever else known
            case ir.Labelled(label, body):
                self.demand(label not in self.exits, f"label {label} is used inside itself", statement)
                self.exits[label] = []
                after = self.block(body, known)
                for other_way in self.exits.pop(label):
                    after = _join(after, other_way)
                return after
            case ir.Break(label):
                self.demand(label in self.exits, f"no block around has the label {label}", statement)
                self.exits[label].append(known)
                return None
            case ir.Return(value):
                self.use(value, known, statement)
                self.demand(value.type == ir.I64, f"a status is an i64, not {value.type}", statement)
                return None
            case ir.Fault(site):
                self.demand(1 <= site <= len(self.function.sites), f"there is no site {site}", statement)
                return None
            case _:
                assert_never(statement)

    def for_(self, loop: ir.For, known: Known) -> None:
        var = loop.var
        self.use(loop.lo, known, loop)
        self.use(loop.hi, known, loop)
        self.declare(var, loop)
        self.demand(var.type in NARROW, f"a loop cannot run over {var.type}", loop)
        same = loop.lo.type == var.type == loop.hi.type
        self.demand(same, f"{loop.lo.type}..{loop.hi.type} does not fit a {var.type}", loop)
        fresh = var.name not in self.loops and (known is None or var.name not in known)
        self.demand(fresh, "the variable of the loop has a value already", loop)
        self.loops.add(var.name)
        self.block(loop.body, None if known is None else known | {var.name})
        self.loops.remove(var.name)

    def declare(self, var: ir.Var, node: ir.Statement) -> None:
        self.demand(var.name not in self.cells, f"{var.name} is a table", node)
        self.demand(var.type in SCALARS, f"a local cannot be {var.type}", node)
        before = self.types.setdefault(var.name, var.type)
        self.demand(before == var.type, f"{var.name} is a {before} elsewhere", node)

    def condition(self, expr: ir.Expr, known: Known, node: ir.Statement) -> None:
        self.use(expr, known, node)
        self.demand(expr.type == ir.I1, f"a condition is an i1, not {expr.type}", node)

    # --- expressions ---------------------------------------------------------------------------------------

    def use(self, expr: ir.Expr, known: Known, node: ir.Statement) -> None:
        """Checks an expression and that all its names have values."""
        names = self.names(expr, 0)
        if known is not None and not names <= known:
            self.fail(f"{min(names - known)} may have no value", node)

    def names(self, expr: ir.Expr, depth: int) -> frozenset[str]:
        """Checks an expression once; the names in it."""
        found = self.checked.get(id(expr))
        if found is not None:
            return found
        if depth > MAX_DEPTH:
            raise LimitError(TOO_DEEP.at(None, depth=depth, limit=MAX_DEPTH))
        found = frozenset()
        for operand in operands(expr):
            inner = self.names(operand, depth + 1)
            found = found | inner if found else inner
        if isinstance(expr, ir.Var):
            self.demand(expr.name in self.types, "the name has no value anywhere before", expr)
            self.demand(self.types[expr.name] == expr.type, f"it is a {self.types[expr.name]} elsewhere", expr)
            found = frozenset({expr.name})
        else:
            reason = self.reason(expr)
            if reason:
                self.fail(reason, expr)
        self.checked[id(expr)] = found
        return found

    def reason(self, expr: ir.Expr) -> str:
        """Why a node is illegal, its operands being legal; empty if it is not."""
        match expr:
            case ir.Const(value, of):
                if of not in SCALARS:
                    return f"a constant cannot be {of}"
                lowest = -(1 << (of.bits - 1)) if of.signed else 0
                return "" if lowest <= value < lowest + (1 << of.bits) else f"{value} is not in {of}"
            case ir.Binary(op, left, right, of):
                if op not in BINARY:
                    return f"there is no operation {op}"
                if not left.type == right.type == of:
                    return f"{op} of {left.type} and {right.type} is not {of}"
                if op in ("div", "mod") and isinstance(right, ir.Const) and right.value == 0:
                    return "the divisor is 0"
                return "" if of in BINARY[op] else f"there is no {op} on {of}"
            case ir.Compare(op, left, right):
                if op not in COMPARE:
                    return f"there is no comparison {op}"
                if left.type != right.type:
                    return f"a {left.type} is compared with a {right.type}"
                return "" if left.type in COMPARE[op] else f"there is no {op} on {left.type}"
            case ir.Unary(op, operand, of):
                if op not in UNARY:
                    return f"there is no operation {op}"
                if operand.type not in UNARY[op]:
                    return f"there is no {op} on {operand.type}"
                counts = op in COUNTS and of in NUMBERS and operand.type.bits < 1 << (of.bits - of.signed)
                return "" if of == operand.type or counts else f"{op} is not {of}"
            case ir.Cast(_, of):
                return "" if of in SCALARS else f"a value cannot become {of}"
            case ir.Select(condition, then, other):
                if condition.type != ir.I1:
                    return f"a condition is an i1, not {condition.type}"
                return "" if then.type == other.type else f"{then.type} or {other.type}"
            case ir.Load(table, index, of):
                if table not in self.cells:
                    return f"table {table} is not declared"
                if index.type not in INDICES:
                    return f"an index cannot be {index.type}"
                cell = self.cells[table]
                return "" if _widens(cell, of) else f"a cell {cell} is not widened by {of}"
            case ir.DigitSet(operand, base, of):
                if operand.type not in NARROW or not 2 <= base <= 64:
                    return f"there are no digits of {operand.type} in base {base}"
                return "" if of in WORDS and of.bits >= base else f"{base} digits are no {of}"
            case ir.Var():
                return ""
            case _:
                assert_never(expr)


def _text(node: ir.Expr | ir.Statement | str) -> str:
    if isinstance(node, str):
        return node
    return show_expr(node) if isinstance(node, ir.Expr) else show_statement(node)


def _widens(cell: ir.Type, of: ir.Type) -> bool:
    """Whether every number of a cell is one of the type (i1 asks whether the cell is not 0)."""
    if of == ir.I1:
        return True
    if of not in NUMBERS:
        return False
    return cell == of or (cell.bits < of.bits and (of.signed or not cell.signed))


def _join(one: Known, other: Known) -> Known:
    if one is None:
        return other
    return one if other is None else one & other
