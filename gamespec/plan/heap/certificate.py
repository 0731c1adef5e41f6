"""Certificates of the values of heaps: what is claimed for all sizes, by which theorem, and how it is checked again.

A certificate holds the rule in normal form, so it can be checked without the spec, and without what found it: values
are computed again by the definition, each from those of all its options. Where that would take too long (their number
grows with the square), the fast way is used, and then many of them, with those next to the ends of the stretches that
the theorem compares, are computed again by the definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import Annotated

import msgspec

from gamespec.analysis.affine import MOST_MODULUS
from gamespec.analysis.cut import REMAINDERS, Cut, Family, HeapRule
from gamespec.budget import Budget
from gamespec.kernel import ir
from gamespec.kernel.memory import allocate
from gamespec.plan.heap import kernel as heap_kernel
from gamespec.plan.heap.law import FINITE, OCTAL, THEOREMS, UNEQUAL, Law, law_of, small_values
from gamespec.plan.heap.values import MOST_HEAPS, HeapValues, needed, theorem_of
from gamespec.plan.plan import Kernels

FORMAT = "gamespec period certificate 1"
LISTED = 64  # exceptional sizes that are named
SMALL = 2048  # values by which a formula is checked
MOST_PAIRS = 1 << 34  # that are looked at for values by the definition
SAMPLE = 200
MOST_CUTS = 1 << 10
SEARCHED = (FINITE, OCTAL, UNEQUAL)

Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]


class Certificate(msgspec.Struct, frozen=True):
    """For all n ≥ `preperiod`: G(n + period) = G(n) + saltus, by `theorem`, a code.

    `checked` values were computed, `needed` are what the theorem asks for (0 where it is exact). `exceptions` are the
    last sizes below `preperiod` whose value is not that of the period, `exceptional` their number. `digest` is the
    SHA-256 of the values below `preperiod + period` as 8-byte numbers, lowest byte first; "" for a formula.
    """

    format: str
    game: str
    rule: HeapRule
    normal_form: str
    theorem: str
    statement: str
    source: str
    preperiod: Count
    period: Count
    saltus: Count
    needed: Count
    checked: Count
    exceptional: Count
    exceptions: tuple[Count, ...]
    digest: str
    note: str = ""


def certificate(game: str, rule: HeapRule, law: Law) -> Certificate:
    """What there is to say about a law."""
    head = law.head
    strange = exceptional(head, law, rule.lowest) if head else []
    return Certificate(
        FORMAT,
        game,
        rule,
        str(rule),
        law.theorem.code,
        law.theorem.statement,
        law.theorem.source,
        law.preperiod * law.scale,
        law.period * law.scale,
        law.saltus,
        needed(rule, law.preperiod, law.period) if law.theorem in SEARCHED else 0,
        law.checked,
        len(strange),
        tuple(strange[-LISTED:]),
        digest(head) if head else "",
        law.note,
    )


def exceptional(head: Sequence[int], law: Law, lowest: int) -> list[int]:
    """The sizes from `lowest` on below the preperiod whose value is not that of the same place in the period, counted
    back."""
    found = []
    for n in range(lowest, law.preperiod):
        turns, rest = divmod(n - law.preperiod, law.period)
        if head[n] != head[law.preperiod + rest] + turns * law.saltus:
            found.append(n)
    return found


def digest(values: Sequence[int]) -> str:
    hashed = sha256()
    for start in range(0, len(values), 1 << 16):
        hashed.update(b"".join(value.to_bytes(8, "little") for value in values[start : start + (1 << 16)]))
    return hashed.hexdigest()


# --- checking ---------------------------------------------------------------------------------------------------


class Rejected(Exception):
    """A certificate does not hold, or does not say enough: why."""


def read(data: bytes) -> Certificate:
    """The certificate in a file. Raises Rejected."""
    try:
        found = msgspec.json.decode(data, type=Certificate)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Rejected(f"it is not a certificate as `period SPEC -o FILE` writes it: {error}") from None
    if found.format != FORMAT:
        raise Rejected(f"its format is not `{FORMAT}`")
    if found.theorem not in THEOREMS:
        raise Rejected("it names no theorem that is known here")
    if found.period < 1:
        raise Rejected("a period is at least 1")
    _sound(found.rule)
    return found


def _sound(rule: HeapRule) -> None:
    """Raises Rejected for a rule that is none: parts that are no heaps, or not smaller than the heap."""
    if rule.lowest < 0 or rule.lowest > MOST_HEAPS or len(rule.cuts) > MOST_CUTS or len(rule.over) > MOST_CUTS:
        raise Rejected("the rule is too large")
    for cut in rule.cuts:
        if not _is_sound(cut, rule.lowest):
            raise Rejected(f"no heap game has such moves: {cut}")
    if any(low < 0 or high > MOST_HEAPS for low, high in rule.over):
        raise Rejected("play ends at sizes that are out of reach")
    if rule.lowest == 0 and any(True for _ in rule.options(0)):
        raise Rejected("an empty heap has moves")


def _is_sound(cut: Cut, lowest: int) -> bool:
    taken = cut.taken
    if cut.parts not in (0, 1, 2) or not 0 <= cut.since <= MOST_HEAPS or (cut.until or 0) > MOST_HEAPS:
        return False
    if cut.parts == 0:
        return True
    numbers = taken.values if taken.values is not None else ()
    if taken.family is not None and not _is_known(taken.family):
        return False
    least_taken = taken.low
    if numbers:
        least_taken = min(numbers)
    elif taken.family is not None:
        is_zero = taken.low == 0 and taken.family.kind == REMAINDERS and taken.family.holds(0)
        least_taken = 0 if is_zero else 1
    ordered = list(numbers) == sorted(set(numbers)) and taken.low >= 0
    smaller = least_taken >= 1 or (cut.parts == 2 and cut.least >= 1 and least_taken >= 0)
    return ordered and smaller and lowest <= cut.least <= MOST_HEAPS and (taken.high or 0) <= MOST_HEAPS


def _is_known(family: Family) -> bool:
    match family.kind:
        case "powers":
            return 0 < family.base <= MOST_HEAPS
        case "remainders":
            left = family.remainders
            return 0 < family.modulus <= MOST_MODULUS and left == tuple(sorted({r % family.modulus for r in left}))
        case kind:
            return kind in ("squares", "primes")


def verify(found: Certificate, kernels: Kernels, budget: Budget) -> str:
    """Checks a certificate again; a sentence that says how. Raises Rejected, or LimitError where that is too much."""
    if found.theorem in (FINITE.code, OCTAL.code, UNEQUAL.code):
        return _verify_search(found, kernels, budget)
    law = law_of(found.rule)
    if law is None or law.theorem.code != found.theorem:
        raise Rejected(f"the theorem `{found.theorem}` says nothing about this rule: {found.rule}")
    _compare_all(found, law)
    count = min(SMALL, law.preperiod + 2 * law.period * law.scale + 64)
    values = small_values(found.rule, count)
    for n in range(found.rule.lowest, count):
        if law.value(n) != values[n]:
            raise Rejected(f"a heap of {n} has the value {values[n]}, not {law.value(n)}")
    return f"what the theorem supposes holds, and {count:,} values by the definition agree"


def _verify_search(found: Certificate, kernels: Kernels, budget: Budget) -> str:
    rule = found.rule
    if not rule.finite:
        raise Rejected("the theorem is for rules by which only finitely many numbers may be taken")
    if theorem_of(rule).code != found.theorem:
        raise Rejected(f"the theorem for this rule is `{theorem_of(rule).code}`, not `{found.theorem}`")
    if found.saltus:
        raise Rejected("these values do not grow: the saltus is 0")
    count = needed(rule, found.preperiod, found.period)
    if count > MOST_HEAPS:
        raise Rejected(f"{count:,} values would prove it, more than {MOST_HEAPS:,}")
    splits = sum(len(cut.taken.upto(count)) for cut in rule.cuts if cut.parts == 2)
    by_definition = splits * count * count // 4 <= MOST_PAIRS
    values = HeapValues(rule, kernels, budget, fast=not by_definition)
    values.law = None
    values.fill(count)
    head = _head(found, values, count)
    _compare_all(found, Law(theorem_of(rule), found.preperiod, found.period, 0, head, checked=found.checked))
    if by_definition:
        return f"{count:,} values by the definition: they prove it"
    chosen = _sample(found, count)
    _again(values, chosen)
    return f"{count:,} values in sparse space prove it; {len(chosen)} of them computed again by the definition"


def _head(found: Certificate, values: HeapValues, count: int) -> list[int]:
    """The values below the end of the first period, which comes again in all that are known."""
    start = values.kernels[heap_kernel.EXTEND](values.values, found.period, count)
    if start > found.preperiod:
        where = start - 1
        one, other = values.values[where], values.values[where + found.period]
        raise Rejected(f"G({where:,}) is {one}, G({where + found.period:,}) is {other}: the period does not hold")
    return values.values.to_list(0, found.preperiod + found.period)


def _compare_all(found: Certificate, law: Law) -> None:
    """Rejects a certificate that says anything else than one made now would."""
    again = certificate(found.game, found.rule, law)
    for name in Certificate.__struct_fields__:
        says, should = getattr(found, name), getattr(again, name)
        if name != "checked" and says != should:
            raise Rejected(f"`{name}` is {says}; it should be {should}")
    if found.checked < found.needed:
        raise Rejected(f"{found.checked:,} values were computed for it, and {found.needed:,} would prove it")


def _sample(found: Certificate, count: int) -> list[int]:
    random = Random(count)
    chosen = {random.randrange(found.rule.lowest, count) for _ in range(SAMPLE)}
    ends = (found.preperiod, found.preperiod + found.period, count - found.period, count)
    chosen |= {n for end in ends for n in (end - 1, end) if found.rule.lowest <= n < count}
    return sorted(chosen)


def _again(values: HeapValues, chosen: Sequence[int]) -> None:
    """Computes some values by the definition, from the others."""
    seen = allocate(ir.U32, heap_kernel.LIMIT + 1)
    rows = values.rows(values.known)
    for n in chosen:
        known = values.values[n]
        if values.kernels[heap_kernel.FILL](values.values, seen, *rows, n, n) or values.values[n] != known:
            raise Rejected(f"a heap of {n:,} has the value {values.values[n]}, not {known}")
        values.budget.tick("values by the definition")
