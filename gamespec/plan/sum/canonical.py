"""Partisan components under normal play in their simplest forms.

Under normal play two games are equal, and one may stand for the other in every sum, iff the difference of the two is
lost for whoever begins. Each game has one simplest form: without options that another one dominates, and with those
that the opponent's answer reverses replaced by what that answer leaves (J. H. Conway, On Numbers and Games, chapter 10,
theorems 68 and 69). Components with one form are one class, a form of nothing is left out, and what moves leave in
several parts is added up to one form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gamespec.budget import Budget
from gamespec.plan.sum.closure import Classes, Side, numbered, parts_first
from gamespec.plan.sum.number import between
from gamespec.plan.sum.parts import Components

if TYPE_CHECKING:
    from fractions import Fraction

MOST_FORMS = 1 << 13
MOST_DEPTH = 60  # moves of one form, as forms are compared by recursion
MOST_STEPS = 1 << 18  # comparisons and additions; beyond, the components are taken as they are
BYTES = 200 * MOST_STEPS
POLLED = 1 << 10

Form = int
"""The number of a form; 0 is the game without options."""


Sides = tuple[set[Form], set[Form]]
"""The options of the player named first, and of the other."""


class TooManyForms(Exception):
    """The components have too many forms, or too deep ones."""


class Forms:
    """Simplest forms by their numbers. `options` are those of the players named first and second, ascending."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.options: list[tuple[tuple[Form, ...], tuple[Form, ...]]] = [((), ())]
        self._depth = [0]
        self._numbers: dict[tuple[tuple[Form, ...], tuple[Form, ...]], Form] = {((), ()): 0}
        self._at_most: dict[tuple[Form, Form], bool] = {}
        self._made: dict[tuple[bool, Form], bool] = {}  # comparisons of the game that is being made
        self._sums: dict[tuple[Form, Form], Form] = {}
        self._steps = 0

    def form(self, left: Iterable[Form], right: Iterable[Form]) -> Form:
        """The form of a game whose options have these forms. Raises TooManyForms."""
        sides = set(left), set(right)
        while True:
            kept = self._undominated(sides[0], 0), self._undominated(sides[1], 1)
            self._made.clear()
            bypassed = self._bypassed(kept, 0), self._bypassed(kept, 1)
            if bypassed == kept:
                break
            sides = bypassed
        key = tuple(sorted(kept[0])), tuple(sorted(kept[1]))
        if key not in self._numbers:
            depth = 1 + max(self._depth[option] for option in (*key[0], *key[1]))
            if len(self.options) >= MOST_FORMS or depth > MOST_DEPTH:
                raise TooManyForms
            self._depth.append(depth)
            self._numbers[key] = len(self.options)
            self.options.append(key)
        return self._numbers[key]

    def added(self, forms: Sequence[Form]) -> Form:
        """The form of some games side by side."""
        total = 0
        for form in forms:
            total = self._sum(total, form)
        return total

    def _sum(self, one: Form, other: Form) -> Form:
        if not one or not other:
            return one or other
        key = (one, other) if one < other else (other, one)
        if key not in self._sums:
            self._step()
            left, right = (
                [self._sum(each, other) for each in self.options[one][side]]
                + [self._sum(one, each) for each in self.options[other][side]]
                for side in (0, 1)
            )
            self._sums[key] = self.form(left, right)
        return self._sums[key]

    def at_most(self, one: Form, other: Form) -> bool:
        """Whether one game is at most another: the first player prefers none of `one` before `other`.

        No option of the first player in `one` is at least `other`, and none of the second in `other` at most `one`.
        """
        if one == other:
            return True
        key = one, other
        if key not in self._at_most:
            self._step()
            self._at_most[key] = not any(self.at_most(other, each) for each in self.options[one][0]) and not any(
                self.at_most(each, one) for each in self.options[other][1]
            )
        return self._at_most[key]

    def _better(self, side: int, one: Form, other: Form) -> bool:
        """Whether a player likes to have `one` left at least as much as `other`."""
        return self.at_most(other, one) if side == 0 else self.at_most(one, other)

    def _undominated(self, options: set[Form], side: int) -> set[Form]:
        kept: list[Form] = []
        for option in options:
            if any(self._better(side, each, option) for each in kept):
                continue
            kept = [each for each in kept if not self._better(side, option, each)] + [option]
        return set(kept)

    def _bypassed(self, sides: Sides, side: int) -> set[Form]:
        """The options of a player, those that are reversible replaced by what the answers leave."""
        made: set[Form] = set()
        for option in sides[side]:
            answers = [each for each in self.options[option][1 - side] if self._is_answer(sides, side, each)]
            made |= set(self.options[answers[0]][side]) if answers else {option}
        return made

    def _is_answer(self, sides: Sides, side: int, answer: Form) -> bool:
        """Whether the answer is no worse for the other player than the game that is being made from these options."""
        self._step()
        if side == 0:  # answer ≤ game: no first's option of the answer is ≥ the game, no second's of the game ≤ it
            return not any(self._game_at_most(sides, each) for each in self.options[answer][0]) and not any(
                self.at_most(each, answer) for each in sides[1]
            )
        return not any(self._game_at_least(sides, each) for each in self.options[answer][1]) and not any(
            self.at_most(answer, each) for each in sides[0]
        )

    def _game_at_most(self, sides: Sides, form: Form) -> bool:
        """Whether the game with these options is at most a form."""
        key = True, form
        if key not in self._made:
            self._made[key] = not any(self.at_most(form, each) for each in sides[0]) and not any(
                self._game_at_least(sides, each) for each in self.options[form][1]
            )
        return self._made[key]

    def _game_at_least(self, sides: Sides, form: Form) -> bool:
        """Whether the game with these options is at least a form."""
        key = False, form
        if key not in self._made:
            self._made[key] = not any(self.at_most(each, form) for each in sides[1]) and not any(
                self._game_at_most(sides, each) for each in self.options[form][0]
            )
        return self._made[key]

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooManyForms
        if self._steps % POLLED == 0:
            self.budget.tick(f"forms: {len(self.options):,}")


def equal_classes(components: Components, roots: Iterable[int]) -> Classes:
    """The classes of all that play makes of some components, those that are equal being one.

    Raises NotClosed where components come back or are too many, TooManyForms, SpecError where a rule fails.
    """
    budget = components.budget
    if budget.free < BYTES:
        raise TooManyForms
    forms = Forms(budget)
    of: dict[int, Form] = {}
    budget.take(BYTES, "the forms of components")
    try:
        for number in parts_first(components, roots, (0, 1)):
            sides = (components.at_turn(number, mover) for mover in (0, 1))
            left, right = ({forms.added([of[part] for part in each.parts]) for each in side.choices} for side in sides)
            of[number] = forms.form(left, right)
    finally:
        budget.give_back(BYTES)
    used = sorted(_reached(forms, of.values()))  # options have lower numbers than what they are options of
    place = {form: new for new, form in enumerate(used)}
    kinds: list[tuple[Side, ...]] = []
    values: list[Fraction | None] = []
    for form in used:
        options = forms.options[form]
        kinds.append(tuple(Side(None, tuple((place[each],) if each else () for each in side)) for side in options))
        left_values, right_values = ([values[place[each]] for each in side] for side in options)
        known = [value for value in (*left_values, *right_values) if value is not None]
        are_numbers = len(known) == len(left_values) + len(right_values)
        values.append(between(known[: len(left_values)], known[len(left_values) :]) if are_numbers else None)
    return numbered({number: place[form] for number, form in of.items()}, kinds, values)


def _reached(forms: Forms, roots: Iterable[Form]) -> set[Form]:
    found = {0, *roots}
    waiting = list(found)
    while waiting:
        for side in forms.options[waiting.pop()]:
            for each in side:
                if each not in found:
                    found.add(each)
                    waiting.append(each)
    return found
