"""Types params, givens and state fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from gamespec.game import bound, model
from gamespec.game.name import Declared, Is
from gamespec.game.operation import bounds_of
from gamespec.game.player import players_type
from gamespec.game.problems import EMPTY_TYPE, NOT_A_TYPE, PARAM_NUMBER, SORTED, STATE_SETS, TOO_LARGE, TOO_WIDE
from gamespec.game.scope import CONSTANT, Place, Scope
from gamespec.game.words import described
from gamespec.interval import EMPTY, Interval
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import BOOL, ArrayType, IntType, SetType, Type, element_bounds

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

STATE_SET = 510
CELLS = 1 << 20
ARRAY_CELLS = 1 << 22
MOST_BITS = 1 << 26
"""The most elements that all sets of an array may have together."""
TYPES = "a type is `lo..hi`, `bool`, `player`, `{red, green}`, `set of lo..hi` or `array[lo..hi] of …`"
OTHER_TYPES = dict.fromkeys(("int", "integer", "number", "nat"), "every number has bounds: `0..1_000`") | {
    "boolean": "it is called `bool`"
}


def param(typer: Typer, node: tree.Param) -> int:
    """The value of a param. Raises Wrong."""
    typed = typer.expr(node.value, CONSTANT)
    if not isinstance(typed, model.Const) or not isinstance(typed.type, IntType):
        what = described(typed.type) if not isinstance(typed.type, IntType) else "not a constant number"
        typer.fail(PARAM_NUMBER, typed.span, name=node.name, described=what, text=typer.text(typed))
    return int(typed.value)  # type: ignore[arg-type]


class _Element(msgspec.Struct, frozen=True):
    """A scalar type and the exact bounds of its numbers."""

    type: Type
    lo: model.Expr | None = None
    hi: model.Expr | None = None


class FieldTyper:
    """Types one given or state field."""

    def __init__(
        self, typer: Typer, declared: Declared, fields: tuple[tree.Field, ...], givens: frozenset[str]
    ) -> None:
        self.typer = typer
        self.declared = declared
        self.state = declared.what is Is.STATE
        self.fixed = Scope(Place.GIVEN, known=givens)
        earlier = frozenset(field.name for field in fields[: declared.index]) if self.state else frozenset()
        self.scope = Scope(Place.FIELD, known=givens | earlier) if self.state else self.fixed

    def field(self) -> model.Field:
        """The typed field. Raises Wrong."""
        node = self.declared.definition
        assert isinstance(node, tree.Field)
        name, span = node.name, self.declared.span
        match node.type:
            case tree.SetType(of=of):
                element = self._element(of)
                self._check_set(element, node.type.span)
                return model.Field(name, SetType(element.type), element.lo, element.hi, span=span)
            case tree.ArrayType(dims=dims, of=of, ordered=ordered):
                indices = tuple(self._index(dim) for dim in dims)
                hulls = tuple(self._hull(*index) for index in indices)
                self._check_cells(hulls, dims[0].span.to(dims[-1].span))
                if isinstance(of, tree.SetType):
                    element = self._sets(of, node.type, hulls)
                    of_sets = ArrayType(hulls, SetType(element.type))
                    return model.Field(name, of_sets, element.lo, element.hi, indices, span)
                element = self._element(of)
                if ordered and (not self.state or len(dims) > 1):
                    self.typer.fail(SORTED, node.type.span, name=name, what="given" if not self.state else "board")
                array = ArrayType(hulls, element.type, ordered)
                return model.Field(name, array, element.lo, element.hi, indices, span)
            case other:
                element = self._element(other)
                return model.Field(name, element.type, element.lo, element.hi, span=span)

    def _element(self, node: tree.Type) -> _Element:
        match node:
            case tree.Range():
                lo, hi = self._ends(node, self.scope)
                hull = self._hull(lo, hi)
                if hull.empty:
                    self.typer.fail(
                        EMPTY_TYPE, node.span, text=self.typer.text(node), lo=bounds_of(lo).lo, hi=bounds_of(hi).hi
                    )
                if not bound.fits(hull):
                    self.typer.fail(TOO_WIDE, node.span, text=self.typer.text(node), bits=bound.bits(hull), label="")
                return _Element(IntType(hull), lo, hi)
            case tree.Name(name="bool"):
                return _Element(BOOL)
            case tree.Name(name="player"):
                return _Element(players_type(self.typer, node.span, "the type `player`"))
            case tree.SetOf(items=items):
                names = tuple(item.name for item in items if isinstance(item, tree.Name))
                if len(names) == len(items) and names in self.typer.names.types:
                    return _Element(self.typer.names.types[names])
                return self._no_type(node)
            case _:
                return self._no_type(node)

    def _no_type(self, node: tree.Type) -> _Element:
        from gamespec.game.typer import Wrong

        text = self.typer.text(node)
        hint = TYPES
        match node:
            case tree.SetOf(items=items) if any(not isinstance(item, tree.Name) for item in items):
                hint = "braces hold new names in a type; numbers are written `lo..hi`, and `require` rules some out"
            case tree.SetOf(items=()):
                hint = TYPES
            case tree.SetOf():
                raise Wrong  # reported with the names
            case tree.Int():
                hint = f"did you mean `0..{text}`?"
            case tree.Name(name=name):
                is_known = name in self.typer.names.declared
                hint = f"did you mean `0..{text}`?" if is_known else OTHER_TYPES.get(name.lower(), TYPES)
            case tree.Binary(op="-", left=tree.Int(), right=tree.Int()):
                hint = f"did you mean `{self.typer.text(node.left)}..{self.typer.text(node.right)}`?"
            case tree.SetType() | tree.ArrayType():
                hint = "sets and arrays hold numbers, bools, names or players"
            case _:
                pass
        self.typer.fail(NOT_A_TYPE, node.span, hint=hint, text=text)

    def _index(self, node: tree.Expr) -> tuple[model.Expr, model.Expr]:
        """The first and the last index of an array."""
        if not isinstance(node, tree.Range):
            text = self.typer.text(node)
            last = node.value - 1 if isinstance(node, tree.Int) else f"{text} - 1"
            hint = f"give the first and the last index: `array[0..{last}]`"
            if isinstance(node, tree.SetOf) or (isinstance(node, tree.Name) and node.name in ("player", "bool")):
                hint = "indices are numbers: `array[1..2]`"
            self.typer.fail(NOT_A_TYPE, node.span, hint=hint, text=f"array[{text}]")
        return self._ends(node, self.fixed)

    def _check_cells(self, dims: tuple[Interval, ...], span: Span) -> None:
        size = 1
        for dim in dims:
            size *= dim.size
        if size > ARRAY_CELLS:
            hint = "declare a smaller range of its index" if len(dims) == 1 else "declare smaller ranges of its indices"
            self.typer.fail(
                TOO_LARGE,
                span,
                hint=hint,
                name=self.declared.name,
                size=f"{size:,}",
                limit=f"{ARRAY_CELLS:,}",
                role="an array",
            )

    def _sets(self, of: tree.SetType, whole: tree.ArrayType, dims: tuple[Interval, ...]) -> _Element:
        """The elements of the sets in an array, which only a given can hold."""
        if self.state:
            self.typer.fail(STATE_SETS, whole.span, name=self.declared.name)
        element = self._element(of.of)
        self._check_set(element, whole.span)
        size = element_bounds(element.type).size
        for dim in dims:
            size *= dim.size
        if size > MOST_BITS:
            self.typer.fail(
                TOO_LARGE,
                whole.span,
                hint="declare smaller ranges",
                name=self.declared.name,
                size=f"{size:,}",
                limit=f"{MOST_BITS:,}",
                role="an array of sets",
            )
        return element

    def _check_set(self, element: _Element, span: Span) -> None:
        if not isinstance(element.type, IntType):
            return
        size = element.type.bounds.size
        limit = STATE_SET if self.state else CELLS
        if size > limit:
            role = "a set that changes during play" if self.state else "a given set"
            hint = "declare a smaller range" + ("; counts are often enough: `array[…] of 0..9`" if self.state else "")
            self.typer.fail(
                TOO_LARGE, span, hint=hint, name=self.declared.name, size=f"{size:,}", limit=f"{limit:,}", role=role
            )

    def _ends(self, node: tree.Range, scope: Scope) -> tuple[model.Expr, model.Expr]:
        return (
            self.typer.number(node.lo, scope, "the range of a field"),
            self.typer.number(node.hi, scope, "the range of a field"),
        )

    @staticmethod
    def _hull(lo: model.Expr, hi: model.Expr) -> Interval:
        """All numbers that the range may hold, over all values of what its ends mention."""
        low, high = bounds_of(lo), bounds_of(hi)
        return EMPTY if low.empty or high.empty or low.lo > high.hi else Interval(low.lo, high.hi)
