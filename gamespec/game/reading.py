"""Understands the input: what is read for each case, what belongs to a component, what `start` fills."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, NoReturn

import msgspec

from gamespec.diagnostics import Note, counted
from gamespec.game import model
from gamespec.game.alike import element, merged
from gamespec.game.alphabet import alphabet_of
from gamespec.game.name import RESERVED_WORDS, Is, Names, nodes
from gamespec.game.problems import (
    EACH,
    LEVELS,
    NEEDS_SET,
    NOT_READ,
    NOTHING_READ,
    READ_SHAPE,
    READ_TWICE,
    RESERVED,
    ROWS,
    UNTIL_IDLE,
)
from gamespec.game.scope import Place, Scope
from gamespec.game.update import started_by
from gamespec.game.words import described, nearest
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import ArrayType, IntType, SetType, is_scalar

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

MOST_LEVELS = 8
MEASURED = ("word", "digits", "line")
"""Forms that take whatever there is, so that a name without a value may stand for how many."""


class Rows(Enum):
    """What the rows around an item are."""

    CASE = "none"
    ENTRIES = "entries of arrays"
    HOLDERS = "rows that hold components"
    COMPONENTS = "components"


class Row(msgspec.Struct, frozen=True):
    """The rows around an item: `deep` of them fill arrays, `names` are read in them so far."""

    kind: Rows
    deep: int
    names: set[str]


class Reading(msgspec.Struct, frozen=True):
    """What is known about the names of a case once the input is understood.

    `values` have one value for the whole case, `components` one for each component; `input` is None after faults.
    """

    input: model.Input | None
    values: frozenset[str]
    components: frozenset[str] = frozenset()


def extras(spec: tree.Tree, names: Names) -> dict[str, Span]:
    """The names that the input gives a value and the spec declares nowhere, in the order read."""
    declared = {*names.declared, *RESERVED_WORDS}
    found: dict[str, Span] = {}
    for level in spec.input or ():
        if isinstance(level.cases, tree.Bind) and level.cases.name not in declared:
            found.setdefault(level.cases.name, level.cases.name_span)
        for item in _singles(level.items):
            if isinstance(item, tree.ReadOne) and item.name not in declared:
                found.setdefault(item.name, item.span)
        for name in _sizes(level.items):
            if name.name not in declared:
                found.setdefault(name.name, name.span)
    return found


def _singles(items: tuple[tree.ReadItem, ...]) -> Iterator[tree.ReadOne | tree.ReadMany]:
    for item in items:
        if isinstance(item, tree.ReadRows):
            yield from _singles(item.items)
        else:
            yield item


def _sizes(items: tuple[tree.ReadItem, ...]) -> Iterator[tree.Name]:
    """The names that stand for how many there are of what the input does not count."""
    for item in items:
        match item:
            case tree.ReadMany(sizes=(tree.Name() as size,), form=form) if form in MEASURED:
                yield size
            case tree.ReadRows():
                yield from _sizes(item.items)
                if item.form is not None and isinstance(item.count, tree.Name):
                    yield item.count


def filled(spec: tree.Tree) -> set[str]:
    """All names that the input gives a value."""
    levels = spec.input or ()
    names = {item.name for level in levels for item in (*_singles(level.items), *_sizes(level.items))}
    return names | {level.cases.name for level in levels if isinstance(level.cases, tree.Bind)}


class Reader:
    """Understands the levels of one input clause, and their items in the order read.

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

    def read(self, clause: tuple[tree.Level, ...]) -> Reading:
        """The model of the clause. Faults are reported, each item on its own."""
        if len(clause) > MOST_LEVELS:
            span = clause[MOST_LEVELS].span
            self.typer.attempt(self.typer.fail, LEVELS, span, count=len(clause), limit=MOST_LEVELS)
            clause = clause[:MOST_LEVELS]
        levels = [self._level(level) for level in clause]
        values, components = frozenset(self.known), frozenset(self.rowed)
        self.typer.attempt(self._check_states_together)
        good = tuple(level for level in levels if level is not None)
        if len(good) < len(levels):
            return Reading(None, values, components)
        made = model.Input(good, tuple(self.typer.extras), clause[0].span.to(clause[-1].span))
        return Reading(made, values, components)

    def _level(self, level: tree.Level) -> model.Level | None:
        each = None
        outer = frozenset(self.known)
        if isinstance(level.cases, tree.Bind):
            each = self.typer.attempt(self._each, level.cases)
        items = [self.typer.attempt(self._item, item) for item in level.items]
        kind, until = self.typer.attempt(self._cases, level, outer) or (None, None)
        good = [item for item in items if item is not None]
        if kind is None or len(good) < len(items) or (kind is model.Cases.FOR and each is None):
            return None
        return model.Level(kind, tuple(good), until, each, level.span)

    def _cases(self, level: tree.Level, outer: frozenset[str]) -> tuple[model.Cases, model.Expr | None]:
        cases = level.cases
        match cases:
            case None | "once":
                return model.Cases.ONCE, None
            case "count":
                return model.Cases.COUNT, None
            case tree.Bind():
                return model.Cases.FOR, None
            case _ if not level.items:
                self.typer.fail(NOTHING_READ, level.span)
            case "eof":
                return model.Cases.EOF, None
            case str():
                raise AssertionError(cases)
            case _:
                scope = Scope(Place.UNTIL, known=frozenset(self.singles))
                condition = self.typer.condition(cases, scope, "`until`")
                named = {node.name for node in nodes(cases) if isinstance(node, tree.Name)}
                read = named & {*self.typer.extras, *self.typer.fields}
                if read and read <= outer:
                    self.typer.fail(UNTIL_IDLE, cases.span)
                return model.Cases.UNTIL, condition

    def _each(self, bind: tree.Bind) -> model.Bind:
        """`cases for NAME in SET`: what is asked for every value of a field, or as many cases as there are values."""
        from gamespec.game.typer import INPUT_NUMBER

        name = bind.name
        declared = self.typer.names.declared.get(name)
        if declared is not None and declared.what not in (Is.GIVEN, Is.STATE):
            problem = f"`{name}` is {declared.what.value}, and only a field can be asked for"
            self.typer.fail(EACH, bind.name_span, name=name, problem=problem)
        self._once(name, bind.name_span)
        typed = self.typer.expr(bind.within, Scope(Place.INPUT, known=frozenset(self.known)))
        self.known.add(name)
        self.singles.add(name)
        of = element(typed.type)
        if of is None:
            text = self.typer.text(typed)
            self.typer.fail(NEEDS_SET, typed.span, where="`cases for`", text=text, described=described(typed.type))
        held = IntType(INPUT_NUMBER) if declared is None else self._declared_field(name).type
        if merged(held, of) is None:
            problem = f"`{name}` holds {described(held)}, and this is {described(typed.type)}"
            self.typer.fail(EACH, typed.span, name=name, problem=problem)
        return model.Bind(name, typed, bind.span)

    # --- items ---------------------------------------------------------------------------------------------

    def _item(self, item: tree.ReadItem) -> model.ReadItem:
        match item:
            case tree.ReadOne():
                made = self._one(item)
                self.known.add(item.name)
                self.singles.add(item.name)
                return made
            case tree.ReadMany():
                sizes: set[str] = set()
                many = self._many(item, sizes, 0)
                self.known |= sizes | {item.name}
                return many
            case tree.ReadRows():
                around = Row(Rows.CASE, 0, set())
                rows = self._rows(item, around)
                self.known |= around.names
                return rows

    def _one(self, item: tree.ReadOne) -> model.ReadOne:
        """One value of a name that holds one."""
        self._once(item.name, item.span)
        field = self._field(item)
        if field is not None and not is_scalar(field.type):
            hint = f"say how many are read: `{item.name}[k]`"
            if isinstance(field.type, ArrayType):
                hint = f"say how many are read: `{item.name}[{self._cells(field)}]`"
            self._misshapen(item, field, "several values are read into it", hint)
        return model.ReadOne(item.name, alphabet_of(self.typer, item, field), item.span)

    def _many(self, item: tree.ReadMany, row: set[str], deep: int) -> model.ReadMany:
        """Several values; `row` are the names with a value in the rows around, of which there are `deep`."""
        self._once(item.name, item.span)
        field = self._field(item)
        if field is None:
            hint = f"declare it: `given {item.name}: array[1..k] of 0..1000`"
            self._shape(item, "declared nowhere", "it holds one number only", hint)
        if not isinstance(field.type, SetType | ArrayType):
            hint = f"for one value in each row write `[{item.name}] * {self.typer.text(item.sizes[0])}`"
            self._misshapen(item, field, "only one value is read into it", hint)
        self._check_depth(item, field, deep, len(item.sizes))
        form = {None: model.Form.WORDS, "digits": model.Form.WORD}.get(item.form) or model.Form(item.form)
        if form in (model.Form.WORD, model.Form.LINE) and len(item.sizes) > 1:
            hint = f"read a row for each line: `[{item.name}[{self.typer.text(item.sizes[1])}] as {item.form}] * …`"
            self._shape(item, described(field.type), f"`as {item.form}` takes one size", hint)
        counts = tuple(self._count(item, size, row, f"the size of `{item.name}`") for size in item.sizes)
        return model.ReadMany(item.name, counts, form, alphabet_of(self.typer, item, field), item.span)

    def _count(self, item: tree.ReadMany | tree.ReadRows, size: tree.Expr, row: set[str], where: str) -> model.Expr:
        """How many are read. A name without a value before what the input does not count gets one by it."""
        known = self.known | row
        declared = self.typer.names.declared.get(size.name) if isinstance(size, tree.Name) else None
        valued = declared is not None and declared.what in (Is.PARAM, Is.LET)
        if item.form in MEASURED and isinstance(size, tree.Name) and size.name not in known and not valued:
            field = self._field(tree.ReadOne(name=size.name, span=size.span))
            if field is None or isinstance(field.type, IntType):
                self._once(size.name, size.span)
                known.add(size.name)
                row.add(size.name)
        return self.typer.number(size, Scope(Place.INPUT, known=frozenset(known)), where)

    def _check_depth(self, item: tree.ReadItem, field: model.Field, deep: int, sizes: int) -> None:
        """Fails unless the rows around and the sizes make up what the field holds."""
        assert not isinstance(item, tree.ReadRows)
        wanted = len(field.type.dims) if isinstance(field.type, ArrayType) else 0
        inner = field.type.of if isinstance(field.type, ArrayType) else field.type
        wanted += isinstance(inner, SetType)
        if deep + sizes == wanted:
            return
        if deep and (wanted <= sizes or wanted < deep):
            hint = "read it outside the rows, or add `sum` if each row is a component with its own"
            if self.is_sum:
                hint = "rows make components when they give a state field; or read it outside the rows"
            problem = f"every row would give `{item.name}` again"
            self.typer.fail(ROWS, item.span, hint=hint, notes=self._declared(item.name), problem=problem)
        sign = ", ".join(["k"] * max(1, wanted - deep))
        hint = (
            f"give it {wanted - deep} sizes: `{item.name}[{sign}]`"
            if wanted - deep > 1
            else f"write `{item.name}[{sign}]`"
        )
        if deep and wanted == deep:
            hint = f"write `{item.name}`: each row gives one value"
        rows = " in these rows" if deep else ""
        self._misshapen(item, field, f"it takes {counted(wanted - deep, 'size')}{rows}, not {sizes or 'none'}", hint)

    def _rows(self, group: tree.ReadRows, around: Row) -> model.ReadRows:
        """Rows, and the row that they are to their items."""
        from gamespec.game.typer import Wrong

        count = self.typer.attempt(self._count, group, group.count, around.names, "the number of rows")
        row = self._role(group, around)
        items = [self.typer.attempt(self._row_item, item, row) for item in group.items]
        good = [item for item in items if item is not None]
        if group.form is not None:
            self._check_line(group)
        if count is None or len(good) < len(items):
            raise Wrong
        return model.ReadRows(tuple(good), count, group.form is not None, group.span)

    def _role(self, group: tree.ReadRows, around: Row) -> Row:
        """What the rows are: components, rows that hold components, or entries of arrays."""
        names = set(around.names)
        if self.is_sum and around.kind in (Rows.CASE, Rows.HOLDERS):
            if self._gives_component(group):
                if self.component_rows is not None:
                    hint = "read all that belongs to a component in one row group"
                    problem = "the components are read in two row groups"
                    self.typer.attempt(self.typer.fail, ROWS, group.span, hint=hint, problem=problem)
                self.component_rows = group
                return Row(Rows.COMPONENTS, 0, names)
            if self._holds_component(group):
                return Row(Rows.HOLDERS, 0, names)
        kind = Rows.ENTRIES if around.kind in (Rows.CASE, Rows.ENTRIES) else Rows.COMPONENTS
        return Row(kind, around.deep + 1, names)

    def _check_line(self, group: tree.ReadRows) -> None:
        for item in group.items:
            if not isinstance(item, tree.ReadOne) or item.form is not None:
                hint = "`as line` rows hold single words; give the number of rows before"
                problem = "how many rows a line holds cannot be told"
                self.typer.attempt(self.typer.fail, ROWS, item.span, hint=hint, problem=problem)

    def _gives_component(self, group: tree.ReadRows) -> bool:
        """Whether the rows give a state field, and not only columns of arrays."""
        return any(not isinstance(item, tree.ReadRows) and self._gives_state(item) for item in group.items)

    def _gives_state(self, item: tree.ReadOne | tree.ReadMany) -> bool:
        for size in _sizes((item,)):
            declared = self.typer.names.declared.get(size.name)
            if declared is not None and declared.what is Is.STATE:
                return True
        field = self.typer.fields.get(item.name)
        if field is None or self.typer.names.declared[item.name].what is not Is.STATE:
            return False
        return isinstance(item, tree.ReadMany) or not isinstance(field.type, ArrayType)

    def _holds_component(self, group: tree.ReadRows) -> bool:
        inner = [item for item in group.items if isinstance(item, tree.ReadRows)]
        return any(self._gives_component(item) or self._holds_component(item) for item in inner)

    def _row_item(self, item: tree.ReadItem, row: Row) -> model.ReadItem:
        """One item of a row."""
        if isinstance(item, tree.ReadRows):
            return self._rows(item, row)
        field = self._field(item)
        if isinstance(item, tree.ReadMany):
            known = set(row.names)
            made = self._many(item, row.names, row.deep)
            self._give(item.name, row)
            for name in row.names - known:
                self._give_single(name, item.span, row)
            return made
        if field is not None and isinstance(field.type, ArrayType) and row.deep:
            self._once(item.name, item.span)
            self._check_depth(item, field, row.deep, 0)
            self._give(item.name, row)
            return model.ReadOne(item.name, alphabet_of(self.typer, item, field), item.span)
        if field is None and item.name in self.known | row.names:
            self.typer.fail(READ_TWICE, item.span, name=item.name)
        one = self._one(item)
        if field is None:
            del self.seen[item.name]  # forgotten after the row
        row.names.add(item.name)
        self._give_single(item.name, item.span, row)
        return one

    def _give(self, name: str, row: Row) -> None:
        (self.known if row.kind is Rows.ENTRIES else self.rowed).add(name)

    def _give_single(self, name: str, span: Span, row: Row) -> None:
        """Notes that every row gives this name one value, which only a component can keep."""
        if name not in self.typer.names.declared:
            return
        if row.deep:
            self._every_row(name, span)
        self.rowed.add(name)

    def _every_row(self, name: str, span: Span) -> NoReturn:
        problem = f"`{name}` is one value, but every row gives one"
        if self.is_sum:
            hint = "rows make components when they give a state field; or read it outside the rows"
        else:
            hint = "add the clause `sum` if each row is a component of its own; or declare an array"
        self.typer.fail(ROWS, span, hint=hint, notes=self._declared(name), problem=problem)

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

    def _declared_field(self, name: str) -> model.Field:
        """The field of a declared name. Raises Wrong if its declaration is."""
        from gamespec.game.typer import Wrong

        if name in self.typer.names.broken:
            raise Wrong
        return self.typer.fields[name]

    def _declared(self, name: str) -> tuple[Note, ...]:
        return (Note("declared here", self.typer.names.declared[name].span),)

    def _once(self, name: str, span: Span) -> None:
        if name in self.seen:
            self.typer.fail(READ_TWICE, span, notes=(Note("first here", self.seen[name]),), name=name)
        self.seen[name] = span

    def _cells(self, field: model.Field) -> str:
        """The sizes of an array, as `read` takes them."""
        return ", ".join(self._length(lo, hi) for lo, hi in field.dims)

    def _length(self, lo: model.Expr, hi: model.Expr) -> str:
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
    started = started_by(spec)
    have = filled(spec)
    for field in spec.givens:
        if field.name not in have | started and field.name in typer.fields:
            hint = f"add it to `read`, or write `param {field.name} = …` if it is always the same"
            notes = _instead(typer, spec, field.name)
            typer.attempt(
                typer.fail, NOT_READ, field.name_span, hint=hint, notes=notes, name=field.name, missing="not read"
            )
    for field in spec.states:
        if field.name not in have | started and field.name in typer.fields:
            hint = f"add it to `read`, or say where play starts: `start {field.name} = …`"
            notes = _instead(typer, spec, field.name)
            missing = "neither read nor started"
            typer.attempt(
                typer.fail, NOT_READ, field.name_span, hint=hint, notes=notes, name=field.name, missing=missing
            )


def _instead(typer: Typer, spec: tree.Tree, name: str) -> tuple[Note, ...]:
    """What may be read instead of a field: a name close to it, the only one that nothing uses, or all that is read."""
    if not spec.input:
        return ()
    idle = [extra for extra in typer.extras if extra not in typer.names.mentioned]
    meant = nearest(name, typer.extras) or (idle[0] if len(idle) == 1 else None)
    if meant is None:
        clause = spec.input[0]
        items = clause.items
        place = Span(items[0].span.start, items[-1].span.end) if items else clause.span
        return (Note(f"`{name}` is not read here", place),)
    return (Note(f"`{meant}` is read here and declared nowhere; did you mean `{name}`?", typer.extras[meant]),)
