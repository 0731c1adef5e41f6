"""Options that several verbs share, each defined once; what they say holds for the whole run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gamespec.budget import DEFAULT_MEMORY, MOST_THREADS
from gamespec.cli.problems import BAD_ASSIGNMENT, BAD_SIZE, BAD_TIME
from gamespec.cli.session import Session
from gamespec.diagnostics import UsageError
from gamespec.report import FORMATS

if TYPE_CHECKING:
    Kind = click.ParamType[Any]
else:
    Kind = click.ParamType  # is generic since click 8.3 only

F = TypeVar("F", bound=Callable[..., Any])

_BYTES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "m": 60.0, "min": 60.0, "h": 3600.0}


class Size(Kind):
    """`50MB`, `2GiB`, `500000`: an amount of memory in bytes."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([kmgt]?)(i?)b?", text, re.IGNORECASE)
        if match is None or (match[3] and not match[2]):
            raise UsageError(BAD_SIZE.at(None, text=text))
        unit = match[2].lower()
        scale = 1 << 10 * ("kmgt".index(unit) + 1) if match[3] else _BYTES[unit]
        return int(float(match[1]) * scale) if "." in match[1] else int(match[1]) * scale


class Duration(Kind):
    """`2s`, `500ms`, `1m`, `1.5`: a time in seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value)
        match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([a-z]*)", text, re.IGNORECASE)
        if match is None or match[2].lower() not in _SECONDS:
            raise UsageError(BAD_TIME.at(None, text=text))
        return float(match[1]) * _SECONDS[match[2].lower()]


def assignments(texts: Iterable[str], example: str) -> list[tuple[str, str]]:
    """Pairs of a name and what stands behind the first `=`; raises UsageError."""
    pairs = []
    for text in texts:
        name, _, value = text.partition("=")
        if not name.strip().isidentifier() or not value.strip():
            raise UsageError(BAD_ASSIGNMENT.at(None, text=text, example=example))
        pairs.append((name.strip(), value.strip()))
    return pairs


def option(*names: str, keep: Callable[[Session, Any], None], **attributes: Any) -> Callable[[F], F]:
    """An option whose value is kept for the whole run instead of being given to the verb."""

    def callback(ctx: click.Context, _param: click.Parameter, value: Any) -> None:
        keep(ctx.ensure_object(Session), value)

    return click.option(*names, expose_value=False, callback=callback, **attributes)


def _setter(name: str) -> Callable[[Session, Any], None]:
    return lambda session, value: setattr(session, name, value)


def all_of(*options: Callable[[F], F]) -> Callable[[F], F]:
    """One decorator for several options, shown in the order given."""

    def decorate(function: F) -> F:
        for add in reversed(options):
            function = add(function)
        return function

    return decorate


spec_argument = click.argument("spec", type=click.Path(allow_dash=True))

debug_option = option(
    "--debug", keep=_setter("debug"), is_flag=True, is_eager=True, help="Show where an internal error happened."
)

format_option = option(
    "--format",
    keep=_setter("format"),
    type=click.Choice(FORMATS),
    default="text",
    is_eager=True,
    help="Form of messages: for people (text), a JSON object a line, or GitHub annotations.",
)

report_options = all_of(format_option, debug_option)

define_option = option(
    "-D",
    "defines",
    keep=lambda session, texts: session.defines.update(assignments(texts, "-D top=40")),
    metavar="NAME=VALUE",
    multiple=True,
    help="Change a `param` of the spec; VALUE may be an expression, as 10**6.",
)

memory_option = option(
    "--memory",
    keep=_setter("memory"),
    type=Size(),
    metavar="SIZE",
    default=str(DEFAULT_MEMORY),
    help=f"Bound of tables, stacks and input blocks, as 50MB. Default {DEFAULT_MEMORY >> 30} GiB.",
)

time_option = option(
    "--time",
    "seconds",
    keep=_setter("seconds"),
    type=Duration(),
    metavar="TIME",
    help="Give up after so long, as 2s, 500ms or 1m.",
)

threads_option = option(
    "--threads",
    keep=_setter("threads"),
    type=click.IntRange(0, 64),
    metavar="N",
    default=0,
    help="Threads that fill tables, search, and follow moves backwards where they are not stored."
    f" Default 0: as many as pay, at most {MOST_THREADS}. Answers do not depend on it.",
)

cache_option = option(
    "--no-cache",
    keep=lambda session, value: setattr(session, "caches", not value),
    is_flag=True,
    help="Neither use nor keep what was found out about the spec; see `gamespec cache`.",
)

keep_table_option = option(
    "--keep-table",
    keep=_setter("keeps_tables"),
    is_flag=True,
    help="Keep what is solved for later runs with this option, and use what they have kept; see `gamespec cache`.",
)

budget_options = all_of(memory_option, time_option, threads_option)


def plan_options(function: F) -> F:
    """`--plan`, `--backend`, `--checked`, and `--no-NAME` for every pass."""
    from gamespec.analysis.passes import PASSES

    passes = [
        option(f"--no-{name}", keep=_disable(name), is_flag=True, help=f"Leave out the pass {name}: {effect}.")
        for name, effect in PASSES.items()
    ]
    return all_of(
        option(
            "--plan", keep=_setter("hint"), metavar="NAME", help="The strategy to use; `explain` names those that can."
        ),
        option(
            "--backend",
            keep=_setter("backend"),
            type=click.Choice(["llvm", "python"]),
            default="llvm",
            help="Machine code (default), or plain Python (slow).",
        ),
        option(
            "--checked",
            keep=_setter("checked"),
            is_flag=True,
            help="Check at run time even what is proved, as indices.",
        ),
        *passes,
    )(function)


def _disable(name: str) -> Callable[[Session, Any], None]:
    return lambda session, value: session.disabled.append(name) if value else None
