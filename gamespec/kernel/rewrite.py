"""Rewriting kernels: the same tree with some nodes replaced, and names that are free."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from gamespec.kernel import ir
from gamespec.kernel.walk import expressions, statements, values


def map_expr(expr: ir.Expr, change: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """The expression with `change` applied to every node, operands first. Unchanged parts stay the same objects."""
    match expr:
        case ir.Const() | ir.Var():
            return change(expr)
        case ir.Binary(op, left, right, of):
            first, second = map_expr(left, change), map_expr(right, change)
            same = first is left and second is right
            return change(expr if same else ir.Binary(op, first, second, of))
        case ir.Compare(op, left, right):
            first, second = map_expr(left, change), map_expr(right, change)
            same = first is left and second is right
            return change(expr if same else ir.Compare(op, first, second))
        case ir.Unary(op, operand, of):
            inner = map_expr(operand, change)
            return change(expr if inner is operand else ir.Unary(op, inner, of))
        case ir.Cast(operand, of):
            inner = map_expr(operand, change)
            return change(expr if inner is operand else ir.Cast(inner, of))
        case ir.Select(condition, then, other):
            test, first, second = (map_expr(part, change) for part in (condition, then, other))
            same = test is condition and first is then and second is other
            return change(expr if same else ir.Select(test, first, second))
        case ir.Load(table, index, of, proof):
            inner = map_expr(index, change)
            return change(expr if inner is index else ir.Load(table, inner, of, proof))
        case ir.DigitSet(operand, base, of):
            inner = map_expr(operand, change)
            return change(expr if inner is operand else ir.DigitSet(inner, base, of))
        case _:
            assert_never(expr)


def map_block(
    block: ir.Block,
    change: Callable[[ir.Expr], ir.Expr],
    change_block: Callable[[ir.Block], ir.Block] = lambda block: block,
) -> ir.Block:
    """The block with `change` applied to every expression node and `change_block` to every block, inner ones first."""
    return change_block(tuple(_map_statement(statement, change, change_block) for statement in block))


def _map_statement(
    statement: ir.Statement, change: Callable[[ir.Expr], ir.Expr], change_block: Callable[[ir.Block], ir.Block]
) -> ir.Statement:
    def inner(block: ir.Block) -> ir.Block:
        return map_block(block, change, change_block)

    match statement:
        case ir.Set(var, value, span):
            return ir.Set(var, map_expr(value, change), span)
        case ir.Store(table, index, value, proof):
            return ir.Store(table, map_expr(index, change), map_expr(value, change), proof)
        case ir.Replace(table, index, old, new, otherwise, proof):
            at, before, after = map_expr(index, change), map_expr(old, change), map_expr(new, change)
            return ir.Replace(table, at, before, after, inner(otherwise), proof)
        case ir.Prefetch(table, index, proof):
            return ir.Prefetch(table, map_expr(index, change), proof)
        case ir.If(condition, then, other, span):
            return ir.If(map_expr(condition, change), inner(then), inner(other), span)
        case ir.For(var, lo, hi, body, span):
            return ir.For(var, map_expr(lo, change), map_expr(hi, change), inner(body), span)
        case ir.While(condition, body):
            return ir.While(map_expr(condition, change), inner(body))
        case ir.Labelled(label, body):
            return ir.Labelled(label, inner(body))
        case ir.Return(value):
            return ir.Return(map_expr(value, change))
        case ir.Break() | ir.Fault():
            return statement
        case _:
            assert_never(statement)


class FreshNames:
    """Names for new locals that a kernel does not use yet."""

    def __init__(self, function: ir.Function) -> None:
        self._taken = {param.name for param in function.params}
        for statement in statements(function.body):
            if isinstance(statement, ir.Set | ir.For):
                self._taken.add(statement.var.name)
            for expr in expressions(*values(statement)):
                if isinstance(expr, ir.Var):
                    self._taken.add(expr.name)

    def __call__(self, hint: str) -> str:
        name, number = hint, 2
        while name in self._taken:
            name = f"{hint}.{number}"
            number += 1
        self._taken.add(name)
        return name
