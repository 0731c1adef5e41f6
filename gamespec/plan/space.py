"""The declared positions as cells of a box: which part of it the positions asked can reach."""

from __future__ import annotations

from collections.abc import Sequence

from gamespec.analysis.facts import Facts
from gamespec.game.model import Field, Game, Position, Value
from gamespec.game.walk import names_read
from gamespec.interval import Interval
from gamespec.kernel.shape import Shape
from gamespec.plan.encode import Box, Digit, Indexing, indexing
from gamespec.plan.plan import Column


class Space:
    """All positions at the declared limits, numbered by digits in an order of the fields."""

    def __init__(self, game: Game, facts: Facts, shapes: dict[str, Shape], order: Sequence[tuple[str, int]]) -> None:
        self.game = game
        self.facts = facts
        self.indexing: Indexing = indexing(shapes, order)
        self.names = tuple(field.name for field in game.states)
        self.cut = [field for field in game.states if _is_cut(game, field)]

    @property
    def cells(self) -> int:
        """Positions at the declared limits."""
        product = 1
        for digit in self.indexing.digits:
            product *= digit.limit
        return product

    @property
    def least(self) -> int:
        """Positions in the smallest box that a question can have: sets, and fields that go both ways, count whole."""
        product = 1
        for digit in self.indexing.digits:
            if digit.shape.kind == "set" or digit.shape.name not in self.facts.monotone:
                product *= digit.limit
        return product

    def box(self, states: Sequence[Column], data: Sequence[Value] | None = None) -> Box:
        """The smallest box that holds the positions asked and all that play can reach from them, under any data or
        those of one case."""
        exact = self.exact(data) if self.cut and data is not None else {}
        lows, sizes = [], []
        columns = dict(zip(self.names, states, strict=True))
        for digit in self.indexing.digits:
            trend = self.facts.monotone.get(digit.shape.name)
            low, high = digit.lowest, digit.lowest + digit.limit - 1
            column = columns[digit.shape.name]
            if digit.shape.kind == "array" and all(digit.cell >= len(array) for array in column):  # type: ignore[arg-type]
                low = high = 0
            elif trend is not None and digit.shape.kind != "set":
                contents = _contents(digit, column)
                low = low if trend < 0 else int(min(contents))
                high = high if trend > 0 else int(max(contents))
            if digit.shape.name in exact:
                least, most = digit.contents(exact[digit.shape.name])
                low, high = max(low, least), min(high, most)
            lows.append(low)
            sizes.append(high - low + 1)
        return Box(tuple(lows), tuple(sizes))

    def exact(self, data: Sequence[Value]) -> dict[str, Interval]:
        """The bounds of numbers, elements and cells that the data of a case cut."""
        from gamespec.game.evaluate import Evaluator

        evaluator = Evaluator(self.game, self.game.data(data))
        nowhere: Position = (0,) * len(self.game.states)
        found = {}
        for field in self.cut:
            assert field.lo is not None
            assert field.hi is not None
            lo, hi = evaluator.expr(field.lo, nowhere), evaluator.expr(field.hi, nowhere)
            assert isinstance(lo, int)
            assert isinstance(hi, int)
            found[field.name] = Interval(lo, hi)
        return found


def _is_cut(game: Game, field: Field) -> bool:
    """Whether the bounds of a field depend on the data of the case, and on nothing else."""
    if field.lo is None or field.hi is None:
        return False
    read = names_read(field.lo, game.lets) | names_read(field.hi, game.lets)
    return bool(read) and read <= {given.name for given in game.givens}


def _contents(digit: Digit, column: Column) -> Sequence[int]:
    """The contents of a number's or a cell's digit at many positions; a cell that a short array lacks has 0."""
    if digit.shape.kind == "number":
        return [number - digit.base for number in column] if digit.base else column  # type: ignore[operator,return-value]
    cell, lo = digit.cell, digit.shape.lo
    return [array[cell] - lo if cell < len(array) else 0 for array in column]  # type: ignore[index,arg-type]
