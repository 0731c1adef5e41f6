"""Types lets, requirements, moves and terminal conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamespec.game import model, player
from gamespec.game.collection import bound_by
from gamespec.game.problems import ENDLESS_TURN, INTO_WITHOUT_SUM, SUM_STUCK, SUM_TURN, SYMMETRY_SIGN
from gamespec.game.scope import RULE, Place, Scope
from gamespec.game.update import parts, updates
from gamespec.syntax import tree

if TYPE_CHECKING:
    from gamespec.game.typer import Typer

ENDING = Scope(Place.RULE, stuck=True)


def let(typer: Typer, node: tree.Let) -> None:
    """Types a plain let, and notes what it depends on. Raises Wrong."""
    with typer.reading() as reads:
        typed = typer.expr(node.value, ENDING)
    typer.lets[node.name] = typed
    typer.reads[node.name] = frozenset(reads)


def requirement(typer: Typer, node: tree.Require) -> model.Expr:
    return typer.condition(node.condition, RULE, "`require`")


def move(typer: Typer, node: tree.Move, states: list[str], is_sum: bool) -> model.Move | None:
    """The typed move, or None after reporting its faults, each premise and update on its own."""
    from gamespec.game.typer import Wrong

    choices: list[model.Bind] = []
    scope = RULE
    turn = None
    if node.by is not None:
        number = typer.attempt(player.player, typer, node.by, node.by_span, "`by`")
        if number is None:
            return None
        turn = player.moves_now(typer, number, node.by_span)
    for premise in node.premises:
        if isinstance(premise, tree.Choose):
            for bind in premise.binds:
                try:
                    made, scope = bound_by(typer, bind, scope, "`choose`")
                except Wrong:
                    return None  # what follows uses the name
                choices += made
    conjuncts: list[model.Expr | None] = []
    for premise in node.premises:
        if isinstance(premise, tree.When):
            for conjunct in _operands(premise.condition):
                conjuncts.append(typer.attempt(typer.condition, conjunct, scope, "`when`"))
    effect = typer.attempt(_effect, typer, node.effect, scope, states, is_sum)
    if effect is None:
        return None
    guards: list[list[model.Expr]] = [[] for _ in range(len(choices) + 1)]
    if turn is not None:
        guards[0].append(turn)
    for typed in conjuncts:
        if typed is None:
            return None
        for single in _conjuncts(typed):
            guards[_bound_after(single, choices)].append(single)
    return model.Move(node.name, tuple(choices), tuple(tuple(g) for g in guards), effect, node.span)


def _effect(
    typer: Typer, node: tree.Do | tree.Into, scope: Scope, states: list[str], is_sum: bool
) -> model.Do | model.Into:
    if isinstance(node, tree.Into):
        if not is_sum:
            typer.fail(INTO_WITHOUT_SUM, node.span)
        return model.Into(parts(typer, node.parts, states, scope))
    made = updates(typer, node.updates, scope)
    gain = None if node.gain is None else typer.number(node.gain, scope, "`gain`")
    turns = [update for update in made if update.field == model.MOVER]
    if turns and is_sum:
        typer.fail(SUM_TURN, turns[0].span)
    if model.MOVER in typer.fields and not turns:
        made = (*made, player.turn(typer))
    return model.Do(made, gain)


def _operands(node: tree.Expr) -> Iterator[tree.Expr]:
    """The operands of the `and`s at the top of a condition."""
    if isinstance(node, tree.And):
        for operand in node.operands:
            yield from _operands(operand)
    else:
        yield node


def _conjuncts(expr: model.Expr) -> Iterator[model.Expr]:
    """The operands of the `and`s at the top of a typed condition: those of an expanded function, or of a chain."""
    if isinstance(expr, model.And):
        for operand in expr.operands:
            yield from _conjuncts(operand)
    else:
        yield expr


def _bound_after(conjunct: model.Expr, choices: list[model.Bind]) -> int:
    """How many choices must be made before a conjunct has a value."""
    mentioned = local_names(conjunct)
    last = 0
    for index, choice in enumerate(choices):
        if choice.name in mentioned:
            last = index + 1
    return last


def local_names(root: model.Expr) -> set[str]:
    """The names of all local variables in an expression."""
    found = set()
    waiting: list[object] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, model.LocalRef):
            found.add(node.name)
        elif isinstance(node, model.Typed | model.Bind | model.Tail):
            waiting.extend(getattr(node, field) for field in node.__struct_fields__ if field not in ("type", "span"))
        elif isinstance(node, tuple):
            waiting.extend(node)
    return found


def terminal(typer: Typer, node: tree.Terminal, is_sum: bool) -> model.Terminal:
    """The typed ending. Raises Wrong."""
    with typer.reading() as reads:
        condition = typer.condition(node.condition, ENDING, "`terminal`")
    if is_sum and "stuck" in reads:
        typer.fail(SUM_STUCK, node.condition.span)
    return model.Terminal(condition, verdict(typer, node.verdict), node.span)


def verdict(typer: Typer, node: tree.Verdict | None) -> model.Verdict | None:
    """Who wins by a verdict. Raises Wrong where it names nobody who plays."""
    if node is None:
        return None
    if node.who is None:
        return model.Verdict.DRAW
    wins = node.kind == "wins"
    if node.who in player.TURNS:
        wins = wins is (node.who == model.MOVER)
        return model.Verdict.MOVER_WINS if wins else model.Verdict.MOVER_LOSES
    number = player.player(typer, node.who, node.span, f"`{node.who} {node.kind}`")
    return model.Verdict.FIRST_WINS if wins is (number == 0) else model.Verdict.SECOND_WINS


def symmetry(typer: Typer, nodes: tuple[tree.Update, ...]) -> tuple[model.Update, ...]:
    """A change of the position that is said to change nothing. Raises Wrong."""
    made = updates(typer, nodes, RULE)
    for update in made:
        if update.op != "=":
            typer.fail(SYMMETRY_SIGN, update.span, op=update.op)
    return made


def endless(typer: Typer, node: tree.Verdict) -> model.Verdict:
    """What infinite play means. Raises Wrong: it may be a draw, or be won by a player who is named."""
    if node.who in player.TURNS:
        typer.fail(ENDLESS_TURN, node.span, who=node.who)
    made = verdict(typer, node)
    assert made is not None
    return made
