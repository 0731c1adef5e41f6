"""The command `gamespec`: finds the verb, runs it, and turns whatever goes wrong into a message and an exit status.

Exit status: 0 fine; 1 the spec is wrong or a test fails; 2 the input does not fit the spec; 3 over the memory or time
given; 64 a bad command line or an unreadable file; 70 a fault of gamespec itself; 130 after Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise

import click

from gamespec.cli.guard import guarded, prepare_streams
from gamespec.cli.problems import NO_SUCH_VERB, near
from gamespec.cli.session import Session
from gamespec.diagnostics import UsageError
from gamespec.report import FORMATS

VERBS = {
    "Answer": {
        "solve": "Read positions, print answers as the spec's `output` says.",
        "value": "Outcome, Grundy value or winning moves of one position.",
        "play": "Play against the computer, which plays perfectly, or watch it.",
        "table": "Values over ranges of positions: text, CSV, JSON or OEIS b-file.",
        "census": "Every position that play reaches, counted by outcome and distance.",
    },
    "Understand": {
        "explain": "The facts found, the plan chosen, what was refused and why.",
        "period": "How the values of heaps go on for ever: the proof, or the check of one.",
        "check": "Find mistakes in specs without solving anything.",
        "test": "Run the `test` clauses of specs.",
        "verify": "Compare the plan's answers with the plain definition of the game.",
    },
    "Write": {
        "fmt": "Rewrite spec files in the one canonical layout.",
        "convert": "Turn a YAML spec into a text spec, or back.",
        "help": "The language: clauses, types, functions, what can be printed.",
        "completion": "A script that completes verbs and options in your shell.",
        "cache": "Show or clear what is kept of specs that were solved before.",
    },
}


class Verbs(click.Group):
    """The group of all verbs; a verb's module is imported only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for verbs in VERBS.values() for name in verbs]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not any(cmd_name in verbs for verbs in VERBS.values()):
            return None
        command: click.Command = import_module(f"gamespec.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None and not ctx.resilient_parsing:
            if name.startswith("-"):
                ctx.fail(f"there is no option {name} here")
            raise UsageError(NO_SUCH_VERB.at(None, name=name, near=near(name, self.list_commands(ctx))))
        return name, command, args[1:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, verbs in VERBS.items():
            with formatter.section(title):
                formatter.write_dl(list(verbs.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit status"):
            formatter.write_text("0 fine · 1 the spec is wrong, or a test fails · 2 the input does not fit the spec")
            formatter.write_text("3 over --memory or --time · 64 bad command line · 70 fault of gamespec · 130 Ctrl-C")


def print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"gamespec {version('gamespec')}")
        except PackageNotFoundError:
            click.echo("gamespec (not installed)")
        ctx.exit()


@click.command(
    cls=Verbs,
    subcommand_metavar="VERB …",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=print_version, help="Print the version."
)
def gamespec() -> None:
    """Describe a two-player game in a small file; get a solver in machine code.

    \b
    A first minute:
      gamespec solve specs/cow_digit.yaml < input.txt      read cases, print answers
      gamespec value specs/cow_digit.yaml n=13 --ask outcome,moves
      gamespec explain specs/cow_digit.yaml                why it is solved the way it is
      gamespec test specs/                                 run the tests inside the specs
      gamespec help                                        how to write a spec

    `gamespec VERB --help` shows the options of a verb, with examples.
    """


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit status."""
    prepare_streams()
    session = Session()
    session.format, session.debug = _report_options(arguments)

    def act() -> object:
        try:
            return gamespec.main(
                list(arguments) or ["--help"], prog_name="gamespec", standalone_mode=False, obj=session
            )
        except click.Abort:
            raise KeyboardInterrupt from None

    return guarded(session, act)


def _report_options(arguments: Sequence[str]) -> tuple[str, bool]:
    """The form of diagnostics, for messages about a command line that cannot be read."""
    found = "text"
    for this, following in pairwise([*arguments, ""]):
        value = following if this == "--format" else this.removeprefix("--format=")
        if this.startswith("--format") and value in FORMATS:
            found = value
    return found, "--debug" in arguments
