"""What a number kept for a position means, and how the value of a position comes from those of its options.

A strategy keeps a *code* for each position, an unsigned number from 0 to `Valuation.top`:

    OUTCOME   LOST or WON, in games where nobody can draw
    DRAWS     LOST, WON or DRAWN
    DISTANCE  three times the plies to the end plus the outcome; a draw has no plies
    GRUNDY    the Grundy value
    SCORE     the best difference, counted from `Valuation.lowest`
    TOTAL     the best difference as for SCORE, and below it, in `Valuation.sum_bits` bits, the gains of both players
              together, counted from `Valuation.least_sum`: for one difference they are the greater the more the
              player to move gains

A move that keeps the turn is a ply, and passes its value on as it is; any other is seen from the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import msgspec

from gamespec.analysis.facts import Facts
from gamespec.answers.ask import Ask, interacts
from gamespec.answers.pair import paired
from gamespec.game.model import DRAWN, LOST, MOVER, WON, Do, Game, Into, Verdict
from gamespec.interval import Interval
from gamespec.kernel import ir
from gamespec.kernel.build import (
    FALSE,
    TRUE,
    Builder,
    add,
    binary,
    cast,
    cell_type,
    compare,
    const,
    either,
    select,
    shl,
    shr,
    sub,
)
from gamespec.kernel.moves import Option
from gamespec.kernel.turn import keeps_turn
from gamespec.plan.value import FEW, most_options
from gamespec.types import IntType

MOST_PLIES = 1 << 40
"""Longer plays need more memory than there is."""

MOST_SCORE = 1 << 61
MOST_SUM_BITS = 62


class Kind(Enum):
    """What is kept of a position."""

    OUTCOME = "outcome"
    DRAWS = "outcome or draw"
    DISTANCE = "distance"
    GRUNDY = "Grundy value"
    SCORE = "score"
    TOTAL = "score and totals"


class TooLong(Exception):
    """Scores, or the gains of both players together, may need more than 62 bits."""


class Valuation(msgspec.Struct, frozen=True):
    """The kind of value that a question needs, and the bounds of its codes."""

    kind: Kind
    top: int
    lowest: int = 0
    misere: bool = False
    with_score: bool = False
    as_outcome: bool = False  # Grundy values are kept, and only outcomes told
    sum_bits: int = 0
    least_sum: int = 0

    @property
    def cell(self) -> ir.Type:
        """The table cell that holds a code."""
        return cell_type(self.top)

    @property
    def word(self) -> ir.Type:
        """The scalar that holds a code in a kernel."""
        return ir.U32 if self.cell.bits <= 32 else self.cell

    @property
    def scores(self) -> bool:
        """Whether the code tells a score."""
        return self.kind in (Kind.SCORE, Kind.TOTAL)

    @property
    def is_full(self) -> bool:
        """Whether all options count, not only until one wins."""
        return self.kind not in (Kind.OUTCOME, Kind.DRAWS)

    @property
    def stuck(self) -> int:
        """The code of a position without options."""
        match self.kind:
            case Kind.GRUNDY:
                return 0
            case Kind.SCORE:
                return -self.lowest
            case Kind.TOTAL:
                return self.both(0, 0)
            case _:
                return WON if self.misere else LOST

    def ended(self, outcome: ir.Expr) -> ir.Expr:
        """The code (a `word`) of a position where the game is over, from its outcome (u32)."""
        if self.kind is Kind.GRUNDY or self.scores:
            return const(self.stuck, self.word)
        return cast(outcome, self.word)

    def both(self, score: int, together: int) -> int:
        """The code TOTAL of a difference, and of the gains of both players together."""
        return score - self.lowest << self.sum_bits | together - self.least_sum

    def parted(self, code: int) -> tuple[int, int]:
        """The difference, and the gains of both players together."""
        score, together = code >> self.sum_bits, code & (1 << self.sum_bits) - 1
        return score + self.lowest, together + self.least_sum

    # --- numbers of solvers ----------------------------------------------------------------------------------

    def value(self, code: int) -> int:
        """The number that a solver says (see `Ask`)."""
        if self.as_outcome:
            return WON if code else LOST
        if self.kind is Kind.TOTAL:
            score, together = self.parted(code)
            return paired(score, (score + together) // 2)
        if self.kind is not Kind.SCORE:
            return code
        score = code + self.lowest
        return score if self.with_score else DRAWN if score == 0 else WON if score > 0 else LOST

    def values(self, codes: Sequence[int]) -> Sequence[int]:
        """The same for many."""
        return list(map(self.value, codes)) if self.scores or self.as_outcome else codes

    def worth(self, code: int, keeps: bool, gain: int) -> int:
        """What `Option.value` says of a move that leaves a position with this code."""
        match self.kind:
            case Kind.GRUNDY:
                return code if not self.as_outcome else LOST if code else WON
            case Kind.SCORE:
                left = code + self.lowest
                made = gain + (left if keeps else -left)
                return self.value(made - self.lowest)
            case Kind.TOTAL:
                score, together = self.parted(code)
                return self.value(self.both(gain + (score if keeps else -score), gain + together))
            case Kind.DISTANCE:
                plies, outcome = divmod(code, 3)
                return DRAWN if outcome == DRAWN else 3 * (plies + 1) + _seen(outcome, keeps)
            case _:
                return _seen(code, keeps)

    def liking(self, code: int) -> int:
        """How much a player likes a position with this code, or a move worth it: higher is better."""
        if self.kind is Kind.GRUNDY or self.scores:
            return code
        plies, outcome = divmod(code, 3)
        return 0 if outcome == DRAWN else FAR - plies if outcome == WON else plies - FAR


def _seen(outcome: int, keeps: bool) -> int:
    return outcome if keeps or outcome == DRAWN else WON - outcome


def valuation(game: Game, facts: Facts, ask: Ask) -> Valuation:
    """The valuation that answers a question. Raises TooLong."""
    if game.scored:
        longest, gains = plies(facts), _gains(game)
        most = longest * gains.abs().hi
        if most > MOST_SCORE:
            raise TooLong
        if ask.total:
            bits = (longest * (gains.hi - gains.lo)).bit_length()
            if bits > MOST_SUM_BITS:
                raise TooLong
            top = (2 * most + 1 << bits) - 1
            return Valuation(Kind.TOTAL, top, -most, sum_bits=bits, least_sum=longest * gains.lo)
        return Valuation(Kind.SCORE, 2 * most, -most, with_score=ask.score)
    if ask.grundy or (game.sum and not interacts(game)):
        return Valuation(Kind.GRUNDY, highest_grundy(game, facts))
    if ask.distance:
        return Valuation(Kind.DISTANCE, 3 * plies(facts) + DRAWN, misere=game.misere)
    if draws(game):
        return Valuation(Kind.DRAWS, DRAWN, misere=game.misere)
    return Valuation(Kind.OUTCOME, WON, misere=game.misere)


def highest_grundy(game: Game, facts: Facts) -> int:
    """A bound on Grundy values: the options of a position, and the moves of a play.

    Where a move leaves several components, or none, a play may have more moves than lead from position to position.
    """
    return most_options(game) if splits(game) else min(most_options(game), plies(facts))


def splits(game: Game) -> bool:
    """Whether some move leaves several components, or none."""
    effects = [move.effect for move in game.moves if isinstance(move.effect, Into)]
    return any(len(effect.parts) != 1 or any(part.tail for part in effect.parts) for effect in effects)


def of_components(game: Game, facts: Facts, ask: Ask) -> Valuation:
    """The valuation where positions fall apart into components."""
    return Valuation(Kind.GRUNDY, min(most_options(game), plies(facts)), as_outcome=not ask.grundy)


def draws(game: Game) -> bool:
    """Whether a play may end drawn, or endless play may be a draw."""
    verdicts = [terminal.verdict for terminal in game.terminals]
    return Verdict.DRAW in verdicts or game.endless is Verdict.DRAW


def may_keep(game: Game) -> bool:
    """Whether some move may leave the turn with the player who made it."""
    if not game.partisan:
        return False
    before, after = ({MOVER: ir.Var(name, ir.I32)} for name in ("before", "after"))
    return any(isinstance(move.effect, Do) and keeps_turn(game, move, before, after) != FALSE for move in game.moves)


def plies(facts: Facts) -> int:
    """A bound on how many moves a play has that comes to no position twice."""
    longest = facts.size.positions if facts.longest is None else facts.longest
    return min(max(1, longest), MOST_PLIES)


def _gains(game: Game) -> Interval:
    """What one move may add to the total of who makes it, 0 and 1 among it."""
    all_ = Interval(0, 1)
    for move in game.moves:
        if isinstance(move.effect, Do) and move.effect.gain is not None:
            of = move.effect.gain.type
            assert isinstance(of, IntType)
            all_ = all_.hull(of.bounds)
    return all_


# --- in kernels ----------------------------------------------------------------------------------------------


class Best:
    """The best of a position's options for the player to move: any kind but Grundy values.

    What a move is worth is compared as a *merit*, higher for better; `consider` takes the code of what an option
    leaves. `most` bounds the number of options.
    """

    def __init__(self, b: Builder, valuation: Valuation, most: int) -> None:
        self.b = b
        self.valuation = valuation
        self.most = most
        self.kind = valuation.kind
        firsts = {Kind.OUTCOME: FALSE, Kind.DRAWS: const(LEAST, ir.U32), Kind.TOTAL: const(0, valuation.word)}
        first = firsts.get(self.kind, const(NOTHING))
        self.merit = b.local("won" if self.kind is Kind.OUTCOME else "best", first)
        self.stuck = b.local("stuck", TRUE) if valuation.misere and not valuation.is_full else None

    def consider(self, option: Option, code: ir.Expr, label: str | None = None) -> None:
        """Takes an option into account; leaves the block with this label once nothing can be better."""
        b, valuation = self.b, self.valuation
        if self.stuck is not None:
            b.assign(self.stuck, FALSE)
        match self.kind:
            case Kind.OUTCOME:
                wins = self.wins(option, code)
                if self.most <= FEW or label is None:
                    # Looked at in any case: a branch on a value that cannot be foreseen costs more than a look.
                    b.assign(self.merit, either(self.merit, b.local("wins", wins)))
                    return
                with b.when(wins):
                    b.assign(self.merit, TRUE)
                    b.breaks(label)
            case Kind.DRAWS:
                merit = b.simple("merit", _outcome_merit(option, code))
                b.assign(self.merit, binary("max", self.merit, merit, ir.U32))
                if label is not None and self.most > FEW:
                    with b.when(compare("eq", merit, const(MOST, ir.U32))):
                        b.breaks(label)
            case Kind.DISTANCE:
                merit = self._distance_merit(option, code)
                b.assign(self.merit, binary("max", self.merit, merit, ir.I64))
            case Kind.SCORE:
                left = b.simple("left", add(cast(code, ir.I64), valuation.lowest))
                turned = sub(const(0), left)
                seen = turned if option.keeps_turn == FALSE else select(option.keeps_turn, left, turned)
                merit = seen if option.gain is None else add(option.gain, seen)
                b.assign(self.merit, binary("max", self.merit, merit, ir.I64))
            case Kind.TOTAL:
                merit = self._total_merit(option, code)
                b.assign(self.merit, binary("max", self.merit, merit, merit.type))
            case Kind.GRUNDY:
                raise ValueError("a Grundy value is not the best of its options")

    def wins(self, option: Option, code: ir.Expr) -> ir.Expr:
        """Whether a move wins (i1), given the outcome of what it leaves."""
        return compare("eq", code, cast(won_by(option), code.type))

    def _distance_merit(self, option: Option, code: ir.Expr) -> ir.Expr:
        """Positive for a win, less so the longer it takes; negative for a loss; 0 for a draw.

        A move that leaves a loss of d plies (3d) wins in d + 1 (3d + 4); one that leaves a win (3d + 1) loses (3d + 3).
        """
        b = self.b
        code = b.simple("code", cast(code, ir.I64))
        outcome = b.local("outcome", binary("mod", code, const(3), ir.I64))
        plies = b.local("plies", sub(code, outcome))
        good = compare("eq", outcome, cast(won_by(option), ir.I64))
        near = select(good, sub(const(FAR), plies), sub(plies, const(FAR)))
        return b.simple("merit", select(compare("eq", outcome, const(DRAWN)), const(0), near))

    def _total_merit(self, option: Option, code: ir.Expr) -> ir.Expr:
        """The code of what a move is worth, plus 1: 0 is for no option at all.

        Both halves of a code count from their least values, so that the difference seen from the other side is twice
        the bound less itself; the gains of both together are the same from both sides.
        """
        b, valuation = self.b, self.valuation
        word, bits = valuation.word, valuation.sum_bits
        code = b.simple("code", code)
        left = b.simple("left", cast(shr(code, bits), ir.I64))
        together = b.simple("together", cast(binary("and", code, const((1 << bits) - 1, word), word), ir.I64))
        turned = sub(const(-2 * valuation.lowest), left)
        score = turned if option.keeps_turn == FALSE else select(option.keeps_turn, left, turned)
        if option.gain is not None:
            gain = b.simple("gain", cast(option.gain, ir.I64))
            score, together = add(score, gain), add(together, gain)
        return add(binary("or", shl(cast(score, word), bits), cast(together, word), word), 1)

    def result(self) -> ir.Expr:
        """The code of the position (a `word`)."""
        b, word = self.b, self.valuation.word
        match self.kind:
            case Kind.OUTCOME:
                return cast(self.merit if self.stuck is None else either(self.merit, self.stuck), word)
            case Kind.DRAWS:
                code = _merit_outcome(self.merit)
                return code if self.stuck is None else select(self.stuck, const(WON, word), code)
            case Kind.DISTANCE:
                best = self.merit
                win = add(sub(const(FAR), best), 3 + WON)
                loss = add(add(best, FAR), 3 + LOST)
                near = select(compare("gt", best, const(0)), win, loss)
                code = select(compare("eq", best, const(0)), const(DRAWN), near)
                return cast(self._or_stuck(b.simple("code", code)), word)
            case Kind.TOTAL:
                nothing = compare("eq", self.merit, const(0, word))
                return select(nothing, const(self.valuation.stuck, word), sub(self.merit, 1))
            case _:
                return cast(self._or_stuck(b.simple("code", sub(self.merit, self.valuation.lowest))), word)

    def _or_stuck(self, code: ir.Expr) -> ir.Expr:
        return select(compare("eq", self.merit, const(NOTHING)), const(self.valuation.stuck), code)


NOTHING = -(1 << 62)  # the merit of no option at all
FAR = 3 * MOST_PLIES
LEAST, MOST = 0, 2  # merits of LOST and WON where there are draws

# Merits 0, 1, 2 of LOST, DRAWN, WON in two bits each, by outcome; the other side's; and outcomes by merit.
_OWN = LEAST << 2 * LOST | MOST << 2 * WON | 1 << 2 * DRAWN
_OTHER = MOST << 2 * LOST | LEAST << 2 * WON | 1 << 2 * DRAWN
_BACK = LOST << 2 * LEAST | WON << 2 * MOST | DRAWN << 2


def won_by(option: Option) -> ir.Expr:
    """The outcome (u32) that a winning move leaves, for the player to move there."""
    if option.keeps_turn == FALSE:
        return const(LOST, ir.U32)
    return select(option.keeps_turn, const(WON, ir.U32), const(LOST, ir.U32))


def _outcome_merit(option: Option, code: ir.Expr) -> ir.Expr:
    own, other = const(_OWN, ir.U32), const(_OTHER, ir.U32)
    merits = other if option.keeps_turn == FALSE else select(option.keeps_turn, own, other)
    return binary("and", shr(merits, shl(cast(code, ir.U32), 1)), const(3, ir.U32), ir.U32)


def _merit_outcome(merit: ir.Expr) -> ir.Expr:
    return binary("and", shr(const(_BACK, ir.U32), shl(merit, 1)), const(3, ir.U32), ir.U32)
