"""The search kernel: one turn of its loop looks at the entry on top of the stack (see `plan.search.memo`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamespec.game.model import DRAWN, LOST, WON
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
    either,
    negate,
    select,
    shr,
    sub,
)
from gamespec.kernel.moves import Option, Words
from gamespec.plan.search.cell import FULL, NEW, Place
from gamespec.plan.slot import note_key
from gamespec.plan.valuation import Best
from gamespec.plan.value import Mex
from gamespec.plan.watch import STOP, polled

if TYPE_CHECKING:
    from gamespec.plan.search.memo import Memo

BLOCK = 64  # unknown options pushed at a time
AHEAD = 64  # options gathered before they are looked up, so that the memory works on several at once
ROOM = BLOCK + 2 * AHEAD  # entries that one turn of the search may add

# Status of `search`. ALL_ADDED: so many positions are new in the table as the call was allowed; TABLE_FULL: one of them
# is too far from its slot.
DONE, TABLE_FULL, STACK_FULL, FUEL_OUT, REPEATS, ALL_ADDED = range(6)

# Cells of the table `at`: what a search keeps between calls.
STACK, COUNT, STAMP, KEY = range(4)  # entries on the stack, positions in the table, last stamp, a key

FIXED = "a fixed cell"
STACKED = "below the height, which a turn begins with room for all that it adds"

OPEN, KNOWN = 1, 2  # states of a cell
NOT_LOST, NOT_WON = 3, 4  # codes of what is half known, after LOST, WON, DRAWN
ROOT = (1 << 59) - 1  # the parent of a root
WORKER = ir.Scalar("worker", ir.I64)  # 0 of a search by one thread, else which one this is, from 1
LOOK_ROUND = 1 << 10  # turns after which a thread looks what the others have done

# Marks in `parents`:
BEGUN = 1 << 59  # this entry was expanded; its options are on the stack or known, but for those cut
CUT = 1 << 62  # some options of this entry were not pushed
KEPT = 1 << 61  # the move that led to this entry keeps the turn
ASKS = 1 << 60  # with draws: the question is whether the player to move wins; else, whether it avoids to lose
PRIOR = 1 << 63  # the other question about this entry was answered before: yes if this one asks for a win, else no


class Walk:
    """Writes the search kernel: one turn of its loop looks at the entry on top of the stack."""

    def __init__(self, memo: Memo, b: Builder, mex: Mex) -> None:
        self.memo = memo
        self.b = b
        self.rules = memo.rules(b)
        self.mex = mex
        self.height = b.local("height", cast(_at(STACK), ir.I64))
        self.count = b.local("count", cast(_at(COUNT), ir.I64))
        self.stamp = b.local("stamp", _at(STAMP))
        self.fuel = b.local("fuel", ir.Var("fuel.start", ir.I64))

    def write(self) -> None:
        b = self.b
        with b.loop_while(compare("gt", self.height, const(0))), b.labelled("entry") as self.entry:
            self._turn()
        self._leave(DONE)

    def _turn(self) -> None:
        memo, b = self.memo, self.b
        self.top = b.local("top", sub(self.height, 1))
        self.key = b.local("key", ir.Load("keys", self.top, memo.key, STACKED))
        self.place = memo.layout.find(b, self.key)
        state = memo.layout.state(b, self.place.cell)
        with b.when(self._is_answered(state, self.top)):
            b.assign(self.height, self.top)
            if not memo.full:
                self._tell_parent(state)
            b.breaks(self.entry)
        if memo.draws and memo.acyclic:
            with b.when(compare("ge", state, self._state(LOST))):
                self._set_mark(self.top, PRIOR)
        if not memo.full:
            with b.when(self._is_all_back(state)):
                left = b.simple("left", self._unless_won())
                self._know(left)
                if memo.layout.shared:
                    with b.when(_is_set(self._mark(CUT))):
                        b.breaks(self.entry)
                b.assign(self.height, self.top)
                self._tell_parent(left)
                b.breaks(self.entry)
        b.assign(self.fuel, sub(self.fuel, 1))
        with b.when(compare("lt", self.fuel, const(0))):
            self._leave(FUEL_OUT)
        with b.when(compare("ge", self.count, ir.Var("most", ir.I64))):
            self._leave(ALL_ADDED)
        with b.when(memo.layout.too_far(self.place)):
            self._leave(TABLE_FULL)
        with b.when(compare("gt", add(self.height, ROOM), ir.Var("room", ir.I64))):
            self._leave(STACK_FULL)
        if memo.layout.shared:
            self._look_round()
        if not memo.acyclic:
            self._mark_path(state)
        b.before_fault = self._note
        self._expand()

    # --- pieces --------------------------------------------------------------------------------------------

    def _state(self, code: int) -> ir.Const:
        """The state of a position with this code."""
        return const(KNOWN + code, self.memo.word)

    def _mark_path(self, state: ir.Expr) -> None:
        """Marks the position on top in the table, where it may be met again by play from it."""
        memo, b = self.memo, self.b
        with b.when(compare("eq", state, const(0, memo.word))):
            memo.layout.put(b, self.place, const(OPEN, memo.word))
            b.assign(self.count, add(self.count, 1))
        if memo.draws:
            with b.when(compare("ge", state, self._state(LOST))):
                memo.layout.put(b, self.place, const(OPEN, memo.word))
                self._set_mark(self.top, PRIOR)

    def _is_all_back(self, state: ir.Expr) -> ir.Expr:
        """Whether all options of the entry on top are known, and none was good (i1)."""
        memo = self.memo
        if memo.acyclic:
            return compare("eq", self._mark(BEGUN | CUT), const(BEGUN, ir.U64))
        return both(compare("eq", state, const(OPEN, memo.word)), compare("eq", self._mark(CUT), const(0, ir.U64)))

    def _look_round(self) -> None:
        """Now and then looks what the other threads have done, if there are any."""
        b = self.b
        turn = binary("and", self.fuel, const(LOOK_ROUND - 1), ir.I64)
        with b.when(both(compare("ne", ir.Var(WORKER.name, ir.I64), const(0)), compare("eq", turn, const(0)))):
            with b.when(compare("ne", _at(STOP), const(0, ir.U64))):
                self._leave(ir.STOPPED)
            if not self.memo.full:
                self._look_down()

    def _look_down(self) -> None:
        """Drops what lies above an entry that another thread has answered."""
        memo, b = self.memo, self.b
        below = b.local("below", self._mark(ROOT))
        found = b.local("needless", const(ROOT, ir.U64))
        with b.loop_while(compare("ne", below, const(ROOT, ir.U64))):
            key = b.local("below_key", ir.Load("keys", below, memo.key, STACKED))
            state = memo.layout.state(b, memo.layout.find(b, key).cell)
            with b.when(self._is_answered(state, below)):
                b.assign(found, below)
            b.assign(below, self._mark(ROOT, below))
        with b.when(compare("ne", found, const(ROOT, ir.U64))):
            b.assign(self.height, add(cast(found, ir.I64), 1))
            b.breaks(self.entry)

    def _is_answered(self, state: ir.Expr, place: ir.Expr) -> ir.Expr:
        """Whether a state answers the question about the entry at a place (i1)."""
        answered = compare("ge", state, self._state(LOST))
        if not self.memo.draws:
            return answered
        return both(answered, compare("ne", state, self._half_known(self._mark(ASKS, place))))

    def _know(self, state: ir.Expr) -> None:
        """Writes the state of the entry on top."""
        self._write(self.place, state, self.top)

    def _write(self, place: Place, state: ir.Expr, entry: ir.Expr) -> None:
        """Writes the state of an entry, whose key was found or is missing at a place of the table.

        Where there is no room for it, the options of the entry are to be looked at once more: by then there is.
        """
        memo, b = self.memo, self.b
        if not memo.layout.shared:
            if memo.acyclic:
                with b.when(compare("eq", place.cell, const(0, memo.layout.type))):
                    b.assign(self.count, add(self.count, 1))
            memo.layout.put(b, place, state)
            return
        made = b.local("made", state)
        happened = memo.layout.offer(b, place, made, lambda known, done: self._join(known, made, done))
        with b.when(compare("eq", happened, const(NEW, ir.U8))):
            b.assign(self.count, add(self.count, 1))
        with b.when(compare("eq", happened, const(FULL, ir.U8))):
            self._set_mark(entry, CUT)  # and it stays on the stack

    def _join(self, known: ir.Expr, made: ir.Var, done: str) -> None:
        """Adds to `made` what another thread has found out about the position; breaks to `done` if that is all."""
        memo, b = self.memo, self.b
        with b.when(compare("ne", known, const(0, memo.word))):
            if not memo.draws:
                b.breaks(done)
                return
            half = self._state(NOT_LOST)
            with b.when(either(compare("lt", known, half), compare("eq", known, made))):
                b.breaks(done)
            with b.when(compare("ge", made, half)):
                b.assign(made, self._state(DRAWN))

    def _parent(self) -> ir.Expr:
        """The place of the parent of the entry on top, and the mark that it was cut."""
        return ir.Load("parents", self.top, ir.U64, STACKED)

    def _mark(self, mark: int, place: ir.Expr | None = None) -> ir.Expr:
        """A mark of an entry, by default the one on top; 0 if it is not set."""
        marks = self._parent() if place is None else ir.Load("parents", place, ir.U64, STACKED)
        return binary("and", marks, const(mark, ir.U64), ir.U64)

    def _set_mark(self, place: ir.Expr, mark: int) -> None:
        marked = binary("or", ir.Load("parents", place, ir.U64, STACKED), const(mark, ir.U64), ir.U64)
        self.b.store("parents", place, marked, STACKED)

    def _unless_won(self) -> ir.Expr:
        """The state of the entry on top, whose options are all known and none is good."""
        if not self.memo.draws:
            return self._state(LOST)
        not_won = select(_is_set(self._mark(PRIOR)), self._state(DRAWN), self._state(NOT_WON))
        return select(_is_set(self._mark(ASKS)), not_won, self._state(LOST))

    def _once_good(self, place: ir.Expr) -> ir.Expr:
        """The state of the entry at a place, of which an option is good."""
        if not self.memo.draws:
            return self._state(WON)
        not_lost = select(_is_set(self._mark(PRIOR, place)), self._state(DRAWN), self._state(NOT_LOST))
        return select(_is_set(self._mark(ASKS, place)), self._state(WON), not_lost)

    def _half_known(self, asks: ir.Expr) -> ir.Expr:
        """The state that does not answer a question, though something is known."""
        return select(_is_set(asks), self._state(NOT_LOST), self._state(NOT_WON))

    def _is_good(self, state: ir.Expr, kept: ir.Expr | None, asks: ir.Expr) -> ir.Expr:
        """Whether the state of an option answers its parent's question with yes (i1).

        `kept` is 0 if the move does not keep the turn; `asks` is the mark ASKS of the option's own question, of which
        the parent's yes is the no.
        """
        if not self.memo.draws:
            return compare("eq", state, self._won_by(kept))
        word = self.memo.word
        good = select(_is_set(asks), _among(word, LOST, DRAWN, NOT_WON), _among(word, LOST))
        if kept is not None:
            same = select(_is_set(asks), _among(word, WON), _among(word, WON, DRAWN, NOT_LOST))
            good = select(_is_set(kept), same, good)
        return compare("ne", binary("and", shr(good, state), const(1, word), word), const(0, word))

    def _won_by(self, kept: ir.Expr | None) -> ir.Expr:
        """The state of an option that makes its parent won; `kept` is 0 if the move does not keep the turn."""
        if kept is None:
            return self._state(LOST)
        return select(_is_set(kept), self._state(WON), self._state(LOST))

    def _tell_parent(self, state: ir.Expr) -> None:
        """What the state of the entry that was on top means for its parent.

        A parent that is won is gone from the stack, with all that lies above it; where moves may keep the turn, or
        where it may only be known not to be lost, it stays on top, as that may answer its own parent's question.
        """
        memo, b = self.memo, self.b
        kept = self._mark(KEPT) if memo.keeps else None
        with b.when(self._is_good(state, kept, self._mark(ASKS))):
            parent = b.local("parent", self._mark(ROOT))
            with b.when(compare("ne", parent, const(ROOT, ir.U64))):
                key = b.local("parent_key", ir.Load("keys", parent, memo.key, STACKED))
                self._write(memo.layout.find(b, key), self._once_good(parent), parent)
                above = cast(parent, ir.I64)
                if memo.keeps or memo.draws:
                    b.assign(self.height, add(above, 1))
                elif memo.layout.shared:
                    stays = select(_is_set(self._mark(CUT, parent)), const(1), const(0))
                    b.assign(self.height, add(above, stays))
                else:
                    b.assign(self.height, above)

    def _note(self, key: ir.Expr | None = None) -> None:
        """Records what the caller needs to go on, or to say where a rule failed."""
        b = self.b
        for place, value in ((STACK, self.height), (COUNT, self.count), (STAMP, self.stamp)):
            b.store("at", const(place), cast(value, ir.U64), proof=FIXED)
        note_key(b, "at", KEY, self.key if key is None else key)

    def _stop(self) -> None:
        """Leaves in the middle of an expansion, which is to be done again."""
        self.b.assign(self.height, self.base)
        self._mark_cut()
        self._leave(ir.STOPPED)

    def _leave(self, status: int) -> None:
        b = self.b
        for place, value in ((STACK, self.height), (COUNT, self.count), (STAMP, self.stamp)):
            b.store("at", const(place), cast(value, ir.U64), proof=FIXED)
        b.returns(status)

    # --- expansion -----------------------------------------------------------------------------------------

    def _expand(self) -> None:
        memo, b = self.memo, self.b
        words = memo.keys.words(b, self.key)

        def decided(outcome: ir.Expr) -> None:
            self._know(add(cast(memo.valuation.ended(outcome), memo.word), KNOWN))
            b.breaks(self.entry)

        self.rules.terminal(words, decided)
        self.base = b.local("base", self.height)
        polled(b, self._stop)
        self.stuck = b.local("stuck", TRUE) if memo.valuation.misere and not memo.full else None
        if memo.grundy:
            b.assign(self.stamp, add(self.stamp, 1))
            self.mex.start(self.stamp)
        elif memo.full:
            self.best = Best(b, memo.valuation, memo.most)
        uncut = binary("andnot", self._parent(), const(CUT, ir.U64), ir.U64)
        begun = binary("or", uncut, const(BEGUN, ir.U64), ir.U64)
        b.store("parents", self.top, begun, STACKED)
        self.kept = b.local("kept", self.base)
        with b.labelled("options") as self.options:
            self.rules.each_option(words, self._graded if memo.full else self._gathered)
        if not memo.full:
            self._look_up()
        with b.when(compare("eq", self.height, self.base)):
            self._settle()
            b.breaks(self.entry)
        self._reverse()

    def _settle(self) -> None:
        """All options are known."""
        if self.memo.grundy:
            self._know(add(self.mex.result(), KNOWN))
        elif self.memo.full:
            self._know(add(cast(self.best.result(), self.memo.word), KNOWN))
        elif self.stuck is not None:
            self._know(select(self.stuck, self._state(WON), self._unless_won()))
        else:
            self._know(self._unless_won())

    def _gathered(self, option: Option) -> None:
        """An option, when outcomes are asked: its key goes on the stack, to be looked up a little later."""
        memo, b = self.memo, self.b
        if self.stuck is not None:
            b.assign(self.stuck, FALSE)
        key = b.local("option", memo.keys.key(b, option.result, memo.key))
        b.store("keys", self.height, key, STACKED)
        if memo.first is not None:
            made = memo.keys.packing.key(option.result, memo.key)
            memo.first.score(b, sub(self.height, self.base), self.key, made)
        if memo.keeps:
            b.store("parents", self.height, self._marked(option), STACKED)
        memo.layout.prefetch(b, key)
        b.assign(self.height, add(self.height, 1))
        if memo.most <= AHEAD:
            return
        with b.when(compare("ge", sub(self.height, self.kept), const(AHEAD))):
            self._look_up()
            with b.when(compare("ge", sub(self.kept, self.base), const(BLOCK))):
                self._mark_cut()
                b.breaks(self.options)

    def _look_up(self) -> None:
        """Keeps those of the gathered options that are unknown; one that is lost makes the position won."""
        memo, b = self.memo, self.b
        kept = self.kept
        turned = b.local("turned", binary("xor", self._mark(ASKS), const(ASKS, ir.U64), ir.U64)) if memo.draws else None
        with b.loop("i", kept, sub(self.height, 1)) as i:
            key = b.local("option", ir.Load("keys", i, memo.key, STACKED))
            state = self._state_of(key)
            if memo.sees_ends:
                with b.when(compare("eq", state, const(0, memo.word))):
                    self._see_end(key, state)
            parent: ir.Expr = cast(self.top, ir.U64)
            keeps: ir.Expr | None = None
            asks: ir.Expr = const(0, ir.U64) if turned is None else turned
            if memo.keeps:
                parent = b.local("marked", ir.Load("parents", i, ir.U64, STACKED))
                keeps = b.local("keeps", binary("and", parent, const(KEPT, ir.U64), ir.U64))
                if turned is not None:
                    flip = select(_is_set(keeps), const(ASKS, ir.U64), const(0, ir.U64))
                    asks = b.local("asks", binary("xor", turned, flip, ir.U64))
            with b.when(self._is_good(state, keeps, asks)):
                self._know(self._once_good(self.top))
                b.assign(self.height, self.base)
                b.breaks(self.entry)
            unknown = compare("eq", state, const(0, memo.word))
            if memo.draws:
                unknown = either(unknown, compare("eq", state, self._half_known(asks)))
                parent = binary("or", parent, asks, ir.U64)
            with b.when(unknown):
                place = kept
                if memo.first is not None:
                    own = b.local("own", sub(i, self.base))
                    memo.first.look(b, own, self.rules.at(memo.keys.words(b, key)))
                    place = memo.first.room_for(b, self.base, kept, own, {"keys": memo.key, "parents": ir.U64})
                b.store("keys", place, key, STACKED)
                b.store("parents", place, parent, STACKED)
                b.assign(kept, add(kept, 1))
        b.assign(self.height, kept)

    def _see_end(self, key: ir.Expr, state: ir.Var) -> None:
        """Gives an option at which the game is over its state, so that a winning end is seen before any search."""
        memo, b = self.memo, self.b
        b.before_fault = lambda: self._note(key)
        with b.labelled("goes_on") as goes_on:

            def decided(outcome: ir.Expr) -> None:
                b.assign(state, add(cast(memo.valuation.ended(outcome), memo.word), KNOWN))
                b.breaks(goes_on)

            words = memo.keys.words(b, key)
            self.rules.terminal(words, decided)
            if memo.first is not None and memo.most <= AHEAD:
                self._see_reply(words, state, goes_on)
        b.before_fault = self._note

    def _see_reply(self, words: Words, state: ir.Var, goes_on: str) -> None:
        """Gives an option that a reply wins at once its state: neither it nor the reply is searched."""
        memo, b = self.memo, self.b

        def reply(option: Option) -> None:
            key = b.local("reply", memo.keys.packing.key(option.result, memo.key))
            of_option, b.before_fault = b.before_fault, lambda: self._note(key)
            with b.labelled("reply") as next_one:

                def decided(outcome: ir.Expr) -> None:
                    wins = compare("eq", outcome, const(LOST, ir.U32))
                    if memo.keeps:
                        kept = compare("eq", outcome, const(WON, ir.U32))
                        wins = select(option.keeps_turn, kept, wins)
                    with b.when(wins):
                        b.assign(state, self._state(WON))
                        b.breaks(goes_on)
                    b.breaks(next_one)

                self.rules.terminal(option.result, decided)
            b.before_fault = of_option

        self.rules.each_option(words, reply)

    def _marked(self, option: Option) -> ir.Expr:
        """The parent of an option's entry, with the mark that it keeps the turn."""
        top = cast(self.top, ir.U64)
        kept = select(option.keeps_turn, const(KEPT, ir.U64), const(0, ir.U64))
        return binary("or", top, kept, ir.U64)

    def _graded(self, option: Option) -> None:
        """An option, when all count: its code (of components the xor), if it is known."""
        memo, b = self.memo, self.b
        known = b.local("known", TRUE)
        total = b.local("total", const(0, memo.word))

        def look(words: Words) -> None:
            key = b.local("option", memo.keys.key(b, words, memo.key))
            state = self._state_of(key)
            with b.when(compare("eq", state, const(0, memo.word))):
                b.assign(known, FALSE)
                self._push(key)
            with b.otherwise():
                b.assign(total, binary("xor", total, sub(state, KNOWN), memo.word))

        option.each_result(look)
        with b.when(known):
            if memo.grundy:
                self.mex.note(total)
            else:
                self.best.consider(option, total)

    def _state_of(self, key: ir.Expr) -> ir.Var:
        """The state of an option; stops the search where it is on the path."""
        memo, b = self.memo, self.b
        state = memo.layout.state(b, memo.layout.find(b, key).cell)
        if not memo.acyclic:
            with b.when(compare("eq", state, const(OPEN, memo.word))):
                b.assign(self.height, self.base)
                note_key(b, "at", KEY, key)
                self._leave(REPEATS)
        return state

    def _push(self, key: ir.Expr) -> None:
        b = self.b
        with b.when(compare("ge", sub(self.height, self.base), const(BLOCK))):
            self._mark_cut()
            b.breaks(self.options)
        b.store("keys", self.height, key, STACKED)
        b.store("parents", self.height, cast(self.top, ir.U64), STACKED)
        b.assign(self.height, add(self.height, 1))

    def _mark_cut(self) -> None:
        self._set_mark(self.top, CUT)

    def _reverse(self) -> None:
        """Puts the first option pushed on top; all of them have the same parent, but marks of their own.

        Threads take them in different orders. Where all options count, every other thread begins with the last one.
        Else one good option is enough, so that nobody should begin far from the first: all begin with that, or with
        two where good ones are likely to come first, and exchange others that are not far from each other.
        """
        memo, b = self.memo, self.b
        worker = ir.Var(WORKER.name, ir.I64)
        if not memo.layout.shared:
            self._turn_over()
        elif memo.full:
            even = compare("eq", binary("and", worker, const(1), ir.I64), const(0))
            with b.when(negate(both(even, compare("ne", worker, const(0))))):
                self._turn_over()
            with b.when(compare("gt", worker, const(2))):
                other = binary("max", self.base, sub(self.height, worker), ir.I64)
                self._swap(b.local("other", other), sub(self.height, 1))
        else:
            self._turn_over()
            with b.when(compare("gt", worker, const(1))):
                alike = 1 if memo.first is None else 2
                low = b.local("low", sub(sub(self.height, alike), worker))
                with b.loop_while(compare("ge", low, self.base)):
                    self._swap(low, sub(add(low, worker), 1))
                    b.assign(low, sub(low, worker))

    def _turn_over(self) -> None:
        b = self.b
        low, high = b.local("low", self.base), b.local("high", sub(self.height, 1))
        with b.loop_while(compare("lt", low, high)):
            self._swap(low, high)
            b.assign(low, add(low, 1))
            b.assign(high, sub(high, 1))

    def _swap(self, one: ir.Expr, other: ir.Expr) -> None:
        """Exchanges two entries with the same parent."""
        b = self.b
        for column, cell in [("keys", self.memo.key)] + [("parents", ir.U64)] * self.memo.keeps:
            first = b.local("first", ir.Load(column, one, cell, STACKED))
            b.store(column, one, ir.Load(column, other, cell, STACKED))
            b.store(column, other, first, STACKED)


def _is_set(mark: ir.Expr) -> ir.Expr:
    return compare("ne", mark, const(0, ir.U64))


def _among(word: ir.Type, *codes: int) -> ir.Expr:
    """A number with the bits of these codes' states."""
    return const(sum(1 << KNOWN + code for code in codes), word)


def _at(place: int) -> ir.Expr:
    return ir.Load("at", const(place), ir.U64, proof=FIXED)
