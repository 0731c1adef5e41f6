"""Lines of cells on a board: lists that are known before play, written out where a fold goes through them.

A line is a constant list of cells, a cell a constant tuple of indices (a number where the board has one dimension).
No such constant is left in a checked game: folds over them become `or`, `and` and arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NoReturn, cast

from gamespec.diagnostics import counted
from gamespec.game import bound, model
from gamespec.game.alike import merged
from gamespec.game.problems import GRID, GRID_FOLD, GRID_PLACE, NO_LINE, TOO_MANY_LINES
from gamespec.game.scope import Scope
from gamespec.game.words import described
from gamespec.interval import EMPTY, Interval
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import BOOL, ArrayType, IntType, ListType, SetType, TupleType, Type

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

LINES = "lines"
MOST = 4096
"""The most lines of one board."""

Cell = tuple[int, ...]


def is_listed(expr: model.Expr) -> bool:
    """Whether an expression is a constant list (lines, or the cells of one), which only `for` can go through."""
    return isinstance(expr, model.Const) and isinstance(expr.type, ListType)


def is_cell(expr: model.Expr) -> bool:
    return isinstance(expr, model.Const) and isinstance(expr.type, TupleType)


def stands_alone(expr: model.Expr) -> bool:
    """Whether nothing can be made of an expression but a fold or an index."""
    return is_listed(expr) or isinstance(expr.type, TupleType)


def misplaced(typer: Typer, expr: model.Expr) -> NoReturn:
    """Reports a line, a list of them, or a cell that stands where its value would be needed. Raises Wrong."""
    what = "a cell is the index of an array" if is_cell(expr) else "lines and their cells are gone through by `for`"
    hint = "write `board[q]`" if is_cell(expr) else "write `any(… for line in lines(board, 3))`, `all(… for q in line)`"
    typer.fail(GRID_PLACE, expr.span, hint=hint, what=what, text=typer.text(expr))


# --- lines(board, k) ---------------------------------------------------------------------------------------


def lines(typer: Typer, node: tree.Call, scope: Scope) -> model.Expr:
    """`lines(board, k)`: all k cells in a row, column or diagonal, from the first cell of the board on."""
    from gamespec.game.collection import array

    args = [typer.expr(arg, scope) for arg in node.args]
    if len(args) != 2 or not isinstance(args[0].type, ArrayType):
        found = described(args[0].type) if len(args) == 2 else counted(len(args), "argument")
        typer.fail(GRID, node.span, problem=f"`lines` needs an array and a length, not {found}")
    typer.as_number(args[1], f"`{LINES}`")
    dims = array(typer, args[0])[1]
    runs: list[range] = []
    for lo, hi in dims:
        if not isinstance(lo, model.Const) or not isinstance(hi, model.Const):
            text = typer.text(node.args[0])
            typer.fail(GRID, node.args[0].span, problem=f"the bounds of `{text}` are not known before anything is read")
        runs.append(range(cast(int, lo.value), cast(int, hi.value) + 1))
    length = args[1]
    if not isinstance(length, model.Const):
        typer.fail(GRID, length.span, problem=f"`{typer.text(length)}` is not known before anything is read")
    count = cast(int, length.value)
    if count < 1:
        typer.fail(GRID, length.span, problem=f"a line of {count} cells is none")
    sizes = [len(run) for run in runs]
    _check_number(typer, node, sizes, length, count)
    every = list(_lines(runs, count))
    numbers = tuple(IntType(Interval(run.start, run.stop - 1)) for run in runs)
    cell: Type = numbers[0] if len(runs) == 1 else TupleType(numbers)
    values = tuple(tuple(at[0] if len(runs) == 1 else at for at in line) for line in every)
    of = ListType(ListType(cell))
    return typer.const(cast(model.Value, values), of, node.span)


def _check_number(typer: Typer, node: tree.Call, sizes: Sequence[int], length: model.Expr, count: int) -> None:
    """Fails for more lines than can be written out; warns where there is none."""
    number = _number(sizes, count)
    if number > MOST:
        fitting = max(size for size in range(MOST + 1) if _number([min(each, size) for each in sizes], count) <= MOST)
        typer.fail(
            TOO_MANY_LINES,
            node.span,
            number=f"{number:,}",
            count=count,
            size=_size(sizes),
            limit=f"{MOST:,}",
            fitting=_size([min(each, fitting) for each in sizes]),
        )
    if number == 0:
        text = typer.text(node.args[0])
        typer.problems.add(NO_LINE.at(length.span, count=count, text=text, size=_size(sizes), longest=max(sizes)))


def _size(sizes: Sequence[int]) -> str:
    """`3 × 4 cells`"""
    return " × ".join(map(str, sizes)) + (" cell" if list(sizes) == [1] else " cells")


def _steps(dimensions: int, count: int) -> list[tuple[int, ...]]:
    """The directions of lines, one of each two opposite ones."""
    steps = [step for step in product((-1, 0, 1), repeat=dimensions) if step > (0,) * dimensions]
    return steps[:1] if count == 1 else steps


def _number(sizes: Sequence[int], count: int) -> int:
    """How many lines of so many cells a board has."""
    steps = _steps(len(sizes), count)
    return sum(prod(max(0, n - (count - 1) * abs(by)) for n, by in zip(sizes, step, strict=True)) for step in steps)


def _lines(runs: Sequence[range], count: int) -> Iterator[tuple[Cell, ...]]:
    """The lines of a board, by their first cell and then by direction; each one once."""
    for start in product(*runs):
        for step in _steps(len(runs), count):
            last = (at + (count - 1) * by for at, by in zip(start, step, strict=True))
            if all(at in run for at, run in zip(last, runs, strict=True)):
                yield tuple(
                    tuple(at + place * by for at, by in zip(start, step, strict=True)) for place in range(count)
                )


# --- folds over them ---------------------------------------------------------------------------------------


def elements(typer: Typer, listed: model.Expr) -> list[model.Expr]:
    """The elements of a constant list, each a constant: lines, cells or numbers."""
    assert isinstance(listed, model.Const)
    assert isinstance(listed.type, ListType)
    of = listed.type.of
    values = cast(tuple[model.Value, ...], listed.value)
    if isinstance(of, IntType):
        return [typer.number_const(cast(int, value), listed.span) for value in values]
    return [typer.const(value, of, listed.span) for value in values]


def indices(typer: Typer, cell: model.Expr, span: Span) -> list[model.Expr]:
    """The indices that a cell stands for."""
    assert isinstance(cell, model.Const)
    return [typer.number_const(at, span) for at in cast(Cell, cell.value)]


def guarded(typer: Typer, node: tree.Fold, condition: model.Expr, item: model.Expr) -> model.Expr:
    """One element of a fold that counts only where a condition holds."""
    span = item.span
    match node.name:
        case "any":
            return typer.made(model.And(type=BOOL, operands=(condition, item), span=span), condition, item)
        case "all":
            no = typer.made(model.Not(type=BOOL, operand=condition, span=condition.span), condition)
            return typer.made(model.Or(type=BOOL, operands=(no, item), span=span), no, item)
        case "count":
            return typer.made(model.And(type=BOOL, operands=(condition, item), span=span), condition, item)
        case "sum" | "gcd":
            return _either(typer, condition, item, typer.number_const(0, span), span)
        case _:
            empty(typer, node)


def empty(typer: Typer, node: tree.Fold) -> NoReturn:
    problem = f"`{node.name}` over lines may find nothing to choose from"
    typer.fail(GRID_FOLD, node.span, hint="leave out the `if`, or use `sum` or `count`", problem=problem)


def truth_number(typer: Typer, condition: model.Expr) -> model.Expr:
    """1 where a condition holds, else 0."""
    span = condition.span
    return _either(typer, condition, typer.number_const(1, span), typer.number_const(0, span), span)


def _either(typer: Typer, condition: model.Expr, then: model.Expr, other: model.Expr, span: Span) -> model.Expr:
    of = merged(then.type, other.type)
    assert of is not None
    new = model.If(type=of, condition=condition, then=then, other=other, span=span)
    return typer.made(new, condition, then, other)


def combined(typer: Typer, node: tree.Fold, parts: list[model.Expr]) -> model.Expr:
    """The fold of the parts that its elements make, each of them a value of the fold itself."""
    span = node.span
    match node.name:
        case "any" | "all":
            decides = node.name == "any"
            if any(isinstance(part, model.Const) and part.value is decides for part in parts):
                return typer.const(decides, BOOL, span)
            rest = [part for part in parts if not isinstance(part, model.Const)]
            if len(rest) < 2:
                return rest[0] if rest else typer.const(not decides, BOOL, span)
            connective = model.Or if decides else model.And
            return typer.made(connective(type=BOOL, operands=tuple(rest), span=span), *rest)
        case "sum" | "count":
            return _balanced(parts, lambda a, b: _binary(typer, "+", a, b, span)) or typer.number_const(0, span)
        case _:
            return _extreme(typer, node, parts)


def _extreme(typer: Typer, node: tree.Fold, parts: list[model.Expr]) -> model.Expr:
    """`min`, `max` or `gcd` of several numbers."""
    if node.name == "gcd":
        parts = [typer.number_const(0, node.span), *parts]
    if not parts:
        empty(typer, node)
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, model.Const) for part in parts) or node.name == "gcd":
        bounds = EMPTY
        for part in parts:
            assert isinstance(part.type, IntType)
            bounds = bounds.hull(part.type.bounds)
        of = IntType(bound.common_divisor(bounds) if node.name == "gcd" else bounds)
    else:
        intervals = [part.type.bounds for part in parts if isinstance(part.type, IntType)]
        pick = min if node.name == "min" else max
        of = IntType(Interval(pick(each.lo for each in intervals), pick(each.hi for each in intervals)))
    return typer.made(model.Call(type=of, name=node.name, args=tuple(parts), span=node.span), *parts)


def united(typer: Typer, node: tree.SetComp, parts: list[model.Expr]) -> model.Expr:
    """The union of the sets that the elements of a comprehension make."""
    if not parts:
        return typer.made(model.SetOf(type=SetType(IntType(EMPTY)), items=(), span=node.span))
    if all(isinstance(part, model.SetOf) for part in parts):
        items = tuple(item for part in parts if isinstance(part, model.SetOf) for item in part.items)
        of: Type = items[0].type
        for item in items:
            of = merged(of, item.type) or of
        return typer.made(model.SetOf(type=SetType(of), items=items, span=node.span), *items)
    result = _balanced(parts, lambda a, b: _binary(typer, "|", a, b, node.span))
    assert result is not None
    return result


def single(typer: Typer, node: tree.SetComp, condition: model.Expr | None, item: model.Expr) -> model.Expr:
    """The set of one element of a comprehension, empty where its condition does not hold."""
    one = typer.made(model.SetOf(type=SetType(item.type), items=(item,), span=item.span), item)
    if condition is None:
        return one
    none = typer.made(model.SetOf(type=SetType(IntType(EMPTY)), items=(), span=node.span))
    return _either(typer, condition, one, none, node.span)


def _binary(typer: Typer, op: str, left: model.Expr, right: model.Expr, span: Span) -> model.Expr:
    of = merged(left.type, right.type)
    if isinstance(left.type, IntType) and isinstance(right.type, IntType):
        of = IntType(bound.arithmetic(op, left.type.bounds, right.type.bounds))
    assert of is not None
    return typer.made(model.Binary(type=of, op=op, left=left, right=right, span=span), left, right)


def _balanced(parts: list[model.Expr], join: Callable[[model.Expr, model.Expr], model.Expr]) -> model.Expr | None:
    """The parts joined two by two, so that many of them are not nested deeply."""
    while len(parts) > 1:
        pairs = [join(one, two) for one, two in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(parts) - len(parts) % 2 :]
    return parts[0] if parts else None
