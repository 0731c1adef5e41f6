"""The rules without their loops: every choice made, every `for` written out, terms in a normal form.

Two rules with the same ground form mean the same. A term is a constant (int, bool, frozenset), or a tuple whose first
item says what it is: `("field", name)`, `("cell", name, indices)`, `("given", name)`, or an operator with its operands.
Operands of commutative operators are sorted, those of `and` and `or` are flattened and unlike, so that the order in
which a rule was written makes no difference.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

import msgspec

from gamespec.builtins import BUILTINS
from gamespec.builtins.entry import TooLarge, Undefined
from gamespec.game import model
from gamespec.game.model import Bind, Expr, Game, Tail, Verdict
from gamespec.types import BoolType, IntType, ListType, NamesType, SetType, Type, element_bounds

Term = Any
Bound = Mapping[str, int]

MOST_TERMS = 40_000
MOST_VALUES = 512  # of one choice or `for`


class TooManyTerms(Exception):
    """The rules cannot be written out; its text says why."""

    def __init__(self, why: str = "the rules are too large to be written out move by move") -> None:
        super().__init__(why)


class GroundMove(msgspec.Struct, frozen=True):
    """A rule with its choices made: what must hold, what changes (as a set of terms), and the gain."""

    guards: frozenset[Term]
    effect: frozenset[Term]
    gain: Term = 0


class GroundGame(msgspec.Struct, frozen=True):
    """All that play depends on."""

    moves: frozenset[tuple[GroundMove, int]]  # with how often each occurs
    terminals: tuple[tuple[Term, Verdict | None], ...]
    requires: frozenset[Term]


def ground(game: Game) -> GroundGame:
    """The ground form of a game's rules. Raises TooManyTerms.

    That of the latest game is kept, as several analyses of one game want it.
    """
    global _latest  # noqa: PLW0603
    if _latest is None or _latest[0] is not game:
        try:
            _latest = game, _Grounding(game).game_form()
        except TooManyTerms as why:
            _latest = game, str(why)
    if isinstance(_latest[1], str):
        raise TooManyTerms(_latest[1])
    return _latest[1]


_latest: tuple[Game, GroundGame | str] | None = None


def assignments(game: Game, updates: Sequence[model.Update]) -> list[tuple[Term, Term]]:
    """The targets and values of updates with their `for` written out; a change that is not a plain `=` to a known
    target has the target None. Raises TooManyTerms."""
    grounding = _Grounding(game)
    found: list[tuple[Term, Term]] = []
    for update in updates:
        for inner, condition in grounding.bindings(update.tail, {}):
            if condition is False:
                continue
            indices = tuple(grounding.term(index, inner) for index in update.indices or ())
            plain = condition is True and update.op == "="
            target = ("cell", update.field, indices) if plain else None
            found.append((target, grounding.term(update.value, inner)))
    return found


def meaning(game: Game, expr: Expr) -> Term:
    """An expression about fields and givens in normal form. Raises TooManyTerms."""
    return _Grounding(game).term(expr, {})


class _Grounding:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.left = MOST_TERMS
        self.lets: dict[str, Term] = {}

    def game_form(self) -> GroundGame:
        counts: dict[GroundMove, int] = {}
        for move in self.game.moves:
            for made in self._moves(move, 0, {}, frozenset()):
                counts[made] = counts.get(made, 0) + 1
        terminals = tuple((self.term(each.condition, {}), each.verdict) for each in self.game.terminals)
        requires = frozenset(self.term(require, {}) for require in self.game.requires)
        return GroundGame(frozenset(counts.items()), terminals, requires - {True})

    # --- moves ---------------------------------------------------------------------------------------------

    def _moves(self, move: model.Move, depth: int, bound: Bound, guards: frozenset[Term]) -> Iterator[GroundMove]:
        held = conjunction([*guards, *(self.term(guard, bound) for guard in move.guards[depth])])
        if held is False:
            return
        guards = frozenset(_operands("and", held))
        if depth == len(move.choices):
            yield self._made(move, bound, guards)
            return
        bind = move.choices[depth]
        for value, condition in self._values(bind.within, bound):
            yield from self._moves(move, depth + 1, {**bound, bind.name: value}, guards | {condition})

    def _made(self, move: model.Move, bound: Bound, guards: frozenset[Term]) -> GroundMove:
        effect: dict[Term, int] = {}
        gain: Term = 0
        match move.effect:
            case model.Do(updates, gained):
                for update in updates:
                    for inner, condition in self.bindings(update.tail, bound):
                        indices = None if update.indices is None else tuple(self.term(i, inner) for i in update.indices)
                        target = ("field", update.field) if indices is None else ("cell", update.field, indices)
                        value = self.term(update.value, inner)
                        if condition is not False and not (update.op == "=" and value == target):
                            change: Term = ("update", target, update.op, value, condition)
                            effect[change] = effect.get(change, 0) + 1
                gain = 0 if gained is None else self.term(gained, bound)
            case model.Into(parts):
                for part in parts:
                    for inner, condition in self.bindings(part.tail, bound):
                        change = ("part", tuple(self.term(arg, inner) for arg in part.args), condition)
                        effect[change] = effect.get(change, 0) + 1
            case _:
                assert_never(move.effect)
        return GroundMove(guards, frozenset(effect.items()), gain)

    def bindings(self, tail: Tail | None, bound: Bound) -> Iterator[tuple[Bound, Term]]:
        """What a tail binds, each with the condition under which it does."""
        if tail is None:
            yield bound, True
            return
        yield from self._bound(tail.binds, tail.condition, bound, True)

    def _bound(
        self, binds: Sequence[Bind], condition: Expr | None, bound: Bound, held: Term
    ) -> Iterator[tuple[Bound, Term]]:
        if held is False:
            return
        if not binds:
            yield bound, held if condition is None else conjunction([held, self.term(condition, bound)])
            return
        for value, member in self._values(binds[0].within, bound):
            inner = {**bound, binds[0].name: value}
            yield from self._bound(binds[1:], condition, inner, conjunction([held, member]))

    def _values(self, within: Expr, bound: Bound) -> Iterator[tuple[int, Term]]:
        """The values that a set may have, each with the condition that it is in the set."""
        term = self.term(within, bound)
        if isinstance(term, frozenset):
            for value in sorted(term):
                yield value, True
            return
        if isinstance(within.type, ListType):
            raise TooManyTerms
        universe = element_bounds(_element(within.type))
        if universe.size > MOST_VALUES:
            raise TooManyTerms
        for value in range(universe.lo, universe.hi + 1):
            member = self._member(value, term)
            if member is not False:
                yield value, member

    # --- terms ---------------------------------------------------------------------------------------------

    def term(self, expr: Expr, bound: Bound) -> Term:
        self.left -= 1
        if self.left < 0:
            raise TooManyTerms
        match expr:
            case model.Const(value=value):
                return value
            case model.StateRef(name=name):
                return ("field", name)
            case model.GivenRef(name=name):
                return ("given", name)
            case model.LocalRef(name=name):
                return bound[name]
            case model.LetRef(name=name):
                if name not in self.lets:
                    self.lets[name] = self.term(self.game.lets[name], {})
                return self.lets[name]
            case model.Stuck():
                return ("stuck",)
            case model.Neg(operand=operand):
                return total([("*", -1, self.term(operand, bound))])
            case model.Not(operand=operand):
                return negation(self.term(operand, bound))
            case model.Binary(op=op, left=left, right=right):
                return self._binary(expr, op, self.term(left, bound), self.term(right, bound))
            case model.Compare(op=op, left=left, right=right):
                return comparison(op, self.term(left, bound), self.term(right, bound))
            case model.Member(item=item, within=within):
                return self._member(self.term(item, bound), self.term(within, bound))
            case model.And(operands=operands):
                return self._lazily(operands, bound, conjunction, False)
            case model.Or(operands=operands):
                return self._lazily(operands, bound, disjunction, True)
            case model.If(condition=condition, then=then, other=other):
                test = self.term(condition, bound)
                if isinstance(test, bool):
                    return self.term(then if test else other, bound)
                return choice(test, self.term(then, bound), self.term(other, bound))
            case model.Range(lo=lo, hi=hi):
                ends = (self.term(lo, bound), self.term(hi, bound))
                if all(isinstance(end, int) for end in ends):
                    if ends[1] - ends[0] > MOST_VALUES:
                        return ("range", *ends)
                    return frozenset(range(ends[0], ends[1] + 1))
                return ("range", *ends)
            case model.SetOf(items=items):
                return self._set([(self.term(item, bound), True) for item in items])
            case model.SetComp(item=item, tail=tail):
                return self._set([(self.term(item, inner), held) for inner, held in self.bindings(tail, bound)])
            case model.Fold():
                return self._fold(expr, bound)
            case model.Call(name=name, args=args):
                return self._call(name, [self.term(arg, bound) for arg in args], [arg.type for arg in args])
            case model.Index(base=base, indices=indices):
                at = tuple(self.term(index, bound) for index in indices)
                match base:
                    case model.StateRef(name=name):
                        return ("cell", name, at)
                    case model.GivenRef(name=name):
                        return ("given", name, at)
                    case _:
                        return ("at", self.term(base, bound), at)
            case model.Reach():
                raise TooManyTerms("what `reach` finds is not written out")
            case model.InputRef() | model.AnswerRef() | model.After():
                raise TooManyTerms  # not in rules
            case _:
                assert_never(expr)

    def _lazily(self, operands: Sequence[Expr], bound: Bound, join: Any, stop: bool) -> Term:
        """Operands up to the first that decides: what stands to its right may have no value."""
        terms = []
        for operand in operands:
            term = self.term(operand, bound)
            if term is stop:
                return stop
            terms.append(term)
        return join(terms)

    def _binary(self, expr: model.Binary, op: str, left: Term, right: Term) -> Term:
        if isinstance(expr.type, SetType):
            if isinstance(left, frozenset) and isinstance(right, frozenset):
                match op:
                    case "|":
                        return left | right
                    case "&":
                        return left & right
                    case "-":
                        return left - right
                    case "xor":
                        return left ^ right
            return (op, *(ordered([left, right]) if op != "-" else (left, right)))
        match op:
            case "+":
                return total([left, right])
            case "-":
                return total([left, ("*", -1, right)])
            case "*":
                return product(left, right)
            case _ if isinstance(left, int) and isinstance(right, int):
                if op == "xor":
                    return left ^ right
                if op == "**" and 0 <= right <= 64 and abs(left) < 1 << 16:
                    return left**right
                if op in ("/", "%") and right != 0:
                    return left // right if op == "/" else left % right
            case "xor":
                return ("xor", *ordered([left, right]))
        return (op, left, right)

    def _member(self, item: Term, within: Term) -> Term:
        if isinstance(within, frozenset):
            if isinstance(item, int):
                return item in within
            if not within:
                return False
        if isinstance(within, tuple):
            match within:
                case ("field", str(name)) if isinstance(item, int):
                    of = self.game.state(name).type
                    if item not in element_bounds(_element(of)):
                        return False
                case ("range", lo, hi):
                    return conjunction([comparison("<=", lo, item), comparison("<=", item, hi)])
                case ("set", *pairs):
                    return disjunction(
                        [conjunction([held, comparison("==", item, element)]) for element, held in pairs]
                    )
                case ("|", left, right):
                    return disjunction([self._member(item, left), self._member(item, right)])
                case ("&", left, right):
                    return conjunction([self._member(item, left), self._member(item, right)])
                case ("-", left, right):
                    return conjunction([self._member(item, left), negation(self._member(item, right))])
                case _:
                    pass
        return ("in", item, within)

    def _set(self, pairs: Sequence[tuple[Term, Term]]) -> Term:
        kept = [(element, held) for element, held in pairs if held is not False]
        if all(held is True and isinstance(element, int) for element, held in kept):
            return frozenset(int(element) for element, _ in kept)
        return ("set", *ordered(set(kept)))

    def _fold(self, expr: model.Fold, bound: Bound) -> Term:
        items = [
            (self.term(expr.item, inner), held) for inner, held in self.bindings(expr.tail, bound) if held is not False
        ]
        match expr.op:
            case "any":
                return disjunction([conjunction([held, item]) for item, held in items])
            case "all":
                return conjunction([disjunction([negation(held), item]) for item, held in items])
            case "count":
                return total([choice(conjunction([held, item]), 1, 0) for item, held in items])
            case "sum":
                return total([choice(held, item, 0) for item, held in items])
            case op:
                return (op, *ordered(items))

    def _call(self, name: str, args: Sequence[Term], types: Sequence[Type]) -> Term:
        if all(isinstance(arg, int | frozenset) for arg in args) and not any(isinstance(of, ListType) for of in types):
            try:
                value = BUILTINS[name].evaluate(args)
            except (Undefined, TooLarge):
                return (name, *args)
            if isinstance(value, int | frozenset):
                return value
        return (name, *args)


# --- normal forms ------------------------------------------------------------------------------------------


def ordered(terms: Any) -> list[Term]:
    """Terms in an order that depends on nothing but themselves."""
    return sorted(terms, key=_key)


def _key(term: Term) -> str:
    return repr(sorted(term)) if isinstance(term, frozenset) else repr(term)


def _operands(op: str, term: Term) -> tuple[Term, ...]:
    return term[1:] if isinstance(term, tuple) and term[:1] == (op,) else (term,)


def _joined(op: str, terms: Sequence[Term], neutral: bool) -> Term:
    flat = {part for term in terms for part in _operands(op, term)}
    if (not neutral) in [part for part in flat if isinstance(part, bool)]:
        return not neutral
    flat = {part for part in flat if not isinstance(part, bool)}
    if not flat:
        return neutral
    return next(iter(flat)) if len(flat) == 1 else (op, *ordered(flat))


def conjunction(terms: Sequence[Term]) -> Term:
    return _joined("and", terms, True)


def disjunction(terms: Sequence[Term]) -> Term:
    return _joined("or", terms, False)


_NEGATED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">"}


def negation(term: Term) -> Term:
    match term:
        case bool():
            return not term
        case ("not", inner):
            return inner
        case ("and", *parts):
            return disjunction([negation(part) for part in parts])
        case ("or", *parts):
            return conjunction([negation(part) for part in parts])
        case ("==" | "!=" | "<" | "<=", left, right):
            return comparison(_NEGATED[term[0]], left, right)
        case _:
            return ("not", term)


def comparison(op: str, left: Term, right: Term) -> Term:
    """A comparison as `==`, `!=`, `<` or `<=`."""
    if op in (">", ">="):
        op, left, right = {">": "<", ">=": "<="}[op], right, left
    if isinstance(left, int | frozenset) and isinstance(right, int | frozenset):
        match op:
            case "==":
                return left == right
            case "!=":
                return left != right
            case "<":
                return bool(operator.lt(left, right))
            case _:
                return bool(operator.le(left, right))
    if left == right:
        return op in ("==", "<=")
    return (op, *(ordered([left, right]) if op in ("==", "!=") else (left, right)))


def choice(condition: Term, then: Term, other: Term) -> Term:
    if isinstance(condition, bool):
        return then if condition else other
    return then if then == other else ("if", condition, then, other)


def product(left: Term, right: Term) -> Term:
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if isinstance(right, int):
        left, right = right, left
    if isinstance(left, int):
        return total([("*", left, right)])
    return ("*", *ordered([left, right]))


def total(terms: Sequence[Term]) -> Term:
    """A sum with constant factors: like terms are gathered, the constant stands alone."""
    constant, factors = 0, dict[Term, int]()
    waiting = [(1, term) for term in terms]
    while waiting:
        factor, term = waiting.pop()
        match term:
            case int():
                constant += factor * term
            case ("+", *parts):
                waiting += [(factor, part) for part in parts]
            case ("*", int(by), inner):
                waiting.append((factor * by, inner))
            case _:
                factors[term] = factors.get(term, 0) + factor
    parts = [term if factor == 1 else ("*", factor, term) for term, factor in factors.items() if factor]
    if not parts:
        return constant
    if constant:
        parts.append(constant)
    return parts[0] if len(parts) == 1 else ("+", *ordered(parts))


def renormalised(term: Term) -> Term:
    """A term whose parts were replaced, in normal form again."""
    if not isinstance(term, tuple) or not term or not isinstance(term[0], str):
        return term
    head, *rest = term
    match head:
        case "and" | "or":
            return _joined(head, rest, head == "and")
        case "+":
            return total(rest)
        case "*":
            return product(*rest)
        case "==" | "!=" | "<" | "<=":
            return comparison(head, *rest)
        case "if":
            return choice(*rest)
        case "not":
            return negation(rest[0])
        case "in" if isinstance(rest[0], int) and isinstance(rest[1], frozenset):
            return rest[0] in rest[1]
        case "|" | "&" | "xor" | "min" | "max" | "gcd" | "set":
            return (head, *ordered(rest))
        case _:
            return term


def _element(of: Type) -> Type:
    match of:
        case SetType(inner):
            return inner
        case IntType() | BoolType() | NamesType():
            return of
        case _:
            raise TooManyTerms
