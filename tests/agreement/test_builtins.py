"""Every builtin has a kernel form, and its examples have the same values in kernels as on the reference page."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import gamespec
from gamespec.analysis.facts import analyse
from gamespec.answers.ask import Ask
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.builtins import BUILTINS
from gamespec.game.evaluate import Evaluator
from gamespec.game.reference import Reference
from gamespec.kernel.call import LOWERED
from gamespec.kernel.ir import Function
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.plan import Kernels
from gamespec.types import IntType

EXAMPLES = [(name, *example) for name, entry in BUILTINS.items() for example in entry.examples]


def solved(text: str, states: list[list[object]], backend: str, strategy: str = "memo") -> list[int]:
    """Outcomes by a strategy, held against the reference evaluator."""
    game = gamespec.loads(f"game example {text}")
    facts = analyse(game)
    reference = Reference(Evaluator(game))
    rows = list(zip(*states, strict=True))

    def compiled(functions: Sequence[Function]) -> Kernels:
        return compile(functions, backend, checked=True)

    plan = choose(game, facts, Ask(grundy=False, moves=True), strategy)
    solver = make_solver(game, facts, plan, Budget(), compiled)
    found = list(solver.values([], states))  # type: ignore[arg-type]
    assert found == [int(reference.won(row)) for row in rows]
    for row in rows:
        listed = [(option.move, option.choices) for option in solver.options([], row)]
        assert listed == [(played.move, played.choices) for played in reference.evaluator.moves(row)]
    return found


def test_every_builtin_has_a_kernel_form() -> None:
    assert set(LOWERED) == set(BUILTINS)
    for name, forms in LOWERED.items():
        assert forms.value or forms.each or forms.word, name


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_examples(backend: str) -> None:
    """All examples of the reference page in one rule: move i may be made exactly if example i is true."""
    rules = [
        f"move m{i} when n == {i} and ({text}) == {value} do n = 99" for i, (_, text, value) in enumerate(EXAMPLES)
    ]
    wrong = [f"move w{i} when n == {i} and ({text}) != {value} do n = 0" for i, (_, text, value) in enumerate(EXAMPLES)]
    for start in range(0, len(EXAMPLES), 10):
        some = slice(start, start + 10)
        numbers: list[object] = list(range(len(EXAMPLES)))[some]
        text = " ".join(["state n: 0..99", *rules[some], *wrong[some], "terminal n == 99"])
        assert solved(text, [numbers], backend) == [1] * len(numbers), EXAMPLES[some]


# Calls of numbers that the position decides, so that nothing is known when the kernel is made.
CALLS = [
    "abs(a - b)",
    "min(a, b, 3)",
    "max(a - b, b - a)",
    "min({a, b, 4})",
    "max(digits(a * 37))",
    "gcd(a, b)",
    "gcd(a, b, 6)",
    "gcd({a, b + 1, 4})",
    "gcd(x * b for x in 1..a)",
    "popcount(a * 13 + b)",
    "bit(a * 5, b)",
    "bit(a - 7, b)",
    "size(digits(a * b, 2))",
    "size({a, b, a + b, 3})",
    "size(a..b)",
    "sum(digits(a * 11))",
    "sum({a, b})",
    "sum(x for x in a..b)",
    "count(x > 2 for x in {a, b, 3})",
    "size(powers(2, a * b))",
    "sum(powers(3, a + b))",
    "size(squares(a * b))",
    "sum(squares(a * 4) - {1})",
    "sum(primes(a + b))",
    "size(divisors(a + 1))",
    "sum(divisors(a * 6 + 1))",
    "sum(closure({b}, 3, a))",
    "sum(closure({b, 1}, {2, a + 2}, 9))",
    "size(powers(a + 1, 40))",
    "sum(digits(a * 9, b + 2))",
    "size(digits(a) - {b})",
    "max(x * x % 7 for x in 0..a)",
    "min(abs(x - b) for x in 0..a)",
    "sum(closure({a - 4}, 2, b))",
    "gcd(a - 6, b - 4)",
    "size(powers(1, a))",
    "abs(min(a - b, 0) * b)",
]
CONDITIONS = [
    "a in squares(b * 5)",
    "a in primes(b + 3)",
    "a in divisors(b + 1)",
    "b in powers(2, a)",
    "b in closure({a}, 2, 8)",
    "b in digits(a * 17)",
    "any(x * x == a for x in 0..b)",
    "all(x < b for x in digits(a))",
    "primes(a) <= squares(b)",
    "divisors(a + 1) & divisors(b + 1) == {1}",
    "squares(a) != powers(2, b)",
    "not (a in {b, b + 2})",
]


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_calls_of_what_the_position_decides(backend: str) -> None:
    """Each call makes a choice of its own; the lists of moves tell whether its value is right."""
    columns: list[list[object]] = [[a for a in range(9) for _ in range(6)], [b for _ in range(9) for b in range(6)]]
    moves = [f"move v{i} choose k in {{{text}}} do a = 9, b = 0" for i, text in enumerate(CALLS)]
    moves += [f"move c{i} when {text} do a = 9, b = 0" for i, text in enumerate(CONDITIONS)]
    for start in range(0, len(moves), 10):
        text = " ".join(["state a: 0..9 state b: 0..5", *moves[start : start + 10], "terminal a == 9"])
        solved(text, columns, backend)


def test_every_builtin_is_called() -> None:
    """Else the test above would say nothing about it."""
    text = " ".join(CALLS + CONDITIONS)
    assert {name for name in BUILTINS if f"{name}(" not in text} <= {"count", "any", "all"}


def test_sizes_of_results() -> None:
    """The bounds of a call hold at every position: kernels choose widths by them."""
    for text in CALLS:
        game = gamespec.loads(f"game example state a: 0..9 state b: 0..5 let v = {text} move m when v > 0 do a = 0")
        bounds = game.lets["v"].type
        assert isinstance(bounds, IntType)
        evaluator = Evaluator(game)
        for a in range(9):
            for b in range(6):
                assert evaluator.expr(game.lets["v"], (a, b)) in bounds.bounds, text  # type: ignore[operator]


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_what_is_reached(backend: str) -> None:
    """`reach` with a function that depends on the position, from a set, inside one, and as a part of other sets."""
    text = (
        "state up: set of 0..6 let near(v) = {v - 1, v + 2, v * v % 7} let all = reach({3}, near, up) "
        "move cut choose c in all do up = reach({0, 6}, near, up - {c}) "
        "move drop choose c in up - all when size(all) % 2 == 1 and c not in reach(up - all, near, up) - {c} "
        "do up -= {c} "
        "move most when all != {} and max(all) > 4 do up = reach(all, near, up - {max(all)}) | {0} - {0}"
    )
    states: list[list[object]] = [[frozenset(x for x in range(7) if mask >> x & 1) for mask in range(128)]]
    solved(text, states, backend)
