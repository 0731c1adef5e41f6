"""`gamespec verify`: the plan's answers against the definition of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random

import click

from gamespec.answers.ask import Ask
from gamespec.answers.table import needed
from gamespec.budget import watched
from gamespec.cli.option import budget_options, define_option, plan_options, report_options, spec_argument
from gamespec.cli.problems import VERIFY_DIFFERS, VERIFY_FEW
from gamespec.cli.session import Session
from gamespec.diagnostics import LimitError, SpecError, counted
from gamespec.game import sample
from gamespec.game.evaluate import Evaluator, Played
from gamespec.game.fault import ComesBack, TooMuchWork
from gamespec.game.limit import declared, narrowed
from gamespec.game.model import Game, Position, Value
from gamespec.game.reference import Reference, SumReference
from gamespec.game.show import position_text
from gamespec.interval import Interval
from gamespec.plan.definition import asked, options, value
from gamespec.plan.narrow import NarrowSolver
from gamespec.plan.plan import Solver
from gamespec.run.total import Totals

STEPS = 1 << 11  # that the definition may take at one position
WORK = 100_000  # steps that it may take in all for values, and as many for moves
MOST_GIVENS = 8
VISIT = 4
SHOWN = 5
NARROW = 4  # the farthest from 0 that numbers are drawn where no kernel holds the declared ones


@click.command("verify")
@spec_argument
@click.option("--positions", type=click.IntRange(1, 1_000_000), default=1000, help="How many to compare (1000).")
@click.option("--seed", type=int, default=0, help="Which random positions.")
@define_option
@plan_options
@budget_options
@report_options
@click.pass_obj
def command(session: Session, spec: str, positions: int, seed: int) -> int:
    """Compare what the plan answers with the plain definition of the game, on small and random positions.

    Compares outcomes (Grundy values where the output prints them, and in sums) and, where the output prints moves,
    what every move is worth; some positions are asked alone, the others together. Of sums, also the outcomes of some
    with two and three components. Positions that are too large for the definition are left out, and those from which
    play comes back where the spec does not say what that means. Exit status 1 if an answer differs.

    \b
    Examples:
      gamespec verify specs/cow_digit.yaml
      gamespec verify specs/number_game.yaml --plan memo --positions 200
      gamespec verify specs/stone_game.yaml --backend python --checked
    """
    game = session.load(spec)
    ask = needed(game)
    budget = session.budget()
    solver = session.solver(game, ask, budget)
    compared = wrong = 0
    summed = 0
    with watched(budget):
        for data, places, expected, found, what in comparisons(game, solver, ask, positions, seed):
            budget.check_time()
            compared += what == VALUE
            summed += what == OUTCOME
            if expected != found:
                wrong += 1
                if wrong <= SHOWN:
                    shown = " + ".join(position_text(game, place, data) for place in places) or "no components"
                    session.report([VERIFY_DIFFERS.at(None, position=shown, what=what, expected=expected, found=found)])
    if session.format == "text":
        differ = counted(wrong or "no", "answer differs", "answers differ")
        sums = f" and {counted(summed, 'sum')}" if summed else ""
        click.echo(f"{game.name}: {counted(compared, 'position')}{sums} compared, {differ}")
    if compared == 0:
        session.report([VERIFY_FEW.at(None, game=game.name)])
    return SpecError.exit_code if wrong else 0


Comparison = tuple[dict[str, Value], tuple[Position, ...], object, object, str]
"""The data of the case, the position (in sums several components, or none), expected, found, what is compared."""

VALUE, ALONE, MOVES, OUTCOME = "value", "value, asked alone,", "list of moves", "outcome"
ALONES = 4  # positions that are asked alone, before the others are asked together
SUMS = 12  # sums that are drawn for each set of data

WALKS, LONGEST, LATE = 40, 200, 6  # random plays, their moves, and the positions at their ends that are used


class Tired(Exception):
    """The definition has done as much as it may."""


class Patient(Evaluator):
    """An evaluator that raises Tired after `patience` steps at all positions together; each costs `VISIT` at least."""

    def __init__(self, game: Game, data: Mapping[str, Value], patience: int) -> None:
        super().__init__(game, data, steps=STEPS)
        self.patience = patience

    def moves(self, position: Position) -> list[Played]:
        self.worked += VISIT
        if self.worked > self.patience:
            raise Tired
        return super().moves(position)


def comparisons(game: Game, solver: Solver, ask: Ask, count: int, seed: int) -> Iterator[Comparison]:
    """Values of positions asked alone, those of all, their moves, and outcomes of sums of them."""
    ask = asked(game, ask)
    small = _small(game, solver)
    cases = list(sample.givens(small, MOST_GIVENS, seed))
    for data in cases:
        evaluator = Patient(game, data, WORK // len(cases))
        reference = Reference(evaluator)
        drawn = list(sample.positions(small, data, -(-count // len(cases)), seed))
        known: dict[Position, int] = {}
        comes_back = False
        walker = Patient(game, data, WORK // 4 // len(cases))
        for some in (sorted(drawn, key=_weight), _late(walker, drawn[:WALKS], Random(seed))):
            evaluator.patience = evaluator.worked + WORK // 2 // len(cases)
            with suppress(Tired):
                for place in some:
                    with suppress(TooMuchWork, LimitError):
                        try:
                            known[place] = value(reference, ask, place)
                        except ComesBack:
                            comes_back = True
        if comes_back:
            known = {place: worth for place, worth in known.items() if _ends(reference, place)}
        if not known:
            continue
        givens = [[data[field.name]] * len(known) for field in game.givens]
        states = [[place[index] for place in known] for index in range(len(game.states))]
        for place in Random(seed).sample(list(known), min(ALONES, len(known))):
            found = solver.values([[data[field.name]] for field in game.givens], [[value] for value in place])
            yield data, (place,), known[place], found[0], ALONE
        for (place, expected), answer in zip(known.items(), solver.values(givens, states), strict=True):
            yield data, (place,), expected, answer, VALUE
        evaluator.patience *= 2
        for place in known if ask.moves else ():
            try:
                listed = {(one.move, one.choices): one.value for one in options(reference, ask, place)}
            except (Tired, TooMuchWork):
                continue
            found_options = solver.options([data[field.name] for field in game.givens], place)
            yield data, (place,), listed, {(one.move, one.choices): one.value for one in found_options}, MOVES
        if game.sum:
            evaluator.patience = evaluator.worked + WORK // 2 // len(cases)
            yield from _sums(evaluator, solver, ask, list(known), Random(seed))


def _small(game: Game, solver: Solver) -> Game:
    """The spec that positions are drawn of: the same one, with small limits where no kernel holds the declared ones."""
    if not isinstance(solver, NarrowSolver):
        return game
    with suppress(SpecError):
        return narrowed(
            game,
            {name: Interval(-NARROW, max(each.lo, 0) + NARROW).meet(each) for name, each in declared(game).items()},
        )
    return game


def _ends(reference: Reference, place: Position) -> bool:
    """Whether all play from a position ends, as far as the definition may look."""
    if reference.game.sum or reference.game.scored:
        return True  # its value has been found by all moves
    try:
        reference.distance(place)
    except (ComesBack, Tired, TooMuchWork, LimitError):
        return False
    return True


def _sums(
    evaluator: Patient, solver: Solver, ask: Ask, places: Sequence[Position], random: Random
) -> Iterator[Comparison]:
    """Outcomes of sums of a few positions, small ones more often, and of no components."""
    game, data = evaluator.game, dict(evaluator.givens)
    reference = SumReference([evaluator])
    known: dict[tuple[Position, ...], int] = {(): reference.outcome_of(())}
    most = evaluator.patience - evaluator.worked
    for number in range(SUMS):
        first = places[int(len(places) * random.random() ** 2)]
        fitting = [place for place in places if not game.partisan or place[-1] == first[-1]]
        others = [fitting[int(len(fitting) * random.random() ** 2)] for _ in range(1 + number % 2)]
        evaluator.patience = evaluator.worked + most // SUMS
        with suppress(Tired, TooMuchWork, LimitError):
            drawn = (first, *others)
            known[drawn] = reference.outcome_of([(0, place) for place in drawn])
    rows = [place for drawn in known for place in drawn]
    givens = [[data[field.name]] * len(rows) for field in game.givens]
    states = [[place[index] for place in rows] for index in range(len(game.states))]
    found = Totals(game, ask, solver, givens, states, list(map(len, known))).outcomes()
    for (drawn, expected), answer in zip(known.items(), found, strict=True):
        yield data, drawn, expected, int(answer), OUTCOME


def _late(evaluator: Evaluator, places: Sequence[Position], random: Random) -> Iterator[Position]:
    """Positions a few moves before the end of random plays, the latest first: boards have no other small ones."""
    found: dict[Position, int] = {}
    for place in places:
        path = [place]
        with suppress(SpecError, Tired):
            while evaluator.ending(path[-1]) is None:
                if len(path) == LONGEST:
                    path.clear()
                    break
                plays = [played for played in evaluator.moves(path[-1]) if played.results]
                if not plays:
                    break
                path.append(random.choice(random.choice(plays).results))
        found.update((late, -number) for number, late in enumerate(path[-1 : -1 - LATE : -1]))
    return iter(sorted(found, key=lambda late: -found[late]))


def _weight(place: Position) -> int:
    """Small positions come first: their values are needed by the others."""
    return sum(abs(value) if isinstance(value, int) else sum(map(abs, value)) for value in place)
