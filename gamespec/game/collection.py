"""Types ranges, sets, comprehensions, folds and array elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from gamespec.diagnostics import Note, counted
from gamespec.game import bound, grid, model, player
from gamespec.game.alike import element, merged, most
from gamespec.game.name import RESERVED_WORDS
from gamespec.game.operation import SET_OPERATORS, joined_by
from gamespec.game.problems import (
    GRID_FOLD,
    INDEX_COUNT,
    MIXED,
    NEEDS_CONDITION,
    NEEDS_NUMBER,
    NEEDS_SET,
    NO_FOLD,
    NOT_A_FUNCTION,
    NOT_AN_ARRAY,
    RANGE_OF_SET,
    RESERVED,
    SHADOWED,
    UNKNOWN_FUNCTION,
)
from gamespec.game.scope import Scope
from gamespec.game.walk import through_lets
from gamespec.game.words import described
from gamespec.interval import EMPTY, Interval
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import BOOL, ArrayType, BoolType, IntType, NamesType, SetType, Type, is_scalar

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

Dims = tuple[tuple[model.Expr, model.Expr], ...]

FOLDS = ("min", "max", "sum", "count", "any", "all", "gcd")


# --- sets --------------------------------------------------------------------------------------------------


def range_of(typer: Typer, node: tree.Range, scope: Scope) -> model.Expr:
    ends = []
    for end, lower in ((node.lo, True), (node.hi, False)):
        typed = _end(typer, node, end, lower, scope)
        ends.append(typer.as_number(typed, "a range"))
    lo, hi = (end.type.bounds for end in ends if isinstance(end.type, IntType))
    hull = EMPTY if lo.empty or hi.empty or lo.lo > hi.hi else Interval(lo.lo, hi.hi)
    return typer.made(
        model.Range(type=SetType(IntType(hull)), lo=ends[0], hi=ends[1], span=node.span), ends[0], ends[1]
    )


def _end(typer: Typer, node: tree.Range, end: tree.Expr, lower: bool, scope: Scope) -> model.Expr:
    """One end of a range. `2..20 - open` is read as `2..(20 - open)`, so a set here is nearly always that."""
    terms, ops = _terms(end, outermost=True)
    typed = [typer.expr(term, scope) for term in terms]
    sets = [element(term.type) is not None for term in typed]
    numbers = [isinstance(term.type, IntType) for term in typed]
    plain = all(one or other for one, other in zip(sets, numbers, strict=True))
    if any(sets) and plain and numbers[-1 if lower else 0]:
        first = len(sets) - sets[::-1].index(True) if lower else 0  # the terms that belong to the range
        behind = len(sets) if lower else sets.index(True)
        kept = typer.text(typed[first].span.to(typed[behind - 1].span))
        ends = (kept, typer.text(node.hi)) if lower else (typer.text(node.lo), kept)
        words = [typer.text(term) if of else f"{{{typer.text(term)}}}" for term, of in zip(typed, sets, strict=True)]
        words[first:behind] = [f"({ends[0]}..{ends[1]})"]
        joints = [*ops[:first], *ops[behind - 1 :]]
        if set(joints) <= set(SET_OPERATORS):
            meant = " ".join([words[0], *(f"{op} {word}" for op, word in zip(joints, words[1:], strict=True))])
            typer.fail(RANGE_OF_SET, end.span, text=typer.text(end), meant=meant)
    elif sets[0] and not all(sets):
        typer.as_number(typed[0], "a range")
    return _rejoined(typer, end, iter(typed), outermost=True)


def _links(node: tree.Expr, *, outermost: bool) -> tuple[tree.Expr, list[tree.Binary]]:
    """The first operand of nested operators and the operators behind it, as a long sum leans to the left. What stands
    in parentheses is one operand, unless these stand around the whole."""
    links: list[tree.Binary] = []
    while isinstance(node, tree.Binary) and (
        (outermost and not links) or (node.span.start == node.left.span.start and node.span.end == node.right.span.end)
    ):
        links.append(node)
        node = node.left
    return node, links[::-1]


def _terms(node: tree.Expr, *, outermost: bool) -> tuple[list[tree.Expr], list[str]]:
    """The operands of nested operators in the order in which they are written, and the signs between them."""
    start, links = _links(node, outermost=outermost)
    terms, ops = [start], []
    for link in links:
        more, between = _terms(link.right, outermost=False)
        terms += more
        ops += [link.op, *between]
    return terms, ops


def _rejoined(typer: Typer, node: tree.Expr, typed: Iterator[model.Expr], *, outermost: bool) -> model.Expr:
    """The typed node, of its typed operands in the order of `_terms`."""
    result = next(typed)
    for link in _links(node, outermost=outermost)[1]:
        result = joined_by(typer, link, result, _rejoined(typer, link.right, typed, outermost=False))
    return result


def set_of(typer: Typer, node: tree.SetOf, scope: Scope) -> model.Expr:
    items = [typer.expr(item, scope) for item in node.items]
    for named in {item.type for item in items if isinstance(item.type, NamesType)}:
        items = [player.fitted(typer, item, named) for item in items]
    of: Type = IntType(EMPTY)
    for position, item in enumerate(items):
        _scalar(typer, item, alone=len(items) == 1)
        both = merged(of, item.type) if position else item.type
        if both is None:
            typer.fail(MIXED, item.span, where="the elements of a set", left=described(of), right=described(item.type))
        of = both
    return typer.made(model.SetOf(type=SetType(of), items=tuple(items), span=node.span), *items)


def _scalar(typer: Typer, item: model.Expr, *, alone: bool = False) -> None:
    """Fails unless an expression can be an element of a set; `alone` if it would be the only one."""
    if not is_scalar(item.type):
        hint = ""
        if element(item.type) is not None:
            text = f"({typer.text(item)})" if isinstance(item, model.Range) else typer.text(item)
            hint = f"join sets with `|`: `{text} | {{…}}`"
            if alone:
                hint = f"it is a set already; leave the braces out: `{text}`"
        typer.fail(
            NEEDS_NUMBER,
            item.span,
            hint=hint,
            where="an element of a set",
            text=typer.text(item),
            described=described(item.type),
        )


def comprehension(typer: Typer, node: tree.SetComp, scope: Scope) -> model.Expr:
    return _comprehension(typer, node, node.tail.binds, scope, False)


def _comprehension(
    typer: Typer, node: tree.SetComp, nodes: tuple[tree.Bind, ...], scope: Scope, unrolled: bool
) -> model.Expr:
    binds, scope, listed = _bound(typer, nodes, scope)
    if listed is not None:
        if binds:
            within = nodes[listed.place].within
            problem = f"`for … in {typer.text(within)}` stands first in a set"
            typer.fail(GRID_FOLD, within.span, hint="put the other `for` behind it", problem=problem)
        every = typer.each_of(nodes[listed.place].within.span, listed.scopes)
        parts = [_comprehension(typer, node, nodes[listed.place + 1 :], inner, True) for inner in every]
        return grid.united(typer, node, parts)
    condition = _condition(typer, node.tail, scope)
    item = typer.expr(node.item, scope)
    _scalar(typer, item)
    if unrolled and not binds:
        return grid.single(typer, node, condition, item)
    tail = model.Tail(tuple(binds), condition)
    return typer.made(model.SetComp(type=SetType(item.type), item=item, tail=tail, span=node.span), item, *below(tail))


# --- for ---------------------------------------------------------------------------------------------------


def tail_of(typer: Typer, node: tree.Tail, scope: Scope) -> tuple[model.Tail, Scope]:
    """The typed tail, and the scope with its names bound."""
    binds: list[model.Bind] = []
    for bind in node.binds:
        made, scope = bound_by(typer, bind, scope, "`for`")
        binds += made
    return model.Tail(tuple(binds), _condition(typer, node, scope)), scope


def _condition(typer: Typer, node: tree.Tail, scope: Scope) -> model.Expr | None:
    return None if node.condition is None else typer.condition(node.condition, scope, "`if`")


class _Listed(msgspec.Struct, frozen=True):
    """A constant list among the binds of a tail: its place, and the scope for each of its elements."""

    place: int
    scopes: list[Scope]


def _bound(typer: Typer, nodes: tuple[tree.Bind, ...], scope: Scope) -> tuple[list[model.Bind], Scope, _Listed | None]:
    """The binds up to the first one over a constant list, and what they bind."""
    binds: list[model.Bind] = []
    for place, node in enumerate(nodes):
        within = typer.expr(node.within, scope)
        if grid.is_listed(within):
            check_new(typer, node.name, node.name_span, scope)
            elements = grid.elements(typer, within)
            scopes = [
                msgspec.structs.replace(scope, locals={**scope.locals, node.name: element}) for element in elements
            ]
            return binds, scope, _Listed(place, scopes)
        made, scope = _bound_to(typer, node, within, scope, "`for`")
        binds += made
    return binds, scope, None


def bound_by(typer: Typer, node: tree.Bind, scope: Scope, where: str) -> tuple[list[model.Bind], Scope]:
    """One `x in s`, and the scope in which `x` is bound. `for x in a` runs over the elements of an array: it binds
    an index for each dimension."""
    return _bound_to(typer, node, typer.expr(node.within, scope), scope, where)


def _bound_to(
    typer: Typer, node: tree.Bind, within: model.Expr, scope: Scope, where: str
) -> tuple[list[model.Bind], Scope]:
    check_new(typer, node.name, node.name_span, scope)
    if grid.stands_alone(within):
        grid.misplaced(typer, within)
    if isinstance(within.type, ArrayType) and where == "`for`":
        base, dims = array(typer, within)
        item, binds, taken = element_of(typer, base, dims, within.type, node, scope)
        return binds, Scope(
            scope.place, {**scope.locals, node.name: item}, scope.taken | taken, scope.known, scope.stuck
        )
    name = fresh(typer, node.name, scope)
    of = element(within.type)
    if of is None:
        hint = ""
        if isinstance(within.type, IntType):
            hint = f"did you mean `{node.name} in 1..{typer.text(within)}`?"
        elif isinstance(within.type, ArrayType):
            ends = [f"{typer.text(lo)}..{typer.text(hi)}" for lo, hi in array(typer, within)[1]]
            names = [node.name] if len(ends) == 1 else [f"{node.name}{number}" for number in range(1, len(ends) + 1)]
            what = "an index" if len(ends) == 1 else "its indices"
            each = ", ".join(f"{name} in {run}" for name, run in zip(names, ends, strict=True))
            hint = f"choose {what}: `{each}`"
        typer.fail(
            NEEDS_SET, within.span, hint=hint, where=where, text=typer.text(within), described=described(within.type)
        )
    local = typer.made(model.LocalRef(type=of, name=name, span=node.name_span))
    return [model.Bind(name, within, node.span)], scope.bind(node.name, local, name)


def element_of(
    typer: Typer, base: model.Expr, dims: Dims, of: ArrayType, node: tree.Bind, scope: Scope
) -> tuple[model.Expr, list[model.Bind], set[str]]:
    """An element of an array at indices that are bound over all of it; the bound names are new."""
    span = node.within.span
    places, binds, taken = cells_of(typer, dims, of, node.name, span, scope, node.span)
    item = model.Index(type=of.of, base=base, indices=places, dims=dims, span=span)
    return typer.made(item, base, *places, *(end for pair in dims for end in pair)), binds, taken


def cells_of(
    typer: Typer, dims: Dims, of: ArrayType, name: str, span: Span, scope: Scope, whole: Span
) -> tuple[tuple[model.Expr, ...], list[model.Bind], set[str]]:
    """Indices bound over all cells of an array, one for each dimension."""
    binds: list[model.Bind] = []
    places: list[model.Expr] = []
    taken: set[str] = set()
    for (lo, hi), bounds in zip(dims, of.dims, strict=True):
        own = fresh(typer, name, msgspec.structs.replace(scope, taken=scope.taken | taken))
        taken.add(own)
        ends = typer.copied(lo, span), typer.copied(hi, span)
        places.append(typer.made(model.LocalRef(type=IntType(bounds), name=own, span=span)))
        run = model.Range(type=SetType(IntType(bounds)), lo=lo, hi=hi, span=span)
        binds.append(model.Bind(own, typer.made(run, *ends), whole))
    return tuple(places), binds, taken


def check_new(typer: Typer, name: str, span: Span, scope: Scope) -> None:
    """Fails when a local name is declared already, or bound around here."""
    if name in RESERVED_WORDS:
        typer.fail(RESERVED, span, name=name)
    if name in typer.names.declared:
        declared = typer.names.declared[name]
        typer.fail(SHADOWED, span, notes=(Note("declared here", declared.span),), name=name, what=declared.what.value)
    if name in scope.locals:
        typer.fail(SHADOWED, span, name=name, what="bound here")


def fresh(typer: Typer, name: str, scope: Scope) -> str:
    """A name that no local name reached from here has, so that arguments put into a body keep their meaning."""
    number = 1
    result = name
    while result in scope.taken or (number > 1 and result in typer.names.declared):
        number += 1
        result = f"{name}_{number}"
    return result


def below(tail: model.Tail) -> list[model.Expr]:
    """The expressions of a tail."""
    return [bind.within for bind in tail.binds] + ([] if tail.condition is None else [tail.condition])


def fold(typer: Typer, node: tree.Fold, scope: Scope) -> model.Expr:
    name = node.name
    if name in typer.names.declared:
        typer.fail(NOT_A_FUNCTION, node.name_span, name=name, what=typer.names.what(name))
    if name not in FOLDS:
        from gamespec.builtins import BUILTINS

        if name in BUILTINS:
            typer.fail(NO_FOLD, node.name_span, name=name)
        typer.unknown(UNKNOWN_FUNCTION, name, node.name_span, set(FOLDS))
    return _folded(typer, node, node.tail.binds, scope, False)


def _folded(typer: Typer, node: tree.Fold, nodes: tuple[tree.Bind, ...], scope: Scope, unrolled: bool) -> model.Expr:
    """A fold over some of its names. One over lines or their cells is the fold of what each of them makes."""
    binds, scope, listed = _bound(typer, nodes, scope)
    if listed is not None:
        every = typer.each_of(nodes[listed.place].within.span, listed.scopes)
        parts = [_folded(typer, node, nodes[listed.place + 1 :], inner, True) for inner in every]
        whole = grid.combined(typer, node, parts)
        op = "sum" if node.name == "count" else node.name
        return whole if not binds else _over(typer, node, op, whole, model.Tail(tuple(binds)))
    condition = _condition(typer, node.tail, scope)
    item = _item(typer, node, typer.expr(node.item, scope))
    if unrolled and condition is not None and (not binds or node.name in ("min", "max")):
        item = grid.guarded(typer, node, condition, item)
        condition = None
    if unrolled and not binds:
        return grid.truth_number(typer, item) if node.name == "count" else item
    return _over(typer, node, node.name, item, model.Tail(tuple(binds), condition))


def _item(typer: Typer, node: tree.Fold, item: model.Expr) -> model.Expr:
    """What a fold folds: conditions or numbers. Raises Wrong for anything else."""
    name = node.name
    if name not in ("any", "all", "count"):
        return typer.as_number(item, f"`{name}`")
    if not isinstance(item.type, BoolType):
        hint = "`sum(1 for …)` counts every element; `sum(… for …)` adds them" if name == "count" else ""
        text = typer.text(item)
        typer.fail(NEEDS_CONDITION, item.span, hint=hint, where=f"`{name}`", text=text, described=described(item.type))
    return item


def _over(typer: Typer, node: tree.Fold, op: str, item: model.Expr, tail: model.Tail) -> model.Expr:
    number = 1
    for bind in tail.binds:
        number *= most(bind.within)
    of: Type = BOOL
    if op == "count":
        of = IntType(Interval(0, number))
    elif isinstance(item.type, IntType):
        bounds = item.type.bounds
        if op == "sum":
            bounds = bound.total(bounds, number)
        elif op == "gcd":
            bounds = bound.common_divisor(bounds)
        of = IntType(bounds)
    return typer.made(model.Fold(type=of, op=op, item=item, tail=tail, span=node.span), item, *below(tail))


# --- arrays ------------------------------------------------------------------------------------------------


def array(typer: Typer, base: model.Expr) -> tuple[model.Expr, Dims]:
    """The declared array that an expression of array type is, and the bounds of its indices."""
    base = through_lets(base, typer.lets)
    if isinstance(base, model.StateRef | model.GivenRef):
        return base, typer.fields[base.name].dims
    typer.fail(NOT_AN_ARRAY, base.span, hint="index its parts instead", text=typer.text(base), described="computed")


def index(typer: Typer, node: tree.Index, scope: Scope) -> model.Expr:
    if isinstance(node.base, tree.Index) and isinstance(node.base.base, tree.Name):
        _check_brackets(typer, node, node.base, scope)
    base = typer.expr(node.base, scope)
    if not isinstance(base.type, ArrayType):
        hint = ""
        if element(base.type) is not None:
            hint = f"a set has no order; did you mean `{typer.text(node.args[0])} in {typer.text(node.base)}`?"
        typer.fail(NOT_AN_ARRAY, node.base.span, hint=hint, text=typer.text(base), described=described(base.type))
    places = places_of(typer, node.args, scope)
    check_indices(typer, node.span, typer.text(node.base), base.type, len(places))
    base, dims = array(typer, base)
    assert isinstance(base.type, ArrayType)
    new = model.Index(type=base.type.of, base=base, indices=places, dims=dims, span=node.span)
    return typer.made(new, base, *places, *(end for pair in dims for end in pair))


def _check_brackets(typer: Typer, node: tree.Index, inner: tree.Index, scope: Scope) -> None:
    """Fails for `board[1][2]`."""
    of = typer.expr(inner.base, scope).type
    if isinstance(of, ArrayType) and len(of.dims) == len(inner.args) + len(node.args):
        name, args = typer.text(inner.base), ", ".join(map(typer.text, (*inner.args, *node.args)))
        wanted, given = f"{len(of.dims)} indices", f"{len(inner.args)} and {len(node.args)}"
        typer.fail(INDEX_COUNT, node.span, hint=f"write `{name}[{args}]`", text=name, wanted=wanted, given=given)


def places_of(typer: Typer, nodes: tuple[tree.Expr, ...], scope: Scope) -> tuple[model.Expr, ...]:
    """The typed indices of an array; a cell of a line stands for all of them."""
    places: list[model.Expr] = []
    for node in nodes:
        typed = typer.expr(node, scope)
        if grid.is_cell(typed):
            places += grid.indices(typer, typed, node.span)
        else:
            places.append(typer.as_number(typed, "an index"))
    return tuple(places)


def check_indices(typer: Typer, span: Span, text: str, of: ArrayType, count: int) -> None:
    """Fails unless an array gets as many indices as it has dimensions."""
    wanted = len(of.dims)
    if count != wanted:
        words = counted(wanted, "index", "indices")
        typer.fail(INDEX_COUNT, span, text=text, wanted=words, given=str(count))
