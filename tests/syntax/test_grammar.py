"""The grammar has no conflict, the shipped tables are those of the grammar, and they parse as Lark does."""

from __future__ import annotations

import marshal
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lark import Lark, UnexpectedInput
from lark import Token as LarkToken

from gamespec.source import Span
from gamespec.syntax import parser, reduce
from gamespec.syntax.build import KINDS, lark_parser, tables_of
from gamespec.syntax.parser import GRAMMAR_PATH, TABLES_PATH, Fault, Parser, read_tables, tables
from gamespec.syntax.schema import START_RULES, TABLE
from gamespec.syntax.tokens import Slip, Token

ROOT = Path(__file__).parents[2]
SPECS = [*ROOT.glob("specs/*.game"), *Path(__file__).parent.glob("twins/*.game")]
GRAMMAR = Path(GRAMMAR_PATH).read_text(encoding="utf-8")


def test_strict() -> None:
    pytest.importorskip("interegular")
    lark_parser(GRAMMAR, strict=True)


def test_tables_are_fresh() -> None:
    """If this fails, run `python -m gamespec.syntax.build`."""
    assert read_tables(TABLES_PATH) == tables_of(GRAMMAR)


def test_tables_are_made_anew_when_they_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content in (b"", b"nonsense", marshal.dumps(3), marshal.dumps({"grammar": GRAMMAR + " "})):
        stale = tmp_path / "game.bin"
        stale.write_bytes(content)
        monkeypatch.setattr(parser, "TABLES_PATH", str(stale))
        tables.cache_clear()
        assert Parser("n + 1").parse("expr") == reduce.binary(
            [Parser("n").parse("expr"), Token("+", "+", Span(0, 0)), Parser("1").parse("expr")]
        )
    tables.cache_clear()


def test_every_clause_is_in_the_schema() -> None:
    lines = GRAMMAR.split("?clause:")[1].split("\n\n")[0]
    rules = set(lines.replace("|", " ").split())
    assert {row.word if row.word != "start" else "begin" for row in TABLE} == rules


@pytest.fixture(scope="module")
def lark() -> Lark:
    """Lark with the same functions on the same grammar, its tokens made ours."""

    def ours(child: Any) -> Any:
        if not isinstance(child, LarkToken):
            return child
        kind = KINDS.get(child.type, str(child))
        return Token(kind, str(child), Span(child.start_pos or 0, child.end_pos or 0))

    def adapted(build: Any) -> Any:
        return lambda children: build([ours(child) for child in children])

    made = lark_parser(GRAMMAR)
    names = {rule.alias or str(rule.origin.name) for rule in made.rules}
    functions = {name: adapted(getattr(reduce, name)) for name in names if hasattr(reduce, name)}
    return Lark(
        GRAMMAR,
        parser="lalr",
        start=list(START_RULES),
        keep_all_tokens=True,
        maybe_placeholders=False,
        postlex=made.options.postlex,
        transformer=SimpleNamespace(**functions),
    )


def exact(value: Any) -> str:
    """The value with its spans, which take no part in equality."""
    return repr(value)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_agrees_with_lark(path: Path, lark: Lark) -> None:
    text = path.read_text(encoding="utf-8")
    assert exact(Parser(text).parse("clauses")) == exact(lark.parse(text, start="clauses"))


def test_accepts_what_lark_accepts(lark: Lark) -> None:
    """Specs with one token removed, doubled or exchanged: both parsers accept the same."""
    chance = random.Random(5)
    text = (Path(__file__).parent / "twins/every_form.game").read_text(encoding="utf-8")
    scanner = tables().scanner
    spans = [match.span(match.lastgroup or 0) for match in scanner.finditer(text)][:-1]
    accepted = 0
    for _ in range(150):
        (start, end), (other, other_end) = chance.choice(spans), chance.choice(spans)
        middle = chance.choice(["", f"{text[start:end]} {text[start:end]}", text[other:other_end]])
        changed = f"{text[:start]} {middle} {text[end:]}"
        answers = []
        for parse in (lambda t: Parser(t).parse("clauses"), lambda t: lark.parse(t, start="clauses")):
            try:
                answers.append(exact(parse(changed)))
            except Slip:
                answers.append("slip")
            except (Fault, UnexpectedInput):
                answers.append("fault")
        assert answers[0] == answers[1], changed[start - 40 : end + 40]
        accepted += answers[0] not in ("slip", "fault")
    assert accepted > 5


WORDS = sorted(tables().words - {"and", "or", "not", "in", "if", "then", "else", "for", "xor", "nothing"})


@pytest.mark.parametrize("word", WORDS)
def test_words_are_names(word: str) -> None:
    """Every word but `nothing` and those of expressions can name a field, a `let`, a move and a choice."""
    text = f"""game g state {word}, b: 0..3 let f({word}) = {word} + 1 let {word} = 1
    move {word} choose {word} in 1..{word} when {word} > 0 do {word} -= {word}, a[{word}] = {word}
    input read {word}, x[{word}] output line "{{{word}}}" """
    clauses = Parser(text).parse("clauses")
    assert [clause.word for clause in clauses] == ["game", "state", "let", "let", "move", "input", "output"]


@pytest.mark.parametrize("text", ["stateful n", "letx = 3", "inputs read n", "movetake do n = 1", "summary"])
def test_words_are_read_whole(text: str) -> None:
    with pytest.raises(Fault) as caught:
        Parser(text).parse("clauses")
    assert caught.value.token.text == text.split(maxsplit=1)[0]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a - b | b - a", "(a - b) | (b - a)"),
        ("a + b xor c * d", "(a + b) xor (c * d)"),
        ("1..a | b", "1..(a | b)"),
        ("2 ** 3 ** 2", "2 ** (3 ** 2)"),
        ("-a ** 2", "-(a ** 2)"),
        ("2 ** -a", "2 ** (-a)"),
        ("not a in b", "not (a in b)"),
        ("a or b and not c == d", "a or (b and (not (c == d)))"),
        ("a - b - c", "(a - b) - c"),
        ("a / b * c % d & e", "(((a / b) * c) % d) & e"),
        ("a // b", "a / b"),
        ("1..n - 1", "1..(n - 1)"),
        ("x in 1..3 | s", "x in (1..(3 | s))"),
    ],
)
def test_precedence(text: str, same: str) -> None:
    assert Parser(text).parse("expr") == Parser(same).parse("expr")
