"""Windows with a ceiling: the closed form C4, recognised from the rule.

From c one may go to c+1..min(s, c + m(c)), where m never falls as c grows and the ceiling s is fixed during play. If
c + m(c) ≥ s, then G(c) = s − c. Else let t be the largest with t + m(t) < s: G(t) = 0, and for c < t the value is
that of the same game with ceiling t, because an option d > t is worth s − d ≥ s − c − m(c) > t − c (m(c) ≤ m(t) <
s − t), while the options c+1..t already give every value below t − c. Mirrored, windows go down to a floor.

Every clause of the rule that could break this is refused with its place.
"""

from __future__ import annotations

import msgspec

from gamespec.analysis.change import scalar_change
from gamespec.analysis.direction import CONST, Direction
from gamespec.analysis.evidence import Evidence
from gamespec.game.legal import move_context, playing_context, position_context
from gamespec.game.model import (
    And,
    Binary,
    Call,
    Compare,
    Const,
    Do,
    Expr,
    Field,
    GivenRef,
    LetRef,
    LocalRef,
    Move,
    Neg,
    Range,
    StateRef,
)
from gamespec.game.total import Proofs
from gamespec.game.walk import names_read, through_lets, within
from gamespec.game.world import World
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.types import IntType


class Window(msgspec.Struct, frozen=True):
    """A game of one field that moves towards a ceiling (direction +1) or a floor (−1).

    `ceiling` is the ceiling or floor, an expression of givens and params, never exceeded by the field. `steps` are
    the other arguments of the `min` that bounds a step: m(c) is their minimum, without bound if there are none.
    `constant` is true where m does not depend on the field: then G = |ceiling − c| mod (m + 1).
    Where m(c) < 1 there is no move. `span` is the bound of the choice.
    """

    field: str
    direction: int
    ceiling: Expr
    steps: tuple[Expr, ...]
    constant: bool
    span: Span
    reasons: tuple[Evidence, ...]


class NoWindow(msgspec.Struct, frozen=True):
    """Why the closed form does not apply, and where."""

    reason: str
    span: Span | None = None


class Refused(Exception):
    """The rule is no window: `refusal` says why."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.refusal = NoWindow(reason, span)


def window(world: World, proofs: Proofs) -> Window | NoWindow:
    """The window that a game's rule is, or why it is none."""
    try:
        return _window(world, proofs)
    except Refused as refused:
        return refused.refusal


def _window(world: World, proofs: Proofs) -> Window:
    field, move = only_field_and_move(world)
    nothing_else(world, field, move)
    steps = steps_from_one(world, move)
    direction = step(world, field, move)
    ends: list[Expr] = []
    rest: list[Expr] = []
    for arg in _minimum(world, steps.hi):
        end = _end(world, field, direction, arg)
        if end is None:
            rest.append(arg)
        else:
            ends.append(end)
    if not ends:
        what = f"a ceiling minus {field.name}" if direction > 0 else f"{field.name} minus a floor"
        raise Refused(f"no step is bounded by {what}", steps.hi.span)
    ceiling = _nearest(ends, direction)
    _inside(world, field, direction, ceiling)
    ways = Direction(world, field.name)
    for arg in rest:
        _monotone(world, ways, arg, direction, field.name)
    never_fails(proofs)
    reasons = [Evidence(_sentence(world, field, direction, ceiling), steps.hi.span)]
    for arg in rest:
        word = "is fixed" if ways.of(arg) == CONST else "never falls" if direction > 0 else "never rises"
        tail = "" if ways.of(arg) == CONST else f" as {field.name} grows"
        reasons.append(Evidence(f"{world.text(arg)} {word}{tail}", arg.span))
    constant = all(ways.of(arg) == CONST for arg in rest)
    return Window(field.name, direction, ceiling, tuple(rest), constant, steps.hi.span, tuple(reasons))


def only_field_and_move(world: World) -> tuple[Field, Move]:
    """The number that is the position, and the only rule for moving. Raises Refused."""
    game = world.game
    if len(game.states) != 1:
        raise Refused("there is more than one state field", game.states[1].span)
    field = game.states[0]
    if not isinstance(field.type, IntType):
        raise Refused(f"{field.name} is not a number", field.span)
    if len(game.moves) != 1:
        raise Refused("there is more than one move", game.moves[1].span)
    return field, game.moves[0]


def nothing_else(world: World, field: Field, move: Move) -> None:
    """Refuses verdicts, terminal conditions, misère play, requirements and other choices."""
    game = world.game
    for terminal in game.terminals:
        raise Refused("a terminal condition ends play before moves run out", terminal.span)
    if game.misere:
        raise Refused("the player who is stuck wins", game.winner_span)
    for condition in game.requires:
        if field.name in names_read(condition, game.lets):
            raise Refused(f"a requirement rules out some values of {field.name}", condition.span)
    if len(move.choices) != 1:
        raise Refused("not exactly one number is chosen", move.span)


def step(world: World, field: Field, move: Move) -> int:
    """+1 where the move adds the chosen number to the field, −1 where it subtracts it."""
    if not isinstance(move.effect, Do):
        raise Refused("a move leaves several components", move.span)
    updates = move.effect.updates
    context = move_context(playing_context(world, position_context(world)), move)
    change = scalar_change(context, field, updates)
    chosen = context.names[move.choices[0].name]
    if change is not None and change.key == chosen.key:
        return 1
    if change is not None and change.key == (-chosen).key:
        return -1
    raise Refused(f"the move does not change {field.name} by exactly the number chosen", updates[0].span)


def _minimum(world: World, expr: Expr) -> list[Expr]:
    """The arguments of nested `min(a, b)`, flat."""
    expr = through_lets(expr, world.game.lets)
    if isinstance(expr, Call) and expr.name == "min" and len(expr.args) > 1:
        return [part for arg in expr.args for part in _minimum(world, arg)]
    return [expr]


def _nearest(ends: list[Expr], direction: int) -> Expr:
    """The least of several ceilings or upper ends, the largest of several floors."""
    if len(ends) == 1:
        return ends[0]
    bounds = [end.type.bounds for end in ends if isinstance(end.type, IntType)]
    pick = min if direction > 0 else max
    hull = Interval(pick(each.lo for each in bounds), pick(each.hi for each in bounds))
    name = "min" if direction > 0 else "max"
    return Call(name=name, args=tuple(ends), type=IntType(hull), span=ends[0].span)


def _end(world: World, field: Field, direction: int, arg: Expr) -> Expr | None:
    """The s of an argument `s - c` (or `c - s`, downwards), where s does not depend on the state."""
    context = position_context(world)
    own = context.form(StateRef(name=field.name, type=field.type))
    fixed = context.form(arg) + own.times(direction)
    givens = {given.name for given in world.game.givens}
    known = {context.atoms.ids.get(("field", name)) for name in givens}
    if direction < 0:
        fixed = -fixed
    bounds = IntType(context.bounds(fixed))
    if not fixed.terms:
        return Const(value=fixed.constant, type=bounds, span=arg.span)
    if not fixed.atoms <= known:
        return None
    match arg:
        case Binary(op="-", left=left, right=StateRef(name=name)) if direction > 0 and name == field.name:
            return left
        case Binary(op="-", left=StateRef(name=name), right=right) if direction < 0 and name == field.name:
            return right
    state = StateRef(name=field.name, type=field.type, span=arg.span)
    if direction > 0:
        return Binary(op="+", left=arg, right=state, type=bounds, span=arg.span)
    return Binary(op="-", left=state, right=arg, type=bounds, span=arg.span)


def _inside(world: World, field: Field, direction: int, ceiling: Expr) -> None:
    context = position_context(world)
    own = context.form(StateRef(name=field.name, type=field.type))
    if context.prove((context.form(ceiling) - own).times(direction)) is None:
        end = "ceiling" if direction > 0 else "floor"
        raise Refused(f"{field.name} may lie beyond the {end} {_told(world, ceiling)}", ceiling.span)


def _monotone(world: World, ways: Direction, arg: Expr, direction: int, name: str) -> None:
    way = ways.of(arg)
    if way in {CONST, direction}:
        return
    place = ways.culprit(arg, direction)
    verb = "fall" if direction > 0 else "rise"
    raise Refused(f"{world.text(place)} may {verb} as {name} grows", place.span)


def _sentence(world: World, field: Field, direction: int, ceiling: Expr) -> str:
    way = "up to the ceiling" if direction > 0 else "down to the floor"
    return f"every move takes {field.name} a step from 1 on, {way} {_told(world, ceiling)}"


def _told(world: World, ceiling: Expr) -> str:
    return str(ceiling.value) if isinstance(ceiling, Const) else world.text(ceiling)


def steps_from_one(world: World, move: Move) -> Range:
    """The range 1..m that the one choice of a move comes from, with what guards say of its upper end."""
    bind = move.choices[0]
    chosen = through_lets(bind.within, world.game.lets)
    if not isinstance(chosen, Range):
        raise Refused(f"{bind.name} is not chosen from a range 1..m", bind.within.span)
    low = through_lets(chosen.lo, world.game.lets)
    if not isinstance(low, Const) or low.value != 1:
        raise Refused(f"the least choice of {bind.name} is not 1", chosen.lo.span)
    guards = [part for stage in move.guards for guard in stage for part in _conditions(world, guard)]
    about = [guard for guard in guards if bind.name in names_read(guard, world.game.lets)]
    ends = [chosen.hi, *(_end_of(world, guard, bind.name) for guard in about)]
    for guard in guards:
        if guard not in about and not _needless(world, guard, ends):
            raise Refused("a guard rules out some moves", guard.span)
    return msgspec.structs.replace(chosen, hi=_nearest(ends, 1))


def _conditions(world: World, guard: Expr) -> list[Expr]:
    """The conditions that a guard joins by `and`."""
    found: list[Expr] = []
    waiting, seen = [guard], set[str]()
    while waiting:
        part = waiting.pop()
        match part:
            case And(operands=operands):
                waiting += reversed(operands)
            case LetRef(name=name):
                if name not in seen:
                    seen.add(name)
                    waiting.append(world.game.lets[name])
            case _:
                found.append(part)
    return found


def _end_of(world: World, guard: Expr, name: str) -> Expr:
    """The largest number that a guard allows for a name, where it says nothing else: of `s + name <= t`, t - s."""
    other = Refused("a guard rules out some moves", guard.span)
    match guard:
        case Compare(op="<=" | "<" as op, left=less, right=more) | Compare(op=">=" | ">" as op, left=more, right=less):
            strict = op in ("<", ">")
        case _:
            raise other
    match less, more:
        case LocalRef(name=known), _ if known == name:
            taken: list[Expr] = []
        case Binary(op="+", left=LocalRef(name=known), right=rest), _ if known == name:
            taken = [rest]
        case Binary(op="+", left=rest, right=LocalRef(name=known)), _ if known == name:
            taken = [rest]
        case _, Binary(op="-", left=whole, right=LocalRef(name=known)) if known == name:
            taken, more = [less], whole
        case _:
            raise other
    taken = [rest for rest in taken if not (isinstance(rest, Const) and rest.value == 0)]
    if strict:
        taken.append(Const(value=1, type=IntType(Interval(1, 1))))
    for rest in taken:
        assert isinstance(more.type, IntType)
        assert isinstance(rest.type, IntType)
        more = Binary(op="-", left=more, right=rest, type=IntType(more.type.bounds - rest.type.bounds), span=guard.span)
    if not all(map(_has_value, within(more, world.game.lets))):
        raise other  # it may have none where the other conditions do not hold
    return more


def _has_value(part: Expr) -> bool:
    """Whether an operation has a value whatever its operands are."""
    match part:
        case Const() | StateRef() | GivenRef() | LetRef() | Neg() | Call(name="min" | "max"):
            return True
        case Binary(op=op, right=right):
            return op in ("+", "-", "*") or (op in ("/", "%") and isinstance(right, Const) and right.value != 0)
        case _:
            return False


def _needless(world: World, guard: Expr, ends: list[Expr]) -> bool:
    """Whether there is nothing to choose where a guard does not hold, some end being less than 1."""
    context = position_context(world)
    context.assume(guard, False)
    return context.void or any(context.prove(-context.form(end)) is not None for end in ends)


def never_fails(proofs: Proofs) -> None:
    """Refuses rules that are not proved to have a value everywhere."""
    for kind, span in proofs.unproved:
        raise Refused(f"not proved that the rule has a value everywhere ({kind})", span)
    if not proofs.complete:
        raise Refused("the rules are too large to be proved")
