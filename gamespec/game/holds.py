"""Questions to a context beyond `form ≥ 0`: does a condition hold, has a set an element, does it hold a number?

Every answer is the reasons in the user's words, or None where nothing was proved.
"""

from __future__ import annotations

from collections.abc import Callable

from gamespec.game.context import OPPOSITE, Context
from gamespec.game.expression import Cells, SetAfter
from gamespec.game.form import Form, number
from gamespec.game.linear import Whys
from gamespec.game.model import (
    And,
    Binary,
    Bind,
    Call,
    Compare,
    Const,
    Expr,
    Fold,
    If,
    LetRef,
    Member,
    Not,
    Or,
    Range,
    Reach,
    SetComp,
    SetOf,
    StateRef,
)
from gamespec.game.walk import through_lets
from gamespec.game.world import is_empty
from gamespec.types import ListType, SetType, is_scalar

SPLIT = 4
"""How many `if`s are looked at branch by branch to tell two numbers apart."""


def holds(context: Context, condition: Expr, truth: bool = True) -> Whys | None:
    """Whether a condition is sure to have a truth value."""
    if context.void:
        return ("this never happens",)
    match condition:
        case Const(value=value):
            return () if bool(value) is truth else None
        case Not(operand=operand):
            return holds(context, operand, not truth)
        case LetRef(name=name):
            return holds(context, context.world.game.lets[name], truth)
        case And(operands=operands) | Or(operands=operands):
            if isinstance(condition, And) is truth:
                return all_of([holds(context, operand, truth) for operand in operands])
            return _any_of(context, operands, truth)
        case Compare(op=op, left=left, right=right):
            return _compare(context, op if truth else OPPOSITE[op], left, right)
        case Member(item=item, within=within) if is_scalar(item.type):
            return (contains if truth else excludes)(context, within, context.form(item))
        case Fold(op="any" | "all" as op, item=item, tail=tail) if (op == "all") is truth:
            if truth and any(isinstance(new, Cells) for new in context.after.values()):
                from gamespec.game.cells import holds_everywhere

                return holds_everywhere(context, condition)
            return holds(context.enter(tail), item, truth)
        case If(condition=question, then=then, other=other):
            yes, no = context.child(), context.child()
            yes.assume(question)
            no.assume(question, False)
            return all_of([holds(yes, then, truth), holds(no, other, truth)])
        case _ if is_scalar(condition.type):
            form = context.form(condition)
            return context.prove(form.plus(-1) if truth else -form)
        case _:
            return None


def all_of(found: list[Whys | None]) -> Whys | None:
    """The reasons of all, or None where one is missing."""
    reasons: list[str] = []
    for each in found:
        if each is None:
            return None
        reasons += each
    return tuple(dict.fromkeys(reasons))


def _any_of(context: Context, operands: tuple[Expr, ...], truth: bool) -> Whys | None:
    """One operand holds where all those before it do not."""
    rest = context.child()
    for operand in operands:
        found = holds(rest, operand, truth)
        if found is not None:
            return found
        rest.assume(operand, not truth)
    return ("this never happens",) if rest.void else None


def _compare(context: Context, op: str, left: Expr, right: Expr) -> Whys | None:
    if not is_scalar(left.type) or not is_scalar(right.type):
        empty = right if is_empty(left) else left if is_empty(right) else None
        if op == "!=" and empty is not None:
            return nonempty(context, empty)
        if op == "==" and empty is not None:
            return vacant(context, empty)
        if op in {"<=", ">="} and context.identity(left) != context.identity(right):
            return included(context, left, right) if op == "<=" else included(context, right, left)
        if op in {"==", "<=", ">="} and context.identity(left) == context.identity(right):
            return ()
        return None
    a, b = context.form(left), context.form(right)
    match op:
        case "==":
            return all_of([context.prove(a - b), context.prove(b - a)])
        case "!=":
            return different(context, a, b)
        case "<=" | "<":
            return context.prove((b - a).plus(-(op == "<")))
        case _:
            return context.prove((a - b).plus(-(op == ">")))


def different(context: Context, left: Form, right: Form) -> Whys | None:
    difference = left - right
    if difference.key in context.unequal:
        return ()
    for one, other in ((left.key, right.key), (right.key, left.key)):
        holding = {where for form, where in context.members if form.key == one}
        if any(where in holding and form.key == other for form, where in context.outside):
            return ("one of them is in a set, the other not",)
    above = context.prove(difference.plus(-1))
    return above if above is not None else context.prove((-difference).plus(-1))


def different_in_all_cases(context: Context, left: Form, right: Form, splits: int = 2) -> Whys | None:
    """Whether two numbers differ, looking at each branch of the `if`s that they, or what equals them, may be."""
    if context.void:
        return ("this never happens",)
    found = different(context, left, right)
    if found is not None or not splits:
        return found
    atoms = (left - right).atoms
    near = atoms | {atom for fact in context.facts if fact.form.atoms & atoms for atom in fact.form.atoms}
    for atom in [atom for atom in sorted(near) if atom not in context.divided and context.atoms.cases[atom]][:SPLIT]:
        reasons: list[Whys | None] = []
        for alternative in context.atoms.cases[atom]:
            case = context.child()
            case.divided.add(atom)
            for fact in alternative:
                case.learn(fact.form, fact.why)
            reasons.append(different_in_all_cases(case, left, right, splits - 1))
            if reasons[-1] is None:
                break
        else:
            return all_of(reasons)
    return None


def equal(context: Context, left: Form, right: Form) -> Whys | None:
    if left.key == right.key:
        return ()
    return all_of([context.prove(left - right), context.prove(right - left)])


def nonempty(context: Context, within: Expr) -> Whys | None:
    """Whether a set (or a list) has an element."""
    if context.void:
        return ("this never happens",)
    identity = context.identity(within)
    if any(known == identity for _, known in context.members):
        return ("an element of it was chosen",)
    match within:
        case Const(value=frozenset() as values):
            return () if values else None
        case LetRef(name=name):
            found = nonempty(context, context.world.game.lets[name])
        case SetOf(items=items):
            found = () if items else None
        case Range(lo=lo, hi=hi):
            found = context.prove(context.form(hi) - context.form(lo))
        case Binary(op="|", left=left, right=right):
            first = nonempty(context, left)
            found = first if first is not None else nonempty(context, right)
        case Binary(op="-", left=left, right=right):
            found = _something_left(context, left, right)
        case If(condition=condition, then=then, other=other):
            yes, no = context.child(), context.child()
            yes.assume(condition)
            no.assume(condition, False)
            found = all_of([nonempty(yes, then), nonempty(no, other)])
        case SetComp(item=_, tail=tail) if tail.condition is None and len(tail.binds) == 1:
            found = nonempty(context, tail.binds[0].within)
        case Call(name="digits"):
            found = ("every number has a digit",)
        case Call(name="powers" | "squares" | "divisors" | "primes" as name, args=args):
            least = 2 if name == "primes" else 1
            found = context.prove(context.form(args[-1]).plus(-least))
        case Call(name="closure", args=args):
            found = nonempty(context, args[0])
        case _:
            found = None
    if found is None and isinstance(within.type, SetType):
        found = context.prove(context.size(within).plus(-1))
    return found


def vacant(context: Context, within: Expr) -> Whys | None:
    """Whether a set is sure to be empty."""
    if context.void:
        return ("this never happens",)
    match within:
        case LetRef(name=name):
            return vacant(context, context.world.game.lets[name])
        case SetOf(items=()) | Const(value=frozenset()) if is_empty(within):
            return ()
        case Range(lo=lo, hi=hi):
            return context.prove((context.form(lo) - context.form(hi)).plus(-1))
        case Binary(op="&", left=left, right=right):
            return apart(context, left, right)
        case Binary(op="-", left=left, right=right):
            return included(context, left, right)
        case Binary(op="|", left=left, right=right):
            return all_of([vacant(context, left), vacant(context, right)])
        case _:
            return None


def apart(context: Context, left: Expr, right: Expr) -> Whys | None:
    """Whether two sets are sure to have no element in common."""
    return _each(context, left, lambda inner, form: excludes(inner, right, form))


def included(context: Context, left: Expr, right: Expr) -> Whys | None:
    """Whether a set is sure to lie in another."""
    return _each(context, left, lambda inner, form: contains(inner, right, form))


def _each(context: Context, within: Expr, holds_for: Callable[[Context, Form], Whys | None]) -> Whys | None:
    """Whether something is sure of every element of a set, asked where it is known in which part of it that lies."""
    outer, within = resolved(context, within)
    match within:
        case Binary(op="|", left=left, right=right):
            parts = [_each_of(context, outer, part, holds_for) for part in (left, right)]
            return all_of(parts)
        case _:
            return _each_of(context, outer, within, holds_for)


def _each_of(
    context: Context, outer: Context, within: Expr, holds_for: Callable[[Context, Form], Whys | None]
) -> Whys | None:
    """The same where the set is read in the position that `outer` is about."""
    match within:
        case LetRef(name=name):
            return _each_of(context, outer, context.world.game.lets[name], holds_for)
        case Binary(op="|", left=left, right=right):
            return all_of([_each_of(context, outer, part, holds_for) for part in (left, right)])
        case SetOf(items=items):
            return all_of([holds_for(context, outer.form(item)) for item in items])
        case _:
            inner = context.child()
            inner.names, inner.after = dict(outer.names), outer.after
            form = inner.bind(Bind(" element", within))
            inner.names, inner.after = dict(context.names), context.after
            return holds_for(inner, form)


def resolved(context: Context, within: Expr) -> tuple[Context, Expr]:
    """A set as it is written in the position before the move, with a context of that position."""
    while isinstance(within, LetRef | StateRef):
        if isinstance(within, LetRef):
            within = context.world.game.lets[within.name]
            continue
        new = context.after.get(within.name)
        if not isinstance(new, SetAfter):
            break
        context = context.child()
        context.names, context.after = dict(new.before.names), {}
        within = new.value
    return context, within


def _something_left(context: Context, left: Expr, right: Expr) -> Whys | None:
    """Whether a difference of sets has an element."""
    whole = through_lets(left, context.world.game.lets)
    if isinstance(whole, Call) and whole.name == "digits" and _only_zero(right):
        found = context.prove(context.form(whole.args[0]).plus(-1))
        return None if found is None else (*found, "a number above 0 has a digit other than 0")
    identity = context.identity(left)
    candidates = [form for form, known in context.members if known == identity]
    if isinstance(whole, Range):
        candidates += [context.form(whole.lo), context.form(whole.hi)]
        if nonempty(context, whole) is None:
            return None
    for form in candidates[:4]:
        found = excludes(context, right, form)
        if found is not None:
            return found
    return None


def _only_zero(within: Expr) -> bool:
    match within:
        case Const(value=frozenset() as values):
            return values <= {0}
        case SetOf(items=items):
            return all(isinstance(item, Const) and item.value == 0 for item in items)
        case _:
            return False


def contains(context: Context, within: Expr, form: Form) -> Whys | None:
    """Whether a number is sure to be an element of a set."""
    if context.void:
        return ("this never happens",)
    context, within = resolved(context, within)
    identity = context.identity(within)
    for known, where in context.members:
        if where == identity or (where, identity) in context.inside:
            same = equal(context, known, form)
            if same is not None:
                return same
    match within:
        case LetRef(name=name):
            return contains(context, context.world.game.lets[name], form)
        case Const(value=frozenset() as values):
            bounds = context.bounds(form)
            if bounds.size <= 2 * len(values) and all(v in values for v in range(bounds.lo, bounds.hi + 1)):
                return ()
            return None
        case SetOf(items=items):
            for item in items:
                same = equal(context, context.form(item), form)
                if same is not None:
                    return same
            return None
        case Range(lo=lo, hi=hi):
            return all_of([context.prove(form - context.form(lo)), context.prove(context.form(hi) - form)])
        case Binary(op="|", left=left, right=right):
            first = contains(context, left, form)
            return first if first is not None else contains(context, right, form)
        case Binary(op="&", left=left, right=right):
            return all_of([contains(context, left, form), contains(context, right, form)])
        case Binary(op="-", left=left, right=right):
            return all_of([contains(context, left, form), excludes(context, right, form)])
        case Call(name="closure", args=(start, step, limit)):
            found = contains(context, start, form)
            if found is not None:
                return found
            added = equal(context, context.form(step), form) if is_scalar(step.type) else contains(context, step, form)
            return all_of([contains(context, start, number(0)), added, context.prove(context.form(limit) - form)])
        case Reach(start=start, within=around):
            return all_of([contains(context, start, form), contains(context, around, form)])
        case Call(name="powers" | "squares", args=args):
            return all_of([equal(context, form, number(1)), context.prove(context.form(args[-1]) - form)])
        case _:
            return None


def excludes(context: Context, within: Expr, form: Form) -> Whys | None:
    """Whether a number is sure not to be an element of a set."""
    if context.void:
        return ("this never happens",)
    context, within = resolved(context, within)
    identity = context.identity(within)
    for known, where in context.outside:
        if where == identity or (identity, where) in context.inside:
            same = equal(context, known, form)
            if same is not None:
                return same
    for known, where in context.members:
        if (where, identity) in context.apart_sets:
            same = equal(context, known, form)
            if same is not None:
                return same
    match within:
        case LetRef(name=name):
            return excludes(context, context.world.game.lets[name], form)
        case Const(value=frozenset() as values) if len(values) <= 16:
            return all_of([different(context, form, number(value)) for value in sorted(values)])
        case SetOf(items=items):
            return all_of([different(context, form, context.form(item)) for item in items])
        case Binary(op="|", left=left, right=right):
            return all_of([excludes(context, left, form), excludes(context, right, form)])
        case Binary(op="&", left=left, right=right):
            first = excludes(context, left, form)
            return first if first is not None else excludes(context, right, form)
        case Binary(op="-", left=left, right=right):
            first = excludes(context, left, form)
            return first if first is not None else contains(context, right, form)
        case Range(lo=lo, hi=hi):
            below = context.prove((context.form(lo) - form).plus(-1))
            return below if below is not None else context.prove((form - context.form(hi)).plus(-1))
        case Reach(within=around):
            return excludes(context, around, form)
        case StateRef() | Call() if isinstance(within.type, SetType | ListType):
            # An element of the set would be another number.
            element = context.child()
            of = within.type.of
            if not is_scalar(of):
                return None
            element.learn_member(form, within, "")
            return ("it is out of the range",) if element.void else None
        case _:
            return None


def subset(context: Context, within: Expr, lo: Form | None, hi: Form | None) -> Whys | None:
    """Whether all elements of a set lie within bounds."""
    inner = context.child()
    element = inner.bind(Bind(" element", within))
    found: list[Whys | None] = []
    if lo is not None:
        found.append(inner.prove(element - lo))
    if hi is not None:
        found.append(inner.prove(hi - element))
    return all_of(found)
