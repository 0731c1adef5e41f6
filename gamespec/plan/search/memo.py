"""Memo search: depth-first from the positions asked, on an explicit stack, with a hash table of packed positions.

A position is expanded once. All its options are looked up; if one is known to be lost, or ends the game so, the
position is won at once (such a win is never searched for). Otherwise the unknown options are pushed, the first on
top, each with the place of its parent on the stack; an option that turns out lost makes its parent won and drops
everything above it. A position whose options have all come back is lost. Where all options count (Grundy values,
distances, scores), a position is expanded again when they have come back. At most `BLOCK` options are pushed at a
time, so that a position with a million moves does not fill the stack.

Where draws are possible, two questions are asked of a position, one after the other and only as far as they matter:
can the player to move win, and, if not, avoid to lose? Either is answered by one option (the opponent's no to the
other question), as in a game without draws; searching with a window of one value costs far fewer positions than
searching for the value. What is known of a position may then be half of it.

The state in a cell of the table (see `plan.search.cell`) is `code + 2` for a value that is known (see
`plan.valuation`). Where it is not proved that play ends, it is 1 for a position on the path from a root: an option
found there is its own ancestor, and play repeats. Else the table holds only what is known, and several threads may fill
it.

The kernel runs until it is done, or returns to let the caller enlarge the table or the stack, or look at the clock.
"""

from __future__ import annotations

from math import isqrt

from gamespec.analysis.facts import Facts
from gamespec.analysis.passes import ENDS
from gamespec.answers.ask import interacts
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.build import (
    Builder,
    add,
    binary,
    cast,
    compare,
    const,
    shr,
    sub,
)
from gamespec.kernel.moves import Option, Rules, Words
from gamespec.kernel.shape import Shape, shape_of
from gamespec.plan.encode import Givens, givens_of, rules, with_scalars
from gamespec.plan.listing import Listing
from gamespec.plan.orbit import Keys, orbits
from gamespec.plan.plan import Ask, Bid, Reason, Refusal
from gamespec.plan.search.cell import CELLS, Layout
from gamespec.plan.search.first import First
from gamespec.plan.search.kernel import (
    COUNT,
    DONE,
    FIXED,
    KNOWN,
    NOT_WON,
    ROOM,
    ROOT,
    STACK,
    TABLE_FULL,
    WORKER,
    Walk,
)
from gamespec.plan.slot import HASHED, MULTIPLIER, position_key
from gamespec.plan.valuation import Kind, TooLong, may_keep, of_components, valuation
from gamespec.plan.value import Mex, most_options
from gamespec.plan.watch import TABLE, polled

NAME = "memo"

NANOSECONDS_AN_OPTION = 20.0
MOST_BITS = 34  # of a distance or a Grundy value: a table of 2^32 positions is larger than memory


class Memo:
    """What the kernels and the solver of one game share. Raises TooWide."""

    first: First | None = None  # which options are searched first
    acyclic = False  # whether it is proved that no position repeats: then the path is not marked in the table

    def __init__(self, game: Game, facts: Facts, ask: Ask) -> None:
        self.game = game
        self.facts = facts
        self.split = None if ask.distance else facts.split
        self.valuation = valuation(game, facts, ask) if self.split is None else of_components(game, facts, ask)
        self.grundy = self.valuation.kind is Kind.GRUNDY
        self.full = self.valuation.is_full
        self.draws = self.valuation.kind is Kind.DRAWS
        self.keeps = may_keep(game)
        self.shapes: dict[str, Shape] = {field.name: shape_of(field) for field in game.states}
        self.keys = Keys(self.shapes, facts.symmetry)
        self.givens: Givens = givens_of(game)
        self.most = most_options(game)
        top = NOT_WON if self.draws else self.valuation.top
        bits = (top + KNOWN).bit_length()
        value_bits = bits if self.valuation.scores else min(bits, MOST_BITS)
        self.key = position_key(game, self.shapes, self.keys.bits, value_bits)
        self.acyclic = facts.finite is not None
        self.layout = Layout(self.keys.bits, value_bits, shared=self.acyclic)
        self.word = self.layout.state_word
        if not self.full and facts.weights:
            self.first = First(game, facts.weights, self.shapes, self.key, ROOM)

    # --- parts of kernels ----------------------------------------------------------------------------------

    def params(self, *own: ir.Scalar | ir.Table) -> tuple[ir.Scalar | ir.Table, ...]:
        return (*self.shared(), *self.givens.params(), *own)

    def shared(self) -> tuple[ir.Scalar | ir.Table, ...]:
        """The table of the search and its stack."""
        return (
            *self.layout.params(),
            ir.Table("keys", self.key),
            ir.Table("parents", ir.U64),
            ir.Scalar("room", ir.I64),
            TABLE,
        )

    @property
    def sees_ends(self) -> bool:
        """Whether options are looked at for whether they are decided before they are searched."""
        return bool(self.game.terminals) and ENDS not in self.facts.disabled

    def rules(self, b: Builder) -> Rules:
        if self.split is None:
            return rules(b, self.game, self.facts, self.shapes, self.givens)
        from gamespec.plan.search.split import Components, FallingRules

        shapes = with_scalars(self.shapes, self.givens)
        falling = FallingRules(b, self.game, self.facts.proofs, shapes, self.givens.names(), self.facts.disabled)
        falling.components = Components(self.split, self.keys.packing)
        return falling

    # --- search --------------------------------------------------------------------------------------------

    def search(self) -> ir.Function:
        """Works the stack off; the status says why it returned."""
        b = Builder()
        mex = Mex(b, self.most)
        own = (ir.Scalar("fuel.start", ir.I64), ir.Scalar("most", ir.I64), *([WORKER] if self.layout.shared else []))
        scratch = mex.params if self.grundy else () if self.first is None else self.first.params()
        b.declare(*self.params(*scratch, *own))
        Walk(self, b, mex).write()
        return b.function(f"{NAME}.search")

    # --- small kernels -------------------------------------------------------------------------------------

    def read(self) -> ir.Function:
        """Writes the states of `queries` to `answers`."""
        b = Builder()
        own = (ir.Table("queries", self.key), ir.Table("answers", self.word), ir.Scalar("queries.count", ir.I64))
        b.declare(*self.params(*own))
        with b.loop("i", const(0), sub(ir.Var("queries.count", ir.I64), 1)) as i:
            place = self.layout.find(b, ir.Load("queries", i, self.key))
            b.store("answers", i, self.layout.state(b, place.cell))
        b.returns(0)
        return b.function(f"{NAME}.read", hot=False)

    def rehash(self) -> ir.Function:
        """Moves all cells of the table `old` into an empty larger one; TABLE_FULL if that is too small."""
        layout, b = self.layout, Builder()
        own = (ir.Table("old", layout.type), ir.Scalar("old.count", ir.I64), ir.Scalar("old.shift", ir.U64))
        b.declare(*self.params(*own))
        mask = b.local("old_mask", cast(sub(ir.Var("old.count", ir.I64), 1), ir.U64))
        with b.loop("i", const(0), sub(ir.Var("old.count", ir.I64), 1)) as i:
            cell = b.local("old_cell", ir.Load("old", i, layout.type))
            with b.when(compare("ne", cell, const(0, layout.type))):
                place = layout.moved(b, cast(i, ir.U64), cell, mask, ir.Var("old.shift", ir.U64))
                with b.when(layout.too_far(place)):
                    b.returns(TABLE_FULL)
                layout.put(b, place, layout.state(b, cell))
        b.returns(DONE)
        return b.function(f"{NAME}.rehash", hot=False)

    @property
    def forgets(self) -> bool:
        """Whether known positions may be forgotten when memory is full: no position needs them all, nor repeats."""
        return not self.full and self.acyclic

    def forget(self) -> ir.Function:
        """Empties about half of the table, each `round` others; COUNT is what is left.

        Then the rest moves up: a cell is found by going on from its home until an empty one, so from an empty cell
        on, once round the table, each is taken out and put where it is found from now on.
        """
        layout, b = self.layout, Builder()
        b.declare(*self.params(ir.Scalar("round", ir.U64)))
        nothing, mask = const(0, layout.type), ir.Var("mask", ir.U64)
        left = b.local("left", const(0))
        start = b.local("start", const(0, ir.U64))
        size = b.local("size", add(mask, const(1, ir.U64)))
        with b.loop("i", const(0), cast(mask, ir.I64)) as i:
            slot = b.local("at_slot", cast(i, ir.U64))
            cell = b.local("kept_cell", layout.cell(slot))
            with b.when(compare("ne", cell, nothing)):
                mixed = binary("mul", add(slot, ir.Var("round", ir.U64)), const(MULTIPLIER, ir.U64), ir.U64)
                with b.when(compare("eq", shr(mixed, 63), const(0, ir.U64))):
                    b.assign(left, add(left, 1))
                with b.otherwise():
                    b.store(CELLS, slot, nothing, proof=HASHED)
                    b.assign(start, slot)
        turn = b.local("turn", const(1, ir.U64))
        with b.loop_while(compare("lt", turn, size)):
            slot = b.local("at_slot", binary("and", add(start, turn), mask, ir.U64))
            cell = b.local("kept_cell", layout.cell(slot))
            with b.when(compare("ne", cell, nothing)):
                b.store(CELLS, slot, nothing, proof=HASHED)
                place = layout.moved(b, slot, cell, mask, ir.Var("shift", ir.U64))
                layout.put(b, place, layout.state(b, cell))
            b.assign(turn, add(turn, const(1, ir.U64)))
        b.store(TABLE.name, const(COUNT), cast(left, ir.U64), proof=FIXED)
        b.returns(DONE)
        return b.function(f"{NAME}.forget", hot=False)

    def children(self) -> ir.Function:
        """Lists the options of one position (see `plan.listing`), each with the number of its components as value.

        The components are pushed as roots, in the order of the list, as far as there is room; STACK is their number.
        """
        b = Builder()
        b.declare(*self.params(*Listing.params(self.shapes)))
        polled(b)
        listing = Listing(b, self.game)
        pushed = b.local("pushed", const(0))

        def push(option: Option) -> ir.Expr:
            before = b.local("before", pushed)

            def push_one(words: Words) -> None:
                with b.when(compare("lt", pushed, ir.Var("room", ir.I64))):
                    b.store("keys", pushed, self.keys.key(b, words, self.key))
                    b.store("parents", pushed, const(ROOT, ir.U64))
                b.assign(pushed, add(pushed, 1))

            option.each_result(push_one)
            return sub(pushed, before)

        b.store(TABLE.name, const(STACK), const(0, ir.U64), proof=FIXED)
        count = listing.write(self.rules(b), listing.position(self.shapes), push)
        b.store(TABLE.name, const(STACK), cast(pushed, ir.U64), proof=FIXED)
        b.returns(count)
        return b.function(f"{NAME}.children", hot=False)


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if interacts(game):
        return Refusal(NAME, Reason("the components of this sum have no values of their own"))
    if game.endless is not None and facts.finite is None:
        text = "play may come back, and a search cannot say what `endless` makes of that"
        return Refusal(NAME, Reason(text, game.endless_span))
    try:
        memo = Memo(game, facts, ask)
    except TooLong:
        return Refusal(NAME, Reason("scores may need more than 62 bits"))
    positions = max(1, min(facts.size.positions, 1 << 200) // facts.symmetry.orbit)
    if memo.split is not None:  # what is stored are parts: about as many as half a board has positions
        positions = isqrt(positions)
    options = max(1, min(memo.most, 1 << 20))
    cost = float(positions) * NANOSECONDS_AN_OPTION * (options if memo.full else max(1, options / 2))
    bytes_each = memo.layout.type.bits // 8
    cells = f"{memo.keys.bits} bits a position, {bytes_each} bytes a cell"
    text = f"{cells}, only what play from the positions asked reaches"
    if memo.forgets:
        text += "; what is known of some is forgotten when memory is full"
    reasons = [Reason(text)]
    if memo.first is not None:
        reasons += memo.first.reasons()
    if memo.split is not None:
        reasons.append(Reason(memo.split.reason.text, memo.split.reason.span))
    reasons += orbits(facts.symmetry, memo.keys)
    return Bid(NAME, cost, 2 * bytes_each * positions, tuple(reasons), 0, positions)


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    memo = Memo(game, facts, ask)
    functions = [memo.search(), memo.read(), memo.rehash()]
    if memo.forgets:
        functions.append(memo.forget())
    if ask.moves:
        functions.append(memo.children())
    return tuple(functions)
