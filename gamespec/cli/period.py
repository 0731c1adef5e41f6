"""`gamespec period`: the certificate of the values of heaps of all sizes, and the check of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gamespec.cli.option import budget_options, define_option, report_options
from gamespec.cli.problems import NO_CERTIFICATE, NO_HEAPS, NO_LAW, OTHER_RULE, UNWRITABLE, USAGE
from gamespec.cli.session import Session
from gamespec.diagnostics import SpecError, UsageError
from gamespec.file import open_input

if TYPE_CHECKING:
    from gamespec.analysis.cut import HeapRule
    from gamespec.game.model import Game
    from gamespec.plan.heap.certificate import Certificate
    from gamespec.plan.plan import Kernels

MAX_BYTES = 1 << 24  # of a certificate
WIDTH = 100
TITLE = 12


@click.command("period")
@click.argument("spec", required=False, type=click.Path(allow_dash=True))
@click.argument("values", nargs=-1, metavar="NAME=VALUE...")
@click.option("--verify", "checked", type=click.Path(), metavar="FILE", help="Check a certificate instead.")
@click.option("-o", "output", type=click.Path(), metavar="FILE", help="Write the certificate to a file, as JSON.")
@define_option
@budget_options
@report_options
@click.pass_obj
def command(
    session: Session, spec: str | None, values: tuple[str, ...], checked: str | None, output: str | None
) -> None:
    """Prove how the values of heaps go on for ever, or check a proof.

    The rule is taken for heaps of all sizes: the largest that the spec declares does not matter. Data of a case that
    the rule depends on are given as NAME=VALUE. With --format json the certificate is printed as JSON.

    With --verify the values are computed again by the definition; if a spec is named too, its rule must be the one in
    the certificate. Exit status 1 if the certificate does not hold, 3 if no period is found within the limits.

    \b
    Examples:
      gamespec period specs/kayles.yaml
      gamespec period specs/subtraction_sets.yaml 'take={2,5,9}'
      gamespec period specs/kayles.yaml -o kayles.json
      gamespec period --verify kayles.json
    """
    if spec is None and checked is None:
        raise UsageError(USAGE.at(None, message="name a spec, or a certificate with --verify", usage=_usage()))
    rule = None
    game = None
    if spec is not None:
        game = session.load(spec)
        rule = _rule(game, values)
    if checked is not None:
        _verify(session, checked, rule)
        return
    assert game is not None
    assert rule is not None
    found = _found(session, game, rule)
    if output is not None:
        _write(output, found)
    if session.format == "json":
        click.echo(_json(found))
    else:
        click.echo("\n".join(_lines(found)))


def _usage() -> str:
    return "gamespec period SPEC   or   gamespec period --verify FILE"


def _rule(game: Game, texts: tuple[str, ...]) -> HeapRule:
    """The rule in normal form, with the data that the command line gives."""
    from gamespec.analysis.heap import Heap, heap
    from gamespec.cli.question import given_values

    if game.partisan or game.misere or game.scored or game.endless is not None:
        reason = "values of heaps belong to impartial games under normal play, which always end"
        raise SpecError(NO_HEAPS.at(None, game=game.name, reason=reason), source=game.source)
    found = heap(game)
    if not isinstance(found, Heap):
        raise SpecError(NO_HEAPS.at(found.span, game=game.name, reason=found.reason), source=game.source)
    if found.fixed is not None:
        return found.fixed
    columns = given_values(game, texts)
    missing = [given for given in game.givens if given.name not in columns]
    if missing:
        message = f"the rule depends on `{missing[0].name}`, which has no value"
        raise UsageError(USAGE.at(missing[0].span, message=message, usage=_usage()), source=game.source)
    return found.rule(tuple(columns[given.name][0] for given in game.givens))


def _kernels() -> Kernels:
    from gamespec.backends.program import compile
    from gamespec.plan.demand import OnDemand
    from gamespec.plan.heap.kernel import functions

    return OnDemand({function.name: function for function in functions()}, compile)


def _found(session: Session, game: Game, rule: HeapRule) -> Certificate:
    from gamespec.diagnostics import LimitError
    from gamespec.plan.heap.certificate import certificate
    from gamespec.plan.heap.values import HeapValues

    values = HeapValues(rule, _kernels(), session.budget(), game.states[0].name)
    law = values.prove()
    if law is None:
        tried = (
            "theorems speak of finite sets, of all numbers but some, and of sets of which most numbers change nothing"
        )
        if rule.finite:
            tried = f"none was found among the first {values.known:,} values"
        raise LimitError(NO_LAW.at(game.moves[0].span, rule=str(rule), tried=tried), source=game.source)
    return certificate(game.name, rule, law)


def _verify(session: Session, path: str, rule: HeapRule | None) -> None:
    from gamespec.analysis.cut import same_rule
    from gamespec.plan.heap.certificate import Rejected, read, verify

    try:
        found = read(_content(path))
        if rule is not None and not same_rule(rule, found.rule):
            raise SpecError(OTHER_RULE.at(None, path=path, rule=str(found.rule), other=str(rule)))
        how = verify(found, _kernels(), session.budget())
    except Rejected as rejected:
        raise SpecError(NO_CERTIFICATE.at(None, path=path, reason=str(rejected))) from None
    click.echo(f"{path} holds: {found.normal_form if found.normal_form == str(found.rule) else found.rule}: {how}")


def _content(path: str) -> bytes:
    from gamespec.plan.heap.certificate import Rejected

    with open_input(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Rejected("it is too long")
    return data


def _write(path: str, found: Certificate) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(_json(found) + "\n")
    except OSError as error:
        raise UsageError(UNWRITABLE.at(None, path=path, reason=error.strerror or path)) from None


def _json(found: Certificate) -> str:
    import msgspec

    return msgspec.json.format(msgspec.json.encode(found)).decode()


def _lines(found: Certificate) -> list[str]:
    """The certificate for people."""
    from textwrap import wrap

    n0, p = found.preperiod, found.period
    growth = f" + {found.saltus}" if found.saltus else ""
    rows = [
        ("game", found.game),
        ("rule", found.normal_form),
        ("claim", f"G(n + {p:,}) = G(n){growth} for all n ≥ {n0:,}"),
        ("theorem", f"{found.theorem}: {found.statement}"),
        ("source", found.source),
        ("because", found.note),
        ("preperiod", f"{n0:,}"),
        ("period", f"{p:,}"),
        ("saltus", str(found.saltus)),
        ("values", _values(found)),
        ("exceptions", _exceptions(found)),
        ("digest", f"sha256 {found.digest}" if found.digest else ""),
    ]
    lines = []
    for title, text in rows:
        for number, line in enumerate(wrap(text, WIDTH - TITLE, break_on_hyphens=False)):
            lines.append(f"{'' if number else title:{TITLE}}{line}")
    return lines


def _values(found: Certificate) -> str:
    if found.needed:
        return f"{found.checked:,} computed; {found.needed:,} prove it"
    return f"{found.checked:,} computed" if found.checked else "none computed: the theorem is exact"


def _exceptions(found: Certificate) -> str:
    if not found.exceptional:
        return "none"
    shown = ", ".join(map(str, found.exceptions[-12:]))
    more = found.exceptional > len(found.exceptions[-12:])
    have = "size has" if found.exceptional == 1 else "sizes have"
    return f"{found.exceptional:,} {have} another value, {'the last ones' if more else 'namely'} {shown}"
