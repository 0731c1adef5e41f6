"""How many sums a search through multisets of components may meet, before anything is known of the components asked."""

from __future__ import annotations

from math import comb, isqrt

from gamespec.analysis.facts import Facts
from gamespec.budget import size_text, time_text
from gamespec.game.model import Game
from gamespec.plan.plan import Reason
from gamespec.plan.valuation import plies, splits

NANOSECONDS_A_SUM = 1500.0
BYTES_A_SUM = 64  # of a table that is half full

MOST = 1 << 200
STEPS = 1 << 20  # of a count; beyond, it is estimated
CASES = (1, 2, 5)


def sums(game: Game, facts: Facts, components: int) -> int:
    """About how many sums are met from one of so many components at the declared limits; at most `MOST`.

    Where a move leaves no more than one component, these are all multisets of so many positions. Otherwise the sums
    are counted as partitions: a position of a component weighs as much as moves lead from it, each weight has equally
    many positions, and no sum weighs more than it did in the beginning.
    """
    kinds = min(facts.size.positions, MOST)
    sides = 2 if game.partisan else 1
    kinds = max(1, kinds // sides)
    if not splits(game):
        return min(MOST, sides * comb(kinds + components - 1, components))
    heaviest = plies(facts)
    colours = max(1, -(-(kinds - 1) // heaviest))
    return min(MOST, sides * partitions(components * heaviest, heaviest, colours))


def partitions(most: int, largest: int, colours: int) -> int:
    """How many multisets of numbers 1..`largest`, each in so many colours, have a sum of at most `most`.

    Beyond `STEPS` this is exp(π √(2/3 · colours · most)), above the true number (Hardy and Ramanujan).
    """
    if most * min(largest, most) * colours > STEPS:
        exponent = isqrt(max(1, 1000 * 2 * colours * most // 3)) * 3142 // 31623
        return min(MOST, 3**exponent) if exponent < 200 else MOST
    counts = [1] + [0] * most
    for part in range(1, min(largest, most) + 1):
        for _ in range(colours):
            for total in range(part, most + 1):
                counts[total] += counts[total - part]
    return min(MOST, sum(counts))


def amounts(game: Game, facts: Facts) -> Reason:
    """What `explain` says of cases of some components."""
    texts = []
    for components in CASES:
        count = sums(game, facts, components)
        number = f"{count:,}" if count < 10**12 else f"10^{len(str(count)) - 1}" if count < MOST else "10^60 or more"
        need = f"{time_text(count * NANOSECONDS_A_SUM)}, {size_text(count * BYTES_A_SUM)}"
        texts.append(f"{components} component{'s' * (components > 1)}: {number} ({need})")
    return Reason(f"sums that a search may meet, from the largest of {'; of '.join(texts)}")
