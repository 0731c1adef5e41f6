"""The canonical layout: comments stay, a second run changes nothing, expressions keep their meaning."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamespec.source import Source
from gamespec.syntax.expression import Writer, quoted
from gamespec.syntax.format import convert_source, format_source
from gamespec.syntax.parser import Parser
from gamespec.syntax.print_yaml import scalar, text_line
from gamespec.syntax.read import read
from gamespec.syntax.tree import (
    And,
    Binary,
    Bind,
    Call,
    Compare,
    Expr,
    Fold,
    If,
    Index,
    Int,
    Name,
    Neg,
    Not,
    Or,
    Range,
    SetComp,
    SetOf,
    Tail,
    Text,
    Tuple,
)
from gamespec.syntax.wrap import WIDTH, wrapped

HERE = Path(__file__).parent / "layout"
NONE = Source("none", "")


@pytest.mark.parametrize("name", ["comments.game", "comments.yaml", "long.game"])
def test_layout(name: str, golden: Callable[[Path, str], None]) -> None:
    """Read the golden files: they are how the layout looks."""
    spelling, other = ("text", "yaml") if name.endswith("game") else ("yaml", "text")
    source = Source(name, (HERE / name).read_text(encoding="utf-8"), spelling)
    laid_out = format_source(source)
    converted = convert_source(source, other)
    golden(HERE / f"{name}.{spelling}.golden", laid_out)
    golden(HERE / f"{name}.{other}.golden", converted)
    assert format_source(Source(name, laid_out, spelling)) == laid_out
    assert format_source(Source(name, converted, other)) == converted
    assert read(Source(name, laid_out, spelling)) == read(Source(name, converted, other)) == read(source)


@pytest.mark.parametrize(
    ("text", "laid_out"),
    [
        ("game g\n\n\n\nsum\n", "game g\n\nsum\n"),
        ("\n\n\ngame g", "game g\n"),
        ("game g sum", "game g\nsum\n"),
        ("game g\r\n# c\r\nsum\r\n", "game g\n# c\nsum\n"),
        ("game g move a do nothing move b\ndo nothing", "game g\nmove a do nothing\nmove b\n    do nothing\n"),
        ("game g param a = 0_1_0", "game g\nparam a = 0_1_0\n"),
        ("game g param a = (((1)))", "game g\nparam a = 1\n"),
    ],
)
def test_small_layouts(text: str, laid_out: str) -> None:
    assert format_source(Source("g", text)) == laid_out


# --- expressions ------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "n", "size", "line", "count", "mover"])
LEAVES = NAMES.map(lambda name: Name(name=name)) | st.integers(0, 10**12).map(lambda value: Int(value=value))
OPERATORS = st.sampled_from(["+", "-", "*", "/", "%", "**", "xor", "|", "&"])
COMPARISONS = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])


def several(items: st.SearchStrategy[Expr], least: int = 1) -> st.SearchStrategy[tuple[Expr, ...]]:
    return st.lists(items, min_size=least, max_size=3).map(tuple)


def compared(operands: tuple[Expr, ...], ops: list[str]) -> Expr:
    return Compare(operands=operands, ops=tuple(ops[: len(operands) - 1]))


def larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    binds = st.lists(st.builds(Bind, name=NAMES, within=inner), min_size=1, max_size=2).map(tuple)
    tails = st.builds(Tail, binds=binds, condition=st.none() | inner)
    return st.one_of(
        st.builds(Neg, operand=inner),
        st.builds(Not, operand=inner),
        st.builds(Binary, op=OPERATORS, left=inner, right=inner),
        st.builds(compared, several(inner, 2), st.lists(COMPARISONS, min_size=2, max_size=2)),
        st.builds(And, operands=several(inner, 2)),
        st.builds(Or, operands=several(inner, 2)),
        st.builds(If, condition=inner, then=inner, other=inner),
        st.builds(Range, lo=inner, hi=inner),
        st.builds(SetOf, items=st.lists(inner, max_size=3).map(tuple)),
        st.builds(SetComp, item=inner, tail=tails),
        st.builds(Call, name=NAMES, args=several(inner)),
        st.builds(Fold, name=NAMES, item=inner, tail=tails),
        st.builds(Index, base=inner, args=several(inner)),
        st.builds(Tuple, items=several(inner, 2)),
    )


EXPRS = st.recursive(LEAVES, larger, max_leaves=12)


@settings(max_examples=400, deadline=None)
@given(EXPRS)
def test_expressions_are_read_back(expr: Expr) -> None:
    text = Writer(NONE).expr(expr)
    assert Parser(text).parse("expr") == expr
    spec = f"game: g\nlet:\n  a: {scalar(text)}\nrequire:\n  - {scalar(text)}\n"
    tree = read(Source("g", spec, "yaml"))
    assert tree.lets[0].value == expr
    assert tree.requires[0].condition == expr


@settings(max_examples=200, deadline=None)
@given(st.lists(EXPRS, min_size=1, max_size=6))
def test_long_lines_are_broken_and_read_back(exprs: list[Expr]) -> None:
    text = ", ".join(f"a_long_name_{place} = {Writer(NONE).expr(expr)}" for place, expr in enumerate(exprs))
    spec = Source("g", f"game g\nmove m\n    do {text}\n")
    yaml = Source("g.yaml", convert_source(spec, "yaml"), "yaml")
    for source in (Source("g", format_source(spec)), yaml):
        assert read(source) == read(spec)
        assert format_source(source) == source.text
        assert text.split() == source.text.split("do", 1)[1].lstrip(":").split()
        for line in source.text.splitlines():
            assert len(line) <= WIDTH or ", " not in line.rpartition("_long_name_")[0]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a, " * 40, [98, 24]),
        ("f(" + "a, " * 40 + "a)", [100, 31]),
        ("a" * 120, [120]),
        ("b " + "a" * 120 + " or c", [122, 8]),
    ],
)
def test_lines_end_where_they_may(text: str, lines: list[int]) -> None:
    assert [len(line) for line in wrapped(text.strip(), 0, 4).splitlines()] == lines


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=30) | st.text(" \n\t#:{}'\"\\|a-", max_size=30))
def test_texts_are_read_back(value: str) -> None:
    tree = read(Source("g", f"game g {quoted(value)}"))
    assert tree.about is not None
    assert tree.about.value == value
    for text in (format_source(Source("g", f"game g rules {quoted(value)}")), f"game g rules {quoted(value)}"):
        rules = read(Source("g", text)).rules
        assert rules is not None
        assert rules.value == value
    line = text_line("about", Text(value=value), 0, 0).text
    about = read(Source("g", f"game: g\n{line}\nsource: s\n", "yaml")).about
    assert about is not None
    assert about.value == value


EVERYWHERE = """# 1
game x # 2
# 3
"a # b" # 4
source # 5
  "c # d"   # 6
state # 7
  n # 8
  : 0 .. 100 # 9
move # 10
  take # 11
  choose k in # 12
  1..min(3, # 13
  n) do n -= k # 14
terminal # 15
 mover wins when # 16
 n == 77 # 17
let f(a) = # 18
 a # 19
input cases until eof # 20
 read n # 21
output # 22
 win "w # x" # 23
 # 24
 lose "l" # 25
test "1 4" # 26
 gives "w\\nl\\n" # 27
# 28"""


def test_no_comment_is_lost() -> None:
    source = Source("x.game", EVERYWHERE)
    yaml = Source("x.yaml", convert_source(source, "yaml"), "yaml")
    for text in (format_source(source), yaml.text, format_source(yaml), convert_source(yaml, "text")):
        assert sorted(map(int, re.findall(r"# (\d+)", text))) == list(range(1, 29))
    assert format_source(yaml) == yaml.text
