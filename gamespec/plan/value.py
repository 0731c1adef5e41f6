"""How many options a position may have, and the mex of their values, whatever looks them up."""

from __future__ import annotations

from gamespec.game import model
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.build import Builder, add, binary, cast, compare, const, shl, word_type
from gamespec.kernel.shape import SMALL
from gamespec.kernel.sieve import LIMIT, most_divisors
from gamespec.types import ArrayType, IntType, ListType, SetType, Type, element_bounds

UNBOUNDED = 1 << 40
FEW = 4  # options that are all looked at


def most_options(game: Game) -> int:
    """A bound on how often the loops of all rules run at one position, so on Grundy values; at most `UNBOUNDED`."""
    total = 0
    for move in game.moves:
        product = 1
        for bind in move.choices:
            product = min(UNBOUNDED, product * most_elements(game, bind.within))
        total = min(UNBOUNDED, total + product)
    return total


def most_elements(game: Game, expr: model.Expr) -> int:
    """A bound on how often a loop over a set or list runs."""
    match expr:
        case model.Const(value) if isinstance(value, frozenset | tuple):
            return len(value)
        case model.SetOf(items):
            return len(items)
        case model.LetRef(name):
            return most_elements(game, game.lets[name])
        case model.Binary("-" | "&", left, _) if _universe(expr.type) > SMALL:
            return most_elements(game, left)
        case model.Binary("|" | "xor", left, right) if _universe(expr.type) > SMALL:
            return min(UNBOUNDED, most_elements(game, left) + most_elements(game, right))
        case model.If(_, then, other):
            return max(most_elements(game, then), most_elements(game, other))
        case model.SetComp(_, tail) if _universe(expr.type) > SMALL:
            runs = 1
            for bind in tail.binds:
                runs = min(UNBOUNDED, runs * most_elements(game, bind.within))
            return runs
        case model.Range(lo, hi) if isinstance(lo.type, IntType) and isinstance(hi.type, IntType):
            return max(0, min(UNBOUNDED, hi.type.bounds.hi - lo.type.bounds.lo + 1))
        case model.Call("powers", (base, limit)):
            assert isinstance(base.type, IntType)
            assert isinstance(limit.type, IntType)
            top = limit.type.bounds.hi
            return max(0, top).bit_length() if base.type.bounds.lo >= 2 else _universe(expr.type)
        case model.Call("divisors", (number,)):
            assert isinstance(number.type, IntType)
            return (
                most_divisors(max(1, number.type.bounds.hi)) if number.type.bounds.hi < LIMIT else _universe(expr.type)
            )
        case _:
            return _universe(expr.type)


def _universe(of: Type) -> int:
    if isinstance(of, ListType):
        return 128
    if isinstance(of, SetType | ArrayType):
        return min(UNBOUNDED, element_bounds(of.of).size)
    return UNBOUNDED


class Mex:
    """Notes the values of options and finds the least value that is not among them.

    With few options a word keeps the values seen; otherwise the table `seen` holds, for each value, the number
    (`stamp`, u32, never 0) of the last position that saw it.
    """

    LIMIT = 126  # options for which a word is enough

    def __init__(self, b: Builder, most: int) -> None:
        self.b = b
        self.in_word = most <= self.LIMIT
        self.word = word_type(most + 1) if self.in_word else ir.U32

    @property
    def params(self) -> tuple[ir.Scalar | ir.Table, ...]:
        return () if self.in_word else (ir.Table("seen", ir.U32), ir.Scalar("seen.count", ir.I64))

    def start(self, stamp: ir.Expr | None) -> None:
        if self.in_word:
            self.seen = self.b.local("seen", const(0, self.word))
        else:
            assert stamp is not None
            self.stamp = self.b.simple("stamp", cast(stamp, ir.U32))
            self.top = self.b.local("top", const(0))

    def note(self, value: ir.Expr) -> None:
        """Values from the number of options on cannot be the mex and are passed over."""
        if self.in_word:
            bit = shl(const(1, self.word), cast(value, self.word))
            self.b.assign(self.seen, binary("or", self.seen, bit, self.word))
            return
        value = self.b.simple("value", cast(value, ir.I64))
        with self.b.when(compare("lt", value, ir.Var("seen.count", ir.I64))):
            self.b.store("seen", value, self.stamp, proof="tested just before")

    def result(self) -> ir.Expr:
        """The mex (u32)."""
        if self.in_word:
            return cast(ir.Unary("low", ir.Unary("not", self.seen, self.word), self.word), ir.U32)
        least = self.b.local("mex", const(0))
        # `seen` has a cell more than there are options, so the search ends inside it.
        going = compare("eq", ir.Load("seen", least, ir.U32), self.stamp)
        with self.b.loop_while(going):
            self.b.assign(least, add(least, 1))
        return cast(least, ir.U32)
