"""`gamespec explain`: what was found out about a game, how it will be solved, and every stage on the way."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from math import inf
from typing import TYPE_CHECKING

import click

from gamespec.cli.option import define_option, memory_option, plan_options, report_options, spec_argument
from gamespec.cli.session import Session
from gamespec.diagnostics import counted
from gamespec.report import clean, paste

if TYPE_CHECKING:
    from gamespec.analysis.facts import Facts
    from gamespec.game.model import Game
    from gamespec.plan.plan import Ask, Bid, Plan
    from gamespec.source import Source, Span

STAGES = ("tree", "game", "facts", "plan", "kernel", "llvm", "python")

WIDTH = 100  # columns of a sentence without a place
TITLE = 11  # columns of the titles at the left
TEXT = 58  # columns of a sentence, where its place in the spec follows
PIECE = 48  # columns of the piece of the spec that is shown

Row = tuple[str, "Span | None"]


@click.command("explain")
@spec_argument
@click.option("--show", type=click.Choice(STAGES), help="Print one stage of the compiler instead.")
@define_option
@plan_options
@memory_option
@report_options
@click.pass_obj
def command(session: Session, spec: str, show: str | None) -> None:
    """Tell what was found out about a game, which plan was chosen, and why each other one was not.

    \b
    Examples:
      gamespec explain specs/cow_digit.yaml
      gamespec explain specs/cow_digit.yaml --plan memo
      gamespec explain specs/stone_game.yaml --show kernel
    """
    if show == "tree":
        from gamespec.cli.dump import dump
        from gamespec.file import open_source
        from gamespec.syntax.read import read

        session.source = open_source(spec)
        click.echo(dump(read(session.source)))
        return
    game = session.load(spec)
    if show == "game":
        from gamespec.cli.dump import dump

        click.echo(dump(game))
        return
    from gamespec.answers.table import needed

    ask = needed(game)
    facts, plan = session.plan(game, ask, session.budget(), thorough=True)
    match show:
        case "facts":
            click.echo("\n".join(facts_text(game, facts)))
        case "plan":
            click.echo("\n".join(plan_text(plan)))
        case None:
            click.echo("\n".join(explanation(game, facts, ask, plan, session.disabled)))
        case _:
            click.echo(program_text(plan, show, session.checked))


# --- the explanation ---------------------------------------------------------------------------------------


def explanation(game: Game, facts: Facts, ask: Ask, plan: Plan, disabled: Iterable[str] = ()) -> Iterator[str]:
    """The lines of the explanation: a title, sentences, and the places in the spec that they speak of."""
    source = game.source
    count = counted(len(game.states), "field")
    of = "positions of a component" if game.sum else "positions"
    yield from section("game", [(f"{game.name}: {count}, {facts.size.text} {of}", None)], source)
    sentences: list[Row] = [(found.text, found.span) for found in facts.sentences]
    yield from section("facts", [*sentences, (_need(game, ask), _output_span(game))], source)
    yield from section("checks", check_rows(facts), source)
    yield from section("plan", [*bid_rows(plan)], source)
    passes: list[Row] = [(reason.text, reason.span) for reason in plan.passes] or [("none has anything to do", None)]
    passes += [(f"{name}: left out", None) for name in disabled]
    yield from section("passes", list(dict.fromkeys(passes)), source)
    yield from section("refused", refused_rows(plan), source)
    yield from section("override", [(_override(game, plan), None)], source)


def section(title: str, rows: Iterable[Row], source: Source) -> Iterator[str]:
    """A title at the left, and rows of a sentence, `file:line` and the piece of the spec there."""
    from textwrap import wrap

    for text, span in rows:
        place = "" if span is None or span.end <= span.start else f"   {_place(source, span)}"
        lines = wrap(clean(text), TEXT if place else WIDTH, subsequent_indent="  ", break_on_hyphens=False)
        first, *rest = lines or [""]
        yield f"{title:{TITLE}}{first:{TEXT if place else 0}}{place}"
        yield from (" " * TITLE + line for line in rest)
        title = ""


def _place(source: Source, span: Span) -> str:
    piece = " ".join(source.slice(span).split())
    if len(piece) > PIECE:
        piece = piece[: PIECE - 1] + "…"
    line, _ = source.line_column(span.start)
    return clean(f"{os.path.basename(source.path)}:{line}   {piece}")


def _need(game: Game, ask: Ask) -> str:
    """What the output wants to know of a position."""
    from gamespec.plan.valuation import draws

    outcomes = "win/lose/draw" if draws(game) or game.scored else "win/lose"
    if ask.score:
        what = f"{outcomes}, and by how much: the scores" + (" and both totals" if ask.total else "")
    elif ask.grundy:
        what = "Grundy values"
    elif ask.distance:
        what = f"{outcomes}, and how soon: the distances"
    else:
        what = f"{outcomes} only"
    return f"needs {what}" + (", and the value of every move of the positions asked" if ask.moves else "")


def _output_span(game: Game) -> Span | None:
    if not game.output.entries:
        return None
    return game.output.entries[0].span.to(game.output.entries[-1].span)


def check_rows(facts: Facts) -> Iterator[Row]:
    """What is proved, and what is checked while running."""
    from gamespec.game.total import KINDS

    unproved = facts.proofs.unproved
    every = len(facts.proofs.reasons)
    proved = every - len(unproved)
    if every == 0:
        yield "no operation can fail", None
    elif not unproved:
        yield f"all {every} that can be needed are proved: nothing is checked while running", None
    else:
        yield f"{proved} of {every} are proved; checked while running:", None
    for kind, span in unproved:
        yield KINDS[kind], span


def bid_rows(plan: Plan) -> Iterator[Row]:
    """The plan, why it can do it, and what it costs."""
    reasons = plan.bid.reasons
    first, *rest = reasons or (None,)
    yield (f"{plan.strategy}: {first.text}", first.span) if first else (plan.strategy, None)
    for reason in rest:
        if reason is not None:
            yield reason.text, reason.span
    if plan.bid.cost < inf:
        yield f"for all positions at the declared limits: {cost_text(plan.bid)}", None


def cost_text(bid: Bid) -> str:
    """The positions that a bid is for, and its estimated time and memory."""
    from gamespec.budget import size_text, time_text

    count = f"{bid.positions:,} of them, " if 0 < bid.positions < 10**15 else ""
    proviso = f" {bid.proviso}" if bid.proviso else ""
    return count + time_text(bid.cost) + (f", {size_text(bid.memory)}" if bid.memory else "") + proviso


def refused_rows(plan: Plan) -> Iterator[Row]:
    """Every other strategy, with the reason why it was not taken."""
    from gamespec.plan.plan import Refusal

    width = max((len(other.strategy) for other in plan.others), default=0) + 2
    if not plan.others:
        yield "nothing", None
    for other in plan.others:
        if isinstance(other, Refusal):
            yield f"{other.strategy:{width}}{other.reason.text}", other.reason.span
            continue
        ratio = other.cost / plan.bid.cost if plan.bid.cost else 0
        times = f"{ratio:.2g} times the cost" if 0 < ratio < 1e6 else cost_text(other)
        reason = f": {other.reasons[0].text}" if other.reasons else ""
        yield f"{other.strategy:{width}}possible, {times}{reason}", other.reasons[0].span if other.reasons else None


def _override(game: Game, plan: Plan) -> str:
    from gamespec.diagnostics import Help
    from gamespec.plan.plan import Bid

    others = sorted((other for other in plan.others if isinstance(other, Bid)), key=lambda bid: bid.cost)
    if not others:
        return "no other strategy can do it"
    clause = paste(Help("", "plan", others[0].strategy), game.source.spelling)[0]
    return f"{clause}   in the spec, or   --plan {others[0].strategy}"


# --- single stages -----------------------------------------------------------------------------------------


def facts_text(game: Game, facts: Facts) -> Iterator[str]:
    """All facts with their places, and for each operation that can fail the proof that it does not."""
    from gamespec.game.total import KINDS

    yield from section("facts", [(found.text, found.span) for found in facts.sentences], game.source)
    proofs = facts.proofs
    rows: list[Row] = []
    for place in sorted(proofs.reasons, key=lambda place: place[1:]):
        span = proofs.spans[place]
        why = proofs.reason(place[0], span)
        rows.append((why or f"{KINDS[place[0]]}: checked while running", span))
    yield from section("proofs", rows or [("nothing to prove: no operation can fail", None)], game.source)


def plan_text(plan: Plan) -> Iterator[str]:
    """The plan as it is, without its kernels."""
    from gamespec.cli.dump import dump

    yield dump({name: getattr(plan, name) for name in plan.__struct_fields__ if name != "functions"})
    yield "kernels: " + ", ".join(plan.functions)


def program_text(plan: Plan, show: str, checked: bool) -> str:
    """The kernels of a plan: as they are, as LLVM's text, or as Python."""
    functions = list(plan.functions.values())
    match show:
        case "kernel":
            from gamespec.kernel.show import show as show_kernel

            return "\n\n".join(map(show_kernel, functions))
        case "llvm":
            from gamespec.backends.llvm import show_llvm

            return show_llvm(functions, checked)
        case _:
            from gamespec.backends.python import show_python

            return "\n\n".join(show_python(function, checked) for function in functions)
