"""What the parser makes of each rule of the grammar: one function a rule, of its children to a node.

Children are tokens and nodes in the order written, punctuation included; both have a `span`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamespec.source import NOWHERE, Span
from gamespec.syntax import problems
from gamespec.syntax.clause import Clause
from gamespec.syntax.tokens import Slip, Token, text_of
from gamespec.syntax.tree import (
    And,
    ArrayType,
    Binary,
    Bind,
    Call,
    Choose,
    Compare,
    Do,
    Expr,
    Field,
    Fold,
    If,
    Index,
    Int,
    Into,
    Let,
    Level,
    Move,
    Name,
    Named,
    Neg,
    Not,
    Or,
    Out,
    Output,
    Param,
    Part,
    Range,
    ReadItem,
    ReadMany,
    ReadOne,
    ReadRows,
    Require,
    SetComp,
    SetOf,
    SetType,
    Tail,
    Target,
    Terminal,
    Test,
    Tuple,
    Type,
    Update,
    Verdict,
    When,
    Word,
)

DIGIT_LIMIT = 100


def span_of(children: Sequence[Any]) -> Span:
    """The span from the first child to the last."""
    first: Span = children[0].span
    last: Span = children[-1].span
    return first.to(last)


def end_of(children: Sequence[Any]) -> Span:
    """The span of the last child that has one; lists count by their last element."""
    for child in reversed(children):
        if isinstance(child, tuple):
            if child:
                return end_of(child)
        elif not isinstance(child, str):
            span: Span = child.span
            return span
    raise AssertionError("a rule begins with a token")


def tokens_of(children: Sequence[Any], kind: str) -> list[Token]:
    """The children that are tokens of a kind."""
    return [child for child in children if isinstance(child, Token) and child.kind == kind]


def word_of(token: Token) -> Word:
    return Word(name=token.text, span=token.span)


# --- expressions -------------------------------------------------------------------------------------------


def number(c: list[Any]) -> Int:
    digits = c[0].text.replace("_", "")
    if len(digits) > DIGIT_LIMIT:
        raise Slip(problems.NUMBER_TOO_LONG.at(c[0].span, digits=len(digits), limit=DIGIT_LIMIT))
    return Int(value=int(digits), span=c[0].span)


def name(c: list[Any]) -> Name:
    return Name(name=c[0].text, span=c[0].span)


def neg(c: list[Any]) -> Neg:
    return Neg(operand=c[1], span=span_of(c))


def not_(c: list[Any]) -> Not:
    return Not(operand=c[1], span=span_of(c))


def binary(c: list[Any]) -> Binary:
    op = "/" if c[1].kind == "//" else c[1].kind
    return Binary(op=op, left=c[0], right=c[2], op_span=c[1].span, span=span_of(c))


def joined(c: list[Any]) -> Binary:
    """`|` and `xor` stand on one level, so beside each other they need parentheses."""
    left = c[0]
    if isinstance(left, Binary) and left.op in ("|", "xor") and left.op != c[1].kind and not in_parentheses(left):
        raise Slip(problems.MIXED_JOIN.at(left.op_span.to(c[1].span), first=left.op, second=c[1].kind))
    return binary(c)


def in_parentheses(node: Binary) -> bool:
    """Whether a node was written in parentheses, which its span then covers."""
    return node.span.start != node.left.span.start


def compare(c: list[Any]) -> Compare:
    return Compare(operands=tuple(c[::2]), ops=tuple(c[1::2]), span=span_of(c))


def compared(c: list[Any]) -> str:
    return " ".join(token.kind for token in c)


def and_(c: list[Any]) -> And:
    return And(operands=tuple(c[::2]), span=span_of(c))


def or_(c: list[Any]) -> Or:
    return Or(operands=tuple(c[::2]), span=span_of(c))


def if_(c: list[Any]) -> If:
    return If(condition=c[1], then=c[3], other=c[5], span=span_of(c))


def between(c: list[Any]) -> Range:
    return Range(lo=c[0], hi=c[2], span=span_of(c))


def paren(c: list[Any]) -> Expr:
    """The node inside, its span widened to the parentheses, so that what is printed under a message is balanced."""
    inner: Expr = c[1]
    return type(inner)(**(fields_of(inner) | {"span": span_of(c)}))


def fields_of(node: Expr) -> dict[str, Any]:
    return {field: getattr(node, field) for field in node.__struct_fields__}


def tuple_of(c: list[Any]) -> Tuple:
    return Tuple(items=tuple(c[1::2]), span=span_of(c))


def set_of(c: list[Any]) -> SetOf:
    return SetOf(items=c[1] if len(c) == 3 else (), span=span_of(c))


def set_comp(c: list[Any]) -> SetComp:
    return SetComp(item=c[1], tail=c[2], span=span_of(c))


def call(c: list[Any]) -> Call:
    return Call(name=c[0].text, args=c[2], name_span=c[0].span, span=span_of(c))


def fold(c: list[Any]) -> Fold:
    return Fold(name=c[0].text, item=c[2], tail=c[3], name_span=c[0].span, span=span_of(c))


def index(c: list[Any]) -> Index:
    return Index(base=c[0], args=c[2], span=span_of(c))


def args(c: list[Any]) -> tuple[Expr, ...]:
    return tuple(c[::2])


def bind(c: list[Any]) -> Bind:
    return Bind(name=c[0].text, within=c[2], name_span=c[0].span, span=span_of(c))


def tail(c: list[Any]) -> Tail:
    binds = tuple(child for child in c if isinstance(child, Bind))
    condition = c[-1] if isinstance(c[-2], Token) and c[-2].kind == "if" else None
    return Tail(binds=binds, condition=condition, span=span_of(c))


def only(c: list[Any]) -> Tail:
    return Tail(binds=(), condition=c[1], span=span_of(c))


# --- types -------------------------------------------------------------------------------------------------


def set_type(c: list[Any]) -> SetType:
    return SetType(of=c[2], span=span_of(c))


def array_type(c: list[Any]) -> ArrayType:
    ordered = c[0].kind == "sorted"
    return ArrayType(dims=c[3 if ordered else 2], of=c[-1], ordered=ordered, span=span_of(c))


# --- parts of clauses ----------------------------------------------------------------------------------------


def word(c: list[Any]) -> Word:
    return word_of(c[0])


def names(c: list[Any]) -> tuple[Word, ...]:
    return tuple(word_of(token) for token in c[::2])


def plain_head(c: list[Any]) -> tuple[Word, None]:
    return word_of(c[0]), None


def function_head(c: list[Any]) -> tuple[Word, tuple[str, ...]]:
    return word_of(c[0]), tuple(word.name for word in c[2])


def binds(c: list[Any]) -> tuple[Bind, ...]:
    return tuple(c[::2])


def premise(c: list[Any]) -> Choose | When:
    if c[0].kind == "choose":
        return Choose(binds=c[1], span=c[0].span.to(c[1][-1].span))
    return When(condition=c[1], span=span_of(c))


def do(c: list[Any]) -> Do:
    return Do(updates=c[1], gain=c[3] if len(c) == 4 else None, span=c[0].span.to(end_of(c)))


def into(c: list[Any]) -> Into:
    return Into(parts=c[1], span=c[0].span.to(end_of(c)))


def no_updates(c: list[Any]) -> tuple[()]:
    return ()


def no_parts(c: list[Any]) -> tuple[()]:
    return ()


def doing(c: list[Any]) -> tuple[Update, ...]:
    updated: tuple[Update, ...] = c[0]
    return updated


def pieces(c: list[Any]) -> tuple[Part, ...]:
    made: tuple[Part, ...] = c[0]
    return made


def updates(c: list[Any]) -> tuple[Update, ...]:
    return tuple(c[::2])


def update(c: list[Any]) -> Update:
    return Update(target=c[0], op=c[1].kind, value=c[2], tail=c[3] if len(c) == 4 else None, span=span_of(c))


def field(c: list[Any]) -> Target:
    return Target(names=(c[0].text,), span=c[0].span)


def slot(c: list[Any]) -> Target:
    return Target(names=(c[0].text,), indices=c[2], span=span_of(c))


def fields(c: list[Any]) -> Target:
    return Target(names=tuple(word.name for word in c[1]), span=span_of(c))


def parts(c: list[Any]) -> tuple[Part, ...]:
    return tuple(c[::2])


def part(c: list[Any]) -> Part:
    inside = [child for child in c if not isinstance(child, (Token, Tail))]
    args = [child for child in inside if not isinstance(child, Named)]
    named = [child for child in inside if isinstance(child, Named)]
    late = next((arg for arg in args if named and arg.span.start > named[0].span.start), None)
    if late is not None:
        raise Slip(problems.NAMED_FIRST.at(late.span, name=named[0].name))
    tail = c[-1] if isinstance(c[-1], Tail) else None
    return Part(args=tuple(args), named=tuple(named), tail=tail, span=span_of(c))


def parg(c: list[Any]) -> Expr:
    value: Expr = c[0]
    return value


def named(c: list[Any]) -> Named:
    return Named(name=c[0].text, value=c[2], name_span=c[0].span, span=span_of(c))


def begun(c: list[Any]) -> tuple[Update, ...]:
    made: tuple[Update, ...] = c[0]
    return made


def divided(c: list[Any]) -> Into:
    return Into(parts=c[1], span=c[0].span.to(end_of(c)))


def over(c: list[Any]) -> tuple[Terminal, ...]:
    return (Terminal(condition=c[0], span=c[0].span),)


def verdicts(c: list[Any]) -> tuple[Terminal, ...]:
    return tuple(c)


def rule(c: list[Any]) -> Terminal:
    return Terminal(condition=c[2], verdict=c[0], span=span_of(c))


def decided(c: list[Any]) -> Verdict:
    return Verdict(kind=c[1].kind, who=c[0].text, span=span_of(c))


def drawn(c: list[Any]) -> Verdict:
    if c[0].text != "draw":
        raise Slip(problems.UNKNOWN_VERDICT.at(c[0].span, word=c[0].text))
    return Verdict(kind="draw", span=c[0].span)


def convention(c: list[Any]) -> Word:
    return Word(name=f"{c[0].text} {c[1].text}", span=span_of(c))


def counted(c: list[Any]) -> str:
    kind: str = c[0].kind
    return kind


def until_eof(c: list[Any]) -> str:
    return "eof"


def until(c: list[Any]) -> Expr:
    condition: Expr = c[1]
    return condition


def each(c: list[Any]) -> Bind:
    bound: Bind = c[1]
    return bound


def items(c: list[Any]) -> tuple[ReadItem, ...]:
    return tuple(c[::2])


def form(c: list[Any]) -> tuple[str, str | None, Span]:
    return c[1].kind, text_of(c[2]).value if len(c) == 3 else None, span_of(c)


def read_one(c: list[Any]) -> ReadOne:
    kind, alphabet, end = c[1] if len(c) == 2 else (None, None, c[0].span)
    return ReadOne(name=c[0].text, form=kind, alphabet=alphabet, span=c[0].span.to(end))


def read_many(c: list[Any]) -> ReadMany:
    kind, alphabet, end = c[4] if len(c) == 5 else (None, None, c[3].span)
    return ReadMany(name=c[0].text, sizes=c[2], form=kind, alphabet=alphabet, span=c[0].span.to(end))


def read_rows(c: list[Any]) -> ReadRows:
    return ReadRows(items=c[1], count=c[4], form="line" if len(c) == 7 else None, span=span_of(c))


def level(c: list[Any]) -> Level:
    cases = c[1] if c[0].kind == "cases" else None
    read = c[-1] if isinstance(c[-2], Token) and c[-2].kind == "read" else ()
    return Level(cases=cases, items=read, span=c[0].span.to(end_of(c)))


def out(c: list[Any]) -> Out:
    return Out(word=c[0].text, text=text_of(c[1]), span=span_of(c))


def distinct(c: list[Any]) -> Out:
    return Out(word=c[0].text, text=None, span=span_of(c))


def fields_named(names: Sequence[Word], of: Type) -> tuple[Field, ...]:
    """The fields of `a, b: TYPE`. Raises Slip for a type `0-10`."""
    match of:
        case Binary(op="-", left=Int(value=lo), right=Int(value=hi) | Name(name=hi)):
            raise Slip(problems.DASH_RANGE.at(of.span, lo=lo, hi=hi))
    return tuple(Field(name=word.name, type=of, name_span=word.span, span=word.span.to(of.span)) for word in names)


def move_of(name: Word, by: Word | None, premises: Sequence[Choose | When], effect: Do | Into, span: Span) -> Move:
    """A move with its premises in the order of `Move`."""
    chosen = [premise for premise in premises if isinstance(premise, Choose)]
    tested = [premise for premise in premises if isinstance(premise, When)]
    kept: list[Choose | When] = []
    if chosen:
        kept.append(Choose(binds=tuple(b for choose in chosen for b in choose.binds), span=span_of(chosen)))
    if len(tested) > 1:
        conjuncts: list[Expr] = []
        for when in tested:
            conjuncts += when.condition.operands if isinstance(when.condition, And) else [when.condition]
        kept.append(When(condition=And(operands=tuple(conjuncts), span=span_of(conjuncts)), span=span_of(tested)))
    else:
        kept += tested
    return Move(
        name=name.name,
        by=None if by is None else by.name,
        premises=tuple(kept),
        effect=effect,
        name_span=name.span,
        by_span=NOWHERE if by is None else by.span,
        span=span,
    )


# --- clauses -------------------------------------------------------------------------------------------------


def clauses(c: list[Any]) -> list[Clause]:
    return c


def clause_of(c: list[Any], value: object) -> Clause:
    """The clause that a rule has read: its first child is the clause word."""
    return Clause(c[0].kind, value, c[0].span.to(end_of(c)), c[0].span)


def game(c: list[Any]) -> Clause:
    return clause_of(c, (word_of(c[1]), text_of(c[2]) if len(c) == 3 else None))


def source(c: list[Any]) -> Clause:
    return clause_of(c, text_of(c[1]))


rules = source


def players(c: list[Any]) -> Clause:
    return clause_of(c, c[1])


def param(c: list[Any]) -> Clause:
    return clause_of(c, Param(name=c[1].text, value=c[3], name_span=c[1].span, span=c[1].span.to(c[3].span)))


def given(c: list[Any]) -> Clause:
    return clause_of(c, fields_named(c[1], c[3]))


state = given


def require(c: list[Any]) -> Clause:
    return clause_of(c, Require(condition=c[1], span=span_of(c)))


def let(c: list[Any]) -> Clause:
    word, params = c[1]
    value = Let(name=word.name, params=params, value=c[3], name_span=word.span, span=word.span.to(c[3].span))
    return clause_of(c, value)


def sum(c: list[Any]) -> Clause:
    return clause_of(c, word_of(c[0]))


def begin(c: list[Any]) -> Clause:
    return clause_of(c, c[1])


symmetry = begin


def move(c: list[Any]) -> Clause:
    by = tokens_of(c[2:4], "<name>")
    premises = [child for child in c if isinstance(child, (Choose, When))]
    return clause_of(c, move_of(word_of(c[1]), word_of(by[0]) if by else None, premises, c[-1], span_of(c)))


def terminal(c: list[Any]) -> Clause:
    return clause_of(c, c[1])


def winner(c: list[Any]) -> Clause:
    return clause_of(c, c[1])


endless = winner


def input(c: list[Any]) -> Clause:
    levels = tuple(child for child in c if isinstance(child, Level))
    return clause_of(c, levels)


def output(c: list[Any]) -> Clause:
    order = c[-1] if isinstance(c[-2], Token) and c[-2].kind == "order" else ()
    parts = tuple(child for child in c if isinstance(child, Out))
    return clause_of(c, Output(parts=parts, order=order, span=c[0].span.to(end_of(c))))


def plan(c: list[Any]) -> Clause:
    return clause_of(c, word_of(c[1]))


def test(c: list[Any]) -> Clause:
    return clause_of(c, Test(input=text_of(c[1]), output=text_of(c[3]), span=span_of(c)))
