"""Kernels as text: one statement a line, for people and for golden tests.

    kernel fill(lo: i64, hi: i64, won: [u8])
      for n: i64 in lo..hi
        if n == 0
          won[n] = 0
        else
          a: u8 = won[n - 1]?:u8
          won[n] = a ^ 1
      return 0

A local shows its type where it is first set, a load its own (`:u8`); `?` marks a cell whose index is checked.
`u32(x)` is a cast; signs mean what they mean in Python, `&~` is and-not. Places in the spec are not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from gamespec.kernel import ir
from gamespec.kernel.walk import deep_calls

SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "//",
    "mod": "%",
    "and": "&",
    "or": "|",
    "xor": "^",
    "andnot": "&~",
    "shl": "<<",
    "shr": ">>",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
LOGIC = {"and": "and", "or": "or", "xor": "xor", "andnot": "and not"}


def show(function: ir.Function) -> str:
    """The kernel as text, with a line end."""
    params = (
        f"{param.name}: [{param.cell}]" if isinstance(param, ir.Table) else f"{param.name}: {param.type}"
        for param in function.params
    )
    lines = [f"kernel {function.name}({', '.join(params)})"]
    lines += (f"  fault {number}: {site.kind}" for number, site in enumerate(function.sites, 1))
    with deep_calls():
        lines += _block(function.body, "  ", {param.name for param in function.params})
    return "\n".join(lines) + "\n"


def show_statement(statement: ir.Statement) -> str:
    """One statement without the blocks inside it."""
    return next(_statement(statement, "", set()))


def _block(block: ir.Block, margin: str, known: set[str]) -> Iterator[str]:
    for statement in block:
        yield from _statement(statement, margin, known)


def _statement(statement: ir.Statement, margin: str, known: set[str]) -> Iterator[str]:
    inner = margin + "  "
    match statement:
        case ir.Set(var, value):
            head = var.name if var.name in known else f"{var.name}: {var.type}"
            known.add(var.name)
            yield f"{margin}{head} = {_bare(value)}"
        case ir.Store(table, index, value, proof):
            yield f"{margin}{table}[{_bare(index)}]{'' if proof else '?'} = {_bare(value)}"
        case ir.Replace(table, index, old, new, otherwise, proof):
            yield f"{margin}if {table}[{_bare(index)}]{'' if proof else '?'} was {show_expr(old)} put {show_expr(new)}"
            yield f"{margin}else"
            yield from _block(otherwise, inner, known)
        case ir.Prefetch(table, index):
            yield f"{margin}prefetch {table}[{_bare(index)}]"
        case ir.If():
            yield from _if(statement, margin, "if", known)
        case ir.For(var, lo, hi, body):
            yield f"{margin}for {var.name}: {var.type} in {_bare(lo)}..{_bare(hi)}"
            yield from _block(body, inner, known)
        case ir.While(condition, body):
            yield f"{margin}while {_bare(condition)}"
            yield from _block(body, inner, known)
        case ir.Labelled(label, body):
            yield f"{margin}block {label}"
            yield from _block(body, inner, known)
        case ir.Break(label):
            yield f"{margin}break {label}"
        case ir.Return(value):
            yield f"{margin}return {_bare(value)}"
        case ir.Fault(site):
            yield f"{margin}fault {site}"
        case _:
            assert_never(statement)


def _if(statement: ir.If, margin: str, word: str, known: set[str]) -> Iterator[str]:
    yield f"{margin}{word} {_bare(statement.condition)}"
    yield from _block(statement.then, margin + "  ", known)
    match statement.other:
        case ():
            pass
        case (ir.If() as inner,):
            yield from _if(inner, margin, "elif", known)
        case other:
            yield f"{margin}else"
            yield from _block(other, margin + "  ", known)


def _bare(expr: ir.Expr) -> str:
    """An expression without parentheses around the whole of it."""
    match expr:
        case ir.Binary(op, left, right, of) if op not in ("min", "max"):
            sign = (LOGIC if of == ir.I1 else SIGNS).get(op, op)
            return f"{show_expr(left)} {sign} {show_expr(right)}"
        case ir.Compare(op, left, right):
            return f"{show_expr(left)} {SIGNS.get(op, op)} {show_expr(right)}"
        case ir.Select(condition, then, other):
            return f"{show_expr(then)} if {show_expr(condition)} else {show_expr(other)}"
        case _:
            return show_expr(expr)


def show_expr(expr: ir.Expr) -> str:
    """An expression as an operand."""
    match expr:
        case ir.Const(value, of):
            if of == ir.I1:
                return "true" if value else "false"
            return str(value) if of.signed or value < 256 else hex(value)
        case ir.Var(name):
            return name
        case ir.Binary("min" | "max" as op, left, right):
            return f"{op}({_bare(left)}, {_bare(right)})"
        case ir.Binary() | ir.Compare() | ir.Select():
            return f"({_bare(expr)})"
        case ir.Unary("not", operand):
            return f"~{show_expr(operand)}" if expr.type != ir.I1 else f"(not {show_expr(operand)})"
        case ir.Unary("neg", operand):
            return f"(-{show_expr(operand)})"
        case ir.Unary(op, operand, of):
            return f"{op}({_bare(operand)})" if of == operand.type else f"{op}({_bare(operand)}):{of}"
        case ir.Cast(operand, of):
            return f"{of}({_bare(operand)})"
        case ir.Load(table, index, of, proof):
            return f"{table}[{_bare(index)}]{'' if proof else '?'}:{of}"
        case ir.DigitSet(operand, base, of):
            return f"digit_set({_bare(operand)}, {base}):{of}"
        case _:
            assert_never(expr)
