"""`min`, `max` and `if` where it is known which of their parts counts; numbers compared with quotients."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import cast

from gamespec.game import holds
from gamespec.game.context import Context
from gamespec.game.form import Form, Monomial, atom, number
from gamespec.game.linear import GOAL, Fact
from gamespec.game.model import Binary, Call, Expr, If
from gamespec.game.walk import through_lets

MOST_FACTS = 40


def settled(context: Context, form: Form) -> Form:
    """The form, with the part that counts in place of each `min`, `max` and `if` of which that is known.

    A cell stands for all cells of which the index is known to be the same.
    """
    known: dict[int, Form] | None = None
    keys: list[Hashable] = []
    for index in sorted(form.atoms):
        if known is None:
            known, keys = dict(_equations(context.facts)), list(context.atoms.ids)
        other = _part(context, index) or _same_cell(context, keys[index], known)
        if other is not None:
            replaced = form.replace(index, other)
            form = form if replaced is None else replaced
    return form


def _part(context: Context, index: int) -> Form | None:
    own = atom(index)
    for alternative in context.atoms.cases[index]:
        for fact in alternative:
            if fact.form.terms.get((index,)) != 1:
                continue
            other = own - fact.form
            if index not in other.atoms and _equal(context, own, other):
                return other
    return None


def _same_cell(context: Context, key: Hashable, known: dict[int, Form]) -> Form | None:
    """The cell with constants, and what they are equal to, in place of the numbers in its index."""
    match key:
        case ("cell", str(name), (*terms, int(constant))):
            index: Form | None = Form(dict(cast("list[tuple[Monomial, int]]", terms)), constant)
        case _:
            return None
    before = index
    for each in sorted(index.atoms) if index is not None else ():
        bounds = context.range(each)
        equal_to = number(bounds.lo) if bounds.lo == bounds.hi else known.get(each)
        if index is not None and equal_to is not None:
            index = index.replace(each, equal_to)
    if index is None or before is None or index.key == before.key:
        return None
    return context.cell(name, (index,))


def _equal(context: Context, one: Form, other: Form) -> bool:
    return context.prove(one - other) is not None and context.prove(other - one) is not None


def learn_settled(context: Context) -> None:
    """Learns what the known facts, and the laws of their numbers, say about parts that count and equal numbers."""
    facts = list(context.facts[:MOST_FACTS])
    atoms = sorted({index for fact in facts for index in fact.form.atoms})
    facts += [law for index in atoms for law in context.atoms.facts[index]]
    inner = sorted({index for fact in facts for index in fact.form.atoms})
    equations = dict(_equations(facts))
    keys = list(context.atoms.ids)
    parts: dict[int, Form] = {}
    for index in inner:
        part = _part(context, index) or _same_cell(context, keys[index], equations)
        if part is not None:
            parts[index] = part
    for index, part in equations.items():
        if index not in parts and not parts.keys() & part.atoms:
            parts[index] = part
    if not parts:
        return
    known = {fact.form.key for fact in context.facts}
    for fact in facts:
        form: Form | None = fact.form
        for index, part in parts.items():
            if form is not None and index in form.atoms:
                form = form.replace(index, part)
        if form is not None and form.key not in known:
            known.add(form.key)
            context.learn(form, fact.why)


def _equations(facts: list[Fact]) -> Iterator[tuple[int, Form]]:
    """Numbers that are known to be equal to forms without them."""
    known = {fact.form.key for fact in facts}
    for fact in facts:
        if len(fact.form.terms) > 2 or (-fact.form).key not in known:
            continue
        for monomial, factor in fact.form.terms.items():
            if len(monomial) == 1 and factor == 1 and monomial[0] not in (atom(monomial[0]) - fact.form).atoms:
                yield monomial[0], atom(monomial[0]) - fact.form
                break


def equal(context: Context, one: Form, other: Form) -> bool:
    """Whether two numbers are the same."""
    return holds.equal(context, settled(context, one), settled(context, other)) is not None


def at_most(context: Context, form: Form, expr: Expr) -> bool:
    """form ≤ expr"""
    expr = through_lets(expr, context.world.game.lets)
    match expr:
        case If(condition=condition, then=then, other=other):
            branches = [(_where(context, condition, True), then), (_where(context, condition, False), other)]
            return all(absurd(case) or at_most(case, form, branch) for case, branch in branches)
        case Call(name="min", args=args) if len(args) > 1:
            return all(at_most(context, form, arg) for arg in args)
        case Binary(op="/", left=left, right=right):
            divisor = context.form(right)
            whole = form.product(divisor)
            if whole is None or not _positive(context, divisor):
                return False
            return context.prove(settled(context, context.form(left) - whole)) is not None
        case _:
            return context.prove(settled(context, context.form(expr) - form)) is not None


def at_least(context: Context, form: Form, expr: Expr) -> bool:
    """form ≥ expr"""
    expr = through_lets(expr, context.world.game.lets)
    match expr:
        case If(condition=condition, then=then, other=other):
            branches = [(_where(context, condition, True), then), (_where(context, condition, False), other)]
            return all(absurd(case) or at_least(case, form, branch) for case, branch in branches)
        case Call(name="max", args=args) if len(args) > 1:
            return all(at_least(context, form, arg) for arg in args)
        case Binary(op="/", left=left, right=right):
            divisor = context.form(right)
            above = form.plus(1).product(divisor)
            if above is None or not _positive(context, divisor):
                return False
            return context.prove(settled(context, above - context.form(left)).plus(-1)) is not None
        case _:
            return context.prove(settled(context, form - context.form(expr))) is not None


def _where(context: Context, condition: Expr, truth: bool) -> Context:
    case = context.child()
    case.assume(condition, truth)
    learn_settled(case)
    return case


def absurd(context: Context) -> bool:
    """Whether what is known contradicts itself, as far as that is seen at once."""
    if context.void:
        return True
    context.atoms.left = GOAL
    return any(context.prove((-fact.form).plus(-1), 0) is not None for fact in context.facts)


def _positive(context: Context, form: Form) -> bool:
    return context.prove(settled(context, form).plus(-1)) is not None
