"""Values of heaps of all sizes against the definition: laws, proved periods, sparse space; and what is only alike."""

from __future__ import annotations

from functools import cache
from random import Random

import msgspec
import pytest

import gamespec
from gamespec.analysis.cut import Cut, Family, HeapRule, Taken
from gamespec.analysis.facts import analyse
from gamespec.analysis.heap import Heap
from gamespec.backends.program import compile
from gamespec.budget import Budget
from gamespec.diagnostics import LimitError
from gamespec.plan.heap import certificate, period
from gamespec.plan.heap import kernel as heap_kernel
from gamespec.plan.heap import values as heap_values
from gamespec.plan.heap.law import law_of, pure_period, small_values
from gamespec.plan.heap.values import HeapValues, fewest_rare
from gamespec.plan.plan import Ask, Bid, Kernels, Refusal

GRUNDY = HeapRule(0, (Cut(2, Taken(0, 0), 1, True),))
HUGE = 10**18


@cache
def kernels(backend: str = "llvm", checked: bool = True) -> Kernels:
    return compile(heap_kernel.functions(), backend, checked)


def octal(code: str) -> HeapRule:
    """The rule of an octal game, by the meaning of its digits."""
    first, rest = code.split(".")
    cuts = []
    for k, digit in enumerate(map(int, first + rest)):
        cuts += [Cut(0, since=k, until=k)] if digit & 1 else []
        cuts += [Cut(1, Taken(k, k), 1)] if digit & 2 else []
        cuts += [Cut(2, Taken(k, k), 1)] if digit & 4 else []
    return HeapRule(0, tuple(cuts))


def subtraction(*numbers: int) -> HeapRule:
    return HeapRule(0, (Cut(1, Taken(0, None, tuple(sorted(numbers)))),))


def found(rule: HeapRule, backend: str = "llvm") -> HeapValues:
    return HeapValues(rule, kernels(backend), Budget())


# --- certificates ---------------------------------------------------------------------------------------------

PUBLISHED = {"0.77": (12, 71), "0.07": (34, 53), "0.137": (34, 52), "0.127": (4, 46578)}


@pytest.mark.parametrize("code", PUBLISHED)
def test_published_periods(code: str) -> None:
    """Period and preperiod as in Winning Ways, and in A. Flammenkamp's tables."""
    law = HeapValues(octal(code), kernels(checked=False), Budget()).prove()
    assert law is not None
    assert (law.period, law.preperiod) == PUBLISHED[code]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "numbers"), [("0.16", (149459, 105351)), ("0.56", (144, 326640)), ("0.354", (1180, 10061916))]
)
def test_long_periods(code: str, numbers: tuple[int, int]) -> None:
    law = HeapValues(octal(code), kernels(checked=False), Budget()).prove()
    assert law is not None
    assert (law.period, law.preperiod) == numbers


def test_alike_for_long() -> None:
    """0.161 and 0.36 have the same values up to 518, and no longer: each gets a proof of its own, or none."""
    one, other = found(octal("0.161")), found(octal("0.36"))
    one.fill(1024)
    other.fill(1024)
    first, second = (values.values.to_list(0, 1024) for values in (one, other))
    # A heap of 0.161 is one larger than that of 0.36 that it is compared with, if at all.
    differ = next(n for n in range(1000) if first[n] != second[n])
    assert differ == 519
    assert first == small_values(octal("0.161"), 1024)
    assert second == small_values(octal("0.36"), 1024)


# --- against the definition -------------------------------------------------------------------------------------


def drawn(random: Random) -> HeapRule:
    """A random rule: octal, of unequal parts, a subtraction set, or some of each."""
    kind = random.choice(["octal", "octal", "unequal", "set", "mixed"])
    lowest = random.choice([0, 0, 1])
    cuts = []
    if kind != "set":
        for k in range(4):
            for parts in (1, 2):
                if random.random() < 0.35 and (k or parts == 2):
                    least = random.choice([1, 1, 0, 2]) if k else random.choice([1, 1, 2])
                    unequal = kind != "octal" and parts == 2 and random.random() < 0.7
                    ends = random.choice([0, 0, 0, 5]), random.choice([None, None, None, 9])
                    cuts.append(Cut(parts, Taken(k, k), least, unequal, *ends))
        if random.random() < 0.2:
            cuts.append(Cut(0, since=random.randint(1, 6), until=random.choice([None, 6, 9])))
    if kind in ("set", "mixed"):
        numbers = tuple(sorted(random.sample(range(1, 15), random.randint(1, 5))))
        cuts.append(Cut(1, Taken(0, None, numbers), random.choice([0, 0, 1, 3])))
    cuts = [msgspec.structs.replace(cut, least=max(cut.least, lowest)) if cut.parts else cut for cut in cuts]
    return HeapRule(lowest, tuple(cuts), random.choice([(), (), ((3, 4),)]))


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_random_rules(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are those of the definition, with a mask and without, and every period that is claimed goes on."""
    monkeypatch.setattr(heap_values, "SPARSE_FROM", 32)
    monkeypatch.setattr(heap_values, "SPARSE_SHARE", 2)
    monkeypatch.setattr(heap_values, "FIRST", 32)
    random = Random(5)
    claims = masks = 0
    for _ in range(40 if backend == "llvm" else 4):
        rule = drawn(random)
        if any(True for _ in rule.options(0)):
            continue
        top = 360
        expected = small_values(rule, top)
        values = found(rule, backend)
        values.law = None
        values.fill(300)
        assert values.values.to_list(rule.lowest, 300) == expected[rule.lowest : 300], rule
        masks += values.rare > 0
        values = found(rule, backend)
        values.upto(top if backend == "llvm" else 300)
        if values.law is not None:
            claims += 1
            told = [values.law.value(n) for n in range(rule.lowest, top)]
            assert told == expected[rule.lowest :], rule
    assert backend == "python" or (claims > 15 and masks > 3)


def test_grundys_game_in_sparse_space() -> None:
    sparse = found(GRUNDY)
    sparse.fill(3000)
    plain = HeapValues(GRUNDY, kernels(), Budget(), fast=False)
    plain.fill(3000)
    assert sparse.rare
    assert sparse.values.to_list() == plain.values.to_list()
    assert plain.values.to_list(0, 200) == small_values(GRUNDY, 200)


def test_too_many_rare_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sparse space does not help it is left, and the values are the same."""
    monkeypatch.setattr(heap_values, "SPARSE_FROM", 64)
    monkeypatch.setattr(heap_values, "SPARSE_SHARE", 1)
    for rule in (octal("0.04"), octal("0.007")):
        values = found(rule)
        values.fill(1500)
        assert values.values.to_list() == by_definition(rule, 1500)


def by_definition(rule: HeapRule, count: int) -> list[int]:
    values = HeapValues(rule, kernels(), Budget(), fast=False)
    values.fill(count)
    return values.values.to_list()


def test_the_mask() -> None:
    """The transform finds the mask with the fewest values of even parity."""
    random = Random(1)
    for _ in range(20):
        counts = [random.randint(0, 9) for _ in range(random.randint(2, 30))] + [1]
        rares = {
            mask: sum(count for value, count in enumerate(counts) if (value & mask).bit_count() % 2 == 0)
            for mask in range(1, 32)
        }
        mask, rare = fewest_rare(counts)
        assert rare == rares[mask] == min(rares.values())


# --- laws -------------------------------------------------------------------------------------------------------


def laws() -> list[HeapRule]:
    random = Random(2)
    rules = [subtraction(*range(1, k + 1)) for k in range(1, 9)]
    rules += [subtraction(*range(a, b + 1)) for a in range(1, 8) for b in range(a, 9)]
    rules += [subtraction(a, b) for a in range(1, 12) for b in range(a + 1, 16)]
    rules += [subtraction(d, 3 * d, 4 * d) for d in (2, 5)] + [subtraction(4, 6, 8), subtraction(6, 10)]
    rules += [HeapRule(0, (Cut(1, Taken(0, None, None, Family("powers", base))),)) for base in range(1, 9)]
    rules += [HeapRule(0, (Cut(1, Taken(1, 1)), Cut(1, Taken(0, None, None, Family("primes")))))]
    rules += [HeapRule(0, (Cut(1, Taken(low)),)) for low in range(1, 6)]
    rules += [HeapRule(0, (Cut(1, Taken(1)), Cut(2, Taken(0, 0), 1)))]
    for _ in range(40):
        without = tuple(sorted(random.sample(range(2, 9), random.randint(1, 4))))
        cut = Cut(1, Taken(1, None, None, None, without), random.randint(0, 3), since=random.choice([0, 0, 7]))
        more = random.choice([(), (Cut(1, Taken(0, None, (1, 3))),), (Cut(0, since=4),)])
        rules.append(HeapRule(0, (cut, *more), random.choice([(), ((2, 4),)])))
    return rules


def test_laws() -> None:
    told = 0
    for rule in laws():
        law = law_of(rule)
        if law is None:
            continue
        told += 1
        expected = small_values(rule, 120)
        assert [law.value(n) for n in range(120)] == expected, rule
        assert law.value(HUGE) == law.value(HUGE + law.period * law.scale) - law.saltus
    assert told > 150


def remainders(modulus: int, *left: int, low: int = 1, without: tuple[int, ...] = ()) -> Taken:
    return Taken(low, None, None, Family("remainders", modulus=modulus, remainders=left), without)


def test_numbers_with_some_remainders() -> None:
    """Random rules, also with numbers that are missing, others, and heaps that are over or too small."""
    random = Random(5)
    known = 0
    for _ in range(60):
        modulus = random.randint(1, 8)
        left = sorted(random.sample(range(modulus), random.randint(1, modulus)))
        low, least = random.randint(1, 6), random.choice([0, 0, 0, 1, 3])
        without = tuple(sorted(k for k in random.sample(range(low, 20), 3) if k % modulus in left))
        cuts = [Cut(1, remainders(modulus, *left, low=low, without=without), least)]
        if random.random() < 0.4:
            cuts.append(Cut(1, Taken(0, None, tuple(sorted(random.sample(range(1, 9), 2)))), least))
        if random.random() < 0.2:
            cuts.append(Cut(1, remainders(3, random.randrange(3)), least))
        if random.random() < 0.1:
            cuts.append(Cut(0, since=1))
        rule = HeapRule(least, tuple(cuts), ((4, 5),) if random.random() < 0.2 else ())
        law = law_of(rule)
        if law is not None:
            known += 1
            count = min(1200, max(300, law.preperiod + 3 * law.period))
            values = small_values(rule, count)
            assert [law.value(n) for n in range(least, count)] == values[least:], rule
    assert known > 50


def test_laws_of_remainders() -> None:
    """Odd numbers: the parity. No multiples of q: the remainder. Multiples of q: the quotient."""
    for taken, expected in (
        (remainders(2, 1), lambda n: n % 2),
        (remainders(5, 1, 2, 3, 4), lambda n: n % 5),
        (remainders(2, 0), lambda n: n // 2),
        (remainders(7, 0), lambda n: n // 7),
        (remainders(3, 1), lambda n: (n - 2) % 3 if n > 1 else n),
    ):
        law = law_of(HeapRule(0, (Cut(1, taken),)))
        assert law is not None
        assert [law.value(n) for n in range(200)] == list(map(expected, range(200)))
        assert law.value(HUGE + 1) == expected(HUGE + 1)
    game = gamespec.loads(
        "game g sum state n: 0..10**18 move go choose k in 1..n when k % 3 == 1 do n -= k "
        'input read m, [n] * m output line "{grundy}"'
    )
    assert [gamespec.solve(game, f"1\n{n}\n").strip() for n in (3, 4, 5, 6, 7, HUGE)] == ["1", "2", "0", "1", "2", "2"]


def test_squares_have_no_law() -> None:
    assert law_of(HeapRule(0, (Cut(1, Taken(0, None, None, Family("squares"))),))) is None
    assert law_of(HeapRule(0, (Cut(1, Taken(0, None, None, Family("primes"))),))) is None


def test_a_set_that_is_nearly_laskers() -> None:
    """Two heaps of at least two, or unequal ones: another game, of which nothing is claimed."""
    for split in (Cut(2, Taken(0, 0), 2), Cut(2, Taken(0, 0), 1, True)):
        assert law_of(HeapRule(0, (Cut(1, Taken(1)), split))) is None


def test_pure_period() -> None:
    assert pure_period([1, 2, 3]) == [0, 1, 2, 3]
    assert pure_period([2, 4, 7]) is None  # it has a preperiod of 8


# --- the strategy -----------------------------------------------------------------------------------------------

KAYLES = "move one choose a in 0..n - 1 into (a), (n - 1 - a) move two choose a in 0..n - 2 into (a), (n - 2 - a)"


def bid(rules: str, ask: Ask | None = None) -> Bid | Refusal:
    game = gamespec.loads(f"game g\n{rules}\n")
    return period.bid(game, analyse(game), ask or Ask(grundy=game.sum))


def test_refusals() -> None:
    """What only looks like a known form, and is still answered by another strategy."""
    for rules, reason in (
        ("state n: 0..99 move go choose k in 1..2 * (n / 3) do n -= k", "not linear"),
        ("state n: 0..99 move go choose k in squares(n) do n -= k", "no theorem gives a period"),
        (f"sum state n: 0..99 winner stuck player {KAYLES}", "normal play"),
        ("sum state n: 0..99 move go choose k in 1..n do n -= k move s choose a in 2..n - 2 into (a), (n - a)",
         "no theorem gives a period"),
        ("sum state n: 0..99 move go choose k in {2, 3} do n -= k", "rules never fail"),
    ):  # fmt: skip
        found = bid(rules)
        assert isinstance(found, Refusal)
        assert reason in found.reason.text
    told = bid(f"sum state n: 0..99 {KAYLES}")
    assert isinstance(told, Bid)
    assert "octal game 0.77" in told.reasons[0].text


def answers(text: str, given: str) -> str:
    return gamespec.solve(gamespec.loads(text), given)


def test_heaps_beyond_any_table() -> None:
    kayles = f'game k sum state n: 0..10**18 {KAYLES} input cases until eof read h, [n] * h output line "{{grundy}}"'
    assert answers(kayles, f"1 {HUGE}\n2 {HUGE - 1} 11\n1 70\n") == "1\n14\n6\n"
    powers = (
        "game p state n: 0..10**18 move take choose k in powers(2, n) do n -= k input cases until eof read n "
        'output win "{winning_count} {winning_move}" lose "lost"'
    )
    assert answers(powers, f"{HUGE}\n999999999999999999\n") == "30 1\nlost\n"
    lasker = (
        "game l sum state n: 0..10**18 move take choose k in 1..n do n -= k "
        'move split choose a in 1..n / 2 into (a), (n - a) input read h, [n] * h output line "{grundy}"'
    )
    assert answers(lasker, f"1 {HUGE - 1}") == f"{HUGE}\n"


def test_data_of_cases() -> None:
    spec = (
        "game s sum given take: set of 1..100 state n: 0..10**18 move go choose k in take when k <= n do n -= k "
        'input cases until eof read k, take[k], h, [n] * h output line "{grundy} {winning_moves}"'
    )
    text = answers(spec, f"3 1 2 3 1 {HUGE}\n2 2 7 1 {HUGE + 0}\n3 1 2 3 1 7\n")
    assert text == "0 \n1 1:7\n3 1:3\n".replace("1 1:7", text.splitlines()[1])
    law = law_of(subtraction(2, 7))
    assert law is not None
    assert text.splitlines()[1].split()[0] == str(law.value(HUGE))


def test_no_period_within_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heap of Grundy's game that no table holds is refused, and it is said how far was looked."""
    monkeypatch.setattr(heap_values, "MOST_WORK", 10**5)
    spec = (
        "game g sum state n: 0..10**18 move split choose a in 1..(n - 1) / 2 into (a), (n - a) "
        'input cases until eof read n output line "{grundy}"'
    )
    assert answers(spec, "50\n1000\n") == f"{small_values(GRUNDY, 51)[50]}\n17\n"
    with pytest.raises(LimitError, match="none was found among the first"):
        answers(spec, f"{HUGE}\n")


@pytest.mark.parametrize("taken", ["1..min(3, n)", "{2, 5} when x <= n", "powers(2, n)", "(1..n) - {2}"])
def test_misere_play_of_one_heap(taken: str) -> None:
    """Who is stuck wins: lost where the value under normal play is 1."""
    spec = f"game m state n: 0..10**18 move go choose x in {taken} do n -= x winner stuck player "
    game = gamespec.loads(spec + 'input cases until eof read n output win "{winning_moves}" lose "lost"')
    assert isinstance(period.bid(game, analyse(game), Ask(moves=True)), Bid)
    small = gamespec.loads(spec.replace("10**18", "40") + 'plan memo input cases until eof read n '
                           'output win "{winning_moves}" lose "lost"')  # fmt: skip
    sizes = " ".join(map(str, range(41)))
    assert gamespec.solve(game, sizes) == gamespec.solve(small, sizes)
    if not taken.startswith("("):  # of these moves there are too many for a list
        assert gamespec.solve(game, f"{HUGE}\n")


def test_without_the_analysis() -> None:
    game = gamespec.loads(f"game k sum state n: 0..99 {KAYLES}")
    assert isinstance(period.bid(game, analyse(game, {"heap"}), Ask(grundy=True)), Refusal)


def test_a_certificate_too_long_for_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values in sparse space, and some of them again by the definition."""
    rule = octal("0.137")
    law = found(rule).prove()
    assert law is not None
    made = certificate.certificate("g", rule, law)
    assert "by the definition: they prove it" in certificate.verify(made, kernels(), Budget())
    monkeypatch.setattr(certificate, "MOST_PAIRS", 1)
    assert "computed again" in certificate.verify(made, kernels(), Budget())
    values = found(rule)
    values.fill(500)
    values.values[400] ^= 1
    with pytest.raises(certificate.Rejected, match="a heap of 400"):
        certificate._again(values, [400])


def test_too_many_moves() -> None:
    spec = f'game k sum state n: 0..10**18 {KAYLES} input cases until eof read n output line "{{winning_move}}"'
    assert answers(spec, "5\n") == "1:one:2\n"
    with pytest.raises(LimitError, match="moves; at most"):
        answers(spec, f"{HUGE}\n")


def test_the_rule_decides_and_no_name() -> None:
    one, other = (
        bid(f"sum state {name}: 0..10**12 move x choose y in 1..3 when y <= {name} do {name} -= y")
        for name in ("n", "beads")
    )
    assert isinstance(one, Bid)
    assert isinstance(other, Bid)
    assert one.cost == other.cost
    game = gamespec.loads("game g sum state beads: 0..9 move x choose y in 1..3 when y <= beads do beads -= y")
    heap = analyse(game).heap
    assert isinstance(heap, Heap)
    assert str(heap.fixed) == "subtraction set 1..3"


@pytest.mark.parametrize(
    ("top", "taken", "condition"),
    [("10**12", "{1, 3}", "larger heaps are refused"), ("10**4", "{1, 3}", "are made"), ("10**12", "1..5", "")],
)
def test_a_cost_says_what_it_depends_on(top: str, taken: str, condition: str) -> None:
    split = "move s choose j in 1..h - 3 into (j), (h - 2 - j)" if "{" in taken else ""
    text = f"game g sum state h: 0..{top} move a choose k in {taken} when k <= h do h -= k {split}"
    game = gamespec.loads(text)
    told = period.bid(game, analyse(game), Ask(grundy=True))
    assert isinstance(told, Bid)
    assert condition in told.proviso
    assert bool(told.proviso) is bool(condition)


LETS = [
    "let top = 60 move take choose k in primes(top) when k <= n do n -= k",
    "let top = n move take choose k in primes(top) do n -= k",
    "let base = 3 let top = n / 2 move take choose k in powers(base, top) do n -= k",
    "let top = 30 let steps = primes(top) | {p * q for p in primes(top / 2) for q in primes(top / p)} "
    "move take choose k in steps when k <= n do n -= k",
]


@pytest.mark.parametrize("rule", LETS)
def test_names_inside_sets(rule: str) -> None:
    """What a `let` stands for counts, also as a limit or a base."""
    text = f'game named state n: 0..200 {rule} input cases until eof read n output line "{{grundy}}"'
    game = gamespec.loads(text)
    numbers = "\n".join(map(str, range(120)))
    assert gamespec.solve(game, numbers) == gamespec.solve(game, numbers, hint="definition")
