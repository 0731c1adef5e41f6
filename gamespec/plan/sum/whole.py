"""Sums whose components interact: the whole is played, as a multiset of components.

Under misère play, where the players have moves of their own, or where an end of one component ends the whole, a
component has no value that could be added to others. (The rule of misère Nim is wrong for most games, Kayles 1 + 5 for
one.) So positions are multisets: sorted tuples of small numbers that `plan.sum.parts` gives to components, in front of
them whose turn it is. Components that nobody can move in any more are left out, and where all that are left are numbers
(`plan.sum.number`) or tame (`plan.sum.genus`) nothing is searched. Where play ends, a search with a table of values
finds them: a kernel over words (`plan.sum.multiset`) if it may be long, and all components that can be reached are
known beforehand; where play need not end, all positions that can be reached are solved backwards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import pairwise

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import interacts
from gamespec.budget import Budget, size_text, time_text
from gamespec.diagnostics import Diagnostic, LimitError, Note, SpecError
from gamespec.game.comeback import SHOWN, coming_back
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import DRAWN, LOST, WON, Game, Value, Verdict
from gamespec.game.reference import circle_in
from gamespec.kernel import ir
from gamespec.plan.pace import Pace
from gamespec.plan.plan import Ask, Bid, Column, Kernels, Option, Plan, Reason, Refusal
from gamespec.plan.sum.amount import BYTES_A_SUM, NANOSECONDS_A_SUM, amounts, sums
from gamespec.plan.sum.canonical import TooManyForms, equal_classes
from gamespec.plan.sum.closure import Classes, NotClosed, classes, most_sums
from gamespec.plan.sum.genus import Genera
from gamespec.plan.sum.multiset import Adding, adding, functions
from gamespec.plan.sum.number import Numbers
from gamespec.plan.sum.packed import PackedSearch
from gamespec.plan.sum.parts import Components, Layout
from gamespec.plan.valuation import Valuation
from gamespec.plan.watch import watched

NAME = "sum"

BYTES_A_POSITION = 300
BYTES_A_COMPONENT = 8  # a whole may have a million
FEW_SUMS = 1 << 11  # that are searched sooner than a kernel is compiled
MOST_SUMS = 1 << 60
BATCH = 300 << 10  # bytes between two looks at the budget

Whole = tuple[int, ...]
"""Whose turn it is, and the numbers of the components, ascending."""


class WholeSolver:
    """Answers for all components of a case together."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        self.layout = Layout(game, facts, plan.ask)
        self.valuation: Valuation = self.layout.valuation
        self.game = game
        self.is_loopy = game.endless is not None and facts.finite is None
        self.budget = budget
        self.components = Components(self.layout, plan, kernels, watched(budget), budget)
        self.plan = plan
        self.kernels = kernels
        self.settled: Genera | Numbers | None = None
        self.adds = adding(game, facts, plan.ask)
        match self.adds:
            case Adding.GENERA:
                self.settled = Genera(self.components)
            case Adding.NUMBERS:
                self.settled = Numbers(self.components)
        self.packed: PackedSearch | None = None
        self.known: dict[Whole, int] = {}
        self.untold = 0  # bytes that the budget has not been told of
        self.moved = 0  # bytes taken and given back since the last look at the budget
        self.open = 0  # bytes of what expansions have made, which is held until their positions are known
        self.pace = Pace(budget)
        self.before = 0  # wholes that were known when the question at hand was asked

    def values(self, givens: Sequence[Column], states: Sequence[Column]) -> Sequence[int]:
        """The value of each component as a sum of its own."""
        return self.sums(givens, states, [1] * len(states[0]))

    def options(self, givens: Sequence[Value], state: Sequence[Value]) -> list[Option]:
        """The moves of a component that is a sum of its own."""
        found = self.sum_options([[value] for value in givens], [[value] for value in state])
        return [option for _, option in found]

    def sums(self, givens: Sequence[Column], states: Sequence[Column], sizes: Sequence[int]) -> Sequence[int]:
        """The value of each case, which has so many rows of the columns."""
        wholes, first = [], 0
        for size in sizes:
            wholes.append(self.whole(*self._rows(givens, states, range(first, first + size))))
            first += size
        return self.codes(wholes)

    def sum_options(self, givens: Sequence[Column], states: Sequence[Column]) -> list[tuple[int, Option]]:
        """The moves of one case, whose components are the rows, each with the number of its component from 1."""
        mover, numbers = self._rows(givens, states, range(len(states[0])))
        if self._verdict(mover, numbers) is not None:
            return []
        rows, wholes = [], []
        for place, number in enumerate(numbers):
            others = numbers[:place] + numbers[place + 1 :]
            for choice in self.components.at_turn(number, mover).choices:
                rows.append((place + 1, choice.row))
                wholes.append(self.whole(self._next(mover), [*others, *choice.parts]))
        codes = self.codes(wholes)
        return [(place, row.option(self.valuation, code)) for (place, row), code in zip(rows, codes, strict=True)]

    def _rows(self, givens: Sequence[Column], states: Sequence[Column], rows: range) -> tuple[int, list[int]]:
        """Whose turn it is, and the components."""
        numbers = [
            self.components.number(tuple(column[row] for column in givens), [column[row] for column in states])
            for row in rows
        ]
        return (int(states[-1][rows[0]]) if self.game.partisan and rows else 0), numbers  # type: ignore[arg-type]

    # --- wholes --------------------------------------------------------------------------------------------

    def whole(self, mover: int, numbers: Sequence[int]) -> Whole:
        """The position of these components."""
        return (mover, *sorted(number for number in numbers if not self.components.is_inert(number)))

    def _next(self, mover: int) -> int:
        return 1 - mover if self.game.partisan else 0

    def _verdict(self, mover: int, numbers: Sequence[int]) -> int | None:
        """The outcome where a component has ended the whole; of several verdicts the first of the file decides."""
        verdicts = [self.components.at_turn(number, mover).verdict for number in numbers]
        return min((verdict for verdict in verdicts if verdict is not None), default=(0, None))[1]

    def _expand(self, whole: Whole) -> int | list[Whole]:
        """The code of a whole that is over, or what moves make of it, each once: `open` until `_close`."""
        mover, *numbers = whole
        verdict = self._verdict(mover, numbers)
        if verdict is not None:
            return verdict
        after: dict[Whole, None] = {}
        for place, number in enumerate(numbers):
            if place and numbers[place - 1] == number:
                continue
            others = numbers[:place] + numbers[place + 1 :]
            for parts in dict.fromkeys(choice.parts for choice in self.components.at_turn(number, mover).choices):
                made = self.whole(self._next(mover), [*others, *parts])
                if made not in after:
                    after[made] = None
                    self._open(_size(made))
        return list(after) or self.valuation.stuck

    def codes(self, wholes: Sequence[Whole]) -> list[int]:
        """The codes of wholes: all that a kernel finds are asked together, the others one by one."""
        self.pace, self.before = Pace(self.budget), len(self.known)
        unknown = [whole for whole in dict.fromkeys(wholes) if whole not in self.known]
        try:
            if not self.is_loopy and any(len(whole) > 1 for whole in unknown):
                with suppress(NotClosed, SpecError):  # where a rule fails, a search may not come there, or tells it
                    self._pack([whole for whole in unknown if not self._is_settled(whole)])
            return [self.code(whole) for whole in wholes]
        except LimitError:
            self.components.forget()
            raise

    def _is_settled(self, whole: Whole) -> bool:
        return self.settled is not None and self.settled.outcome(whole[0], whole[1:]) is not None

    def _pack(self, wholes: Sequence[Whole]) -> None:
        """Finds the codes of wholes by the kernel, if a search may be long. Raises NotClosed, SpecError, LimitError."""
        roots = dict.fromkeys(number for whole in wholes for number in whole[1:])
        if not roots:
            return
        search = self.packed
        found = search.classes if search is not None else None
        if found is None or not all(number in found.of for number in roots):
            found = self._classes(roots)
        asked = [(whole[0], tuple(found.of[number] for number in whole[1:])) for whole in wholes]
        bound = sum(most_sums(found, parts, MOST_SUMS) for _, parts in asked)
        if bound <= FEW_SUMS:
            return
        if search is None or search.classes is not found or not all(map(search.fits, asked)):
            if search is not None:
                self.packed = None
                search.close()
            slots = max(sum(found.room[part] for part in parts) for _, parts in asked)
            search = self.packed = PackedSearch(
                self.game, self.plan, self.kernels, self.budget, found, slots, min(bound, MOST_SUMS), self.adds
            )
        try:
            codes = search.codes(asked)
        except LimitError as error:
            self.packed = None
            search.close()
            raise LimitError(*(_with_bound(limit, bound) for limit in error.diagnostics)) from None
        for whole, code in zip(wholes, codes, strict=True):
            self._know(whole, code)

    def _classes(self, roots: Iterable[int]) -> Classes:
        """The classes of components. Raises NotClosed, SpecError."""
        if isinstance(self.settled, Numbers):
            with suppress(TooManyForms):
                return equal_classes(self.components, roots)
        movers = (0, 1) if self.game.partisan else (0,)
        value = self.settled.value if self.settled is not None else lambda number: None
        return classes(self.components, roots, value, movers)

    def code(self, whole: Whole) -> int:
        """The code of a whole. Raises SpecError where a rule fails, or play comes back and nothing says what then."""
        if whole not in self.known:
            summed = None if self.settled is None else self.settled.outcome(whole[0], whole[1:])
            try:
                if summed is not None:
                    self._know(whole, summed)
                elif self.is_loopy:
                    Backwards(self, whole).solve()
                else:
                    self._search(whole)
            finally:
                self._close_all()
        return self.known[whole]

    # --- memory --------------------------------------------------------------------------------------------

    def _know(self, whole: Whole, code: int) -> None:
        self.known[whole] = code
        self._account(_size(whole))

    def _open(self, size: int) -> None:
        self.open += size
        self._account(size)

    def _close(self, after: Sequence[Whole]) -> None:
        """Options of a whole are no longer held."""
        self._open(-sum(map(_size, after)))

    def _close_all(self) -> None:
        """Gives back what expansions hold, also after an error."""
        self.untold -= self.open
        self.open = 0
        if self.untold < 0:
            self.budget.give_back(-self.untold)
            self.untold = 0

    def _account(self, size: int) -> None:
        """Takes bytes, or gives them back; now and then the budget is told, and asked for the time."""
        self.untold += size
        self.moved += abs(size)
        if self.moved < BATCH:
            return
        self.moved = 0
        count = len(self.known)
        if self.untold > 0:
            what = f"a search through more than {count:,} sums" if count else "a search through sums"
            self.budget.take(self.untold, what)
        else:
            self.budget.give_back(-self.untold)
        self.untold = 0
        self.pace.so_far(count - self.before, 1 << 200, "a search through sums")
        self.budget.tick(f"sum: {count:,} positions")

    def _search(self, root: Whole) -> None:
        """Depth first, on a stack that holds each position with the moves left and the best code so far."""
        known, worth = self.known, self.valuation.worth
        liking, full = self.valuation.liking, self.valuation.is_full
        path: list[tuple[Whole, list[Whole], list[int]]] = []  # of each the options left, the next one last
        met: set[Whole] = set()
        waiting: Whole | None = root
        while waiting is not None or path:
            if waiting is not None:
                if waiting in met:
                    before = [whole for whole, _, _ in path]
                    raise self._repeating([*before[before.index(waiting) :], waiting])
                found = self._expand(waiting)
                if isinstance(found, int):
                    self._know(waiting, found)
                else:
                    met.add(waiting)
                    path.append((waiting, found[::-1], []))
                waiting = None
                continue
            whole, after, best = path[-1]
            while after:
                option = after[-1]
                if option not in known:
                    waiting = option
                    break
                self._open(-_size(after.pop()))
                code = worth(known[option], False, 0)
                if not best or liking(code) > liking(best[0]):
                    best[:] = [code]
                if not full and code == WON:
                    break
            if waiting is None:
                self._know(whole, best[0])
                self._close(after)
                path.pop()
                met.discard(whole)

    def _repeating(self, path: Sequence[Whole]) -> Exception:
        """The error for a play that ends with the whole that it begins with: it shows a component that comes back.

        The definition is not asked, as it keeps components that nobody can move in, and may see no whole twice.
        """
        after: dict[int, list[int]] = {}
        turns: dict[int, int] = {}
        for before, then in pairwise(path):
            number, parts = self._move_between(before, then)
            turns[number] = before[0]
            after.setdefault(number, []).extend(parts)
        circle = circle_in(after)
        data, _ = self.components.known[circle[0]]
        evaluator = Evaluator(self.game, self.game.data(self.components.data[data]))
        positions = [self.components.position(number, turns[number]) for number in circle]
        return coming_back(evaluator, positions[:SHOWN], positions[-1], len(positions))

    def _move_between(self, before: Whole, after: Whole) -> tuple[int, tuple[int, ...]]:
        """The component in which the move from one whole to the next is made, and the parts that it leaves."""
        mover, *numbers = before
        for place, number in enumerate(numbers):
            others = numbers[:place] + numbers[place + 1 :]
            for choice in self.components.at_turn(number, mover).choices:
                if self.whole(self._next(mover), [*others, *choice.parts]) == after:
                    return number, choice.parts
        raise ValueError("no move leads from one to the other")


class Backwards:
    """Solves all wholes that can be reached from one, backwards (see `plan.retrograde.strategy`)."""

    def __init__(self, solver: WholeSolver, root: Whole) -> None:
        self.solver = solver
        self.root = root
        self.codes: dict[Whole, int] = {}
        self.left: dict[Whole, int] = {}
        self.sources: dict[Whole, list[Whole]] = {root: []}

    def solve(self) -> None:
        self._reach()
        self._propagate([at for at, code in self.codes.items() if code != DRAWN], self._wins)
        rest = [whole for whole in self.left if whole not in self.codes]
        endless = self.solver.game.endless
        winner = {Verdict.FIRST_WINS: 0, Verdict.SECOND_WINS: 1}.get(endless or Verdict.DRAW)
        if winner is not None:

            def safe(_: int, source: Whole) -> int | None:
                return DRAWN if source[0] != winner or self._last(source) else None

            self._propagate([at for at, code in self.codes.items() if code == DRAWN], safe)
        for whole in rest:
            if whole not in self.codes:
                self.codes[whole] = DRAWN if winner is None else WON if whole[0] == winner else LOST
        self.solver._close_all()
        for whole, code in self.codes.items():
            self.solver._know(whole, code)

    def _reach(self) -> None:
        waiting = deque([self.root])
        while waiting:
            whole = waiting.popleft()
            found = self.solver._expand(whole)
            if isinstance(found, int):
                self.codes[whole] = found
                continue
            self.left[whole] = len(found)
            self.solver._close(found)
            self.solver._open(BYTES_A_COMPONENT * len(found))
            for after in found:
                if after not in self.sources:
                    self.sources[after] = []
                    self.solver._open(_size(after))
                    waiting.append(after)
                self.sources[after].append(whole)

    def _propagate(self, first: Sequence[Whole], decide: Callable[[int, Whole], int | None]) -> None:
        queue = deque(first)
        while queue:
            whole = queue.popleft()
            for source in self.sources[whole]:
                if source not in self.codes:
                    code = decide(self.codes[whole], source)
                    if code is not None:
                        self.codes[source] = code
                        queue.append(source)

    def _wins(self, code: int, source: Whole) -> int | None:
        """The code of a source once a move of it is known to lead to a position with a code."""
        worth = self.solver.valuation.worth(code, False, 0)
        return worth if worth % 3 == WON or self._last(source) else None

    def _last(self, source: Whole) -> bool:
        """Counts one move of a source; whether it was the last one."""
        self.left[source] -= 1
        return self.left[source] == 0


def _with_bound(limit: Diagnostic, bound: int) -> Diagnostic:
    """What a search ran into, with what it may need in all."""
    need = f"{time_text(bound * NANOSECONDS_A_SUM)} and {size_text(bound * BYTES_A_SUM)}"
    note = Note(f"play may come to {bound:,} sums, for which {need} are enough")
    return msgspec.structs.replace(limit, notes=(*limit.notes, note))


def _size(whole: Whole) -> int:
    """Bytes that a whole takes where it is kept."""
    return BYTES_A_POSITION + BYTES_A_COMPONENT * len(whole)


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if not interacts(game):
        why = "the components have values that add up" if game.sum else "the game is not a sum"
        return Refusal(NAME, Reason(why))
    if game.scored:
        return Refusal(NAME, Reason("scores of sums are not searched for", game.winner_span))
    Layout(game, facts, ask)
    text = "the whole sum is searched, as a multiset of components: they have no values that could be added"
    if adding(game, facts, ask) is not Adding.NOTHING:
        which = "numbers" if game.partisan else "tame"
        text = f"components that are {which} are added; a sum with others is searched, as a multiset of components"
    positions = sums(game, facts, 1)
    cost = positions * NANOSECONDS_A_SUM
    return Bid(NAME, cost, positions * BYTES_A_SUM, (Reason(text), amounts(game, facts)), positions=positions)


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    return (Layout(game, facts, ask).parts(), *functions(game, ask, adding(game, facts, ask)))
