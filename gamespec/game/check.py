"""Tree → Game: names resolved, everything typed and bounded, input and output understood."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from gamespec.diagnostics import Diagnostic, Help, Note, Problems, SpecError, UsageError
from gamespec.game import field, grid, model, player, rule
from gamespec.game.later import refuse_later
from gamespec.game.name import Declared, Is, Names, nodes
from gamespec.game.printing import Printer
from gamespec.game.problems import (
    DEFINE_VALUE,
    FILE_NAME,
    GAIN_UNUSED,
    INTO_WITHOUT_SUM,
    NO_GAIN,
    NO_MOVE,
    NO_STATE,
    NOT_CHECKED,
    PARAM_DEFINE,
    ROWS,
    SCORE_ENDLESS,
    SCORE_VERDICT,
    SUM_SCORE,
    UNKNOWN_NAME,
)
from gamespec.game.reading import Reader, Reading, check_complete, extras, filled
from gamespec.game.scope import Place, Scope
from gamespec.game.typer import Typer, Wrong
from gamespec.game.update import components, started_by, updates
from gamespec.game.words import nearest
from gamespec.source import NOWHERE, Source, Span
from gamespec.syntax import tree


def check(spec: tree.Tree, source: Source, defines: Mapping[str, str] = {}) -> model.Game:
    """The checked game. `defines` maps names of params to constant expressions that replace their values.

    Raises SpecError with all faults found, and UsageError for a define that fits no param.
    """
    game, found = check_all(spec, source, defines)
    if game is None:
        raise SpecError(*found, source=source)
    return game


def check_all(
    spec: tree.Tree, source: Source, defines: Mapping[str, str] = {}
) -> tuple[model.Game | None, list[Diagnostic]]:
    """The checked game, or None where an error was found, and all that was found, warnings too."""
    problems = Problems(source)
    try:
        game = _Checker(spec, source, problems, defines).game()
        problems.stop_on_error()
    except SpecError:
        return None, problems.found
    return game, problems.found


class _Checker:
    def __init__(self, spec: tree.Tree, source: Source, problems: Problems, defines: Mapping[str, str]) -> None:
        self.problems = problems
        self.source = source
        self.defined = _defined(spec, defines)
        self.spec = spec = _with_defines(spec, self.defined)
        refuse_later(spec, problems)
        self.names = Names(spec, problems)
        self.typer = Typer(source, problems, self.names)
        self.typer.extras = extras(spec, self.names)
        self.is_sum = spec.sum is not None
        self.misere = spec.winner is not None and spec.winner.name == "stuck player"
        self.scored = spec.winner is not None and spec.winner.name == "highest score"
        self.partisan = player.declare(self.typer, spec)

    def game(self) -> model.Game:
        """The game, or whatever could be made of it when there were faults."""
        spec = self.spec
        self._check_shape()
        for declared in self.names.order:
            self._define(declared)
        typer = self.typer
        requires = [typer.attempt(rule.requirement, typer, r) for r in spec.requires]
        states = [state.name for state in spec.states]
        turns = [model.MOVER] if self.partisan else []
        moves = [rule.move(typer, move, states, self.is_sum) for move in spec.moves]
        terminals = [typer.attempt(rule.terminal, typer, t, self.is_sum) for t in spec.terminals]
        reading = self._reading()
        start, parts = self._start(reading)
        if parts:
            reading = msgspec.structs.replace(reading, components=reading.components | started_by(spec))
        symmetries = [typer.attempt(rule.symmetry, typer, symmetry) for symmetry in spec.symmetries]
        if spec.input is not None:
            check_complete(typer, spec)
        endless = None if spec.endless is None else typer.attempt(rule.endless, typer, spec.endless)
        verdicts = any(terminal.verdict is not None for terminal in spec.terminals)
        impartial = not (verdicts or self.misere or self.scored or self.partisan)
        output = Printer(typer, spec, reading, moves, grundy=impartial).output()
        self._check_functions()
        self.problems.stop_on_error()
        return model.Game(
            name=spec.name.name,
            source=self.source,
            about=_text(spec.about),
            origin=_text(spec.source),
            rules=_text(spec.rules),
            params={param.name: typer.params[param.name] for param in spec.params},
            givens=tuple(self._given(given.name, reading) for given in spec.givens),
            states=tuple(typer.fields[name] for name in (*states, *turns)),
            requires=tuple(r for r in requires if r is not None),
            lets={name: let for name, let in typer.lets.items() if not grid.is_listed(let)},
            sum=self.is_sum,
            start=start,
            moves=tuple(move for move in moves if move is not None),
            terminals=tuple(terminal for terminal in terminals if terminal is not None),
            misere=self.misere,
            winner_span=NOWHERE if spec.winner is None else spec.winner.span,
            input=reading.input,
            output=output,
            plan=None if spec.plan is None else spec.plan.name,
            plan_span=NOWHERE if spec.plan is None else spec.plan.span,
            tests=tuple(model.Test(test.input.value, test.output.value, test.span) for test in spec.tests),
            functions={let.name: model.Function(let.params, let.value.span) for let in spec.lets if let.params},
            players=None if typer.names.players is None else self._players(typer.names.players.names),
            scored=self.scored,
            endless=endless,
            components=parts,
            symmetries=tuple(symmetry for symmetry in symmetries if symmetry is not None),
            endless_span=NOWHERE if spec.endless is None else spec.endless.span,
        )

    @staticmethod
    def _players(names: tuple[str, ...]) -> tuple[str, str]:
        first, second = names
        return first, second

    def _check_shape(self) -> None:
        """Reports what is missing, and clauses that do not go together."""
        spec = self.spec
        if not spec.states:
            self.problems.add(NO_STATE.at(spec.name.span))
        if not spec.moves:
            self.problems.add(NO_MOVE.at(spec.name.span))
        self._check_score()
        stem, dot, ending = self.source.path.rpartition("/")[2].rpartition(".")
        if dot and ending in ("game", "yaml", "yml") and stem != spec.name.name:
            self.problems.add(FILE_NAME.at(spec.name.span, name=spec.name.name, file=f"{stem}.{ending}"))

    def _check_score(self) -> None:
        """Reports gains without the convention that counts them, and the other way round."""
        spec = self.spec
        gains = [move.effect.gain for move in spec.moves if isinstance(move.effect, tree.Do) and move.effect.gain]
        verdicts = [terminal.verdict for terminal in spec.terminals if terminal.verdict is not None]
        if not self.scored or spec.winner is None:
            for gain in gains[:1]:
                self.problems.add(GAIN_UNUSED.at(gain.span))
            return
        if self.is_sum:
            self.problems.add(SUM_SCORE.at(spec.winner.span, what="`winner highest score`"))
        if not gains and spec.moves:
            self.problems.add(NO_GAIN.at(spec.winner.span))
        if spec.endless is not None:
            self.problems.add(SCORE_ENDLESS.at(spec.endless.span))
        if verdicts:
            note = Note("this decides by the score", spec.winner.span)
            self.problems.add(SCORE_VERDICT.at(verdicts[0].span, notes=[note]))

    # --- declarations --------------------------------------------------------------------------------------

    def _define(self, declared: Declared) -> None:
        """Types one definition; what is found wrong is marked as broken."""
        name, definition = declared.name, declared.definition
        if name in self.names.broken:
            return
        try:
            match definition:
                case tree.Param():
                    self.typer.params[name] = self._param(definition)
                case tree.Field():
                    self.typer.fields[name] = self._field(declared)
                case tree.Let(params=None):
                    rule.let(self.typer, definition)
                case _:
                    pass
        except Wrong:
            self.names.broken.add(name)

    def _field(self, declared: Declared) -> model.Field:
        fields = self.spec.states if declared.what is Is.STATE else self.spec.givens
        givens = frozenset(given.name for given in self.spec.givens)
        return field.FieldTyper(self.typer, declared, fields, givens).field()

    def _param(self, node: tree.Param) -> int:
        """The value of a param. A value that the command line gives is typed as a source of its own."""
        given = self.defined.get(node.name)
        if given is None:
            return field.param(self.typer, node)
        source = Source(f"-D {node.name}", given[0])
        own = Typer(source, Problems(source), self.names)
        own.params = self.typer.params
        try:
            return field.param(own, node)
        except (Wrong, SpecError):
            found = own.problems.errors
            problem = found[0].message if found else "its value depends on a param that is wrong"
            raise UsageError(DEFINE_VALUE.at(None, name=node.name, text=given[0], problem=problem)) from None

    def _given(self, name: str, reading: Reading) -> model.Field:
        given = self.typer.fields[name]
        return msgspec.structs.replace(given, component=True) if name in reading.components else given

    def _check_functions(self) -> None:
        """Looks at the names in functions that nobody calls, which are not typed."""
        for let in self.spec.lets:
            if let.params is None or let.name in self.typer.used | self.names.broken:
                continue
            if not self.problems.errors:
                self.problems.add(NOT_CHECKED.at(let.name_span, name=let.name))
            known = {*self.names.declared, *let.params, "true", "false", "stuck", *player.TURNS}
            for name, span in _free_names(let.value):
                if name not in known:
                    near = nearest(name, known)
                    helps = [Help(f"did you mean `{near}`?")] if near else []
                    self.problems.add(UNKNOWN_NAME.at(span, helps=helps, name=name))

    # --- input and start -----------------------------------------------------------------------------------

    def _reading(self) -> Reading:
        if self.spec.input is None:
            return Reading(None, frozenset(given.name for given in self.spec.givens))
        return Reader(self.typer, self.spec, self.is_sum).read(self.spec.input)

    def _start(self, reading: Reading) -> tuple[tuple[model.Update, ...], tuple[model.Part, ...]]:
        """What `start` sets, or the components that it lists."""
        start = self.spec.start
        if start is None:
            return (), ()
        if not isinstance(start, tree.Into):
            scope = Scope(Place.START, known=reading.values | reading.components)
            return self.typer.attempt(updates, self.typer, start, scope) or (), ()
        return (), self.typer.attempt(self._components, start, reading) or ()

    def _components(self, start: tree.Into, reading: Reading) -> tuple[model.Part, ...]:
        if not self.is_sum:
            self.typer.fail(INTO_WITHOUT_SUM, start.span)
        own = started_by(self.spec)
        read = sorted(own & filled(self.spec))
        if read:
            self.typer.fail(ROWS, start.span, problem=f"`{read[0]}` is read, and `start into` gives it too")
        states = [state.name for state in self.spec.states]
        givens = [given.name for given in self.spec.givens]
        scope = Scope(Place.START, known=reading.values - own)
        return components(self.typer, start.parts, states, givens, scope)


def _text(node: tree.Text | None) -> str:
    return "" if node is None else node.value


def _free_names(body: tree.Expr) -> list[tuple[str, Span]]:
    """The names in an expression that no `for` of it binds."""
    below = list(nodes(body))
    bound = {node.name for node in below if isinstance(node, tree.Bind)}
    return [(node.name, node.span) for node in below if isinstance(node, tree.Name) and node.name not in bound]


def _defined(spec: tree.Tree, defines: Mapping[str, str]) -> dict[str, tuple[str, tree.Expr]]:
    """The texts and trees of the params that the command line sets. Raises UsageError."""
    if not defines:
        return {}
    from gamespec.syntax.read import parse_expr

    params = {param.name for param in spec.params}
    result = {}
    for name, text in defines.items():
        if name not in params:
            near = nearest(name, params)
            hint = f"did you mean `{near}`?" if near else "it has: " + (", ".join(sorted(params)) or "no params")
            raise UsageError(PARAM_DEFINE.at(None, helps=[Help(hint)], name=name))
        try:
            value = parse_expr(text, f"-D {name}")
        except SpecError as error:
            problem = error.diagnostics[0].message
            raise UsageError(DEFINE_VALUE.at(None, name=name, text=text, problem=problem)) from None
        for node in nodes(value):
            if isinstance(node, tree.Name) and node.name not in params:
                problem = f"`{node.name}` is not a param"
                raise UsageError(DEFINE_VALUE.at(None, name=name, text=text, problem=problem))
        result[name] = (text, value)
    return result


def _with_defines(spec: tree.Tree, defined: Mapping[str, tuple[str, tree.Expr]]) -> tree.Tree:
    if not defined:
        return spec
    params = tuple(
        msgspec.structs.replace(param, value=defined[param.name][1]) if param.name in defined else param
        for param in spec.params
    )
    return msgspec.structs.replace(spec, params=params)
