"""What LLVM modules contain beside kernels: intrinsics with their exact signatures, and routines of our own.

An intrinsic declared with a wrong signature, or a call of a routine that the process does not have (division of
128-bit numbers), ends the process; nothing but this table declares anything.
"""

from __future__ import annotations

from gamespec.kernel.ir import Type

_SIGNATURES = {
    "ctpop": "declare i{bits} @{name}(i{bits})",
    "cttz": "declare i{bits} @{name}(i{bits}, i1 immarg)",
    "ctlz": "declare i{bits} @{name}(i{bits}, i1 immarg)",
    "sadd.with.overflow": "declare {{ i{bits}, i1 }} @{name}(i{bits}, i{bits})",
    "ssub.with.overflow": "declare {{ i{bits}, i1 }} @{name}(i{bits}, i{bits})",
    "smul.with.overflow": "declare {{ i{bits}, i1 }} @{name}(i{bits}, i{bits})",
}


PREFETCH = (
    "llvm.prefetch.p0",
    "declare void @llvm.prefetch.p0(ptr nocapture readonly, i32 immarg, i32 immarg, i32 immarg)",
)


def intrinsic(kind: str, bits: int) -> tuple[str, str]:
    """The name and the declaration of an intrinsic for one width."""
    name = f"llvm.{kind}.i{bits}"
    return name, _SIGNATURES[kind].format(bits=bits, name=name)


def digit_set(number: Type, base: int, result: Type) -> tuple[str, str]:
    """The name and the text of a routine that collects the digits of a number ≥ 0 in a constant base."""
    kind, word = f"i{number.bits}", f"i{result.bits}"
    name = f"digit_set.{base}.{number}.{result}"
    if number.bits == 128:
        divide = f"""\
  %pair = call {{ i128, i128 }} @unsigned_divide(i128 %n, i128 {base})
  %quotient = extractvalue {{ i128, i128 }} %pair, 0
  %digit = extractvalue {{ i128, i128 }} %pair, 1"""
    else:
        divide = f"""\
  %quotient = udiv {kind} %n, {base}
  %digit = urem {kind} %n, {base}"""
    if number.bits < result.bits:
        widen = f"  %by = zext {kind} %digit to {word}"
    elif number.bits > result.bits:
        widen = f"  %by = trunc {kind} %digit to {word}"
    else:
        widen = f"  %by = add {word} %digit, 0"
    text = f"""\
define internal {word} @{name}({kind} %number) nounwind {{
entry:
  br label %loop
loop:
  %n = phi {kind} [ %number, %entry ], [ %quotient, %loop ]
  %digits = phi {word} [ 0, %entry ], [ %more, %loop ]
{divide}
{widen}
  %bit = shl {word} 1, %by
  %more = or {word} %digits, %bit
  %last = icmp ult {kind} %n, {base}
  br i1 %last, label %done, label %loop
done:
  ret {word} %more
}}
"""
    return name, text


# Shift and subtract, from the first place where the divisor fits; words of 64 bits divide in hardware.
DIVIDE = """\
define internal { i128, i128 } @unsigned_divide(i128 %a, i128 %b) nounwind noinline {
entry:
  %both = or i128 %a, %b
  %top = lshr i128 %both, 64
  %small = icmp eq i128 %top, 0
  br i1 %small, label %words, label %wide
words:
  %a.word = trunc i128 %a to i64
  %b.word = trunc i128 %b to i64
  %q.word = udiv i64 %a.word, %b.word
  %r.word = urem i64 %a.word, %b.word
  %q.small = zext i64 %q.word to i128
  %r.small = zext i64 %r.word to i128
  br label %done
wide:
  %less = icmp ult i128 %a, %b
  br i1 %less, label %done, label %start
start:
  %a.zeros = call i128 @llvm.ctlz.i128(i128 %a, i1 false)
  %b.zeros = call i128 @llvm.ctlz.i128(i128 %b, i1 false)
  %places = sub i128 %b.zeros, %a.zeros
  %first = shl i128 %b, %places
  br label %loop
loop:
  %place = phi i128 [ %places, %start ], [ %place.next, %loop ]
  %part = phi i128 [ %first, %start ], [ %part.next, %loop ]
  %rest = phi i128 [ %a, %start ], [ %rest.next, %loop ]
  %quotient = phi i128 [ 0, %start ], [ %quotient.next, %loop ]
  %fits = icmp uge i128 %rest, %part
  %taken = sub i128 %rest, %part
  %rest.next = select i1 %fits, i128 %taken, i128 %rest
  %doubled = shl i128 %quotient, 1
  %bit = zext i1 %fits to i128
  %quotient.next = or i128 %doubled, %bit
  %part.next = lshr i128 %part, 1
  %place.next = sub i128 %place, 1
  %last = icmp eq i128 %place, 0
  br i1 %last, label %done, label %loop
done:
  %q = phi i128 [ %q.small, %words ], [ 0, %wide ], [ %quotient.next, %loop ]
  %r = phi i128 [ %r.small, %words ], [ %a, %wide ], [ %rest.next, %loop ]
  %pair = insertvalue { i128, i128 } poison, i128 %q, 0
  %result = insertvalue { i128, i128 } %pair, i128 %r, 1
  ret { i128, i128 } %result
}

define internal { i128, i128 } @floor_divide(i128 %a, i128 %b, i1 %signed) nounwind {
entry:
  %a.below = icmp slt i128 %a, 0
  %b.below = icmp slt i128 %b, 0
  %a.negative = and i1 %a.below, %signed
  %b.negative = and i1 %b.below, %signed
  %a.minus = sub i128 0, %a
  %b.minus = sub i128 0, %b
  %a.size = select i1 %a.negative, i128 %a.minus, i128 %a
  %b.size = select i1 %b.negative, i128 %b.minus, i128 %b
  %sizes = call { i128, i128 } @unsigned_divide(i128 %a.size, i128 %b.size)
  %q = extractvalue { i128, i128 } %sizes, 0
  %r = extractvalue { i128, i128 } %sizes, 1
  %differ = xor i1 %a.negative, %b.negative
  %inexact = icmp ne i128 %r, 0
  %up = and i1 %differ, %inexact
  %up.wide = zext i1 %up to i128
  %q.up = add i128 %q, %up.wide
  %q.minus = sub i128 0, %q.up
  %quotient = select i1 %differ, i128 %q.minus, i128 %q
  %r.other = sub i128 %b.size, %r
  %r.moved = select i1 %up, i128 %r.other, i128 %r
  %r.minus = sub i128 0, %r.moved
  %remainder = select i1 %b.negative, i128 %r.minus, i128 %r.moved
  %pair = insertvalue { i128, i128 } poison, i128 %quotient, 0
  %result = insertvalue { i128, i128 } %pair, i128 %remainder, 1
  ret { i128, i128 } %result
}
"""
