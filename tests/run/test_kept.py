"""What is kept of a spec answers as what was worked out; bytes that are not an entry are none."""

from __future__ import annotations

import io
import marshal
import random
from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

import gamespec
from gamespec.analysis import facts as facts_of
from gamespec.analysis.facts import analyse
from gamespec.answers.table import needed
from gamespec.backends.llvm import compile_llvm
from gamespec.budget import Budget
from gamespec.game.model import Game, Verdict
from gamespec.interval import Interval
from gamespec.kernel.ir import Function
from gamespec.plan import demand
from gamespec.plan.choose import choose
from gamespec.plan.plan import Kernels
from gamespec.run import kept
from gamespec.run.freeze import Unkept, frozen, thawed
from gamespec.run.kept import Program, key_of
from gamespec.run.solve import solve
from gamespec.run.store import Store
from gamespec.source import MappedSpan, Source, Span
from tests.tool import GALLERY

KEY = bytes(32)
HEAPS = """game heaps
state n: 0..50
move take choose k in 1..min(3, n) do n -= k
input cases until eof read n
output win "take {winning_move}" lose "lost"
"""


def quick(functions: Sequence[Function]) -> Kernels:
    return compile_llvm(functions, opt=0)


def never(*_: object) -> NoReturn:
    raise AssertionError("this was to be kept")


def made(game: Game) -> Program:
    facts = analyse(game)
    return Program.made(game, facts, choose(game, facts, needed(game)), quick)


def answers(program: Program, text: str) -> str:
    out = io.BytesIO()
    budget = Budget()
    solve(program.game, program.solver(budget), io.BytesIO(text.encode()), out, budget)
    return out.getvalue().decode()


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_kept_programs_answer_alike(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without lowering or compiling anything, and without analysing the games that are tables or searches."""
    game = gamespec.load(str(path))
    program = made(game)
    test = game.tests[0]
    cold = answers(program, test.input)
    store = Store(str(tmp_path / "kept"))
    assert program.keep(store, KEY)
    assert not program.keep(store, KEY)
    body = store.get(KEY)
    assert body is not None
    if program.plan.strategy in ("table", "memo", "probe", "retrograde"):
        monkeypatch.setattr(facts_of, "analyse", never)
    warm = Program.kept(body, game.source, never)
    assert warm.game == game
    assert answers(warm, test.input) == cold
    assert not warm.is_new
    assert cold.split() == test.output.split()


def test_what_an_entry_lacks_is_made_and_kept(tmp_path: Path) -> None:
    source = Source("heaps.game", HEAPS)
    program = made(gamespec.loads(HEAPS))
    store = Store(str(tmp_path))
    assert answers(program, "4\n8\n") == "lost\nlost\n"  # no kernel that lists moves
    program.keep(store, KEY)
    compiled: list[str] = []

    def noted(functions: Sequence[Function]) -> Kernels:
        compiled.extend(function.name for function in functions)
        return quick(functions)

    for expected in (["table.options"], []):
        body = store.get(KEY)
        assert body is not None
        compiled.clear()
        warm = Program.kept(body, source, noted)
        assert answers(warm, "5\n4\n") == "take 1\nlost\n"
        assert compiled == expected
        warm.keep(store, KEY)


def test_what_was_compiled_once_more_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("heaps.game", HEAPS)
    program = made(gamespec.loads(HEAPS))
    store = Store(str(tmp_path))
    answers(program, "4\n")
    program.keep(store, KEY)
    compiled: list[bool] = []

    def noted(functions: Sequence[Function]) -> Kernels:
        compiled.extend(function.hot for function in functions)
        return quick(functions)

    monkeypatch.setattr(demand, "WORTH_MORE", 0)
    for expected in ([True], []):
        body = store.get(KEY)
        assert body is not None
        warm = Program.kept(body, source, noted)
        assert answers(warm, "4\n8\n") == "lost\nlost\n"
        assert warm.keep(store, KEY) == (expected != [])
        assert compiled == expected
        compiled.clear()


def test_faults_name_the_same_place(tmp_path: Path) -> None:
    text = HEAPS.replace("do n -= k", "do n -= 60 / (n - 7) * 0 + k")
    game = gamespec.loads(text)
    program = made(game)
    with pytest.raises(gamespec.SpecError) as cold:
        answers(program, "9\n")
    store = Store(str(tmp_path))
    program.keep(store, KEY)
    body = store.get(KEY)
    assert body is not None
    with pytest.raises(gamespec.SpecError) as warm:
        answers(Program.kept(body, game.source, quick), "9\n")
    assert warm.value.diagnostics == cold.value.diagnostics
    assert [found.span and (found.span.start, found.span.end) for found in warm.value.diagnostics] == [
        found.span and (found.span.start, found.span.end) for found in cold.value.diagnostics
    ]


def test_damaged_bodies_are_no_programs() -> None:
    """Whatever the checksum lets pass is refused, or makes a program; nothing else is raised."""
    game = gamespec.loads(HEAPS)
    program = made(game)
    answers(program, "4\n")
    source = game.source
    entry = {**program._taken_apart(source), "facts": program._facts.frozen(), "codes": program._codes}
    whole = marshal.dumps(entry)
    for cut in range(0, len(whole), 59):
        with pytest.raises(Unkept):
            Program.kept(whole[:cut], source, quick)
    wrong: list[Any] = [7, [], {}, {"game": 1}, {**entry, "game": b""}, {**entry, "game": entry["plan"]}]
    wrong += [{**entry, "plan": frozen((1, 2))}, {name: entry[name] for name in entry if name != "codes"}]
    for each in wrong:
        with pytest.raises(Unkept):
            Program.kept(marshal.dumps(each), source, quick)


def test_keys_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("a.game", HEAPS)
    keys = [
        key_of(source, {}, (1, None)),
        key_of(Source("a.game", HEAPS + "\n"), {}, (1, None)),
        key_of(Source("a.game", HEAPS, "yaml"), {}, (1, None)),
        key_of(source, {"top": "4"}, (1, None)),
        key_of(source, {}, (2, None)),
        key_of(source, {}, (1, "memo")),
    ]
    assert key_of(Source("other.game", HEAPS), {}, (1, None)) == keys[0]  # the name of a file means nothing
    another = Source("".join(["a", ".game"]), "".join(list(HEAPS)), "".join(["te", "xt"]))
    assert key_of(another, {}, (1, None)) == keys[0]  # nor does which objects the values are
    for name, foreign in (("_processor", [b"another"]), ("_package", [("gamespec/x.py", 1, 1)])):
        with monkeypatch.context() as patch:
            patch.setattr(kept, name, lambda foreign=foreign: foreign)
            keys.append(key_of(source, {}, (1, None)))
    assert None not in keys
    assert len(set(keys)) == len(keys)

    def unknown() -> None:
        raise FileNotFoundError

    monkeypatch.setattr(kept, "_processor", unknown)
    assert key_of(source, {}, ()) is None


# --- values and bytes ------------------------------------------------------------------------------------------


def test_values_come_back() -> None:
    span = MappedSpan(3, 9, ((1, 2), (4, 7)))
    shared = Interval(0, 3)
    values: list[Any] = [
        None, True, 1, 1.0, -0.0, 0.0, False, 0, "a", b"a", (), [], {}, frozenset(), 10**60,
        (1, True, (1.0, [2, {"a": frozenset({3, True})}])), range(3, 9, 2), Verdict.DRAW, span,
        (shared, shared, {shared: [shared]}),
    ]  # fmt: skip
    for value in values:
        back = thawed(frozen(value))
        assert repr(back) == repr(value)
        assert type(back) is type(value)
    back = thawed(frozen((shared, shared)))
    assert back[0] is back[1]
    assert thawed(frozen([shared, span], (shared,)), ("instead",)) == ["instead", Span(0, 0)]


class Foreign(msgspec.Struct):
    """A node that is not of the package."""

    x: int


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize("value", [object(), Foreign(1), Colour.RED, {1}, bytearray(), [lambda: 1], type, print])
def test_foreign_values_are_not_kept(value: object) -> None:
    with pytest.raises(Unkept):
        frozen(value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        marshal.dumps(7),
        marshal.dumps(((), [])),
        marshal.dumps((("os:system",), [(-8, "true"), (0, 0)])),
        marshal.dumps((("subprocess:Popen",), [(-8, "true"), (0, 0)])),
        marshal.dumps((("gamespec.run.store:digest",), [(-8, b"x"), (0, 0)])),
        marshal.dumps((("gamespec.run.store:os.system",), [(-8, "true"), (0, 0)])),
        marshal.dumps((("gamespec.run.kept:Program",), [(0,)])),
        marshal.dumps((("gamespec.interval:Interval",), [(-8, 1), (0, 0)])),
        marshal.dumps((("gamespec.interval:Interval",), [(-8, 1), (0, 0, 7)])),
        marshal.dumps(((), [(-99, 1)])),
        marshal.dumps(((), [(-1, 4)])),
    ],
)
def test_bytes_that_are_no_value(data: bytes) -> None:
    with pytest.raises(Unkept):
        thawed(data)


def test_random_damage_makes_a_value_or_none() -> None:
    data = frozen(gamespec.loads(HEAPS).moves)
    choose_at = random.Random(5)
    for _ in range(600):
        damaged = bytearray(data)
        damaged[choose_at.randrange(len(data))] ^= 1 << choose_at.randrange(8)
        with suppress(Unkept):
            thawed(bytes(damaged))
