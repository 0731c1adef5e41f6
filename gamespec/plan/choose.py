"""Which strategy solves a game: all are asked, the cheapest is taken, or the one that was wished for.

Between a table of all positions and a search of those that play reaches, the number of positions asked decides, and
that is known only when the input is read. A table that is filled within `WORTH_A_PROBE` is always right. Otherwise
the plan is `probe`: the search gets as many steps as a fill would cost, and the table is filled if it does not end
within them. Steps are counted, not timed, so that the choice is the same in every run; how many of them are worth a
fill follows from the size of its kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, cast

import msgspec

from gamespec.answers.ask import interacts
from gamespec.budget import Budget, size_text
from gamespec.diagnostics import Diagnostic, SpecError, UsageError
from gamespec.game.model import Game, Into
from gamespec.kernel.build import KernelTooLarge
from gamespec.kernel.ir import Function
from gamespec.kernel.shape import WIDEST_NUMBER, TooWide
from gamespec.plan.demand import Compile, OnDemand
from gamespec.plan.plan import Ask, Bid, Kernels, Plan, Reason, Refusal, Solver
from gamespec.plan.problems import REFUSED_PLAN, UNKNOWN_PLAN
from gamespec.source import Span
from gamespec.types import ArrayType, IntType

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts

LARGE = 1 << 20  # numbers up to which a table is as good as anything
WORTH_A_PROBE = 50e6  # nanoseconds of a fill, about what compiling a second kernel costs
STEP_EFFORT = 4096  # of a fill, about what one step of a search costs, which looks options up in memory
MOST_CELLS_A_STEP = 64


class Strategy(msgspec.Struct, frozen=True):
    """A way to solve games, imported when it is first asked.

    `likely` says where it may be the best, or the only one: elsewhere it is asked only when all are. One that `replans`
    has no kernels: it makes plans of its own once it is asked for values, and compiles theirs.
    """

    name: str
    module: str
    solving: str
    likely: Callable[[Game, Facts], bool]
    replans: bool = False

    def bid(self, game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
        """What it would cost; refused where the strategy is a pass that is left out."""
        if self.name in facts.disabled:
            return Refusal(self.name, Reason("is left out"))
        return cast("Bid | Refusal", import_module(self.module).bid(game, facts, ask))

    def lower(self, game: Game, facts: Facts, ask: Ask) -> tuple[Function, ...]:
        """Its kernels."""
        return cast("tuple[Function, ...]", import_module(self.module).lower(game, facts, ask))

    def solver(self, game: Game, facts: Facts, plan: Plan, kernels: Kernels, budget: Budget) -> Solver:
        """What runs them."""
        return cast(Solver, self._made(game, facts, plan, kernels, budget))

    def planner(self, game: Game, facts: Facts, plan: Plan, budget: Budget, compile: Compile) -> Solver:
        """What runs it where it `replans`."""
        return cast(Solver, self._made(game, facts, plan, budget, compile))

    def _made(self, *args: object) -> object:
        module, _, name = self.solving.partition(":")
        return getattr(import_module(module), name)(*args)


def _always(_game: Game, _facts: Facts) -> bool:
    return True


def _never(_game: Game, _facts: Facts) -> bool:
    return False


def _rows(game: Game, _facts: Facts) -> bool:
    return not game.sum and all(isinstance(field.type, ArrayType) for field in game.states)


def _numbers(game: Game, _facts: Facts) -> bool:
    of = game.states[0].type
    return len(game.states) == 1 and isinstance(of, IntType) and of.bounds.size > LARGE


def _beside(game: Game, _facts: Facts) -> bool:
    numbers = [field.type.bounds.size for field in game.states if isinstance(field.type, IntType)]
    return len(game.states) > 1 and max(numbers, default=0) > LARGE


def _heaps(game: Game, facts: Facts) -> bool:
    if len(game.states) != 1 or not isinstance(game.states[0].type, IntType):
        return False
    from gamespec.analysis.heap import Heap

    return isinstance(facts.heap, Heap)


def _structured(game: Game, _facts: Facts) -> bool:
    """Whether a theorem may speak of the positions: several numbers, a row, or a component that falls apart."""
    if game.partisan or game.misere or game.scored:
        return False
    several = len(game.states) > 1 or isinstance(game.states[0].type, ArrayType)
    return several or any(isinstance(move.effect, Into) and len(move.effect.parts) > 1 for move in game.moves)


def _phased(game: Game, _facts: Facts) -> bool:
    return game.sum and len(game.states) > 1 and not interacts(game)


def _wholes(game: Game, _facts: Facts) -> bool:
    return interacts(game)


def _loops(game: Game, facts: Facts) -> bool:
    return game.endless is not None or facts.finite is None


HERE = "gamespec.plan"
TABLE, MEMO, CLOSED, PERIOD, ENTRIES, PROBE = "table", "memo", "closed", "period", "entries", "probe"
AUTOMATON, AUTOMATIC, COLUMNS = "automaton", "automatic", "columns"
THEOREM, PHASE = "theorem", "phase"
RETROGRADE, NARROW, DEFINITION = "retrograde", "narrow", "definition"
LAST = (NARROW, DEFINITION)
"""Asked, in this order, only where no other strategy can do it, or where one of them is wished for."""

STRATEGIES = {
    strategy.name: strategy
    for strategy in (
        Strategy(CLOSED, f"{HERE}.theorem.closed", f"{HERE}.theorem.closed:ClosedSolver", _always),
        Strategy(AUTOMATON, f"{HERE}.table.automaton", f"{HERE}.table.automaton:AutomatonSolver", _numbers),
        Strategy(AUTOMATIC, f"{HERE}.table.automatic", f"{HERE}.table.automatic:AutomaticSolver", _numbers),
        Strategy(COLUMNS, f"{HERE}.table.column", f"{HERE}.table.column:ColumnSolver", _beside, replans=True),
        Strategy(PERIOD, f"{HERE}.heap.period", f"{HERE}.heap.period:PeriodSolver", _heaps),
        Strategy(THEOREM, f"{HERE}.theorem.strategy", f"{HERE}.theorem.strategy:TheoremSolver", _structured),
        Strategy(PHASE, f"{HERE}.sum.phase", f"{HERE}.sum.phase:PhaseSolver", _phased),
        Strategy(TABLE, f"{HERE}.table.strategy", f"{HERE}.table.strategy:TableSolver", _always),
        Strategy(ENTRIES, f"{HERE}.sum.entries", f"{HERE}.sum.entries:EntriesSolver", _rows),
        Strategy(MEMO, f"{HERE}.search.memo", f"{HERE}.search.seek:MemoSolver", _always),
        Strategy("tame", f"{HERE}.sum.tame", f"{HERE}.sum.tame:TameSolver", _wholes),
        Strategy("sum", f"{HERE}.sum.whole", f"{HERE}.sum.whole:WholeSolver", _wholes),
        Strategy(RETROGRADE, f"{HERE}.retrograde.strategy", f"{HERE}.retrograde.backward:BackwardSolver", _loops),
        Strategy(NARROW, f"{HERE}.narrow", f"{HERE}.narrow:NarrowSolver", _never, replans=True),
        Strategy(DEFINITION, f"{HERE}.definition", f"{HERE}.definition:DefinitionSolver", _never),
    )
}


WITHOUT_TABLE = (CLOSED, PERIOD, ENTRIES, AUTOMATON, AUTOMATIC, COLUMNS, THEOREM, PHASE)
"""Strategies beside which nobody asks whether a search is shorter than a fill."""

NAMES = (*STRATEGIES, PROBE)
"""What `--plan` and the clause `plan` take."""


def choose(
    game: Game,
    facts: Facts,
    ask: Ask,
    hint: str | None = None,
    budget: Budget | None = None,
    *,
    thorough: bool = False,
    last: Sequence[str] = LAST,
) -> Plan:
    """The plan for a game. `hint` (`--plan`) beats the clause `plan`.

    `thorough` asks all strategies, for the record in `Plan.others`, also those that are not likely to be taken. `last`
    are those of `LAST` that may be taken unasked.

    Raises UsageError for a hint, and SpecError for a clause, that names no strategy or one that cannot do it.
    """
    wish = hint or game.plan
    if wish and wish not in NAMES:
        raise _refused(game, hint, _unknown(wish, _place(game, hint)))
    wished = (MEMO, TABLE) if wish == PROBE else (wish,) if wish else ()
    likely = [each for each in STRATEGIES.values() if each.name in wished or (not wish and each.likely(game, facts))]
    usual = [each for each in STRATEGIES.values() if each.name not in LAST or each.name in wished]
    offers: dict[str, Bid | Refusal] = {}
    for some in ([] if thorough else [likely]) + [usual] + ([] if wish else [[STRATEGIES[name]] for name in last]):
        offers |= {each.name: offered(each, game, facts, ask) for each in some if each.name not in offers}
        for parts in [wished] if wish else _ranked(offers, budget or Budget()):
            lowered = _lowered(game, facts, ask, parts, offers)
            if lowered is not None:
                return _plan(ask, parts, offers, lowered, facts.disabled)
    refusals = [offer for offer in offers.values() if isinstance(offer, Refusal)]
    reason = next(refusal.reason.text for refusal in refusals if refusal.strategy in wished)
    possible = ", ".join(name for name, offer in offers.items() if isinstance(offer, Bid)) or "none"
    raise _refused(game, hint, REFUSED_PLAN.at(_place(game, hint), name=wish, reason=reason, possible=possible))


def make_solver(game: Game, facts: Facts, plan: Plan, budget: Budget, compile: Compile) -> Solver:
    """The solver of a plan; `compile` is called when a kernel is first needed."""
    if plan.strategy == PROBE:
        from gamespec.plan.probe import ProbeSolver

        return ProbeSolver(game, facts, plan, budget, compile)
    strategy = STRATEGIES[plan.strategy]
    if strategy.replans:
        return strategy.planner(game, facts, plan, budget, compile)
    return strategy.solver(game, facts, plan, OnDemand(plan.functions, compile), budget)


def offered(strategy: Strategy, game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    """The bid of a strategy, a refusal where no kernel holds the positions."""
    try:
        return strategy.bid(game, facts, ask)
    except TooWide as wide:
        return _too_wide(strategy.name, wide)


def _too_wide(name: str, wide: TooWide) -> Refusal:
    text = f"`{wide.field.name}` makes a position {wide.bits} bits wide; a kernel holds {wide.most}"
    if wide.most == WIDEST_NUMBER:
        text = f"`{wide.field.name}` is a number of {wide.bits} bits; a kernel holds {wide.most}"
    return Refusal(name, Reason(text, wide.field.span))


def _ranked(offers: dict[str, Bid | Refusal], budget: Budget) -> list[tuple[str, ...]]:
    """What to try, the best first: each a strategy, or two to choose from when the positions asked are known."""
    bids = sorted((offer for offer in offers.values() if isinstance(offer, Bid)), key=lambda bid: bid.cost)
    fitting = [bid for bid in bids if bid.least <= budget.memory] or bids
    for bid in bids:
        if bid not in fitting:
            text = f"needs {size_text(bid.least)} whatever is asked; {size_text(budget.memory)} are given"
            offers[bid.strategy] = Refusal(bid.strategy, Reason(text))
    ranked: list[tuple[str, ...]] = [(bid.strategy,) for bid in fitting]
    by_name = {bid.strategy: bid for bid in fitting}
    if {MEMO, TABLE} <= by_name.keys() and ranked[0][0] not in WITHOUT_TABLE:
        worth = by_name[TABLE].cost > WORTH_A_PROBE
        ranked.insert(0, (MEMO, TABLE) if worth else (TABLE,))
    return ranked


def _lowered(
    game: Game, facts: Facts, ask: Ask, parts: tuple[str, ...], offers: dict[str, Bid | Refusal]
) -> list[Function] | None:
    """The kernels of some strategies, or None (with a refusal among the offers) if one cannot be written."""
    from gamespec.kernel.express import CannotLower

    functions: list[Function] = []
    for name in parts:
        if isinstance(offers[name], Refusal):
            return None
        try:
            functions += STRATEGIES[name].lower(game, facts, ask)
        except CannotLower as error:
            offers[name] = Refusal(name, Reason(error.reason, error.span))
            return None
        except TooWide as wide:
            offers[name] = _too_wide(name, wide)
            return None
        except KernelTooLarge:
            offers[name] = Refusal(name, Reason("the rules unroll into too large a kernel"))
            return None
        except RecursionError:
            offers[name] = Refusal(name, Reason("the rules are nested too deeply for a kernel"))
            return None
    return functions


def _plan(
    ask: Ask,
    parts: tuple[str, ...],
    offers: dict[str, Bid | Refusal],
    lowered: list[Function],
    disabled: Collection[str],
) -> Plan:
    from gamespec.analysis.passes import PASSES
    from gamespec.kernel import passes
    from gamespec.kernel.walk import effort

    traces = [passes.traced(function, disabled) for function in lowered]
    functions = {function.name: function for function, _ in traces}
    effects = dict.fromkeys(f"{step.name}: {PASSES[step.name]}" for _, steps in traces for step in steps)
    bids = [offer for offer in (offers[name] for name in parts) if isinstance(offer, Bid)]
    others = tuple(offer for name, offer in offers.items() if name not in parts)
    cells_a_step = 1
    if len(parts) == 1:
        bid = bids[0]
    else:
        cells_a_step = max(1, min(MOST_CELLS_A_STEP, STEP_EFFORT // effort(functions[f"{TABLE}.fill"])))
        either = Reason("a search from the positions asked, as long as it is no longer than a fill; else a table")
        bid = Bid(
            PROBE,
            min(bid.cost for bid in bids),
            0,
            (either, *(reason for bid in bids for reason in bid.reasons)),
            positions=max(bid.positions for bid in bids),
        )
    return Plan(bid.strategy, ask, functions, bid, others, tuple(map(Reason, effects)), cells_a_step)


# --- wishes that cannot be granted ---------------------------------------------------------------------------


def _place(game: Game, hint: str | None) -> Span | None:
    return None if hint else game.plan_span


def _unknown(wish: str, span: Span | None) -> Diagnostic:
    from difflib import get_close_matches

    close = get_close_matches(wish, NAMES, 1)
    guess = f"; did you mean `{close[0]}`?" if close else ""
    return UNKNOWN_PLAN.at(span, name=wish, known=", ".join(NAMES), guess=guess)


def _refused(game: Game, hint: str | None, diagnostic: Diagnostic) -> UsageError | SpecError:
    return UsageError(diagnostic) if hint else SpecError(diagnostic, source=game.source)
