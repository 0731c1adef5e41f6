"""Moves read backwards: from the positions that they name, and from no other, a move leads to the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest

import gamespec
from gamespec.analysis.facts import INVERSE, SWAP, SYMMETRY, analyse
from gamespec.analysis.inverse import NotLocal, Place, Relation, inverse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Game, Position
from gamespec.kernel.shape import Shape, shape_of
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.retrograde import backward
from gamespec.plan.retrograde.backward import BackwardSolver
from gamespec.plan.retrograde.parents import Parents
from gamespec.plan.slot import position_key

SLIDES = """
game slides
players x, o
state board: array[1..5] of {empty, x, o}
require count(board[i] != empty for i in 1..5) >= 2
start board[i] = if i == 1 then x else if i == 5 then o else empty for i in 1..5
move shift choose i in 1..5, j in {1, 5} when i != j and board[i] in {empty, mover}
    do board[k] = if k == j then mover else board[k + (if i < j then 1 else -1)]
       for k in 1..5 if i <= k <= j or j <= k <= i
terminal mover loses when all(board[i] == other for i in 2..4)
endless draw
"""

WALK = """
game walk
state at: 0..6
state left: array[0..6] of bool
state tired: 0..3
start at = 0, left = true, tired = 2
move jump choose k in 1..3 when left[(at + k) % 7]
    do at = (at + k) % 7, left[at] = true, left[(at + k) % 7] = false, tired = (tired + k) % 4
move wait when tired > 0 do tired -= 1
endless draw
"""

SETS = """
game sets
players a, b
state mine, yours: set of 1..4
start mine = {1, 2}, yours = {3}
move take choose e in yours when e % 2 == 0 or mover == a do yours -= {e}, mine |= {e}, mover = mover
move give choose e in 1..4 when e in mine and e not in yours do mine -= {e}, yours |= {e}
terminal mover wins when 4 in yours and 1 in yours
endless b wins
"""

HAND = """
game hand
players a, b
state at: array[1..4] of {free, a, b}
state hand: 0..2
start at = free, hand = 2
move drop choose i in 1..4 when at[i] == free and (hand > 0 or mover == b) do at[i] = mover, hand = max(0, hand - 1)
move lift choose i in 1..4 when at[i] == other and hand < 2 do at[i] = free, hand += 1
terminal a wins when at[1] == a and at[2] == a
endless draw
"""

GAMES = [SLIDES, WALK, SETS, HAND]
NAMES = ["slides", "walk", "sets", "hand"]


def packed(game: Game, position: Position) -> int:
    key = shift = 0
    for field, value in zip(game.states, position, strict=True):
        shape = shape_of(field)
        key |= shape.packed(value) << shift
        shift += shape.bits
    return key


def reached(game: Game) -> dict[Position, Counter[Position]]:
    """The moves between the positions that play from the start reaches, by their sources."""
    evaluator = Evaluator(game)
    found: dict[Position, Counter[Position]] = {}
    waiting = [evaluator.start({})]
    while waiting:
        position = waiting.pop()
        if position in found:
            continue
        over = evaluator.ending(position) is not None
        options = [] if over else [move.results[0] for move in evaluator.moves(position)]
        found[position] = Counter(options)
        waiting += options
    return found


def held(game: Game, position: Position, places: Sequence[Place]) -> tuple[int, ...]:
    values = []
    for place in places:
        number = [field.name for field in game.states].index(place.field)
        shape, value = shape_of(game.states[number]), position[number]
        word = shape.word(value)
        if shape.kind == "array":
            values.append(word >> place.number * shape.cell_bits & shape.cell_mask)
        else:
            values.append(word >> place.number & 1 if shape.kind == "set" else word - shape.lo)
    return tuple(values)


def joined(game: Game, relations: Sequence[Relation], before: Position, after: Position) -> int:
    """How many moves the relations know between two positions."""
    found = 0
    names = [field.name for field in game.states]
    for relation in relations:
        touched = set(relation.places)
        same = all(
            held(game, before, [place]) == held(game, after, [place])
            for field in game.states
            for place in _places(field.name, shape_of(field).kind, game)
            if place not in touched
        )
        if same:
            pair = held(game, before, relation.places), held(game, after, relation.places)
            found += sum(count for old, new, count in relation.pairs if (old, new) == pair)
    assert names
    return found


def _places(name: str, kind: str, game: Game) -> list[Place]:
    shape = shape_of(game.state(name))
    if kind == "set":
        return [Place(name, number, 2) for number in range(shape.bits)]
    return [Place(name, number, shape.bounds.size) for number in range(shape.cells if kind == "array" else 1)]


@pytest.mark.parametrize("text", GAMES, ids=NAMES)
def test_relations_are_the_moves(text: str) -> None:
    game = gamespec.loads(text)
    relations = inverse(game)
    moves = reached(game)
    some = sorted(moves, key=repr)[:: max(1, len(moves) // 40)]
    over = Evaluator(game)
    for before in some:
        if over.ending(before) is not None:
            continue
        for after in {*moves[before], *some}:
            assert joined(game, relations, before, after) == moves[before][after], (before, after)


@pytest.mark.parametrize("text", GAMES, ids=NAMES)
def test_tables_name_all_predecessors(text: str) -> None:
    game = gamespec.loads(text)
    shapes = {field.name: shape_of(field) for field in game.states}
    parents = Parents(inverse(game), shapes, position_key(game, shapes, sum(shape.bits for shape in shapes.values())))
    moves = reached(game)
    over = Evaluator(game)
    live = {packed(game, position) for position in moves if over.ending(position) is None}
    into: dict[Position, Counter[int]] = {position: Counter() for position in moves}
    for before, options in moves.items():
        for after, count in options.items():
            into[after][packed(game, before)] += count
    for position, sources in into.items():
        key, found = packed(game, position), Counter[int]()
        for group in parents.groups:
            row, at = group.first, 0
            for bits in group.bits:
                row += (key >> bits.shift & (1 << bits.width) - 1) << at
                at += bits.width
            found.update(key ^ change for change in parents.changes[parents.rows[row] : parents.rows[row + 1]])
        assert sum(found.values()) <= parents.longest
        assert Counter({source: count for source, count in found.items() if source in live}) == sources


@pytest.mark.parametrize("text", GAMES, ids=NAMES)
@pytest.mark.parametrize("distance", [False, True])
def test_answers_are_those_with_stored_moves(text: str, distance: bool) -> None:
    game = gamespec.loads(text)
    some = sorted(reached(game), key=repr)[::3]
    columns = [[position[place] for position in some] for place in range(len(game.states))]
    found = []
    for left_out in ((), (INVERSE,), (SYMMETRY, SWAP), (INVERSE, SYMMETRY, SWAP)):
        facts = analyse(game, left_out)
        plan = choose(game, facts, Ask(distance=distance, moves=True), "retrograde")
        solver = make_solver(game, facts, plan, Budget(), lambda functions: compile(functions, "python", True))
        assert isinstance(solver, BackwardSolver)
        assert (solver.graph.parents is None) is (INVERSE in left_out)
        found.append((list(solver.values([], columns)), [solver.options((), position) for position in some[:10]]))
    assert found[0] == found[1] == found[2] == found[3]


@pytest.mark.parametrize("text", GAMES, ids=NAMES)
def test_all_declared_positions_are_gone_through(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as play is seen to reach some of them, though it may not reach them all."""
    game = gamespec.loads(text)
    some = sorted(reached(game), key=repr)
    columns = [[position[place] for position in some] for place in range(len(game.states))]
    monkeypatch.setattr(backward, "FIRST_CELLS", 16)
    found = []
    for least in (1, 1 << 20):
        monkeypatch.setattr(backward, "LEAST_FUEL", least)
        monkeypatch.setattr(backward, "DENSITY", 1 << 20)
        facts = analyse(game)
        plan = choose(game, facts, Ask(distance=True), "retrograde")
        solver = make_solver(game, facts, plan, Budget(), lambda functions: compile(functions, "python", True))
        assert isinstance(solver, BackwardSolver)
        found.append(list(solver.values([], [[value] for value in some[0]])))
        assert solver.count == (declared(game, solver) if least == 1 else solver.count)
        found[-1] += solver.values([], columns)
    assert found[0] == found[1]


def declared(game: Game, solver: BackwardSolver) -> int:
    """How many different keys all declared positions have."""
    evaluator = Evaluator(game)
    ranges = [[shape_of(field).unpacked(word) for word in words(shape_of(field))] for field in game.states]
    return len({solver.graph.packed.number(each) for each in product(*ranges) if evaluator.holds(each)})


def words(shape: Shape) -> list[int]:
    """The packed values of a field."""
    if shape.kind == "array":
        cells = product(range(shape.bounds.size), repeat=shape.cells)
        return [sum(cell << place * shape.cell_bits for place, cell in enumerate(each)) for each in cells]
    return list(range(1 << shape.bits if shape.kind == "set" else shape.bounds.size))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("left: array[0..6] of bool", "left: sorted array[0..6] of bool", "kept in order"),
        ("when tired > 0 do", "when tired > sum(k for k in 1..20 if k in more) do more |= {3},", "too many"),
        ("tired: 0..3", "tired: 0..40000", "too many"),
        ("wait when tired > 0", "wait when tired > size(more)", "whole of `more`"),
        ("when tired > 0 do", "when tired > 0 do more = more | {tired % 9 + 1},", "`more`"),
    ],
)
def test_moves_that_touch_too_much(old: str, new: str, reason: str) -> None:
    changed = WALK.replace(old, new).replace("start at = 0,", "start at = 0, more = {},")
    assert changed.count("more = {}") == 1
    game = gamespec.loads(changed.replace("state at:", "state more: set of 1..20 state at:"))
    with pytest.raises(NotLocal, match=reason):
        inverse(game)
