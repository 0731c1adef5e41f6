"""Automatic sequences: the values of numbers that moves lower a little, or divide, from their digits.

Where moves lead from n to n - k, or to (n + k) / d, the values mostly are an automatic sequence: an automaton that
reads the digits of n, the first one first, ends in a state that tells the value (J.-P. Allouche and J. Shallit,
*Automatic Sequences*, 2003; the mark game of A. S. Fraenkel, *Aperiodic subtraction games*, 2011, is one).

An automaton is guessed from the values of small numbers: prefixes that agree in the values of all numbers which begin
with them, as far as these are known, become one state. Then it is proved. The states of the numbers around n, around
n / d and so on down to the largest power of d that is divided by, together with a remainder of n, decide what they are
for n·d + digit; so all combinations that occur are found from those of small numbers, and for each it is looked
whether the value is the one that the rule makes of the values of the options. If it always is, the automaton's values
are the values of the game, by induction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm
from typing import cast

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.analysis.numeral import NoNumeral
from gamespec.analysis.quotient import Quotient, quotient
from gamespec.answers.ask import interacts
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import LOST, WON, Game, Value
from gamespec.game.reference import mex
from gamespec.kernel import ir
from gamespec.plan.listing import played_options
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Option, Plan, Reason, Refusal
from gamespec.plan.valuation import Kind, TooLong, Valuation, valuation

NAME = "automatic"

NANOSECONDS = 5e8  # finding it again
KNOWN = (1 << 12, 1 << 15, 1 << 18)  # values that the automaton is guessed from, or a few more
CHECKED = 1 << 10  # numbers between two looks at the clock
MOST_STATES = 1 << 9
MOST_TUPLES = 1 << 15
FOUND = "automatic"


class Automatic(msgspec.Struct, frozen=True):
    """The values of all numbers, the smallest ones in `small`.

    `states[m]` is the state of a number m with a value in `small`, `after[state][digit]` that of m · base + digit, and
    `values[state]` what it tells. `tuples` were looked at for the proof.
    """

    base: int
    small: tuple[int, ...]
    states: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    tuples: int

    def value(self, number: int) -> int:
        if number < len(self.small):
            return self.small[number]
        digits = []
        while number >= len(self.small):
            number, digit = divmod(number, self.base)
            digits.append(digit)
        state = self.states[number]
        for digit in reversed(digits):
            state = self.after[state][digit]
        return self.values[state]


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if interacts(game) or game.scored:
        return Refusal(NAME, Reason("positions have no outcomes or Grundy values of their own"))
    if facts.order is None:
        return Refusal(NAME, Reason(facts.no_order.text, facts.no_order.span))
    try:
        kept = valuation(game, facts, ask)
    except TooLong:
        return Refusal(NAME, Reason("scores may need more than 62 bits"))
    if kept.kind not in (Kind.OUTCOME, Kind.GRUNDY):
        return Refusal(NAME, Reason("how long play takes has no bound, and no automaton counts it"))
    found = automatic_of(game, facts, kept)
    if isinstance(found, NoNumeral):
        return Refusal(NAME, Reason(found.reason, found.span))
    text = (
        f"the values are those of an automaton with {len(found.values)} states that reads the digits in base "
        f"{found.base}; proved for {found.tuples:,} combinations of states side by side"
    )
    return Bid(NAME, NANOSECONDS, 1 << 20, (Reason(text, game.moves[0].span),))


def lower(_game: Game, _facts: Facts, _ask: Ask) -> tuple[ir.Function, ...]:
    return ()


def automatic_of(game: Game, facts: Facts, kept: Valuation) -> Automatic | NoNumeral:
    """The automaton of a game, looked for when it is first asked for."""
    name = f"{FOUND} {kept.kind.name}"
    if name not in facts.found:
        rule = quotient(game)
        facts.found[name] = rule if isinstance(rule, NoNumeral) else _Search(game, rule, kept).found()
    return cast("Automatic | NoNumeral", facts.found[name])


class _Search:
    """Guesses an automaton, and proves it."""

    def __init__(self, game: Game, rule: Quotient, kept: Valuation) -> None:
        self.game = game
        self.rule = rule
        self.grundy = kept.kind is Kind.GRUNDY
        self.evaluator = Evaluator(game)
        base = rule.base
        all_options = {option for options in rule.options for option in options}
        self.power = max((option.power for option in all_options), default=0)
        steps = [(option.more, base**option.power) for option in all_options]
        self.left = max([1, *(-(more // by) for more, by in steps)])
        self.right = max([1, *((more + by - 1) // by for more, by in steps)])
        self.since = max(rule.since, (self.left + 1) * base**self.power)
        self.modulus = lcm(rule.modulus, base**self.power)

    def found(self) -> Automatic | NoNumeral:
        """From few values, if they will do, else from more of them."""
        base = self.rule.base
        values: list[int] = []
        for known in KNOWN:
            length = base
            while length < known:
                length *= base
            self._extend(values, length)
            found = self._guessed(values)
            if found is not None:
                return found
        return NoNumeral("no automaton with few states was found, and proved, for the values", self.rule.span)

    def _guessed(self, values: Sequence[int]) -> Automatic | None:
        """What agrees with some values, if it is proved."""
        base, least = self.rule.base, self.rule.base * self.since + self.right + 1
        states = values
        while True:
            # Prefixes that agree for one digit more. Once that tells no more of them apart, they are states.
            count = len(states) // base
            names: dict[tuple[int, ...], int] = {}
            finer = [
                names.setdefault((values[m], *states[base * m : base * (m + 1)]), len(names)) for m in range(count)
            ]
            if count < least or len(names) > MOST_STATES:
                return None
            if len(names) == len(set(states[:count])):
                break
            states = finer
        after = {states[m]: tuple(states[base * m : base * (m + 1)]) for m in range(count)}
        told = {states[m]: values[m] for m in range(count)}
        tuples = self._prove(states, after, told)
        if not tuples:
            return None
        order = {state: place for place, state in enumerate(after)}
        return Automatic(
            base=base,
            small=tuple(values[:least]),
            states=tuple(order[states[m]] for m in range(least)),
            after=tuple(tuple(order.get(each, -1) for each in after[state]) for state in order),
            values=tuple(told[state] for state in order),
            tuples=tuples,
        )

    def _extend(self, values: list[int], length: int) -> None:
        """Adds the values of the next numbers: by the definition, then by what the rule does to all of them."""
        rule = self.rule
        values += [0] * (rule.bounds.lo - len(values))
        for number in range(len(values), rule.since):
            values.append(self._small(number, values))
        options = [[(option.more, rule.base**option.power) for option in some] for some in rule.options]
        for number in range(len(values), length):
            some = options[number % rule.modulus]
            values.append(self._value({values[(number + more) // by] for more, by in some}))

    def _small(self, number: int, values: Sequence[int]) -> int:
        ending = self.evaluator.ending((number,))
        if ending is not None and (ending.terminal is not None or not self.grundy):
            return 0 if self.grundy else (ending.verdict or self.evaluator.convention).outcome(0)
        return self._value({values[cast(int, play.results[0][0])] for play in self.evaluator.moves((number,))})

    def _value(self, options: set[int]) -> int:
        """The value of a position with options of these values."""
        if self.grundy:
            return mex(options)
        if not options:
            return self.evaluator.convention.outcome(0)
        return WON if LOST in options else LOST

    def _prove(self, states: Sequence[int], after: Mapping[int, tuple[int, ...]], told: Mapping[int, int]) -> int:
        """How many combinations occur, in all of which the value is that of the options; 0 where it is not."""
        base, left = self.rule.base, self.left
        around = range(-left, self.right + 1)
        waiting = [
            (
                tuple(tuple(states[number // base**j + i] for i in around) for j in range(self.power + 1)),
                number % self.modulus,
            )
            for number in range(self.since, base * self.since)
        ]
        seen = set(waiting)
        while waiting:
            windows, rest = waiting.pop()
            options = set()
            for option in self.rule.options[rest % self.rule.modulus]:
                by = base**option.power
                state = windows[option.power][left + (rest % by + option.more) // by]
                if state not in told:
                    return 0
                options.add(told[state])
            if told.get(windows[0][left]) != self._value(options):
                return 0
            for digit in range(base):
                try:
                    window = tuple(after[windows[0][left + (digit + i) // base]][(digit + i) % base] for i in around)
                except KeyError:
                    return 0
                new = (window, *windows[:-1]), (base * rest + digit) % self.modulus
                if new not in seen:
                    if len(seen) > MOST_TUPLES:
                        return 0
                    seen.add(new)
                    waiting.append(new)
        return len(seen)


class AutomaticSolver:
    """Reads digits."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, _kernels: Kernels, budget: Budget) -> None:
        self.kept = valuation(game, facts, plan.ask)
        found = automatic_of(game, facts, self.kept)
        assert isinstance(found, Automatic)
        self.automatic = found
        self.evaluator = Evaluator(game)
        self.budget = budget

    def values(self, _givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        return self.kept.values(self._codes(cast("Sequence[int]", states[0])))

    def options(self, _givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        ending = self.evaluator.ending((state[0],))
        if ending is not None:
            return []
        plays = self.evaluator.moves((state[0],))
        codes = self._codes([cast(int, play.results[0][0]) for play in plays])
        return played_options(plays, codes, self.kept)

    def _codes(self, numbers: Sequence[int]) -> list[int]:
        codes = []
        for place, number in enumerate(numbers):
            if place % CHECKED == 0:
                self.budget.check_time()
            codes.append(self.automatic.value(number))
        return codes
