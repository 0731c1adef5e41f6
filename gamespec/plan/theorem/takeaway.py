"""Take-away games on one heap where what was taken limits what may be taken next, as in Fibonacci Nim.

A move takes j from a heap of n, 1 ≤ j ≤ min(n, q), and the next limit is F(j), where F never falls. Let H1 = 1, and
as long as some j has F(Hj) ≥ Hk, let H(k+1) = Hk + Hj with the least such j. Every n ≥ 1 is written as a sum: the
largest H not above it is taken off, again and again. The player to move wins if and only if n ≥ 1 and q is at least
the last, least term (A. J. Schwenk, Take-away games, Fibonacci Quarterly 8 (1970), for F(j) ≥ j; R. J. Epp and T. S.
Ferguson, A note on take-away games, Fibonacci Quarterly 18 (1980), without that). With F(j) = 2j the H are the
Fibonacci numbers (M. J. Whinihan 1963), with F(j) = j the powers of 2.

The heap is one number and the limit another, or what it comes from, as the number last taken: the limit is B(c), and
a move leaves c = C(j), so that F(j) = B(C(j)). B and C are read off the rules and must depend on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.match import Kind, Left, Match, NoMatch, Numbers, Place, Rules, ge, guards_of, solution
from gamespec.budget import Budget
from gamespec.game.context import Context
from gamespec.game.form import Form, atom, number
from gamespec.game.model import (
    And,
    Binary,
    Call,
    Compare,
    Const,
    Do,
    Expr,
    Field,
    Game,
    GivenRef,
    If,
    LetRef,
    LocalRef,
    Move,
    Neg,
    Not,
    Or,
    StateRef,
    Update,
    Value,
)
from gamespec.game.walk import through_lets, within
from gamespec.game.world import element_type, scalar_bounds
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    Builder,
    add,
    binary,
    both,
    cast,
    compare,
    const,
    negate,
    select,
    signed_type,
    sub,
)
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Rules as Written
from gamespec.kernel.moves import Words
from gamespec.plan.fault import explain
from gamespec.plan.given import bound_givens
from gamespec.plan.plan import Ask, Column, Kernels
from gamespec.plan.theorem.entry import Found, Recipe, Theorem, bounds, numbers
from gamespec.plan.theorem.formula import Formula
from gamespec.plan.watch import TABLE, polled, stop
from gamespec.types import IntType, Type

WORD = ir.I128
WIDE = Interval(-(1 << 136), 1 << 136)
ROOM = 1 << 10  # terms of the base in the first attempt
POLLED = 1 << 10  # terms between two looks at the clock
LARGEST = 1 << 62  # of heaps, so that the sum of two fits 63 bits


class Chosen(msgspec.Struct, frozen=True):
    """The name that a move chooses, as `factor`·j + `heap`·n + `rest`, where j is what is taken from the heap n."""

    name: str
    factor: int
    heap: int
    rest: int


class Limit(msgspec.Struct, frozen=True):
    """A condition that bounds what is taken: `large` − `small` ≥ 0 (> 0 if `strict`), which says that j ≤ B(c)."""

    large: Expr
    small: Expr
    strict: bool


class TakeAway(Recipe, frozen=True):
    """Heap and other number, what is chosen and of which type, what limits it, and what the other number becomes."""

    heap: Field
    last: Field
    chosen: Chosen
    of: Type
    limit: Limit
    updates: tuple[Update, ...]

    def formula(self, game: Game, facts: Facts, ask: Ask) -> Formula:
        return _Formula(game, facts, ask, self)


class Reading:
    """One move read as a take-away: what B and C are, as forms."""

    def __init__(self, match: Match, heap: Field, last: Field, move: Move) -> None:
        self.match = match
        self.heap = heap
        self.last = last
        self.move = move
        self.context = match.position
        self.n = self._own(heap)
        self.c = self._own(last)
        self.chosen = self._chosen()
        self.updates = self._updates()
        self.limit = self._limit()

    def _own(self, field: Field) -> Form:
        return self.context.form(StateRef(name=field.name, type=field.type))

    @property
    def recipe(self) -> TakeAway:
        of = element_type(self.move.choices[0].within.type)
        assert of is not None
        return TakeAway(self.heap, self.last, self.chosen, of, self.limit, self.updates)

    def fresh(self) -> Form:
        return atom(self.match.world.atoms.fresh(WIDE))

    def _chosen(self) -> Chosen:
        move = self.move
        if len(move.choices) != 1 or not isinstance(move.effect, Do):
            raise NoMatch("not exactly one number is chosen", move.span)
        taken, name = self.fresh(), self.fresh()
        context = self.context.child()
        context.names = {move.choices[0].name: name}
        heap = self.match.left(context, move)[0][0]
        found = solution(heap - self.n + taken, {0: name.atom})
        if found is None:
            raise NoMatch(f"not known how {self.heap.name} changes with what is chosen", move.span, 1)
        value = found[1]
        if not value.atoms <= taken.atoms | self.n.atoms or any(len(m) > 1 for m in value.terms):
            raise NoMatch(f"what is taken from {self.heap.name} depends on more than the choice", move.span, 1)
        factors = [sum(c for m, c in value.terms.items() if m[0] in each.atoms) for each in (taken, self.n)]
        return Chosen(move.choices[0].name, factors[0], factors[1], value.constant)

    def _updates(self) -> tuple[Update, ...]:
        assert isinstance(self.move.effect, Do)
        found = tuple(update for update in self.move.effect.updates if update.field == self.last.name)
        if not found:
            raise NoMatch(f"{self.move.name} leaves {self.last.name} as it is", self.move.span, 2)
        for update in found:
            self._evaluable(update.value)
        return found

    def at(self, n: Form, c: Form, j: Form) -> Context:
        """Where j is taken from a heap of n, the other number being c."""
        context = self.context.empty()
        context.after = {self.heap.name: n, self.last.name: c}
        name = j.times(self.chosen.factor) + n.times(self.chosen.heap)
        context.names = {self.chosen.name: name.plus(self.chosen.rest)}
        return context

    def following(self, n: Form, c: Form, j: Form) -> Form:
        """The other number after the move: C(j)."""
        context, total = self.at(n, c, j), number(0)
        for update in self.updates:
            value = context.form(update.value)
            match update.op:
                case "=":
                    total = value - c
                case "+=":
                    total = total + value
                case _:
                    total = total - value
        return c + total

    def bound(self, n: Form, c: Form, j: Form, limit: Limit | None = None) -> Form:
        """How much may be taken: B(c)."""
        limit = limit or self.limit
        context = self.at(n, c, j)
        return (context.form(limit.large) - context.form(limit.small) + j).plus(-int(limit.strict))

    def _limit(self) -> Limit:
        """The condition that bounds what is taken by the other number alone."""
        places = [(self.fresh(), self.fresh(), self.fresh()) for _ in range(2)]
        for limit in self._conditions():
            (n, c, j), (m, d, k) = places
            value = self.bound(n, c, j, limit)
            if value.key == self.bound(m, c, k, limit).key != self.bound(m, d, k, limit).key:
                self._evaluable(limit.large)
                self._evaluable(limit.small)
                return limit
        raise NoMatch(f"nothing bounds what is taken by {self.last.name} alone", self.move.span, 3)

    def _conditions(self) -> Iterator[Limit]:
        for guard in guards_of(self.match.game, self.move):
            if isinstance(guard, Compare) and isinstance(guard.left.type, IntType) and guard.op in _ORDERS:
                turned, strict = _ORDERS[guard.op]
                large, small = (guard.left, guard.right) if turned else (guard.right, guard.left)
                for one in self._parts(large, "min"):
                    for other in self._parts(small, "max"):
                        yield Limit(one, other, strict)

    def _parts(self, expr: Expr, name: str) -> Iterator[Expr]:
        expr = through_lets(expr, self.match.game.lets)
        if isinstance(expr, Call) and expr.name == name and len(expr.args) > 1:
            for arg in expr.args:
                yield from self._parts(arg, name)
        else:
            yield expr

    def _evaluable(self, expr: Expr) -> None:
        """Refuses what may have no value where the rules do not ask for it."""
        for part in within(expr, self.match.game.lets):
            match part:
                case Const() | StateRef() | GivenRef() | LocalRef() | LetRef() | Neg() | If() | Compare():
                    continue
                case And() | Or() | Not():
                    continue
                case Binary(op="+" | "-" | "*"):
                    continue
                case Binary(op="/" | "%", right=right) if scalar_bounds(right.type).lo >= 1:
                    continue
                case Binary(op="**", right=Const()):
                    continue
                case Call(name="min" | "max" | "abs", args=args) if len(args) > 1 or part.name == "abs":
                    continue
                case _:
                    raise NoMatch("the limit is not made of sums, products and quotients", part.span, 3)


_ORDERS = {"<=": (False, False), "<": (False, True), ">=": (True, False), ">": (True, True)}


def recognise(rules: Rules) -> Found:
    refusals: list[NoMatch] = []
    for heap, last in (rules.scalars, rules.scalars[::-1]):
        try:
            return _recognise(rules, heap, last)
        except NoMatch as refused:
            refusals.append(refused)
    raise max(refusals, key=lambda refused: refused.far)


def _recognise(rules: Rules, heap: Field, last: Field) -> Found:
    if bounds(heap).lo != 0 or not rules.game.moves:
        raise NoMatch(f"the least {heap.name} is not 0", heap.span)
    if bounds(heap).hi >= LARGEST:
        raise NoMatch(f"{heap.name} may be too large", heap.span)
    if bounds(heap).hi < 1:
        raise NoMatch(f"{heap.name} is never above 0", heap.span)
    match = Match(rules, [heap, last], shifted=False)
    reading = Reading(match, heap, last, rules.game.moves[0])
    n, c, j = reading.fresh(), reading.fresh(), reading.fresh()
    m, d = reading.fresh(), reading.fresh()
    if reading.following(n, c, j).key != reading.following(m, d, j).key:
        reason = f"what {last.name} becomes does not depend on what is taken alone"
        raise NoMatch(reason, reading.updates[0].span, 4)

    def following(taken: Form) -> Form:
        return reading.following(reading.n, reading.c, taken)

    def limit(value: Form) -> Form:
        return reading.bound(reading.n, value, number(1))

    context = match.position.child()
    some = atom(match.world.atoms.fresh(Interval(1, bounds(heap).hi)))
    if context.prove(limit(following(some.plus(1))) - limit(following(some))) is None:
        raise NoMatch("not proved that who takes more lets the other take at least as much", heap.span, 5)

    def left(place: Place, taken: Numbers) -> list[Left]:
        return [(place.field(heap) - taken[0], following(taken[0]))]

    kind = Kind(
        f"taking 1 or more from {heap.name}, up to a limit that depends on the number taken before",
        1,
        lambda place, taken: ge(taken[0].plus(-1), place.field(heap) - taken[0], limit(place.field(last)) - taken[0]),
        left,
    )
    evidence = match.prove([kind])
    statement = (
        f"won if and only if the least term of {heap.name} may be taken, when it is written in terms "
        "H(k+1) = H(k) + H(j), j least with F(H(j)) >= H(k); F(k), the limit after k are taken, never falls"
    )
    source = "A. J. Schwenk 1970; R. J. Epp and T. S. Ferguson 1980"
    return Found("take-away games", False, statement, source, (evidence,), reading.recipe)


class _Formula(Formula):
    """The kernels have the base H as a table, with the number of its `terms`, and whether it has `ended`: then all
    terms are there, else all up to the largest heap asked."""

    name = "theorem"
    tables = (ir.Table("base", ir.U64), ir.Scalar("terms", ir.I64), ir.Scalar("ended", ir.I64))

    def __init__(self, game: Game, facts: Facts, ask: Ask, reading: TakeAway) -> None:
        super().__init__(game, facts, ask)
        self.reading = reading
        self._known: tuple[Sequence[Value], int, tuple[object, ...]] | None = None
        self._taken = 0  # bytes

    def kernels(self, ask: Ask) -> tuple[ir.Function, ...]:
        return (*super().kernels(ask), self.base())

    def value(self, b: Builder, rules: Written, position: Words) -> ir.Expr:
        heap = b.local("heap", cast(position[self.reading.heap.name], ir.I64))
        limit = b.local("limit", self._limit(b, rules, position[self.reading.last.name]))
        term = self._last_term(b, heap)
        won = both(compare("gt", heap, const(0)), compare("ge", limit, cast(term, WORD)))
        return cast(select(won, const(1), const(0)), ir.U128)

    def _last_term(self, b: Builder, heap: ir.Var) -> ir.Var:
        """The least term of a heap, 1 for the empty one."""
        last = b.local("last_index", sub(ir.Var("terms", ir.I64), 1))
        top = self._term(b, last)
        term, rest = b.local("term", const(1)), b.local("rest", heap)
        with b.when(compare("ne", ir.Var("ended", ir.I64), const(0))):
            b.assign(term, top)
            b.assign(rest, binary("mod", heap, top, ir.I64))
        going = b.local("going", compare("gt", rest, const(0)))
        with b.loop_while(going):
            # The first term is 1, so low always has one that is not too large; the next one is found below it.
            low, high = b.local("low", const(0)), b.local("high", last)
            with b.loop_while(compare("lt", low, high)):
                gap = binary("div", sub(high, low), const(2), ir.I64)
                middle = b.local("middle", sub(high, gap))
                with b.when(compare("le", self._term(b, middle), rest)):
                    b.assign(low, middle)
                with b.otherwise():
                    b.assign(high, sub(middle, 1))
            b.assign(last, low)
            b.assign(term, self._term(b, low))
            b.assign(rest, sub(rest, term))
            b.assign(going, compare("gt", rest, const(0)))
        return term

    def _term(self, b: Builder, index: ir.Expr) -> ir.Var:
        return b.local("h", cast(ir.Load("base", index, ir.U64, proof="0 ≤ index < terms"), ir.I64))

    # --- the limits of the rules -----------------------------------------------------------------------------

    def _at(self, b: Builder, rules: Written, taken: ir.Expr, last: ir.Expr, exprs: Sequence[Expr]) -> list[ir.Expr]:
        """Expressions of the rules where all of a heap is taken, the other number being `last`."""
        reading = self.reading
        of = self.shapes[reading.heap.name].type
        k = rules.at({reading.heap.name: cast(taken, of), reading.last.name: last})
        chosen = reading.chosen
        name = add(binary("mul", cast(taken, WORD), const(chosen.factor + chosen.heap, WORD), WORD), chosen.rest)
        with k.bound(chosen.name, cast(name, signed_type(scalar_bounds(reading.of)))):
            return [b.local("part", cast(k.value(expr), WORD)) for expr in exprs]

    def _limit(self, b: Builder, rules: Written, last: ir.Expr) -> ir.Expr:
        """B(c), from what the condition says where 1 is taken."""
        limit = self.reading.limit
        large, small = self._at(b, rules, const(1), last, (limit.large, limit.small))
        return add(sub(large, small), int(not limit.strict))

    def _next(self, b: Builder, rules: Written, taken: ir.Expr) -> ir.Expr:
        """F(j) = B(C(j))."""
        last = self.reading.last
        of = self.shapes[last.name].type
        before = const(bounds(last).lo, of)
        value: ir.Expr = cast(before, WORD)
        parts = self._at(b, rules, taken, before, [update.value for update in self.reading.updates])
        for update, part in zip(self.reading.updates, parts, strict=True):
            value = part if update.op == "=" else add(value, part) if update.op == "+=" else sub(value, part)
        return self._limit(b, rules, b.local(last.name, cast(value, of)))

    # --- the base --------------------------------------------------------------------------------------------

    def base(self) -> ir.Function:
        """Writes the terms up to `top` to the table; the status is twice their number, plus 1 where there are no
        more, or 0 where the table is too small."""
        b = Builder()
        b.declare(TABLE, *self.givens.params(), ir.Table("base", ir.U64), ir.Scalar("room", ir.I64))
        b.declare(ir.Scalar("top", ir.I64))
        polled(b)
        rules = self.rules(b, self.givens.names())
        b.store("base", const(0), const(1, ir.U64), proof="there is room for the first")
        count, least = b.local("count", const(1)), b.local("least", const(0))
        with b.loop_while(compare("gt", count, const(0))):
            with b.when(compare("eq", binary("and", count, const(POLLED - 1), ir.I64), const(0))):
                assert b.poll is not None
                b.poll()
            last = self._term(b, sub(count, 1))
            looking, found = b.local("looking", TRUE), b.local("found", FALSE)
            with b.loop_while(looking):
                with b.when(compare("ge", least, count)):
                    b.assign(looking, FALSE)
                with b.otherwise():
                    limit = self._next(b, rules, self._term(b, least))
                    with b.when(compare("ge", limit, cast(last, WORD))):
                        b.assign(found, TRUE)
                        b.assign(looking, FALSE)
                    with b.otherwise():
                        b.assign(least, add(least, 1))
            with b.when(negate(found)):
                b.returns(add(add(count, count), 1))
            following = b.local("following", add(last, self._term(b, least)))
            with b.when(compare("gt", following, ir.Var("top", ir.I64))):
                b.returns(add(count, count))
            with b.when(compare("ge", count, ir.Var("room", ir.I64))):
                b.returns(0)
            b.store("base", count, cast(following, ir.U64))
            b.assign(count, add(count, 1))
        b.returns(0)
        return b.function(f"{self.name}.base", hot=False)

    def prepared(
        self, kernels: Kernels, givens: Sequence[Value], states: Sequence[Column], budget: Budget, at: Buffer
    ) -> tuple[object, ...]:
        place = [field.name for field in self.game.states].index(self.reading.heap.name)
        top = max((int(value) for value in states[place]), default=1)  # type: ignore[arg-type]
        if self._known is not None and self._known[0] == tuple(givens) and self._known[1] >= top:
            return self._known[2]
        args, room = bound_givens(self.givens, self.game, givens), ROOM
        budget.give_back(self._taken)
        self._known, self._taken = None, 0
        while True:
            budget.take(8 * room, f"{room:,} terms of heaps")
            base = allocate(ir.U64, room)
            status = kernels[f"{self.name}.base"](at, *args, base, room, max(1, top))
            if status > 0:
                break
            budget.give_back(8 * room)
            if status == ir.STOPPED:
                stop(at, budget)
            elif status < 0:
                raise explain(self.base(), status, self.game, givens, tuple(column[0] for column in states))
            else:
                room *= 2
        self._known, self._taken = (tuple(givens), top, (base, status >> 1, status & 1)), 8 * room
        return self._known[2]


TAKEAWAY = Theorem("a take-away game", lambda game: numbers(game, 2), recognise)
