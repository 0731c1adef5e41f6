"""`gamespec play`: a game in the terminal, against perfect play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from gamespec.cli.option import budget_options, define_option, plan_options, report_options, spec_argument
from gamespec.cli.problems import NO_SUCH_PLAYER, SAME_STDIN, SEVERAL_SIDES
from gamespec.cli.session import Session
from gamespec.diagnostics import SpecError, UsageError
from gamespec.file import STDIN

if TYPE_CHECKING:
    from gamespec.answers.ask import Ask
    from gamespec.budget import Budget
    from gamespec.game.model import Game
    from gamespec.play.ground import Ground
    from gamespec.play.judge import Attempt, Judge

THINKING = 5.0  # seconds for the values of one position, unless --time says otherwise
MANY = 10**8  # positions


@click.command("play")
@spec_argument
@click.argument("values", nargs=-1, metavar="[NAME=VALUE...]")
@click.option("--as", "side", metavar="NAME", help="The player you are: a name, first or second (first).")
@click.option("--both", is_flag=True, help="Move for both players.")
@click.option("--auto", is_flag=True, help="Watch the computer play itself to the end.")
@click.option("--seed", type=int, help="Choose among equally good moves by chance; else the first is made.")
@define_option
@plan_options
@budget_options
@report_options
@click.pass_obj
def command(
    session: Session, spec: str, values: tuple[str, ...], side: str | None, both: bool, auto: bool, seed: int | None
) -> None:
    """Play a game: type a move's number or text, `help` for more. The computer answers with perfect play.

    Moves are marked as won, lost or drawn for whoever makes them. Fields that `start` does not give need a value, as
    for `gamespec value`; boards are empty. --time bounds how long values are looked for at a position (5 s); where
    that does not suffice, play goes on without. Commands may come from a pipe.

    \b
    Examples:
      gamespec play specs/nim.game n=3 n=4 n=5
      gamespec play specs/wythoff.game a=8 b=13 --as second
      gamespec play specs/cow_digit.yaml n=29 --auto
      printf '1\\nquit\\n' | gamespec play specs/cow_digit.yaml n=29
    """
    from gamespec.cli.question import position_columns, turn_of
    from gamespec.play.ground import Ground
    from gamespec.play.judge import Oracle
    from gamespec.play.screen import screen
    from gamespec.play.talk import Talk

    if spec == STDIN and not auto:
        raise UsageError(SAME_STDIN.at(None))
    if sum((side is not None, both, auto)) > 1:
        raise UsageError(SEVERAL_SIDES.at(None))
    game = session.load(spec)
    columns = position_columns(game, values, blank=True)
    count = max(map(len, columns.values()), default=1)
    givens = [{field.name: columns[field.name][row] for field in game.givens} for row in range(count)]
    states = [tuple(columns[field.name][row] for field in game.states) for row in range(count)]
    ground = Ground(game, givens, states, turn_of(game, values, columns))
    starts = ground.turn(ground.start, None)
    people = (0, 1) if both else () if auto else (_side(game, side, starts),)
    if session.seconds is None:
        session.seconds = THINKING
    oracle = Oracle(ground, attempts(session, game, ground), session.budget)
    from random import Random

    Talk(ground, oracle, screen(), people, None if seed is None else Random(seed)).run()


def _side(game: Game, name: str | None, starts: int) -> int:
    """The player of a name, or who moves first or second; raises UsageError."""
    players = game.players or ()
    if name in players:
        return players.index(name)
    if name in (None, "first", "second"):
        return 1 - starts if name == "second" else starts
    known = ", ".join([*players, "first", "second"])
    raise UsageError(NO_SUCH_PLAYER.at(None, name=name, game=game.name, known=known))


def attempts(session: Session, game: Game, ground: Ground) -> Sequence[Attempt]:
    """How values may be found, the best first: with distances, without, and by the plain definition of the game."""
    from gamespec.answers.ask import Ask, always, interacts
    from gamespec.play.judge import Attempt, DefinitionJudge, PlanJudge

    def plan(ask: Ask) -> Callable[[Budget], Judge]:
        return lambda budget: PlanJudge(ground, session.solver(game, ask, budget), ask)

    far = Ask(moves=True, distance=True) | always(game)
    definition = Attempt(lambda budget: DefinitionJudge(ground, budget.memory))
    if game.sum and game.endless is not None and not interacts(game):
        # Smith values tell who wins, but not how to come nearer to the end.
        return [definition, Attempt(plan(far), patient=True)]
    found = [Attempt(plan(far))]
    if not (game.scored or game.sum):
        outcome = Attempt(plan(Ask(moves=True)), patient=True)
        found.insert(0 if _is_closed(session, game) else 1, outcome)
    return [*found, definition]


def _is_closed(session: Session, game: Game) -> bool:
    """Whether so many positions are declared that distances take long, and a theorem tells the outcomes at once."""
    from gamespec.analysis.size import size
    from gamespec.answers.ask import Ask
    from gamespec.plan.choose import CLOSED, THEOREM

    if session.hint is not None or size(game).positions < MANY:
        return False
    try:
        return session.plan(game, Ask(moves=True), session.budget())[1].strategy in (CLOSED, THEOREM)
    except SpecError:  # the plans that are tried later say why there is none
        return False
