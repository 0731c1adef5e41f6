"""Whether the moves of a game are those of a game that a theorem speaks of.

Both are relations between positions: a position as forms of its fields (and of the cells that a move changes), a move
as conditions on these and on numbers that are chosen, with the forms of what is left. That they are the same is proved
in both directions: every move of the rules is one of the theorem's, and every move that the theorem wants is made by
some move of the rules, with choices that are solved for. So it does not matter how the rules are written: `min` against
two guards, a number taken against the number left, more guards than are needed, two moves for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product

import msgspec

from gamespec.analysis.change import scalar_change
from gamespec.analysis.evidence import Evidence
from gamespec.analysis.settle import absurd, at_least, at_most, equal, learn_settled, settled
from gamespec.game.context import Context
from gamespec.game.form import Form, atom, number
from gamespec.game.holds import different, holds
from gamespec.game.legal import asks_stuck, playing_context, position_context
from gamespec.game.linear import Alternatives
from gamespec.game.model import (
    And,
    Compare,
    Const,
    Do,
    Expr,
    Field,
    Game,
    If,
    Index,
    LocalRef,
    Member,
    Move,
    Not,
    Or,
    Range,
    StateRef,
    Update,
    Verdict,
)
from gamespec.game.total import Proofs
from gamespec.game.walk import through_lets, within
from gamespec.game.world import World, element_type, scalar_bounds
from gamespec.interval import Interval
from gamespec.source import Span
from gamespec.types import BoolType, IntType, is_scalar

WORK = 60_000  # combinations of facts that are looked at for one theorem
SPLITS = 3  # guards that are looked at both when they hold and when not
MOST_CASES = 16  # contexts in which one move is looked at
MOST_ORDERED = 4  # positions left by one move that are looked at in every order
MOST_TRIES = 48  # ways to choose the numbers that are not solved for
ENDLESS = 1 << 136  # beyond every number of a rule

Left = tuple[Form, ...]
"""One position that a move leaves: each scalar field, then for each cell that is changed its index and its value."""


class NoMatch(Exception):
    """Why the rules are not those of the theorem, and where. Of several, the one that got `far` tells the most."""

    def __init__(self, reason: str, span: Span | None = None, far: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span
        self.far = far


class Condition(msgspec.Struct, frozen=True):
    """The form is at least 0; with `unequal`, it is not 0."""

    form: Form
    unequal: bool = False


class Place:
    """A position where a theorem's move is made: forms of the fields and cells there."""

    def __init__(self, context: Context, shifted: bool) -> None:
        self.context = context
        self.shifted = shifted

    def field(self, field: Field) -> Form:
        """A number, counted from the least one that is declared where the theorem counts from 0."""
        own = self.context.form(StateRef(name=field.name, type=field.type))
        return own.plus(-scalar_bounds(field.type).lo) if self.shifted else own

    def cell(self, field: Field, index: Form) -> Form:
        return self.context.cell(field.name, (index,))


Numbers = Sequence[Form]


class Kind(msgspec.Struct, frozen=True):
    """One kind of moves of a theorem: `count` numbers are chosen under conditions, and positions are left.

    `text` says what one may do, for messages. `within` are bounds of the numbers that follow from the conditions.
    """

    text: str
    count: int
    conditions: Callable[[Place, Numbers], list[Condition]]
    left: Callable[[Place, Numbers], list[Left]]
    within: tuple[Interval, ...] = ()


def ge(*forms: Form) -> list[Condition]:
    """Conditions that forms are at least 0."""
    return [Condition(form) for form in forms]


class Rules:
    """The rules of a game, to be compared with theorems: what holds of all of them is asked once."""

    def __init__(self, game: Game, proofs: Proofs) -> None:
        self.game = game
        self.proofs = proofs
        self.scalars = [field for field in game.states if is_scalar(field.type)]
        self.arrays = [field for field in game.states if not is_scalar(field.type)]

    def world(self) -> World:
        """A world with its full share of work for one theorem."""
        return World(self.game, WORK)

    def refuse_other_play(self) -> None:
        """Refuses players with moves of their own, scores, and other ends of play."""
        game = self.game
        if game.partisan:
            raise NoMatch("the players have moves of their own")
        if game.scored:
            raise NoMatch("the larger sum of gains wins", game.winner_span)
        if game.misere:
            raise NoMatch("the player who is stuck wins", game.winner_span)
        for terminal in game.terminals:
            if terminal.verdict not in (None, Verdict.MOVER_LOSES) or (terminal.verdict and game.sum):
                raise NoMatch("a condition names the winner", terminal.span)
            if asks_stuck(self.world(), terminal.condition):
                raise NoMatch("a condition asks for moves", terminal.condition.span)

    def refuse_faults(self, but: str = "") -> None:
        """Refuses rules that may fail somewhere, except in a kind of proof that a theorem has of its own."""
        for kind, span in self.proofs.unproved:
            if kind != but:
                raise NoMatch(f"not proved that the rule has a value everywhere ({kind})", span)
        if not self.proofs.complete:
            raise NoMatch("the rules are too large to be proved")


class Match:
    """Compares the rules with the kinds of moves of one theorem.

    `order` are the scalar fields in the theorem's order; with `swapped`, the theorem does not tell them apart, so that
    a move may leave them in any order. `splits` are differences of which the proof may look at both signs. `proved`
    is a kind of obligations of the rules that the theorem proves itself.
    """

    def __init__(
        self,
        rules: Rules,
        order: Sequence[Field],
        *,
        shifted: bool = True,
        swapped: bool = False,
        splits: Callable[[Place], list[Form]] | None = None,
        proved: str = "",
    ) -> None:
        rules.refuse_faults(proved)
        self.rules = rules
        self.game = rules.game
        self.order = list(order)
        self.shifted = shifted
        self.swapped = swapped
        self.splits = splits
        self.world = rules.world()
        self.position = position_context(self.world)
        self.playing = playing_context(self.world, self.position)

    def prove(self, kinds: Sequence[Kind]) -> Evidence:
        """Proves that the moves are exactly those of these kinds; raises NoMatch."""
        for done, move in enumerate(self.game.moves):
            for case in (case for context in self._contexts(move) for case in self._cases(context)):
                if not self._is_known(case, move, kinds, 2):
                    what = " or ".join(kind.text for kind in kinds)
                    raise NoMatch(f"not proved that each {move.name} is {what}", move.span, 1 + done)
        for done, kind in enumerate(kinds):
            context, numbers = self._start(kind)
            for case in self._cases(context):
                if not self._is_covered(case, kind, numbers, SPLITS):
                    span = self.game.moves[0].span.to(self.game.moves[-1].span) if self.game.moves else None
                    reason = f"not proved that the rules allow all of this: {kind.text}"
                    raise NoMatch(reason, span, 100 + done)
        first = self.game.moves[0]
        return Evidence("; or ".join(dict.fromkeys(kind.text for kind in kinds)), first.span)

    def _contexts(self, move: Move) -> list[Context]:
        """Where a move is made, one for each part of an `or` among its guards that may be the first that holds."""
        found = [self.playing.child()]
        for depth, guards in enumerate(move.guards):
            for guard in (part for each in guards for part in _conjuncts(self.game, each)):
                found = [case for context in found for case in _assumed(context, guard, len(found))]
            if depth < len(move.choices):
                for context in found:
                    context.bind(move.choices[depth])
        for choice in _choices(self.game, move):
            if 2 * len(found) <= MOST_CASES:
                found = [case for context in found for case in _branches(context, choice)]
        return found

    def _cases(self, context: Context) -> Iterator[Context]:
        """The context, by the signs of the differences that are split."""
        differences = self.splits(Place(context, self.shifted)) if self.splits else []
        for signs in product((1, -1), repeat=len(differences)):
            case = context.child()
            for difference, sign in zip(differences, signs, strict=True):
                case.learn(difference if sign > 0 else (-difference).plus(-1), "")
            learn_settled(case)
            if not absurd(case):
                yield case

    # --- what a move of the rules leaves --------------------------------------------------------------------

    def left(self, context: Context, move: Move) -> list[Left]:
        """What a move leaves, with its names as they are bound; raises NoMatch where that cannot be told."""
        if isinstance(move.effect, Do):
            if move.effect.gain is not None:
                raise NoMatch("a move gains something", move.span)
            return [self._done(context, move, move.effect.updates)]
        found = []
        for part in move.effect.parts:
            if part.tail is not None:
                raise NoMatch("the number of parts depends on the position", part.span)
            args = dict(zip((field.name for field in self.game.states), part.args, strict=False))
            if self.rules.arrays:
                raise NoMatch("a part is a row", part.span)
            found.append(tuple(self._shift(field, context.form(args[field.name])) for field in self.order))
        return self._arranged(context, found)

    def _arranged(self, context: Context, left: list[Left]) -> list[Left]:
        """Many positions ordered by which fields a move keeps in them."""
        if len(left) <= MOST_ORDERED:
            return left
        place = Place(context, self.shifted)
        own = [place.field(field).key for field in self.order]
        return sorted(left, key=lambda part: [form.key == kept for form, kept in zip(part, own, strict=False)])

    def _done(self, context: Context, move: Move, updates: Sequence[Update]) -> Left:
        values: list[Form] = []
        for field in self.order:
            own = tuple(update for update in updates if update.field == field.name)
            change = scalar_change(context, field, own)
            if change is None:
                raise NoMatch(f"not known what {move.name} does to {field.name}", own[0].span)
            values.append(self._shift(field, context.form(StateRef(name=field.name, type=field.type)) + change))
        for update in updates:
            if update.field in {field.name for field in self.order}:
                continue
            if update.tail is not None or update.indices is None or len(update.indices) != 1:
                raise NoMatch(f"{move.name} changes more than single cells", update.span)
            field = self.game.state(update.field)
            index = context.form(update.indices[0])
            value = context.form(update.value)
            of = element_type(field.type)
            if of is None or not is_scalar(of) or update.op not in ("=", "+=", "-="):
                raise NoMatch(f"not known what {move.name} does to {field.name}", update.span)
            base = StateRef(name=field.name, type=field.type)
            cell = Index(base=base, indices=update.indices, dims=field.dims, type=of)
            old = context.form(cell)
            values += [index, value if update.op == "=" else old + value if update.op == "+=" else old - value]
        return tuple(values)

    def _shift(self, field: Field, form: Form) -> Form:
        return form.plus(-scalar_bounds(field.type).lo) if self.shifted else form

    def _orders(self, left: Sequence[Left]) -> Iterator[list[Left]]:
        """The same positions in every order, and their fields too where the theorem does not tell them apart.

        Many positions are in the order of `_arranged` on both sides, and only in this one.
        """
        count = len(self.order)  # what follows are cells
        if len(left) > MOST_ORDERED:
            yield list(left)
            return
        swaps = list(permutations(range(count))) if self.swapped else [tuple(range(count))]
        for parts in permutations(left):
            for ways in product(swaps, repeat=len(parts)):
                yield [(*(part[place] for place in way), *part[count:]) for part, way in zip(parts, ways, strict=True)]

    # --- every move of the rules is one of the theorem's -----------------------------------------------------

    def _is_known(self, context: Context, move: Move, kinds: Sequence[Kind], splits: int) -> bool:
        if absurd(context):
            return True
        made = self.left(context, move)
        if any(self._is_one_of(context, move, made, kind) for kind in kinds):
            return True
        if splits:
            for index, cases in self._alternatives(context):
                branches = []
                for facts in cases:
                    branch = context.child()
                    branch.cases = [other for other in context.cases if other is not cases]
                    branch.divided |= {index}
                    for fact in facts:
                        branch.learn(fact.form, fact.why)
                    learn_settled(branch)
                    branches.append(branch)
                if all(self._is_known(branch, move, kinds, splits - 1) for branch in branches):
                    return True
        return False

    def _alternatives(self, context: Context) -> Iterator[tuple[int, Alternatives]]:
        """Disjunctions that are known, and those inside the numbers that are spoken of, with the number (or −1)."""
        yield from ((-1, cases) for cases in context.cases)
        inside = sorted({index for fact in context.facts for index in fact.form.atoms} - context.divided)
        yield from [(index, cases) for index in inside if (cases := context.atoms.cases[index])][:SPLITS]

    def _is_one_of(self, context: Context, move: Move, made: list[Left], kind: Kind) -> bool:
        place = Place(context, self.shifted)
        chosen = [context.names[bind.name] for bind in move.choices]
        for order in self._orders(made):
            unknowns = [self._fresh() for _ in range(kind.count)]
            for numbers in self._solved(lambda given: self._wanted(kind, place, given), order, unknowns, chosen):
                wanted = self._wanted(kind, place, numbers)
                if all(proved(context, each) for each in kind.conditions(place, numbers)) and _same(
                    context, wanted, order
                ):
                    return True
        return False

    def _wanted(self, kind: Kind, place: Place, numbers: Numbers) -> list[Left]:
        return self._arranged(place.context, kind.left(place, numbers))

    def _fresh(self) -> Form:
        return atom(self.world.atoms.fresh(Interval(-ENDLESS, ENDLESS)))

    def _solved(
        self,
        left: Callable[[list[Form]], list[Left]],
        wanted: Sequence[Left],
        unknowns: Sequence[Form],
        candidates: Sequence[Form],
    ) -> Iterator[list[Form]]:
        """Numbers for which `left` may be what is wanted: solved for where that is linear, else tried."""
        values = list(unknowns)
        open_ = {place: unknown.atom for place, unknown in enumerate(unknowns)}
        found = True
        while found and open_:
            found = False
            made = left(values)
            if len(made) != len(wanted) or any(len(a) != len(b) for a, b in zip(made, wanted, strict=True)):
                return
            for one, other in zip(made, wanted, strict=True):
                for a, b in zip(one, other, strict=True):
                    solved = solution(a - b, open_)
                    if solved is not None and not found:
                        place, value = solved
                        values[place] = value
                        del open_[place]
                        found = True
        places = list(open_)
        for count, choice in enumerate(product(candidates, repeat=len(places))):
            if count >= MOST_TRIES:
                return
            for place, value in zip(places, choice, strict=True):
                values[place] = value
            # A value that was solved for may speak of one that is tried only now.
            final = [_replaced(value, unknowns, values, places) for value in values]
            if None not in final:
                yield [value for value in final if value is not None]

    # --- every move of the theorem is one of the rules -------------------------------------------------------

    def _start(self, kind: Kind) -> tuple[Context, list[Form]]:
        """A position where the theorem allows a move of a kind, and its numbers."""
        context = self.position.child()
        wide = [Interval(-ENDLESS, ENDLESS)] * (kind.count - len(kind.within))
        numbers = [atom(self.world.atoms.fresh(bounds)) for bounds in (*kind.within, *wide)]
        for condition in kind.conditions(Place(context, self.shifted), numbers):
            if condition.unequal:
                context.learn_unequal(condition.form, number(0), "")
            else:
                context.learn(condition.form, "")
        return context, numbers

    def _is_covered(self, context: Context, kind: Kind, numbers: list[Form], splits: int) -> bool:
        """Whether wherever the context holds, some move of the rules does what the theorem wants."""
        if absurd(context):
            return True
        learn_settled(context)
        wanted = self._wanted(kind, Place(context, self.shifted), numbers)
        best: tuple[Context, list[Expr]] | None = None
        for move in self.game.moves:
            for made in self._ways(context, move, wanted, numbers):
                missing = [guard for guard in guards_of(self.game, move) if not allows(made, guard)]
                there = made.child()
                for guard in missing:
                    there.assume(guard)
                learn_settled(there)
                if not any(_same(there, self.left(there, move), order) for order in self._orders(wanted)):
                    continue
                if not missing:
                    return True
                if absurd(there):
                    continue
                if best is None or len(missing) < len(best[1]):
                    best = made, missing
        if best is None or not splits or len(best[1]) > SPLITS:
            return False
        made, missing = best
        rest = made.child()
        for guard in missing:
            case = rest.child()
            case.assume(guard, False)
            case.names = dict(context.names)
            if not self._is_covered(case, kind, numbers, splits - 1):
                return False
            rest.assume(guard)
        return True

    def _ways(self, context: Context, move: Move, wanted: list[Left], numbers: list[Form]) -> Iterator[Context]:
        """The move with values for its choices that may leave what is wanted."""
        free = context.child()
        unknowns = [self._fresh() for _ in move.choices]

        def left(values: list[Form]) -> list[Left]:
            free.names = {**context.names, **_bound(move, values)}
            return self.left(free, move)

        ends = [number(value) for bind in move.choices for value in _ends(self.game, bind.within)]
        for order in self._orders(wanted):
            for values in self._solved(left, order, unknowns, [*numbers, *ends]):
                made = context.child()
                made.names = {**context.names, **_bound(move, values)}
                yield made


def _bound(move: Move, values: Sequence[Form]) -> dict[str, Form]:
    return {bind.name: value for bind, value in zip(move.choices, values, strict=True)}


def guards_of(game: Game, move: Move) -> Iterator[Expr]:
    """All conditions of a move, in the order in which they are tested."""
    for terminal in game.terminals:
        yield Not(operand=terminal.condition, type=BoolType())
    for depth, guards in enumerate(move.guards):
        for guard in guards:
            yield from _conjuncts(game, guard)
        if depth < len(move.choices):
            bind = move.choices[depth]
            of = element_type(bind.within.type) or IntType(Interval(0, 0))
            chosen = LocalRef(name=bind.name, type=of, span=bind.span)
            of_all = through_lets(bind.within, game.lets)
            if isinstance(of_all, Range):
                yield Compare(op="<=", left=of_all.lo, right=chosen, type=BoolType(), span=of_all.span)
                yield Compare(op="<=", left=chosen, right=of_all.hi, type=BoolType(), span=of_all.span)
            else:
                yield Member(item=chosen, within=bind.within, type=BoolType(), span=bind.span)


def _conjuncts(game: Game, guard: Expr) -> Iterator[Expr]:
    guard = through_lets(guard, game.lets)
    if isinstance(guard, And):
        for operand in guard.operands:
            yield from _conjuncts(game, operand)
    else:
        yield guard


def _assumed(context: Context, guard: Expr, already: int) -> list[Context]:
    """The context where a guard holds, by the first part of an `or` that does."""
    if not isinstance(guard, Or) or already * len(guard.operands) > MOST_CASES:
        context.assume(guard)
        return [context]
    found = []
    for part in guard.operands:
        case = context.child()
        case.assume(part)
        found.append(case)
        context.assume(part, False)
    return found


def _choices(game: Game, move: Move) -> list[If]:
    """Each `if` between numbers that a move speaks of."""
    read = [guard for guards in move.guards for guard in guards] + [bind.within for bind in move.choices]
    if isinstance(move.effect, Do):
        read += [expr for update in move.effect.updates for expr in (update.value, *(update.indices or ()))]
    parts = [part for expr in read for part in within(expr, game.lets)]
    return [part for part in parts if isinstance(part, If) and isinstance(part.type, IntType)]


def _branches(context: Context, choice: If) -> list[Context]:
    """The context, by the branches of an `if`."""
    found = []
    for truth, branch in ((True, choice.then), (False, choice.other)):
        case = context.child()
        case.assume(choice.condition, truth)
        case.learn_equal(case.form(choice), case.form(branch), "")
        found.append(case)
    return found


def _ends(game: Game, expr: Expr) -> list[int]:
    """Numbers at the ends of a range of constants."""
    expr = through_lets(expr, game.lets)
    ends = (expr.lo, expr.hi) if isinstance(expr, Range) else ()
    return [end.value for end in ends if isinstance(end, Const) and isinstance(end.value, int)]


def solution(difference: Form, unknowns: dict[int, int | None]) -> tuple[int, Form] | None:
    """The first unknown that stands alone, once, with a factor of 1 or −1, and its value where the difference is 0."""
    for place, unknown in unknowns.items():
        if unknown is None:
            continue
        factor = difference.terms.get((unknown,))
        if factor not in (1, -1) or any(unknown in m for m in difference.terms if m != (unknown,)):
            continue
        rest = difference - atom(unknown).times(factor)
        return place, rest.times(-factor)
    return None


def _replaced(value: Form, unknowns: Sequence[Form], values: Sequence[Form], places: Sequence[int]) -> Form | None:
    found: Form | None = value
    for place in places:
        unknown = unknowns[place].atom
        if found is not None and unknown is not None and unknown in found.atoms:
            found = found.replace(unknown, values[place])
    return found


def _same(context: Context, one: Sequence[Left], other: Sequence[Left]) -> bool:
    """Whether two lists of positions are the same, in this order."""
    return len(one) == len(other) and all(
        len(a) == len(b) and all(equal(context, x, y) for x, y in zip(a, b, strict=True))
        for a, b in zip(one, other, strict=True)
    )


def proved(context: Context, condition: Condition) -> bool:
    """Whether a condition of a theorem holds."""
    form = settled(context, condition.form)
    if condition.unequal:
        return different(context, form, number(0)) is not None
    return context.prove(form) is not None


def allows(context: Context, guard: Expr) -> bool:
    """Whether a guard of the rules holds."""
    if isinstance(guard, Compare) and isinstance(guard.left.type, IntType) and guard.op in ("<=", "<", ">=", ">"):
        left, right = (guard.left, guard.right) if guard.op in ("<=", "<") else (guard.right, guard.left)
        strict = int(guard.op in ("<", ">"))
        if at_most(context, context.form(left).plus(strict), right):
            return True
        if at_least(context, context.form(right).plus(-strict), left):
            return True
    return holds(context, guard) is not None
