"""`gamespec help`: the language reference, topic by topic."""

from __future__ import annotations

import click

from gamespec.cli.option import report_options
from gamespec.cli.problems import NO_SUCH_TOPIC, near
from gamespec.diagnostics import UsageError


@click.command("help")
@click.argument("topic", required=False)
@click.option("--all", "everything", is_flag=True, help="Print the whole reference page (Markdown).")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the YAML spelling, for editors.")
@report_options
def command(topic: str | None, everything: bool, schema: bool) -> None:
    """Explain the language: a clause, a word in it, a function, an answer, a code, a verb, or one of the chapters.

    \b
    Examples:
      gamespec help                 the list of topics
      gamespec help move
      gamespec help choose
      gamespec help digits
      gamespec help GS101
      gamespec help --schema > gamespec.schema.json
    """
    from gamespec.cli import reference

    if schema:
        from json import dumps

        from gamespec.syntax.schema import json_schema

        click.echo(dumps(json_schema(), indent=2))
        return
    if everything:
        click.echo(reference.whole_page(), nl=False)
        return
    if topic is None:
        _print_topics()
        return
    found = reference.found(topic.strip("{}`"))
    pieces = [f"{one.title}\n\n{one.text}" for one in found]
    if (verb := _verb_help(topic)) is not None:
        pieces.append(verb)
    if not pieces:
        names = {one.name for one in (*reference.topics(), *reference.kind_topics())}
        raise UsageError(NO_SUCH_TOPIC.at(None, name=topic, near=near(topic, names)))
    click.echo("\n\n".join(pieces))


def _verb_help(name: str) -> str | None:
    """What `gamespec NAME --help` prints, if there is such a verb."""
    context = click.get_current_context().parent
    if context is None or not isinstance(context.command, click.Group):
        return None
    verb = context.command.get_command(context, name)
    return None if verb is None else verb.get_help(click.Context(verb, context, name))


def _print_topics() -> None:
    from gamespec.cli import reference

    click.echo("gamespec help TOPIC explains one of:\n")
    for topic in reference.page_topics():
        click.echo(f"  {topic.name:12} {topic.title}")
    for title, found in (
        ("clauses", reference.clause_topics()),
        ("functions", reference.function_topics()),
        ("answers", reference.answer_topics()),
    ):
        names = " ".join(dict.fromkeys(topic.name for topic in found))
        click.echo(click.wrap_text(f"{title:12} {names}", 100, "  ", " " * 15))
    click.echo("\nor a word in a clause, as choose; the code of a message, as GS101; a verb, as solve.")
    click.echo("`gamespec help --all` prints the whole page.")
