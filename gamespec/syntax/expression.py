"""Prints expressions, types and the parts of clauses: the same words in both spellings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from gamespec.source import Source
from gamespec.syntax.tree import (
    And,
    ArrayType,
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
    Part,
    Range,
    ReadItem,
    ReadMany,
    ReadOne,
    ReadRows,
    SetComp,
    SetOf,
    SetType,
    Tail,
    Target,
    Tuple,
    Type,
    Update,
    Verdict,
)

# How tightly each form binds; an operand that binds less than its place asks for stands in parentheses.
IF, OR, AND, NOT, COMPARE, RANGE, JOIN, TOTAL, PRODUCT, UNARY, POWER, ATOM = range(12)
OPERATORS = {"|": JOIN, "xor": JOIN, "+": TOTAL, "-": TOTAL, "**": POWER}

NUMBER = re.compile(r"[0-9](_?[0-9])*")
UNPRINTED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


class Writer:
    """Writes nodes of a source; numbers keep the underscores they were written with."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def expr(self, node: Expr, place: int = IF) -> str:
        """The expression, in parentheses if it binds less than `place`."""
        level, text = self.leveled(node)
        return text if level >= place else f"({text})"

    def leveled(self, node: Expr) -> tuple[int, str]:
        match node:
            case Int():
                return ATOM, self.number(node)
            case Name():
                return ATOM, node.name
            case Neg():
                return UNARY, f"-{self.expr(node.operand, UNARY)}"
            case Not():
                return NOT, f"not {self.expr(node.operand, NOT)}"
            case Binary():
                return self.binary(node)
            case Compare():
                parts = [self.expr(node.operands[0], RANGE)]
                for op, operand in zip(node.ops, node.operands[1:], strict=True):
                    parts += op, self.expr(operand, RANGE)
                return COMPARE, " ".join(parts)
            case And():
                return AND, " and ".join(self.expr(operand, NOT) for operand in node.operands)
            case Or():
                return OR, " or ".join(self.expr(operand, AND) for operand in node.operands)
            case If():
                condition, then, other = (self.expr(part) for part in (node.condition, node.then, node.other))
                return IF, f"if {condition} then {then} else {other}"
            case Range():
                return RANGE, f"{self.expr(node.lo, JOIN)}..{self.expr(node.hi, JOIN)}"
            case SetOf():
                return ATOM, "{" + self.exprs(node.items) + "}"
            case SetComp():
                return ATOM, "{" + self.expr(node.item) + self.tail(node.tail) + "}"
            case Call():
                return ATOM, f"{node.name}({self.exprs(node.args)})"
            case Fold():
                return ATOM, f"{node.name}({self.expr(node.item)}{self.tail(node.tail)})"
            case Index():
                return ATOM, f"{self.expr(node.base, ATOM)}[{self.exprs(node.args)}]"
            case Tuple():
                return ATOM, f"({self.exprs(node.items)})"
        assert_never(node)

    def binary(self, node: Binary) -> tuple[int, str]:
        level = OPERATORS.get(node.op, PRODUCT)
        if node.op == "**":
            return POWER, f"{self.expr(node.left, ATOM)} ** {self.expr(node.right, UNARY)}"
        left = self.expr(node.left, level)
        if level == JOIN and isinstance(node.left, Binary) and node.left.op in ("|", "xor") and node.left.op != node.op:
            left = f"({left})"
        return level, f"{left} {node.op} {self.expr(node.right, level + 1)}"

    def number(self, node: Int) -> str:
        written = self.source.slice(node.span)
        digits = written.strip("() ")
        if NUMBER.fullmatch(digits) and int(digits.replace("_", "")) == node.value:
            return digits
        return str(node.value)

    def exprs(self, nodes: Sequence[Expr]) -> str:
        return ", ".join(self.expr(node) for node in nodes)

    def tail(self, tail: Tail | None) -> str:
        if tail is None:
            return ""
        condition = "" if tail.condition is None else f" if {self.expr(tail.condition)}"
        return "".join(f" for {self.bind(bind)}" for bind in tail.binds) + condition

    def bind(self, bind: Bind) -> str:
        return f"{bind.name} in {self.expr(bind.within)}"

    def binds(self, binds: Sequence[Bind]) -> str:
        return ", ".join(self.bind(bind) for bind in binds)

    def type(self, node: Type) -> str:
        match node:
            case SetType():
                return f"set of {self.type(node.of)}"
            case ArrayType():
                kind = "sorted array" if node.ordered else "array"
                return f"{kind}[{self.exprs(node.dims)}] of {self.type(node.of)}"
            case _:
                return self.expr(node)

    def target(self, target: Target) -> str:
        if target.indices is not None:
            return f"{target.names[0]}[{self.exprs(target.indices)}]"
        return target.names[0] if len(target.names) == 1 else f"({', '.join(target.names)})"

    def updates(self, updates: Sequence[Update]) -> str:
        return (
            ", ".join(
                f"{self.target(update.target)} {update.op} {self.expr(update.value)}{self.tail(update.tail)}"
                for update in updates
            )
            or "nothing"
        )

    def parts(self, parts: Sequence[Part]) -> str:
        return ", ".join(f"({self.part(part)}){self.tail(part.tail)}" for part in parts) or "nothing"

    def part(self, part: Part) -> str:
        return ", ".join(
            [*map(self.expr, part.args), *(f"{named.name} = {self.expr(named.value)}" for named in part.named)]
        )

    def verdict(self, verdict: Verdict) -> str:
        return verdict.kind if verdict.who is None else f"{verdict.who} {verdict.kind}"

    def cases(self, cases: str | Expr | Bind) -> str:
        if isinstance(cases, str):
            return "until eof" if cases == "eof" else cases
        if isinstance(cases, Bind):
            return f"for {self.bind(cases)}"
        return f"until {self.expr(cases)}"

    def items(self, items: Sequence[ReadItem]) -> str:
        return ", ".join(self.item(item) for item in items)

    def item(self, item: ReadItem) -> str:
        form = "" if item.form is None else f" as {item.form}"
        match item:
            case ReadRows():
                return f"[{self.items(item.items)}] * {self.expr(item.count, UNARY)}{form}"
            case ReadOne() | ReadMany():
                alphabet = "" if item.alphabet is None else f" {quoted(item.alphabet)}"
                sizes = f"[{self.exprs(item.sizes)}]" if isinstance(item, ReadMany) else ""
                return f"{item.name}{sizes}{form}{alphabet}"
        assert_never(item)


def quoted(value: str) -> str:
    """A text in double quotes on one line, as both spellings read it."""
    return '"' + "".join(escaped(char) for char in value) + '"'


def escaped(char: str) -> str:
    """One character of a quoted text."""
    if char in UNPRINTED:
        return UNPRINTED[char]
    code = ord(char)
    if char.isprintable() or code > 0xFFFF:
        return char
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
