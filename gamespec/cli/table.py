"""`gamespec table`: answers about ranges of positions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn, TextIO, cast

import click
import msgspec

from gamespec.cli.option import budget_options, debug_option, define_option, plan_options, spec_argument
from gamespec.cli.problems import NO_POSITION, UNSUITABLE
from gamespec.cli.session import Session
from gamespec.diagnostics import UsageError

if TYPE_CHECKING:
    from gamespec.answers.answer import Answer
    from gamespec.budget import Budget
    from gamespec.game.model import Game, Value
    from gamespec.plan.plan import Solver

MOST = 1_000_000

Cell = int | str


@click.command("table")
@spec_argument
@click.argument("values", nargs=-1, metavar="[NAME=VALUES]...")
@click.option(
    "--where", "where", multiple=True, metavar="NAME=VALUES", help="Which values: size=100, n=0..50, n=1,2,5."
)
@click.option(
    "--ask",
    default="outcome",
    help="What to print: outcome, winner, grundy, score, total, distance, moves, move, count; with commas.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json", "b-file"]),
    default="text",
    help="Columns (default), CSV, JSON, or a b-file as the OEIS wants it.",
)
@define_option
@plan_options
@budget_options
@debug_option
@click.pass_obj
def command(session: Session, spec: str, values: tuple[str, ...], where: tuple[str, ...], ask: str, form: str) -> None:
    """Print answers for all positions in a range.

    A field that is not mentioned has the value of `start`, else it runs over its declared range; positions that
    `require` forbids are left out. In a sum, positions are single components. A b-file has one field that varies.

    \b
    Examples:
      gamespec table specs/kayles.yaml row=0..50 --ask grundy --format b-file
      gamespec table specs/stone_game.yaml --where size=100 --ask grundy --format csv
      gamespec table specs/wythoff.game a=0..5 b=0..5 --ask outcome,count
    """
    from gamespec.cli.question import asked, given_values, left_out, needs, table_columns

    session.format = "json" if form == "json" else "text"
    game = session.load(spec)
    answers = asked(game, ask)
    fixed = given_values(game, [*values, *where], ranges=True)
    columns = table_columns(game, fixed, MOST)
    if missing := left_out(game, fixed, columns):
        session.report([NO_POSITION.at(None, game=game.name, values=missing)])
    budget = session.budget()
    solver = session.solver(game, needs(game, answers), budget)
    grid = Grid(
        game.name,
        [field.name for field in (*game.givens, *game.states)],
        [answer.name for answer in answers],
        {name for name, column in columns.items() if len(set(column)) > 1},
        _rows(game, solver, columns, answers, budget),
    )
    write = {"csv": write_csv, "json": write_json, "b-file": write_b_file, "text": write_text}[form]
    write(sys.stdout, grid)


class Grid(msgspec.Struct, frozen=True):
    """What is printed: names of fields and of answers, the fields that vary, and a row of cells for each position."""

    title: str
    fields: list[str]
    answers: list[str]
    varying: set[str]
    rows: Iterator[list[Cell]]


def _rows(
    game: Game, solver: Solver, columns: dict[str, list[Value]], answers: list[Answer], budget: Budget
) -> Iterator[list[Cell]]:
    from gamespec.answers.answer import Case
    from gamespec.cli.question import answered, needs
    from gamespec.game.model import MOVER
    from gamespec.game.show import value_text

    fields = (*game.givens, *game.states)
    needed = needs(game, answers)
    size = len(columns[fields[-1].name])
    turns = cast("list[int]", columns[MOVER]) if game.partisan else [0] * size
    if needed.moves:
        each = ({name: column[row : row + 1] for name, column in columns.items()} for row in range(size))
        cases = (answered(game, solver, one, needed, turn) for one, turn in zip(each, turns, strict=True))
    else:
        parts = ([columns[field.name] for field in part] for part in (game.givens, game.states))
        values = solver.values(*parts) if size else ()
        cases = (
            Case(1, value, needed.outcome(value), turn=turn, ask=needed)
            for value, turn in zip(values, turns, strict=True)
        )
    for row, case in enumerate(cases):
        budget.check_time()
        cells: list[Cell] = [value_text(columns[field.name][row], field.type) for field in fields]
        yield cells + [answer.of(game, case) for answer in answers]


def write_text(stream: TextIO, grid: Grid) -> None:
    """Columns, numbers at the right and words at the left."""
    texts = [[str(cell) for cell in row] for row in grid.rows]
    names = grid.fields + grid.answers
    columns = list(zip(*texts, strict=True)) or [()] * len(names)
    widths = [max(map(len, (name, *column))) for name, column in zip(names, columns, strict=True)]
    right = [bool(column) and all(map(is_number, column)) for column in columns]
    for row in (names, *texts):
        cells = zip(row, widths, right, strict=True)
        line = "  ".join(text.rjust(width) if at_right else text.ljust(width) for text, width, at_right in cells)
        stream.write(line.rstrip() + "\n")


def write_csv(stream: TextIO, grid: Grid) -> None:
    """RFC 4180, with a head line."""
    import csv

    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(grid.fields + grid.answers)
    writer.writerows(grid.rows)


def write_json(stream: TextIO, grid: Grid) -> None:
    """A list with one object a line."""
    names = grid.fields + grid.answers
    before = "[\n"
    for row in grid.rows:
        cells = [int(cell) if isinstance(cell, str) and is_number(cell) else cell for cell in row[: len(grid.fields)]]
        cells += row[len(grid.fields) :]
        stream.write(before + msgspec.json.encode(dict(zip(names, cells, strict=True))).decode())
        before = ",\n"
    stream.write("[]\n" if before == "[\n" else "\n]\n")


def write_b_file(stream: TextIO, grid: Grid) -> None:
    """Lines `index value` (https://oeis.org/SubmitB.html) of one field that varies and one number (won 1, drawn 2)."""
    title = f"{grid.title}: {', '.join(grid.answers)}"

    def refuse(reason: str) -> NoReturn:
        raise UsageError(UNSUITABLE.at(None, what=title, format="a b-file", reason=reason))

    if len(grid.varying) > 1:
        refuse(f"{', '.join(name for name in grid.fields if name in grid.varying)} vary, and one field may")
    if len(grid.answers) > 1:
        refuse("more than one answer is asked")
    index = grid.fields.index(next(iter(grid.varying), grid.fields[-1]))
    head = f"# {title}\n"
    for row in grid.rows:
        value = {"win": 1, "lose": 0, "draw": 2}.get(str(row[-1]), row[-1])
        if not is_number(str(row[index])):
            refuse(f"its index must be a number, and `{grid.fields[index]}` is not")
        if isinstance(value, str):
            refuse("its terms must be numbers: ask for grundy, count or outcome")
        stream.write(f"{head}{row[index]} {value}\n")
        head = ""
    stream.write(head)


def is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
