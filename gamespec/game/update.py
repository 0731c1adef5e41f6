"""Types the updates of `do` and `start`, and the parts of `into`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from gamespec.diagnostics import Note, counted
from gamespec.game import bound, model, player
from gamespec.game.alike import merged
from gamespec.game.collection import cells_of, check_indices, places_of, tail_of
from gamespec.game.name import Is
from gamespec.game.problems import (
    FIXED,
    INTO_COUNT,
    NOT_AN_ARRAY,
    PART_NAMED,
    SET_TWICE,
    TOO_WIDE,
    UNKNOWN_NAME,
    UPDATE_OPERATOR,
    UPDATE_TYPE,
)
from gamespec.game.scope import Place, Scope
from gamespec.game.words import described
from gamespec.source import NOWHERE, Span
from gamespec.syntax import tree
from gamespec.types import ArrayType, BoolType, IntType, ListType, SetType, Type

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

EVERYTHING = "everything"


def updates(typer: Typer, nodes: tuple[tree.Update, ...], scope: Scope) -> tuple[model.Update, ...]:
    """The typed updates; faults are reported, each update on its own. Raises Wrong when there were any."""
    from gamespec.game.typer import Wrong

    result: list[model.Update] = []
    wrong = False
    for node in nodes:
        typed = typer.attempt(_update, typer, node, scope)
        if typed is None:
            wrong = True
        else:
            result.extend(typed)
    if wrong:
        raise Wrong
    _check_once(typer, result)
    return tuple(result)


def _update(typer: Typer, node: tree.Update, scope: Scope) -> list[model.Update]:
    target = node.target
    if len(target.names) == 1:
        return [_single(typer, node, target.names[0], node.value, scope)]
    values = node.value.items if isinstance(node.value, tree.Tuple) else (node.value,)
    if node.op != "=" or len(values) != len(target.names):
        if node.op != "=":
            typer.fail(
                UPDATE_OPERATOR,
                node.span,
                hint="set several fields with `=`",
                op=node.op,
                name=", ".join(target.names),
                holds=counted(len(target.names), "value"),
            )
        given = counted(len(values), "value")
        typer.fail(
            UPDATE_TYPE,
            node.value.span,
            text=typer.text(node.value),
            described=given,
            name=", ".join(target.names),
            holds=counted(len(target.names), "value"),
        )
    return [_single(typer, node, name, value, scope) for name, value in zip(target.names, values, strict=True)]


def _single(typer: Typer, node: tree.Update, name: str, value: tree.Expr, scope: Scope) -> model.Update:
    field = _field(typer, name, node.target.span, scope)
    tail = None
    inner = scope
    alone = node.tail is not None and not node.tail.binds and scope.place is not Place.START
    if node.tail is not None and alone and not isinstance(field.type, ArrayType):
        value = _either(node.tail, node.op, name, field.type, value)
    elif node.tail is not None:
        tail, inner = tail_of(typer, node.tail, scope)
    of = field.type
    indices = None
    if node.target.indices is not None:
        indices = _indices(typer, field, node.target, inner)
        assert isinstance(of, ArrayType)
        of = of.of
    typed = typer.expr(value, inner)
    if isinstance(of, ArrayType) and indices is None and not (tail and tail.binds):
        cell = player.fitted(typer, typed, of.of)
        if merged(of.of, cell.type) is not None:
            return _filled(typer, node, field, cell, None if tail is None else tail.condition, scope)
    typed = player.fitted(typer, typed, of)
    _check_operator(typer, node, name, of)
    _check_value(typer, name, of, typed)
    if node.op in ("+=", "-=") and isinstance(of, IntType) and isinstance(typed.type, IntType):
        reached = bound.arithmetic(node.op[0], of.bounds, typed.type.bounds)
        if not reached.empty and not bound.fits(reached):
            typer.fail(TOO_WIDE, node.span, text=typer.text(node), bits=bound.bits(reached), label="")
    return model.Update(name, indices, node.op, typed, tail, node.span)


def _either(tail: tree.Tail, op: str, name: str, of: Type, value: tree.Expr) -> tree.Expr:
    """What `n = value if …` gives a field, or adds to it: otherwise it is what it would be without the update."""
    assert tail.condition is not None
    without: tree.Expr
    if name == model.MOVER:
        without = tree.Name(name="other", span=value.span)
    elif op in ("=", "&="):
        without = tree.Name(name=name, span=value.span)
    elif isinstance(of, SetType):
        without = tree.SetOf(items=(), span=value.span)
    else:
        without = tree.Int(value=0, span=value.span)
    return tree.If(condition=tail.condition, then=value, other=without, span=value.span)


def _field(typer: Typer, name: str, span: Span, scope: Scope) -> model.Field:
    from gamespec.game.typer import Wrong

    declared = typer.names.declared.get(name)
    if name == model.MOVER:
        player.players_type(typer, span, "`mover`")
    if declared is not None and declared.what is Is.STATE:
        if name in typer.names.broken:
            raise Wrong
        return typer.fields[name]
    if declared is not None:
        hint = "declare it with `state` to change it" if declared.what in (Is.GIVEN, Is.PARAM) else ""
        note = Note("declared here", declared.span)
        typer.fail(FIXED, span, hint=hint, notes=(note,), name=name, what=declared.what.value)
    if name in scope.locals:
        typer.fail(FIXED, span, name=name, what="bound by the move")
    if name in typer.extras:
        typer.fail(FIXED, span, name=name, what="a name of the input")
    states = {field for field, known in typer.names.declared.items() if known.what is Is.STATE}
    typer.unknown(UNKNOWN_NAME, name, span, states)


def _indices(typer: Typer, field: model.Field, target: tree.Target, scope: Scope) -> tuple[model.Expr, ...]:
    indices = target.indices or ()
    if not isinstance(field.type, ArrayType):
        hint = f"write `{field.name}` without an index"
        typer.fail(NOT_AN_ARRAY, target.span, hint=hint, text=field.name, described=described(field.type))
    places = places_of(typer, indices, scope)
    check_indices(typer, target.span, field.name, field.type, len(places))
    return places


def _filled(
    typer: Typer,
    node: tree.Update,
    field: model.Field,
    value: model.Expr,
    condition: model.Expr | None,
    scope: Scope,
) -> model.Update:
    """`board = empty` sets every cell."""
    assert isinstance(field.type, ArrayType)
    if node.op != "=":
        _check_operator(typer, node, field.name, field.type)
    places, binds, _ = cells_of(typer, field.dims, field.type, "i", node.span, scope, node.span)
    return model.Update(field.name, places, "=", value, model.Tail(tuple(binds), condition), node.span)


def _check_operator(typer: Typer, node: tree.Update, name: str, of: Type) -> None:
    right: tuple[str, ...]
    match of:
        case IntType():
            right, hint = ("=", "+=", "-="), "numbers take `=`, `+=` and `-=`"
        case SetType():
            right, hint = ("=", "|=", "&=", "-="), f"did you mean `{name} |= {typer.text(node.value)}`?"
        case ArrayType():
            right, hint = ("=",), f"change its elements: `{name}[i] {node.op} … for i in …`"
        case _:
            right, hint = ("=",), f"write `{name} = …`"
    if node.op not in right:
        typer.fail(UPDATE_OPERATOR, node.span, hint=hint, op=node.op, name=name, holds=described(of))


def _check_value(typer: Typer, name: str, of: Type, value: model.Expr) -> None:
    """Fails unless a value of this type can be put into a field of that type."""
    fits = merged(of, value.type) is not None
    if isinstance(of, SetType) and isinstance(value.type, ListType):
        fits = merged(of.of, value.type.of) is not None
    if not fits:
        _misfit(typer, name, of, value)


def _misfit(typer: Typer, name: str, of: Type, value: model.Expr) -> NoReturn:
    text = typer.text(value)
    hint = ""
    match of, value.type:
        case SetType(), IntType():
            hint = f"did you mean `{{{text}}}`?"
        case IntType(), BoolType():
            hint = f"write `if {text} then 1 else 0`"
        case BoolType(), IntType():
            hint = f"did you mean `{text} != 0`?"
        case IntType(), SetType():
            hint = f"did you mean `size({text})`?"
        case _:
            pass
    typer.fail(
        UPDATE_TYPE, value.span, hint=hint, name=name, holds=described(of), text=text, described=described(value.type)
    )


def _check_once(typer: Typer, done: list[model.Update]) -> None:
    """Fails where one cell certainly gets two values, or one value and a change."""
    seen: dict[tuple[str, object], model.Update] = {}
    for update in done:
        place: object = EVERYTHING
        if update.indices is not None:
            if update.tail is not None or not all(isinstance(index, model.Const) for index in update.indices):
                continue
            place = tuple(index.value for index in update.indices if isinstance(index, model.Const))
        elif update.tail is not None:
            continue
        for key in {(update.field, place), (update.field, EVERYTHING)}:
            other = seen.get(key)
            if other is not None and "=" in (other.op, update.op):
                typer.fail(SET_TWICE, update.span, notes=(Note("first here", other.span),), name=update.field)
        seen.setdefault((update.field, place), update)


def started_by(spec: tree.Tree) -> set[str]:
    """The fields that `start` gives a value: some of the state, or whatever a component has."""
    if isinstance(spec.start, tree.Into):
        named = {each.name for part in spec.start.parts for each in part.named}
        return {state.name for state in spec.states} | named
    return {name for update in spec.start or () for name in update.target.names}


# --- into --------------------------------------------------------------------------------------------------


def parts(typer: Typer, nodes: tuple[tree.Part, ...], states: list[str], scope: Scope) -> tuple[model.Part, ...]:
    """The components that a move leaves. Raises Wrong after reporting faults."""
    result = []
    for node in nodes:
        tail = None
        inner = scope
        if node.tail is not None:
            tail, inner = tail_of(typer, node.tail, scope)
        if node.named:
            name = node.named[0].name
            hint = f"`{name} = …` stands where play starts: `start into (n, {name} = n)`"
            typer.fail(PART_NAMED, node.named[0].span, hint=hint, problem=f"the parts of a component keep its `{name}`")
        args = _part_states(typer, node, states, inner)
        if model.MOVER in typer.fields:
            args.append(player.other(typer, NOWHERE))
        result.append(model.Part(tuple(args), tail, node.span))
    return tuple(result)


def _part_states(typer: Typer, node: tree.Part, states: list[str], scope: Scope) -> list[model.Expr]:
    if len(node.args) != len(states):
        wanted = counted(len(states), "value")
        typer.fail(INTO_COUNT, node.span, given=str(len(node.args)), wanted=wanted, names=", ".join(states))
    return [_part_value(typer, name, arg, scope) for name, arg in zip(states, node.args, strict=True)]


def _part_value(typer: Typer, name: str, node: tree.Expr, scope: Scope) -> model.Expr:
    typed = typer.expr(node, scope)
    if name in typer.fields:
        typed = player.fitted(typer, typed, typer.fields[name].type)
        _check_value(typer, name, typer.fields[name].type, typed)
    return typed


def components(
    typer: Typer, nodes: tuple[tree.Part, ...], states: list[str], givens: list[str], scope: Scope
) -> tuple[model.Part, ...]:
    """The components that a case starts with: values of the state fields, then of the givens that belong to a
    component, in the order of declaration. Raises Wrong after reporting faults."""
    from gamespec.game.typer import Wrong

    named = {each.name for node in nodes for each in node.named}
    own = [name for name in givens if name in named]
    found = [typer.attempt(_component, typer, node, states, givens, own, scope) for node in nodes]
    made = [part for part in found if part is not None]
    if len(made) < len(found):
        raise Wrong
    return tuple(made)


def _component(
    typer: Typer, node: tree.Part, states: list[str], givens: list[str], own: list[str], scope: Scope
) -> model.Part:
    tail = None
    if node.tail is not None:
        tail, scope = tail_of(typer, node.tail, scope)
    args = _part_states(typer, node, states, scope)
    if model.MOVER in typer.fields:
        args.append(typer.made(model.StateRef(type=typer.fields[model.MOVER].type, name=model.MOVER)))
    values: dict[str, model.Expr] = {}
    for each in node.named:
        if each.name not in givens:
            typer.unknown(UNKNOWN_NAME, each.name, each.name_span, set(givens))
        if each.name in values:
            typer.fail(SET_TWICE, each.span, name=each.name)
        values[each.name] = _part_value(typer, each.name, each.value, scope)
    missing = [name for name in own if name not in values]
    if missing:
        hint = f"write `{missing[0]} = …` behind the values of the state"
        problem = f"this component has no `{missing[0]}`, which others get by name"
        typer.fail(PART_NAMED, node.span, hint=hint, problem=problem)
    return model.Part((*args, *(values[name] for name in own)), tail, node.span)
