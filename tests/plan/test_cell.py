"""Cells of a search's table: keys are told apart by what their slots leave out, and too small a table is seen."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import gamespec
from gamespec.analysis.facts import SYMMETRY, analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.reference import Reference
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, cast, compare, const, sub
from gamespec.kernel.memory import Buffer, allocate
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Kernel
from gamespec.plan.search import cell, seek
from gamespec.plan.search.cell import DISTANCE_BITS, MOST_LEAST, Layout
from gamespec.plan.search.kernel import COUNT
from gamespec.plan.search.seek import MemoSolver
from gamespec.plan.slot import MULTIPLIER, key_type, shift_of
from tests.tool import spec

SHAPES = [(1, 2), (5, 34), (20, 3), (33, 4), (41, 3), (45, 3), (63, 2), (64, 4), (73, 3), (128, 5), (200, 34), (510, 2)]


class Table:
    """A table of one layout, and kernels over it."""

    def __init__(self, key_bits: int, state_bits: int, backend: str) -> None:
        self.layout = Layout(key_bits, state_bits)
        key = key_type(key_bits)
        assert key is not None
        self.key = key
        self.backend = backend
        self.insert = self._kernel("insert", self._insert)
        self.move = self._kernel("move", self._move)
        self.cells = allocate(self.layout.type, 1 << max(6, self.layout.least))

    def _kernel(self, name: str, write: Callable[[Builder], None]) -> Kernel:
        b = Builder()
        write(b)
        b.returns(0)
        return compile([b.function(name)], self.backend, checked=True)[name]

    def _insert(self, b: Builder) -> None:
        b.declare(*self.layout.params(), ir.Table("keys", self.key), ir.Table("states", self.layout.state_word))
        b.declare(ir.Scalar("count", ir.I64))
        with b.loop("i", const(0), sub(ir.Var("count", ir.I64), 1)) as i:
            place = self.layout.find(b, ir.Load("keys", i, self.key))
            with b.when(self.layout.too_far(place)):
                b.returns(1)
            self.layout.put(b, place, ir.Load("states", i, self.layout.state_word))

    def _move(self, b: Builder) -> None:
        b.declare(*self.layout.params(), ir.Table("old", self.layout.type), ir.Scalar("count", ir.I64))
        b.declare(ir.Scalar("old.shift", ir.U64))
        mask = cast(sub(ir.Var("count", ir.I64), 1), ir.U64)
        with b.loop("i", const(0), sub(ir.Var("count", ir.I64), 1)) as i:
            found = b.local("found", ir.Load("old", i, self.layout.type))
            with b.when(compare("ne", found, const(0, self.layout.type))):
                place = self.layout.moved(b, cast(i, ir.U64), found, mask, ir.Var("old.shift", ir.U64))
                self.layout.put(b, place, self.layout.state(b, found))

    def put(self, known: dict[int, int]) -> int:
        keys, states = allocate(self.key, len(known)), allocate(self.layout.state_word, len(known))
        keys.from_ints(known.keys())
        states.from_ints(known.values())
        return self.insert(*self.layout.args(self.cells), keys, states, len(known))

    def grow(self) -> None:
        old: Buffer = self.cells
        self.cells = allocate(self.layout.type, 8 * old.length)
        self.move(*self.layout.args(self.cells), old, old.length, shift_of(old.length))

    def look_up(self, key: int) -> int:
        return self.layout.look_up(self.cells, key, self.key)


@pytest.mark.parametrize(("key_bits", "state_bits"), SHAPES)
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_every_key_keeps_its_state(key_bits: int, state_bits: int, backend: str) -> None:
    table = Table(key_bits, state_bits, backend)
    if backend == "python" and table.layout.least > 12:
        pytest.skip("the smallest table is too large to be gone through")
    draw = random.Random(key_bits)
    top = 1 << key_bits
    keys = {draw.randrange(top) for _ in range(16)} | {top - 1, 0} | {(top >> bit) - 1 for bit in range(0, key_bits, 9)}
    known = {key: draw.randrange(1, 1 << state_bits) for key in keys}
    assert table.put(known) == 0
    for _ in range(2):
        assert {key: table.look_up(key) for key in known} == known
        assert sum(each > 0 for each in table.cells.to_list()) == len(known)
        table.grow()
    known = {key: draw.randrange(1, 1 << state_bits) for key in known}
    assert table.put(known) == 0
    assert {key: table.look_up(key) for key in known} == known


@pytest.mark.parametrize("key_bits", [40, 64])
def test_cells_too_far_from_their_slots_are_refused(key_bits: int) -> None:
    table = Table(key_bits, 3, "llvm")
    spare, undo = 64 - key_bits, pow(MULTIPLIER, -1, 1 << 64)
    shift = shift_of(table.cells.length)
    # Keys that are mixed to words with the same highest bits, of which the last slot of the table is one.
    words = [(table.cells.length - 1) << shift | rest << spare for rest in range(1 << DISTANCE_BITS)]
    keys = [word * undo % (1 << 64) >> spare for word in words]
    most = (1 << DISTANCE_BITS) - 1
    room = min(most, table.cells.length - 1)
    assert table.put(dict.fromkeys(keys[:room], 5)) == 0
    assert [table.look_up(key) for key in keys[:room]] == [5] * room
    if room == most:
        assert table.put({keys[most]: 5}) == 1


@pytest.mark.parametrize(("key_bits", "state_bits"), SHAPES)
def test_the_narrowest_cell_is_taken(key_bits: int, state_bits: int) -> None:
    layout = Layout(key_bits, state_bits)
    assert layout.least <= MOST_LEAST
    assert key_bits + state_bits + DISTANCE_BITS <= layout.type.bits + layout.least
    assert (
        layout.type == ir.U32
        or key_bits + state_bits + DISTANCE_BITS > layout.type.bits // 2 + MOST_LEAST
        or (state_bits + DISTANCE_BITS > layout.type.bits // 2)
    )


def test_what_fits_no_cell_is_refused() -> None:
    with pytest.raises(OverflowError, match="600 bits"):
        Layout(600, 2)


@pytest.mark.parametrize(
    ("name", "params", "distance", "grundy"),
    [
        ("tic_tac_toe", {}, False, False),
        ("tic_tac_toe", {}, True, False),
        ("clobber", {"high": 2, "wide": 4}, True, False),
        ("cram", {"w": 3, "h": 3}, False, True),
    ],
)
def test_a_table_that_is_too_small_grows(
    name: str, params: dict[str, object], distance: bool, grundy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With cells that may stand only two slots away from their own, nearly every table is too small."""
    monkeypatch.setattr(seek, "FIRST_CELLS", 1 << 6)
    monkeypatch.setattr(cell, "DISTANCE_BITS", 2)
    game = gamespec.load(str(spec(name)), params)
    evaluator = Evaluator(game)
    reference = Reference(evaluator)
    found = [evaluator.start({})]
    for position in found:
        if len(found) < 300 and not evaluator.ending(position):
            found += [result for move in evaluator.moves(position) for result in move.results]
    found = sorted(set(found))
    facts = analyse(game, (SYMMETRY, "split"))
    ask = Ask(distance=distance, grundy=grundy)
    plan = choose(game, facts, ask, "memo")
    solver = make_solver(game, facts, plan, Budget(threads=1), lambda functions: compile(functions, checked=True))
    assert isinstance(solver, MemoSolver)
    values = list(solver.values([], list(zip(*found, strict=True))))
    if grundy:
        assert values == [reference.grundy(position) for position in found]
    elif distance:
        assert values == [reference.distance(position) for position in found]
    else:
        assert [ask.outcome(value) for value in values] == [reference.outcome(position) for position in found]
    assert solver.cells.length > 2 * solver.at[COUNT]
