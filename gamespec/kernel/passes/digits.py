"""Carries digit sets along numbers that count up.

Before:

    for n: i64 in lo..hi
      ds: u32 = digit_set(n, 10):u32

After:

    n.tens: u64 = 0
    n.front: u32 = 0
    for n: i64 in lo..hi
      if u64(n) - n.tens >= 10
        n.rest: i64 = n // 10
        n.front = digit_set(n.rest, 10):u32 if n.rest > 0 else 0
        n.tens = u64(n) - u64(n % 10)
      n.digits: u32 = n.front | (1 << (u32(u64(n) - n.tens) & 31))
      ds: u32 = n.digits

`n.front` holds the digits in front of the last one for the ten numbers from `n.tens` on (at first for 0..9: none),
so that a digit loop runs for one number in ten (algorithm A5: the digits of n are those of n // 10 and n % 10).
The result is right however `n` moves; that `n` counts up only makes it pay. For this, `n` has to be signed: the ten
numbers around the highest word would go on at 0. The same is done once more for `n.rest`, which counts up when
`n.tens` moves on.
"""

from __future__ import annotations

import msgspec

from gamespec.kernel import ir
from gamespec.kernel.rewrite import FreshNames, map_block
from gamespec.kernel.walk import blocks, expressions, statements, values

LEVELS = 2  # the last digits that are carried: a digit loop runs once in base ** LEVELS numbers


def carry_digits(function: ir.Function) -> ir.Function:
    """The kernel with digit sets carried wherever a loop steps their number by 1; itself if there is none."""
    roots = (root for statement in statements(function.body) for root in values(statement))
    if not any(isinstance(expr, ir.DigitSet) for expr in expressions(*roots)):
        return function
    carrier = _Carrier(FreshNames(function))
    body = map_block(function.body, lambda expr: expr, carrier.block)
    if not carrier.changed:
        return function
    return msgspec.structs.replace(function, body=body)


class _Carrier:
    def __init__(self, names: FreshNames) -> None:
        self.names = names
        self.changed = False

    def block(self, block: ir.Block) -> ir.Block:
        """The block with a carry set up in front of every loop that can use one."""
        result: list[ir.Statement] = []
        for statement in block:
            match statement:
                case ir.For(var, lo, hi, body, span):
                    before, inside = self.loop(body, _counters(body, var))
                    result += *before, ir.For(var, lo, hi, inside, span)
                case ir.While(condition, body):
                    before, inside = self.loop(body, _counters(body, None))
                    result += *before, ir.While(condition, inside)
                case _:
                    result.append(statement)
        return tuple(result)

    def loop(self, body: ir.Block, counters: set[str]) -> tuple[list[ir.Statement], ir.Block]:
        """What goes in front of a loop, and its body, when all sets of digits of its counters are carried."""
        before: list[ir.Statement] = []
        for wanted in _digit_sets(body):
            number = wanted.operand
            if not isinstance(number, ir.Var) or not number.type.signed or number.name not in counters:
                continue
            uses = [place for place, statement in enumerate(body) if _mentions(statement, wanted)]
            first, last = uses[0], uses[-1]
            if any(_sets(statement, number.name) for statement in body[first:last]):
                continue
            if _sets(body[last], number.name) and not isinstance(body[last], ir.Set):
                continue
            start, step, digits = self.carry(number, wanted.base, wanted.type)
            front, rest = body[:first], _replace(body[first:], wanted, digits)
            body = (*front, *step, *rest)
            before += start
            self.changed = True
        return before, body

    def carry(self, number: ir.Var, base: int, of: ir.Type) -> tuple[list[ir.Statement], ir.Block, ir.Var]:
        """What starts a carry, what brings it to `number`, and the local that then holds the digits."""
        digits = ir.Var(self.names(f"{number.name}.digits"), of)
        start, step, value = self.level(number, base, of, LEVELS)
        return start, (*step, ir.Set(digits, value)), digits

    def level(
        self, number: ir.Var, base: int, of: ir.Type, levels: int
    ) -> tuple[list[ir.Statement], ir.Block, ir.Expr]:
        """As `carry`, with the digits as an expression."""
        if levels == 0:
            return [], (), ir.DigitSet(number, base, of)
        word = ir.Type(number.type.bits, False)
        tens = ir.Var(self.names(f"{number.name}.tens"), word)
        front = ir.Var(self.names(f"{number.name}.front"), of)
        rest = ir.Var(self.names(f"{number.name}.rest"), number.type)
        radix = ir.Const(base, number.type)
        beyond = ir.Binary("sub", _cast(number, word), tens, word)
        start, step, value = self.level(rest, base, of, levels - 1)
        start = [ir.Set(tens, ir.Const(0, word)), ir.Set(front, ir.Const(0, of)), *start]
        some = ir.Compare("gt", rest, ir.Const(0, rest.type))
        last = ir.Binary("mod", number, radix, number.type)
        move = (
            ir.Set(rest, ir.Binary("div", number, radix, number.type)),
            *step,
            ir.Set(front, ir.Select(some, value, ir.Const(0, of))),
            ir.Set(tens, ir.Binary("sub", _cast(number, word), _cast(last, word), word)),
        )
        carried = ir.If(ir.Compare("ge", beyond, ir.Const(base, word)), move)
        # The digit is less than the word has bits; to say so spares a test of that.
        place = ir.Binary("and", _cast(beyond, of), ir.Const(of.bits - 1, of), of)
        bit = ir.Binary("shl", ir.Const(1, of), place, of)
        return start, (carried,), ir.Binary("or", front, bit, of)


def _cast(expr: ir.Expr, of: ir.Type) -> ir.Expr:
    return expr if expr.type == of else ir.Cast(expr, of)


def _counters(body: ir.Block, loop_var: ir.Var | None) -> set[str]:
    """The names that grow by 1 from round to round of a loop, at least most of the time."""
    names = {loop_var.name} if loop_var else set()
    moved = {statement.var.name for statement in statements(body) if isinstance(statement, ir.Set)}
    for statement in _own(body):
        if isinstance(statement, ir.Set):
            var, value = statement.var, statement.value
            if _is_next(value, var.name) or (loop_var and _follows(value, loop_var.name, moved)):
                names.add(var.name)
    return names


def _own(block: ir.Block) -> list[ir.Statement]:
    """The statements of a block and its inner blocks that are not in a loop of their own."""
    found: list[ir.Statement] = []
    for statement in block:
        found.append(statement)
        if not isinstance(statement, ir.For | ir.While):
            for inner in blocks(statement):
                found += _own(inner)
    return found


def _is_next(value: ir.Expr, name: str) -> bool:
    """Whether a value is `name + 1`."""
    match value:
        case ir.Binary("add", ir.Var(other), ir.Const(1)) | ir.Binary("add", ir.Const(1), ir.Var(other)):
            return other == name
        case _:
            return False


def _follows(value: ir.Expr, loop_var: str, moved: set[str]) -> bool:
    """Whether a value is the variable of the loop plus something that the loop does not change."""
    match value:
        case ir.Var(name):
            return name == loop_var
        case ir.Cast(operand):
            return _follows(operand, loop_var, moved)
        case ir.Binary("add", left, right):
            return (_follows(left, loop_var, moved) and _is_fixed(right, loop_var, moved)) or (
                _is_fixed(left, loop_var, moved) and _follows(right, loop_var, moved)
            )
        case ir.Binary("sub", left, right):
            return _follows(left, loop_var, moved) and _is_fixed(right, loop_var, moved)
        case _:
            return False


def _is_fixed(value: ir.Expr, loop_var: str, moved: set[str]) -> bool:
    return not any(
        isinstance(part, ir.Load) or (isinstance(part, ir.Var) and (part.name == loop_var or part.name in moved))
        for part in expressions(value)
    )


def _digit_sets(body: ir.Block) -> list[ir.DigitSet]:
    """The different digit sets in a block."""
    found = {
        expr: None
        for statement in statements(body)
        for expr in expressions(*values(statement))
        if isinstance(expr, ir.DigitSet)
    }
    return list(found)


def _mentions(statement: ir.Statement, wanted: ir.DigitSet) -> bool:
    return any(wanted == expr for part in statements((statement,)) for expr in expressions(*values(part)))


def _sets(statement: ir.Statement, name: str) -> bool:
    return any(isinstance(part, ir.Set | ir.For) and part.var.name == name for part in statements((statement,)))


def _replace(block: ir.Block, wanted: ir.DigitSet, by: ir.Expr) -> ir.Block:
    return map_block(block, lambda expr: by if expr == wanted else expr)
