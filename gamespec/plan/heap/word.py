"""Values of a finite subtraction set as words that repeat: for sets with numbers far larger than the others.

From a heap of n only the values at n - s count, for the s of the set. A *stretch* is a row of sizes whose values are
one word over and over. While n - s stays inside one stretch for each large s, values are made by a finite machine: its
state are the last few values, as far as the small numbers look back, and it reads words that repeat. When it is in the
same state again at the same places of its words, the values between repeat up to the next size at which some n - s
leaves its stretch. So a stretch of any length costs the steps of one turn of the machine.

Nothing is supposed: every value is computed from those that the rule names. How long the words are, and how many,
depends on the set; `MOST_STEPS` bounds the work. When the last max(S) values, as stretches, are those that ended
somewhere before, the values have a period from there on (S. W. Golomb 1966, as for all finite sets).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from math import gcd, lcm

from gamespec.analysis.cut import HeapRule, TooManyNumbers, subtraction_set
from gamespec.game.reference import mex
from gamespec.plan.heap.law import is_pure

MOST_STEPS = 1 << 18  # of the machine
MOST_NEAR = 1 << 8  # sizes that its state holds
MOST_NUMBERS = 1 << 6  # of a set that words are made for
MOST_COMPARED = 1 << 5  # stretches of a window that is compared with those before
MOST_SYMBOLS = 1 << 10  # of their words
A_STRETCH = 8  # steps that the search for its ends is like

Word = tuple[int, ...]

NOTHING: Word = (-1,)  # what is read below the empty heap


class Words:
    """The values of all heaps below `known`, and of all heaps once there is a `period`."""

    def __init__(self, numbers: Iterable[int], check: Callable[[], None] = lambda: None) -> None:
        """`check` is called now and then; it raises what should end the work."""
        numbers = sorted(numbers)
        self.scale = gcd(*numbers)
        self.numbers = [number // self.scale for number in numbers]
        gap = _widest_gap(self.numbers)
        self.near, self.far = self.numbers[:gap], self.numbers[gap:]
        self.check = check
        self.starts = [-self.numbers[-1]]
        self.words = [NOTHING]
        self.known = 0  # in units of `scale`, as all sizes here
        self.period = 0
        self.steps = 0
        self.seen: dict[object, int] = {}

    def upto(self, top: int, most: int = MOST_STEPS) -> bool:
        """Whether the values of all heaps up to `top` are known now, after `most` steps in all; the work may go on."""
        most = min(most, MOST_STEPS)
        top //= self.scale
        while self.known <= top and not self.period:
            if not self._stretch(top + 1, most):
                return False
            self._look_for_period()
            self.check()
        return True

    def value(self, n: int) -> int:
        """The Grundy value of a heap that `upto` made known."""
        n //= self.scale
        if n >= self.known:
            n = self.known - self.period + (n - self.known) % self.period
        return self._at(n)

    def _at(self, n: int) -> int:
        """The value at a size below `known`, or what is read below the empty heap."""
        place = bisect_right(self.starts, n) - 1
        word = self.words[place]
        return word[(n - self.starts[place]) % len(word)]

    def _stretch(self, end: int, most: int) -> bool:
        """Adds the values from `known` on up to where some n - s leaves its stretch, or up to `end`; False if that
        takes more than `most` steps in all."""
        self.steps += A_STRETCH
        first = self.known
        read: list[tuple[Word, int]] = []  # what each large number reads: a word, and the place in it
        length = end - first
        for number in self.far:
            place = bisect_right(self.starts, first - number) - 1
            word = self.words[place]
            after = self.starts[place + 1] if place + 1 < len(self.starts) else first
            length = min(length, after - (first - number))
            read.append((word, (first - number - self.starts[place]) % len(word)))
        turn = lcm(*(len(word) for word, _ in read))
        back = self.near[-1] if self.near else 0
        made = [self._at(first - away) for away in range(back, 0, -1)]
        seen: dict[Word, int] = {}
        for step in range(length):
            if step % turn == 0:
                state = tuple(made[step:])
                begun = seen.setdefault(state, step)
                if begun < step:
                    self._add(tuple(made[back : back + begun]), begun)
                    self._add(tuple(made[back + begun :]), length - begun)
                    return True
            self.steps += 1
            if self.steps > most:
                return False
            options = {word[(place + step) % len(word)] for word, place in read}
            options.update(made[-number] for number in self.near)
            made.append(mex(options))
        self._add(tuple(made[back:]), length)
        return True

    def _add(self, word: Word, length: int) -> None:
        """Adds values that are a word over and over; as far as they go on like those before, to that stretch."""
        if not length:
            return
        word = _root(word)
        last, begun = self.words[-1], self.known - self.starts[-1]
        alike = 0
        # Two words over and over that agree for as long as both together agree for ever (Fine and Wilf 1965).
        while (
            alike < min(length, len(word) + len(last)) and word[alike % len(word)] == last[(begun + alike) % len(last)]
        ):
            alike += 1
        if alike < length and alike < len(word) + len(last):
            turned = alike % len(word)
            self.starts.append(self.known + alike)
            self.words.append(word[turned:] + word[:turned])
        self.known += length

    def _look_for_period(self) -> None:
        """Compares the last max(S) values with those that ended where earlier stretches did."""
        first = self.known - self.numbers[-1]
        place = bisect_right(self.starts, first) - 1
        if first < 0 or len(self.words) - place > MOST_COMPARED or sum(map(len, self.words[place:])) > MOST_SYMBOLS:
            return
        window = [(start - first, word) for start, word in zip(self.starts[place:], self.words[place:], strict=True)]
        before, word = window[0]
        turned = -before % len(word)
        window[0] = (0, word[turned:] + word[:turned])
        self.period = self.known - self.seen.setdefault(tuple(window), self.known)


def words_of(rule: HeapRule, check: Callable[[], None]) -> Words | None:
    """The words of a rule by which one of a few numbers is taken, whatever the heap; None for another one."""
    if not is_pure(rule) or not rule.finite:
        return None
    try:
        numbers = subtraction_set(rule)
    except TooManyNumbers:
        return None
    return Words(numbers, check) if 0 < len(numbers) <= MOST_NUMBERS else None


def _widest_gap(numbers: Sequence[int]) -> int:
    """How many numbers stand before the one that is the most times as large as the number before it."""
    near = bisect_right(numbers, MOST_NEAR)
    return max(
        range(min(near + 1, len(numbers))), key=lambda place: numbers[place] / (numbers[place - 1] if place else 1)
    )


def _root(word: Word) -> Word:
    """The shortest word that makes this one when it is repeated."""
    borders = [0] * len(word)  # of each beginning, the length of its longest border
    for place in range(1, len(word)):
        length = borders[place - 1]
        while length and word[place] != word[length]:
            length = borders[length - 1]
        borders[place] = length + (word[place] == word[length])
    length = len(word) - borders[-1]
    return word[:length] if len(word) % length == 0 else word
