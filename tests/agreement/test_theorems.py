"""Theorems answer what the definition says wherever their precondition is proved, and refuse everything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask, always
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.game.evaluate import Evaluator
from gamespec.game.model import Field, Game, Position, Value
from gamespec.game.reference import Reference
from gamespec.kernel.ir import Function
from gamespec.plan.choose import THEOREM, choose, make_solver
from gamespec.plan.definition import options, value
from gamespec.plan.plan import Bid, Kernels, LeavingSolver, Refusal, Solver
from gamespec.plan.theorem.product import nim_product
from gamespec.plan.theorem.strategy import bid
from gamespec.types import element_bounds, is_scalar
from tests.agreement import theorems
from tests.agreement.vary import renamed

NAMES = ("WYTHOFF", "TAKEAWAY", "EUCLID", "COINS", "PRODUCTS", "GAPS", "ALTERNATING")
SOLVED = {(name, way): text for name in NAMES for way, text in getattr(theorems, name).items()}
REFUSED = {(name, way): text for name in NAMES for way, text in getattr(theorems, f"NOT_{name}").items()}
WITH_VALUES = ("EUCLID", "COINS", "PRODUCTS", "GAPS")


def load(text: str) -> Game:
    return gamespec.loads(f"game drawn {text}")


def every(fields: Sequence[Field], cells: int) -> Iterator[tuple[Value, ...]]:
    """All values of fields, rows of so many cells among them."""
    ranges: list[list[Value]] = []
    for field in fields:
        bounds = element_bounds(field.type if is_scalar(field.type) else field.type.of)  # type: ignore[union-attr]
        numbers = range(bounds.lo, bounds.hi + 1)
        ranges.append(list(numbers) if is_scalar(field.type) else list(product(numbers, repeat=cells)))
    return product(*ranges)


def solver(game: Game, ask: Ask, backend: str) -> Solver:
    facts = analyse(game)

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, backend, checked=True)

    return make_solver(game, facts, choose(game, facts, ask, THEOREM), Budget(), compiled)


def agrees(game: Game, ask: Ask, backend: str) -> int:
    """Holds the theorem against the reference at all positions; how many there were."""
    found = solver(game, ask | Ask(moves=True), backend)
    compared = 0
    for given in every(game.givens, 0):
        data: Mapping[str, Value] = game.data(given)
        reference = Reference(Evaluator(game, dict(data)))
        positions: list[Position] = [
            each for each in every(game.states, int(given[-1]) if given else 0) if reference.evaluator.holds(each)
        ]
        columns = [list(column) for column in zip(*positions, strict=True)]
        values = found.values([[number] * len(positions) for number in given], columns)
        assert list(values) == [value(reference, ask, position) for position in positions]
        for position in positions[:: max(1, len(positions) // 5)]:
            listed = options(reference, ask, position)
            assert found.options(given, position) == listed
            if isinstance(found, LeavingSolver):
                winning = [option for option in listed if option.value == (0 if ask.grundy else 1)]
                assert found.leaving(given, position, 0) == winning
        compared += len(positions)
    return compared


@pytest.mark.parametrize(("name", "way"), list(SOLVED))
def test_solved(name: str, way: str) -> None:
    game = load(SOLVED[name, way])
    grundy = name in WITH_VALUES
    assert agrees(game, Ask(grundy=grundy) | always(game), "python") > 15


@pytest.mark.parametrize("name", NAMES)
def test_machine_code(name: str) -> None:
    game = load(next(iter(getattr(theorems, name).values())))
    assert agrees(game, always(game), "llvm") > 15


@pytest.mark.parametrize(("name", "way"), list(REFUSED))
def test_refused(name: str, way: str) -> None:
    """Whatever differs in one thing is refused, with a reason, and solved in another way."""
    game = load(REFUSED[name, way])
    facts = analyse(game)
    offer = bid(game, facts, always(game))
    assert isinstance(offer, Refusal)
    assert offer.reason.text
    assert choose(game, facts, always(game)).strategy != THEOREM


@pytest.mark.parametrize(("name", "way"), [("WYTHOFF", "plain"), ("TAKEAWAY", "twice"), ("EUCLID", "plain")])
def test_names_mean_nothing(name: str, way: str) -> None:
    game = load(SOLVED[name, way])
    other = gamespec.loads(renamed(game.source.text, [field.name for field in game.states]))
    offers = [bid(each, analyse(each), Ask()) for each in (game, other)]
    assert all(isinstance(offer, Bid) for offer in offers)


def test_switched_off() -> None:
    game = load(theorems.WYTHOFF["plain"])
    facts = analyse(game, ["theorem"])
    assert choose(game, facts, Ask()).strategy != THEOREM
    assert choose(game, analyse(game), Ask(), "table").strategy == "table"


def test_outcomes_only() -> None:
    """A theorem without Grundy values does not answer for them, nor for how long play lasts."""
    game = load(theorems.WYTHOFF["plain"])
    for ask in (Ask(grundy=True), Ask(distance=True)):
        assert isinstance(bid(game, analyse(game), ask), Refusal)


LARGE = 10**18


def test_largest() -> None:
    """At the limits, positions beside those that are known to be lost."""
    text = theorems.WYTHOFF["plain"].replace("9", str(LARGE))
    losing = [1, 2]
    while losing[-1] + losing[-2] <= LARGE:
        losing.append(losing[-1] + losing[-2])
    pairs = [(a, b) for a, b in zip(losing[::2], losing[1::2], strict=False)]
    near = [(a, b + 1) for a, b in pairs if b < LARGE] + [(a - 1, b) for a, b in pairs]
    found = solver(load(text), Ask(), "llvm")
    assert set(found.values((), list(zip(*pairs, strict=True)))) == {0}
    assert set(found.values((), list(zip(*near, strict=True)))) == {1}

    heap = load(theorems.TAKEAWAY["twice"].replace("18", str(LARGE)).replace("36", str(2 * LARGE)))
    columns = [losing, [n - 1 for n in losing]]
    assert set(solver(heap, Ask(), "llvm").values((), columns)) == {0}
    columns = [[n - 1 for n in losing[3:]], [n - 2 for n in losing[3:]]]
    assert set(solver(heap, Ask(), "llvm").values((), columns)) == {1}

    euclid = load(theorems.EUCLID["two moves"].replace("24", str(LARGE)))
    a, b = losing[-1], losing[-2]
    pairs = [(a, b), (b, a), (a, b - 1), (LARGE, 1), (LARGE, LARGE), (LARGE, 0)]
    values = solver(euclid, Ask(grundy=True), "llvm").values((), list(zip(*pairs, strict=True)))
    assert values[:2] == [values[0]] * 2
    assert values[3:] == [LARGE, 1, 0]
    assert (values[0] > 0, values[2] > 0) == (a * a - a * b - b * b > 0, a * a - a * (b - 1) - (b - 1) ** 2 > 0)


def test_nim_products() -> None:
    """The field of nimbers: the definition by the least excluded number, and what Conway says of large ones."""
    table: dict[tuple[int, int], int] = {}
    for a, b in product(range(20), repeat=2):
        seen = {table[x, b] ^ table[a, y] ^ table[x, y] for x in range(a) for y in range(b)}
        table[a, b] = next(value for value in range(len(seen) + 1) if value not in seen)
        assert nim_product(a, b) == table[a, b]
    for power in (1 << 8, 1 << 16, 1 << 32):
        assert nim_product(power, power) == power * 3 // 2
        assert nim_product(power, power - 1) == power * (power - 1)


def test_corners_far_away() -> None:
    text = theorems.PRODUCTS["corners"].replace("7", str(LARGE))
    columns = [[LARGE, 1 << 32, 1, 0, 12345678901234567], [1, 1 << 32, LARGE, LARGE, 98765432109876543]]
    expected = [LARGE, 3 << 31, LARGE, 0, nim_product(columns[0][-1], columns[1][-1])]
    assert solver(load(text), Ask(grundy=True), "llvm").values((), columns) == expected


def test_data_after_data() -> None:
    """What was worked out for the data of one case is given up for those of the next, also its memory."""
    text = TAKE_MULTIPLES + " input cases until eof read f, n, q output win '{n}' lose '-'".replace("'", '"')
    cases = " ".join(f"{f} 1000000 5" for f in range(200))
    assert gamespec.solve(load(text), cases, memory=1 << 20).count("\n") == 200


TAKE_MULTIPLES = (
    "given f: 0..1000 state n: 0..10**6 state q: 0..10**9 move m choose k in 1..min(n, q) do n -= k, q = f * k"
)
