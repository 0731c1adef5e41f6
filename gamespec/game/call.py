"""Types calls: functions of the spec are expanded, builtins bring their own type rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from gamespec.builtins import BUILTINS
from gamespec.builtins.entry import Builtin, BuiltinTypeError, Undefined
from gamespec.diagnostics import Note, counted
from gamespec.game import bound, collection, grid, model, player
from gamespec.game.alike import merged, most
from gamespec.game.name import Is
from gamespec.game.problems import AFTER_PARTS, ARGUMENT, ARGUMENT_COUNT, NO_VALUE, NOT_A_FUNCTION, UNKNOWN_FUNCTION
from gamespec.game.scope import Scope
from gamespec.game.words import described
from gamespec.syntax import tree
from gamespec.types import ArrayType, IntType, ListType, SetType, Type, is_scalar

if TYPE_CHECKING:
    from gamespec.game.typer import Typer


REACH = "reach"
AFTER = "after"


def called(typer: Typer, node: tree.Call, scope: Scope) -> model.Expr:
    """A call of a declared function, expanded, or of a builtin."""
    name = node.name
    if name in scope.locals:
        typer.fail(NOT_A_FUNCTION, node.name_span, name=name, what="bound here")
    declared = typer.names.declared.get(name)
    if declared is not None and declared.what is not Is.FUNCTION:
        typer.fail(NOT_A_FUNCTION, node.name_span, name=name, what=declared.what.value)
    if declared is not None:
        typer.used.add(name)
        assert isinstance(declared.definition, tree.Let)
        return _expanded(typer, node, declared.definition, scope)
    if name == grid.LINES:
        return grid.lines(typer, node, scope)
    if name == REACH:
        return _reach(typer, node, scope)
    if name == AFTER and scope.moved:
        return _after(typer, node, scope)
    builtin = BUILTINS.get(name)
    if builtin is None:
        functions = {other for other, known in typer.names.declared.items() if known.what is Is.FUNCTION}
        typer.unknown(UNKNOWN_FUNCTION, name, node.name_span, functions | set(BUILTINS) | {grid.LINES, REACH})
    args = tuple(typer.expr(arg, scope) for arg in node.args)
    try:
        of = builtin.result([arg.type for arg in args])
    except BuiltinTypeError as error:
        _misfit(typer, node, builtin, args, error)
    if name == "sum" and isinstance(args[0].type, ListType) and isinstance(args[0].type.of, IntType):
        of = IntType(bound.total(args[0].type.of.bounds, most(args[0])))
    constant = _constant(typer, node, builtin, args, of)
    if constant is not None:
        return constant
    return typer.made(model.Call(type=of, name=name, args=args, span=node.span), *args)


def _after(typer: Typer, node: tree.Call, scope: Scope) -> model.Expr:
    """`after(EXPR)` in a text: its value after the winning move."""
    if len(node.args) != 1:
        typer.fail(ARGUMENT_COUNT, node.span, name=AFTER, wanted="1 argument", given=str(len(node.args)))
    into = [move for move in typer.names.spec.moves if isinstance(move.effect, tree.Into)]
    if into:
        note = Note("this move leaves no one position", into[0].effect.span)
        typer.fail(AFTER_PARTS, node.span, notes=(note,))
    operand = typer.expr(node.args[0], scope)
    return typer.made(model.After(type=operand.type, operand=operand, span=node.span), operand)


def _constant(
    typer: Typer, node: tree.Call, builtin: Builtin, args: tuple[model.Expr, ...], of: Type
) -> model.Expr | None:
    """The number that a call with constant arguments is."""
    if not isinstance(of, IntType):
        return None
    values = [arg.value for arg in args if isinstance(arg, model.Const)]
    if len(values) < len(args):
        return None
    try:
        value = builtin.evaluate(values)
    except Undefined as error:
        typer.fail(NO_VALUE, node.span, text=typer.text(node), reason=error.reason)
    assert isinstance(value, int)
    return typer.number_const(value, node.span)


def _misfit(
    typer: Typer, node: tree.Call, builtin: Builtin, args: tuple[model.Expr, ...], error: BuiltinTypeError
) -> NoReturn:
    hint = f"`{builtin.signature}`: {builtin.doc}"
    if error.argument is None or error.argument >= len(args):
        typer.fail(ARGUMENT, node.span, hint=hint, name=node.name, reason=error.message, described="")
    arg = args[error.argument]
    typer.fail(ARGUMENT, arg.span, hint=hint, name=node.name, reason=error.message, described=described(arg.type))


def _reach(typer: Typer, node: tree.Call, scope: Scope) -> model.Expr:
    """`reach(S, next, within)`, where `next` is a function of one argument or an array of sets."""
    if len(node.args) != 3:
        hint = f"`{REACH}(S, next, within)`"
        given = str(len(node.args))
        typer.fail(ARGUMENT_COUNT, node.span, hint=hint, name=REACH, wanted="3 arguments", given=given)
    start, within = typer.expr(node.args[0], scope), typer.expr(node.args[2], scope)
    start, within = player.matched(typer, start, within)
    for arg in (start, within):
        if not isinstance(arg.type, SetType) or not is_scalar(arg.type.of):
            typer.fail(ARGUMENT, arg.span, name=REACH, reason="needs a set here", described=described(arg.type))
    assert isinstance(within.type, SetType)
    name = collection.fresh(typer, "from", scope)
    local = typer.made(model.LocalRef(type=within.type.of, name=name, span=node.args[1].span))
    step = _step(typer, node.args[1], local, scope.bind(name, local, name))
    if not isinstance(step.type, SetType | ListType) or merged(step.type.of, within.type.of) is None:
        reason = "needs a way to sets of such elements here"
        typer.fail(ARGUMENT, node.args[1].span, name=REACH, reason=reason, described=described(step.type))
    new = model.Reach(type=within.type, start=start, name=name, step=step, within=within, span=node.span)
    return typer.made(new, start, step, within)


def _step(typer: Typer, node: tree.Expr, local: model.Expr, scope: Scope) -> model.Expr:
    """Where one step leads from an element."""
    declared = typer.names.declared.get(node.name) if isinstance(node, tree.Name) else None
    if declared is not None and declared.what is Is.FUNCTION:
        typer.used.add(declared.name)
        let = declared.definition
        assert isinstance(let, tree.Let)
        params = let.params or ()
        if len(params) == 1:
            with typer.calling(let.name, node.span):
                return typer.expr(let.value, scope.within({params[0]: local}))
        reason = "needs a function of one argument here"
        typer.fail(ARGUMENT, node.span, name=REACH, reason=reason, described=counted(len(params), "argument"))
    base = typer.expr(node, scope)
    if not isinstance(base.type, ArrayType) or len(base.type.dims) != 1:
        reason = "needs an array of sets here, or the name of a function of one argument"
        typer.fail(ARGUMENT, base.span, name=REACH, reason=reason, described=described(base.type))
    base, dims = collection.array(typer, base)
    assert isinstance(base.type, ArrayType)
    new = model.Index(type=base.type.of, base=base, indices=(local,), dims=dims, span=node.span)
    return typer.made(new, base, local, *dims[0])


def _expanded(typer: Typer, node: tree.Call, let: tree.Let, scope: Scope) -> model.Expr:
    """The body of a function with the typed arguments in the place of its parameters."""
    from gamespec.game.typer import Wrong

    params = let.params or ()
    if let.name in typer.names.broken:
        raise Wrong
    if len(node.args) != len(params):
        hint = f"`{let.name}({', '.join(params)})`"
        typer.fail(
            ARGUMENT_COUNT,
            node.span,
            hint=hint,
            name=let.name,
            wanted=counted(len(params), "argument"),
            given=str(len(node.args)),
        )
    meanings = {param: typer.expr(arg, scope) for param, arg in zip(params, node.args, strict=True)}
    with typer.calling(let.name, node.span):
        return typer.expr(let.value, scope.within(meanings))
