"""Retrograde analysis: values of positions that may repeat, from the ends of play backwards.

The graph of `plan.retrograde.graph` is propagated by distance: positions whose value is known stand in a queue, nearest
to the end first. A move into a position that is lost for its player wins, so its source is won, at the least distance;
a source whose moves have all come back as losing (`degree` counts those that have not) is lost, at the greatest. A
position on which nothing can be forced is never put into the queue. `endless` decides those: if endless play is a draw,
they are drawn, as are the positions that end drawn. If it wins for one player, a second pass finds what the other can
force to be at least a draw, the same way; all the rest is won for the first.

With Grundy values, see `plan.retrograde.smith`.
"""

from __future__ import annotations

from gamespec.analysis.facts import Facts
from gamespec.analysis.passes import SURVEY
from gamespec.answers.ask import interacts
from gamespec.game.loopy import breaking
from gamespec.game.model import Game
from gamespec.kernel import ir
from gamespec.plan.orbit import orbits
from gamespec.plan.plan import Ask, Bid, Reason, Refusal
from gamespec.plan.retrograde.graph import MOST_EDGES, NAME, Graph
from gamespec.plan.retrograde.parents import Parents
from gamespec.plan.retrograde.scout import Scout
from gamespec.plan.retrograde.smith import Smith
from gamespec.plan.retrograde.spread import Spread
from gamespec.plan.retrograde.survey import Survey
from gamespec.plan.retrograde.wave import WORTH, Wave
from gamespec.plan.valuation import Kind, TooLong

NANOSECONDS_AN_EDGE = 30.0
NANOSECONDS_A_POSITION = 60.0

# --- the offer -----------------------------------------------------------------------------------------------


def bid(game: Game, facts: Facts, ask: Ask) -> Bid | Refusal:
    if game.endless is None and facts.finite is None:
        text = "it is not proved that play ends, and no `endless` says what a play is worth that does not"
        return Refusal(NAME, Reason(text, facts.no_order.span))
    if game.scored:
        return Refusal(NAME, Reason("scores are not added up along plays that may come back"))
    if interacts(game):
        return Refusal(NAME, Reason("the components of this sum have no values of their own"))
    try:
        graph = Graph(game, facts, ask)
    except TooLong:
        return Refusal(NAME, Reason("scores may need more than 62 bits"))
    move = breaking(game)
    if move is not None:
        text = f"`{move.name}` leaves several components, or none, which have no single value where play comes back"
        return Refusal(NAME, Reason(text, move.span))
    if graph.parents is None and graph.most >= MOST_EDGES:
        return Refusal(NAME, Reason("a position may have more moves than can be stored", game.moves[0].span))
    alike = facts.symmetry.orbit * (1 if facts.swap is None else 2)
    positions = max(1, min(facts.size.positions, 1 << 200) // alike)
    options = max(1, min(graph.most, 1 << 20))
    cost = float(positions) * (NANOSECONDS_A_POSITION + NANOSECONDS_AN_EDGE * options)
    bytes_each = position_bytes(graph, dense=False)
    reasons = [Reason(f"{_why(facts)}; from the ends of play backwards, {_what(graph)}")]
    if graph.parents is not None:
        reasons += _backwards(graph, graph.parents, bytes_each, positions)
    else:
        text = f"{bytes_each} bytes a position that play reaches, and 8 bytes an option while they are sorted"
        reasons.append(Reason(f"{text}: moves are stored, as {graph.stored}" if graph.stored else text))
    if graph.parents is None and graph.space.cells <= MOST_DENSE and SURVEY not in facts.disabled:
        text = f"where play reaches more than 1 in {DENSITY} of {facts.size.text} positions, all are numbered: "
        reasons.append(Reason(text + f"{position_bytes(graph, dense=True)} bytes a position"))
    reasons += orbits(facts.symmetry, graph.packed, facts.swap)
    if graph.parents is None:
        bytes_each += 8 * options
    return Bid(NAME, cost, positions * bytes_each, tuple(reasons), 0, positions)


def _backwards(graph: Graph, parents: Parents, bytes_each: int, positions: int) -> list[Reason]:
    """What is told of moves that are read backwards."""
    text = (
        f"no moves are stored: {parents.moves:,} moves are read backwards by {len(parents.groups)} tables, about"
        f" {parents.average:.0f} predecessors a position; {bytes_each} bytes a position that play reaches"
    )
    found = [Reason(text)]
    survey = Survey(graph)
    if survey.possible and SURVEY not in graph.facts.disabled:
        share = f"1 in {DENSITY * graph.packed.order} of {survey.cells:,} positions"
        found.append(Reason(f"where play reaches more than {share}, all of these are gone through"))
    if positions >= WORTH:
        count = ", count moves" if survey.possible else ""
        found.append(Reason(f"where they are many, several threads find positions{count} and work off what is decided"))
    return found


DENSITY = 16  # positions of the declared space for one that play must reach before all are numbered
MOST_DENSE = 1 << 30


def position_bytes(graph: Graph, dense: bool) -> int:
    """Bytes a position needs besides its edges."""
    known = (graph.degree.bits + graph.value.bits) // 8 + (8 if graph.parents is None else 4)
    if graph.grundy:
        known += 4 + 2 * graph.degree.bits // 8
    return known if dense else known + graph.key.bits // 8 + 8


def _why(facts: Facts) -> str:
    return "positions may repeat" if facts.finite is None else "play ends, and all positions it reaches are asked"


def _what(graph: Graph) -> str:
    match graph.valuation.kind:
        case Kind.GRUNDY:
            return "Grundy values with ∞ by the labels of Smith and Fraenkel"
        case Kind.DISTANCE:
            return "wins and losses by distance"
        case _:
            return "wins and losses by layers"


def lower(game: Game, facts: Facts, ask: Ask) -> tuple[ir.Function, ...]:
    graph = Graph(game, facts, ask)
    functions = [graph.reach(), graph.rehash(), graph.look()]
    dense = graph.parents is None and graph.space.cells <= MOST_DENSE
    if graph.parents is None:
        functions += [graph.tally(), graph.total(), graph.place()]
    else:
        functions += Scout(graph).kernels()
    if Survey(graph).possible:
        functions += [Survey(graph).kernel(), graph.count()]
    if dense:
        functions.append(graph.cover())
    if graph.grundy:
        functions += Smith(graph).kernels()
    else:
        for each in (False, True) if dense else (False,):
            functions += Spread(graph, each).kernels()
        if Wave(graph).possible:
            functions += Wave(graph).kernels()
    if ask.moves or graph.grundy:
        functions.append(graph.children())
    return tuple(functions)
