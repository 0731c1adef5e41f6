"""`gamespec value`: answers about one position."""

from __future__ import annotations

import click

from gamespec.cli.option import budget_options, define_option, plan_options, report_options, spec_argument
from gamespec.cli.session import Session


@click.command("value")
@spec_argument
@click.argument("values", nargs=-1, metavar="NAME=VALUE...")
@click.option(
    "--ask",
    default="outcome,moves",
    help="What to print: outcome, winner, grundy, score, total, distance, moves, move, count; with commas.",
)
@define_option
@plan_options
@budget_options
@report_options
@click.pass_obj
def command(session: Session, spec: str, values: tuple[str, ...], ask: str) -> None:
    """Print the outcome, Grundy value or winning moves of one position; the spec needs no `input`.

    Every state field and given needs a value that `start` does not give. In a sum, a field that is named several times
    makes several components.

    \b
    Examples:
      gamespec value specs/cow_digit.yaml n=13
      gamespec value specs/stone_game.yaml size=10 stones=3 --ask grundy
      gamespec value specs/nim.game n=3 n=4 n=5 --ask grundy,moves
      gamespec value specs/number_game.yaml 'open={2,3,5,7}' --ask moves --format json
    """
    from gamespec.cli.question import answered, asked, needs, position_columns, turn_of

    game = session.load(spec)
    answers = asked(game, ask)
    columns = position_columns(game, values)
    needed = needs(game, answers)
    turn = turn_of(game, values, columns)
    case = answered(game, session.solver(game, needed, session.budget()), columns, needed, turn)
    found = {answer.name: answer.of(game, case) for answer in answers}
    if session.format == "json":
        import msgspec

        click.echo(msgspec.json.encode(found))
    elif len(found) == 1:
        click.echo(next(iter(found.values())))
    else:
        width = max(map(len, found))
        for name, value in found.items():
            click.echo(f"{name:{width}}  {value}".rstrip())
