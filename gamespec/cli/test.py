"""`gamespec test`: runs the tests inside specs."""

from __future__ import annotations

import io

import click

from gamespec.cli.failure import report_error
from gamespec.cli.option import budget_options, plan_options, report_options
from gamespec.cli.problems import TEST_FAILS
from gamespec.cli.session import Session
from gamespec.diagnostics import Diagnostic, GamespecError, Note, SpecError, UsageError, counted
from gamespec.file import find_specs
from gamespec.game.model import Game
from gamespec.plan.plan import Solver


@click.command("test")
@click.argument("specs", nargs=-1, required=True, type=click.Path())
@click.option("-q", "--quiet", is_flag=True, help="Print failures and the summary only.")
@plan_options
@budget_options
@report_options
@click.pass_obj
def command(session: Session, specs: tuple[str, ...], quiet: bool) -> int:
    """Run every `test` of SPECS (files, or folders with specs), with the params as they stand in the spec.

    A test passes if `solve` prints just what it says; blank lines at the very end do not count.
    Exit status 1 if a test fails or a spec is wrong.

    \b
    Examples:
      gamespec test specs/
      gamespec test my.game --plan memo
    """
    passed = failed = wrong = status = 0
    speak = session.format == "text"
    for path in find_specs(specs):
        try:
            results = _results(session, path)
        except UsageError:
            raise
        except Exception as error:  # the other specs are tested all the same
            status = max(status, report_error(session, error))
            wrong += 1
            continue
        failures = [one for one in results if one is not None]
        session.report(failures)
        failed += len(failures)
        passed += len(results) - len(failures)
        if speak and not (quiet and not failures):
            click.echo(_line(path, len(results), len(failures)))
    if speak:
        click.echo(
            f"{passed} passed, {failed} failed" + (f", {counted(wrong, 'spec')} could not be tested" if wrong else "")
        )
    return max(status, SpecError.exit_code if failed else 0)


def _results(session: Session, path: str) -> list[Diagnostic | None]:
    """For each test of a spec what is wrong, or None; one solver serves them all."""
    from gamespec.answers.table import needed

    game = session.load(path)
    if not game.tests:
        return []
    solver = session.solver(game, needed(game), session.budget())
    return [_run(session, game, solver, number) for number in range(len(game.tests))]


def _run(session: Session, game: Game, solver: Solver, index: int) -> Diagnostic | None:
    from gamespec.run.solve import solve

    test = game.tests[index]
    printed = io.BytesIO()
    notes: list[Note] = []
    try:
        solve(game, solver, io.BytesIO(test.input.encode()), printed, session.budget())
    except GamespecError as error:
        if error.exit_code == GamespecError.exit_code:
            raise
        notes = [Note(one.message, one.span) for one in error.diagnostics]
    got = printed.getvalue().decode()
    if not notes and _bare(got) == _bare(test.output):
        return None
    notes += [Note(line) for line in difference(_bare(test.output), _bare(got))]
    return TEST_FAILS.at(test.span, number=index + 1, name=game.name, notes=notes)


def _bare(text: str) -> str:
    """The text without blank lines at the very end."""
    lines = text.split("\n")
    while lines and not lines[-1].strip(" \r\t"):
        lines.pop()
    return "\n".join(lines)


def difference(expected: str, printed: str, most: int = 20) -> list[str]:
    """The lines that differ: `-` expected, `+` printed."""
    from difflib import unified_diff

    diff = unified_diff(expected.split("\n"), printed.split("\n"), "expected", "printed", lineterm="", n=1)
    lines = [f"from line {line[4:].split(',')[0].split()[0]}" if line.startswith("@@ ") else line for line in diff]
    return lines if len(lines) <= most else [*lines[:most], f"… {counted(len(lines) - most, 'line')} more"]


def _line(path: str, tests: int, failures: int) -> str:
    if not tests:
        return f"{path}: no tests"
    return f"{path}: {tests - failures} of {tests} passed"
