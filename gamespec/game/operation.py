"""Types operators: arithmetic, set operators, comparisons, connectives, `if`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from gamespec.game import bound, grid, model, player
from gamespec.game.alike import element, merged
from gamespec.game.problems import (
    MIXED,
    NEEDS_SET,
    NEGATIVE_EXPONENT,
    NO_VALUE,
    NOT_COMPARABLE,
    SET_AND_NUMBER,
    SET_OPERATOR,
    UNKNOWN_VALUE,
)
from gamespec.game.scope import Scope
from gamespec.game.words import bare, braced, described
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import BOOL, ArrayType, BoolType, IntType, NamesType, SetType, Type

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

SET_OPERATORS = ("|", "&", "-", "xor")
ORDERS = ("<", "<=", ">=", ">")


def negated(typer: Typer, node: tree.Neg, scope: Scope) -> model.Expr:
    operand = typer.number(node.operand, scope, "`-`")
    bounds = bound.negative(bounds_of(operand))
    if isinstance(operand, model.Const):
        return typer.number_const(bounds.lo, node.span)
    return typer.made(model.Neg(type=IntType(bounds), operand=operand, span=node.span), operand)


def binary(typer: Typer, node: tree.Binary, scope: Scope) -> model.Expr:
    chain = [node]  # a long sum leans to the left, and is no deep nesting
    while isinstance(chain[-1].left, tree.Binary):
        chain.append(chain[-1].left)
    result = typer.expr(chain[-1].left, scope)
    for link in reversed(chain):
        result = joined_by(typer, link, result, typer.expr(link.right, scope))
    return result


def joined_by(typer: Typer, node: tree.Binary, left: model.Expr, right: model.Expr) -> model.Expr:
    """The operator of a node applied to its typed operands."""
    sets = element(left.type) is not None, element(right.type) is not None
    if any(sets):
        return _sets(typer, node, left, right, sets)
    if node.op in ("|", "&"):
        if isinstance(left.type, BoolType) and isinstance(right.type, BoolType):
            word = "or" if node.op == "|" else "and"
            hint = f"conditions are joined by words: `{typer.text(left)} {word} {typer.text(right)}`"
        else:
            hint = "it joins sets: `{1, 2} | s`, `s & t`"
        typer.fail(SET_OPERATOR, node.op_span, hint=hint, op=node.op, described=described(left.type))
    typer.as_number(left, f"`{node.op}`")
    typer.as_number(right, f"`{node.op}`")
    return _numbers(typer, node, left, right)


def _numbers(typer: Typer, node: tree.Binary, left: model.Expr, right: model.Expr) -> model.Expr:
    a, b = bounds_of(left), bounds_of(right)
    if node.op in ("/", "%") and b == Interval(0, 0):
        typer.fail(NO_VALUE, right.span, text=typer.text(node), reason="divides by zero")
    if node.op == "**" and not b.empty and b.lo < 0:
        typer.fail(NEGATIVE_EXPONENT, right.span, text=bare(typer.text(right)), bounds=f"{b.lo}..{b.hi}")
    result = bound.arithmetic(node.op, a, b)
    new = model.Binary(type=IntType(result), op=node.op, left=left, right=right, span=node.span)
    if isinstance(left, model.Const) and isinstance(right, model.Const):
        typer.made(new, left, right)  # for its width
        return typer.number_const(result.lo, node.span)
    return typer.made(new, left, right)


def _sets(typer: Typer, node: tree.Binary, left: model.Expr, right: model.Expr, sets: tuple[bool, bool]) -> model.Expr:
    if not all(sets):
        single = right if sets[0] else left
        meant = f"{typer.text(left)} {node.op} {typer.text(right)}"
        if node.op in SET_OPERATORS and isinstance(single.type, IntType | NamesType | BoolType):
            if sets[0]:
                meant = f"{typer.text(left)} {node.op} {{{typer.text(right)}}}"
            else:
                meant = f"{{{typer.text(left)}}} {node.op} {typer.text(right)}"
        elif node.op in ("+", "-", "*", "/", "%", "**"):
            many = left if sets[0] else right
            meant = meant.replace(typer.text(many), f"size({bare(typer.text(many))})")
        typer.fail(SET_AND_NUMBER, node.op_span, op=node.op, described=f"next to {described(single.type)}", meant=meant)
    if node.op not in SET_OPERATORS:
        hint = f"did you mean `{typer.text(left)} | {typer.text(right)}`?" if node.op == "+" else ""
        typer.fail(SET_OPERATOR, node.op_span, hint=hint, op=node.op, described="sets")
    left, right = player.matched(typer, left, right)
    one, other = element(left.type), element(right.type)
    assert one is not None
    assert other is not None
    both = merged(one, other)
    if both is None:
        typer.fail(
            MIXED,
            right.span,
            where=f"both sides of `{node.op}`",
            left=described(left.type),
            right=described(right.type),
        )
    of: Type
    if node.op == "-":
        of = one
    elif node.op == "&" and isinstance(one, IntType) and isinstance(other, IntType):
        meet = one.bounds.meet(other.bounds)
        of = IntType(Interval(0, -1) if meet.empty else meet)
    else:
        of = both
    return typer.made(model.Binary(type=SetType(of), op=node.op, left=left, right=right, span=node.span), left, right)


# --- comparisons -------------------------------------------------------------------------------------------


def compared(typer: Typer, node: tree.Compare, scope: Scope) -> model.Expr:
    """A chain `a <= b < c` becomes the conjunction of its comparisons."""
    operands: list[model.Expr] = []
    for operand in node.operands:
        operands.append(_operand(typer, operand, operands[-1:], scope))
    parts = []
    for position, op in enumerate(node.ops):
        left, right = operands[position], operands[position + 1]
        if position:
            typer.copied(left, node.span)
        span = node.span if len(node.ops) == 1 else left.span.to(right.span)
        parts.append(_comparison(typer, op, left, right, span))
    if len(parts) == 1:
        return parts[0]
    return typer.made(model.And(type=BOOL, operands=tuple(parts), span=node.span), *parts)


def _operand(typer: Typer, node: tree.Expr, before: list[model.Expr], scope: Scope) -> model.Expr:
    """One operand; an unknown name beside a value of a names type is looked for among those names."""
    if isinstance(node, tree.Name) and before and isinstance(before[0].type, NamesType):
        names = before[0].type.names
        if node.name not in typer.visible(scope) and node.name not in typer.extras:
            typer.unknown(UNKNOWN_VALUE, node.name, node.span, set(names), names=braced(names))
    return typer.expr(node, scope)


def _comparison(typer: Typer, op: str, left: model.Expr, right: model.Expr, span: Span) -> model.Expr:
    if op in ("in", "not in"):
        member = _member(typer, left, right, span)
        return member if op == "in" else typer.made(model.Not(type=BOOL, operand=member, span=span), member)
    left, right = player.matched(typer, left, right)
    a, b = left.type, right.type
    numbers = isinstance(a, IntType) and isinstance(b, IntType)
    sets = isinstance(a, SetType) and isinstance(b, SetType) and merged(a, b) is not None
    alike = (isinstance(a, BoolType) and isinstance(b, BoolType)) or (isinstance(a, NamesType) and a == b)
    if not (numbers or sets or (alike and op not in ORDERS)):
        _incomparable(typer, op, left, right, span)
    if sets and op in ("<", ">"):
        within = _comparison(typer, op + "=", left, right, span)
        differs = _comparison(typer, "!=", typer.copied(left, span), typer.copied(right, span), span)
        return typer.made(model.And(type=BOOL, operands=(within, differs), span=span), within, differs)
    if isinstance(left, model.Const) and isinstance(right, model.Const):
        return typer.const(_holds(op, int(left.value), int(right.value)), BOOL, span)  # type: ignore[arg-type]
    return typer.made(model.Compare(type=BOOL, op=op, left=left, right=right, span=span), left, right)


def _holds(op: str, left: int, right: int) -> bool:
    match op:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case _:
            raise AssertionError(op)


def _member(typer: Typer, item: model.Expr, within: model.Expr, span: Span) -> model.Expr:
    of = element(within.type)
    if of is None:
        hint = ""
        if isinstance(within.type, ArrayType):
            text, one = typer.text(within), typer.text(item)
            hint = f"write `any(cell == {one} for cell in {text})`"
        elif isinstance(within.type, IntType):
            hint = f"did you mean `{typer.text(item)} == {typer.text(within)}`?"
        typer.fail(
            NEEDS_SET, within.span, hint=hint, where="`in`", text=typer.text(within), described=described(within.type)
        )
    item, within = player.matched(typer, item, within)
    of = element(within.type)
    assert of is not None
    if merged(item.type, of) is None:
        op = "in"
        hint = ""
        if element(item.type) is not None:
            hint = f"`<=` tells whether one set lies in another: `{typer.text(item)} <= {typer.text(within)}`"
        typer.fail(NOT_COMPARABLE, span, hint=hint, op=op, left=described(item.type), right=described(within.type))
    return typer.made(model.Member(type=BOOL, item=item, within=within, span=span), item, within)


def _incomparable(typer: Typer, op: str, left: model.Expr, right: model.Expr, span: Span) -> NoReturn:
    for side in (left, right):
        if grid.stands_alone(side):
            grid.misplaced(typer, side)
    a, b = typer.text(left), typer.text(right)
    hint = ""
    if isinstance(left.type, SetType) and isinstance(right.type, IntType):
        hint = f"did you mean `{b} in {a}`?" if op == "==" else f"did you mean `size({a}) {op} {b}`?"
    elif isinstance(right.type, SetType) and isinstance(left.type, IntType):
        hint = f"did you mean `{a} in {b}`?" if op == "==" else f"did you mean `{a} {op} size({b})`?"
    elif isinstance(left.type, BoolType) and isinstance(right.type, IntType):
        hint = f"a condition stands alone: `{bare(a)}`, or `not ({bare(a)})`"
    elif isinstance(left.type, ArrayType) and isinstance(right.type, ArrayType):
        hint = f"compare element by element: `all({a}[i] {op} {b}[i] for i in …)`"
    elif isinstance(left.type, ArrayType) and merged(left.type.of, right.type) is not None:
        hint = f"compare its cells: `all(cell {op} {b} for cell in {a})`"
    elif isinstance(left.type, NamesType) and left.type == right.type:
        hint = "names have no order; compare them with `==` or `!=`"
    elif element(left.type) is not None and element(right.type) is not None:
        hint = "`s | {}` makes a set of a list"
    typer.fail(NOT_COMPARABLE, span, hint=hint, op=op, left=described(left.type), right=described(right.type))


# --- connectives -------------------------------------------------------------------------------------------


def connected(typer: Typer, node: tree.And | tree.Or, scope: Scope) -> model.Expr:
    """`and` and `or`; every operand is looked at, whatever is wrong with the others."""
    from gamespec.game.typer import Wrong

    word = "`and`" if isinstance(node, tree.And) else "`or`"
    operands = []
    for operand in node.operands:
        typed = typer.attempt(typer.condition, operand, scope, word)
        if typed is not None:
            operands.append(typed)
    if len(operands) < len(node.operands):
        raise Wrong
    made = model.And if isinstance(node, tree.And) else model.Or
    return typer.made(made(type=BOOL, operands=tuple(operands), span=node.span), *operands)


def chosen(typer: Typer, node: tree.If, scope: Scope) -> model.Expr:
    condition = typer.condition(node.condition, scope, "`if`")
    then, other = player.matched(typer, typer.expr(node.then, scope), typer.expr(node.other, scope))
    both = merged(then.type, other.type)
    if both is None:
        typer.fail(
            MIXED, other.span, where="both values of an `if`", left=described(then.type), right=described(other.type)
        )
    if isinstance(condition, model.Const):
        return then if condition.value else other
    new = model.If(type=both, condition=condition, then=then, other=other, span=node.span)
    return typer.made(new, condition, then, other)


def bounds_of(expr: model.Expr) -> Interval:
    """The bounds of a number."""
    assert isinstance(expr.type, IntType)
    return expr.type.bounds
