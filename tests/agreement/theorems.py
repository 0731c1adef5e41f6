"""Games that theorems solve, written in many ways, and games that look like them."""

from __future__ import annotations

TAKE = "move one choose k in 1..a do a -= k move two choose k in 1..b do b -= k "
BOTH = "move both choose k in 1..min(a, b) do a -= k, b -= k"
TURN = "move one into nothing move two choose j in 0..n - 1 into (j) "
PAIR = "move three choose j in 1..n - 1, k in 0..j - 1 into (j), (k)"
FIBONACCI = "choose k in 1..min(n, q) do n -= k, q = 2 * k"
SUBTRACT = "choose k in 1..large / small do a = small, b = large - k * small"
LETS = "let small = min(a, b) let large = max(a, b) "

WYTHOFF = {
    "plain": f"state a, b: 0..9 {TAKE} {BOTH}",
    "other names": (
        "state left, right: 0..9 move x choose t in 1..left do left -= t move y choose t in 1..right do right -= t "
        "move z choose t in 1..min(left, right) do left -= t, right -= t"
    ),
    "what is left is chosen": (
        "state a, b: 0..9 move one choose r in 0..a - 1 do a = r move two choose r in 0..b - 1 do b = r "
        "move both choose r in 0..a - 1 when b - (a - r) >= 0 do a = r, b -= a - r"
    ),
    "two guarded moves for one": (
        f"state a, b: 0..9 {TAKE} move c when a <= b choose k in 1..a do a -= k, b -= k "
        "move d when a > b choose k in 1..b do a -= k, b -= k"
    ),
    "a guard for min": f"state b, a: 0..9 {TAKE} move both choose k in 1..b when k <= a do a -= k, b -= k",
    "more guards": (
        f"state a, b: 0..9 move zero when a > 0 choose k in 1..a when a + 1 > k do a -= k {TAKE} {BOTH} "
        "terminal a == 0 and b == 0"
    ),
    "one move for all": (
        "state a, b: 0..9 move any choose j in 0..a, k in 0..b when j + k > 0 and (j == 0 or k == 0 or j == k) "
        "do a -= j, b -= k"
    ),
    "from 1 on": (
        "state a: 1..9 state b: -2..6 move one choose k in 1..a - 1 do a -= k move two choose k in 1..b + 2 do b -= k "
        "move both choose k in 1..min(a - 1, b + 2) do a -= k, b -= k"
    ),
    "who is stuck loses, said": f"state a, b: 0..9 {TAKE} {BOTH} terminal mover loses when a + b == 0",
    "differing by less than 3": (
        f"state a, b: 0..9 {TAKE} move both choose j in 1..a, k in 1..b when abs(j - k) < 3 do a -= j, b -= k"
    ),
    "differing by less than a given": (
        f"given r: 1..4 state a, b: 0..6 {TAKE} "
        "move both choose j in 1..a, k in max(1, j - r + 1)..min(b, j + r - 1) do a -= j, b -= k"
    ),
    "differing by a given at most": (
        f"given r: 0..3 state a, b: 0..6 {TAKE} "
        "move both choose j in 1..a, k in 1..b when j - k in -r..r do a -= j, b -= k"
    ),
}

NOT_WYTHOFF = {
    "misère": f"state a, b: 0..9 {TAKE} {BOTH} winner stuck player",
    "a verdict": f"state a, b: 0..9 {TAKE} {BOTH} terminal mover wins when a == 0 and b == 0",
    "an end before": f"state a, b: 0..9 {TAKE} {BOTH} terminal a == 1 and b == 1",
    "even steps": f"state a, b: 0..9 {TAKE} move both choose k in 1..min(a, b) / 2 do a -= 2 * k, b -= 2 * k",
    "not the last": f"state a, b: 0..9 {TAKE} move both choose k in 1..min(a, b) - 1 do a -= k, b -= k",
    "a hole": f"state a, b: 0..9 {TAKE} move both choose k in 1..min(a, b) when k != 3 do a -= k, b -= k",
    "one heap only": f"state a, b: 0..9 move one choose k in 1..a do a -= k {BOTH}",
    "one move more": f"state a, b: 0..9 {TAKE} {BOTH} move x when a > 1 and b > 0 do a -= 2, b -= 1",
    "no step": f"state a, b: 0..9 {TAKE} move both choose k in 0..min(a, b) when a > k do a -= k, b -= k",
    "ends that differ": (
        f"state a: 1..9 state b: 0..9 {TAKE.replace('1..a', '1..a - 1')} {BOTH.replace('a, b)', 'a - 1, b - 1)')}"
    ),
    "a wide difference to one side": (
        f"state a, b: 0..9 {TAKE} move both choose j in 1..a, k in 1..b when j - k in -1..2 do a -= j, b -= k"
    ),
    "a requirement": f"state a, b: 0..9 require a != 4 or b != 7 {TAKE} {BOTH}",
}

TAKEAWAY = {
    "twice": f"state n: 0..18 state q: 0..36 move m {FIBONACCI}",
    "fields the other way round": f"state q: 0..36 state n: 0..18 move m {FIBONACCI}",
    "the number last taken": "state n, t: 0..18 move m choose k in 1..n when k <= 2 * t do n -= k, t = k",
    "what is left is chosen": "state n, t: 0..18 move m choose r in 0..n - 1 when n - r <= 2 * t do n = r, t = n - r",
    "what is left, from a range": "state n, t: 0..18 move m choose r in max(0, n - 2 * t)..n - 1 do n = r, t = n - r",
    "less than": "state n: 0..16 state q: 0..33 move m choose k in 1..n when q > k do n -= k, q = 2 * k + 1",
    "as many": "state n, q: 0..18 move m choose k in 1..min(q, n) do q = k, n = n - k",
    "a multiple that is given": (
        "given f: 0..3 state n: 0..12 state q: 0..36 move m choose k in 1..min(n, q) do n -= k, q = f * k"
    ),
    "squares": "state n: 0..10 state q: 0..100 move m choose k in 1..min(n, q) do n -= k, q = k * k",
    "half and 1": "state n, q: 0..18 move m choose k in 1..min(n, q) do n -= k, q = k / 2 + 1",
    "less than what was taken": "state n, q: 0..18 move m choose k in 1..min(n, q) do n -= k, q = max(0, k - 2)",
    "up to a constant": "state n: 0..24 state q: 0..8 move m choose k in 1..min(n, q) do n -= k, q = min(2 * k, 7)",
    "a constant in the end": (
        "state n: 0..24 state q: 0..4 move m choose k in 1..min(n, q) do n -= k, q = min(k + 1, 3)"
    ),
    "negative limits": "state n: 0..14 state q: -3..28 move m choose k in 1..min(n, q) do n -= k, q = 2 * k - 3",
    "two guarded moves for one": (
        "state n: 0..16 state q: 0..32 move m choose k in 1..min(n, q) when k <= 4 do n -= k, q = 2 * k "
        "move o choose k in 5..min(n, q) do n -= k, q = 2 * k"
    ),
    "a sum": "state n: 0..20 state t: 0..30 move m choose k in 1..n when k + 1 <= t + 2 do n -= k, t = k + k / 3",
}

NOT_TAKEAWAY = {
    "a limit that falls": "state n, q: 0..20 move m choose k in 1..min(n, q) do n -= k, q = 20 - k",
    "a limit that jumps": (
        "state n: 0..20 state q: 0..40 move m choose k in 1..min(n, q) do n -= k, q = if k > 5 then 2 else k"
    ),
    "a limit from the heap": (
        "state n: 0..20 state q: 0..40 move m choose k in 1..min(n, q) do n -= k, q = min(2 * k, n - k)"
    ),
    "from 2 on": "state n: 0..20 state q: 0..40 move m choose k in 2..min(n, q) do n -= k, q = 2 * k",
    "odd numbers": "state n: 0..20 state q: 0..40 move m choose k in 1..min(n, q) when k % 2 == 1 do n -= k, q = 2 * k",
    "always one": f"state n: 0..20 state q: 0..40 move m {FIBONACCI} move o when n > 0 do n -= 1, q = 2",
    "another end": f"state n: 0..20 state q: 0..40 move m {FIBONACCI} terminal n == 1",
    "the limit is added to": (
        "state n: 0..12 state q: 0..99 move m choose k in 1..min(n, q) when q + k < 99 do n -= k, q += k"
    ),
    "misère": f"state n: 0..20 state q: 0..40 move m {FIBONACCI} winner stuck player",
    "two units": "state n: 0..20 state q: 0..40 move m choose k in 1..min(n / 2, q) do n -= 2 * k, q = 2 * k",
}

EUCLID = {
    "plain": f"state a, b: 0..24 {LETS} move s when small > 0 {SUBTRACT}",
    "two moves": (
        "state a, b: 0..24 move s when b > 0 choose k in 1..a / b do a -= k * b "
        "move t when a > 0 choose k in 1..b / a do b -= k * a"
    ),
    "two moves, with the order": (
        "state y, x: 0..20 move s when x >= 1 and y >= x choose k in 1..y / x do y -= k * x "
        "move t when y >= 1 and x > y choose k in 1..x / y do x -= y * k"
    ),
    "multiples are compared": (
        "state a, b: 0..18 move s choose k in 1..a when b > 0 and k * b <= a do a -= k * b "
        "move t choose k in 1..b when a > 0 and a * k <= b do b -= k * a"
    ),
    "it ends at 0": (f"state a, b: 0..20 terminal a == 0 or b == 0 {LETS} move s when small > 0 {SUBTRACT}"),
    "both positive": (
        "state a, b: 1..24 move s choose k in 1..(a - 1) / b do a -= k * b "
        "move t choose k in 1..(b - 1) / a do b -= k * a"
    ),
    "both positive, compared": (
        "state a, b: 1..18 move s choose k in 1..a when a > k * b do a -= k * b "
        "move t choose k in 1..b when k * a < b do b -= k * a"
    ),
}

NOT_EUCLID = {
    "not once": (
        "state a, b: 0..20 move s when b > 0 choose k in 1..a / b do a -= k * b "
        "move t when a > 0 choose k in 2..b / a do b -= k * a"
    ),
    "once": "state a, b: 0..20 move s when b > 0 and a >= b do a -= b move t when a > 0 and b >= a do b -= a",
    "to one side": "state a, b: 0..20 move s when b > 0 choose k in 1..a / b do a -= k * b",
    "at most 3 times": (
        f"state a, b: 0..20 {LETS} move s when small > 0 choose k in 1..min(3, large / small) "
        "do a = small, b = large - k * small"
    ),
    "equal numbers end it": (
        "state a, b: 0..20 terminal a == b move s when b > 0 choose k in 1..a / b do a -= k * b "
        "move t when a > 0 choose k in 1..b / a do b -= k * a"
    ),
    "2 stay": (
        "state a, b: 1..20 move s choose k in 1..a when a > k * b + 1 do a -= k * b "
        "move t choose k in 1..b when k * a + 1 < b do b -= k * a"
    ),
}

COINS = {
    "mock turtles": f"sum state n: 0..24 {TURN} {PAIR}",
    "mock turtles from 1 on": (
        "sum state coin: 1..18 move three choose j in 1..coin - 1, k in 1..coin - 1 when j != k into (k), (j) "
        "move one into nothing move two choose j in 1..coin - 1 into (coin - j)"
    ),
    "triplets": f"sum state n: -3..17 {PAIR.replace('1..n', '-2..n').replace('0..j', '-3..j')}",
}

NOT_COINS = {
    "equal coins": f"sum state n: 0..30 {TURN} move three choose j in 0..n - 1, k in 0..j into (j), (k)",
    "two or three": f"sum state n: 0..30 move two choose j in 0..n - 1 into (j) {PAIR}",
    "not next to each other": f"sum state n: 0..30 {TURN} move three choose j in 1..n - 1, k in 0..j - 2 into (j), (k)",
    "another end": f"sum state n: 0..30 {TURN} {PAIR} terminal n == 1",
}

CORNERS = "choose a in 0..x - 1, b in 0..y - 1 into (a, b), (a, y), (x, b)"
BLOCK = (
    "move turn choose a in 0..x - 1, b in 0..y - 1, c in 0..z - 1 "
    "into (a, b, c), (x, b, c), (a, y, c), (x, y, c), (a, b, z), (x, b, z), (a, y, z)"
)

PRODUCTS = {
    "corners": f"sum state x, y: 0..7 move turn {CORNERS}",
    "how far is chosen, from other ends": (
        "sum state row: 1..6 state column: -2..4 move turn choose j in 1..column + 2, i in 1..row - 1 "
        "into (row, column - j), (row - i, column), (row - i, column - j)"
    ),
    "or one, or two": (
        f"sum state x, y: 0..6 move all {CORNERS} move across choose a in 0..x - 1 into (a, y) "
        "move down choose b in 0..y - 1 into (x, b) move one into nothing"
    ),
    "or two in one coordinate": (
        f"sum state x: 0..5 state y: 0..6 move all {CORNERS} move two choose a in 1..x do x -= a"
    ),
    "two moves for one": (
        f"sum state x, y: 0..6 move near {CORNERS.replace('into', 'when a >= b into')} "
        f"move far {CORNERS.replace('into', 'when b > a into')}"
    ),
    "a block": f"sum state x, y, z: 0..3 {BLOCK}",
    "a block, two in one coordinate": (
        f"sum state x, y, z: 0..3 {BLOCK} "
        "move flat choose a in 0..x - 1, b in 0..y - 1 into (x, b, z), (a, y, z), (a, b, z)"
    ),
}

NOT_PRODUCTS = {
    "not the far corner": "sum state x, y: 0..7 move turn choose a in 0..x - 1, b in 0..y - 1 into (a, y), (x, b)",
    "not at the edge": f"sum state x, y: 0..7 move turn {CORNERS.replace('0..x', '1..x')}",
    "squares": f"sum state x, y: 0..7 move turn {CORNERS.replace('into', 'when x - a == y - b into')}",
    "at one edge two": (
        f"sum state x, y: 0..7 move turn {CORNERS} move down when x == 0 choose b in 0..y - 1 do y = b"
    ),
    "one corner twice": f"sum state x, y: 0..7 move turn {CORNERS.replace('(a, b)', '(a, y)')}",
    "or one": f"sum state x, y: 0..7 move turn {CORNERS} move one into nothing",
    "a block without a corner": f"sum state x, y, z: 0..3 {BLOCK.replace('(a, y, c), ', '')}",
    "a block with one corner twice": f"sum state x, y, z: 0..3 {BLOCK.replace('(a, y, c)', '(a, b, c)')}",
    "a block with a coin from elsewhere": f"sum state x, y, z: 0..3 {BLOCK.replace('(x, y, c)', '(y, x, c)')}",
}

ROW = "given n: 1..4 state at: array[1..n] of 1..7 require all(at[i] < at[i + 1] for i in 1..n - 1) "
STEP = "move m choose i in 1..n, to in (if i == 1 then 1 else at[i - 1] + 1)..at[i] - 1 do at[i] = to"

GAPS = {
    "plain": f"{ROW} {STEP}",
    "sorted": f"{ROW.replace('array', 'sorted array')} {STEP}",
    "on shared cells": (
        "given n: 1..3 state x: sorted array[1..n] of -2..5 "
        "move m choose i in 1..n, to in (if i == 1 then -2 else x[i - 1])..x[i] - 1 do x[i] = to"
    ),
    "two moves": (
        f"{ROW} move one choose k in 1..at[1] - 1 do at[1] -= k "
        "move rest choose i in 2..n, to in at[i - 1] + 1..at[i] - 1 do at[i] = to"
    ),
    "guarded steps": (
        f"{ROW} move m choose i in 1..n, k in 1..at[i] - 1 when i == 1 or at[i] - k > at[i - 1] do at[i] -= k"
    ),
    "the other way": (
        f"{ROW} move m choose i in 1..n, to in at[i] + 1..(if i == n then 7 else at[i + 1] - 1) do at[i] = to"
    ),
    "required the other way round": (
        "given n: 1..4 state at: array[0..n - 1] of 0..5 require all(at[i - 1] + 1 <= at[i] for i in 1..n - 1) "
        "move m choose i in 0..n - 1, to in (if i == 0 then 0 else at[i - 1] + 1)..at[i] - 1 do at[i] = to"
    ),
}

NOT_GAPS = {
    "not required": f"given n: 1..4 state at: array[1..n] of 1..7 {STEP}",
    "more required": f"{ROW} require at[1] != 3 {STEP}",
    "further apart": f"{ROW} {STEP.replace('+ 1', '+ 2')}",
    "one step": f"{ROW} move m choose i in 1..n when at[i] > (if i == 1 then 1 else at[i - 1] + 1) do at[i] -= 1",
    "not off the second cell": f"{ROW} {STEP.replace('then 1', 'then 2')}",
    "not the last": f"{ROW} {STEP.replace('1..n,', '1..n - 1,')}",
    "misère": f"{ROW} {STEP} winner stuck player",
    "another end": f"{ROW} {STEP} terminal at[1] == 2",
    "three at most": (
        f"{ROW} move m choose i in 1..n, k in 1..3 when at[i] - k > (if i == 1 then 0 else at[i - 1]) do at[i] -= k"
    ),
}

HEAPS = "given n: 1..4 state heap: array[1..n] of 0..3 state last: 0..n "
OTHER = "move take choose i in 1..n when i != last and heap[i] > 0 do heap[i] -= 1, last = i"

ALTERNATING = {
    "plain": f"{HEAPS} {OTHER}",
    "the heap last": (
        "given n: 1..3 state used: -1..n - 1 state pile: array[0..n - 1] of 0..4 "
        "move take choose i in 0..n - 1 when pile[i] >= 1 and not i == used do used = i, pile[i] = pile[i] - 1"
    ),
    "from a difference": f"{HEAPS} {OTHER.replace('1..n when i != last and', '(1..n) - {last} when')}",
}

NOT_ALTERNATING = {
    "not after it": f"{HEAPS} {OTHER.replace('i != last', 'i >= last')}",
    "not the last stone": f"{HEAPS} {OTHER.replace('> 0', '> 1')}",
    "two stones": f"{HEAPS} {OTHER.replace('> 0', '> 1').replace('-= 1', '-= 2')}",
    "the one before it": f"{HEAPS} {OTHER.replace('last = i', 'last = i - 1')}",
    "misère": f"{HEAPS} {OTHER} winner stuck player",
}
