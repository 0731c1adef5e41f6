"""500 slips in shipped specs: each gets a message close to the slip, or still answers by the definition.

Half of them belong to the long run.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice
from math import prod

import pytest

from gamespec.analysis.facts import analyse
from gamespec.answers.ask import always
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import Diagnostic, GamespecError, LimitError, SpecError, UsageError
from gamespec.game.check import check_all
from gamespec.game.evaluate import Evaluator
from gamespec.game.fault import RuleFault, TooMuchWork
from gamespec.game.model import Game, Position
from gamespec.game.reference import Reference
from gamespec.game.total import faults
from gamespec.plan.choose import choose, make_solver
from gamespec.plan.definition import value
from gamespec.source import Source
from gamespec.syntax.read import read
from tests.mutations.mutate import Mutant, mutant
from tests.tool import GALLERY

MUTANTS = 500
GROUPS = 10
POSITIONS = 25
LIMIT = 3000  # positions that the definition may visit for one game


def mutants(group: int) -> Iterator[tuple[Source, Mutant]]:
    """One tenth of all mutants, with the sources they come from."""
    rng = random.Random(f"mutants {group}")
    for number in range(MUTANTS // GROUPS):
        path = GALLERY[(number * GROUPS + group) % len(GALLERY)]
        source = Source(str(path), path.read_text(), "yaml" if path.suffix == ".yaml" else "text")
        yield source, mutant(source.text, rng)


def lines(source: Source, diagnostics: list[Diagnostic]) -> set[int]:
    """The lines that the messages point at, in their own words or in a note."""
    spans = [d.span for d in diagnostics] + [note.span for d in diagnostics for note in d.notes]
    return {source.line_column(span.start)[0] for span in spans if span is not None}


def around(source: Source, changed: Mutant) -> set[int]:
    """The changed lines with those before and after them that are not empty."""
    written = [number for number, line in enumerate(source.text.splitlines(), 1) if line.strip()]
    before = [line for line in written if line < changed.first][-1:]
    return {*range(changed.first, changed.last + 1), *before, *[line for line in written if line > changed.last][:1]}


def named(original: str, source: Source, changed: Mutant, found: list[Diagnostic]) -> bool:
    """Whether a message names what the changed lines declare, or declared: it shows where the name is used."""
    told = set(re.findall(r"\w+", " ".join(one.message for one in found)))
    names = declared(source.text, changed)
    return not told.isdisjoint(names | declared(original, changed))


def declared(text: str, changed: Mutant) -> set[str]:
    """The names that some lines of a spec give."""
    lines = "\n".join(text.splitlines()[changed.first - 1 : changed.last])
    first = re.findall(r"^(?:state|given|param|let)\s+(\w+)|^\s+(\w+):", lines, re.MULTILINE)
    return {name for pair in first for name in pair if name} | set(re.findall(r"\bchoose:? (\w+) in", lines))


def findings(source: Source) -> tuple[Game | None, list[Diagnostic]]:
    """What `gamespec check` finds, and the game where there is one."""
    try:
        game, found = check_all(read(source), source, {})
        if game is None:
            return None, list(found)
        found = [*found, *faults(game)]
    except SpecError as error:
        return None, list(error.diagnostics)
    return (None if any(one.severity == "error" for one in found) else game), found


def agrees(game: Game) -> int:
    """Compares compiled answers with the definition from the least positions on; how many could be compared."""
    if game.givens:
        return 0  # positions need data; the agreement tests draw it
    evaluator = Evaluator(game, steps=20_000)
    try:
        budget = Budget(200_000_000, 3)
        facts = analyse(game)
        ask = always(game)
        solver = make_solver(game, facts, choose(game, facts, ask, budget=budget), budget, compile)
    except (LimitError, UsageError, SpecError):
        return 0  # refused with a message; its texts are tested elsewhere
    compared = too_deep = 0
    reference = Reference(evaluator, LIMIT)
    for position in islice(positions(game, evaluator), POSITIONS):
        try:
            expected = value(reference, ask, position)
        except RuleFault:
            with pytest.raises((SpecError, LimitError)):
                solver.values((), [[value] for value in position])
            continue
        except (LimitError, TooMuchWork):
            too_deep += 1
            if too_deep == 2:
                break
            continue
        try:
            assert list(solver.values((), [[value] for value in position])) == [expected], position
        except LimitError:
            break
        compared += 1
    return compared


def positions(game: Game, evaluator: Evaluator) -> Iterator[Position]:
    """Positions with small values of every field that exist."""
    rng = random.Random(game.name)
    for _ in range(3 * POSITIONS):
        position = tuple(small_value(game, place, rng) for place in range(len(game.states)))
        try:
            if evaluator.holds(position):
                yield position
        except (RuleFault, TooMuchWork):
            continue


def small_value(game: Game, place: int, rng: random.Random) -> int | frozenset[int] | tuple[int, ...]:
    from gamespec.types import ArrayType, SetType, element_bounds

    of = game.states[place].type
    match of:
        case SetType(element):
            bounds = element_bounds(element)
            return frozenset(x for x in range(bounds.lo, min(bounds.hi, bounds.lo + 9) + 1) if rng.random() < 0.5)
        case ArrayType(dims=dims, of=element):
            bounds = element_bounds(element)
            cells = prod(dim.size for dim in dims)
            return tuple(rng.randint(bounds.lo, min(bounds.hi, bounds.lo + 2)) for _ in range(cells))
        case _:
            bounds = element_bounds(of)
            return rng.randint(bounds.lo, min(bounds.hi, bounds.lo + 12))


@pytest.mark.parametrize(
    "group", [pytest.param(group, marks=[pytest.mark.slow] if group % 2 else []) for group in range(GROUPS)]
)
def test_mutants(group: int) -> None:
    bad = []
    alive = compared = 0
    for source, changed in mutants(group):
        mutated = Source(source.path, changed.text, source.spelling)
        try:
            game, found = findings(mutated)
            if game is not None:
                alive += 1
                compared += agrees(game)
                continue
        except GamespecError as error:
            found = list(error.diagnostics)
        near = around(mutated, changed) & lines(mutated, found)
        if not near and not named(source.text, mutated, changed, found):
            told = "; ".join(one.message for one in found)
            bad.append(f"{source.path}:{changed.first}: {changed.change}: {sorted(lines(mutated, found))} {told}")
    print(f"{alive} of {MUTANTS // GROUPS} are still games; {compared} positions compared")
    assert not bad, "\n".join(bad)
