"""Resolves the names of expressions and types them, with bounds on every number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn, ParamSpec, TypeVar, assert_never

from gamespec.diagnostics import Diagnostic, Help, Kind, Note, Problems
from gamespec.game import bound, call, collection, grid, model, operation, player
from gamespec.game.alike import element
from gamespec.game.name import Declared, Is, Names
from gamespec.game.problems import (
    INPUT_NAME_IN_RULE,
    NEEDS_CONDITION,
    NEEDS_NUMBER,
    NO_VALUE_HERE,
    NOT_A_VALUE,
    STUCK_PLACE,
    TOO_DEEP,
    TOO_MANY_ELEMENTS,
    TOO_MUCH,
    TOO_WIDE,
    UNKNOWN_FUNCTION,
    UNKNOWN_NAME,
)
from gamespec.game.scope import Place, Scope
from gamespec.game.words import ELSEWHERE, described, excerpt, nearest
from gamespec.interval import Interval
from gamespec.source import Source, Span
from gamespec.syntax import tree
from gamespec.types import BOOL, ArrayType, BoolType, IntType, NamesType, Type

NODES = 20_000
DEPTH = 200
"""The most nodes below each other in a typed expression, the definitions of lets among them."""

NESTING = 120
"""The most expressions inside each other, functions expanded; a long sum is not nested."""

INPUT_NUMBER = Interval(0, 10**18)
"""The numbers that a name may hold that only the input mentions."""

MOST_UNUSED = 3
"""The most unused declarations that are shown with an unknown name."""

E = TypeVar("E", bound=model.Expr)
T = TypeVar("T")
P = ParamSpec("P")


class Wrong(Exception):
    """Leaves an expression whose fault has been reported."""


class Typer:
    """Types expressions, given what has been understood of the declarations so far.

    `params`, `fields` and `lets` are filled by the checker in the order of `Names.order`; `reads` says which
    fields and input names a let depends on, in the end (`stuck` among them).
    """

    def __init__(self, source: Source, problems: Problems, names: Names) -> None:
        self.source = source
        self.problems = problems
        self.names = names
        self.params: dict[str, int] = {}
        self.fields: dict[str, model.Field] = {}
        self.lets: dict[str, model.Expr] = {}
        self.reads: dict[str, frozenset[str]] = {}
        self.extras: dict[str, Span] = {}
        self.used: set[str] = set()
        self._missed: set[str] = set()
        self._reading: set[str] = set()
        self._calls: list[tuple[str, Span]] = []
        self._shapes: dict[int, tuple[model.Expr, int, int]] = {}  # by id: the node itself, its size, its depth
        self._made = 0
        self._written: tuple[Span, int, int, int] | None = None  # a list: its place, size, what is done of it, _made
        self._level = 0

    # --- reporting -----------------------------------------------------------------------------------------

    def fail(
        self, kind: Kind, span: Span | None, *, hint: str | Help = "", notes: tuple[Note, ...] = (), **words: object
    ) -> NoReturn:
        """Reports a fault, with the calls that lead to it, and leaves the expression."""
        called = tuple(Note(f"in `{name}`, which is called here", at) for name, at in self._calls)
        helps = () if not hint else (Help(hint) if isinstance(hint, str) else hint,)
        self.problems.add(kind.at(span, notes=notes + called, helps=helps, **words))
        raise Wrong

    def text(self, node: tree.Node | model.Typed | Span) -> str:
        """How the user wrote it."""
        return excerpt(self.source, node if isinstance(node, Span) else node.span)

    def attempt(self, job: Callable[P, T], *args: P.args, **words: P.kwargs) -> T | None:
        """The result of a job, or None when it reported a fault."""
        try:
            return job(*args, **words)
        except Wrong:
            return None

    # --- building ------------------------------------------------------------------------------------------

    def made(self, expr: E, *below: model.Expr) -> E:
        """Counts a new node, checks its width and how deep it is."""
        self._count(1, expr.span)
        size = depth = 0
        for child in below:
            if grid.stands_alone(child):
                grid.misplaced(self, child)
            _, child_size, child_depth = self._shapes[id(child)]
            size += child_size
            depth = max(depth, child_depth)
        if depth >= DEPTH:
            self.fail(TOO_DEEP, expr.span, limit=DEPTH)
        if isinstance(expr, model.LetRef):
            size = 0
        self._shapes[id(expr)] = (expr, size + 1, depth + 1)
        if isinstance(expr.type, IntType) and not bound.fits(expr.type.bounds):
            hint = ""
            match expr:
                case model.Binary(op="**", left=left, right=right) if not isinstance(right, model.Const):
                    base = self.text(left)
                    hint = f"or take the powers up to a limit: `for q in powers({base}, limit)`"
            self.fail(TOO_WIDE, expr.span, hint=hint, text=self.text(expr), bits=bound.bits(expr.type.bounds), label="")
        return expr

    def copied(self, expr: model.Expr, span: Span) -> model.Expr:
        """An expression that stands in one more place, where whoever walks the game meets it again."""
        self._count(self._shapes[id(expr)][1], span)
        return expr

    def _count(self, nodes: int, span: Span) -> None:
        self._made += nodes
        if self._made > NODES:
            self.problems.add(self._too_much(span))
            self.problems.stop_on_error()

    def _too_much(self, span: Span) -> Diagnostic:
        """What the spec has too much of: the lines that are being written out, or functions."""
        if self._written is None:
            return TOO_MUCH.at(self._calls[0][1] if self._calls else span, limit=f"{NODES:,}")
        at, total, done, before = self._written
        each = max(1, (self._made - before) // max(1, done))
        fitting = max(0, NODES - before + total) // (each + 1)
        return TOO_MANY_ELEMENTS.at(
            at, limit=f"{NODES:,}", total=f"{total:,}", each=f"{each:,}", fitting=f"{fitting:,}"
        )

    def each_of(self, listed: Span, elements: Sequence[T]) -> Iterator[T]:
        """The elements of a constant list, while what is said of each of them is written out."""
        if self._written is not None:  # within an outer list, which decides how much there is
            yield from elements
            return
        before = self._made
        try:
            for done, element in enumerate(elements):
                self._written = (listed, len(elements), done, before)
                yield element
        finally:
            self._written = None

    def const(self, value: model.Value, of: Type, span: Span) -> model.Const:
        return self.made(model.Const(type=of, value=value, span=span))

    def number_const(self, value: int, span: Span) -> model.Const:
        return self.const(value, IntType(Interval(value, value)), span)

    # --- expressions ---------------------------------------------------------------------------------------

    def expr(self, node: tree.Expr, scope: Scope) -> model.Expr:
        """The typed expression. Raises Wrong after reporting a fault."""
        if self._level > NESTING:
            self.fail(TOO_DEEP, node.span, limit=NESTING)
        self._level += 1
        try:
            return self._expr(node, scope)
        finally:
            self._level -= 1

    def number(self, node: tree.Expr, scope: Scope, where: str) -> model.Expr:
        """The typed expression, which must be a number; `where` says in messages what needs it."""
        return self.as_number(self.expr(node, scope), where)

    def as_number(self, typed: model.Expr, where: str) -> model.Expr:
        if grid.stands_alone(typed):
            grid.misplaced(self, typed)
        if not isinstance(typed.type, IntType):
            hint = ""
            if isinstance(typed.type, BoolType):
                hint = f"write `if {self.text(typed)} then 1 else 0`"
            elif isinstance(typed.type, ArrayType):
                hint = f"take one element: `{self.text(typed)}[1]`"
            elif element(typed.type) is not None:
                hint = "`size(…)`, `min(…)` and `max(…)` make one number of a set"
            self.fail(
                NEEDS_NUMBER, typed.span, hint=hint, where=where, text=self.text(typed), described=described(typed.type)
            )
        return typed

    def condition(self, node: tree.Expr, scope: Scope, where: str) -> model.Expr:
        """The typed expression, which must be true or false; `where` says in messages what needs it."""
        typed = self.expr(node, scope)
        if not isinstance(typed.type, BoolType):
            text = self.text(typed)
            hint = ""
            if isinstance(typed, model.Const):
                hint = "write a comparison, as `n == 0`"
            elif isinstance(typed.type, IntType):
                hint = f"did you mean `{text} != 0`?"
            elif element(typed.type) is not None:
                hint = f"did you mean `{text} != {{}}`?"
            elif isinstance(typed.type, NamesType):
                hint = f"did you mean `{text} == {typed.type.names[0]}`?"
            self.fail(NEEDS_CONDITION, typed.span, hint=hint, where=where, text=text, described=described(typed.type))
        return typed

    def _expr(self, node: tree.Expr, scope: Scope) -> model.Expr:
        match node:
            case tree.Int(value=value):
                return self.number_const(value, node.span)
            case tree.Name():
                return self.name(node, scope)
            case tree.Neg():
                return operation.negated(self, node, scope)
            case tree.Not():
                operand = self.condition(node.operand, scope, "`not`")
                return self.made(model.Not(type=BOOL, operand=operand, span=node.span), operand)
            case tree.Binary():
                return operation.binary(self, node, scope)
            case tree.Compare():
                return operation.compared(self, node, scope)
            case tree.And() | tree.Or():
                return operation.connected(self, node, scope)
            case tree.If():
                return operation.chosen(self, node, scope)
            case tree.Range():
                return collection.range_of(self, node, scope)
            case tree.SetOf():
                return collection.set_of(self, node, scope)
            case tree.SetComp():
                return collection.comprehension(self, node, scope)
            case tree.Fold():
                return collection.fold(self, node, scope)
            case tree.Index():
                return collection.index(self, node, scope)
            case tree.Call():
                return call.called(self, node, scope)
            case tree.Tuple():
                raise AssertionError("pairs were refused before")
            case _:
                assert_never(node)

    # --- names ---------------------------------------------------------------------------------------------

    def name(self, node: tree.Name, scope: Scope) -> model.Expr:
        """What a name stands for."""
        name, span = node.name, node.span
        if name in scope.locals:
            meaning = scope.locals[name]
            if isinstance(meaning, model.LocalRef):
                return self.made(model.LocalRef(type=meaning.type, name=meaning.name, span=span))
            if isinstance(meaning, model.Const) and grid.stands_alone(meaning):
                return self.const(meaning.value, meaning.type, span)
            return self.copied(meaning, span)
        if name in ("true", "false"):
            return self.const(name == "true", BOOL, span)
        if name == "stuck":
            if not scope.stuck:
                self.fail(STUCK_PLACE, span)
            self._reading.add(name)
            return self.made(model.Stuck(type=BOOL, span=span))
        if name in player.TURNS:
            return self._turn(name, span, scope)
        declared = self.names.declared.get(name)
        if declared is None:
            return self._input_name(node, scope)
        self.used.add(name)
        if name in self.names.broken:
            raise Wrong
        match declared.what:
            case Is.VALUE | Is.PLAYER:
                of, index = self.names.values[name]
                return self.const(index, of, span)
            case Is.PARAM:
                return self.number_const(self.params[name], span)
            case Is.GIVEN | Is.STATE:
                return self._field(name, declared.what, span, scope)
            case Is.LET:
                self._need(self.reads[name], name, span, scope)
                meaning = self.lets[name]
                if isinstance(meaning, model.Const) and grid.is_listed(meaning):
                    return self.const(meaning.value, meaning.type, span)
                if scope.place in (Place.FIELD, Place.GIVEN, Place.CONSTANT):
                    return self._expanded(declared, span, scope)
                return self.made(model.LetRef(type=meaning.type, name=name, span=span), meaning)
            case Is.FUNCTION:
                hint = f"give it arguments: `{name}(…)`"
                self.fail(NOT_A_VALUE, span, hint=hint, name=name, what=declared.what.value)
            case Is.MOVE:
                self.fail(NOT_A_VALUE, span, name=name, what=declared.what.value)
            case _:
                assert_never(declared.what)

    def _turn(self, name: str, span: Span, scope: Scope) -> model.Expr:
        """The player to move, or the other one. In a text of a game that knows no turns, the player who begins."""
        of = player.players_type(self, span, f"`{name}`")
        if model.MOVER not in self.fields:
            return self.const(player.TURNS.index(name), of, span)
        mover = self._field(model.MOVER, Is.STATE, span, scope)
        return mover if name == model.MOVER else player.other(self, span)

    def _expanded(self, declared: Declared, span: Span, scope: Scope) -> model.Expr:
        """The definition of a let, written out where positions do not exist yet."""
        assert isinstance(declared.definition, tree.Let)
        with self.calling(declared.name, span):
            return self.expr(declared.definition.value, scope.within({}))

    def _field(self, name: str, what: Is, span: Span, scope: Scope) -> model.Expr:
        self._need(frozenset([name]), name, span, scope)
        of = self.fields[name].type
        if scope.place is Place.UNTIL and isinstance(of, IntType):
            of = IntType(of.bounds.hull(Interval(-INPUT_NUMBER.hi, INPUT_NUMBER.hi)))
        if what is Is.GIVEN:
            return self.made(model.GivenRef(type=of, name=name, span=span))
        return self.made(model.StateRef(type=of, name=name, span=span))

    def _need(self, needed: frozenset[str], name: str, span: Span, scope: Scope) -> None:
        """Fails unless all fields needed have a value in the scope."""
        if "stuck" in needed and not scope.stuck:
            self.fail(STUCK_PLACE, span)
        if scope.known is not None:
            everywhere = {"stuck", model.MOVER} if scope.place is Place.OUTPUT else {"stuck"}
            for missing in sorted(needed - scope.known - everywhere):
                what = self.names.what(name) if missing == name else f"`{name}` depends on `{missing}`"
                self.fail(NO_VALUE_HERE, span, hint=scope.place.value, name=missing, what=what)
        self._reading |= needed

    def _input_name(self, node: tree.Name, scope: Scope) -> model.Expr:
        name, span = node.name, node.span
        if name in self.extras:
            if scope.place in (Place.RULE, Place.FIELD, Place.GIVEN, Place.CONSTANT):
                self.fail(INPUT_NAME_IN_RULE, span, notes=(Note("read here", self.extras[name]),), name=name)
            if scope.known is not None and name not in scope.known:
                self.fail(NO_VALUE_HERE, span, hint=scope.place.value, name=name, what="read elsewhere")
            bounds = INPUT_NUMBER
            if scope.place is Place.UNTIL:
                bounds = Interval(-INPUT_NUMBER.hi, INPUT_NUMBER.hi)
            self._reading.add(name)
            return self.made(model.InputRef(type=IntType(bounds), name=name, span=span))
        self.unknown(UNKNOWN_NAME, name, span, self.visible(scope))

    def visible(self, scope: Scope) -> set[str]:
        """The names that could have been meant in a scope."""
        moves = {name for name, declared in self.names.declared.items() if declared.what is Is.MOVE}
        turns = set() if self.names.players is None else set(player.TURNS)
        return ({*self.names.declared} - moves) | {*scope.locals} | turns | {"true", "false"}

    def unknown(self, kind: Kind, name: str, span: Span, candidates: set[str], names: str = "") -> NoReturn:
        """Fails with the nearest of the names that would be known."""
        near = nearest(name, candidates)
        hint = ELSEWHERE.get(name.lower(), "") or (f"did you mean `{near}`?" if near else "")
        self.fail(kind, span, hint=hint, notes=self._unused(kind, name), name=name, names=names)

    def _unused(self, kind: Kind, name: str) -> tuple[Note, ...]:
        """What was perhaps meant by an unknown name: declarations used nowhere, told once for each name."""
        if name in self._missed or kind not in (UNKNOWN_NAME, UNKNOWN_FUNCTION):
            return ()
        self._missed.add(name)
        unused = [each for each in self.names.unused if (each.what is Is.FUNCTION) is (kind is UNKNOWN_FUNCTION)]
        return tuple(
            Note(f"`{each.name}` is declared here and used nowhere", each.span) for each in unused[:MOST_UNUSED]
        )

    @contextmanager
    def calling(self, name: str, span: Span) -> Iterator[None]:
        """Remembers, for messages, that a function's body is being typed for a call."""
        self._calls.append((name, span))
        try:
            yield
        finally:
            if self._calls:
                self._calls.pop()

    @contextmanager
    def reading(self) -> Iterator[set[str]]:
        """Collects the fields and input names that are mentioned meanwhile."""
        outer, self._reading = self._reading, set()
        try:
            yield self._reading
        finally:
            outer |= self._reading
            self._reading = outer
