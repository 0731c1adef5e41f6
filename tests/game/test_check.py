"""The checker: what a tree becomes."""

from __future__ import annotations

import pytest

from gamespec.diagnostics import SpecError, UsageError
from gamespec.game import model
from gamespec.game.check import check, check_all
from gamespec.interval import Interval
from gamespec.source import Source
from gamespec.syntax.read import read
from gamespec.types import ArrayType, BoolType, IntType, ListType, NamesType, SetType, Type

TAKE = "move take choose k in 1..3 when k <= n do n -= k "


def game_of(text: str, **defines: str) -> model.Game:
    source = Source("x.game", "game x " + text)
    return check(read(source), source, defines)


def codes(text: str) -> list[str]:
    """The codes of all that is found in a spec."""
    source = Source("x.game", "game x " + text)
    try:
        return [found.code for found in check_all(read(source), source)[1]]
    except SpecError as error:
        return [found.code for found in error.diagnostics]


def type_of(expression: str, *clauses: str) -> Type:
    """The type of an expression over `n: 0..100`, `m: -5..5`, `s: set of 2..9`, `c: {red, green}`, `a`, `flag`."""
    fields = (
        "state n: 0..100 state m: -5..5 state s: set of 2..9 state c: {red, green} state flag: bool "
        "state a: array[1..4] of 0..9 given size: 1..50 "
    )
    return game_of(f"{fields} {' '.join(clauses)} let it = {expression} move go do n -= 1").lets["it"].type


def bounds(expression: str, *clauses: str) -> tuple[int, int]:
    of = type_of(expression, *clauses)
    if isinstance(of, SetType | ListType):
        of = of.of
    assert isinstance(of, IntType)
    return of.bounds.lo, of.bounds.hi


@pytest.mark.parametrize(
    ("expression", "lo", "hi"),
    [
        ("n + m", -5, 105),
        ("n - m", -5, 105),
        ("m * m", -25, 25),
        ("-n", -100, 0),
        ("n / 7", 0, 14),
        ("n // m", -100, 100),
        ("m / 2", -3, 2),
        ("n % 7", 0, 6),
        ("m % 3", 0, 2),
        ("n % -3", -2, 0),
        ("n xor 8", 0, 127),
        ("2 ** (n / 10)", 1, 1024),
        ("m ** 2", 0, 25),
        ("m ** 3", -125, 125),
        ("0 ** n", 0, 1),
        ("if flag then n else m", -5, 100),
        ("min(n, 7)", 0, 7),
        ("max(m, 2)", 2, 5),
        ("min(s)", 2, 9),
        ("a[n]", 0, 9),
        ("max(a)", 0, 9),
        ("digits(n) - {0}", 0, 9),
        ("s & (5..20)", 5, 9),
        ("s | {1}", 1, 9),
        ("s - {2}", 2, 9),
        ("s xor {1, 20}", 1, 20),
        ("{}", 0, -1),
        ("{n + x for x in s if x > 3}", 2, 109),
        ("1..min(n, size)", 1, 50),
        ("5..m", 5, 5),
        ("6..m", 0, -1),
        ("sum(x for x in s)", 0, 72),
        ("sum(m for x in s)", -40, 40),
        ("sum(x * y for x in s for y in 1..3)", 0, 8 * 3 * 27),
        ("sum(digits(n))", 0, 27),
        ("sum(d for d in digits(n))", 0, 27),
        ("sum(x for x in a)", 0, 36),
        ("sum(x for x in {})", 0, 0),
        ("count(x > 3 for x in s)", 0, 8),
        ("max(x - 1 for x in s)", 1, 8),
        ("gcd(x for x in s)", 0, 9),
        ("gcd(m for x in s)", 0, 5),
        ("3 ** 2 ** 2", 81, 81),
        ("2 ** 126", 2**126, 2**126),
    ],
)
def test_bounds(expression: str, lo: int, hi: int) -> None:
    assert bounds(expression) == (lo, hi)


@pytest.mark.parametrize(
    ("expression", "of"),
    [
        ("n > 2 and not flag", BoolType()),
        ("c == red", BoolType()),
        ("red", NamesType(("red", "green"))),
        ("{c, red}", SetType(NamesType(("red", "green")))),
        ("{c} | {}", SetType(NamesType(("red", "green")))),
        ("{} == {c}", BoolType()),
        ("s <= 1..9", BoolType()),
        ("s < 1..9", BoolType()),
        ("digits(n)", ListType(IntType(Interval(0, 9)))),
        ("a", ArrayType((Interval(1, 4),), IntType(Interval(0, 9)))),
        ("any(x == 3 for x in digits(n))", BoolType()),
        ("all(flag for x in s)", BoolType()),
        ("n in digits(n)", BoolType()),
    ],
)
def test_types(expression: str, of: Type) -> None:
    assert type_of(expression) == of


def test_bounds_hold_for_every_operand() -> None:
    """Intervals of operators against all values of small operands."""
    from gamespec.game.bound import arithmetic

    spans = [Interval(lo, hi) for lo in range(-3, 4) for hi in range(lo, 5)]
    operators = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a // b if b else None,
        "%": lambda a, b: a % b if b else None,
        "xor": lambda a, b: a ^ b,
        "**": lambda a, b: a**b if b >= 0 else None,
    }
    for op, of in operators.items():
        for left in spans:
            for right in spans:
                found = arithmetic(op, left, right)
                values = {of(a, b) for a in range(left.lo, left.hi + 1) for b in range(right.lo, right.hi + 1)}
                values.discard(None)
                assert all(value in found for value in values), (op, left, right)
                assert values or found.empty
                if op == "**":
                    assert (found.empty and not values) or (found.lo, found.hi) == (min(values), max(values))


def test_params_are_folded() -> None:
    text = "param top = 2 * low param low = if 3 > 2 then 4 else 5 state n: low..top " + TAKE
    game = game_of(text)
    assert game.params == {"top": 8, "low": 4}
    assert game.states[0].type == IntType(Interval(4, 8))
    assert isinstance(game.states[0].hi, model.Const)
    assert game_of(text, low="1").params == {"top": 2, "low": 1}
    assert game_of(text, top="low * 3").params == {"top": 12, "low": 4}


@pytest.mark.parametrize("value", ["n", "3 +", "{1}", "true", "1 / 0", "10**10**10", "9" * 60, "top", "powers(2, 3)"])
def test_a_bad_define_is_a_usage_error(value: str) -> None:
    with pytest.raises((UsageError, SpecError)) as caught:
        game_of("param top = 8 state n: 0..top " + TAKE, top=value)
    assert (caught.type is UsageError) == (value != "top")


def test_an_unknown_define_is_a_usage_error() -> None:
    with pytest.raises(UsageError) as caught:
        game_of("param top = 8 state n: 0..top " + TAKE, topp="3")
    assert caught.value.diagnostics[0].helps[0].message == "did you mean `top`?"


def test_fields() -> None:
    game = game_of(
        "given size: 1..50 state n: 0..size state s: set of n..9 state a: array[0..size - 1] of {red, green} "
        "state b: bool given v: array[1..10**6] of -1000..1000 given t: set of 1..10**6 move go do n -= 1"
    )
    size, v, t = game.givens
    n, s, a, b = game.states
    assert n.type == IntType(Interval(0, 50))
    assert isinstance(n.hi, model.GivenRef)
    assert s.type == SetType(IntType(Interval(0, 9)))
    assert isinstance(s.lo, model.StateRef)
    assert a.type == ArrayType((Interval(0, 49),), NamesType(("red", "green")))
    assert a.lo is None
    assert len(a.dims) == 1
    assert b.type == BoolType()
    assert v.type == ArrayType((Interval(1, 10**6),), IntType(Interval(-1000, 1000)))
    assert t.type == SetType(IntType(Interval(1, 10**6)))
    assert not size.component


def test_a_let_in_bounds_is_written_out() -> None:
    game = game_of("given size: 1..9 state n: 0..b let a = size + 1 let b = a * 2 " + TAKE)
    hi = game.states[0].hi
    assert isinstance(hi, model.Binary)
    assert isinstance(hi.left, model.Binary)
    assert game.states[0].type == IntType(Interval(0, 20))


def test_lets_are_kept_in_order() -> None:
    game = game_of("state n: 0..9 let a = b + 1 let b = n " + TAKE + "terminal a == 3")
    assert list(game.lets) == ["b", "a"]
    assert game.lets["a"] == model.Binary(
        type=IntType(Interval(1, 10)),
        op="+",
        left=model.LetRef(type=IntType(Interval(0, 9)), name="b"),
        right=model.Const(type=IntType(Interval(1, 1)), value=1),
    )


def test_functions_are_expanded() -> None:
    game = game_of("state n: 0..9 let twice(x) = x + x let up(y) = twice(y + 1) " + TAKE + "terminal up(n) == 4")
    condition = game.terminals[0].condition
    assert isinstance(condition, model.Compare)
    assert condition.left.type == IntType(Interval(2, 20))
    assert game.lets == {}


def test_arguments_are_not_captured() -> None:
    game = game_of(
        "state n: 0..9 state s: set of 0..9 let f(y) = sum(x for x in s if x < y) "
        "move go choose x in s when f(x) == 0 do n = x"
    )
    (guard,) = game.moves[0].guards[1]
    assert isinstance(guard, model.Compare)
    fold = guard.left
    assert isinstance(fold, model.Fold)
    (inner,) = fold.tail.binds
    assert inner.name != "x"
    assert isinstance(fold.item, model.LocalRef)
    assert fold.item.name == inner.name
    assert isinstance(fold.tail.condition, model.Compare)
    assert isinstance(fold.tail.condition.right, model.LocalRef)
    assert fold.tail.condition.right.name == "x"


def test_a_declared_name_hides_a_builtin() -> None:
    game = game_of("given size: 0..9 state n: 0..size let max(x, y) = x + y " + TAKE + "terminal max(n, 2) == 3")
    condition = game.terminals[0].condition
    assert isinstance(condition, model.Compare)
    assert isinstance(condition.left, model.Binary)


def guards(text: str) -> list[int]:
    return [len(conjuncts) for conjuncts in game_of(text).moves[0].guards]


def test_guards_are_placed_early() -> None:
    fields = "state n: 0..9 state v: array[0..9] of 0..9 let free(i) = n > 0 and v[i] == 0 "
    move = "move go choose a in 1..n, b in a..n when a > 1 and n > 2 and b > a when v[b] == 0 do n -= a"
    assert guards(fields + move) == [1, 1, 2]
    assert guards(fields + "move go when n > 0 and n < 5 do n -= 1") == [2]
    assert guards(fields + "move go when n > 0 or n == 5 do n -= 1") == [1]
    assert guards(fields + "move go when free(a) choose a in 1..n do n -= 1") == [1, 1]
    assert guards(fields + "move go when 1 < n < 5 and (n > 2 and n < 4) choose a in 1..n do n -= 1") == [4, 0]


def test_order_of_guards_is_that_of_the_text() -> None:
    first, second = (
        game_of(f"state n: 0..9 move go {premises} do n -= a").moves[0]
        for premises in ("choose a in 1..n when a > 2 and a < 5", "when a > 2 and a < 5 choose a in 1..n")
    )
    assert first == second
    assert [guard.op for guard in first.guards[1] if isinstance(guard, model.Compare)] == [">", "<"]


def test_updates() -> None:
    game = game_of(
        "state n, m: 0..9 state a: array[1..3] of 0..9 "
        "move swap do (n, m) = (m, n), a[n] += 1, a[i] -= 1 for i in 1..3 if i != n "
        "move clear do a = 0"
    )
    swap, clear = game.moves
    assert isinstance(swap.effect, model.Do)
    assert [(update.field, update.op) for update in swap.effect.updates] == [
        ("n", "="),
        ("m", "="),
        ("a", "+="),
        ("a", "-="),
    ]
    assert isinstance(clear.effect, model.Do)
    (fill,) = clear.effect.updates
    assert fill.tail is not None
    assert isinstance(fill.tail.binds[0].within, model.Range)


def test_an_array_can_be_gone_through() -> None:
    game = game_of("state a: array[1..3] of 0..9 let best = max(x + 1 for x in a if x > 2) move go do a[1] -= 1")
    fold = game.lets["best"]
    assert isinstance(fold, model.Fold)
    assert isinstance(fold.tail.binds[0].within, model.Range)
    assert fold.type == IntType(Interval(1, 10))


def test_verdicts() -> None:
    game = game_of("state n: 0..9 " + TAKE + "terminal n == 1 terminal mover wins when n == 0 mover loses when stuck")
    assert [terminal.verdict for terminal in game.terminals] == [
        None,
        model.Verdict.MOVER_WINS,
        model.Verdict.MOVER_LOSES,
    ]
    assert isinstance(game.terminals[2].condition, model.Stuck)
    assert not game.misere
    assert game_of("state n: 0..9 " + TAKE + "winner stuck player").misere


def test_components() -> None:
    game = game_of(
        "sum given top: 1..9 given size: 0..50 given take: set of 1..9 state stones: 0..size "
        "move add choose k in take when stones + k <= size do stones += k "
        "input cases until n == 0 read n, top, [size, k, take[k], stones] * n"
    )
    assert [given.component for given in game.givens] == [False, True, True]
    assert game.input is not None
    assert game.input.extras == ("n", "k")
    rows = game.input.levels[0].items[2]
    assert isinstance(rows, model.ReadRows)
    assert [type(item) for item in rows.items] == [model.ReadOne, model.ReadOne, model.ReadMany, model.ReadOne]


def test_until_sees_raw_numbers() -> None:
    game = game_of("state n: 1..9 " + TAKE + "input cases until n == 0 read n")
    assert game.input is not None
    assert isinstance(game.input.levels[0].until, model.Compare)
    left = game.input.levels[0].until.left
    assert isinstance(left, model.StateRef)
    assert isinstance(left.type, IntType)
    assert 0 in left.type.bounds


def test_columns_of_an_array() -> None:
    game = game_of("given v: array[1..9] of 0..9 state n: 0..9 " + TAKE + "input read n, k, [v] * k")
    assert game.input is not None
    assert isinstance(game.input.levels[0].items[2], model.ReadRows)
    assert not game.givens[0].component


def test_start() -> None:
    game = game_of("given m: 1..20 state left: set of 1..20 start left = 1..m move go do left = {} input read m")
    (start,) = game.start
    assert start.field == "left"
    assert isinstance(start.value, model.Range)


def test_output() -> None:
    game = game_of(
        "state n: 0..9 "
        + TAKE
        + 'input read n, k output line "{case:03d}: {{n + k}} {n + k:>5}" '
        + 'win "{winning_moves}" lose "" win "W" lose "B"'
    )
    line, first, second = game.output.entries
    assert isinstance(line, model.Line)
    assert line.text[0] == model.Hole("case", None, None, "", True, 3)
    assert line.text[1] == ": {n + k} "
    hole = line.text[2]
    assert isinstance(hole, model.Hole)
    assert hole.answer is None
    assert (hole.align, hole.zero, hole.width) == (">", False, 5)
    assert isinstance(first, model.Choice)
    assert first.texts["lose"] == ()
    assert isinstance(second, model.Choice)
    assert second.texts["win"] == ("W",)


def test_no_output_says_win_or_lose() -> None:
    assert game_of("state n: 0..9 " + TAKE).output == model.Output(
        (model.Choice({"win": ("win",), "lose": ("lose",), "draw": ("draw",)}),)
    )
    assert game_of("state n: 0..9 " + TAKE).input is None


def test_a_field_called_like_an_answer_hides_it() -> None:
    game = game_of('state case: 0..9 move go do case -= 1 input read case output line "{case}"')
    (line,) = game.output.entries
    assert isinstance(line, model.Line)
    hole = line.text[0]
    assert isinstance(hole, model.Hole)
    assert isinstance(hole.expr, model.StateRef)


def test_several_faults_in_one_run() -> None:
    found = codes(
        "state n: 0..9 move take choose k in 1..m when k + flag do n = {1}, n = red terminal nn == 2 "
        'let a = b let b = a let c = a + 1 require n input read n, n output win "{m}"'
    )
    assert sorted(set(found)) == ["GS101", "GS106", "GS113", "GS146", "GS191"]


def test_what_depends_on_a_fault_is_not_reported() -> None:
    assert codes("state n: 0..top let a = n + 1 let b = a + 1 move take when b > 0 do n -= 1 input read n") == ["GS101"]


def test_order_of_clauses_means_nothing() -> None:
    clauses = ["param top = 9", "state n: 0..top", TAKE, "let half = n / 2", "terminal half == 4", "input read n"]
    one, other = game_of(" ".join(clauses)), game_of(" ".join(reversed(clauses)))
    assert one.states == other.states
    assert one.moves == other.moves
    assert one.terminals == other.terminals
    assert one.lets == other.lets


def test_warnings_do_not_stop() -> None:
    source = Source("y.game", "game x state n: 0..9 " + TAKE)
    game, found = check_all(read(source), source)
    assert game is not None
    assert [(warning.code, warning.severity) for warning in found] == [("GS196", "warning")]
