"""Heap games recognised from the rule: `analysis.cut.HeapRule` for the data of a case.

Every way of a move (see `analysis.affine`) is solved for the number k that it takes and, where two parts are left, for
the size of one of them. Chosen names that the parts do not mention are eliminated (Fourier and Motzkin, exactly: one
coefficient of each pair is 1). What is left must be conditions on n alone, on k alone, on the size of a part, or on
the order of the two parts; anything else is refused with its place.
"""

from __future__ import annotations

from math import lcm

import msgspec

from gamespec.analysis.affine import (
    MOST_MODULUS,
    Affine,
    Condition,
    Effect,
    Evaluate,
    NotLinear,
    Reader,
    family_of,
)
from gamespec.analysis.change import outcomes
from gamespec.analysis.cut import EVERY, REMAINDERS, Cut, Family, HeapRule, Taken
from gamespec.analysis.evidence import Evidence
from gamespec.analysis.line import Line, Rest, data_of, plus
from gamespec.analysis.order import falls
from gamespec.diagnostics import LimitError
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import TooMuchWork
from gamespec.game.model import Call, Const, Expr, Game, Value
from gamespec.game.walk import names_read
from gamespec.game.world import World
from gamespec.source import Span
from gamespec.types import IntType, SetType

STEPS = 1 << 15  # of what is worked out beforehand: about a second
DATA_STEPS = 1 << 24  # of what is worked out for the data of a case; time is watched


class NoHeap(msgspec.Struct, frozen=True):
    """Why the rules are not those of a heap game, and where."""

    reason: str
    span: Span | None = None


class Heap(msgspec.Struct, frozen=True):
    """The rules of a game whose position, or component, is one heap; `rule` gives the numbers of a case.

    `fixed` is the rule where it does not depend on data, else None.
    """

    game: Game
    field: str
    effects: tuple[Effect, ...]
    over: tuple[tuple[Condition, ...], ...]
    lowest: int
    span: Span
    fixed: HeapRule | None = None

    def rule(self, givens: tuple[Value, ...]) -> HeapRule:
        """The rule for the data of a case."""
        if self.fixed is not None:
            return self.fixed
        evaluator = Evaluator(self.game, self.game.data(givens), steps=DATA_STEPS)
        position = (self.lowest,) * len(self.game.states)
        try:
            return _rule(self, lambda expr: evaluator.expr(expr, position))
        except TooMuchWork as work:
            raise LimitError(*work.diagnostics) from work

    @property
    def subtracts(self) -> bool:
        """Whether every move takes a number of a set that is fixed during play, from any heap that has so many."""
        rule = self.fixed
        if rule is None:
            about = [c.form for effect in self.effects for c in effect.conditions if self.field in c.form.names]
            if self.over or any(form.fixed for form in about):
                return False
            rule = _rule(self, _sample)  # conditions on the heap have no data in them, so they are always these
        return rule.plain and all(cut.parts == 1 and cut.least == 0 for cut in rule.cuts)

    @property
    def evidence(self) -> Evidence:
        if self.fixed is not None:
            return Evidence(f"a heap game: {self.fixed}", self.span)
        return Evidence("a heap game, once the data of a case are known", self.span)


def heap(game: Game) -> Heap | NoHeap:
    """The heap game that the rules are, or why they are none."""
    try:
        return _heap(game)
    except NotLinear as refused:
        return NoHeap(refused.reason, refused.span)


def _heap(game: Game) -> Heap:
    if len(game.states) != 1:
        raise NotLinear("a position is more than one number", game.states[1].span)
    field = game.states[0]
    if not isinstance(field.type, IntType):
        raise NotLinear(f"{field.name} is not a number", field.span)
    if not isinstance(field.lo, Const) or field.type.bounds.lo < 0:
        raise NotLinear(f"the least {field.name} is not a fixed number from 0 on", field.span)
    if not game.moves:
        raise NotLinear("there is no move", field.span)
    world = World(game)
    order = falls(world, outcomes(world)).order
    if order is None or order.fields != ((field.name, 1),):
        raise NotLinear(f"not proved that every move takes something from {field.name}", game.moves[0].span)
    reader = Reader(game, field.name)
    for condition in game.requires:
        if not reader.is_fixed(condition):
            raise NotLinear(f"a requirement rules out some values of {field.name}", condition.span)
    over: list[tuple[Condition, ...]] = []
    for terminal in game.terminals:
        if terminal.verdict is not None:
            raise NotLinear("a condition names the winner", terminal.span)
        over += reader.condition(terminal.condition, True)
    effects = [effect for move in game.moves for effect in reader.effects(move)]
    found = Heap(game, field.name, tuple(effects), tuple(over), field.type.bounds.lo, game.moves[0].span)
    if not _reads_data(game, found):
        evaluator = Evaluator(game, steps=STEPS)
        position = (found.lowest,)
        try:
            rule = _rule(found, lambda expr: evaluator.expr(expr, position))
        except TooMuchWork as work:
            raise NotLinear("a value that does not change takes long to work out", work.diagnostics[0].span) from None
        return msgspec.structs.replace(found, fixed=rule)
    _rule(found, _sample)  # whatever the data: how conditions look does not depend on them
    return found


def _reads_data(game: Game, found: Heap) -> bool:
    """Whether the rules depend on the data of a case."""
    givens = {given.name for given in game.givens}
    ways = [*found.over, *(effect.conditions for effect in found.effects)]
    forms = [condition.form for way in ways for condition in way]
    forms += [part for effect in found.effects for part in effect.parts]
    read = [expr for form in forms for _, expr in form.fixed]
    read += [condition.of for way in ways for condition in way if condition.of is not None]
    return any(names_read(expr, game.lets) & givens for expr in read)


def _sample(expr: Expr) -> Value:
    return frozenset({1}) if isinstance(expr.type, SetType) else 1


def _rule(found: Heap, evaluate: Evaluate) -> HeapRule:
    cuts: list[Cut] = []
    for effect in found.effects:
        cuts += Solved(found.game, found.field, effect, evaluate).cuts(found.lowest)
    over = [pair for way in found.over for pair in _over(found.field, way, evaluate) if pair[0] <= pair[1]]
    rule = HeapRule(found.lowest, tuple(dict.fromkeys(cuts)), tuple(dict.fromkeys(over)))
    if found.lowest == 0 and any(True for _ in rule.options(0)):
        raise NotLinear("an empty heap has moves", found.span)
    return rule


def _over(field: str, way: tuple[Condition, ...], evaluate: Evaluate) -> list[tuple[int, int]]:
    """The sizes, as first and last, at which a terminal condition holds."""
    low = 0
    high: int | None = None
    if len(way) == 1 and way[0].kind == "in" and way[0].form.names == {field: 1} and way[0].of is not None:
        values = evaluate(way[0].of)
        assert isinstance(values, frozenset)
        sizes = sorted(int(value) - way[0].form.rest(evaluate) for value in values)
        return [(size, size) for size in sizes if size >= 0]
    for condition in way:
        coefficient, rest = condition.form.names.get(field, 0), condition.form.rest(evaluate)
        if condition.kind != "ge" or set(condition.form.names) - {field}:
            raise NotLinear("play ends at sizes with gaps", condition.span)
        if coefficient > 0:
            low = max(low, -(rest // coefficient))
        elif coefficient < 0:
            end = rest // -coefficient
            high = end if high is None else min(high, end)
        elif rest < 0:
            high = -1
    if high is None:
        raise NotLinear("play ends at all large sizes", way[0].span if way else None)
    return [(low, high)]


TAKEN, PART = "taken by the move", "size of a part"
"""Names that no field has."""


class Solved:
    """One way of a move, solved for what is taken and for the size of a part."""

    def __init__(self, game: Game, field: str, effect: Effect, evaluate: Evaluate) -> None:
        self.game = game
        self.field = field
        self.effect = effect
        self.evaluate = evaluate
        self.lines = [
            Line(c.kind, c.form.names, c.form.rest(evaluate), c.span, c.of, data_of(c.form), c.modulus, c.remainders)
            for c in effect.conditions
        ]
        self.since = 0
        self.until: int | None = None
        self.skipped: list[int] = []

    def refuse(self, reason: str, span: Span | None = None) -> NotLinear:
        return NotLinear(reason, span or self.effect.span)

    def cuts(self, lowest: int) -> list[Cut]:
        """The moves of this way, none where it never holds."""
        parts = [
            (part.names, Rest(part.rest(self.evaluate), data_of(part)))
            for part in self.effect.parts
            if not _is_zero(part)
        ]
        for names, _ in parts:
            if not names:
                raise self.refuse("a part has the same size whatever the heap is")
        if len(parts) > 2:
            raise self.refuse("more than two parts are left")
        chosen = {name for line in self.lines for name in line.names} - {self.field}
        used = {name for part, _ in parts for name in part} - {self.field}
        for name in sorted(chosen - used):
            self._eliminate(name)
        found: Cut | None
        match parts:
            case []:
                found = self._none()
            case [part]:
                found = self._one(*part)
            case _:
                found = self._two(parts[0], parts[1])
        return [_at_least(cut, lowest) for cut in self._split(found)]

    def _eliminate(self, name: str) -> None:
        """Leaves out a name that some number must exist for, and nothing else needs."""
        about = [line for line in self.lines if name in line.names]
        if any(line.kind != "ge" for line in about):
            raise self.refuse(f"what is chosen does not change what is left, and is not from a range ({name})")
        low = [line for line in about if line.names[name] > 0]
        high = [line for line in about if line.names[name] < 0]
        self.lines = [line for line in self.lines if name not in line.names]
        for one in low:
            for other in high:
                a, b = one.names[name], -other.names[name]
                if min(a, b) != 1:
                    raise self.refuse(f"{name} is bounded by fractions", other.span)
                joined = plus(plus({}, one.names, b), other.names, a)
                data = plus(plus({}, one.data, b), other.data, a)
                self.lines.append(Line("ge", joined, b * one.rest + a * other.rest, other.span, data=data))

    def _replace(self, name: str, by: dict[str, int], rest: Rest, sign: int) -> None:
        """Puts a sum in place of a name: multiples of names, and `sign` times what is added to them."""
        self.lines = [line.replaced(name, by, sign * rest.number, plus({}, rest.data, sign)) for line in self.lines]

    # --- conditions on the heap alone ------------------------------------------------------------------------

    def _about_heap(self) -> None:
        """Takes out the conditions on n alone; one that never holds makes `until` negative."""
        rest = []
        for line in self.lines:
            if set(line.names) - {self.field}:
                rest.append(line)
                continue
            self._heap_line(line.names.get(self.field, 0), line)
        self.lines = rest

    def _heap_line(self, factor: int, line: Line) -> None:
        if not factor:
            numbers = self._numbers(line) if line.of is not None else set()
            holds = {"ge": line.rest >= 0, "ne": line.rest != 0, "in": line.rest in numbers}
            holds["mod"] = line.rest % line.modulus in line.remainders
            if not holds.get(line.kind, line.rest not in numbers):
                self.until = -1
        elif line.kind == "ne":
            if line.rest % factor == 0:
                self.skipped.append(-line.rest // factor)
        elif line.kind != "ge":
            raise self.refuse("the move is for heaps of a set of sizes", line.span)
        elif factor > 0:
            self.since = max(self.since, -(line.rest // factor))
        else:
            self._ends(line.rest // -factor)

    def _ends(self, at: int) -> None:
        self.until = at if self.until is None else min(self.until, at)

    def _split(self, cut: Cut | None) -> list[Cut]:
        """The cut, without the sizes that are skipped."""
        if cut is None or (self.until is not None and self.until < self.since):
            return []
        found, since = [], self.since
        for size in sorted(set(self.skipped)):
            if size >= since and (self.until is None or size <= self.until):
                if since < size:
                    found.append(msgspec.structs.replace(cut, since=since, until=size - 1))
                since = size + 1
        if self.until is None or since <= self.until:
            found.append(msgspec.structs.replace(cut, since=since, until=self.until))
        return found

    # --- no part, one part -----------------------------------------------------------------------------------

    def _none(self) -> Cut:
        for line in self.lines:
            if line.data:
                raise self.refuse("at which sizes all is taken depends on data of the case", line.span)
        self._about_heap()
        if self.lines:
            raise self.refuse("the move depends on more than the size of the heap", self.lines[0].span)
        return Cut(0)

    def _one(self, names: dict[str, int], rest: Rest) -> Cut | None:
        own = names.get(self.field, 0)
        others = {name: c for name, c in names.items() if name != self.field}
        taken = Taking(self)
        if not others:
            if own != 1:
                raise self.refuse("a part is a multiple or a fraction of the heap")
            taken.low = taken.high = -rest.number
        elif len(others) > 1 or abs(next(iter(others.values()))) != 1:
            raise self.refuse("how much is taken depends on several choices")
        else:
            ((name, sign),) = others.items()
            # p = own·n + sign·x + rest and k = n − p, so x = sign·((1 − own)·n − k − rest).
            by = {self.field: sign * (1 - own), TAKEN: -sign}
            self._replace(name, {n: c for n, c in by.items() if c}, rest, -sign)
        self._about_heap()
        least = 0
        for line in self.lines:
            k, n = line.names.get(TAKEN, 0), line.names.get(self.field, 0)
            if not n:
                taken.about(k, line)
            elif k == -n and n > 0 and line.kind == "ge":
                least = max(least, -(line.rest // n))
            elif k == -n and line.kind == "ne":
                if line.rest % n == 0 and -line.rest // n == least and not line.data:
                    least += 1
                else:
                    raise self.refuse("some sizes may not be left", line.span)
            elif k == -n and line.kind == "ge":
                raise self.refuse("only little may be left", line.span)
            elif line.kind in ("in", "mod"):
                raise self.refuse("what is left is one of a set", line.span)
            else:
                raise self.refuse("how much may be taken grows with the heap", line.span)
        numbers = taken.numbers()
        if self.until is not None and self.until < self.since:
            return None
        return None if numbers is None else Cut(1, numbers, least)

    # --- two parts -------------------------------------------------------------------------------------------

    def _two(self, one: tuple[dict[str, int], Rest], other: tuple[dict[str, int], Rest]) -> Cut | None:
        names = plus(one[0], other[0], 1)
        both = {name: c for name, c in names.items() if name != self.field}
        if names.get(self.field, 0) != 1:
            raise self.refuse("what is left of the heap is not a constant less than it")
        rest = Rest(one[1].number + other[1].number, plus(one[1].data, other[1].data, 1))
        taken = Taking(self)
        if not both:
            taken.low = taken.high = -rest.number
        elif len(both) > 1 or abs(next(iter(both.values()))) != 1:
            raise self.refuse("how much is taken depends on several choices")
        else:
            ((name, sign),) = both.items()
            # p + q = n + sign·z + rest = n − k, so z = sign·(−k − rest).
            self._replace(name, {TAKEN: -sign}, rest, -sign)
            first = Line("part", one[0], one[1].number, self.effect.span, data=one[1].data)
            first = first.replaced(name, {TAKEN: -sign}, -sign * rest.number, plus({}, rest.data, -sign))
            one = (first.names, Rest(first.rest, first.data))
        split = {name: c for name, c in one[0].items() if name not in (self.field, TAKEN)}
        if len(split) != 1 or abs(next(iter(split.values()))) != 1:
            raise self.refuse("the sizes of the parts do not come from one choice")
        ((name, sign),) = split.items()
        # y = sign·x + a·n + b·k + c, so x = sign·(y − a·n − b·k − c).
        by = {PART: sign, self.field: -sign * one[0].get(self.field, 0), TAKEN: -sign * one[0].get(TAKEN, 0)}
        self._replace(name, {n: c for n, c in by.items() if c}, one[1], -sign)
        if not both:
            self._fixed_taken(rest)
        self._about_heap()
        return self._parts(taken)

    def _fixed_taken(self, rest: Rest) -> None:
        """Writes conditions on a part with n − k in place of n, where k is a fixed number, `rest` below 0."""
        lines = []
        for line in self.lines:
            own = line.names.get(self.field, 0)
            if PART in line.names and own:
                names = {**line.names, TAKEN: -own}
                data = plus(line.data, rest.data, -own)
                left = line.rest - own * rest.number
                lines.append(msgspec.structs.replace(line, names=names, rest=left, data=data))
            else:
                lines.append(line)
        self.lines = lines

    def _parts(self, taken: Taking) -> Cut | None:
        least: list[int] = [-1, -1]
        unequal = False
        implied: set[int] = set()
        rest_least = 0
        for line in self.lines:
            y, k, n = (line.names.get(name, 0) for name in (PART, TAKEN, self.field))
            if not y and not n:
                taken.about(k, line)
            elif line.data:
                raise self.refuse("how a heap may be split depends on data of the case", line.span)
            elif k != -n or line.kind not in ("ge", "ne"):
                raise self.refuse("the parts are bounded by more than what is left", line.span)
            elif not y:
                if line.kind != "ge" or n < 0:
                    raise self.refuse("only some heaps may be split like this", line.span)
                rest_least = max(rest_least, -(line.rest // n))
            elif line.kind == "ne":
                if (abs(y), y + 2 * n, line.rest) != (2, 0, 0):
                    raise self.refuse("some sizes of parts are left out", line.span)
                unequal = True
            elif n == 0 and y > 0:
                least[0] = max(least[0], -(line.rest // y))
            elif n == -y and n > 0:
                least[1] = max(least[1], -(line.rest // n))
            elif y + 2 * n == 0 and abs(n) == 1 and line.rest >= -1:
                unequal = unequal or line.rest == -1
                # y ≤ q + rest bounds the other part q from below, y ≥ q - rest bounds y, by the one that is smaller.
                if line.rest <= 0:
                    implied.add(int(y < 0))
            else:
                raise self.refuse("the parts are not any two that make up what is left", line.span)
        missing = [part for part in (0, 1) if least[part] < 0 and part not in implied]
        if missing or max(least) < 0 or (min(least) >= 0 and least[0] != least[1]):
            raise self.refuse("the two parts have different least sizes")
        if rest_least > 2 * max(least):
            raise self.refuse("only large heaps may be split like this")
        # Only now, so that whether a rule is refused does not depend on the data that make a way empty.
        numbers = taken.numbers()
        if numbers is None or (self.until is not None and self.until < self.since):
            return None
        return Cut(2, numbers, max(least), unequal)

    def _numbers(self, line: Line) -> set[int]:
        assert line.of is not None
        value = self.evaluate(line.of)
        assert isinstance(value, frozenset)
        return {int(number) for number in value}


class Taking:
    """What is known of the number taken: bounds, and sets that it is in or not in."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self.low: int | None = None
        self.high: int | None = None
        self.inside: set[int] | None = None
        self.family: Family | None = None
        self.remainders: Family | None = None
        self.without: set[int] = set()

    def about(self, factor: int, line: Line) -> None:
        """A condition factor·k + rest."""
        match line.kind:
            case "ge" if factor > 0:
                low = -(line.rest // factor)
                self.low = low if self.low is None else max(self.low, low)
            case "ge":
                high = line.rest // -factor
                self.high = high if self.high is None else min(self.high, high)
            case "ne":
                if line.rest % factor == 0:
                    self.without.add(-line.rest // factor)
            case "mod":
                self._leaves(factor, line)
            case "in" if line.of is not None and family_of(line.of) and not self._is_fixed(line):
                if (factor, line.rest) != (1, 0) or line.data or self.family is not None:
                    raise self.solved.refuse("what is taken is not one of the numbers themselves", line.span)
                self.family = self._family(line.of)
            case _:
                if abs(factor) != 1:
                    raise self.solved.refuse("what is taken is a fraction of the numbers of a set", line.span)
                numbers = {(number - line.rest) * factor for number in self.solved._numbers(line)}
                if line.kind == "out":
                    self.without |= numbers
                else:
                    self.inside = numbers if self.inside is None else self.inside & numbers

    def _leaves(self, factor: int, line: Line) -> None:
        """A condition that factor·k + rest leaves one of some remainders."""
        before = self.remainders or EVERY
        modulus = lcm(line.modulus, before.modulus)
        if modulus > MOST_MODULUS:
            raise self.solved.refuse("what is taken has too many remainders", line.span)
        if line.data:
            raise self.solved.refuse("the remainders of what is taken depend on data of the case", line.span)
        left = ((factor * k + line.rest) % line.modulus for k in range(modulus))
        allowed = {k for k, remainder in enumerate(left) if remainder in line.remainders and before.holds(k)}
        self.remainders = Family.of_remainders(modulus, allowed)

    def _is_fixed(self, line: Line) -> bool:
        assert line.of is not None
        return self.solved.field not in names_read(line.of, self.solved.game.lets)

    def _family(self, expr: Expr) -> Family:
        assert isinstance(expr, Call)
        if expr.name != "powers":
            return Family(expr.name)
        base = self.solved.evaluate(expr.args[0])
        assert isinstance(base, int)
        return Family("powers", max(1, base))

    def numbers(self) -> Taken | None:
        """The numbers that may be taken; None for none at all."""
        low = max(0, self.low) if self.low is not None else 0
        if self.remainders is not None and not self.remainders.remainders:
            return None
        if self.remainders is not None and self.remainders.modulus > 1:
            if self.inside is not None:
                self.inside = set(filter(self.remainders.holds, self.inside))
            elif self.family is not None:
                raise self.solved.refuse("what is taken is one of two infinite sets", self.solved.effect.span)
            else:
                self.family = self.remainders
                low = next(k for k in range(low, low + self.family.modulus) if self.family.holds(k))
        without = tuple(sorted(k for k in self.without if k >= low))
        while without and without[0] == low:
            low, without = low + 1, without[1:]
        if self.inside is not None:
            values = tuple(sorted(k for k in self.inside if k >= low and k not in self.without))
            values = tuple(k for k in values if self.high is None or k <= self.high)
            if self.family is not None:
                known = set(self.family.upto(max(values, default=0)))
                values = tuple(k for k in values if k in known)
            return Taken(0, None, values) if values else None
        if self.high is not None and self.high < low:
            return None
        return Taken(low, self.high, None, self.family, without)


def _is_zero(part: Affine) -> bool:
    return not part.names and not part.fixed and part.constant == 0


def _at_least(cut: Cut, lowest: int) -> Cut:
    """The cut with parts that are positions, and smaller than the heap."""
    if cut.parts == 0:
        return cut
    least = max(cut.least, lowest)
    taken = cut.taken
    if cut.parts == 1 or least == 0:
        if taken.values is not None and taken.values[0] < 1:
            raise NotLinear("a move may take nothing")
        if taken.values is None and (taken.family is None or taken.family.kind == REMAINDERS) and taken.low < 1:
            raise NotLinear("a move may take nothing")
    since = cut.since
    if cut.parts == 1 and taken.values is None and taken.low == taken.high:
        # One number is taken from heaps of `since` and more: so much is left.
        least = max(least, since - taken.low)
    if since <= taken.low + cut.parts * least:
        since = 0
    return msgspec.structs.replace(cut, least=least, since=since)
