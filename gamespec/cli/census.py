"""`gamespec census`: all positions that play reaches, counted by what they are worth."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from gamespec.cli.option import budget_options, debug_option, define_option, spec_argument
from gamespec.cli.problems import NO_ANSWER
from gamespec.cli.session import Session
from gamespec.cli.table import Cell, Grid, write_csv, write_text
from gamespec.diagnostics import UsageError

if TYPE_CHECKING:
    from gamespec.game.model import Game, Position, Value
    from gamespec.plan.census import Census, Length


@click.command("census")
@spec_argument
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--distances", is_flag=True, help="How many positions are won and lost at each distance.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json"]),
    default="text",
    help="Columns (default), CSV, or a JSON object. As CSV, --distances is all that is printed.",
)
@define_option
@budget_options
@debug_option
@click.pass_obj
def command(session: Session, spec: str, values: tuple[str, ...], distances: bool, form: str) -> None:
    """Solve and count every position that play reaches from one.

    A position counts once, however it is reached, and also where the game is over; positions that differ by a
    symmetry count each. Outcomes are those for the player to move. Fields that `start` does not give need a value, as
    for `gamespec value`. The longest distance is how long the winner needs at the position where it takes longest.

    \b
    Examples:
      gamespec census specs/pong_hau_ki.game
      gamespec census specs/tic_tac_toe.game board=.../.../... mover=x --distances
      gamespec census specs/connect_four.game -D high=3 --format json
      gamespec census specs/cow_digit.yaml n=1000 --distances --format csv
    """
    from gamespec.cli.question import position
    from gamespec.plan.census import census, refuse_sum

    session.format = "json" if form == "json" else "text"
    game = session.load(spec)
    refuse_sum(game)
    if distances and game.scored:
        raise UsageError(NO_ANSWER.at(None, game=game.name, name="distance", reason="scores decide"))
    givens, state = position(game, values)
    budget = session.budget()
    found = census(game, givens, state, budget, session.compile)
    budget.rest()
    facts = _facts(game, found, givens)
    match form:
        case "json":
            _print_json(facts, found.lengths if distances else None)
        case "csv":
            row = ["" if value is None else value for value in facts.values()]
            write_csv(sys.stdout, _lengths(found) if distances else Grid("", [*facts], [], set(), iter([row])))
        case _:
            width = max(map(len, facts))
            for name, value in facts.items():
                if value is not None:
                    click.echo(f"{name:{width}}  {value}")
            if found.longest_position is not None:
                _draw(game, givens, found.longest_position)
            if distances:
                click.echo()
                write_text(sys.stdout, _lengths(found))


def _lengths(found: Census) -> Grid:
    rows: Iterator[list[Cell]] = ([each.distance, each.won, each.lost] for each in found.lengths)
    return Grid("", ["distance", "won", "lost"], [], set(), rows)


def _print_json(facts: dict[str, Cell | None], lengths: Sequence[Length] | None) -> None:
    """One object; a position is a list of arguments there."""
    import shlex

    position = facts.get("longest_position")
    made: dict[str, object] = {**facts}
    if isinstance(position, str):
        made["longest_position"] = shlex.split(position)
    if lengths is not None:
        made["distances"] = lengths
    click.echo(msgspec.json.encode(made).decode())


def _facts(game: Game, found: Census, givens: list[Value]) -> dict[str, Cell | None]:
    """What is printed, by its name; None for what there is not."""
    from gamespec.answers.table import WORDS
    from gamespec.cli.position import position_arguments, quoted

    facts: dict[str, Cell | None] = {
        "positions": found.positions,
        "won": found.won,
        "drawn": found.drawn,
        "lost": found.lost,
    }
    players = game.players or ()
    if found.won_by is not None:
        facts |= {f"won_by_{name}": count for name, count in zip(players, found.won_by, strict=True)}
    facts["outcome"] = WORDS[found.outcome]
    if players:
        facts["winner"] = None if found.winner is None else players[found.winner]
    if game.scored:
        return {**facts, "score": found.score}
    facts["distance"] = found.distance
    facts["longest"] = found.longest
    outcome, position = found.longest_outcome, found.longest_position
    facts["longest_outcome"] = None if outcome is None else WORDS[outcome]
    facts["longest_position"] = None if position is None else quoted(position_arguments(game, givens, position))
    return facts


def _draw(game: Game, givens: list[Value], position: Position) -> None:
    """The board, where there is one."""
    from gamespec.play.ground import Ground
    from gamespec.play.picture import Picture

    if any(len(field.dims) > 1 for field in game.states):
        ground = Ground(game, [game.data(givens)], [position])
        click.echo()
        for line in Picture(ground, wide=False).lines(ground.start):
            click.echo("".join(text for text, _ in line).rstrip())
