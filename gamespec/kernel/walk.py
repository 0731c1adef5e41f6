"""Walking kernels: the parts of a node, and all nodes below one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from gamespec.kernel import ir


@contextmanager
def deep_calls(limit: int = 6_000) -> Iterator[None]:
    """Room for functions that call themselves for every level of a kernel; the verifier bounds the levels."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def operands(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """The operands of an expression, in the order of evaluation."""
    match expr:
        case ir.Const() | ir.Var():
            return ()
        case ir.Binary(_, left, right) | ir.Compare(_, left, right):
            return left, right
        case ir.Unary(_, operand) | ir.Cast(operand) | ir.DigitSet(operand):
            return (operand,)
        case ir.Select(condition, then, other):
            return condition, then, other
        case ir.Load(_, index):
            return (index,)
        case _:
            assert_never(expr)


def values(statement: ir.Statement) -> tuple[ir.Expr, ...]:
    """The expressions that a statement itself evaluates, in order."""
    match statement:
        case ir.Set(_, value) | ir.Return(value) | ir.Prefetch(_, value):
            return (value,)
        case ir.Store(_, index, value):
            return value, index
        case ir.Replace(_, index, old, new):
            return old, new, index
        case ir.If(condition) | ir.While(condition):
            return (condition,)
        case ir.For(_, lo, hi):
            return lo, hi
        case ir.Labelled() | ir.Break() | ir.Fault():
            return ()
        case _:
            assert_never(statement)


def blocks(statement: ir.Statement) -> tuple[ir.Block, ...]:
    """The blocks inside a statement."""
    match statement:
        case ir.If(_, then, other):
            return then, other
        case ir.For(_, _, _, body) | ir.While(_, body) | ir.Labelled(_, body):
            return (body,)
        case ir.Replace(_, _, _, _, otherwise):
            return (otherwise,)
        case ir.Set() | ir.Store() | ir.Prefetch() | ir.Break() | ir.Return() | ir.Fault():
            return ()
        case _:
            assert_never(statement)


def statements(block: ir.Block) -> Iterator[ir.Statement]:
    """All statements of a block and of the blocks inside it, outer ones first."""
    waiting = list(reversed(block))
    while waiting:
        statement = waiting.pop()
        yield statement
        for inner in reversed(blocks(statement)):
            waiting += reversed(inner)


def expressions(*roots: ir.Expr) -> Iterator[ir.Expr]:
    """Expressions and all that is inside them, outer ones first; shared ones as often as they occur."""
    waiting = list(reversed(roots))
    while waiting:
        expr = waiting.pop()
        yield expr
        waiting += reversed(operands(expr))


def size(function: ir.Function) -> int:
    """The number of statements and expressions, shared ones counted as often as they occur.

    It takes time in the number of different nodes, however often they are shared.
    """
    known: dict[int, int] = {}
    total = 0
    for statement in statements(function.body):
        total += 1
        for root in values(statement):
            total += _expression_size(root, known)
    return total


def effort(function: ir.Function) -> int:
    """Like `size`, but what stands in a loop counts as often as the loop runs, where that is known beforehand."""
    known: dict[int, int] = {}
    total = 0
    waiting = [(statement, 1) for statement in function.body]
    while waiting:
        statement, times = waiting.pop()
        total += times * (1 + sum(_expression_size(root, known) for root in values(statement)))
        if isinstance(statement, ir.For):
            match statement.lo, statement.hi:
                case ir.Const(lo), ir.Const(hi):
                    times *= max(0, hi - lo + 1)
        waiting += [(inner, times) for block in blocks(statement) for inner in block]
    return total


def _expression_size(root: ir.Expr, known: dict[int, int]) -> int:
    waiting = [root]
    while waiting:
        expr = waiting[-1]
        unknown = [part for part in operands(expr) if id(part) not in known]
        if unknown:
            waiting += unknown
        else:
            known[id(expr)] = 1 + sum(known[id(part)] for part in operands(expr))
            waiting.pop()
    return known[id(root)]
