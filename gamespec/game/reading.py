"""Understands the input: what is read for each case, what belongs to a component, what `start` fills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

import msgspec

from gamespec.diagnostics import Note
from gamespec.game import model
from gamespec.game.name import RESERVED_WORDS, Is, Names
from gamespec.game.problems import NOT_READ, READ_SHAPE, READ_TWICE, RESERVED, ROWS
from gamespec.game.scope import Place, Scope
from gamespec.game.words import described, nearest
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import ArrayType, SetType, is_scalar

if TYPE_CHECKING:
    from gamespec.game.typer import Typer


class Reading(msgspec.Struct, frozen=True):
    """What is known about the names of a case once the input is understood.

    `values` have one value for the whole case, `components` one for each component; `input` is None after faults.
    """

    input: model.Input | None
    values: frozenset[str]
    components: frozenset[str] = frozenset()


def extras(spec: tree.Tree, names: Names) -> dict[str, Span]:
    """The names that are read and declared nowhere, in the order read."""
    found: dict[str, Span] = {}
    for level in spec.input or ():
        for item in _singles(level.items):
            if isinstance(item, tree.ReadOne) and item.name not in names.declared:
                found.setdefault(item.name, item.span)
    return found


def _singles(items: tuple[tree.ReadItem, ...]) -> Iterator[tree.ReadOne | tree.ReadMany]:
    for item in items:
        if isinstance(item, tree.ReadRows):
            yield from _singles(item.items)
        else:
            yield item


class Reader:
    """Understands the items of one input clause, in the order read.

    `known` are names with one value for the case, `singles` those of them that `until` may use, `rowed` what the
    rows of components give.
    """

    def __init__(self, typer: Typer, spec: tree.Tree, is_sum: bool) -> None:
        self.typer = typer
        self.spec = spec
        self.is_sum = is_sum
        self.known: set[str] = set()
        self.singles: set[str] = set()
        self.rowed: set[str] = set()
        self.seen: dict[str, Span] = {}
        self.component_rows: tree.ReadRows | None = None

    def read(self, clause: tree.Level) -> Reading:
        """The model of the clause. Faults are reported, each item on its own."""
        items = [self.typer.attempt(self._item, item) for item in clause.items]
        cases, until = self.typer.attempt(self._cases, clause.cases) or (None, None)
        values, components = frozenset(self.known), frozenset(self.rowed)
        self.typer.attempt(self._check_states_together)
        good = [item for item in items if item is not None]
        if cases is None or len(good) < len(items):
            return Reading(None, values, components)
        level = model.Level(cases, tuple(good), until, span=clause.span)
        made = model.Input((level,), tuple(self.typer.extras), clause.span)
        return Reading(made, values, components)

    def _cases(self, cases: str | tree.Expr | None) -> tuple[model.Cases, model.Expr | None]:
        match cases:
            case None | "once":
                return model.Cases.ONCE, None
            case "count":
                return model.Cases.COUNT, None
            case "eof":
                return model.Cases.EOF, None
            case str():
                raise AssertionError(cases)
            case condition:
                scope = Scope(Place.UNTIL, known=frozenset(self.singles))
                return model.Cases.UNTIL, self.typer.condition(condition, scope, "`until`")

    # --- items ---------------------------------------------------------------------------------------------

    def _item(self, item: tree.ReadItem) -> model.ReadItem:
        match item:
            case tree.ReadOne():
                self._scalar(item)
                self.known.add(item.name)
                self.singles.add(item.name)
                return model.ReadOne(item.name, span=item.span)
            case tree.ReadMany():
                made = self._many(item, frozenset(self.known))
                self.known.add(item.name)
                return made
            case tree.ReadRows():
                return self._rows(item)

    def _scalar(self, item: tree.ReadOne) -> None:
        """Fails unless one value can be read into this name."""
        self._once(item.name, item.span)
        field = self._field(item)
        if field is not None and not is_scalar(field.type):
            hint = f"say how many are read: `{item.name}[k]`"
            if isinstance(field.type, ArrayType):
                hint = f"say how many are read: `{item.name}[{self._cells(field)}]`"
            self._misshapen(item, field, "several values are read into it", hint)

    def _many(self, item: tree.ReadMany, known: frozenset[str]) -> model.ReadMany:
        self._once(item.name, item.span)
        field = self._field(item)
        if field is None:
            hint = f"declare it: `given {item.name}: array[1..k] of 0..1000`"
            self._shape(item, "declared nowhere", "it holds one number only", hint)
        if not isinstance(field.type, SetType | ArrayType):
            hint = f"for one value in each row write `[{item.name}] * {self.typer.text(item.sizes[0])}`"
            self._misshapen(item, field, "only one value is read into it", hint)
        scope = Scope(Place.INPUT, known=known)
        count = self.typer.number(item.sizes[0], scope, f"the size of `{item.name}`")
        return model.ReadMany(item.name, (count,), span=item.span)

    def _rows(self, group: tree.ReadRows) -> model.ReadRows:
        from gamespec.game.typer import Wrong

        scope = Scope(Place.INPUT, known=frozenset(self.known))
        count = self.typer.attempt(self.typer.number, group.count, scope, "the number of rows")
        component = self.is_sum and self._gives_component(group)
        if component and self.component_rows is not None:
            hint = "read all that belongs to a component in one row group"
            problem = "the components are read in two row groups"
            self.typer.attempt(self.typer.fail, ROWS, group.span, hint=hint, problem=problem)
        if component:
            self.component_rows = group
        row: set[str] = set()
        items = [self.typer.attempt(self._row_item, inner, row, component) for inner in group.items]
        good = [item for item in items if item is not None]
        if count is None or len(good) < len(items):
            raise Wrong
        return model.ReadRows(tuple(good), count, span=group.span)

    def _gives_component(self, group: tree.ReadRows) -> bool:
        """Whether the rows give a state field, and not only columns of arrays."""
        for item in _singles(group.items):
            field = self.typer.fields.get(item.name)
            state = field is not None and self.typer.names.declared[item.name].what is Is.STATE
            if state and (isinstance(item, tree.ReadMany) or not isinstance(field.type, ArrayType)):  # type: ignore[union-attr]
                return True
        return False

    def _row_item(self, item: tree.ReadItem, row: set[str], component: bool) -> model.ReadItem:
        """One item of a row; `row` are the names read in the row so far."""
        assert not isinstance(item, tree.ReadRows), "refused before"
        field = self._field(item)
        if isinstance(item, tree.ReadMany):
            if field is not None and not component:
                hint = "read it outside the rows, or add `sum` if each row is a component with its own"
                problem = f"every row would give `{item.name}` again"
                self.typer.fail(ROWS, item.span, hint=hint, notes=self._declared(item.name), problem=problem)
            made = self._many(item, frozenset(self.known | row))
            self.rowed.add(item.name)
            return made
        if field is not None and isinstance(field.type, ArrayType) and not component:
            self._once(item.name, item.span)
            self.known.add(item.name)
            return model.ReadOne(item.name, span=item.span)
        self._scalar(item)
        row.add(item.name)
        if field is not None and component:
            self.rowed.add(item.name)
        elif field is not None:
            problem = f"`{item.name}` is one value, but every row gives one"
            if self.is_sum:
                hint = "rows make components when they give a state field; or read it outside the rows"
            else:
                hint = "add the clause `sum` if each row is a component of its own; or declare an array"
            self.typer.fail(ROWS, item.span, hint=hint, notes=self._declared(item.name), problem=problem)
        return model.ReadOne(item.name, span=item.span)

    def _field(self, item: tree.ReadOne | tree.ReadMany) -> model.Field | None:
        """The field that is read, or None for a name that only the input mentions."""
        from gamespec.game.typer import Wrong

        name = item.name
        declared = self.typer.names.declared.get(name)
        if declared is None:
            if name in RESERVED_WORDS:
                self.typer.fail(RESERVED, item.span, name=name)
            return None
        if name in self.typer.names.broken:
            raise Wrong
        if declared.what not in (Is.GIVEN, Is.STATE):
            hint = f"-D {name}=… sets a param" if declared.what is Is.PARAM else "declare a `given` to read it"
            self._shape(item, declared.what.value, "it cannot be read", hint)
        return self.typer.fields[name]

    def _declared(self, name: str) -> tuple[Note, ...]:
        return (Note("declared here", self.typer.names.declared[name].span),)

    def _once(self, name: str, span: Span) -> None:
        if name in self.seen:
            self.typer.fail(READ_TWICE, span, notes=(Note("first here", self.seen[name]),), name=name)
        self.seen[name] = span

    def _cells(self, field: model.Field) -> str:
        (lo, hi) = field.dims[0]
        if isinstance(lo, model.Const) and lo.value == 1:
            return self.typer.text(hi)
        if isinstance(lo, model.Const) and isinstance(hi, model.Const):
            return str(int(hi.value) - int(lo.value) + 1)  # type: ignore[arg-type]
        return "k"

    def _misshapen(self, item: tree.ReadItem, field: model.Field, problem: str, hint: str) -> NoReturn:
        self._shape(item, described(field.type), problem, hint)

    def _shape(self, item: tree.ReadItem, what: str, problem: str, hint: str) -> NoReturn:
        assert not isinstance(item, tree.ReadRows)
        self.typer.fail(READ_SHAPE, item.span, hint=hint, name=item.name, what=what, problem=problem)

    def _check_states_together(self) -> None:
        """Fails when rows give some state fields of the components, and something else the others."""
        if self.component_rows is None:
            return
        for field in self.spec.states:
            if field.name in self.known:
                hint = f"put `{field.name}` into the rows, or give it by `start`"
                problem = f"`{field.name}` is read once, but every row is a component"
                self.typer.fail(ROWS, self.seen[field.name], hint=hint, problem=problem)


def check_complete(typer: Typer, spec: tree.Tree) -> None:
    """Reports the fields that get no value from an input."""
    started = {name for update in spec.start or () for name in update.target.names}
    clause = spec.input[0] if spec.input else None
    have = {item.name for item in _singles(clause.items)} if clause else set()
    for field in spec.givens:
        if field.name not in have and field.name in typer.fields:
            hint = f"add it to `read`, or write `param {field.name} = …` if it is always the same"
            notes = _instead(typer, field.name, clause)
            typer.attempt(
                typer.fail, NOT_READ, field.name_span, hint=hint, notes=notes, name=field.name, missing="not read"
            )
    for field in spec.states:
        if field.name not in have | started and field.name in typer.fields:
            hint = f"add it to `read`, or say where play starts: `start {field.name} = …`"
            notes = _instead(typer, field.name, clause)
            missing = "neither read nor started"
            typer.attempt(
                typer.fail, NOT_READ, field.name_span, hint=hint, notes=notes, name=field.name, missing=missing
            )


def _instead(typer: Typer, name: str, clause: tree.Level | None) -> tuple[Note, ...]:
    """What may be read instead of a field: a name close to it, the only one that nothing uses, or all that is read."""
    if clause is None:
        return ()
    idle = [extra for extra in typer.extras if extra not in typer.names.mentioned]
    meant = nearest(name, typer.extras) or (idle[0] if len(idle) == 1 else None)
    if meant is None:
        items = clause.items
        place = Span(items[0].span.start, items[-1].span.end) if items else clause.span
        return (Note(f"`{name}` is not read here", place),)
    return (Note(f"`{meant}` is read here and declared nowhere; did you mean `{name}`?", typer.extras[meant]),)
