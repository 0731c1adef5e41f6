"""The names of a spec: what each is, in one space, and the order in which definitions can be understood."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cached_property

import msgspec

from gamespec.diagnostics import Diagnostic, Help, Note, Problems
from gamespec.game.problems import CYCLE, DECLARED_TWICE, NAME_OF_TWO_TYPES, NOT_A_TYPE, RESERVED
from gamespec.game.words import braced
from gamespec.source import Span
from gamespec.syntax import tree
from gamespec.types import NamesType

RESERVED_WORDS = frozenset(
    ("and", "or", "not", "in", "if", "then", "else", "for", "xor", "mover", "other", "stuck", "true", "false")
)


class Is(Enum):
    """What a name stands for; the value is how messages call it."""

    PARAM = "a param"
    GIVEN = "a given"
    STATE = "a state field"
    LET = "a let"
    FUNCTION = "a function"
    MOVE = "a move"
    VALUE = "one of the names of a type"
    PLAYER = "a player"


Definition = tree.Param | tree.Field | tree.Let


class Declared(msgspec.Struct, frozen=True):
    """A declared name. `index` counts the declarations of its kind."""

    name: str
    what: Is
    span: Span
    index: int
    definition: Definition | None = None


class Names:
    """All declared names of a tree, and the types made of names.

    `order` holds params, givens, state fields and lets so that each comes after what its definition mentions;
    `broken` those that were found wrong, so that what uses them is not reported again.
    """

    def __init__(self, spec: tree.Tree, problems: Problems) -> None:
        self.problems = problems
        self.spec = spec
        self.declared: dict[str, Declared] = {}
        self.values: dict[str, tuple[NamesType, int]] = {}
        self.types: dict[tuple[str, ...], NamesType] = {}
        self.broken: set[str] = set()
        for declared in _declarations(spec):
            self._declare(declared)
        self.players = self._players()
        for field in spec.givens + spec.states:
            self._declare_values(field.type)
        self.order = self._ordered()

    def what(self, name: str) -> str:
        """What a name is, in words."""
        return self.declared[name].what.value

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """The names that an expression, a text or an update mentions anywhere; reading one does not count."""
        found: set[str] = set()
        for node in nodes(self.spec):
            match node:
                case tree.Name(name=name) | tree.Call(name=name):
                    found.add(name)
                case tree.Target(names=names):
                    found.update(names)
                case _:
                    pass
        return frozenset(found)

    @cached_property
    def unused(self) -> list[Declared]:
        """The params, fields, lets and functions that are mentioned nowhere, and not read either."""
        read = {node.name for node in nodes(self.spec) if isinstance(node, tree.ReadOne | tree.ReadMany)}
        used = self.mentioned | read
        return [each for each in self.declared.values() if each.definition is not None and each.name not in used]

    def _declare(self, new: Declared) -> None:
        if new.name in RESERVED_WORDS:
            self.problems.add(RESERVED.at(new.span, name=new.name))
            return
        old = self.declared.get(new.name)
        if old is None:
            self.declared[new.name] = new
            return
        self.broken.add(new.name)
        note = Note(f"here it is {old.what.value}", old.span)
        self.problems.add(DECLARED_TWICE.at(new.span, notes=[note], name=new.name, what=new.what.value))

    def _players(self) -> NamesType | None:
        """The type whose values are the two players; None where there are none, or not two."""
        names = tuple(player.name for player in self.spec.players or ())
        if len(names) != 2 or names[0] == names[1]:
            self.broken.update(names)
            return None
        of = self.types[names] = NamesType(names)
        self.values.update({name: (of, index) for index, name in enumerate(names)})
        return of

    def _declare_values(self, of: tree.Type) -> None:
        match of:
            case tree.SetType(of=element) | tree.ArrayType(of=element):
                self._declare_values(element)
            case tree.SetOf(items=items) if items and all(isinstance(item, tree.Name) for item in items):
                self._declare_names_type(of, [item for item in items if isinstance(item, tree.Name)])
            case _:
                pass

    def _declare_names_type(self, node: tree.SetOf, items: list[tree.Name]) -> None:
        names = tuple(item.name for item in items)
        if names in self.types:
            return
        fault = self._names_fault(node, items, names)
        if fault is not None:
            self.problems.add(fault)
        else:
            self.types[names] = NamesType(names)
        for index, item in enumerate(items):
            if item.name not in self.declared and item.name not in RESERVED_WORDS:
                self.declared[item.name] = Declared(item.name, Is.VALUE, item.span, index)
                if fault is None:
                    self.values[item.name] = (self.types[names], index)
                else:
                    self.broken.add(item.name)

    def _names_fault(self, node: tree.SetOf, items: list[tree.Name], names: tuple[str, ...]) -> Diagnostic | None:
        """What is wrong with a type made of names, if anything."""
        for index, item in enumerate(items):
            name = item.name
            other = self.declared.get(name)
            if name in RESERVED_WORDS:
                return RESERVED.at(item.span, name=name)
            if name in names[:index]:
                return DECLARED_TWICE.at(item.span, name=name, what="a second time in the same braces")
            if other is not None and other.what is Is.PLAYER:
                if self.players is not None and not set(self.players.names) <= set(names):
                    players = braced(self.players.names)
                    both = [*names, *(each for each in self.players.names if each not in names)]
                    hint = Help(f"a cell that holds a player may hold either: `{braced(both)}`")
                    return NAME_OF_TWO_TYPES.at(item.span, helps=[hint], name=name, first=players, second=braced(names))
                continue
            if other is not None and other.what is not Is.VALUE:
                note = Note(f"`{name}` is {other.what.value}", other.span)
                hint = Help("braces in a type hold new names only; numbers are written `lo..hi`")
                return NOT_A_TYPE.at(node.span, notes=[note], helps=[hint], text=braced(names))
            if name in self.values:
                first = braced(self.values[name][0].names)
                return NAME_OF_TWO_TYPES.at(item.span, name=name, first=first, second=braced(names))
        return None

    def _ordered(self) -> list[Declared]:
        """Definitions after what they mention; a cycle is reported and its names are broken."""
        result: list[Declared] = []
        done: set[str] = set()
        for root in self.declared.values():
            path: dict[str, Iterator[str]] = {}
            if root.name not in done and root.definition is not None:
                path[root.name] = self._mentioned(root.definition)
            while path:
                name = next(reversed(path))
                following = next(path[name], None)
                if following is None:
                    del path[name]
                    done.add(name)
                    result.append(self.declared[name])
                elif following in path:
                    self._report_cycle([*path, following], following)
                elif following not in done:
                    definition = self.declared[following].definition
                    assert definition is not None
                    path[following] = self._mentioned(definition)
        return result

    def _report_cycle(self, path: list[str], start: str) -> None:
        cycle = path[path.index(start) :]
        self.broken.update(cycle)
        first = self.declared[start]
        self.problems.add(CYCLE.at(first.span, name=start, path=" → ".join(cycle)))

    def _mentioned(self, definition: Definition) -> Iterator[str]:
        own = definition.params or () if isinstance(definition, tree.Let) else ()
        body = definition.type if isinstance(definition, tree.Field) else definition.value
        for node in nodes(body):
            if isinstance(node, tree.Name | tree.Call) and node.name not in own:
                declared = self.declared.get(node.name)
                if declared is not None and declared.definition is not None:
                    yield node.name


def nodes(root: tree.Node) -> Iterator[tree.Node]:
    """A node and all nodes below it, parents first, without recursion."""
    waiting: list[object] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tree.Node):
            yield node
            waiting.extend(getattr(node, field) for field in reversed(node.__struct_fields__))
        elif isinstance(node, tuple):
            waiting.extend(reversed(node))


def _declarations(spec: tree.Tree) -> Iterator[Declared]:
    for index, player in enumerate(spec.players or ()):
        yield Declared(player.name, Is.PLAYER, player.span, index)
    for index, param in enumerate(spec.params):
        yield Declared(param.name, Is.PARAM, param.name_span, index, param)
    for index, field in enumerate(spec.givens):
        yield Declared(field.name, Is.GIVEN, field.name_span, index, field)
    for index, field in enumerate(spec.states):
        yield Declared(field.name, Is.STATE, field.name_span, index, field)
    for index, let in enumerate(spec.lets):
        what = Is.LET if let.params is None else Is.FUNCTION
        yield Declared(let.name, what, let.name_span, index, let)
    for index, move in enumerate(spec.moves):
        yield Declared(move.name, Is.MOVE, move.name_span, index)
