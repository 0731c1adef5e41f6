"""The rules of a game in kernels against the evaluator: endings, moves, what they leave, and where they fail."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from gamespec.backends.program import compile
from gamespec.game.check import check
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault
from gamespec.game.model import DRAWN, LOST, WON, Game, Position, Value
from gamespec.game.sample import givens, positions
from gamespec.game.total import prove
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, cast, compare, const
from gamespec.kernel.memory import Buffer, allocate
from gamespec.kernel.moves import Option, Rules
from gamespec.kernel.passes import run
from gamespec.kernel.shape import Shape, shape_of
from gamespec.kernel.verify import verify
from gamespec.plan.encode import givens_of, scalar
from gamespec.source import Source
from gamespec.syntax.read import read

ROWS = 4096
ENDED = 1 << 20  # status of a position where the game is over, plus the outcome
NO_POSITION = 1 << 21
WAYS = (("python", True), ("python", False), ("llvm", False), ("llvm", True))


def game_of(text: str) -> Game:
    source = Source("test.game", text)
    return check(read(source), source, {})


class Step(NamedTuple):
    """What a kernel says about one move."""

    move: int
    choices: tuple[int, ...]
    results: tuple[Position, ...]
    gain: int
    keeps: bool


class Stepper:
    """A kernel that lists what all moves of one position leave."""

    def __init__(self, game: Game, backend: str = "python", checked: bool = True) -> None:
        self.game = game
        self.givens = givens_of(game)
        self.shapes: dict[str, Shape] = {field.name: shape_of(field) for field in game.states}
        self.function = self.write()
        verify(self.function)
        self.lowered = run(self.function)
        verify(self.lowered, "after the passes")
        self.kernel = compile([self.lowered], backend, checked)["step"]

    def cell(self, shape: Shape) -> ir.Type:
        return ir.U8 if shape.type == ir.I1 else shape.type

    def tables(self) -> list[ir.Table]:
        fields = [ir.Table(f"after.{shape.name}", self.cell(shape)) for shape in self.shapes.values()]
        width = max((len(move.choices) for move in self.game.moves), default=0)
        return [ir.Table("head", ir.I64), *(ir.Table(f"choice.{place}", ir.I64) for place in range(width)), *fields]

    def write(self) -> ir.Function:
        b = Builder()
        position = [ir.Scalar(f"at.{name}", shape.type) for name, shape in self.shapes.items()]
        b.declare(*self.givens.params(), *position, *self.tables())
        shapes = {**self.shapes, **{shape.name: shape for shape in self.givens.scalars}}
        rules = Rules(b, self.game, prove(self.game), shapes, self.givens.names())
        words = {name: scalar(shape, f"at.{name}") for name, shape in self.shapes.items()}
        with b.when(ir.Unary("not", b.simple("exists", rules.is_position(words)), ir.I1)):
            b.returns(NO_POSITION)
        rules.terminal(words, lambda outcome: b.returns(add(cast(outcome, ir.I64), ENDED)))
        count = b.local("count", const(0))
        number = b.local("number", const(0))

        def note(option: Option) -> None:
            b.assign(number, add(number, 1))

            def look(after: dict[str, ir.Expr]) -> None:
                with b.when(compare("lt", count, const(ROWS))):
                    base = b.local("base", ir.Binary("mul", count, const(4), ir.I64))
                    head = (const(option.move), number, option.gain or const(0), cast(option.keeps_turn, ir.I64))
                    for place, value in enumerate(head):
                        b.store("head", add(base, place), cast(value, ir.I64))
                    for place, choice in enumerate(option.choices):
                        b.store(f"choice.{place}", count, cast(choice, ir.I64))
                    for name, word in after.items():
                        b.store(f"after.{name}", count, word)
                b.assign(count, add(count, 1))

            option.each_result(look)

        rules.each_option(words, note)
        b.returns(count)
        return b.function("step")

    def run(self, data: tuple[Value, ...], position: Position) -> tuple[int, list[Step]]:
        """The kernel's status, and the moves where it is a number of rows."""
        values = dict(zip((field.name for field in self.game.givens), data, strict=True))
        args: list[Any] = [shape.word(values[shape.name]) for shape in self.givens.scalars]
        for table in self.givens.tables:
            args += table.args(values[table.name])
        args += [shape.word(value) for shape, value in zip(self.shapes.values(), position, strict=True)]
        tables = {
            table.name: allocate(table.cell, ROWS * (4 if table.name == "head" else 1)) for table in self.tables()
        }
        status = self.kernel(*args, *tables.values())
        return status, self.steps(tables, min(status, ROWS) if 0 <= status < ENDED else 0, position)

    def steps(self, tables: dict[str, Buffer], count: int, position: Position) -> list[Step]:
        found: dict[int, Step] = {}
        for row in range(count):
            move, number, gain, keeps = tables["head"].to_list(4 * row, 4 * row + 4)
            choices = tuple(tables[f"choice.{i}"][row] for i in range(len(self.game.moves[move].choices)))
            values = [shape.value(tables[f"after.{shape.name}"][row]) for shape in self.shapes.values()]
            after = tuple(
                value[: len(old)] if isinstance(value, tuple) and isinstance(old, tuple) else value
                for value, old in zip(values, position, strict=True)
            )
            before = found[number].results if number in found else ()
            found[number] = Step(move, choices, (*before, after), gain, bool(keeps))
        return list(found.values())


def agree(game: Game, count: int = 60, seed: int = 1, ways: tuple[tuple[str, bool], ...] = WAYS) -> Counter[str]:
    """Compares every back end with the evaluator at sampled positions; how many of them end, fail, or have moves."""
    compared: Counter[str] = Counter()
    steppers = [Stepper(game, *way) for way in ways]
    for data in givens(game, 3, seed=seed):
        evaluator = Evaluator(game, data)
        values = tuple(data[field.name] for field in game.givens)
        for position in positions(game, data, count, seed=seed):
            expected = told(evaluator, position)
            for stepper in steppers:
                found = seen(stepper, values, position)
                assert found == expected, (game.name, data, position, found, expected)
            compared[kind_of(expected)] += 1
    return compared


def kind_of(expected: object) -> str:
    match expected:
        case "fails":
            return "fails"
        case ("ends", outcome):
            return ("lost", "won", "drawn")[int(outcome)]  # type: ignore[call-overload]
        case _:
            return "moves"


def told(evaluator: Evaluator, position: Position) -> object:
    """What the evaluator says: `fails`, an outcome where the game is over, or the moves."""
    game = evaluator.game
    try:
        verdict = evaluator.verdict(position)
        if verdict is not None:
            return "ends", verdict.outcome(int(position[-1]) if game.partisan else 0)  # type: ignore[call-overload]
        plays = evaluator.moves(position)
    except RuleFault:
        return "fails"
    found = set()
    for play in plays:
        keeps = game.partisan and len(play.results) == 1 and play.results[0][-1] == position[-1]
        found.add(Step(play.move, play.choices, play.results, play.gain, bool(keeps)))
    return found


def seen(stepper: Stepper, data: tuple[Value, ...], position: Position) -> object:
    """What a kernel says, in the same words."""
    status, steps = stepper.run(data, position)
    if status < 0:
        assert -len(stepper.lowered.sites) <= status, status
        return "fails"
    assert status != NO_POSITION, position
    if status >= ENDED:
        return "ends", status - ENDED
    if not steps:
        return "ends", DRAWN if stepper.game.scored else WON if stepper.game.misere else LOST
    return set(steps)
