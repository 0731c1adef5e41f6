"""Expressions at one position: the meaning of every node of the model, in the plainest Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import Any, assert_never, cast

from gamespec.budget import look
from gamespec.builtins import BUILTINS
from gamespec.builtins.entry import BITS, CELLS, NothingToChoose, TooLarge, Undefined
from gamespec.game import fault, model
from gamespec.game.model import Bind, Expr, Game, Move, Position, Tail, Value
from gamespec.types import ListType, SetType

Bound = Mapping[str, Value]
"""The names bound by `choose` and `for` around an expression."""

VISIT = 16
"""What it costs to visit one value of a choice or a `for`; a computed set costs 1 for each of its elements."""

CLOCKED = 1 << 17
"""A power of two: so many steps, about a tenth of a second, lie between two looks at the clock."""


class Work:
    """Steps that may still be taken; shared by the scenes of one position and those its moves lead to."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.left = limit


class Scene:
    """A position with the data of its case.

    `lets` keeps the values of the definitions used so far, `move` is the rule being tried (for messages);
    `explains` is false where a fault is only tried out, and its message not shown.
    """

    def __init__(self, game: Game, position: Position, data: Mapping[str, Value], work: Work) -> None:
        self.game = game
        self.position = position
        self.data = data
        self.values: dict[str, Value] = dict(data)
        self.values.update(zip((field.name for field in game.states), position, strict=True))
        self.work = work
        self.lets: dict[str, Value] = {}
        self.move: Move | None = None
        self.stuck: Callable[[], bool] | None = None
        self.explains = True
        self.after: Scene | None = None  # of the position that `after` means

    def value(self, expression: Expr, bound: Bound) -> Value:
        """The value of an expression. Raises RuleFault where it has none."""
        match expression:
            case model.Const(value=value):
                return value
            case model.StateRef(name=name) | model.GivenRef(name=name):
                return self.values[name]
            case model.InputRef(name=name) | model.AnswerRef(name=name):
                return self.values[name]
            case model.After(operand=operand):
                assert self.after is not None, "only texts about a winning move say `after`"
                return self.after.value(operand, bound)
            case model.LocalRef(name=name):
                return bound[name]
            case model.LetRef(name=name):
                if name not in self.lets:
                    self.lets[name] = self.value(self.game.lets[name], {})
                return self.lets[name]
            case model.Binary(op=op, left=left, right=right):
                if isinstance(left.type, SetType | ListType):
                    return self._on_sets(expression, self.members(left, bound), self.members(right, bound), bound)
                return self._on_numbers(expression, op, self.number(left, bound), self.number(right, bound), bound)
            case model.Compare(op=op, left=left, right=right):
                return self._compare(op, left, right, bound)
            case model.Member(item=item, within=within):
                return self._member(self.number(item, bound), within, bound)
            case model.And(operands=operands):
                return all(self.truth(operand, bound) for operand in operands)
            case model.Or(operands=operands):
                return any(self.truth(operand, bound) for operand in operands)
            case model.Not(operand=operand):
                return not self.truth(operand, bound)
            case model.Neg(operand=operand):
                return -self.number(operand, bound)
            case model.If(condition=condition, then=then, other=other):
                return self.value(then if self.truth(condition, bound) else other, bound)
            case model.Index(base=base, indices=indices, dims=dims):
                cells = cast(Sequence[Value], self.value(base, bound))
                return cells[self.offset(expression, indices, dims, bound)]
            case model.Call():
                return self._call(expression, bound)
            case model.Fold():
                return self._fold(expression, bound)
            case model.Reach():
                return self._reach(expression, bound)
            case model.Range(lo=lo, hi=hi):
                numbers = self._range(lo, hi, bound)
                return frozenset(numbers[: self._room(expression, _length(numbers), bound)])
            case model.SetOf(items=items):
                return frozenset(self.number(item, bound) for item in items)
            case model.SetComp(item=item, tail=tail):
                return self._comprehension(expression, item, tail, bound)
            case model.Stuck():
                if self.stuck is None:
                    raise ValueError("`stuck` has no value while moves are looked for")
                return self.stuck()
            case _:
                assert_never(expression)

    def number(self, expression: Expr, bound: Bound) -> int:
        """The value of a number, or the number that stands for a name or a bool."""
        return cast(int, self.value(expression, bound))

    def truth(self, expression: Expr, bound: Bound) -> bool:
        return bool(self.value(expression, bound))

    def members(self, expression: Expr, bound: Bound) -> frozenset[int]:
        """The value of a set, or the elements of a list."""
        return frozenset(cast(Iterable[int], self.value(expression, bound)))

    def when(self, parts: Iterable[Expr], bound: Bound) -> str:
        """` when n = 10`: what the parts depend on here, for messages."""
        return fault.when_text(self, parts, bound)

    def works(self, parts: Iterable[Expr], name: str, value: Value) -> bool:
        """Whether the parts have values at this position with another value of one field."""
        names = [field.name for field in self.game.states]
        changed = tuple(value if each == name else old for each, old in zip(names, self.position, strict=True))
        other = Scene(self.game, changed, self.data, Work(VISIT * 1024))
        other.explains = False
        try:
            for part in parts:
                other.value(part, {})
        except fault.RuleFault:
            return False
        return True

    def known(self, expression: Expr, bound: Bound) -> Value | None:
        """The value of an expression, or None where it has none or takes long: for messages about another fault."""
        other = Scene(self.game, self.position, self.data, Work(VISIT * 256))
        other.stuck, other.explains = self.stuck, False
        try:
            return other.value(expression, bound)
        except fault.RuleFault:
            return None

    # --- sets that are gone through ------------------------------------------------------------------------

    def choices(self, expression: Expr, bound: Bound) -> Iterator[int]:
        """The elements of a set, ascending; a list counts as a set. A range is not stored."""
        return self._visited(expression, self._ordered(expression, bound, as_set=True), bound)

    def elements(self, expression: Expr, bound: Bound) -> Iterator[int]:
        """The elements of a set, ascending, or every element of a list in its order."""
        return self._visited(expression, self._ordered(expression, bound, as_set=False), bound)

    def bindings(self, tail: Tail, bound: Bound) -> Iterator[dict[str, Value]]:
        """What a `for … if …` binds, together with what is bound around it; the first name varies slowest."""
        last = len(tail.binds)

        def holds(depth: int, inner: Bound) -> bool:
            return depth < last or tail.condition is None or self.truth(tail.condition, inner)

        return nested(tail.binds, bound, self.elements, holds)

    def _ordered(self, expression: Expr, bound: Bound, as_set: bool) -> Iterable[int]:
        while isinstance(expression, model.LetRef) and isinstance(self.game.lets[expression.name], model.Range):
            expression, bound = self.game.lets[expression.name], {}
        if isinstance(expression, model.Range):
            return self._range(expression.lo, expression.hi, bound)
        values = self.value(expression, bound)
        if isinstance(values, tuple) and not as_set:
            return values
        return sorted(cast(Iterable[int], frozenset(cast(Iterable[int], values))))

    def _visited(self, expression: Expr, values: Iterable[int], bound: Bound) -> Iterator[int]:
        for value in values:
            self._pay(expression, VISIT, bound)
            yield value

    def _range(self, lo: Expr, hi: Expr, bound: Bound) -> range:
        return range(self.number(lo, bound), self.number(hi, bound) + 1)

    def _pay(self, expression: Expr, steps: int, bound: Bound) -> None:
        before = self.work.left
        self.work.left = before - steps
        if (before ^ self.work.left) >= CLOCKED:
            look()
        if self.work.left < 0:
            raise fault.too_much_work(self, expression, bound, self.work.limit // VISIT)

    def _room(self, expression: Expr, size: int, bound: Bound) -> int:
        """The size of a set that is about to be made; raises RuleFault if it is too large."""
        if size > CELLS:
            raise fault.set_too_large(self, expression, bound, size)
        self._pay(expression, size, bound)
        return size

    # --- the nodes -----------------------------------------------------------------------------------------

    def _on_numbers(self, expression: model.Binary, op: str, left: int, right: int, bound: Bound) -> int:
        match op:
            case "+":
                value = left + right
            case "-":
                value = left - right
            case "*":
                value = left * right
            case "/" | "%" if right == 0:
                raise fault.division_by_zero(self, expression, bound)
            case "/":
                value = left // right
            case "%":
                value = left % right
            case "xor":
                value = left ^ right
            case "**" if right < 0:
                raise fault.undefined(self, expression, bound, f"has the negative exponent {right}")
            case "**" if abs(left) > 1 and right > BITS:
                raise fault.number_too_large(self, expression, bound)
            case "**":
                # A base of -1, 0 or 1 needs no more than the parity of its exponent, and whether it is 0.
                value = left ** (right if right <= BITS else BITS - 1 + (right - BITS + 1) % 2)
            case _:
                raise ValueError(f"no operator on numbers: {op}")
        if value.bit_length() > BITS:
            raise fault.number_too_large(self, expression, bound)
        return value

    def _on_sets(
        self, expression: model.Binary, left: frozenset[int], right: frozenset[int], bound: Bound
    ) -> frozenset[int]:
        match expression.op:
            case "|":
                value = left | right
            case "&":
                value = left & right
            case "-":
                value = left - right
            case "xor":
                value = left ^ right
            case _:
                raise ValueError(f"no operator on sets: {expression.op}")
        self._room(expression, len(value), bound)
        return value

    def _compare(self, op: str, left: Expr, right: Expr, bound: Bound) -> bool:
        one: Any = self.value(left, bound)
        two: Any = self.value(right, bound)
        if isinstance(one, frozenset) or isinstance(two, frozenset):
            one, two = frozenset(one), frozenset(two)
        match op:
            case "==":
                return bool(one == two)
            case "!=":
                return bool(one != two)
            case "<":
                return bool(one < two)
            case "<=":
                return bool(one <= two)
            case ">":
                return bool(one > two)
            case ">=":
                return bool(one >= two)
            case _:
                raise ValueError(f"no comparison: {op}")

    def _member(self, item: int, within: Expr, bound: Bound) -> bool:
        if isinstance(within, model.Range):
            return self.number(within.lo, bound) <= item <= self.number(within.hi, bound)
        return item in cast(Sequence[int], self.value(within, bound))

    def offset(
        self,
        expression: model.Index | model.Update,
        indices: Sequence[Expr],
        dims: Sequence[tuple[Expr, Expr]],
        bound: Bound,
    ) -> int:
        """The place of a cell in its flat array, last index fastest. Raises RuleFault outside it."""
        place = 0
        for index, (first, last) in zip(indices, dims, strict=True):
            at, lo, hi = self.number(index, bound), self.number(first, {}), self.number(last, {})
            if not lo <= at <= hi:
                raise fault.outside_array(self, expression, index, (first, last), bound)
            place = place * (hi - lo + 1) + at - lo
        return place

    def _call(self, expression: model.Call, bound: Bound) -> Value:
        values = [self.value(arg, bound) for arg in expression.args]
        try:
            value = BUILTINS[expression.name].evaluate(values)
        except NothingToChoose:
            raise fault.nothing_to_choose(self, expression, bound) from None
        except (Undefined, TooLarge) as problem:
            raise fault.undefined(self, expression, bound, problem.reason) from None
        if isinstance(value, int):
            if value.bit_length() > BITS:
                raise fault.number_too_large(self, expression, bound)
            return value
        self._room(expression, len(value), bound)
        return value

    def _fold(self, expression: model.Fold, bound: Bound) -> Value:
        items = (self.value(expression.item, inner) for inner in self.bindings(expression.tail, bound))
        match expression.op:
            case "any":
                return any(items)
            case "all":
                return all(items)
            case "count":
                return sum(1 for item in items if item)
            case "min" | "max":
                pick = min if expression.op == "min" else max
                best = pick(cast(Iterator[int], items), default=None)
                if best is None:
                    raise fault.nothing_to_choose(self, expression, bound)
                return best
            case "sum":
                total = sum(cast(Iterator[int], items))
                if total.bit_length() > BITS:
                    raise fault.number_too_large(self, expression, bound)
                return total
            case "gcd":
                common = 0
                for item in cast(Iterator[int], items):
                    common = gcd(common, item)
                return common
            case _:
                raise ValueError(f"no fold: {expression.op}")

    def _comprehension(self, expression: Expr, item: Expr, tail: Tail, bound: Bound) -> frozenset[int]:
        found: set[int] = set()
        for inner in self.bindings(tail, bound):
            found.add(self.number(item, inner))
            if len(found) > CELLS:
                raise fault.set_too_large(self, expression, bound, len(found))
        return frozenset(found)

    def _reach(self, expression: model.Reach, bound: Bound) -> frozenset[int]:
        within = self.members(expression.within, bound)
        found = set(self.members(expression.start, bound) & within)
        fresh = sorted(found)
        while fresh:
            self._pay(expression, VISIT, bound)
            steps = self.members(expression.step, {**bound, expression.name: fresh.pop()})
            self._pay(expression, len(steps), bound)
            new = (steps & within) - found
            found |= new
            fresh += sorted(new)
        return frozenset(found)


def nested(
    binds: Sequence[Bind],
    bound: Bound,
    values: Callable[[Expr, Bound], Iterator[int]],
    holds: Callable[[int, Bound], bool],
) -> Iterator[dict[str, Value]]:
    """All ways to bind names one after another, in lexicographic order; a set may use the names before it.

    `holds(i, bound)` is asked when the first i names are bound (from i = 0, before any set is evaluated); if it
    is false, nothing further is bound there.
    """
    if not holds(0, bound):
        return
    if not binds:
        yield dict(bound)
        return
    pending = [(dict(bound), values(binds[0].within, bound))]
    while pending:
        outer, rest = pending[-1]
        depth = len(pending)
        for value in rest:
            inner = {**outer, binds[depth - 1].name: value}
            if not holds(depth, inner):
                continue
            if depth < len(binds):
                pending.append((inner, values(binds[depth].within, inner)))
                break
            yield inner
        else:
            pending.pop()


def _length(numbers: range) -> int:
    """The length of a range, also where `len` overflows."""
    return max(0, numbers.stop - numbers.start)
