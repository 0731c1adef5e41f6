"""Theorems about games whose positions are more than one heap, each with a precondition proved from the rules.

Every entry of `THEOREMS` compares the moves of a game with those it speaks of (`gamespec.analysis.match`); one that
proves them the same answers by its formula, without a table. Nothing depends on names or on how a rule is written.
"""

from __future__ import annotations

from gamespec.analysis.facts import Facts
from gamespec.analysis.match import NoMatch, Rules
from gamespec.budget import Budget
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.kernel.shape import shape_of
from gamespec.plan.plan import Ask, Bid, Kernels, Plan, Reason, Refusal
from gamespec.plan.theorem.alternating import ALTERNATING
from gamespec.plan.theorem.entry import Found
from gamespec.plan.theorem.euclid import EUCLID
from gamespec.plan.theorem.formula import FormulaSolver
from gamespec.plan.theorem.gaps import GAPS
from gamespec.plan.theorem.product import PRODUCT
from gamespec.plan.theorem.takeaway import TAKEAWAY
from gamespec.plan.theorem.turning import TURNING
from gamespec.plan.theorem.wythoff import WYTHOFF

NAME = "theorem"
NANOSECONDS = 1e3  # a position

THEOREMS = (WYTHOFF, TAKEAWAY, EUCLID, TURNING, PRODUCT, GAPS, ALTERNATING)


def found(game: Game, facts: Facts) -> Found | Reason:
    """The theorem that solves a game, or why none does."""
    if NAME not in facts.found:
        facts.found[NAME] = _look(game, facts)
    known: Found | Reason = facts.found[NAME]
    return known


def _look(game: Game, facts: Facts) -> Found | Reason:
    rules = Rules(game, facts.proofs)
    best: tuple[str, NoMatch] | None = None
    try:
        rules.refuse_other_play()
    except NoMatch as other:
        return Reason(other.reason, other.span)
    for theorem in THEOREMS:
        if not theorem.fits(game):
            continue
        try:
            return theorem.recognise(rules)
        except NoMatch as refused:
            if best is None or refused.far > best[1].far:
                best = theorem.name, refused
    if best is None:
        return Reason("no theorem speaks of such positions")
    name, why = best
    return Reason(f"not {name}: {why.reason}", why.span)


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    """Raises TooWide where moves are asked for and a position does not fit the words that list them."""
    result = found(game, facts)
    if isinstance(result, Reason):
        return Refusal(NAME, result)
    needs_values = ask.grundy or game.sum
    if needs_values and not result.grundy:
        return Refusal(NAME, Reason(f"{result.name} ({result.source}) gives outcomes, not Grundy values"))
    if needs_values and any(terminal.verdict for terminal in game.terminals):
        return Refusal(NAME, Reason("a condition names the winner"))
    if ask.distance and not needs_values:
        return Refusal(NAME, Reason("theorems say who wins, not how long it takes"))
    if ask.moves:
        for field in game.states:
            shape_of(field)  # what lists moves holds a position in words
    statement = Reason(f"{result.name}: {result.statement} ({result.source})")
    proved = [Reason(f"the moves are {each.text}", each.span) for each in result.reasons]
    return Bid(NAME, NANOSECONDS, 0, (statement, *proved))


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    return _known(game, facts).recipe.formula(game, facts, ask).kernels(ask)


def _known(game: Game, facts: Facts) -> Found:
    result = found(game, facts)
    assert isinstance(result, Found)
    return result


class TheoremSolver(FormulaSolver):
    """Computes values row by row; keeps nothing."""

    def __init__(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> None:
        super().__init__(_known(game, facts).recipe.formula(game, facts, plan.ask), plan, kernels, budget)
